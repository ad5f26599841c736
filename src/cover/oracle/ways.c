/* cover/oracle/ways.c: the ways in which a component answers, one row of a table each. */
#include <stdlib.h>
#include <string.h>

#include "cover/oracle/component.h"

enum {
    ONE_BY_ONE = 8,  /* intervals of levels that a diagram is asked for one by one */
    SOLVER_COST = 8, /* of a solver's question, for each variable */
    HALVING_COST = 1000,
    EDGES_COST = 16, /* edges of a diagram that cost one step, as few of them are gone along */
};

/* Sets bits from one to another; says how many were not set before. */
static uint32_t set_bits(uint64_t *bits, uint32_t from, uint32_t to)
{
    uint32_t count = 0;
    for (uint32_t w = from / 64; w <= to / 64; w++) {
        uint64_t low = w == from / 64 ? UINT64_MAX << from % 64 : UINT64_MAX;
        uint64_t high = w == to / 64 ? UINT64_MAX >> (63 - to % 64) : UINT64_MAX;
        count += (uint32_t)__builtin_popcountll(low & high & ~bits[w]);
        bits[w] |= low & high;
    }
    return count;
}

/* ---- Shared by several ways ---- */

/* Asks for a tuple as for a row that is open elsewhere. */
static bool tuple_as_row(wrc_component *c, const uint32_t *variables, const uint32_t *levels,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        c->alone[c->parameters[variables[i]]] = levels[i];
    bool allowed = wrc_ways[c->way].allows(c, c->alone, WRC_ANY, 0);
    for (uint32_t i = 0; i < count; i++)
        c->alone[c->parameters[variables[i]]] = WRC_ANY;
    return allowed;
}

static bool knows_none(wrc_component *c, uint32_t count)
{
    (void)c;
    (void)count;
    return false;
}

/* Levels of one interval are alike: the first of each is asked for. */
static void levels_by_interval(wrc_component *c, const uint32_t *row, uint32_t variable,
                               uint64_t *bits)
{
    const wrc_ends *ends = &c->ends[variable];
    memset(bits, 0, (c->levels[variable] + 63) / 64 * sizeof *bits);
    for (uint32_t i = 0, from = 0; i < ends->count; from = ends->last[i++] + 1)
        if (wrc_ways[c->way].allows(c, row, variable, from))
            set_bits(bits, from, ends->last[i]);
}

static uint32_t first_level(wrc_component *c, const uint32_t *row, uint32_t variable)
{
    const wrc_ends *ends = &c->ends[variable];
    for (uint32_t i = 0, from = 0; i < ends->count; from = ends->last[i++] + 1)
        if (wrc_ways[c->way].allows(c, row, variable, from))
            return from;
    return WRC_ANY; /* not where the row is allowed */
}

/* ---- By tuples ---- */

static bool holds_forbidden(const wrc_component *c, const uint32_t *row)
{
    for (uint32_t v = 0; v < c->rules.variables; v++) {
        uint32_t parameter = c->parameters[v];
        if (row[parameter] != WRC_ANY &&
            wrc_forbidden_by(&c->forbidden, row, parameter, row[parameter]))
            return true;
    }
    return false;
}

static bool tuples_allow(wrc_component *c, const uint32_t *row, uint32_t variable, uint32_t level)
{
    return variable == WRC_ANY
               ? !holds_forbidden(c, row)
               : !wrc_forbidden_by(&c->forbidden, row, c->parameters[variable], level);
}

static uint32_t tuples_cost(const wrc_component *c)
{
    (void)c;
    return 0;
}

/* ---- By diagram ---- */

/* Whether a way leads on from the node; no cell behind `end` is chosen, so beyond it any node but
 * WRC_NO will do. */
static bool leads_on(wrc_component *c, uint32_t n, uint32_t end)
{
    for (;;) {
        const wrc_diagram_node *node = &c->store.nodes[n];
        if (n == WRC_NO || node->variable >= end)
            return n != WRC_NO;
        if (c->cells[node->variable] == WRC_ANY)
            break;
        n = wrc_diagram_child(&c->store, node, c->cells[node->variable]);
    }
    if (c->failed[n] == c->walk)
        return false;
    const wrc_diagram_node *node = &c->store.nodes[n];
    for (uint32_t e = 0; e < node->edge_count; e++)
        if (leads_on(c, c->store.edges[node->first_edge + e].child, end))
            return true;
    c->failed[n] = c->walk;
    return false;
}

/* Copies the component's cells; says behind which the row is open. */
static uint32_t gather(wrc_component *c, const uint32_t *row)
{
    uint32_t end = 0;
    for (uint32_t v = 0; v < c->rules.variables; v++) {
        c->cells[v] = row[c->parameters[v]];
        end = c->cells[v] == WRC_ANY ? end : v + 1;
    }
    return end;
}

static void begin_walk(wrc_component *c)
{
    if (++c->walk != 0)
        return;
    memset(c->failed, 0, c->store.node_count * sizeof *c->failed); /* the numbers begin anew */
    c->walk = 1;
}

/* The levels of one variable, as a walk finds them. */
typedef struct listing {
    uint32_t  variable, end;
    uint32_t  left; /* levels not found yet */
    uint64_t *bits;
} listing;

/* Sets the bits of the levels with which a way leads on from the node. Nodes that ask a variable
 * before that of the levels are visited once. */
static void set_levels(wrc_component *c, uint32_t n, listing *list)
{
    const wrc_diagram_node *node = &c->store.nodes[n];
    if (list->left == 0)
        return;
    if (node->variable > list->variable) {
        if (leads_on(c, n, list->end))
            list->left -= set_bits(list->bits, 0, c->levels[list->variable] - 1);
        return;
    }
    if (c->failed[n] == c->walk)
        return;
    c->failed[n] = c->walk;
    if (node->variable < list->variable && c->cells[node->variable] != WRC_ANY) {
        set_levels(c, wrc_diagram_child(&c->store, node, c->cells[node->variable]), list);
        return;
    }
    const wrc_edge *edges = &c->store.edges[node->first_edge];
    for (uint32_t e = 0, from = 0; e < node->edge_count; from = edges[e++].to + 1)
        if (node->variable < list->variable)
            set_levels(c, edges[e].child, list);
        else if (leads_on(c, edges[e].child, list->end))
            list->left -= set_bits(list->bits, from, edges[e].to);
}

static bool diagram_allows(wrc_component *c, const uint32_t *row, uint32_t variable,
                           uint32_t level)
{
    uint32_t end = gather(c, row);
    if (variable != WRC_ANY) {
        c->cells[variable] = level;
        end = end > variable ? end : variable + 1;
    }
    begin_walk(c);
    return end == 0 || leads_on(c, c->root, end);
}

static void diagram_levels(wrc_component *c, const uint32_t *row, uint32_t variable,
                           uint64_t *bits)
{
    if (c->ends[variable].count <= ONE_BY_ONE) {
        levels_by_interval(c, row, variable, bits);
        return;
    }
    listing list = { variable, gather(c, row), c->levels[variable], bits };
    memset(bits, 0, (c->levels[variable] + 63) / 64 * sizeof *bits);
    c->cells[variable] = WRC_ANY;
    begin_walk(c);
    set_levels(c, c->root, &list);
}

static uint32_t diagram_cost(const wrc_component *c)
{
    return c->rules.variables + (uint32_t)(c->store.edge_count / EDGES_COST);
}

/* ---- By solver ---- */

static bool solver_allows(wrc_component *c, const uint32_t *row, uint32_t variable,
                          uint32_t level)
{
    return wrc_consult_row(&c->consult, row, variable, level);
}

static bool solver_allows_tuple(wrc_component *c, const uint32_t *variables,
                                const uint32_t *levels, uint32_t count)
{
    return wrc_consult_tuple(&c->consult, variables, levels, count);
}

static bool solver_knows(wrc_component *c, uint32_t count)
{
    return wrc_consult_knows(&c->consult, count);
}

static void solver_excluded(wrc_component *c, uint32_t variable, uint32_t level,
                            wrc_cell_taker *take, void *state)
{
    wrc_consult_excluded(&c->consult, variable, level, take, state);
}

static uint32_t solver_cost(const wrc_component *c)
{
    return SOLVER_COST * c->rules.variables;
}

/* ---- By halving ---- */

static bool halving_allows(wrc_component *c, const uint32_t *row, uint32_t variable,
                           uint32_t level)
{
    return wrc_halving_allows(&c->halving, row, variable, level);
}

static void halving_levels(wrc_component *c, const uint32_t *row, uint32_t variable,
                           uint64_t *bits)
{
    memset(bits, 0, (c->levels[variable] + 63) / 64 * sizeof *bits);
    for (uint32_t l = 0; l < c->levels[variable]; l++)
        if (halving_allows(c, row, variable, l))
            set_bits(bits, l, l);
}

static uint32_t halving_level(wrc_component *c, const uint32_t *row, uint32_t variable)
{
    return wrc_halving_allows(&c->halving, row, variable, WRC_ANY)
               ? c->halving.row[c->parameters[variable]]
               : 0;
}

static uint32_t halving_cost(const wrc_component *c)
{
    (void)c;
    return HALVING_COST;
}

/* ---- Contradictions ---- */

/* Whether the component's rules of these constraints can be true together. */
static bool agree(const wrc_component *c, wrc_clauses *clauses, const int *selectors,
                  const bool *in, int *assumed)
{
    size_t count = 0;
    for (size_t r = 0; r < c->rules.count; r++)
        if (in[c->rules.rules[r].constraint])
            assumed[count++] = selectors[r];
    return wrc_solver_solve(clauses->solver, assumed, count);
}

/* Takes the constraints out of the set that the solver did not need to see the contradiction. */
static void keep_failed(const wrc_component *c, const wrc_clauses *clauses, const int *selectors,
                        bool *in, bool *needed)
{
    memset(needed, 0, c->rules.model->constraint_count * sizeof *needed);
    for (size_t r = 0; r < c->rules.count; r++) {
        uint32_t i = c->rules.rules[r].constraint;
        if (in[i] && wrc_solver_failed(clauses->solver, selectors[r]))
            needed[i] = true;
    }
    memcpy(in, needed, c->rules.model->constraint_count * sizeof *in);
}

/* Takes constraints out of the set as long as the others still contradict each other. */
static void reduce_one_by_one(const wrc_component *c, wrc_clauses *clauses, const int *selectors,
                              bool *in, bool *needed, int *assumed)
{
    if (!agree(c, clauses, selectors, in, assumed))
        keep_failed(c, clauses, selectors, in, needed);
    for (uint32_t i = 0; i < c->rules.model->constraint_count; i++) {
        if (!in[i])
            continue;
        in[i] = false;
        if (agree(c, clauses, selectors, in, assumed))
            in[i] = true;
        else
            keep_failed(c, clauses, selectors, in, needed);
    }
}

static void reduce_by_clauses(const wrc_component *c, bool *in)
{
    wrc_clauses clauses;
    wrc_blocks  blocks = { 0 };
    int        *selectors = wrc_blocks_take(&blocks, c->rules.count, sizeof *selectors);
    int        *assumed = wrc_blocks_take(&blocks, c->rules.count, sizeof *assumed);
    bool *needed = wrc_blocks_take(&blocks, c->rules.model->constraint_count, sizeof *needed);
    bool  fine = wrc_clauses_open(&clauses, &c->rules) && !blocks.failed;
    for (size_t r = 0; r < c->rules.count && fine; r++)
        fine = wrc_clauses_add(&clauses, c->rules.rules[r].holds, &selectors[r]);
    if (fine)
        reduce_one_by_one(c, &clauses, selectors, in, needed, assumed);
    wrc_clauses_close(&clauses);
    wrc_blocks_free(&blocks);
}

/* Whether the rules of these constraints are not seen to contradict each other by halving. */
static bool agree_by_halving(const wrc_component *c, const bool *in, wrc_rule *some)
{
    wrc_rules   rules = c->rules;
    wrc_halving halving;
    rules.count = 0;
    rules.rules = some;
    for (size_t r = 0; r < c->rules.count; r++)
        if (in[c->rules.rules[r].constraint])
            some[rules.count++] = c->rules.rules[r];
    bool agree_so = wrc_halving_open(&halving, &rules) != WRC_CONTRADICTORY;
    wrc_halving_close(&halving);
    return agree_so;
}

static void reduce_by_halving(const wrc_component *c, bool *in)
{
    wrc_rule *some = malloc(c->rules.count * sizeof *some);
    for (uint32_t i = 0; some != NULL && i < c->rules.model->constraint_count; i++) {
        if (!in[i])
            continue;
        in[i] = false;
        in[i] = agree_by_halving(c, in, some);
    }
    free(some);
}

/* ---- The table ---- */

const wrc_way wrc_ways[] = {
    [WRC_BY_TUPLES] = { tuples_allow, tuple_as_row, knows_none, NULL, levels_by_interval, true,
                        first_level, tuples_cost, reduce_by_clauses },
    [WRC_BY_DIAGRAM] = { diagram_allows, tuple_as_row, knows_none, NULL, diagram_levels, true,
                         first_level, diagram_cost, reduce_by_clauses },
    [WRC_BY_SOLVER] = { solver_allows, solver_allows_tuple, solver_knows, solver_excluded,
                        levels_by_interval, true, first_level, solver_cost, reduce_by_clauses },
    [WRC_BY_HALVING] = { halving_allows, tuple_as_row, knows_none, NULL, halving_levels, false,
                         halving_level, halving_cost, reduce_by_halving },
};
