/* cover/orthogonal.h: orthogonal arrays, row by row.
 *
 * Bush's arrays: a row is a polynomial of degree below t, a column the point where it is looked
 * at, and t values determine the polynomial. Over a ring that is a product of fields the points
 * are as many as the smallest field has elements, and "at infinity" is one more. With t + 1
 * columns the last is the sum of the others, over any numbers of levels.
 *
 * The places where a polynomial is looked at are called slots: a slot carries one wide column, or
 * several narrow ones as the digits of its symbol. A symbol that stands for no levels leaves
 * don't-cares. Nothing is held but one block of rows.
 */
#ifndef WRI_COVER_ORTHOGONAL_H
#define WRI_COVER_ORTHOGONAL_H

#include "cover/build.h"

/* Which symbol a column reads, and how: symbol / weight % levels, for symbols below `used`. */
typedef struct wri_slot_use {
    uint32_t slot, weight, levels, used;
} wri_slot_use;

typedef struct wri_orthogonal {
    uint32_t strength, columns;
    uint32_t ring;     /* how many elements the ring has; 0: a sum, not polynomials */
    uint32_t slots;
    uint32_t top;      /* how many values the coefficient at infinity takes: no fewer than ring */
    uint32_t *ranges;  /* of a sum: how many values each of its terms takes, then the sum */
    wri_slot_use *uses; /* for each column */
    uint64_t rows;     /* saturated */
} wri_orthogonal;

/* The smallest array of this kind for these columns; false: none below 2^63 rows, or no memory. */
bool wri_orthogonal_open(wri_orthogonal *array, uint32_t strength, uint32_t columns,
                         const uint32_t *levels);
void wri_orthogonal_close(wri_orthogonal *array);

/* All rows, one after the other; false: no memory. */
bool wri_orthogonal_rows(const wri_orthogonal *array, wri_row_taker *take, void *state);

/* a * b and a^n, or UINT64_MAX where that is too large. */
uint64_t wri_times(uint64_t a, uint64_t b);
uint64_t wri_power(uint64_t a, uint32_t n);

#endif
