/* shrink/shrink.h: finds the smallest case that fails in the same way.
 *
 * The shrinker works on traces alone: numbers, spans, ties. The codec knows the meaning of a
 * number. The result is deterministic: the same first case and the same property give the same
 * last case, unless the time budget ends the search early.
 */
#ifndef WRI_SHRINK_SHRINK_H
#define WRI_SHRINK_SHRINK_H

#include "core/trace.h"

/* The result of a try. */
typedef struct wri_trial {
    bool             same;  /* it failed with the same origin */
    const wri_trace *trace; /* the log of the case; valid until the next try */
} wri_trial;

typedef struct wri_shrink_setup {
    /* Runs a plan, aligned (plan/align.h). False: no more tries, because the run was
     * interrupted. */
    bool (*run)(void *context, const wri_trace *plan, wri_trial *trial);
    /* Told each better case; NULL: not told. */
    void (*better)(void *context, const wri_trace *best, uint64_t executions);
    /* Asked before each try, also of a plan that need not run: is the run to end? NULL: never. */
    bool (*ends)(void *context);
    /* Forbids a plan, because it contains a known pattern. NULL: forbids none. */
    bool (*veto)(void *context, const wri_trace *plan);
    void    *context;
    uint64_t max_executions;
    uint64_t time_ms;
} wri_shrink_setup;

typedef struct wri_shrink_result {
    uint64_t executions;
    bool     finished; /* true: nothing simpler was left to try; false: the budget ran out */
} wri_shrink_result;

/* Shrinks `best` in place. */
wri_shrink_result wri_shrink(const wri_shrink_setup *setup, wri_trace *best);

#endif
