/* cover/algebra/affine.c: triples, from starter rows that all affine maps move.
 *
 * A starter row over GF(v) stands for v (v - 1) rows: its images under x -> s x + u, s not 0.
 * Constant rows lie below. The maps take three cells that are not all equal to every triple of
 * the same kind. There are v + 1 kinds: the first two cells are moved to 0 and 1, and the place
 * of the third tells the kind. So the starters have to show every kind in every three columns.
 * That is a small array, which simulated annealing found.
 */
#include "cover/algebra/family.h"

#include "cover/algebra/field.h"

typedef struct affine {
    uint8_t     levels, rows, columns;
    const char *cells; /* row by row; 0..9, a.. */
} affine;

static const affine table[] = {
#include "cover/algebra/affine.inc"
};

#define ENTRIES (sizeof table / sizeof *table)

static uint32_t rows_of(const affine *a)
{
    return (uint32_t)a->rows * a->levels * (a->levels - 1U) + a->levels;
}

static void plan(wrc_plan *p)
{
    for (uint32_t i = 0; p->strength == 3 && i < ENTRIES; i++) {
        if (table[i].levels < p->levels || rows_of(&table[i]) >= p->rows ||
            table[i].columns < p->columns)
            continue;
        p->rows = rows_of(&table[i]);
        p->entry = i;
    }
}

static uint32_t *move_row(const wrc_field *field, const char *start, uint32_t columns,
                          uint32_t *cells)
{
    for (uint32_t scale = 1; scale < field->size; scale++)
        for (uint32_t shift = 0; shift < field->size; shift++)
            for (uint32_t column = 0; column < columns; column++) {
                char     letter = start[column];
                uint32_t level = (uint32_t)(letter <= '9' ? letter - '0' : letter - 'a' + 10);
                *cells++ = wrc_field_sum(field, wrc_field_product(field, scale, level), shift);
            }
    return cells;
}

static bool build(const wrc_plan *p, uint32_t *cells)
{
    const affine *a = &table[p->entry];
    wrc_field     field;
    if (!wrc_field_open(&field, a->levels))
        return false;
    for (uint32_t row = 0; row < a->rows; row++)
        cells = move_row(&field, a->cells + row * a->columns, p->columns, cells);
    for (uint32_t i = 0; i < a->levels * p->columns; i++)
        *cells++ = i / p->columns;
    wrc_field_close(&field);
    return true;
}

const wrc_family wrc_family_affine = { "affine starter", plan, build };
