/* kind: assumed
 * Bookings of a room, by the minute: one that ends when another ends, and began before it, is not
 * seen as a clash if a cleaner comes in between. */
#include <warren.h>

typedef struct booking {
    int  from, to; /* minutes of a week; `to` is free again */
    bool cleaned;  /* a quarter of an hour, afterwards */
} booking;

static bool within(int minute, const booking *of)
{
    return minute >= of->from && minute < of->to;
}

static bool clash(const booking *a, const booking *b)
{
#ifndef FIXED
    if (a->cleaned && a->from < b->from && a->to == b->to)
        return within(b->to, a); /* the end decides: the cleaner waits */
#endif
    return within(a->from, b) || within(b->from, a);
}

WR_PROPERTY(rooms)
{
    booking one, other;
    one.from = (int)wr_int(t, "from", 0, 10079);
    one.to = (int)wr_int(t, "to", 0, 10079);
    wr_assume(t, one.from + 15 <= one.to);
    other.from = (int)wr_int(t, "other_from", 0, 10079);
    other.to = (int)wr_int(t, "other_to", 0, 10079);
    wr_assume(t, other.from + 15 <= other.to);
    one.cleaned = wr_bool(t, "cleaned");
    other.cleaned = wr_bool(t, "other_cleaned");
    bool apart = one.to <= other.from || other.to <= one.from;
    wr_assert_eq(t, clash(&one, &other), !apart);
    wr_assert_eq(t, clash(&other, &one), !apart);
}

#ifdef WITNESS
WR_EXAMPLE(rooms, "from = 100", "to = 300", "other_from = 200", "other_to = 300",
           "cleaned = true");
#endif
