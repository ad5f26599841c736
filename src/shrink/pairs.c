/* shrink/pairs.c: passes over two numbers that depend on each other.
 *
 * Two numbers may only be lowered together, keep their sum or difference, change places, or
 * become one element.
 */
#include <stdlib.h>
#include <string.h>

#include "shrink/shrinker.h"

#define MOST_PARTNERS 16
/* Partners are looked for among so many neighbours. */
#define REACH 8

/* Two values, and every point that has them: equal ones move together. */
typedef struct pair {
    wri_point a, b;
    uint64_t  from_a, from_b, smaller;
} pair;

static bool is_integer(const wri_trace *trace, wri_point point)
{
    return trace->nodes[point.node].kind == WRI_INTEGER;
}

/* A call's indices and handles: which one is meant matters, and not how large it is. */
static bool is_name(const wri_trace *trace, wri_point point)
{
    const wri_node *node = &trace->nodes[point.node];
    return node->kind == WRI_HANDLE ||
           (node->kind == WRI_INDEX && wri_cut_is_call(trace, node->parent));
}

static bool is_interchangeable(const wri_trace *trace, wri_point point)
{
    return is_integer(trace, point) || is_name(trace, point);
}

/* Could equal numbers mean the same? Names are those of one thing. */
static bool same_sort(const wri_trace *trace, wri_point x, wri_point y)
{
    const wri_node *a = &trace->nodes[x.node], *b = &trace->nodes[y.node];
    if (a->max != b->max)
        return false;
    return is_name(trace, x) ? a->kind == b->kind && a->label == b->label
                             : wri_point_is_number(trace, y);
}

/* Sets every point of the plan that has a's number to one value, every one with b's to another.
 */
static void set_classes(wri_shrinker *s, const pair *p, uint64_t to_a, uint64_t to_b)
{
    wri_point at;
    for (bool more = wri_point_first(s, &at); more; more = wri_point_next(s, &at)) {
        uint64_t number = wri_point_number(s->best, at);
        if (!wri_point_valid(&s->plan, at))
            continue;
        if (number == p->from_a && same_sort(s->best, p->a, at))
            wri_point_set(&s->plan, at, to_a);
        else if (number == p->from_b && same_sort(s->best, p->b, at))
            wri_point_set(&s->plan, at, to_b);
    }
}

static bool refresh(wri_shrinker *s, pair *p)
{
    if (!wri_point_valid(s->best, p->a) || !wri_point_valid(s->best, p->b))
        return false;
    p->from_a = wri_point_number(s->best, p->a);
    p->from_b = wri_point_number(s->best, p->b);
    p->smaller = p->from_a < p->from_b ? p->from_a : p->from_b;
    return true;
}

/* Two neighbours at a time, the earlier one first. */
static void for_pairs(wri_shrinker *s, wri_wanted *wanted, bool zeroes_too,
                      void (*work)(wri_shrinker *s, wri_point a, wri_point b))
{
    wri_point points[MOST_PARTNERS];
    size_t    count = wri_points(s, wanted, zeroes_too, points, MOST_PARTNERS);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && j <= i + REACH && !s->over; j++)
            work(s, points[i], points[j]);
}

/* ---- Both down ---- */

/* The smaller of the two becomes `value`; the difference stays. */
static void set_both(wri_shrinker *s, void *context, uint64_t value)
{
    pair *p = context;
    if (!refresh(s, p) || value > p->smaller)
        return;
    uint64_t less = p->smaller - value;
    set_classes(s, p, p->from_a - less, p->from_b - less);
}

static bool try_both(wri_shrinker *s, pair *p, uint64_t value)
{
    wri_shrink_plan(s);
    set_both(s, p, value);
    return wri_shrink_attempt(s);
}

/* A step of 2 or 1 tells whether the two go down together at all. */
static void both_down(wri_shrinker *s, wri_point a, wri_point b)
{
    pair p = { .a = a, .b = b };
    if (!refresh(s, &p) || p.smaller == 0)
        return;
    uint64_t from = p.smaller;
    bool     moves = (from >= 2 && try_both(s, &p, from - 2)) || try_both(s, &p, from - 1);
    if (moves && refresh(s, &p))
        wri_shrink_search_down(s, set_both, &p, p.smaller);
}

void wri_shrink_pair_with_others(wri_shrinker *s, wri_point point)
{
    wri_point points[MOST_PARTNERS];
    size_t    count = wri_points(s, wri_point_is_number, false, points, MOST_PARTNERS);
    for (size_t i = 0; i < count && !s->over; i++)
        if (points[i].node != point.node || points[i].element != point.element)
            both_down(s, point, points[i]);
}

/* Why: |x - y| = 1 and the like: neither number can go down by more than a step or two alone,
 * and doing so in turn would take a try for every step. Equal numbers count as one.
 * Cannot: keep a relation of three different numbers. */
void wri_shrink_pass_pairs(wri_shrinker *s)
{
    for_pairs(s, wri_point_is_number, false, both_down);
}

/* Two different numbers change places everywhere, the smaller to the front. */
static void exchange(wri_shrinker *s, wri_point a, wri_point b)
{
    pair p = { .a = a, .b = b };
    if (!refresh(s, &p) || p.from_a <= p.from_b || !same_sort(s->best, a, b))
        return;
    wri_shrink_plan(s);
    set_classes(s, &p, p.from_b, p.from_a);
    wri_shrink_attempt(s);
}

/* Why: where it only matters which values are equal, the one that comes first should be the
 * smallest: 0, 1, 0 and not 1, 0, 1.
 * Cannot: exchange more than two values at once. */
void wri_shrink_pass_exchange(wri_shrinker *s)
{
    for_pairs(s, is_interchangeable, true, exchange);
}

/* ---- One down, the other up ---- */

/* Moves the first by `amount` towards its simplest value, and the second by as much: the other
 * way, so that the sum stays, or the same way, so that the difference does. */
static bool try_move(wri_shrinker *s, wri_point a, wri_point b, uint64_t amount, bool keep_sum)
{
    wri_trace *plan = wri_shrink_plan(s);
    int64_t    va = wri_point_value(plan, a), vb = wri_point_value(plan, b), to_a, to_b;
    bool       down = va > 0, up_b = keep_sum ? down : !down;
    bool       fits = down ? !__builtin_sub_overflow(va, (int64_t)amount, &to_a)
                           : !__builtin_add_overflow(va, (int64_t)amount, &to_a);
    fits = fits && (up_b ? !__builtin_add_overflow(vb, (int64_t)amount, &to_b)
                         : !__builtin_sub_overflow(vb, (int64_t)amount, &to_b));
    return fits && wri_point_set_value(plan, a, to_a) && wri_point_set_value(plan, b, to_b) &&
           wri_shrink_attempt(s);
}

/* As much as the one has to give and the other can take. */
static uint64_t most_to_move(wri_shrinker *s, wri_point a, wri_point b, bool keep_sum)
{
    const wri_node *na = &s->best->nodes[a.node], *nb = &s->best->nodes[b.node];
    int64_t         va = wri_point_value(s->best, a), vb = wri_point_value(s->best, b);
    int64_t  target = wri_choice_integer_value(0, wri_point_lowest(na), wri_point_range(na));
    uint64_t give =
        va > target ? (uint64_t)va - (uint64_t)target : (uint64_t)target - (uint64_t)va;
    bool     up_b = keep_sum ? va > 0 : !(va > 0);
    uint64_t take = up_b ? (uint64_t)wri_point_lowest(nb) + wri_point_range(nb) - (uint64_t)vb
                         : (uint64_t)vb - (uint64_t)wri_point_lowest(nb);
    uint64_t most = give < take ? give : take;
    return most > INT64_MAX ? INT64_MAX : most;
}

/* All that can be moved; else 1, 4, 16 and so on as long as it goes. */
static bool move(wri_shrinker *s, wri_point a, wri_point b, bool keep_sum)
{
    uint64_t most = most_to_move(s, a, b, keep_sum), before = s->improvements;
    if (most == 0 || try_move(s, a, b, most, keep_sum))
        return s->improvements != before;
    for (uint64_t amount = 1; amount < most && !s->over; amount *= 4) {
        if (!try_move(s, a, b, amount, keep_sum) || !wri_point_valid(s->best, a) ||
            !wri_point_valid(s->best, b))
            break;
        most = most_to_move(s, a, b, keep_sum);
    }
    return s->improvements != before;
}

/* The first becomes `value`, the second as large as it can be. */
static void set_pushed(wri_shrinker *s, void *context, uint64_t value)
{
    const pair *p = context;
    if (!wri_point_valid(&s->plan, p->a) || !wri_point_valid(&s->plan, p->b))
        return;
    wri_point_set(&s->plan, p->a, value);
    wri_point_set(&s->plan, p->b, s->plan.nodes[p->b.node].max);
}

static void push(wri_shrinker *s, wri_point a, wri_point b)
{
    pair p = { .a = a, .b = b };
    if (!refresh(s, &p) || p.from_a == 0 || p.from_b == s->best->nodes[b.node].max)
        return;
    wri_shrink_plan(s);
    set_pushed(s, &p, p.from_a - 1);
    if (wri_shrink_attempt(s) && wri_point_valid(s->best, a) && wri_point_valid(s->best, b))
        wri_shrink_search_down(s, set_pushed, &p, p.from_a - 1);
}

static bool differs_in_sign(wri_shrinker *s, wri_point a, wri_point b)
{
    return (wri_point_value(s->best, a) < 0) != (wri_point_value(s->best, b) < 0);
}

static void share(wri_shrinker *s, wri_point a, wri_point b)
{
    if (!wri_point_valid(s->best, a) || !wri_point_valid(s->best, b) ||
        wri_point_number(s->best, a) == 0 || !wri_point_is_whole(s->best, a) ||
        !wri_point_is_whole(s->best, b))
        return;
    bool apart = differs_in_sign(s, a, b) || wri_point_number(s->best, b) == 0;
    if (move(s, a, b, true))
        return;
    if (!wri_point_valid(s->best, a) || !wri_point_valid(s->best, b) ||
        !wri_point_is_whole(s->best, a) || !wri_point_is_whole(s->best, b))
        return;
    /* Two of one sign go down together in wri_shrink_pass_pairs. */
    if (apart && wri_point_lowest(&s->best->nodes[b.node]) < 0 && move(s, a, b, false))
        return;
    if (wri_point_number(s->best, b) > 0 && is_integer(s->best, b))
        push(s, a, b);
}

/* Why: if a sum must reach something, the earlier number goes down when a later one takes over
 * what it loses; at 0 it can often be deleted. If a difference must, both move the same way. If
 * neither, the later one at its largest may let the earlier one go down. Cannot: share among
 * three at once. */
void wri_shrink_pass_share(wri_shrinker *s)
{
    for_pairs(s, wri_point_is_whole, true, share);
}

/* ---- Two into one ---- */

/* The sum of two values, wrapped round into the second one's range. */
static uint64_t wrapped_sum(const wri_trace *trace, wri_point a, wri_point b)
{
    const wri_node *node = &trace->nodes[b.node];
    uint64_t sum = (uint64_t)wri_point_value(trace, a) + (uint64_t)wri_point_value(trace, b) -
                   (uint64_t)node->lo;
    uint64_t offset = node->max == UINT64_MAX ? sum : sum % (node->max + 1);
    if (node->max != UINT64_MAX && (int64_t)sum < 0)
        offset = (uint64_t)((int64_t)sum % (int64_t)(node->max + 1));
    if (node->max != UINT64_MAX && (int64_t)offset < 0)
        offset += node->max + 1;
    return wri_choice_integer_number((int64_t)(offset + (uint64_t)node->lo), node->lo, node->max);
}

/* Which length the point belongs to as an element of an array or inside a round of a loop, and
 * which element it is; WRI_NO_NODE when to none. */
static uint32_t length_of(const wri_trace *trace, wri_point point, uint64_t *element)
{
    const wri_node *node = &trace->nodes[point.node];
    *element = point.element;
    if (node->what == WRI_ARRAY)
        return node->tie;
    uint32_t up = node->parent;
    while (up != WRI_NO_NODE && trace->nodes[up].what != WRI_ELEMENT)
        up = trace->nodes[up].parent;
    if (up == WRI_NO_NODE)
        return WRI_NO_NODE;
    uint32_t loop = trace->nodes[up].parent;
    *element = 0;
    for (uint32_t i = loop + 1; i < up; i++)
        *element += trace->nodes[i].parent == loop && trace->nodes[i].what == WRI_ELEMENT;
    return trace->nodes[loop].tie;
}

/* One element goes, and its value is added to another's. */
static bool fuse(wri_shrinker *s, wri_point a, wri_point b)
{
    uint64_t element, other;
    if (!wri_point_valid(s->best, a) || !wri_point_valid(s->best, b) ||
        wri_point_value(s->best, a) == 0)
        return false;
    uint32_t length = length_of(s->best, a, &element);
    if (length == WRI_NO_NODE || s->best->nodes[length].number == 0 ||
        (length_of(s->best, b, &other) == length && other == element))
        return false;
    wri_trace *plan = wri_shrink_plan(s);
    wri_point_set(plan, b, wrapped_sum(plan, a, b));
    wri_cut_elements(plan, length, element, 1, false);
    return wri_shrink_attempt(s);
}

/* Why: the same as wri_shrink_pass_fuse, but cheap enough to come early: neighbours of one array,
 * and the first pair that does not go ends it there. Cannot: fuse across arrays. */
void wri_shrink_pass_fuse_neighbours(wri_shrinker *s)
{
    for (uint32_t i = 1; i < s->best->node_count && !s->over; i++)
        while (i < s->best->node_count && s->best->nodes[i].what == WRI_ARRAY &&
               s->best->nodes[i].kind == WRI_INTEGER && s->best->nodes[i].count >= 2) {
            uint64_t  last = s->best->nodes[i].count - 1;
            wri_point a = { .node = i, .element = last - 1 }, b = { .node = i, .element = last };
            if (wri_point_number(s->best, a) == 0 || wri_point_number(s->best, b) == 0 ||
                !fuse(s, a, b))
                break;
        }
}

/* Why: when the total is what matters, and it wraps round, no element can give its value away
 * bit by bit; as one step, one element takes both values and the other goes.
 * Cannot: anything for values that are not added up. */
void wri_shrink_pass_fuse(wri_shrinker *s)
{
    wri_point points[MOST_PARTNERS];
    size_t    count = wri_points(s, is_integer, true, points, MOST_PARTNERS);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count && !s->over; j++) {
            uint64_t before = s->improvements;
            if (i != j && (j > i ? j - i : i - j) <= REACH)
                fuse(s, points[i], points[j]);
            if (s->improvements != before)
                return; /* the next round of passes finds new points */
        }
}
