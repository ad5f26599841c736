/* cover/search/feasible.h: the tuples that no allowed row has.
 *
 * A tuple is infeasible if its cells within one component of the constraints are. So the oracle
 * decides each set of columns of one component once, and the answer is remembered. Combinations
 * of columns are then answered from memory, most of them at a glance.
 */
#ifndef WRC_COVER_SEARCH_FEASIBLE_H
#define WRC_COVER_SEARCH_FEASIBLE_H

#include "cover/algebra/goal.h"

typedef struct wrc_feasible wrc_feasible;

/* NULL: no memory. A goal without an oracle has no infeasible tuples. */
wrc_feasible *wrc_feasible_open(const wrc_goal *goal);
void          wrc_feasible_close(wrc_feasible *feasible);

/* Calls `take` for each infeasible tuple of these columns, with its levels in their order.
 * False: no memory. */
typedef void wrc_levels_taker(void *state, const uint32_t *levels);
bool         wrc_feasible_list(wrc_feasible *feasible, const uint32_t *columns, uint32_t count,
                               wrc_levels_taker *take, void *state);

#endif
