/* explore/guide/mutant.h: answers a case that is a change of another case.
 *
 * The plan is the other case's log up to a limit, with a few answers changed. As long as the case
 * asks for the plan's next node, in order, it is answered at once. After its first other request,
 * answers are looked up by address (plan/align.h). Requests without an answer in the plan are
 * answered at random. Every answer is clamped to the request's bounds, so a changed case never
 * breaks a generator's promise.
 */
#ifndef WRI_EXPLORE_GUIDE_MUTANT_H
#define WRI_EXPLORE_GUIDE_MUTANT_H

#include "core/case.h"
#include "plan/align.h"

/* One changed answer of the plan. */
typedef struct wri_change {
    uint32_t node, element; /* element: index in an array */
    uint64_t number;
} wri_change;
#define WRI_CHANGES 4

typedef struct wri_mutant {
    wri_answerer     base;
    const wri_trace *plan;                 /* belongs to the caller */
    size_t           limit;                /* nodes from here on are ignored */
    wri_change       changes[WRI_CHANGES]; /* by node */
    unsigned         change_count;

    bool      aligned; /* the case has left the plan's order */
    bool      blind;   /* the plan has no names: answers go by order alone */
    wri_align align;   /* the open spans; and the rest of the plan, once `aligned` */
} wri_mutant;

/* Starts with this plan, without changes. The plan must outlive the case. */
wri_answerer *wri_mutant_start(wri_mutant *mutant, const wri_trace *plan, size_t limit);
/* The same with a plan without names, as a token's. Answers go by order, as long as requests
 * have the plan's kinds, and are random from there on. */
wri_answerer *wri_mutant_start_blind(wri_mutant *mutant, const wri_trace *plan);
/* Adds a change. False: no room for another one. */
bool wri_mutant_change(wri_mutant *mutant, uint32_t node, uint32_t element, uint64_t number);
void wri_mutant_free(wri_mutant *mutant);

#endif
