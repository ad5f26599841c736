/* explore/ranges.h: cases by number, handed out in ranges.
 *
 * Case i is a function of the seed and i, so ranges go out in order and never hold more cases
 * than are still wanted. The cases that are run are the same however many workers there are.
 *
 * A shard has every n-th block of the numbers. Of the numbers below the number of wanted cases,
 * each is run by one shard. A shard makes up for discarded cases with its later blocks. The state
 * counts the shard's own cases, by place: place 0 is its first number. Orders have numbers.
 */
#ifndef WRI_EXPLORE_RANGES_H
#define WRI_EXPLORE_RANGES_H

#include "explore/explorer.h"

typedef struct wri_ranges {
    wri_exploration run;
    uint64_t        next;    /* the first place not handed out */
    uint64_t        valid;   /* cases that were run and not discarded */
    uint64_t        overrun; /* cases that were too large */
    uint64_t        batches; /* handed out */
    uint64_t        until;   /* the first place that the owner does not allow; 0: there is none */
    uint64_t        round; /* with --until-stable: the number of cases after which to ask again */
    bool            ended;
    bool            begun;   /* the first checkpoint, at case 64, was passed */
    bool            checked; /* the checkpoint at case 256 was passed */
    unsigned        paced;   /* of a chased machine: batches of this round */
    uint64_t        share;   /* of a chased machine: cases that the round may still have */
} wri_ranges;

/* One of `count` shards of so many cases; UINT64_MAX / 2: no limit. And its share of them. */
wri_shard wri_ranges_shard(uint64_t cases, uint32_t number, uint32_t count);
uint64_t  wri_ranges_share(const wri_shard *shard, uint64_t cases);

void wri_ranges_open(wri_ranges *ranges, const wri_exploration *run);
/* The number of the next case, and how many follow it without a gap. */
uint64_t wri_ranges_next(const wri_ranges *ranges);
uint64_t wri_ranges_stretch(const wri_ranges *ranges);
/* From a place to the number of its case, and back. */
uint64_t wri_ranges_number(const wri_ranges *ranges, uint64_t place);
uint64_t wri_ranges_place(const wri_ranges *ranges, uint64_t number);
/* The number of wanted cases, as far as it is known now. */
uint64_t wri_ranges_wanted(const wri_ranges *ranges);
/* The end of the places that may go out now. No range crosses the checkpoint, where all workers
 * wait for each other, nor `wall`. False: no range may begin now. */
bool wri_ranges_limit(wri_ranges *ranges, uint64_t outstanding, uint64_t wall, uint64_t *limit);
/* The next range for one of `workers` workers. False: there is none now. */
bool wri_ranges_give(wri_ranges *ranges, const wri_standing *standing, unsigned workers,
                     uint64_t wall, wri_order *order);
/* Members for the row of an explorer whose state begins with wri_ranges. */
void       wri_ranges_allow(void *self, uint64_t cases);
unsigned   wri_ranges_take(void *self, wri_order *order, wri_batch *batch, const void *block,
                           wri_batch_counts *counts, wri_order rests[WRI_RESTS]);
void       wri_ranges_back(void *self, uint64_t index, uint64_t counted);
wri_round  wri_ranges_rest(void *self, const wri_sightings *seen, size_t bugs);
void       wri_ranges_more(void *self, uint64_t wanted);
wri_status wri_ranges_conclude(void *self, const wri_sightings *seen, uint64_t cases,
                               uint64_t discarded, const char **why);

#endif
