/* cover/oracle/component.c: opens a component, and decides which way answers for it.
 *
 * The variables are put in an order that keeps rules short. Then the ways are tried, the fastest
 * first; the first that stays within its limits is taken.
 */
#include "cover/oracle/component.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "cover/oracle/consensus.h"
#include "cover/model/expression.h"
#include "cover/oracle/arrange.h"
#include "cover/oracle/rule_diagram.h"

enum {
    FEW = 8,       /* variables whose open cells do not lead a walk everywhere */
    CROWDED = 128, /* with more of them, one part in so many of the edges is enough */
};

/* ---- The order of the variables ---- */

/* Each rule's variables, as groups; *starts has one more than there are rules. */
static bool list_groups(const wrc_component *c, size_t **starts, uint32_t **members)
{
    size_t room = 0, count = 0;
    bool  *used = calloc(c->rules.model->parameter_count, sizeof *used);
    *starts = calloc(c->rules.count + 1, sizeof **starts);
    *members = NULL;
    bool fine = used != NULL && *starts != NULL;
    for (size_t r = 0; r < c->rules.count && fine; r++) {
        wrc_expression_parameters(c->rules.rules[r].holds, used);
        for (uint32_t v = 0; v < c->rules.variables && fine; v++) {
            if (!used[c->parameters[v]])
                continue;
            used[c->parameters[v]] = false;
            uint32_t *wider = wri_grow(*members, sizeof *wider, count, &room);
            fine = wider != NULL;
            *members = fine ? wider : *members;
            if (fine)
                wider[count++] = v;
        }
        (*starts)[r + 1] = count;
    }
    free(used);
    return fine;
}

static bool order_variables(wrc_component *c)
{
    size_t   *starts = NULL;
    uint32_t *members = NULL;
    uint32_t *position = malloc(2 * (size_t)c->rules.variables * sizeof *position);
    bool      fine = position != NULL && list_groups(c, &starts, &members) &&
                wrc_arrange(c->rules.variables, c->rules.count, starts, members, position);
    if (fine) {
        uint32_t *ordered = position + c->rules.variables;
        for (uint32_t v = 0; v < c->rules.variables; v++)
            ordered[position[v]] = c->parameters[v];
        memcpy(c->parameters, ordered, c->rules.variables * sizeof *ordered);
        for (uint32_t v = 0; v < c->rules.variables; v++) {
            c->variable_of[c->parameters[v]] = v;
            c->levels[v] = c->rules.model->parameters[c->parameters[v]].levels;
        }
    }
    free(position);
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
static bool join_rules(wrc_component *c, uint32_t *nodes)
{
    joinable *all = malloc(c->rules.count * sizeof *all);
    if (all == NULL)
        return false;
    for (size_t r = 0; r < c->rules.count; r++)
        all[r] = (joinable){ c->store.nodes[nodes[r]].variable, nodes[r] };
    qsort(all, c->rules.count, sizeof *all, from_below);
    for (size_t r = 0; r < c->rules.count; r++)
        nodes[r] = all[r].node;
    free(all);
    c->root = WRC_YES;
    for (size_t r = 0; r < c->rules.count; r++) {
        uint32_t root = wrc_diagram_and(&c->store, c->root, nodes[r]);
        if (root == WRC_NO_DIAGRAM)
            return false;
        nodes[r] = c->root = root; /* the rule itself is done with */
        if (c->store.edge_count > c->store.limit / 2 &&
            !wrc_diagrams_keep(&c->store, &nodes[r], c->rules.count - r))
            return false;
        c->root = nodes[r];
    }
    return wrc_diagrams_keep(&c->store, &c->root, 1);
}

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static void sort_ends(wrc_ends *ends)
{
    uint32_t kept = 0;
    qsort(ends->last, ends->count, sizeof *ends->last, by_number);
    for (uint32_t i = 0; i < ends->count; i++)
        if (kept == 0 || ends->last[kept - 1] != ends->last[i])
            ends->last[kept++] = ends->last[i];
    ends->count = kept;
}

/* Lists the levels at which the diagram begins to tell levels apart. */
static bool list_ends(wrc_component *c)
{
    const wrc_diagrams *store = &c->store;
    for (uint32_t n = WRC_YES + 1; n < store->node_count; n++)
        c->ends[store->nodes[n].variable].count += store->nodes[n].edge_count;
    for (uint32_t v = 0; v < c->rules.variables; v++) {
        c->ends[v].last =
            wrc_blocks_take(&c->blocks, c->ends[v].count + 1, sizeof *c->ends[v].last);
        if (c->ends[v].last == NULL)
            return false;
        c->ends[v].last[0] = c->levels[v] - 1;
        c->ends[v].count = 1;
    }
    for (uint32_t n = WRC_YES + 1; n < store->node_count; n++) {
        wrc_ends *ends = &c->ends[store->nodes[n].variable];
        for (uint32_t e = 0; e < store->nodes[n].edge_count; e++)
            ends->last[ends->count++] = store->edges[store->nodes[n].first_edge + e].to;
    }
    for (uint32_t v = 0; v < c->rules.variables; v++)
        sort_ends(&c->ends[v]);
    return true;
}

/* A walk through open cells goes along most edges where there are many variables: then a diagram
 * is worth it only if it is small. */
static size_t edges_for(const wrc_component *c, const wrc_oracle_limits *limits)
{
    return c->rules.variables <= FEW ? limits->edges : limits->edges / CROWDED + 1;
}

/* By diagram or tuples; WRC_TOO_LARGE: not so. */
static wrc_opening open_diagram(wrc_component *c, const wrc_oracle_limits *limits)
{
    wrc_opening opening = WRC_TOO_LARGE;
    uint32_t   *nodes = malloc(c->rules.count * sizeof *nodes);
    bool        fine = nodes != NULL &&
                wrc_diagrams_open(&c->store, c->rules.variables, c->levels, edges_for(c, limits));
    for (size_t r = 0; r < c->rules.count && fine; r++) {
        nodes[r] =
            wrc_rule_diagram(&c->store, c->rules.model, c->variable_of, c->rules.rules[r].holds);
        fine = nodes[r] != WRC_NO_DIAGRAM;
    }
    if (fine) {
        bool all =
            limits->tuples > 0 && wrc_consensus(&c->store, nodes, c->rules.count, c->parameters,
                                                limits->tuples, &c->forbidden);
        c->way = all ? WRC_BY_TUPLES : WRC_BY_DIAGRAM;
        fine = join_rules(c, nodes);
    }
    if (fine && c->root == WRC_NO) {
        opening = WRC_CONTRADICTORY;
    } else if (fine) {
        c->failed = wrc_blocks_take(&c->blocks, c->store.node_count, sizeof *c->failed);
        opening = c->failed != NULL && list_ends(c) ? WRC_OPENED : WRC_NO_MEMORY;
    }
    free(nodes);
    return opening;
}

/* ---- The rules of each variable ---- */

static bool list_rules(wrc_component *c)
{
    wrc_rules *rules = &c->rules;
    size_t    *starts = NULL;
    uint32_t  *members = NULL;
    bool       fine = list_groups(c, &starts, &members);
    size_t     count = fine ? starts[rules->count] : 0;
    rules->starts = wrc_blocks_take(&c->blocks, rules->variables + 2, sizeof *rules->starts);
    rules->of = wrc_blocks_take(&c->blocks, count + 1, sizeof *rules->of);
    fine = fine && !c->blocks.failed;
    for (size_t i = 0; i < count && fine; i++)
        rules->starts[members[i] + 2]++;
    for (uint32_t v = 0; v < rules->variables && fine; v++)
        rules->starts[v + 2] += rules->starts[v + 1];
    for (size_t r = 0; r < rules->count && fine; r++)
        for (size_t i = starts[r]; i < starts[r + 1]; i++)
            rules->of[rules->starts[members[i] + 1]++] = (uint32_t)r;
    free(starts);
    free(members);
    return fine;
}

/* ---- Opening and closing ---- */

wrc_opening wrc_component_open(wrc_component *c, const wrc_model *model,
                               const wrc_oracle_limits *limits, const wrc_rule *rules,
                               size_t rule_count, uint32_t *parameters, uint32_t parameter_count,
                               uint32_t *variable_of, const wrc_rule **culprit)
{
    *c = (wrc_component){ .parameters = parameters, .variable_of = variable_of };
    c->levels = wrc_blocks_take(&c->blocks, parameter_count, sizeof *c->levels);
    c->rules = (wrc_rules){ .model = model,
                            .rules = rules,
                            .count = rule_count,
                            .variables = parameter_count,
                            .parameters = parameters,
                            .levels = c->levels,
                            .variable_of = variable_of };
    c->cells = wrc_blocks_take(&c->blocks, parameter_count, sizeof *c->cells);
    c->alone = wrc_blocks_take(&c->blocks, model->parameter_count, sizeof *c->alone);
    c->ends = wrc_blocks_take(&c->blocks, parameter_count, sizeof *c->ends);
    for (uint32_t p = 0; c->alone != NULL && p < model->parameter_count; p++)
        c->alone[p] = WRC_ANY;
    if (c->blocks.failed || !wrc_forbidden_open(&c->forbidden, model) || !order_variables(c))
        return WRC_NO_MEMORY;
    wrc_opening opening = open_diagram(c, limits);
    if (opening != WRC_TOO_LARGE)
        return opening;
    wrc_diagrams_close(&c->store);
    c->way = WRC_BY_SOLVER;
    if (!list_rules(c))
        return WRC_NO_MEMORY;
    opening = wrc_consult_open(&c->consult, &c->rules, c->ends, culprit);
    if (opening != WRC_TOO_LARGE || c->rules.variables > FEW)
        return opening;
    wrc_consult_close(&c->consult);
    c->way = WRC_BY_HALVING;
    return wrc_halving_open(&c->halving, &c->rules);
}

void wrc_component_close(wrc_component *c)
{
    wrc_forbidden_close(&c->forbidden);
    wrc_diagrams_close(&c->store);
    wrc_consult_close(&c->consult);
    wrc_halving_close(&c->halving);
    free(c->parameters);
    wrc_blocks_free(&c->blocks);
    memset(c, 0, sizeof *c);
}
