/* cover/component.h: constraints that hang together, and what they allow.
 *
 * The rules of a component are joined into one diagram, over an order of variables that keeps
 * rules short; from the rules the list of all forbidden tuples is tried. Whatever stays within
 * its limit answers: the list, else the diagram, else a solver (cover/consult.h); where a range is
 * too wide for all of them, halving (cover/halve.h).
 */
#ifndef WRI_COVER_COMPONENT_H
#define WRI_COVER_COMPONENT_H

#include "cover/consult.h"
#include "cover/diagram.h"
#include "cover/forbidden.h"
#include "cover/halve.h"
#include "cover/oracle.h"

typedef struct wri_component {
    wri_rules rules;
    wri_oracle_way way;
    uint32_t *parameters;  /* of each variable */
    uint32_t *levels;      /* of each variable */
    uint32_t *variable_of; /* of each parameter of the model; the oracle's */
    uint32_t *cells;       /* of each variable: the row looked at */
    uint32_t *alone;       /* of the model: open but for the cells of a tuple */
    wri_ends *ends;        /* of each variable */
    wri_forbidden forbidden; /* by tuples: all of them */
    wri_diagrams store;      /* by diagram */
    uint32_t root;
    uint32_t *failed, walk; /* of each node: the last walk that found no way on from it */
    wri_consult consult;    /* by solver */
    wri_halving halving;    /* by halving */
} wri_component;

/* Takes the parameters over, and fills in their variable_of. With WRI_TOO_LARGE *culprit is the
 * rule that is. To be closed whatever comes of it. */
wri_opening wri_component_open(wri_component *c, const wri_model *model,
                               const wri_oracle_limits *limits, const wri_rule *rules,
                               size_t rule_count, uint32_t *parameters, uint32_t parameter_count,
                               uint32_t *variable_of, const wri_rule **culprit);
void wri_component_close(wri_component *c);

/* Whether the row can be completed. The second looks at `level` instead of the variable's cell,
 * and takes for granted that the row without it can be completed. */
bool wri_component_allows(wri_component *c, const uint32_t *row);
bool wri_component_allows_level(wri_component *c, const uint32_t *row, uint32_t variable,
                                uint32_t level);

/* Whether a row can be completed that has but these cells, given by variable; and whether tuples
 * of so many cells are answered at a glance, so that there is no need to remember the answers. */
bool wri_component_allows_tuple(wri_component *c, const uint32_t *variables,
                                const uint32_t *levels, uint32_t count);
bool wri_component_knows(wri_component *c, uint32_t count);

/* A level that the variable may take in a row that can be completed; only by halving. */
uint32_t wri_component_level(wri_component *c, const uint32_t *row, uint32_t variable);

/* Cells that are never with this one, as many as are known. */
void wri_component_excluded(wri_component *c, uint32_t variable, uint32_t level,
                            wri_cell_taker *take, void *state);

/* What a question costs, as wri_oracle_cost() says. */
uint32_t wri_component_cost(const wri_component *c);

/* Sets bit l of `bits` (levels rounded up to 64) for each level for which the latter is true, and
 * clears the others. */
void wri_component_levels(wri_component *c, const uint32_t *row, uint32_t variable, uint64_t *bits);

#endif
