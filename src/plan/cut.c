/* plan/cut.c: takes parts out of a plan, in place.
 *
 * Elements go together with everything that depends on them. That is the length, the other arrays
 * and loops tied to it, and the calls whose handles name a removed call.
 */
#include "plan/cut.h"

#include <stdlib.h>
#include <string.h>

#include "plan/rearrange.h"

/* ---- Lengths ---- */

static bool is_tied(const wri_trace *trace, uint32_t length)
{
    for (size_t i = length + 1; i < trace->node_count; i++)
        if (trace->nodes[i].tie == length)
            return true;
    return false;
}

static uint32_t next_sibling(const wri_trace *trace, uint32_t node)
{
    for (uint32_t i = node + 1; i < trace->node_count; i++)
        if (trace->nodes[i].parent == trace->nodes[node].parent)
            return i;
    return WRI_NO_NODE;
}

uint64_t wri_cut_plain_round(const wri_trace *trace, uint32_t length)
{
    uint32_t first = next_sibling(trace, length), again = first;
    uint64_t round = 0, seen = 0;
    uint64_t rounds = trace->nodes[length].number + (uint64_t)trace->nodes[length].lo;
    if (trace->nodes[length].kind != WRI_LENGTH || first == WRI_NO_NODE || rounds == 0)
        return 0;
    do {
        again = next_sibling(trace, again);
        round++;
    } while (again != WRI_NO_NODE && trace->nodes[again].label != trace->nodes[first].label);
    for (uint32_t i = first, ahead = again; ahead != WRI_NO_NODE;
         i = next_sibling(trace, i), ahead = next_sibling(trace, ahead), seen++)
        if (trace->nodes[i].label != trace->nodes[ahead].label)
            break;
    return seen + round >= rounds * round ? round : 0;
}

/* ---- Removing ---- */

/* In one pass, as a parent stands before its children: going up from each node would cost the
 * depth of each. */
void wri_cut_below(const wri_trace *trace, uint32_t span, bool *below)
{
    memset(below, 0, span);
    below[span] = true;
    for (size_t i = span + 1; i < trace->node_count; i++)
        below[i] = below[trace->nodes[i].parent];
}

static bool is_marked(const wri_trace *trace, uint32_t node)
{
    return (trace->nodes[node].kind & WRI_CUT_MARK) != 0;
}

void wri_cut_marked(wri_trace *trace)
{
    uint32_t *moved = malloc(trace->node_count * sizeof *moved);
    uint32_t  kept = 0;
    for (uint32_t i = 0; i < trace->node_count; i++) {
        wri_node node = trace->nodes[i];
        if (moved == NULL) { /* nothing can be removed: the marks go */
            trace->nodes[i].kind &= WRI_CUT_MARK - 1;
            continue;
        }
        bool orphan = node.parent != WRI_NO_NODE && moved[node.parent] == WRI_NO_NODE;
        moved[i] = is_marked(trace, i) || orphan ? WRI_NO_NODE : kept;
        if (moved[i] == WRI_NO_NODE)
            continue;
        if (node.parent != WRI_NO_NODE)
            node.parent = moved[node.parent];
        if (node.tie != WRI_NO_NODE)
            node.tie = moved[node.tie];
        trace->nodes[kept++] = node;
    }
    trace->node_count = moved == NULL ? trace->node_count : kept;
    free(moved);
}

uint64_t wri_cut_length_count(const wri_trace *trace, uint32_t length)
{
    for (size_t i = length + 1; i < trace->node_count; i++)
        if (trace->nodes[i].tie == length)
            return trace->nodes[i].count;
    return wri_cut_plain_round(trace, length) > 0
               ? trace->nodes[length].number + (uint64_t)trace->nodes[length].lo
               : 0;
}

static void cut_array(wri_trace *trace, wri_node *node, uint64_t from, uint64_t count)
{
    uint64_t *numbers = trace->numbers + node->number;
    if (from >= node->count)
        return;
    if (count > node->count - from)
        count = node->count - from;
    memmove(numbers + from, numbers + from + count,
            (node->count - from - count) * sizeof *numbers);
    node->count -= count;
}

/* Is the node inside one of the elements that belong to the length? */
static bool is_within(const wri_trace *trace, uint32_t node, uint32_t length)
{
    for (uint32_t up = node; up != WRI_NO_NODE && up > length; up = trace->nodes[up].parent)
        if (trace->nodes[up].tie == length)
            return true;
    return false;
}

static bool may_point(const wri_trace *trace, uint32_t node, uint64_t total)
{
    return trace->nodes[node].what >= WRI_CHOICE && trace->nodes[node].kind == WRI_INDEX &&
           trace->nodes[node].max + 1 == total;
}

bool wri_cut_points_inside(const wri_trace *trace, uint32_t length)
{
    uint64_t total = wri_cut_length_count(trace, length);
    for (uint32_t i = length + 1; i < trace->node_count; i++)
        if (may_point(trace, i, total) && is_within(trace, i, length))
            return true;
    return false;
}

/* An index that was drawn below the count of elements still points at the same one. An index
 * inside the elements themselves is more likely one of something else, as many by chance:
 * those only when `inside_too`. */
static void aim_again(wri_trace *trace, uint32_t length, uint64_t total, uint64_t from,
                      uint64_t count, bool inside_too)
{
    for (uint32_t i = length + 1; i < trace->node_count; i++) {
        wri_node *node = &trace->nodes[i];
        bool index = may_point(trace, i, total) && (inside_too || !is_within(trace, i, length));
        if (index && node->what == WRI_CHOICE && node->number >= from + count)
            node->number -= count;
        for (uint64_t k = 0; index && node->what == WRI_ARRAY && k < node->count; k++)
            if (trace->numbers[node->number + k] >= from + count)
                trace->numbers[node->number + k] -= count;
    }
}

/* ---- Calls ---- */

bool wri_cut_is_call(const wri_trace *trace, uint32_t span)
{
    uint32_t first = span + 1;
    return first < trace->node_count && trace->nodes[span].what == WRI_ELEMENT &&
           trace->nodes[first].parent == span && trace->nodes[first].what == WRI_CHOICE &&
           trace->nodes[first].kind == WRI_COMMAND;
}

/* The element of a loop that a handle is in, unless it is marked; WRI_NO_NODE: none. */
static uint32_t element_with_handle(const wri_trace *trace, uint32_t node, uint32_t loop)
{
    if (trace->nodes[node].kind != WRI_HANDLE)
        return WRI_NO_NODE;
    while (node != WRI_NO_NODE && node > loop && trace->nodes[node].parent != loop)
        node = trace->nodes[node].parent;
    bool outside = node == WRI_NO_NODE || node <= loop;
    return outside || is_marked(trace, node) ? WRI_NO_NODE : node;
}

static bool is_named_by(const wri_trace *trace, uint32_t element, uint32_t loop, uint32_t handle)
{
    const wri_node *node = &trace->nodes[element];
    return node->parent == loop && node->what == WRI_ELEMENT &&
           node->number == trace->nodes[handle].label;
}

/* Looks at the elements that handles like this one name, up to its own: is that one marked, and
 * how many before it are? */
static bool names_marked(const wri_trace *trace, uint32_t loop, uint32_t handle, uint64_t *before)
{
    uint64_t left = trace->nodes[handle].number;
    *before = 0;
    for (uint32_t i = loop + 1; i < handle; i++) {
        if (!is_named_by(trace, i, loop, handle))
            continue;
        if (left-- == 0)
            return is_marked(trace, i);
        *before += is_marked(trace, i);
    }
    return false;
}

/* With elements that are taken out go those whose handles name them, and so on; all other handles
 * name what they named before. Returns how many go besides. */
static uint64_t take_dependants(wri_trace *trace, uint32_t loop)
{
    uint64_t more = 0, before;
    for (uint32_t i = loop + 1; i < trace->node_count; i++) {
        uint32_t element = element_with_handle(trace, i, loop);
        if (element == WRI_NO_NODE || !names_marked(trace, loop, i, &before))
            continue;
        wri_cut_mark(trace, element);
        more++;
    }
    for (uint32_t i = loop + 1; i < trace->node_count; i++)
        if (element_with_handle(trace, i, loop) != WRI_NO_NODE) {
            names_marked(trace, loop, i, &before);
            trace->nodes[i].number -= before;
        }
    return more;
}

void wri_cut_elements(wri_trace *trace, uint32_t length, uint64_t from, uint64_t count,
                      bool inside_too)
{
    aim_again(trace, length, wri_cut_length_count(trace, length), from, count, inside_too);
    uint64_t round_nodes = is_tied(trace, length) ? 0 : wri_cut_plain_round(trace, length);
    uint64_t place = 0, most = count;
    for (uint32_t i = round_nodes > 0 ? next_sibling(trace, length) : WRI_NO_NODE;
         i != WRI_NO_NODE; i = next_sibling(trace, i), place++)
        if (place >= from * round_nodes && place < (from + count) * round_nodes)
            wri_cut_mark(trace, i);
    for (uint32_t i = length + 1; i < trace->node_count; i++) {
        wri_node *node = &trace->nodes[i];
        if (node->tie != length)
            continue;
        if (node->what == WRI_ARRAY) {
            cut_array(trace, node, from, count);
            continue;
        }
        uint64_t round = 0;
        for (uint32_t j = i + 1; j < trace->node_count; j++)
            if (trace->nodes[j].parent == i && trace->nodes[j].what == WRI_ELEMENT) {
                if (round >= from && round < from + count)
                    wri_cut_mark(trace, j);
                round++;
            }
        uint64_t going = count + take_dependants(trace, i);
        node->count -= going < node->count ? going : node->count;
        most = going > most ? going : most;
    }
    count = most;
    wri_node *choice = &trace->nodes[length];
    uint64_t  left = wri_rearrange_length(choice);
    choice->number = wri_rearrange_answer(choice, left > count ? left - count : 0);
    wri_cut_marked(trace);
}

void wri_cut_hoist(wri_trace *trace, uint32_t span, uint32_t descendant)
{
    bool *below = malloc(trace->node_count * sizeof *below);
    bool *kept = malloc(trace->node_count * sizeof *kept);
    if (below != NULL && kept != NULL) {
        wri_cut_below(trace, span, below);
        wri_cut_below(trace, descendant, kept);
        for (uint32_t i = span + 1; i < trace->node_count; i++)
            if (i == descendant || (below[i] && !kept[i]))
                wri_cut_mark(trace, i);
        for (uint32_t i = descendant + 1; i < trace->node_count; i++)
            if (trace->nodes[i].parent == descendant)
                trace->nodes[i].parent = span;
        wri_cut_marked(trace);
    }
    free(below);
    free(kept);
}
