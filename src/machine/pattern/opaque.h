/* machine/pattern/opaque.h: values that are no numbers.
 *
 *     add("cab" #4f1d0e92c3ab)
 *
 * A user's function may draw a pointer. A sequence keeps only a hash of its choices (sequence.h),
 * which says nothing to a reader. So the text that a report showed for the value is remembered,
 * and a rule has both.
 */
#ifndef WRI_MACHINE_PATTERN_OPAQUE_H
#define WRI_MACHINE_PATTERN_OPAQUE_H

#include "machine/pattern/pattern.h"

/* Can values of the kind be opaque? */
static inline bool wri_opaque_may_be(const wr_kind *kind)
{
    return wri_machine_draws_kind(kind) && kind->abstract == NULL;
}

/* Notes which kinds had numbers and which had opaque values. True: a kind had its first opaque
 * value. */
bool wri_opaque_see(const wri_machine *machine, const wri_sequence *sequence);
/* Does the range name numbers, though the kind has opaque values only, as far as was seen? */
bool wri_opaque_not(const wri_machine *machine, const wr_kind *kind, const wri_term *range);

/* Remembers how the values of a sequence were shown. `lines` has one call on each line
 * (machine/play/text.c). A text that cannot stand in a rule is skipped. */
void wri_opaque_listen(const wri_machine *machine, const wri_sequence *sequence,
                       const char *lines);
/* The same for one value. */
void wri_opaque_note(const wri_machine *machine, const wr_kind *kind, int64_t value,
                     const char *text, size_t length);
/* The text that was shown for the value; NULL: not known. */
const char *wri_opaque_text(const wri_machine *machine, const wr_kind *kind, int64_t value);
/* Has the pattern an opaque value without a text? */
bool wri_opaque_untold(const wri_machine *machine, const wri_pattern *pattern);

/* ---- #4f1d0e92c3ab ---- */

#define WRI_OPAQUE_FORMAT "#%012" PRIx64
#define WRI_OPAQUE_LENGTH 13
/* Reads the value at the end of an argument of `length` characters; then `length` is that of the
 * text before it. False also if that text is _ or a variable: both cannot be meant. */
bool wri_opaque_read(const char *argument, size_t *length, int64_t *value);

#endif
