/* explore/guide/mutant.h: the answers of a case that is a change of another.
 *
 * The plan is the other case's log, with a few answers changed, up to a limit. As long as the
 * case asks what the plan has next, in order, it is answered at once; when it first asks for
 * something else, answers are looked up by address from there on (plan/align.h). What the
 * plan does not have is answered afresh, at random. Every answer is brought into the request's
 * own bounds, so a changed case never breaks a generator's promise.
 */
#ifndef WRI_EXPLORE_GUIDE_MUTANT_H
#define WRI_EXPLORE_GUIDE_MUTANT_H

#include "core/case.h"
#include "plan/align.h"

/* One answer that is another than the plan's. */
typedef struct wri_change {
    uint32_t node, element; /* element: of an array */
    uint64_t number;
} wri_change;
#define WRI_CHANGES 4

typedef struct wri_mutant {
    wri_answerer     base;
    const wri_trace *plan;                 /* memory of whoever started it */
    size_t           limit;                /* nodes from here on are not there */
    wri_change       changes[WRI_CHANGES]; /* by node */
    unsigned         change_count;

    bool      aligned; /* it asked for something else */
    bool      blind;   /* the plan knows no names: answers go by order alone */
    wri_align align;   /* the spans that are open, and the rest when it did */
} wri_mutant;

/* Makes the mutant answer with this plan, no changes yet; the plan must stay. */
wri_answerer *wri_mutant_start(wri_mutant *mutant, const wri_trace *plan, size_t limit);
/* The same with a plan that knows no names, as one from a token: answers go by their order, as
 * long as what is asked for is of the same kind, and are fresh from there on. */
wri_answerer *wri_mutant_start_blind(wri_mutant *mutant, const wri_trace *plan);
/* Adds a change; false when there are as many as there can be. */
bool wri_mutant_change(wri_mutant *mutant, uint32_t node, uint32_t element, uint64_t number);
void wri_mutant_free(wri_mutant *mutant);

#endif
