/* studies/systemf/evaluate.c: substitution and reduction, with the place of every mutant.
 *
 * A function returns the very expression that it was given where nothing changes, so that most of
 * a term is shared and comparing is mostly comparing pointers. When a mutant's place is come to,
 * that is noted: a step that did not come there is the same without the mutant, and is made once.
 */
#include "evaluate.h"

#define STEPS_MOST 100

/* ---- Expressions ---- */

expr   pool[POOL_MOST];
size_t pool_used;
bool   pool_full;

#define LEAVES(tag)                                                                              \
    {                                                                                            \
        { tag, 0, 0, { 0 } }, { tag, 0, 1, { 0 } }, { tag, 0, 2, { 0 } }, { tag, 0, 3, { 0 } },  \
            { tag, 0, 4, { 0 } }, { tag, 0, 5, { 0 } }, { tag, 0, 6, { 0 } },                    \
        {                                                                                        \
            tag, 0, 7,                                                                           \
            {                                                                                    \
                0                                                                                \
            }                                                                                    \
        }                                                                                        \
    }
#define KNOWN_INDICES 8

/* A tag and a small index say all of a leaf, be it a term or a type. */
const expr *leaf(unsigned tag, int32_t index)
{
    static const expr KNOWN[][KNOWN_INDICES] = { LEAVES(0), LEAVES(1), LEAVES(2), LEAVES(3) };
    if (index >= 0 && index < KNOWN_INDICES)
        return &KNOWN[tag][index];
    expr *made = (expr *)keep(tag, 0, NULL, NULL, NULL);
    made->index = index;
    return made;
}

static bool same(const expr *a, const expr *b)
{
    if (a == b)
        return true;
    if (a->tag != b->tag || a->index != b->index || a->arity != b->arity)
        return false;
    for (unsigned i = 0; i < a->arity; i++)
        if (!same(a->args[i], b->args[i]))
            return false;
    return true;
}

static const expr *with_index(const expr *e, int32_t index)
{
    return index == e->index ? e : leaf(e->tag, index);
}

static const expr *with_args(const expr *e, const expr *a, const expr *b, const expr *c)
{
    if (a == e->args[0] && b == e->args[1] && c == e->args[2])
        return e;
    return keep(e->tag, e->arity, a, b, c);
}

/* ---- The mutant ---- */

static mutant active = NO_MUTANT;
static bool   touched; /* its place was come to */

/* With MANY_MUTANTS there are those of MORE_MUTANTS, too, and all places that were come to are
 * noted, a bit for each. */
#ifdef MANY_MUTANTS
static uint64_t touched_all;
#define ALSO_WRONG(which) wrong(which)
#else
#define ALSO_WRONG(which) false
#endif

/* Is this what is wrong now? Asked where it makes a difference. */
static inline bool wrong(mutant which)
{
#ifdef MANY_MUTANTS
    touched_all |= UINT64_C(1) << which;
#endif
    if (active != which)
        return false;
    touched = true;
    return true;
}

/* ---- Indices in types ---- */

static const expr *lift_type(int32_t n, const expr *e)
{
    switch (e->tag) {
    case TVAR: return e->index >= n || wrong(LiftTypeTVar) ? with_index(e, e->index + 1) : e;
    case FORALL:
        n += !wrong(LiftTypeForAll);
        return with_args(e, lift_type(n, e->args[0]), NULL, NULL);
    case FUN:
        return with_args(e, lift_type(n, e->args[0]),
                         ALSO_WRONG(LiftTypeFun) ? e->args[1] : lift_type(n, e->args[1]), NULL);
    default: return e;
    }
}

static const expr *subst_type_variable(int32_t n, const expr *s, const expr *e)
{
    if (e->index == n)
        return s;
    if (wrong(SubstInTypeLT))
        return e->index < n ? with_index(e, e->index - 1) : e;
    return e->index < n || wrong(SubstInTypeNoDecr) ? e : with_index(e, e->index - 1);
}

static const expr *subst_in_type(int32_t n, const expr *s, const expr *e)
{
    const expr *lifted;
    switch (e->tag) {
    case TVAR: return subst_type_variable(n, s, e);
    case FORALL:
        lifted = wrong(SubstInTypeNoLift) ? s : lift_type(0, s);
        n += !wrong(SubstInTypeNoIncr);
        return with_args(e, subst_in_type(n, lifted, e->args[0]), NULL, NULL);
    case FUN:
        return with_args(
            e, subst_in_type(n, s, e->args[0]),
            ALSO_WRONG(SubstInTypeFun) ? e->args[1] : subst_in_type(n, s, e->args[1]), NULL);
    default: return e;
    }
}

/* ---- Indices in terms ---- */

/* Shifts term variables. */
static const expr *lift(int32_t n, const expr *e);

static const expr *lift_variable(int32_t n, const expr *e)
{
    if (e->index > n + 2 && ALSO_WRONG(LiftVarFar))
        return e;
    return e->index >= n || wrong(LiftVar) ? with_index(e, e->index + 1) : e;
}

static const expr *lift_application(int32_t n, const expr *e)
{
    bool skips = ALSO_WRONG(LiftAppArg) || (n >= 2 && ALSO_WRONG(LiftAppArgN2));
    return with_args(e, lift(n, e->args[0]), skips ? e->args[1] : lift(n, e->args[1]), NULL);
}

static const expr *lift_condition(int32_t n, const expr *e)
{
    const expr *x = n >= 1 && ALSO_WRONG(LiftCondThenN1) ? e->args[1] : lift(n, e->args[1]);
    const expr *y = ALSO_WRONG(LiftCondElse) ? e->args[2] : lift(n, e->args[2]);
    return with_args(e, lift(n, e->args[0]), x, y);
}

static const expr *lift(int32_t n, const expr *e)
{
    switch (e->tag) {
    case VAR: return lift_variable(n, e);
    case LAM:
        n += !(wrong(LiftLam) || (n >= 2 && ALSO_WRONG(LiftLamN2)));
        return with_args(e, e->args[0], lift(n, e->args[1]), NULL);
    case TLAM:
        if (wrong(LiftTLamA) || (n >= 1 && ALSO_WRONG(LiftTLamN1)))
            return e;
        n += wrong(LiftTLamB);
        return with_args(e, lift(n, e->args[0]), NULL, NULL);
    case TAPP:
        if (wrong(LiftTApp) || (n >= 1 && ALSO_WRONG(LiftTAppN1)))
            return e;
        return with_args(e, lift(n, e->args[0]), e->args[1], NULL);
    case APP: return lift_application(n, e);
    case COND: return lift_condition(n, e);
    default: return e;
    }
}

/* Shifts type variables. */
static const expr *lift_types(int32_t n, const expr *e);

static const expr *lift_types_of_condition(int32_t n, const expr *e)
{
    bool skips = ALSO_WRONG(LiftTypesElse) || (n >= 1 && ALSO_WRONG(LiftTypesElseN1));
    return with_args(e, lift_types(n, e->args[0]), lift_types(n, e->args[1]),
                     skips ? e->args[2] : lift_types(n, e->args[2]));
}

static const expr *lift_types(int32_t n, const expr *e)
{
    const expr *of;
    switch (e->tag) {
    case LAM:
        of = ALSO_WRONG(LiftTypesLam) ? e->args[0] : lift_type(n, e->args[0]);
        return with_args(e, of, lift_types(n, e->args[1]), NULL);
    case TLAM:
        n += !wrong(LiftTNoIncr);
        return with_args(e, lift_types(n, e->args[0]), NULL, NULL);
    case TAPP:
        of = ALSO_WRONG(LiftTypesTApp) ? e->args[1] : lift_type(n, e->args[1]);
        return with_args(e, lift_types(n, e->args[0]), of, NULL);
    case APP: return with_args(e, lift_types(n, e->args[0]), lift_types(n, e->args[1]), NULL);
    case COND: return lift_types_of_condition(n, e);
    default: return e;
    }
}

static const expr *subst_variable(int32_t n, const expr *s, const expr *e)
{
    if (e->index == n)
        return s;
    if (wrong(SubstLT))
        return e->index < n ? with_index(e, e->index - 1) : e;
    return e->index < n || wrong(SubstVar) ? e : with_index(e, e->index - 1);
}

/* Puts s for term variable n. */
static const expr *subst(int32_t n, const expr *s, const expr *e)
{
    const expr *lifted, *f;
    switch (e->tag) {
    case VAR: return subst_variable(n, s, e);
    case LAM:
        lifted = wrong(SubstNoLift) || (n >= 2 && ALSO_WRONG(SubstNoLiftN2)) ? s : lift(0, s);
        n += !(wrong(SubstNoIncr) || (n >= 1 && ALSO_WRONG(SubstNoIncrN1)));
        return with_args(e, e->args[0], subst(n, lifted, e->args[1]), NULL);
    case TLAM:
        lifted = wrong(SubstNoLiftT) ? s : lift_types(0, s);
        return with_args(e, subst(n, lifted, e->args[0]), NULL, NULL);
    case TAPP:
        f = ALSO_WRONG(SubstTApp) ? e->args[0] : subst(n, s, e->args[0]);
        return with_args(e, f, e->args[1], NULL);
    case APP:
        f = wrong(SubstApp) ? subst(n, e->args[0], s) : subst(n, s, e->args[0]);
        return with_args(e, f, subst(n, s, e->args[1]), NULL);
    case COND:
        f = ALSO_WRONG(SubstCondElse) ? e->args[2] : subst(n, s, e->args[2]);
        return with_args(e, subst(n, s, e->args[0]), subst(n, s, e->args[1]), f);
    default: return e;
    }
}

/* Puts type s for type variable n. */
static const expr *subst_types(int32_t n, const expr *s, const expr *e)
{
    const expr *lifted, *of;
    switch (e->tag) {
    case LAM:
        of = ALSO_WRONG(TSubstLam) ? e->args[0] : subst_in_type(n, s, e->args[0]);
        return with_args(e, of, subst_types(n, s, e->args[1]), NULL);
    case TLAM:
        lifted = wrong(TSubstNoLift) ? s : lift_type(0, s);
        n += !wrong(TSubstNoIncr);
        return with_args(e, subst_types(n, lifted, e->args[0]), NULL, NULL);
    case TAPP:
        of = ALSO_WRONG(TSubstTApp) ? e->args[1] : subst_in_type(n, s, e->args[1]);
        return with_args(e, subst_types(n, s, e->args[0]), of, NULL);
    case APP:
        return with_args(e, subst_types(n, s, e->args[0]), subst_types(n, s, e->args[1]), NULL);
    case COND:
        of = ALSO_WRONG(TSubstCondElse) ? e->args[2] : subst_types(n, s, e->args[2]);
        return with_args(e, subst_types(n, s, e->args[0]), subst_types(n, s, e->args[1]), of);
    default: return e;
    }
}

/* ---- Reduction ---- */

static const expr *beta(const expr *body, const expr *argument)
{
    if (wrong(AppForgetSubst))
        return body;
    return wrong(SubstSwapped) ? subst(0, body, argument) : subst(0, argument, body);
}

static const expr *beta_type(const expr *body, const expr *argument)
{
    return wrong(TAppForgetSubst) ? body : subst_types(0, argument, body);
}

static const expr *branch(const expr *e, const expr *x, const expr *y)
{
    return e->tag == TRUE || wrong(CondFalseToTrue) ? x : y;
}

static bool decided(const expr *e)
{
    return e->tag == TRUE || e->tag == FALSE;
}

/* One step at the head, arguments as they are; NULL: there is none. */
static const expr *step(const expr *e)
{
    const expr *head = e->args[0], *next;
    if (e->tag != APP && e->tag != TAPP && e->tag != COND)
        return NULL;
    if (e->tag == APP && head->tag == LAM)
        return beta(head->args[1], e->args[1]);
    if (e->tag == TAPP && head->tag == TLAM)
        return beta_type(head->args[0], e->args[1]);
    if (e->tag == COND && decided(head))
        return branch(head, e->args[1], e->args[2]);
    next = step(head);
    return next == NULL ? NULL : with_args(e, next, e->args[1], e->args[2]);
}

/* Every redex that is there, innermost first, also under binders; the same expression: none. */
static const expr *parallel_step(const expr *e)
{
    const expr *f, *a;
    switch (e->tag) {
    case LAM: return with_args(e, e->args[0], parallel_step(e->args[1]), NULL);
    case TLAM: return with_args(e, parallel_step(e->args[0]), NULL, NULL);
    case APP:
        f = parallel_step(e->args[0]);
        a = parallel_step(e->args[1]);
        return f->tag == LAM ? beta(f->args[1], a) : with_args(e, f, a, NULL);
    case TAPP:
        f = parallel_step(e->args[0]);
        return f->tag == TLAM ? beta_type(f->args[0], e->args[1])
                              : with_args(e, f, e->args[1], NULL);
    case COND:
        f = parallel_step(e->args[0]);
        a = parallel_step(e->args[1]);
        e = with_args(e, f, a, parallel_step(e->args[2]));
        return decided(f) ? branch(f, e->args[1], e->args[2]) : e;
    default: return e;
    }
}

/* ---- With and without ---- */

/* What a step makes of e, with the mutant and without. */
typedef struct pair {
    const expr *with, *without;
} pair;

static pair step_both(const expr *(*make)(const expr *), mutant which, const expr *e)
{
    pair made;
    touched = false;
    active = which;
    made.with = make(e);
    active = NO_MUTANT;
    made.without = touched ? make(e) : made.with;
    return made;
}

static bool differ(const expr *a, const expr *b)
{
    return a == NULL || b == NULL ? a != b : !same(a, b);
}

static bool steps_differ(mutant which, const expr *e)
{
    for (unsigned i = 1; i < STEPS_MOST; i++) {
        pair next = step_both(step, which, e);
        if (pool_full || differ(next.with, next.without))
            return true;
        if (next.with == NULL)
            return false;
        e = next.without;
    }
    return false;
}

/* What parallel steps end in; NULL: they do not. */
static const expr *normal_form(mutant which, const expr *e, unsigned steps)
{
    active = which;
    for (; steps < STEPS_MOST && !pool_full; steps++) {
        const expr *next = parallel_step(e);
        if (same(next, e))
            return e;
        e = next;
    }
    return NULL;
}

/* Both go the same way until they first differ, and from there each its own. */
static bool normal_forms_differ(mutant which, const expr *e)
{
    for (unsigned steps = 0; steps < STEPS_MOST; steps++) {
        pair next = step_both(parallel_step, which, e);
        if (pool_full)
            return true;
        if (!same(next.with, next.without)) {
            const expr *with = normal_form(which, next.with, steps + 1);
            const expr *without = normal_form(NO_MUTANT, next.without, steps + 1);
            return with == NULL || without == NULL || !same(with, without);
        }
        if (same(next.without, e))
            return false;
        e = next.without;
    }
    return true;
}

bool mutant_shows(mutant which, const expr *e)
{
    return steps_differ(which, e) || normal_forms_differ(which, e);
}

#ifdef MANY_MUTANTS
uint64_t mutants_touched(const expr *e)
{
    const expr *now = e, *next;
    active = NO_MUTANT;
    touched_all = 0;
    for (unsigned i = 0; i < STEPS_MOST && (next = step(now)) != NULL; i++)
        now = next;
    normal_form(NO_MUTANT, e, 0);
    return touched_all;
}
#endif
