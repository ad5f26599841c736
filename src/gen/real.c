/* gen/real.c: doubles and floats, and arrays of them.
 *
 * A float is a double that is rounded before it is recorded, so both have one codec. The bounds
 * of a float are floats: rounding a number between them never leaves the range.
 *
 * The property may have set any arithmetic. Draws are computed in plain arithmetic, so the same
 * seed gives the same bits.
 */
#include <math.h>

#include "core/arithmetic.h"
#include "gen/draw.h"
#include "gen/example.h"

static void check_range(wr_case *t, const char *function, const char *name, double lo, double hi)
{
    if (lo > hi)
        wri_case_misuse(t, "%s%s: lo %g is above hi %g", function, wri_draw_named(t, name), lo,
                        hi);
    if (WRI_UNLIKELY(!isfinite(lo) || !isfinite(hi)))
        wri_case_misuse(t, "%s%s: lo %g and hi %g must be finite", function,
                        wri_draw_named(t, name), lo, hi);
}

/* The codec keeps one NaN of each sign: both paths must return what a replay will. */
static double lean_real(wr_case *t, const double *range, bool single)
{
    double value = range == NULL ? wri_lean_real(t, true, single, 0, 0)
                                 : wri_lean_real(t, false, single, range[0], range[1]);
    if (single)
        value = (double)(float)value;
    uint64_t number = wri_draw_record(t, wri_choice_real_number(value), UINT64_MAX);
    return WRI_UNLIKELY(isnan(value)) ? wri_choice_real_value(number) : value;
}

/* A `range` of NULL is that of every double, or of every float. */
static double draw_real(wr_case *t, const char *name, const double *range, bool single)
{
    if (!wri_case_slow(t))
        return lean_real(t, range, single);
    wri_request request = {
        .kind = WRI_REAL, .max = UINT64_MAX, .range = range, .single = single, .name = name
    };
    if (wri_example_given(t))
        wri_example_real(t, name, &request);
    double value = wri_choice_real_answer(&request, wri_case_choose(t, &request));
    wri_show_real(t, name, value, single);
    return value;
}

/* The draws in plain arithmetic (core/arithmetic.h), whatever the property has set. */

static WRI_ASIDE double plain_double(wr_case *t, const char *name, double lo, double hi)
{
    double range[2] = { lo, hi };
    check_range(t, "wr_double", name, lo, hi);
    return draw_real(t, name, range, false);
}

static WRI_ASIDE double plain_any_double(wr_case *t, const char *name)
{
    return draw_real(t, name, NULL, false);
}

/* In memory, bounds and value are just bits: subnormal ones get past a caller that flushes them.
 */
static WRI_ASIDE void plain_float(wr_case *t, const char *name, const float *ends, float *value)
{
    if (ends == NULL) {
        *value = (float)draw_real(t, name, NULL, true);
        return;
    }
    double range[2] = { (double)ends[0], (double)ends[1] };
    check_range(t, "wr_float", name, range[0], range[1]);
    *value = (float)draw_real(t, name, range, true);
}

double wr_double(wr_case *t, const char *name, double lo, double hi)
{
    wri_arithmetic was = wri_arithmetic_plain();
    double         value = plain_double(t, name, lo, hi);
    wri_arithmetic_back(&was);
    return value;
}

double wr_any_double(wr_case *t, const char *name)
{
    wri_arithmetic was = wri_arithmetic_plain();
    double         value = plain_any_double(t, name);
    wri_arithmetic_back(&was);
    return value;
}

float wr_float(wr_case *t, const char *name, float lo, float hi)
{
    float          ends[2] = { lo, hi }, value;
    wri_arithmetic was = wri_arithmetic_plain();
    plain_float(t, name, ends, &value);
    wri_arithmetic_back(&was);
    return value;
}

float wr_any_float(wr_case *t, const char *name)
{
    float          value;
    wri_arithmetic was = wri_arithmetic_plain();
    plain_float(t, name, NULL, &value);
    wri_arithmetic_back(&was);
    return value;
}

/* ---- Arrays ---- */

static void *draw_reals(wr_case *t, const char *name, size_t n, const double *range,
                        unsigned width)
{
    wri_request request = {
        .kind = WRI_REAL, .max = UINT64_MAX, .range = range, .single = width == 4, .name = name
    };
    if (wri_example_given(t))
        wri_example_array(t, name, WRI_SHOW_REAL, &request, n, 0);
    void *values = wri_case_choose_many(t, &request, n, width, WRI_NO_NODE);
    wri_show_array(t, name, WRI_SHOW_REAL, n, width, values);
    return values;
}

static WRI_ASIDE double *plain_doubles(wr_case *t, const char *name, size_t n, double lo,
                                       double hi)
{
    double range[2] = { lo, hi };
    check_range(t, "wr_doubles", name, lo, hi);
    wri_draw_check_count(t, "wr_doubles", name, n);
    return draw_reals(t, name, n, range, sizeof(double));
}

static WRI_ASIDE float *plain_floats(wr_case *t, const char *name, size_t n, const float *ends)
{
    double range[2] = { (double)ends[0], (double)ends[1] };
    check_range(t, "wr_floats", name, range[0], range[1]);
    wri_draw_check_count(t, "wr_floats", name, n);
    return draw_reals(t, name, n, range, sizeof(float));
}

double *wr_doubles(wr_case *t, const char *name, size_t n, double lo, double hi)
{
    wri_arithmetic was = wri_arithmetic_plain();
    double        *values = plain_doubles(t, name, n, lo, hi);
    wri_arithmetic_back(&was);
    return values;
}

float *wr_floats(wr_case *t, const char *name, size_t n, float lo, float hi)
{
    float          ends[2] = { lo, hi };
    wri_arithmetic was = wri_arithmetic_plain();
    float         *values = plain_floats(t, name, n, ends);
    wri_arithmetic_back(&was);
    return values;
}
