/* machine/pattern/opaque.h: values that are no numbers.
 *
 * A function of the user's may draw a pointer. All that is kept of it is a hash of what was drawn
 * (sequence.h), which says nothing to anybody. So what a report has shown for it is remembered,
 * and rules are written with both:
 *
 *     add("cab" #4f1d0e92c3ab)
 */
#ifndef WRI_MACHINE_PATTERN_OPAQUE_H
#define WRI_MACHINE_PATTERN_OPAQUE_H

#include "machine/pattern/pattern.h"

/* Can values of the kind be such? */
static inline bool wri_may_be_opaque(const wr_kind *kind)
{
    return kind->draw != NULL && kind->abstract == NULL;
}

/* Notes which kinds have numbers, and which have not; true: of some that was not known. */
bool wri_opaque_see(const wri_machine *machine, const wri_sequence *sequence);
/* Is no value of the kind such a number, as far as was seen? */
bool wri_opaque_not(const wri_machine *machine, const wr_kind *kind, const wri_term *range);

/* Remembers what the calls of a sequence were shown as, one on each line (machine/play/text.c).
 * What cannot stand in a rule is passed over. */
void wri_opaque_listen(const wri_machine *machine, const wri_sequence *sequence,
                       const char *lines);
/* The same for one value. */
void wri_opaque_note(const wri_machine *machine, const wr_kind *kind, int64_t value,
                     const char *text, size_t length);
/* What it shows; NULL: that is not known. */
const char *wri_opaque_text(const wri_machine *machine, const wr_kind *kind, int64_t value);
/* Does the pattern have a value of which that is not known? */
bool wri_opaque_untold(const wri_machine *machine, const wri_pattern *pattern);

/* ---- #4f1d0e92c3ab ---- */

#define WRI_OPAQUE_LENGTH 13
/* Writes it and a zero. */
void wri_opaque_write(int64_t value, char to[WRI_OPAQUE_LENGTH + 1]);
/* Reads it at the end of an argument; what comes before it has `length` characters. False also
 * where that is _ or a variable: it is one or the other. */
bool wri_opaque_read(const char *argument, size_t *length, int64_t *value);

#endif
