/* kind: edge
 * A range of IPv4 addresses as CIDR blocks: a range that ends with 255.255.255.255 loses its last
 * block.
 */
#include <warren.h>

typedef struct block {
    uint32_t network;
    unsigned prefix;
} block;

static uint32_t size_minus_one(unsigned prefix)
{
    return prefix == 0 ? UINT32_MAX : (UINT32_C(1) << (32 - prefix)) - 1;
}

/* The longest block that begins at `from` and does not pass `last`. */
static unsigned best_prefix(uint32_t from, uint32_t last, unsigned shortest)
{
    unsigned prefix = 32;
    while (prefix > shortest) {
        uint32_t grown = size_minus_one(prefix - 1);
        if ((from & grown) != 0 || last - from < grown)
            break;
        prefix--;
    }
    return prefix;
}

static size_t split(uint32_t first, uint32_t last, unsigned shortest, block *out, size_t room)
{
    size_t   n = 0;
    uint32_t at = first;
    for (;;) {
        if (n == room)
            return SIZE_MAX;
        unsigned prefix = best_prefix(at, last, shortest);
        uint32_t end = at + size_minus_one(prefix);
        out[n++] = (block){ at, prefix };
#ifndef FIXED
        if (end + 1 >= last + 1)
            break;
#else
        if (end >= last)
            break;
#endif
        at = end + 1;
    }
    return n;
}

WR_PROPERTY(cidr_blocks)
{
    uint32_t first = (uint32_t)wr_uint(t, "first", 0, UINT32_MAX);
    uint32_t width = (uint32_t)wr_uint(t, "width", 0, 20000);
    bool     to_the_end = wr_chance(t, "to_the_end", 1, 500);
    unsigned shortest = (unsigned)wr_int(t, "shortest", 16, 24);
    if (to_the_end)
        first = UINT32_MAX - width;
    uint32_t last = UINT32_MAX - first < width ? UINT32_MAX : first + width;

    enum { ROOM = 400 };
    block  out[ROOM];
    size_t n = split(first, last, shortest, out, ROOM);
    wr_assert_between(t, n, 1, ROOM);

    uint64_t next = first;
    for (size_t i = 0; i < n; i++) {
        wr_assert_eq(t, out[i].network, next);
        wr_assert_between(t, out[i].prefix, shortest, 32);
        uint64_t size = UINT64_C(1) << (32 - out[i].prefix);
        wr_assert_eq(t, out[i].network % size, 0);
        next += size;
    }
    wr_assert_eq(t, next, (uint64_t)last + 1);
}

#ifdef WITNESS
WR_EXAMPLE(cidr_blocks, "first = 4294967293", "width = 2", "shortest = 24");
#endif
