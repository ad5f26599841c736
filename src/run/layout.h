/* run/layout.h: the memory that parent, zygote and workers share, and the places of its parts. */
#ifndef WRI_RUN_LAYOUT_H
#define WRI_RUN_LAYOUT_H

#include "run/worker.h"

/* The most bytes that the known bugs of a machine may take. */
#define WRI_AVOIDED_BYTES ((size_t)16 << 20)

typedef struct wri_mapping {
    wri_shared  *shared; /* the first byte */
    size_t       bytes;
    void        *coverage;            /* NULL: no code is instrumented */
    wri_avoided *avoided;             /* NULL: there are no machines */
    wri_ran     *ran;                 /* NULL: there are no machines */
    void *blocks[WRI_EXPLORER_COUNT]; /* the explorers' blocks for the run; NULL: not used */
} wri_mapping;

/* Maps memory for this many slots, with the blocks of these explorers (a bit for each), and
 * fills in the workers' layouts. False: it cannot, and errno says why. */
bool wri_layout_map(wri_mapping *mapping, wri_worker_setup *workers, unsigned slots,
                    unsigned explorers, bool machines, bool sketched, bool told);

#endif
