/* explore/guide/mutate.h: chooses a change of a case.
 *
 * A change keeps most of an entry's log and makes a plan for a mutant. Examples: another answer
 * in one place; everything afresh behind the place where a feature showed; elements of a loop
 * dropped, doubled, put in or taken from another entry; the content of a span made anew. The
 * guide decides which entry is changed, and for which feature.
 */
#ifndef WRI_EXPLORE_GUIDE_MUTATE_H
#define WRI_EXPLORE_GUIDE_MUTATE_H

#include "constants/dictionary.h"
#include "explore/guide/mutant.h"
#include "explore/guide/pool.h"
#include "plan/rearrange.h"

/* A change: the caller's part, and below it the result. */
typedef struct wri_mutation {
    wri_pool             *pool;
    uint32_t              entry;
    uint32_t              cut;    /* nodes in the log when the feature showed */
    bool                  climbs; /* the feature is a number that should grow */
    uint64_t             *random; /* the stream that decides */
    wri_mutant           *mutant; /* to be set up */
    wri_trace            *edited; /* memory for a plan with another shape than the entry */
    const wri_dictionary *known;  /* constants to be put in; NULL: none */
    uint64_t calls; /* of a machine: as many as a fresh sequence has; 0: they differ */

    wri_entry_view  view;     /* of the entry */
    const char     *name;     /* the name of the change */
    wri_arrangement how;      /* of a change of elements */
    bool            in_place; /* up to the limit, positions are those of the entry */
} wri_mutation;

/* Chooses a change that can be made and sets the mutant up with it. */
wri_answerer *wri_mutate(wri_mutation *mutation);
/* The same for a machine, call by call (calls.c). The result is as long as a fresh sequence. */
wri_answerer *wri_mutate_calls(wri_mutation *mutation);

#endif
