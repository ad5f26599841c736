/* observe/share.h: how sure a share is of which some cases were seen.
 *
 * Pure functions over counts. A verdict on a promised share is a sequential test, so it may be
 * asked for after every case, and a run may go on until there is one.
 */
#ifndef WRI_OBSERVE_SHARE_H
#define WRI_OBSERVE_SHARE_H

#include <stdint.h>

/* Ends of Wilson's interval at 95 %, for a share of which `yes` of `cases` were seen. */
typedef struct wri_interval {
    double low, high;
} wri_interval;
wri_interval wri_share_interval(uint64_t yes, uint64_t cases);

typedef enum wri_share_verdict {
    WRI_SHARE_OPEN,   /* more cases would tell */
    WRI_SHARE_ENOUGH, /* the share is above nine tenths of what was wanted */
    WRI_SHARE_MISSED, /* the share is below what was wanted */
} wri_share_verdict;

/* So many runs have one wrong verdict of each kind, at most, if nobody says otherwise. */
#define WRI_SHARE_CONFIDENCE 1000000

/* The verdict on a share from 0 to 1. Over all verdicts of a run, however often they are asked
 * for, a share that is as wanted is MISSED in one of `confidence` runs at most; a share of nine
 * tenths of that is ENOUGH in as few. */
wri_share_verdict wri_share_judge(uint64_t yes, uint64_t cases, double wanted,
                                  uint64_t confidence);

#endif
