/* shrink/points.c: the points of the best case: every number that a pass may lower. */
#include <string.h>

#include "core/grow.h"
#include "shrink/shrinker.h"

/* ---- Points ---- */

uint64_t wri_point_number(const wri_trace *trace, wri_point point)
{
    return wri_trace_number(trace, point.node, point.element);
}

bool wri_point_valid(const wri_trace *trace, wri_point point)
{
    if (point.node >= trace->node_count)
        return false;
    const wri_node *node = &trace->nodes[point.node];
    return (node->what == WRI_CHOICE && point.element == 0) ||
           (node->what == WRI_ARRAY && point.element < node->count);
}

void wri_point_set(wri_trace *trace, wri_point point, uint64_t number)
{
    if (!wri_point_valid(trace, point))
        return;
    wri_node *node = &trace->nodes[point.node];
    if (node->what == WRI_ARRAY)
        trace->numbers[node->number + point.element] = number;
    else
        node->number = number;
}

bool wri_point_is_number(const wri_trace *trace, wri_point point)
{
    const wri_node *node = &trace->nodes[point.node];
    return node->kind == WRI_INTEGER || node->kind == WRI_REAL;
}

/* Whole reals are values too; their range is not in the trace, so any that is not too large is
 * tried. */
#define LARGEST_REAL ((int64_t)1 << 50)

bool wri_point_is_whole(const wri_trace *trace, wri_point point)
{
    return trace->nodes[point.node].kind == WRI_INTEGER ||
           (trace->nodes[point.node].kind == WRI_REAL &&
            wri_point_number(trace, point) < (uint64_t)LARGEST_REAL);
}

int64_t wri_point_lowest(const wri_node *node)
{
    return node->kind == WRI_REAL ? -LARGEST_REAL : node->lo;
}

uint64_t wri_point_range(const wri_node *node)
{
    return node->kind == WRI_REAL ? 2 * (uint64_t)LARGEST_REAL : node->max;
}

int64_t wri_point_value(const wri_trace *trace, wri_point point)
{
    const wri_node *node = &trace->nodes[point.node];
    return wri_choice_integer_value(wri_point_number(trace, point), wri_point_lowest(node),
                                    wri_point_range(node));
}

/* Sets a value, if the range has it. */
bool wri_point_set_value(wri_trace *trace, wri_point point, int64_t value)
{
    const wri_node *node = &trace->nodes[point.node];
    if (value < wri_point_lowest(node) ||
        (uint64_t)value - (uint64_t)wri_point_lowest(node) > wri_point_range(node))
        return false;
    wri_point_set(
        trace, point,
        wri_choice_integer_number(value, wri_point_lowest(node), wri_point_range(node)));
    return true;
}

/* Once for every best case, for the passes ask of every node. */
static bool find_lengths(wri_shrinker *s)
{
    const wri_trace *best = s->best;
    uint8_t         *grown = wri_grow(s->lengths, 1, best->node_count, &s->length_room);
    if (grown == NULL)
        return false;
    s->lengths = grown;
    memset(s->lengths, 0, best->node_count);
    for (uint32_t i = 0; i < best->node_count; i++)
        if (best->nodes[i].tie != WRI_NO_NODE)
            s->lengths[best->nodes[i].tie] = 1;
    for (uint32_t i = 1; i < best->node_count; i++)
        if (best->nodes[i].what == WRI_CHOICE && best->nodes[i].kind == WRI_LENGTH &&
            !s->lengths[i])
            s->lengths[i] = wri_cut_plain_round(best, i) > 0;
    s->lengths_of = s->improvements + 1;
    return true;
}

static bool count_draws(wri_shrinker *s)
{
    size_t    count = s->best->node_count;
    uint32_t *draws = wri_grow(s->draws, sizeof *draws, count, &s->draws_room);
    if (draws == NULL)
        return false;
    s->draws = draws;
    for (size_t i = 0; i < count; i++)
        draws[i] = s->best->nodes[i].what >= WRI_CHOICE;
    for (size_t i = count; i-- > 1;) /* a parent stands before its children */
        draws[s->best->nodes[i].parent] += draws[i];
    s->draws_of = s->improvements + 1;
    return true;
}

uint32_t wri_shrink_draws(wri_shrinker *s, uint32_t node)
{
    if (s->draws_of != s->improvements + 1 && !count_draws(s)) {
        s->over = true;
        return 0;
    }
    return s->draws[node];
}

bool *wri_shrink_below(wri_shrinker *s, uint32_t span)
{
    bool *grown = wri_grow(s->below, sizeof *grown, s->best->node_count, &s->below_room);
    if (grown == NULL) {
        s->over = true;
        return NULL;
    }
    s->below = grown;
    wri_cut_below(s->best, span, grown);
    return grown;
}

bool wri_shrink_is_length(wri_shrinker *s, uint32_t node)
{
    if (s->lengths_of != s->improvements + 1 && !find_lengths(s))
        return false;
    return s->lengths[node];
}

/* From `point` on, the first that there is. */
static bool settle(wri_shrinker *s, wri_point *point)
{
    for (; point->node < s->best->node_count; point->node++, point->element = 0) {
        const wri_node *node = &s->best->nodes[point->node];
        if (node->what == WRI_ARRAY && point->element < node->count)
            return true;
        if (node->what == WRI_CHOICE && point->element == 0 && node->max > 0 &&
            !wri_shrink_is_length(s, point->node))
            return true;
    }
    return false;
}

bool wri_point_first(wri_shrinker *s, wri_point *point)
{
    *point = (wri_point){ 0, 0 };
    return settle(s, point);
}

bool wri_point_next(wri_shrinker *s, wri_point *point)
{
    point->element++;
    return settle(s, point);
}

size_t wri_points(wri_shrinker *s, wri_wanted *wanted, bool zeroes_too, wri_point *points,
                  size_t room)
{
    wri_point at;
    size_t    count = 0;
    for (bool more = wri_point_first(s, &at); more && count < room; more = wri_point_next(s, &at))
        if ((wanted == NULL || wanted(s->best, at)) &&
            (zeroes_too || wri_point_number(s->best, at) > 0))
            points[count++] = at;
    return count;
}
