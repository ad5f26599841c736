/* kind: edge
 * A telephone tariff: a call that begins at 20:00:00 sharp on a working day is still billed as
 * one of the day.
 */
#include <warren.h>

enum plan { PREPAID, BASIC, FAMILY, BUSINESS, PLANS };

/* Tenths of a cent a minute. */
static const struct rate {
    int day, night, weekend, roaming;
} RATES[PLANS] = {
    [PREPAID] = { 190, 150, 120, 350 },
    [BASIC] = { 120, 70, 60, 290 },
    [FAMILY] = { 90, 65, 0, 290 },
    [BUSINESS] = { 80, 55, 50, 180 },
};

struct call {
    int       start;   /* seconds after midnight */
    int       seconds; /* of talk */
    int       weekday; /* 0 is Monday */
    bool      abroad;
    enum plan plan;
    int       free_minutes; /* left of the bundle */
};

#define HOUR 3600
#define DAY_BEGINS (8 * HOUR)
#define DAY_ENDS (20 * HOUR)

static int rate_of(const struct call *c)
{
    const struct rate *r = &RATES[c->plan];
    if (c->abroad)
        return r->roaming;
    if (c->weekday >= 5)
        return r->weekend;
#ifndef FIXED
    return c->start < DAY_BEGINS || c->start > DAY_ENDS ? r->night : r->day;
#else
    return c->start < DAY_BEGINS || c->start >= DAY_ENDS ? r->night : r->day;
#endif
}

static int charge(const struct call *c, int *used_free)
{
    int minutes = (c->seconds + 59) / 60;
    int covered = 0;
    if (!c->abroad && c->plan != PREPAID) {
        covered = minutes < c->free_minutes ? minutes : c->free_minutes;
        minutes -= covered;
    }
    *used_free = covered;
    int amount = minutes * rate_of(c);
    if (c->plan == PREPAID && c->seconds > 0)
        amount += 50; /* for setting the call up */
    return amount;
}

WR_PROPERTY(phone_bill)
{
    struct call c;
    c.weekday = (int)wr_int(t, "weekday", 0, 6);
    c.start = (int)wr_int(t, "start", 0, 24 * HOUR - 1);
    c.seconds = (int)wr_int(t, "seconds", 0, 4 * HOUR);
    c.plan = (enum plan)wr_pick(t, "plan", PLANS);
    c.abroad = wr_bool(t, "abroad");
    c.free_minutes = (int)wr_int(t, "free_minutes", 0, 300);

    int used;
    int amount = charge(&c, &used);

    /* What the price list says, in whole hours. */
    static const int DAY[] = { 190, 120, 90, 80 }, NIGHT[] = { 150, 70, 65, 55 };
    static const int WEEKEND[] = { 120, 60, 0, 50 }, ROAMING[] = { 350, 290, 290, 180 };
    int              hour = c.start / HOUR;
    const int       *list = hour >= 8 && hour <= 19 ? DAY : NIGHT;
    if (c.weekday == 5 || c.weekday == 6)
        list = WEEKEND;
    if (c.abroad)
        list = ROAMING;
    int billed = 0;
    for (int at = 0, bundle = c.free_minutes; at < c.seconds; at += 60)
        if (c.abroad || c.plan == PREPAID || bundle-- <= 0)
            billed++;
    int expected = billed * list[c.plan] + (c.plan == PREPAID && c.seconds != 0 ? 50 : 0);

    wr_assert_eq(t, amount, expected);
    wr_assert_le(t, used, c.free_minutes);
}

#ifdef WITNESS
WR_EXAMPLE(phone_bill, "weekday = 2", "start = 72000", "seconds = 61", "plan = 1",
           "free_minutes = 1");
#endif
