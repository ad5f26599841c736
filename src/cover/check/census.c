/* cover/check/census.c: looks at every row in every combination of columns.
 *
 * The rank of a row's cells in the first columns is worked out once for all combinations that
 * begin with them. A map of up to 64 tuples is one word, and a combination is left as soon as all
 * of it is covered. Larger maps have a byte for each tuple, very large ones a bit.
 */
#include "cover/check/census.h"

#include <stdlib.h>
#include <string.h>

#include "cover/model/blocks.h"

#define MOST_BYTES ((uint64_t)1 << 22) /* a map of bytes; beyond, bits */
#define MOST_TUPLES ((uint64_t)1 << 32)
#define MOST_LOOKS ((uint64_t)1 << 45) /* at cells: hours */
#define BLOCK 64                       /* rows between two looks at whether all is covered */

typedef struct walk {
    const wrc_census *census;
    const uint32_t   *among;
    uint32_t          count, strength, with;
    wrc_blocks        blocks;
    uint32_t         *chosen;   /* columns */
    uint32_t         *ranks;    /* strength arrays of `rows`: of the first 0, 1, … columns */
    uint64_t         *products; /* of the first 0, 1, … columns' levels */
    uint8_t          *bytes;
    uint64_t         *bits;
    wrc_census_taker *take;
    void             *state;
} walk;

void wrc_census_levels(const wrc_census *census, const wrc_combination *combination,
                       uint64_t tuple, uint32_t *levels)
{
    for (uint32_t i = combination->strength; i-- > 0;) {
        uint32_t of = census->levels[combination->columns[i]];
        levels[i] = (uint32_t)(tuple % of);
        tuple /= of;
    }
}

/* ---- One combination ---------------------------------------------------------------------- */

static bool outside(uint32_t rank, uint32_t cell)
{
    return rank == WRC_ANY || cell == WRC_ANY;
}

/* Up to 64 tuples: one word, until it is full. */
static uint64_t look_at_word(const walk *w, const uint32_t *ranks, const uint32_t *cells,
                             uint32_t levels, uint64_t tuples)
{
    uint64_t seen = 0, all = tuples == 64 ? UINT64_MAX : ((uint64_t)1 << tuples) - 1;
    uint64_t rows = w->census->rows;
    for (uint64_t start = 0; start < rows && seen != all; start += BLOCK) {
        uint64_t end = start + BLOCK < rows ? start + BLOCK : rows;
        if (w->census->open) {
            for (uint64_t r = start; r < end; r++)
                if (!outside(ranks[r], cells[r]))
                    seen |= (uint64_t)1 << (ranks[r] * levels + cells[r]);
        } else {
            for (uint64_t r = start; r < end; r++)
                seen |= (uint64_t)1 << (ranks[r] * levels + cells[r]);
        }
    }
    return seen;
}

static uint64_t count_bytes(const uint8_t *bytes, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += bytes[i];
    return sum;
}

static uint64_t look_at_bytes(const walk *w, const uint32_t *ranks, const uint32_t *cells,
                              uint32_t levels, uint64_t tuples)
{
    memset(w->bytes, 0, tuples);
    for (uint64_t r = 0; r < w->census->rows; r++)
        if (!w->census->open || !outside(ranks[r], cells[r]))
            w->bytes[(uint64_t)ranks[r] * levels + cells[r]] = 1;
    return count_bytes(w->bytes, tuples);
}

static uint64_t look_at_bits(const walk *w, const uint32_t *ranks, const uint32_t *cells,
                             uint32_t levels, uint64_t tuples)
{
    uint64_t words = (tuples + 63) / 64, covered = 0;
    memset(w->bits, 0, words * sizeof *w->bits);
    for (uint64_t r = 0; r < w->census->rows; r++)
        if (!w->census->open || !outside(ranks[r], cells[r])) {
            uint64_t tuple = (uint64_t)ranks[r] * levels + cells[r];
            w->bits[tuple / 64] |= (uint64_t)1 << tuple % 64;
        }
    for (uint64_t i = 0; i < words; i++)
        covered += (uint64_t)__builtin_popcountll(w->bits[i]);
    return covered;
}

static bool look(walk *w, uint32_t column)
{
    const uint32_t *ranks = w->ranks + (size_t)(w->strength - 1) * w->census->rows;
    const uint32_t *cells = w->census->cells[column];
    uint32_t        levels = w->census->levels[column];
    wrc_combination c = { .strength = w->strength, .columns = w->chosen };
    uint64_t        word;
    w->chosen[w->strength - 1] = column;
    c.tuples = w->products[w->strength - 1] * levels;
    if (c.tuples <= 64) {
        word = look_at_word(w, ranks, cells, levels, c.tuples);
        c.covered = (uint64_t)__builtin_popcountll(word);
        c.bits = &word;
    } else if (c.tuples <= MOST_BYTES) {
        c.covered = look_at_bytes(w, ranks, cells, levels, c.tuples);
        c.bytes = w->bytes;
    } else {
        c.covered = look_at_bits(w, ranks, cells, levels, c.tuples);
        c.bits = w->bits;
    }
    return w->take(w->state, &c);
}

/* ---- All of them -------------------------------------------------------------------------- */

/* From the ranks of the first `depth` columns to those of one more. */
static void rank_column(const walk *w, uint32_t depth, uint32_t column)
{
    uint64_t        rows = w->census->rows;
    const uint32_t *from = w->ranks + (size_t)depth * rows, *cells = w->census->cells[column];
    uint32_t *to = w->ranks + (size_t)(depth + 1) * rows, levels = w->census->levels[column];
    if (w->census->open)
        for (uint64_t r = 0; r < rows; r++)
            to[r] = outside(from[r], cells[r]) ? WRC_ANY : from[r] * levels + cells[r];
    else
        for (uint64_t r = 0; r < rows; r++)
            to[r] = from[r] * levels + cells[r];
}

/* Chooses the column at `depth` among those from `next` on. `met`: `with` is chosen already. */
static bool choose(walk *w, uint32_t depth, uint32_t next, bool met)
{
    for (uint32_t i = next; i + (w->strength - depth) <= w->count; i++) {
        uint32_t column = w->among[i];
        bool     now = met || column == w->with;
        bool     last = depth + 1 == w->strength;
        if (!met && w->with != WRC_ANY && column > w->with)
            return true; /* it can no longer be met */
        if (last && !now && w->with != WRC_ANY)
            continue;
        if (last) {
            if (!look(w, column))
                return false;
            continue;
        }
        w->chosen[depth] = column;
        w->products[depth + 1] = w->products[depth] * w->census->levels[column];
        rank_column(w, depth, column);
        if (!choose(w, depth + 1, i + 1, now))
            return false;
    }
    return true;
}

static int descending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

/* Tuples of the combination that has most of them; over MOST_TUPLES: too many. */
static uint64_t most_tuples(const walk *w)
{
    uint64_t  product = 1;
    uint32_t *levels = calloc(w->count, sizeof *levels);
    if (!levels)
        return UINT64_MAX;
    for (uint32_t i = 0; i < w->count; i++)
        levels[i] = w->census->levels[w->among[i]];
    qsort(levels, w->count, sizeof *levels, descending);
    for (uint32_t i = 0; i < w->strength && product <= MOST_TUPLES; i++)
        product *= levels[i];
    free(levels);
    return product;
}

/* Looks at cells that all combinations take, about; never less than UINT64_MAX means. */
static uint64_t all_looks(const walk *w)
{
    unsigned __int128 combinations = 1;
    for (uint32_t i = 0; i < w->strength && combinations < MOST_LOOKS; i++)
        combinations = combinations * (w->count - i) / (i + 1);
    unsigned __int128 looks = combinations * (w->census->rows + 1);
    return looks > UINT64_MAX ? UINT64_MAX : (uint64_t)looks;
}

static bool prepare(walk *w, uint64_t most)
{
    uint64_t rows = w->census->rows;
    w->chosen = wrc_blocks_take(&w->blocks, w->strength, sizeof *w->chosen);
    w->products = wrc_blocks_take(&w->blocks, (size_t)w->strength + 1, sizeof *w->products);
    w->ranks = wrc_blocks_take(&w->blocks, (size_t)w->strength * rows + 1, sizeof *w->ranks);
    if (most > MOST_BYTES)
        w->bits = wrc_blocks_take(&w->blocks, most / 64 + 1, sizeof *w->bits);
    w->bytes = wrc_blocks_take(&w->blocks, most > MOST_BYTES ? MOST_BYTES : most + 1, 1);
    if (w->products)
        w->products[0] = 1;
    return !w->blocks.failed;
}

bool wrc_census_combinations(const wrc_census *census, const uint32_t *among, uint32_t count,
                             uint32_t strength, uint32_t with, wrc_census_taker *take,
                             void *state, wrc_complaint *complaint)
{
    walk w = { .census = census,
               .among = among,
               .count = count,
               .strength = strength,
               .with = with,
               .take = take,
               .state = state };
    if (strength == 0 || strength > count)
        return true;
    uint64_t most = most_tuples(&w);
    if (most > MOST_TUPLES)
        return wrc_model_complain(
            complaint, "too many tuples to look at: some %u parameters have more than 2^32",
            strength);
    if (all_looks(&w) > MOST_LOOKS)
        return wrc_model_complain(
            complaint, "too many combinations to look at: %u of %u parameters in %llu rows",
            strength, count, (unsigned long long)census->rows);
    bool fine = prepare(&w, most) ? choose(&w, 0, 0, with == WRC_ANY)
                                  : wrc_model_complain(complaint, "out of memory");
    wrc_blocks_free(&w.blocks);
    return fine;
}
