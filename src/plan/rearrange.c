/* plan/rearrange.c: puts a plan together from runs of nodes.
 *
 * Nodes stand in the order in which they were made, and the content of a span mostly comes right
 * after it. So a span with its content is a run of nodes, as long as each node's parent is in the
 * run. A plan is a series of such runs. Lazy data enters spans again, so the nodes of such a log
 * are first brought into this order.
 */
#include "plan/rearrange.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/prng.h"

static uint64_t below(uint64_t *random, uint64_t count)
{
    return wri_prng_scale(wri_prng_next(random), count - 1);
}

/* The end of the run of nodes that a span is. */
static uint32_t end_of(const wri_trace *trace, uint32_t span)
{
    uint32_t at = span + 1;
    while (at < trace->node_count && trace->nodes[at].parent >= span)
        at++;
    return at;
}

/* ---- Order ---- */

/* Is every span one run of nodes? */
static bool is_nested(const wri_trace *trace)
{
    uint32_t open = 0;
    for (uint32_t i = 1; i < trace->node_count; i++) {
        while (open != trace->nodes[i].parent) {
            if (open == 0)
                return false;
            open = trace->nodes[open].parent;
        }
        if (trace->nodes[i].what < WRI_CHOICE)
            open = i;
    }
    return true;
}

typedef struct places {
    struct {
        uint32_t place; /* of the node in the new order */
        uint32_t more;  /* how many nodes are in it; later: where the next of them goes */
    } * of;
    size_t room;
} places;

static bool reserve_order(places *order, size_t nodes)
{
    void *grown = wri_grow(order->of, sizeof *order->of, nodes, &order->room);
    if (grown != NULL)
        order->of = grown;
    return grown != NULL;
}

/* Finds each node's place when what is in a span comes right after it. */
static bool find_places(places *order, const wri_trace *trace)
{
    if (!reserve_order(order, trace->node_count))
        return false;
    for (size_t i = 0; i < trace->node_count; i++)
        order->of[i].more = 1;
    for (size_t i = trace->node_count; i-- > 1;)
        order->of[trace->nodes[i].parent].more += order->of[i].more;
    order->of[0].place = 0;
    order->of[0].more = 1;
    for (size_t i = 1; i < trace->node_count; i++) {
        uint32_t *next = &order->of[trace->nodes[i].parent].more;
        order->of[i].place = *next;
        *next += order->of[i].more;
        order->of[i].more = order->of[i].place + 1;
    }
    return true;
}

/* The log itself where it is nested, else one that says the same and is; NULL: memory is out.
 * `sorted` is the memory for it; a node's number is brought along. */
static const wri_trace *nested(const wri_trace *trace, wri_trace *sorted, uint32_t *node)
{
    static places order;
    if (is_nested(trace))
        return trace;
    if (!find_places(&order, trace) ||
        !wri_trace_reserve(sorted, trace->node_count, trace->number_count))
        return NULL;
    for (size_t i = 0; i < trace->node_count; i++) {
        wri_node *to = &sorted->nodes[order.of[i].place];
        *to = trace->nodes[i];
        if (to->parent != WRI_NO_NODE)
            to->parent = order.of[to->parent].place;
        if (to->tie != WRI_NO_NODE)
            to->tie = order.of[to->tie].place;
    }
    if (trace->number_count > 0)
        memcpy(sorted->numbers, trace->numbers, trace->number_count * sizeof *sorted->numbers);
    sorted->node_count = trace->node_count;
    sorted->number_count = trace->number_count;
    if (node != NULL)
        *node = order.of[*node].place;
    return sorted;
}

static wri_trace sorted_log, sorted_other; /* one mutation at a time */

/* ---- Runs ---- */

/* Adds a node; its array comes along. False: memory is out. */
static bool add(wri_trace *plan, const wri_trace *from, uint32_t node, uint32_t parent)
{
    const wri_node *source = &from->nodes[node];
    uint64_t        count = source->what == WRI_ARRAY ? source->count : 0;
    if (!wri_trace_reserve(plan, plan->node_count + 1, plan->number_count + count))
        return false;
    wri_node *made = &plan->nodes[plan->node_count++];
    *made = *source;
    made->parent = parent;
    made->tie = WRI_NO_NODE;
    if (source->what != WRI_ARRAY)
        return true;
    made->number = plan->number_count;
    if (count > 0)
        memcpy(plan->numbers + plan->number_count, from->numbers + source->number,
               count * sizeof *plan->numbers);
    plan->number_count += count;
    return true;
}

/* Adds a span and all that is in it, under a parent of the plan. */
static bool add_run(wri_trace *plan, const wri_trace *from, uint32_t span, uint32_t parent)
{
    uint32_t end = end_of(from, span), base = (uint32_t)plan->node_count;
    if (!add(plan, from, span, parent))
        return false;
    for (uint32_t i = span + 1; i < end; i++)
        if (!add(plan, from, i, base + (from->nodes[i].parent - span)))
            return false;
    return true;
}

/* ---- Elements ---- */

#define FRESH UINT32_MAX
#define MOST_ELEMENTS 4096

/* The sources of the elements in the new arrangement. */
typedef struct arrangement {
    uint32_t from[MOST_ELEMENTS];  /* an element, or FRESH */
    bool     other[MOST_ELEMENTS]; /* of the other log */
    uint32_t count;
} arrangement;

static arrangement now; /* one mutation at a time */

static void put(uint32_t from, bool other)
{
    if (now.count == MOST_ELEMENTS)
        return;
    now.from[now.count] = from;
    now.other[now.count++] = other;
}

static void put_rest(uint32_t from, uint32_t end, bool other)
{
    for (; from < end; from++)
        put(from, other);
}

/* A few elements in a row, mostly one. */
static uint32_t some_of(uint32_t count, uint64_t *random)
{
    uint32_t most = count < 8 ? count : 8;
    return below(random, 2) == 0 ? 1 : 1 + (uint32_t)below(random, most);
}

static bool arrange(wri_arrangement how, uint32_t count, uint32_t others, uint64_t *random)
{
    uint32_t at = count == 0 ? 0 : (uint32_t)below(random, count);
    uint32_t to = (uint32_t)below(random, (uint64_t)count + 1);
    now.count = 0;
    if (count > MOST_ELEMENTS || others > MOST_ELEMENTS || (count == 0 && how != WRI_INSERT))
        return false;
    switch (how) {
    case WRI_DROP: {
        uint32_t some = some_of(count - at, random);
        put_rest(0, at, false);
        put_rest(at + some, count, false);
        return true;
    }
    case WRI_DOUBLE: {
        uint32_t some = some_of(count - at, random);
        put_rest(0, to, false);
        put_rest(at, at + some, false);
        put_rest(to, count, false);
        return true;
    }
    case WRI_INSERT:
        put_rest(0, to, false);
        put(FRESH, false);
        put_rest(to, count, false);
        return true;
    case WRI_SWAP:
        if (count < 2)
            return false;
        put_rest(0, count, false);
        to = (at + 1 + (uint32_t)below(random, count - 1)) % count;
        now.from[at] = to;
        now.from[to] = at;
        return true;
    case WRI_REPLACE:
        put_rest(0, count, false);
        now.from[at] = FRESH;
        return true;
    case WRI_JOIN:
        put_rest(0, count, false);
        put_rest(0, others, true);
        return others > 0;
    case WRI_SPLICE: {
        if (others == 0)
            return false;
        put_rest(0, at + 1, false);
        put_rest((uint32_t)below(random, others), others, true);
        return true;
    }
    }
    return false;
}

/* The starts of a loop's elements. The loop may have ended early, so they may be fewer than its
 * length. */
typedef struct elements {
    uint32_t at[MOST_ELEMENTS];
    uint32_t count;
} elements;

static void find_elements(elements *found, const wri_trace *trace, uint32_t loop)
{
    uint32_t end = loop == WRI_NO_NODE ? 0 : end_of(trace, loop);
    found->count = 0;
    for (uint32_t at = loop + 1; at < end && found->count < MOST_ELEMENTS; at = end_of(trace, at))
        if (trace->nodes[at].parent == loop && trace->nodes[at].what == WRI_ELEMENT)
            found->at[found->count++] = at;
}

/* The first loop or array of a trace that is like this one; WRI_NO_NODE: none. */
static uint32_t alike(const wri_trace *trace, const wri_node *node)
{
    for (uint32_t i = 1; i < trace->node_count; i++) {
        const wri_node *there = &trace->nodes[i];
        if (there->what == node->what && there->label == node->label &&
            (node->what == WRI_LOOP || there->max == node->max))
            return i;
    }
    return WRI_NO_NODE;
}

/* The element that a handle names, by its place among all; FRESH: none. */
static uint32_t named(const wri_trace *trace, const elements *all, const wri_node *handle)
{
    uint64_t left = handle->number;
    for (uint32_t i = 0; i < all->count; i++)
        if (trace->nodes[all->at[i]].number == handle->label && left-- == 0)
            return i;
    return FRESH;
}

/* Aims a handle of the element at a place of the plan at the element that it named: the last copy
 * before it. If there is none, the handle stays as it is. */
static void aim(wri_trace *plan, const elements *placed, uint32_t place, uint32_t wanted,
                wri_node *handle)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < place; i++) {
        if (plan->nodes[placed->at[i]].number != handle->label)
            continue;
        if (now.from[i] == wanted && now.other[i] == now.other[place])
            handle->number = before;
        before++;
    }
}

/* After elements were arranged: handles name what they named. */
static void aim_handles(wri_trace *plan, const elements *placed, const wri_trace *trace,
                        const elements *own, const wri_trace *other, const elements *others)
{
    for (uint32_t i = 0; i < placed->count; i++) {
        size_t end = i + 1 < placed->count ? placed->at[i + 1] : plan->node_count;
        for (size_t at = placed->at[i] + 1; at < end; at++) {
            wri_node *node = &plan->nodes[at];
            if (node->what != WRI_CHOICE || node->kind != WRI_HANDLE)
                continue;
            uint32_t wanted = now.other[i] ? named(other, others, node) : named(trace, own, node);
            if (wanted != FRESH)
                aim(plan, placed, i, wanted, node);
        }
    }
}

static bool add_loop(wri_trace *plan, const wri_trace *trace, uint32_t loop, uint32_t parent,
                     const wri_trace *other, uint32_t other_loop)
{
    static const wri_node  fresh = { .what = WRI_ELEMENT, .tie = WRI_NO_NODE };
    static const wri_trace nothing = { .nodes = (wri_node *)(uintptr_t)&fresh, .node_count = 1 };
    static elements        own, others, placed;
    find_elements(&own, trace, loop);
    find_elements(&others, other, other_loop);
    uint32_t made = (uint32_t)plan->node_count;
    uint32_t label = own.count > 0 ? trace->nodes[own.at[0]].label : 0;
    if (!add(plan, trace, loop, parent))
        return false;
    plan->nodes[made].count = placed.count = now.count;
    for (uint32_t i = 0; i < now.count; i++) {
        const elements *from = now.other[i] ? &others : &own;
        bool            known = now.from[i] < from->count;
        placed.at[i] = (uint32_t)plan->node_count;
        if (!(known ? add_run(plan, now.other[i] ? other : trace, from->at[now.from[i]], made)
                    : add(plan, &nothing, 0, made)))
            return false;
        if (!known)
            plan->nodes[plan->node_count - 1].label = label;
    }
    aim_handles(plan, &placed, trace, &own, other, &others);
    return true;
}

static bool add_array(wri_trace *plan, const wri_trace *trace, uint32_t array, uint32_t parent,
                      const wri_trace *other, uint32_t other_array, uint64_t *random)
{
    const wri_node *source = &trace->nodes[array];
    const wri_node *second = other_array == WRI_NO_NODE ? NULL : &other->nodes[other_array];
    if (!wri_trace_reserve(plan, plan->node_count + 1, plan->number_count + now.count))
        return false;
    wri_node *made = &plan->nodes[plan->node_count++];
    *made = *source;
    made->parent = parent;
    made->tie = WRI_NO_NODE;
    made->count = now.count;
    made->number = plan->number_count;
    for (uint32_t i = 0; i < now.count; i++) {
        uint32_t from = now.from[i];
        uint64_t number;
        if (from != FRESH && now.other[i] && second != NULL && from < second->count)
            number = other->numbers[second->number + from];
        else if (from != FRESH && !now.other[i] && from < source->count)
            number = trace->numbers[source->number + from];
        else
            number = wri_prng_scale(wri_prng_next(random), source->max);
        plan->numbers[plan->number_count++] = number > source->max ? source->max : number;
    }
    return true;
}

uint64_t wri_rearrange_length(const wri_node *length)
{
    if (length->kind == WRI_INTEGER)
        return (uint64_t)wri_choice_integer_value(length->number, length->lo, length->max);
    return length->number + (uint64_t)length->lo;
}

uint64_t wri_rearrange_longest(const wri_node *length)
{
    return length->max + (uint64_t)length->lo;
}

uint64_t wri_rearrange_answer(const wri_node *length, uint64_t count)
{
    uint64_t longest = wri_rearrange_longest(length);
    count = count > longest ? longest : count;
    if (length->lo > 0 && count < (uint64_t)length->lo)
        count = (uint64_t)length->lo;
    if (length->kind == WRI_INTEGER)
        return wri_choice_integer_number((int64_t)count, length->lo, length->max);
    return count - (uint64_t)length->lo;
}

/* How many elements belong to a length, by the first that does. */
static uint32_t elements_of(const wri_trace *trace, uint32_t length)
{
    for (uint32_t i = length + 1; i < trace->node_count; i++)
        if ((trace->nodes[i].what == WRI_LOOP || trace->nodes[i].what == WRI_ARRAY) &&
            trace->nodes[i].tie == length)
            return trace->nodes[i].count > MOST_ELEMENTS ? MOST_ELEMENTS + 1
                                                         : (uint32_t)trace->nodes[i].count;
    return 0;
}

static bool takes_others(wri_arrangement how)
{
    return how == WRI_SPLICE || how == WRI_JOIN;
}

/* How many elements the other log has for what belongs to a length. To join logs, only those that
 * are there count: the log may have been cut off. */
static uint32_t others_of(const wri_trace *trace, uint32_t length, wri_arrangement how,
                          const wri_trace *other)
{
    static elements found;
    uint32_t        at = length + 1;
    while (at < trace->node_count &&
           (trace->nodes[at].tie != length || trace->nodes[at].what == WRI_CHOICE))
        at++;
    uint32_t there = at == trace->node_count ? WRI_NO_NODE : alike(other, &trace->nodes[at]);
    if (there == WRI_NO_NODE)
        return 0;
    if (how == WRI_SPLICE || other->nodes[there].what == WRI_ARRAY)
        return (uint32_t)other->nodes[there].count;
    find_elements(&found, other, there);
    return found.count;
}

bool wri_rearrange_elements(wri_trace *plan, const wri_trace *trace, uint32_t length,
                            wri_arrangement how, const wri_trace *other, uint64_t *random)
{
    return wri_rearrange_first(plan, trace, length, UINT32_MAX, how, other, random);
}

bool wri_rearrange_first(wri_trace *plan, const wri_trace *trace, uint32_t length, uint32_t most,
                         wri_arrangement how, const wri_trace *other, uint64_t *random)
{
    static places made; /* of each node of the log in the plan */
    trace = nested(trace, &sorted_log, &length);
    other = trace == NULL ? NULL : nested(other, &sorted_other, NULL);
    if (other == NULL)
        return false;
    uint32_t others = takes_others(how) ? others_of(trace, length, how, other) : 0;
    uint32_t count = elements_of(trace, length);
    if (!reserve_order(&made, trace->node_count) ||
        !arrange(how, count < most ? count : most, others, random))
        return false;
    plan->node_count = plan->number_count = 0;
    for (uint32_t i = 0; i < trace->node_count;) {
        const wri_node *node = &trace->nodes[i];
        uint32_t        parent = i == 0 ? WRI_NO_NODE : made.of[node->parent].place;
        made.of[i].place = (uint32_t)plan->node_count;
        bool belongs = node->tie == length && (node->what == WRI_LOOP || node->what == WRI_ARRAY);
        uint32_t second = belongs && takes_others(how) ? alike(other, node) : WRI_NO_NODE;
        if (belongs && node->what == WRI_LOOP) {
            if (!add_loop(plan, trace, i, parent, other, second))
                return false;
            i = end_of(trace, i);
            continue;
        }
        if (!(belongs ? add_array(plan, trace, i, parent, other, second, random)
                      : add(plan, trace, i, parent)))
            return false;
        if (i == length)
            plan->nodes[plan->node_count - 1].number = wri_rearrange_answer(node, now.count);
        i++;
    }
    return true;
}

/* ---- Spans ---- */

/* Some span, all alike; 0: there is none but the case itself. With a label: only such. */
static uint32_t pick_span(const wri_trace *trace, const uint32_t *label, uint64_t *random)
{
    uint32_t found = 0, seen = 0;
    for (uint32_t i = 1; i < trace->node_count; i++)
        if (trace->nodes[i].what == WRI_SPAN &&
            (label == NULL || trace->nodes[i].label == *label) && below(random, ++seen) == 0)
            found = i;
    return found;
}

/* The log with one span left out (its own node stays) or taken from elsewhere. */
static bool replace_span(wri_trace *plan, const wri_trace *trace, uint32_t span,
                         const wri_trace *other, uint32_t instead)
{
    uint32_t end = end_of(trace, span);
    plan->node_count = plan->number_count = 0;
    for (uint32_t i = 0; i < span; i++)
        if (!add(plan, trace, i, trace->nodes[i].parent))
            return false;
    uint32_t parent = trace->nodes[span].parent;
    if (!(other == NULL ? add(plan, trace, span, parent) : add_run(plan, other, instead, parent)))
        return false;
    uint32_t shift =
        end - (uint32_t)plan->node_count; /* may wrap; so does what it is taken from */
    for (uint32_t i = end; i < trace->node_count; i++) {
        uint32_t above = trace->nodes[i].parent;
        if (!add(plan, trace, i, above >= end ? above - shift : above))
            return false;
    }
    return true;
}

bool wri_rearrange_regrow(wri_trace *plan, const wri_trace *trace, uint64_t *random)
{
    trace = nested(trace, &sorted_log, NULL);
    uint32_t span = trace == NULL ? 0 : pick_span(trace, NULL, random);
    return span != 0 && replace_span(plan, trace, span, NULL, 0);
}

bool wri_rearrange_graft(wri_trace *plan, const wri_trace *trace, const wri_trace *other,
                         uint64_t *random)
{
    trace = nested(trace, &sorted_log, NULL);
    other = trace == NULL ? NULL : nested(other, &sorted_other, NULL);
    uint32_t span = other == NULL ? 0 : pick_span(trace, NULL, random);
    if (span == 0)
        return false;
    uint32_t instead = pick_span(other, &trace->nodes[span].label, random);
    return instead != 0 && replace_span(plan, trace, span, other, instead);
}
