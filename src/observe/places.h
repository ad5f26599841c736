/* observe/places.h: every place in the program that the compiler instrumented.
 *
 * Places have numbers from 1 on, by module and then by address. So they are the same in every run
 * of a program. clang's tables name the places. gcc leaves only calls in the code, and this
 * module searches the code for them.
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
    uint32_t  salt;    /* of the module's name: distinguishes places of two modules */
    uint32_t *numbers; /* by offset / 4: the place whose call returns there; NULL: none */
} wri_code;

/* The places of one module that have clang's counters or guards. */
typedef struct wri_region {
    uint8_t         *counters; /* NULL: guards */
    uint32_t        *guards;
    const uintptr_t *table; /* pairs of address and flags; NULL: no table */
    size_t           count;
    uint32_t         first; /* number of its first place; 0: not numbered yet */
} wri_region;

/* Examines all loaded modules, when first called. After it wri_places does not change. */
void wri_places_prepare(void);

extern __attribute__((visibility("hidden"))) size_t wri_places; /* the number of known places */
/* Some code calls the hook of a place, or of a comparison. */
extern __attribute__((visibility("hidden"))) bool       wri_places_call, wri_places_compare;
extern __attribute__((visibility("hidden"))) wri_region wri_regions[];
extern __attribute__((visibility("hidden"))) size_t     wri_region_count;

/* In signals.c: the functions that the compiler's calls end in; NULL ends the list. */
typedef void                                                 wri_hook(void);
extern __attribute__((visibility("hidden"))) wri_hook *const wri_signals_place_hook;
extern __attribute__((visibility("hidden"))) wri_hook *const wri_comparison_hooks[];

/* The code around an address. Examines modules that were loaded since. Never NULL. */
const wri_code *wri_code_around(uintptr_t address);

/* clang's constructors announce regions with these; a region may be announced many times. */
void wri_region_counters(uint8_t *start, uint8_t *stop);
void wri_region_guards(uint32_t *start, uint32_t *stop);
void wri_region_table(const uintptr_t *start, const uintptr_t *stop);

/* The return address of the call to a place's hook, or one past the place's first byte: the
 * byte before this address is in the place. 0: not known. */
uintptr_t wri_places_address(uint32_t number);

#endif
