/* cover/algebra/algebra.c: which direct construction is used for a goal, and its rows.
 *
 * Either an orthogonal array that knows how many levels each column has, which is streamed, or an
 * array of one of the families for as many levels as the widest column has: what stands for no
 * level of a narrower column is a don't-care, and a row of don't-cares is left out.
 */
#include "cover/algebra/algebra.h"

#include "cover/algebra/orthogonal.h"

#include <stdlib.h>
#include <string.h>

/* No array with more cells is held. */
#define CELL_LIMIT (UINT64_C(1) << 28)

/* A uniform array is checked while that takes no more steps than so many. */
#define CHECK_LIMIT (UINT64_C(1) << 25)

/* ---- Uniform arrays ---- */

/* Far more columns than levels are nothing for one orthogonal array. */
static void plan_orthogonal(wrc_plan *p)
{
    if (p->columns > 4 * p->levels + 8)
        return;
    uint32_t      *levels = malloc(p->columns * sizeof *levels);
    wrc_orthogonal array = { 0 };
    for (uint32_t i = 0; levels != NULL && i < p->columns; i++)
        levels[i] = p->levels;
    if (levels != NULL && wrc_orthogonal_open(&array, p->strength, p->columns, levels))
        p->rows = array.rows;
    wrc_orthogonal_close(&array);
    free(levels);
}

typedef struct writer {
    uint32_t *at;
    uint32_t  columns;
} writer;

static bool write_row(void *state, const uint32_t *row)
{
    writer *w = state;
    memcpy(w->at, row, w->columns * sizeof *row);
    w->at += w->columns;
    return true;
}

static bool build_orthogonal(const wrc_plan *p, uint32_t *cells)
{
    uint32_t      *levels = malloc(p->columns * sizeof *levels);
    wrc_orthogonal array = { 0 };
    for (uint32_t i = 0; levels != NULL && i < p->columns; i++)
        levels[i] = p->levels;
    writer w = { cells, p->columns };
    bool built = levels != NULL && wrc_orthogonal_open(&array, p->strength, p->columns, levels) &&
                 wrc_orthogonal_rows(&array, write_row, &w);
    wrc_orthogonal_close(&array);
    free(levels);
    return built;
}

const wrc_family wrc_family_orthogonal = { "orthogonal array", plan_orthogonal,
                                           build_orthogonal };

/* Those that are made of others come last. */
static const wrc_family *const families[] = {
    &wrc_family_orthogonal, &wrc_family_sperner, &wrc_family_hash,
    &wrc_family_starter,    &wrc_family_affine,  &wrc_family_paley,
    &wrc_family_octacode,   &wrc_family_product, &wrc_family_doubling,
};
#define FAMILIES (sizeof families / sizeof *families)
#define SIMPLE_FAMILIES (FAMILIES - 2)

static wrc_plan best_of(size_t count, uint32_t strength, uint32_t columns, uint32_t levels)
{
    wrc_plan best = { .rows = UINT64_MAX };
    for (size_t i = 0; i < count; i++) {
        wrc_plan plan = { .family = families[i],
                          .strength = strength,
                          .columns = columns,
                          .levels = levels,
                          .rows = UINT64_MAX };
        families[i]->plan(&plan);
        if (plan.rows < best.rows)
            best = plan;
    }
    return best;
}

wrc_plan wrc_plan_best(uint32_t strength, uint32_t columns, uint32_t levels)
{
    return best_of(FAMILIES, strength, columns, levels);
}

wrc_plan wrc_plan_simple(uint32_t strength, uint32_t columns, uint32_t levels)
{
    return best_of(SIMPLE_FAMILIES, strength, columns, levels);
}

/* Ticks off what the rows show in some columns; returns whether that is everything. */
static bool shows_all(const wrc_plan *p, const uint32_t *cells, const uint32_t *set,
                      uint8_t *seen)
{
    uint64_t open = wrc_orthogonal_power(p->levels, p->strength);
    memset(seen, 0, open);
    for (uint64_t row = 0; row < p->rows && open > 0; row++) {
        uint64_t tuple = 0;
        bool     cared = true;
        for (uint32_t i = 0; i < p->strength; i++) {
            uint32_t cell = cells[row * p->columns + set[i]];
            cared = cared && cell < p->levels;
            tuple = tuple * p->levels + cell;
        }
        if (cared && !seen[tuple]) {
            seen[tuple] = 1;
            open--;
        }
    }
    return open == 0;
}

static bool covers_all(const wrc_plan *p, const uint32_t *cells)
{
    uint32_t *set = malloc(p->strength * sizeof *set);
    uint8_t  *seen = malloc(wrc_orthogonal_power(p->levels, p->strength));
    bool      all = set != NULL && seen != NULL;
    for (uint32_t i = 0; all && i < p->strength; i++)
        set[i] = i;
    if (all)
        do
            all = shows_all(p, cells, set, seen);
        while (all && wrc_next_set(set, p->strength, p->columns));
    free(set);
    free(seen);
    return all;
}

static uint64_t steps_to_check(const wrc_plan *p)
{
    uint64_t sets = 1;
    for (uint32_t i = 0; i < p->strength && sets < CHECK_LIMIT; i++)
        sets = sets * (p->columns - i) / (i + 1);
    return wrc_orthogonal_times(sets, wrc_orthogonal_times(p->rows, p->strength));
}

uint32_t *wrc_plan_cells(const wrc_plan *plan)
{
    if (plan->rows == UINT64_MAX || wrc_orthogonal_times(plan->rows, plan->columns) > CELL_LIMIT)
        return NULL;
    uint32_t *cells = malloc(plan->rows * plan->columns * sizeof *cells);
    if (cells != NULL && plan->family->build(plan, cells) &&
        (plan->strength > plan->columns || steps_to_check(plan) > CHECK_LIMIT ||
         covers_all(plan, cells)))
        return cells;
    free(cells);
    return NULL;
}

/* ---- Goals ---- */

/* What a goal asks for, without columns that no relation names or that have one level. */
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
        fixed = fixed || goal->fixed[i] != WRC_ANY;
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

typedef struct choice {
    shape          shape;
    wrc_orthogonal orthogonal; /* used where plan.family is NULL */
    wrc_plan       plan;
    uint64_t       rows; /* UINT64_MAX: none */
    const char    *name;
} choice;

static void choose(choice *c, const wrc_goal *goal)
{
    memset(c, 0, sizeof *c);
    c->rows = UINT64_MAX;
    if (!shape_open(&c->shape, goal))
        return;
    const shape *s = &c->shape;
    if (wrc_orthogonal_open(&c->orthogonal, s->strength, s->columns, s->levels)) {
        c->rows = c->orthogonal.rows;
        c->name = wrc_family_orthogonal.name;
    }
    wrc_plan plan = wrc_plan_best(s->strength, s->columns, s->widest);
    if (plan.rows < c->rows) {
        c->plan = plan;
        c->rows = plan.rows;
        c->name = plan.family->name;
    }
}

static void choice_close(choice *c)
{
    shape_close(&c->shape);
    wrc_orthogonal_close(&c->orthogonal);
}

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

static bool hand_out(const choice *c, spread *to)
{
    if (c->plan.family == NULL)
        return wrc_orthogonal_rows(&c->orthogonal, take_spread, to);
    uint32_t *cells = wrc_plan_cells(&c->plan);
    for (uint64_t row = 0; cells != NULL && row < c->plan.rows; row++)
        if (!take_spread(to, cells + row * c->plan.columns))
            break;
    free(cells);
    return cells != NULL;
}

static bool stream(const choice *c, const wrc_goal *goal, wrc_row_taker *take, void *state)
{
    spread to = { &c->shape, malloc(goal->columns * sizeof *to.row), take, state };
    for (uint32_t i = 0; to.row != NULL && i < goal->columns; i++)
        to.row[i] = goal->levels[i] == 1 ? 0 : WRC_ANY;
    bool done = to.row != NULL && hand_out(c, &to);
    free(to.row);
    return done;
}

uint64_t wrc_algebra_rows(const wrc_goal *goal)
{
    choice c;
    choose(&c, goal);
    choice_close(&c);
    return c.rows;
}

const char *wrc_algebra_name(const wrc_goal *goal)
{
    choice c;
    choose(&c, goal);
    choice_close(&c);
    return c.name;
}

bool wrc_algebra_stream(const wrc_goal *goal, wrc_row_taker *take, void *state)
{
    choice c;
    choose(&c, goal);
    bool done = c.rows != UINT64_MAX && stream(&c, goal, take, state);
    choice_close(&c);
    return done;
}

static bool take_into(void *state, const uint32_t *row)
{
    wrc_array *out = state;
    memcpy(out->cells + out->rows++ * out->columns, row, out->columns * sizeof *row);
    return true;
}

bool wrc_algebra_build(const wrc_goal *goal, uint64_t best, wrc_array *out)
{
    choice c;
    choose(&c, goal);
    bool built = c.rows < best && wrc_orthogonal_times(c.rows, goal->columns) <= CELL_LIMIT;
    if (built) {
        *out = (wrc_array){ .columns = goal->columns, .room = c.rows };
        out->cells = malloc(c.rows * goal->columns * sizeof *out->cells);
        built = out->cells != NULL && stream(&c, goal, take_into, out);
    }
    choice_close(&c);
    if (!built && out->cells != NULL) {
        free(out->cells);
        *out = (wrc_array){ 0 };
    }
    return built;
}
