/* cover/search/open_tuples.h: the tuples that no row has at the moment.
 *
 * Each tuple has a place in one list; when one goes, the last moves to its place. Each of its
 * cells is also in the list of the cells with the same value. Walking along such a list finds the
 * tuples that a change of one cell would cover.
 */
#ifndef WRC_COVER_SEARCH_OPEN_TUPLES_H
#define WRC_COVER_SEARCH_OPEN_TUPLES_H

#include "cover/model/model.h"

/* A value is the number of a column's level among all levels of all columns. */
typedef struct wrc_open_tuples {
    uint32_t  count, room;
    uint32_t  strength;         /* the greatest: so many cells are reserved for each tuple */
    uint32_t *word;             /* what it is known by outside */
    uint32_t *size;             /* its cells */
    uint32_t *columns, *values; /* of its cells */
    uint32_t *next, *previous;  /* cell to cell, those with the same value */
    uint32_t *head, *wanted;    /* by value: that list, and how long it is */
} wrc_open_tuples;

/* False: no memory. */
bool wrc_open_tuples_reserve(wrc_open_tuples *open, uint32_t strength, uint32_t values);
void wrc_open_tuples_free(wrc_open_tuples *open);

/* The place of a further tuple, whose cells are then set one by one; WRC_ANY: no memory. */
uint32_t wrc_open_tuples_add(wrc_open_tuples *open, uint32_t word, uint32_t size);
void     wrc_open_tuples_set(wrc_open_tuples *open, uint32_t at, uint32_t cell, uint32_t column,
                             uint32_t value);
/* Takes one out. Says the word of the tuple that is in its place now; WRC_ANY: none is. */
uint32_t wrc_open_tuples_drop(wrc_open_tuples *open, uint32_t at);

#endif
