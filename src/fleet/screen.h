/* fleet/screen.h: prints what becomes of a campaign of many programs.
 *
 * At a terminal two lines at the bottom are rewritten in place; whatever else is printed stands
 * above them. Without a terminal they are left out, and a long campaign has a line now and then.
 */
#ifndef WRI_FLEET_SCREEN_H
#define WRI_FLEET_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define WRI_SCREEN_BINS 32

/* New features by time. When the bins are full, two become one. */
typedef struct wri_screen_history {
    uint64_t bins[WRI_SCREEN_BINS];
    double   width; /* seconds of a bin; 0: none yet */
} wri_screen_history;

/* Adds features that were new at this second of the campaign. */
void wri_screen_history_add(wri_screen_history *history, double second, uint64_t features);

typedef struct wri_screen_view {
    const char               *current; /* a property that is running, or NULL */
    size_t                    properties, done;
    unsigned                  workers;
    uint64_t                  cases, features;
    size_t                    bugs;
    double                    seconds, left; /* left: below 0 if nobody knows */
    bool                      stopping;
    const wri_screen_history *history;
} wri_screen_view;

/* A property at the end of its turns. */
typedef struct wri_screen_result {
    const char *program, *property, *status, *why; /* why: NULL or a reason */
    uint64_t    cases, features, turns;            /* turns 0: it had one run, not turns */
    double      seconds;
    bool        bad;
} wri_screen_result;

typedef struct wri_screen_summary {
    size_t   programs, unusable, properties;
    size_t   held, failed, skipped, interrupted, errors, not_run;
    size_t   bugs, new_bugs;
    uint64_t cases, features;
    double   seconds;
    int      status;
} wri_screen_summary;

typedef struct wri_screen {
    FILE  *out;
    bool   json, quiet, live, color, unicode;
    bool   lines;      /* the two lines stand at the bottom */
    double drawn;      /* second at which they were drawn, */
    double last_cases; /* with so many cases, */
    double rate;       /* and so many a second */
    int    why;        /* not everything could be written: an errno */
} wri_screen;

void wri_screen_begin(wri_screen *screen, bool json, bool quiet);
/* At a terminal some times a second, else once a minute. */
void wri_screen_show(wri_screen *screen, const wri_screen_view *view);
void wri_screen_result_tell(wri_screen *screen, const wri_screen_result *result);
/* A failure as --format json has it. known: the store had it before. */
void wri_screen_bug(wri_screen *screen, const char *program, const char *property,
                    const char *failure, bool known);
/* The line of a property as it is, with its program; for --format json. */
void wri_screen_object(wri_screen *screen, const char *program, const char *object);
/* "NAME: LINE", as something that went wrong. */
void wri_screen_warn(wri_screen *screen, const char *name, const char *line);
void wri_screen_end(wri_screen *screen, const wri_screen_summary *summary);

/* The object of a failure that names its program and property, too. malloced; NULL: no memory. */
char *wri_screen_named(const char *program, const char *property, const char *failure);

#endif
