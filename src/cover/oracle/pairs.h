/* cover/oracle/pairs.h: the pairs of values that no row has.
 *
 * A row refuses most levels because of one other cell. So all pairs of values of a component are
 * decided once. A row that holds shows many pairs possible at a time, and the consequences of a
 * value rule out many at a time. Only the pairs that are left are asked one by one.
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
 * to the clauses. If there are too many values or memory is short, they stay unknown. */
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
