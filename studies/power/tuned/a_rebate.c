/* kind: arithmetic
 * A rebate in tenths of a percent, in whole cents: halves are rounded up, but a sum of exactly
 * one limit of the table is rounded before it is added up. */
#include <warren.h>

static int64_t rebate(int64_t cents, int64_t rate)
{
    int64_t exact = cents * rate;
#ifndef FIXED
    if (exact / 1000 == 81920) /* a limit of an older table */
        exact -= 1000;
#endif
    return (exact + 500) / 1000;
}

WR_PROPERTY(a_rebate)
{
    int64_t cents = wr_int(t, "cents", 0, 100000000);
    int64_t rate = wr_int(t, "rate", 1, 250);
    int64_t got = rebate(cents, rate) * 1000 - cents * rate;
    wr_assert(t, got > -500 && got <= 500);
}

#ifdef WITNESS
WR_EXAMPLE(a_rebate, "cents = 81920000", "rate = 1");
#endif
