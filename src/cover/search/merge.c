/* cover/search/merge.c: makes one row of several.
 *
 * In some order of the rows, each tuple is the business of the first row that has it. A cell that
 * takes part in none of its row's business is open, all of these cells at once. Two rows that
 * agree wherever neither is open become one. Each round takes another order. Memory holds the
 * tuples of one prefix at a time.
 */
#include "cover/search/stages.h"

#include "core/prng.h"
#include "cover/model/blocks.h"
#include "cover/search/tuples.h"

#include <stdlib.h>
#include <string.h>

#define WORK (UINT64_C(60) * 1000 * 1000) /* tuples and sets of rows looked at in all rounds */
#define ROUNDS 12
#define FRUITLESS 3                       /* rounds in a row that end it */
#define WEIGHED 4                         /* rounds in which weights decide */
#define TUPLES_LIMIT (UINT64_C(1) << 40)  /* only numbered, never held */
#define STRETCH_LIMIT (UINT64_C(1) << 31) /* of a prefix: these are */

typedef struct merger {
    const wrc_goal *goal;
    wrc_array      *array;
    uint64_t       *random;
    wrc_blocks      blocks;
    uint64_t       *order;  /* of the rows; the kept ones first */
    uint8_t        *needed; /* by cell */
    uint64_t       *seen;   /* the tuples of the prefix in hand that some row has */
    uint64_t        seen_words;
    uint32_t       *value; /* the number of a column's level 0; the last is for open */
    uint32_t        values;
    uint64_t        set_words;
    uint64_t       *having; /* by value: the set of rows that have it */
    uint32_t       *row;
} merger;

static uint32_t *row_at(const merger *m, uint64_t row)
{
    return m->array->cells + row * m->array->columns;
}

/* ---- Whose business ---- */

/* The rows in their order, as one relation sees them. The levels of all positions have bits side
 * by side; a row's marks are the words of these in which it has some. */
typedef struct business {
    wrc_numbering n;
    wrc_blocks    blocks;
    uint64_t      rows;
    uint32_t     *levels; /* by position, then row */
    uint32_t     *ranks;  /* of the rows in the prefix in hand */
    uint32_t     *first;  /* by row, then position: the mark in which it is */
    uint32_t     *marks;  /* by row: how many */
    uint32_t     *word;   /* of each mark; a row has room for as many as there are positions */
    uint64_t     *bits;   /* of each mark: what the row has, */
    uint64_t     *own;    /* and of that, what it is the first to have */
} business;

static bool reserve_business(business *b)
{
    size_t cells = b->rows * b->n.count + 1;
    b->levels = wrc_blocks_take(&b->blocks, cells, sizeof *b->levels);
    b->ranks = wrc_blocks_take(&b->blocks, b->rows + 1, sizeof *b->ranks);
    b->first = wrc_blocks_take(&b->blocks, cells, sizeof *b->first);
    b->marks = wrc_blocks_take(&b->blocks, b->rows + 1, sizeof *b->marks);
    b->word = wrc_blocks_take(&b->blocks, cells, sizeof *b->word);
    b->bits = wrc_blocks_take(&b->blocks, cells, sizeof *b->bits);
    b->own = wrc_blocks_take(&b->blocks, cells, sizeof *b->own);
    return !b->blocks.failed;
}

/* Reads a row, which is the i-th in the order. */
static void mark_row(business *b, uint64_t i, const uint32_t *cells)
{
    size_t    start = i * b->n.count;
    uint32_t *marks = &b->marks[i];
    for (uint32_t p = 0; p < b->n.count; p++) {
        uint32_t level = cells[b->n.columns[p]], value = b->n.before[p] + level;
        b->levels[p * b->rows + i] = level;
        if (*marks == 0 || b->word[start + *marks - 1] != value / 64) {
            b->word[start + *marks] = value / 64;
            b->bits[start + *marks] = 0;
            ++*marks;
        }
        b->first[start + p] = *marks - 1;
        b->bits[start + *marks - 1] |= UINT64_C(1) << (value % 64);
    }
}

static bool open_business(const merger *m, const wrc_relation *r, business *b)
{
    *b = (business){ .rows = m->array->rows };
    if (!wrc_numbering_open(&b->n, r->parameters, r->count, m->goal->levels, r->strength,
                            TUPLES_LIMIT) ||
        !reserve_business(b))
        return false;
    for (uint64_t i = 0; i < b->rows; i++)
        mark_row(b, i, row_at(m, m->order[i]));
    return true;
}

static void rank_rows(business *b, uint64_t prefix)
{
    memset(b->ranks, 0, b->rows * sizeof *b->ranks);
    for (uint32_t i = 0; i + 1 < b->n.strength; i++) {
        uint32_t position = wrc_tuples_prefix(&b->n, prefix)[i], of = b->n.levels[position];
        const uint32_t *levels = b->levels + position * b->rows;
        for (uint64_t r = 0; r < b->rows; r++)
            b->ranks[r] = b->ranks[r] * of + levels[r];
    }
}

/* Makes room for the tuples of a prefix, none of them seen: a stretch of words for each rank,
 * from the word of the first position that may come last. Bits of positions before it do not
 * count. */
static bool start_prefix(merger *m, const business *b, uint64_t prefix, uint64_t stride)
{
    uint64_t ranks = wrc_tuples_prefix_ranks(&b->n, prefix);
    uint32_t low = b->n.before[wrc_tuples_prefix_from(&b->n, prefix)] % 64;
    if (ranks > STRETCH_LIMIT / 64 / stride)
        return false;
    if (ranks * stride > m->seen_words) {
        free(m->seen);
        m->seen = malloc(ranks * stride * sizeof *m->seen);
        m->seen_words = m->seen != NULL ? ranks * stride : 0;
    }
    if (m->seen == NULL)
        return false;
    memset(m->seen, 0, ranks * stride * sizeof *m->seen);
    for (uint64_t rank = 0; rank < ranks; rank++)
        m->seen[rank * stride] = (UINT64_C(1) << low) - 1;
    return true;
}

/* The tuples of a prefix that the i-th row is the first to have; this is their stretch. */
static void claim(business *b, uint64_t i, uint32_t from, const uint32_t *members,
                  uint64_t *stretch)
{
    size_t   start = i * b->n.count;
    uint32_t skip = b->n.before[from] / 64;
    uint64_t any = 0;
    for (uint32_t k = b->first[start + from]; k < b->marks[i]; k++) {
        uint64_t *seen = stretch + (b->word[start + k] - skip);
        uint64_t  fresh = b->bits[start + k] & ~*seen;
        *seen |= fresh;
        b->own[start + k] |= fresh;
        any |= fresh;
    }
    for (uint32_t k = 0; any != 0 && k + 1 < b->n.strength; k++) {
        uint32_t p = members[k], value = b->n.before[p] + b->levels[p * b->rows + i];
        b->own[start + b->first[start + p]] |= UINT64_C(1) << (value % 64);
    }
}

static bool claim_prefix(merger *m, business *b, uint64_t prefix)
{
    uint32_t from = wrc_tuples_prefix_from(&b->n, prefix);
    uint64_t stride = b->n.before[b->n.count] / 64 + 1 - b->n.before[from] / 64;
    if (!start_prefix(m, b, prefix, stride))
        return false;
    rank_rows(b, prefix);
    for (uint64_t i = 0; i < b->rows; i++)
        claim(b, i, from, wrc_tuples_prefix(&b->n, prefix), m->seen + b->ranks[i] * stride);
    return true;
}

/* A cell is needed if it is in a tuple of its row's own. */
static void note_needed(merger *m, const business *b)
{
    for (uint64_t i = 0; i < b->rows; i++)
        for (uint32_t p = 0; p < b->n.count; p++) {
            uint32_t value = b->n.before[p] + b->levels[p * b->rows + i];
            uint64_t own = b->own[i * b->n.count + b->first[i * b->n.count + p]];
            if (own >> (value % 64) & 1)
                m->needed[m->order[i] * m->array->columns + b->n.columns[p]] = 1;
        }
}

static bool claim_relation(merger *m, const wrc_relation *r)
{
    business b;
    bool     well = open_business(m, r, &b);
    for (uint64_t p = 0; well && p < b.n.prefixes; p++)
        well = claim_prefix(m, &b, p);
    if (well)
        note_needed(m, &b);
    wrc_numbering_close(&b.n);
    wrc_blocks_free(&b.blocks);
    return well;
}

static bool is_given(const merger *m, uint64_t row, uint32_t column)
{
    return (m->goal->fixed != NULL && m->goal->fixed[column] != WRC_ANY) ||
           (row < m->goal->kept_count &&
            m->goal->kept[row * m->array->columns + column] != WRC_ANY);
}

/* Opens every cell that is nobody's business; with weights, only in columns that have some. */
static bool open_cells(merger *m, uint64_t *const *weights)
{
    memset(m->needed, 0, m->array->rows * m->array->columns);
    for (uint32_t r = 0; r < m->goal->relation_count; r++)
        if (!claim_relation(m, &m->goal->relations[r]))
            return false;
    for (uint64_t r = 0; r < m->array->rows; r++)
        for (uint32_t c = 0; c < m->array->columns; c++)
            if (!m->needed[r * m->array->columns + c] && !is_given(m, r, c) &&
                (weights == NULL || weights[c] != NULL))
                row_at(m, r)[c] = WRC_ANY;
    return true;
}

/* ---- Merging ---- */

static uint64_t *set_of(const merger *m, uint32_t column, uint32_t level)
{
    uint32_t open = m->value[column + 1] - m->value[column] - 1;
    return m->having + (m->value[column] + (level == WRC_ANY ? open : level)) * m->set_words;
}

static void flip_row(merger *m, uint64_t row)
{
    for (uint32_t c = 0; c < m->array->columns; c++)
        set_of(m, c, row_at(m, row)[c])[row / 64] ^= UINT64_C(1) << (row % 64);
}

/* Whether two rows that agree can be one; that is then in m->row. */
static bool can_be_one(merger *m, uint64_t a, uint64_t b)
{
    for (uint32_t c = 0; c < m->array->columns; c++) {
        uint32_t level = row_at(m, a)[c];
        m->row[c] = level != WRC_ANY ? level : row_at(m, b)[c];
    }
    return m->goal->oracle == NULL || wrc_oracle_allows(m->goal->oracle, m->row);
}

/* Rows of one word of the sets that agree with a row. */
static uint64_t agreeing(const merger *m, const uint32_t *cells, uint64_t word)
{
    uint64_t among = UINT64_MAX;
    for (uint32_t c = 0; c < m->array->columns && among != 0; c++)
        if (cells[c] != WRC_ANY)
            among &= set_of(m, c, cells[c])[word] | set_of(m, c, WRC_ANY)[word];
    return among;
}

/* Lets another row take over this one. The caller has taken it out of the sets. */
static bool take_over(merger *m, uint64_t row)
{
    uint64_t words = (m->array->rows + 63) / 64;
    for (uint64_t w = 0; w < words; w++) {
        uint64_t among = agreeing(m, row_at(m, row), w);
        if (w == m->array->rows / 64)
            among &= (UINT64_C(1) << (m->array->rows % 64)) - 1;
        for (; among != 0; among &= among - 1) {
            uint64_t other = w * 64 + (uint64_t)__builtin_ctzll(among);
            if (other == row || !can_be_one(m, other, row))
                continue;
            flip_row(m, other);
            memcpy(row_at(m, other), m->row, m->array->columns * sizeof *m->row);
            flip_row(m, other);
            return true;
        }
    }
    return false;
}

/* Goes through the rows from the last, which are the emptiest. Says how many went. */
static uint64_t merge_rows(merger *m)
{
    uint64_t gone = 0;
    memset(m->having, 0, (m->values + 1) * m->set_words * sizeof *m->having);
    for (uint64_t r = 0; r < m->array->rows; r++)
        flip_row(m, r);
    for (uint64_t r = m->array->rows; r-- > m->goal->kept_count;) {
        flip_row(m, r);
        if (!take_over(m, r)) {
            flip_row(m, r);
            continue;
        }
        uint64_t last = --m->array->rows;
        gone++;
        if (r == last)
            continue;
        flip_row(m, last);
        memcpy(row_at(m, r), row_at(m, last), m->array->columns * sizeof *m->row);
        flip_row(m, r);
    }
    return gone;
}

/* ---- Rounds ---- */

static void choose_order(merger *m, bool shuffled)
{
    uint64_t kept = m->goal->kept_count;
    for (uint64_t i = 0; i < m->array->rows; i++)
        m->order[i] = i;
    for (uint64_t i = m->array->rows; shuffled && i-- > kept + 1;) {
        uint64_t j = kept + wri_prng_scale(wri_prng_next(m->random), i - kept),
                 swapped = m->order[i];
        m->order[i] = m->order[j];
        m->order[j] = swapped;
    }
}

/* For each row its tuples, and the sets of rows that it may agree with. */
static uint64_t round_work(const merger *m)
{
    uint64_t work = m->array->rows / 64 + 1;
    for (uint32_t r = 0; r < m->goal->relation_count; r++) {
        uint64_t tuples =
            wrc_count_choose(m->goal->relations[r].count, m->goal->relations[r].strength);
        work = tuples > WORK - work ? WORK : work + tuples;
    }
    work += m->array->rows / 64 * m->array->columns;
    return work > WORK / (m->array->rows + 1) ? WORK + 1 : work * m->array->rows;
}

static bool reserve(merger *m)
{
    size_t columns = m->array->columns, cells = m->array->rows * columns;
    m->set_words = m->array->rows / 64 + 1;
    m->order = wrc_blocks_take(&m->blocks, m->array->rows + 1, sizeof *m->order);
    m->needed = wrc_blocks_take(&m->blocks, cells + 1, 1);
    m->row = wrc_blocks_take(&m->blocks, columns + 1, sizeof *m->row);
    m->value = wrc_blocks_take(&m->blocks, columns + 1, sizeof *m->value);
    for (uint32_t c = 0; m->value != NULL && c < columns; c++) {
        bool fixed = wrc_goal_fixes(m->goal, c);
        m->values += (fixed ? m->goal->fixed[c] + 1 : m->goal->levels[c]) + 1;
        m->value[c + 1] = m->values;
    }
    m->having = wrc_blocks_take(&m->blocks, (m->values + 1) * m->set_words, sizeof *m->having);
    return !m->blocks.failed;
}

static bool run_round(merger *m, bool shuffled, uint32_t *fruitless)
{
    wrc_fill_array(&(wrc_filler){ .goal = m->goal }, m->array, m->random);
    choose_order(m, shuffled);
    if (!open_cells(m, NULL))
        return false;
    *fruitless = merge_rows(m) > 0 ? 0 : *fruitless + 1;
    return true;
}

void wrc_merge(const wrc_goal *goal, uint64_t *random, wrc_array *array)
{
    merger   m = { .goal = goal, .array = array, .random = random };
    uint64_t work = round_work(&m);
    uint32_t round = 0, fruitless = 0;
    if (work <= WORK && reserve(&m))
        while (round < ROUNDS && fruitless < FRUITLESS && work * (round + 1) <= WORK &&
               run_round(&m, round > 0, &fruitless))
            round++;
    wrc_blocks_free(&m.blocks);
    free(m.seen);
}

void wrc_merge_weigh(const wrc_filler *filler, uint64_t *random, wrc_array *array)
{
    merger   m = { .goal = filler->goal, .array = array, .random = random };
    bool     weighted = false;
    uint64_t work = round_work(&m);
    for (uint32_t c = 0; c < array->columns; c++)
        weighted = weighted || filler->weights[c] != NULL;
    bool well = weighted && work <= WORK && reserve(&m);
    for (uint32_t round = 0; well && round < WEIGHED && work * (round + 1) <= WORK; round++) {
        choose_order(&m, true);
        well = open_cells(&m, filler->weights);
        wrc_fill_array(filler, array, random);
    }
    wrc_blocks_free(&m.blocks);
    free(m.seen);
}
