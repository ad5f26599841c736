/* explore/feedback.h: sequences of calls made from what others led to.
 *
 * One shortest sequence is kept for each state that was reached. The next test is one of them
 * with one more call, or with the calls of a macro: the command is chosen first, all alike, and
 * then a state in which it can be called. So commands that can be called in few states are called
 * as often as others. No test comes twice. How a test is run is not known here.
 */
#ifndef WRI_EXPLORE_FEEDBACK_H
#define WRI_EXPLORE_FEEDBACK_H

#include "machine/calls/sequence.h"

typedef struct wri_feedback wri_feedback;

/* NULL: out of memory. */
wri_feedback *wri_feedback_make(const wri_machine *machine, uint64_t seed);
void          wri_feedback_free(wri_feedback *feedback);

/* The next test, in memory that is replaced; `extra` is a command, from 1, whose call with
 * arguments at random comes after these, 0: none does. False: nothing was found that was not
 * tried. */
bool wri_feedback_next(wri_feedback *feedback, wri_sequence *test, unsigned *extra);

/* These calls were made and led to a state, in which such commands can be called. False: memory
 * is out. */
bool wri_feedback_reached(wri_feedback *feedback, const wri_sequence *made, uint64_t state,
                          uint64_t callable);

#endif
