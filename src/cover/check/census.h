/* cover/check/census.h: the tuples that rows have, found by looking at every row.
 *
 * For each combination of columns a map says which tuples of their levels are in some row. It is
 * written from the definition and shares no code with building, because it checks building.
 */
#ifndef WRC_COVER_CHECK_CENSUS_H
#define WRC_COVER_CHECK_CENSUS_H

#include "cover/model/model.h"

/* Rows by columns. A cell that is WRC_ANY is in no tuple. */
typedef struct wrc_census {
    uint32_t         columns;
    const uint32_t  *levels; /* of each column */
    uint64_t         rows;
    uint32_t *const *cells; /* cells[column][row] */
    bool             open;  /* some cells are WRC_ANY */
} wrc_census;

/* The tuples of one combination. The last column runs fastest. */
typedef struct wrc_combination {
    uint32_t        strength;
    const uint32_t *columns; /* ascending */
    uint64_t        tuples, covered;
    const uint8_t  *bytes; /* one for each tuple, 0: not covered; or NULL: */
    const uint64_t *bits;  /* a bit for each */
} wrc_combination;

static inline bool wrc_census_covered(const wrc_combination *combination, uint64_t tuple)
{
    return combination->bytes ? combination->bytes[tuple] != 0
                              : combination->bits[tuple / 64] >> tuple % 64 & 1;
}

/* The levels of a tuple, by its number. */
void wrc_census_levels(const wrc_census *census, const wrc_combination *combination,
                       uint64_t tuple, uint32_t *levels);

typedef bool wrc_census_taker(void *state, const wrc_combination *combination);

/* Every combination of `strength` of these columns (ascending), or, unless `with` is WRC_ANY,
 * only those with that column. False where `take` returned false, and with a complaint where it
 * cannot be done: then the complaint's text is not empty. */
bool wrc_census_combinations(const wrc_census *census, const uint32_t *among, uint32_t count,
                             uint32_t strength, uint32_t with, wrc_census_taker *take,
                             void *state, wrc_complaint *complaint);

#endif
