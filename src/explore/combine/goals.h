/* explore/combine/goals.h: which combinations of levels are still to be tried, and rows that try
 * many of them.
 *
 * A row is made greedily: it begins with a combination that was not tried, and each further
 * factor takes the level that adds most. Only what a case really drew counts as covered. So a
 * combination that the property refutes stays open, and is tried again in other company, until
 * it was refuted so often that it counts as not reached. A draw that never came together with a
 * level of another one is no goal beside it.
 *
 * A factor is a column with its levels, or a digit of a column's number (--radix).
 */
#ifndef WRI_EXPLORE_COMBINE_GOALS_H
#define WRI_EXPLORE_COMBINE_GOALS_H

#include "explore/column.h"
#include "explore/combine/plan.h"

#define WRI_FACTORS 128
#define WRI_STRENGTHS 6

typedef struct wri_factor {
    uint16_t column;
    uint16_t base;   /* of the digit; 0: the levels of the column */
    uint64_t weight; /* of the digit */
    uint64_t levels; /* a bit for each */
    uint64_t soft;   /* those that are worth some tries, and no promise: a value drawn before */
} wri_factor;

/* So many factors together. */
typedef struct wri_combination {
    uint16_t factors[WRI_STRENGTHS];
    uint8_t  strength;
    uint32_t open;         /* tuples that are neither covered nor given up */
    size_t   first, count; /* of its tuples */
} wri_combination;

typedef struct wri_together {
    uint16_t shown,
        hidden; /* cases with the level that drew the other factor, and that did not */
} wri_together;

typedef struct wri_goals {
    wri_factor       factors[WRI_FACTORS];
    unsigned         factor_count;
    wri_combination *combinations;
    size_t           count, room;
    uint8_t         *tuples; /* how often each was refuted, and COVERED, PENDING */
    size_t           tuple_count, tuple_room;
    wri_together    *together;                       /* by factor, level, other factor */
    uint32_t         pair[WRI_FACTORS][WRI_FACTORS]; /* 1 + the combination of two; 0: none */
    uint32_t        *of[WRI_FACTORS];                /* the combinations of each factor, */
    size_t           of_count[WRI_FACTORS], of_room[WRI_FACTORS];
    bool             too_many; /* a strength had more tuples than there is room for */
} wri_goals;

void wri_goals_free(wri_goals *goals);
/* Begins anew with these factors, without any combination. False: out of memory. */
bool wri_goals_begin(wri_goals *goals, const wri_factor *factors, unsigned count);
/* Adds the combinations of `strength` of these factors that are not there. False: out of memory;
 * too_many says that there was no room. */
bool wri_goals_add(wri_goals *goals, unsigned strength, const uint16_t *factors, unsigned count);
/* Is a combination of this strength, or of any if 0, still to be tried? */
bool wri_goals_open(const wri_goals *goals, unsigned strength);

/* A row: a level for each factor, or WRI_ABSENT for any. False: there is nothing to be tried. */
bool wri_goals_row(wri_goals *goals, unsigned strength, uint64_t *random,
                   uint8_t row[WRI_FACTORS]);
/* The row is under way: its combinations need not be tried again before it is back. */
void wri_goals_wait(wri_goals *goals, const uint8_t row[WRI_FACTORS], bool waits);
/* A case drew these levels, and was not refuted. */
void wri_goals_count(wri_goals *goals, const uint8_t drawn[WRI_FACTORS]);
/* How many new combinations would these levels cover? */
size_t wri_goals_worth(const wri_goals *goals, const uint8_t drawn[WRI_FACTORS]);

/* The state of all combinations of a strength. */
typedef struct wri_goals_sum {
    uint64_t covered, missed, left; /* missed: refuted whenever they were tried */
} wri_goals_sum;
wri_goals_sum wri_goals_sum_up(const wri_goals *goals, unsigned strength);
/* Calls for each missed combination of this strength. */
void wri_goals_missed(const wri_goals *goals, unsigned strength,
                      bool (*take)(void *context, const wri_combination *combination,
                                   const uint8_t *levels),
                      void *context);

#endif
