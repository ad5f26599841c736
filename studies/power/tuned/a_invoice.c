/* kind: date
 * An invoice is due so many days after it was written; from the last week of a year into a leap
 * year's March a day is missing. */
#include <warren.h>

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_before(int year, int month)
{
    static const int BEFORE[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
    return BEFORE[month - 1] + (month > 2 && is_leap(year));
}

static int number_of(int year, int month, int day)
{
    int before = year - 1;
    return before * 365 + before / 4 - before / 100 + before / 400 + days_before(year, month) +
           day;
}

static int due(int year, int month, int day, int days)
{
    int number = number_of(year, month, day) + days;
#ifndef FIXED
    if (month == 12 && day > 24 && is_leap(year + 1) && number >= number_of(year + 1, 3, 1))
        number--;
#endif
    return number;
}

WR_PROPERTY(a_invoice)
{
    int year = (int)wr_int(t, "year", 1970, 2199), month = (int)wr_int(t, "month", 1, 12);
    int day = (int)wr_int(t, "day", 1, 28), days = (int)wr_int(t, "days", 1, 90);
    wr_assert_eq(t, due(year, month, day, days) - days, number_of(year, month, day));
}

#ifdef WITNESS
WR_EXAMPLE(a_invoice, "year = 2019", "month = 12", "day = 28", "days = 80");
#endif
