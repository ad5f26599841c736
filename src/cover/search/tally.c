/* cover/search/tally.c: counts rows by tuple, and keeps the counts while cells change.
 *
 * A change of a cell visits the tuples that it is in, which lie in few stretches of memory. A
 * search spends most of its time there.
 */
#include "cover/search/tally.h"

#include "cover/search/feasible.h"
#include "cover/search/popcount.h"

#include <stdlib.h>
#include <string.h>

#define OPEN_LIMIT 65535                 /* the place of an open tuple is half a word, too */
#define TUPLES_LIMIT (UINT64_C(3) << 29) /* 3 GB of half words */
#define COUNTED_ROWS 0x7FFE              /* where a tuple has half a word */
#define IS_OPEN 0x8000                   /* a half word that has its place among the open ones */
#define NO_COUNT 0x7FFF                  /* the half word of an infeasible tuple */
#define SETS_LIMIT (UINT64_C(1) << 27)   /* words of the sets of rows by cell */
#define ONE UINT32_C(0x10000)            /* one row, in a word */
#define NEVER (UINT32_C(0x8000) << 16)   /* the word of an infeasible tuple: taken for covered */
#define WORD_WORK(tuples) ((tuples) > FAR_TUPLES ? 8 : (tuples) > NEAR_TUPLES ? 4 : 2)
#define NEAR_TUPLES (UINT64_C(1) << 17) /* words that are close to the processor */
#define FAR_TUPLES (UINT64_C(1) << 20)
#define EVENT_WORK 10 /* of a tuple that opens and is shut again */

/* ---- Words ---- */

/* The columns of a tuple of relation n: those of its prefix, and the last. */
static inline uint32_t column_at(const wrc_numbering *n, const uint32_t *member, uint32_t last,
                                 uint32_t i)
{
    return n->columns[i + 1 < n->strength ? member[i] : last];
}

static inline void note_place(wrc_tally *x, uint32_t word, uint32_t at)
{
    if (x->counts != NULL)
        x->counts[word] = (uint16_t)(IS_OPEN | at);
    else
        x->words[word] = at;
}

static void open_tuple(wrc_tally *x, uint32_t word, const uint32_t *row, const wrc_numbering *n,
                       const uint32_t *member, uint32_t last)
{
    uint32_t most = x->counts != NULL ? IS_OPEN - 1 : OPEN_LIMIT;
    uint32_t at =
        x->open.count < most ? wrc_open_tuples_add(&x->open, word, n->strength) : WRC_ANY;
    if (at == WRC_ANY) {
        x->failed = true;
        return;
    }
    note_place(x, word, at);
    for (uint32_t i = 0; i < n->strength; i++) {
        uint32_t column = column_at(n, member, last, i);
        wrc_open_tuples_set(&x->open, at, i, column, x->value[column] + row[column]);
    }
}

static void shut_tuple(wrc_tally *x, uint32_t at)
{
    uint32_t moved = wrc_open_tuples_drop(&x->open, at);
    if (moved != WRC_ANY)
        note_place(x, moved, at);
}

static inline void weigh(wrc_tally *x, uint32_t row, const wrc_numbering *n,
                         const uint32_t *member, uint32_t last, uint32_t by)
{
    uint32_t *loss = x->loss + (size_t)row * x->columns;
    for (uint32_t i = 0; i + 1 < n->strength; i++)
        loss[n->columns[member[i]]] += by;
    loss[n->columns[last]] += by;
}

/* The one row besides this that has the tuple, which is of this row's cells; with `entering`, as
 * they will be after the change in hand. */
static uint32_t other_row(const wrc_tally *x, uint32_t row, const wrc_numbering *n,
                          const uint32_t *member, uint32_t last, bool entering)
{
    const uint64_t *sets[n->strength];
    for (uint32_t i = 0; i < n->strength; i++) {
        uint32_t column = column_at(n, member, last, i);
        uint32_t level = entering && column == x->changing
                             ? x->to
                             : x->cells[(size_t)row * x->columns + column];
        sets[i] = x->having + (size_t)(x->value[column] + level) * x->set_words;
    }
    for (uint32_t w = 0; w < x->set_words; w++) {
        uint64_t among = w == row / 64 ? ~(UINT64_C(1) << (row % 64)) : UINT64_MAX;
        for (uint32_t i = 0; i < n->strength; i++)
            among &= sets[i][w];
        if (among != 0)
            return w * 64 + (uint32_t)__builtin_ctzll(among);
    }
    return row; /* there is one */
}

static void leave_counted(wrc_tally *x, uint32_t word, uint32_t row, const wrc_numbering *n,
                          const uint32_t *member, uint32_t last)
{
    uint16_t now = --x->counts[word];
    if (now == 1) {
        weigh(x, other_row(x, row, n, member, last, false), n, member, last, 1);
    } else if (now == 0) {
        x->work += EVENT_WORK;
        weigh(x, row, n, member, last, UINT32_MAX);
        open_tuple(x, word, x->cells + (size_t)row * x->columns, n, member, last);
    }
}

static void enter_counted(wrc_tally *x, uint32_t word, uint32_t row, const wrc_numbering *n,
                          const uint32_t *member, uint32_t last)
{
    uint16_t was = x->counts[word];
    if (was & IS_OPEN) {
        shut_tuple(x, was & (IS_OPEN - 1));
        x->counts[word] = 1;
        weigh(x, row, n, member, last, 1);
        return;
    }
    x->counts[word]++;
    if (was == 1)
        weigh(x, other_row(x, row, n, member, last, true), n, member, last, UINT32_MAX);
}

/* A row does not have the tuple any longer; its cells are still those that it was in. */
static inline void leave(wrc_tally *x, uint32_t word, uint32_t row, const wrc_numbering *n,
                         const uint32_t *member, uint32_t last)
{
    if (x->counts != NULL) {
        leave_counted(x, word, row, n, member, last);
        return;
    }
    uint32_t now = (x->words[word] - ONE) ^ row;
    x->words[word] = now;
    if (now >= 2 * ONE)
        return;
    if (now >= ONE) {
        weigh(x, now - ONE, n, member, last, 1);
    } else {
        x->work += EVENT_WORK;
        weigh(x, row, n, member, last, UINT32_MAX);
        open_tuple(x, word, x->cells + (size_t)row * x->columns, n, member, last);
    }
}

static inline void enter(wrc_tally *x, uint32_t word, uint32_t row, const wrc_numbering *n,
                         const uint32_t *member, uint32_t last)
{
    if (x->counts != NULL) {
        enter_counted(x, word, row, n, member, last);
        return;
    }
    uint32_t was = x->words[word];
    x->words[word] = (was + ONE) ^ row;
    if (was >= 2 * ONE)
        return;
    if (was >= ONE) {
        weigh(x, was - ONE, n, member, last, UINT32_MAX);
    } else {
        if (!x->starting)
            shut_tuple(x, was);
        x->words[word] = ONE + row;
        weigh(x, row, n, member, last, 1);
    }
}

/* The word before those that a row has with a prefix, but for the offsets of the last column. */
static inline uint32_t start_of(const wrc_tally *x, uint32_t b, uint64_t prefix,
                                const uint32_t *offset)
{
    const wrc_numbering *n = &x->relations[b];
    const uint32_t      *member = wrc_tuples_prefix(n, prefix);
    uint32_t             from = wrc_tuples_prefix_from(n, prefix);
    uint64_t             rank = 0;
    for (uint32_t i = 0; i + 1 < n->strength; i++)
        rank = rank * n->levels[member[i]] + (offset[member[i]] - n->before[member[i]]);
    return (uint32_t)(x->first[b] + n->base[prefix] + rank * wrc_tuples_prefix_span(n, from)) -
           n->before[from];
}

static void leave_all(wrc_tally *x, uint32_t row)
{
    for (uint32_t b = 0; b < x->goal->relation_count; b++) {
        const wrc_numbering *n = &x->relations[b];
        const uint32_t      *offset = x->offsets[b] + (size_t)row * n->count;
        for (uint64_t p = 0; p < n->prefixes; p++) {
            uint32_t start = start_of(x, b, p, offset), from = wrc_tuples_prefix_from(n, p);
            x->work += (uint64_t)(n->count - from) * x->word_cost;
            for (uint32_t last = from; last < n->count; last++)
                leave(x, start + offset[last], row, n, wrc_tuples_prefix(n, p), last);
        }
    }
}

/* The tuples in which the changed position is in the prefix: two stretches of memory each. */
static void change_in_prefixes(wrc_tally *x, uint32_t b, uint32_t row, uint32_t position,
                               uint32_t level)
{
    const wrc_numbering *n = &x->relations[b];
    const uint32_t      *offset = x->offsets[b] + (size_t)row * n->count;
    for (uint64_t i = n->with[position]; i < n->with[position + 1]; i++) {
        uint32_t        prefix = n->containing[i], from = wrc_tuples_prefix_from(n, prefix);
        const uint32_t *member = wrc_tuples_prefix(n, prefix);
        uint64_t        old = 0, new = 0, span = wrc_tuples_prefix_span(n, from);
        for (uint32_t j = 0; j + 1 < n->strength; j++) {
            uint32_t p = member[j], has = offset[p] - n->before[p];
            old = old * n->levels[p] + has;
            new = new * n->levels[p] + (p == position ? level : has);
        }
        uint64_t start = x->first[b] + n->base[prefix] - n->before[from];
        x->work += (uint64_t)(n->count - from) * x->word_cost;
        uint32_t leaving = (uint32_t)(start + old * span);
        uint32_t entering = (uint32_t)(start + new *span);
        for (uint32_t last = from; last < n->count; last++) {
            leave(x, leaving + offset[last], row, n, member, last);
            enter(x, entering + offset[last], row, n, member, last);
        }
    }
}

/* Those in which it comes last: the first prefixes, two words each. */
static void change_as_last(wrc_tally *x, uint32_t b, uint32_t row, uint32_t position,
                           uint32_t level)
{
    const wrc_numbering *n = &x->relations[b];
    const uint32_t      *offset = x->offsets[b] + (size_t)row * n->count;
    uint64_t             prefixes = wrc_count_choose(position, n->strength - 1);
    uint32_t             old = offset[position], new = n->before[position] + level;
    x->work += prefixes * x->word_cost;
    for (uint64_t p = 0; p < prefixes; p++) {
        uint32_t start = start_of(x, b, p, offset);
        leave(x, start + old, row, n, wrc_tuples_prefix(n, p), position);
        enter(x, start + new, row, n, wrc_tuples_prefix(n, p), position);
    }
}

static inline void flip(wrc_tally *x, uint32_t row, uint32_t value)
{
    x->having[(size_t)value * x->set_words + row / 64] ^= UINT64_C(1) << (row % 64);
}

/* ---- Changing ---- */

void wrc_tally_change(wrc_tally *x, uint32_t row, uint32_t column, uint32_t level)
{
    size_t at = (size_t)row * x->columns + column;
    x->changing = column;
    x->to = level;
    for (uint32_t i = x->occurs[column]; i < x->occurs[column + 1]; i++) {
        wrc_occurrence       o = x->occurrences[i];
        const wrc_numbering *n = &x->relations[o.relation];
        change_in_prefixes(x, o.relation, row, o.position, level);
        change_as_last(x, o.relation, row, o.position, level);
        x->offsets[o.relation][(size_t)row * n->count + o.position] =
            n->before[o.position] + level;
    }
    flip(x, row, x->value[column] + x->cells[at]);
    flip(x, row, x->value[column] + level);
    x->cells[at] = level;
}

void wrc_tally_remove(wrc_tally *x, uint32_t row)
{
    leave_all(x, row);
    for (uint32_t c = 0; c < x->columns; c++)
        flip(x, row, x->value[c] + x->cells[(size_t)row * x->columns + c]);
}

uint32_t wrc_tally_gain(wrc_tally *x, uint32_t row, uint32_t column, uint32_t value)
{
    const uint32_t *cells = x->cells + (size_t)row * x->columns;
    uint32_t        gain = 0;
    x->work += 2 * x->open.wanted[value];
    for (uint32_t node = x->open.head[value]; node != WRC_ANY; node = x->open.next[node]) {
        uint32_t        t = node / x->open.strength, i = 0;
        const uint32_t *other = x->open.columns + (size_t)t * x->strength;
        const uint32_t *wants = x->open.values + (size_t)t * x->strength;
        while (i < x->open.size[t] &&
               (other[i] == column || x->value[other[i]] + cells[other[i]] == wants[i]))
            i++;
        gain += i == x->open.size[t];
    }
    return gain;
}

/* ---- Opening ---- */

static bool number_tuples(wrc_tally *x, uint64_t words)
{
    const wrc_goal *goal = x->goal;
    uint64_t        total = 0;
    x->relations = wrc_blocks_take(&x->blocks, goal->relation_count + 1, sizeof *x->relations);
    x->first = wrc_blocks_take(&x->blocks, goal->relation_count + 1, sizeof *x->first);
    x->offsets = wrc_blocks_take(&x->blocks, goal->relation_count + 1, sizeof *x->offsets);
    if (x->blocks.failed)
        return false;
    for (uint32_t b = 0; b < goal->relation_count; b++) {
        const wrc_relation *r = &goal->relations[b];
        if (!wrc_numbering_open(&x->relations[b], r->parameters, r->count, goal->levels,
                                r->strength, TUPLES_LIMIT - total) ||
            !wrc_numbering_list_containing(&x->relations[b]))
            return false;
        x->first[b] = total;
        total += x->relations[b].base[x->relations[b].prefixes];
        x->strength = r->strength > x->strength ? r->strength : x->strength;
        x->offsets[b] =
            wrc_blocks_take(&x->blocks, (size_t)x->rows * r->count, sizeof **x->offsets);
    }
    x->tuples = total;
    x->word_cost = WORD_WORK(total);
    if (total > words && x->rows > COUNTED_ROWS)
        return false;
    if (total > words)
        x->counts = wrc_blocks_take(&x->blocks, total + 1, sizeof *x->counts);
    else
        x->words = wrc_blocks_take(&x->blocks, total + 1, sizeof *x->words);
    return !x->blocks.failed;
}

static bool find_occurrences(wrc_tally *x)
{
    uint32_t total = 0, at = 0;
    for (uint32_t b = 0; b < x->goal->relation_count; b++)
        total += x->relations[b].count;
    x->occurrences = wrc_blocks_take(&x->blocks, total + 1, sizeof *x->occurrences);
    x->occurs = wrc_blocks_take(&x->blocks, x->columns + 1, sizeof *x->occurs);
    if (x->blocks.failed)
        return false;
    for (uint32_t c = 0; c < x->columns; c++) {
        x->occurs[c] = at;
        for (uint32_t b = 0; b < x->goal->relation_count; b++)
            for (uint32_t p = 0; p < x->relations[b].count; p++)
                if (x->relations[b].columns[p] == c)
                    x->occurrences[at++] = (wrc_occurrence){ b, p };
    }
    x->occurs[x->columns] = at;
    return true;
}

static bool number_values(wrc_tally *x)
{
    x->value = wrc_blocks_take(&x->blocks, x->columns + 1, sizeof *x->value);
    for (uint32_t c = 0; x->value != NULL && c < x->columns; c++) {
        x->value[c] = x->values;
        x->values += wrc_goal_fixes(x->goal, c) ? x->goal->fixed[c] + 1 : x->goal->levels[c];
    }
    x->set_words = x->rows / 64 + 1;
    if ((uint64_t)x->values * x->set_words > SETS_LIMIT)
        return false;
    x->having = wrc_blocks_take(&x->blocks, (size_t)x->values * x->set_words, sizeof *x->having);
    return !x->blocks.failed && wrc_open_tuples_reserve(&x->open, x->strength, x->values);
}

bool wrc_tally_open(wrc_tally *x, const wrc_goal *goal, uint32_t rows, uint64_t words)
{
    *x = (wrc_tally){ .goal = goal, .columns = goal->columns, .rows = rows };
    return number_tuples(x, words);
}

void wrc_tally_close(wrc_tally *x)
{
    for (uint32_t b = 0; x->relations != NULL && b < x->goal->relation_count; b++)
        wrc_numbering_close(&x->relations[b]);
    wrc_blocks_free(&x->blocks);
    wrc_open_tuples_free(&x->open);
}

/* ---- Reading ---- */

/* One combination of columns whose infeasible tuples are being marked. */
typedef struct marking {
    wrc_tally           *x;
    const wrc_numbering *n;
    const uint32_t      *member;
    uint64_t             start, span, infeasible;
} marking;

static void mark_infeasible(void *state, const uint32_t *levels)
{
    marking *that = state;
    uint32_t size = that->n->strength;
    uint64_t rank = 0;
    for (uint32_t i = 0; i + 1 < size; i++)
        rank = rank * that->n->levels[that->member[i]] + levels[i];
    uint64_t word = that->start + rank * that->span + levels[size - 1];
    if (that->x->counts != NULL)
        that->x->counts[word] = NO_COUNT;
    else
        that->x->words[word] = NEVER;
    that->infeasible++;
}

/* Marks the infeasible tuples of the combinations with this prefix. Each combination needs as
 * many rows as it has others. */
static bool exclude_prefix(wrc_tally *x, wrc_feasible *feasible, uint32_t b, uint64_t prefix)
{
    const wrc_numbering *n = &x->relations[b];
    uint32_t             from = wrc_tuples_prefix_from(n, prefix), columns[n->strength];
    uint64_t             ranks = wrc_tuples_prefix_ranks(n, prefix);
    marking              that = { .x = x,
                                  .n = n,
                                  .member = wrc_tuples_prefix(n, prefix),
                                  .span = wrc_tuples_prefix_span(n, from) };
    for (uint32_t last = from; last < n->count; last++) {
        for (uint32_t i = 0; i < n->strength; i++)
            columns[i] = column_at(n, that.member, last, i);
        that.start = x->first[b] + n->base[prefix] + n->before[last] - n->before[from];
        that.infeasible = 0;
        if (!wrc_feasible_list(feasible, columns, n->strength, mark_infeasible, &that))
            return false;
        uint64_t needed = ranks * n->levels[last] - that.infeasible;
        x->floor = needed > x->floor ? needed : x->floor;
    }
    return true;
}

static bool exclude_infeasible(wrc_tally *x)
{
    wrc_feasible *feasible = wrc_feasible_open(x->goal);
    bool          well = feasible != NULL;
    for (uint32_t b = 0; well && b < x->goal->relation_count; b++)
        for (uint64_t p = 0; well && p < x->relations[b].prefixes; p++)
            well = exclude_prefix(x, feasible, b, p);
    wrc_feasible_close(feasible);
    return well;
}

static void read_row(wrc_tally *x, uint32_t row, const uint32_t *cells)
{
    memcpy(x->cells + (size_t)row * x->columns, cells, x->columns * sizeof *cells);
    for (uint32_t c = 0; c < x->columns; c++)
        flip(x, row, x->value[c] + cells[c]);
    for (uint32_t b = 0; b < x->goal->relation_count; b++) {
        const wrc_numbering *n = &x->relations[b];
        for (uint32_t p = 0; p < n->count; p++)
            x->offsets[b][(size_t)row * n->count + p] = n->before[p] + cells[n->columns[p]];
    }
}

/* All rows, prefix by prefix: the tuples of one are close together. */
static void enter_all(wrc_tally *x, uint32_t b)
{
    const wrc_numbering *n = &x->relations[b];
    for (uint64_t p = 0; p < n->prefixes; p++) {
        for (uint32_t r = 0; r < x->rows; r++) {
            const uint32_t *offset = x->offsets[b] + (size_t)r * n->count;
            uint32_t        start = start_of(x, b, p, offset);
            for (uint32_t last = wrc_tuples_prefix_from(n, p); last < n->count; last++)
                enter(x, start + offset[last], r, n, wrc_tuples_prefix(n, p), last);
        }
    }
}

/* ---- Reading by sets of rows ---- */

static inline uint32_t bits_in_both(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    uint32_t bits = 0;
    for (uint32_t w = 0; w < words; w++)
        bits += (uint32_t)__builtin_popcountll(a[w] & b[w]);
    return bits;
}

WRC_POPCOUNT static uint32_t bits_in_both_fast(const uint64_t *a, const uint64_t *b,
                                               uint32_t words)
{
    return bits_in_both(a, b, words);
}

static uint32_t first_in_both(const uint64_t *a, const uint64_t *b)
{
    uint32_t w = 0;
    while ((a[w] & b[w]) == 0)
        w++;
    return w * 64 + (uint32_t)__builtin_ctzll(a[w] & b[w]);
}

/* The rows that have the levels of a prefix. */
static void gather(const wrc_tally *x, const wrc_numbering *n, uint64_t prefix, uint64_t rank,
                   uint64_t *rows)
{
    uint32_t levels[n->strength];
    wrc_tuples_prefix_levels(n, prefix, rank, levels);
    memset(rows, 0xFF, x->set_words * sizeof *rows);
    for (uint32_t i = 0; i + 1 < n->strength; i++) {
        uint32_t        column = n->columns[wrc_tuples_prefix(n, prefix)[i]];
        const uint64_t *set = x->having + (size_t)(x->value[column] + levels[i]) * x->set_words;
        for (uint32_t w = 0; w < x->set_words; w++)
            rows[w] &= set[w];
    }
}

/* Counts the tuples of a prefix's levels, whose rows these are. False: one is in no row. */
static bool count_stretch(wrc_tally *x, const wrc_numbering *n, uint64_t prefix, uint64_t word,
                          const uint64_t *rows)
{
    bool fast = wrc_popcount_available();
    for (uint32_t last = wrc_tuples_prefix_from(n, prefix); last < n->count; last++) {
        const uint64_t *set = x->having + (size_t)x->value[n->columns[last]] * x->set_words;
        for (uint32_t l = 0; l < n->levels[last]; l++, word++, set += x->set_words) {
            if (x->counts[word] == NO_COUNT)
                continue;
            uint32_t count = fast ? bits_in_both_fast(rows, set, x->set_words)
                                  : bits_in_both(rows, set, x->set_words);
            if (count == 0)
                return false;
            x->counts[word] = (uint16_t)count;
            if (count == 1)
                weigh(x, first_in_both(rows, set), n, wrc_tuples_prefix(n, prefix), last, 1);
        }
    }
    return true;
}

static bool count_all(wrc_tally *x, uint32_t b)
{
    const wrc_numbering *n = &x->relations[b];
    uint64_t            *rows = malloc(x->set_words * sizeof *rows);
    bool                 well = rows != NULL;
    for (uint64_t p = 0; well && p < n->prefixes; p++) {
        uint64_t ranks = wrc_tuples_prefix_ranks(n, p), word = x->first[b] + n->base[p];
        for (uint64_t rank = 0; well && rank < ranks; rank++) {
            gather(x, n, p, rank, rows);
            well = count_stretch(x, n, p, word, rows);
            word += wrc_tuples_prefix_span(n, wrc_tuples_prefix_from(n, p));
        }
    }
    free(rows);
    return well;
}

/* ---- Reading rows ---- */

bool wrc_tally_read(wrc_tally *x, const uint32_t *cells)
{
    x->cells = wrc_blocks_take(&x->blocks, (size_t)x->rows * x->columns + 1, sizeof *x->cells);
    x->loss = wrc_blocks_take(&x->blocks, (size_t)x->rows * x->columns + 1, sizeof *x->loss);
    if (!find_occurrences(x) || !number_values(x) || !exclude_infeasible(x))
        return false;
    for (uint32_t r = 0; r < x->rows; r++)
        read_row(x, r, cells + (size_t)r * x->columns);
    for (uint32_t b = 0; x->counts != NULL && b < x->goal->relation_count; b++)
        if (!count_all(x, b))
            return false;
    if (x->counts != NULL)
        return true;
    x->starting = true;
    for (uint32_t b = 0; b < x->goal->relation_count; b++)
        enter_all(x, b);
    x->starting = false;
    for (uint64_t i = 0; i < x->tuples; i++)
        if (x->words[i] < ONE)
            return false;
    return true;
}
