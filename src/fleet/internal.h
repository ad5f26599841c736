/* fleet/internal.h: the state of a campaign of many programs. */
#ifndef WRI_FLEET_INTERNAL_H
#define WRI_FLEET_INTERNAL_H

#include "fleet/child.h"
#include "fleet/fleet.h"
#include "fleet/screen.h"
#include "fleet/turns.h"

#define WRI_FLEET_MOST_JOBS 256
#define WRI_FLEET_ALL SIZE_MAX /* in place of one property: all of a program */

/* Lines of standard error that were told. */
#define WRI_FLEET_LINES 20

typedef struct wri_fleet_program {
    const char *name;   /* as it was given */
    char       *path;   /* for exec */
    size_t      listed; /* properties that --list named */
    bool        unusable, taken;
    uint64_t    told[WRI_FLEET_LINES]; /* hashes */
    size_t      told_count;
} wri_fleet_program;

typedef struct wri_fleet_property {
    size_t    program;
    char     *name;
    wri_turns turns;
    char     *status, *why; /* the worst so far; NULL: it did not run yet */
    unsigned  rank;         /* how bad the status is */
    unsigned  errors;       /* turns, one after the other, that its program did not end well */
    uint64_t  cases, features;
    double    seconds;
    bool      waits; /* it has a turn in this round, which did not begin yet */
} wri_fleet_property;

/* A bug that is known: of which property, and its key. */
typedef struct wri_fleet_bug {
    uint64_t property; /* hash of the names of program and property */
    char     key[20];
    bool     met; /* in this campaign */
} wri_fleet_bug;

typedef enum wri_fleet_task { WRI_FLEET_LIST, WRI_FLEET_TEST, WRI_FLEET_HOOK } wri_fleet_task;

/* A child, and what it has said so far. */
typedef struct wri_fleet_job {
    wri_child      child;
    wri_fleet_task task;
    size_t         program, property; /* property: or WRI_FLEET_ALL */
    unsigned       workers;
    uint64_t       cases;                /* of the property that is running */
    char          *current;              /* its name */
    size_t         results, bad, errors; /* of properties */
    wri_turn       turn;
    size_t         rubbish;     /* lines that say nothing */
    char           sample[100]; /* the first of them */
    bool           silent;      /* it was ended for its silence */
} wri_fleet_job;

typedef struct wri_fleet {
    const wri_fleet_options *options;
    wri_fleet_program       *programs;
    wri_fleet_property      *properties;
    size_t                   property_count, property_room;
    wri_fleet_job            jobs[WRI_FLEET_MOST_JOBS];
    wri_fleet_job            hook; /* --on-bug: one at a time */
    char                   **queue;
    size_t                   queue_from, queue_count, queue_room;
    wri_fleet_bug           *bugs;
    size_t                   bug_count, bug_room;
    uint64_t                 seed, round, cases;
    double                   started;
    bool                     listed, no_memory, stopped;
    wri_screen               screen;
    wri_screen_history       history;
    wri_screen_summary       summary;
} wri_fleet;

double wri_fleet_seconds(const wri_fleet *fleet);
void   wri_fleet_warn(wri_fleet *fleet, size_t program, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The rank of a status: how bad it is. A word that is none is an error. */
unsigned wri_fleet_rank(const char *status);
/* Does it make the campaign fail? */
bool wri_fleet_is_bad(unsigned rank);

/* ---- hear.c: what a program says ---- */

/* A wri_child_line; the context is the hearing. */
typedef struct wri_fleet_hearing {
    wri_fleet     *fleet;
    wri_fleet_job *job;
} wri_fleet_hearing;
wri_child_line wri_fleet_hear;
/* The program of the job has ended. */
void wri_fleet_hear_end(wri_fleet *fleet, wri_fleet_job *job);

/* ---- bugs.c: which are new, and whom to tell ---- */

/* Those that the store has. */
void wri_fleet_bugs_read(wri_fleet *fleet);
/* Takes a failure of a property. True: it is new. */
bool wri_fleet_bugs_take(wri_fleet *fleet, const wri_fleet_property *property,
                         const char *failure);
/* Starts the next --on-bug, or looks what becomes of the one that runs. True: none is left. */
bool wri_fleet_bugs_tell(wri_fleet *fleet);

#endif
