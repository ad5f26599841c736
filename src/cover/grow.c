/* cover/grow.c: an array grown column by column (IPOG), over a bitmap of what is still open.
 *
 * Only tuples with the new column's level exist while it is added. The levels' bits of one tuple
 * of earlier columns are adjacent (a unit), so one load and one add count for all levels. First
 * every row gets the level that covers most; then what is left goes to rows that still have room
 * for it, found in sets of rows by (column, level), or to new rows. Several orders of the columns
 * are raced by the amount of work, never by the clock.
 */
#include "cover/build.h"

#include "core/prng.h"
#include "cover/feasible.h"
#include "cover/tuples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES 8                              /* levels that one byte of a unit counts at once */
#define NARROW 16                            /* up to so many levels, bytes; beyond, words */
#define PLANES 32                            /* binary digits of a gain */
#define UNITS_LIMIT (UINT64_C(1) << 32)      /* a unit's number fits 32 bits */
#define BITMAP_LIMIT (UINT64_C(1) << 33)     /* bytes for one column */
#define CELLS_LIMIT (UINT64_C(1) << 28)      /* of the array */
#define RACE_WORK (UINT64_C(4) * 1000 * 1000)  /* units looked at, over all runners */
#define RACE_RUNNERS 12
#define REFUSALS 4                           /* levels refused before all that fit are asked for */
#define ROOM_TRIES 4096                        /* rows that may refuse before a new one */
#define SHELF_LEVELS 256                     /* sets of rows of a column; wider ones share */
#define UNDECIDED_LIMIT 4096                 /* rows without a level offered to each level */

/* The earlier columns of one relation, with which the new column is to be covered. */
typedef struct front {
    wri_numbering earlier;
    uint64_t      first; /* unit */
} front;

/* Rows that still have room, as sets by column and level, for one level of the new column.
 * A block holds 64 of them: a word for each level of each column and one for "open". Where a
 * column has very many levels several share a word, so what is found is to be looked at. */
typedef struct shelf {
    uint32_t *first; /* where a column's words start in a block */
    uint32_t  width;
    uint64_t *words;
    uint64_t *tops;   /* the same words for 64 blocks each: which blocks have such a row at all */
    uint64_t  blocks; /* that there is memory for */
    uint64_t *rows;
    uint64_t  count;
} shelf;

typedef struct grower {
    const wri_goal *goal;
    wri_feasible   *feasible;
    wri_complaint  *complaint;
    wri_array      *array;
    uint64_t        random;
    uint64_t        work;

    uint32_t *order;
    uint8_t  *is_earlier; /* by column */
    uint32_t  column, levels;
    front    *fronts;
    uint32_t  front_count;
    uint64_t  units;
    uint32_t  unit_bytes; /* narrow: bytes of a unit */
    uint32_t  unit_words; /* wide: words of a unit; 0: narrow */
    uint64_t  bitmap_room;
    uint64_t *bitmap;
    uint64_t  open; /* bits set */

    uint32_t *seen; /* the units that a row meets */
    uint64_t  seen_count, seen_room;
    uint32_t *position_level, *live_offset, *live_from;
    uint64_t  spread[256]; /* bit i of a byte, to byte i of a word: counts eight at once */
    uint32_t *gains, *used;
    uint64_t *refused; /* of each level of the new column: the tuples that no row can have */
    bool      rare_first; /* which level wins a tie: one that fits few rows, or one used little */
    uint64_t *planes, *mask, *ties, *allowed;
    uint64_t *head, *next; /* open rows by level of the new column */
    uint64_t  next_room;
    uint32_t *row;
    shelf     shelf;
    uint32_t *barred; /* places on the shelf: a row that has one of them cannot have the tuple */
    uint32_t  barred_count, barred_room;
} grower;

static bool no_memory(grower *g)
{
    snprintf(g->complaint->text, sizeof g->complaint->text, "not enough memory for the array");
    return false;
}

static bool too_large(grower *g)
{
    snprintf(g->complaint->text, sizeof g->complaint->text,
             "the model asks for more tuples than can be covered in memory");
    return false;
}

/* ---- The bitmap of the new column ---- */

static inline uint8_t *bytes_of(const grower *g)
{
    return (uint8_t *)g->bitmap;
}

static inline bool is_open(const grower *g, uint64_t unit, uint32_t level)
{
    if (g->unit_words == 0)
        return bytes_of(g)[unit * g->unit_bytes + level / 8] >> (level % 8) & 1;
    return g->bitmap[unit * g->unit_words + level / 64] >> (level % 64) & 1;
}

static inline void close_tuple(grower *g, uint64_t unit, uint32_t level)
{
    if (!is_open(g, unit, level))
        return;
    g->open--;
    if (g->unit_words == 0)
        bytes_of(g)[unit * g->unit_bytes + level / 8] &= (uint8_t) ~(1U << (level % 8));
    else
        g->bitmap[unit * g->unit_words + level / 64] &= ~(UINT64_C(1) << (level % 64));
}

static void choose_unit(grower *g)
{
    g->unit_bytes = (g->levels + 7) / 8;
    g->unit_words = g->levels > NARROW ? (g->levels + 63) / 64 : 0;
}

static void open_all(grower *g)
{
    uint8_t  last = (uint8_t)(0xFFU >> (7 - (g->levels - 1) % 8));
    uint64_t last_word = UINT64_MAX >> (63 - (g->levels - 1) % 64);
    g->open = g->units * g->levels;
    if (g->unit_words == 0) {
        memset(g->bitmap, 0xFF, g->units * g->unit_bytes);
        for (uint64_t u = 0; u < g->units; u++)
            bytes_of(g)[(u + 1) * g->unit_bytes - 1] = last;
        return;
    }
    memset(g->bitmap, 0xFF, g->units * g->unit_words * sizeof *g->bitmap);
    for (uint64_t u = 0; u < g->units; u++)
        g->bitmap[(u + 1) * g->unit_words - 1] = last_word;
}

static bool reserve_bitmap(grower *g)
{
    uint64_t words = g->unit_words > 0 ? g->units * g->unit_words
                                       : g->units * g->unit_bytes / sizeof *g->bitmap + 1;
    if (g->units >= UNITS_LIMIT || words > BITMAP_LIMIT / sizeof *g->bitmap)
        return too_large(g);
    if (words <= g->bitmap_room)
        return true;
    free(g->bitmap);
    g->bitmap_room = words + words / 4;
    g->bitmap = malloc(g->bitmap_room * sizeof *g->bitmap);
    if (g->bitmap == NULL)
        g->bitmap_room = 0;
    return g->bitmap != NULL || no_memory(g);
}

/* ---- What the new column meets ---- */

static uint32_t earlier_of(const grower *g, const wri_relation *relation, uint32_t *columns,
                           bool *has_column)
{
    uint32_t count = 0;
    *has_column = false;
    for (uint32_t i = 0; i < relation->count; i++) {
        uint32_t c = relation->parameters[i];
        *has_column |= c == g->column;
        if (g->is_earlier[c])
            columns[count++] = c;
    }
    return count;
}

static bool add_front(grower *g, const uint32_t *columns, uint32_t count, uint32_t strength)
{
    front *one = &g->fronts[g->front_count++];
    if (!wri_numbering_open(&one->earlier, columns, count, g->goal->levels, strength,
                            UNITS_LIMIT))
        return too_large(g);
    one->first = g->units;
    g->units += one->earlier.base[one->earlier.prefixes];
    return true;
}

static bool open_fronts(grower *g)
{
    uint32_t columns[g->goal->columns + 1];
    g->units = 0;
    g->front_count = 0;
    for (uint32_t r = 0; r < g->goal->relation_count; r++) {
        const wri_relation *relation = &g->goal->relations[r];
        bool                has_column;
        uint32_t            count = earlier_of(g, relation, columns, &has_column);
        if (has_column && count + 1 >= relation->strength &&
            !add_front(g, columns, count, relation->strength - 1))
            return false;
    }
    return true;
}

static void close_fronts(grower *g)
{
    for (uint32_t i = 0; i < g->front_count; i++)
        wri_numbering_close(&g->fronts[i].earlier);
    g->front_count = 0;
}

/* One combination of earlier columns whose infeasible tuples are being closed. */
typedef struct closing {
    grower              *g;
    const wri_numbering *n;
    const uint32_t      *member;
    uint64_t             start, span;
    uint32_t             last_offset;
} closing;

static void close_infeasible(void *state, const uint32_t *levels)
{
    closing *that = state;
    uint32_t size = that->n->strength; /* of the earlier columns; the new column comes after */
    uint64_t rank = 0;
    for (uint32_t i = 0; i + 1 < size; i++)
        rank = rank * that->n->levels[that->member[i]] + levels[i];
    uint64_t unit = that->start + rank * that->span + that->last_offset +
                    (size > 0 ? levels[size - 1] : 0);
    close_tuple(that->g, unit, levels[size]);
    that->g->refused[levels[size]]++;
}

static bool exclude_prefix(grower *g, const front *one, uint64_t prefix)
{
    const wri_numbering *n = &one->earlier;
    const uint32_t      *member = wri_prefix(n, prefix);
    uint32_t             size = n->strength, from = wri_prefix_from(n, prefix);
    uint32_t             columns[size + 1];
    closing              that = { g, n, member, one->first + n->base[prefix],
                                  wri_prefix_span(n, from), 0 };
    for (uint32_t i = 0; i + 1 < size; i++)
        columns[i] = n->columns[member[i]];
    columns[size] = g->column;
    for (uint32_t last = from; last < n->count; last++) {
        columns[size - 1] = n->columns[last];
        that.last_offset = n->before[last] - n->before[from];
        if (!wri_feasible_list(g->feasible, columns, size + 1, close_infeasible, &that))
            return no_memory(g);
    }
    return true;
}

static bool exclude_infeasible(grower *g)
{
    memset(g->refused, 0, g->levels * sizeof *g->refused);
    if (g->goal->oracle == NULL)
        return true;
    for (uint32_t i = 0; i < g->front_count; i++) {
        const front *one = &g->fronts[i];
        if (one->earlier.strength == 0) {
            closing that = { g, &one->earlier, NULL, one->first, 0, 0 };
            if (!wri_feasible_list(g->feasible, &g->column, 1, close_infeasible, &that))
                return no_memory(g);
        }
        for (uint64_t p = 0; p < one->earlier.prefixes; p++)
            if (!exclude_prefix(g, one, p))
                return false;
    }
    return true;
}

/* ---- What a row meets ---- */

/* Reads a row by position. Says whether no cell of it is open. */
static bool read_positions(grower *g, const front *one, const uint32_t *row)
{
    const wri_numbering *n = &one->earlier;
    uint32_t             live = 0;
    for (uint32_t p = 0; p < n->count; p++) {
        uint32_t level = row[n->columns[p]];
        g->position_level[p] = level;
        g->live_from[p] = live;
        if (level != WRI_ANY)
            g->live_offset[live++] = n->before[p] + level;
    }
    g->live_from[n->count] = live;
    return live == n->count;
}

static bool prefix_is_open(const grower *g, const wri_numbering *n, uint64_t prefix)
{
    const uint32_t *member = wri_prefix(n, prefix);
    for (uint32_t i = 0; i + 1 < n->strength; i++)
        if (g->position_level[member[i]] == WRI_ANY)
            return true;
    return false;
}

static void see_front(grower *g, const front *one, const uint32_t *row)
{
    const wri_numbering *n = &one->earlier;
    if (n->strength == 0) {
        g->seen[g->seen_count++] = (uint32_t)one->first;
        return;
    }
    bool      complete = read_positions(g, one, row);
    uint32_t  live = g->live_from[n->count];
    uint32_t *seen = g->seen + g->seen_count;
    for (uint64_t p = 0; p < n->prefixes; p++) {
        if (!complete && prefix_is_open(g, n, p))
            continue;
        uint32_t from = wri_prefix_from(n, p);
        uint64_t rank = wri_prefix_rank(n, p, g->position_level);
        uint32_t start = (uint32_t)(one->first + n->base[p] + rank * wri_prefix_span(n, from)) -
                         n->before[from];
        for (uint32_t j = g->live_from[from]; j < live; j++)
            *seen++ = start + g->live_offset[j];
    }
    g->seen_count = (uint64_t)(seen - g->seen);
}

static void see_row(grower *g, const uint32_t *row)
{
    g->seen_count = 0;
    for (uint32_t i = 0; i < g->front_count; i++)
        see_front(g, &g->fronts[i], row);
    g->work += g->seen_count + 1;
}

static bool reserve_seen(grower *g)
{
    uint64_t most = 1;
    for (uint32_t i = 0; i < g->front_count; i++)
        most += wri_choose(g->fronts[i].earlier.count, g->fronts[i].earlier.strength);
    if (most <= g->seen_room)
        return true;
    free(g->seen);
    g->seen = malloc(most * sizeof *g->seen);
    g->seen_room = g->seen != NULL ? most : 0;
    return g->seen != NULL || no_memory(g);
}

/* ---- The gains of all levels at once ---- */

static void fill_spread(grower *g)
{
    memset(g->spread, 0, sizeof g->spread);
    for (unsigned byte = 0; byte < 256; byte++)
        for (unsigned bit = 0; bit < LANES; bit++)
            g->spread[byte] |= (uint64_t)(byte >> bit & 1) << (8 * bit);
}

static void add_lanes(uint32_t *gains, uint64_t lanes, uint32_t count)
{
    for (uint32_t l = 0; l < count && l < LANES; l++)
        gains[l] += (uint32_t)(lanes >> (8 * l) & 0xFF);
}

static void count_one_byte(grower *g)
{
    const uint8_t *bitmap = bytes_of(g);
    for (uint64_t from = 0; from < g->seen_count; from += 255) {
        uint64_t until = from + 255 < g->seen_count ? from + 255 : g->seen_count, lanes = 0;
        for (uint64_t i = from; i < until; i++)
            lanes += g->spread[bitmap[g->seen[i]]];
        add_lanes(g->gains, lanes, g->levels);
    }
}

static void count_two_bytes(grower *g)
{
    const uint8_t *bitmap = bytes_of(g);
    for (uint64_t from = 0; from < g->seen_count; from += 255) {
        uint64_t until = from + 255 < g->seen_count ? from + 255 : g->seen_count;
        uint64_t low = 0, high = 0;
        for (uint64_t i = from; i < until; i++) {
            low += g->spread[bitmap[2 * (size_t)g->seen[i]]];
            high += g->spread[bitmap[2 * (size_t)g->seen[i] + 1]];
        }
        add_lanes(g->gains, low, LANES);
        add_lanes(g->gains + LANES, high, g->levels - LANES);
    }
}

/* Plane p of a word holds binary digit p of the gains of its 64 levels. */
static void count_planes(grower *g)
{
    memset(g->planes, 0, (size_t)g->unit_words * PLANES * sizeof *g->planes);
    for (uint64_t i = 0; i < g->seen_count; i++) {
        const uint64_t *unit = g->bitmap + (uint64_t)g->seen[i] * g->unit_words;
        for (uint32_t w = 0; w < g->unit_words; w++) {
            uint64_t *plane = g->planes + (size_t)w * PLANES;
            for (uint64_t carry = unit[w]; carry != 0; plane++) {
                uint64_t both = *plane & carry;
                *plane ^= carry;
                carry = both;
            }
        }
    }
}

static void count_gains(grower *g)
{
    memset(g->gains, 0, (NARROW + 1) * sizeof *g->gains);
    if (g->unit_words > 0)
        count_planes(g);
    else if (g->unit_bytes == 1)
        count_one_byte(g);
    else
        count_two_bytes(g);
}

/* The greatest gain among the levels of the mask, and in `ties` which levels have it. */
static uint32_t best_narrow(grower *g)
{
    uint32_t best = 0;
    g->ties[0] = 0;
    for (uint32_t l = 0; l < g->levels; l++) {
        if (!(g->mask[0] >> l & 1) || g->gains[l] < best)
            continue;
        if (g->gains[l] > best)
            g->ties[0] = 0;
        best = g->gains[l];
        g->ties[0] |= UINT64_C(1) << l;
    }
    return best;
}

static uint32_t best_of_word(grower *g, uint32_t word)
{
    uint64_t among = g->mask[word];
    uint32_t gain = 0;
    for (uint32_t p = PLANES; p-- > 0;) {
        uint64_t better = among & g->planes[(size_t)word * PLANES + p];
        if (better != 0) {
            among = better;
            gain |= UINT32_C(1) << p;
        }
    }
    g->ties[word] = among;
    return gain;
}

static uint32_t best_wide(grower *g)
{
    uint32_t best = 0, gain[g->unit_words];
    for (uint32_t w = 0; w < g->unit_words; w++) {
        gain[w] = best_of_word(g, w);
        best = gain[w] > best ? gain[w] : best;
    }
    for (uint32_t w = 0; w < g->unit_words; w++)
        if (gain[w] < best)
            g->ties[w] = 0;
    return best;
}

/* 1: the first level should rather be used, as it fits fewer rows or was used less. */
static int compare_levels(const grower *g, uint32_t a, uint32_t b)
{
    if (g->rare_first && g->refused[a] != g->refused[b])
        return g->refused[a] > g->refused[b] ? 1 : -1;
    return g->used[a] < g->used[b] ? 1 : g->used[a] > g->used[b] ? -1 : 0;
}

/* Of the tied levels the one that should rather be used; chance decides among equals. */
static uint32_t break_tie(grower *g)
{
    uint32_t words = (g->levels + 63) / 64, choice = WRI_ANY, equals = 0;
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = g->ties[w]; left != 0; left &= left - 1) {
            uint32_t l = w * 64 + (uint32_t)__builtin_ctzll(left);
            int better = choice == WRI_ANY ? 1 : compare_levels(g, l, choice);
            if (better < 0)
                continue;
            equals = better == 0 ? equals + 1 : 1;
            if (equals == 1 || wri_scale(wri_next(&g->random), equals - 1) == 0)
                choice = l;
        }
    }
    return choice;
}

static bool can_take(grower *g, const uint32_t *row, uint32_t column, uint32_t level)
{
    if (g->goal->oracle == NULL)
        return true;
    g->work += wri_oracle_cost(g->goal->oracle, column);
    return wri_oracle_allows_level(g->goal->oracle, row, column, level);
}

/* Takes from the mask every level that the row cannot have. */
static void mask_allowed(grower *g, const uint32_t *row)
{
    wri_oracle_levels(g->goal->oracle, row, g->column, g->allowed);
    for (uint32_t w = 0; w < (g->levels + 63) / 64; w++)
        g->mask[w] &= g->allowed[w];
}

/* The level with the greatest gain that the row can take; WRI_ANY where nothing is gained. */
static uint32_t choose_level(grower *g, const uint32_t *row)
{
    uint32_t refused = 0;
    count_gains(g);
    for (uint32_t w = 0; w < (g->levels + 63) / 64; w++)
        g->mask[w] = UINT64_MAX;
    if (g->levels % 64 != 0)
        g->mask[g->levels / 64] = (UINT64_C(1) << (g->levels % 64)) - 1;
    for (;;) {
        if ((g->unit_words > 0 ? best_wide(g) : best_narrow(g)) == 0)
            return WRI_ANY;
        uint32_t level = break_tie(g);
        if (can_take(g, row, g->column, level))
            return level;
        g->mask[level / 64] &= ~(UINT64_C(1) << (level % 64));
        if (++refused == REFUSALS)
            mask_allowed(g, row);
    }
}

static void close_seen(grower *g, uint32_t level)
{
    if (g->unit_words == 0) { /* a byte is written in any case: no branch is cheaper */
        uint8_t *bytes = bytes_of(g) + level / 8, keep = (uint8_t) ~(1U << (level % 8));
        uint64_t closed = 0;
        for (uint64_t i = 0; i < g->seen_count; i++) {
            uint8_t *byte = bytes + (size_t)g->seen[i] * g->unit_bytes;
            closed += *byte >> (level % 8) & 1;
            *byte &= keep;
        }
        g->open -= closed;
        return;
    }
    for (uint64_t i = 0; i < g->seen_count; i++)
        close_tuple(g, g->seen[i], level);
}

/* Horizontal growth: a level for every row, as long as something is open. */
static void extend_rows(grower *g)
{
    memset(g->used, 0, g->levels * sizeof *g->used);
    for (uint64_t r = 0; r < g->array->rows && g->open > 0; r++) {
        uint32_t *row = g->array->cells + r * g->array->columns;
        see_row(g, row);
        if (row[g->column] == WRI_ANY)
            row[g->column] = choose_level(g, row);
        uint32_t level = row[g->column];
        if (level == WRI_ANY)
            continue;
        g->used[level]++;
        close_seen(g, level);
    }
}

/* ---- Rows that have room ---- */

static bool reserve_block(grower *g, uint64_t block)
{
    shelf *s = &g->shelf;
    if (block >= s->blocks) {
        uint64_t  blocks = s->blocks * 2 + 4;
        uint64_t *words = realloc(s->words, blocks * s->width * sizeof *words);
        if (words != NULL)
            s->words = words;
        uint64_t *tops = realloc(s->tops, (blocks / 64 + 1) * s->width * sizeof *tops);
        if (tops != NULL)
            s->tops = tops;
        uint64_t *rows = realloc(s->rows, blocks * 64 * sizeof *rows);
        if (rows != NULL)
            s->rows = rows;
        if (words == NULL || tops == NULL || rows == NULL)
            return no_memory(g);
        s->blocks = blocks;
    }
    memset(s->words + block * s->width, 0, s->width * sizeof *s->words);
    if (block % 64 == 0)
        memset(s->tops + block / 64 * s->width, 0, s->width * sizeof *s->tops);
    return true;
}

/* Where in a block a column's level has its word; the last is that of open cells. */
static inline uint32_t shelf_place(const grower *g, uint32_t column, uint32_t level)
{
    return level == WRI_ANY ? g->shelf.first[column + 1] - 1
                            : g->shelf.first[column] + level % SHELF_LEVELS;
}

static inline void put_on_shelf(grower *g, uint64_t slot, uint32_t column, uint32_t level)
{
    shelf   *s = &g->shelf;
    uint32_t place = shelf_place(g, column, level);
    uint64_t block = slot / 64;
    s->words[block * s->width + place] |= UINT64_C(1) << (slot % 64);
    s->tops[block / 64 * s->width + place] |= UINT64_C(1) << (block % 64);
}

static bool shelve(grower *g, uint64_t row)
{
    uint64_t slot = g->shelf.count;
    if (slot % 64 == 0 && !reserve_block(g, slot / 64))
        return false;
    g->shelf.rows[slot] = row;
    g->shelf.count++;
    const uint32_t *cells = g->array->cells + row * g->array->columns;
    for (uint32_t c = 0; c < g->goal->columns; c++)
        if (g->is_earlier[c])
            put_on_shelf(g, slot, c, cells[c]);
    return true;
}

/* Of the 64 things that words stand for, those that have all cells of the tuple or, where `room`,
 * have them or are open there. */
static inline uint64_t fitting(const grower *g, const uint64_t *words, const uint32_t *columns,
                               const uint32_t *levels, uint32_t count, bool room)
{
    uint64_t among = UINT64_MAX;
    for (uint32_t i = 0; i < count && among != 0; i++) {
        uint64_t have = words[shelf_place(g, columns[i], levels[i])];
        if (room)
            have |= words[shelf_place(g, columns[i], WRI_ANY)];
        among &= have;
    }
    return among;
}

/* The rows of a block that fit. */
static uint64_t fitting_rows(const grower *g, uint64_t block, const uint32_t *columns,
                             const uint32_t *levels, uint32_t count, bool room)
{
    const shelf *s = &g->shelf;
    uint64_t     left = s->count - block * 64;
    uint64_t     among = left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
    return among & fitting(g, s->words + block * s->width, columns, levels, count, room);
}

/* The first block from this one on that may have a row that fits; UINT64_MAX: none. */
static uint64_t fitting_block(const grower *g, uint64_t from, const uint32_t *columns,
                              const uint32_t *levels, uint32_t count, bool room)
{
    const shelf *s = &g->shelf;
    uint64_t     blocks = (s->count + 63) / 64, skip = from % 64;
    for (uint64_t top = from / 64; top * 64 < blocks; top++, skip = 0) {
        uint64_t left = blocks - top * 64;
        uint64_t among = fitting(g, s->tops + top * s->width, columns, levels, count, room);
        among &= (left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1) & UINT64_MAX << skip;
        if (among != 0)
            return top * 64 + (uint64_t)__builtin_ctzll(among);
    }
    return UINT64_MAX;
}

/* Whether the row can take the tuple besides what it has; the row is filled in if so. */
static bool try_tuple(grower *g, uint32_t *row, const uint32_t *columns, const uint32_t *levels,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (row[columns[i]] != WRI_ANY && row[columns[i]] != levels[i])
            return false;
    if (g->goal->oracle == NULL) {
        for (uint32_t i = 0; i < count; i++)
            row[columns[i]] = levels[i];
        return true;
    }
    memcpy(g->row, row, g->array->columns * sizeof *row);
    for (uint32_t i = 0; i < count; i++) {
        if (g->row[columns[i]] == levels[i])
            continue;
        if (!can_take(g, g->row, columns[i], levels[i]))
            return false;
        g->row[columns[i]] = levels[i];
    }
    memcpy(row, g->row, g->array->columns * sizeof *row);
    return true;
}

/* The tuple is columns 0..count-1 and, last, the new column. */
static bool place_in_slot(grower *g, uint64_t slot, const uint32_t *columns,
                          const uint32_t *levels, uint32_t count)
{
    uint32_t *row = g->array->cells + g->shelf.rows[slot] * g->array->columns;
    uint64_t  bit = UINT64_C(1) << (slot % 64);
    if (!try_tuple(g, row, columns, levels, count + 1))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        g->shelf.words[slot / 64 * g->shelf.width + shelf_place(g, columns[i], WRI_ANY)] &= ~bit;
        put_on_shelf(g, slot, columns[i], levels[i]);
    }
    return true;
}

/* Notes a cell that is never with the tuple; without memory for it, the row itself is asked. */
static void bar(void *state, uint32_t column, uint32_t level)
{
    grower *g = state;
    if (column >= g->goal->columns || !g->is_earlier[column] ||
        g->goal->levels[column] > SHELF_LEVELS || level >= g->goal->levels[column])
        return;
    if (g->barred_count == g->barred_room) {
        uint32_t  room = g->barred_room * 2 + 64;
        uint32_t *wider = realloc(g->barred, room * sizeof *wider);
        if (wider == NULL)
            return;
        g->barred = wider;
        g->barred_room = room;
    }
    g->barred[g->barred_count++] = shelf_place(g, column, level);
}

static void list_barred(grower *g, const uint32_t *columns, const uint32_t *levels, uint32_t count)
{
    g->barred_count = 0;
    for (uint32_t i = 0; g->goal->oracle != NULL && i < count; i++)
        wri_oracle_excluded(g->goal->oracle, columns[i], levels[i], bar, g);
}

static uint64_t barred_rows(grower *g, uint64_t block)
{
    const uint64_t *words = g->shelf.words + block * g->shelf.width;
    uint64_t        rows = 0;
    for (uint32_t i = 0; i < g->barred_count; i++)
        rows |= words[g->barred[i]];
    g->work += g->barred_count;
    return rows;
}

static bool place_on_shelf(grower *g, const uint32_t *columns, const uint32_t *levels,
                           uint32_t count)
{
    uint32_t tries = 0;
    uint64_t b = 0;
    list_barred(g, columns, levels, count + 1);
    for (; (b = fitting_block(g, b, columns, levels, count, true)) != UINT64_MAX; b++) {
        uint64_t among = fitting_rows(g, b, columns, levels, count, true) & ~barred_rows(g, b);
        for (; among != 0 && tries < ROOM_TRIES; among &= among - 1, tries++)
            if (place_in_slot(g, b * 64 + (uint64_t)__builtin_ctzll(among), columns, levels,
                              count))
                return true;
    }
    return false;
}

static bool has_tuple(const uint32_t *row, const uint32_t *columns, const uint32_t *levels,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (row[columns[i]] != levels[i])
            return false;
    return true;
}

static bool is_on_shelf(const grower *g, const uint32_t *columns, const uint32_t *levels,
                        uint32_t count)
{
    uint64_t b = 0;
    for (; (b = fitting_block(g, b, columns, levels, count, false)) != UINT64_MAX; b++) {
        uint64_t among = fitting_rows(g, b, columns, levels, count, false);
        for (; among != 0; among &= among - 1) {
            uint64_t row = g->shelf.rows[b * 64 + (uint64_t)__builtin_ctzll(among)];
            if (has_tuple(g->array->cells + row * g->array->columns, columns, levels, count + 1))
                return true;
        }
    }
    return false;
}

static bool place_in_new_row(grower *g, const uint32_t *columns, const uint32_t *levels,
                             uint32_t count)
{
    for (uint32_t c = 0; c < g->array->columns; c++)
        g->row[c] = g->goal->fixed != NULL ? g->goal->fixed[c] : WRI_ANY;
    for (uint32_t i = 0; i <= count; i++)
        g->row[columns[i]] = levels[i];
    if ((g->array->rows + 1) * g->array->columns > CELLS_LIMIT)
        return too_large(g);
    if (!wri_array_add(g->array, g->row))
        return no_memory(g);
    return shelve(g, g->array->rows - 1);
}

static bool place(grower *g, const uint32_t *columns, const uint32_t *levels, uint32_t count)
{
    g->work += g->shelf.count / 64 + 1;
    return is_on_shelf(g, columns, levels, count) || place_on_shelf(g, columns, levels, count) ||
           place_in_new_row(g, columns, levels, count);
}

/* ---- Vertical growth ---- */

/* The tuple that a unit of a front stands for, with the new column's level at its end. */
static uint32_t spell_unit(const grower *g, const front *one, uint64_t prefix, uint64_t unit,
                           uint32_t level, uint32_t *columns, uint32_t *levels)
{
    const wri_numbering *n = &one->earlier;
    uint32_t             size = n->strength;
    columns[size] = g->column;
    levels[size] = level;
    if (size == 0)
        return 0;
    uint32_t from = wri_prefix_from(n, prefix), last = from;
    uint64_t span = wri_prefix_span(n, from), at = unit - n->base[prefix];
    wri_prefix_levels(n, prefix, at / span, levels);
    for (uint32_t i = 0; i + 1 < size; i++)
        columns[i] = n->columns[wri_prefix(n, prefix)[i]];
    uint32_t rest = (uint32_t)(at % span) + n->before[from];
    while (n->before[last + 1] <= rest)
        last++;
    columns[size - 1] = n->columns[last];
    levels[size - 1] = rest - n->before[last];
    return size;
}

static bool place_front(grower *g, const front *one, uint32_t level)
{
    const wri_numbering *n = &one->earlier;
    uint32_t             columns[n->strength + 1], levels[n->strength + 1];
    uint64_t             prefix = 0, total = n->base[n->prefixes];
    for (uint64_t u = 0; u < total && g->open > 0; u++) {
        if (!is_open(g, one->first + u, level))
            continue;
        while (prefix < n->prefixes && n->base[prefix + 1] <= u)
            prefix++;
        uint32_t count = spell_unit(g, one, prefix, u, level, columns, levels);
        if (!place(g, columns, levels, count))
            return false;
        close_tuple(g, one->first + u, level);
    }
    g->work += total / 8;
    return true;
}

/* Whether a row has an open cell that a tuple of the new column may want. */
static bool has_room(const grower *g, const uint32_t *row)
{
    if (row[g->column] == WRI_ANY)
        return true;
    for (uint32_t c = 0; c < g->goal->columns; c++)
        if (g->is_earlier[c] && row[c] == WRI_ANY)
            return true;
    return false;
}

/* Lists the rows with room by the new column's level; those that have none yet at `levels`. */
static bool list_open_rows(grower *g)
{
    if (g->array->rows > g->next_room) {
        uint64_t *next = realloc(g->next, g->array->rows * 2 * sizeof *next);
        if (next == NULL)
            return no_memory(g);
        g->next = next;
        g->next_room = g->array->rows * 2;
    }
    for (uint32_t l = 0; l <= g->levels; l++)
        g->head[l] = UINT64_MAX;
    for (uint64_t r = g->array->rows; r-- > 0;) {
        const uint32_t *row = g->array->cells + r * g->array->columns;
        if (!has_room(g, row))
            continue;
        uint32_t level = row[g->column] == WRI_ANY ? g->levels : row[g->column];
        g->next[r] = g->head[level];
        g->head[level] = r;
    }
    return true;
}

static bool fill_shelf(grower *g, uint32_t level)
{
    g->shelf.count = 0;
    for (uint64_t r = g->head[level]; r != UINT64_MAX; r = g->next[r])
        if (!shelve(g, r))
            return false;
    uint64_t *link = &g->head[g->levels];
    for (uint32_t offered = 0; *link != UINT64_MAX && offered < UNDECIDED_LIMIT;) {
        uint64_t r = *link;
        if (g->array->cells[r * g->array->columns + g->column] != WRI_ANY) {
            *link = g->next[r];
            continue;
        }
        if (!shelve(g, r))
            return false;
        offered++;
        link = &g->next[r];
    }
    return true;
}

static bool add_rows(grower *g)
{
    if (g->open == 0)
        return true;
    if (!list_open_rows(g))
        return false;
    for (uint32_t l = 0; l < g->levels && g->open > 0; l++) {
        if (!fill_shelf(g, l))
            return false;
        for (uint32_t i = 0; i < g->front_count; i++)
            if (!place_front(g, &g->fronts[i], l))
                return false;
    }
    return true;
}

/* ---- Column by column ---- */

static bool grow_column(grower *g, uint32_t column)
{
    g->column = column;
    g->levels = g->goal->levels[column];
    choose_unit(g);
    bool well = open_fronts(g) && reserve_bitmap(g) && reserve_seen(g);
    if (well && g->units > 0) {
        open_all(g);
        well = exclude_infeasible(g);
        if (well) {
            extend_rows(g);
            well = add_rows(g);
        }
    }
    close_fronts(g);
    g->is_earlier[column] = 1;
    return well;
}

static bool start_rows(grower *g)
{
    const wri_goal *goal = g->goal;
    g->array->columns = goal->columns;
    g->array->rows = 0;
    for (uint64_t r = 0; r < goal->kept_count; r++) {
        memcpy(g->row, goal->kept + r * goal->columns, goal->columns * sizeof *g->row);
        for (uint32_t c = 0; goal->fixed != NULL && c < goal->columns; c++)
            if (goal->fixed[c] != WRI_ANY)
                g->row[c] = goal->fixed[c];
        if (!wri_array_add(g->array, g->row))
            return no_memory(g);
    }
    return true;
}

/* A fixed column is in no relation, and its level may be none of the valid ones. */
static bool is_fixed(const grower *g, uint32_t column)
{
    return g->goal->fixed != NULL && g->goal->fixed[column] != WRI_ANY;
}

static bool grow_in_order(grower *g, wri_array *out)
{
    g->array = out;
    g->work = 0;
    memset(g->is_earlier, 0, g->goal->columns);
    if (!start_rows(g))
        return false;
    for (uint32_t i = 0; i < g->goal->columns; i++)
        if (!is_fixed(g, g->order[i]) && !grow_column(g, g->order[i]))
            return false;
    return true;
}

/* Wide columns first; equals in the model's order for the first runner, in any for the others. */
static void choose_order(grower *g, bool shuffled)
{
    const uint32_t *levels = g->goal->levels;
    uint32_t        count = g->goal->columns;
    for (uint32_t i = 0; i < count; i++)
        g->order[i] = i;
    for (uint32_t i = count; shuffled && i-- > 1;) {
        uint32_t j = (uint32_t)wri_scale(wri_next(&g->random), i), swapped = g->order[i];
        g->order[i] = g->order[j];
        g->order[j] = swapped;
    }
    for (uint32_t i = 1; i < count; i++) {
        uint32_t column = g->order[i], at = i;
        for (; at > 0 && levels[g->order[at - 1]] < levels[column]; at--)
            g->order[at] = g->order[at - 1];
        g->order[at] = column;
    }
}

static bool reserve_shelf(grower *g)
{
    g->shelf.first = malloc((g->goal->columns + 1) * sizeof *g->shelf.first);
    if (g->shelf.first == NULL)
        return false;
    for (uint32_t c = 0; c < g->goal->columns; c++) {
        uint32_t levels = g->goal->levels[c];
        g->shelf.first[c] = g->shelf.width;
        g->shelf.width += (levels < SHELF_LEVELS ? levels : SHELF_LEVELS) + 1;
    }
    g->shelf.first[g->goal->columns] = g->shelf.width;
    return true;
}

static bool reserve_all(grower *g)
{
    size_t columns = g->goal->columns + 1, levels = NARROW;
    for (uint32_t c = 0; c < g->goal->columns; c++)
        levels = g->goal->levels[c] > levels ? g->goal->levels[c] : levels;
    size_t words = levels / 64 + 1;
    g->order = malloc(columns * sizeof *g->order);
    g->is_earlier = malloc(columns);
    g->fronts = malloc((g->goal->relation_count + 1) * sizeof *g->fronts);
    g->position_level = malloc(columns * sizeof *g->position_level);
    g->live_offset = malloc(columns * sizeof *g->live_offset);
    g->live_from = malloc(columns * sizeof *g->live_from);
    g->row = malloc(columns * sizeof *g->row);
    g->gains = malloc((NARROW + 1) * sizeof *g->gains);
    g->used = malloc((levels + 1) * sizeof *g->used);
    g->refused = malloc((levels + 1) * sizeof *g->refused);
    g->planes = malloc(words * PLANES * sizeof *g->planes);
    g->mask = malloc(words * sizeof *g->mask);
    g->ties = malloc(words * sizeof *g->ties);
    g->allowed = malloc(words * sizeof *g->allowed);
    g->head = malloc((levels + 1) * sizeof *g->head);
    g->feasible = wri_feasible_open(g->goal);
    return g->order != NULL && g->is_earlier != NULL && g->fronts != NULL &&
           g->position_level != NULL && g->live_offset != NULL && g->live_from != NULL &&
           g->row != NULL && g->gains != NULL && g->used != NULL && g->refused != NULL &&
           g->planes != NULL &&
           g->mask != NULL && g->ties != NULL && g->allowed != NULL && g->head != NULL &&
           g->feasible != NULL && reserve_shelf(g);
}

static void release_all(grower *g)
{
    void *blocks[] = { g->order, g->is_earlier, g->fronts, g->position_level, g->live_offset,
                       g->live_from, g->row, g->gains, g->used, g->refused, g->planes, g->mask,
                       g->ties, g->allowed, g->head, g->next, g->bitmap, g->seen, g->shelf.first,
                       g->shelf.words, g->shelf.tops, g->shelf.rows, g->barred };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
    wri_feasible_close(g->feasible);
}

/* Further runners start while there is work left for them; the fewest rows win. */
static bool race(grower *g, wri_array *out)
{
    choose_order(g, false);
    g->rare_first = true;
    if (!grow_in_order(g, out))
        return false;
    uint64_t spent = g->work, most = g->work;
    for (uint32_t runner = 1; runner < RACE_RUNNERS && spent + most <= RACE_WORK; runner++) {
        wri_array other = { 0 };
        choose_order(g, true);
        g->rare_first = runner % 2 == 0;
        bool well = grow_in_order(g, &other);
        if (well && other.rows < out->rows) {
            wri_array loser = *out;
            *out = other;
            other = loser;
        }
        wri_array_free(&other);
        if (!well)
            return false;
        spent += g->work;
        most = g->work > most ? g->work : most;
    }
    return true;
}

bool wri_grow(const wri_goal *goal, uint64_t seed, wri_array *out, wri_complaint *complaint)
{
    grower g = { .goal = goal, .complaint = complaint, .random = wri_stream(seed, 0) };
    *out = (wri_array){ .columns = goal->columns };
    fill_spread(&g);
    bool well = reserve_all(&g) ? race(&g, out) : no_memory(&g);
    release_all(&g);
    if (!well)
        wri_array_free(out);
    return well;
}
