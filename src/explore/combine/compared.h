/* explore/combine/compared.h: pairs of outcomes of comparisons, where the compiler tells them.
 *
 * A comparison of the code under test comes out <, = or >. Every two outcomes are to be seen in
 * one case. A place that compares a draw with a limit of a table is a place for each limit. A
 * case that showed a new pair is kept. Its next of kin has one draw changed, so that one
 * comparison comes out otherwise: the draw gets the other side's value, or one beside it.
 */
#ifndef WRI_EXPLORE_COMBINE_COMPARED_H
#define WRI_EXPLORE_COMBINE_COMPARED_H

#include "explore/combine/walks.h"

#define WRI_SITES 256
#define WRI_KEPT 256
#define WRI_OUTCOMES 3 /* <, =, > */

/* So many limits of one place are told apart. */
#define WRI_LIMITS 8

/* A place that compares, or one that compares a draw with this limit. */
typedef struct wri_site {
    uint32_t place;
    bool     limited;
    int64_t  limit;
} wri_site;

typedef struct wri_compared_case {
    wri_sample     sample;
    uint32_t       count;
    wri_comparison made[WRI_TOLD];
    uint16_t       sites[WRI_TOLD]; /* WRI_SITES: there was no room */
} wri_compared_case;

typedef struct wri_compared {
    wri_site          sites[WRI_SITES];
    unsigned          site_count;
    uint64_t          seen[WRI_SITES * WRI_OUTCOMES];
    uint8_t           pairs[WRI_SITES * WRI_OUTCOMES][WRI_SITES * WRI_OUTCOMES / 8];
    uint64_t          covered; /* pairs */
    unsigned          kept_count;
    uint64_t          worthy; /* cases that were worth keeping */
    wri_compared_case kept[WRI_KEPT];
    uint64_t          tries;
} wri_compared;

/* A case that was run, and its comparisons. */
void wri_compared_note(wri_compared *compared, const wri_column *columns, unsigned column_count,
                       const wri_sample *sample, const wri_comparison *made, uint32_t count,
                       uint64_t *random);
/* A kept case with one number changed. False: there is none to be made. */
bool wri_compared_next(wri_compared *compared, const wri_column *columns, unsigned count,
                       uint64_t *random, wri_sample *next);

#endif
