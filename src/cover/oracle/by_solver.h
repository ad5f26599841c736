/* cover/oracle/by_solver.h: decides a component's rules by a solver.
 *
 * The solver is asked last. Cheaper answers come before it, the cheapest first. They are pairs of
 * values that no row has, and longer tuples that were refused before. Then come known rows that
 * have all chosen cells, and such rows with one cell changed. Each answer of the solver becomes a
 * refused tuple or a known row.
 */
#ifndef WRC_COVER_ORACLE_BY_SOLVER_H
#define WRC_COVER_ORACLE_BY_SOLVER_H

#include "cover/model/blocks.h"
#include "cover/oracle/encode.h"
#include "cover/oracle/forbidden.h"
#include "cover/oracle/known_rows.h"
#include "cover/oracle/oracle.h"
#include "cover/oracle/pairs.h"
#include "cover/oracle/value_classes.h"

typedef struct wrc_consult {
    const wrc_rules *rules;
    wrc_blocks       blocks;
    wrc_ends        *ends; /* of each variable */
    wrc_clauses      clauses;
    wrc_values       values;
    wrc_forbidden    refused; /* longer ones than pairs */
    wrc_known        known;
    wrc_pairs        pairs;
    bool             prepared;      /* the pairs were decided, or cannot be */
    uint32_t *chosen, chosen_count; /* variables of the row looked at, the asked one last */
    uint32_t *cells;                /* of each of these: its value */
    uint32_t *before, before_count; /* those that the solver was asked about last, in its order */
    uint32_t *spare;                /* room for the next ones */
    bool     *placed;               /* of each variable: chosen, and has no place in that order */
    uint32_t *row;                  /* of the model: for judging complete rows */
    uint32_t *alone;                /* of the model: open but for the cells of a tuple */
    uint32_t *solution;
    int      *assumed;
} wrc_consult;

typedef enum wrc_opening {
    WRC_OPENED,
    WRC_CONTRADICTORY,
    WRC_TOO_LARGE,
    WRC_NO_MEMORY
} wrc_opening;

/* Fills in `ends`. With WRC_TOO_LARGE *culprit is the rule that is. To be closed whatever comes
 * of it; the rules must outlive it. */
wrc_opening wrc_consult_open(wrc_consult *c, const wrc_rules *rules, wrc_ends *ends,
                             const wrc_rule **culprit);
void        wrc_consult_close(wrc_consult *c);

/* Can the row be completed? `variable` (or WRC_ANY) has the level instead of its cell. Then the
 * row without it is taken to be one that can. */
bool wrc_consult_row(wrc_consult *c, const uint32_t *row, uint32_t variable, uint32_t level);

/* The same of a row that has but these cells, given by variable. */
bool wrc_consult_tuple(wrc_consult *c, const uint32_t *variables, const uint32_t *levels,
                       uint32_t count);

/* Calls `take` for cells that are never with this one: as many as are known, by parameter. */
void wrc_consult_excluded(wrc_consult *c, uint32_t variable, uint32_t level, wrc_cell_taker *take,
                          void *state);

/* Whether a tuple of so many cells is answered at a glance. */
bool wrc_consult_knows(wrc_consult *c, uint32_t count);

#endif
