/* kind: length and checksum
 * A frame: a start byte, a length, the payload, and the sum of its bytes. A payload whose first
 * byte is an escape loses it. */
#include <warren.h>

/* The length of the payload after unpacking; -1: it is no frame. */
static int unpack(const uint8_t *frame, size_t n)
{
    if (n < 4 || frame[0] != 0xa5 || frame[1] != n - 3)
        return -1;
    unsigned sum = 0;
    for (size_t i = 2; i < n - 1; i++)
        sum += frame[i];
    if ((sum & 0xff) != frame[n - 1])
        return -1;
#ifndef FIXED
    return frame[1] - (frame[2] == 0x7d);
#else
    return frame[1];
#endif
}

WR_PROPERTY(c_frame)
{
    size_t         n = wr_size(t, "n", 0, 20);
    const uint8_t *frame = wr_bytes(t, "frame", n);
    int            length = unpack(frame, n);
    wr_assert(t, length == -1 || length == (int)n - 3);
}

#ifdef WITNESS
WR_EXAMPLE(c_frame, "n = 4", "frame = [165, 1, 125, 125]");
#endif
