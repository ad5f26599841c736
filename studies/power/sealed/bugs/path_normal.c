/* Making a path shorter without looking at files, with several bugs behind one assertion. */
#include <warren.h>
#include <stdlib.h>
#include <string.h>

/* Whether bug `number` is in: all are, but those of SUBJECT_FIXED=2,3 in the environment. */
static bool bug(int number)
{
    static unsigned long fixed;
    static bool          read;
    if (!read) {
        const char *at = getenv("SUBJECT_FIXED");
        for (char *end; at != NULL && *at != '\0'; at = *end == ',' ? end + 1 : end) {
            long next = strtol(at, &end, 10);
            if (end == at)
                break;
            if (next > 0 && next < 64)
                fixed |= 1UL << next;
        }
        read = true;
    }
    return (fixed >> number & 1) == 0;
}

/* "/a/./b/../c/" becomes "/a/c". `out` has room for as many bytes as the path. */
static void normalise(const char *path, char *out)
{
    bool   rooted = path[0] == '/';
    size_t n = 0, floor = 0; /* `floor`: what ".." may not take away */
    if (*path == '\0') {
        strcpy(out, ".");
        return;
    }
    if (rooted) {
        out[n++] = '/';
        floor = 1;
    }
    while (*path != '\0') {
        size_t length = strcspn(path, "/");
        bool   dot = length == 1 && path[0] == '.';
        bool   up = length >= 2 && path[0] == '.' && path[1] == '.' && (length == 2 || bug(1));
        if (up && length > 2 && path[2] != '.')
            up = false;
        if (length == 0 || (dot && !(bug(2) && n > 1 && n == floor && path[length] == '\0'))) {
            ;
        } else if (up && n > floor) {
            while (n > floor && out[n - 1] != '/')
                n--;
            if (n > floor && !(bug(3) && floor > 1))
                n--;
        } else if (up) {
            if (!rooted || (bug(4) && n == 1 && path[length] == '\0')) {
                if (n > 0 && out[n - 1] != '/')
                    out[n++] = '/';
                out[n++] = '.';
                out[n++] = '.';
                floor = n;
            }
        } else {
            if (n > 0 && out[n - 1] != '/')
                out[n++] = '/';
            memcpy(out + n, path, length);
            n += length;
        }
        path += length;
        path += *path == '/';
        if (bug(5) && *path == '\0' && path[-1] == '/' && n > 3 && out[n - 1] == '.')
            out[n++] = '/';
    }
    if (n > 1 && out[n - 1] == '/' && !bug(5))
        n--;
    if (n == 0)
        out[n++] = '.';
    out[n] = '\0';
}

/* What is right, by a list of parts. */
static char *expected(wr_case *t, const char *path)
{
    const char *parts[40];
    size_t      lengths[40], n = 0;
    bool        rooted = *path == '/';
    char       *out = wr_alloc(t, strlen(path) + 3);
    for (const char *p = path; *p != '\0'; p += *p == '/') {
        size_t length = strcspn(p, "/");
        if (length == 2 && memcmp(p, "..", 2) == 0) {
            if (n > 0 && !(lengths[n - 1] == 2 && memcmp(parts[n - 1], "..", 2) == 0))
                n--;
            else if (!rooted)
                parts[n] = p, lengths[n++] = 2;
        } else if (length > 0 && !(length == 1 && *p == '.')) {
            parts[n] = p, lengths[n++] = length;
        }
        p += length;
    }
    if (rooted)
        strcat(out, "/");
    for (size_t i = 0; i < n; i++) {
        strcat(out, i > 0 ? "/" : "");
        strncat(out, parts[i], lengths[i]);
    }
    if (*out == '\0')
        strcat(out, ".");
    return out;
}

WR_PROPERTY(path_normal)
{
    char *path = wr_text_of(t, "path", "a./", 0, 14);
    char *out = wr_alloc(t, strlen(path) + 4);
    normalise(path, out);
    wr_assert_str_eq(t, out, expected(t, path));
}
