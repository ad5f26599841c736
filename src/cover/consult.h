/* cover/consult.h: what a component's rules allow, by a solver.
 *
 * The solver is the last to be asked. Before it come, each cheaper than the next: the pairs of
 * values that no row has, longer tuples that were refused before, rows that are known to hold and
 * have all chosen cells, and such rows with the cell that is asked for changed. What the solver
 * finds becomes one or the other.
 */
#ifndef WRI_COVER_CONSULT_H
#define WRI_COVER_CONSULT_H

#include "cover/encode.h"
#include "cover/forbidden.h"
#include "cover/known.h"
#include "cover/oracle.h"
#include "cover/pairs.h"
#include "cover/values.h"

/* A constraint, or one of the parts that its ANDs join. */
typedef struct wri_rule {
    const wri_expression *holds;
    uint32_t constraint;
} wri_rule;

/* The rules that hang together, and each variable's among them: a complete row that differs in
 * one cell from one that holds is judged by that cell's rules alone. */
typedef struct wri_rules {
    const wri_model *model;
    const wri_rule *rules;
    size_t count;
    uint32_t variables;
    const uint32_t *parameters;  /* of each variable */
    const uint32_t *levels;      /* of each variable */
    const uint32_t *variable_of; /* each parameter of the model */
    size_t *starts;              /* of each variable: its rules, in `of` */
    uint32_t *of;
} wri_rules;

typedef struct wri_consult {
    const wri_rules *rules;
    wri_ends *ends; /* of each variable */
    wri_clauses clauses;
    wri_values values;
    wri_forbidden refused; /* longer ones than pairs */
    wri_known known;
    wri_pairs pairs;
    bool prepared;      /* the pairs were decided, or cannot be */
    uint32_t *chosen, chosen_count; /* variables of the row looked at, the asked one last */
    uint32_t *cells;                /* of each of these: its value */
    uint32_t *before, before_count; /* those that the solver was asked about last, in its order */
    uint32_t *spare;                /* room for the next ones */
    bool *placed;                   /* of each variable: chosen, and has no place in that order */
    uint32_t *row;      /* of the model: for judging complete rows */
    uint32_t *alone;    /* of the model: open but for the cells of a tuple */
    uint32_t *solution;
    int *assumed;
} wri_consult;

typedef enum wri_opening { WRI_OPENED, WRI_CONTRADICTORY, WRI_TOO_LARGE, WRI_NO_MEMORY } wri_opening;

/* Fills in `ends`. With WRI_TOO_LARGE *culprit is the rule that is. To be closed whatever comes of
 * it; the rules must outlive it. */
wri_opening wri_consult_open(wri_consult *c, const wri_solver_engine *engine,
                             const wri_rules *rules, wri_ends *ends, const wri_rule **culprit);
void wri_consult_close(wri_consult *c);

/* Whether the row can be completed; `variable` (or WRI_ANY) has the level instead of its cell, and
 * then the row without it is taken to be one that can. */
bool wri_consult_row(wri_consult *c, const uint32_t *row, uint32_t variable, uint32_t level);

/* The same of a row that has but these cells, given by variable. */
bool wri_consult_tuple(wri_consult *c, const uint32_t *variables, const uint32_t *levels,
                       uint32_t count);

/* Calls `take` for cells that are never with this one: as many as are known, by parameter. */
void wri_consult_excluded(wri_consult *c, uint32_t variable, uint32_t level, wri_cell_taker *take,
                          void *state);

/* Whether a tuple of so many cells is answered at a glance. */
bool wri_consult_knows(wri_consult *c, uint32_t count);

#endif
