/* cover/oracle/component.h: constraints that hang together, and the ways to answer for them.
 *
 * There are four ways. The list of all forbidden tuples is the fastest. A decision diagram of all
 * rules comes next, then a solver (cover/oracle/by_solver.h). Halving boxes of levels
 * (cover/oracle/boxes.h) is for a few parameters that are too wide for the others. The first way
 * that stays within its limits answers.
 */
#ifndef WRC_COVER_ORACLE_COMPONENT_H
#define WRC_COVER_ORACLE_COMPONENT_H

#include "cover/oracle/by_solver.h"
#include "cover/oracle/diagram.h"
#include "cover/oracle/forbidden.h"
#include "cover/oracle/boxes.h"
#include "cover/oracle/oracle.h"

typedef struct wrc_component {
    wrc_blocks     blocks;
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

/* A way of answering, for a component that was opened for it. `variable` counts within the
 * component; a `row` is of the whole model, with WRC_ANY for open cells. */
typedef struct wrc_way {
    /* Whether the row can be completed. Unless `variable` is WRC_ANY, it has this level, and its
     * cell is not read. Then the row without it is taken to be one that can. */
    bool (*allows)(wrc_component *c, const uint32_t *row, uint32_t variable, uint32_t level);
    /* The same for a row that has these cells only. */
    bool (*allows_tuple)(wrc_component *c, const uint32_t *variables, const uint32_t *levels,
                         uint32_t count);
    /* Whether tuples of so many cells are answered at a glance: nobody needs to remember. */
    bool (*knows)(wrc_component *c, uint32_t count);
    /* Calls `take` for cells that are never with this one, as many as are known. NULL: none. */
    void (*excluded)(wrc_component *c, uint32_t variable, uint32_t level, wrc_cell_taker *take,
                     void *state);
    /* Sets bit l of `bits` (levels rounded up to 64) for each level that is allowed, and clears
     * the others. */
    void (*levels)(wrc_component *c, const uint32_t *row, uint32_t variable, uint64_t *bits);
    bool lists; /* `levels` is fast enough to choose one of them at random */
    /* Some level that is allowed, the first if that is easy. */
    uint32_t (*level)(wrc_component *c, const uint32_t *row, uint32_t variable);
    /* The cost of a question, as wrc_oracle_cost() says. */
    uint32_t (*cost)(const wrc_component *c);
    /* For rules that contradict each other: takes constraints out of the set `in` as long as the
     * others still do. */
    void (*reduce)(const wrc_component *c, bool *in);
} wrc_way;

extern const wrc_way wrc_ways[]; /* by wrc_oracle_way */

#endif
