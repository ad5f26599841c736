/* explore/guide/guide.h: the guided explorer.
 *
 * Keeps a pool of cases that showed something new, and changes them. What a case shows is told
 * by the observations it makes (observe/watch.h) and by the compiler's signals; what a change
 * may be is the choice's own bound. Next and learn are called in turn, in one worker at a time;
 * all that is learnt is in the pool, which outlives it.
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
    bool         only_watch; /* cases are fresh, all of them */
    wri_mutant   mutant;
    wri_trace    edited;
    wri_mutation mutation;            /* of the case that runs */
    uint32_t     feature;             /* that was picked for it, or WRI_NOBODY */
    uint64_t     parent_number;       /* of the case that the mutation's entry was then, or 0 */
    wri_change   before[WRI_CHANGES]; /* what was changed in the runs that led to it */
    unsigned     before_count;
    bool         edges, comparisons; /* the program tells of these */
    uint32_t     seed_entry; /* the case that runs is this entry's, as it is; or WRI_NOBODY */
    struct {
        bool       pending; /* the next case is the last one, which is in `edited`, with: */
        wri_change change;
        uint32_t   wish;
        unsigned   depth; /* the how manieth since something was picked; 0: it is not */
        bool       lost;  /* the last one lost what it was picked for */
    } repair;
    uint64_t number; /* of the case, + 1 */
    uint32_t shown_count;
    uint32_t shown[WRI_POOL_FEATURES]; /* features of the case that runs */
} wri_guide;

/* Begins, or goes on, with a pool. */
void wri_guide_start(wri_guide *guide, wri_pool *pool, uint64_t seed, bool only_watch);
/* Decides on the next case and hangs answerer and watch into it. */
void wri_guide_next(wri_guide *guide, wr_case *t, uint64_t number);
/* The case has ended: `failed` says that it is not to be kept, `discarded` that it did not
 * count. */
void wri_guide_learn(wri_guide *guide, wr_case *t, bool failed, bool discarded);
/* Around a case that somebody else answers: what it shows is stamped with its number, + 1, and
 * nothing is learnt. */
void wri_guide_watch(wri_guide *guide, wr_case *t, uint64_t number);
void wri_guide_watched(wri_guide *guide, wr_case *t);
/* The end of a batch: what is in hand goes to the pool, for the next one. */
void wri_guide_stop(wri_guide *guide);
void wri_guide_free(wri_guide *guide);

#endif
