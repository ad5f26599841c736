/* plan/compare.c: decides which of two cases is simpler. */
#include "plan/compare.h"

/* Goes over all numbers of a trace in the order made. */
typedef struct cursor {
    const wri_trace *trace;
    size_t           node;
    uint64_t         element;
} cursor;

static bool next_number(cursor *at, uint64_t *number)
{
    for (; at->node < at->trace->node_count; at->node++, at->element = 0) {
        const wri_node *node = &at->trace->nodes[at->node];
        if (node->what == WRI_CHOICE && node->max > 0 && at->element == 0) {
            at->element = 1;
            *number = node->number;
            return true;
        }
        if (node->what == WRI_ARRAY && at->element < node->count) {
            *number = at->trace->numbers[node->number + at->element++];
            return true;
        }
    }
    return false;
}

/* Choices, and what they are about: a span, such as a node of a tree, weighs as much as two. So
 * a node less is simpler even where a depth limit lets deeper nodes get by with fewer choices. */
static size_t weight(const wri_trace *trace)
{
    size_t spans = 0;
    for (size_t i = 1; i < trace->node_count; i++)
        spans += trace->nodes[i].what == WRI_SPAN;
    return wri_trace_choices(trace) + 2 * spans;
}

int wri_compare_traces(const wri_trace *a, const wri_trace *b)
{
    size_t weight_a = weight(a), weight_b = weight(b);
    if (weight_a != weight_b)
        return weight_a < weight_b ? -1 : 1;
    cursor   at_a = { .trace = a }, at_b = { .trace = b };
    uint64_t x, y;
    while (next_number(&at_a, &x) && next_number(&at_b, &y))
        if (x != y)
            return x < y ? -1 : 1;
    return 0;
}
