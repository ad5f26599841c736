/* cover/search/tuples.h: a number for every tuple of a relation.
 *
 *     number = base[prefix] + rank(levels of the prefix) * span
 *              + before[last] - before[from] + level
 *
 * A combination of columns is a prefix (all but its last) and a last column. The tuples of a
 * prefix and its levels lie side by side for all columns that may come last. So the tuples that
 * one row covers with one prefix are one stretch of memory, and its start is found once. Prefixes
 * are ordered by their largest members first (colexicographic), so those that end before a column
 * come first.
 */
#ifndef WRC_COVER_SEARCH_TUPLES_H
#define WRC_COVER_SEARCH_TUPLES_H

#include "cover/algebra/count.h"
#include "cover/model/blocks.h"
#include "cover/model/model.h"

typedef struct wrc_numbering {
    uint32_t  strength; /* 0: one tuple, the empty one */
    uint32_t  count;    /* columns; those below are by position 0..count-1 */
    uint32_t *columns;  /* what the position is called outside */
    uint32_t *levels;
    uint32_t *before; /* the levels of the positions before one; count + 1 of them */
    uint64_t  prefixes;
    uint32_t *members; /* strength - 1 positions of each prefix, ascending */
    uint64_t *base;    /* prefixes + 1: the last is the number of tuples */
    uint64_t *with; /* for each position, where its prefixes start in `containing`; count + 1 */
    uint32_t *containing;
    uint64_t *sets; /* by size, then position: how many sets of so many lie before it */
    uint32_t *ranks,
        *shorter; /* of the row in hand, by prefix, and by what prefixes begin with */
    wrc_blocks blocks;
} wrc_numbering;

/* `columns` are in the order of the positions; `levels` is by column. False: no memory, or more
 * tuples than `limit`. `containing`, and room for ranks, are made only when asked for.
 */
bool wrc_numbering_open(wrc_numbering *n, const uint32_t *columns, uint32_t count,
                        const uint32_t *levels, uint32_t strength, uint64_t limit);
bool wrc_numbering_list_containing(wrc_numbering *n);
bool wrc_numbering_reserve_ranks(wrc_numbering *n);
void wrc_numbering_close(wrc_numbering *n);

static inline const uint32_t *wrc_tuples_prefix(const wrc_numbering *n, uint64_t prefix)
{
    return n->members + prefix * (n->strength - 1);
}

/* The first position that can come last after this prefix. */
static inline uint32_t wrc_tuples_prefix_from(const wrc_numbering *n, uint64_t prefix)
{
    return n->strength > 1 ? wrc_tuples_prefix(n, prefix)[n->strength - 2] + 1 : 0;
}

static inline uint64_t wrc_tuples_prefix_span(const wrc_numbering *n, uint32_t from)
{
    return n->before[n->count] - n->before[from];
}

/* The prefixes whose largest member is this position end before this one. */
static inline uint64_t wrc_tuples_prefixes_until(const wrc_numbering *n, uint32_t position)
{
    return n->sets[(size_t)(n->strength - 1) * (n->count + 1) + position + 1];
}

/* The ranks of a row (by position) in all prefixes, at once; WRC_ANY where the prefix has an open
 * cell. They are there until the next row is asked for. Needs fewer than 2^32 tuples. */
const uint32_t *wrc_tuples_row_ranks(wrc_numbering *n, const uint32_t *row);

/* The levels of a prefix's rank, in the order of its members; `ranks` is how many ranks it has.
 */
void     wrc_tuples_prefix_levels(const wrc_numbering *n, uint64_t prefix, uint64_t rank,
                                  uint32_t *levels);
uint64_t wrc_tuples_prefix_ranks(const wrc_numbering *n, uint64_t prefix);

#endif
