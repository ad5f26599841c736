/* cover/algebra/goal.h: what one array has to cover.
 *
 * A model becomes goals that share no row (cover/search/build.c). Invalid levels are dealt with
 * there: each is a goal of its own, one strength lower, with its cell fixed. Algebra and search
 * work on goals alone.
 */
#ifndef WRC_COVER_ALGEBRA_GOAL_H
#define WRC_COVER_ALGEBRA_GOAL_H

#include "cover/oracle/oracle.h"

/* All levels, 0 to levels[c] - 1, are valid. */
typedef struct wrc_goal {
    uint32_t            columns;
    const uint32_t     *levels;
    uint32_t            relation_count;
    const wrc_relation *relations; /* none within another */
    wrc_oracle         *oracle;    /* NULL: no constraints */
    const uint32_t *fixed; /* a level that every row has in a column, or WRC_ANY; NULL: none */
    uint64_t        kept_count;
    const uint32_t *kept;
} wrc_goal;

/* Whether every row has one and the same level in a column. */
static inline bool wrc_goal_fixes(const wrc_goal *goal, uint32_t column)
{
    return goal->fixed != NULL && goal->fixed[column] != WRC_ANY;
}

/* Whether a column is not fixed, and no constraint speaks of it. */
static inline bool wrc_goal_leaves_free(const wrc_goal *goal, uint32_t column)
{
    return !wrc_goal_fixes(goal, column) &&
           (goal->oracle == NULL || wrc_oracle_component(goal->oracle, column) == WRC_ANY);
}

#endif
