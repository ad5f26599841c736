/* hunt/expedition.h: an exploration while it goes on: which cases are out at which worker, and
 * what has come back. */
#ifndef WRI_HUNT_EXPEDITION_H
#define WRI_HUNT_EXPEDITION_H

#include "chase/chase.h"
#include "hunt/internal.h"
#include "hunt/ledger.h"

/* A range of cases that is out at a worker, or waits to go out again. */
typedef struct wri_range {
    uint64_t from, count, spare;
    bool     out; /* at the worker in `slot` */
    unsigned slot;
    bool     waiting; /* to go out: the rest of a batch, or one to look into */
    bool     audit;
    bool     suspect; /* something was wrong after these cases, or after those that follow: */
    uint64_t rest;    /* so many more, not given out yet */
} wri_range;

/* A failure that waits until every case before it has run. */
typedef struct wri_pending {
    bool        set;
    uint64_t    index, journal;
    wri_outcome outcome;
    char       *output;
    wri_trace   trace; /* of a guided case */
} wri_pending;

typedef struct wri_expedition {
    wri_quest   *quest;
    wri_range   *ranges; /* one a lane */
    wri_pending *failed; /* likewise */
    wri_parts    parts;
    uint64_t     next;    /* the first index not given out */
    uint64_t     valid;   /* cases that were run and not discarded */
    uint64_t     batches; /* given out */
    bool         ended;
    bool         checked; /* the checkpoint was passed */
    bool         excused; /* leaks are not looked for any more */
    unsigned     first_slot;
    unsigned     shards; /* searches that learn, at the same time */
    uint64_t     told;   /* up to which case they have told each other */
    uint64_t     round;  /* until it is stable: after so many cases it is asked again */
    unsigned     chased; /* of a machine: batches of this round, */
    uint64_t     share;  /* and how many cases it may still have */
} wri_expedition;

/* How many ranges can be out or wait: one for each worker; of a search that learns from case to
 * case, one for each search. */
unsigned wri_trip_lanes(const wri_expedition *trip);
/* Is this a search that becomes several? Until it is stable, what it has seen must be in one
 * place. */
bool wri_trip_may_spread(const wri_expedition *trip);
/* How many cases are wanted, as far as is known now. */
uint64_t wri_trip_wanted(const wri_expedition *trip);
/* Gives every worker that has nothing to do the next cases, if there are any for it. False: none
 * is out. */
bool wri_trip_give_out(wri_expedition *trip);

/* Does a failure wait? (explore.c) */
bool wri_trip_failed(const wri_expedition *trip);
/* Sums up what was run before an index, for the report. */
void wri_trip_count(wri_expedition *trip, uint64_t before);

#endif
