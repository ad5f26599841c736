/* studies/registry/bugs.h: which of the six bugs some calls show, as printed or as a rule.
 *
 *     1  unregister(a)                                     of a free name
 *     2  register(a, p), register(b, p)                    a process gets a second name
 *     3  kill(p), register(a, p)                           a dead process gets one
 *     4  register(a, p), kill(p), whereis(a)               a dead process is not found
 *     5  register(a, p), register(a, q)                    a name gets a second process
 *     6  register(a, p), kill(p), unregister(a)            the name went with the process
 *
 * It is told by what the model thinks before the last call: the study's own model, which shares
 * nothing with the machine's. Of a rule, things with different names are different.
 */
#ifndef REGISTRY_BUGS_H
#define REGISTRY_BUGS_H

#include <stdbool.h>

#define BUGS 6

/* 1 to 6; 0: none, or the text cannot be read. Strict: the same process under the same name
 * twice shows neither 2 nor 5. */
unsigned bug_of(const char *calls, bool strict);

#endif
