/* cover/model/expression.h: evaluates an expression, for one row or for many at once.
 *
 * There are two evaluations that share nothing. One is exact, for a complete row. The other works
 * on ranges of numbers and says which results are possible, so it decides whole boxes of rows. If
 * every range is one number, it is exact, too.
 */
#ifndef WRC_COVER_MODEL_EXPRESSION_H
#define WRC_COVER_MODEL_EXPRESSION_H

#include "cover/model/model.h"

/* The numbers that a part of an expression can have: from low to high, none if low > high.
 * `partial`: for some rows it has no value. */
typedef struct wrc_range {
    int64_t low, high;
    bool    partial;
} wrc_range;

/* Whether the expression is true of a complete row of the model. A number stands for "is not 0";
 * one that has no value is not true. */
bool wrc_expression_holds(const wrc_model *model, const wrc_expression *expression,
                          const uint32_t *row);

/* The possible results of the expression, if the value of each parameter p is in `values[p]`.
 * There must be no WRC_OP_IN in it. Truth is 0 or 1 and always has a value. */
wrc_range wrc_expression_range(const wrc_expression *expression, const wrc_range *values);

/* The truth of a number that lies in the range: {0, 0}, {1, 1} or {0, 1}. */
wrc_range wrc_range_truth(wrc_range range);

/* The numbers that some levels of a parameter have; the truth of "it is in the set" for them. */
wrc_range wrc_range_of_levels(const wrc_parameter *parameter, wrc_interval levels);
wrc_range wrc_range_of_membership(const wrc_set *set, wrc_interval levels);

/* Whether a comparison (WRC_OP_EQUAL … WRC_OP_AT_LEAST) holds for two numbers. */
bool wrc_operator_holds(wrc_operator op, int64_t left, int64_t right);
/* The sum, difference, product, quotient or remainder; false where it has no value. */
bool wrc_operator_calculate(wrc_operator op, int64_t left, int64_t right, int64_t *number);

/* Whether the operator compares numbers, or joins truths. */
bool wrc_operator_compares(wrc_operator op);
bool wrc_operator_joins(wrc_operator op);

/* Sets used[p] for each parameter p in the expression; leaves the others. */
void wrc_expression_parameters(const wrc_expression *expression, bool *used);

#endif
