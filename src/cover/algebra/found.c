/* cover/algebra/found.c: arrays that a search found, written down as they are.
 *
 * They are few and small: with each of them, a search for fewer rows than the other families have
 * takes long before it gains the first.
 */
#include "cover/algebra/family.h"

typedef struct found {
    uint8_t     strength, levels, rows, columns;
    const char *cells; /* row by row */
} found;

static const found table[] = {
#include "cover/algebra/found.inc"
};

#define ENTRIES (sizeof table / sizeof *table)

static void plan(wrc_plan *p)
{
    for (uint32_t i = 0; i < ENTRIES; i++) {
        if (table[i].strength != p->strength || table[i].levels < p->levels ||
            table[i].columns < p->columns || table[i].rows >= p->rows)
            continue;
        p->rows = table[i].rows;
        p->entry = i;
    }
}

static bool build(const wrc_plan *p, uint32_t *cells)
{
    const found *from = &table[p->entry];
    for (uint32_t row = 0; row < from->rows; row++)
        for (uint32_t column = 0; column < p->columns; column++)
            *cells++ = (uint32_t)(from->cells[row * from->columns + column] - '0');
    return true;
}

const wrc_family wrc_family_found = { "found by search", plan, build };
