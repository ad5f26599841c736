/* cover/search/gains.c: counts the open tuples that a row would cover, for all levels of a new
 * column at once.
 *
 * frontier.h says how the bits lie. Growing spends most of its time in these loops.
 */
#include "cover/search/frontier.h"

#include "cover/search/popcount.h"

#include <string.h>

/* ---- The row in hand ---- */

/* Reads a row by position. live_offset lists its cells that are not open, each as its place among
 * all levels; from live_from[p] on they are those of p and later positions. Says whether no cell
 * is open. */
static bool read_positions(wrc_frontier *f, const wrc_numbering *n, const uint32_t *row)
{
    uint32_t live = 0;
    for (uint32_t p = 0; p < n->count; p++) {
        uint32_t level = row[n->columns[p]];
        f->position_level[p] = level;
        f->live_from[p] = live;
        if (level != WRC_ANY)
            f->live_offset[live++] = n->before[p] + level;
    }
    f->live_from[n->count] = live;
    return live == n->count;
}

/* Units that a row with open cells has. */
static uint64_t count_met(const wrc_frontier *f, const wrc_front *one, const uint32_t *ranks)
{
    uint32_t live = f->live_from[one->earlier.count];
    uint64_t met = 0, p = 0;
    for (uint32_t r = 0; r < one->run_count; r++) {
        uint64_t prefixes = 0;
        for (; p < one->runs[r].end; p++)
            prefixes += ranks[p] != WRC_ANY;
        met += prefixes * (live - f->live_from[one->runs[r].from]);
    }
    return met;
}

static void make_mask(const wrc_frontier *f, wrc_front *one)
{
    const wrc_numbering *n = &one->earlier;
    memset(one->mask, 0, (n->before[n->count] + 63) / 64 * sizeof *one->mask);
    for (uint32_t i = 0; i < f->live_from[n->count]; i++)
        one->mask[f->live_offset[i] / 64] |= UINT64_C(1) << (f->live_offset[i] % 64);
}

/* Finds the stretches of the row's ranks. */
static void find_stretches(const wrc_frontier *f, wrc_front *one, const uint32_t *ranks,
                           bool complete)
{
    uint64_t p = 0;
    for (uint32_t r = 0; r < one->run_count; r++) {
        uint32_t stride = f->levels * one->runs[r].words;
        if (complete)
            for (; p < one->runs[r].end; p++)
                one->at[p] = one->starts[p] + ranks[p] * stride;
        else
            for (; p < one->runs[r].end; p++)
                one->at[p] = ranks[p] == WRC_ANY ? WRC_ANY : one->starts[p] + ranks[p] * stride;
    }
}

static void look_at_stretches(wrc_frontier *f, wrc_front *one, const uint32_t *row)
{
    wrc_numbering *n = &one->earlier;
    if (n->strength == 0) {
        one->mask[0] = 1;
        one->at[0] = one->starts[0];
        f->work++;
        return;
    }
    bool            complete = read_positions(f, n, row);
    const uint32_t *ranks = wrc_tuples_row_ranks(n, f->position_level);
    make_mask(f, one);
    find_stretches(f, one, ranks, complete);
    f->work += complete ? one->meets : count_met(f, one, ranks);
}

static void look_at_units(wrc_frontier *f, wrc_front *one, const uint32_t *row)
{
    wrc_numbering *n = &one->earlier;
    if (n->strength == 0) {
        f->seen[f->seen_count++] = (uint32_t)one->first;
        f->work++;
        return;
    }
    read_positions(f, n, row);
    const uint32_t *ranks = wrc_tuples_row_ranks(n, f->position_level);
    uint32_t        live = f->live_from[n->count];
    uint32_t       *seen = f->seen + f->seen_count;
    for (uint64_t p = 0; p < n->prefixes; p++) {
        if (ranks[p] == WRC_ANY)
            continue;
        uint32_t from = wrc_tuples_prefix_from(n, p);
        uint32_t start =
            (uint32_t)(one->first + n->base[p] + ranks[p] * wrc_tuples_prefix_span(n, from)) -
            n->before[from];
        for (uint32_t j = f->live_from[from]; j < live; j++)
            *seen++ = start + f->live_offset[j];
    }
    f->work += (uint64_t)(seen - f->seen) - f->seen_count;
    f->seen_count = (uint64_t)(seen - f->seen);
}

void wrc_frontier_look(wrc_frontier *f, const uint32_t *row)
{
    f->seen_count = 0;
    for (uint32_t i = 0; i < f->front_count; i++)
        if (f->unit_words > 0)
            look_at_units(f, &f->fronts[i], row);
        else
            look_at_stretches(f, &f->fronts[i], row);
    f->work++;
}

/* ---- Stretches: bits of the mask that are open ---- */

/* The row's stretches in a run of prefixes. */
typedef struct stretches {
    uint64_t       *bitmap;
    const uint32_t *at;
    uint64_t        count;
    const uint64_t *mask;
} stretches;

__attribute__((always_inline)) static inline void add_gains(stretches s, uint32_t levels,
                                                            uint32_t words, uint32_t *gains)
{
    for (uint64_t p = 0; p < s.count; p++) {
        if (s.at[p] == WRC_ANY)
            continue;
        const uint64_t *block = s.bitmap + s.at[p];
        for (uint32_t l = 0; l < levels; l++) {
            uint32_t gain = 0;
            for (uint32_t w = 0; w < words; w++)
                gain += (uint32_t)__builtin_popcountll(*block++ & s.mask[w]);
            gains[l] += gain;
        }
    }
}

/* Closes the row's bits of a level; says how many were open. */
__attribute__((always_inline)) static inline uint64_t shut(stretches s, uint32_t level,
                                                           uint32_t words)
{
    uint64_t closed = 0;
    for (uint64_t p = 0; p < s.count; p++) {
        if (s.at[p] == WRC_ANY)
            continue;
        uint64_t *block = s.bitmap + s.at[p] + (size_t)level * words;
        for (uint32_t w = 0; w < words; w++) {
            closed += (uint64_t)__builtin_popcountll(block[w] & s.mask[w]);
            block[w] &= ~s.mask[w];
        }
    }
    return closed;
}

WRC_POPCOUNT static void add_gains_fast(stretches s, uint32_t levels, uint32_t words,
                                        uint32_t *gains)
{
    if (words == 1 && levels == 2)
        add_gains(s, 2, 1, gains);
    else if (words == 1)
        add_gains(s, levels, 1, gains);
    else
        add_gains(s, levels, words, gains);
}

WRC_POPCOUNT static uint64_t shut_fast(stretches s, uint32_t level, uint32_t words)
{
    return words == 1 ? shut(s, level, 1) : shut(s, level, words);
}

static stretches stretches_of(const wrc_frontier *f, const wrc_front *one, uint32_t run)
{
    uint64_t first = run > 0 ? one->runs[run - 1].end : 0;
    return (stretches){ f->bitmap, one->at + first, one->runs[run].end - first,
                        one->mask + one->runs[run].skip };
}

static void count_stretches(wrc_frontier *f, const wrc_front *one)
{
    for (uint32_t r = 0; r < one->run_count; r++) {
        stretches s = stretches_of(f, one, r);
        if (f->has_popcount)
            add_gains_fast(s, f->levels, one->runs[r].words, f->gains);
        else
            add_gains(s, f->levels, one->runs[r].words, f->gains);
    }
}

static void shut_stretches(wrc_frontier *f, const wrc_front *one, uint32_t level)
{
    for (uint32_t r = 0; r < one->run_count; r++) {
        stretches s = stretches_of(f, one, r);
        f->open -= f->has_popcount ? shut_fast(s, level, one->runs[r].words)
                                   : shut(s, level, one->runs[r].words);
    }
}

/* The greatest gain among the levels of the set, and in `ties` which levels have it. */
static uint32_t best_narrow(wrc_frontier *f, uint64_t among)
{
    uint32_t best = 0;
    f->ties[0] = 0;
    for (uint32_t l = 0; l < f->levels; l++) {
        if (!(among >> l & 1) || f->gains[l] < best)
            continue;
        if (f->gains[l] > best)
            f->ties[0] = 0;
        best = f->gains[l];
        f->ties[0] |= UINT64_C(1) << l;
    }
    return best;
}

/* ---- Units: gains as binary digits ---- */

/* Plane p of a word holds binary digit p of the gains of its 64 levels. */
static void count_units(wrc_frontier *f)
{
    memset(f->planes, 0, (size_t)f->unit_words * WRC_PLANES * sizeof *f->planes);
    for (uint64_t i = 0; i < f->seen_count; i++) {
        const uint64_t *unit = f->bitmap + (uint64_t)f->seen[i] * f->unit_words;
        for (uint32_t w = 0; w < f->unit_words; w++) {
            uint64_t *plane = f->planes + (size_t)w * WRC_PLANES;
            for (uint64_t carry = unit[w]; carry != 0; plane++) {
                uint64_t both = *plane & carry;
                *plane ^= carry;
                carry = both;
            }
        }
    }
}

static uint32_t best_of_word(wrc_frontier *f, uint32_t word, uint64_t among)
{
    uint32_t gain = 0;
    for (uint32_t p = WRC_PLANES; p-- > 0;) {
        uint64_t better = among & f->planes[(size_t)word * WRC_PLANES + p];
        if (better != 0) {
            among = better;
            gain |= UINT32_C(1) << p;
        }
    }
    f->ties[word] = among;
    return gain;
}

static uint32_t best_wide(wrc_frontier *f, const uint64_t *among)
{
    uint32_t best = 0, gain[f->unit_words];
    for (uint32_t w = 0; w < f->unit_words; w++) {
        gain[w] = best_of_word(f, w, among[w]);
        best = gain[w] > best ? gain[w] : best;
    }
    for (uint32_t w = 0; w < f->unit_words; w++)
        if (gain[w] < best)
            f->ties[w] = 0;
    return best;
}

static void shut_units(wrc_frontier *f, uint32_t level)
{
    uint64_t bit = UINT64_C(1) << (level % 64);
    for (uint64_t i = 0; i < f->seen_count; i++) {
        uint64_t *word = &f->bitmap[(uint64_t)f->seen[i] * f->unit_words + level / 64];
        f->open -= (*word & bit) != 0;
        *word &= ~bit;
    }
}

/* ---- Either ---- */

void wrc_frontier_count(wrc_frontier *f)
{
    if (f->unit_words > 0) {
        count_units(f);
        return;
    }
    memset(f->gains, 0, f->levels * sizeof *f->gains);
    for (uint32_t i = 0; i < f->front_count; i++)
        count_stretches(f, &f->fronts[i]);
}

uint32_t wrc_frontier_best(wrc_frontier *f, const uint64_t *among)
{
    return f->unit_words > 0 ? best_wide(f, among) : best_narrow(f, among[0]);
}

void wrc_frontier_take(wrc_frontier *f, uint32_t level)
{
    if (f->unit_words > 0)
        shut_units(f, level);
    for (uint32_t i = 0; f->unit_words == 0 && i < f->front_count; i++)
        shut_stretches(f, &f->fronts[i], level);
}
