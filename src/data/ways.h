/* data/ways.h: the number of values that a partly chosen tree can become.
 *
 * The open parts of a tree are holes and indices. Their least cost is already subtracted from the
 * size. The rest of the size can be spent on them in as many ways as the product of their counts
 * by cost says.
 */
#ifndef WRI_DATA_WAYS_H
#define WRI_DATA_WAYS_H

#include "data/tree.h"

/* The number of ways, by cost beyond the least; up to `most`, which is at most WRI_COUNTED. */
typedef struct wri_ways {
    uint64_t  most;
    wri_count by_cost[WRI_COUNTED + 1];
} wri_ways;

/* A tree with nothing open: one way, which costs nothing. */
void wri_ways_start(wri_ways *ways, uint64_t most);
/* Adds the open parts at a node and below it. `except` itself is left out, not the part below
 * it. */
void wri_ways_add_open(wri_ways *ways, wr_node *top, const wr_node *except);

/* The part of a tree's size beyond the least that it will cost. False: it costs more. */
bool wri_ways_spare_of(wr_node *root, uint64_t size, uint64_t *spare);
/* The number of values of exactly this size that the tree can become. */
wri_count wri_ways_completions(wr_node *root, uint64_t size);

#endif
