/* kind: edge
 * The week of a satellite has ten bits. The last second of week 1023, with a leap second at hand,
 * falls back by a whole round of weeks. */
#include <warren.h>

#define WEEK 604800
#define ROUND 1024

typedef struct fix {
    int  week;      /* 0..1023, as sent */
    int  second;    /* of the week */
    int  rounds;    /* of the weeks so far, from the almanac */
    int  leaps;     /* seconds between the satellites' time and UTC */
    bool announced; /* one more leap second at the end of this week */
} fix;

static int64_t utc(const fix *of)
{
    int64_t week = (int64_t)of->rounds * ROUND + of->week;
    int64_t at = week * WEEK + of->second - of->leaps;
#ifndef FIXED
    if (of->announced && of->second + 1 >= WEEK && of->week + 1 >= ROUND)
        at -=
            (int64_t)ROUND * WEEK; /* meant for a receiver that has seen the next week already */
#endif
    return at;
}

static fix one_second_on(fix of)
{
    if (++of.second < WEEK)
        return of;
    of.second = 0;
    if (of.announced)
        of.leaps++;
    of.announced = false;
    if (++of.week < ROUND)
        return of;
    of.week = 0;
    of.rounds++;
    return of;
}

WR_PROPERTY(gpsweek)
{
    fix now;
    now.week = (int)wr_int(t, "week", 0, ROUND - 1);
    now.second = (int)wr_int(t, "second", 0, WEEK - 1);
    now.rounds = (int)wr_int(t, "rounds", 0, 7);
    now.leaps = (int)wr_int(t, "leaps", 0, 127);
    now.announced = wr_bool(t, "announced");
    fix     next = one_second_on(now);
    int64_t gone = utc(&next) - utc(&now);
    wr_assert_eq(t, gone, next.leaps == now.leaps ? 1 : 0);
}

#ifdef WITNESS
WR_EXAMPLE(gpsweek, "week = 1023", "second = 604799", "rounds = 1", "leaps = 18",
           "announced = true");
#endif
