/* Days from a date and back, and months added, with several bugs behind one assertion. */
#include <warren.h>
#include <stdlib.h>

/* Whether bug `number` is in: all are, but those of SUBJECT_FIXED=2,3 in the environment. */
static bool bug(int number)
{
    static unsigned long fixed;
    static bool          read;
    if (!read) {
        const char *at = getenv("SUBJECT_FIXED");
        for (char *end; at != NULL && *at != '\0'; at = *end == ',' ? end + 1 : end) {
            long next = strtol(at, &end, 10);
            if (end == at)
                break;
            if (next > 0 && next < 64)
                fixed |= 1UL << next;
        }
        read = true;
    }
    return (fixed >> number & 1) == 0;
}

typedef struct date {
    int year, month, day;
} date;

static const int LENGTHS[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

/* ---- The code under test --------------------------------------------------------------------
 */

static bool is_leap(int y)
{
    if (bug(1) && y == 2100)
        return true;
    return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
}

static int length_of(int y, int m)
{
    return LENGTHS[m - 1] + (m == 2 && is_leap(y));
}

static date add_months(date d, int n)
{
    int months = d.month - 1 + n;
    int years = months / 12;
    months %= 12;
    if (months < 0) {
        months += 12;
        years--;
    }
    if (bug(2) && n < -12 && months == 11)
        years++;
    d.year += years;
    d.month = months + 1;
    int last = length_of(d.year, d.month);
    if (bug(3) && d.day == 31 && last == 30 && d.month == 11)
        d.day = 1, d.month = 12;
    else if (d.day > last)
        d.day = last;
    return d;
}

static date add_days(date d, int n)
{
    d.day += n;
    while (d.day > length_of(d.year, d.month)) {
        d.day -= length_of(d.year, d.month);
        if (++d.month > 12) {
            d.month = 1;
            d.year++;
        }
    }
    while (d.day < 1 || (bug(4) && d.day == 1 && n == -29)) {
        if (--d.month < 1) {
            d.month = 12;
            d.year--;
        }
        d.day += length_of(d.year, d.month);
    }
    return d;
}

/* ---- What is right: the number of a day, from a formula ---------------------------------------
 */

static long number_of(int y, int m, int d)
{
    y -= m <= 2;
    long era = y / 400, year = y % 400, day = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    return era * 146097 + year * 365 + year / 4 - year / 100 + day;
}

WR_PROPERTY(date_math)
{
    date d;
    d.year = (int)wr_int(t, "year", 1900, 2200);
    d.month = (int)wr_int(t, "month", 1, 12);
    int leap = d.month == 2 && d.year % 4 == 0 && (d.year % 100 != 0 || d.year == 2000);
    d.day = (int)wr_int(t, "day", 1, LENGTHS[d.month - 1] + leap);
    int  months = (int)wr_int(t, "months", -40, 40), days = (int)wr_int(t, "days", -100, 100);
    date got = add_days(add_months(d, months), days);

    int  index = d.year * 12 + d.month - 1 + months;
    int  year = index / 12, month = index % 12 + 1;
    long first = number_of(year, month, 1);
    long next = number_of(month == 12 ? year + 1 : year, month == 12 ? 1 : month + 1, 1);
    long day = d.day > next - first ? next - 1 : first + d.day - 1;
    long number = number_of(got.year, got.month, got.day);
    long begins = number_of(got.year, got.month, 1);
    long ends =
        got.month == 12 ? number_of(got.year + 1, 1, 1) : number_of(got.year, got.month + 1, 1);
    bool is_date = number >= begins && number < ends;
    wr_assert_eq(t, is_date ? number : -1, day + days);
}
