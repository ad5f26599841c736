/* explore/feedback.h: new sequences of calls, made from sequences that reached new states.
 *
 * One shortest sequence is kept for each state that was reached. The next test is one of them
 * with one more call, or with the calls of a macro. The command is chosen first, all equally
 * likely, and then a state in which it can be called. So commands that can be called in few
 * states are called as often as others. No test is made twice. How a test is run is not known
 * here.
 */
#ifndef WRI_EXPLORE_FEEDBACK_H
#define WRI_EXPLORE_FEEDBACK_H

#include "machine/calls/sequence.h"

typedef struct wri_feedback wri_feedback;

/* NULL: out of memory. */
wri_feedback *wri_feedback_make(const wri_machine *machine, uint64_t seed);
void          wri_feedback_free(wri_feedback *feedback);

/* The next test, valid until the next call. `extra` is a command, from 1, to be called at the
 * end with random arguments; 0: none. False: every test that can be made was made. */
bool wri_feedback_next(wri_feedback *feedback, wri_sequence *test, unsigned *extra);

/* These calls were made and led to a state in which the commands of `callable` can be called.
 * False: out of memory. */
bool wri_feedback_reached(wri_feedback *feedback, const wri_sequence *made, uint64_t state,
                          uint64_t callable);

#endif
