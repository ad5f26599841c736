/* explore/stable.h: has what cases show stopped growing, and how sure is that?
 *
 * Pure functions over a few counts. Who explores counts; here it is only said what the counts
 * mean. The probabilities are those of further cases made in the same way: of what no way of
 * exploring so far can reach they say nothing.
 */
#ifndef WRI_EXPLORE_STABLE_H
#define WRI_EXPLORE_STABLE_H

#include "report/report.h"

/* What was seen so far. */
typedef struct wri_sightings {
    uint64_t cases;       /* run and not discarded */
    uint64_t last;        /* so many of them up to the last that showed something new; 0: none */
    uint64_t features;    /* different ones */
    uint64_t once, twice; /* of these, seen in exactly one case, in exactly two */
    bool     crowded; /* there were more than could be counted: nothing is known of the rest */
} wri_sightings;

/* So many cases at least must have shown nothing new. */
#define WRI_IDLE_CASES 1000

/* Nothing was new in the last half of the cases, and in the last WRI_IDLE_CASES. */
bool wri_stable(const wri_sightings *seen);

/* How probable it is that the next case shows something new: the share of what was seen once
 * (Good and Turing). */
double wri_stable_new_probability(const wri_sightings *seen);
/* An upper bound on that, at 95 %, for a run that ended because it was stable: five in the cases
 * since anything was new. At most 1. */
double wri_stable_new_bound(const wri_sightings *seen);
/* How many features were not seen yet: at least about so many (Chao). */
double wri_stable_unseen(const wri_sightings *seen);

/* All of this, for a report. */
wri_stability wri_stable_tell(const wri_sightings *seen);

#endif
