/* explore/weights.h: how likely each constructor is in a restarted search.
 *
 * An example: under a type checker, an application is mostly refuted where little of the size is
 * left. A row of the table has the choices of one type, among the same constructors, with about
 * as much size left. It counts how often each constructor was taken, and how often the case then
 * met the preconditions. The weight of a constructor is the square root of that share: the root
 * keeps rare ones alive. A swarm multiplies each weight by a random factor exp(N(0,1)), so that
 * some stretches of a search have many lambdas, and others hardly any.
 *
 * All of this is in whole numbers, so that a seed means the same on every machine.
 */
#ifndef WRI_EXPLORE_WEIGHTS_H
#define WRI_EXPLORE_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WRI_WEIGHT_ROWS 512u
#define WRI_WEIGHT_RANKS 64u
#define WRI_NO_WEIGHTS UINT16_MAX

/* The results of one choice. When the table is full, further choices are not learnt from. */
typedef struct wri_weight_row {
    uint64_t key; /* 0: the row is free */
    uint32_t taken[WRI_WEIGHT_RANKS], met[WRI_WEIGHT_RANKS];
} wri_weight_row;

typedef struct wri_learnt_weights {
    wri_weight_row rows[WRI_WEIGHT_ROWS];
} wri_learnt_weights;

/* The weights of one search, made from what was learnt when they are first needed. */
typedef struct wri_weights {
    wri_learnt_weights *learnt;
    bool                learns, swarms;
    uint64_t            swarm;  /* the factors are a function of it */
    uint32_t            period; /* weights of another period are made anew */
    uint32_t            made[WRI_WEIGHT_ROWS];
    uint64_t            weights[WRI_WEIGHT_ROWS][WRI_WEIGHT_RANKS];
} wri_weights;

/* The row for a choice among these ranks; WRI_NO_WEIGHTS: there is no room for it. */
uint16_t wri_weights_row(wri_weights *weights, uint32_t type, uint64_t ranks, uint64_t budget);
/* Picks one of the row's ranks that are in `left`, each as likely as its weight, and counts it as
 * taken. */
unsigned wri_weights_pick(wri_weights *weights, uint16_t row, uint32_t type, uint64_t ranks,
                          uint64_t left, uint64_t *random);
/* The case with this choice met its preconditions. */
void wri_weights_met(wri_weights *weights, uint16_t row, uint64_t rank);

/* Adds to `sum` what `after` has counted beyond `before`. Counts that cannot be are left out. */
void wri_weights_add(wri_learnt_weights *sum, const wri_learnt_weights *after,
                     const wri_learnt_weights *before);

#endif
