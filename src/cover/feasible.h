/* cover/feasible.h: which tuples no allowed row has.
 *
 * A tuple is infeasible when its cells within one component of the constraints are. So each set
 * of columns of one component is decided once, by the oracle, and remembered; combinations of
 * columns are then answered from what is remembered, and most of them at a glance.
 */
#ifndef WRI_COVER_FEASIBLE_H
#define WRI_COVER_FEASIBLE_H

#include "cover/build.h"

typedef struct wri_feasible wri_feasible;

/* NULL: no memory. A goal without an oracle has no infeasible tuples. */
wri_feasible *wri_feasible_open(const wri_goal *goal);
void          wri_feasible_close(wri_feasible *feasible);

/* Calls `take` for each infeasible tuple of these columns, with its levels in their order.
 * False: no memory. */
typedef void wri_levels_taker(void *state, const uint32_t *levels);
bool wri_feasible_list(wri_feasible *feasible, const uint32_t *columns, uint32_t count,
                       wri_levels_taker *take, void *state);

#endif
