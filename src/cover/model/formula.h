/* cover/model/formula.h: makes formulas, and simplifies each as it is made.
 *
 * `a = 1 || a = 2` becomes one set of levels: comparisons of one parameter with constants are
 * sets, and sets of the same parameter are joined. A part that is always true or false vanishes.
 * So a clause stays a clause however it was written, and it names only parameters that matter.
 * Every function returns NULL if memory is out.
 */
#ifndef WRC_COVER_MODEL_FORMULA_H
#define WRC_COVER_MODEL_FORMULA_H

#include "cover/model/model.h"

typedef const wrc_expression *wrc_formula; /* an expression that is true or false */

wrc_formula wrc_formula_truth(wrc_memory *memory, bool holds);

/* The levels of a parameter that `fits` accepts; it is asked for every level. For long ranges
 * use wrc_formula_compared. */
wrc_formula wrc_formula_where(wrc_memory *memory, const wrc_model *model, uint32_t parameter,
                              bool (*fits)(void *state, uint32_t level), void *state);
/* A parameter's number compared with a constant, by one of WRC_OP_EQUAL … WRC_OP_AT_LEAST. */
wrc_formula wrc_formula_compared(wrc_memory *memory, const wrc_model *model, uint32_t parameter,
                                 wrc_operator op, int64_t number);

wrc_formula wrc_formula_not(wrc_memory *memory, const wrc_model *model, wrc_formula of);
wrc_formula wrc_formula_and(wrc_memory *memory, const wrc_model *model, wrc_formula a,
                            wrc_formula b);
wrc_formula wrc_formula_or(wrc_memory *memory, const wrc_model *model, wrc_formula a,
                           wrc_formula b);
wrc_formula wrc_formula_implies(wrc_memory *memory, const wrc_model *model, wrc_formula a,
                                wrc_formula b);
/* All of them joined by WRC_OP_AND or WRC_OP_OR, as a tree of little depth. */
wrc_formula wrc_formula_join(wrc_memory *memory, const wrc_model *model, wrc_operator op,
                             const wrc_formula *parts, size_t count);

/* An operation on two expressions (the second is NULL for WRC_OP_NEGATE), not simplified. */
const wrc_expression *wrc_expression_make(wrc_memory *memory, wrc_operator op,
                                          const wrc_expression *left,
                                          const wrc_expression *right);
const wrc_expression *wrc_expression_number(wrc_memory *memory, int64_t number);
const wrc_expression *wrc_expression_value(wrc_memory *memory, uint32_t parameter);

#endif
