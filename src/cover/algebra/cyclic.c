/* cover/algebra/cyclic.c: pairs, from starter rows that are shifted round.
 *
 * The columns lie in circles of the same length, and a few starter rows are turned in all circles
 * at once. With every turn the first levels may be turned among themselves, too, while the others
 * stay (Meagher and Stevens). The tuples of two columns depend only on how far apart the columns
 * are, so a search has little to look at. Constant rows of the last levels may lie below.
 * Simulated annealing found the starters.
 */
#include "cover/algebra/family.h"

typedef struct starter {
    uint8_t     levels, turned; /* of the levels, so many are turned: 1 is none */
    uint8_t     length;         /* of a circle */
    uint8_t     rows, circles, constants;
    const char *cells; /* row by row, circle by circle; 0..9, a.. */
} starter;

static const starter table[] = {
#include "cover/algebra/cyclic.inc"
};

#define ENTRIES (sizeof table / sizeof *table)

static uint32_t rows_of(const starter *s)
{
    return (uint32_t)s->rows * s->length * s->turned + s->constants;
}

static void plan(wrc_plan *p)
{
    for (uint32_t i = 0; p->strength == 2 && i < ENTRIES; i++) {
        if (table[i].levels < p->levels || rows_of(&table[i]) >= p->rows ||
            (uint32_t)table[i].length * table[i].circles < p->columns)
            continue;
        p->rows = rows_of(&table[i]);
        p->entry = i;
    }
}

static uint32_t start(const starter *s, uint32_t row, uint32_t circle, uint32_t at)
{
    char letter = s->cells[(row * s->circles + circle) * s->length + at];
    return (uint32_t)(letter <= '9' ? letter - '0' : letter - 'a' + 10);
}

static bool build(const wrc_plan *p, uint32_t *cells)
{
    const starter *s = &table[p->entry];
    for (uint32_t row = 0; row < p->rows - s->constants; row++) {
        uint32_t turn = row % s->turned, shift = row / s->turned % s->length;
        uint32_t from = row / s->turned / s->length;
        for (uint32_t column = 0; column < p->columns; column++) {
            uint32_t at = (column + s->length - shift) % s->length;
            uint32_t level = start(s, from, column / s->length, at);
            *cells++ = level < s->turned ? (level + turn) % s->turned : level;
        }
    }
    for (uint32_t i = 0; i < s->constants * p->columns; i++)
        *cells++ = s->levels - 1 - i / p->columns;
    return true;
}

const wrc_family wrc_family_starter = { "starter", plan, build };
