/* shrink/order.c: passes that move values to a simpler place.
 *
 * They sort arrays and sibling spans, rotate trees, join lists, and last try the few simplest
 * cases near the best one.
 */
#include <stdlib.h>
#include <string.h>

#include "shrink/shrinker.h"

/* ---- Sorting ---- */

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void sort_array(wri_shrinker *s, uint32_t node)
{
    wri_trace *plan = wri_shrink_plan(s);
    uint64_t  *numbers = plan->numbers + plan->nodes[node].number;
    uint64_t   count = plan->nodes[node].count;
    qsort(numbers, count, sizeof *numbers, by_number);
    if (wri_shrink_attempt(s) || count > 64)
        return;
    for (uint64_t j = 0; j + 1 < count && !s->over; j++) {
        plan = wri_shrink_plan(s);
        if (node >= plan->node_count || plan->nodes[node].what != WRI_ARRAY ||
            plan->nodes[node].count != count)
            return;
        numbers = plan->numbers + plan->nodes[node].number;
        if (numbers[j] <= numbers[j + 1])
            continue;
        uint64_t larger = numbers[j];
        numbers[j] = numbers[j + 1];
        numbers[j + 1] = larger;
        wri_shrink_attempt(s);
    }
}

/* Two choices of one span that ask the same: the smaller number first. */
static void sort_choices(wri_shrinker *s, uint32_t first)
{
    unsigned seen = 0;
    for (uint32_t i = first + 1; i < s->best->node_count && seen < 8 && !s->over; i++) {
        const wri_node *a = &s->best->nodes[first], *b = &s->best->nodes[i];
        if (b->what != WRI_CHOICE || b->parent != a->parent || b->kind != a->kind ||
            b->max != a->max || wri_shrink_is_length(s, i))
            continue;
        seen++;
        if (a->number <= b->number)
            continue;
        wri_trace *plan = wri_shrink_plan(s);
        plan->nodes[first].number = b->number;
        plan->nodes[i].number = a->number;
        wri_shrink_attempt(s);
        if (first >= s->best->node_count || s->best->nodes[first].what != WRI_CHOICE)
            return;
    }
}

/* Lists the nodes below `node`, itself first, children in order; with `a` and `b` swapped. */
static size_t in_order(const wri_trace *trace, uint32_t node, uint32_t a, uint32_t b,
                       uint32_t *list, size_t count)
{
    list[count++] = node;
    for (uint32_t i = node + 1; i < trace->node_count; i++)
        if (trace->nodes[i].parent == node)
            count = in_order(trace, i == a ? b : i == b ? a : i, a, b, list, count);
    return count;
}

/* Exchanges two sibling spans with all that is in them. */
static bool swap_spans(wri_trace *trace, uint32_t a, uint32_t b)
{
    size_t    count = trace->node_count;
    uint32_t *list = malloc(count * sizeof *list), *moved = malloc(count * sizeof *moved);
    wri_node *nodes = malloc(count * sizeof *nodes);
    bool      good = list != NULL && moved != NULL && nodes != NULL;
    if (good) {
        good = in_order(trace, 0, a, b, list, 0) == count;
        for (size_t i = 0; i < count; i++)
            moved[list[i]] = (uint32_t)i;
        for (size_t i = 0; i < count; i++) {
            nodes[i] = trace->nodes[list[i]];
            if (nodes[i].parent != WRI_NO_NODE)
                nodes[i].parent = moved[nodes[i].parent];
            if (nodes[i].tie != WRI_NO_NODE)
                nodes[i].tie = moved[nodes[i].tie];
        }
        if (good)
            memcpy(trace->nodes, nodes, count * sizeof *nodes);
    }
    free(list);
    free(moved);
    free(nodes);
    return good;
}

/* Is the content of span a larger than that of b? Fewer choices, then the earlier decides; of
 * calls the earlier choice, which is the command, alone. */
static bool larger(wri_shrinker *s, uint32_t a, uint32_t b)
{
    const wri_trace *trace = s->best;
    uint64_t         numbers[2][32];
    size_t           counts[2] = { 0, 0 };
    for (int k = 0; k < 2; k++) {
        uint32_t    span = k == 0 ? a : b;
        const bool *below = wri_shrink_below(s, span);
        for (uint32_t i = span + 1; below != NULL && i < trace->node_count; i++) {
            const wri_node *node = &trace->nodes[i];
            uint64_t        many = node->what == WRI_CHOICE  ? 1
                                   : node->what == WRI_ARRAY ? node->count
                                                             : 0;
            if (many == 0 || !below[i])
                continue;
            for (uint64_t j = 0; j < many; j++, counts[k]++)
                if (counts[k] < 32)
                    numbers[k][counts[k]] = wri_trace_number(trace, i, j);
        }
    }
    bool calls = wri_cut_is_call(trace, a) && wri_cut_is_call(trace, b);
    if (counts[0] != counts[1] && !calls)
        return counts[0] > counts[1];
    for (size_t i = 0; i < counts[0] && i < counts[1] && i < 32; i++)
        if (numbers[0][i] != numbers[1][i])
            return numbers[0][i] > numbers[1][i];
    return false;
}

/* The next sibling span with the same label. */
static uint32_t next_sibling(const wri_trace *trace, uint32_t span)
{
    for (uint32_t i = span + 1; i < trace->node_count; i++)
        if (trace->nodes[i].parent == trace->nodes[span].parent &&
            trace->nodes[i].what == trace->nodes[span].what &&
            trace->nodes[i].label == trace->nodes[span].label)
            return i;
    return WRI_NO_NODE;
}

/* The next child span of `parent` after `after` that has the parent's own label. */
static uint32_t child_alike(const wri_trace *trace, uint32_t parent, uint32_t after)
{
    for (uint32_t i = after + 1; i < trace->node_count; i++)
        if (trace->nodes[i].parent == parent && trace->nodes[i].what == WRI_SPAN &&
            trace->nodes[i].label == trace->nodes[parent].label)
            return i;
    return WRI_NO_NODE;
}

/* Exchanges the answers of two spans' own choices, those of the same name; false: they were all
 * the same. */
static bool exchange_answers(wri_trace *trace, uint32_t a, uint32_t b)
{
    bool     changed = false;
    uint32_t there = b;
    for (uint32_t i = a + 1; i < trace->node_count; i++) {
        wri_node *node = &trace->nodes[i];
        if (node->parent != a || node->what != WRI_CHOICE)
            continue;
        do
            there++;
        while (there < trace->node_count &&
               (trace->nodes[there].parent != b || trace->nodes[there].what != WRI_CHOICE));
        if (there >= trace->node_count || trace->nodes[there].label != node->label)
            break;
        changed |= node->number != trace->nodes[there].number;
        uint64_t number = node->number;
        node->number = trace->nodes[there].number;
        trace->nodes[there].number = number;
    }
    return changed;
}

/* A recursive span whose first child has children: ((x y) z) becomes (x (y z)). Values of
 * nodes change places, too, so that their order from left to right stays. */
static bool rotate(wri_shrinker *s, uint32_t span, bool values_too)
{
    uint32_t first = child_alike(s->best, span, span);
    uint32_t second = first == WRI_NO_NODE ? first : child_alike(s->best, span, first);
    uint32_t inner = second == WRI_NO_NODE ? second : child_alike(s->best, first, first);
    if (inner == WRI_NO_NODE)
        return false;
    wri_trace *plan = wri_shrink_plan(s);
    if (plan->node_count == 0 || (values_too && !exchange_answers(plan, span, first)))
        return false;
    plan->nodes[inner].parent = span;
    plan->nodes[second].parent = first;
    return swap_spans(plan, first, inner) && wri_shrink_attempt(s);
}

/* Why: where order does not matter, every seed should end in the same one; and a small value in
 * front is simpler than a large one, as is a tree that leans to the later side.
 * Cannot: sort what only fails in a few orders, beyond swapping neighbours. */
void wri_shrink_pass_order(wri_shrinker *s)
{
    for (uint32_t i = 1; wri_shrink_goes_on(s) && i < s->best->node_count; i++) {
        const wri_node *node = &s->best->nodes[i];
        if (node->what == WRI_ARRAY && node->count > 1) {
            const uint64_t *numbers = s->best->numbers + node->number;
            bool            sorted = true;
            for (uint64_t j = 0; j + 1 < node->count; j++)
                sorted &= numbers[j] <= numbers[j + 1];
            if (!sorted)
                sort_array(s, i);
        } else if (node->what == WRI_CHOICE && node->number > 0 && !wri_shrink_is_length(s, i)) {
            sort_choices(s, i);
        } else if (node->what == WRI_SPAN || node->what == WRI_ELEMENT) {
            uint32_t next = next_sibling(s->best, i);
            if (next != WRI_NO_NODE && larger(s, i, next) &&
                swap_spans(wri_shrink_plan(s), i, next))
                wri_shrink_attempt(s);
            if (i < s->best->node_count && s->best->nodes[i].what == WRI_SPAN)
                rotate(s, i, false);
            if (i < s->best->node_count && s->best->nodes[i].what == WRI_SPAN)
                rotate(s, i, true);
        }
    }
}

/* ---- Joining ---- */

/* Puts b's numbers from `first` on behind a's, or in front of them; both keep their nodes. */
static bool append(wri_trace *trace, uint32_t a, uint32_t b, uint64_t first, bool in_front)
{
    uint64_t count_a = trace->nodes[a].count, count_b = trace->nodes[b].count - first;
    size_t   start = trace->number_count;
    if (!wri_trace_reserve(trace, trace->node_count, start + count_a + count_b))
        return false;
    uint64_t       *to = trace->numbers + start;
    const uint64_t *from_a = trace->numbers + trace->nodes[a].number;
    const uint64_t *from_b = trace->numbers + trace->nodes[b].number + first;
    memcpy(in_front ? to + count_b : to, from_a, count_a * sizeof *to);
    memcpy(in_front ? to : to + count_a, from_b, count_b * sizeof *to);
    trace->number_count += count_a + count_b;
    trace->nodes[a].number = start;
    trace->nodes[a].count = count_a + count_b;
    return true;
}

/* The only array tied to a length that stands directly in `span`; WRI_NO_NODE: none, or more. */
static uint32_t list_of(const wri_trace *trace, uint32_t span)
{
    uint32_t found = WRI_NO_NODE;
    for (uint32_t i = span + 1; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (node->parent != span || node->what != WRI_ARRAY || node->tie == WRI_NO_NODE ||
            trace->nodes[node->tie].parent != span)
            continue;
        if (found != WRI_NO_NODE)
            return WRI_NO_NODE;
        found = i;
    }
    return found;
}

static bool same_lists(const wri_trace *trace, uint32_t a, uint32_t b)
{
    return trace->nodes[a].max == trace->nodes[b].max &&
           trace->nodes[a].kind == trace->nodes[b].kind &&
           trace->nodes[a].lo == trace->nodes[b].lo;
}

/* Two neighbouring elements of a loop, each a list: the second's content goes to the first. */
static bool join_elements(wri_shrinker *s, uint32_t first, uint32_t second)
{
    wri_trace *plan = wri_shrink_plan(s);
    uint32_t   a = list_of(plan, first), b = list_of(plan, second);
    uint32_t   loop = plan->nodes[first].parent, outer = plan->nodes[loop].tie;
    if (a == WRI_NO_NODE || b == WRI_NO_NODE || outer == WRI_NO_NODE || !same_lists(plan, a, b))
        return false;
    wri_node *length = &plan->nodes[plan->nodes[a].tie];
    uint64_t  moved = plan->nodes[b].count, round = 0;
    if (moved > length->max - length->number || !append(plan, a, b, 0, false))
        return false;
    length->number += moved;
    for (uint32_t i = loop + 1; i < second; i++)
        round += plan->nodes[i].parent == loop && plan->nodes[i].what == WRI_ELEMENT;
    wri_cut_elements(plan, outer, round, 1, false);
    return wri_shrink_attempt(s);
}

/* A list's elements from `first` on go to the front of a later list. */
static bool move_part(wri_shrinker *s, uint32_t from, uint32_t to, uint64_t first)
{
    wri_trace *plan = wri_shrink_plan(s);
    if (!same_lists(plan, from, to) || plan->nodes[from].tie == plan->nodes[to].tie)
        return false;
    wri_node *giver = &plan->nodes[plan->nodes[from].tie];
    wri_node *taker = &plan->nodes[plan->nodes[to].tie];
    uint64_t  moved = plan->nodes[from].count - first;
    if (giver->kind != WRI_LENGTH || taker->kind != WRI_LENGTH || moved > giver->number ||
        moved > taker->max - taker->number || !append(plan, to, from, first, true))
        return false;
    taker->number += moved;
    giver->number -= moved;
    plan->nodes[from].count = first;
    return wri_shrink_attempt(s);
}

static bool is_list(const wri_node *node)
{
    return node->what == WRI_ARRAY && node->tie != WRI_NO_NODE;
}

/* All of a list to some later one; else its last element to the next. */
static bool move_on(wri_shrinker *s, uint32_t list)
{
    uint32_t next = WRI_NO_NODE;
    for (uint32_t i = list + 1; i < s->best->node_count && !s->over; i++) {
        if (!is_list(&s->best->nodes[i]))
            continue;
        next = next == WRI_NO_NODE ? i : next;
        if (move_part(s, list, i, 0))
            return true;
    }
    uint64_t count = s->best->nodes[list].count;
    return next != WRI_NO_NODE && count > 1 && move_part(s, list, next, count - 1);
}

/* Why: content spread over several lists often fails as well in one; then a list less is left,
 * or the earlier one is empty, or at least shorter.
 * Cannot: join lists of structs, or move an element out of the middle. */
void wri_shrink_pass_join(wri_shrinker *s)
{
    for (uint32_t i = 1; i < s->best->node_count && !s->over; i++) {
        if (s->best->nodes[i].what != WRI_ELEMENT)
            continue;
        uint32_t next = next_sibling(s->best, i);
        while (next != WRI_NO_NODE && join_elements(s, i, next))
            next = i < s->best->node_count ? next_sibling(s->best, i) : WRI_NO_NODE;
    }
    for (uint32_t i = 1; i < s->best->node_count && !s->over; i++)
        while (i < s->best->node_count && is_list(&s->best->nodes[i]) &&
               s->best->nodes[i].count > 0 && move_on(s, i))
            ;
}

/* ---- Nearby ---- */

/* Everything after a point answered 0: what the plan does not have. */
static void forget_after(wri_trace *trace, wri_point point)
{
    if (trace->nodes[point.node].what == WRI_ARRAY)
        memset(trace->numbers + trace->nodes[point.node].number + point.element + 1, 0,
               (trace->nodes[point.node].count - point.element - 1) * sizeof *trace->numbers);
    for (uint32_t i = point.node + 1; i < trace->node_count; i++)
        if (trace->nodes[i].what >= WRI_CHOICE)
            wri_cut_mark(trace, i);
    wri_cut_marked(trace);
}

/* Why: a choice of form ("+" instead of "/") often goes down only when what follows changes
 * too; with everything after it at 0 it gets its chance.
 * Cannot: find a form whose content must not be 0. */
static void lower_and_forget(wri_shrinker *s)
{
    wri_point at;
    for (bool more = wri_point_first(s, &at); more && !s->over; more = wri_point_next(s, &at)) {
        uint64_t number = wri_point_number(s->best, at);
        bool     form = !wri_point_is_number(s->best, at);
        for (uint64_t value = number > 4 ? number - 4 : 0; form && value < number; value++) {
            wri_trace *plan = wri_shrink_plan(s);
            wri_point_set(plan, at, value);
            forget_after(plan, at);
            if (wri_shrink_attempt(s))
                break;
        }
        if (!wri_point_valid(s->best, at))
            return;
    }
}

/* ---- A small enumeration ---- */

#define MOST_ENUMERATED 160
#define MOST_CHOICES 20

/* The enumeration runs at most as many cases as all other passes did: it never more than doubles
 * what a failure costs. On `script/bench shrink` half as many are enough; with a quarter as many
 * one heap in four is not minimal. */
static bool may_enumerate(const wri_shrinker *s)
{
    return s->enumerated < MOST_ENUMERATED && s->enumerated < s->executions - s->enumerated;
}

static bool is_recursive(const wri_trace *trace)
{
    for (uint32_t i = 1; i < trace->node_count; i++) {
        if (trace->nodes[i].what != WRI_SPAN)
            continue;
        for (uint32_t up = trace->nodes[i].parent; up != WRI_NO_NODE && up != 0;
             up = trace->nodes[up].parent)
            if (trace->nodes[up].what == WRI_SPAN &&
                trace->nodes[up].label == trace->nodes[i].label)
                return true;
    }
    return false;
}

static size_t all_points(const wri_trace *trace, wri_point *points, size_t room)
{
    size_t count = 0;
    for (uint32_t i = 0; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        uint64_t        many = node->what == WRI_CHOICE  ? node->max > 0
                               : node->what == WRI_ARRAY ? node->count
                                                         : 0;
        for (uint64_t j = 0; j < many && count < room; j++)
            points[count++] = (wri_point){ .node = i, .element = j };
    }
    return count;
}

/* May the point be 1? Only one of the numbers may. */
static bool may_be_one(const wri_trace *trace, wri_point point, bool number_spent)
{
    return trace->nodes[point.node].max >= 1 &&
           !(number_spent && wri_point_is_number(trace, point));
}

/* Tries the plan, whose first `fixed` points are decided and all others 0, and everything that
 * differs from it later. */
static void enumerate(wri_shrinker *s, size_t fixed, bool number_spent)
{
    wri_trace here = { 0 };
    wri_point points[MOST_CHOICES + 1];
    uint64_t  start = s->executions;
    wri_shrink_attempt(s);
    s->enumerated += s->executions - start;
    const wri_known_case *known = wri_foreseen_find(&s->known, &s->plan);
    if (known == NULL || wri_compare_traces(&known->trace, s->best) >= 0 ||
        !wri_trace_copy(&here, &known->trace)) {
        wri_trace_free(&here);
        return;
    }
    size_t count = all_points(&here, points, MOST_CHOICES + 1);
    for (size_t i = count; i-- > fixed && !s->over && may_enumerate(s);) {
        if (!may_be_one(&here, points[i], number_spent) || !wri_trace_copy(&s->plan, &here))
            continue;
        wri_point_set(&s->plan, points[i], 1);
        forget_after(&s->plan, points[i]);
        enumerate(s, i + 1, number_spent || wri_point_is_number(&here, points[i]));
    }
    wri_trace_free(&here);
}

/* Why: recursive data has many small shapes, and one that fails often cannot be reached from
 * another by simplifying alone. When a case is small enough, the simpler ones made of 0 and 1,
 * with at most one number among the ones, are few.
 * Cannot: go on past its budget; only for cases that are recursive, or may be, for elsewhere it
 * costs more than it finds. */
void wri_shrink_pass_nearby(wri_shrinker *s)
{
    lower_and_forget(s);
    bool fits = is_recursive(s->best) || wri_shrink_has_repeats(s->best);
    if (s->over || !may_enumerate(s) || !fits || wri_trace_choices(s->best) > MOST_CHOICES)
        return;
    wri_trace *plan = wri_shrink_plan(s);
    plan->node_count = 1;
    plan->number_count = 0;
    enumerate(s, 0, false);
}
