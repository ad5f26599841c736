/* kind: relation a*x + b*y = c
 * Two kinds of vouchers pay a bill: paid exactly, the change is computed with the wrong sign. */
#include <warren.h>

/* What is given back; -1: it is too little. */
static int64_t change(int64_t fifteens, int64_t forties, int64_t bill)
{
    int64_t left = 15 * fifteens + 40 * forties - bill;
#ifndef FIXED
    return left > 0 ? left : left == 0 ? -1 : -1;
#else
    return left >= 0 ? left : -1;
#endif
}

WR_PROPERTY(c_voucher)
{
    int64_t fifteens = wr_int(t, "fifteens", 0, 1000000);
    int64_t forties = wr_int(t, "forties", 0, 1000000);
    int64_t bill = wr_int(t, "bill", 1, 100000000);
    int64_t left = change(fifteens, forties, bill);
    wr_assert(t, left >= 0 || 3 * fifteens + 8 * forties < (bill + 4) / 5);
}

#ifdef WITNESS
WR_EXAMPLE(c_voucher, "fifteens = 1", "forties = 0", "bill = 15");
#endif
