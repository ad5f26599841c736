/* fleet/json.h: reading JSON that another process wrote.
 *
 *     if (wri_json_is_object(line))
 *         text = wri_json_text(wri_json_member(line, "property"));
 *
 * wri_json_is_object() looks at all of the text. The other functions need a text that it has
 * accepted; they take and return places inside of it, and NULL where there is nothing.
 */
#ifndef WRI_FLEET_JSON_H
#define WRI_FLEET_JSON_H

#include <stdbool.h>
#include <stdint.h>

/* Is the text one whole object, with nothing but blanks behind it? */
bool wri_json_is_object(const char *text);
/* The value of an object's first member of this name; NULL: there is none, or it is no object. */
const char *wri_json_member(const char *object, const char *name);
/* The value, or the name of the member, after `at`; after NULL the first. NULL: no more. */
const char *wri_json_next(const char *list, const char *at);
/* The value of the member whose name is at this place. */
const char *wri_json_value(const char *name);
/* The first byte behind a value. */
const char *wri_json_end(const char *value);
/* A string, malloced. NULL: it is none, or memory is out. A NUL becomes U+FFFD. */
char *wri_json_text(const char *value);
/* A whole number; 0: it is none. What is below 0 or above UINT64_MAX becomes an end. */
uint64_t wri_json_number(const char *value);
bool     wri_json_true(const char *value);

#endif
