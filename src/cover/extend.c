/* cover/extend.c: an array that algebra begins and growing completes.
 *
 * Where no construction has enough columns, some have few rows for some of the columns: these are
 * the rows that growing starts from, with the other columns open. Tried are the numbers of
 * columns after which the construction would need more rows.
 */
#include "cover/algebra.h"

#include "cover/orthogonal.h"

#include <stdlib.h>
#include <string.h>

#define TRIES 4

/* Nothing is tried where one array takes more than so many steps: rows times what each covers. */
#define MOST_STEPS 2500000

/* The widest columns of a relation over all, as a goal of their own. */
typedef struct beginning {
    uint32_t *order;   /* columns, the widest first */
    uint32_t *columns; /* of the beginning, ascending */
    wri_relation relation;
    wri_goal goal;
} beginning;

static bool begin(beginning *b, const wri_goal *goal)
{
    b->order = malloc(2 * ((size_t)goal->columns + 1) * sizeof *b->order);
    if (b->order == NULL)
        return false;
    b->columns = b->order + goal->columns + 1;
    for (uint32_t i = 0; i < goal->columns; i++) {
        uint32_t at = i;
        for (; at > 0 && goal->levels[b->order[at - 1]] < goal->levels[i]; at--)
            b->order[at] = b->order[at - 1];
        b->order[at] = i;
    }
    return true;
}

/* The goal of the first `count` columns. */
static void take_columns(beginning *b, const wri_goal *goal, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i, column = b->order[i];
        for (; at > 0 && b->columns[at - 1] > column; at--)
            b->columns[at] = b->columns[at - 1];
        b->columns[at] = column;
    }
    b->relation = (wri_relation){NULL, goal->relations[0].strength, count, b->columns};
    b->goal = (wri_goal){.columns = goal->columns, .levels = goal->levels, .relation_count = 1,
                         .relations = &b->relation};
}

/* Grows from the beginning at hand; what has fewer rows than `best` replaces `out`. */
static bool grow_from(const beginning *b, const wri_goal *goal, uint64_t best, uint64_t seed,
                      wri_array *out, wri_complaint *complaint)
{
    wri_array start = {0}, grown = {0};
    if (!wri_algebra_build(&b->goal, best, &start))
        return false;
    wri_goal whole = *goal;
    whole.kept = start.cells;
    whole.kept_count = start.rows;
    bool fewer = wri_grow(&whole, seed, &grown, complaint) && grown.rows < best;
    if (fewer) {
        wri_array_free(out);
        *out = grown;
    } else {
        wri_array_free(&grown);
    }
    free(start.cells);
    return fewer;
}

static uint64_t steps(const wri_goal *goal, uint64_t rows)
{
    uint64_t sets = 1;
    for (uint32_t i = 0; i < goal->relations[0].strength && sets <= MOST_STEPS; i++)
        sets = sets * (goal->columns - i) / (i + 1);
    return wri_times(sets, rows);
}

bool wri_algebra_extend(const wri_goal *goal, uint64_t best, uint64_t seed, wri_array *out,
                        wri_complaint *complaint)
{
    beginning b;
    bool plain = goal->oracle == NULL && goal->fixed == NULL && goal->kept_count == 0 &&
                 goal->relation_count == 1 && goal->relations[0].count == goal->columns;
    if (!plain || steps(goal, best) > MOST_STEPS || !begin(&b, goal))
        return false;
    bool found = false;
    uint64_t beyond = UINT64_MAX;
    for (uint32_t count = goal->columns - 1, tries = 0;
         count > goal->relations[0].strength && tries < TRIES; count--) {
        take_columns(&b, goal, count);
        uint64_t rows = wri_algebra_rows(&b.goal);
        bool turning = rows < beyond && rows < best;
        beyond = rows;
        if (!turning)
            continue;
        tries++;
        if (grow_from(&b, goal, best, seed, out, complaint)) {
            found = true;
            best = out->rows;
        }
    }
    free(b.order);
    return found;
}
