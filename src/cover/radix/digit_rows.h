/* cover/radix/digit_rows.h: rows over digits, in which no value comes twice before all came once.
 *
 * This is for models without constraints. A row is made parameter by parameter. Among the values
 * that have not been used yet, it takes the one whose digits cover most together with those
 * before it. When all is covered, the remaining values follow at random. The first rows are
 * random, too: then any value covers about as much.
 */
#ifndef WRC_COVER_RADIX_DIGIT_ROWS_H
#define WRC_COVER_RADIX_DIGIT_ROWS_H

#include "cover/algebra/array.h"
#include "cover/radix/layout.h"

typedef struct wrc_digit_rows {
    wrc_array  chosen; /* levels of whole parameters: until all is covered */
    uint64_t   rows;   /* with what is left of the values */
    uint32_t **left;   /* for each parameter, the values not yet used */
    uint32_t  *left_count;
    uint64_t   random;
    wrc_blocks blocks;
} wrc_digit_rows;

/* The rows that the relations of the model, read over digits, need; with `local` every value of
 * every split parameter. False: at least `limit` rows, too much to hold, or no memory. */
bool wrc_digit_rows_open(wrc_digit_rows *rows, const wrc_layout *layout, const wrc_model *model,
                         bool local, uint64_t seed, uint64_t limit);
void wrc_digit_rows_close(wrc_digit_rows *rows);

bool wrc_digit_rows_stream(const wrc_digit_rows *rows, const wrc_layout *layout,
                           wrc_row_taker *take, void *state); /* false: no memory */

#endif
