/* cover/component.h: constraints that hang together, and what they allow.
 *
 * The rules of a component are joined into one diagram, over an order of variables that keeps
 * rules short; from the rules the list of all forbidden tuples is tried. Whatever stays within
 * its limit answers: the list, else the diagram, else a solver that remembers what it refused and
 * how it said yes.
 */
#ifndef WRI_COVER_COMPONENT_H
#define WRI_COVER_COMPONENT_H

#include "cover/diagram.h"
#include "cover/encode.h"
#include "cover/forbidden.h"
#include "cover/known.h"
#include "cover/oracle.h"

/* A constraint, or one of the parts that its ANDs join. */
typedef struct wri_rule {
    const wri_expression *holds;
    uint32_t constraint;
} wri_rule;

typedef struct wri_component {
    const wri_model *model;
    wri_oracle_way way;
    const wri_rule *rules;
    size_t rule_count;
    uint32_t variables;
    uint32_t *parameters; /* of each variable */
    uint32_t *levels;     /* of each variable */
    uint32_t *variable_of; /* of each parameter of the model; the oracle's */
    uint32_t *cells;      /* of each variable: the row looked at */
    wri_ends *ends;       /* of each variable */
    wri_forbidden forbidden; /* by tuples: all of them; by solver: what was learned */
    wri_diagrams store;      /* by diagram */
    uint32_t root;
    uint32_t *failed, walk; /* of each node: the last walk that found no way on from it */
    wri_clauses clauses;    /* by solver */
    size_t *rule_starts;    /* of each variable: its rules, in `rules_of` */
    uint32_t *rules_of;
    uint32_t *row; /* of the model: for judging complete rows */
    int *assumed;
    wri_known known;     /* rows that the solver found */
    uint32_t *witnesses; /* a few rows that hold, the latest that were of use */
    uint32_t witness_count, witness_latest;
} wri_component;

typedef enum wri_opening { WRI_OPENED, WRI_CONTRADICTORY, WRI_TOO_LARGE, WRI_NO_MEMORY } wri_opening;

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

/* Sets bit l of `bits` (levels rounded up to 64) for each level for which the latter is true, and
 * clears the others. */
void wri_component_levels(wri_component *c, const uint32_t *row, uint32_t variable, uint64_t *bits);

#endif
