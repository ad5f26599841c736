/* run/place.h: from return addresses to function, file and line. */
#ifndef WRI_RUN_PLACE_H
#define WRI_RUN_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/verdict.h"

typedef struct wri_place {
    char function[128]; /* "" when not known */
    char file[256];
    int  line;        /* 0 when not known */
    char module[128]; /* the module's name and the offset in it, when nothing better is known */
} wri_place;

/* The innermost frame that belongs neither to libc, nor to a sanitizer's runtime, nor to
 * Warren. Asks addr2line, where there is one; each address once in a run. */
void wri_place_find(const wri_verdict *verdict, wri_place *place);
/* The name of one of many addresses. */
typedef struct wri_place_name {
    const char *function, *file; /* "" when not known; they live as long as the process */
    int         line;            /* 0 when not known */
    bool        foreign;         /* Warren's, a sanitizer's, libc's, or in no module */
} wri_place_name;

/* Names `count` return addresses, as above, with one run of addr2line for each module. False when
 * it could not be asked, or did not answer for all. */
bool wri_place_name_all(const uintptr_t *addresses, size_t count, wri_place_name *names);
void wri_place_forget(void); /* frees what was remembered */

/* Can this instruction alone be the place? True where it lies in a module that is neither libc
 * nor Warren nor a sanitizer. Looks only at what wri_place_prepare() saw, so that a signal
 * handler may ask. */
bool wri_place_alone(uintptr_t address);
void wri_place_prepare(void);

#endif
