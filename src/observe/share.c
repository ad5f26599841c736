/* observe/share.c: Wilson's interval, and a sequential test of a share.
 *
 * Say that a share w is wanted. If w is the true share, then the likelihood ratio of a lower
 * share to w, over the cases so far, is a martingale with the mean 1. So it is ever above N in
 * one of N runs at most (Ville's inequality), whoever looks at it and whenever. The mean of
 * several such ratios is a martingale, too: one of a slightly lower share decides when the true
 * share is close to w, one of a far lower share decides soon when nearly nothing comes up. In the
 * other direction, ratios of higher shares to 0.9 w say that the share is enough. A true share
 * above w, or below 0.9 w, only makes the wrong verdict rarer. No approximation is made. One look
 * after a fixed number of cases needs fewer of them, but its error grows with each further look.
 */
#include "observe/share.h"

#include <math.h>
#include <stdbool.h>

#define DEVIATIONS 1.959964 /* 95 % of a normal distribution lie within so many */
#define TOLERANCE 0.9
#define RATIOS 4

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

/* The logarithm of the likelihood ratio of the share `other` to `share`. */
static double ratio_of(double other, double share, double yes, double no)
{
    double ratio = 0;
    if (yes > 0)
        ratio += yes * (log(other) - log(share));
    if (no > 0)
        ratio += no * (log1p(-other) - log1p(-share));
    return ratio;
}

/* Is the mean ratio of some multiples of `wanted` to `share` above `least`? */
static bool is_sure(const double multiples[RATIOS], double wanted, double share, double yes,
                    double no, double least)
{
    double ratios[RATIOS], most = -INFINITY, sum = 0;
    for (int i = 0; i < RATIOS; i++) {
        ratios[i] = ratio_of(fmin(1, multiples[i] * wanted), share, yes, no);
        most = fmax(most, ratios[i]);
    }
    for (int i = 0; i < RATIOS && most > -INFINITY; i++)
        sum += exp(ratios[i] - most);
    return most + log(sum / RATIOS) >= least;
}

wri_share_verdict wri_share_judge(uint64_t yes, uint64_t cases, double wanted,
                                  uint64_t confidence)
{
    static const double LOWER[RATIOS] = { TOLERANCE, 0.5, 0.1, 0 };
    static const double HIGHER[RATIOS] = { 1, 1.5, 3, 10 };
    double              least = log((double)confidence), no = (double)(cases - yes);
    if (wanted <= 0)
        return WRI_SHARE_ENOUGH;
    if (wanted >= 1 && no > 0)
        return WRI_SHARE_MISSED;
    if (wanted < 1 && is_sure(LOWER, wanted, wanted, (double)yes, no, least))
        return WRI_SHARE_MISSED;
    return is_sure(HIGHER, wanted, TOLERANCE * wanted, (double)yes, no, least) ? WRI_SHARE_ENOUGH
                                                                               : WRI_SHARE_OPEN;
}
