/* cover/oracle.h: what the constraints allow, exactly.
 *
 * The constraints are split into components that share no parameter. Each component answers by
 * a decision diagram over partial assignments while that stays small, and by a SAT solver with
 * learned forbidden tuples beyond. Every answer is a proof: "no" means that no completion
 * exists. Parameters in no component are free and cost nothing.
 */
#ifndef WRI_COVER_ORACLE_H
#define WRI_COVER_ORACLE_H

#include "cover/model.h"

typedef struct wri_oracle wri_oracle;

/* Reads the model's constraints; the model must outlive it. NULL with a complaint when the
 * constraints contradict each other (it names a minimal set of them) or memory is short.
 * `invalid_levels` are ordinary levels to an oracle. */
wri_oracle *wri_oracle_open(const wri_model *model, wri_complaint *complaint);
void wri_oracle_close(wri_oracle *oracle); /* NULL is fine */

/* How much may be spent before the next way is taken. wri_oracle_open() takes the defaults. */
typedef struct wri_oracle_limits {
    uint32_t tuples; /* forbidden ones of a component; 0: never list them all */
    size_t edges;    /* of a component's diagram */
    const struct wri_solver_engine *solver;
} wri_oracle_limits;
wri_oracle_limits wri_oracle_defaults(void);
wri_oracle *wri_oracle_open_within(const wri_model *model, const wri_oracle_limits *limits,
                                   wri_complaint *complaint);

/* By what a component answers. */
typedef enum wri_oracle_way {
    WRI_BY_TUPLES,
    WRI_BY_DIAGRAM,
    WRI_BY_SOLVER,
    WRI_BY_HALVING
} wri_oracle_way;
wri_oracle_way wri_oracle_way_of(const wri_oracle *oracle, uint32_t component);

/* Whether something could not be decided, and was answered by no: then no answer counts. */
bool wri_oracle_gave_up(const wri_oracle *oracle);

/* Which component a parameter is in, or WRI_ANY: free. Components are 0..count-1. */
uint32_t wri_oracle_component(const wri_oracle *oracle, uint32_t parameter);
uint32_t wri_oracle_components(const wri_oracle *oracle);

/* Whether a partial row (WRI_ANY: open) can be completed. Only components with a chosen cell are
 * looked at: every component on its own can be completed. */
bool wri_oracle_allows(wri_oracle *oracle, const uint32_t *row);

/* The same where the row without `parameter`'s cell is known to be allowed: looks at one
 * component only. `row[parameter]` is not read. */
bool wri_oracle_allows_level(wri_oracle *oracle, const uint32_t *row, uint32_t parameter,
                             uint32_t level);

/* Whether some row has these cells, which are all of one component; and whether tuples of so many
 * are answered at a glance, so that nobody needs to remember the answers. */
bool wri_oracle_allows_tuple(wri_oracle *oracle, const uint32_t *parameters,
                             const uint32_t *levels, uint32_t count);
bool wri_oracle_knows(wri_oracle *oracle, uint32_t component, uint32_t count);

/* Calls `take` for cells that no row has together with this one: as many as are known, where to
 * know them saves questions. */
typedef void wri_cell_taker(void *state, uint32_t parameter, uint32_t level);
void wri_oracle_excluded(wri_oracle *oracle, uint32_t parameter, uint32_t level,
                         wri_cell_taker *take, void *state);

/* About what a question for a level of the parameter costs, in steps of a nanosecond or few; 0
 * where it is hardly anything. It depends on the model alone. */
uint32_t wri_oracle_cost(const wri_oracle *oracle, uint32_t parameter);

/* Sets bit l of `bits` (levels rounded up to 64) for each level that `parameter` may take in the
 * row, and says how many; clears the others. For a free parameter: all of them. */
uint32_t wri_oracle_levels(wri_oracle *oracle, const uint32_t *row, uint32_t parameter,
                           uint64_t *bits);

/* Fills every open cell that is in a component, so that the row is allowed; free ones stay.
 * `random` gives 64 random bits (NULL: the first level that fits). The row must be allowed. */
void wri_oracle_complete(wri_oracle *oracle, uint32_t *row, uint64_t (*random)(void *), void *state);

/* Whether a complete row breaks no constraint: by evaluating them, not by the diagrams. */
bool wri_row_holds(const wri_model *model, const uint32_t *row);

#endif
