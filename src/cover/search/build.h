/* cover/search/build.h: from a model to its rows.
 *
 * A first array comes at once: from algebra if it has one, else column by column. Then a search
 * with a budget takes rows away. There is a valid array at every moment.
 */
#ifndef WRC_COVER_SEARCH_BUILD_H
#define WRC_COVER_SEARCH_BUILD_H

#include "cover/algebra/array.h"

typedef struct wrc_effort {
    uint64_t seed;
    uint64_t moves;   /* of the search; 0: the default, about a second; 1: the first array */
    uint32_t share;   /* of the default, one part in so many; 0: all of it */
    uint64_t spent;   /* the work that the first array took; the search itself sets it */
    double   seconds; /* > 0: go on until then instead, and say how many moves it was */
    const volatile bool *stop; /* set from outside: finish with what is there; or NULL */
    void (*announce)(void *state, uint64_t rows); /* before more than WRC_MANY_ROWS; or NULL */
    void *announce_state;
} wrc_effort;

#define WRC_MANY_ROWS (UINT64_C(100) * 1000 * 1000)

/* Announces rows that are about to be handed out, if they are many. */
static inline void wrc_effort_announce(const wrc_effort *effort, uint64_t rows)
{
    if (rows > WRC_MANY_ROWS && effort->announce != NULL)
        effort->announce(effort->announce_state, rows);
}

/* All of it: the stages, invalid levels, don't-cares filled at random, falling order of new
 * coverage; rows that are too many to hold are streamed. */
typedef struct wrc_built {
    uint64_t rows, kept, moves, lower_bound;
    uint64_t skipped; /* kept rows that no array can hold: they break a constraint, have a level
                       * that does not exist, or more than one invalid one */
    const char *bound_reason;
    const char *method; /* "columns", "orthogonal array", … for the report */
    bool        streamed;
} wrc_built;
bool wrc_build(const wrc_model *model, const wrc_effort *effort, wrc_row_taker *take, void *state,
               wrc_built *built, wrc_complaint *complaint);

#endif
