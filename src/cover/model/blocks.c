/* cover/model/blocks.c: hangs each array into the list of its owner. */
#include "cover/model/blocks.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct wrc_block {
    struct wrc_block *before;
    _Alignas(max_align_t) char bytes[];
} wrc_block;

void *wrc_blocks_take(wrc_blocks *blocks, size_t count, size_t size)
{
    bool       fits = count <= (SIZE_MAX - sizeof(wrc_block)) / size;
    wrc_block *block = fits ? calloc(1, sizeof *block + count * size) : NULL;
    if (block == NULL) {
        blocks->failed = true;
        return NULL;
    }
    block->before = blocks->latest;
    blocks->latest = block;
    return block->bytes;
}

void wrc_blocks_free(wrc_blocks *blocks)
{
    for (wrc_block *block = blocks->latest, *before; block != NULL; block = before) {
        before = block->before;
        free(block);
    }
    *blocks = (wrc_blocks){ 0 };
}
