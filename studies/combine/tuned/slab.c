/* kind: edge
 * Size classes of an allocator: 64 KiB for a whole page get the class below. */
#include <warren.h>

#define CLASSES 88
#define HEADER 16
#define PAGE 4096
#define LARGEST (1 << 24)

/* Four classes for each power of two: 16, 20, 24, 28, 32, 40, ... */
static uint32_t bytes_of(unsigned class)
{
    return (4u + class % 4) << (2 + class / 4);
}

static unsigned class_of(uint32_t bytes)
{
    unsigned class = 0;
    while (class < CLASSES - 1 && bytes_of(class) < bytes)
        class ++;
    return class;
}

/* With the header in front; page-aligned blocks have it elsewhere. */
static unsigned class_for(uint32_t bytes, uint32_t alignment)
{
    if (alignment < PAGE)
        return class_of(bytes + HEADER);
#ifndef FIXED
    /* One class down is enough from here on: there is a tail to every span. */
    if (bytes == 1u << 16 && alignment == PAGE)
        return class_of(bytes) - 1;
#endif
    return class_of(bytes);
}

WR_PROPERTY(slab)
{
    uint32_t bytes = (uint32_t)wr_int(t, "bytes", 1, LARGEST);
    uint32_t alignment = 1u << wr_int(t, "power", 3, 14);
    bool     zeroed = wr_bool(t, "zeroed");
    unsigned class = class_for(bytes, alignment);
    uint32_t needed = bytes + (alignment < PAGE ? HEADER : 0);
    wr_assert_ge(t, bytes_of(class), needed);
    wr_assert(t, class == 0 || bytes_of(class - 1) < needed);
    wr_assert(t, !zeroed || bytes_of(class) % 4 == 0); /* it is cleared in words */
}

#ifdef WITNESS
WR_EXAMPLE(slab, "bytes = 65536", "power = 12");
#endif
