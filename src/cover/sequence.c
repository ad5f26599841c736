/* cover/sequence.c: the rows that show most first.
 *
 * What a row adds only falls while other rows go before it, so what was counted for it once is a
 * bound: the row at the top of a heap is counted again, and taken when it is still at the top.
 */
#include "cover/build.h"

#include "cover/tuples.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_COUNT (UINT64_C(60) * 1000 * 1000) /* tuples looked at to count each row once */
#define WORK (UINT64_C(400) * 1000 * 1000)       /* and in all */
#define TUPLES_LIMIT (UINT64_C(1) << 32)

typedef struct entry {
    uint64_t bound; /* what the row added when it was last counted */
    uint64_t row;
} entry;

typedef struct ordering {
    const wri_goal *goal;
    const wri_array *array;
    wri_numbering  *relations;
    uint64_t       *first;
    uint64_t       *covered; /* a bit for each tuple */
    uint32_t       *level;
    entry          *heap;
    uint64_t        count, work;
} ordering;

/* Looks at all tuples of a row and says how many were not covered; where `take`, they are now. */
static uint64_t look(ordering *o, uint64_t row, bool take)
{
    const uint32_t *cells = o->array->cells + row * o->array->columns;
    uint64_t        fresh = 0;
    for (uint32_t b = 0; b < o->goal->relation_count; b++) {
        const wri_numbering *n = &o->relations[b];
        for (uint32_t p = 0; p < n->count; p++)
            o->level[p] = cells[n->columns[p]];
        for (uint64_t p = 0; p < n->prefixes; p++) {
            uint32_t from = wri_prefix_from(n, p);
            uint64_t start = o->first[b] + n->base[p] - n->before[from] +
                             wri_prefix_rank(n, p, o->level) * wri_prefix_span(n, from);
            for (uint32_t last = from; last < n->count; last++) {
                uint64_t at = start + n->before[last] + o->level[last];
                uint64_t bit = UINT64_C(1) << (at % 64);
                fresh += (o->covered[at / 64] & bit) == 0;
                if (take)
                    o->covered[at / 64] |= bit;
            }
            o->work += n->count - from;
        }
    }
    return fresh;
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
        uint64_t now = look(o, o->heap[0].row, false);
        if (now == o->heap[0].bound)
            break;
        o->heap[0].bound = now;
        sink(o, 0);
    }
    return pop(o);
}

/* ---- Opening ---- */

/* The strength at which counting every row once is affordable. */
static uint32_t affordable(const wri_goal *goal, uint64_t rows)
{
    uint32_t strength = 1;
    for (;; strength++) {
        uint64_t work = 0;
        bool     is_top = true;
        for (uint32_t b = 0; b < goal->relation_count; b++) {
            const wri_relation *r = &goal->relations[b];
            uint32_t            s = r->strength < strength ? r->strength : strength;
            is_top &= s == r->strength;
            uint64_t tuples = wri_choose(r->count, s);
            work = tuples > FIRST_COUNT - work ? FIRST_COUNT + 1 : work + tuples;
            if (work > FIRST_COUNT || work * rows > FIRST_COUNT)
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
        const wri_relation *r = &o->goal->relations[b];
        uint32_t            s = r->strength < strength ? r->strength : strength;
        if (!wri_numbering_open(&o->relations[b], r->parameters, r->count, o->goal->levels, s,
                                TUPLES_LIMIT - total))
            return false;
        o->first[b] = total;
        total += o->relations[b].base[o->relations[b].prefixes];
    }
    o->covered = calloc(total / 64 + 1, sizeof *o->covered);
    return o->covered != NULL;
}

static bool open_ordering(ordering *o)
{
    const wri_goal *goal = o->goal;
    o->relations = calloc(goal->relation_count + 1, sizeof *o->relations);
    o->first = calloc(goal->relation_count + 1, sizeof *o->first);
    o->level = malloc((goal->columns + 1) * sizeof *o->level);
    o->heap = malloc((o->array->rows + 1) * sizeof *o->heap);
    return o->relations != NULL && o->first != NULL && o->level != NULL && o->heap != NULL &&
           open_relations(o, affordable(goal, o->array->rows));
}

static void close_ordering(ordering *o)
{
    for (uint32_t b = 0; o->relations != NULL && b < o->goal->relation_count; b++)
        wri_numbering_close(&o->relations[b]);
    free(o->relations);
    free(o->first);
    free(o->covered);
    free(o->level);
    free(o->heap);
}

static void count_rows(ordering *o)
{
    for (uint64_t r = 0; r < o->goal->kept_count; r++)
        look(o, r, true);
    for (uint64_t r = o->goal->kept_count; r < o->array->rows; r++)
        o->heap[o->count++] = (entry){ look(o, r, false), r };
    for (uint64_t i = o->count / 2; i-- > 0;)
        sink(o, i);
}

bool wri_sequence(const wri_goal *goal, wri_array *array)
{
    if (array->rows == 0)
        return true;
    ordering  o = { .goal = goal, .array = array };
    size_t    row = array->columns;
    uint32_t *cells = malloc((array->rows * row + 1) * sizeof *cells);
    bool      well = cells != NULL && open_ordering(&o);
    if (well) {
        count_rows(&o);
        memcpy(cells, array->cells, goal->kept_count * row * sizeof *cells);
        for (uint64_t at = goal->kept_count; o.count > 0; at++) {
            uint64_t next = next_row(&o);
            look(&o, next, true);
            memcpy(cells + at * row, array->cells + next * row, row * sizeof *cells);
        }
        memcpy(array->cells, cells, array->rows * row * sizeof *cells);
    }
    free(cells);
    close_ordering(&o);
    return well;
}
