/* explore/answer.h: the answerers: who answers a case's requests.
 *
 * Each one is a wri_answerer (core/case.h) and keeps its own state behind it. None knows how a
 * case is executed.
 */
#ifndef WRI_EXPLORE_ANSWER_H
#define WRI_EXPLORE_ANSWER_H

#include "core/case.h"
#include "gen/example.h"

/* Random: the case's own stream, with the lean of core/. Stateless. */
wri_answerer *wri_answer_randomly(void);
/* Whether random answers lean, from now on in this process. Without it they are uniform
 * (--lean off), and a case must be on the slow path. */
void wri_answer_leaning(bool on);

/* Replay of a token: answers in the order written down. A mismatch of kind, bound or number of
 * requests ends the case as stale. */
typedef struct wri_exact {
    wri_answerer     base;
    const wri_trace *plan;
    size_t           next; /* node of the plan that comes next */
} wri_exact;
wri_answerer *wri_answer_exactly(wri_exact *exact, const wri_trace *plan);
/* The same for the steps of a walk, where the elements of an array are choices one by one. */
wri_answerer *wri_answer_in_order(wri_exact *exact, const wri_trace *plan);
/* Did the case ask for every answer? */
bool wri_exact_done(const wri_exact *exact);

/* Replay for shrinking: answers are looked up by address. */
typedef struct wri_aligned {
    wri_answerer      base;
    struct wri_align *align;
} wri_aligned;
wri_answerer *wri_answer_aligned(wri_aligned *aligned, struct wri_align *align);

/* An explicit case: what its generators have read (gen/example.h), else 0. */
typedef struct wri_as_given {
    wri_answerer base;
    wri_example *example;
} wri_as_given;
wri_answerer *wri_answer_as_given(wri_as_given *given, wri_example *example);

#endif
