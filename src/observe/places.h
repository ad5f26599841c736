/* observe/places.h: every place in the program that the compiler instrumented.
 *
 * Places have numbers from 1 on, in the order of modules and of addresses in them, so the same
 * in every run of the same program. clang's tables name the places; gcc leaves only calls
 * behind, and those are looked for in the code.
 */
#ifndef WRI_OBSERVE_PLACES_H
#define WRI_OBSERVE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Executable memory of a module. */
typedef struct wri_code {
    uintptr_t start;
    size_t    bytes;
    uint32_t  salt;    /* of the module's name: tells places of two modules apart */
    uint32_t *numbers; /* of the place whose call returns to offset / 4; NULL: none was found */
} wri_code;

/* The places of one module that clang gave counters or guards to. */
typedef struct wri_region {
    uint8_t         *counters; /* NULL: guards */
    uint32_t        *guards;
    const uintptr_t *table; /* pairs of address and flags; NULL: there is none */
    size_t           count;
    uint32_t         first; /* number of its first place; 0: numbers are not given out yet */
} wri_region;

/* Looks at everything that is loaded, the first time. After it wri_places is fixed. */
void wri_places_prepare(void);

extern __attribute__((visibility("hidden"))) size_t wri_places; /* how many are known */
/* There is code that calls the hook of a place, or of a comparison. */
extern __attribute__((visibility("hidden"))) bool       wri_places_call, wri_places_compare;
extern __attribute__((visibility("hidden"))) wri_region wri_regions[];
extern __attribute__((visibility("hidden"))) size_t     wri_region_count;

/* signals.c: what the compiler's calls end in; NULL ends the list. */
typedef void                                                 wri_hook(void);
extern __attribute__((visibility("hidden"))) wri_hook *const wri_signals_place_hook;
extern __attribute__((visibility("hidden"))) wri_hook *const wri_comparison_hooks[];

/* The code around an address; looks again when modules were loaded since. Never NULL. */
const wri_code *wri_code_around(uintptr_t address);

/* As clang's constructors announce them, each region maybe many times. */
void wri_region_counters(uint8_t *start, uint8_t *stop);
void wri_region_guards(uint32_t *start, uint32_t *stop);
void wri_region_table(const uintptr_t *start, const uintptr_t *stop);

/* What the call to a place's hook would return to, or one past its first byte: the address
 * before it is in the place. 0: not known. */
uintptr_t wri_places_address(uint32_t number);

#endif
