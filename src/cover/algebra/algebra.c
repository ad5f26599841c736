/* cover/algebra/algebra.c: which direct construction is used for a goal, and its rows.
 *
 * There are two kinds. An orthogonal array knows how many levels each column has, and is
 * streamed. An array of a family (family.h) has as many levels in every column as the widest has.
 * A symbol that stands for no level of a narrower column is a don't-care. A row of don't-cares is
 * left out.
 */
#include "cover/algebra/algebra.h"

#include "cover/algebra/count.h"
#include "cover/algebra/family.h"
#include "cover/algebra/orthogonal.h"

#include <stdlib.h>
#include <string.h>

/* ---- Shapes ---- */

/* The shape of a goal, without columns that no relation names or that have one level. */
typedef struct shape {
    uint32_t  strength; /* the highest */
    uint32_t  least;    /* the lowest: a row with fewer cells that matter covers nothing */
    uint32_t  columns, widest;
    uint32_t *column, *levels;
} shape;

static bool is_free(const wrc_goal *goal)
{
    bool fixed = false;
    for (uint32_t i = 0; goal->fixed != NULL && i < goal->columns; i++)
        fixed = fixed || wrc_goal_fixes(goal, i);
    return goal->oracle == NULL && goal->kept_count == 0 && !fixed;
}

static bool is_named(const wrc_goal *goal, uint32_t column)
{
    for (uint32_t i = 0; i < goal->relation_count; i++)
        for (uint32_t j = 0; j < goal->relations[i].count; j++)
            if (goal->relations[i].parameters[j] == column)
                return true;
    return false;
}

static void shape_strengths(shape *s, const wrc_goal *goal)
{
    s->least = UINT32_MAX;
    for (uint32_t i = 0; i < goal->relation_count; i++) {
        uint32_t wide = 0, strength = goal->relations[i].strength;
        for (uint32_t j = 0; j < goal->relations[i].count; j++)
            wide += goal->levels[goal->relations[i].parameters[j]] > 1;
        strength = strength < wide ? strength : wide;
        s->strength = strength > s->strength ? strength : s->strength;
        s->least = strength < s->least ? strength : s->least;
    }
}

/* False: the goal is not for algebra, or no memory. */
static bool shape_open(shape *s, const wrc_goal *goal)
{
    *s = (shape){ 0 };
    if (!is_free(goal))
        return false;
    s->column = malloc(goal->columns * sizeof *s->column);
    s->levels = malloc(goal->columns * sizeof *s->levels);
    if (s->column == NULL || s->levels == NULL)
        return false;
    for (uint32_t i = 0; i < goal->columns; i++) {
        if (goal->levels[i] < 2 || !is_named(goal, i))
            continue;
        s->column[s->columns] = i;
        s->levels[s->columns++] = goal->levels[i];
        s->widest = goal->levels[i] > s->widest ? goal->levels[i] : s->widest;
    }
    shape_strengths(s, goal);
    return s->strength > 0;
}

static void shape_close(shape *s)
{
    free(s->column);
    free(s->levels);
}

/* ---- Choosing ---- */

struct wrc_algebra {
    uint32_t        columns;
    const uint32_t *levels; /* of the goal */
    shape           shape;
    wrc_orthogonal  orthogonal; /* used where plan.family is NULL */
    wrc_plan        plan;
    uint64_t        rows; /* UINT64_MAX: none */
    const char     *name;
};

static void choose(wrc_algebra *a)
{
    const shape *s = &a->shape;
    if (wrc_orthogonal_open(&a->orthogonal, s->strength, s->columns, s->levels)) {
        a->rows = a->orthogonal.rows;
        a->name = wrc_family_orthogonal.name;
    }
    wrc_plan plan = wrc_plan_best(s->strength, s->columns, s->widest);
    if (plan.rows < a->rows) {
        a->plan = plan;
        a->rows = plan.rows;
        a->name = plan.family->name;
    }
}

wrc_algebra *wrc_algebra_open(const wrc_goal *goal)
{
    wrc_algebra *a = calloc(1, sizeof *a);
    if (a == NULL)
        return NULL;
    a->columns = goal->columns;
    a->levels = goal->levels;
    a->rows = UINT64_MAX;
    if (shape_open(&a->shape, goal))
        choose(a);
    if (a->rows < UINT64_MAX)
        return a;
    wrc_algebra_close(a);
    return NULL;
}

void wrc_algebra_close(wrc_algebra *a)
{
    if (a == NULL)
        return;
    shape_close(&a->shape);
    wrc_orthogonal_close(&a->orthogonal);
    free(a);
}

uint64_t wrc_algebra_rows(const wrc_algebra *a)
{
    return a != NULL ? a->rows : UINT64_MAX;
}

const char *wrc_algebra_name(const wrc_algebra *a)
{
    return a != NULL ? a->name : NULL;
}

/* ---- Building ---- */

/* From the array's row to the goal's. */
typedef struct spread {
    const shape   *shape;
    uint32_t      *row;
    wrc_row_taker *take;
    void          *state;
} spread;

static bool take_spread(void *state, const uint32_t *row)
{
    spread  *to = state;
    uint32_t cared = 0;
    for (uint32_t i = 0; i < to->shape->columns; i++) {
        bool level = row[i] < to->shape->levels[i];
        to->row[to->shape->column[i]] = level ? row[i] : WRC_ANY;
        cared += level;
    }
    return cared < to->shape->least || to->take(to->state, to->row);
}

static bool hand_out(const wrc_algebra *a, spread *to)
{
    if (a->plan.family == NULL)
        return wrc_orthogonal_rows(&a->orthogonal, take_spread, to);
    uint32_t *cells = wrc_plan_cells(&a->plan);
    for (uint64_t row = 0; cells != NULL && row < a->plan.rows; row++)
        if (!take_spread(to, cells + row * a->plan.columns))
            break;
    free(cells);
    return cells != NULL;
}

bool wrc_algebra_stream(const wrc_algebra *a, wrc_row_taker *take, void *state)
{
    if (a == NULL)
        return false;
    spread to = { &a->shape, malloc(a->columns * sizeof *to.row), take, state };
    for (uint32_t i = 0; to.row != NULL && i < a->columns; i++)
        to.row[i] = a->levels[i] == 1 ? 0 : WRC_ANY;
    bool done = to.row != NULL && hand_out(a, &to);
    free(to.row);
    return done;
}

static bool take_into(void *state, const uint32_t *row)
{
    wrc_array *out = state;
    memcpy(out->cells + out->rows++ * out->columns, row, out->columns * sizeof *row);
    return true;
}

bool wrc_algebra_build(const wrc_algebra *a, uint64_t best, wrc_array *out)
{
    if (a == NULL || a->rows >= best || wrc_count_times(a->rows, a->columns) > WRC_CELL_LIMIT)
        return false;
    *out = (wrc_array){ .columns = a->columns, .room = a->rows };
    out->cells = malloc(a->rows * a->columns * sizeof *out->cells);
    bool built = out->cells != NULL && wrc_algebra_stream(a, take_into, out);
    if (!built)
        wrc_array_free(out);
    return built;
}
