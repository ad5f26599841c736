/* cover/pairs.h: which two values no row has together.
 *
 * Most of what a row refuses, it refuses because of one other cell. So all pairs of values of a
 * component are decided once: a row that holds shows many of them possible at a time, what is seen
 * to follow from a value rules out many at a time, and only what is left is asked one by one.
 */
#ifndef WRI_COVER_PAIRS_H
#define WRI_COVER_PAIRS_H

#include "cover/encode.h"
#include "cover/known.h"
#include "cover/values.h"

typedef struct wri_pairs {
    uint32_t words;  /* of a set of values */
    uint64_t *never; /* of each value: those that it is never with; NULL: not known */
    uint32_t *variable_of; /* each value */
} wri_pairs;

/* Decides all pairs; rows that are found on the way are added to `known`, and what is ruled out to
 * the clauses. Where there are too many values or memory is short, they stay unknown. */
void wri_pairs_open(wri_pairs *pairs, wri_clauses *clauses, const wri_values *values,
                    wri_known *known);
void wri_pairs_close(wri_pairs *pairs);

/* The set of values that a value is never with. */
static inline const uint64_t *wri_pairs_with(const wri_pairs *pairs, uint32_t value)
{
    return pairs->never + (size_t)value * pairs->words;
}

static inline bool wri_pairs_is_in(const uint64_t *set, uint32_t value)
{
    return set[value / 64] >> value % 64 & 1;
}

static inline bool wri_pairs_never(const wri_pairs *pairs, uint32_t a, uint32_t b)
{
    return wri_pairs_is_in(wri_pairs_with(pairs, a), b);
}

#endif
