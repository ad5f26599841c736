/* cover/shelf.h: rows that have room, found by what they have.
 *
 * Sets of rows by column and level, 64 rows a word: the rows that have, or could take, the cells
 * of a tuple are the words of these cells and-ed. A slot is a row's place on the shelf.
 */
#ifndef WRI_COVER_SHELF_H
#define WRI_COVER_SHELF_H

#include <stdbool.h>
#include <stdint.h>

/* A block holds 64 rows: a word for each level of each column and one for "open". Where a column
 * has very many levels several share a word, so what is found is to be looked at. */
typedef struct wri_shelf {
    uint32_t  columns;
    uint32_t *first; /* where a column's words start in a block */
    uint32_t  width;
    uint64_t *words;
    uint64_t *tops;   /* the same words for 64 blocks each: which blocks have such a row at all */
    uint64_t  blocks; /* that there is memory for */
    uint64_t *rows;   /* by slot: the row's number outside */
    uint64_t  count;
    uint32_t *barred; /* words of cells that are not wanted */
    uint32_t  barred_count, barred_room;
} wri_shelf;

/* A tuple, as its columns and their levels. */
typedef struct wri_cells {
    const uint32_t *columns, *levels;
    uint32_t        count;
} wri_cells;

/* False: no memory. */
bool wri_shelf_open(wri_shelf *shelf, uint32_t columns, const uint32_t *levels);
void wri_shelf_close(wri_shelf *shelf);

/* Puts a row on the shelf; only its cells in the columns marked in `which` can be asked for.
 * False: no memory. To empty the shelf, set its count to 0. */
bool wri_shelf_put(wri_shelf *shelf, uint64_t row, const uint32_t *cells, const uint8_t *which);
/* The row in a slot, which had room for these cells, has them now. */
void wri_shelf_fill(wri_shelf *shelf, uint64_t slot, wri_cells tuple);

/* Rows with this cell have no room, whatever else they have, until nothing is barred. Where the column
 * is too wide, or there is no memory for it, they are still found. */
void wri_shelf_bar(wri_shelf *shelf, uint32_t column, uint32_t level);
void wri_shelf_unbar(wri_shelf *shelf);

/* The first slot from this one on whose row has the cells or, with `room`, has them or is open
 * there; UINT64_MAX: none. */
uint64_t wri_shelf_find(const wri_shelf *shelf, uint64_t from, wri_cells tuple, bool room);

#endif
