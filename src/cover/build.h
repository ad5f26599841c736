/* cover/build.h: from a model to its rows.
 *
 * A first array at once (algebra where it applies, column by column otherwise), then a budgeted
 * search that takes rows away; there is a valid array at every moment. What a tuple is and
 * whether it can be had is decided here once, as a `wri_goal`; the stages work on goals.
 */
#ifndef WRI_COVER_BUILD_H
#define WRI_COVER_BUILD_H

#include "cover/model.h"
#include "cover/oracle.h"

/* What one array has to cover, after what is special about a model has been dealt with: invalid
 * levels (each is a goal of its own, one strength lower, with its cell fixed), relations that lie
 * within others, kept rows. Levels here are 0..levels[c]-1 and all valid. */
typedef struct wri_goal {
    uint32_t columns;
    const uint32_t *levels;
    uint32_t relation_count;
    const wri_relation *relations; /* none within another */
    wri_oracle *oracle;            /* NULL: no constraints */
    const uint32_t *fixed;         /* a level that every row has in a column, or WRI_ANY; NULL: none */
    uint64_t kept_count;
    const uint32_t *kept;
} wri_goal;

/* Rows by rows of `columns` cells; WRI_ANY is a don't-care until the array is finished. */
typedef struct wri_array {
    uint32_t columns;
    uint64_t rows, room;
    uint32_t *cells;
} wri_array;

typedef struct wri_effort {
    uint64_t seed;
    uint64_t moves;  /* of the search; 0: the default, about a second; 1: the first array */
    uint32_t share;  /* of the default, one part in so many; 0: all of it */
    double seconds;  /* > 0: go on until then instead, and say how many moves it was */
    const volatile bool *stop; /* set from outside: finish with what is there; or NULL */
} wri_effort;

bool wri_array_add(wri_array *array, const uint32_t *row); /* false: no memory */
void wri_array_free(wri_array *array);

/* Stage a: bitmap IPOG, several column orders raced. Always covers; honours kept rows, fixed
 * cells and the oracle. */
bool wri_grow(const wri_goal *goal, uint64_t seed, wri_array *out, wri_complaint *complaint);

/* The same for goals of strength 1 over very wide columns, where it would take long. */
bool wri_collect_singles(const wri_goal *goal, wri_array *out, wri_complaint *complaint);

/* Stage b: a direct construction with fewer rows than `best` (UINT64_MAX: any), for goals without
 * constraints, fixed cells or kept rows; false where none applies. `wri_algebra_rows` only says
 * how many rows it would be; `wri_algebra_stream` hands them out one at a time and holds none. */
typedef bool wri_row_taker(void *state, const uint32_t *row); /* false: enough */
uint64_t wri_algebra_rows(const wri_goal *goal);
bool wri_algebra_build(const wri_goal *goal, uint64_t best, wri_array *out);
bool wri_algebra_stream(const wri_goal *goal, wri_row_taker *take, void *state);

/* Between the two: arrays that algebra has for the widest columns, grown to all of them; with
 * constraints, what these leave of it. One with fewer rows than `best` replaces `out`; false:
 * there was none. For goals with a single relation over all columns and nothing fixed or kept. */
bool wri_algebra_extend(const wri_goal *goal, uint64_t best, uint64_t seed, wri_array *out,
                        wri_complaint *complaint);

/* Stage c: takes rows away from a covering array until the effort is spent; *moves says how many
 * moves that was. The array covers before and after, kept rows stay. */
bool wri_reduce(const wri_goal *goal, const wri_effort *effort, wri_array *array, uint64_t *moves);

/* The first half of it: opens cells that no tuple needs and makes rows that agree one. Where that
 * would take long it does nothing; cells stay open. */
void wri_merge(const wri_goal *goal, uint64_t *random, wri_array *array);

/* Fills the open cells of a row at random, so that the constraints allow it. `weights` (or NULL)
 * has, for each column, the sums of its levels' weights up to and with each level, or NULL where
 * all weigh the same: a heavier level is taken more often where the constraints leave a choice. */
typedef struct wri_filler {
    const wri_goal *goal;
    uint64_t      **weights;
} wri_filler;
bool wri_filler_open(wri_filler *filler, const wri_goal *goal, const wri_parameter *parameters);
void wri_filler_close(wri_filler *filler);
void wri_fill_row(const wri_filler *filler, uint32_t *row, uint64_t *random);

/* Puts the rows after the kept ones in falling order of what each covers that the rows before it
 * do not. Rows are complete. Where that would take long (or, where rows are wanted soon, some
 * hundredths of a second), what is counted are tuples of a lower strength. False: no memory, the
 * order is as it was. */
bool wri_sequence(const wri_goal *goal, wri_array *array, bool soon);

/* A lower bound that is known, and one sentence why. */
uint64_t wri_lower_bound(const wri_goal *goal, const char **why);

/* All of it: the stages, invalid levels, don't-cares filled at random, falling order of new
 * coverage; rows that are too many to hold are streamed. */
typedef struct wri_built {
    uint64_t rows, kept, moves, lower_bound;
    uint64_t skipped; /* kept rows that no array can hold: they break a constraint, have a level
                       * that does not exist, or more than one invalid one */
    const char *bound_reason;
    const char *method; /* "columns", "orthogonal array", … for the report */
    bool streamed;
} wri_built;
bool wri_build(const wri_model *model, const wri_effort *effort, wri_row_taker *take, void *state,
               wri_built *built, wri_complaint *complaint);

#endif
