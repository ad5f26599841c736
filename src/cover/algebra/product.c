/* cover/algebra/product.c: arrays made of smaller ones.
 *
 * Pairs, of a * b columns: an array of a columns lies above, each column written b times. An
 * array of b columns lies below, written a times. Two copies of a column agree in the upper part,
 * so the lower part need not cover equal levels. Lines over a field that are not constant are
 * such an array. Any other array becomes one: its first row is renamed to be constant, and left
 * out.
 *
 * Triples, of twice the columns (Roux; Chateauneuf and Kreher): an array stands beside itself.
 * Below it, for each difference that two copies of a column can have, an array for pairs stands
 * beside its shifted copy.
 */
#include "cover/algebra/family.h"

#include "cover/algebra/field.h"

#include <stdlib.h>

/* The second factor is searched up to so many columns. */
#define FACTOR_LIMIT 64

static uint32_t divided(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

/* The rows of a second factor: unequal pairs only. */
static uint64_t unequal_rows(uint32_t columns, uint32_t levels, uint32_t field)
{
    if (columns <= field)
        return (uint64_t)field * field - field;
    uint64_t rows = wrc_plan_simple(2, columns, levels).rows;
    return rows == UINT64_MAX ? rows : rows - 1;
}

static void plan_product(wrc_plan *p)
{
    if (p->strength != 2 || p->columns < 4)
        return;
    uint32_t field = wrc_field_next_order(p->levels);
    uint32_t most = p->columns / 2 < FACTOR_LIMIT ? p->columns / 2 : FACTOR_LIMIT;
    uint64_t next = unequal_rows(most + 1, p->levels, field);
    for (uint32_t second = most; second >= 2; second--) {
        uint64_t lower = unequal_rows(second, p->levels, field);
        bool     wider_is_as_good = lower == next && second < most;
        next = lower;
        if (wider_is_as_good || lower >= p->rows)
            continue;
        uint32_t first = divided(p->columns, second);
        wrc_plan upper = second == field ? wrc_plan_best(2, first, p->levels)
                                         : wrc_plan_simple(2, first, p->levels);
        if (upper.rows < p->rows - lower) {
            p->rows = upper.rows + lower;
            p->parts[0] = first;
            p->parts[1] = second;
            p->entry = second == field;
        }
    }
}

/* The lines u + s * x with s != 0, one row each. */
static uint32_t *unequal_lines(uint32_t columns, uint32_t size)
{
    wrc_field field;
    if (!wrc_field_open(&field, size))
        return NULL;
    uint32_t *cells = malloc((size_t)size * (size - 1) * columns * sizeof *cells), *at = cells;
    for (uint32_t slope = 1; cells != NULL && slope < size; slope++)
        for (uint32_t start = 0; start < size; start++)
            for (uint32_t x = 0; x < columns; x++)
                *at++ = wrc_field_sum(&field, start, wrc_field_product(&field, slope, x));
    wrc_field_close(&field);
    return cells;
}

/* Renames the levels of every column so that the first row is zeros, and moves it out. */
static uint32_t *without_first(uint32_t *cells, uint64_t rows, uint32_t columns)
{
    for (uint32_t column = 0; cells != NULL && column < columns; column++) {
        uint32_t zero = cells[column] == WRC_ANY ? 0 : cells[column];
        for (uint64_t row = 1; row < rows; row++) {
            uint32_t cell = cells[row * columns + column];
            cells[(row - 1) * columns + column] = cell == zero ? 0 : cell == 0 ? zero : cell;
        }
    }
    return cells;
}

static uint32_t *unequal_cells(uint32_t columns, uint32_t levels)
{
    uint32_t field = wrc_field_next_order(levels);
    if (columns <= field)
        return unequal_lines(columns, field);
    wrc_plan plan = wrc_plan_simple(2, columns, levels);
    return without_first(wrc_plan_cells(&plan), plan.rows, columns);
}

static bool build_product(const wrc_plan *p, uint32_t *cells)
{
    wrc_plan  first = p->entry != 0 ? wrc_plan_best(2, p->parts[0], p->levels)
                                    : wrc_plan_simple(2, p->parts[0], p->levels);
    uint32_t *upper = wrc_plan_cells(&first), *lower = unequal_cells(p->parts[1], p->levels);
    bool      built = upper != NULL && lower != NULL;
    for (uint64_t row = 0; built && row < p->rows; row++)
        for (uint32_t column = 0; column < p->columns; column++)
            *cells++ = row < first.rows
                           ? upper[row * p->parts[0] + column / p->parts[1]]
                           : lower[(row - first.rows) * p->parts[1] + column % p->parts[1]];
    free(upper);
    free(lower);
    return built;
}

static void plan_doubling(wrc_plan *p)
{
    if (p->strength != 3 || p->columns < 8)
        return;
    uint32_t half = divided(p->columns, 2);
    uint64_t pairs = wrc_plan_best(2, half, p->levels).rows;
    uint64_t triples = wrc_plan_best(3, half, p->levels).rows;
    if (pairs == UINT64_MAX || triples == UINT64_MAX)
        return;
    p->rows = triples + (p->levels - 1) * pairs;
    p->parts[0] = half;
}

static bool build_doubling(const wrc_plan *p, uint32_t *cells)
{
    uint32_t  half = p->parts[0];
    wrc_plan  two = wrc_plan_best(2, half, p->levels), three = wrc_plan_best(3, half, p->levels);
    uint32_t *pairs = wrc_plan_cells(&two), *triples = wrc_plan_cells(&three);
    bool      built = pairs != NULL && triples != NULL;
    for (uint64_t row = 0; built && row < p->rows; row++) {
        uint64_t        lower = row < three.rows ? 0 : row - three.rows;
        uint32_t        shift = row < three.rows ? 0 : (uint32_t)(lower / two.rows) + 1;
        const uint32_t *from =
            shift == 0 ? triples + row * half : pairs + lower % two.rows * half;
        for (uint32_t column = 0; column < p->columns; column++) {
            uint32_t cell = from[column % half];
            if (column >= half && cell < p->levels)
                cell = (cell + shift) % p->levels;
            *cells++ = cell;
        }
    }
    free(pairs);
    free(triples);
    return built;
}

const wrc_family wrc_family_product = { "product", plan_product, build_product };
const wrc_family wrc_family_doubling = { "doubling", plan_doubling, build_doubling };
