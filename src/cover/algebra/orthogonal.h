/* cover/algebra/orthogonal.h: orthogonal arrays, row by row, also for columns of different width.
 *
 * Bush's arrays: a row is a polynomial of degree below t, a column the point where it is looked
 * at, and t values determine the polynomial. Over a ring that is a product of fields the points
 * are as many as the smallest field has elements, and "at infinity" is one more.
 *
 * The polynomial is given by its values at the first t points, where the t widest columns are.
 * All other columns depend on these values modulo the size of the ring only. So the widest
 * columns may have any number of levels above it. If the ring is no larger than the narrowest of
 * the t, the rows are as many as their combinations: the fewest possible.
 *
 * The places where a polynomial is looked at are called slots. A slot carries one wide column, or
 * several narrow ones as the digits of its symbol. A symbol that stands for no levels leaves
 * don't-cares. Nothing is held but one block of rows.
 */
#ifndef WRC_COVER_ALGEBRA_ORTHOGONAL_H
#define WRC_COVER_ALGEBRA_ORTHOGONAL_H

#include "cover/algebra/array.h"

/* Which symbol a column reads, and how: symbol / weight % levels, for symbols below `used`. */
typedef struct wrc_slot_use {
    uint32_t slot, weight, levels, used;
} wrc_slot_use;

typedef struct wrc_orthogonal {
    uint32_t      strength, columns;
    uint32_t      ring;   /* how many elements the ring has */
    bool          sum;    /* not polynomials: one slot more, the sum of the others modulo ring */
    uint32_t      slots;  /* the first `strength` of them are given, the others computed */
    uint32_t     *ranges; /* how many symbols each of the given ones has */
    wrc_slot_use *uses;   /* for each column */
    uint64_t      rows;   /* saturated */
} wrc_orthogonal;

/* The smallest array of this kind for these columns; false: none below 2^63 rows, or no memory.
 */
bool wrc_orthogonal_open(wrc_orthogonal *array, uint32_t strength, uint32_t columns,
                         const uint32_t *levels);
void wrc_orthogonal_close(wrc_orthogonal *array);

/* Columns, the widest first; those of the same width in their order. */
void wrc_orthogonal_by_width(uint32_t columns, const uint32_t *levels, uint32_t *order);

/* All rows, one after the other; false: no memory. */
bool wrc_orthogonal_rows(const wrc_orthogonal *array, wrc_row_taker *take, void *state);

#endif
