/* cover/algebra/array.h: rows of cells, held in memory or handed out one at a time. */
#ifndef WRC_COVER_ALGEBRA_ARRAY_H
#define WRC_COVER_ALGEBRA_ARRAY_H

#include "cover/model/model.h"

#define WRC_CELL_LIMIT (UINT64_C(1) << 28) /* no array with more cells is held */

/* Rows by rows of `columns` cells; WRC_ANY is a don't-care until the array is finished. */
typedef struct wrc_array {
    uint32_t  columns;
    uint64_t  rows, room;
    uint32_t *cells;
} wrc_array;

bool wrc_array_add(wrc_array *array, const uint32_t *row); /* false: no memory */
void wrc_array_free(wrc_array *array);

/* Takes one row. False: that was enough. */
typedef bool wrc_row_taker(void *state, const uint32_t *row);

#endif
