/* cover/oracle/rule_diagram.c: turns an expression into a decision diagram. */
#include "cover/oracle/rule_diagram.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/hash.h"
#include "cover/model/blocks.h"
#include "cover/model/expression.h"

__extension__ typedef __int128 wide; /* sums may go beyond what their result does */

/* A comparison depends on its parameters by a sum of multiples of their values or, for
 * WRC_OP_IN, by whether a level is in a set (then `set` is not NULL and there is one term). */
typedef struct term {
    uint32_t parameter;
    int64_t  factor;
} term;

typedef struct sum {
    int64_t        constant;
    size_t         term_count;
    term          *terms;
    const wrc_set *set;
} sum;

typedef struct extent {
    wide low, high;
} extent;

/* The rest of a comparison once `depth` of its parameters are chosen, and its diagram. */
typedef struct remnant {
    uint32_t depth, node;
    wide    *sums; /* NULL: a free place in the table */
} remnant;

/* A comparison at work: `tree` is its expression over sums, which stand there as parameters. */
typedef struct comparison {
    wrc_diagrams    *store;
    const wrc_model *model;
    const uint32_t  *variable_of;
    wrc_blocks       blocks;
    wrc_range       *full;        /* of each parameter of the model: what its values can be */
    wrc_expression  *expressions; /* what the tree is made of */
    size_t           expression_count;
    sum             *sums;
    size_t           sum_count;
    uint32_t        *parameters; /* in it, in the order of the variables */
    uint32_t         parameter_count;
    extent          *rest; /* [depth * sum_count + sum]: what the parameters from there on add */
    wrc_range       *values; /* of the sums, for evaluation */
    const wrc_expression *tree;
    remnant              *seen;
    size_t                seen_count, seen_room;
} comparison;

/* ---- What values can be ---- */

static wrc_interval all_levels(const comparison *c, uint32_t parameter)
{
    return (wrc_interval){ 0, c->model->parameters[parameter].levels - 1 };
}

/* The numbers that a parameter adds to a sum with these levels; nothing if it is not in it. */
static wrc_range added(const comparison *c, const sum *s, uint32_t parameter, wrc_interval levels)
{
    for (size_t i = 0; i < s->term_count; i++) {
        const term *t = &s->terms[i];
        if (t->parameter != parameter)
            continue;
        if (s->set != NULL)
            return wrc_range_of_membership(s->set, levels);
        wrc_range r = wrc_range_of_levels(&c->model->parameters[parameter], levels);
        wrc_range result = { r.low * t->factor, r.high * t->factor, false };
        return t->factor >= 0 ? result : (wrc_range){ result.high, result.low, false };
    }
    return (wrc_range){ 0, 0, false };
}

/* ---- Sums ---- */

static bool is_constant(const wrc_expression *e)
{
    return e->op == WRC_OP_NUMBER || (e->op == WRC_OP_NEGATE && is_constant(e->left));
}

static bool is_linear(const wrc_expression *e)
{
    switch (e->op) {
    case WRC_OP_NUMBER:
    case WRC_OP_VALUE: return true;
    case WRC_OP_NEGATE: return is_linear(e->left);
    case WRC_OP_ADD:
    case WRC_OP_SUBTRACT: return is_linear(e->left) && is_linear(e->right);
    case WRC_OP_MULTIPLY:
        return (is_constant(e->left) && is_linear(e->right)) ||
               (is_constant(e->right) && is_linear(e->left));
    default: return false;
    }
}

static bool add_term(sum *s, uint32_t parameter, int64_t factor)
{
    for (size_t i = 0; i < s->term_count; i++)
        if (s->terms[i].parameter == parameter)
            return !__builtin_add_overflow(s->terms[i].factor, factor, &s->terms[i].factor);
    term *terms = realloc(s->terms, (s->term_count + 1) * sizeof *terms);
    if (terms == NULL)
        return false;
    s->terms = terms;
    terms[s->term_count++] = (term){ parameter, factor };
    return true;
}

/* Adds so many times the expression. False where a factor does not fit. */
static bool gather(sum *s, const wrc_expression *e, int64_t times)
{
    int64_t number;
    switch (e->op) {
    case WRC_OP_NUMBER:
        return !__builtin_mul_overflow(e->number, times, &number) &&
               !__builtin_add_overflow(s->constant, number, &s->constant);
    case WRC_OP_VALUE: return add_term(s, e->parameter, times);
    case WRC_OP_NEGATE:
        return !__builtin_sub_overflow(0, times, &number) && gather(s, e->left, number);
    case WRC_OP_ADD: return gather(s, e->left, times) && gather(s, e->right, times);
    case WRC_OP_SUBTRACT:
        return gather(s, e->left, times) && !__builtin_sub_overflow(0, times, &number) &&
               gather(s, e->right, number);
    default: break;
    }
    const wrc_expression *constant = is_constant(e->left) ? e->left : e->right;
    const wrc_range       factor = wrc_expression_range(constant, NULL);
    return !factor.partial && !__builtin_mul_overflow(times, factor.low, &number) &&
           gather(s, constant == e->left ? e->right : e->left, number);
}

/* Whether the sum and each of its terms fit, whatever values the parameters have. */
static bool sum_fits(const comparison *c, const sum *s)
{
    wide low = s->constant, high = s->constant;
    bool fits = true;
    for (size_t i = 0; i < s->term_count; i++) {
        const wrc_range r = c->full[s->terms[i].parameter];
        wide a = (wide)r.low * s->terms[i].factor, b = (wide)r.high * s->terms[i].factor;
        wide smaller = a < b ? a : b, larger = a < b ? b : a;
        low += smaller;
        high += larger;
        fits &= smaller >= INT64_MIN && larger <= INT64_MAX;
    }
    return fits && low >= INT64_MIN && high <= INT64_MAX;
}

static wrc_expression *new_expression(comparison *c)
{
    wrc_expression *made = &c->expressions[c->expression_count++];
    memset(made, 0, sizeof *made);
    return made;
}

/* The sum as the tree knows it. It takes the sum over. */
static const wrc_expression *stand_in(comparison *c, const sum *s)
{
    wrc_expression *made = new_expression(c);
    made->op = WRC_OP_VALUE;
    made->parameter = (uint32_t)c->sum_count;
    c->sums[c->sum_count++] = *s;
    return made;
}

/* An expression that is a sum and never overflows; NULL where it is not, or memory is short. */
static const wrc_expression *as_sum(comparison *c, const wrc_expression *e)
{
    sum s = { 0 };
    if (!is_linear(e) || wrc_expression_range(e, c->full).partial)
        return NULL;
    if (gather(&s, e, 1) && sum_fits(c, &s))
        return stand_in(c, &s);
    free(s.terms);
    return NULL;
}

/* left - right as one sum: a comparison of the two is one of that with 0. */
static const wrc_expression *as_difference(comparison *c, const wrc_expression *e)
{
    sum s = { 0 };
    if (!wrc_operator_compares(e->op) || !is_linear(e->left) || !is_linear(e->right) ||
        wrc_expression_range(e->left, c->full).partial ||
        wrc_expression_range(e->right, c->full).partial)
        return NULL;
    if (gather(&s, e->left, 1) && gather(&s, e->right, -1) && sum_fits(c, &s)) {
        wrc_expression *made = new_expression(c);
        wrc_expression *zero = new_expression(c);
        made->op = e->op;
        zero->op = WRC_OP_NUMBER;
        made->left = stand_in(c, &s);
        made->right = zero;
        return made;
    }
    free(s.terms);
    return NULL;
}

static const wrc_expression *as_membership(comparison *c, const wrc_expression *e)
{
    sum s = { .set = &e->set };
    return add_term(&s, e->parameter, 1) ? stand_in(c, &s) : NULL;
}

/* The expression over sums; NULL when memory is short. */
static const wrc_expression *over_sums(comparison *c, const wrc_expression *e)
{
    const wrc_expression *whole = NULL;
    if (e->op == WRC_OP_IN)
        return as_membership(c, e);
    if (e->op == WRC_OP_NUMBER)
        return e;
    if ((whole = as_sum(c, e)) != NULL || (whole = as_difference(c, e)) != NULL)
        return whole;
    if (e->op == WRC_OP_VALUE)
        return NULL;
    wrc_expression *made = new_expression(c);
    made->op = e->op;
    made->left = over_sums(c, e->left);
    if (made->left == NULL || e->right == NULL)
        return made->left == NULL ? NULL : made;
    made->right = over_sums(c, e->right);
    return made->right == NULL ? NULL : made;
}

/* ---- Remnants that were met before ---- */

static size_t place_of(const comparison *c, uint32_t depth, const wide *sums)
{
    size_t   bytes = c->sum_count * sizeof *sums;
    uint64_t at = wri_hash_step(wri_hash_bytes(sums, bytes), depth);
    for (;; at++) {
        const remnant *r = &c->seen[at & (c->seen_room - 1)];
        if (r->sums == NULL || (r->depth == depth && memcmp(r->sums, sums, bytes) == 0))
            return at & (c->seen_room - 1);
    }
}

static bool widen_seen(comparison *c)
{
    comparison wider = *c;
    wider.seen_room = c->seen_room == 0 ? 256 : c->seen_room * 2;
    wider.seen = calloc(wider.seen_room, sizeof *wider.seen);
    if (wider.seen == NULL)
        return false;
    for (size_t i = 0; i < c->seen_room; i++)
        if (c->seen[i].sums != NULL)
            wider.seen[place_of(&wider, c->seen[i].depth, c->seen[i].sums)] = c->seen[i];
    free(c->seen);
    *c = wider;
    return true;
}

static bool remember(comparison *c, uint32_t depth, const wide *sums, uint32_t node)
{
    size_t bytes = c->sum_count * sizeof *sums;
    if (c->seen_count >= c->seen_room / 2 && !widen_seen(c))
        return false;
    wide *copy = wrc_blocks_take(&c->blocks, c->sum_count + 1, sizeof *copy);
    if (copy == NULL)
        return false;
    memcpy(copy, sums, bytes);
    c->seen[place_of(c, depth, sums)] = (remnant){ depth, node, copy };
    c->seen_count++;
    return true;
}

/* ---- Parameter by parameter ---- */

typedef struct edge_list {
    wrc_edge *edges;
    size_t    count, room;
} edge_list;

static bool add_edge(edge_list *list, uint32_t to, uint32_t child)
{
    if (list->count > 0 && list->edges[list->count - 1].child == child) {
        list->edges[list->count - 1].to = to;
        return true;
    }
    wrc_edge *edges = wri_grow(list->edges, sizeof *edges, list->count, &list->room);
    if (edges == NULL)
        return false;
    list->edges = edges;
    edges[list->count++] = (wrc_edge){ to, child };
    return true;
}

/* The possible results of the comparison with these levels of the next parameter. */
static wrc_range outlook(const comparison *c, uint32_t depth, const wide *sums,
                         wrc_interval levels)
{
    const extent *rest = &c->rest[(depth + 1) * c->sum_count];
    for (size_t i = 0; i < c->sum_count; i++) {
        wrc_range now = added(c, &c->sums[i], c->parameters[depth], levels);
        c->values[i] = (wrc_range){ (int64_t)(sums[i] + now.low + rest[i].low),
                                    (int64_t)(sums[i] + now.high + rest[i].high), false };
    }
    return wrc_range_truth(wrc_expression_range(c->tree, c->values));
}

static uint32_t diagram_from(comparison *c, uint32_t depth, const wide *sums);

/* The diagram behind one level of the next parameter. */
static uint32_t behind(comparison *c, uint32_t depth, const wide *sums, uint32_t level)
{
    wrc_interval only = { level, level };
    wide        *after = malloc(c->sum_count * sizeof *after + 1);
    if (after == NULL)
        return WRC_NO_DIAGRAM;
    for (size_t i = 0; i < c->sum_count; i++)
        after[i] = sums[i] + added(c, &c->sums[i], c->parameters[depth], only).low;
    uint32_t node = diagram_from(c, depth + 1, after);
    free(after);
    return node;
}

/* Halves the levels until the comparison is decided, or one level is left. */
static bool split(comparison *c, uint32_t depth, const wide *sums, wrc_interval levels,
                  edge_list *list)
{
    if (!wrc_diagrams_step(c->store))
        return false;
    wrc_range truth = outlook(c, depth, sums, levels);
    if (truth.low == truth.high)
        return add_edge(list, levels.to, truth.low ? WRC_YES : WRC_NO);
    if (levels.from == levels.to) {
        uint32_t child = behind(c, depth, sums, levels.from);
        return child != WRC_NO_DIAGRAM && add_edge(list, levels.to, child);
    }
    uint32_t middle = levels.from + (levels.to - levels.from) / 2;
    return split(c, depth, sums, (wrc_interval){ levels.from, middle }, list) &&
           split(c, depth, sums, (wrc_interval){ middle + 1, levels.to }, list);
}

static uint32_t diagram_from(comparison *c, uint32_t depth, const wide *sums)
{
    if (c->seen_room > 0) {
        const remnant *r = &c->seen[place_of(c, depth, sums)];
        if (r->sums != NULL)
            return r->node;
    }
    edge_list list = { 0 };
    uint32_t  parameter = c->parameters[depth], node = WRC_NO_DIAGRAM;
    if (split(c, depth, sums, all_levels(c, parameter), &list))
        node = wrc_diagram_node_of(c->store, c->variable_of[parameter], list.edges, list.count);
    free(list.edges);
    if (node == WRC_NO_DIAGRAM || !remember(c, depth, sums, node))
        return WRC_NO_DIAGRAM;
    return node;
}

/* ---- One comparison ---- */

static size_t size_of(const wrc_expression *e)
{
    return e == NULL ? 0 : 1 + size_of(e->left) + size_of(e->right);
}

static void list_parameters(comparison *c, const bool *used)
{
    for (uint32_t p = 0; p < c->model->parameter_count; p++) {
        if (!used[p])
            continue;
        uint32_t at = c->parameter_count++;
        for (; at > 0 && c->variable_of[c->parameters[at - 1]] > c->variable_of[p]; at--)
            c->parameters[at] = c->parameters[at - 1];
        c->parameters[at] = p;
    }
}

static bool prepare(comparison *c, const wrc_expression *e)
{
    size_t count = c->model->parameter_count, size = size_of(e);
    bool  *used = wrc_blocks_take(&c->blocks, count, sizeof *used);
    c->full = wrc_blocks_take(&c->blocks, count, sizeof *c->full);
    c->parameters = wrc_blocks_take(&c->blocks, count, sizeof *c->parameters);
    c->expressions = wrc_blocks_take(&c->blocks, 3 * size, sizeof *c->expressions);
    c->sums = wrc_blocks_take(&c->blocks, size, sizeof *c->sums);
    if (c->blocks.failed)
        return false;
    wrc_expression_parameters(e, used);
    list_parameters(c, used);
    for (uint32_t p = 0; p < count; p++)
        if (used[p])
            c->full[p] = wrc_range_of_levels(&c->model->parameters[p], all_levels(c, p));
    c->tree = over_sums(c, e);
    return c->tree != NULL;
}

static bool prepare_rest(comparison *c)
{
    size_t rests = (c->parameter_count + 1) * c->sum_count + 1;
    c->rest = wrc_blocks_take(&c->blocks, rests, sizeof *c->rest);
    c->values = wrc_blocks_take(&c->blocks, c->sum_count + 1, sizeof *c->values);
    if (c->blocks.failed)
        return false;
    for (uint32_t d = c->parameter_count; d-- > 0;)
        for (size_t i = 0; i < c->sum_count; i++) {
            uint32_t  p = c->parameters[d];
            wrc_range now = added(c, &c->sums[i], p, all_levels(c, p));
            extent   *rest = &c->rest[d * c->sum_count + i];
            *rest = rest[c->sum_count]; /* of the next depth */
            rest->low += now.low;
            rest->high += now.high;
        }
    return true;
}

static void close_comparison(comparison *c)
{
    for (size_t i = 0; i < c->sum_count; i++)
        free(c->sums[i].terms);
    free(c->seen);
    wrc_blocks_free(&c->blocks);
}

static uint32_t start(comparison *c)
{
    wide *sums = calloc(c->sum_count + 1, sizeof *sums);
    if (sums == NULL)
        return WRC_NO_DIAGRAM;
    for (size_t i = 0; i < c->sum_count; i++) {
        int64_t constant = c->sums[i].constant;
        sums[i] = constant;
        c->values[i] = (wrc_range){ constant, constant, false };
    }
    uint32_t node;
    if (c->parameter_count > 0)
        node = diagram_from(c, 0, sums);
    else
        node = wrc_range_truth(wrc_expression_range(c->tree, c->values)).low ? WRC_YES : WRC_NO;
    free(sums);
    return node;
}

static uint32_t comparison_diagram(wrc_diagrams *store, const wrc_model *model,
                                   const uint32_t *variable_of, const wrc_expression *e)
{
    comparison c = { .store = store, .model = model, .variable_of = variable_of };
    uint32_t   node = WRC_NO_DIAGRAM;
    if (prepare(&c, e) && prepare_rest(&c))
        node = start(&c);
    close_comparison(&c);
    if (node == WRC_NO_DIAGRAM)
        store->failed = true;
    return node;
}

/* ---- Truths ---- */

static uint32_t set_diagram(wrc_diagrams *store, uint32_t variable, const wrc_set *set)
{
    edge_list list = { 0 };
    uint32_t  next = 0, last = store->levels[variable] - 1;
    bool      fine = true;
    for (uint32_t i = 0; i < set->count && set->intervals[i].from <= last; i++) {
        wrc_interval v = set->intervals[i];
        if (v.from > next)
            fine = fine && add_edge(&list, v.from - 1, WRC_NO);
        next = (v.to < last ? v.to : last) + 1;
        fine = fine && add_edge(&list, next - 1, WRC_YES);
    }
    if (next <= last)
        fine = fine && add_edge(&list, last, WRC_NO);
    uint32_t node = WRC_NO_DIAGRAM;
    if (fine)
        node = wrc_diagram_node_of(store, variable, list.edges, list.count);
    else
        store->failed = true;
    free(list.edges);
    return node;
}

uint32_t wrc_rule_diagram(wrc_diagrams *store, const wrc_model *model,
                          const uint32_t *variable_of, const wrc_expression *e)
{
    if (store->failed)
        return WRC_NO_DIAGRAM;
    if (e->op == WRC_OP_IN)
        return set_diagram(store, variable_of[e->parameter], &e->set);
    if (!wrc_operator_joins(e->op))
        return comparison_diagram(store, model, variable_of, e);
    uint32_t left = wrc_rule_diagram(store, model, variable_of, e->left);
    if (e->op == WRC_OP_NOT)
        return wrc_diagram_not(store, left);
    uint32_t right = wrc_rule_diagram(store, model, variable_of, e->right);
    if (e->op == WRC_OP_AND)
        return wrc_diagram_and(store, left, right);
    if (e->op == WRC_OP_IMPLIES)
        left = wrc_diagram_not(store, left);
    return wrc_diagram_or(store, left, right);
}
