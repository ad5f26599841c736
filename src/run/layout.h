/* run/layout.h: the mapping that parent, zygote and workers share, and where its parts lie. */
#ifndef WRI_RUN_LAYOUT_H
#define WRI_RUN_LAYOUT_H

#include "run/worker.h"

/* What is known of a machine's bugs takes no more. */
#define WRI_AVOIDED_BYTES ((size_t)16 << 20)

typedef struct wri_mapping {
    wri_shared  *shared; /* the first byte */
    size_t       bytes;
    void        *coverage;                   /* NULL: no code is instrumented */
    wri_avoided *avoided;                    /* where there may be machines; */
    wri_ran     *ran;                        /* likewise */
    void        *blocks[WRI_EXPLORER_COUNT]; /* of explorers, for the run; NULL: not used */
} wri_mapping;

/* Maps the memory of so many slots, with the blocks of these explorers, a bit for each, and fills
 * in the workers' layouts. False and errno: it cannot. */
bool wri_layout_map(wri_mapping *mapping, wri_worker_setup *workers, unsigned slots,
                    unsigned explorers, bool machines);

#endif
