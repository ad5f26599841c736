/* cover/algebra/sperner.c: pairs of two levels.
 *
 * These arrays are the smallest there are (Kleitman and Spencer, Katona). There is a row of
 * zeros. The columns are different sets of the other rows, all of the same size and more than
 * half of them. So two columns meet, and each has a row that the other has not. The number of
 * such sets bounds the columns.
 */
#include "cover/algebra/family.h"

#include "cover/algebra/count.h"

uint32_t wrc_sperner_rows(uint64_t columns)
{
    uint32_t rows = 4;
    while (wrc_count_choose(rows - 1, (rows + 1) / 2) < columns)
        rows++;
    return rows;
}

static void plan(wrc_plan *p)
{
    if (p->strength == 2 && p->levels == 2)
        p->rows = wrc_sperner_rows(p->columns);
}

/* The sets of a size are the numbers with so many bits, in rising order. */
static uint64_t next_set(uint64_t set)
{
    uint64_t lowest = set & -set, ripple = set + lowest;
    return ripple | (((ripple ^ set) / lowest) >> 2);
}

static bool build(const wrc_plan *p, uint32_t *cells)
{
    uint32_t rows = (uint32_t)p->rows;
    uint64_t set = (UINT64_C(1) << ((rows + 1) / 2)) - 1;
    for (uint32_t column = 0; column < p->columns; column++, set = next_set(set)) {
        cells[column] = 0;
        for (uint32_t row = 1; row < rows; row++)
            cells[(size_t)row * p->columns + column] = set >> (row - 1) & 1;
    }
    return true;
}

const wrc_family wrc_family_sperner = { "Sperner sets", plan, build };
