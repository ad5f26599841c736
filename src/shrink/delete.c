/* shrink/delete.c: passes that remove choices.
 *
 * Most elements of a failing case have nothing to do with the failure. They are removed from the
 * end, from the front, in blocks and in pairs; whole spans, too.
 */
#include <stdlib.h>
#include <string.h>

#include "shrink/shrinker.h"

/* ---- Elements ---- */

static bool try_cut(wri_shrinker *s, uint32_t length, uint64_t from, uint64_t count)
{
    wri_cut_elements(wri_shrink_plan(s), length, from, count, false);
    if (wri_shrink_attempt(s))
        return true;
    if (!wri_cut_points_inside(s->best, length))
        return false;
    wri_cut_elements(wri_shrink_plan(s), length, from, count, true);
    return wri_shrink_attempt(s);
}

static bool still_length(wri_shrinker *s, uint32_t node)
{
    return node < s->best->node_count && s->best->nodes[node].what == WRI_CHOICE &&
           wri_shrink_is_length(s, node);
}

/* How many elements could go. */
static uint64_t spare(wri_shrinker *s, uint32_t length)
{
    const wri_node *node = &s->best->nodes[length];
    uint64_t        count = wri_cut_length_count(s->best, length);
    uint64_t        spare = node->number;
    if (node->kind == WRI_INTEGER) {
        int64_t lowest = node->lo > 0 ? node->lo : 0;
        spare = count > (uint64_t)lowest ? count - (uint64_t)lowest : 0;
    }
    return spare < count ? spare : count;
}

/* Is there more than one element, of which some could go? */
static bool may_lose_some(wri_shrinker *s, uint32_t length)
{
    return still_length(s, length) && spare(s, length) > 0 &&
           wri_cut_length_count(s->best, length) > 1;
}

/* Drops as many elements as possible from the end (or from the front): all, all but one, all
 * but two, then by halves. */
static void trim(wri_shrinker *s, uint32_t length, bool front)
{
    uint64_t most = spare(s, length);
    uint64_t count = wri_cut_length_count(s->best, length);
    for (uint64_t left = 0; left <= 2 && left < most; left++)
        if (try_cut(s, length, front ? 0 : count - (most - left), most - left))
            return;
    if (most <= 3)
        return;
    uint64_t good = 0, bad = most - 2; /* how many were dropped */
    while (bad - good > 1 && !s->over && still_length(s, length)) {
        uint64_t middle = good + (bad - good) / 2;
        uint64_t now = wri_cut_length_count(s->best, length);
        if (middle <= good || middle - good > now)
            break;
        if (try_cut(s, length, front ? 0 : now - (middle - good), middle - good))
            good = middle;
        else
            bad = middle;
    }
}

/* Blocks from the inside, from large to single elements, from the end on. */
static void cut_blocks(wri_shrinker *s, uint32_t length)
{
    uint64_t count = wri_cut_length_count(s->best, length);
    if (count > 2 && spare(s, length) >= count - 2 && try_cut(s, length, 1, count - 2))
        return;
    for (uint64_t block = spare(s, length) / 2; block >= 1 && !s->over; block /= 2) {
        if (!still_length(s, length))
            return;
        count = wri_cut_length_count(s->best, length);
        for (uint64_t end = count; end >= block && !s->over;) {
            bool gone = spare(s, length) >= block && try_cut(s, length, end - block, block);
            if (!still_length(s, length))
                return;
            count = wri_cut_length_count(s->best, length);
            end = gone ? (end > count ? count : end) : end - block;
            if (!gone && end < block)
                break;
        }
    }
}

/* An element of the arrays only, or of the loops only. */
static bool try_cut_of(wri_shrinker *s, uint32_t length, uint64_t element, wri_node_what what)
{
    wri_trace *plan = wri_shrink_plan(s);
    for (uint32_t i = length + 1; i < plan->node_count; i++)
        if (plan->nodes[i].tie == length && plan->nodes[i].what != what)
            plan->nodes[i].tie = WRI_NO_NODE;
    wri_cut_elements(plan, length, element, 1, false);
    return wri_shrink_attempt(s);
}

#define MOST_DOUBTFUL 8

static void cut_either(wri_shrinker *s, uint32_t length)
{
    uint64_t count = wri_cut_length_count(s->best, length);
    for (uint64_t i = 0; i < count && i < MOST_DOUBTFUL && !s->over; i++)
        if (try_cut_of(s, length, i, WRI_ARRAY) || try_cut_of(s, length, i, WRI_LOOP))
            return;
}

/* One less, and nothing else: where two lengths happen to be equal, elements may be tied to the
 * wrong one; with another value the next run ties them right. */
static void lower_alone(wri_shrinker *s, uint32_t length)
{
    const wri_node *node = &s->best->nodes[length];
    bool            doubtful = false;
    if (node->kind != WRI_LENGTH || node->number == 0)
        return;
    for (uint32_t i = 1; i < s->best->node_count; i++) {
        const wri_node *other = &s->best->nodes[i];
        doubtful |= i != length && other->what == WRI_CHOICE && other->kind == WRI_LENGTH &&
                    other->number + (uint64_t)other->lo == node->number + (uint64_t)node->lo;
    }
    if (!doubtful)
        return;
    wri_trace *plan = wri_shrink_plan(s);
    plan->nodes[length].number--;
    if (!wri_shrink_attempt(s))
        cut_either(s, length);
}

#define MOST_APART 24

/* The later one first, as that moves no other. */
static bool try_cut_two(wri_shrinker *s, uint32_t length, uint64_t one, uint64_t other)
{
    wri_trace *plan = wri_shrink_plan(s);
    wri_cut_elements(plan, length, other, 1, false);
    wri_cut_elements(plan, length, one, 1, false);
    return wri_shrink_attempt(s);
}

static void cut_pairs(wri_shrinker *s, uint32_t length)
{
    for (uint64_t one = 0; still_length(s, length) && !s->over; one++) {
        uint64_t count = wri_cut_length_count(s->best, length);
        if (one + 1 >= count || count > MOST_APART)
            return;
        for (uint64_t other = one + 1; other < count && !s->over; other++)
            if (try_cut_two(s, length, one, other))
                return;
    }
}

/* Why: of calls, one often undoes another: without either the sequence is another one, without
 * both it is the same. All pairs, where there are few calls.
 * Cannot: take out three calls that only go together. */
void wri_shrink_pass_apart(wri_shrinker *s)
{
    for (uint32_t i = 1; i + 1 < s->best->node_count && !s->over; i++) {
        const wri_node *loop = &s->best->nodes[i];
        if (loop->what != WRI_LOOP || !wri_cut_is_call(s->best, i + 1) ||
            loop->tie == WRI_NO_NODE)
            continue;
        cut_pairs(s, loop->tie);
    }
}

/* Could the array's values be indices of its own elements? */
static bool points_into_itself(const wri_trace *trace, uint32_t array)
{
    const wri_node *node = &trace->nodes[array];
    uint64_t        largest = 0;
    if (node->what != WRI_ARRAY || node->tie == WRI_NO_NODE || node->count == 0)
        return false;
    for (uint64_t i = 0; i < node->count; i++) {
        uint64_t number = trace->numbers[node->number + i];
        largest = number > largest ? number : largest;
    }
    return largest > 0 && largest < node->count;
}

static uint32_t self_pointing(const wri_trace *trace, uint32_t length)
{
    for (uint32_t i = length + 1; i < trace->node_count; i++)
        if (trace->nodes[i].tie == length && points_into_itself(trace, i))
            return i;
    return WRI_NO_NODE;
}

/* Why: most of a failing case has nothing to do with the failure, and every element less makes
 * all later passes cheaper. A length, its arrays and its loops lose an element in one step.
 * Lists that may point into themselves are only trimmed; wri_shrink_pass_renumber knows better.
 * Cannot: delete elements that must go together but are not neighbours. */
void wri_shrink_pass_delete(wri_shrinker *s)
{
    for (uint32_t i = 1; i < s->best->node_count && !s->over; i++) {
        if (s->best->nodes[i].what != WRI_CHOICE)
            continue;
        lower_alone(s, i);
        if (!still_length(s, i) || spare(s, i) == 0)
            continue;
        trim(s, i, false);
        if (may_lose_some(s, i))
            trim(s, i, true);
        if (may_lose_some(s, i) && self_pointing(s->best, i) == WRI_NO_NODE)
            cut_blocks(s, i);
    }
}

/* ---- Elements that others point at ---- */

static bool try_renumber(wri_shrinker *s, uint32_t array, uint64_t from, uint64_t count)
{
    wri_trace *plan = wri_shrink_plan(s);
    wri_node  *node = &plan->nodes[array];
    uint64_t  *numbers = plan->numbers + node->number;
    for (uint64_t i = 0; i < node->count; i++)
        numbers[i] -= numbers[i] >= from + count ? count : 0;
    wri_cut_elements(plan, node->tie, from, count, false);
    return wri_shrink_attempt(s);
}

static void renumber_blocks(wri_shrinker *s, uint32_t length)
{
    for (uint64_t block = spare(s, length) / 2 + 1; block >= 1 && !s->over; block /= 2) {
        uint64_t end = wri_cut_length_count(s->best, length);
        while (end >= block && !s->over) {
            uint32_t array =
                still_length(s, length) ? self_pointing(s->best, length) : WRI_NO_NODE;
            if (array == WRI_NO_NODE)
                return;
            bool gone = spare(s, length) >= block && try_renumber(s, array, end - block, block);
            uint64_t count = wri_cut_length_count(s->best, length);
            end = gone ? (end > count ? count : end) : end - block;
        }
    }
}

/* Why: in data that points into itself ("element 3 refers to element 5") no element can go
 * alone; when a block goes, every value at or above its end must go down by as much.
 * Only where all values of the array are below its length, so that they can be indices.
 * Cannot: keep references right across several arrays of different lengths. */
void wri_shrink_pass_renumber(wri_shrinker *s)
{
    for (uint32_t i = 1; i < s->best->node_count && !s->over; i++) {
        if (s->best->nodes[i].what != WRI_CHOICE || !still_length(s, i) || spare(s, i) == 0 ||
            self_pointing(s->best, i) == WRI_NO_NODE)
            continue;
        renumber_blocks(s, i);
        if (may_lose_some(s, i))
            cut_blocks(s, i);
    }
}

/* ---- Spans ---- */

/* Anything below the span that is not 0 yet. */
static bool has_numbers(wri_shrinker *s, uint32_t span)
{
    const wri_trace *trace = s->best;
    const bool      *below = wri_shrink_below(s, span);
    for (uint32_t i = span + 1; below != NULL && i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (!below[i])
            continue;
        if (node->what == WRI_CHOICE && node->number > 0)
            return true;
        if (node->what == WRI_ARRAY && node->count > 0)
            return true;
    }
    return false;
}

static bool try_empty(wri_shrinker *s, uint32_t span)
{
    wri_trace *plan = wri_shrink_plan(s);
    for (uint32_t i = span + 1; i < plan->node_count; i++)
        if (plan->nodes[i].parent == span)
            wri_cut_mark(plan, i);
    wri_cut_marked(plan);
    return wri_shrink_attempt(s);
}

/* Without the span, and with the choice before it, which asked for it, at 0. */
static bool try_without(wri_shrinker *s, uint32_t span)
{
    uint32_t parent = s->best->nodes[span].parent, asked = WRI_NO_NODE;
    for (uint32_t i = parent + 1; i < span; i++)
        if (s->best->nodes[i].parent == parent)
            asked = i;
    if (asked == WRI_NO_NODE || s->best->nodes[asked].what != WRI_CHOICE ||
        s->best->nodes[asked].number == 0 || wri_shrink_is_length(s, asked))
        return false;
    wri_trace *plan = wri_shrink_plan(s);
    plan->nodes[asked].number = 0;
    wri_cut_mark(plan, span);
    wri_cut_marked(plan);
    return wri_shrink_attempt(s);
}

/* Does the span begin with another one, and draw all that it draws in there? Nothing decides
 * between them, so the property opens both or none: a try with the inner one is a try with both.
 */
static bool wraps(wri_shrinker *s, uint32_t span)
{
    const wri_trace *trace = s->best;
    uint32_t         inner = span + 1;
    return inner < trace->node_count && trace->nodes[inner].what == WRI_SPAN &&
           trace->nodes[inner].parent == span &&
           wri_shrink_draws(s, inner) == wri_shrink_draws(s, span);
}

/* The nearest descendants with the span's own label, in order; each is tried in its place. What
 * is below one of them is not among them. */
static bool try_descendants(wri_shrinker *s, uint32_t span)
{
    uint32_t label = s->best->nodes[span].label;
    bool    *below = wri_shrink_below(s, span);
    for (uint32_t i = span + 1; below != NULL && i < s->best->node_count && !s->over; i++) {
        const wri_node *node = &s->best->nodes[i];
        below[i] = below[node->parent];
        if (!below[i] || node->label != label)
            continue;
        below[i] = false;
        if (node->what != WRI_SPAN)
            continue;
        wri_cut_hoist(wri_shrink_plan(s), span, i);
        if (wri_shrink_attempt(s))
            return true;
    }
    return false;
}

/* Why: in recursive data the failure sits in some subtree; putting that in its ancestor's place
 * goes a level down at once, and an empty span is the simplest value of its kind.
 * Cannot: move a subtree to a place with another label, or aside. */
void wri_shrink_pass_spans(wri_shrinker *s)
{
    for (uint32_t i = 1; wri_shrink_goes_on(s) && i < s->best->node_count; i++) {
        if (s->best->nodes[i].what != WRI_SPAN || wraps(s, i))
            continue;
        while (i < s->best->node_count && s->best->nodes[i].what == WRI_SPAN &&
               try_descendants(s, i))
            ;
        if (i < s->best->node_count && s->best->nodes[i].what == WRI_SPAN && !try_without(s, i) &&
            has_numbers(s, i))
            try_empty(s, i);
    }
}

/* ---- Without spans ---- */

/* Takes `count` nodes of a span away, from a node on, each with all that is in it. */
static bool try_interval(wri_shrinker *s, uint32_t lowered, uint32_t from, unsigned count)
{
    wri_trace *plan = wri_shrink_plan(s);
    uint32_t   parent = plan->nodes[from].parent;
    for (uint32_t i = from; i < plan->node_count && count > 0; i++)
        if (plan->nodes[i].parent == parent) {
            wri_cut_mark(plan, i);
            count--;
        }
    if (count > 0)
        return false;
    if (lowered != WRI_NO_NODE)
        plan->nodes[lowered].number = 0;
    wri_cut_marked(plan);
    return wri_shrink_attempt(s);
}

bool wri_shrink_has_repeats(const wri_trace *trace)
{
    for (uint32_t i = 1; i < trace->node_count; i++)
        for (uint32_t j = i + 1; j < trace->node_count && j < i + 64; j++)
            if (trace->nodes[i].what == WRI_CHOICE && trace->nodes[j].what == WRI_CHOICE &&
                trace->nodes[i].parent == trace->nodes[j].parent &&
                trace->nodes[i].label == trace->nodes[j].label)
                return true;
    return false;
}

#define LONGEST_INTERVAL 4
#define MOST_FLAT 64

/* Why: recursive data drawn without spans is a flat row of choices. A few neighbours less, with
 * or without the choice before them, which may have asked for them, takes a leaf away or puts
 * a child in its parent's place.
 * Only where draws of the same name repeat in one span, and not too many.
 * Cannot: take a subtree of more than a few choices in one step. */
void wri_shrink_pass_flat(wri_shrinker *s)
{
    if (!wri_shrink_has_repeats(s->best) || wri_trace_choices(s->best) > MOST_FLAT)
        return;
    for (uint32_t i = 1; i < s->best->node_count && !s->over; i++) {
        const wri_node *node = &s->best->nodes[i];
        if (node->what != WRI_CHOICE || wri_shrink_is_length(s, i))
            continue;
        bool form = node->number > 0 && node->kind != WRI_INTEGER && node->kind != WRI_REAL;
        bool gone = false;
        for (unsigned count = 1; count <= LONGEST_INTERVAL && !gone; count++)
            gone = (form && i + 1 < s->best->node_count && try_interval(s, i, i + 1, count)) ||
                   try_interval(s, WRI_NO_NODE, i, count);
        if (gone)
            i--;
    }
}
