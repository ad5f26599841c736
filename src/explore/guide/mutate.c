/* explore/guide/mutate.c: the kinds of change, by weight.
 *
 * The weights come from measurement. For values drawn late, a fresh end behind a feature is by
 * far the best change. For values drawn first, another answer in one place is. The other changes
 * serve sequences and trees.
 */
#include "explore/guide/mutate.h"

#include <string.h>

#include "core/prng.h"
#include "explore/constant.h"
#include "plan/splice.h"

static uint64_t below(uint64_t *random, uint64_t count)
{
    return wri_prng_scale(wri_prng_next(random), count - 1);
}

static bool chance(uint64_t *random, unsigned one_in)
{
    return below(random, one_in) == 0;
}

/* An entry to take from; it may be the same. */
static wri_entry_view another(wri_mutation *mutation)
{
    uint32_t feature = wri_pool_pick(mutation->pool, mutation->random);
    return wri_pool_view(mutation->pool, mutation->pool->features[feature].owner);
}

/* ---- Other answers ---- */

#define FEW WRI_FEW /* so many values can all be tried */

/* The k-th of the values where code changes its mind: both ends of the range, and at and beside
 * each power of two, on either side of zero. False: there are no more. */
static bool boundary(const wri_node *node, unsigned k, uint64_t *number)
{
    bool     integer = node->kind == WRI_INTEGER;
    int64_t  lo = integer ? node->lo : 0;
    uint64_t max = node->max;
    if (k < 4) {
        uint64_t offset = k < 2 ? (uint64_t)(k & 1) : max - (uint64_t)(k & 1);
        *number = integer ? wri_choice_integer_number((int64_t)((uint64_t)lo + offset), lo, max)
                          : offset;
        return true;
    }
    k -= 4;
    unsigned power = k / 6 + 1;
    if (power > 64)
        return false;
    uint64_t value = (power == 64 ? 0 : UINT64_C(1) << power) + (uint64_t)(k % 3) - 1;
    if (k % 6 >= 3)
        value = 0 - value;
    uint64_t offset = value - (uint64_t)lo;
    if (!integer || offset > max) /* out of the range: some other one */
        *number = integer       ? wri_prng_mix(value) % max
                  : value > max ? wri_prng_mix(value) % max
                                : value;
    else
        *number = wri_choice_integer_number((int64_t)value, lo, max);
    return true;
}

/* Most counts are powers of two, those of booleans and bytes, and a division takes long. */
static uint64_t modulo(uint64_t number, uint64_t count)
{
    return (count & (count - 1)) == 0 ? number & (count - 1) : number % count;
}

/* The next value that this position did not have yet. */
static uint64_t next_of_few(const wri_node *node, uint64_t number, uint64_t start, unsigned tried)
{
    uint64_t count = node->max + 1, made = modulo(start + tried, count);
    return made == number ? modulo(made + 1, count) : made;
}

/* More or less than it was, by steps of every size alike. */
static uint64_t step_aside(const wri_node *node, uint64_t number, uint64_t word, unsigned bits)
{
    bool     integer = node->kind == WRI_INTEGER;
    uint64_t lo = integer ? (uint64_t)node->lo : 0, max = node->max;
    uint64_t offset =
        integer ? (uint64_t)wri_choice_integer_value(number, node->lo, max) - lo : number;
    uint64_t step = 1 + (wri_prng_mix(word) >> 1 >> (63 - (word >> 8) % bits));
    if ((word & 4) != 0)
        offset = max - offset < step ? max : offset + step;
    else
        offset = offset < step ? 0 : offset - step;
    return integer ? wri_choice_integer_number((int64_t)(lo + offset), node->lo, max) : offset;
}

/* A value near the one that is there, or quite another. */
static uint64_t any_other(const wri_node *node, uint64_t number, uint64_t *random)
{
    uint64_t word = wri_prng_next(random), max = node->max;
    unsigned bits = 64 - (unsigned)__builtin_clzll(max);
    switch (word & 3) {
    case 0: return step_aside(node, number, word, bits);
    case 1: { /* a bit */
        uint64_t flipped = number ^ (UINT64_C(1) << (word >> 8) % bits);
        return flipped > max ? max : flipped;
    }
    default: return wri_prng_scale(wri_prng_next(random), max);
    }
}

/* A new answer for a position. Few values are tried one after the other; of many, those at the
 * boundaries, every other time; where a number should grow, mostly a step. */
static uint64_t new_answer(wri_mutation *mutation, const wri_entry_view *view, uint32_t position,
                           uint32_t at, uint32_t element)
{
    const wri_node *node = &view->trace.nodes[at];
    uint64_t        number = wri_trace_number(&view->trace, at, element);
    uint16_t       *word = &view->tried[position];
    unsigned        tried = *word & WRI_TRIED;
    uint64_t        made;
    if (tried < WRI_TRIED)
        ++*word;
    if (node->max < FEW && tried >= node->max)
        *word |= WRI_SPENT;
    if (node->max < FEW) {
        uint64_t count = node->max + 1; /* several searches each begin somewhere else */
        uint64_t start =
            wri_prng_mix(mutation->pool->entries[mutation->entry].number * WRI_GAMMA + position);
        start = modulo(start, count) + mutation->pool->shard * count / WRI_SHARDS;
        return next_of_few(node, number, start, tried);
    }
    if (mutation->climbs && node->kind != WRI_REAL && !chance(mutation->random, 4)) {
        unsigned bits = 64 - (unsigned)__builtin_clzll(node->max);
        return step_aside(node, number, wri_prng_next(mutation->random), bits);
    }
    if (node->kind != WRI_REAL && (tried & 1) == 0 && boundary(node, tried / 2, &made))
        return made > node->max ? node->max : made;
    return any_other(node, number, mutation->random);
}

#define POSITION_TRIES 5

/* A position to change: rarely one that made a feature, and not one whose values were all tried.
 */
static uint32_t pick_position(uint64_t word, const wri_entry_view *view)
{
    uint32_t position = 0;
    for (unsigned i = 0; i < POSITION_TRIES; i++, word *= WRI_GAMMA) {
        position = (uint32_t)wri_prng_scale(word, view->position_count - 1);
        uint16_t tried = view->tried[position];
        bool     anyway = (word & 0xf) == 0 && (tried & WRI_SPENT) == 0;
        if ((tried & (WRI_LOCKED | WRI_SPENT)) == 0 || anyway)
            break;
    }
    return position;
}

/* One change in so many is followed by another: some steps must be taken together. */
#define MORE_ONE_IN 12

/* The second value does not count as tried: it may be right, and the first change wrong. */
static void change_others(wri_mutation *mutation, const wri_entry_view *view)
{
    do {
        uint32_t node, element;
        wri_pool_position(view, (uint32_t)below(mutation->random, view->position_count), &node,
                          &element);
        uint64_t number = wri_trace_number(&view->trace, node, element);
        wri_mutant_change(mutation->mutant, node, element,
                          any_other(&view->trace.nodes[node], number, mutation->random));
    } while (mutation->mutant->change_count < WRI_CHANGES &&
             chance(mutation->random, MORE_ONE_IN));
}

static bool update(wri_mutation *mutation, const wri_entry_view *view)
{
    if (view->position_count == 0)
        return false;
    uint64_t word = wri_prng_next(mutation->random);
    uint32_t position = pick_position(word, view), node, element;
    wri_pool_position(view, position, &node, &element);
    wri_mutant_start(mutation->mutant, &view->trace, view->trace.node_count);
    wri_mutant_change(mutation->mutant, node, element,
                      new_answer(mutation, view, position, node, element));
    if ((word >> 16) % MORE_ONE_IN == 0)
        change_others(mutation, view);
    mutation->in_place = true;
    return true;
}

#define COPY_TRIES 4

/* The value of one place in another that has the same name and bound. */
static bool copy(wri_mutation *mutation, const wri_entry_view *view)
{
    if (view->position_count < 2)
        return false;
    wri_entry_view from = chance(mutation->random, 4) ? another(mutation) : *view;
    uint32_t       position = pick_position(wri_prng_next(mutation->random), view), node, element;
    wri_pool_position(view, position, &node, &element);
    const wri_node *to = &view->trace.nodes[node];
    if (to->max < FEW) /* its values are tried one by one as it is */
        return false;
    for (unsigned i = 0; i < COPY_TRIES && from.position_count > 0; i++) {
        uint32_t at, which;
        wri_pool_position(&from, (uint32_t)below(mutation->random, from.position_count), &at,
                          &which);
        const wri_node *node_from = &from.trace.nodes[at];
        if (node_from->label != to->label || node_from->max != to->max ||
            node_from->what != to->what)
            continue;
        wri_mutant_start(mutation->mutant, &view->trace, view->trace.node_count);
        wri_mutant_change(mutation->mutant, node, element,
                          wri_trace_number(&from.trace, at, which));
        mutation->in_place = true;
        return true;
    }
    return false;
}

/* ---- Constants of the program ---- */

/* Answers with a plan that was edited, if it was. */
static bool with_edited(wri_mutation *mutation, bool edited)
{
    if (edited)
        wri_mutant_start(mutation->mutant, mutation->edited, mutation->edited->node_count);
    return edited;
}

/* So many letters are put in at once. */
#define LETTERS 64

/* Letters or bytes over others or between them. A text that becomes longer keeps what it was. */
static bool put_letters(wri_mutation *mutation, const wri_entry_view *view, uint32_t node,
                        uint32_t element, const wri_request *request)
{
    uint64_t        made[LETTERS];
    const wri_node *array = &view->trace.nodes[node];
    bool            between = chance(mutation->random, 2);
    size_t          room = between ? LETTERS : array->count - element;
    size_t          count = wri_constant_letters(mutation->known, request, mutation->random,
                                        room < LETTERS ? room : LETTERS, made);
    return count > 0 && wri_trace_copy(mutation->edited, &view->trace) &&
           wri_splice(mutation->edited, node, element, between ? 0 : count, made, count) &&
           with_edited(mutation, true);
}

static bool put_constant(wri_mutation *mutation, const wri_entry_view *view)
{
    uint32_t node, element;
    uint64_t number;
    if (view->position_count == 0)
        return false;
    wri_pool_position(view, pick_position(wri_prng_next(mutation->random), view), &node,
                      &element);
    wri_request request = wri_constant_request(&view->trace.nodes[node]);
    if (view->trace.nodes[node].what == WRI_ARRAY && wri_constant_spells(&request))
        return put_letters(mutation, view, node, element, &request);
    if (!wri_constant_number(mutation->known, &request, mutation->random, &number) ||
        !wri_constant_helps(&request))
        return false;
    wri_mutant_start(mutation->mutant, &view->trace, view->trace.node_count);
    wri_mutant_change(mutation->mutant, node, element, number);
    mutation->in_place = true;
    return true;
}

/* ---- A fresh end ---- */

/* The length that the loop around a node belongs to, and how many of its elements begin before
 * the node; WRI_NOBODY when there is none. */
static uint32_t length_around(const wri_trace *trace, uint32_t node, uint64_t *elements)
{
    const wri_node *nodes = trace->nodes;
    for (uint32_t at = node; at != 0 && at != WRI_NO_NODE; at = nodes[at].parent) {
        uint32_t loop = nodes[at].parent;
        if (nodes[at].what != WRI_ELEMENT || loop == WRI_NO_NODE ||
            nodes[loop].tie == WRI_NO_NODE)
            continue;
        *elements = 0;
        for (uint32_t i = loop + 1; i <= at; i++)
            *elements += nodes[i].parent == loop;
        return nodes[loop].tie;
    }
    return WRI_NOBODY;
}

static bool is_longest(const wri_node *length)
{
    return wri_rearrange_length(length) >= wri_rearrange_longest(length);
}

/* Another length, at least so many elements. */
static uint64_t longer(const wri_node *length, uint64_t elements, uint64_t *random)
{
    uint64_t most = wri_rearrange_longest(length);
    if (length->lo > 0 && elements < (uint64_t)length->lo)
        elements = (uint64_t)length->lo;
    if (elements >= most)
        return wri_rearrange_answer(length, most);
    uint64_t room = most - elements;
    uint64_t more = chance(random, 2) ? below(random, room < 8 ? room + 1 : 8)
                                      : wri_prng_scale(wri_prng_next(random), room);
    return wri_rearrange_answer(length, elements + more);
}

/* The log up to where the feature showed; the answer after it is the next one not yet tried
 * there, and the rest is fresh. */
static bool cut(wri_mutation *mutation, const wri_entry_view *view)
{
    const wri_node *nodes = view->trace.nodes;
    uint32_t        position = wri_pool_position_from(view, mutation->cut), node, element;
    uint64_t        elements = 0;
    uint32_t        around = length_around(&view->trace, mutation->cut - 1, &elements);
    if (position == view->position_count) { /* nothing came after it: there must be room first */
        if (around == WRI_NOBODY || is_longest(&nodes[around]))
            return false;
        wri_mutant_start(mutation->mutant, &view->trace, view->trace.node_count);
        wri_mutant_change(mutation->mutant, around, 0,
                          longer(&nodes[around], elements + 1, mutation->random));
        mutation->in_place = true;
        return true;
    }
    wri_pool_position(view, position, &node, &element);
    bool single = nodes[node].what == WRI_CHOICE && nodes[node].max < FEW;
    wri_mutant_start(mutation->mutant, &view->trace, single ? node + 1 : node);
    if (single)
        wri_mutant_change(mutation->mutant, node, 0,
                          new_answer(mutation, view, position, node, element));
    if (around != WRI_NOBODY && chance(mutation->random, 4))
        wri_mutant_change(mutation->mutant, around, 0,
                          longer(&nodes[around], elements + 1, mutation->random));
    mutation->in_place = true;
    return true;
}

/* ---- Sequences ---- */

/* A length that something belongs to; WRI_NOBODY: there is none. */
static uint32_t pick_length(wri_mutation *mutation, const wri_trace *trace)
{
    uint32_t found = WRI_NOBODY, seen = 0;
    for (uint32_t i = 0; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if ((node->what == WRI_LOOP || node->what == WRI_ARRAY) && node->tie != WRI_NO_NODE &&
            below(mutation->random, ++seen) == 0)
            found = node->tie;
    }
    return found;
}

/* More elements, fresh ones. */
static bool append(wri_mutation *mutation, const wri_entry_view *view)
{
    const wri_node *nodes = view->trace.nodes;
    uint32_t        length = pick_length(mutation, &view->trace);
    if (length == WRI_NOBODY || is_longest(&nodes[length]))
        return false;
    wri_mutant_start(mutation->mutant, &view->trace, view->trace.node_count);
    for (;;) { /* things that are compared with each other must grow together */
        if (!is_longest(&nodes[length]))
            wri_mutant_change(mutation->mutant, length, 0,
                              longer(&nodes[length], wri_rearrange_length(&nodes[length]) + 1,
                                     mutation->random));
        if (!chance(mutation->random, 3) || mutation->mutant->change_count == WRI_CHANGES)
            break;
        length = pick_length(mutation, &view->trace);
    }
    mutation->in_place = true;
    return true;
}

static bool rearranged(wri_mutation *mutation, const wri_entry_view *view)
{
    uint32_t length = pick_length(mutation, &view->trace);
    if (length == WRI_NOBODY)
        return false;
    wri_entry_view other = another(mutation);
    return with_edited(mutation,
                       wri_rearrange_elements(mutation->edited, &view->trace, length,
                                              mutation->how, &other.trace, mutation->random));
}

/* ---- Trees ---- */

static bool regrow(wri_mutation *mutation, const wri_entry_view *view)
{
    return with_edited(mutation,
                       wri_rearrange_regrow(mutation->edited, &view->trace, mutation->random));
}

static bool graft(wri_mutation *mutation, const wri_entry_view *view)
{
    wri_entry_view other = another(mutation);
    return with_edited(mutation, wri_rearrange_graft(mutation->edited, &view->trace, &other.trace,
                                                     mutation->random));
}

/* ---- Choosing ---- */

static const struct {
    const char *name;
    unsigned    weight, needs; /* needs: what an entry must have, WRI_HAS_... */
    unsigned    untried; /* the weight where what comes next has answers that were not tried, */
    unsigned    at_end;  /* and where nothing comes next; 0: the same */
    bool (*make)(wri_mutation *mutation, const wri_entry_view *view);
    wri_arrangement how;
} CHANGES[] = {
    { "fresh end", 24, WRI_HAS_CHOICES, 80, 0, cut, 0 },
    { "other answer", 4, WRI_HAS_CHOICES, 0, 16, update, 0 },
    { "longer", 4, WRI_HAS_LENGTH, 0, 0, append, 0 },
    { "same value", 2, WRI_HAS_WIDE, 0, 0, copy, 0 },
    { "constant put in", 4, WRI_HAS_CHOICES | WRI_HAS_CONSTANTS, 0, 8, put_constant, 0 },
    { "element dropped", 1, WRI_HAS_LENGTH, 0, 0, rearranged, WRI_DROP },
    { "element doubled", 1, WRI_HAS_LENGTH, 0, 0, rearranged, WRI_DOUBLE },
    { "element put in", 1, WRI_HAS_LENGTH, 0, 0, rearranged, WRI_INSERT },
    { "elements swapped", 1, WRI_HAS_LENGTH, 0, 0, rearranged, WRI_SWAP },
    { "spliced", 1, WRI_HAS_LENGTH, 0, 0, rearranged, WRI_SPLICE },
    { "span regrown", 2, WRI_HAS_SPAN, 0, 0, regrow, 0 },
    { "span grafted", 1, WRI_HAS_SPAN, 0, 0, graft, 0 },
};
enum { CHANGE_COUNT = sizeof CHANGES / sizeof *CHANGES };

/* The part of the entry's log after the feature. */
typedef enum { AFTER_IT_SOMETHING, AFTER_IT_UNTRIED, AFTER_IT_NOTHING, AFTERS } after;

/* The changes that an entry allows, with their weights. */
typedef struct menu {
    uint32_t possible; /* a bit for each change */
    unsigned weights[CHANGE_COUNT], sum;
    uint8_t  lots[128]; /* as many of each change as it weighs */
} menu;

static unsigned weight_of(unsigned change, after then)
{
    unsigned special = then == AFTER_IT_UNTRIED   ? CHANGES[change].untried
                       : then == AFTER_IT_NOTHING ? CHANGES[change].at_end
                                                  : 0;
    return special > 0 ? special : CHANGES[change].weight;
}

static const menu *menu_for(unsigned has, after then)
{
    static menu known[AFTERS][WRI_HAS_ALL + 1];
    menu       *made = &known[then][has & WRI_HAS_ALL];
    if (made->sum > 0)
        return made;
    for (unsigned i = 0; i < CHANGE_COUNT; i++) {
        bool in_vain =
            CHANGES[i].make == cut && then == AFTER_IT_NOTHING && (has & WRI_HAS_LENGTH) == 0;
        if ((CHANGES[i].needs & ~has) != 0 || in_vain)
            continue;
        made->possible |= 1u << i;
        made->weights[i] = weight_of(i, then);
        for (unsigned k = 0; k < made->weights[i] && made->sum < sizeof made->lots; k++)
            made->lots[made->sum++] = (uint8_t)i;
    }
    return made;
}

static after what_comes_after(const wri_entry_view *view, uint32_t cut_at)
{
    uint32_t run = wri_pool_run_from(view, cut_at);
    if (run == view->run_count)
        return AFTER_IT_NOTHING;
    const wri_node *next = &view->trace.nodes[view->runs[run].node];
    bool            spent = (view->tried[view->runs[run].first] & WRI_SPENT) != 0;
    return next->what == WRI_CHOICE && next->max < FEW && !spent ? AFTER_IT_UNTRIED
                                                                 : AFTER_IT_SOMETHING;
}

/* One of the changes whose bits are set, by weight; their weights' sum is not 0. */
static unsigned pick_change(const menu *from, uint32_t possible, unsigned sum, uint64_t *random)
{
    unsigned left = (unsigned)below(random, sum), i = 0;
    if (sum == from->sum)
        return from->lots[left];
    for (;; i++) {
        unsigned weight = (possible >> i & 1) != 0 ? from->weights[i] : 0;
        if (left < weight)
            return i;
        left -= weight;
    }
}

wri_answerer *wri_mutate(wri_mutation *mutation)
{
    const wri_entry_view *view = &mutation->view;
    wri_pool_view_into(&mutation->view, mutation->pool, mutation->entry);
    unsigned    constants = mutation->known != NULL ? WRI_HAS_CONSTANTS : 0;
    const menu *from = menu_for(mutation->pool->entries[mutation->entry].has | constants,
                                what_comes_after(view, mutation->cut));
    uint32_t    possible = from->possible;
    unsigned    sum = from->sum;
    while (sum > 0) {
        unsigned i = pick_change(from, possible, sum, mutation->random);
        mutation->in_place = false;
        mutation->how = CHANGES[i].how;
        mutation->name = CHANGES[i].name;
        if (CHANGES[i].make(mutation, view))
            return &mutation->mutant->base;
        possible &= ~(1u << i);
        sum -= from->weights[i];
    }
    mutation->name = "as it was"; /* a case without choices has only itself */
    return wri_mutant_start(mutation->mutant, &view->trace, view->trace.node_count);
}
