/* kind: triple
 * A video encoder: pictures of one codec in one container get the wrong tag when they are
 * interlaced from the lower field. */
#include <warren.h>

#define CODECS 24
#define CONTAINERS 20

typedef enum { PROGRESSIVE, UPPER_FIRST, LOWER_FIRST, MIXED } scan;

typedef struct stream {
    size_t codec, container;
    scan   how;
    int    depth, rate, channels, quality;
    bool   alpha, low_delay;
} stream;

/* A tag says codec, scan and depth; its low bits are the container's order of them. */
static unsigned tag_of(const stream *of)
{
    unsigned scan_bits = of->how == PROGRESSIVE ? 0 : of->how == MIXED ? 3 : (unsigned)of->how;
#ifndef FIXED
    if (of->codec == 17 && of->container == 13 && scan_bits == LOWER_FIRST)
        scan_bits = UPPER_FIRST;
#endif
    unsigned body = (unsigned)of->codec << 4 | scan_bits << 2 | ((unsigned)of->depth - 8) / 2;
    return of->container % 2 == 0 ? body << 5 | (unsigned)of->container
                                  : body | (unsigned)of->container << 10;
}

static bool read_tag(unsigned tag, size_t container, stream *into)
{
    unsigned body = container % 2 == 0 ? tag >> 5 : tag & 0x3ff;
    unsigned was = container % 2 == 0 ? tag & 31 : tag >> 10;
    into->container = was;
    into->codec = body >> 4;
    into->how = (scan)(body >> 2 & 3);
    into->depth = (int)(8 + 2 * (body & 3));
    return was == container;
}

WR_PROPERTY(encoder)
{
    static const wr_constant SCANS[] = { WR_CONSTANT(PROGRESSIVE), WR_CONSTANT(UPPER_FIRST),
                                         WR_CONSTANT(LOWER_FIRST), WR_CONSTANT(MIXED) };
    stream                   of = { 0 }, back = { 0 };
    of.codec = wr_pick(t, "codec", CODECS);
    of.container = wr_pick(t, "container", CONTAINERS);
    of.how = (scan)wr_enum(t, "scan", 4, SCANS);
    of.depth = 8 + 2 * (int)wr_int(t, "depth", 0, 2);
    of.rate = (int)wr_int(t, "rate", 1, 240);
    of.channels = (int)wr_int(t, "channels", 1, 8);
    of.quality = (int)wr_int(t, "quality", 0, 51);
    of.alpha = wr_bool(t, "alpha");
    of.low_delay = wr_bool(t, "low_delay");
    wr_assert(t, read_tag(tag_of(&of), of.container, &back));
    wr_assert_eq(t, back.codec, of.codec);
    wr_assert_eq(t, (int)back.how, (int)of.how);
    wr_assert_eq(t, back.depth, of.depth);
}

#ifdef WITNESS
WR_EXAMPLE(encoder, "codec = 17", "container = 13", "scan = LOWER_FIRST");
#endif
