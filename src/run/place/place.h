/* run/place/place.h: from return addresses to function, file and line. */
#ifndef WRI_RUN_PLACE_PLACE_H
#define WRI_RUN_PLACE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/verdict.h"

typedef struct wri_place {
    char function[128]; /* "" when not known */
    char file[256];
    int  line;        /* 0 when not known */
    char module[128]; /* the module's name and the offset in it, if nothing better is known */
} wri_place;

/* Finds the innermost frame outside libc, the sanitizers' runtimes and Warren. Asks addr2line,
 * if there is one, once for each address in a run. */
void wri_place_find(const wri_verdict *verdict, wri_place *place);
/* The name of one of many addresses. */
typedef struct wri_place_name {
    const char *function, *file; /* "" when not known; valid until the process ends */
    int         line;            /* 0 when not known */
    bool        foreign;         /* in Warren, a sanitizer, libc, or in no module */
} wri_place_name;

/* Names `count` return addresses, with one run of addr2line for each module. False: addr2line
 * could not be asked, or did not answer for all. */
bool wri_place_name_all(const uintptr_t *addresses, size_t count, wri_place_name *names);
void wri_place_forget(void); /* frees the cache */

/* Is this instruction in a module other than libc, Warren and the sanitizers? Reads only what
 * wri_place_prepare() collected, so a signal handler may call it. */
bool wri_place_alone(uintptr_t address);
void wri_place_prepare(void);

#endif
