/* explore/combine/walks.h: walks between two cases with different outcomes.
 *
 * A walk takes a case, and moves one of its numeric draws to another value. If the outcome (the
 * verdict and the labels) changes, the walk halves the distance until the two outcomes are at
 * adjacent values: both sides of a boundary of the code under test were run. Nothing but outcomes
 * is looked at. Several walks go on side by side, one step of each in a round.
 */
#ifndef WRI_EXPLORE_COMBINE_WALKS_H
#define WRI_EXPLORE_COMBINE_WALKS_H

#include "explore/combine/plan.h"

#define WRI_WALK_CLASSES 64
#define WRI_OF_A_CLASS 8
#define WRI_WALKERS 64

/* A case that was run: what its columns had. */
typedef struct wri_sample {
    uint64_t stream, outcome;
    bool     refuted;
    uint8_t  levels[WRI_COLUMNS]; /* WRI_ABSENT: not drawn */
    uint64_t numbers[WRI_COLUMNS];
} wri_sample;

/* The cases of one outcome: some of them, each with the same chance. */
typedef struct wri_outcome_class {
    uint64_t   outcome, seen;
    unsigned   count;
    wri_sample samples[WRI_OF_A_CLASS];
} wri_outcome_class;

typedef struct wri_walker {
    bool       busy, moved; /* moved: the other side is known to have another outcome */
    bool       out;         /* its case is being run */
    unsigned   column;
    uint64_t   same, other, tried; /* places of values, in their order */
    wri_sample base;
} wri_walker;

typedef struct wri_walks {
    wri_outcome_class classes[WRI_WALK_CLASSES];
    unsigned          class_count;
    wri_walker        walkers[WRI_WALKERS];
    uint64_t          steps, boundaries;
} wri_walks;

/* A case that was run, whoever planned it. */
void wri_walks_note(wri_walks *walks, const wri_sample *sample, uint64_t *random);
/* Is there anything to walk between? */
bool wri_walks_may(const wri_walks *walks);
/* The next step of walker `which`: its case, with the number of one column changed. False: it
 * has none. */
bool wri_walks_step(wri_walks *walks, unsigned which, const wri_column *columns, unsigned count,
                    uint64_t *random, wri_sample *next);
/* The step's case has come back. `present`: it drew the column. */
void wri_walks_came(wri_walks *walks, unsigned which, uint64_t outcome, bool present);

#endif
