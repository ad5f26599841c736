/* shrink/scale.c: the pass that brings reals to a readable size, and leaves out their last
 * digits.
 *
 * (a + b) + c == a + (b + c) fails for -4.131599804939054e+121 and two numbers as long. It fails
 * for numbers near 1 as well, if all three are as many times smaller. The search of lower.c does
 * not come there: the exponents must change at once, and the digits stay.
 */
#include <math.h>

#include "shrink/shrinker.h"

#define MOST_REALS 32
#define MOST_APART 4 /* so few reals are also tried one by one */

typedef struct reals {
    wri_point points[MOST_REALS];
    size_t    count;
} reals;

static double value_at(const wri_trace *trace, wri_point at)
{
    return wri_choice_real_value(wri_point_number(trace, at));
}

static bool is_real(const wri_trace *trace, wri_point at)
{
    double value = value_at(trace, at);
    return trace->nodes[at.node].kind == WRI_REAL && isfinite(value) && value != 0;
}

static reals reals_of(wri_shrinker *s)
{
    reals found;
    found.count = wri_points(s, is_real, false, found.points, MOST_REALS);
    return found;
}

/* ---- The exponent ---- */

/* The exponent of the smallest one: in the order of reals, whole parts are simpler than numbers
 * below 1. */
static int least_exponent(const wri_trace *trace, const wri_point *points, size_t count)
{
    int least = ilogb(value_at(trace, points[0]));
    for (size_t i = 1; i < count; i++) {
        int exponent = ilogb(value_at(trace, points[i]));
        least = exponent < least ? exponent : least;
    }
    return least;
}

static bool try_times(wri_shrinker *s, const wri_point *points, size_t count, int shift)
{
    wri_trace *plan = wri_shrink_plan(s);
    for (size_t i = 0; i < count; i++)
        wri_point_set(plan, points[i],
                      wri_choice_real_number(ldexp(value_at(s->best, points[i]), shift)));
    return wri_shrink_attempt(s);
}

/* Multiplies these reals by a power of two, so that the smallest is as near to 1 as can be. */
static void scale(wri_shrinker *s, const wri_point *points, size_t count)
{
    static const int WANTED[] = { 0, 1, 2, 3, 6, 10, 20, 30, 40, 52 };
    int              from = least_exponent(s->best, points, count);
    for (size_t i = 0; i < sizeof WANTED / sizeof *WANTED && !s->over; i++)
        if ((from >= 0 && from <= WANTED[i]) || try_times(s, points, count, WANTED[i] - from))
            return;
}

/* ---- The digits ---- */

#define DIGITS 53

/* The first so many binary digits of a number, and zeroes. */
static double first_digits(double value, int digits)
{
    int exponent = ilogb(value);
    return ldexp(trunc(ldexp(value, digits - 1 - exponent)), exponent - digits + 1);
}

static bool try_value(wri_shrinker *s, wri_point at, double value)
{
    wri_point_set(wri_shrink_plan(s), at, wri_choice_real_number(value));
    return wri_shrink_attempt(s);
}

/* Few digits first, then one less at any place: which ones matter is not known. */
static void leave_out_digits(wri_shrinker *s, wri_point at)
{
    static const int KEPT[] = { 8, 12, 16, 20, 24, 32, 40, 48 };
    double           value = value_at(s->best, at);
    for (size_t i = 0; i < sizeof KEPT / sizeof *KEPT && !s->over; i++) {
        double shorter = first_digits(value, KEPT[i]);
        if (shorter == value || try_value(s, at, shorter))
            break;
    }
    for (int digit = DIGITS; digit > 1 && !s->over; digit--) {
        if (!wri_point_valid(s->best, at) || !is_real(s->best, at))
            return;
        value = value_at(s->best, at);
        double place = ldexp(1, ilogb(value) - digit + 1);
        if (fmod(fabs(value), place * 2) >= place)
            try_value(s, at, value - copysign(place, value));
    }
}

/* Why: most failures of floating-point arithmetic are about digits, few about the size.
 * Cannot: find numbers whose sizes matter to each other, one by one. */
void wri_shrink_pass_scale(wri_shrinker *s)
{
    reals all = reals_of(s);
    if (all.count == 0)
        return;
    if (all.count > 1)
        scale(s, all.points, all.count);
    if (all.count > MOST_APART)
        return;
    for (size_t i = 0; i < all.count && !s->over; i++) {
        if (wri_point_valid(s->best, all.points[i]) && is_real(s->best, all.points[i]))
            scale(s, &all.points[i], 1);
        if (wri_point_valid(s->best, all.points[i]) && is_real(s->best, all.points[i]))
            leave_out_digits(s, all.points[i]);
    }
}
