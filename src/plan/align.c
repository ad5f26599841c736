/* plan/align.c: looks answers up by address.
 *
 * Each span of the plan has a cursor at its first unused child. So a case that follows the plan
 * in order finds every answer at once.
 */
#include "plan/align.h"

#include <stdlib.h>
#include <string.h>

#include "core/case.h"
#include "core/grow.h"

/* How far a label is looked for among unused siblings: bounds the cost of a plan that does not
 * fit at all. */
#define LOOK_AHEAD 256

/* Children as lists; of a node that is used, nobody will ask. Nodes below `from` are used, and
 * nodes from `limit` on. */
static bool list_children(wri_align *align, const wri_trace *plan, size_t from, size_t limit)
{
    size_t                   count = plan->node_count;
    struct wri_aligned_node *nodes = wri_grow(align->nodes, sizeof *nodes, count, &align->room);
    if (nodes == NULL)
        return false;
    align->nodes = nodes;
    align->plan = plan;
    for (size_t i = 0; i < count; i++)
        nodes[i] = (struct wri_aligned_node){ WRI_NO_NODE, WRI_NO_NODE, i < from || i >= limit };
    for (size_t i = count; i-- > 1;) { /* from the last, so that lists end up in order */
        struct wri_aligned_node *parent = &nodes[plan->nodes[i].parent];
        nodes[i].next = parent->cursor;
        parent->cursor = (uint32_t)i;
    }
    return true;
}

bool wri_align_open(wri_align *align)
{
    uint32_t *open = wri_grow(align->open, sizeof *open, 0, &align->open_room);
    if (open == NULL)
        return false;
    align->open = open;
    wri_align_only(align, 0);
    return true;
}

bool wri_align_start(wri_align *align, const wri_trace *plan)
{
    if (!list_children(align, plan, 0, plan->node_count) || !wri_align_open(align))
        return false;
    align->open[0] = plan->node_count > 0 ? 0 : WRI_NO_NODE;
    return true;
}

bool wri_align_resume(wri_align *align, const wri_trace *plan, size_t from, size_t limit)
{
    return list_children(align, plan, from, limit);
}

void wri_align_free(wri_align *align)
{
    free(align->nodes);
    free(align->open);
    memset(align, 0, sizeof *align);
}

uint32_t wri_align_find(wri_align *align, uint32_t label, wri_node_what what)
{
    struct wri_aligned_node *nodes = align->nodes;
    uint32_t                 span = align->open[align->depth - 1];
    if (span == WRI_NO_NODE)
        return WRI_NO_NODE;
    uint32_t *first = &nodes[span].cursor;
    while (*first != WRI_NO_NODE && nodes[*first].used)
        *first = nodes[*first].next;
    uint32_t at = *first;
    for (unsigned steps = 0; at != WRI_NO_NODE && steps < LOOK_AHEAD; steps++) {
        const wri_node *node = &align->plan->nodes[at];
        if (!nodes[at].used && node->label == label && node->what == what) {
            nodes[at].used = true;
            return at;
        }
        at = nodes[at].next;
    }
    return WRI_NO_NODE;
}

void wri_align_push(wri_align *align, uint32_t counterpart)
{
    uint32_t *open = wri_grow(align->open, sizeof *open, align->depth, &align->open_room);
    if (open == NULL)
        wri_case_no_memory();
    align->open = open;
    open[align->depth++] = counterpart;
}

void wri_align_only(wri_align *align, uint32_t counterpart)
{
    align->open[0] = counterpart;
    align->depth = 1;
}

uint32_t wri_align_enter(wri_align *align, uint32_t label, wri_node_what what)
{
    uint32_t found = wri_align_find(align, label, what);
    wri_align_push(align, found);
    return found;
}

void wri_align_leave(wri_align *align)
{
    if (align->depth > 1)
        align->depth--;
}

uint64_t wri_align_choice(wri_align *align, const wri_request *request, uint32_t label)
{
    uint32_t found = wri_align_find(align, label, WRI_CHOICE);
    uint64_t number = found == WRI_NO_NODE ? 0 : align->plan->nodes[found].number;
    if (wri_kind_may_be_none(request->kind) &&
        (found == WRI_NO_NODE || !wri_request_legal(request, number)))
        return WRI_NO_ANSWER;
    if (number > request->max)
        number = request->max;
    return wri_request_next_legal(request, number);
}

void wri_align_array(wri_align *align, uint64_t max, uint32_t label, size_t count,
                     uint64_t *numbers)
{
    uint32_t        found = wri_align_find(align, label, WRI_ARRAY);
    const wri_node *node = found == WRI_NO_NODE ? NULL : &align->plan->nodes[found];
    size_t          planned = node == NULL ? 0 : node->count < count ? node->count : count;
    for (size_t i = 0; i < planned; i++) {
        uint64_t number = align->plan->numbers[node->number + i];
        numbers[i] = number > max ? max : number;
    }
    memset(numbers + planned, 0, (count - planned) * sizeof *numbers);
}
