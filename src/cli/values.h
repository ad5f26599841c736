/* cli/values.h: the values of options: words, numbers, durations.
 *
 * Every one is read from a text as a whole; what is too large for its type is refused, and limits
 * are the caller's.
 */
#ifndef WRI_CLI_VALUES_H
#define WRI_CLI_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* The position of a word in "a|b|c"; -1: it is not there. */
int wri_values_word(const char *words, const char *word);

/* Digits up to something else, where *text is then; false: there are none, or too many. */
bool wri_values_digits(const char **text, unsigned base, uint64_t *value);
/* 12, or 0xC. */
bool wri_values_seed(const char *text, uint64_t *value);
/* 10s, 1.5s, 500ms, 2m, 1h, or seconds, as milliseconds; false also where the number before the
 * unit is above `most`. */
bool wri_values_duration(const char *text, uint64_t most, uint64_t *ms);

#endif
