/* run/place/addr2line.h: asks addr2line, in a process of its own that may be slow or hang. */
#ifndef WRI_RUN_PLACE_ADDR2LINE_H
#define WRI_RUN_PLACE_ADDR2LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The answers for these offsets in a module, as text that the caller frees. Each is its address
 * on a line, and two lines for the function and each that it is inlined in. NULL: it cannot be
 * run, has failed, or took too long; then it is not asked again. */
char *wri_addr2line_ask(const char *path, const uintptr_t *offsets, size_t count);
/* It may take so many seconds: debug information of a large program takes some to read. */
extern double wri_addr2line_seconds;
/* Nothing is waited for once `hurries` says true. NULL: always for as long as it may take. */
void wri_addr2line_hurry(bool (*hurries)(void));

#endif
