/* cover/search/relabel.h: the levels of each column change places.
 *
 * An array covers as much afterwards as before, if no constraint, fixed cell or kept row says
 * what a level means. The arrays of algebra are regular: over ranges a column is a sum of others.
 * Values are near each other, or equal, in only a few of the possible ways. Faults that depend on
 * the other ways are never met. Places that the seed chooses break this up.
 *
 * A place is computed, not looked up: a range of a billion levels needs no table.
 */
#ifndef WRC_COVER_SEARCH_RELABEL_H
#define WRC_COVER_SEARCH_RELABEL_H

#include "cover/algebra/goal.h"

#define WRC_RELABEL_ROUNDS 3

/* For one column: a one-to-one map of the numbers below a power of two, applied until the result
 * is a level. */
typedef struct wrc_places {
    uint32_t levels; /* 0: all stay where they are */
    uint32_t mask, shift;
    uint32_t factors[WRC_RELABEL_ROUNDS], summands[WRC_RELABEL_ROUNDS];
} wrc_places;

/* One for each column of a goal without kept rows. NULL: no memory. The caller frees it. */
wrc_places *wrc_places_new(const wrc_goal *goal, uint64_t random);

/* Open cells stay open. */
void wrc_relabel(const wrc_places *places, uint32_t columns, uint32_t *row);

#endif
