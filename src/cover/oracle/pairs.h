/* cover/oracle/pairs.h: which two values no row has together.
 *
 * Most of what a row refuses, it refuses because of one other cell. So all pairs of values of a
 * component are decided once: a row that holds shows many of them possible at a time, what is
 * seen to follow from a value rules out many at a time, and only what is left is asked one by
 * one.
 */
#ifndef WRC_COVER_ORACLE_PAIRS_H
#define WRC_COVER_ORACLE_PAIRS_H

#include "cover/oracle/encode.h"
#include "cover/oracle/known_rows.h"
#include "cover/oracle/value_classes.h"

typedef struct wrc_pairs {
    uint32_t  words;       /* of a set of values */
    uint64_t *never;       /* of each value: those that it is never with; NULL: not known */
    uint32_t *variable_of; /* each value */
} wrc_pairs;

/* Decides all pairs; rows that are found on the way are added to `known`, and what is ruled out
 * to the clauses. Where there are too many values or memory is short, they stay unknown. */
void wrc_pairs_open(wrc_pairs *pairs, wrc_clauses *clauses, const wrc_values *values,
                    wrc_known *known);
void wrc_pairs_close(wrc_pairs *pairs);

/* The set of values that a value is never with. */
static inline const uint64_t *wrc_pairs_with(const wrc_pairs *pairs, uint32_t value)
{
    return pairs->never + (size_t)value * pairs->words;
}

static inline bool wrc_pairs_is_in(const uint64_t *set, uint32_t value)
{
    return set[value / 64] >> value % 64 & 1;
}

static inline bool wrc_pairs_never(const wrc_pairs *pairs, uint32_t a, uint32_t b)
{
    return wrc_pairs_is_in(wrc_pairs_with(pairs, a), b);
}

#endif
