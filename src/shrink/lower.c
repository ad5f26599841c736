/* shrink/lower.c: passes that lower numbers.
 *
 * A number is first set to 0, with half of all others if possible. Then a search lowers it: a few
 * small values, a step less, single bits, strides, halves.
 */
#include <math.h>
#include <stdlib.h>

#include "shrink/shrinker.h"

/* ---- The search ---- */

static bool try_value(wri_shrinker *s, wri_setter *set, void *context, uint64_t value)
{
    wri_shrink_plan(s);
    set(s, context, value);
    return wri_shrink_attempt(s);
}

#define TRY(value) try_value(s, set, context, (value))

/* Between a value that does not fail and one that does, by halves; with a step of 2 the parity
 * stays, for in the order 0, 1, -1, 2 that is the sign. */
static uint64_t bisect(wri_shrinker *s, wri_setter *set, void *context, uint64_t bad,
                       uint64_t good, uint64_t step)
{
    while (good - bad > step && !s->over) {
        uint64_t middle = bad + (good - bad) / 2;
        middle += (good - middle) & (step - 1);
        if (middle <= bad || middle >= good)
            break;
        if (TRY(middle))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

/* Below a value that fails and has a half that fails too: first how many bits it needs. */
static uint64_t by_bits(wri_shrinker *s, wri_setter *set, void *context, uint64_t bad,
                        uint64_t good, uint64_t step)
{
    unsigned high = 64 - (unsigned)__builtin_clzll(good);
    unsigned low = 64 - (unsigned)__builtin_clzll(bad | 1);
    uint64_t top = good;
    while (high - low > 1 && !s->over) {
        unsigned middle = low + (high - low) / 2;
        unsigned width = 64 - (unsigned)__builtin_clzll(top);
        uint64_t value = top >> (width - middle);
        value += (top - value) & (step - 1);
        if (value <= bad || value >= good)
            break;
        if (TRY(value)) {
            good = value;
            high = middle;
        } else {
            bad = value;
            low = middle;
        }
    }
    return bisect(s, set, context, bad, good, step);
}

/* Near the top, when half of it is already too small: 4 less, 16 less, and so on. */
static uint64_t by_strides(wri_shrinker *s, wri_setter *set, void *context, uint64_t bad,
                           uint64_t good, uint64_t step)
{
    for (uint64_t stride = 4; good - bad > stride && !s->over; stride *= 4) {
        if (!TRY(good - stride)) {
            bad = good - stride;
            break;
        }
        good -= stride;
    }
    return bisect(s, set, context, bad, good, step);
}

/* A value that a search came down to; that it goes no further is known. */
static bool is_settled(wri_shrinker *s, uint64_t value)
{
    for (size_t i = 0; i < WRI_SETTLED; i++)
        if (s->settled[i] == value)
            return true;
    return false;
}

static uint64_t settle(wri_shrinker *s, uint64_t value)
{
    s->settled[s->settle_next++ % WRI_SETTLED] = value;
    return value;
}

#define LAST_SCANNED 12
#define LONGEST_STRIDE 8

/* A search that goes down in steps of `stride`: the value counts the steps that are left. */
typedef struct strided {
    wri_setter *set;
    void       *context;
    uint64_t    from, stride;
} strided;

static void set_strided(wri_shrinker *s, void *context, uint64_t value)
{
    const strided *every = context;
    uint64_t       steps = (every->from - LAST_SCANNED) / every->stride;
    every->set(s, every->context, every->from - (steps - value) * every->stride);
}

#define MOST_SCANNED 2

/* So few numbers are above 0 that a failure is likely to be about this one alone. */
static bool few_numbers(wri_shrinker *s)
{
    wri_point at;
    size_t    count = 0;
    for (bool more = wri_point_first(s, &at); more; more = wri_point_next(s, &at))
        count += s->best->nodes[at.node].kind == WRI_INTEGER && wri_point_number(s->best, at) > 0;
    return count <= MOST_SCANNED;
}

/* A value that fails alone, while its neighbours do not, is no threshold (a remainder, a bit):
 * then only looking at small ones helps. Once a value. */
static uint64_t scan(wri_shrinker *s, wri_setter *set, void *context, uint64_t from)
{
    if (is_settled(s, from) || !few_numbers(s))
        return from;
    for (uint64_t value = 3; value <= LAST_SCANNED && value + 2 < from; value++)
        if (TRY(value))
            return settle(s, value);
    for (uint64_t stride = 3; stride <= LONGEST_STRIDE && LAST_SCANNED + stride < from; stride++)
        if (TRY(from - stride)) {
            strided  every = { .set = set, .context = context, .from = from, .stride = stride };
            uint64_t steps = (from - LAST_SCANNED) / stride;
            uint64_t left = wri_shrink_search_down(s, set_strided, &every, steps - 1);
            return settle(s, from - (steps - left) * stride);
        }
    return settle(s, from);
}

/* Given that 0, 1 and 2 are too small. */
static uint64_t search_far(wri_shrinker *s, wri_setter *set, void *context, uint64_t from)
{
    uint64_t good = from, step = 0;
    if (from > 4 && TRY(from - 2))
        step = 2;
    else if (from > 3 && TRY(from - 1))
        step = 1;
    if (step == 0)
        return scan(s, set, context, from);
    good -= step;
    uint64_t half = good / 2;
    half += (good - half) & (step - 1);
    if (half > 2 && half < good) {
        if (TRY(half))
            good = by_bits(s, set, context, 2, half, step);
        else
            good = by_strides(s, set, context, half, good, step);
    } else {
        good = bisect(s, set, context, 2, good, step);
    }
    if (step == 2 && good > 3 && TRY(good - 1))
        good--;
    return settle(s, good);
}

uint64_t wri_shrink_search_down(wri_shrinker *s, wri_setter *set, void *context, uint64_t from)
{
    for (uint64_t value = 0; value <= 2 && value < from; value++)
        if (TRY(value))
            return value;
    return from == 0 ? 0 : search_far(s, set, context, from);
}

/* ---- Zeroes ---- */

#define MOST_POINTS 4096

static bool try_zero(wri_shrinker *s, const wri_point *points, size_t from, size_t to)
{
    wri_trace *plan = wri_shrink_plan(s);
    bool       any = false;
    for (size_t i = from; i < to; i++)
        if (wri_point_valid(plan, points[i]) && wri_point_number(plan, points[i]) > 0) {
            wri_point_set(plan, points[i], 0);
            any = true;
        }
    return any && wri_shrink_attempt(s);
}

/* All of a range at once; else each half. A success that changes the shape ends the pass: the
 * points are not where they were. */
static bool zero_range(wri_shrinker *s, const wri_point *points, size_t from, size_t to,
                       size_t nodes)
{
    if (s->over || from >= to)
        return true;
    if (try_zero(s, points, from, to))
        return s->best->node_count == nodes;
    if (to - from == 1)
        return true;
    size_t middle = from + (to - from) / 2;
    return zero_range(s, points, from, middle, nodes) && zero_range(s, points, middle, to, nodes);
}

/* Why: most numbers do not matter, and 0 says so. By halves, for where nothing matters one try
 * is enough.
 * Cannot: find that two numbers may only be 0 together when they are not neighbours. */
void wri_shrink_pass_zero(wri_shrinker *s)
{
    wri_point *points = malloc(MOST_POINTS * sizeof *points);
    for (int again = 0; again < 8 && points != NULL; again++) {
        size_t count = wri_points(s, NULL, false, points, MOST_POINTS);
        if (zero_range(s, points, 0, count, s->best->node_count))
            break;
    }
    free(points);
}

/* ---- One at a time ---- */

static void set_one(wri_shrinker *s, void *context, uint64_t value)
{
    const wri_point *point = context;
    wri_point_set(&s->plan, *point, value);
}

typedef struct whole_part {
    wri_point at;
    double    fraction;
    bool      negative;
} whole_part;

static void set_whole_part(wri_shrinker *s, void *context, uint64_t value)
{
    const whole_part *part = context;
    double            size = (double)value + part->fraction;
    wri_point_set(&s->plan, part->at, wri_choice_real_number(part->negative ? -size : size));
}

/* The part before the point goes down, and the fraction stays. */
static void lower_whole_part(wri_shrinker *s, wri_point at)
{
    double value = wri_choice_real_value(wri_point_number(s->best, at));
    double size = fabs(value);
    if (!isfinite(value) || size < 1 || size >= 0x1p53 || trunc(size) == size)
        return;
    whole_part part = { .at = at, .fraction = size - trunc(size), .negative = value < 0 };
    wri_shrink_search_down(s, set_whole_part, &part, (uint64_t)size);
}

/* A float is written as the double it equals, and most doubles near it are the same float: its
 * steps are this many bits wide. The lowest bit is the sign and stays. */
#define FLOAT_STEP_BITS 30

static void set_float(wri_shrinker *s, void *context, uint64_t value)
{
    const wri_point *point = context;
    if (wri_point_valid(s->best, *point))
        wri_point_set(&s->plan, *point,
                      value << FLOAT_STEP_BITS | (wri_point_number(s->best, *point) & 1));
}

static void lower_float(wri_shrinker *s, wri_point at)
{
    uint64_t steps = wri_point_number(s->best, at) >> FLOAT_STEP_BITS;
    if (s->best->nodes[at.node].lo == 1 && steps > 0)
        wri_shrink_search_down(s, set_float, &at, steps);
}

/* A real is simplest as a whole number, then with few fractional bits; neither is near in the
 * order of numbers, so both are tried as values. */
static void lower_real(wri_shrinker *s, wri_point at)
{
    for (int bits = 0; bits <= 10 && !s->over && wri_point_valid(s->best, at); bits++) {
        double scale = (double)(1 << bits),
               value = wri_choice_real_value(wri_point_number(s->best, at));
        double towards = trunc(value * scale) / scale;
        double away = towards + (value < 0 ? -1 : 1) / scale;
        if (!isfinite(value) || towards == value)
            return;
        if (try_value(s, set_one, &at, wri_choice_real_number(towards)) ||
            try_value(s, set_one, &at, wri_choice_real_number(away)))
            return;
    }
}

/* Why: the plain thing: each number as small as it gets, by a search that needs few tries for
 * thresholds and gives up soon where nothing goes.
 * Cannot: lower a number that hangs together with another. */
void wri_shrink_pass_lower(wri_shrinker *s)
{
    wri_point at;
    for (bool more = wri_point_first(s, &at); more && !s->over; more = wri_point_next(s, &at)) {
        uint64_t from = wri_point_number(s->best, at);
        if (from == 0)
            continue;
        if (s->best->nodes[at.node].kind == WRI_REAL) {
            lower_real(s, at);
            if (wri_point_valid(s->best, at))
                lower_whole_part(s, at);
            if (wri_point_valid(s->best, at))
                lower_float(s, at);
            if (!wri_point_valid(s->best, at))
                break;
            from = wri_point_number(s->best, at);
        }
        uint64_t to = wri_shrink_search_down(s, set_one, &at, from);
        if (to < from && from - to < 8 && from > 32)
            wri_shrink_pair_with_others(s, at);
        if (!wri_point_valid(s->best, at))
            break;
    }
}

/* ---- Equal ones together ---- */

typedef struct equals {
    wri_point *points;
    size_t     count;
} equals;

static void set_all(wri_shrinker *s, void *context, uint64_t value)
{
    const equals *all = context;
    for (size_t i = 0; i < all->count; i++)
        wri_point_set(&s->plan, all->points[i], value);
}

/* Could equal numbers mean the same? Commands and handles are no values. */
static bool alike(const wri_trace *trace, wri_point a, wri_point b)
{
    const wri_node *x = &trace->nodes[a.node], *y = &trace->nodes[b.node];
    return x->max == y->max &&
           (x->kind == y->kind || (x->kind < WRI_COMMAND && y->kind < WRI_COMMAND));
}

/* Why: where the failure needs equal values, none of them can go down alone.
 * Cannot: keep other relations than equality. */
void wri_shrink_pass_together(wri_shrinker *s)
{
    wri_point *points = malloc(MOST_POINTS * sizeof *points);
    wri_point *same = malloc(MOST_POINTS * sizeof *same);
    size_t count = points == NULL || same == NULL ? 0 : wri_points(s, NULL, false, points, 256);
    for (size_t i = 0; i < count && !s->over; i++) {
        if (!wri_point_valid(s->best, points[i]))
            break;
        uint64_t number = wri_point_number(s->best, points[i]);
        equals   all = { .points = same };
        bool     first = true;
        for (size_t j = 0; j < count; j++) {
            if (!wri_point_valid(s->best, points[j]) ||
                wri_point_number(s->best, points[j]) != number ||
                !alike(s->best, points[j], points[i]))
                continue;
            first &= j >= i;
            same[all.count++] = points[j];
        }
        if (number > 0 && first && all.count > 1)
            wri_shrink_search_down(s, set_all, &all, number);
    }
    free(points);
    free(same);
}
