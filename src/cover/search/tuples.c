/* cover/search/tuples.c: numbers the tuples of a relation. */
#include "cover/search/tuples.h"

#include <stdlib.h>
#include <string.h>

static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* How many tuples `strength` of these columns have, or UINT64_MAX: the elementary symmetric
 * polynomial of the level counts, column by column. */
static uint64_t count_tuples(const uint32_t *columns, uint32_t count, const uint32_t *levels,
                             uint32_t strength)
{
    if (strength > count)
        return 0;
    uint64_t *sums = calloc(strength + 1, sizeof *sums);
    if (sums == NULL)
        return UINT64_MAX;
    sums[0] = 1;
    for (uint32_t c = 0; c < count; c++)
        for (uint32_t s = strength; s > 0; s--)
            sums[s] = add(sums[s], wrc_count_times(sums[s - 1], levels[columns[c]]));
    uint64_t total = sums[strength];
    free(sums);
    return total;
}

uint64_t wrc_tuples_prefix_ranks(const wrc_numbering *n, uint64_t prefix)
{
    const uint32_t *member = wrc_tuples_prefix(n, prefix);
    uint64_t        ranks = 1;
    for (uint32_t i = 0; i + 1 < n->strength; i++)
        ranks *= n->levels[member[i]];
    return ranks;
}

void wrc_tuples_prefix_levels(const wrc_numbering *n, uint64_t prefix, uint64_t rank,
                              uint32_t *levels)
{
    const uint32_t *member = wrc_tuples_prefix(n, prefix);
    for (uint32_t i = n->strength - 1; i-- > 0;) {
        levels[i] = (uint32_t)(rank % n->levels[member[i]]);
        rank /= n->levels[member[i]];
    }
}

/* The next set of positions in colexicographic order: the lowest that can move up does, those
 * below it go back to the start. */
static void next_set(uint32_t *set, uint32_t size)
{
    uint32_t i = 0;
    while (i + 1 < size && set[i] + 1 == set[i + 1]) {
        set[i] = i;
        i++;
    }
    set[i]++;
}

static void number_prefixes(wrc_numbering *n)
{
    uint32_t size = n->strength - 1;
    uint64_t at = 0;
    for (uint64_t p = 0; p < n->prefixes; p++) {
        uint32_t *set = n->members + p * size;
        if (p > 0 && size > 0) {
            memcpy(set, set - size, size * sizeof *set);
            next_set(set, size);
        } else {
            for (uint32_t i = 0; i < size; i++)
                set[i] = i;
        }
        n->base[p] = at;
        at += wrc_tuples_prefix_ranks(n, p) *
              wrc_tuples_prefix_span(n, wrc_tuples_prefix_from(n, p));
    }
    n->base[n->prefixes] = at;
}

static bool describe_columns(wrc_numbering *n, const uint32_t *columns, const uint32_t *levels)
{
    n->columns = wrc_blocks_take(&n->blocks, n->count + 1, sizeof *n->columns);
    n->levels = wrc_blocks_take(&n->blocks, n->count + 1, sizeof *n->levels);
    n->before = wrc_blocks_take(&n->blocks, n->count + 1, sizeof *n->before);
    if (n->blocks.failed)
        return false;
    for (uint32_t p = 0; p < n->count; p++) {
        n->columns[p] = columns[p];
        n->levels[p] = levels[columns[p]];
        n->before[p + 1] = n->before[p] + n->levels[p];
    }
    return true;
}

bool wrc_numbering_open(wrc_numbering *n, const uint32_t *columns, uint32_t count,
                        const uint32_t *levels, uint32_t strength, uint64_t limit)
{
    *n = (wrc_numbering){ .strength = strength, .count = count };
    if (count_tuples(columns, count, levels, strength) > limit ||
        !describe_columns(n, columns, levels))
        return false;
    if (strength > 0 && strength <= count)
        n->prefixes = wrc_count_choose(count - 1, strength - 1);
    size_t members = strength > 1 ? (size_t)n->prefixes * (strength - 1) : 0;
    n->members = wrc_blocks_take(&n->blocks, members + 1, sizeof *n->members);
    n->base = wrc_blocks_take(&n->blocks, n->prefixes + 1, sizeof *n->base);
    if (n->blocks.failed)
        return false;
    number_prefixes(n);
    if (strength == 0)
        n->base[0] = 1;
    return true;
}

bool wrc_numbering_list_containing(wrc_numbering *n)
{
    size_t members = n->strength > 1 ? (size_t)n->prefixes * (n->strength - 1) : 0;
    n->with = wrc_blocks_take(&n->blocks, n->count + 2, sizeof *n->with);
    n->containing = wrc_blocks_take(&n->blocks, members + 1, sizeof *n->containing);
    if (n->blocks.failed)
        return false;
    for (size_t i = 0; i < members; i++)
        n->with[n->members[i] + 2]++;
    for (uint32_t p = 0; p < n->count; p++)
        n->with[p + 2] += n->with[p + 1];
    for (size_t i = 0; i < members; i++)
        n->containing[n->with[n->members[i] + 1]++] = (uint32_t)(i / (n->strength - 1));
    return true;
}

/* ---- All ranks of a row ---- */

bool wrc_numbering_reserve_ranks(wrc_numbering *n)
{
    uint32_t size = n->strength > 0 ? n->strength - 1 : 0;
    size_t   stride = n->count + 1;
    uint64_t most = 1;
    n->sets = wrc_blocks_take(&n->blocks, (size + 1) * stride, sizeof *n->sets);
    if (n->sets == NULL)
        return false;
    for (uint32_t k = 0; k <= size; k++)
        for (uint32_t p = 0; p <= n->count; p++) {
            n->sets[k * stride + p] = wrc_count_choose(p, k);
            most = n->sets[k * stride + p] > most ? n->sets[k * stride + p] : most;
        }
    n->ranks = wrc_blocks_take(&n->blocks, most, sizeof *n->ranks);
    n->shorter = wrc_blocks_take(&n->blocks, most, sizeof *n->shorter);
    return !n->blocks.failed;
}

/* The ranks of some sets and one more position. */
static void rank_further(const uint32_t *restrict sets, uint64_t count, uint32_t levels,
                         uint32_t level, bool complete, uint32_t *restrict to)
{
    if (level == WRC_ANY)
        memset(to, 0xFF, count * sizeof *to);
    else if (complete)
        for (uint64_t i = 0; i < count; i++)
            to[i] = sets[i] * levels + level;
    else
        for (uint64_t i = 0; i < count; i++)
            to[i] = sets[i] == WRC_ANY ? WRC_ANY : sets[i] * levels + level;
}

/* Sets of a size, in the order of prefixes, are by their largest member; those with the same one
 * are all smaller sets of earlier positions, in the same order. So each size comes from the one
 * before in long stretches. */
const uint32_t *wrc_tuples_row_ranks(wrc_numbering *n, const uint32_t *row)
{
    uint32_t size = n->strength > 0 ? n->strength - 1 : 0;
    size_t   stride = n->count + 1;
    bool     complete = true;
    for (uint32_t p = 0; p + 1 < n->count; p++)
        complete &= row[p] != WRC_ANY;
    n->ranks[0] = 0;
    for (uint32_t k = 1; k <= size; k++) {
        uint32_t *sets = n->ranks;
        n->ranks = n->shorter;
        n->shorter = sets;
        for (uint32_t p = k - 1; p + 1 < n->count; p++)
            rank_further(sets, n->sets[(k - 1) * stride + p], n->levels[p], row[p], complete,
                         n->ranks + n->sets[k * stride + p]);
    }
    return n->ranks;
}

void wrc_numbering_close(wrc_numbering *n)
{
    wrc_blocks_free(&n->blocks);
    *n = (wrc_numbering){ 0 };
}
