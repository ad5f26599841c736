/* explore/auto/arms.h: the explorers that `auto` owns, and the share of each.
 *
 * An arm is another row of the table with a state of its own. `auto` asks it for orders while it
 * has a quota, which counts executions. Quotas are set between rounds, when no order is out, by
 * what has counted until then. So they do not depend on the number of workers.
 */
#ifndef WRI_EXPLORE_AUTO_ARMS_H
#define WRI_EXPLORE_AUTO_ARMS_H

#include "explore/explorer.h"

/* In the sequence in which their orders count within a round. Explorers that walk come first:
 * their next order depends on the last one, when it has counted. Random cases come last, because
 * there may be most of them. */
typedef enum {
    WRI_ARM_ENUMERATE,
    WRI_ARM_RESTART,
    WRI_ARM_GUIDE,
    WRI_ARM_COMBINE,
    WRI_ARM_KNOWING,
    WRI_ARM_RANDOM,
    WRI_ARMS
} wri_arm_name;

typedef struct wri_arm {
    const wri_explorer *row;
    void               *self;   /* its state; NULL: it was not needed yet */
    wri_redraw_manner   redraw; /* what it does with the run's: only random decides on that */
    bool                over;   /* it has no further cases, or cannot be opened */
    bool                beside; /* its runs are no cases of the run */
    unsigned            out;    /* orders of an explorer that walks that have not counted yet */
    uint64_t            quota;  /* executions of this round; */
    uint64_t            room;   /* and the most of them that may count as cases */
    uint64_t            executions, redrawn, cases; /* so far */
    wri_order          *held; /* orders that wait for another round, the next last */
    size_t              held_count, held_room;
} wri_arm;

/* A run of fewer cases is short: labels cannot guide it yet, and their shares are of its cases.
 */
#define WRI_LONG_RUN 1001

/* What is known when a round begins. */
typedef struct wri_round_terms {
    uint64_t total;   /* executions so far */
    uint64_t left;    /* cases that are still wanted */
    uint64_t wanted;  /* all of them; UINT64_MAX / 2: no limit */
    size_t   shown;   /* different observations */
    uint64_t redrawn; /* runs of random trees that a precondition refuted */
    double   idle;    /* the part of the guide's cases since it last learnt something */
    bool     signals; /* the program has the compiler's signals */
} wri_round_terms;

/* Shares the next round out: sets each arm's quota. Arms that are over have none. */
void wri_arms_share(wri_arm arms[WRI_ARMS], const wri_round_terms *terms);

#endif
