/* cover/search/build.h: from a model to its rows.
 *
 * A first array at once (algebra where it applies, column by column otherwise), then a budgeted
 * search that takes rows away; there is a valid array at every moment. What a tuple is and
 * whether it can be had is decided here once, as a `wrc_goal`; the stages work on goals.
 */
#ifndef WRC_COVER_SEARCH_BUILD_H
#define WRC_COVER_SEARCH_BUILD_H

#include "cover/model/model.h"
#include "cover/oracle/oracle.h"

/* What one array has to cover, after what is special about a model has been dealt with: invalid
 * levels (each is a goal of its own, one strength lower, with its cell fixed), relations that lie
 * within others, kept rows. Levels here are 0..levels[c]-1 and all valid. */
typedef struct wrc_goal {
    uint32_t            columns;
    const uint32_t     *levels;
    uint32_t            relation_count;
    const wrc_relation *relations; /* none within another */
    wrc_oracle         *oracle;    /* NULL: no constraints */
    const uint32_t *fixed; /* a level that every row has in a column, or WRC_ANY; NULL: none */
    uint64_t        kept_count;
    const uint32_t *kept;
} wrc_goal;

/* Rows by rows of `columns` cells; WRC_ANY is a don't-care until the array is finished. */
typedef struct wrc_array {
    uint32_t  columns;
    uint64_t  rows, room;
    uint32_t *cells;
} wrc_array;

typedef struct wrc_effort {
    uint64_t seed;
    uint64_t moves;   /* of the search; 0: the default, about a second; 1: the first array */
    uint32_t share;   /* of the default, one part in so many; 0: all of it */
    double   seconds; /* > 0: go on until then instead, and say how many moves it was */
    const volatile bool *stop; /* set from outside: finish with what is there; or NULL */
} wrc_effort;

bool wrc_array_add(wrc_array *array, const uint32_t *row); /* false: no memory */
void wrc_array_free(wrc_array *array);

/* Stage a: bitmap IPOG, several column orders raced. Always covers; honours kept rows, fixed
 * cells and the oracle. */
bool wrc_grow(const wrc_goal *goal, uint64_t seed, wrc_array *out, wrc_complaint *complaint);

/* The same for goals of strength 1 over very wide columns, where it would take long. */
bool wrc_singles_collect(const wrc_goal *goal, wrc_array *out, wrc_complaint *complaint);

/* Stage b: a direct construction with fewer rows than `best` (UINT64_MAX: any), for goals without
 * constraints, fixed cells or kept rows; false where none applies. `wrc_algebra_rows` only says
 * how many rows it would be; `wrc_algebra_stream` hands them out one at a time and holds none. */
typedef bool wrc_row_taker(void *state, const uint32_t *row); /* false: enough */
uint64_t     wrc_algebra_rows(const wrc_goal *goal);
bool         wrc_algebra_build(const wrc_goal *goal, uint64_t best, wrc_array *out);
bool         wrc_algebra_stream(const wrc_goal *goal, wrc_row_taker *take, void *state);

/* Between the two: arrays that algebra has for the widest columns, grown to all of them; with
 * constraints, what these leave of it. One with fewer rows than `best` replaces `out`; false:
 * there was none. For goals with a single relation over all columns and nothing fixed or kept. */
bool wrc_algebra_extend(const wrc_goal *goal, uint64_t best, uint64_t seed, wrc_array *out,
                        wrc_complaint *complaint);

/* Stage c: takes rows away from a covering array until the effort is spent; *moves says how many
 * moves that was. The array covers before and after, kept rows stay. */
bool wrc_reduce(const wrc_goal *goal, const wrc_effort *effort, wrc_array *array,
                uint64_t *moves);

/* The first half of it: opens cells that no tuple needs and makes rows that agree one. Where that
 * would take long it does nothing; cells stay open. */
void wrc_merge(const wrc_goal *goal, uint64_t *random, wrc_array *array);

/* Fills the open cells of a row at random, so that the constraints allow it. `weights` (or NULL)
 * has, for each column, the sums of its levels' weights up to and with each level, or NULL where
 * all weigh the same: a heavier level is taken more often where the constraints leave a choice.
 */
typedef struct wrc_filler {
    const wrc_goal *goal;
    uint64_t      **weights;
} wrc_filler;
bool wrc_filler_open(wrc_filler *filler, const wrc_goal *goal, const wrc_parameter *parameters);
void wrc_filler_close(wrc_filler *filler);
void wrc_fill_row(const wrc_filler *filler, uint32_t *row, uint64_t *random);

/* Puts the rows after the kept ones in falling order of what each covers that the rows before it
 * do not. Rows are complete. Where that would take long (or, where rows are wanted soon, some
 * hundredths of a second), what is counted are tuples of a lower strength. False: no memory, the
 * order is as it was. */
bool wrc_order_rows(const wrc_goal *goal, wrc_array *array, bool soon);

/* A lower bound that is known, and one sentence why. */
uint64_t wrc_bound_rows(const wrc_goal *goal, const char **why);

/* All of it: the stages, invalid levels, don't-cares filled at random, falling order of new
 * coverage; rows that are too many to hold are streamed. */
typedef struct wrc_built {
    uint64_t rows, kept, moves, lower_bound;
    uint64_t skipped; /* kept rows that no array can hold: they break a constraint, have a level
                       * that does not exist, or more than one invalid one */
    const char *bound_reason;
    const char *method; /* "columns", "orthogonal array", … for the report */
    bool        streamed;
} wrc_built;
bool wrc_build(const wrc_model *model, const wrc_effort *effort, wrc_row_taker *take, void *state,
               wrc_built *built, wrc_complaint *complaint);

#endif
