/* hunt/batches.h: runs cases in batches, over the workers, for any explorer.
 *
 * Orders stand in one list, in the sequence in which their cases count. Each waits, is out at a
 * worker, or is done. A batch counts when everything before it has counted, and a failure is
 * looked into when it is the first. So the result depends neither on the number of workers nor on
 * their speed.
 */
#ifndef WRI_HUNT_BATCHES_H
#define WRI_HUNT_BATCHES_H

#include "hunt/internal.h"

typedef enum { WRI_ENTRY_WAITS, WRI_ENTRY_OUT, WRI_ENTRY_DONE } wri_entry_state;

/* An order and its results. */
typedef struct wri_batch_entry {
    struct wri_batch_entry *next;
    wri_entry_state         state;
    unsigned                slot;   /* the slot of the worker that runs it */
    bool                    sure;   /* it is known which of its cases has leaked */
    bool                    traced; /* its cases leave their logs, for reasons that are known */
    bool                    alone;  /* it went out as one case in a worker of its own */
    wri_order               order;
    wri_batch_counts        counts;
    wri_tally               tally;
    wri_sketch             *sketch; /* what its cases drew; NULL: nothing, or nobody asks */

    bool   order_told; /* its cases are told one by one: */
    char  *told;       /* their records (observe/told.h); NULL: none */
    size_t told_size;

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
    bool                excused; /* leaks are not checked any more */
    struct wri_classes *classes; /* judged.c's */
} wri_batches;

/* In judged.c, for an explorer whose cases the judge runs: runs the order's case; settles it when
 * it has counted; and, after the last, reports the failures that were not shrunk. */
void wri_judged_run(wri_batches *batches, wri_batch_entry *at);
void wri_judged_settle(wri_batches *batches, wri_batch_entry *at);
void wri_judged_finish(wri_batches *batches);

/* In telling.c, for --observations: does the property tell more cases? Takes the records of a
 * batch that came back; of a case that the judge ran; adds those of the entry behind; tells them.
 */
bool wri_telling_goes_on(const wri_quest *quest);
void wri_telling_take(wri_batches *batches, wri_batch_entry *at);
void wri_telling_take_judged(wri_batches *batches, wri_batch_entry *at, double seconds);
void wri_telling_join(wri_batch_entry *to, wri_batch_entry *from);
void wri_telling_tell(wri_batches *batches, wri_batch_entry *at);

#endif
