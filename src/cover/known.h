/* cover/known.h: rows that are known to hold.
 *
 * Most questions that a solver is asked have few chosen cells, and the answer is yes: some row
 * that it found before has them. For each level there is a set of the known rows that have it; the
 * rows that have all chosen cells are what these sets share.
 */
#ifndef WRI_COVER_KNOWN_H
#define WRI_COVER_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The last levels of intervals whose levels are all alike, ascending. */
typedef struct wri_ends {
    uint32_t count;
    uint32_t *last;
} wri_ends;

typedef struct wri_known {
    uint32_t variables;
    const wri_ends *ends; /* of each variable */
    size_t *first;        /* of each variable: where its intervals' sets begin */
    uint64_t *having;     /* the sets */
    uint32_t *rows;       /* of each row and variable: which interval */
    uint32_t count, next;
} wri_known;

/* False when memory is short. */
bool wri_known_open(wri_known *known, uint32_t variables, const wri_ends *ends);
void wri_known_close(wri_known *known);

/* Adds a row that holds, a level for each variable; the oldest may go. */
void wri_known_add(wri_known *known, const uint32_t *row);

/* Whether a known row has every chosen cell, or a level that is as good. */
bool wri_known_has(const wri_known *known, const uint32_t *cells);

#endif
