/* explore/stable.h: do new cases still show new features, and how sure is the answer?
 *
 * Pure functions over a few counts, which the explorer keeps. The probabilities hold for further
 * cases made in the same way. They say nothing about features that this way cannot reach.
 */
#ifndef WRI_EXPLORE_STABLE_H
#define WRI_EXPLORE_STABLE_H

#include "report/report.h"

/* The counts so far. */
typedef struct wri_sightings {
    uint64_t cases;       /* run and not discarded */
    uint64_t last;        /* number of the last case that showed something new; 0: none */
    uint64_t nearer;      /* the same, or that came nearer to something new */
    uint64_t features;    /* different ones */
    uint64_t once, twice; /* of these, seen in exactly one case, in exactly two */
    bool     crowded;     /* more features than could be counted: nothing is known of the rest */
} wri_sightings;

/* At least this number of cases must have shown nothing new. */
#define WRI_IDLE_CASES 1000

/* Nothing was new in the last half of the cases, and in the last WRI_IDLE_CASES. */
bool wri_stable(const wri_sightings *seen);

/* The probability that the next case shows something new: the share of features that were seen
 * once (Good and Turing). */
double wri_stable_new_probability(const wri_sightings *seen);
/* An upper bound on that probability, at 95 %, for a run that ended because it was stable: 5 / k
 * for k cases without anything new. At most 1. */
double wri_stable_new_bound(const wri_sightings *seen);
/* A lower estimate of the number of features not seen yet (Chao, in the form whose mean is
 * not above the truth where few features were seen twice). */
double wri_stable_unseen(const wri_sightings *seen);

/* All of this, for a report. */
wri_stability wri_stable_tell(const wri_sightings *seen);

#endif
