/* machine/pattern/condition.h: conditions on settings as text.
 *
 *     with slots = 3, "max size" = 64.., sizes[1] = 0..7
 *
 * A setting is written with the name of its draw. A name that is no word of C stands in quotes.
 * sizes[1] is the second draw of that name, [0] the first draw without a name. A log has only the
 * hash of a name, so names are remembered from reports. A rule that is read needs none. If a name
 * is not known, @ and its hash stand there.
 */
#ifndef WRI_MACHINE_PATTERN_CONDITION_H
#define WRI_MACHINE_PATTERN_CONDITION_H

#include <stdio.h>

#include "machine/pattern/pattern.h"

/* Remembers the name of a draw, if one of the settings has it. */
void wri_condition_note(const wri_machine *machine, const wri_configuration *settings,
                        const char *name);
/* Writes the settings of a pattern behind the word with. */
void wri_condition_write(const wri_machine *machine, const wri_pattern *pattern, FILE *out);
/* Reads one condition. Returns where it ends; NULL: it is none, and `wrong` is the place where
 * `expected` should be. */
const char *wri_condition_read(const char *from, const char *end, wri_condition *condition,
                               const char **wrong, const char **expected);

#endif
