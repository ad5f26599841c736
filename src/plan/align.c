/* plan/align.c: looks answers up by address.
 *
 * Each span of the plan has a cursor at its first unused child, so a case that follows the plan
 * in order finds every answer at once.
 */
#include "plan/align.h"

#include <stdlib.h>
#include <string.h>

/* How far a label is looked for among unused siblings: bounds the cost of a plan that does not
 * fit at all. */
#define LOOK_AHEAD 256

static bool reserve(wri_align *align, size_t nodes)
{
    if (nodes <= align->room)
        return true;
    size_t    room = nodes + nodes / 2;
    uint32_t *first = realloc(align->first, room * sizeof *first);
    if (first != NULL)
        align->first = first;
    uint32_t *next = realloc(align->next, room * sizeof *next);
    if (next != NULL)
        align->next = next;
    uint32_t *cursor = realloc(align->cursor, room * sizeof *cursor);
    if (cursor != NULL)
        align->cursor = cursor;
    uint8_t *used = realloc(align->used, room);
    if (used != NULL)
        align->used = used;
    if (first == NULL || next == NULL || cursor == NULL || used == NULL)
        return false;
    align->room = room;
    return true;
}

/* Children as lists; of a node that is used, nobody will ask. */
static bool list_children(wri_align *align, const wri_trace *plan)
{
    size_t nodes = plan->node_count;
    if (!reserve(align, nodes + 1))
        return false;
    align->plan = plan;
    for (size_t i = 0; i < nodes; i++)
        align->first[i] = align->next[i] = WRI_NO_NODE;
    for (size_t i = nodes; i-- > 1;) { /* from the last, so that lists end up in order */
        uint32_t parent = plan->nodes[i].parent;
        align->next[i] = align->first[parent];
        align->first[parent] = (uint32_t)i;
    }
    memcpy(align->cursor, align->first, nodes * sizeof *align->cursor);
    return true;
}

bool wri_align_open(wri_align *align)
{
    if (align->open == NULL) {
        align->open = malloc(64 * sizeof *align->open);
        if (align->open == NULL)
            return false;
        align->open_room = 64;
    }
    align->open[0] = 0;
    align->depth = 1;
    return true;
}

bool wri_align_start(wri_align *align, const wri_trace *plan)
{
    if (!list_children(align, plan) || !wri_align_open(align))
        return false;
    memset(align->used, 0, plan->node_count);
    align->open[0] = plan->node_count > 0 ? 0 : WRI_NO_NODE;
    return true;
}

bool wri_align_resume(wri_align *align, const wri_trace *plan, size_t from, size_t limit)
{
    if (!list_children(align, plan))
        return false;
    for (size_t i = 0; i < plan->node_count; i++)
        align->used[i] = i < from || i >= limit;
    return true;
}

void wri_align_free(wri_align *align)
{
    free(align->first);
    free(align->next);
    free(align->cursor);
    free(align->used);
    free(align->open);
    memset(align, 0, sizeof *align);
}

uint32_t wri_align_find(wri_align *align, uint32_t label, wri_node_what what)
{
    uint32_t span = align->open[align->depth - 1];
    if (span == WRI_NO_NODE)
        return WRI_NO_NODE;
    while (align->cursor[span] != WRI_NO_NODE && align->used[align->cursor[span]])
        align->cursor[span] = align->next[align->cursor[span]];
    uint32_t at = align->cursor[span];
    for (unsigned steps = 0; at != WRI_NO_NODE && steps < LOOK_AHEAD; steps++) {
        const wri_node *node = &align->plan->nodes[at];
        if (!align->used[at] && node->label == label && node->what == what) {
            align->used[at] = 1;
            return at;
        }
        at = align->next[at];
    }
    return WRI_NO_NODE;
}

void wri_align_push(wri_align *align, uint32_t counterpart)
{
    if (align->depth == align->open_room) {
        uint32_t *open = realloc(align->open, 2 * align->open_room * sizeof *open);
        if (open == NULL)
            abort(); /* a worker out of memory is reported as any other crash */
        align->open = open;
        align->open_room *= 2;
    }
    align->open[align->depth++] = counterpart;
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
    if (wri_may_be_none(request->kind) && (found == WRI_NO_NODE || !wri_legal(request, number)))
        return WRI_NO_ANSWER;
    if (number > request->max)
        number = request->max;
    return wri_next_legal(request, number);
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
