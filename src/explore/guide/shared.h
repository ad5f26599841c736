/* explore/guide/shared.h: the guide's shared block and its parent's side, between its files. */
#ifndef WRI_EXPLORE_GUIDE_SHARED_H
#define WRI_EXPLORE_GUIDE_SHARED_H

#include "explore/guide/pool.h"
#include "explore/ranges.h"

typedef struct wri_guide_memory {
    wri_pool pools[WRI_SHARDS];  /* of each search */
    wri_pool before[WRI_SHARDS]; /* copies from before the running batches */
} wri_guide_memory;

typedef struct wri_guiding {
    wri_ranges        ranges; /* first: its functions are in the rows */
    wri_guide_memory *memory;
    bool              spreads; /* it becomes several searches */
    unsigned          shards;
    uint64_t          told;               /* up to which case they have told each other */
    unsigned          handed;             /* searches of this round whose share went out, */
    uint64_t          share, left, limit; /* what each has, and what is left to share */
} wri_guiding;

/* keeping.c: the pool's cases, from run to run. */
extern const wri_keeping wri_guide_keeping;

#endif
