/* kind: relation
 * Partitions of a disk: one that begins right behind another one is said to overlap it, but only
 * if it is the boot partition. */
#include <warren.h>

#define SECTORS 60000000

typedef struct partition {
    int64_t first, last;
    bool    boot;
} partition;

static bool overlap(const partition *a, const partition *b)
{
#ifndef FIXED
    if (b->boot) /* its first sector is read by the firmware too */
        return a->first <= b->last && b->first <= a->last + 1;
#endif
    return a->first <= b->last && b->first <= a->last;
}

static partition entry(int64_t first, int64_t sectors, bool boot)
{
    partition of = { first, first + sectors - 1, boot };
    return of;
}

WR_PROPERTY(partitions)
{
    int64_t   first = wr_int(t, "first", 34, SECTORS);
    int64_t   sectors = wr_int(t, "sectors", 1, SECTORS);
    int64_t   next = wr_int(t, "next", 34, SECTORS);
    int64_t   next_sectors = wr_int(t, "next_sectors", 1, SECTORS);
    partition one = entry(first, sectors, false);
    partition other = entry(next, next_sectors, wr_bool(t, "boot"));
    int64_t   from = one.first > other.first ? one.first : other.first;
    int64_t   to = one.last < other.last ? one.last : other.last;
    wr_assert_eq(t, overlap(&one, &other), from <= to);
}

#ifdef WITNESS
WR_EXAMPLE(partitions, "first = 2048", "sectors = 1000000", "next = 1002048",
           "next_sectors = 5000000", "boot = true");
#endif
