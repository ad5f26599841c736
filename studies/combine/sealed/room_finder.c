/* kind: assumed
 * Finding a free time for a meeting: a gap that is just long enough, before the last booking, is
 * passed over if the room must be aired.
 */
#include <warren.h>

enum { OPENS = 8 * 60, CLOSES = 20 * 60, BOOKINGS = 3 };

typedef struct booking {
    int from, to; /* minutes of the day */
} booking;

/* The first minute from which `length` minutes are free, `airing` minutes after and before other
 * bookings; -1: there is none. The bookings are in order and do not overlap. */
static int first_free(const booking *b, int n, int length, int airing, int not_before)
{
    int at = not_before > OPENS ? not_before : OPENS;
    for (int i = 0; i < n; i++) {
        if (b[i].to + airing <= at)
            continue;
        int gap = b[i].from - airing - at;
#ifndef FIXED
        if (i == n - 1 && airing > 0 ? gap > length : gap >= length)
#else
        if (gap >= length)
#endif
            return at;
        if (b[i].to + airing > at)
            at = b[i].to + airing;
    }
    return at + length <= CLOSES ? at : -1;
}

static bool is_free(const booking *b, int n, int at, int length, int airing)
{
    if (at < OPENS || at + length > CLOSES)
        return false;
    for (int i = 0; i < n; i++)
        if (at < b[i].to + airing && b[i].from < at + length + airing)
            return false;
    return true;
}

WR_PROPERTY(room_finder)
{
    booking b[BOOKINGS];
    for (int i = 0; i < BOOKINGS; i++) {
        b[i].from = (int)wr_int(t, "from", OPENS, CLOSES - 15);
        b[i].to = b[i].from + (int)wr_int(t, "minutes", 15, 120);
        wr_assume(t, b[i].to <= CLOSES);
        wr_assume(t, i == 0 || b[i - 1].to <= b[i].from);
    }
    int length = (int)wr_int(t, "length", 1, 240);
    int airing = (int)wr_int(t, "airing", 0, 15);
    int not_before = (int)wr_int(t, "not_before", 0, CLOSES);
    int found = first_free(b, BOOKINGS, length, airing, not_before);

    int expected = -1;
    for (int at = not_before; at < CLOSES && expected < 0; at++)
        if (is_free(b, BOOKINGS, at, length, airing))
            expected = at;
    wr_assert_eq(t, found, expected);
}

#ifdef WITNESS
WR_EXAMPLE(room_finder, "from = 480", "minutes = 20", "from[1] = 500", "minutes[1] = 100",
           "from[2] = 670", "minutes[2] = 30", "length = 60", "airing = 5");
#endif
