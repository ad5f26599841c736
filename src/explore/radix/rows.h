/* explore/radix/rows.h: the rows of Functional Radix Coverage: covering arrays of constructor
 * paths.
 *
 * Each place of a path is a parameter, and its constructor the value. In an array of strength T,
 * any T places have every combination of constructors in some row. A type has many constructors,
 * so each place is split into digits of base 3. Then T counts digits, and the digits of one place
 * have all their combinations besides. Where a property has named draws besides trees, there is a
 * second array, in which each of these is a parameter with the levels that `combine` gives it. In
 * the rows of the first one these draws are walked through.
 */
#ifndef WRI_EXPLORE_RADIX_ROWS_H
#define WRI_EXPLORE_RADIX_ROWS_H

#include "data/path.h"
#include "explore/combine/goals.h"

/* So many draws beside the trees. */
#define WRI_RADIX_COLUMNS 24

/* The trees of a property, and its named draws. */
typedef struct wri_radix_shape {
    uint32_t   trees;
    uint8_t    forms[WRI_PATH_TREES]; /* constructors, at most 64 */
    uint64_t   ends[WRI_PATH_TREES];  /* the tags of those that end a path */
    uint32_t   columns;
    wri_column column[WRI_RADIX_COLUMNS];
} wri_radix_shape;

typedef struct wri_radix_row {
    wri_paths paths;                     /* each place of a path beyond its end is 0 */
    uint8_t   levels[WRI_RADIX_COLUMNS]; /* of the draws; WRI_ABSENT: any */
} wri_radix_row;

typedef struct wri_radix_rows {
    wri_radix_row *rows;
    size_t         count, room;
    unsigned       strength, fineness; /* as they came to be */
} wri_radix_rows;

/* Makes the rows of one configuration. A row that stands for the same cases as an earlier one is
 * left out. The seed decides on the sequence. False: out of memory. */
bool wri_radix_rows_make(wri_radix_rows *rows, const wri_radix_shape *shape, unsigned strength,
                         unsigned fineness, uint64_t seed);
void wri_radix_rows_free(wri_radix_rows *rows);

#endif
