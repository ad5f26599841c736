/* cover/search/tally.h: counts the rows that have each tuple, and the cost of changing a cell.
 *
 * Every tuple has one word: how many rows have it, and the exclusive or of their numbers. So if
 * only one row has the tuple, the word says which. From that each cell knows at any time how many
 * tuples would open if it changed (its loss). Open tuples are listed.
 *
 * If there are very many tuples, half a word has the number of rows alone. The single row is then
 * looked for in the sets of rows when it matters.
 */
#ifndef WRC_COVER_SEARCH_TALLY_H
#define WRC_COVER_SEARCH_TALLY_H

#include "cover/algebra/goal.h"
#include "cover/model/blocks.h"
#include "cover/search/open_tuples.h"
#include "cover/search/tuples.h"

#define WRC_TALLIED_ROWS 65535 /* a row's number is half a word */

/* The place of a column in a relation. */
typedef struct wrc_occurrence {
    uint32_t relation, position;
} wrc_occurrence;

typedef struct wrc_tally {
    const wrc_goal *goal;
    wrc_blocks      blocks;
    uint32_t        columns, rows, strength; /* the greatest strength */
    uint64_t        work;   /* done so far: what a change costs depends on what is open */
    bool            failed; /* out of memory, or too much open: nothing here holds any longer */
    uint64_t        floor;  /* fewer rows cannot be: the tuples of some combination */

    wrc_numbering  *relations;
    uint64_t       *first; /* word of each relation */
    uint64_t        tuples;
    uint32_t       *words;
    uint16_t       *counts; /* instead, where there are very many */
    uint32_t        word_cost;
    bool            starting; /* rows are being read: no tuple is listed as open */
    wrc_open_tuples open;
    uint32_t      **offsets; /* by relation: before + level of each position, row by row */
    wrc_occurrence *occurrences;
    uint32_t       *occurs; /* where a column's occurrences start; columns + 1 */

    uint32_t *cells;
    uint32_t *loss;  /* of each cell: the tuples with it that no other row has */
    uint32_t *value; /* the number of a column's level 0 among all levels of all columns */
    uint32_t  values, set_words;
    uint32_t  changing, to; /* the column and level of the change in hand */
    uint64_t *having;       /* by value: the set of the rows that have it */
} wrc_tally;

/* Numbers the tuples; more than `words` of them have half a word each. False: no memory, or too
 * many tuples or rows. It is to be closed in any case. */
bool wrc_tally_open(wrc_tally *t, const wrc_goal *goal, uint32_t rows, uint64_t words);
void wrc_tally_close(wrc_tally *t);
/* Reads complete rows, as many as were announced. False: no memory, or they do not cover. */
bool wrc_tally_read(wrc_tally *t, const uint32_t *cells);

/* A row has another level; or it is there no longer, and its cells are what they were. */
void wrc_tally_change(wrc_tally *t, uint32_t row, uint32_t column, uint32_t level);
void wrc_tally_remove(wrc_tally *t, uint32_t row);

/* How many open tuples a row would have if it had this value in a column. */
uint32_t wrc_tally_gain(wrc_tally *t, uint32_t row, uint32_t column, uint32_t value);

#endif
