/* report/escape.h: any bytes as JSON, as XML, and as text for a terminal.
 *
 * The output and the messages of a property may hold any bytes. These functions write them as
 * valid text of the format, and never fail.
 */
#ifndef WRI_REPORT_ESCAPE_H
#define WRI_REPORT_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/utf8.h"

/* Would the character move the cursor, or turn the text around it? Controls do, and bytes that
 * are not UTF-8, and the marks of right-to-left text such as U+202E. */
bool wri_escape_unsafe(uint32_t character);

/* A JSON string, with its quotes, that is a YAML string in double quotes too. A byte that is not
 * UTF-8 becomes U+FFFD. NULL is the empty string, here and below. */
void wri_escape_json(FILE *out, const char *text);

/* The text of an element or, in double quotes, the value of an attribute. Bytes that are not
 * UTF-8, and characters that XML 1.0 forbids, become U+FFFD. */
void wri_escape_xml(FILE *out, const char *text, bool attribute);

/* Text for a terminal. Unsafe characters but tabs are shown as \xHH or \uHHHH; newlines at the
 * end are left out, and `indent` blanks follow each other one. */
void wri_escape_plain(FILE *out, const char *text, int indent);

/* The name of a row: on one line, with newlines as \n and backslashes doubled. */
void wri_escape_label(FILE *out, const char *text);

/* The first line of a text, plain. */
void wri_escape_line(FILE *out, const char *text);

/* A number in the shortest form that reads back the same, with a point in every locale. */
void wri_escape_real(FILE *out, double number);

/* A number with a point and so many digits after it, in every locale; negative and NaN are 0. */
void wri_escape_decimal(FILE *out, double number, unsigned digits);

#endif
