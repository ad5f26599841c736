/* cover/oracle/component.h: constraints that hang together, and what they allow.
 *
 * The rules of a component are joined into one diagram, over an order of variables that keeps
 * rules short; from the rules the list of all forbidden tuples is tried. Whatever stays within
 * its limit answers: the list, else the diagram, else a solver (cover/oracle/by_solver.h); where
 * a range is too wide for all of them, halving (cover/oracle/boxes.h).
 */
#ifndef WRC_COVER_ORACLE_COMPONENT_H
#define WRC_COVER_ORACLE_COMPONENT_H

#include "cover/oracle/by_solver.h"
#include "cover/oracle/diagram.h"
#include "cover/oracle/forbidden.h"
#include "cover/oracle/boxes.h"
#include "cover/oracle/oracle.h"

typedef struct wrc_component {
    wrc_rules      rules;
    wrc_oracle_way way;
    uint32_t      *parameters;  /* of each variable */
    uint32_t      *levels;      /* of each variable */
    uint32_t      *variable_of; /* of each parameter of the model; the oracle's */
    uint32_t      *cells;       /* of each variable: the row looked at */
    uint32_t      *alone;       /* of the model: open but for the cells of a tuple */
    wrc_ends      *ends;        /* of each variable */
    wrc_forbidden  forbidden;   /* by tuples: all of them */
    wrc_diagrams   store;       /* by diagram */
    uint32_t       root;
    uint32_t      *failed, walk; /* of each node: the last walk that found no way on from it */
    wrc_consult    consult;      /* by solver */
    wrc_halving    halving;      /* by halving */
} wrc_component;

/* Takes the parameters over, and fills in their variable_of. With WRC_TOO_LARGE *culprit is the
 * rule that is. To be closed whatever comes of it. */
wrc_opening wrc_component_open(wrc_component *c, const wrc_model *model,
                               const wrc_oracle_limits *limits, const wrc_rule *rules,
                               size_t rule_count, uint32_t *parameters, uint32_t parameter_count,
                               uint32_t *variable_of, const wrc_rule **culprit);
void        wrc_component_close(wrc_component *c);

/* Whether the row can be completed. The second looks at `level` instead of the variable's cell,
 * and takes for granted that the row without it can be completed. */
bool wrc_component_allows(wrc_component *c, const uint32_t *row);
bool wrc_component_allows_level(wrc_component *c, const uint32_t *row, uint32_t variable,
                                uint32_t level);

/* Whether a row can be completed that has but these cells, given by variable; and whether tuples
 * of so many cells are answered at a glance, so that there is no need to remember the answers. */
bool wrc_component_allows_tuple(wrc_component *c, const uint32_t *variables,
                                const uint32_t *levels, uint32_t count);
bool wrc_component_knows(wrc_component *c, uint32_t count);

/* A level that the variable may take in a row that can be completed; only by halving. */
uint32_t wrc_component_level(wrc_component *c, const uint32_t *row, uint32_t variable);

/* Cells that are never with this one, as many as are known. */
void wrc_component_excluded(wrc_component *c, uint32_t variable, uint32_t level,
                            wrc_cell_taker *take, void *state);

/* What a question costs, as wrc_oracle_cost() says. */
uint32_t wrc_component_cost(const wrc_component *c);

/* Sets bit l of `bits` (levels rounded up to 64) for each level for which the latter is true, and
 * clears the others. */
void wrc_component_levels(wrc_component *c, const uint32_t *row, uint32_t variable,
                          uint64_t *bits);

#endif
