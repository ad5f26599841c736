/* hunt/batches.h: cases in batches, over the workers, for any explorer.
 *
 * Orders stand in one list, in the sequence in which their cases count: waiting, out at a worker,
 * or done. A batch counts when everything before it has counted, and a failure is looked into
 * when it is the first. So the result does not depend on how many workers there are, nor on how
 * fast they were.
 */
#ifndef WRI_HUNT_BATCHES_H
#define WRI_HUNT_BATCHES_H

#include "hunt/internal.h"

typedef enum { WRI_ENTRY_WAITS, WRI_ENTRY_OUT, WRI_ENTRY_DONE } wri_entry_state;

/* An order, and what came of it. */
typedef struct wri_batch_entry {
    struct wri_batch_entry *next;
    wri_entry_state         state;
    unsigned                slot; /* of the worker that it is out at */
    wri_order               order;
    wri_batch_counts        counts;
    wri_tally               tally;

    /* The case that ended it. */
    bool        failed;
    uint64_t    index, journal;
    wri_outcome outcome;
    char       *output;
    wri_trace   trace;
} wri_batch_entry;

typedef struct wri_batches {
    wri_quest          *quest;
    const wri_explorer *explorer;
    void               *self; /* the explorer's */
    wri_batch_entry    *first;
    unsigned            first_slot, workers;
    bool                ended;
    bool                excused; /* leaks are not looked for any more */
} wri_batches;

/* judged.c: the next case of an explorer whose cases the judge runs one by one; and, after the
 * last, the failures that were not shrunk. */
struct wri_classes;
bool wri_judged_next(wri_batches *batches, struct wri_classes **classes, const wri_order *order);
void wri_judged_finish(wri_batches *batches, struct wri_classes *classes);

#endif
