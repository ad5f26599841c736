/* kind: edge
 * The price of a telephone call by started minutes: on a Saturday the minute that begins at the
 * very second where the cheap time begins costs the high price. */
#include <warren.h>

#define DAY 86400
#define CHEAP_FROM (18 * 3600)
#define CHEAP_TO (8 * 3600)

typedef struct call {
    int weekday; /* 0: Monday */
    int start;   /* seconds of the day */
    int length;  /* seconds */
} call;

static const int PRICES[2] = { 12, 5 }; /* high, cheap; tenths of a cent */

/* The end of the cheap time of Saturdays: the whole of Sunday is cheap. */
static bool cheap_at(int weekday, int second)
{
    if (weekday == 6)
        return true;
#ifndef FIXED
    if (weekday == 5)
        return second < CHEAP_TO || second > CHEAP_FROM;
#endif
    return second < CHEAP_TO || second >= CHEAP_FROM;
}

static int price(const call *of)
{
    int total = 0, weekday = of->weekday, second = of->start;
    for (int done = 0; done < of->length; done += 60) {
        total += PRICES[cheap_at(weekday, second)];
        second += 60;
        if (second >= DAY) {
            second -= DAY;
            weekday = (weekday + 1) % 7;
        }
    }
    return total;
}

/* Minutes of the high price, from the ends of the times. */
static int dear_minutes(const call *of)
{
    int minutes = (of->length + 59) / 60, dear = 0;
    for (int day = 0; day < 3; day++) {
        int from = (of->start - day * DAY), weekday = (of->weekday + day) % 7;
        if (weekday == 6)
            continue;
        /* The starts of minutes that lie in CHEAP_TO..CHEAP_FROM - 1 of this day. */
        int before = from < CHEAP_TO ? (CHEAP_TO - from + 59) / 60 : 0;
        int until = from < CHEAP_FROM ? (CHEAP_FROM - from + 59) / 60 : 0;
        before = before < minutes ? before : minutes;
        until = until < minutes ? until : minutes;
        dear += until - before;
    }
    return dear;
}

WR_PROPERTY(calls)
{
    call of;
    of.weekday = (int)wr_int(t, "weekday", 0, 6);
    of.start = (int)wr_int(t, "start", 0, DAY - 1);
    of.length = (int)wr_int(t, "length", 1, 3600);
    int minutes = (of.length + 59) / 60, dear = dear_minutes(&of);
    wr_assert_eq(t, price(&of), dear * PRICES[0] + (minutes - dear) * PRICES[1]);
}

#ifdef WITNESS
WR_EXAMPLE(calls, "weekday = 5", "start = 64800", "length = 30");
#endif
