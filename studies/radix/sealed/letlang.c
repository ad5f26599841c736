/* An optimiser for a small typed language: numbers, truth values, pairs, lets and a division that
 * traps. A program has two inputs, and its value is a number. The property runs a program before
 * and after it is optimised; most trees are no programs, since their types or variables are
 * wrong.
 */
#include <warren.h>
#include <string.h>

#include "faults.h"

enum op { NUM, FLAG, VAR, LET, ADD, MUL, DIV, LESS, NOT, IF, PAIR, FST, SND };
WR_TYPE(EXPR, "Expr", { "Num", .index = 4, .show = "%i" },
        { "Flag", .index = 2, .show = "Flag %i" },
        { "Var", .index = WR_ANY_INDEX, .show = "v%i" }, { "Let", .args = { &EXPR, &EXPR } },
        { "Add", .args = { &EXPR, &EXPR } }, { "Mul", .args = { &EXPR, &EXPR } },
        { "Div", .args = { &EXPR, &EXPR } }, { "Less", .args = { &EXPR, &EXPR } },
        { "Not", .args = { &EXPR } }, { "If", .args = { &EXPR, &EXPR, &EXPR } },
        { "Pair", .args = { &EXPR, &EXPR } }, { "Fst", .args = { &EXPR } },
        { "Snd", .args = { &EXPR } });

static const int KIDS[] = {
    [NUM] = 0,  [FLAG] = 0, [VAR] = 0, [LET] = 2,  [ADD] = 2, [MUL] = 2, [DIV] = 2,
    [LESS] = 2, [NOT] = 1,  [IF] = 3,  [PAIR] = 2, [FST] = 1, [SND] = 1
};

/* ---- Types: INT, BOOL, and pairs of these ------------------------------------------------ */

enum { WRONG = -1, INT, BOOL, PAIRS }; /* PAIRS + 2 * first + second */
enum { DEEPEST = 60, INPUTS = 2 };

static int type_of(wr_node *e, const int *env, size_t depth)
{
    int     a, b;
    int     inner[DEEPEST];
    enum op tag = (enum op)wr_tag(e);
    switch (tag) {
    case NUM: return INT;
    case FLAG: return BOOL;
    case VAR: return wr_index(e) < depth ? env[depth - 1 - wr_index(e)] : WRONG;
    case LET:
        a = type_of(wr_arg(e, 0), env, depth);
        if (a == WRONG || depth == DEEPEST)
            return WRONG;
        memcpy(inner, env, depth * sizeof *env);
        inner[depth] = a;
        return type_of(wr_arg(e, 1), inner, depth + 1);
    case ADD:
    case MUL:
    case DIV:
    case LESS:
        if (type_of(wr_arg(e, 0), env, depth) != INT || type_of(wr_arg(e, 1), env, depth) != INT)
            return WRONG;
        return tag == LESS ? BOOL : INT;
    case NOT: return type_of(wr_arg(e, 0), env, depth) == BOOL ? BOOL : WRONG;
    case IF:
        if (type_of(wr_arg(e, 0), env, depth) != BOOL)
            return WRONG;
        a = type_of(wr_arg(e, 1), env, depth);
        return a != WRONG && a == type_of(wr_arg(e, 2), env, depth) ? a : WRONG;
    case PAIR:
        a = type_of(wr_arg(e, 0), env, depth);
        if (a != INT && a != BOOL)
            return WRONG;
        b = type_of(wr_arg(e, 1), env, depth);
        return b == INT || b == BOOL ? PAIRS + 2 * a + b : WRONG;
    case FST:
    case SND:
        a = type_of(wr_arg(e, 0), env, depth);
        if (a < PAIRS)
            return WRONG;
        return tag == FST ? (a - PAIRS) / 2 : (a - PAIRS) % 2;
    }
    return WRONG;
}

static bool is_program(wr_node *e)
{
    int inputs[INPUTS] = { INT, INT };
    return type_of(e, inputs, INPUTS) == INT;
}

/* ---- Programs as structs --------------------------------------------------------------------
 */

typedef struct expr {
    enum op            op;
    unsigned           n; /* of NUM and FLAG the value, of VAR how many lets outwards */
    const struct expr *kid[3];
} expr;

static void *to_struct(wr_case *t, wr_node *e, void **made, void *context)
{
    expr *x = wr_alloc(t, sizeof *x);
    (void)context;
    x->op = (enum op)wr_tag(e);
    if (x->op <= VAR)
        x->n = (unsigned)wr_index(e);
    for (int i = 0; i < KIDS[x->op]; i++)
        x->kid[i] = made[i];
    return x;
}

static const expr *make(wr_case *t, enum op op, unsigned n, const expr *a, const expr *b,
                        const expr *c)
{
    expr *x = wr_alloc(t, sizeof *x);
    *x = (expr){ op, n, { a, b, c } };
    return x;
}

typedef struct value {
    bool     trapped;
    unsigned first, second; /* of all but pairs, only the first */
} value;

static value run(const expr *e, const value *env, size_t depth)
{
    value inner[DEEPEST + 1];
    value a, b;
    if (e->op == NUM || e->op == FLAG)
        return (value){ .first = e->n };
    if (e->op == VAR)
        return env[depth - 1 - e->n];
    a = run(e->kid[0], env, depth);
    if (a.trapped)
        return a;
    switch (e->op) {
    case LET:
        memcpy(inner, env, depth * sizeof *env);
        inner[depth] = a;
        return run(e->kid[1], inner, depth + 1);
    case NOT: return (value){ .first = !a.first };
    case FST: return (value){ .first = a.first };
    case SND: return (value){ .first = a.second };
    case IF: return run(e->kid[a.first ? 1 : 2], env, depth);
    default: break;
    }
    b = run(e->kid[1], env, depth);
    if (b.trapped)
        return b;
    switch (e->op) {
    case ADD: return (value){ .first = a.first + b.first };
    case MUL: return (value){ .first = a.first * b.first };
    case LESS: return (value){ .first = a.first < b.first };
    case PAIR: return (value){ .first = a.first, .second = b.first };
    default:
        if (b.first == 0)
            return (value){ .trapped = true };
        return (value){ .first = a.first / b.first };
    }
}

/* ---- The optimiser ----------------------------------------------------------------------------
 */

static size_t size_of(const expr *e)
{
    size_t n = 1;
    for (int i = 0; i < KIDS[e->op]; i++)
        n += size_of(e->kid[i]);
    return n;
}

/* Neither divides nor hides a division. */
static bool is_total(const expr *e)
{
    if (e->op == DIV && (e->kid[1]->op != NUM || e->kid[1]->n == 0))
        return false;
    for (int i = 0; i < KIDS[e->op]; i++)
        if (!is_total(e->kid[i]))
            return false;
    return true;
}

static bool same(const expr *a, const expr *b)
{
    if (a->op != b->op || a->n != b->n)
        return false;
    int kids = KIDS[a->op];
    if (FAULT(8) && a->op == IF && a->kid[0]->op == LESS)
        kids = 2;
    for (int i = 0; i < kids; i++)
        if (!same(a->kid[i], b->kid[i]))
            return false;
    return true;
}

/* Adds `by` to the variables that point out of e by at least `from` lets. */
static const expr *shift(wr_case *t, const expr *e, int by, unsigned from)
{
    if (e->op == VAR)
        return e->n < from ? e : make(t, VAR, e->n + (unsigned)by, NULL, NULL, NULL);
    expr *x = wr_copy(t, e, sizeof *e);
    for (int i = 0; i < KIDS[e->op]; i++) {
        unsigned inner = from + (e->op == LET && i == 1);
        if (FAULT(7) && by < 0 && e->op == LET && i == 1 && e->kid[0]->op == MUL)
            inner = from;
        if (FAULT(11) && by > 0 && e->op == LET && from > 0 && e->kid[0]->op == ADD)
            inner = from;
        x->kid[i] = shift(t, e->kid[i], by, inner);
    }
    return x;
}

/* e with `with` for its variable `n`, which then is gone. */
static const expr *put(wr_case *t, const expr *e, unsigned n, const expr *with)
{
    if (e->op == VAR) {
        if (e->n == n)
            return FAULT(5) && n > 0 && with->op == VAR ? with : shift(t, with, (int)n, 0);
        return e->n < n ? e : make(t, VAR, e->n - 1, NULL, NULL, NULL);
    }
    expr *x = wr_copy(t, e, sizeof *e);
    for (int i = 0; i < KIDS[e->op]; i++)
        x->kid[i] = put(t, e->kid[i], n + (e->op == LET && i == 1), with);
    return x;
}

/* How often variable n is used; *in_branch: somewhere that may not be reached. */
static unsigned uses(const expr *e, unsigned n, bool branch, bool *in_branch)
{
    unsigned count = 0;
    if (e->op == VAR) {
        *in_branch |= branch && e->n == n;
        return e->n == n;
    }
    for (int i = 0; i < KIDS[e->op]; i++) {
        bool maybe = branch || (e->op == IF && i > 0 && !FAULT(6));
        count += uses(e->kid[i], n + (e->op == LET && i == 1), maybe, in_branch);
    }
    return count;
}

static const expr *simplify(wr_case *t, const expr *e);

static const expr *simplify_let(wr_case *t, const expr *e)
{
    const expr *bound = e->kid[0], *body = e->kid[1];
    bool        in_branch = false;
    unsigned    count = uses(body, 0, false, &in_branch);
    if (count == 0 && is_total(bound))
        return shift(t, body, -1, 1);
    if (bound->op <= VAR || (count == 1 && (is_total(bound) || !in_branch)))
        return put(t, body, 0, bound);
    if (bound->op == LET) { /* let (let a in b) in c: let a in let b in c */
        const expr *c = shift(t, body, 1, FAULT(13) ? 0 : 1);
        return make(t, LET, 0, bound->kid[0], make(t, LET, 0, bound->kid[1], c, NULL), NULL);
    }
    return e;
}

static const expr *simplify_binary(wr_case *t, const expr *e)
{
    const expr *a = e->kid[0], *b = e->kid[1];
    if (a->op == NUM && b->op == NUM) {
        if (e->op == ADD)
            return make(t, NUM, a->n + b->n, NULL, NULL, NULL);
        if (e->op == MUL)
            return make(t, NUM, a->n * b->n, NULL, NULL, NULL);
        if (e->op == LESS)
            return make(t, FLAG, FAULT(1) ? a->n <= b->n : a->n < b->n, NULL, NULL, NULL);
        if (b->n != 0)
            return make(t, NUM, a->n / b->n, NULL, NULL, NULL);
    }
    if (e->op == ADD && a->op == NUM && a->n == 0)
        return b;
    if (e->op == MUL && b->op == NUM && b->n == 0 && (FAULT(2) || is_total(a)))
        return b;
    if ((e->op == ADD || e->op == MUL) && a->op == e->op && b->op == NUM &&
        a->kid[1]->op == NUM) {
        unsigned p = a->kid[1]->n, q = b->n;
        unsigned both = e->op == ADD || (FAULT(12) && p > 1 && q > 1 && p != q) ? p + q : p * q;
        return make(t, e->op, 0, a->kid[0], make(t, NUM, both, NULL, NULL, NULL), NULL);
    }
    if (a->op == LET) { /* (let x in y) + b: let x in y + b */
        const expr *c = shift(t, b, 1, 0);
        if (FAULT(14) && e->op == MUL && b->op == IF && b->kid[2]->op == IF)
            c = b;
        return make(t, LET, 0, a->kid[0], make(t, e->op, 0, a->kid[1], c, NULL), NULL);
    }
    if (same(a, b) && size_of(a) >= 7) { /* worth a let of its own */
        const expr *v = make(t, VAR, 0, NULL, NULL, NULL);
        return make(t, LET, 0, a, make(t, e->op, 0, v, v, NULL), NULL);
    }
    return e;
}

static const expr *simplify_if(wr_case *t, const expr *e)
{
    const expr *c = e->kid[0], *a = e->kid[1], *b = e->kid[2];
    if (c->op == FLAG)
        return c->n ? a : b;
    if (c->op == NOT)
        return FAULT(4) && a->op == IF ? make(t, IF, 0, c->kid[0], a, b)
                                       : make(t, IF, 0, c->kid[0], b, a);
    if (same(a, b) && (is_total(c) || FAULT(3)))
        return a;
    return e;
}

static const expr *simplify_part(wr_case *t, const expr *e)
{
    const expr *a = e->kid[0];
    if (a->op == PAIR) {
        int i = e->op == SND;
        if (is_total(a->kid[!i]) || (FAULT(9) && i == 0))
            return a->kid[i];
    }
    if (a->op == IF) {
        enum op other = FAULT(10) && e->op == SND ? FST : e->op;
        return make(t, IF, 0, a->kid[0], simplify(t, make(t, e->op, 0, a->kid[1], NULL, NULL)),
                    simplify(t, make(t, other, 0, a->kid[2], NULL, NULL)));
    }
    if (a->op == LET)
        return make(t, LET, 0, a->kid[0], simplify(t, make(t, e->op, 0, a->kid[1], NULL, NULL)),
                    NULL);
    return e;
}

/* One step at the root; the parts are simple already. */
static const expr *simplify(wr_case *t, const expr *e)
{
    switch (e->op) {
    case LET: return simplify_let(t, e);
    case ADD:
    case MUL:
    case DIV:
    case LESS: return simplify_binary(t, e);
    case NOT:
        if (e->kid[0]->op == NOT)
            return e->kid[0]->kid[0];
        return e->kid[0]->op == FLAG ? make(t, FLAG, !e->kid[0]->n, NULL, NULL, NULL) : e;
    case IF: return simplify_if(t, e);
    case FST:
    case SND: return simplify_part(t, e);
    default: return e;
    }
}

static const expr *optimise(wr_case *t, const expr *e)
{
    expr *x = wr_copy(t, e, sizeof *e);
    for (int i = 0; i < KIDS[e->op]; i++)
        x->kid[i] = optimise(t, e->kid[i]);
    return simplify(t, x);
}

WR_PROPERTY(letlang)
{
    wr_node *e = wr_tree(t, "e", &EXPR);
    wr_require(t, is_program, e);
    value inputs[INPUTS] = { { .first = (unsigned)wr_int(t, "y", 0, 5) },
                             { .first = (unsigned)wr_int(t, "x", 0, 5) } };

    const expr *program = wr_fold(t, e, to_struct, NULL);
    const expr *once = optimise(t, program);
    const expr *twice = optimise(t, once);
    value       expected = run(program, inputs, INPUTS);
    value       got = run(once, inputs, INPUTS), again = run(twice, inputs, INPUTS);
    wr_assert_eq(t, got.trapped, expected.trapped);
    wr_assert_eq(t, got.first, expected.first);
    wr_assert_eq(t, again.trapped, expected.trapped);
    wr_assert_eq(t, again.first, expected.first);
}

#ifdef WITNESS
/* One for each of the deep faults, 7, 8, 11 and 14. */
WR_EXAMPLE(letlang, "e = Let(0, Let(Mul(1, v1), Let(Mul(v0, Div(1, v0)), v1)))", "x = 2");
WR_EXAMPLE(letlang, "e = Add(If(Less(v0, 1), 0, Add(1, v0)), If(Less(v0, 1), 0, 1))", "x = 2");
WR_EXAMPLE(letlang, "e = Let(Let(Div(1, v0), 1), Let(Add(v0, Div(0, v0)), v1))", "x = 2");
WR_EXAMPLE(letlang, "e = Mul(Let(Div(1, v0), 1), If(Less(v0, 1), 0, If(Less(v0, 2), 1, 2)))",
           "x = 2");
/* And for those in the middle, 4, 5, 6, 10 and 13. */
WR_EXAMPLE(letlang, "e = If(Not(Less(v0, 1)), If(Less(v0, 3), 1, 2), 0)", "x = 2");
WR_EXAMPLE(letlang, "e = Let(v0, Let(Div(1, v0), v1))", "x = 2");
WR_EXAMPLE(letlang, "e = Let(Div(0, 0), If(Less(0, v1), v0, 0))", "x = 0");
WR_EXAMPLE(letlang, "e = Snd(If(Less(v0, 1), Pair(0, 1), Pair(2, 3)))", "x = 2");
WR_EXAMPLE(letlang, "e = Let(Let(Div(1, v0), 1), Add(v0, v0))", "x = 2");
#endif
