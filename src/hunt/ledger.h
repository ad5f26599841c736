/* hunt/ledger.h: counts of ranges that were run, kept until it is known whether they count.
 *
 * When a property ends at a failure, only what was run before it is reported, however much of the
 * rest had been run by then: so that nothing depends on the number of workers.
 */
#ifndef WRI_HUNT_LEDGER_H
#define WRI_HUNT_LEDGER_H

#include "quest/tally.h"
#include "run/shared.h"

typedef struct wri_part {
    uint64_t  from; /* the range's first case */
    uint64_t  cases, discarded, overrun, known, redrawn;
    uint64_t  calls, sequences, cut; /* of machines */
    uint64_t  hits[WRI_KNOWN_BUGS];  /* of each bug that was known */
    wri_tally tally;
} wri_part;

typedef struct wri_parts {
    wri_part *list;
    size_t    count, room;
} wri_parts;

/* Adds a part, whose tally is no longer the caller's. No case before `settled` can fail any more:
 * parts that lie before it may be joined. */
void wri_parts_add(wri_parts *parts, const wri_part *part, uint64_t settled);
/* The sum of the parts that begin at or before a case; their tallies are added to `tally`, if
 * any. */
wri_part wri_parts_sum(const wri_parts *parts, uint64_t before, wri_tally *tally);
/* Those that begin after a case count for nothing any more: their sum, for whoever has counted
 * them. */
wri_part wri_parts_drop(wri_parts *parts, uint64_t after);
void     wri_parts_free(wri_parts *parts);

#endif
