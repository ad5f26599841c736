/* kind: real constant
 * Shares by weight, in steps of a table of reals: one step begins too late. */
#include <warren.h>

static const double LIMITS[] = { 12.5, 40.25, 62.6, 91.75 };

static double share(double weight)
{
    double made = 1;
    for (int i = 0; i < 4; i++) {
#ifndef FIXED
        bool reached = i == 2 ? weight > LIMITS[i] : weight >= LIMITS[i];
#else
        bool reached = weight >= LIMITS[i];
#endif
        made -= reached ? 0.125 : 0;
    }
    return made;
}

WR_PROPERTY(c_dose)
{
    double weight = wr_double(t, "weight", 1, 200);
    int    steps = (weight >= 12.5) + (weight >= 40.25) + (weight >= 62.6) + (weight >= 91.75);
    wr_assert_eq(t, share(weight), 1 - 0.125 * steps);
}

#ifdef WITNESS
WR_EXAMPLE(c_dose, "weight = 62.6");
#endif
