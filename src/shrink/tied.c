/* shrink/tied.c: passes over numbers that hang together in other ways than by a sum or
 * difference.
 *
 * A number that does not fail one higher and does not fail one lower is no threshold: it is
 * "lone". Something ties it to a remainder, a bit, a set, a length, or to other numbers by a
 * line. These searches cost more than others, so they look at lone numbers only, and have a
 * budget.
 */
#include <stdlib.h>

#include "shrink/shrinker.h"

/* Executions of all these searches for one failure. */
#define MOST_TIED 2500
/* More lone numbers are more than a relation: text, or a checksum. */
#define MOST_LONE WRI_LINE_POINTS
#define MOST_NEAR 6

/* The numbers that hang together, and those that may be tied to them. */
typedef struct lone {
    wri_point points[MOST_LONE];
    size_t    count, found;    /* that are left to explain, and that were found */
    wri_point near[MOST_NEAR]; /* every number above 0, in order, lone ones too */
    size_t    near_count;
    uint64_t  improvements; /* when they were found */
} lone;

/* ---- Trying, within the budget ---- */

static bool attempt(wri_shrinker *s)
{
    uint64_t before = s->executions;
    s->same = false;
    if (s->tied >= MOST_TIED)
        return false;
    bool better = wri_shrink_attempt(s);
    s->tied += s->executions - before;
    return better;
}

/* Has anything got better since the numbers were looked up? Then they must be looked up again. */
static bool is_stale(const wri_shrinker *s, const lone *of)
{
    return s->over || s->improvements != of->improvements;
}

static bool is_plain(const wri_trace *trace, wri_point point)
{
    const wri_node *node = &trace->nodes[point.node];
    return node->kind == WRI_INTEGER && node->letters != WRI_LETTERS_PART;
}

/* Moves the plan's numbers so many steps. False: a range ends before. */
static bool go_along(wri_trace *plan, const wri_line *along, uint64_t steps)
{
    for (size_t i = 0; i < along->count; i++) {
        int64_t far, to;
        if (steps > INT64_MAX || !wri_point_valid(plan, along->points[i]) ||
            __builtin_mul_overflow(along->by[i], (int64_t)steps, &far) ||
            __builtin_add_overflow(along->from[i], far, &to) ||
            !wri_point_set_value(plan, along->points[i], to))
            return false;
    }
    return true;
}

static bool try_along(wri_shrinker *s, const wri_line *along, uint64_t steps)
{
    return go_along(wri_shrink_plan(s), along, steps) && attempt(s);
}

static void begin_line(wri_shrinker *s, wri_line *along)
{
    for (size_t i = 0; i < along->count; i++)
        along->from[i] = wri_point_value(s->best, along->points[i]);
}

/* ---- Which numbers are lone ---- */

/* A threshold fails everywhere above it. One failure above is no proof: primes come in twins. So
 * a few are looked at, as far as the range goes. */
static bool fails_above(wri_shrinker *s, wri_point point, uint64_t first)
{
    static const uint64_t MORE[] = { 0, 4, 12, 22 };
    const wri_node       *node = &s->best->nodes[point.node];
    uint64_t              room = node->max - wri_point_number(s->best, point);
    for (size_t i = 0; i < 4 && (i == 0 || first + MORE[i] <= room); i++) {
        if (first > room)
            return false;
        wri_point_set(wri_shrink_plan(s), point,
                      wri_point_number(s->best, point) + first + MORE[i]);
        attempt(s);
        if (!s->same)
            return false;
    }
    return true;
}

/* A number may be even, or of one sign: then it goes up in steps of 2. */
static bool is_lone(wri_shrinker *s, wri_point point)
{
    const wri_node *node = &s->best->nodes[point.node];
    uint64_t        first = node->lo < 0 ? 2 : 1;
    return wri_point_number(s->best, point) < node->max && !fails_above(s, point, first) &&
           !fails_above(s, point, 3 - first);
}

static void forget(lone *of, size_t which)
{
    of->points[which] = of->points[--of->count];
}

static bool is_same_point(wri_point a, wri_point b)
{
    return a.node == b.node && a.element == b.element;
}

static bool is_among(const lone *of, wri_point point)
{
    bool among = false;
    for (size_t i = 0; i < of->count; i++)
        among |= is_same_point(of->points[i], point);
    return among;
}

/* Does it fail further up the line, too? Then the search down the line ended at a threshold. */
static bool ended_here(wri_shrinker *s, const wri_line *along)
{
    static const uint64_t STEPS[] = { 1, 6, 15, 2, 8, 11 };
    wri_line              now = *along;
    for (size_t i = 0; i < now.count; i++)
        if (!wri_point_valid(s->best, now.points[i]))
            return false;
    begin_line(s, &now);
    size_t most = now.count > 1 ? 3 : sizeof STEPS / sizeof *STEPS, seen = 0;
    for (size_t i = 0; i < most; i++) {
        if (!go_along(wri_shrink_plan(s), &now, STEPS[i]))
            continue;
        attempt(s);
        if (!s->same)
            return false;
        seen++;
    }
    return seen >= most / 2;
}

static bool down(wri_shrinker *s, wri_line along);

/* Down the line; or it ends here. */
static bool explains(wri_shrinker *s, const wri_line *along)
{
    for (size_t i = 0; i < along->count; i++)
        if (!wri_point_valid(s->best, along->points[i]))
            return false;
    return down(s, *along) || ended_here(s, along);
}

static bool is_before(wri_point a, wri_point b)
{
    return a.node != b.node ? a.node < b.node : a.element < b.element;
}

/* Numbers that go up together, or one up and the other down, went down that way, too. */
static void forget_pairs(wri_shrinker *s, lone *of)
{
    for (size_t i = of->count; i-- > 0;)
        for (size_t j = 0; j < of->near_count && i < of->count; j++) {
            wri_point one = of->points[i], other = of->near[j];
            bool      first = is_before(one, other);
            wri_line  up = { .points = { first ? one : other, first ? other : one },
                             .by = { 1, 1 },
                             .count = 2 };
            wri_line  apart = up;
            apart.by[1] = -1;
            if (is_same_point(one, other) || (!explains(s, &up) && !explains(s, &apart)))
                continue;
            for (size_t k = of->count; k-- > 0;)
                if (is_same_point(of->points[k], other) || is_same_point(of->points[k], one))
                    forget(of, k);
        }
}

/* The first number of a line cannot go further; nor can any if the line has them all. The last
 * number of all follows from the others of its line. */
static bool is_explained(const lone *of, const wri_line *along, wri_point point)
{
    wri_point last = of->near[of->near_count - 1];
    bool      on = false;
    for (size_t i = 0; i < along->count; i++)
        on |= is_same_point(along->points[i], point);
    return on && (is_same_point(along->points[0], point) ||
                  (along->count == 2 && of->near_count == 2) ||
                  (is_same_point(last, point) && of->count == 1));
}

/* The same for lines that were found. */
static void forget_lines(wri_shrinker *s, lone *of)
{
    for (size_t i = 0; i < s->line_count && of->count > 0 && !is_stale(s, of); i++) {
        const wri_line *along = &s->lines[i];
        bool            any = false;
        for (size_t k = 0; k < along->count; k++)
            any |= is_among(of, along->points[k]);
        if (!any || !explains(s, along))
            continue;
        for (size_t k = of->count; k-- > 0;)
            if (is_explained(of, along, of->points[k])) {
                forget(of, k);
                k = of->count;
            }
    }
}

static void remember(wri_shrinker *s, const wri_line *along)
{
    wri_line up = *along;
    for (size_t i = 0; i < up.count && along->by[0] < 0; i++)
        up.by[i] = -up.by[i];
    for (size_t i = 0; i < s->line_count; i++) {
        const wri_line *old = &s->lines[i];
        bool            known = old->count == up.count;
        for (size_t k = 0; k < up.count && known; k++)
            known = is_same_point(old->points[k], up.points[k]) && old->by[k] == up.by[k];
        if (known)
            return;
    }
    s->lines[s->line_next++ % WRI_LINES] = up;
    s->line_count += s->line_count < WRI_LINES;
}

/* The numbers that may be tied to lone ones: those above 0, and all where there are few. */
static void find_near(wri_shrinker *s, lone *of)
{
    wri_point at;
    size_t    count = 0;
    for (bool more = wri_point_first(s, &at); more; more = wri_point_next(s, &at))
        count += is_plain(s->best, at);
    for (bool more = wri_point_first(s, &at); more && of->near_count < MOST_NEAR;
         more = wri_point_next(s, &at))
        if (is_plain(s->best, at) && (count <= MOST_NEAR || wri_point_number(s->best, at) > 0))
            of->near[of->near_count++] = at;
}

/* Finds lone numbers from `least` on. False: there are none, or too many. */
static bool find_lone(wri_shrinker *s, lone *of, uint64_t least)
{
    wri_point at;
    *of = (lone){ .improvements = s->improvements };
    find_near(s, of);
    for (bool more = wri_point_first(s, &at); more && !s->over; more = wri_point_next(s, &at)) {
        if (!is_plain(s->best, at) || wri_point_number(s->best, at) < least || !is_lone(s, at))
            continue;
        if (of->count == MOST_LONE)
            return false;
        of->points[of->count++] = at;
    }
    of->found = of->count;
    forget_lines(s, of);
    if (of->count > 0)
        forget_pairs(s, of);
    return of->count > 0 && !is_stale(s, of);
}

/* ---- On a line ---- */

/* How often the first number can move before it is at its simplest. */
static uint64_t steps_down(wri_shrinker *s, const wri_line *along)
{
    const wri_node *node = &s->best->nodes[along->points[0].node];
    int64_t         lowest = wri_point_lowest(node),
            target = wri_choice_integer_value(0, lowest, wri_point_range(node));
    uint64_t way = (uint64_t)along->from[0] - (uint64_t)target;
    way = along->from[0] < target ? 0 - way : way;
    return way / (uint64_t)llabs(along->by[0]);
}

static void set_left(wri_shrinker *s, void *context, uint64_t left)
{
    const wri_line *along = context;
    if (!go_along(&s->plan, along, along->steps - left))
        s->plan.node_count = 0; /* such a plan is not tried */
}

/* Along the line to the other side of 0, where that is simpler. */
static void cross(wri_shrinker *s, wri_line along)
{
    for (size_t i = 0; i < along.count; i++)
        if (!wri_point_valid(s->best, along.points[i]))
            return;
    begin_line(s, &along);
    if (along.from[0] < 0 && along.from[0] > -INT64_MAX / 2 &&
        2 * along.from[0] % along.by[0] == 0)
        try_along(s, &along, (uint64_t)llabs(2 * along.from[0] / along.by[0]));
}

/* The first number of `by` is given as positive: it moves towards its simplest value. */
static bool down(wri_shrinker *s, wri_line along)
{
    begin_line(s, &along);
    along.steps = steps_down(s, &along);
    if (along.from[0] > 0)
        for (size_t i = 0; i < along.count; i++)
            along.by[i] = -along.by[i];
    if (along.steps == 0 || !try_along(s, &along, 1))
        return false;
    uint64_t before = s->executions;
    wri_shrink_search_down(s, set_left, &along, along.steps - 1);
    cross(s, along);
    s->tied += s->executions - before;
    remember(s, &along);
    return true;
}

static int64_t divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return llabs(a);
}

#define FLAT 3
#define STEEPEST 9

/* Two numbers; small steps first. */
static bool line_of_two(wri_shrinker *s, wri_point a, wri_point b, int64_t flattest,
                        int64_t steepest)
{
    wri_line along = { .points = { a, b }, .count = 2 };
    for (int64_t most = flattest; most <= steepest; most++)
        for (int64_t less = 1; less <= most && !s->over; less++) {
            if (divisor(most, less) != 1)
                continue;
            const int64_t BY[4][2] = {
                { less, most }, { less, -most }, { most, less }, { most, -less }
            };
            for (size_t i = 0; i < 4; i++) {
                along.by[0] = BY[i][0];
                along.by[1] = BY[i][1];
                if (down(s, along))
                    return true;
            }
        }
    return false;
}

/* Nobody asked whether such a number is lone: it is too small, or at the end of its range. */
static bool may_be_lone(const wri_trace *trace, wri_point point)
{
    uint64_t number = wri_point_number(trace, point);
    return number > 0 && (number <= 2 || number == trace->nodes[point.node].max);
}

/* Every two of which the earlier one is lone, and goes down; or may be, if the later one is. */
static void lines_of_two(wri_shrinker *s, const lone *of, int64_t flattest, int64_t steepest)
{
    for (size_t i = 0; i < of->near_count; i++)
        for (size_t j = i + 1; j < of->near_count; j++)
            if ((is_among(of, of->near[i]) ||
                 (is_among(of, of->near[j]) && may_be_lone(s->best, of->near[i]))) &&
                (line_of_two(s, of->near[i], of->near[j], flattest, steepest) || is_stale(s, of)))
                return;
}

#define STEEPEST_OF_THREE 3

/* Three in step, each up or down by one. */
static void in_step(wri_shrinker *s, lone *of)
{
    for (unsigned signs = 0; signs < 4 && !is_stale(s, of); signs++) {
        wri_line along = { .by = { 1, signs & 1 ? -1 : 1, signs & 2 ? -1 : 1 }, .count = 3 };
        for (size_t i = 0; i < 3; i++)
            along.points[i] = of->points[i];
        if (!explains(s, &along))
            continue;
        remember(s, &along);
        return;
    }
}

/* Three numbers with a lone one. */
static bool line_of_three(wri_shrinker *s, const wri_point *points)
{
    wri_line along = { .points = { points[0], points[1], points[2] },
                       .by = { 1, 1, 1 },
                       .count = 3 };
    if (down(s, along))
        return true;
    for (int64_t y = -STEEPEST_OF_THREE; y <= STEEPEST_OF_THREE; y++)
        for (int64_t z = -STEEPEST_OF_THREE; z <= STEEPEST_OF_THREE && !s->over; z++) {
            wri_line one = { .points = { points[0], points[1], points[2] },
                             .by = { 1, y, z },
                             .count = 3 };
            if (y != 0 && z != 0 && down(s, one))
                return true;
        }
    return false;
}

/* All as multiples of their common divisor, also where they are as large as can be. */
static bool in_proportion(wri_shrinker *s, const lone *of)
{
    wri_line along = { .count = 0 };
    int64_t  common = 0;
    for (size_t i = 0; i < of->near_count; i++) {
        int64_t value = wri_point_value(s->best, of->near[i]);
        if (value == 0 || value == INT64_MIN || along.count == MOST_LONE)
            continue;
        along.points[along.count] = of->near[i];
        along.by[along.count++] = value;
        common = divisor(value, common);
    }
    for (size_t i = along.count; i-- > 0;)
        along.by[i] = along.by[i] / common * (along.by[0] < 0 ? -1 : 1);
    return along.count > 1 && common > 2 && down(s, along);
}

static void lines_of_three(wri_shrinker *s, const lone *of)
{
    for (size_t i = 0; i + 2 < of->near_count; i++)
        for (size_t j = i + 1; j + 1 < of->near_count; j++)
            for (size_t k = j + 1; k < of->near_count; k++) {
                wri_point three[] = { of->near[i], of->near[j], of->near[k] };
                if ((is_among(of, three[0]) || is_among(of, three[1]) ||
                     is_among(of, three[2])) &&
                    (line_of_three(s, three) || is_stale(s, of)))
                    return;
            }
}

/* ---- Bits, strides and sets ---- */

static bool try_number(wri_shrinker *s, wri_point point, uint64_t number)
{
    wri_point_set(wri_shrink_plan(s), point, number);
    return attempt(s);
}

/* Where only low bits matter, each higher one goes. */
static bool without_high_bits(wri_shrinker *s, wri_point point)
{
    bool any = false;
    for (unsigned bit = 64; bit-- > 2 && !s->over && wri_point_valid(s->best, point);) {
        uint64_t number = wri_point_number(s->best, point);
        if ((number >> bit & 1) != 0)
            any |= try_number(s, point, number - (1ULL << bit));
    }
    return any;
}

typedef struct stride {
    wri_point point;
    uint64_t  rest, stride;
} stride;

static void set_stride(wri_shrinker *s, void *context, uint64_t value)
{
    const stride *of = context;
    wri_point_set(&s->plan, of->point, of->rest + value * of->stride);
}

static bool by_stride(wri_shrinker *s, wri_point point, uint64_t width)
{
    uint64_t number = wri_point_number(s->best, point), before = s->executions;
    if (number < width || !try_number(s, point, number - width))
        return false;
    if (!wri_point_valid(s->best, point))
        return true;
    number = wri_point_number(s->best, point);
    stride   of = { .point = point, .rest = number % width, .stride = width };
    wri_line along = { .points = { point }, .by = { (int64_t)width }, .count = 1 };
    wri_shrink_search_down(s, set_stride, &of, number / width);
    s->tied += s->executions - before;
    remember(s, &along);
    return true;
}

#define LOWEST_SCANNED 130
#define LONGEST_STRIDE 130
#define LAST_POWER 24

/* Low bits, with a threshold or without: the least power of two that is a stride. */
static bool by_bits(wri_shrinker *s, wri_point point)
{
    bool any = s->scanned != wri_point_number(s->best, point) && without_high_bits(s, point);
    for (unsigned power = 2; power <= LAST_POWER && !s->over && wri_point_valid(s->best, point);
         power++) {
        wri_line up = { .points = { point }, .by = { (int64_t)1 << power }, .count = 1 };
        if (by_stride(s, point, 1ULL << power))
            return true;
        if (!ended_here(s, &up))
            continue;
        remember(s, &up);
        break;
    }
    return any;
}

/* A few small numbers, and other strides. */
static bool by_strides(wri_shrinker *s, wri_point point)
{
    uint64_t number = wri_point_number(s->best, point);
    if (s->scanned == number)
        return false;
    for (uint64_t value = 3; value < LOWEST_SCANNED && value < number && !s->over; value++)
        if (try_number(s, point, value)) {
            s->scanned = value;
            return true;
        }
    for (uint64_t width = 3; width <= LONGEST_STRIDE && width < number && !s->over; width++)
        if (by_stride(s, point, width))
            return true;
    return false;
}

#define MOST_SCANNED 2200

/* All that is below, where that is not too much. */
static bool scan(wri_shrinker *s, wri_point point)
{
    uint64_t number = wri_point_number(s->best, point);
    for (uint64_t value = 3; value < MOST_SCANNED && value < number && !s->over; value++)
        if (try_number(s, point, value)) {
            s->scanned = value;
            return true;
        }
    return false;
}

static void each_alone(wri_shrinker *s, const lone *of,
                       bool (*lower)(wri_shrinker *s, wri_point point))
{
    for (size_t i = 0; i < of->count && !is_stale(s, of); i++)
        lower(s, of->points[i]);
}

/* Bits that count together: one number loses a bit, and the other has it the other way round. */
static void exchange_bits(wri_shrinker *s, const lone *of)
{
    for (size_t j = 0; j + 1 < of->near_count && of->found > 1; j++)
        for (unsigned bit = 32; bit-- > 0 && !s->over;) {
            wri_point a = of->near[j], b = of->near[j + 1];
            if (!wri_point_valid(s->best, a) || !wri_point_valid(s->best, b))
                return;
            uint64_t x = wri_point_number(s->best, a), y = wri_point_number(s->best, b);
            if ((x >> bit & 1) == 0 || (y ^ 1ULL << bit) > s->best->nodes[b.node].max)
                continue;
            wri_trace *plan = wri_shrink_plan(s);
            wri_point_set(plan, a, x ^ 1ULL << bit);
            wri_point_set(plan, b, y ^ 1ULL << bit);
            attempt(s);
        }
}

/* ---- Everything below ---- */

#define MOST_POINTS 4
/* The simplest of so many are tried, as far as the budget goes. */
#define MOST_BELOW 50000

typedef struct below {
    wri_point points[MOST_POINTS];
    size_t    count;
} below;

/* How many cases of the same form are simpler; a large number where there are very many. */
static uint64_t count_below(const wri_trace *trace, const below *of)
{
    double sum = 0, after = 1;
    for (size_t i = of->count; i-- > 0;) {
        sum += (double)wri_point_number(trace, of->points[i]) * after;
        after *= (double)trace->nodes[of->points[i].node].max + 1;
    }
    return sum > 1e9 ? UINT64_MAX : (uint64_t)sum;
}

/* Points before `at` are as in the best case if `equal`; else one of them is simpler, and all
 * numbers are tried here. True: something simpler was found. */
static bool enumerate(wri_shrinker *s, const below *of, uint64_t *values, size_t at, bool equal)
{
    if (at == of->count) {
        wri_trace *plan = wri_shrink_plan(s);
        for (size_t i = 0; i < of->count; i++)
            wri_point_set(plan, of->points[i], values[i]);
        return !equal && attempt(s);
    }
    uint64_t now = wri_point_number(s->best, of->points[at]);
    uint64_t last = equal ? now : s->best->nodes[of->points[at].node].max;
    for (uint64_t value = 0; value <= last && !s->over && s->tied < MOST_TIED; value++) {
        values[at] = value;
        if (enumerate(s, of, values, at + 1, equal && value == now))
            return true;
        if (value == last)
            break;
    }
    return false;
}

static void try_all_below(wri_shrinker *s)
{
    wri_point at;
    below     of = { .count = 0 };
    uint64_t  values[MOST_POINTS];
    for (bool more = wri_point_first(s, &at); more; more = wri_point_next(s, &at)) {
        if (of.count == MOST_POINTS)
            return;
        of.points[of.count++] = at;
    }
    if (count_below(s->best, &of) <= MOST_BELOW)
        enumerate(s, &of, values, 0, true);
}

/* The cheap searches first. */
static void search(wri_shrinker *s, lone *of)
{
    if (in_proportion(s, of))
        return;
    exchange_bits(s, of);
    if (of->count == MOST_LONE && !is_stale(s, of))
        in_step(s, of);
    if (!is_stale(s, of))
        lines_of_two(s, of, 1, FLAT);
    if (!is_stale(s, of))
        each_alone(s, of, by_bits);
    if (!is_stale(s, of))
        forget_lines(s, of);
    if (!is_stale(s, of))
        lines_of_two(s, of, FLAT + 1, STEEPEST);
    if (!is_stale(s, of))
        lines_of_three(s, of);
    if (of->found < MOST_LONE && !is_stale(s, of))
        each_alone(s, of, by_strides);
    if (of->found < MOST_LONE && !is_stale(s, of))
        each_alone(s, of, scan);
    if (of->count > 0 && !is_stale(s, of))
        try_all_below(s);
}

/* Why: draws tied by a line (y = 3 x + 7), three in step, low bits, remainders, values of a set:
 * no number can go down alone, and none fails one higher. The cheap searches come first; at last
 * everything simpler is tried, where that is not too much.
 * Cannot: find a line whose steps are above 9, or a relation of more than three numbers. */
void wri_shrink_pass_tied(wri_shrinker *s)
{
    lone of;
    if (s->tied >= MOST_TIED)
        return;
    if (!find_lone(s, &of, 3)) {
        if (!is_stale(s, &of) && !in_proportion(s, &of))
            exchange_bits(s, &of);
        return;
    }
    search(s, &of);
}

/* ---- A length inside the data ---- */

/* Elements that go; a number that goes down by as many; and perhaps a second one, which a sum of
 * the others makes go down or up, round the end of its range. */
typedef struct counted {
    uint32_t  length;
    uint64_t  from;
    wri_point point, other;
    int       turn; /* of the other number, for each element; 0: it stays */
} counted;

static void turn(wri_trace *plan, wri_point point, int64_t by)
{
    uint64_t max = plan->nodes[point.node].max, number = wri_point_number(plan, point);
    uint64_t back = (uint64_t)-by, most = max + 1;
    if (by >= 0)
        number =
            (uint64_t)by > max - number ? number + (uint64_t)by - most : number + (uint64_t)by;
    else
        number = back > number ? number + most - back : number - back;
    wri_point_set(plan, point, number);
}

static bool try_counted(wri_shrinker *s, counted *of, uint64_t gone)
{
    wri_trace *plan = wri_shrink_plan(s);
    uint64_t   number = wri_point_number(plan, of->point);
    bool       inside = plan->nodes[of->point.node].tie == of->length;
    if (gone > number ||
        (inside && of->point.element >= of->from && of->point.element - of->from < gone))
        return false;
    wri_point_set(plan, of->point, number - gone);
    if (of->turn != 0)
        turn(plan, of->other, of->turn * (int64_t)gone);
    wri_cut_elements(plan, of->length, of->from, gone, false);
    if (!attempt(s))
        return false;
    if (inside && of->point.element >= of->from)
        of->point.element -= gone;
    if (plan->nodes[of->other.node].tie == of->length && of->other.element >= of->from)
        of->other.element -= gone;
    return true;
}

static uint64_t most_counted(wri_shrinker *s, const counted *of)
{
    if (of->length >= s->best->node_count || !wri_shrink_is_length(s, of->length) ||
        !wri_point_valid(s->best, of->point) ||
        (of->turn != 0 && !wri_point_valid(s->best, of->other)))
        return 0;
    uint64_t count = wri_cut_length_count(s->best, of->length);
    uint64_t spare = s->best->nodes[of->length].number;
    uint64_t number = wri_point_number(s->best, of->point);
    uint64_t most = count > of->from ? count - of->from : 0;
    most = most < spare ? most : spare;
    return most < number ? most : number;
}

/* One; then as many as can go. */
static bool cut_counted(wri_shrinker *s, counted of)
{
    if (most_counted(s, &of) == 0 || !try_counted(s, &of, 1))
        return false;
    for (uint64_t gone = most_counted(s, &of); gone > 0 && !s->over; gone /= 2)
        while (gone <= most_counted(s, &of) && try_counted(s, &of, gone))
            ;
    return true;
}

/* The elements in front, those behind the number, or the last one before the end. */
static bool counts(wri_shrinker *s, counted of)
{
    uint64_t count = wri_cut_length_count(s->best, of.length);
    bool     inside = s->best->nodes[of.point.node].tie == of.length;
    uint64_t behind = inside ? of.point.element + 1 : 0;
    uint64_t places[] = { behind, behind + 2, count > 1 ? count - 2 : 0, count - 1, 0 };
    for (size_t i = 0; i < sizeof places / sizeof *places && !s->over; i++) {
        of.from = places[i];
        if (of.from < count && cut_counted(s, of))
            return true;
    }
    return false;
}

/* The last element of the first array that is tied to the length. */
static bool last_element(const wri_trace *trace, uint32_t length, wri_point *point)
{
    for (uint32_t i = length + 1; i < trace->node_count; i++)
        if (trace->nodes[i].tie == length && trace->nodes[i].what == WRI_ARRAY &&
            trace->nodes[i].count > 0) {
            *point = (wri_point){ .node = i, .element = trace->nodes[i].count - 1 };
            return true;
        }
    return false;
}

static bool counts_with_another(wri_shrinker *s, const lone *of, counted now)
{
    wri_point others[MOST_NEAR + 1];
    size_t    count = 0;
    if (last_element(s->best, now.length, &now.other))
        others[count++] = now.other;
    for (size_t i = 0; i < of->near_count; i++)
        others[count++] = of->near[i];
    for (size_t i = 0; i < count; i++)
        for (now.turn = -1; now.turn <= 1 && !s->over; now.turn += 2) {
            now.other = others[i];
            if (!is_same_point(now.other, now.point) && counts(s, now))
                return true;
        }
    return false;
}

/* Why: a number that says how many elements there are keeps each of them; one element less, and
 * one less in the number, is the same case, smaller.
 * Cannot: correct more than two numbers. */
void wri_shrink_pass_counted(wri_shrinker *s)
{
    lone of;
    bool any = false;
    for (uint32_t i = 1; i < s->best->node_count; i++)
        any |= s->best->nodes[i].what == WRI_CHOICE && s->best->nodes[i].number > 0 &&
               wri_shrink_is_length(s, i);
    if (!any || s->tied >= MOST_TIED || !find_lone(s, &of, 1))
        return;
    for (uint32_t length = 1; length < s->best->node_count; length++)
        for (size_t i = 0; i < of.near_count && !is_stale(s, &of); i++) {
            counted now = { .length = length, .point = of.near[i] };
            if (s->best->nodes[length].what == WRI_CHOICE && wri_shrink_is_length(s, length) &&
                s->best->nodes[length].number > 0 && length != now.point.node &&
                !counts(s, now) && is_among(&of, now.point))
                counts_with_another(s, &of, now);
        }
}

/* ---- The other sign ---- */

/* Why: -1, -2, 3 and 1, 2, -3 often fail alike, and the second is simpler; no number can change
 * its sign alone.
 * Cannot: change the sign of some only. */
void wri_shrink_pass_mirror(wri_shrinker *s)
{
    wri_point  at;
    size_t     count = 0;
    bool       negative = false;
    wri_trace *plan = wri_shrink_plan(s);
    for (bool more = wri_point_first(s, &at); more; more = wri_point_next(s, &at)) {
        if (!is_plain(s->best, at) || wri_point_number(s->best, at) == 0)
            continue;
        int64_t value = wri_point_value(s->best, at);
        negative |= count == 0 && value < 0;
        count++;
        if (value == INT64_MIN || !wri_point_set_value(plan, at, -value))
            return;
    }
    if (negative && count > 1)
        wri_shrink_attempt(s);
}
