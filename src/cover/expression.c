/* cover/expression.c: evaluation, of a row and over ranges. */
#include "cover/expression.h"

__extension__ typedef __int128 wide; /* no sum or product of two numbers overflows it */

bool wri_operator_compares(wri_operator op)
{
    return op >= WRI_OP_EQUAL && op <= WRI_OP_AT_LEAST;
}

bool wri_operator_joins(wri_operator op)
{
    return op >= WRI_OP_NOT;
}

bool wri_set_has(const wri_set *set, uint32_t level)
{
    uint32_t low = 0, high = set->count;
    while (low < high) { /* the first interval that ends at the level or behind it */
        uint32_t middle = low + (high - low) / 2;
        if (set->intervals[middle].to < level)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->count && set->intervals[low].from <= level;
}

void wri_expression_parameters(const wri_expression *expression, bool *used)
{
    for (; expression != NULL; expression = expression->left) {
        if (expression->op == WRI_OP_VALUE || expression->op == WRI_OP_IN)
            used[expression->parameter] = true;
        if (expression->right != NULL)
            wri_expression_parameters(expression->right, used);
    }
}

/* ---- One row ---- */

static bool number_of(const wri_model *model, const wri_expression *e, const uint32_t *row,
                      int64_t *number);

static bool compare(wri_operator op, int64_t left, int64_t right)
{
    switch (op) {
    case WRI_OP_EQUAL: return left == right;
    case WRI_OP_UNEQUAL: return left != right;
    case WRI_OP_LESS: return left < right;
    case WRI_OP_AT_MOST: return left <= right;
    case WRI_OP_GREATER: return left > right;
    default: return left >= right;
    }
}

bool wri_expression_holds(const wri_model *model, const wri_expression *e, const uint32_t *row)
{
    int64_t left, right;
    switch (e->op) {
    case WRI_OP_IN: return wri_set_has(&e->set, row[e->parameter]);
    case WRI_OP_NOT: return !wri_expression_holds(model, e->left, row);
    case WRI_OP_AND:
        return wri_expression_holds(model, e->left, row) &&
               wri_expression_holds(model, e->right, row);
    case WRI_OP_OR:
        return wri_expression_holds(model, e->left, row) ||
               wri_expression_holds(model, e->right, row);
    case WRI_OP_IMPLIES:
        return !wri_expression_holds(model, e->left, row) ||
               wri_expression_holds(model, e->right, row);
    default: break;
    }
    if (!wri_operator_compares(e->op))
        return number_of(model, e, row, &left) && left != 0;
    return number_of(model, e->left, row, &left) && number_of(model, e->right, row, &right) &&
           compare(e->op, left, right);
}

/* False where the operation has no value. */
static bool calculate(wri_operator op, int64_t left, int64_t right, int64_t *number)
{
    switch (op) {
    case WRI_OP_ADD: return !__builtin_add_overflow(left, right, number);
    case WRI_OP_SUBTRACT: return !__builtin_sub_overflow(left, right, number);
    case WRI_OP_MULTIPLY: return !__builtin_mul_overflow(left, right, number);
    default: break;
    }
    if (right == 0 || (left == INT64_MIN && right == -1))
        return false;
    *number = op == WRI_OP_DIVIDE ? left / right : left % right;
    return true;
}

static bool number_of(const wri_model *model, const wri_expression *e, const uint32_t *row,
                      int64_t *number)
{
    int64_t left, right;
    switch (e->op) {
    case WRI_OP_NUMBER: *number = e->number; return true;
    case WRI_OP_VALUE:
        *number = wri_number_at(&model->parameters[e->parameter], row[e->parameter]);
        return true;
    case WRI_OP_NEGATE:
        return number_of(model, e->left, row, &left) &&
               calculate(WRI_OP_SUBTRACT, 0, left, number);
    case WRI_OP_ADD:
    case WRI_OP_SUBTRACT:
    case WRI_OP_MULTIPLY:
    case WRI_OP_DIVIDE:
    case WRI_OP_REMAINDER:
        return number_of(model, e->left, row, &left) &&
               number_of(model, e->right, row, &right) && calculate(e->op, left, right, number);
    default: *number = wri_expression_holds(model, e, row); return true;
    }
}

/* ---- Ranges ---- */

static bool is_empty(wri_range r)
{
    return r.low > r.high;
}

/* What is left of a result when numbers that do not fit have none. */
static wri_range fitting(wide low, wide high, bool partial)
{
    if (low > INT64_MAX || high < INT64_MIN)
        return (wri_range){ 1, 0, true };
    return (wri_range){ low < INT64_MIN ? INT64_MIN : (int64_t)low,
                        high > INT64_MAX ? INT64_MAX : (int64_t)high,
                        partial || low < INT64_MIN || high > INT64_MAX };
}

static wide least(wide a, wide b)
{
    return a < b ? a : b;
}

static wide most(wide a, wide b)
{
    return a > b ? a : b;
}

static wri_range product(wri_range a, wri_range b)
{
    wide w = (wide)a.low * b.low, x = (wide)a.low * b.high;
    wide y = (wide)a.high * b.low, z = (wide)a.high * b.high;
    return fitting(least(least(w, x), least(y, z)), most(most(w, x), most(y, z)),
                   a.partial || b.partial);
}

/* Widens what low and high hold by the quotients of a range and divisors of one sign. */
static void quotients(wri_range a, wide divisor_low, wide divisor_high, wide *low, wide *high)
{
    if (divisor_low > divisor_high)
        return;
    wide w = a.low / divisor_low, x = a.low / divisor_high;
    wide y = a.high / divisor_low, z = a.high / divisor_high;
    *low = least(*low, least(least(w, x), least(y, z)));
    *high = most(*high, most(most(w, x), most(y, z)));
}

static wri_range quotient(wri_range a, wri_range b)
{
    wide low = (wide)INT64_MAX + 1, high = (wide)INT64_MIN - 1;
    quotients(a, b.low, least(b.high, -1), &low, &high);
    quotients(a, most(b.low, 1), b.high, &low, &high);
    return fitting(low, high, a.partial || b.partial || (b.low <= 0 && b.high >= 0));
}

static wri_range remainder_of(wri_range a, wri_range b)
{
    bool partial = a.partial || b.partial || (b.low <= 0 && b.high >= 0) ||
                   (a.low == INT64_MIN && b.low <= -1 && b.high >= -1);
    if (b.low == b.high && b.low != 0 && (wide)a.low / b.low == (wide)a.high / b.low) {
        wide multiple = (wide)a.low / b.low * b.low;
        if (a.low == INT64_MIN && a.high == INT64_MIN && b.low == -1)
            return (wri_range){ 1, 0, true };
        return fitting(a.low - multiple, a.high - multiple, partial);
    }
    wide largest = most(most(b.low, -(wide)b.low), most(b.high, -(wide)b.high)) - 1;
    if (largest < 0) /* by zero */
        return (wri_range){ 1, 0, true };
    return fitting(a.low < 0 ? most(a.low, -largest) : 0, a.high > 0 ? least(a.high, largest) : 0,
                   partial);
}

static wri_range range_of_truths(bool some_false, bool some_true)
{
    return (wri_range){ !some_false, some_true, false };
}

wri_range wri_range_truth(wri_range r)
{
    bool zero = !is_empty(r) && r.low <= 0 && r.high >= 0;
    bool only_zero = r.low == 0 && r.high == 0;
    return range_of_truths(zero || r.partial || is_empty(r), !is_empty(r) && !only_zero);
}

static wri_range not(wri_range truth)
{
    return (wri_range){ 1 - truth.high, 1 - truth.low, false };
}

static wri_range compare_ranges(wri_operator op, wri_range a, wri_range b)
{
    bool some_true, some_false;
    if (is_empty(a) || is_empty(b))
        return range_of_truths(true, false);
    bool apart = a.high < b.low || b.high < a.low;
    bool same = a.low == a.high && b.low == b.high && a.low == b.low;
    switch (op) {
    case WRI_OP_EQUAL: some_true = !apart, some_false = !same; break;
    case WRI_OP_UNEQUAL: some_true = !same, some_false = !apart; break;
    case WRI_OP_LESS: some_true = a.low < b.high, some_false = a.high >= b.low; break;
    case WRI_OP_AT_MOST: some_true = a.low <= b.high, some_false = a.high > b.low; break;
    case WRI_OP_GREATER: some_true = a.high > b.low, some_false = a.low <= b.high; break;
    default: some_true = a.high >= b.low, some_false = a.low < b.high; break;
    }
    return range_of_truths(some_false || a.partial || b.partial, some_true);
}

static wri_range join_ranges(wri_operator op, wri_range a, wri_range b)
{
    a = wri_range_truth(a);
    b = wri_range_truth(b);
    if (op == WRI_OP_IMPLIES)
        a = not(a);
    if (op == WRI_OP_AND)
        return (wri_range){ a.low & b.low, a.high & b.high, false };
    return (wri_range){ a.low | b.low, a.high | b.high, false };
}

static wri_range calculate_ranges(wri_operator op, wri_range a, wri_range b)
{
    bool partial = a.partial || b.partial;
    if (is_empty(a) || is_empty(b))
        return (wri_range){ 1, 0, true };
    switch (op) {
    case WRI_OP_ADD: return fitting((wide)a.low + b.low, (wide)a.high + b.high, partial);
    case WRI_OP_SUBTRACT: return fitting((wide)a.low - b.high, (wide)a.high - b.low, partial);
    case WRI_OP_MULTIPLY: return product(a, b);
    case WRI_OP_DIVIDE: return quotient(a, b);
    default: return remainder_of(a, b);
    }
}

wri_range wri_expression_range(const wri_expression *e, const wri_range *values)
{
    static const wri_range zero = { 0, 0, false };
    if (e->op == WRI_OP_NUMBER)
        return (wri_range){ e->number, e->number, false };
    if (e->op == WRI_OP_VALUE)
        return values[e->parameter];
    wri_range left = wri_expression_range(e->left, values);
    if (e->op == WRI_OP_NEGATE)
        return calculate_ranges(WRI_OP_SUBTRACT, zero, left);
    if (e->op == WRI_OP_NOT)
        return not(wri_range_truth(left));
    wri_range right = wri_expression_range(e->right, values);
    if (wri_operator_compares(e->op))
        return compare_ranges(e->op, left, right);
    if (wri_operator_joins(e->op))
        return join_ranges(e->op, left, right);
    return calculate_ranges(e->op, left, right);
}
