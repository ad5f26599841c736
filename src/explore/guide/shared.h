/* explore/guide/shared.h: the layout of the guide's shared block. The corpus (hunt/) reads
 * pools from it. */
#ifndef WRI_EXPLORE_GUIDE_SHARED_H
#define WRI_EXPLORE_GUIDE_SHARED_H

#include "explore/guide/pool.h"

typedef struct wri_guide_memory {
    wri_pool pools[WRI_SHARDS];  /* of each search */
    wri_pool before[WRI_SHARDS]; /* copies from before the running batches */
} wri_guide_memory;

#endif
