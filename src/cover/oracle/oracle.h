/* cover/oracle/oracle.h: decides exactly which partial rows the constraints allow.
 *
 * The constraints are split into components that share no parameter. Each component answers in
 * the fastest way that stays within its limits (cover/oracle/component.h). Every answer is a
 * proof: "no" means that no completion exists. Parameters in no component are free and cost
 * nothing.
 */
#ifndef WRC_COVER_ORACLE_ORACLE_H
#define WRC_COVER_ORACLE_ORACLE_H

#include "cover/model/model.h"

typedef struct wrc_oracle wrc_oracle;

/* Reads the model's constraints; the model must outlive it. NULL with a complaint when the
 * constraints contradict each other (it names a minimal set of them) or memory is short.
 * `invalid_levels` are ordinary levels to an oracle. */
wrc_oracle *wrc_oracle_open(const wrc_model *model, wrc_complaint *complaint);
void        wrc_oracle_close(wrc_oracle *oracle); /* NULL is fine */

/* For tests: how much may be spent before the next way is taken. wrc_oracle_open() takes the
 * defaults. */
typedef struct wrc_oracle_limits {
    uint32_t tuples; /* forbidden ones of a component; 0: never list them all */
    size_t   edges;  /* of a component's diagram */
} wrc_oracle_limits;
wrc_oracle_limits wrc_oracle_defaults(void);
wrc_oracle       *wrc_oracle_open_within(const wrc_model *model, const wrc_oracle_limits *limits,
                                         wrc_complaint *complaint);

/* The way in which a component answers. */
typedef enum wrc_oracle_way {
    WRC_BY_TUPLES,
    WRC_BY_DIAGRAM,
    WRC_BY_SOLVER,
    WRC_BY_HALVING
} wrc_oracle_way;
wrc_oracle_way wrc_oracle_way_of(const wrc_oracle *oracle, uint32_t component); /* for tests */

/* Whether something could not be decided, and was answered by no: then no answer counts. */
bool wrc_oracle_gave_up(const wrc_oracle *oracle);

/* Which component a parameter is in, or WRC_ANY: free. Components are 0..count-1. */
uint32_t wrc_oracle_component(const wrc_oracle *oracle, uint32_t parameter);
uint32_t wrc_oracle_components(const wrc_oracle *oracle);

/* Whether a partial row (WRC_ANY: open) can be completed. Only components with a chosen cell are
 * looked at: every component on its own can be completed. */
bool wrc_oracle_allows(wrc_oracle *oracle, const uint32_t *row);

/* The same where the row without `parameter`'s cell is known to be allowed: looks at one
 * component only. `row[parameter]` is not read. */
bool wrc_oracle_allows_level(wrc_oracle *oracle, const uint32_t *row, uint32_t parameter,
                             uint32_t level);

/* Does some row have these cells, which are all of one component? And are tuples of so many cells
 * answered at a glance? Then nobody needs to remember the answers. */
bool wrc_oracle_allows_tuple(wrc_oracle *oracle, const uint32_t *parameters,
                             const uint32_t *levels, uint32_t count);
bool wrc_oracle_knows(wrc_oracle *oracle, uint32_t component, uint32_t count);

/* Calls `take` for cells that no row has together with this one: as many as are known, where to
 * know them saves questions. */
typedef void wrc_cell_taker(void *state, uint32_t parameter, uint32_t level);
void         wrc_oracle_excluded(wrc_oracle *oracle, uint32_t parameter, uint32_t level,
                                 wrc_cell_taker *take, void *state);

/* About what a question for a level of the parameter costs, in steps of a nanosecond or few; 0
 * where it is hardly anything. It depends on the model alone. */
uint32_t wrc_oracle_cost(const wrc_oracle *oracle, uint32_t parameter);

/* Sets bit l of `bits` (levels rounded up to 64) for each level that `parameter` may take in the
 * row, and clears the others. Says how many are set. For a free parameter: all of them. */
uint32_t wrc_oracle_levels(wrc_oracle *oracle, const uint32_t *row, uint32_t parameter,
                           uint64_t *bits);

/* Fills every open cell that is in a component, so that the row is allowed; free ones stay.
 * `random` is the state of a stream of random numbers (NULL: the first level that fits). The row
 * must be allowed. */
void wrc_oracle_complete(wrc_oracle *oracle, uint32_t *row, uint64_t *random);

/* For tests: whether a complete row breaks no constraint, by evaluating each of them. */
bool wrc_oracle_row_holds(const wrc_model *model, const uint32_t *row);

#endif
