/* kind: edge
 * ISO weeks: the last days of a leap year that begins on a Wednesday are counted into week 1 of
 * the next year, not into week 53.
 */
#include <warren.h>

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* 1 is Monday, 7 is Sunday. */
static int weekday(int year, int month, int day)
{
    static const int SHIFT[] = { 0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4 };
    if (month < 3)
        year--;
    int sunday_is_0 = (year + year / 4 - year / 100 + year / 400 + SHIFT[month - 1] + day) % 7;
    return sunday_is_0 == 0 ? 7 : sunday_is_0;
}

static int day_of_year(int year, int month, int day)
{
    static const int BEFORE[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
    return BEFORE[month - 1] + day + (month > 2 && is_leap(year));
}

static int weeks_in(int year)
{
    int first = weekday(year, 1, 1);
#ifndef FIXED
    return first == 4 ? 53 : 52;
#else
    return first == 4 || (first == 3 && is_leap(year)) ? 53 : 52;
#endif
}

typedef struct iso_date {
    int year, week, weekday;
} iso_date;

static iso_date to_iso(int year, int month, int day)
{
    iso_date iso = { .year = year, .weekday = weekday(year, month, day) };
    iso.week = (day_of_year(year, month, day) - iso.weekday + 10) / 7;
    if (iso.week < 1) {
        iso.year--;
        iso.week = weeks_in(iso.year);
    } else if (iso.week > weeks_in(year)) {
        iso.year++;
        iso.week = 1;
    }
    return iso;
}

/* Days since 1600-01-01, counted one by one for months and in a formula for years. */
static int days(int year, int month, int day)
{
    static const int LENGTHS[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int              y = year - 1600;
    int              n = y * 365 + (y + 3) / 4 - (y + 99) / 100 + (y + 399) / 400 + day - 1;
    for (int m = 1; m < month; m++)
        n += LENGTHS[m - 1] + (m == 2 && is_leap(year));
    return n;
}

WR_PROPERTY(iso_week)
{
    static const int LENGTHS[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int              year = (int)wr_int(t, "year", 1800, 2399);
    int              month = (int)wr_int(t, "month", 1, 12);
    int              longest = LENGTHS[month - 1] + (month == 2 && is_leap(year));
    int              day = (int)wr_int(t, "day", 1, longest);
    iso_date         iso = to_iso(year, month, day);

    /* The Thursday of the same week tells the year; 1600-01-01 was a Saturday. */
    int number = days(year, month, day);
    int thursday = number - (number + 5) % 7 + 3;
    int expected = year;
    if (thursday < days(year, 1, 1))
        expected--;
    else if (thursday >= days(year + 1, 1, 1))
        expected++;
    wr_assert_eq(t, iso.year, expected);
    wr_assert_eq(t, iso.week, (thursday - days(expected, 1, 1)) / 7 + 1);
    wr_assert_eq(t, iso.weekday, (number + 5) % 7 + 1);
}

#ifdef WITNESS
WR_EXAMPLE(iso_week, "year = 2020", "month = 12", "day = 30");
#endif
