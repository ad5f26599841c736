/* fleet/fleet.h: many test programs as one campaign.
 *
 * Each program runs as a child with --format events, and tells a line for what happens. The
 * programs do the testing and keep the store. Here is only who runs when, and with how many
 * workers. A program is not trusted: it may be no test program, crash, hang, or print anything.
 */
#ifndef WRI_FLEET_FLEET_H
#define WRI_FLEET_FLEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wri_fleet_options {
    const char *const *programs;
    size_t             program_count;
    const char *const *extra; /* options for the programs */
    size_t             extra_count;
    const char        *store;       /* NULL: the programs' own choice */
    bool               no_store;    /* they keep nothing */
    uint64_t           for_ms;      /* go round until then; 0: every property once */
    uint64_t           patience_ms; /* a program that is silent for longer hangs */
    uint64_t           seed;
    bool               seed_given;
    unsigned           jobs;
    const char        *on_bug; /* a command for the shell; NULL: none */
    bool               json, quiet;
} wri_fleet_options;

/* Runs the campaign; the exit status. */
int wri_fleet_run(const wri_fleet_options *options);

#endif
