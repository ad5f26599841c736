/* cover/expression.h: what an expression says of a row, or of many rows at once.
 *
 * Two evaluations that share nothing: of one complete row, exactly, and over ranges of numbers,
 * which says what the result can be. The second decides whole boxes of rows without looking at
 * each; where every range is one number it is exact, too.
 */
#ifndef WRI_COVER_EXPRESSION_H
#define WRI_COVER_EXPRESSION_H

#include "cover/model.h"

/* The numbers that a part of an expression can have: from low to high, none if low > high.
 * `partial`: for some rows it has no value. */
typedef struct wri_range {
    int64_t low, high;
    bool partial;
} wri_range;

/* Whether the expression is true of a complete row of the model. A number stands for "is not 0";
 * one that has no value is not true. */
bool wri_expression_holds(const wri_model *model, const wri_expression *expression,
                          const uint32_t *row);

/* What the expression can be where `values[p]` has what the value of parameter p can be. There
 * must be no WRI_OP_IN in it. Truth is 0 or 1 and always has a value. */
wri_range wri_expression_range(const wri_expression *expression, const wri_range *values);

/* The truth of a number that lies in the range: {0, 0}, {1, 1} or {0, 1}. */
wri_range wri_range_truth(wri_range range);

/* Whether a row may have this level: the set has few intervals, or many in order. */
bool wri_set_has(const wri_set *set, uint32_t level);

/* Whether the operator compares numbers, or joins truths. */
bool wri_operator_compares(wri_operator op);
bool wri_operator_joins(wri_operator op);

/* Sets used[p] for each parameter p in the expression; leaves the others. */
void wri_expression_parameters(const wri_expression *expression, bool *used);

#endif
