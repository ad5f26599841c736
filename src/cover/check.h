/* cover/check.h: whether rows cover what a model asks for, and how much of it.
 *
 * From the definition: every tuple of every relation is in a row, or no row can have it. A tuple
 * of valid values counts only in a row without invalid ones; an invalid value is to be with every
 * tuple of valid ones that is one shorter. Nothing here is used in building.
 */
#ifndef WRI_COVER_CHECK_H
#define WRI_COVER_CHECK_H

#include "cover/model.h"
#include "cover/witness.h"

typedef struct wri_checker wri_checker;

#define WRI_MISSING_SHOWN 20

/* A tuple that is not there. */
typedef struct wri_missing {
    uint32_t  strength;
    uint32_t *columns, *levels; /* in one block, at `columns`, where it is kept */
} wri_missing;

/* What the rows cover of one strength. */
typedef struct wri_coverage {
    uint32_t    strength;
    uint64_t    combinations;  /* of parameters */
    uint64_t    tuples, covered, infeasible, missing; /* tuples is the sum of the others */
    uint64_t    searched;      /* of the infeasible: every row was tried; else the second opinion */
    uint64_t    undecided;     /* of the missing: nobody could tell */
    uint64_t    needed;        /* rows: as many as one combination has feasible tuples */
    uint64_t    at_least[101]; /* combinations covered at i percent or more, of what is feasible */
    uint32_t    missing_shown;
    wri_missing shown[WRI_MISSING_SHOWN];
} wri_coverage;

/* Rows that should not be there. */
typedef struct wri_faults {
    uint64_t broken;  /* rows that break a constraint */
    uint64_t crowded; /* rows with more than one invalid value */
    uint64_t open;    /* rows with cells that are not chosen */
    uint64_t example; /* the number of the first of these, from 1 */
    const wri_constraint *constraint; /* that it breaks, or NULL */
} wri_faults;

/* Collects rows; the model must outlive it. NULL with a complaint. */
wri_checker *wri_checker_open(const wri_model *model, wri_complaint *complaint);
/* False: out of memory, or more rows than are held; the complaint says which. */
bool wri_checker_row(wri_checker *checker, const uint32_t *row, wri_complaint *complaint);
void wri_checker_close(wri_checker *checker); /* NULL is fine */

/* Called for every tuple that is found infeasible from here on. */
typedef void wri_tuple_taker(void *state, const wri_missing *tuple);
void wri_checker_list(wri_checker *checker, wri_tuple_taker *infeasible, void *state);

uint64_t wri_checker_rows(const wri_checker *checker);
void     wri_checker_faults(wri_checker *checker, wri_faults *faults);

/* All relations of the model. The second opinion is asked where the search is given up. */
bool wri_check(wri_checker *checker, wri_opinion second, wri_coverage *coverage,
               wri_complaint *complaint);
/* Every `strength` of all parameters, whatever the model's relations say. */
bool wri_measure(wri_checker *checker, wri_opinion second, uint32_t strength,
                 wri_coverage *coverage, wri_complaint *complaint);
void wri_coverage_free(wri_coverage *coverage);

/* "a=1, b=x", cut where it does not fit. */
void wri_missing_text(const wri_model *model, const wri_missing *missing, char *text,
                      size_t size);

#endif
