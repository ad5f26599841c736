/* cover/model/formula.c: makes formulas, and simplifies each as it is made. */
#include "cover/model/formula.h"

#include "cover/model/expression.h"

const wrc_expression *wrc_expression_make(wrc_memory *memory, wrc_operator op,
                                          const wrc_expression *left, const wrc_expression *right)
{
    wrc_expression *made = wrc_memory_take(memory, sizeof *made);
    if (!made || !left || (!right && op != WRC_OP_NEGATE && op != WRC_OP_NOT))
        return NULL;
    *made = (wrc_expression){ .op = op, .parameter = WRC_ANY, .left = left, .right = right };
    return made;
}

const wrc_expression *wrc_expression_number(wrc_memory *memory, int64_t number)
{
    wrc_expression *made = wrc_memory_take(memory, sizeof *made);
    if (made)
        *made = (wrc_expression){ .op = WRC_OP_NUMBER, .parameter = WRC_ANY, .number = number };
    return made;
}

const wrc_expression *wrc_expression_value(wrc_memory *memory, uint32_t parameter)
{
    wrc_expression *made = wrc_memory_take(memory, sizeof *made);
    if (made)
        *made = (wrc_expression){ .op = WRC_OP_VALUE, .parameter = parameter };
    return made;
}

wrc_formula wrc_formula_truth(wrc_memory *memory, bool holds)
{
    return wrc_expression_number(memory, holds);
}

/* ---- Sets of levels --------------------------------------------------------------------- */

static wrc_formula make_set(wrc_memory *memory, const wrc_model *model, uint32_t parameter,
                            const wrc_interval *intervals, uint32_t count)
{
    uint32_t levels = model->parameters[parameter].levels;
    if (count == 0)
        return wrc_formula_truth(memory, false);
    if (count == 1 && intervals[0].from == 0 && intervals[0].to == levels - 1)
        return wrc_formula_truth(memory, true);
    wrc_expression *made = wrc_memory_take(memory, sizeof *made);
    if (made)
        *made = (wrc_expression){ .op = WRC_OP_IN,
                                  .parameter = parameter,
                                  .set = { count, intervals } };
    return made;
}

wrc_formula wrc_formula_where(wrc_memory *memory, const wrc_model *model, uint32_t parameter,
                              bool (*fits)(void *state, uint32_t level), void *state)
{
    uint32_t levels = model->parameters[parameter].levels, count = 0, at = 0;
    bool     before = false;
    for (uint32_t level = 0; level < levels; level++) {
        bool now = fits(state, level);
        count += now && !before;
        before = now;
    }
    wrc_interval *intervals = wrc_memory_take(memory, count * sizeof *intervals);
    if (!intervals)
        return NULL;
    for (uint32_t level = 0; level < levels; level++)
        if (fits(state, level)) {
            if (at > 0 && intervals[at - 1].to + 1 == level)
                intervals[at - 1].to = level;
            else
                intervals[at++] = (wrc_interval){ level, level };
        }
    return make_set(memory, model, parameter, intervals, count);
}

typedef struct comparison {
    const wrc_parameter *parameter;
    wrc_operator         op;
    int64_t              number;
} comparison;

static bool level_compares(void *state, uint32_t level)
{
    const comparison *c = state;
    return wrc_operator_holds(c->op, wrc_parameter_number(c->parameter, level), c->number);
}

/* How many levels of a range have numbers below this one. */
static uint32_t levels_below(const wrc_parameter *range, int64_t number)
{
    if (number <= range->first)
        return 0;
    uint64_t distance = (uint64_t)number - (uint64_t)range->first - 1;
    uint64_t below = distance / (uint64_t)range->step + 1;
    return below < range->levels ? (uint32_t)below : range->levels;
}

static wrc_formula compare_range(wrc_memory *memory, const wrc_model *model, uint32_t parameter,
                                 wrc_operator op, int64_t number)
{
    const wrc_parameter *range = &model->parameters[parameter];
    uint32_t             below = levels_below(range, number), levels = range->levels, count = 0;
    bool                 there = below < levels && wrc_parameter_number(range, below) == number;
    uint32_t             above = below + there;
    wrc_interval        *made = wrc_memory_take(memory, 2 * sizeof *made);
    if (!made)
        return NULL;
    bool     less = op == WRC_OP_LESS || op == WRC_OP_AT_MOST || op == WRC_OP_UNEQUAL;
    bool     equal = op == WRC_OP_EQUAL || op == WRC_OP_AT_MOST || op == WRC_OP_AT_LEAST;
    bool     more = op == WRC_OP_GREATER || op == WRC_OP_AT_LEAST || op == WRC_OP_UNEQUAL;
    uint32_t low_end = less ? (equal ? above : below) : 0;
    if (low_end > 0)
        made[count++] = (wrc_interval){ 0, low_end - 1 };
    if (op == WRC_OP_EQUAL && there)
        made[count++] = (wrc_interval){ below, below };
    uint32_t high_start = equal ? below : above;
    if (more && high_start < levels) {
        if (count == 1 && made[0].to + 1 == high_start)
            made[0].to = levels - 1;
        else
            made[count++] = (wrc_interval){ high_start, levels - 1 };
    }
    return make_set(memory, model, parameter, made, count);
}

wrc_formula wrc_formula_compared(wrc_memory *memory, const wrc_model *model, uint32_t parameter,
                                 wrc_operator op, int64_t number)
{
    comparison c = { &model->parameters[parameter], op, number };
    if (c.parameter->domain == WRC_DOMAIN_RANGE)
        return compare_range(memory, model, parameter, op, number);
    return wrc_formula_where(memory, model, parameter, level_compares, &c);
}

static wrc_formula complement(wrc_memory *memory, const wrc_model *model, wrc_formula of)
{
    uint32_t      levels = model->parameters[of->parameter].levels, count = 0, next = 0;
    wrc_interval *made = wrc_memory_take(memory, (of->set.count + 1) * sizeof *made);
    if (!made)
        return NULL;
    for (uint32_t i = 0; i < of->set.count; i++) {
        if (of->set.intervals[i].from > next)
            made[count++] = (wrc_interval){ next, of->set.intervals[i].from - 1 };
        next = of->set.intervals[i].to + 1;
    }
    if (next < levels)
        made[count++] = (wrc_interval){ next, levels - 1 };
    return make_set(memory, model, of->parameter, made, count);
}

static wrc_formula intersect(wrc_memory *memory, const wrc_model *model, wrc_formula a,
                             wrc_formula b)
{
    uint32_t      count = 0;
    wrc_interval *made = wrc_memory_take(memory, (a->set.count + b->set.count) * sizeof *made);
    if (!made)
        return NULL;
    for (uint32_t i = 0, j = 0; i < a->set.count && j < b->set.count;) {
        wrc_interval x = a->set.intervals[i], y = b->set.intervals[j];
        uint32_t     from = x.from > y.from ? x.from : y.from, to = x.to < y.to ? x.to : y.to;
        if (from <= to)
            made[count++] = (wrc_interval){ from, to };
        if (x.to < y.to)
            i++;
        else
            j++;
    }
    return make_set(memory, model, a->parameter, made, count);
}

static wrc_formula unite(wrc_memory *memory, const wrc_model *model, wrc_formula a, wrc_formula b)
{
    uint32_t      count = 0;
    wrc_interval *made = wrc_memory_take(memory, (a->set.count + b->set.count) * sizeof *made);
    if (!made)
        return NULL;
    for (uint32_t i = 0, j = 0; i < a->set.count || j < b->set.count;) {
        bool first = j == b->set.count ||
                     (i < a->set.count && a->set.intervals[i].from <= b->set.intervals[j].from);
        wrc_interval next = first ? a->set.intervals[i++] : b->set.intervals[j++];
        if (count > 0 && next.from <= made[count - 1].to + 1)
            made[count - 1].to = next.to > made[count - 1].to ? next.to : made[count - 1].to;
        else
            made[count++] = next;
    }
    return make_set(memory, model, a->parameter, made, count);
}

/* ---- Truth ------------------------------------------------------------------------------ */

static bool constant(wrc_formula f)
{
    return f->op == WRC_OP_NUMBER;
}

static bool of_one_parameter(wrc_formula a, wrc_formula b)
{
    return a->op == WRC_OP_IN && b->op == WRC_OP_IN && a->parameter == b->parameter;
}

wrc_formula wrc_formula_not(wrc_memory *memory, const wrc_model *model, wrc_formula of)
{
    if (!of)
        return NULL;
    switch (of->op) {
    case WRC_OP_NUMBER: return wrc_formula_truth(memory, !of->number);
    case WRC_OP_IN: return complement(memory, model, of);
    case WRC_OP_NOT: return of->left;
    case WRC_OP_AND:
        return wrc_formula_or(memory, model, wrc_formula_not(memory, model, of->left),
                              wrc_formula_not(memory, model, of->right));
    case WRC_OP_OR:
        return wrc_formula_and(memory, model, wrc_formula_not(memory, model, of->left),
                               wrc_formula_not(memory, model, of->right));
    default: return wrc_expression_make(memory, WRC_OP_NOT, of, NULL);
    }
}

wrc_formula wrc_formula_and(wrc_memory *memory, const wrc_model *model, wrc_formula a,
                            wrc_formula b)
{
    if (!a || !b)
        return NULL;
    if (constant(a))
        return a->number ? b : a;
    if (constant(b))
        return b->number ? a : b;
    return of_one_parameter(a, b) ? intersect(memory, model, a, b)
                                  : wrc_expression_make(memory, WRC_OP_AND, a, b);
}

wrc_formula wrc_formula_or(wrc_memory *memory, const wrc_model *model, wrc_formula a,
                           wrc_formula b)
{
    if (!a || !b)
        return NULL;
    if (constant(a))
        return a->number ? a : b;
    if (constant(b))
        return b->number ? b : a;
    return of_one_parameter(a, b) ? unite(memory, model, a, b)
                                  : wrc_expression_make(memory, WRC_OP_OR, a, b);
}

wrc_formula wrc_formula_implies(wrc_memory *memory, const wrc_model *model, wrc_formula a,
                                wrc_formula b)
{
    return wrc_formula_or(memory, model, wrc_formula_not(memory, model, a), b);
}

wrc_formula wrc_formula_join(wrc_memory *memory, const wrc_model *model, wrc_operator op,
                             const wrc_formula *parts, size_t count)
{
    if (count == 0)
        return wrc_formula_truth(memory, op == WRC_OP_AND);
    if (count == 1)
        return parts[0];
    wrc_formula left = wrc_formula_join(memory, model, op, parts, count / 2);
    wrc_formula right = wrc_formula_join(memory, model, op, parts + count / 2, count - count / 2);
    return op == WRC_OP_AND ? wrc_formula_and(memory, model, left, right)
                            : wrc_formula_or(memory, model, left, right);
}
