/* shrink/shrink.h: the smallest case that fails the same way.
 *
 * Works on traces alone: numbers, spans, ties. What a number means is the codec's business.
 * Deterministic: the same first case and the same property give the same last case, however
 * long each try takes, unless the time budget ends it early.
 */
#ifndef WRI_SHRINK_SHRINK_H
#define WRI_SHRINK_SHRINK_H

#include "core/trace.h"

/* What a try came to. */
typedef struct wri_trial {
    bool             same;  /* it failed, by the same origin */
    const wri_trace *trace; /* what was asked and answered; valid until the next try */
} wri_trial;

typedef struct wri_shrink_setup {
    /* Runs a plan, aligned (plan/align.h). False: no more tries, the run is interrupted. */
    bool (*run)(void *context, const wri_trace *plan, wri_trial *trial);
    /* A better case was found; NULL: nobody wants to know. */
    void (*better)(void *context, const wri_trace *best, uint64_t executions);
    /* Known patterns: a plan that must not be tried. NULL: none. */
    bool (*veto)(void *context, const wri_trace *plan);
    void    *context;
    uint64_t max_executions;
    uint64_t time_ms;
} wri_shrink_setup;

typedef struct wri_shrink_result {
    uint64_t executions;
    bool     finished; /* nothing simpler was left to try; else the budget ran out */
} wri_shrink_result;

/* Shrinks `best` in place. */
wri_shrink_result wri_shrink(const wri_shrink_setup *setup, wri_trace *best);

#endif
