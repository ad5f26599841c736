/* cover/oracle/encode.c: turns rules into clauses for a solver. */
#include "cover/oracle/encode.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "cover/oracle/diagram.h"
#include "cover/model/expression.h"
#include "cover/oracle/rule_diagram.h"

enum {
    RULE_LIMIT = 1 << 16,       /* edges of a rule's diagram before it is taken apart */
    COMPARISON_LIMIT = 1 << 20, /* edges of a diagram that cannot be */
    FEW_WAYS = 16,              /* to WRC_NO, of a diagram that needs no literals for its nodes */
};

bool wrc_clauses_open(wrc_clauses *clauses, const wrc_rules *rules)
{
    *clauses = (wrc_clauses){ .rules = rules,
                              .solver = wrc_solver_open(),
                              .cuts = calloc(rules->variables, sizeof *clauses->cuts) };
    return clauses->cuts != NULL && clauses->solver != NULL;
}

void wrc_clauses_close(wrc_clauses *clauses)
{
    for (uint32_t v = 0; clauses->cuts != NULL && v < clauses->rules->variables; v++)
        free(clauses->cuts[v].cuts);
    free(clauses->cuts);
    wrc_solver_close(clauses->solver);
    memset(clauses, 0, sizeof *clauses);
}

static bool add(wrc_clauses *clauses, size_t count, const int *literals)
{
    return wrc_solver_add(clauses->solver, literals, count);
}

/* ---- Cuts ---- */

/* The first cut at the level or behind it. */
static size_t cut_from(const wrc_cuts *cuts, uint32_t level)
{
    size_t low = 0, high = cuts->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cuts->cuts[middle].level < level)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The literal for "at most this level", which is not the last; 0 when memory is short. A
 * level that is at most this one is at most a higher one. */
static int cut_at(wrc_clauses *clauses, uint32_t variable, uint32_t level)
{
    wrc_cuts *cuts = &clauses->cuts[variable];
    size_t    at = cut_from(cuts, level);
    if (at < cuts->count && cuts->cuts[at].level == level)
        return cuts->cuts[at].literal;
    wrc_cut *wider = wri_grow(cuts->cuts, sizeof *wider, cuts->count, &cuts->room);
    if (wider == NULL)
        return 0;
    cuts->cuts = wider;
    memmove(&cuts->cuts[at + 1], &cuts->cuts[at], (cuts->count - at) * sizeof *cuts->cuts);
    cuts->count++;
    int literal = ++clauses->literals;
    cuts->cuts[at] = (wrc_cut){ level, literal };
    bool fine = true;
    if (at > 0)
        fine = add(clauses, 2, (int[]){ -cuts->cuts[at - 1].literal, literal });
    if (at + 1 < cuts->count)
        fine = fine && add(clauses, 2, (int[]){ -literal, cuts->cuts[at + 1].literal });
    return fine ? literal : 0;
}

size_t wrc_clauses_cell(const wrc_clauses *clauses, uint32_t variable, uint32_t level,
                        int *literals)
{
    const wrc_cuts *cuts = &clauses->cuts[variable];
    size_t          at = cut_from(cuts, level), count = 0;
    if (at > 0)
        literals[count++] = -cuts->cuts[at - 1].literal;
    if (at < cuts->count)
        literals[count++] = cuts->cuts[at].literal;
    return count;
}

wrc_interval wrc_clauses_solution(const wrc_clauses *clauses, uint32_t variable)
{
    const wrc_cuts *cuts = &clauses->cuts[variable];
    size_t          at = 0;
    while (at < cuts->count && !wrc_solver_is_true(clauses->solver, cuts->cuts[at].literal))
        at++;
    return (wrc_interval){ at == 0 ? 0 : cuts->cuts[at - 1].level + 1,
                           at == cuts->count ? clauses->rules->levels[variable] - 1
                                             : cuts->cuts[at].level };
}

/* ---- Diagrams ---- */

static int node_literal(wrc_clauses *clauses, const wrc_diagrams *store, uint32_t n,
                        int *literal_of);

/* That the node's literal leads on through one edge. */
static bool add_edge(wrc_clauses *clauses, const wrc_diagrams *store, uint32_t n, uint32_t e,
                     int *literal_of)
{
    const wrc_diagram_node *node = &store->nodes[n];
    const wrc_edge         *edge = &store->edges[node->first_edge + e];
    int                     literals[4], at_least, at_most, child;
    size_t                  count = 0;
    if (edge->child == WRC_YES)
        return true;
    literals[count++] = -literal_of[n];
    if (e > 0) {
        if ((at_least = cut_at(clauses, node->variable, edge[-1].to)) == 0)
            return false;
        literals[count++] = at_least;
    }
    if (e + 1 < node->edge_count) {
        if ((at_most = cut_at(clauses, node->variable, edge->to)) == 0)
            return false;
        literals[count++] = -at_most;
    }
    if (edge->child != WRC_NO) {
        if ((child = node_literal(clauses, store, edge->child, literal_of)) == 0)
            return false;
        literals[count++] = child;
    }
    return add(clauses, count, literals);
}

/* The literal of a node that is neither WRC_NO nor WRC_YES; 0 when memory is short. */
static int node_literal(wrc_clauses *clauses, const wrc_diagrams *store, uint32_t n,
                        int *literal_of)
{
    if (literal_of[n] != 0)
        return literal_of[n];
    literal_of[n] = ++clauses->literals;
    for (uint32_t e = 0; e < store->nodes[n].edge_count; e++)
        if (!add_edge(clauses, store, n, e, literal_of))
            return 0;
    return literal_of[n];
}

/* How many ways lead from the node to WRC_NO, or more than FEW_WAYS. */
static size_t count_ways(const wrc_diagrams *store, uint32_t n)
{
    const wrc_diagram_node *node = &store->nodes[n];
    size_t                  ways = n == WRC_NO;
    for (uint32_t e = 0; e < node->edge_count && ways <= FEW_WAYS; e++)
        ways += count_ways(store, store->edges[node->first_edge + e].child);
    return ways;
}

/* A clause for each way from the node to WRC_NO: not this way. `literals` has what is excluded on
 * the way so far. */
static bool exclude_ways(wrc_clauses *clauses, const wrc_diagrams *store, uint32_t n,
                         int *literals, size_t count)
{
    const wrc_diagram_node *node = &store->nodes[n];
    if (n <= WRC_YES)
        return n == WRC_YES || add(clauses, count, literals);
    for (uint32_t e = 0; e < node->edge_count; e++) {
        const wrc_edge *edge = &store->edges[node->first_edge + e];
        size_t          longer = count;
        if (edge->child == WRC_YES)
            continue;
        if (e > 0 && (literals[longer++] = cut_at(clauses, node->variable, edge[-1].to)) == 0)
            return false;
        if (e + 1 < node->edge_count &&
            (literals[longer++] = -cut_at(clauses, node->variable, edge->to)) == 0)
            return false;
        if (!exclude_ways(clauses, store, edge->child, literals, longer))
            return false;
    }
    return true;
}

/* Adds that the guard implies the diagram: way by way where these are few, else node by node. */
static bool add_diagram(wrc_clauses *clauses, const wrc_diagrams *store, uint32_t root, int guard)
{
    if (count_ways(store, root) <= FEW_WAYS) {
        int *literals = malloc((2 * (size_t)clauses->rules->variables + 1) * sizeof *literals);
        if (literals == NULL)
            return false;
        literals[0] = -guard;
        bool fine = exclude_ways(clauses, store, root, literals, 1);
        free(literals);
        return fine;
    }
    int *literal_of = calloc(store->node_count, sizeof *literal_of);
    int  literal = literal_of == NULL ? 0 : node_literal(clauses, store, root, literal_of);
    free(literal_of);
    return literal != 0 && add(clauses, 2, (int[]){ -guard, literal });
}

/* Adds that the guard implies the expression, or its opposite. False at the limit. */
static bool add_whole(wrc_clauses *clauses, const wrc_expression *e, bool opposite, size_t limit,
                      int guard)
{
    const wrc_rules *rules = clauses->rules;
    wrc_diagrams     store;
    if (!wrc_diagrams_open(&store, rules->variables, rules->levels, limit))
        return false;
    uint32_t root = wrc_rule_diagram(&store, rules->model, rules->variable_of, e);
    if (opposite)
        root = wrc_diagram_not(&store, root);
    bool fine = root != WRC_NO_DIAGRAM && add_diagram(clauses, &store, root, guard);
    wrc_diagrams_close(&store);
    return fine;
}

/* ---- Taken apart ---- */

/* The same for an expression whose diagram is too large, down to its comparisons. */
static bool add_part(wrc_clauses *clauses, const wrc_expression *e, bool opposite, int guard)
{
    if (e->op == WRC_OP_NOT)
        return add_part(clauses, e->left, !opposite, guard);
    if (!wrc_operator_joins(e->op))
        return add_whole(clauses, e, opposite, COMPARISON_LIMIT, guard);
    bool opposite_left = opposite != (e->op == WRC_OP_IMPLIES);
    if ((e->op == WRC_OP_AND) != opposite)
        return add_part(clauses, e->left, opposite_left, guard) &&
               add_part(clauses, e->right, opposite, guard);
    int left = ++clauses->literals, right = ++clauses->literals;
    return add(clauses, 3, (int[]){ -guard, left, right }) &&
           add_part(clauses, e->left, opposite_left, left) &&
           add_part(clauses, e->right, opposite, right);
}

bool wrc_clauses_add(wrc_clauses *clauses, const wrc_expression *rule, int *selector)
{
    int guard = ++clauses->literals;
    if (!add(clauses, 2, (int[]){ guard, -guard })) /* known, even if it implies nothing */
        return false;
    if (selector != NULL)
        *selector = guard;
    else if (!add(clauses, 1, (int[]){ guard }))
        return false;
    return add_whole(clauses, rule, false, RULE_LIMIT, guard) ||
           add_part(clauses, rule, false, guard);
}
