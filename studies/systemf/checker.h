/* studies/systemf/checker.h: two type checkers, over any way of looking at a term.
 *
 * Whoever includes this says what a NODE is and how it is looked at: TAG(e), ARG(e, i), INDEX(e);
 * what is demanded of it: NEED(e, tags), NEED_INDEX_BELOW(e, k); and REFUTE(e), which does not
 * return. So the very same predicate runs on Warren's lazy data and on an enumerator that was
 * written for this language alone.
 *
 * plain_check() is the checker in the order in which it was published, and only looks.
 * strong_check() is given the type that is wanted, as far as it is known, and states what it
 * needs where the other would fail later.
 */
#ifndef SYSTEMF_CHECKER_H
#define SYSTEMF_CHECKER_H

#include "types.h"

/* The term variables around a term, innermost first. A type was read where `depth` type variables
 * were in scope, and is shifted when it is used where there are more. */
typedef struct binding {
    const struct binding *outer;
    const type           *is;
    int32_t               depth;
} binding;

static inline const type *type_of_binding(const binding *at, int32_t depth)
{
    return shift_type(at->is, 0, depth - at->depth);
}

/* ---- In the published order ---- */

/* The type that the node stands for, if all its variables are in scope; else NULL. */
static const type *plain_annotation(NODE e, int32_t depth)
{
    const type *a, *b;
    switch (TAG(e)) {
    case BASE: return &base_type;
    case BOOL: return &bool_type;
    case TVAR: return INDEX(e) < (size_t)depth ? variable((int32_t)INDEX(e)) : NULL;
    case FORALL: a = plain_annotation(ARG(e, 0), depth + 1); return a == NULL ? NULL : forall(a);
    default:
        a = plain_annotation(ARG(e, 0), depth);
        b = a == NULL ? NULL : plain_annotation(ARG(e, 1), depth);
        return b == NULL ? NULL : function(a, b);
    }
}

static const type *plain_variable(NODE e, int32_t depth, const binding *at)
{
    for (size_t k = INDEX(e); at != NULL && k > 0; k--)
        at = at->outer;
    return at == NULL ? NULL : type_of_binding(at, depth);
}

static const type *plain_type(NODE e, int32_t depth, const binding *scope);

static const type *plain_lambda(NODE e, int32_t depth, const binding *scope)
{
    const type *from = plain_annotation(ARG(e, 0), depth);
    if (from == NULL)
        return NULL;
    binding     inner = { scope, from, depth };
    const type *to = plain_type(ARG(e, 1), depth, &inner);
    return to == NULL ? NULL : function(from, to);
}

/* Both types are computed before the first is looked at. */
static const type *plain_application(NODE e, int32_t depth, const binding *scope)
{
    const type *f = plain_type(ARG(e, 0), depth, scope);
    const type *a = f == NULL ? NULL : plain_type(ARG(e, 1), depth, scope);
    return a != NULL && f->tag == FUN && same_type(f->a, a) ? f->b : NULL;
}

static const type *plain_type_application(NODE e, int32_t depth, const binding *scope)
{
    const type *f = plain_type(ARG(e, 0), depth, scope);
    const type *given = f == NULL ? NULL : plain_annotation(ARG(e, 1), depth);
    return given != NULL && f->tag == FORALL ? instantiate(f->a, 0, given) : NULL;
}

/* All three types are computed before they are compared. */
static const type *plain_condition(NODE e, int32_t depth, const binding *scope)
{
    const type *c = plain_type(ARG(e, 0), depth, scope);
    const type *x = c == NULL ? NULL : plain_type(ARG(e, 1), depth, scope);
    const type *y = x == NULL ? NULL : plain_type(ARG(e, 2), depth, scope);
    return y != NULL && c->tag == BOOL && same_type(x, y) ? x : NULL;
}

/* The term's type, or NULL: it has none. */
static const type *plain_type(NODE e, int32_t depth, const binding *scope)
{
    const type *body;
    switch (TAG(e)) {
    case CON: return &base_type;
    case TRUE:
    case FALSE: return &bool_type;
    case VAR: return plain_variable(e, depth, scope);
    case LAM: return plain_lambda(e, depth, scope);
    case APP: return plain_application(e, depth, scope);
    case TAPP: return plain_type_application(e, depth, scope);
    case COND: return plain_condition(e, depth, scope);
    default:
        body = plain_type(ARG(e, 0), depth + 1, scope);
        return body == NULL ? NULL : forall(body);
    }
}

static inline bool plain_check(NODE e)
{
    types_used = 0;
    return plain_type(e, 0, NULL) != NULL;
}

/* ---- With demands ---- */

#define ONE(tag) (UINT64_C(1) << (tag))

/* The only index that is right: the smaller ones are refuted one by one. */
static void need_index(NODE e, int32_t index)
{
    if (NEED_INDEX_BELOW(e, (size_t)index + 1) != (size_t)index)
        REFUTE(e);
}

/* Any type whose variables are in scope. */
static const type *some_annotation(NODE e, int32_t depth)
{
    const type *a;
    switch (
        NEED(e, ONE(BASE) | ONE(BOOL) | ONE(FORALL) | ONE(FUN) | (depth > 0 ? ONE(TVAR) : 0))) {
    case BASE: return &base_type;
    case BOOL: return &bool_type;
    case TVAR: return variable((int32_t)NEED_INDEX_BELOW(e, (size_t)depth));
    case FORALL: return forall(some_annotation(ARG(e, 0), depth + 1));
    default:
        a = some_annotation(ARG(e, 0), depth);
        return function(a, some_annotation(ARG(e, 1), depth));
    }
}

/* A type of the wanted form. */
static const type *strong_annotation(NODE e, int32_t depth, const type *wanted)
{
    const type *a = NULL, *b = NULL;
    if (wanted->tag == ANYTHING)
        return some_annotation(e, depth);
    NEED(e, ONE(wanted->tag));
    if (wanted->tag == TVAR)
        need_index(e, wanted->index);
    if (wanted->tag >= FORALL)
        a = strong_annotation(ARG(e, 0), depth + (wanted->tag == FORALL), wanted->a);
    if (wanted->tag == FUN)
        b = strong_annotation(ARG(e, 1), depth, wanted->b);
    return !wanted->vague ? wanted : wanted->tag == FUN ? function(a, b) : forall(a);
}

/* What must stand for variable n of `body`, so that it becomes what is wanted: ANYTHING as far as
 * that is not said; NULL: nothing does. */
static const type *solution(const type *body, int32_t n, const type *wanted)
{
    const type *a, *b;
    if (wanted->tag == ANYTHING)
        return &any_type;
    if (body->tag == TVAR && body->index == n)
        return mentions_below(wanted, 0, n) ? NULL : shift_type(wanted, 0, -n);
    if (body->tag != wanted->tag)
        return NULL;
    switch (body->tag) {
    case TVAR: return body->index - (body->index > n) == wanted->index ? &any_type : NULL;
    case FORALL: return solution(body->a, n + 1, wanted->a);
    case FUN:
        a = solution(body->a, n, wanted->a);
        b = a == NULL ? NULL : solution(body->b, n, wanted->b);
        return b == NULL || a->tag == ANYTHING ? b : a;
    default: return &any_type;
    }
}

/* The variables that fit, a bit for each index. */
static uint64_t fitting_variables(int32_t depth, const binding *at, const type *wanted)
{
    uint64_t found = 0;
    for (unsigned k = 0; at != NULL && k < 64; k++, at = at->outer)
        if (fits(type_of_binding(at, depth), wanted))
            found |= ONE(k);
    return found;
}

static const type *strong_variable(NODE e, int32_t depth, const binding *at, uint64_t fitting)
{
    size_t index = NEED_INDEX_BELOW(e, 64 - (size_t)__builtin_clzll(fitting));
    if ((fitting >> index & 1) == 0)
        REFUTE(e);
    for (size_t k = index; k > 0; k--)
        at = at->outer;
    return type_of_binding(at, depth);
}

static const type *strong_type(NODE e, int32_t depth, const binding *scope, const type *wanted);

static const type *strong_lambda(NODE e, int32_t depth, const binding *scope, const type *wanted)
{
    bool        known = wanted->tag == FUN;
    const type *from = strong_annotation(ARG(e, 0), depth, known ? wanted->a : &any_type);
    binding     inner = { scope, from, depth };
    const type *to = strong_type(ARG(e, 1), depth, &inner, known ? wanted->b : &any_type);
    return wanted->vague ? function(from, to) : wanted;
}

static const type *strong_type_lambda(NODE e, int32_t depth, const binding *scope,
                                      const type *wanted)
{
    const type *body =
        strong_type(ARG(e, 0), depth + 1, scope, wanted->tag == FORALL ? wanted->a : &any_type);
    return wanted->vague ? forall(body) : wanted;
}

static const type *strong_application(NODE e, int32_t depth, const binding *scope,
                                      const type *wanted)
{
    const type *f = strong_type(ARG(e, 0), depth, scope, function(&any_type, wanted));
    strong_type(ARG(e, 1), depth, scope, f->a);
    return f->b;
}

static const type *strong_type_application(NODE e, int32_t depth, const binding *scope,
                                           const type *wanted)
{
    const type *f = strong_type(ARG(e, 0), depth, scope, &any_forall);
    const type *needed = solution(f->a, 0, wanted);
    if (needed == NULL)
        REFUTE(e);
    const type *result = instantiate(f->a, 0, strong_annotation(ARG(e, 1), depth, needed));
    if (!fits(result, wanted))
        REFUTE(e);
    return result;
}

static const type *strong_condition(NODE e, int32_t depth, const binding *scope,
                                    const type *wanted)
{
    strong_type(ARG(e, 0), depth, scope, &bool_type);
    const type *x = strong_type(ARG(e, 1), depth, scope, wanted);
    return strong_type(ARG(e, 2), depth, scope, x);
}

/* The constructors whose values are of the wanted form; applications, conditions and variables
 * may be of any. */
static const uint64_t INTRODUCING[] = {
    [BASE] = ONE(CON), [BOOL] = ONE(TRUE) | ONE(FALSE),
    [TVAR] = 0,        [FORALL] = ONE(TLAM),
    [FUN] = ONE(LAM),  [ANYTHING] = ONE(CON) | ONE(TRUE) | ONE(FALSE) | ONE(TLAM) | ONE(LAM),
};

/* The term's type, which is of the wanted form; a term that has none is refuted. */
static const type *strong_type(NODE e, int32_t depth, const binding *scope, const type *wanted)
{
    uint64_t fitting = fitting_variables(depth, scope, wanted);
    switch (NEED(e, INTRODUCING[wanted->tag] | ONE(APP) | ONE(TAPP) | ONE(COND) |
                        (fitting != 0 ? ONE(VAR) : 0))) {
    case CON: return &base_type;
    case TRUE:
    case FALSE: return &bool_type;
    case VAR: return strong_variable(e, depth, scope, fitting);
    case TLAM: return strong_type_lambda(e, depth, scope, wanted);
    case LAM: return strong_lambda(e, depth, scope, wanted);
    case APP: return strong_application(e, depth, scope, wanted);
    case TAPP: return strong_type_application(e, depth, scope, wanted);
    default: return strong_condition(e, depth, scope, wanted);
    }
}

static bool strong_check(NODE e)
{
    types_used = 0;
    strong_type(e, 0, NULL, &any_type);
    return true;
}

#endif
