/* bench/json.h: reading what a test program printed with --format json.
 *
 * A scanner over text that Warren wrote, not a parser of all JSON: it finds members, numbers
 * and strings, and says no when something is not there.
 */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include <stdbool.h>
#include <stddef.h>

/* The value of the object's member, or NULL. `object` points at its '{'. */
const char *json_member(const char *object, const char *name);
/* The value of the member after the one whose value is `at`, of the first for NULL; NULL: no
 * more. Its name goes to `name`. */
const char *json_next_member(const char *object, const char *at, char *name, size_t room);
size_t      json_list_length(const char *list);
/* The element after `at`, the first for NULL; NULL: no more. */
const char *json_next_element(const char *list, const char *at);
/* -1 where there is no number. */
double json_number(const char *value);
bool   json_text(const char *value, char *text, size_t room);

#endif
