/* data/ways.h: how many values a tree that is chosen in part can become.
 *
 * What is open of it are holes of types, and indices. The least that they cost is spent already;
 * in how many ways the rest can be spent on them is the product of their counts by cost.
 */
#ifndef WRI_DATA_WAYS_H
#define WRI_DATA_WAYS_H

#include "data/tree.h"

/* By what is spent beyond the least, up to `most`, which is at most WRI_COUNTED. */
typedef struct wri_ways {
    uint64_t  most;
    wri_count by_cost[WRI_COUNTED + 1];
} wri_ways;

/* With nothing open there is one way, and it costs nothing. */
void wri_ways_start(wri_ways *ways, uint64_t most);
/* Everything open at a node and below it; but for `except`, of which only what lies below it. */
void wri_ways_add_open(wri_ways *ways, wr_node *top, const wr_node *except);

/* What is left of a tree's size beyond the least that it will cost; false: it costs more. */
bool wri_ways_spare_of(wr_node *root, uint64_t size, uint64_t *spare);
/* How many values of exactly this size it can become. */
wri_count wri_ways_completions(wr_node *root, uint64_t size);

#endif
