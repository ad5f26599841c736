/* machine/calls/part.h: sequences made out of others.
 *
 * A handle is the call that gave it, so wherever calls are left out, put in or moved, the handles
 * of the others are counted anew: they stay the calls that they were.
 */
#ifndef WRI_MACHINE_CALLS_PART_H
#define WRI_MACHINE_CALLS_PART_H

#include "machine/calls/sequence.h"

/* They give false where there is no memory, and then what they were to write is undefined. */
bool wri_sequence_reserve(wri_sequence *sequence, size_t count);
bool wri_sequence_copy(wri_sequence *to, const wri_sequence *from);
bool wri_sequence_append(wri_sequence *sequence, const wri_made *call);
void wri_sequence_free(wri_sequence *sequence);

/* Are they the same calls? Arguments compare as they are. */
bool wri_sequence_same(const wri_sequence *a, const wri_sequence *b);

/* These calls of `from`, in this order. False also where a handle would be taken before it is
 * given, or without. */
bool wri_sequence_arrange(const wri_machine *machine, const wri_sequence *from,
                          const size_t *order, size_t count, wri_sequence *to);
/* The selected calls, in the order that they have; `order`, with room for all, gets their places.
 * False also as above. */
bool wri_sequence_select(const wri_machine *machine, const wri_sequence *from,
                         const bool *selected, size_t *order, wri_sequence *to);
/* The calls of these places, in the order that they have, with those that gave their handles. */
bool wri_sequence_take(const wri_machine *machine, const wri_sequence *from, const size_t *places,
                       size_t count, wri_sequence *to);
/* Puts a call in before that of this place; its own handles are counted as they were before. */
bool wri_sequence_insert(const wri_machine *machine, wri_sequence *sequence, size_t place,
                         const wri_made *call);
/* Selects, of so many calls, all but those of a run that begins at `from`. */
void wri_sequence_select_without(bool *selected, size_t count, size_t from, size_t length);
/* Adds to a selection of calls those that gave the handles of the selected ones; takes out of it
 * those whose handles are not given by selected ones. */
void wri_sequence_select_givers(const wri_machine *machine, const wri_sequence *sequence,
                                bool *selected);
void wri_sequence_deselect_takers(const wri_machine *machine, const wri_sequence *sequence,
                                  bool *selected);

#endif
