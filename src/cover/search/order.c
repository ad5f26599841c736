/* cover/search/order.c: puts the rows that add most first.
 *
 * The number of new tuples in a row only falls while other rows go before it, so an old number is
 * a bound. The row at the top of a heap is counted again, and taken if it is still at the top. If
 * there is memory for the rows of every tuple, the numbers are kept up to date instead.
 */
#include "cover/search/stages.h"

#include "cover/model/blocks.h"
#include "cover/search/tuples.h"

#include <string.h>

#define COUNTED (UINT64_C(60) * 1000 * 1000) /* tuples looked at to count each row once */
#define COUNTED_SOON                                                                             \
    (UINT64_C(1) * 1000 * 1000)             /* the same for an array that is wanted at once */
#define WORK (UINT64_C(400) * 1000 * 1000)  /* and in all */
#define LISTED (UINT64_C(24) * 1000 * 1000) /* tuples of rows that are kept in lists */
#define TUPLES_LIMIT (UINT64_C(1) << 32)

typedef struct entry {
    uint64_t bound; /* what the row added when it was last looked at */
    uint64_t row;
} entry;

typedef struct ordering {
    const wrc_goal  *goal;
    const wrc_array *array;
    wrc_blocks       blocks;
    wrc_numbering   *relations;
    uint64_t        *first;
    uint64_t         tuples, row_tuples; /* in all, and of one row */
    uint64_t        *covered;            /* a bit for each tuple */
    uint32_t        *level;              /* of the row in hand, by position */
    uint32_t        *own;                /* the tuples of the row in hand */
    uint32_t        *starts, *rows;      /* the rows of each tuple; NULL: not listed */
    uint64_t        *adds;               /* with lists: what each row adds */
    entry           *heap;
    uint64_t         count, work;
} ordering;

/* Writes the numbers of a row's tuples into o->own. */
static void spell_row(ordering *o, uint64_t row)
{
    const uint32_t *cells = o->array->cells + row * o->array->columns;
    uint32_t       *own = o->own;
    o->work += o->row_tuples;
    for (uint32_t b = 0; b < o->goal->relation_count; b++) {
        wrc_numbering *n = &o->relations[b];
        for (uint32_t p = 0; p < n->count; p++)
            o->level[p] = cells[n->columns[p]];
        const uint32_t *ranks = wrc_tuples_row_ranks(n, o->level);
        for (uint64_t p = 0; p < n->prefixes; p++) {
            uint32_t from = wrc_tuples_prefix_from(n, p);
            uint32_t start = (uint32_t)(o->first[b] + n->base[p] +
                                        ranks[p] * wrc_tuples_prefix_span(n, from)) -
                             n->before[from];
            for (uint32_t last = from; last < n->count; last++)
                *own++ = start + n->before[last] + o->level[last];
        }
    }
}

/* How many tuples of a row are not covered. */
static uint64_t count_fresh(ordering *o, uint64_t row)
{
    uint64_t fresh = 0;
    if (o->rows != NULL)
        return o->adds[row];
    spell_row(o, row);
    for (uint64_t i = 0; i < o->row_tuples; i++)
        fresh += ~o->covered[o->own[i] / 64] >> (o->own[i] % 64) & 1;
    return fresh;
}

/* The row's tuples are covered from now on. */
static void take_row(ordering *o, uint64_t row)
{
    spell_row(o, row);
    for (uint64_t i = 0; i < o->row_tuples; i++) {
        uint32_t at = o->own[i];
        uint64_t bit = UINT64_C(1) << (at % 64);
        if (o->covered[at / 64] & bit)
            continue;
        o->covered[at / 64] |= bit;
        for (uint32_t j = o->rows != NULL ? o->starts[at] : 0;
             o->rows != NULL && j < o->starts[at + 1]; j++)
            o->adds[o->rows[j]]--;
    }
}

/* ---- A heap: the greatest bound on top, the earlier row among equals ---- */

static bool is_above(const entry *a, const entry *b)
{
    return a->bound > b->bound || (a->bound == b->bound && a->row < b->row);
}

static void sink(ordering *o, uint64_t at)
{
    entry moved = o->heap[at];
    for (uint64_t child; (child = 2 * at + 1) < o->count; at = child) {
        if (child + 1 < o->count && is_above(&o->heap[child + 1], &o->heap[child]))
            child++;
        if (!is_above(&o->heap[child], &moved))
            break;
        o->heap[at] = o->heap[child];
    }
    o->heap[at] = moved;
}

static uint64_t pop(ordering *o)
{
    uint64_t row = o->heap[0].row;
    o->heap[0] = o->heap[--o->count];
    if (o->count > 0)
        sink(o, 0);
    return row;
}

static uint64_t next_row(ordering *o)
{
    while (o->work < WORK) {
        uint64_t now = count_fresh(o, o->heap[0].row);
        if (now == o->heap[0].bound)
            break;
        o->heap[0].bound = now;
        sink(o, 0);
    }
    return pop(o);
}

/* ---- Opening ---- */

/* The strength at which counting every row once is affordable. */
static uint32_t affordable(const wrc_goal *goal, uint64_t rows, uint64_t most)
{
    uint32_t strength = 1;
    for (;; strength++) {
        uint64_t work = 0;
        bool     is_top = true;
        for (uint32_t b = 0; b < goal->relation_count; b++) {
            const wrc_relation *r = &goal->relations[b];
            uint32_t            s = r->strength < strength ? r->strength : strength;
            is_top &= s == r->strength;
            uint64_t tuples = wrc_count_choose(r->count, s);
            work = tuples > most - work ? most + 1 : work + tuples;
            if (work > most || work * rows > most)
                return strength > 1 ? strength - 1 : 1;
        }
        if (is_top)
            return strength;
    }
}

static bool open_relations(ordering *o, uint32_t strength)
{
    uint64_t total = 0;
    for (uint32_t b = 0; b < o->goal->relation_count; b++) {
        const wrc_relation *r = &o->goal->relations[b];
        uint32_t            s = r->strength < strength ? r->strength : strength;
        if (!wrc_numbering_open(&o->relations[b], r->parameters, r->count, o->goal->levels, s,
                                TUPLES_LIMIT - total) ||
            !wrc_numbering_reserve_ranks(&o->relations[b]))
            return false;
        o->first[b] = total;
        total += o->relations[b].base[o->relations[b].prefixes];
        o->row_tuples += wrc_count_choose(r->count, s);
    }
    o->tuples = total;
    o->covered = wrc_blocks_take(&o->blocks, total / 64 + 1, sizeof *o->covered);
    o->own = wrc_blocks_take(&o->blocks, o->row_tuples + 1, sizeof *o->own);
    return !o->blocks.failed;
}

/* Lists the rows of every tuple where that is affordable; without memory for it, it is not. */
static void list_rows(ordering *o)
{
    uint64_t rows = o->array->rows, entries = rows * o->row_tuples;
    if (entries > LISTED || o->tuples > LISTED || rows > UINT32_MAX)
        return;
    o->starts = wrc_blocks_take(&o->blocks, o->tuples + 2, sizeof *o->starts);
    o->adds = wrc_blocks_take(&o->blocks, rows + 1, sizeof *o->adds);
    uint32_t *list = wrc_blocks_take(&o->blocks, entries + 1, sizeof *list);
    if (o->blocks.failed)
        return;
    for (uint64_t r = 0; r < rows; r++) {
        spell_row(o, r);
        o->adds[r] = o->row_tuples;
        for (uint64_t i = 0; i < o->row_tuples; i++)
            o->starts[o->own[i] + 2]++;
    }
    for (uint64_t t = 0; t < o->tuples; t++)
        o->starts[t + 2] += o->starts[t + 1];
    for (uint64_t r = 0; r < rows; r++) {
        spell_row(o, r);
        for (uint64_t i = 0; i < o->row_tuples; i++)
            list[o->starts[o->own[i] + 1]++] = (uint32_t)r;
    }
    o->rows = list;
    o->work = 0;
}

static bool open_ordering(ordering *o, bool soon)
{
    const wrc_goal *goal = o->goal;
    o->relations = wrc_blocks_take(&o->blocks, goal->relation_count + 1, sizeof *o->relations);
    o->first = wrc_blocks_take(&o->blocks, goal->relation_count + 1, sizeof *o->first);
    o->level = wrc_blocks_take(&o->blocks, goal->columns + 1, sizeof *o->level);
    o->heap = wrc_blocks_take(&o->blocks, o->array->rows + 1, sizeof *o->heap);
    return !o->blocks.failed &&
           open_relations(o, affordable(goal, o->array->rows, soon ? COUNTED_SOON : COUNTED));
}

static void close_ordering(ordering *o)
{
    for (uint32_t b = 0; o->relations != NULL && b < o->goal->relation_count; b++)
        wrc_numbering_close(&o->relations[b]);
    wrc_blocks_free(&o->blocks);
}

static void count_rows(ordering *o)
{
    for (uint64_t r = 0; r < o->goal->kept_count; r++)
        take_row(o, r);
    for (uint64_t r = o->goal->kept_count; r < o->array->rows; r++)
        o->heap[o->count++] = (entry){ count_fresh(o, r), r };
    for (uint64_t i = o->count / 2; i-- > 0;)
        sink(o, i);
}

bool wrc_order_rows(const wrc_goal *goal, wrc_array *array, bool soon)
{
    if (array->rows == 0)
        return true;
    ordering  o = { .goal = goal, .array = array };
    size_t    row = array->columns;
    uint32_t *cells = wrc_blocks_take(&o.blocks, array->rows * row + 1, sizeof *cells);
    bool      well = open_ordering(&o, soon);
    if (well) {
        list_rows(&o);
        count_rows(&o);
        memcpy(cells, array->cells, goal->kept_count * row * sizeof *cells);
        for (uint64_t at = goal->kept_count; o.count > 0; at++) {
            uint64_t next = next_row(&o);
            take_row(&o, next);
            memcpy(cells + at * row, array->cells + next * row, row * sizeof *cells);
        }
        memcpy(array->cells, cells, array->rows * row * sizeof *cells);
    }
    close_ordering(&o);
    return well;
}
