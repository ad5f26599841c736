/* report/escape.h: any bytes as JSON, as XML, and as text for a terminal.
 *
 * What a property prints, and what it says, may hold anything. Here it becomes text that its
 * reader can take: these functions never fail, and whatever comes in, what goes out is valid.
 */
#ifndef WRI_REPORT_ESCAPE_H
#define WRI_REPORT_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define WRI_NOT_UTF8 UINT32_MAX

/* The next character of a text that is not at its end, and how many bytes it has. A byte that
 * is no part of valid UTF-8 is one character, WRI_NOT_UTF8. */
size_t wri_escape_utf8_next(const char *text, uint32_t *character);

/* A JSON string, with its quotes, that is a YAML string in double quotes too. What is not
 * UTF-8 becomes U+FFFD. NULL is the empty string, here and below. */
void wri_escape_json(FILE *out, const char *text);

/* For an element's text or, in double quotes, an attribute's value. What is not UTF-8, and
 * what XML 1.0 forbids, becomes U+FFFD. */
void wri_escape_xml(FILE *out, const char *text, bool attribute);

/* For a reader at a terminal. Control characters and bytes that are not UTF-8 are shown as
 * \xHH, so that nothing moves the cursor; newlines at the end are left out, and `indent`
 * blanks follow each other one. */
void wri_escape_plain(FILE *out, const char *text, int indent);

/* What names a row: on one line, with newlines as \n and backslashes doubled. */
void wri_escape_label(FILE *out, const char *text);

/* The first line of a text, plain. */
void wri_escape_line(FILE *out, const char *text);

/* Any number, as short as it can be read back, with a point whatever the locale. */
void wri_escape_real(FILE *out, double number);

/* With a point and so many digits after it, whatever the locale; negative and NaN are 0. */
void wri_escape_decimal(FILE *out, double number, unsigned digits);

#endif
