/* kind: assumed
 * Rooms by the minute: one that is booked from the first minute of a day to the last takes no
 * other booking, but one of the last minute comes in. */
#include <warren.h>

#define MINUTES 1440
#define ROOMS 24

typedef struct booking {
    int room, from, to; /* to: the first minute that is free again */
} booking;

static bool valid(const booking *one)
{
    return one->room >= 0 && one->room < ROOMS && one->from >= 0 && one->from < one->to &&
           one->to <= MINUTES;
}

static bool overlap(const booking *a, const booking *b)
{
    if (a->room != b->room)
        return false;
#ifndef FIXED
    if (a->from == 0 && a->to == MINUTES)
        return b->from < a->to - 1; /* all day: no end needs to be looked for */
#endif
    return a->from < b->to && b->from < a->to;
}

/* How many minutes of b are taken by a. */
static int taken(const booking *a, const booking *b)
{
    int from = a->from > b->from ? a->from : b->from;
    int to = a->to < b->to ? a->to : b->to;
    return a->room == b->room && to > from ? to - from : 0;
}

static booking draw(wr_case *t, const char *room, const char *from, const char *to)
{
    booking one = { (int)wr_int(t, room, 0, ROOMS - 1), (int)wr_int(t, from, 0, MINUTES),
                    (int)wr_int(t, to, 0, MINUTES) };
    wr_assume(t, valid(&one));
    return one;
}

WR_PROPERTY(booking)
{
    booking a = draw(t, "room_a", "from_a", "to_a"), b = draw(t, "room_b", "from_b", "to_b");
    int     people = (int)wr_int(t, "people", 1, 40);
    wr_assume(t, people <= 4 + 2 * a.room && people <= 4 + 2 * b.room);
    wr_assert_eq(t, overlap(&a, &b), taken(&a, &b) > 0);
}

#ifdef WITNESS
WR_EXAMPLE(booking, "room_a = 3", "from_a = 0", "to_a = 1440", "room_b = 3", "from_b = 1439",
           "to_b = 1440", "people = 1");
#endif
