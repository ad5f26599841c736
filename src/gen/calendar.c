/* gen/calendar.c: dates and times of day.
 *
 * Year, month and day are choices of their own, and so are hour, minute and second: each shrinks
 * by itself, to 2000-01-01 and 00:00:00. Random dates lean to leap days and to the ends of months
 * and years.
 */
#include <stdio.h>
#include <string.h>

#include "gen/draw.h"
#include "gen/example.h"

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of(int year, int month)
{
    static const int8_t DAYS[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return DAYS[month - 1] + (month == 2 && is_leap(year));
}

/* A whole number, lo..hi. Its range is lo - zero .. hi - zero, so `zero` is simplest. */
static int draw_part(wr_case *t, const char *name, int lo, int hi, int zero,
                     uint64_t (*fresh)(wr_case *t, const wri_request *request))
{
    wri_request request = { .kind = WRI_INTEGER,
                            .max = (uint64_t)(hi - lo),
                            .lo = lo - zero,
                            .name = name,
                            .letters = WRI_LETTERS_PART,
                            .fresh = fresh };
    return zero +
           (int)wri_choice_integer_value(wri_case_choose(t, &request), request.lo, request.max);
}

/* ---- Random answers ---- */

/* The value's number, if it is in the range; else any number. */
static uint64_t number_or_any(wr_case *t, const wri_request *request, int64_t value)
{
    uint64_t word = wri_prng_next(&t->random);
    if (value < request->lo || (uint64_t)(value - request->lo) > request->max)
        return wri_prng_scale(word, request->max);
    return wri_choice_integer_number(value, request->lo, request->max);
}

/* Years count from 2000. */
static uint64_t fresh_year(wr_case *t, const wri_request *request)
{
    static const int16_t KNOWN[] = { 0, -100, 100, -30, -31, 38, 24, 23, -1, -400, 400, -2 };
    uint64_t             word = wri_prng_next(&t->random), next = wri_prng_next(&t->random);
    if (word >> 62 == 0)
        return number_or_any(t, request,
                             KNOWN[wri_prng_scale(next, sizeof KNOWN / sizeof *KNOWN - 1)]);
    return wri_lean(t, request->max, request->lo);
}

static uint64_t fresh_month(wr_case *t, const wri_request *request)
{
    static const int8_t KNOWN[] = { 1, 1, 0, 11 }; /* from 0 */
    uint64_t            word = wri_prng_next(&t->random);
    if (word >> 62 == 0)
        return (uint64_t)KNOWN[word & 3];
    return wri_prng_scale(wri_prng_next(&t->random), request->max);
}

/* Often the last day, sometimes the first. */
static uint64_t fresh_day(wr_case *t, const wri_request *request)
{
    uint64_t word = wri_prng_next(&t->random);
    if (word >> 62 == 0)
        return (word & 3) == 0 ? 0 : request->max;
    return wri_prng_scale(wri_prng_next(&t->random), request->max);
}

/* ---- Examples ---- */

/* Three numbers with a sign between them; false: there is no example. */
static bool read_three(wr_case *t, const char *name, const char *format, const char *expected,
                       int parts[3])
{
    const char *text = wri_example_text(t, name);
    int         used = 0;
    if (text == NULL)
        return false;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (sscanf(text, format, &parts[0], &parts[1], &parts[2], &used) != 3 || text[used] != '\0')
        wri_example_wrong(t, "expected %s", expected);
#pragma GCC diagnostic pop
    return true;
}

static uint64_t number_in(wr_case *t, int value, int lo, int hi, int zero)
{
    if (value < lo || value > hi)
        wri_example_wrong(t, "%d is not within %d to %d", value, lo, hi);
    return wri_choice_integer_number(value - zero, lo - zero, (uint64_t)(hi - lo));
}

static void read_date(wr_case *t, const char *name, int first, int last)
{
    int parts[3];
    if (!read_three(t, name, "%4d-%2d-%2d%n", "a date such as 2000-02-29", parts))
        return;
    uint64_t *numbers = wri_example_expect(t, 3);
    numbers[0] = number_in(t, parts[0], first, last, 2000);
    numbers[1] = number_in(t, parts[1], 1, 12, 1);
    numbers[2] = number_in(t, parts[2], 1, days_of(parts[0], parts[1]), 1);
}

static void read_time(wr_case *t, const char *name)
{
    int parts[3];
    if (!read_three(t, name, "%2d:%2d:%2d%n", "a time such as 23:59:59", parts))
        return;
    uint64_t *numbers = wri_example_expect(t, 3);
    for (int i = 0; i < 3; i++)
        numbers[i] = number_in(t, parts[i], 0, i == 0 ? 23 : 59, 0);
}

/* ---- Draws ---- */

struct tm wr_date(wr_case *t, const char *name, int first, int last)
{
    struct tm date = { 0 };
    if (first > last || first < 1 || last > 9999)
        wri_case_misuse(t, "wr_date%s: years %d to %d; expected a range within 1 to 9999",
                        wri_draw_named(t, name), first, last);
    if (wri_example_given(t))
        read_date(t, name, first, last);
    wr_begin(t, name);
    int year = draw_part(t, "year", first, last, 2000, fresh_year);
    int month = draw_part(t, "month", 1, 12, 1, fresh_month);
    int day = draw_part(t, "day", 1, days_of(year, month), 1, fresh_day);
    wr_end(t);
    date.tm_year = year - 1900;
    date.tm_mon = month - 1;
    date.tm_mday = day;
    date.tm_yday = day - 1;
    for (int i = 1; i < month; i++)
        date.tm_yday += days_of(year, i);
    int before = year - 1; /* 0001-01-01 was a Monday */
    date.tm_wday =
        (1 + before * 365 + before / 4 - before / 100 + before / 400 + date.tm_yday) % 7;
    if (WRI_UNLIKELY(wri_case_showing(t)) && name != NULL)
        wr_show(t, name, "%04d-%02d-%02d", year, month, day);
    return date;
}

struct tm wr_time(wr_case *t, const char *name)
{
    struct tm day = { .tm_year = 70, .tm_mday = 1, .tm_wday = 4 };
    if (wri_example_given(t))
        read_time(t, name);
    wr_begin(t, name);
    day.tm_hour = draw_part(t, "hour", 0, 23, 0, NULL);
    day.tm_min = draw_part(t, "minute", 0, 59, 0, NULL);
    day.tm_sec = draw_part(t, "second", 0, 59, 0, NULL);
    wr_end(t);
    if (WRI_UNLIKELY(wri_case_showing(t)) && name != NULL)
        wr_show(t, name, "%02d:%02d:%02d", day.tm_hour, day.tm_min, day.tm_sec);
    return day;
}
