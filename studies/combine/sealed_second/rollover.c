/* kind: edge
 * A clock counts minutes of a year: the last minute of a leap year goes on to a day too many. */
#include <warren.h>

typedef struct clock_time {
    int year, day, hour, minute; /* the day of the year, from 1 */
} clock_time;

static bool leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_of(int year)
{
    return leap(year) ? 366 : 365;
}

static void tick(clock_time *now)
{
    if (++now->minute < 60)
        return;
    now->minute = 0;
    if (++now->hour < 24)
        return;
    now->hour = 0;
    now->day++;
#ifndef FIXED
    if (now->day > 365 && (!leap(now->year) || now->day > 367)) {
        now->day = 1;
        now->year++;
    }
#else
    if (now->day > days_of(now->year)) {
        now->day = 1;
        now->year++;
    }
#endif
}

/* Minutes since the beginning of 1980. */
static int64_t minutes(const clock_time *of)
{
    int64_t days = of->day - 1;
    for (int year = 1980; year < of->year; year++)
        days += days_of(year);
    return (days * 24 + of->hour) * 60 + of->minute;
}

WR_PROPERTY(rollover)
{
    clock_time now;
    now.year = (int)wr_int(t, "year", 1980, 2107);
    now.day = (int)wr_int(t, "day", 1, 366);
    now.hour = (int)wr_int(t, "hour", 0, 23);
    now.minute = (int)wr_int(t, "minute", 0, 59);
    if (now.day > days_of(now.year))
        now.day = 59;
    clock_time next = now;
    tick(&next);
    wr_assert_eq(t, minutes(&next), minutes(&now) + 1);
    wr_assert_between(t, next.day, 1, days_of(next.year));
}

#ifdef WITNESS
WR_EXAMPLE(rollover, "year = 2024", "day = 366", "hour = 23", "minute = 59");
#endif
