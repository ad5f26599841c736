/* explore/guide/mutate.h: changes of a case.
 *
 * A change keeps most of an entry's log and makes a plan of it that a mutant answers with:
 * another answer in one place; everything afresh behind the place where a feature showed;
 * elements of a loop dropped, doubled, put in or taken from another entry; a span's inside
 * made anew. Which entry, and for which feature, is the guide's decision.
 */
#ifndef WRI_EXPLORE_GUIDE_MUTATE_H
#define WRI_EXPLORE_GUIDE_MUTATE_H

#include "explore/guide/mutant.h"
#include "explore/guide/pool.h"

/* What is changed, and how it was. */
typedef struct wri_mutation {
    wri_pool   *pool;
    uint32_t    entry;
    uint32_t    cut;    /* where the feature showed, in nodes */
    bool        climbs; /* the feature is a number that should grow */
    uint64_t   *random; /* the stream that decides */
    wri_mutant *mutant; /* to be set up */
    wri_trace  *edited; /* memory for a plan that is no entry's log */

    wri_entry_view view;     /* of the entry */
    const char    *name;     /* what was done */
    bool           in_place; /* up to the limit, the positions are the entry's own */
} wri_mutation;

/* Chooses a change that can be made and sets the mutant up with it. */
wri_answerer *wri_mutate(wri_mutation *mutation);

#endif
