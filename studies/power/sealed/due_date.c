/* kind: date
 * When an instalment is due: a Saturday or Sunday at the end of December is moved into January,
 * though the end of the month should be kept.
 */
#include <warren.h>

typedef struct date {
    int year, month, day; /* from 1 */
} date;

typedef enum { UNADJUSTED, FOLLOWING, MODIFIED_FOLLOWING, PRECEDING } convention;

static bool is_leap(int year)
{
    return year % 400 == 0 || (year % 4 == 0 && year % 100 != 0);
}

static int month_length(int year, int month)
{
    switch (month) {
    case 4:
    case 6:
    case 9:
    case 11: return 30;
    case 2: return is_leap(year) ? 29 : 28;
    default: return 31;
    }
}

/* 0 is Sunday. */
static int weekday(date d)
{
    static const int SHIFT[] = { 0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4 };
    int              y = d.year - (d.month < 3);
    return (y + y / 4 - y / 100 + y / 400 + SHIFT[d.month - 1] + d.day) % 7;
}

static bool is_free(date d)
{
    int w = weekday(d);
    return w == 0 || w == 6;
}

static date next_day(date d, int by)
{
    d.day += by;
    if (d.day < 1) {
        d.month = d.month == 1 ? 12 : d.month - 1;
        d.year -= d.month == 12;
        d.day = month_length(d.year, d.month);
    } else if (d.day > month_length(d.year, d.month)) {
        d.day = 1;
        d.month = d.month % 12 + 1;
        d.year += d.month == 1;
    }
    return d;
}

static date due(date start, int months, convention c)
{
    int  index = start.year * 12 + start.month - 1 + months;
    date d = { index / 12, index % 12 + 1, start.day };
    if (d.day > month_length(d.year, d.month))
        d.day = month_length(d.year, d.month);
    if (c == UNADJUSTED)
        return d;
    date moved = d;
    while (is_free(moved))
        moved = next_day(moved, c == PRECEDING ? -1 : 1);
#ifndef FIXED
    if (c == MODIFIED_FOLLOWING && moved.month > d.month)
#else
    if (c == MODIFIED_FOLLOWING && moved.month != d.month)
#endif
        for (moved = d; is_free(moved);)
            moved = next_day(moved, -1);
    return moved;
}

WR_PROPERTY(due_date)
{
    static const wr_constant CONVENTIONS[] = { WR_CONSTANT(UNADJUSTED), WR_CONSTANT(FOLLOWING),
                                               WR_CONSTANT(MODIFIED_FOLLOWING),
                                               WR_CONSTANT(PRECEDING) };
    struct tm                day = wr_date(t, "start", 1990, 2060);
    int                      months = (int)wr_int(t, "months", 0, 360);
    convention               c = (convention)wr_enum(t, "convention", 4, CONVENTIONS);
    date                     start = { day.tm_year + 1900, day.tm_mon + 1, day.tm_mday };
    date                     d = due(start, months, c);

    wr_assert_between(t, d.month, 1, 12);
    wr_assert_between(t, d.day, 1, month_length(d.year, d.month));
    if (months == 0)
        wr_assert_eq(t, weekday(start), day.tm_wday);
    int month = d.year * 12 + d.month - start.year * 12 - start.month;
    if (c != UNADJUSTED)
        wr_assert(t, !is_free(d));
    if (c == UNADJUSTED || c == MODIFIED_FOLLOWING)
        wr_assert_eq(t, month, months);
    wr_assert_between(t, month, months - 1, months + 1);
}

#ifdef WITNESS
WR_EXAMPLE(due_date, "start = 2022-10-31", "months = 2", "convention = MODIFIED_FOLLOWING");
#endif
