/* cli/values.h: the values of options.
 *
 * A value is read from a text as a whole. A number that is too large for its type, or outside the
 * option's limits, is refused.
 */
#ifndef WRI_CLI_VALUES_H
#define WRI_CLI_VALUES_H

#include "cli/option_table.h"

/* The value that a text has for an option; 0 for texts, which the caller keeps. False: none. */
bool wri_values_read(const wri_option *option, const char *text, uint64_t *value);

/* The position of a word in "a|b|c"; -1: it is not there. */
int wri_values_word(const char *words, const char *word);

#endif
