/* cover/oracle/diagram.h: decision diagrams over levels.
 *
 * A diagram is the set of rows that it leads to WRC_YES. A node asks one variable. Its edges
 * split the levels into intervals, so a range of a million levels costs as much as the cuts that
 * matter. Variables are asked in one order, and a variable that does not matter is not asked. No
 * two nodes are alike, so two diagrams of one store are the same set only if they are the same
 * number. So every node but WRC_NO has a row that leads to WRC_YES.
 */
#ifndef WRC_COVER_ORACLE_DIAGRAM_H
#define WRC_COVER_ORACLE_DIAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WRC_NO, WRC_YES };
#define WRC_NO_DIAGRAM UINT32_MAX /* the limit is reached, or memory short */

typedef struct wrc_edge {
    uint32_t to;    /* the last level; the first is behind the edge before */
    uint32_t child; /* a node */
} wrc_edge;

typedef struct wrc_diagram_node {
    uint32_t variable; /* WRC_NO and WRC_YES: behind all others */
    uint32_t edge_count;
    size_t   first_edge;
} wrc_diagram_node;

typedef struct wrc_diagrams {
    uint32_t            variables;
    const uint32_t     *levels; /* of each variable */
    size_t              limit;  /* of edges made, and of work in proportion; at most 2^30 */
    size_t              work;
    wrc_diagram_node   *nodes;
    uint32_t            node_count;
    size_t              node_room;
    wrc_edge           *edges;
    size_t              edge_count, edge_room;
    uint32_t           *unique;  /* hash table of nodes, 0: free */
    struct wrc_applied *applied; /* cache of joins, as large */
    uint32_t            unique_room;
    bool                failed; /* at the limit: from there on everything fails */
} wrc_diagrams;

/* False when memory is short. */
bool wrc_diagrams_open(wrc_diagrams *store, uint32_t variables, const uint32_t *levels,
                       size_t limit);
void wrc_diagrams_close(wrc_diagrams *store);

/* The node with these edges, which end at the variable's last level; neighbours may lead to the
 * same child. The edges are changed. */
uint32_t wrc_diagram_node_of(wrc_diagrams *store, uint32_t variable, wrc_edge *edges,
                             size_t count);

/* Counts a step of work; false when there have been too many. */
bool wrc_diagrams_step(wrc_diagrams *store);

uint32_t wrc_diagram_and(wrc_diagrams *store, uint32_t a, uint32_t b);
uint32_t wrc_diagram_or(wrc_diagrams *store, uint32_t a, uint32_t b);
uint32_t wrc_diagram_not(wrc_diagrams *store, uint32_t a);

/* Which child a level leads to. */
static inline uint32_t wrc_diagram_child(const wrc_diagrams *store, const wrc_diagram_node *node,
                                         uint32_t level)
{
    const wrc_edge *edge = &store->edges[node->first_edge];
    size_t          count = node->edge_count;
    while (count > 8) { /* the edge wanted is within count of edge */
        size_t half = count / 2;
        if (edge[half - 1].to < level)
            edge += half;
        count -= half;
    }
    while (edge->to < level)
        edge++;
    return edge->child;
}

/* Drops every node that no root leads to; the roots get their new numbers. */
bool wrc_diagrams_keep(wrc_diagrams *store, uint32_t *roots, size_t count);

#endif
