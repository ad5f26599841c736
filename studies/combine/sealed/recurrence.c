/* kind: conditional
 * Repeated events: the last weekday of a month that has five of them is right, but "every 12
 * months" from such a date looks for a fifth one in a month that has four.
 */
#include <warren.h>

typedef enum { DAILY, WEEKLY, MONTHLY_ON_DAY, MONTHLY_ON_WEEKDAY, YEARLY } repeat;

static const wr_constant REPEATS[] = { WR_CONSTANT(DAILY), WR_CONSTANT(WEEKLY),
                                       WR_CONSTANT(MONTHLY_ON_DAY),
                                       WR_CONSTANT(MONTHLY_ON_WEEKDAY), WR_CONSTANT(YEARLY) };

typedef struct date {
    int year, month, day; /* months and days from 1 */
} date;

typedef struct rule {
    repeat repeat;
    int    every;
    int    weekday;      /* MONTHLY_ON_WEEKDAY: 0 is Sunday */
    int    nth;          /* 1..4; 5: the last one */
    bool   to_month_end; /* MONTHLY_ON_DAY: 31 means the last day */
} rule;

static bool is_leap(int y)
{
    return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

static int month_length(int y, int m)
{
    static const int LENGTHS[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return m == 2 && is_leap(y) ? 29 : LENGTHS[m - 1];
}

static int weekday(int y, int m, int d)
{
    static const int SHIFT[] = { 0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4 };
    y -= m < 3;
    return (y + y / 4 - y / 100 + y / 400 + SHIFT[m - 1] + d) % 7;
}

static void add_days(date *d, int n)
{
    d->day += n;
    for (int length; d->day > (length = month_length(d->year, d->month));) {
        d->day -= length;
        if (++d->month > 12) {
            d->month = 1;
            d->year++;
        }
    }
}

static void add_months(date *d, int n)
{
    int months = d->year * 12 + d->month - 1 + n;
    d->year = months / 12;
    d->month = months % 12 + 1;
}

static int nth_weekday(int y, int m, int wanted, int nth)
{
    int first = 1 + (wanted - weekday(y, m, 1) + 7) % 7;
    int day = first + (nth - 1) * 7;
    while (day > month_length(y, m))
        day -= 7;
    return day;
}

static date next(date d, const rule *r)
{
    date n = d;
    switch (r->repeat) {
    case DAILY: add_days(&n, r->every); break;
    case WEEKLY: add_days(&n, 7 * r->every); break;
    case MONTHLY_ON_DAY:
        add_months(&n, r->every);
        if (r->to_month_end && d.day == month_length(d.year, d.month))
            n.day = month_length(n.year, n.month);
        while (n.day > month_length(n.year, n.month))
            n.day--;
        break;
    case MONTHLY_ON_WEEKDAY: add_months(&n, r->every);
#ifndef FIXED
        if (r->every == 12 && r->nth == 5) {
            n.day = nth_weekday(n.year, n.month, r->weekday, 1) + 28;
            if (n.day > 31)
                n.day -= 7;
            break;
        }
#endif
        n.day = nth_weekday(n.year, n.month, r->weekday, r->nth);
        break;
    case YEARLY:
        do
            n.year += r->every;
        while (n.day > month_length(n.year, n.month) && n.year < 9000);
        break;
    }
    return n;
}

WR_PROPERTY(recurrence)
{
    rule r = { .repeat = (repeat)wr_enum(t, "repeat", 5, REPEATS) };
    r.every = (int)wr_int(t, "every", 1, 100);
    date d = { .year = (int)wr_int(t, "year", 1970, 2100) };
    d.month = (int)wr_int(t, "month", 1, 12);
    if (r.repeat == MONTHLY_ON_WEEKDAY) {
        r.weekday = (int)wr_pick(t, "weekday", 7);
        r.nth = (int)wr_int(t, "nth", 1, 5);
        d.day = nth_weekday(d.year, d.month, r.weekday, r.nth);
    } else {
        d.day = (int)wr_int(t, "day", 1, month_length(d.year, d.month));
        if (r.repeat == MONTHLY_ON_DAY)
            r.to_month_end = wr_bool(t, "to_month_end");
    }
    if (r.repeat == YEARLY && r.every % 4 != 0) /* the 29th of February comes in time */
        wr_assume(t, d.month != 2 || d.day != 29);

    date n = next(d, &r);
    wr_assert_between(t, n.month, 1, 12);
    wr_assert_between(t, n.day, 1, month_length(n.year, n.month));
    wr_assert_gt(t, (n.year * 12 + n.month) * 31 + n.day, (d.year * 12 + d.month) * 31 + d.day);
    if (r.repeat == MONTHLY_ON_WEEKDAY) {
        wr_assert_eq(t, weekday(n.year, n.month, n.day), r.weekday);
        if (r.nth == 5)
            wr_assert_gt(t, n.day + 7, month_length(n.year, n.month));
        else
            wr_assert_eq(t, (n.day - 1) / 7 + 1, r.nth);
    }
}

#ifdef WITNESS
WR_EXAMPLE(recurrence, "repeat = MONTHLY_ON_WEEKDAY", "every = 12", "year = 2009", "month = 2",
           "weekday = 1", "nth = 5");
#endif
