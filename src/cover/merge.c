/* cover/merge.c: rows that become one.
 *
 * Each tuple is the business of the first row that has it, in some order of the rows. A cell that
 * takes part in none of its row's business is open, all of these cells at once; two rows that
 * agree where neither is open are one. Another order, another round. What is held in memory are
 * the tuples of one prefix.
 */
#include "cover/build.h"

#include "core/prng.h"
#include "cover/tuples.h"

#include <stdlib.h>
#include <string.h>

#define WORK (UINT64_C(60) * 1000 * 1000) /* tuples and sets of rows looked at in all rounds */
#define ROUNDS 12
#define FRUITLESS 3                       /* rounds in a row that end it */
#define TUPLES_LIMIT (UINT64_C(1) << 40)   /* only numbered, never held */
#define STRETCH_LIMIT (UINT64_C(1) << 31)  /* of a prefix: these are */

typedef struct merger {
    const wri_goal *goal;
    wri_array      *array;
    uint64_t       *random;
    uint64_t       *order; /* of the rows; the kept ones first */
    uint8_t        *needed; /* by cell */
    uint64_t       *seen;   /* a bit for each tuple of the prefix in hand */
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

/* What a row has to do with the tuples of one prefix. */
static void claim(merger *m, const wri_numbering *n, uint64_t prefix, uint64_t row)
{
    const uint32_t *cells = row_at(m, row), *member = wri_prefix(n, prefix);
    uint8_t        *needed = m->needed + row * m->array->columns;
    uint32_t        from = wri_prefix_from(n, prefix), members = n->strength - 1;
    uint64_t        rank = 0;
    bool            first = false;
    for (uint32_t i = 0; i < members; i++)
        rank = rank * n->levels[member[i]] + cells[n->columns[member[i]]];
    uint64_t start = rank * wri_prefix_span(n, from) - n->before[from];
    for (uint32_t last = from; last < n->count; last++) {
        uint64_t at = start + n->before[last] + cells[n->columns[last]];
        uint64_t bit = UINT64_C(1) << (at % 64);
        if (m->seen[at / 64] & bit)
            continue;
        m->seen[at / 64] |= bit;
        needed[n->columns[last]] = 1;
        first = true;
    }
    for (uint32_t i = 0; first && i < members; i++)
        needed[n->columns[member[i]]] = 1;
}

static bool reserve_seen(merger *m, uint64_t tuples)
{
    uint64_t words = tuples / 64 + 1;
    if (words > m->seen_words) {
        free(m->seen);
        m->seen = malloc(words * sizeof *m->seen);
        m->seen_words = m->seen != NULL ? words : 0;
    }
    if (m->seen != NULL)
        memset(m->seen, 0, words * sizeof *m->seen);
    return m->seen != NULL;
}

static bool claim_relation(merger *m, const wri_relation *r)
{
    wri_numbering n;
    bool well = wri_numbering_open(&n, r->parameters, r->count, m->goal->levels, r->strength,
                                   TUPLES_LIMIT);
    for (uint64_t p = 0; well && p < n.prefixes; p++) {
        uint64_t tuples = n.base[p + 1] - n.base[p];
        well = tuples <= STRETCH_LIMIT && reserve_seen(m, tuples);
        for (uint64_t i = 0; well && i < m->array->rows; i++)
            claim(m, &n, p, m->order[i]);
    }
    wri_numbering_close(&n);
    return well;
}

static bool is_given(const merger *m, uint64_t row, uint32_t column)
{
    return (m->goal->fixed != NULL && m->goal->fixed[column] != WRI_ANY) ||
           (row < m->goal->kept_count &&
            m->goal->kept[row * m->array->columns + column] != WRI_ANY);
}

/* Opens every cell that is nobody's business. */
static bool open_cells(merger *m)
{
    memset(m->needed, 0, m->array->rows * m->array->columns);
    for (uint32_t r = 0; r < m->goal->relation_count; r++)
        if (!claim_relation(m, &m->goal->relations[r]))
            return false;
    for (uint64_t r = 0; r < m->array->rows; r++)
        for (uint32_t c = 0; c < m->array->columns; c++)
            if (!m->needed[r * m->array->columns + c] && !is_given(m, r, c))
                row_at(m, r)[c] = WRI_ANY;
    return true;
}

/* ---- Merging ---- */

static uint64_t *set_of(const merger *m, uint32_t column, uint32_t level)
{
    uint32_t open = m->value[column + 1] - m->value[column] - 1;
    return m->having + (m->value[column] + (level == WRI_ANY ? open : level)) * m->set_words;
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
        m->row[c] = level != WRI_ANY ? level : row_at(m, b)[c];
    }
    return m->goal->oracle == NULL || wri_oracle_allows(m->goal->oracle, m->row);
}

/* Rows of one word of the sets that agree with a row. */
static uint64_t agreeing(const merger *m, const uint32_t *cells, uint64_t word)
{
    uint64_t among = UINT64_MAX;
    for (uint32_t c = 0; c < m->array->columns && among != 0; c++)
        if (cells[c] != WRI_ANY)
            among &= set_of(m, c, cells[c])[word] | set_of(m, c, WRI_ANY)[word];
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

static void fill_rows(merger *m)
{
    wri_filler filler = { .goal = m->goal };
    for (uint64_t r = 0; r < m->array->rows; r++)
        wri_fill_row(&filler, row_at(m, r), m->random);
}

static void choose_order(merger *m, bool shuffled)
{
    uint64_t kept = m->goal->kept_count;
    for (uint64_t i = 0; i < m->array->rows; i++)
        m->order[i] = i;
    for (uint64_t i = m->array->rows; shuffled && i-- > kept + 1;) {
        uint64_t j = kept + wri_scale(wri_next(m->random), i - kept), swapped = m->order[i];
        m->order[i] = m->order[j];
        m->order[j] = swapped;
    }
}

/* For each row its tuples, and the sets of rows that it may agree with. */
static uint64_t round_work(const merger *m)
{
    uint64_t work = m->array->rows / 64 + 1;
    for (uint32_t r = 0; r < m->goal->relation_count; r++) {
        uint64_t tuples = wri_choose(m->goal->relations[r].count, m->goal->relations[r].strength);
        work = tuples > WORK - work ? WORK : work + tuples;
    }
    work += m->array->rows / 64 * m->array->columns;
    return work > WORK / (m->array->rows + 1) ? WORK + 1 : work * m->array->rows;
}

static bool reserve(merger *m)
{
    size_t columns = m->array->columns, cells = m->array->rows * columns;
    m->set_words = m->array->rows / 64 + 1;
    m->order = malloc((m->array->rows + 1) * sizeof *m->order);
    m->needed = malloc(cells + 1);
    m->row = malloc((columns + 1) * sizeof *m->row);
    m->value = malloc((columns + 1) * sizeof *m->value);
    if (m->order == NULL || m->needed == NULL || m->row == NULL || m->value == NULL)
        return false;
    for (uint32_t c = 0; c < columns; c++) {
        m->value[c] = m->values;
        bool fixed = m->goal->fixed != NULL && m->goal->fixed[c] != WRI_ANY;
        m->values += (fixed ? m->goal->fixed[c] + 1 : m->goal->levels[c]) + 1;
    }
    m->value[columns] = m->values;
    m->having = malloc((m->values + 1) * m->set_words * sizeof *m->having);
    return m->having != NULL;
}

static bool run_round(merger *m, bool shuffled, uint32_t *fruitless)
{
    fill_rows(m);
    choose_order(m, shuffled);
    if (!open_cells(m))
        return false;
    *fruitless = merge_rows(m) > 0 ? 0 : *fruitless + 1;
    return true;
}

void wri_merge(const wri_goal *goal, uint64_t *random, wri_array *array)
{
    merger   m = { .goal = goal, .array = array, .random = random };
    uint64_t work = round_work(&m);
    uint32_t round = 0, fruitless = 0;
    if (work <= WORK && reserve(&m))
        while (round < ROUNDS && fruitless < FRUITLESS && work * (round + 1) <= WORK &&
               run_round(&m, round > 0, &fruitless))
            round++;
    free(m.order);
    free(m.needed);
    free(m.seen);
    free(m.value);
    free(m.having);
    free(m.row);
}
