/* cover/oracle/consensus.c: finds the closure of forbidden tuples, by consensus on one variable
 * after the other. */
#include "cover/oracle/consensus.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

enum {
    WORK = 1 << 22, /* pairs of tuples compared */
    LONGEST = 24,   /* parameters in a tuple: longer ones would be too many anyway */
};

typedef struct literal {
    uint32_t variable;
    uint64_t mask; /* of levels; neither none nor all */
} literal;

typedef struct tuple {
    bool     dead; /* within another */
    uint32_t count;
    literal  literals[LONGEST]; /* ascending by variable */
} tuple;

typedef struct closure {
    const wrc_diagrams *store;
    tuple              *tuples;
    uint32_t            count, alive, limit;
    size_t              room, work;
    bool                too_long; /* a tuple that would be */
} closure;

static uint64_t all_levels(const closure *c, uint32_t variable)
{
    return c->store->levels[variable] == 64 ? UINT64_MAX
                                            : (UINT64_C(1) << c->store->levels[variable]) - 1;
}

/* Whether every row that holds `inner` holds `outer`. */
static bool is_within(const tuple *inner, const tuple *outer)
{
    uint32_t i = 0;
    for (uint32_t k = 0; k < outer->count; k++, i++) {
        while (i < inner->count && inner->literals[i].variable < outer->literals[k].variable)
            i++;
        if (i == inner->count || inner->literals[i].variable != outer->literals[k].variable ||
            (inner->literals[i].mask & ~outer->literals[k].mask) != 0)
            return false;
    }
    return true;
}

/* Adds a tuple unless it lies within one that is there; those within it are dead. */
static bool add_tuple(closure *c, const tuple *made)
{
    if ((c->work += c->count) > WORK)
        return false;
    for (uint32_t i = 0; i < c->count; i++)
        if (!c->tuples[i].dead && is_within(made, &c->tuples[i]))
            return true;
    for (uint32_t i = 0; i < c->count; i++)
        if (!c->tuples[i].dead && is_within(&c->tuples[i], made)) {
            c->tuples[i].dead = true;
            c->alive--;
        }
    if (c->alive == c->limit || c->count == UINT32_MAX)
        return false;
    tuple *tuples = wri_grow(c->tuples, sizeof *tuples, c->count, &c->room);
    if (tuples == NULL)
        return false;
    c->tuples = tuples;
    tuples[c->count++] = *made;
    c->alive++;
    return true;
}

/* The tuple that a and b imply by the variable: its levels of both, and the levels of the others
 * that a and b share. False: there are none, or the tuple is not new. */
static bool imply(closure *c, const tuple *a, const tuple *b, uint32_t variable, tuple *made)
{
    uint32_t i = 0, k = 0;
    made->dead = false;
    made->count = 0;
    while (i < a->count || k < b->count) {
        uint32_t next_a = i < a->count ? a->literals[i].variable : UINT32_MAX;
        uint32_t next_b = k < b->count ? b->literals[k].variable : UINT32_MAX;
        uint32_t now = next_a < next_b ? next_a : next_b;
        uint64_t all = all_levels(c, now);
        uint64_t mask_a = next_a == now ? a->literals[i++].mask : all;
        uint64_t mask_b = next_b == now ? b->literals[k++].mask : all;
        uint64_t mask = now == variable ? mask_a | mask_b : mask_a & mask_b;
        if (mask == 0 || (now == variable && (mask == mask_a || mask == mask_b)))
            return false;
        if (mask == all)
            continue;
        if (made->count == LONGEST) {
            c->too_long = true;
            return false;
        }
        made->literals[made->count++] = (literal){ now, mask };
    }
    return true;
}

static bool imply_all(closure *c, uint32_t a, uint32_t b)
{
    tuple made;
    for (uint32_t i = 0; i < c->tuples[a].count; i++)
        if (imply(c, &c->tuples[a], &c->tuples[b], c->tuples[a].literals[i].variable, &made) &&
            !add_tuple(c, &made))
            return false;
    return !c->too_long;
}

/* Every tuple with every one before it, those that this adds included. */
static bool close_up(closure *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t k = 0; k < i; k++) {
            if (c->tuples[i].dead)
                break;
            if (c->tuples[k].dead)
                continue;
            if (++c->work > WORK || !imply_all(c, i, k))
                return false;
        }
    return true;
}

/* ---- From diagrams ---- */

/* The levels at which a node leads to the child. */
static uint64_t levels_to(const closure *c, const wrc_diagram_node *node, uint32_t child)
{
    uint64_t mask = 0;
    uint32_t from = 0;
    for (uint32_t e = 0; e < node->edge_count; e++) {
        const wrc_edge *edge = &c->store->edges[node->first_edge + e];
        for (uint32_t l = from; edge->child == child && l <= edge->to; l++)
            mask |= UINT64_C(1) << l;
        from = edge->to + 1;
    }
    return mask;
}

static bool child_came_before(const closure *c, const wrc_diagram_node *node, uint32_t e)
{
    const wrc_edge *edges = &c->store->edges[node->first_edge];
    for (uint32_t i = 0; i < e; i++)
        if (edges[i].child == edges[e].child)
            return true;
    return false;
}

/* Adds each way from the node to WRC_NO as a tuple. */
static bool add_ways(closure *c, uint32_t n, tuple *way)
{
    if (n == WRC_NO)
        return add_tuple(c, way);
    const wrc_diagram_node *node = &c->store->nodes[n];
    if (n == WRC_YES)
        return true;
    if (way->count == LONGEST || ++c->work > WORK)
        return false;
    for (uint32_t e = 0; e < node->edge_count; e++) {
        uint32_t child = c->store->edges[node->first_edge + e].child;
        if (child == WRC_YES || child_came_before(c, node, e))
            continue;
        way->literals[way->count++] = (literal){ node->variable, levels_to(c, node, child) };
        bool fine = add_ways(c, child, way);
        way->count--;
        if (!fine)
            return false;
    }
    return true;
}

static bool hand_over(const closure *c, const uint32_t *parameters, wrc_forbidden *list)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const tuple *t = &c->tuples[i];
        wrc_part     parts[LONGEST];
        for (uint32_t k = 0; k < t->count; k++)
            parts[k] = (wrc_part){ parameters[t->literals[k].variable], 0, t->literals[k].mask };
        if (!t->dead && !wrc_forbidden_add(list, parts, t->count))
            return false;
    }
    return true;
}

bool wrc_consensus(const wrc_diagrams *store, const uint32_t *rules, size_t rule_count,
                   const uint32_t *parameters, uint32_t limit, wrc_forbidden *list)
{
    closure c = { .store = store, .limit = limit };
    bool    fine = true;
    for (uint32_t v = 0; v < store->variables; v++)
        fine = fine && store->levels[v] <= 64;
    for (size_t r = 0; r < rule_count && fine; r++)
        fine = add_ways(&c, rules[r], &(tuple){ 0 });
    fine = fine && close_up(&c) && hand_over(&c, parameters, list);
    free(c.tuples);
    return fine;
}
