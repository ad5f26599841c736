/* cover/encode.h: rules as clauses.
 *
 * A variable's levels are cut where a rule makes a difference; for each cut a literal says
 * "at most this level". A rule's diagram becomes a clause for each way to "no", or, where these
 * are many, a literal for each node, which implies what its edges lead to. A rule whose diagram is too large is taken apart at what joins its truths; only
 * a single comparison beyond all limits cannot be had.
 */
#ifndef WRI_COVER_ENCODE_H
#define WRI_COVER_ENCODE_H

#include "cover/model.h"
#include "cover/solver.h"

typedef struct wri_cut {
    uint32_t level; /* the last one of the lower side */
    int literal;    /* at most this level */
} wri_cut;

typedef struct wri_cuts {
    wri_cut *cuts; /* ascending; none at the last level */
    size_t count, room;
} wri_cuts;

typedef struct wri_clauses {
    const wri_solver_engine *engine;
    void *solver;
    const wri_model *model;
    uint32_t variables;
    const uint32_t *levels;      /* of each variable */
    const uint32_t *variable_of; /* each parameter */
    wri_cuts *cuts;              /* of each variable */
    int literals;                /* how many there are */
} wri_clauses;

/* False when memory is short. */
bool wri_clauses_open(wri_clauses *clauses, const wri_solver_engine *engine,
                      const wri_model *model, uint32_t variables, const uint32_t *levels,
                      const uint32_t *variable_of);
void wri_clauses_close(wri_clauses *clauses);

/* Adds that the rule is true, or, with *selector not NULL, that *selector implies it. False when
 * the rule is beyond the limits, or memory is short. */
bool wri_clauses_add(wri_clauses *clauses, const wri_expression *rule, int *selector);

/* The cuts that a level lies between, as literals that are true of it; at most two. */
size_t wri_clauses_cell(const wri_clauses *clauses, uint32_t variable, uint32_t level, int *literals);

/* The levels between which no cut lies, around this one. */
wri_interval wri_clauses_around(const wri_clauses *clauses, uint32_t variable, uint32_t level);

/* Where a solution has the variable: any of these levels. */
wri_interval wri_clauses_solution(const wri_clauses *clauses, uint32_t variable);

#endif
