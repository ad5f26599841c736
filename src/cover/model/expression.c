/* cover/model/expression.c: evaluates expressions, for one row and over ranges. */
#include "cover/model/expression.h"

__extension__ typedef __int128 wide; /* no sum or product of two numbers overflows it */

bool wrc_operator_compares(wrc_operator op)
{
    return op >= WRC_OP_EQUAL && op <= WRC_OP_AT_LEAST;
}

bool wrc_operator_joins(wrc_operator op)
{
    return op >= WRC_OP_NOT;
}

/* The set has few intervals, or many in order. */
static bool set_has(const wrc_set *set, uint32_t level)
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

void wrc_expression_parameters(const wrc_expression *expression, bool *used)
{
    for (; expression != NULL; expression = expression->left) {
        if (expression->op == WRC_OP_VALUE || expression->op == WRC_OP_IN)
            used[expression->parameter] = true;
        if (expression->right != NULL)
            wrc_expression_parameters(expression->right, used);
    }
}

/* ---- One row ---- */

static bool number_of(const wrc_model *model, const wrc_expression *e, const uint32_t *row,
                      int64_t *number);

bool wrc_operator_holds(wrc_operator op, int64_t left, int64_t right)
{
    switch (op) {
    case WRC_OP_EQUAL: return left == right;
    case WRC_OP_UNEQUAL: return left != right;
    case WRC_OP_LESS: return left < right;
    case WRC_OP_AT_MOST: return left <= right;
    case WRC_OP_GREATER: return left > right;
    default: return left >= right;
    }
}

bool wrc_expression_holds(const wrc_model *model, const wrc_expression *e, const uint32_t *row)
{
    int64_t left, right;
    switch (e->op) {
    case WRC_OP_IN: return set_has(&e->set, row[e->parameter]);
    case WRC_OP_NOT: return !wrc_expression_holds(model, e->left, row);
    case WRC_OP_AND:
        return wrc_expression_holds(model, e->left, row) &&
               wrc_expression_holds(model, e->right, row);
    case WRC_OP_OR:
        return wrc_expression_holds(model, e->left, row) ||
               wrc_expression_holds(model, e->right, row);
    case WRC_OP_IMPLIES:
        return !wrc_expression_holds(model, e->left, row) ||
               wrc_expression_holds(model, e->right, row);
    default: break;
    }
    if (!wrc_operator_compares(e->op))
        return number_of(model, e, row, &left) && left != 0;
    return number_of(model, e->left, row, &left) && number_of(model, e->right, row, &right) &&
           wrc_operator_holds(e->op, left, right);
}

bool wrc_operator_calculate(wrc_operator op, int64_t left, int64_t right, int64_t *number)
{
    switch (op) {
    case WRC_OP_ADD: return !__builtin_add_overflow(left, right, number);
    case WRC_OP_SUBTRACT: return !__builtin_sub_overflow(left, right, number);
    case WRC_OP_MULTIPLY: return !__builtin_mul_overflow(left, right, number);
    default: break;
    }
    if (right == 0 || (left == INT64_MIN && right == -1))
        return false;
    *number = op == WRC_OP_DIVIDE ? left / right : left % right;
    return true;
}

static bool number_of(const wrc_model *model, const wrc_expression *e, const uint32_t *row,
                      int64_t *number)
{
    int64_t left, right;
    switch (e->op) {
    case WRC_OP_NUMBER: *number = e->number; return true;
    case WRC_OP_VALUE:
        *number = wrc_parameter_number(&model->parameters[e->parameter], row[e->parameter]);
        return true;
    case WRC_OP_NEGATE:
        return number_of(model, e->left, row, &left) &&
               wrc_operator_calculate(WRC_OP_SUBTRACT, 0, left, number);
    case WRC_OP_ADD:
    case WRC_OP_SUBTRACT:
    case WRC_OP_MULTIPLY:
    case WRC_OP_DIVIDE:
    case WRC_OP_REMAINDER:
        return number_of(model, e->left, row, &left) && number_of(model, e->right, row, &right) &&
               wrc_operator_calculate(e->op, left, right, number);
    default: *number = wrc_expression_holds(model, e, row); return true;
    }
}

/* ---- Ranges ---- */

static bool is_empty(wrc_range r)
{
    return r.low > r.high;
}

/* The result without the numbers that do not fit: these have no value. */
static wrc_range fitting(wide low, wide high, bool partial)
{
    if (low > INT64_MAX || high < INT64_MIN)
        return (wrc_range){ 1, 0, true };
    return (wrc_range){ low < INT64_MIN ? INT64_MIN : (int64_t)low,
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

static wrc_range product(wrc_range a, wrc_range b)
{
    wide w = (wide)a.low * b.low, x = (wide)a.low * b.high;
    wide y = (wide)a.high * b.low, z = (wide)a.high * b.high;
    return fitting(least(least(w, x), least(y, z)), most(most(w, x), most(y, z)),
                   a.partial || b.partial);
}

/* Widens what low and high hold by the quotients of a range and divisors of one sign. */
static void quotients(wrc_range a, wide divisor_low, wide divisor_high, wide *low, wide *high)
{
    if (divisor_low > divisor_high)
        return;
    wide w = a.low / divisor_low, x = a.low / divisor_high;
    wide y = a.high / divisor_low, z = a.high / divisor_high;
    *low = least(*low, least(least(w, x), least(y, z)));
    *high = most(*high, most(most(w, x), most(y, z)));
}

static wrc_range quotient(wrc_range a, wrc_range b)
{
    wide low = (wide)INT64_MAX + 1, high = (wide)INT64_MIN - 1;
    quotients(a, b.low, least(b.high, -1), &low, &high);
    quotients(a, most(b.low, 1), b.high, &low, &high);
    return fitting(low, high, a.partial || b.partial || (b.low <= 0 && b.high >= 0));
}

static wrc_range remainder_of(wrc_range a, wrc_range b)
{
    bool partial = a.partial || b.partial || (b.low <= 0 && b.high >= 0) ||
                   (a.low == INT64_MIN && b.low <= -1 && b.high >= -1);
    if (b.low == b.high && b.low != 0 && (wide)a.low / b.low == (wide)a.high / b.low) {
        wide multiple = (wide)a.low / b.low * b.low;
        if (a.low == INT64_MIN && a.high == INT64_MIN && b.low == -1)
            return (wrc_range){ 1, 0, true };
        return fitting(a.low - multiple, a.high - multiple, partial);
    }
    wide largest = most(most(b.low, -(wide)b.low), most(b.high, -(wide)b.high)) - 1;
    if (largest < 0) /* by zero */
        return (wrc_range){ 1, 0, true };
    return fitting(a.low < 0 ? most(a.low, -largest) : 0, a.high > 0 ? least(a.high, largest) : 0,
                   partial);
}

static wrc_range range_of_truths(bool some_false, bool some_true)
{
    return (wrc_range){ !some_false, some_true, false };
}

wrc_range wrc_range_truth(wrc_range r)
{
    bool zero = !is_empty(r) && r.low <= 0 && r.high >= 0;
    bool only_zero = r.low == 0 && r.high == 0;
    return range_of_truths(zero || r.partial || is_empty(r), !is_empty(r) && !only_zero);
}

wrc_range wrc_range_of_levels(const wrc_parameter *p, wrc_interval levels)
{
    int64_t low = wrc_parameter_number(p, levels.from), high = low;
    if (p->domain == WRC_DOMAIN_RANGE)
        return (wrc_range){ low, wrc_parameter_number(p, levels.to), false };
    for (uint32_t l = levels.from; l <= levels.to; l++) {
        low = p->values[l].number < low ? p->values[l].number : low;
        high = p->values[l].number > high ? p->values[l].number : high;
    }
    return (wrc_range){ low, high, false };
}

wrc_range wrc_range_of_membership(const wrc_set *set, wrc_interval levels)
{
    wrc_range in = { 0, 0, false };
    for (uint32_t i = 0; i < set->count; i++) {
        const wrc_interval *v = &set->intervals[i];
        in.high |= v->from <= levels.to && v->to >= levels.from;
        in.low |= v->from <= levels.from && v->to >= levels.to;
    }
    return in;
}

static wrc_range not(wrc_range truth)
{
    return (wrc_range){ 1 - truth.high, 1 - truth.low, false };
}

static wrc_range compare_ranges(wrc_operator op, wrc_range a, wrc_range b)
{
    bool some_true, some_false;
    if (is_empty(a) || is_empty(b))
        return range_of_truths(true, false);
    bool apart = a.high < b.low || b.high < a.low;
    bool same = a.low == a.high && b.low == b.high && a.low == b.low;
    switch (op) {
    case WRC_OP_EQUAL: some_true = !apart, some_false = !same; break;
    case WRC_OP_UNEQUAL: some_true = !same, some_false = !apart; break;
    case WRC_OP_LESS: some_true = a.low < b.high, some_false = a.high >= b.low; break;
    case WRC_OP_AT_MOST: some_true = a.low <= b.high, some_false = a.high > b.low; break;
    case WRC_OP_GREATER: some_true = a.high > b.low, some_false = a.low <= b.high; break;
    default: some_true = a.high >= b.low, some_false = a.low < b.high; break;
    }
    return range_of_truths(some_false || a.partial || b.partial, some_true);
}

static wrc_range join_ranges(wrc_operator op, wrc_range a, wrc_range b)
{
    a = wrc_range_truth(a);
    b = wrc_range_truth(b);
    if (op == WRC_OP_IMPLIES)
        a = not(a);
    if (op == WRC_OP_AND)
        return (wrc_range){ a.low & b.low, a.high & b.high, false };
    return (wrc_range){ a.low | b.low, a.high | b.high, false };
}

static wrc_range calculate_ranges(wrc_operator op, wrc_range a, wrc_range b)
{
    bool partial = a.partial || b.partial;
    if (is_empty(a) || is_empty(b))
        return (wrc_range){ 1, 0, true };
    switch (op) {
    case WRC_OP_ADD: return fitting((wide)a.low + b.low, (wide)a.high + b.high, partial);
    case WRC_OP_SUBTRACT: return fitting((wide)a.low - b.high, (wide)a.high - b.low, partial);
    case WRC_OP_MULTIPLY: return product(a, b);
    case WRC_OP_DIVIDE: return quotient(a, b);
    default: return remainder_of(a, b);
    }
}

wrc_range wrc_expression_range(const wrc_expression *e, const wrc_range *values)
{
    static const wrc_range zero = { 0, 0, false };
    if (e->op == WRC_OP_NUMBER)
        return (wrc_range){ e->number, e->number, false };
    if (e->op == WRC_OP_VALUE)
        return values[e->parameter];
    wrc_range left = wrc_expression_range(e->left, values);
    if (e->op == WRC_OP_NEGATE)
        return calculate_ranges(WRC_OP_SUBTRACT, zero, left);
    if (e->op == WRC_OP_NOT)
        return not(wrc_range_truth(left));
    wrc_range right = wrc_expression_range(e->right, values);
    if (wrc_operator_compares(e->op))
        return compare_ranges(e->op, left, right);
    if (wrc_operator_joins(e->op))
        return join_ranges(e->op, left, right);
    return calculate_ranges(e->op, left, right);
}
