/* cover/model/blocks.h: arrays that one owner takes one by one and frees together.
 *
 * A request that fails is remembered. So an owner asks for all its arrays, tests once, and needs
 * no list of what to free.
 */
#ifndef WRC_COVER_MODEL_BLOCKS_H
#define WRC_COVER_MODEL_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct wrc_blocks {
    struct wrc_block *latest;
    bool              failed; /* a request was not met */
} wrc_blocks;

/* An array of zeros; NULL: no memory. */
void *wrc_blocks_take(wrc_blocks *blocks, size_t count, size_t size);
void  wrc_blocks_free(wrc_blocks *blocks);

#endif
