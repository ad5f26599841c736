/* cover/formula.h: expressions, made simple as they are made.
 *
 * What a reader says of one parameter and constants becomes a set of levels; sets of the same
 * parameter are joined, and what is always true or false vanishes. So a clause stays a clause
 * however it was written, and parameters that do not matter are not in it. Every function
 * returns NULL when memory is out.
 */
#ifndef WRI_COVER_FORMULA_H
#define WRI_COVER_FORMULA_H

#include "cover/model.h"

typedef const wri_expression *wri_formula; /* an expression that is true or false */

wri_formula wri_formula_truth(wri_memory *memory, bool holds);

/* The levels of a parameter that `fits` accepts; it is asked for every level. For long ranges
 * use wri_formula_compared. */
wri_formula wri_formula_where(wri_memory *memory, const wri_model *model, uint32_t parameter,
                              bool (*fits)(void *state, uint32_t level), void *state);
/* A parameter's number compared with a constant, by one of WRI_OP_EQUAL … WRI_OP_AT_LEAST. */
wri_formula wri_formula_compared(wri_memory *memory, const wri_model *model, uint32_t parameter,
                                 wri_operator op, int64_t number);
/* Whether a comparison (WRI_OP_EQUAL … WRI_OP_AT_LEAST) holds for two numbers. */
bool wri_compares(wri_operator op, int64_t a, int64_t b);

wri_formula wri_formula_not(wri_memory *memory, const wri_model *model, wri_formula of);
wri_formula wri_formula_and(wri_memory *memory, const wri_model *model, wri_formula a,
                            wri_formula b);
wri_formula wri_formula_or(wri_memory *memory, const wri_model *model, wri_formula a,
                           wri_formula b);
wri_formula wri_formula_implies(wri_memory *memory, const wri_model *model, wri_formula a,
                                wri_formula b);
/* All of them joined by WRI_OP_AND or WRI_OP_OR, as a tree of little depth. */
wri_formula wri_formula_join(wri_memory *memory, const wri_model *model, wri_operator op,
                             const wri_formula *parts, size_t count);

/* An operation on two expressions (the second is NULL for WRI_OP_NEGATE), not simplified. */
const wri_expression *wri_expression_make(wri_memory *memory, wri_operator op,
                                          const wri_expression *left, const wri_expression *right);
const wri_expression *wri_expression_number(wri_memory *memory, int64_t number);
const wri_expression *wri_expression_value(wri_memory *memory, uint32_t parameter);

#endif
