/* kind: edge
 * A car park: a stay of exactly a day at the weekend is charged by the hour once more. */
#include <warren.h>

#define FREE_MINUTES 15
#define DAY_MINUTES 1440
#define DAY_CENTS 2200
#define HOUR_CENTS 250

static int by_the_hour(int minutes)
{
    int cents = (minutes + 59) / 60 * HOUR_CENTS;
    return cents < DAY_CENTS ? cents : DAY_CENTS;
}

static int fee_of(int minutes, int weekday)
{
    if (minutes <= FREE_MINUTES)
        return 0;
    int days = minutes / DAY_MINUTES, rest = minutes % DAY_MINUTES;
#ifndef FIXED
    if (weekday >= 5 && minutes == DAY_MINUTES)
        rest = DAY_MINUTES; /* the barrier at weekends counts it as "up to a day" */
#endif
    (void)weekday;
    return days * DAY_CENTS + (rest > 0 ? by_the_hour(rest) : 0);
}

WR_PROPERTY(parking)
{
    int weekday = (int)wr_int(t, "weekday", 0, 6);
    int minutes = (int)wr_int(t, "minutes", 1, 20160);
    int days = minutes / DAY_MINUTES;
    int fee = fee_of(minutes, weekday);
    wr_assert_ge(t, fee, days * DAY_CENTS);
    wr_assert_le(t, fee, (days + (minutes % DAY_MINUTES > 0)) * DAY_CENTS);
}

#ifdef WITNESS
WR_EXAMPLE(parking, "weekday = 6", "minutes = 1440");
#endif
