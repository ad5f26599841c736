/* machine/pattern/rule.h: what the writer and the reader of rules share, first of all how a value
 * is written.
 *
 *     _  anything      3  "a"  a number, or what the kind shows
 *     ?A  a variable   1..9  64..  a range
 *     "cab" #4f1d0e92c3ab  what is no number (opaque.h)
 *
 * A value is written as its kind shows it, if that can be told from all else that may stand there
 * and from the kind's other values; else as its number.
 */
#ifndef WRI_MACHINE_PATTERN_RULE_H
#define WRI_MACHINE_PATTERN_RULE_H

#include "machine/pattern/pattern.h"

/* Where kinds show their values: a case that is never run. */
typedef struct wri_shows wri_shows;
wri_shows               *wri_shows_make(void);
void                     wri_shows_free(wri_shows *shows);

/* The value as text that is read back as it, for as long as nothing else is shown; NULL: its
 * number is to be written. */
const char *wri_shows_value(wri_shows *shows, const wr_kind *kind, int64_t value);
/* The value that is written so; false: none is. */
bool wri_shows_find(wri_shows *shows, const wr_kind *kind, const char *text, size_t length,
                    int64_t *value);

/* How far an argument goes that begins here: up to a comma or a bracket that is not its own. */
size_t wri_rule_argument_length(const char *text, size_t most);
/* Reads a number, or a range that may have no end on either side. */
bool wri_rule_range(const char *text, size_t length, int64_t *least, int64_t *most);

/* The calls of a pattern that can be the last. */
uint32_t wri_rule_last_calls(const wri_pattern *pattern);
/* Are they written alike? What they give is not looked at. */
bool wri_rule_same_call(const wri_pattern_call *a, const wri_pattern_call *b);

#endif
