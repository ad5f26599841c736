/* cover/search/frontier.h: the tuples of a new column that are still open.
 *
 * While an array grows by a column, only tuples with a level of that column and levels of earlier
 * columns matter. They are bits. A row that is looked at tells how many open tuples it would have
 * with each level of the column (its gains). It takes one level, and the tuples with that level
 * are closed.
 *
 * A narrow column has stretches of bits: one for each prefix of earlier columns, its rank, and
 * each of its own levels. A stretch has one bit for each level of the columns that may come last.
 * A row is then a mask over these bits, and one instruction counts 64 of them. A wide column has
 * its levels side by side instead, for each tuple of earlier columns (a unit). There 64 gains are
 * added up at once.
 */
#ifndef WRC_COVER_SEARCH_FRONTIER_H
#define WRC_COVER_SEARCH_FRONTIER_H

#include "cover/algebra/goal.h"
#include "cover/model/blocks.h"
#include "cover/search/feasible.h"
#include "cover/search/tuples.h"

#define WRC_NARROW 16 /* up to so many levels a column is narrow */
#define WRC_PLANES 32 /* binary digits of a gain */

/* Prefixes with the same largest member: their stretches are equally long. */
typedef struct wrc_run {
    uint64_t end;   /* prefix; the run before ends where this one starts */
    uint32_t from;  /* the first position that comes last */
    uint32_t skip;  /* words of the row's mask before those that matter */
    uint32_t words; /* of a stretch */
} wrc_run;

/* The earlier columns of one relation, with which the new column is to be covered. */
typedef struct wrc_front {
    wrc_numbering earlier;
    uint64_t      meets; /* units that a row without open cells has */
    uint64_t      first; /* wide: unit */
    wrc_blocks    blocks;
    wrc_run      *runs; /* narrow, as all that follows */
    uint32_t      run_count;
    uint32_t     *starts; /* of each prefix: the word where its stretches start */
    uint64_t     *mask;   /* of the row in hand */
    uint32_t     *at;     /* of each prefix: where the row's stretches start; WRC_ANY: nowhere */
} wrc_front;

typedef struct wrc_frontier {
    const wrc_goal *goal;
    wrc_feasible   *feasible;
    wrc_complaint  *complaint;
    wrc_blocks      blocks;
    uint64_t        open; /* tuples */
    uint64_t        work; /* units looked at since it was last set to 0 */
    bool            has_popcount;

    uint32_t   column, levels;
    uint32_t   unit_words; /* wide: of a unit; 0: narrow */
    wrc_front *fronts;
    uint32_t   front_count;
    uint64_t   units;
    uint64_t  *bitmap;
    uint64_t   bitmap_room;
    uint64_t  *refused; /* of each level: the tuples that no row can have */

    uint32_t *position_level, *live_offset, *live_from; /* the row in hand, in a front */
    uint32_t *seen; /* wide: the units that the row in hand has */
    uint64_t  seen_count, seen_room;
    uint32_t *gains;  /* narrow: of each level */
    uint64_t *planes; /* wide: binary digits of the gains, 64 levels at once */
    uint64_t *ties;   /* a set of levels */
} wrc_frontier;

/* Takes memory for any column of the goal. False, with a complaint: no memory. */
bool wrc_frontier_reserve(wrc_frontier *f, const wrc_goal *goal, wrc_complaint *complaint);
void wrc_frontier_release(wrc_frontier *f);

/* Opens every tuple of the column with the columns marked as earlier, if some row can have it.
 * False, with a complaint: no memory, or too many tuples. The caller closes the frontier in any
 * case.
 */
bool wrc_frontier_open(wrc_frontier *f, uint32_t column, const uint8_t *is_earlier);
void wrc_frontier_close(wrc_frontier *f);

/* The four steps of a row. Look takes the row in hand. Count counts its gains. Best returns the
 * greatest gain among the levels of a set; f->ties gets the levels with that gain. Take closes
 * the tuples that the row has with a level. */
void     wrc_frontier_look(wrc_frontier *f, const uint32_t *row);
void     wrc_frontier_count(wrc_frontier *f);
uint32_t wrc_frontier_best(wrc_frontier *f, const uint64_t *among);
void     wrc_frontier_take(wrc_frontier *f, uint32_t level);

/* Hands out the open tuples that have this level of the column, and closes them. The column's own
 * cell comes last. False if `take` returned false. */
typedef bool wrc_open_taker(void *state, const uint32_t *columns, const uint32_t *levels,
                            uint32_t count);
bool wrc_frontier_each(wrc_frontier *f, uint32_t level, wrc_open_taker *take, void *state);

#endif
