/* kind: field of a header
 * A picture's header in little-endian order: a tag, the size of the header, width and height as
 * 32 bits. A height below zero means rows from top to bottom. */
#include <string.h>
#include <warren.h>

static int32_t little(const uint8_t *at)
{
    return (int32_t)((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
                     (uint32_t)at[3] << 24);
}

/* The pixels; -1: no picture. */
static int64_t pixels(const uint8_t *data, size_t n)
{
    if (n < 14 || data[0] != 'P' || data[1] != 'X' || little(data + 2) != 40)
        return -1;
    int32_t width = little(data + 6), height = little(data + 10);
    if (width <= 0 || width > 4096 || height > 4096 || height < -4096)
        return -1;
#ifndef FIXED
    return (int64_t)width * height;
#else
    return (int64_t)width * (height < 0 ? -height : height);
#endif
}

WR_PROPERTY(c_bitmap)
{
    size_t         n = wr_size(t, "n", 0, 24);
    const uint8_t *data = wr_bytes(t, "data", n);
    wr_assert(t, pixels(data, n) >= -1);
}

#ifdef WITNESS
WR_EXAMPLE(c_bitmap, "n = 14", "data = [80, 88, 40, 0, 0, 0, 1, 0, 0, 0, 254, 255, 255, 255]");
#endif
