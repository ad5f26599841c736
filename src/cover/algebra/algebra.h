/* cover/algebra/algebra.h: the direct construction for a goal, and how few rows a goal can have.
 *
 * wrc_algebra_open() compares all constructions once and keeps the best; the other functions
 * build it. Constructions are for goals without constraints, fixed cells and kept rows.
 */
#ifndef WRC_COVER_ALGEBRA_ALGEBRA_H
#define WRC_COVER_ALGEBRA_ALGEBRA_H

#include "cover/algebra/array.h"
#include "cover/algebra/goal.h"

typedef struct wrc_algebra wrc_algebra;

/* NULL: no construction applies, or no memory; the other functions take that. goal->levels must
 * outlive the result, the goal itself need not. */
wrc_algebra *wrc_algebra_open(const wrc_goal *goal);
void         wrc_algebra_close(wrc_algebra *algebra);

/* How many rows it has; UINT64_MAX: none applies. Fewer may come out: empty ones are left out. */
uint64_t wrc_algebra_rows(const wrc_algebra *algebra);
/* Its name in a report; NULL: none applies. */
const char *wrc_algebra_name(const wrc_algebra *algebra);

/* Hands the rows out one at a time and holds none; false: none applies, or no memory. */
bool wrc_algebra_stream(const wrc_algebra *algebra, wrc_row_taker *take, void *state);
/* Fills an empty array, if it has fewer than `best` rows and can be held; else false. */
bool wrc_algebra_build(const wrc_algebra *algebra, uint64_t best, wrc_array *out);

/* A lower bound that is known, and one sentence why. */
uint64_t wrc_bound_rows(const wrc_goal *goal, const char **why);

#endif
