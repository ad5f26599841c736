/* explore/ranges.h: cases by number, handed out in ranges.
 *
 * Case i is a function of the seed and i, so ranges go out in order and never hold more cases
 * than are still wanted. The cases that are run are the same however many workers there are.
 */
#ifndef WRI_EXPLORE_RANGES_H
#define WRI_EXPLORE_RANGES_H

#include "explore/explorer.h"

typedef struct wri_ranges {
    wri_exploration run;
    uint64_t        next;    /* the first case not handed out */
    uint64_t        valid;   /* cases that were run and not discarded */
    uint64_t        overrun; /* cases that were too large */
    uint64_t        batches; /* handed out */
    uint64_t        round; /* with --until-stable: the number of cases after which to ask again */
    bool            ended;
    bool            checked; /* the checkpoint at case 256 was passed */
    unsigned        paced;   /* of a chased machine: batches of this round */
    uint64_t        share;   /* of a chased machine: cases that the round may still have */
} wri_ranges;

void wri_ranges_open(wri_ranges *ranges, const wri_exploration *run);
/* The number of wanted cases, as far as it is known now. */
uint64_t wri_ranges_wanted(const wri_ranges *ranges);
/* The end of a range that begins at `next`. No range crosses the checkpoint, where all workers
 * wait for each other, nor `wall`. False: no range may begin now. */
bool wri_ranges_limit(wri_ranges *ranges, uint64_t outstanding, uint64_t wall, uint64_t *limit);
/* The next range for one of `workers` workers. False: there is none now. */
bool wri_ranges_give(wri_ranges *ranges, const wri_standing *standing, unsigned workers,
                     uint64_t wall, wri_order *order);
/* Members for the row of an explorer whose state begins with wri_ranges. */
unsigned   wri_ranges_take(void *self, wri_order *order, wri_batch *batch, const void *block,
                           wri_batch_counts *counts, wri_order rests[WRI_RESTS]);
void       wri_ranges_back(void *self, uint64_t index, uint64_t counted);
wri_round  wri_ranges_rest(void *self, const wri_sightings *seen, size_t bugs);
wri_status wri_ranges_conclude(void *self, const wri_sightings *seen, uint64_t cases,
                               uint64_t discarded, const char **why);

#endif
