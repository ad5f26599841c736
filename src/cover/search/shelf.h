/* cover/search/shelf.h: rows that have room, found by their cells.
 *
 * There is a set of rows for each column and level, 64 rows a word. The rows that have, or could
 * take, the cells of a tuple are the words of these cells and-ed. A slot is a row's place on the
 * shelf.
 */
#ifndef WRC_COVER_SEARCH_SHELF_H
#define WRC_COVER_SEARCH_SHELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block holds 64 rows: a word for each level of each column and one for "open". If a column
 * has very many levels, several share a word, so a row that is found is to be looked at. */
typedef struct wrc_shelf {
    uint32_t  columns;
    uint32_t *first; /* where a column's words start in a block */
    uint32_t  width;
    uint64_t *words;
    uint64_t *tops;   /* the same words for 64 blocks each: which blocks have such a row at all */
    uint64_t  blocks; /* that there is memory for */
    uint64_t *rows;   /* by slot: the row's number outside */
    uint64_t  count;
    uint32_t *barred; /* words of cells that are not wanted */
    size_t    barred_count, barred_room;
} wrc_shelf;

/* A tuple, as its columns and their levels. */
typedef struct wrc_cells {
    const uint32_t *columns, *levels;
    uint32_t        count;
} wrc_cells;

/* False: no memory. */
bool wrc_shelf_open(wrc_shelf *shelf, uint32_t columns, const uint32_t *levels);
void wrc_shelf_close(wrc_shelf *shelf);

/* Puts a row on the shelf; only its cells in the columns marked in `which` can be asked for.
 * False: no memory. To empty the shelf, set its count to 0. */
bool wrc_shelf_put(wrc_shelf *shelf, uint64_t row, const uint32_t *cells, const uint8_t *which);
/* The row in a slot, which had room for these cells, has them now. */
void wrc_shelf_fill(wrc_shelf *shelf, uint64_t slot, wrc_cells tuple);

/* Rows with this cell have no room, whatever else they have, until nothing is barred. If the
 * column is too wide, or there is no memory for it, they are still found. */
void wrc_shelf_bar(wrc_shelf *shelf, uint32_t column, uint32_t level);
void wrc_shelf_unbar(wrc_shelf *shelf);

/* The first slot from this one on whose row has the cells or, with `room`, has them or is open
 * there; UINT64_MAX: none. */
uint64_t wrc_shelf_find(const wrc_shelf *shelf, uint64_t from, wrc_cells tuple, bool room);

#endif
