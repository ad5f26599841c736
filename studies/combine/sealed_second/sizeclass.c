/* kind: edge
 * The size classes of an allocator: small ones in steps of 16 bytes, large ones in powers of two.
 * Where they meet, a block gets twice the room it needs. */
#include <warren.h>

#define SMALL_MOST 1024
#define SMALL_CLASSES (SMALL_MOST / 16)
#define LARGE_MOST (1u << 20)

static uint32_t round_up(uint32_t bytes, uint32_t to)
{
    return (bytes + to - 1) & ~(to - 1);
}

static uint32_t class_of(uint32_t bytes)
{
    uint32_t class = SMALL_CLASSES, room = SMALL_MOST * 2;
#ifndef FIXED
    if (bytes < SMALL_MOST)
#else
    if (bytes <= SMALL_MOST)
#endif
        return (bytes + 15) / 16 - 1;
    while (room < bytes) {
        room *= 2;
        class ++;
    }
    return class;
}

static uint32_t room_of(uint32_t class)
{
    return class < SMALL_CLASSES ? (class + 1) * 16 : SMALL_MOST * 2u << (class - SMALL_CLASSES);
}

WR_PROPERTY(sizeclass)
{
    uint32_t wanted = (uint32_t)wr_int(t, "wanted", 1, LARGE_MOST - 5000);
    uint32_t guard = (uint32_t)wr_int(t, "guard", 0, 48); /* bytes behind it, for a canary */
    uint32_t aligned = 8u << wr_pick(t, "align_bits", 4);
    uint32_t bytes = round_up(wanted + guard, aligned);
    uint32_t class = class_of(bytes);
    wr_assert_ge(t, room_of(class), bytes);
    if (class > 0)
        wr_assert_lt(t, room_of(class - 1), bytes);
}

#ifdef WITNESS
WR_EXAMPLE(sizeclass, "wanted = 1024", "guard = 0", "align_bits = 0");
#endif
