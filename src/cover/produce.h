/* cover/produce.h: makes rows of a model as it was read.
 *
 * On the way, groups become parameters and wide parameters become digits; the rows are turned
 * back. The command and the public interface both ask here. The rows are checked if that is asked
 * for.
 */
#ifndef WRC_COVER_PRODUCE_H
#define WRC_COVER_PRODUCE_H

#include "cover/absent.h"
#include "cover/search/build.h"
#include "cover/check/check.h"

typedef struct wrc_demand {
    wrc_effort effort;
    bool       radix;      /* wide parameters as digits */
    uint32_t   radix_base; /* 0: the best */
    bool       radix_no_local;
    bool       verify; /* check the rows */
    bool count;  /* the same where there are constraints, if that is no longer than building */
    bool absent; /* find the values that the constraints exclude */
    void (*infeasible)(void *state, const wrc_model *model, const wrc_tuple *tuple);
    void
        *infeasible_state; /* where they are checked: called for each infeasible tuple; or NULL */
} wrc_demand;

typedef struct wrc_outcome {
    wrc_built    built;
    uint32_t     split, base;  /* parameters that became digits, and the widest digit */
    uint64_t     absent;       /* values in no row, for the constraints exclude them */
    uint32_t     absent_named; /* so many of them follow */
    uint32_t     absent_columns[WRC_ABSENT_NAMED], absent_levels[WRC_ABSENT_NAMED];
    bool         uncounted; /* it was to be counted, and would have taken longer than building */
    bool         checked;   /* what follows is filled in */
    wrc_coverage coverage;  /* by groups and digits, where there are any */
    wrc_faults   faults;
} wrc_outcome;

/* Hands out rows of the model. Free the outcome's coverage in any case. */
bool wrc_produce(const wrc_model *model, const wrc_demand *demand, wrc_row_taker *take,
                 void *state, wrc_outcome *outcome, wrc_complaint *complaint);

/* How much of each strength from 1 on rows cover, as the model's constraints have it. `told` is
 * called for each, with up to so many missing tuples. */
bool wrc_produce_measure(const wrc_model *model, const uint32_t *cells, uint64_t rows,
                         uint32_t strength, uint64_t most_missing,
                         void (*told)(void *state, const wrc_coverage *coverage), void *state,
                         wrc_faults *faults, wrc_complaint *complaint);

#endif
