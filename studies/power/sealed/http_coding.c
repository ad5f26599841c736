/* kind: keyword
 * The codings of an HTTP body: "deflate" is compared by its first four letters only.
 */
#include <warren.h>
#include <string.h>

typedef enum { UNKNOWN, IDENTITY, GZIP, DEFLATE, BROTLI, ZSTD, COMPRESS } coding;

static coding coding_of(const char *name)
{
    if (strncmp(name, "x-", 2) == 0) { /* the old names */
        name += 2;
        if (strcmp(name, "gzip") != 0 && strcmp(name, "compress") != 0)
            return UNKNOWN;
    }
    if (strcmp(name, "identity") == 0 || *name == '\0')
        return IDENTITY;
    if (strcmp(name, "gzip") == 0)
        return GZIP;
    if (strcmp(name, "br") == 0)
        return BROTLI;
    if (strcmp(name, "zstd") == 0)
        return ZSTD;
    if (strcmp(name, "compress") == 0)
        return COMPRESS;
#ifndef FIXED
    if (strncmp(name, "deflate", 4) == 0)
#else
    if (strcmp(name, "deflate") == 0)
#endif
        return DEFLATE;
    return UNKNOWN;
}

static unsigned level_limit(coding c)
{
    switch (c) {
    case GZIP:
    case DEFLATE: return 9;
    case BROTLI: return 11;
    case ZSTD: return 22;
    case COMPRESS: return 16;
    default: return 0;
    }
}

WR_PROPERTY(http_coding)
{
    char    *name = wr_text_of(t, "name", "abcdefghijklmnopqrstuvwxyz-", 0, 9);
    unsigned level = (unsigned)wr_int(t, "level", 0, 30);
    coding   got = coding_of(name);
    bool     accepted = got != UNKNOWN && level <= level_limit(got);

    static const char *const NAMES[] = { "",   "identity", "gzip",       "x-gzip", "compress",
                                         "br", "zstd",     "x-compress", "deflate" };
    bool                     known = false;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        known |= strcmp(NAMES[i], name) == 0;
    wr_assert_eq(t, got != UNKNOWN, known);
    if (accepted)
        wr_assert_le(t, level, 22);
}

#ifdef WITNESS
WR_EXAMPLE(http_coding, "name = \"deflat\"");
#endif
