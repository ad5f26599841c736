/* cover/check/check.h: checks whether rows cover a model, and how much of it.
 *
 * From the definition: every tuple of every relation is in a row, or no row can have it. A tuple
 * of valid values counts only in a row without invalid ones. An invalid value must be with every
 * tuple of valid ones that is one shorter. Building uses nothing of this room.
 */
#ifndef WRC_COVER_CHECK_CHECK_H
#define WRC_COVER_CHECK_CHECK_H

#include "cover/check/opinion.h"
#include "cover/model/list.h"

typedef struct wrc_checker wrc_checker;

/* How much the rows cover of one strength. */
typedef struct wrc_coverage {
    uint32_t strength;
    uint64_t combinations;                         /* of parameters */
    uint64_t tuples, covered, infeasible, missing; /* tuples is the sum of the others */
    uint64_t searched;      /* of the infeasible: every row was tried; else the second opinion */
    uint64_t undecided;     /* of the missing: nobody could tell */
    uint64_t needed;        /* rows: as many as one combination has feasible tuples */
    bool     stopped;       /* the time was over: nothing here holds */
    uint64_t at_least[101]; /* combinations covered at i percent or more, of what is feasible */
    uint64_t shown;         /* missing tuples that are listed */
    wrc_list list;          /* of numbers: each one's strength, its columns and its levels */
} wrc_coverage;

/* Rows that should not be there. */
typedef struct wrc_faults {
    uint64_t              broken;     /* rows that break a constraint */
    uint64_t              crowded;    /* rows with more than one invalid value */
    uint64_t              open;       /* rows with cells that are not chosen */
    uint64_t              example;    /* the number of the first of these, from 1 */
    const wrc_constraint *constraint; /* that it breaks, or NULL */
} wrc_faults;

/* Collects rows; the model must outlive it. NULL with a complaint. */
wrc_checker *wrc_checker_open(const wrc_model *model, wrc_complaint *complaint);
/* False: out of memory, or more rows than are held; the complaint says which. */
bool wrc_checker_row(wrc_checker *checker, const uint32_t *row, wrc_complaint *complaint);
void wrc_checker_close(wrc_checker *checker); /* NULL is fine */

/* How many missing tuples are listed: 20 without it. */
void wrc_checker_show(wrc_checker *checker, uint64_t most);

/* Called for every tuple that is found infeasible from here on. */
typedef void wrc_tuple_taker(void *state, const wrc_tuple *tuple);
void         wrc_checker_list(wrc_checker *checker, wrc_tuple_taker *infeasible, void *state);

uint64_t wrc_checker_rows(const wrc_checker *checker);
/* False: the time was over (as wrc_opinion has it; 0: never), and not every row was looked at. */
bool wrc_checker_faults(wrc_checker *checker, double until, wrc_faults *faults);

/* All relations of the model. The second opinion is asked where the search is given up. */
bool wrc_check(wrc_checker *checker, wrc_opinion second, wrc_coverage *coverage,
               wrc_complaint *complaint);
/* Every `strength` of all parameters, whatever the model's relations say. */
bool wrc_check_measure(wrc_checker *checker, wrc_opinion second, uint32_t strength,
                       wrc_coverage *coverage, wrc_complaint *complaint);
/* The tuple that is listed from *at on, which goes on to the next; false: there is none. */
bool wrc_coverage_missing(const wrc_coverage *coverage, size_t *at, wrc_tuple *tuple);
void wrc_coverage_free(wrc_coverage *coverage);

#endif
