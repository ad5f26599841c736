/* explore/guide/shared.h: the guide's block of shared memory, for those who keep its pools from
 * run to run. */
#ifndef WRI_EXPLORE_GUIDE_SHARED_H
#define WRI_EXPLORE_GUIDE_SHARED_H

#include "explore/guide/pool.h"

typedef struct wri_guide_memory {
    wri_pool pools[WRI_SHARDS];  /* of each search */
    wri_pool before[WRI_SHARDS]; /* as it was before the batch that is out */
} wri_guide_memory;

#endif
