/* cover/search/frontier.c: opens, lists and closes the tuples of a new column.
 *
 * The counting of gains is in gains.c.
 */
#include "cover/search/frontier.h"

#include "cover/search/popcount.h"

#include <stdlib.h>
#include <string.h>

#define UNITS_LIMIT (UINT64_C(1) << 32)  /* a unit's number fits 32 bits */
#define BITMAP_LIMIT (UINT64_C(1) << 33) /* bytes for one column */

static bool no_memory(wrc_frontier *f)
{
    return wrc_model_complain(f->complaint, "not enough memory for the array");
}

static bool too_large(wrc_frontier *f)
{
    return wrc_model_complain(f->complaint,
                              "the model asks for more tuples than can be covered in memory");
}

/* ---- What the new column meets ---- */

static uint32_t earlier_of(const wrc_frontier *f, const wrc_relation *relation,
                           const uint8_t *is_earlier, uint32_t *columns, bool *has_column)
{
    uint32_t count = 0;
    *has_column = false;
    for (uint32_t i = 0; i < relation->count; i++) {
        uint32_t c = relation->parameters[i];
        *has_column |= c == f->column;
        if (is_earlier[c])
            columns[count++] = c;
    }
    return count;
}

static bool add_front(wrc_frontier *f, const uint32_t *columns, uint32_t count, uint32_t strength)
{
    wrc_front *one = &f->fronts[f->front_count++];
    *one = (wrc_front){ .first = f->units, .meets = wrc_count_choose(count, strength) };
    if (!wrc_numbering_open(&one->earlier, columns, count, f->goal->levels, strength,
                            UNITS_LIMIT))
        return too_large(f);
    f->units += one->earlier.base[one->earlier.prefixes];
    return wrc_numbering_reserve_ranks(&one->earlier) || no_memory(f);
}

static bool open_fronts(wrc_frontier *f, const uint8_t *is_earlier)
{
    uint32_t columns[f->goal->columns + 1];
    f->units = 0;
    for (uint32_t r = 0; r < f->goal->relation_count; r++) {
        const wrc_relation *relation = &f->goal->relations[r];
        bool                has_column;
        uint32_t            count = earlier_of(f, relation, is_earlier, columns, &has_column);
        if (has_column && count + 1 >= relation->strength &&
            !add_front(f, columns, count, relation->strength - 1))
            return false;
    }
    return f->units < UNITS_LIMIT || too_large(f);
}

void wrc_frontier_close(wrc_frontier *f)
{
    for (uint32_t i = 0; i < f->front_count; i++) {
        wrc_front *one = &f->fronts[i];
        wrc_numbering_close(&one->earlier);
        wrc_blocks_free(&one->blocks);
    }
    f->front_count = 0;
}

/* ---- Stretches ---- */

static uint32_t mask_words(const wrc_numbering *n)
{
    return n->strength > 0 ? (n->before[n->count] + 63) / 64 : 1;
}

/* A front without earlier columns has one stretch, of one bit. */
static void list_runs(wrc_front *one)
{
    const wrc_numbering *n = &one->earlier;
    uint32_t             words = mask_words(n), size = n->strength > 0 ? n->strength - 1 : 0;
    one->run_count = 0;
    if (size == 0) {
        one->runs[one->run_count++] = (wrc_run){ .end = 1, .words = words };
        return;
    }
    for (uint32_t largest = size - 1; largest + 1 < n->count; largest++) {
        uint32_t skip = n->before[largest + 1] / 64;
        one->runs[one->run_count++] =
            (wrc_run){ wrc_tuples_prefixes_until(n, largest), largest + 1, skip, words - skip };
    }
}

/* Gives every prefix its words; *words is how many all fronts so far have. */
static bool lay_stretches(wrc_frontier *f, wrc_front *one, uint64_t *words)
{
    const wrc_numbering *n = &one->earlier;
    uint64_t             prefixes = n->strength > 0 ? n->prefixes : 1, p = 0;
    one->runs = wrc_blocks_take(&one->blocks, n->count + 1, sizeof *one->runs);
    one->starts = wrc_blocks_take(&one->blocks, prefixes + 1, sizeof *one->starts);
    one->at = wrc_blocks_take(&one->blocks, prefixes + 1, sizeof *one->at);
    one->mask = wrc_blocks_take(&one->blocks, mask_words(n), sizeof *one->mask);
    if (one->blocks.failed)
        return no_memory(f);
    list_runs(one);
    for (uint32_t r = 0; r < one->run_count; r++)
        for (; p < one->runs[r].end; p++) {
            uint64_t ranks = n->strength > 0 ? wrc_tuples_prefix_ranks(n, p) : 1;
            one->starts[p] = (uint32_t)*words;
            *words += ranks * f->levels * one->runs[r].words;
            if (*words > BITMAP_LIMIT / sizeof *f->bitmap)
                return too_large(f);
        }
    return true;
}

static void open_run(wrc_frontier *f, const wrc_front *one, const wrc_run *run, uint64_t first)
{
    const wrc_numbering *n = &one->earlier;
    uint32_t             bits = n->strength > 0 ? n->before[n->count] : 1;
    uint32_t             low = n->strength > 0 ? n->before[run->from] % 64 : 0;
    for (uint64_t p = first; p < run->end; p++) {
        uint64_t  stretches = (n->strength > 0 ? wrc_tuples_prefix_ranks(n, p) : 1) * f->levels;
        uint64_t *at = f->bitmap + one->starts[p];
        for (uint64_t s = 0; s < stretches; s++, at += run->words) {
            memset(at, 0xFF, run->words * sizeof *at);
            at[run->words - 1] &= UINT64_MAX >> (63 - (bits - 1) % 64);
            at[0] &= UINT64_MAX << low;
        }
    }
}

static void open_stretches(wrc_frontier *f)
{
    for (uint32_t i = 0; i < f->front_count; i++) {
        uint64_t first = 0;
        for (uint32_t r = 0; r < f->fronts[i].run_count; r++) {
            open_run(f, &f->fronts[i], &f->fronts[i].runs[r], first);
            first = f->fronts[i].runs[r].end;
        }
    }
}

/* ---- Units ---- */

static void open_units(wrc_frontier *f)
{
    uint64_t last = UINT64_MAX >> (63 - (f->levels - 1) % 64);
    memset(f->bitmap, 0xFF, f->units * f->unit_words * sizeof *f->bitmap);
    for (uint64_t u = 0; u < f->units; u++)
        f->bitmap[(u + 1) * f->unit_words - 1] = last;
}

static bool reserve_seen(wrc_frontier *f)
{
    uint64_t most = 1;
    for (uint32_t i = 0; i < f->front_count; i++)
        most += f->fronts[i].meets;
    if (most <= f->seen_room)
        return true;
    free(f->seen);
    f->seen = malloc(most * sizeof *f->seen);
    f->seen_room = f->seen != NULL ? most : 0;
    return f->seen != NULL || no_memory(f);
}

static bool reserve_bitmap(wrc_frontier *f, uint64_t words)
{
    if (words > BITMAP_LIMIT / sizeof *f->bitmap)
        return too_large(f);
    if (words <= f->bitmap_room)
        return true;
    free(f->bitmap);
    f->bitmap_room = words + words / 4;
    f->bitmap = malloc(f->bitmap_room * sizeof *f->bitmap);
    if (f->bitmap == NULL)
        f->bitmap_room = 0;
    return f->bitmap != NULL || no_memory(f);
}

/* ---- What no row can have ---- */

/* One combination of earlier columns whose infeasible tuples are being closed. */
typedef struct closing {
    wrc_frontier    *f;
    const wrc_front *front;
    uint64_t         prefix;
    uint32_t         from, last; /* positions */
} closing;

static void close_bit(wrc_frontier *f, uint64_t word, uint32_t bit)
{
    f->open -= f->bitmap[word] >> bit & 1;
    f->bitmap[word] &= ~(UINT64_C(1) << bit);
}

static void close_infeasible(void *state, const uint32_t *levels)
{
    closing             *that = state;
    wrc_frontier        *f = that->f;
    const wrc_numbering *n = &that->front->earlier;
    uint32_t             size = n->strength, level = levels[size];
    uint64_t             rank = 0;
    for (uint32_t i = 0; i + 1 < size; i++)
        rank = rank * n->levels[wrc_tuples_prefix(n, that->prefix)[i]] + levels[i];
    uint32_t bit = size > 0 ? n->before[that->last] + levels[size - 1] : 0;
    uint32_t skipped = size > 0 ? n->before[that->from] : 0;
    f->refused[level]++;
    if (f->unit_words > 0) {
        uint64_t span = size > 0 ? wrc_tuples_prefix_span(n, that->from) : 0;
        uint64_t unit = that->front->first + (size > 0 ? n->base[that->prefix] : 0) +
                        rank * span + bit - skipped;
        close_bit(f, unit * f->unit_words + level / 64, level % 64);
        return;
    }
    uint32_t words = mask_words(n) - skipped / 64;
    close_bit(f,
              that->front->starts[that->prefix] + (rank * f->levels + level) * words + bit / 64 -
                  skipped / 64,
              bit % 64);
}

static bool exclude_prefix(wrc_frontier *f, const wrc_front *one, uint64_t prefix)
{
    const wrc_numbering *n = &one->earlier;
    const uint32_t      *member = wrc_tuples_prefix(n, prefix);
    uint32_t             size = n->strength, columns[size + 1];
    closing              that = { f, one, prefix, wrc_tuples_prefix_from(n, prefix), 0 };
    for (uint32_t i = 0; i + 1 < size; i++)
        columns[i] = n->columns[member[i]];
    columns[size] = f->column;
    for (that.last = that.from; that.last < n->count; that.last++) {
        columns[size - 1] = n->columns[that.last];
        if (!wrc_feasible_list(f->feasible, columns, size + 1, close_infeasible, &that))
            return no_memory(f);
    }
    return true;
}

static bool exclude_infeasible(wrc_frontier *f)
{
    memset(f->refused, 0, f->levels * sizeof *f->refused);
    if (f->goal->oracle == NULL)
        return true;
    for (uint32_t i = 0; i < f->front_count; i++) {
        const wrc_front *one = &f->fronts[i];
        if (one->earlier.strength == 0) {
            closing that = { f, one, 0, 0, 0 };
            if (!wrc_feasible_list(f->feasible, &f->column, 1, close_infeasible, &that))
                return no_memory(f);
        }
        for (uint64_t p = 0; p < one->earlier.prefixes; p++)
            if (!exclude_prefix(f, one, p))
                return false;
    }
    return true;
}

/* ---- Opening ---- */

static bool open_narrow(wrc_frontier *f)
{
    uint64_t words = 0;
    for (uint32_t i = 0; i < f->front_count; i++)
        if (!lay_stretches(f, &f->fronts[i], &words))
            return false;
    if (!reserve_bitmap(f, words))
        return false;
    open_stretches(f);
    return true;
}

static bool open_wide(wrc_frontier *f)
{
    if (!reserve_bitmap(f, f->units * f->unit_words) || !reserve_seen(f))
        return false;
    open_units(f);
    return true;
}

bool wrc_frontier_open(wrc_frontier *f, uint32_t column, const uint8_t *is_earlier)
{
    f->column = column;
    f->levels = f->goal->levels[column];
    f->unit_words = f->levels > WRC_NARROW ? (f->levels + 63) / 64 : 0;
    f->open = 0;
    if (!open_fronts(f, is_earlier))
        return false;
    if (f->units == 0)
        return true;
    f->open = f->units * f->levels;
    return (f->unit_words > 0 ? open_wide(f) : open_narrow(f)) && exclude_infeasible(f);
}

bool wrc_frontier_reserve(wrc_frontier *f, const wrc_goal *goal, wrc_complaint *complaint)
{
    size_t columns = goal->columns + 1, levels = WRC_NARROW;
    for (uint32_t c = 0; c < goal->columns; c++)
        levels = goal->levels[c] > levels ? goal->levels[c] : levels;
    size_t words = levels / 64 + 1;
    *f = (wrc_frontier){ .goal = goal,
                         .complaint = complaint,
                         .has_popcount = wrc_popcount_available() };
    f->fronts = wrc_blocks_take(&f->blocks, goal->relation_count + 1, sizeof *f->fronts);
    f->position_level = wrc_blocks_take(&f->blocks, columns, sizeof *f->position_level);
    f->live_offset = wrc_blocks_take(&f->blocks, columns, sizeof *f->live_offset);
    f->live_from = wrc_blocks_take(&f->blocks, columns, sizeof *f->live_from);
    f->gains = wrc_blocks_take(&f->blocks, WRC_NARROW + 1, sizeof *f->gains);
    f->refused = wrc_blocks_take(&f->blocks, levels + 1, sizeof *f->refused);
    f->planes = wrc_blocks_take(&f->blocks, words * WRC_PLANES, sizeof *f->planes);
    f->ties = wrc_blocks_take(&f->blocks, words, sizeof *f->ties);
    f->feasible = wrc_feasible_open(goal);
    return (!f->blocks.failed && f->feasible != NULL) || no_memory(f);
}

void wrc_frontier_release(wrc_frontier *f)
{
    wrc_blocks_free(&f->blocks);
    free(f->bitmap);
    free(f->seen);
    wrc_feasible_close(f->feasible);
}

/* ---- What is left ---- */

/* A tuple that is being spelt. */
typedef struct spelling {
    wrc_frontier   *f;
    uint32_t       *columns, *levels;
    wrc_open_taker *take;
    void           *state;
} spelling;

/* Writes the columns and levels of a prefix with a rank. */
static void spell_prefix(const spelling *to, const wrc_numbering *n, uint64_t prefix,
                         uint64_t rank)
{
    for (uint32_t i = 0; i + 1 < n->strength; i++)
        to->columns[i] = n->columns[wrc_tuples_prefix(n, prefix)[i]];
    wrc_tuples_prefix_levels(n, prefix, rank, to->levels);
}

/* Hands out the tuple whose last column has this offset among all levels. */
static bool hand_out(const spelling *to, const wrc_numbering *n, uint32_t from, uint32_t offset)
{
    uint32_t last = from, size = n->strength;
    if (size > 0) {
        while (n->before[last + 1] <= offset)
            last++;
        to->columns[size - 1] = n->columns[last];
        to->levels[size - 1] = offset - n->before[last];
    }
    to->f->open--;
    return to->take(to->state, to->columns, to->levels, size + 1);
}

static bool hand_out_stretch(const spelling *to, const wrc_front *one, const wrc_run *run,
                             uint64_t *words)
{
    for (uint32_t w = 0; w < run->words; w++)
        for (; words[w] != 0; words[w] &= words[w] - 1)
            if (!hand_out(to, &one->earlier, run->from,
                          (run->skip + w) * 64 + (uint32_t)__builtin_ctzll(words[w])))
                return false;
    return true;
}

static bool is_shut(const uint64_t *words, uint32_t count)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < count; w++)
        any |= words[w];
    return any == 0;
}

static bool each_stretch(const spelling *to, const wrc_front *one, uint32_t level)
{
    const wrc_numbering *n = &one->earlier;
    uint64_t             p = 0;
    for (uint32_t r = 0; r < one->run_count; r++) {
        const wrc_run *run = &one->runs[r];
        for (; p < run->end && to->f->open > 0; p++) {
            uint64_t  ranks = n->strength > 0 ? wrc_tuples_prefix_ranks(n, p) : 1;
            uint64_t *words = to->f->bitmap + one->starts[p] + (size_t)level * run->words;
            for (uint64_t rank = 0; rank < ranks; rank++, words += to->f->levels * run->words) {
                if (is_shut(words, run->words))
                    continue;
                if (n->strength > 0)
                    spell_prefix(to, n, p, rank);
                if (!hand_out_stretch(to, one, run, words))
                    return false;
            }
        }
    }
    return true;
}

static bool each_unit(const spelling *to, const wrc_front *one, uint32_t level)
{
    const wrc_numbering *n = &one->earlier;
    uint64_t             prefix = 0, total = n->base[n->prefixes];
    uint64_t            *word = to->f->bitmap + one->first * to->f->unit_words + level / 64;
    for (uint64_t u = 0; u < total && to->f->open > 0; u++, word += to->f->unit_words) {
        if (!(*word >> (level % 64) & 1))
            continue;
        *word &= ~(UINT64_C(1) << (level % 64));
        while (prefix < n->prefixes && n->base[prefix + 1] <= u)
            prefix++;
        uint32_t from = 0;
        uint64_t rest = 0;
        if (n->strength > 0) {
            from = wrc_tuples_prefix_from(n, prefix);
            uint64_t span = wrc_tuples_prefix_span(n, from), at = u - n->base[prefix];
            spell_prefix(to, n, prefix, at / span);
            rest = at % span + n->before[from];
        }
        if (!hand_out(to, n, from, (uint32_t)rest))
            return false;
    }
    return true;
}

bool wrc_frontier_each(wrc_frontier *f, uint32_t level, wrc_open_taker *take, void *state)
{
    for (uint32_t i = 0; i < f->front_count; i++) {
        const wrc_front *one = &f->fronts[i];
        uint32_t         size = one->earlier.strength, columns[size + 1], levels[size + 1];
        spelling         to = { f, columns, levels, take, state };
        columns[size] = f->column;
        levels[size] = level;
        if (!(f->unit_words > 0 ? each_unit(&to, one, level) : each_stretch(&to, one, level)))
            return false;
        f->work += one->earlier.base[one->earlier.prefixes] / 8;
    }
    return true;
}
