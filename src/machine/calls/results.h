/* machine/calls/results.h: how sequences ended, so that none of them is run again.
 *
 * Two sequences are the same here if they have the same settings, and differ only in the names of
 * interchangeable values. A
 * sequence that passed has passed with all its beginnings. A sequence that failed is kept with
 * the call at which it did.
 */
#ifndef WRI_MACHINE_CALLS_RESULTS_H
#define WRI_MACHINE_CALLS_RESULTS_H

#include "machine/calls/sequence.h"

typedef struct wri_results wri_results;

/* NULL: out of memory. */
wri_results *wri_results_make(const wri_machine *machine);
void         wri_results_free(wri_results *results);

/* How the sequence ended; false: that is not known. `failure` tells failures apart, `at` is the
 * call that failed. */
bool wri_results_find(const wri_results *results, const wri_sequence *sequence, bool *failed,
                      uint64_t *failure, size_t *at);
/* False: this contradicts what is known, so the system does not do the same each time. */
bool wri_results_add(wri_results *results, const wri_sequence *sequence, bool failed,
                     uint64_t failure, size_t at);

#endif
