/* plan/splice.c: the numbers of later arrays move, where an array becomes longer or shorter. */
#include "plan/splice.h"

#include <string.h>

#include "plan/rearrange.h"

/* Is the array alone tied to a length that can say this count? */
static bool can_have(const wri_trace *plan, uint32_t array, uint64_t count)
{
    uint32_t length = plan->nodes[array].tie;
    if (length == WRI_NO_NODE)
        return false;
    for (uint32_t i = 0; i < plan->node_count; i++)
        if (plan->nodes[i].tie == length && i != array)
            return false;
    wri_node said = plan->nodes[length];
    said.number = wri_rearrange_answer(&said, count);
    return wri_rearrange_length(&said) == count;
}

bool wri_splice(wri_trace *plan, uint32_t array, size_t at, size_t removed,
                const uint64_t *numbers, size_t count)
{
    wri_node *node = &plan->nodes[array];
    if (at > node->count || removed > node->count - at)
        return false;
    size_t   rest = node->count - at - removed, becomes = at + count + rest;
    size_t   from = node->number + at, end = plan->number_count;
    uint64_t first = node->number;
    if (count != removed &&
        (!can_have(plan, array, becomes) ||
         !wri_trace_reserve(plan, plan->node_count, plan->number_count + count)))
        return false;
    memmove(plan->numbers + from + count, plan->numbers + from + removed,
            (end - from - removed) * sizeof *numbers);
    memcpy(plan->numbers + from, numbers, count * sizeof *numbers);
    if (count == removed)
        return true;
    plan->number_count = end - removed + count;
    for (size_t i = 0; i < plan->node_count; i++)
        if (plan->nodes[i].what == WRI_ARRAY && plan->nodes[i].number > first)
            plan->nodes[i].number += count - removed;
    node->count = becomes;
    wri_node *length = &plan->nodes[node->tie];
    length->number = wri_rearrange_answer(length, becomes);
    return true;
}
