/* cover/search/extend.c: completes an array that algebra begins.
 *
 * If no construction has enough columns, one may have few rows for some of the columns. Growing
 * starts from these rows, with the other columns open. It tries the numbers of columns after
 * which the construction would need more rows. With constraints, the cells that they forbid are
 * opened first; little is lost if they forbid little.
 */
#include "cover/search/stages.h"

#include "cover/algebra/count.h"
#include "cover/algebra/orthogonal.h"

#include <stdlib.h>
#include <string.h>

#define TRIES 4

/* Several are tried where one takes no more steps than so many: rows times what each covers. One
 * is, for all columns under constraints, also where that takes a while. */
#define MOST_STEPS 2500000
#define MOST_STEPS_ONCE (UINT64_C(1) << 28)

/* The widest columns of a relation over all, as a goal of their own. */
typedef struct beginning {
    uint32_t    *order;   /* columns, the widest first */
    uint32_t    *columns; /* of the beginning, ascending */
    wrc_relation relation;
    wrc_goal     goal;
} beginning;

static bool begin(beginning *b, const wrc_goal *goal)
{
    b->order = malloc(2 * ((size_t)goal->columns + 1) * sizeof *b->order);
    if (b->order == NULL)
        return false;
    b->columns = b->order + goal->columns + 1;
    wrc_orthogonal_by_width(goal->columns, goal->levels, b->order);
    return true;
}

/* The goal of the first `count` columns. */
static void take_columns(beginning *b, const wrc_goal *goal, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i, column = b->order[i];
        for (; at > 0 && b->columns[at - 1] > column; at--)
            b->columns[at] = b->columns[at - 1];
        b->columns[at] = column;
    }
    b->relation = (wrc_relation){ NULL, goal->relations[0].strength, count, b->columns };
    b->goal = (wrc_goal){ .columns = goal->columns,
                          .levels = goal->levels,
                          .relation_count = 1,
                          .relations = &b->relation };
}

/* Opens cells of a row until the constraints allow it: from one column on, round, each keeps its
 * level if it can. */
static void adapt_row(const wrc_goal *goal, uint64_t first, uint32_t *row, uint32_t *level)
{
    if (wrc_oracle_allows(goal->oracle, row))
        return;
    for (uint32_t i = 0; i < goal->columns; i++) {
        level[i] = row[i];
        if (wrc_oracle_component(goal->oracle, i) != WRC_ANY)
            row[i] = WRC_ANY;
    }
    for (uint32_t i = 0; i < goal->columns; i++) {
        uint32_t column = (uint32_t)((first + i) % goal->columns);
        if (row[column] == WRC_ANY && level[column] != WRC_ANY &&
            wrc_oracle_allows_level(goal->oracle, row, column, level[column]))
            row[column] = level[column];
    }
}

static bool adapt_rows(const wrc_goal *goal, wrc_array *start)
{
    uint32_t *level = malloc((goal->columns + 1) * sizeof *level);
    for (uint64_t i = 0; goal->oracle != NULL && level != NULL && i < start->rows; i++)
        adapt_row(goal, i, start->cells + i * goal->columns, level);
    free(level);
    return level != NULL;
}

/* Grows from a beginning; an array with fewer rows than `best` replaces `out`. */
static bool grow_from(const wrc_algebra *begun, const wrc_goal *goal, uint64_t best,
                      uint64_t seed, wrc_array *out, uint64_t *work, wrc_complaint *complaint)
{
    wrc_array start = { 0 }, grown = { 0 };
    if (!wrc_algebra_build(begun, best, &start))
        return false;
    wrc_goal whole = *goal;
    whole.kept = start.cells;
    whole.kept_count = start.rows;
    bool fewer = adapt_rows(goal, &start) && wrc_grow(&whole, seed, &grown, work, complaint) &&
                 grown.rows < best;
    if (fewer) {
        wrc_array_free(out);
        *out = grown;
    } else {
        wrc_array_free(&grown);
    }
    free(start.cells);
    return fewer;
}

/* The cost of asking for each cell of a row whether the constraints allow it. */
static uint64_t questions(const wrc_goal *goal)
{
    uint64_t sum = 0;
    for (uint32_t c = 0; goal->oracle != NULL && c < goal->columns; c++)
        sum += wrc_oracle_cost(goal->oracle, c);
    return sum;
}

static uint64_t steps(const wrc_goal *goal, uint64_t rows)
{
    uint64_t sets = wrc_count_choose(goal->columns, goal->relations[0].strength);
    return sets > MOST_STEPS_ONCE ? sets : wrc_count_times(sets + questions(goal), rows);
}

/* Whether algebra can begin it: no cell is decided, and all columns are treated alike. */
static bool can_begin(const wrc_goal *goal)
{
    return goal->fixed == NULL && goal->kept_count == 0 && goal->relation_count == 1 &&
           goal->relations[0].count == goal->columns;
}

bool wrc_extend(const wrc_goal *goal, uint64_t best, uint64_t seed, wrc_array *out,
                uint64_t *work, wrc_complaint *complaint)
{
    beginning b;
    if (!can_begin(goal) || steps(goal, best) > MOST_STEPS_ONCE || !begin(&b, goal))
        return false;
    bool     found = false;
    uint32_t tries = steps(goal, best) <= MOST_STEPS ? TRIES : goal->oracle != NULL;
    uint64_t beyond = UINT64_MAX;
    for (uint32_t count = goal->columns - (goal->oracle == NULL);
         count > goal->relations[0].strength && tries > 0; count--) {
        take_columns(&b, goal, count);
        wrc_algebra *begun = wrc_algebra_open(&b.goal);
        uint64_t     rows = wrc_algebra_rows(begun);
        bool         turning = rows < beyond && rows < best;
        beyond = rows;
        tries -= turning;
        if (turning && grow_from(begun, goal, best, seed, out, work, complaint)) {
            found = true;
            best = out->rows;
        }
        wrc_algebra_close(begun);
    }
    free(b.order);
    return found;
}
