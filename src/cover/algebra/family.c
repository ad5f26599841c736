/* cover/algebra/family.c: the table of families, and the best plan among them.
 *
 * An array is checked after it was built, unless that takes long: a mistake in a family's table
 * then costs a construction, not a wrong array.
 */
#include "cover/algebra/family.h"

#include "cover/algebra/count.h"
#include "cover/algebra/orthogonal.h"

#include <stdlib.h>
#include <string.h>

/* A uniform array is checked while that takes no more steps than so many. */
#define CHECK_LIMIT (UINT64_C(1) << 25)

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
    &wrc_family_orthogonal, &wrc_family_sperner,  &wrc_family_hash,     &wrc_family_starter,
    &wrc_family_affine,     &wrc_family_paley,    &wrc_family_octacode, &wrc_family_found,
    &wrc_family_product,    &wrc_family_doubling,
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
    uint64_t open = wrc_count_power(p->levels, p->strength);
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
    uint8_t  *seen = malloc(wrc_count_power(p->levels, p->strength));
    bool      all = set != NULL && seen != NULL;
    for (uint32_t i = 0; all && i < p->strength; i++)
        set[i] = i;
    if (all)
        do
            all = shows_all(p, cells, set, seen);
        while (all && wrc_count_next_set(set, p->strength, p->columns));
    free(set);
    free(seen);
    return all;
}

static uint64_t steps_to_check(const wrc_plan *p)
{
    return wrc_count_times(wrc_count_choose(p->columns, p->strength),
                           wrc_count_times(p->rows, p->strength));
}

uint32_t *wrc_plan_cells(const wrc_plan *plan)
{
    if (plan->rows == UINT64_MAX || wrc_count_times(plan->rows, plan->columns) > WRC_CELL_LIMIT)
        return NULL;
    uint32_t *cells = malloc(plan->rows * plan->columns * sizeof *cells);
    if (cells != NULL && plan->family->build(plan, cells) &&
        (plan->strength > plan->columns || steps_to_check(plan) > CHECK_LIMIT ||
         covers_all(plan, cells)))
        return cells;
    free(cells);
    return NULL;
}
