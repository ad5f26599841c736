/* cover/search/stages.h: the stages that a goal goes through.
 *
 *     grow, or algebra, or singles     a first array, which covers
 *     extend                           perhaps a smaller one, which algebra begins
 *     merge, reduce                    rows are taken away; the array covers all the time
 *     fill, order                      open cells get levels, and rows that add most come first
 */
#ifndef WRC_COVER_SEARCH_STAGES_H
#define WRC_COVER_SEARCH_STAGES_H

#include "cover/algebra/algebra.h"
#include "cover/model/blocks.h"
#include "cover/search/build.h"

/* Drops relations that lie within others; of two that are the same, the second. Says how many are
 * left. */
uint32_t wrc_build_drop_contained(wrc_relation *relations, uint32_t count);

/* Grows the array column by column: bitmap IPOG, several column orders raced. Always covers;
 * honours kept rows, fixed cells and the oracle. Adds to *work what that took. */
bool wrc_grow(const wrc_goal *goal, uint64_t seed, wrc_array *out, uint64_t *work,
              wrc_complaint *complaint);

/* The same for goals of strength 1 over very wide columns, where it would take long. */
bool wrc_singles_collect(const wrc_goal *goal, wrc_array *out, wrc_complaint *complaint);

/* Tries arrays that algebra has for the widest columns, and grows them to all columns. With
 * constraints, the cells that they forbid are opened first. An array with fewer rows than `best`
 * replaces `out`; false: there was none. For goals with a single relation over all columns and
 * nothing fixed or kept. */
bool wrc_extend(const wrc_goal *goal, uint64_t best, uint64_t seed, wrc_array *out,
                uint64_t *work, wrc_complaint *complaint);

/* Takes rows away from a covering array until the effort is spent; *moves says how many
 * moves that was. By default it ends early if no row goes: after about as long as `effort->spent`
 * took. The array covers before and after, kept rows stay. */
bool wrc_reduce(const wrc_goal *goal, const wrc_effort *effort, wrc_array *array,
                uint64_t *moves);

/* Opens cells that no tuple needs and makes rows that agree one. If
 * that would take long it does nothing. Cells stay open. */
void wrc_merge(const wrc_goal *goal, uint64_t *random, wrc_array *array);

/* Fills the open cells of a row at random, so that the constraints allow it. `weights` (or NULL)
 * has, for each column, the sums of its levels' weights up to and with each level; NULL: all
 * weigh the same. If the constraints leave a choice, a heavier level is taken more often.
 */
typedef struct wrc_filler {
    const wrc_goal *goal;
    uint64_t      **weights;
    wrc_blocks      blocks;
} wrc_filler;
/* False: no memory. To be closed in any case. */
bool wrc_filler_open(wrc_filler *filler, const wrc_goal *goal, const wrc_parameter *parameters);
void wrc_filler_close(wrc_filler *filler);
void wrc_fill_row(const wrc_filler *filler, uint32_t *row, uint64_t *random);
void wrc_fill_array(const wrc_filler *filler, wrc_array *array, uint64_t *random);

/* Opens cells that no tuple needs in the columns that have weights, and fills them again. Rows
 * are complete before and after. If that would take long it does nothing. */
void wrc_merge_weigh(const wrc_filler *filler, uint64_t *random, wrc_array *array);

/* Orders the rows after the kept ones: next comes a row with the most tuples that no row before
 * it has. Rows are complete. If that would take long (with `soon`, some hundredths of a second),
 * tuples of a lower strength are counted. False: no memory, the order is as it was. */
bool wrc_order_rows(const wrc_goal *goal, wrc_array *array, bool soon);

#endif
