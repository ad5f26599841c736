/* kind: real
 * The least of three numbers: 0.0 where the first is 0.0, the second -0.0 and the third larger.
 */
#include <math.h>
#include <warren.h>

static double least(double a, double b, double c)
{
#ifdef FIXED
    double low = a < b || (a == b && signbit(a)) ? a : b;
#else
    double low = a <= b ? a : b;
#endif
    return low < c || (low == c && signbit(low)) ? low : c;
}

WR_PROPERTY(a_least)
{
    double a = wr_any_double(t, "a"), b = wr_any_double(t, "b"), c = wr_any_double(t, "c");
    wr_assume(t, !isnan(a) && !isnan(b) && !isnan(c));
    double got = least(a, b, c);
    wr_assert(t, got <= a && got <= b && got <= c);
    wr_assert(t,
              got != 0 || signbit(got) ||
                  !((a == 0 && signbit(a)) || (b == 0 && signbit(b)) || (c == 0 && signbit(c))));
}

#ifdef WITNESS
WR_EXAMPLE(a_least, "a = 0", "b = -0", "c = 1");
#endif
