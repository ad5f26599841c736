/* cover/formula.c: expressions, made simple as they are made. */
#include "cover/formula.h"

#include <stdlib.h>

const wri_expression *wri_expression_make(wri_memory *memory, wri_operator op,
                                          const wri_expression *left, const wri_expression *right)
{
    wri_expression *made = wri_memory_take(memory, sizeof *made);
    if (!made || !left || (!right && op != WRI_OP_NEGATE && op != WRI_OP_NOT))
        return NULL;
    *made = (wri_expression){ .op = op, .parameter = WRI_ANY, .left = left, .right = right };
    return made;
}

const wri_expression *wri_expression_number(wri_memory *memory, int64_t number)
{
    wri_expression *made = wri_memory_take(memory, sizeof *made);
    if (made)
        *made = (wri_expression){ .op = WRI_OP_NUMBER, .parameter = WRI_ANY, .number = number };
    return made;
}

const wri_expression *wri_expression_value(wri_memory *memory, uint32_t parameter)
{
    wri_expression *made = wri_memory_take(memory, sizeof *made);
    if (made)
        *made = (wri_expression){ .op = WRI_OP_VALUE, .parameter = parameter };
    return made;
}

wri_formula wri_formula_truth(wri_memory *memory, bool holds)
{
    return wri_expression_number(memory, holds);
}

/* ---- Sets of levels --------------------------------------------------------------------- */

static wri_formula make_set(wri_memory *memory, const wri_model *model, uint32_t parameter,
                            const wri_interval *intervals, uint32_t count)
{
    uint32_t levels = model->parameters[parameter].levels;
    if (count == 0)
        return wri_formula_truth(memory, false);
    if (count == 1 && intervals[0].from == 0 && intervals[0].to == levels - 1)
        return wri_formula_truth(memory, true);
    wri_expression *made = wri_memory_take(memory, sizeof *made);
    if (made)
        *made = (wri_expression){ .op = WRI_OP_IN,
                                  .parameter = parameter,
                                  .set = { count, intervals } };
    return made;
}

wri_formula wri_formula_where(wri_memory *memory, const wri_model *model, uint32_t parameter,
                              bool (*fits)(void *state, uint32_t level), void *state)
{
    uint32_t levels = model->parameters[parameter].levels, count = 0, at = 0;
    bool     before = false;
    for (uint32_t level = 0; level < levels; level++) {
        bool now = fits(state, level);
        count += now && !before;
        before = now;
    }
    wri_interval *intervals = wri_memory_take(memory, count * sizeof *intervals);
    if (!intervals)
        return NULL;
    for (uint32_t level = 0; level < levels; level++)
        if (fits(state, level)) {
            if (at > 0 && intervals[at - 1].to + 1 == level)
                intervals[at - 1].to = level;
            else
                intervals[at++] = (wri_interval){ level, level };
        }
    return make_set(memory, model, parameter, intervals, count);
}

typedef struct comparison {
    const wri_parameter *parameter;
    wri_operator         op;
    int64_t              number;
} comparison;

bool wri_compares(wri_operator op, int64_t a, int64_t b)
{
    switch (op) {
    case WRI_OP_EQUAL: return a == b;
    case WRI_OP_UNEQUAL: return a != b;
    case WRI_OP_LESS: return a < b;
    case WRI_OP_AT_MOST: return a <= b;
    case WRI_OP_GREATER: return a > b;
    default: return a >= b;
    }
}

static bool level_compares(void *state, uint32_t level)
{
    const comparison *c = state;
    return wri_compares(c->op, wri_number_at(c->parameter, level), c->number);
}

/* How many levels of a range have numbers below this one. */
static uint32_t levels_below(const wri_parameter *range, int64_t number)
{
    if (number <= range->first)
        return 0;
    uint64_t distance = (uint64_t)number - (uint64_t)range->first - 1;
    uint64_t below = distance / (uint64_t)range->step + 1;
    return below < range->levels ? (uint32_t)below : range->levels;
}

static wri_formula compare_range(wri_memory *memory, const wri_model *model, uint32_t parameter,
                                 wri_operator op, int64_t number)
{
    const wri_parameter *range = &model->parameters[parameter];
    uint32_t             below = levels_below(range, number), levels = range->levels, count = 0;
    bool                 there = below < levels && wri_number_at(range, below) == number;
    uint32_t             above = below + there;
    wri_interval        *made = wri_memory_take(memory, 2 * sizeof *made);
    if (!made)
        return NULL;
    bool     less = op == WRI_OP_LESS || op == WRI_OP_AT_MOST || op == WRI_OP_UNEQUAL;
    bool     equal = op == WRI_OP_EQUAL || op == WRI_OP_AT_MOST || op == WRI_OP_AT_LEAST;
    bool     more = op == WRI_OP_GREATER || op == WRI_OP_AT_LEAST || op == WRI_OP_UNEQUAL;
    uint32_t low_end = less ? (equal ? above : below) : 0;
    if (low_end > 0)
        made[count++] = (wri_interval){ 0, low_end - 1 };
    if (op == WRI_OP_EQUAL && there)
        made[count++] = (wri_interval){ below, below };
    uint32_t high_start = equal ? below : above;
    if (more && high_start < levels) {
        if (count == 1 && made[0].to + 1 == high_start)
            made[0].to = levels - 1;
        else
            made[count++] = (wri_interval){ high_start, levels - 1 };
    }
    return make_set(memory, model, parameter, made, count);
}

wri_formula wri_formula_compared(wri_memory *memory, const wri_model *model, uint32_t parameter,
                                 wri_operator op, int64_t number)
{
    comparison c = { &model->parameters[parameter], op, number };
    if (c.parameter->domain == WRI_DOMAIN_RANGE)
        return compare_range(memory, model, parameter, op, number);
    return wri_formula_where(memory, model, parameter, level_compares, &c);
}

static wri_formula complement(wri_memory *memory, const wri_model *model, wri_formula of)
{
    uint32_t      levels = model->parameters[of->parameter].levels, count = 0, next = 0;
    wri_interval *made = wri_memory_take(memory, (of->set.count + 1) * sizeof *made);
    if (!made)
        return NULL;
    for (uint32_t i = 0; i < of->set.count; i++) {
        if (of->set.intervals[i].from > next)
            made[count++] = (wri_interval){ next, of->set.intervals[i].from - 1 };
        next = of->set.intervals[i].to + 1;
    }
    if (next < levels)
        made[count++] = (wri_interval){ next, levels - 1 };
    return make_set(memory, model, of->parameter, made, count);
}

static wri_formula intersect(wri_memory *memory, const wri_model *model, wri_formula a,
                             wri_formula b)
{
    uint32_t      count = 0;
    wri_interval *made = wri_memory_take(memory, (a->set.count + b->set.count) * sizeof *made);
    if (!made)
        return NULL;
    for (uint32_t i = 0, j = 0; i < a->set.count && j < b->set.count;) {
        wri_interval x = a->set.intervals[i], y = b->set.intervals[j];
        uint32_t     from = x.from > y.from ? x.from : y.from, to = x.to < y.to ? x.to : y.to;
        if (from <= to)
            made[count++] = (wri_interval){ from, to };
        if (x.to < y.to)
            i++;
        else
            j++;
    }
    return make_set(memory, model, a->parameter, made, count);
}

static wri_formula unite(wri_memory *memory, const wri_model *model, wri_formula a, wri_formula b)
{
    uint32_t      count = 0;
    wri_interval *made = wri_memory_take(memory, (a->set.count + b->set.count) * sizeof *made);
    if (!made)
        return NULL;
    for (uint32_t i = 0, j = 0; i < a->set.count || j < b->set.count;) {
        bool first = j == b->set.count ||
                     (i < a->set.count && a->set.intervals[i].from <= b->set.intervals[j].from);
        wri_interval next = first ? a->set.intervals[i++] : b->set.intervals[j++];
        if (count > 0 && next.from <= made[count - 1].to + 1)
            made[count - 1].to = next.to > made[count - 1].to ? next.to : made[count - 1].to;
        else
            made[count++] = next;
    }
    return make_set(memory, model, a->parameter, made, count);
}

/* ---- Truth ------------------------------------------------------------------------------ */

static bool constant(wri_formula f)
{
    return f->op == WRI_OP_NUMBER;
}

static bool of_one_parameter(wri_formula a, wri_formula b)
{
    return a->op == WRI_OP_IN && b->op == WRI_OP_IN && a->parameter == b->parameter;
}

wri_formula wri_formula_not(wri_memory *memory, const wri_model *model, wri_formula of)
{
    if (!of)
        return NULL;
    switch (of->op) {
    case WRI_OP_NUMBER: return wri_formula_truth(memory, !of->number);
    case WRI_OP_IN: return complement(memory, model, of);
    case WRI_OP_NOT: return of->left;
    case WRI_OP_AND:
        return wri_formula_or(memory, model, wri_formula_not(memory, model, of->left),
                              wri_formula_not(memory, model, of->right));
    case WRI_OP_OR:
        return wri_formula_and(memory, model, wri_formula_not(memory, model, of->left),
                               wri_formula_not(memory, model, of->right));
    default: return wri_expression_make(memory, WRI_OP_NOT, of, NULL);
    }
}

wri_formula wri_formula_and(wri_memory *memory, const wri_model *model, wri_formula a,
                            wri_formula b)
{
    if (!a || !b)
        return NULL;
    if (constant(a))
        return a->number ? b : a;
    if (constant(b))
        return b->number ? a : b;
    return of_one_parameter(a, b) ? intersect(memory, model, a, b)
                                  : wri_expression_make(memory, WRI_OP_AND, a, b);
}

wri_formula wri_formula_or(wri_memory *memory, const wri_model *model, wri_formula a,
                           wri_formula b)
{
    if (!a || !b)
        return NULL;
    if (constant(a))
        return a->number ? a : b;
    if (constant(b))
        return b->number ? b : a;
    return of_one_parameter(a, b) ? unite(memory, model, a, b)
                                  : wri_expression_make(memory, WRI_OP_OR, a, b);
}

wri_formula wri_formula_implies(wri_memory *memory, const wri_model *model, wri_formula a,
                                wri_formula b)
{
    return wri_formula_or(memory, model, wri_formula_not(memory, model, a), b);
}

wri_formula wri_formula_join(wri_memory *memory, const wri_model *model, wri_operator op,
                             const wri_formula *parts, size_t count)
{
    if (count == 0)
        return wri_formula_truth(memory, op == WRI_OP_AND);
    if (count == 1)
        return parts[0];
    wri_formula left = wri_formula_join(memory, model, op, parts, count / 2);
    wri_formula right = wri_formula_join(memory, model, op, parts + count / 2, count - count / 2);
    return op == WRI_OP_AND ? wri_formula_and(memory, model, left, right)
                            : wri_formula_or(memory, model, left, right);
}
