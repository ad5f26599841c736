/* explore/sketch.h: what cases drew: how often each value of a name came, and which pairs.
 *
 * Only a run that writes a page keeps a sketch. The worker fills in the one of its slot, for some
 * of a batch's cases, whichever explorer answers them. The parent adds those of the batches that
 * count. Names are columns (explore/column.h), with the same bins of ranges.
 */
#ifndef WRI_EXPLORE_SKETCH_H
#define WRI_EXPLORE_SKETCH_H

#include "explore/column.h"
#include "report/report.h"

#define WRI_SKETCH_NAMES 24
#define WRI_SKETCH_NODES 24
#define WRI_SKETCH_NODE 48 /* bytes of its name */
#define WRI_SKETCH_PAIRS (WRI_SKETCH_NAMES * (WRI_SKETCH_NAMES - 1) / 2)

/* Commands of a machine, or states: how often each came, and which followed which. */
typedef struct wri_sketch_walk {
    uint32_t count;
    char     names[WRI_SKETCH_NODES][WRI_SKETCH_NODE];
    uint64_t times[WRI_SKETCH_NODES];
    uint64_t steps[WRI_SKETCH_NODES][WRI_SKETCH_NODES]; /* from, to */
} wri_sketch_walk;
enum { WRI_SKETCH_CALLS, WRI_SKETCH_STATES, WRI_SKETCH_WALKS };

typedef struct wri_sketch {
    uint64_t   cases;
    uint32_t   count;
    wri_column columns[WRI_SKETCH_NAMES];
    uint8_t    varies[WRI_SKETCH_NAMES]; /* the range is not the same in all cases */
    uint32_t   texts;                    /* a bit for each: it is the length of a text */
    uint64_t   drawn[WRI_SKETCH_NAMES][WRI_LEVELS];
    uint64_t   pairs[WRI_SKETCH_PAIRS][WRI_LEVELS]; /* of i and j < i: a bit of j by level of i */
    wri_sketch_walk walks[WRI_SKETCH_WALKS];
} wri_sketch;

/* ---- For a worker ---- */

/* A case begins: if it is one of those that are looked at, its draws are noted from here on. */
void wri_sketch_begin(wri_sketch *sketch, wr_case *t);
/* It has ended. counts: it was not discarded. */
void wri_sketch_end(wr_case *t, bool counts);
/* The case that runs is one that was counted before. */
void wri_sketch_drop(void);

/* ---- For the parent ---- */

/* Adds a sketch to *to, which is made if it is NULL. One from a worker's memory may hold
 * anything. Without memory nothing is added. */
void wri_sketch_add(wri_sketch **to, const wri_sketch *from);
/* For a report; the lists are malloced, and freed by wri_sketch_untell(). NULL: empty ones. */
wri_drawn_values wri_sketch_tell(const wri_sketch *sketch);
void             wri_sketch_untell(wri_drawn_values *values);

#endif
