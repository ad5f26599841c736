/* explore/answer.h: who answers a case's requests.
 *
 * One file an explorer. Each gives a wri_answerer (core/case.h) and keeps its own state behind
 * it; none knows how a case is executed.
 */
#ifndef WRI_EXPLORE_ANSWER_H
#define WRI_EXPLORE_ANSWER_H

#include "core/case.h"

/* random: the case's own stream, with core/'s lean. Stateless. */
wri_answerer *wri_answer_randomly(void);

/* replay of a walk's steps: answers in the order made, an array's elements one by one. Any
 * mismatch of kind, bound or number of requests ends the case as stale. */
typedef struct wri_in_order {
    wri_answerer     base;
    const wri_trace *plan; /* choices only, behind the root */
    size_t           next;
} wri_in_order;
wri_answerer *wri_answer_in_order(wri_in_order *order, const wri_trace *plan);
bool          wri_in_order_done(const wri_in_order *order);

/* replay, in the manner of a token: answers in the order written down. Any mismatch, of kind,
 * bound or number of requests, ends the case as stale. */
typedef struct wri_exact {
    wri_answerer     base;
    const wri_trace *plan;
    size_t           next; /* node of the plan that comes next */
} wri_exact;
wri_answerer *wri_answer_exactly(wri_exact *exact, const wri_trace *plan);
/* Was everything asked for? */
bool wri_exact_done(const wri_exact *exact);

/* replay, in the manner of shrinking: answers are looked up by address. */
typedef struct wri_aligned {
    wri_answerer      base;
    struct wri_align *align;
} wri_aligned;
wri_answerer *wri_answer_aligned(wri_aligned *aligned, struct wri_align *align);

#endif
