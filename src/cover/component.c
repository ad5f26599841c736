/* cover/component.c: building a component, and the three ways in which it answers. */
#include "cover/component.h"

#include <stdlib.h>
#include <string.h>

#include "cover/consensus.h"
#include "cover/expression.h"
#include "cover/arrange.h"
#include "cover/rule.h"

enum {
    LEARNED = 1 << 16, /* tuples that a solver's component remembers */
    WITNESSES = 8,     /* rows that hold, from which one for the next question may be had */
    ONE_BY_ONE = 8,    /* intervals of levels that a diagram is asked for one by one */
    PATCHES = 3,       /* cells in which a row may differ from one that is known to hold */
};

/* ---- The order of the variables ---- */

/* Each rule's variables, as groups; *starts has one more than there are rules. */
static bool list_groups(const wri_component *c, size_t **starts, uint32_t **members)
{
    size_t room = 0, count = 0;
    bool  *used = calloc(c->model->parameter_count, sizeof *used);
    *starts = calloc(c->rule_count + 1, sizeof **starts);
    *members = NULL;
    bool fine = used != NULL && *starts != NULL;
    for (size_t r = 0; r < c->rule_count && fine; r++) {
        wri_expression_parameters(c->rules[r].holds, used);
        for (uint32_t v = 0; v < c->variables && fine; v++) {
            if (!used[c->parameters[v]])
                continue;
            used[c->parameters[v]] = false;
            if (count == room) {
                room = room * 2 + 64;
                uint32_t *wider = realloc(*members, room * sizeof *wider);
                fine = wider != NULL;
                *members = fine ? wider : *members;
            }
            if (fine)
                (*members)[count++] = v;
        }
        (*starts)[r + 1] = count;
    }
    free(used);
    return fine;
}

static bool order_variables(wri_component *c)
{
    size_t   *starts = NULL;
    uint32_t *members = NULL;
    uint32_t *position = malloc(c->variables * sizeof *position);
    uint32_t *ordered = malloc(c->variables * sizeof *ordered);
    bool      fine = position != NULL && ordered != NULL && list_groups(c, &starts, &members) &&
                wri_arrange(c->variables, c->rule_count, starts, members, position);
    if (fine) {
        for (uint32_t v = 0; v < c->variables; v++)
            ordered[position[v]] = c->parameters[v];
        memcpy(c->parameters, ordered, c->variables * sizeof *ordered);
        for (uint32_t v = 0; v < c->variables; v++) {
            c->variable_of[c->parameters[v]] = v;
            c->levels[v] = c->model->parameters[c->parameters[v]].levels;
        }
    }
    free(position);
    free(ordered);
    free(starts);
    free(members);
    return fine;
}

/* ---- The diagram, and the tuples ---- */

typedef struct joinable {
    uint32_t variable; /* the first that it asks */
    uint32_t node;
} joinable;

/* Those that begin last come first: joining what begins higher up leaves them as they are. */
static int from_below(const void *left, const void *right)
{
    const joinable *a = left, *b = right;
    if (a->variable != b->variable)
        return a->variable > b->variable ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

/* Joins the rules' diagrams into the root. Now and then what is not needed any more goes. */
static bool join_rules(wri_component *c, uint32_t *nodes)
{
    joinable *all = malloc(c->rule_count * sizeof *all);
    if (all == NULL)
        return false;
    for (size_t r = 0; r < c->rule_count; r++)
        all[r] = (joinable){ c->store.nodes[nodes[r]].variable, nodes[r] };
    qsort(all, c->rule_count, sizeof *all, from_below);
    for (size_t r = 0; r < c->rule_count; r++)
        nodes[r] = all[r].node;
    free(all);
    c->root = WRI_YES;
    for (size_t r = 0; r < c->rule_count; r++) {
        uint32_t root = wri_diagram_and(&c->store, c->root, nodes[r]);
        if (root == WRI_NO_DIAGRAM)
            return false;
        nodes[r] = c->root = root; /* the rule itself is done with */
        if (c->store.edge_count > c->store.limit / 2 &&
            !wri_diagrams_keep(&c->store, &nodes[r], c->rule_count - r))
            return false;
        c->root = nodes[r];
    }
    return wri_diagrams_keep(&c->store, &c->root, 1);
}

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static void sort_ends(wri_ends *ends)
{
    uint32_t kept = 0;
    qsort(ends->last, ends->count, sizeof *ends->last, by_number);
    for (uint32_t i = 0; i < ends->count; i++)
        if (kept == 0 || ends->last[kept - 1] != ends->last[i])
            ends->last[kept++] = ends->last[i];
    ends->count = kept;
}

/* Where the diagram makes a difference between levels. */
static bool list_ends(wri_component *c)
{
    const wri_diagrams *store = &c->store;
    for (uint32_t n = WRI_YES + 1; n < store->node_count; n++)
        c->ends[store->nodes[n].variable].count += store->nodes[n].edge_count;
    for (uint32_t v = 0; v < c->variables; v++) {
        if ((c->ends[v].last = malloc((c->ends[v].count + 1) * sizeof *c->ends[v].last)) == NULL)
            return false;
        c->ends[v].last[0] = c->levels[v] - 1;
        c->ends[v].count = 1;
    }
    for (uint32_t n = WRI_YES + 1; n < store->node_count; n++) {
        wri_ends *ends = &c->ends[store->nodes[n].variable];
        for (uint32_t e = 0; e < store->nodes[n].edge_count; e++)
            ends->last[ends->count++] = store->edges[store->nodes[n].first_edge + e].to;
    }
    for (uint32_t v = 0; v < c->variables; v++)
        sort_ends(&c->ends[v]);
    return true;
}

/* By diagram or tuples; WRI_TOO_LARGE: not so. */
static wri_opening open_diagram(wri_component *c, const wri_oracle_limits *limits)
{
    wri_opening opening = WRI_TOO_LARGE;
    uint32_t   *nodes = malloc(c->rule_count * sizeof *nodes);
    bool        fine = nodes != NULL &&
                wri_diagrams_open(&c->store, c->variables, c->levels, limits->edges);
    for (size_t r = 0; r < c->rule_count && fine; r++) {
        nodes[r] = wri_rule_diagram(&c->store, c->model, c->variable_of, c->rules[r].holds);
        fine = nodes[r] != WRI_NO_DIAGRAM;
    }
    if (fine) {
        bool all = limits->tuples > 0 && wri_consensus(&c->store, nodes, c->rule_count,
                                                       c->parameters, limits->tuples,
                                                       &c->forbidden);
        c->way = all ? WRI_BY_TUPLES : WRI_BY_DIAGRAM;
        fine = join_rules(c, nodes);
    }
    if (fine && c->root == WRI_NO) {
        opening = WRI_CONTRADICTORY;
    } else if (fine) {
        c->failed = calloc(c->store.node_count, sizeof *c->failed);
        opening = c->failed != NULL && list_ends(c) ? WRI_OPENED : WRI_NO_MEMORY;
    }
    free(nodes);
    return opening;
}

/* ---- The solver ---- */

static bool list_solver_ends(wri_component *c)
{
    for (uint32_t v = 0; v < c->variables; v++) {
        const wri_cuts *cuts = &c->clauses.cuts[v];
        uint32_t       *last = malloc((cuts->count + 1) * sizeof *last);
        if (last == NULL)
            return false;
        for (size_t i = 0; i < cuts->count; i++)
            last[i] = cuts->cuts[i].level;
        last[cuts->count] = c->levels[v] - 1;
        c->ends[v] = (wri_ends){ (uint32_t)cuts->count + 1, last };
    }
    return true;
}

/* The rules of each variable: a complete row is judged by them alone. */
static bool list_rules(wri_component *c)
{
    size_t   *starts = NULL;
    uint32_t *members = NULL;
    bool      fine = list_groups(c, &starts, &members);
    size_t    count = fine ? starts[c->rule_count] : 0;
    c->rule_starts = calloc(c->variables + 2, sizeof *c->rule_starts);
    c->rules_of = malloc((count + 1) * sizeof *c->rules_of);
    fine = fine && c->rule_starts != NULL && c->rules_of != NULL;
    for (size_t i = 0; i < count && fine; i++)
        c->rule_starts[members[i] + 2]++;
    for (uint32_t v = 0; v < c->variables && fine; v++)
        c->rule_starts[v + 2] += c->rule_starts[v + 1];
    for (size_t r = 0; r < c->rule_count && fine; r++)
        for (size_t i = starts[r]; i < starts[r + 1]; i++)
            c->rules_of[c->rule_starts[members[i] + 1]++] = (uint32_t)r;
    free(starts);
    free(members);
    return fine;
}

static wri_opening open_solver(wri_component *c, const wri_oracle_limits *limits,
                               const wri_rule **culprit)
{
    c->way = WRI_BY_SOLVER;
    if (!wri_clauses_open(&c->clauses, limits->solver, c->model, c->variables, c->levels,
                          c->variable_of))
        return WRI_NO_MEMORY;
    for (size_t r = 0; r < c->rule_count; r++)
        if (!wri_clauses_add(&c->clauses, c->rules[r].holds, NULL)) {
            *culprit = &c->rules[r];
            return WRI_TOO_LARGE;
        }
    c->assumed = malloc(2 * c->variables * sizeof *c->assumed);
    c->witnesses = malloc((size_t)WITNESSES * c->variables * sizeof *c->witnesses);
    c->row = calloc(c->model->parameter_count, sizeof *c->row);
    if (c->assumed == NULL || c->witnesses == NULL || c->row == NULL ||
        !list_solver_ends(c) || !list_rules(c) ||
        !wri_known_open(&c->known, c->variables, c->ends))
        return WRI_NO_MEMORY;
    return c->clauses.engine->solve(c->clauses.solver, NULL, 0) ? WRI_OPENED : WRI_CONTRADICTORY;
}

/* ---- Opening and closing ---- */

wri_opening wri_component_open(wri_component *c, const wri_model *model,
                               const wri_oracle_limits *limits, const wri_rule *rules,
                               size_t rule_count, uint32_t *parameters, uint32_t parameter_count,
                               uint32_t *variable_of, const wri_rule **culprit)
{
    *c = (wri_component){ .model = model, .rules = rules, .rule_count = rule_count,
                          .variables = parameter_count, .parameters = parameters,
                          .variable_of = variable_of };
    c->levels = calloc(parameter_count, sizeof *c->levels);
    c->cells = calloc(parameter_count, sizeof *c->cells);
    c->ends = calloc(parameter_count, sizeof *c->ends);
    if (c->levels == NULL || c->cells == NULL || c->ends == NULL ||
        !wri_forbidden_open(&c->forbidden, model) || !order_variables(c))
        return WRI_NO_MEMORY;
    wri_opening opening = open_diagram(c, limits);
    if (opening != WRI_TOO_LARGE)
        return opening;
    wri_diagrams_close(&c->store);
    return open_solver(c, limits, culprit);
}

void wri_component_close(wri_component *c)
{
    for (uint32_t v = 0; c->ends != NULL && v < c->variables; v++)
        free(c->ends[v].last);
    wri_forbidden_close(&c->forbidden);
    wri_diagrams_close(&c->store);
    wri_clauses_close(&c->clauses);
    wri_known_close(&c->known);
    void *all[] = { c->parameters, c->levels, c->cells, c->ends, c->failed, c->rule_starts,
                    c->rules_of, c->assumed, c->witnesses, c->row };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    memset(c, 0, sizeof *c);
}

/* ---- Answers by diagram ---- */

/* Whether a way leads on from the node; no cell behind `end` is chosen, so beyond it any node but
 * WRI_NO will do. */
static bool leads_on(wri_component *c, uint32_t n, uint32_t end)
{
    for (;;) {
        const wri_diagram_node *node = &c->store.nodes[n];
        if (n == WRI_NO || node->variable >= end)
            return n != WRI_NO;
        if (c->cells[node->variable] == WRI_ANY)
            break;
        n = wri_diagram_child(&c->store, node, c->cells[node->variable]);
    }
    if (c->failed[n] == c->walk)
        return false;
    const wri_diagram_node *node = &c->store.nodes[n];
    for (uint32_t e = 0; e < node->edge_count; e++)
        if (leads_on(c, c->store.edges[node->first_edge + e].child, end))
            return true;
    c->failed[n] = c->walk;
    return false;
}

/* Copies the component's cells; says behind which the row is open. */
static uint32_t gather(wri_component *c, const uint32_t *row)
{
    uint32_t end = 0;
    for (uint32_t v = 0; v < c->variables; v++) {
        c->cells[v] = row[c->parameters[v]];
        end = c->cells[v] == WRI_ANY ? end : v + 1;
    }
    return end;
}

static void begin_walk(wri_component *c)
{
    if (++c->walk != 0)
        return;
    memset(c->failed, 0, c->store.node_count * sizeof *c->failed); /* the numbers begin anew */
    c->walk = 1;
}

static bool diagram_allows(wri_component *c, uint32_t end)
{
    begin_walk(c);
    return leads_on(c, c->root, end);
}

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

/* The levels of one variable, as a walk finds them. */
typedef struct listing {
    uint32_t variable, end;
    uint32_t left; /* levels not found yet */
    uint64_t *bits;
} listing;

/* Sets the bits of the levels with which a way leads on from the node. Nodes that ask a variable
 * before that of the levels are visited once. */
static void set_levels(wri_component *c, uint32_t n, listing *list)
{
    const wri_diagram_node *node = &c->store.nodes[n];
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
    if (node->variable < list->variable && c->cells[node->variable] != WRI_ANY) {
        set_levels(c, wri_diagram_child(&c->store, node, c->cells[node->variable]), list);
        return;
    }
    const wri_edge *edges = &c->store.edges[node->first_edge];
    for (uint32_t e = 0, from = 0; e < node->edge_count; from = edges[e++].to + 1)
        if (node->variable < list->variable)
            set_levels(c, edges[e].child, list);
        else if (leads_on(c, edges[e].child, list->end))
            list->left -= set_bits(list->bits, from, edges[e].to);
}

/* ---- Answers by solver ---- */

static uint32_t *witness_at(const wri_component *c, uint32_t i)
{
    return &c->witnesses[(size_t)i * c->variables];
}

/* The place of a new witness, in that of the oldest. */
static uint32_t *next_witness(wri_component *c)
{
    c->witness_latest = (c->witness_latest + 1) % WITNESSES;
    c->witness_count += c->witness_count < WITNESSES;
    return witness_at(c, c->witness_latest);
}

static void keep_solution(wri_component *c)
{
    uint32_t *witness = next_witness(c);
    for (uint32_t v = 0; v < c->variables; v++)
        witness[v] = c->cells[v] != WRI_ANY ? c->cells[v] : wri_clauses_solution(&c->clauses, v).from;
    wri_known_add(&c->known, witness);
}

/* The variables whose cells are chosen otherwise than the witness has them, if they are few. */
static bool list_differences(const wri_component *c, const uint32_t *witness, uint32_t *differing,
                             uint32_t *count)
{
    *count = 0;
    for (uint32_t v = 0; v < c->variables; v++) {
        if (c->cells[v] == WRI_ANY || c->cells[v] == witness[v])
            continue;
        if (*count == PATCHES)
            return false;
        differing[(*count)++] = v;
    }
    return true;
}

/* Whether a complete row in c->row holds the variable's rules. */
static bool holds_rules_of(const wri_component *c, uint32_t v)
{
    for (size_t i = c->rule_starts[v]; i < c->rule_starts[v + 1]; i++)
        if (!wri_expression_holds(c->model, c->rules[c->rules_of[i]].holds, c->row))
            return false;
    return true;
}

/* Whether the witness holds with the cells as they are chosen; then that is kept, too. */
static bool can_be_patched(wri_component *c, const uint32_t *witness)
{
    uint32_t differing[PATCHES], count;
    if (!list_differences(c, witness, differing, &count))
        return false;
    if (count == 0)
        return true;
    for (uint32_t v = 0; v < c->variables; v++)
        c->row[c->parameters[v]] = c->cells[v] != WRI_ANY ? c->cells[v] : witness[v];
    for (uint32_t i = 0; i < count; i++)
        if (!holds_rules_of(c, differing[i]))
            return false;
    uint32_t *kept = next_witness(c);
    for (uint32_t v = 0; v < c->variables; v++)
        kept[v] = c->row[c->parameters[v]];
    return true;
}

static bool has_witness(wri_component *c)
{
    if (wri_known_has(&c->known, c->cells))
        return true;
    uint32_t first = c->witness_latest + WITNESSES;
    for (uint32_t i = 0; i < c->witness_count; i++)
        if (can_be_patched(c, witness_at(c, (first - i) % WITNESSES)))
            return true;
    return false;
}

static bool solve(wri_component *c)
{
    size_t count = 0;
    for (uint32_t v = 0; v < c->variables; v++)
        if (c->cells[v] != WRI_ANY)
            count += wri_clauses_cell(&c->clauses, v, c->cells[v], &c->assumed[count]);
    return c->clauses.engine->solve(c->clauses.solver, c->assumed, count);
}

/* Opens the cells that the solver did not need to say no. */
static void drop_unneeded(wri_component *c)
{
    for (uint32_t v = 0; v < c->variables; v++) {
        int    literals[2];
        bool   needed = false;
        size_t count = c->cells[v] == WRI_ANY
                           ? 0
                           : wri_clauses_cell(&c->clauses, v, c->cells[v], literals);
        for (size_t i = 0; i < count; i++)
            needed |= c->clauses.engine->failed(c->clauses.solver, literals[i]);
        if (!needed)
            c->cells[v] = WRI_ANY;
    }
}

/* The levels around a cell's that no rule tells from it, as far as a part can hold them. */
static wri_part part_of(const wri_component *c, uint32_t v)
{
    wri_interval same = wri_clauses_around(&c->clauses, v, c->cells[v]);
    uint32_t     from = c->cells[v] - same.from < 32 ? same.from : c->cells[v] - 31;
    uint32_t     width = same.to - from < 64 ? same.to - from + 1 : 64;
    return (wri_part){ c->parameters[v], from,
                       width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1 };
}

/* Makes the refused cells few: each that is not needed goes. What is left is remembered. */
static void learn(wri_component *c)
{
    drop_unneeded(c);
    for (uint32_t v = 0; v < c->variables; v++) {
        uint32_t cell = c->cells[v];
        if (cell == WRI_ANY)
            continue;
        c->cells[v] = WRI_ANY;
        if (solve(c)) {
            keep_solution(c);
            c->cells[v] = cell;
        } else {
            drop_unneeded(c);
        }
    }
    uint32_t  count = 0;
    wri_part *parts = malloc(c->variables * sizeof *parts);
    for (uint32_t v = 0; v < c->variables && parts != NULL; v++)
        if (c->cells[v] != WRI_ANY)
            parts[count++] = part_of(c, v);
    if (parts != NULL && c->forbidden.tuples < LEARNED)
        wri_forbidden_add(&c->forbidden, parts, count); /* without memory it is asked again */
    free(parts);
}

static bool solver_allows(wri_component *c)
{
    if (has_witness(c))
        return true;
    bool allowed = solve(c);
    if (allowed)
        keep_solution(c);
    else
        learn(c);
    return allowed;
}

/* Whether the row is complete; then it is in c->row, too. */
static bool is_complete(wri_component *c)
{
    for (uint32_t v = 0; v < c->variables; v++) {
        if (c->cells[v] == WRI_ANY)
            return false;
        c->row[c->parameters[v]] = c->cells[v];
    }
    return true;
}

static bool holds_all_rules(const wri_component *c)
{
    for (size_t r = 0; r < c->rule_count; r++)
        if (!wri_expression_holds(c->model, c->rules[r].holds, c->row))
            return false;
    return true;
}

/* ---- Answers ---- */

static bool holds_forbidden(const wri_component *c, const uint32_t *row)
{
    for (uint32_t v = 0; v < c->variables; v++) {
        uint32_t parameter = c->parameters[v];
        if (row[parameter] != WRI_ANY &&
            wri_forbidden_by(&c->forbidden, row, parameter, row[parameter]))
            return true;
    }
    return false;
}

bool wri_component_allows(wri_component *c, const uint32_t *row)
{
    if (c->way != WRI_BY_DIAGRAM && holds_forbidden(c, row))
        return false;
    if (c->way == WRI_BY_TUPLES)
        return true;
    uint32_t end = gather(c, row);
    if (end == 0)
        return true;
    if (c->way == WRI_BY_DIAGRAM)
        return diagram_allows(c, end);
    return is_complete(c) ? holds_all_rules(c) : solver_allows(c);
}

bool wri_component_allows_level(wri_component *c, const uint32_t *row, uint32_t variable,
                                uint32_t level)
{
    uint32_t parameter = c->parameters[variable];
    if (c->way != WRI_BY_DIAGRAM && wri_forbidden_by(&c->forbidden, row, parameter, level))
        return false;
    if (c->way == WRI_BY_TUPLES)
        return true;
    uint32_t end = gather(c, row);
    c->cells[variable] = level;
    if (c->way == WRI_BY_DIAGRAM)
        return diagram_allows(c, end > variable ? end : variable + 1);
    return is_complete(c) ? holds_rules_of(c, variable) : solver_allows(c);
}

void wri_component_levels(wri_component *c, const uint32_t *row, uint32_t variable, uint64_t *bits)
{
    const wri_ends *ends = &c->ends[variable];
    memset(bits, 0, (c->levels[variable] + 63) / 64 * sizeof *bits);
    if (c->way == WRI_BY_DIAGRAM && ends->count > ONE_BY_ONE) {
        listing list = { variable, gather(c, row), c->levels[variable], bits };
        c->cells[variable] = WRI_ANY;
        begin_walk(c);
        set_levels(c, c->root, &list);
        return;
    }
    for (uint32_t i = 0, from = 0; i < ends->count; from = ends->last[i++] + 1)
        if (wri_component_allows_level(c, row, variable, from))
            set_bits(bits, from, ends->last[i]);
}
