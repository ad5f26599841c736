/* cover/algebra/paley.c: two levels, from squares.
 *
 * The cell says whether the difference of row and column is a square modulo a prime. That behaves
 * like a coin: t columns show every pattern once the prime is large enough. The array with its
 * complement below does so earlier, and has one more column that tells the halves apart. The
 * primes in the table were tried out one after the other.
 */
#include "cover/algebra/family.h"

#include <stdlib.h>

typedef struct paley {
    uint8_t  strength;
    uint16_t prime;
    bool     doubled;
    uint8_t  ones;     /* a row of ones below */
    uint8_t  diagonal; /* whether 0 counts as a square */
} paley;

static const paley table[] = {
    { 3, 11, false, 1, 0 },  { 3, 17, false, 1, 0 },  { 3, 19, false, 0, 0 },
    { 3, 23, false, 0, 0 },  { 3, 29, false, 0, 0 },  { 3, 31, false, 0, 0 },
    { 4, 23, true, 0, 0 },   { 4, 29, true, 0, 0 },   { 4, 31, true, 0, 0 },
    { 4, 67, false, 0, 0 },  { 4, 71, false, 0, 0 },  { 4, 79, false, 0, 0 },
    { 4, 83, false, 0, 0 },  { 4, 89, false, 0, 0 },  { 4, 97, false, 0, 0 },
    { 4, 101, false, 0, 0 }, { 4, 107, false, 0, 0 }, { 4, 109, false, 0, 0 },
    { 4, 113, false, 0, 0 }, { 4, 127, false, 0, 0 }, { 4, 149, false, 0, 0 },
    { 4, 173, false, 0, 0 }, { 4, 199, false, 0, 0 }, { 4, 251, false, 0, 0 },
    { 5, 89, true, 0, 0 },   { 5, 97, true, 0, 0 },   { 5, 101, true, 0, 0 },
    { 5, 107, true, 0, 0 },  { 5, 109, true, 0, 0 },  { 5, 113, true, 0, 0 },
    { 5, 127, true, 0, 0 },
};

#define ENTRIES (sizeof table / sizeof *table)

static uint32_t rows_of(const paley *entry)
{
    return entry->prime * (entry->doubled ? 2U : 1U) + entry->ones;
}

static void plan(wrc_plan *p)
{
    for (uint32_t i = 0; p->levels == 2 && i < ENTRIES; i++) {
        if (table[i].strength != p->strength || rows_of(&table[i]) >= p->rows ||
            table[i].prime + (table[i].doubled ? 1U : 0U) < p->columns)
            continue;
        p->rows = rows_of(&table[i]);
        p->entry = i;
    }
}

static void write_row(const paley *entry, const bool *square, uint32_t row, uint32_t columns,
                      uint32_t *cells)
{
    uint32_t prime = entry->prime, half = row / prime;
    for (uint32_t column = 0; column < columns; column++) {
        bool one = column < prime && square[(row % prime + prime - column) % prime];
        if (row == rows_of(entry) - entry->ones)
            one = true;
        else if (half == 1)
            one = !one;
        cells[column] = one;
    }
}

static bool build(const wrc_plan *p, uint32_t *cells)
{
    const paley *entry = &table[p->entry];
    bool        *square = calloc(entry->prime, sizeof *square);
    if (square == NULL)
        return false;
    for (uint32_t i = 0; i < entry->prime; i++)
        square[i * i % entry->prime] = true;
    square[0] = entry->diagonal;
    for (uint32_t row = 0; row < p->rows; row++)
        write_row(entry, square, row, p->columns, cells + (size_t)row * p->columns);
    free(square);
    return true;
}

const wrc_family wrc_family_paley = { "squares modulo a prime", plan, build };
