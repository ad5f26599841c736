/* kind: edge
 * Local years of 1970..2099: in the last hours of the table the zone leads out of it. */
#include <warren.h>

#define FIRST 1970
#define LAST 2099
#define DAY 86400
#define LAST_SECOND INT64_C(4102444799) /* of 2099 */

static bool leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* The year of a local time, clamped to the table. */
static int year_of(int64_t seconds, int minutes_east)
{
    int64_t day = (seconds + (int64_t)minutes_east * 60) / DAY;
    int     year = FIRST;
    if (seconds + (int64_t)minutes_east * 60 < 0)
        return FIRST;
#ifndef FIXED
    for (; year <= LAST && day >= 365 + leap(year); year++)
        day -= 365 + leap(year);
#else
    for (; year < LAST && day >= 365 + leap(year); year++)
        day -= 365 + leap(year);
#endif
    return year;
}

WR_PROPERTY(epoch)
{
    int64_t seconds = wr_int(t, "seconds", 0, LAST_SECOND);
    int     east = (int)wr_int(t, "minutes_east", -720, 840);
    int     year = year_of(seconds, east);
    wr_assert_between(t, year, FIRST, LAST);
    int64_t local = seconds + east * 60, from = 0;
    for (int past = FIRST; past < year; past++)
        from += (365 + leap(past)) * (int64_t)DAY;
    wr_assert(t, local < 0 || local >= from);
    wr_assert(t, year == LAST || local < from + (365 + leap(year)) * (int64_t)DAY);
}

#ifdef WITNESS
WR_EXAMPLE(epoch, "seconds = 4102444799", "minutes_east = 840");
#endif
