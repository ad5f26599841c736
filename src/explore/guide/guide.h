/* explore/guide/guide.h: the guided explorer.
 *
 * The guide keeps a pool of cases that showed something new, and changes them. Observations
 * (observe/watch.h) and the compiler's signals tell what a case shows. The bound of a choice
 * limits its change. One worker at a time calls next and learn in turn. Everything learnt is in
 * the pool, which outlives the worker.
 */
#ifndef WRI_EXPLORE_GUIDE_GUIDE_H
#define WRI_EXPLORE_GUIDE_GUIDE_H

#include "core/verdict.h"
#include "explore/guide/mutate.h"
#include "explore/guide/pool.h"

typedef struct wri_guide {
    wri_watch    watch;
    wri_pool    *pool;
    uint64_t     seed;
    wri_mutant   mutant;
    wri_trace    edited;
    wri_mutation mutation;           /* of the running case */
    wri_chain    chain;              /* the changes that led to it */
    bool         pending;            /* the next case is the last one (in `edited`), repaired */
    bool         lost;               /* the last case did not show the chain's feature */
    bool         edges, comparisons; /* the program reports them */
    uint32_t     seed_entry; /* the running case repeats this entry unchanged; or WRI_NOBODY */
    uint64_t     number;     /* number of the case, + 1 */
    uint32_t     shown_count;
    uint32_t     shown[WRI_POOL_FEATURES]; /* features of the running case */
} wri_guide;

/* Begins with a pool, or goes on with it. */
void wri_guide_start(wri_guide *guide, wri_pool *pool, uint64_t seed);
/* Decides on the next case and hangs answerer and watch into it. */
void wri_guide_next(wri_guide *guide, wr_case *t, uint64_t number);
/* The case has ended. `failed`: it is not kept. `discarded`: it did not count. */
void wri_guide_learn(wri_guide *guide, wr_case *t, bool failed, bool discarded);
/* Called around a case that another explorer answers. Its features are stamped with its number
 * + 1; nothing is learnt. */
void wri_guide_watch(wri_guide *guide, wr_case *t, uint64_t number);
void wri_guide_watched(wri_guide *guide, wr_case *t);
/* Ends a batch: a pending repair is saved in the pool, for the next batch. */
void wri_guide_stop(wri_guide *guide);
void wri_guide_free(wri_guide *guide);

#endif
