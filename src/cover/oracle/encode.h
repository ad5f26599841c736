/* cover/oracle/encode.h: rules as clauses.
 *
 * The levels of a variable are cut where a rule tells them apart; for each cut a literal says "at
 * most this level". The diagram of a rule becomes a clause for each way to "no". If there are
 * many such ways, each node gets a literal, which implies the nodes that its edges lead to. A
 * rule whose diagram is too large is taken apart at its operators. Only a single comparison
 * beyond all limits is refused.
 */
#ifndef WRC_COVER_ORACLE_ENCODE_H
#define WRC_COVER_ORACLE_ENCODE_H

#include "cover/model/model.h"
#include "cover/oracle/solver.h"

/* A constraint, or one of the parts that its ANDs join. */
typedef struct wrc_rule {
    const wrc_expression *holds;
    uint32_t              constraint;
} wrc_rule;

/* The rules that hang together, and each variable's among them. If a complete row differs in one
 * cell from a row that holds, that cell's rules alone decide. */
typedef struct wrc_rules {
    const wrc_model *model;
    const wrc_rule  *rules;
    size_t           count;
    uint32_t         variables;
    const uint32_t  *parameters;  /* of each variable */
    const uint32_t  *levels;      /* of each variable */
    const uint32_t  *variable_of; /* each parameter of the model */
    size_t          *starts;      /* of each variable: its rules, in `of` */
    uint32_t        *of;
} wrc_rules;

typedef struct wrc_cut {
    uint32_t level;   /* the last one of the lower side */
    int      literal; /* at most this level */
} wrc_cut;

typedef struct wrc_cuts {
    wrc_cut *cuts; /* ascending; none at the last level */
    size_t   count, room;
} wrc_cuts;

typedef struct wrc_clauses {
    const wrc_rules *rules; /* whose variables these are about */
    wrc_solver      *solver;
    wrc_cuts        *cuts;     /* of each variable */
    int              literals; /* how many there are */
} wrc_clauses;

/* Without any clause yet. False when memory is short. To be closed whatever comes of it. */
bool wrc_clauses_open(wrc_clauses *clauses, const wrc_rules *rules);
void wrc_clauses_close(wrc_clauses *clauses);

/* Adds that the rule is true, or, with *selector not NULL, that *selector implies it. False when
 * the rule is beyond the limits, or memory is short. */
bool wrc_clauses_add(wrc_clauses *clauses, const wrc_expression *rule, int *selector);

/* The cuts that a level lies between, as literals that are true of it; at most two. */
size_t wrc_clauses_cell(const wrc_clauses *clauses, uint32_t variable, uint32_t level,
                        int *literals);

/* The levels of the variable in the solution: any of them will do. */
wrc_interval wrc_clauses_solution(const wrc_clauses *clauses, uint32_t variable);

#endif
