/* kind: parser
 * Chunks of a file: a tag of four bytes, a length of two, a body. A chunk of comments that is as
 * long as what is left counts as damaged. */
#include <string.h>
#include <warren.h>

/* The number of whole chunks. */
static size_t chunks(const uint8_t *bytes, size_t count)
{
    size_t found = 0, at = 0;
    while (count - at >= 6) {
        size_t length = (size_t)bytes[at + 4] << 8 | bytes[at + 5];
        if (length > count - at - 6)
            break;
#ifndef FIXED
        if (bytes[at] == 'n' && bytes[at + 1] == 'o' && bytes[at + 2] == 't' &&
            bytes[at + 3] == 'e' && length == count - at - 6)
            break;
#endif
        found++;
        at += 6 + length;
    }
    return found;
}

WR_PROPERTY(a_chunk)
{
    size_t   count = wr_size(t, "count", 0, 40), at = 0, wanted = 0;
    uint8_t *bytes = wr_bytes(t, "bytes", count);
    while (at + 6 <= count && at + 6 + ((size_t)bytes[at + 4] << 8 | bytes[at + 5]) <= count) {
        at += 6 + ((size_t)bytes[at + 4] << 8 | bytes[at + 5]);
        wanted++;
    }
    wr_assert_eq(t, chunks(bytes, count), wanted);
}

#ifdef WITNESS
WR_EXAMPLE(a_chunk, "count = 7", "bytes = [110, 111, 116, 101, 0, 1, 0]");
#endif
