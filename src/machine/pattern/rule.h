/* machine/pattern/rule.h: how a value is written in a rule. For the writer and the reader.
 *
 *     _                    anything
 *     ?A                   a variable
 *     3  "a"               a number, or as the kind shows it
 *     1..9  64..           a range
 *     "cab" #4f1d0e92c3ab  a value that is no number (opaque.h)
 *
 * A value is written as its kind shows it. If that looks like something else in this list, or
 * like another value of the kind, it is written as its number.
 */
#ifndef WRI_MACHINE_PATTERN_RULE_H
#define WRI_MACHINE_PATTERN_RULE_H

#include "machine/pattern/pattern.h"

/* A value with a longer text is written as its number. */
#define WRI_SHOWN_MOST 80

/* A text that a kind has shown, and another one. */
typedef struct wri_shows {
    char text[1024], kept[WRI_SHOWN_MOST + 1];
} wri_shows;

/* The text of a value, which is read back as that value, until the next one is shown. NULL: write
 * its number. */
const char *wri_shows_value(wri_shows *shows, const wr_kind *kind, int64_t value);
/* The value that this text stands for; false: none. */
bool wri_shows_find(wri_shows *shows, const wr_kind *kind, const char *text, size_t length,
                    int64_t *value);

/* The length of the argument that begins here: up to a comma or a closing bracket outside of it.
 */
size_t wri_rule_argument_length(const char *text, size_t most);
/* Reads a number, or a range that may be open on either side. */
bool wri_rule_range(const char *text, size_t length, int64_t *least, int64_t *most);

/* Are the calls written alike, but for the handle that they give? */
bool wri_rule_same_call(const wri_pattern_call *a, const wri_pattern_call *b);

#endif
