/* cover/diagram.h: decision diagrams over levels.
 *
 * A diagram is the set of rows that it leads to WRI_YES. A node asks one variable; its edges
 * split the levels into intervals, so a range of a million levels costs as much as the cuts that
 * matter. Variables are asked in one order, a variable that does not matter is not asked, and no
 * two nodes are alike: two diagrams of one store are the same set only if they are the same
 * number. So every node but WRI_NO has a row that leads to WRI_YES.
 */
#ifndef WRI_COVER_DIAGRAM_H
#define WRI_COVER_DIAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WRI_NO, WRI_YES };
#define WRI_NO_DIAGRAM UINT32_MAX /* the limit is reached, or memory short */

typedef struct wri_edge {
    uint32_t to;    /* the last level; the first is behind the edge before */
    uint32_t child; /* a node */
} wri_edge;

typedef struct wri_diagram_node {
    uint32_t variable; /* WRI_NO and WRI_YES: behind all others */
    uint32_t edge_count;
    size_t first_edge;
} wri_diagram_node;

typedef struct wri_diagrams {
    uint32_t variables;
    const uint32_t *levels; /* of each variable */
    size_t limit;           /* of edges made, and of work in proportion; 0: none */
    size_t work;
    wri_diagram_node *nodes;
    uint32_t node_count, node_room;
    wri_edge *edges;
    size_t edge_count, edge_room;
    uint32_t *unique; /* hash table of nodes, 0: free */
    struct wri_applied *applied; /* cache of joins, as large */
    uint32_t unique_room;
    bool failed;                 /* at the limit: from there on everything fails */
} wri_diagrams;

/* False when memory is short. */
bool wri_diagrams_open(wri_diagrams *store, uint32_t variables, const uint32_t *levels, size_t limit);
void wri_diagrams_close(wri_diagrams *store);

/* The node with these edges, which end at the variable's last level; neighbours may lead to the
 * same child. The edges are changed. */
uint32_t wri_diagram_node_of(wri_diagrams *store, uint32_t variable, wri_edge *edges, size_t count);

/* Counts a step of work; false when there have been too many. */
bool wri_diagrams_step(wri_diagrams *store);

uint32_t wri_diagram_and(wri_diagrams *store, uint32_t a, uint32_t b);
uint32_t wri_diagram_or(wri_diagrams *store, uint32_t a, uint32_t b);
uint32_t wri_diagram_not(wri_diagrams *store, uint32_t a);

/* Which child a level leads to. */
static inline uint32_t wri_diagram_child(const wri_diagrams *store, const wri_diagram_node *node,
                                         uint32_t level)
{
    const wri_edge *edge = &store->edges[node->first_edge];
    size_t count = node->edge_count;
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
bool wri_diagrams_keep(wri_diagrams *store, uint32_t *roots, size_t count);

#endif
