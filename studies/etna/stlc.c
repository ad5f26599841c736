/* studies/etna/stlc.c: the simply typed lambda calculus: does reduction keep types? Ten mutants.
 *
 * Terms are in de Bruijn's notation; a variable is shifted when it goes below a binder. A step
 * reduces every redex that is there, once, also below binders. Every property has a variant for
 * each mutant: NAME_with_MUTANT.
 */
#include <warren.h>

#define MUTANTS(_)                                                                               \
    _(ShiftsNothing)                                                                             \
    _(ShiftsEverything)                                                                          \
    _(ShiftsAboveTheCutoff)                                                                      \
    _(ShiftsBelowBindersToo)                                                                     \
    _(ReplacesEverything)                                                                        \
    _(ReplacesNothing)                                                                           \
    _(ForgetsToShift) _(ForgetsToCount) _(BetaForgetsToShift) _(BetaForgetsToShiftBack)

#define MUTANT_NUMBER_(name) name,
typedef enum mutant { NO_MUTANT, MUTANTS(MUTANT_NUMBER_) } mutant;

static mutant   active;
static wr_case *now; /* the case that is run: whose memory terms are in */

/* ---- The language ---- */

enum { BASE, FUN };
WR_TYPE(TYPE, "Type", [BASE] = { "Base", .show = "()" },
        [FUN] = { "Fun", .args = { &TYPE, &TYPE }, .show = "(%0->%1)" });

enum { CON, VAR, LAM, APP };
WR_TYPE(TERM, "Term", [CON] = { "Con", .show = "#" },
        [VAR] = { "Var", .index = WR_ANY_INDEX, .show = "%i" },
        [LAM] = { "Lam", .args = { &TYPE, &TERM }, .show = "(lam %0. %1)" },
        [APP] = { "App", .args = { &TERM, &TERM }, .show = "(%0 %1)" });

typedef struct type {
    const struct type *from, *to; /* NULL: the base type */
} type;

static const type base = { 0 };

typedef struct term {
    int                tag, index; /* mutants make indices negative */
    const type        *is;         /* of the variable that it binds */
    const struct term *f, *a;      /* a lambda has its body in f */
} term;

static const term *new_term(int tag, int index, const type *is, const term *f, const term *a)
{
    term *made = wr_alloc(now, sizeof *made);
    *made = (term){ tag, index, is, f, a };
    return made;
}

static const type *copy_type(wr_node *e)
{
    if (wr_tag(e) == BASE)
        return &base;
    type *made = wr_alloc(now, sizeof *made);
    made->from = copy_type(wr_arg(e, 0));
    made->to = copy_type(wr_arg(e, 1));
    return made;
}

static const term *copy(wr_node *e)
{
    const term *f;
    switch (wr_tag(e)) {
    case CON: return new_term(CON, 0, NULL, NULL, NULL);
    case VAR: return new_term(VAR, (int)wr_index(e), NULL, NULL, NULL);
    case LAM: return new_term(LAM, 0, copy_type(wr_arg(e, 0)), copy(wr_arg(e, 1)), NULL);
    default: f = copy(wr_arg(e, 0)); return new_term(APP, 0, NULL, f, copy(wr_arg(e, 1)));
    }
}

/* ---- Types of terms ---- */

typedef struct binding {
    const struct binding *outer;
    const type           *is;
} binding;

static bool same_type(const type *a, const type *b)
{
    if (a == b || a->from == NULL || b->from == NULL)
        return a == b || a->from == b->from;
    return same_type(a->from, b->from) && same_type(a->to, b->to);
}

static const type *arrow(const type *from, const type *to)
{
    type *made = wr_alloc(now, sizeof *made);
    *made = (type){ from, to };
    return made;
}

/* NULL: it has none. */
static const type *type_of(const term *e, const binding *scope)
{
    const type *f, *a;
    int         k;
    switch (e->tag) {
    case CON: return &base;
    case VAR:
        for (k = e->index; scope != NULL && k > 0; k--)
            scope = scope->outer;
        return scope == NULL || k < 0 ? NULL : scope->is;
    case LAM:
        a = type_of(e->f, &(binding){ scope, e->is });
        return a == NULL ? NULL : arrow(e->is, a);
    default:
        f = type_of(e->f, scope);
        a = f == NULL || f->from == NULL ? NULL : type_of(e->a, scope);
        return a == NULL || !same_type(f->from, a) ? NULL : f->to;
    }
}

/* The same while the term is chosen: what cannot have a type is given up at once. */
static const type *demand_type(wr_node *e, size_t depth, const binding *scope)
{
    const type *f, *a;
    switch (wr_need(e, 1u << CON | 1u << LAM | 1u << APP | (depth > 0 ? 1u << VAR : 0))) {
    case CON: return &base;
    case VAR:
        for (size_t k = wr_need_index_below(e, depth); k > 0; k--)
            scope = scope->outer;
        return scope->is;
    case LAM:
        a = copy_type(wr_arg(e, 0));
        return arrow(a, demand_type(wr_arg(e, 1), depth + 1, &(binding){ scope, a }));
    default:
        f = demand_type(wr_arg(e, 0), depth, scope);
        if (f->from == NULL)
            wr_need(e, 0);
        a = demand_type(wr_arg(e, 1), depth, scope);
        if (!same_type(f->from, a))
            wr_need(e, 0);
        return f->to;
    }
}

static bool is_typed(wr_node *e)
{
    demand_type(e, 0, NULL);
    return true;
}

/* ---- The code under test ---- */

static const term *variable(int index)
{
    return new_term(VAR, index, NULL, NULL, NULL);
}

static bool is_shifted(int index, int cutoff)
{
    switch (active) {
    case ShiftsNothing: return false;
    case ShiftsEverything: return true;
    case ShiftsAboveTheCutoff: return index > cutoff;
    default: return index >= cutoff;
    }
}

/* Adds `by` to the variables from `cutoff` on. */
static const term *shift(const term *e, int by, int cutoff)
{
    switch (e->tag) {
    case VAR: return is_shifted(e->index, cutoff) ? variable(e->index + by) : e;
    case LAM:
        cutoff += active != ShiftsBelowBindersToo;
        return new_term(LAM, 0, e->is, shift(e->f, by, cutoff), NULL);
    case APP: return new_term(APP, 0, NULL, shift(e->f, by, cutoff), shift(e->a, by, cutoff));
    default: return e;
    }
}

/* Puts `given` for variable n. */
static const term *replace(const term *e, int n, const term *given)
{
    bool here;
    switch (e->tag) {
    case VAR:
        here = (e->index == n && active != ReplacesNothing) || active == ReplacesEverything;
        return here ? given : e;
    case LAM:
        given = active == ForgetsToShift ? given : shift(given, 1, 0);
        n += active != ForgetsToCount;
        return new_term(LAM, 0, e->is, replace(e->f, n, given), NULL);
    case APP: return new_term(APP, 0, NULL, replace(e->f, n, given), replace(e->a, n, given));
    default: return e;
    }
}

static const term *beta(const term *body, const term *given)
{
    given = active == BetaForgetsToShift ? given : shift(given, 1, 0);
    body = replace(body, 0, given);
    return active == BetaForgetsToShiftBack ? body : shift(body, -1, 0);
}

static bool reducible(const term *e)
{
    switch (e->tag) {
    case LAM: return reducible(e->f);
    case APP: return e->f->tag == LAM || reducible(e->f) || reducible(e->a);
    default: return false;
    }
}

static const term *step(const term *e)
{
    switch (e->tag) {
    case LAM: return new_term(LAM, 0, e->is, step(e->f), NULL);
    case APP:
        return e->f->tag == LAM ? beta(step(e->f->f), step(e->a))
                                : new_term(APP, 0, NULL, step(e->f), step(e->a));
    default: return e;
    }
}

/* ---- Properties ---- */

#define STEPS_MOST 40

static const term *draw_term(wr_case *t)
{
    wr_node *e = wr_tree(t, "e", &TERM);
    wr_require(t, is_typed, e);
    return copy(e);
}

static void types_stay(wr_case *t, unsigned steps)
{
    const term *e = draw_term(t);
    const type *before = type_of(e, NULL);
    for (; steps > 0 && reducible(e); steps--)
        e = step(e);
    const type *after = type_of(e, NULL);
    wr_assert(t, after != NULL && same_type(before, after));
}

static void types_stay_in_a_step(wr_case *t)
{
    types_stay(t, 1);
}

static void types_stay_in_many_steps(wr_case *t)
{
    types_stay(t, STEPS_MOST);
}

#define PROPERTY_(name, which)                                                                   \
    WR_PROPERTY(name##_with_##which)                                                             \
    {                                                                                            \
        now = t;                                                                                 \
        active = which;                                                                          \
        name(t);                                                                                 \
    }
#define PROPERTIES_(which)                                                                       \
    PROPERTY_(types_stay_in_a_step, which) PROPERTY_(types_stay_in_many_steps, which)

PROPERTIES_(NO_MUTANT) MUTANTS(PROPERTIES_)
