/* observe/share.c: Wilson's interval, and a sequential test of a share.
 *
 * The test is Wald's. Say that a share w is wanted, and 0.9 w is too little. The likelihood ratio
 * of the two, over the cases so far, is a martingale if the lower share is the true one, with the
 * mean 1. So it is ever above N in one of N runs at most (Ville's inequality), whoever looks at
 * it and whenever. The same holds for its inverse if w is true. A share below 0.9 w, or above w,
 * only makes the wrong verdict rarer. No approximation is made. One look after a fixed number of
 * cases needs fewer of them, but its error grows with each further look.
 */
#include "observe/share.h"

#include <math.h>

#define DEVIATIONS 1.959964 /* 95 % of a normal distribution lie within so many */
#define TOLERANCE 0.9

wri_interval wri_share_interval(uint64_t yes, uint64_t cases)
{
    double n = (double)cases, square = DEVIATIONS * DEVIATIONS;
    if (cases == 0)
        return (wri_interval){ 0, 1 };
    double share = (double)yes / n, whole = 1 + square / n;
    double middle = share + square / (2 * n);
    double reach = DEVIATIONS * sqrt(share * (1 - share) / n + square / (4 * n * n));
    /* At the ends the sums cancel, but for rounding. */
    return (wri_interval){ yes == 0 ? 0 : (middle - reach) / whole,
                           yes >= cases ? 1 : (middle + reach) / whole };
}

wri_share_verdict wri_share_judge(uint64_t yes, uint64_t cases, double wanted,
                                  uint64_t confidence)
{
    double little = TOLERANCE * wanted, least = log((double)confidence);
    double no = (double)(cases - yes);
    if (wanted <= 0)
        return WRI_SHARE_ENOUGH;
    if (wanted >= 1 && no > 0)
        return WRI_SHARE_MISSED;
    double ratio = -(double)yes * log(TOLERANCE);
    if (no > 0)
        ratio += no * (log1p(-wanted) - log1p(-little));
    return ratio >= least    ? WRI_SHARE_ENOUGH
           : ratio <= -least ? WRI_SHARE_MISSED
                             : WRI_SHARE_OPEN;
}
