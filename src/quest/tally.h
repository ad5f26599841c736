/* quest/tally.h: sums up the labels, tables and assertions of many batches, for the report.
 *
 * A tally is a copy, in the parent's own memory, of the rows that workers counted. Rows of the
 * same identity become one: counts are added, and the better of two best values stays. So the
 * order in which batches come back does not matter.
 */
#ifndef WRI_QUEST_TALLY_H
#define WRI_QUEST_TALLY_H

#include "observe/seen.h"
#include "report/report.h"

typedef struct wri_tally {
    wri_observed *rows;
    size_t        count, room;
    uint32_t     *index; /* row + 1, by key; twice as many cells as there is room for rows */
} wri_tally;

/* Adds the counts of a batch of so many cases. Buggy code could write into the table: impossible
 * rows are left out, and no count is above `cases`. */
void wri_tally_take(wri_tally *tally, const wri_seen *seen, uint64_t cases);
void wri_tally_add(wri_tally *tally, const wri_tally *from);
/* Adds the program's sites that assert something, with no counts. */
void wri_tally_add_sites(wri_tally *tally);
/* Leaves an empty tally. */
void wri_tally_free(wri_tally *tally);

/* Fills in the labels, tables, covers, assertions and best values of the result, whose `cases` is
 * set. They point into the tally; wri_tally_untell() frees the arrays. */
void wri_tally_tell(const wri_tally *tally, wri_result *result);
void wri_tally_untell(wri_result *result);
/* Fills in the curve: a point for each row, at the case that showed it first. */
void wri_tally_tell_curve(const wri_tally *tally, wri_result *result);

#endif
