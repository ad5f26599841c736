/* kind: assumed
 * A week's shifts, eleven hours of rest between them: the extra pay for the night is a full hour
 * short if the first shift begins on Monday at five.
 */
#include <warren.h>

enum { WEEK = 168, SHIFTS = 4, REST = 11, NIGHT_FROM = 22, NIGHT_HOURS = 8 };

typedef struct shift {
    int from, hours; /* hours since Monday, 0:00 */
} shift;

static int overlap(int from, int to, int other_from, int other_to)
{
    int begin = from > other_from ? from : other_from, end = to < other_to ? to : other_to;
    return end > begin ? end - begin : 0;
}

static int night_hours(shift s)
{
    int hours = 0, to = s.from + s.hours;
    for (int day = 0; day <= 7; day++) {
        int night = day * 24 + NIGHT_FROM;
        hours += overlap(s.from, to, night, night + NIGHT_HOURS);
    }
    /* The night that began on the Sunday before. */
#ifndef FIXED
    if (s.from < 5)
        hours += overlap(s.from, to, 0, 6);
#else
    if (s.from < 6)
        hours += overlap(s.from, to, 0, 6);
#endif
    return hours;
}

/* In per cent of an hour's pay. */
static int pay(const shift *shifts, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        shift s = shifts[i];
        sum += s.hours * 100 + night_hours(s) * 25;
        sum += overlap(s.from, s.from + s.hours, 6 * 24, WEEK) * 50; /* Sunday */
    }
    return sum;
}

WR_PROPERTY(shift_roster)
{
    shift shifts[SHIFTS];
    int   free_from = 0;
    int   n = (int)wr_int(t, "n", 1, SHIFTS);
    for (int i = 0; i < n; i++) {
        shifts[i].from = (int)wr_int(t, "from", 0, WEEK - 1);
        shifts[i].hours = (int)wr_int(t, "hours", 4, 12);
        wr_assume(t, shifts[i].from >= free_from);
        free_from = shifts[i].from + shifts[i].hours + REST;
    }
    int got = pay(shifts, n), expected = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < shifts[i].hours; k++) {
            int hour = shifts[i].from + k, of_day = hour % 24;
            expected += 100 + (of_day >= 22 || of_day < 6 ? 25 : 0);
            expected += hour >= 144 && hour < WEEK ? 50 : 0;
        }
    wr_assert_eq(t, got, expected);
}

#ifdef WITNESS
WR_EXAMPLE(shift_roster, "n = 1", "from = 5", "hours = 8");
#endif
