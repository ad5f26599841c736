/* kind: edge
 * An auction: in its last second, a bid at the ceiling one step above the last loses. */
#include <warren.h>

#define CEILING 5000000
#define SECONDS 86400

typedef struct auction {
    int64_t reserve, highest, step;
    int     left; /* seconds */
    bool    buy_now;
} auction;

typedef enum { TAKEN, TOO_LOW, TOO_LATE, SOLD } answer;

static answer bid(auction *of, int64_t amount)
{
    if (of->left < 0)
        return TOO_LATE;
#ifndef FIXED
    /* No room is left for another bid after this one. */
    if (of->left == 0 && of->highest + 2 * of->step > CEILING && of->reserve == 0)
        return of->buy_now ? SOLD : TOO_LOW;
#endif
    if (amount < of->highest + of->step)
        return TOO_LOW;
    of->highest = amount;
    return of->buy_now && amount >= of->reserve ? SOLD : TAKEN;
}

static bool met(const auction *of)
{
    return of->highest >= of->reserve;
}

WR_PROPERTY(auction)
{
    auction of = { 0 };
    of.reserve = wr_int(t, "reserve", 0, CEILING);
    of.highest = wr_int(t, "highest", 0, CEILING - 1);
    of.step = wr_int(t, "step", 1, 1000);
    of.left = (int)wr_int(t, "left", -SECONDS, SECONDS);
    of.buy_now = wr_bool(t, "buy_now");
    int64_t amount = wr_int(t, "amount", 1, CEILING), before = of.highest;
    answer  got = bid(&of, amount);
    bool    wins = of.left >= 0 && amount - before >= of.step;
    if (amount == CEILING && !of.buy_now) /* nobody can bid more */
        wr_assert_eq(t, got == TAKEN || got == SOLD, wins);
    wr_assert(t, got != SOLD || met(&of));
}

#ifdef WITNESS
WR_EXAMPLE(auction, "reserve = 0", "highest = 4999999", "step = 1", "left = 0",
           "amount = 5000000");
#endif
