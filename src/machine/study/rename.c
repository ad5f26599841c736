/* machine/study/rename.c: makes the values of a failing sequence simpler.
 *
 * Jointly: all arguments with one value get another one. The values of a kind become 0, 1, 2 in
 * the order in which they come; equal ones stay equal and different ones stay different. That
 * takes one test, as a rule. Other numbers get as near to 0 as possible: first each alone, then
 * several at once, at the same distance from each other. Singly: each argument for itself, as
 * published, which may make different values equal.
 */
#include "machine/study/trial.h"

/* A number is looked for with so many tests. */
#define NUMBER_TESTS 16
/* All of them are gone through so often, at most. */
#define ROUNDS_MOST 3

/* ---- Singly ---- */

static bool lower_argument(const wri_lab *lab, wri_sequence *failing, wri_sequence *draft,
                           size_t call, unsigned argument)
{
    int64_t value = failing->calls[call].arguments[argument];
    for (int64_t lower = 0; lower < value; lower++) {
        if (!wri_sequence_copy(draft, failing))
            return false;
        draft->calls[call].arguments[argument] = lower;
        if (wri_trial_fails_at_end(lab, draft)) {
            failing->calls[call].arguments[argument] = lower;
            return true;
        }
    }
    return false;
}

bool wri_rename_singly(const wri_lab *lab, wri_sequence *failing)
{
    wri_sequence draft = { 0 };
    bool         any = false;
    for (size_t i = 0; i < failing->count && !any; i++)
        for (unsigned j = 0; j < wri_made_arity(lab->machine, &failing->calls[i]) && !any; j++)
            any = wri_made_kind(lab->machine, &failing->calls[i], j)->values > 0 &&
                  lower_argument(lab, failing, &draft, i, j);
    wri_sequence_free(&draft);
    return any;
}

/* ---- Jointly ---- */

typedef struct renaming {
    const wri_lab *lab;
    wri_sequence  *failing;
    wri_sequence   draft;
    wri_class      classes[WRI_CLASSES];
    int64_t        values[WRI_CLASSES]; /* instead */
    size_t         count;
} renaming;

/* With these values, if it fails so, too. */
static bool accept(renaming *r)
{
    return wri_trial_recast(r->lab->machine, r->failing, r->classes, r->values, r->count,
                            &r->draft) &&
           wri_trial_fails_at_end(r->lab, &r->draft) && wri_sequence_copy(r->failing, &r->draft);
}

static void look_again(renaming *r)
{
    r->count = wri_trial_classes_of(r->lab->machine, r->failing, r->classes);
    for (size_t i = 0; i < r->count; i++)
        r->values[i] = r->classes[i].value;
}

/* The number of a value of a kind among those that come before it, or that are less. */
static int64_t place_of(const renaming *r, size_t class, bool by_size)
{
    int64_t before = 0;
    for (size_t i = 0; i < r->count; i++)
        before += r->classes[i].kind == r->classes[class].kind &&
                  (by_size ? r->classes[i].value < r->classes[class].value : i < class);
    return before;
}

/* Numbers the values of this kind, NULL: of all kinds. False: they have these numbers. */
static bool put_in_order(renaming *r, const wr_kind *only, bool by_size)
{
    bool changed = false;
    look_again(r);
    for (size_t i = 0; i < r->count; i++)
        if (r->classes[i].kind->values > 0 && (only == NULL || r->classes[i].kind == only)) {
            r->values[i] = place_of(r, i, by_size);
            changed |= r->values[i] != r->classes[i].value;
        }
    return changed;
}

/* If it matters which values are less than others, they are numbered by size. */
static void rename_kinds(renaming *r)
{
    const wri_machine *machine = r->lab->machine;
    if (!put_in_order(r, NULL, false) || accept(r))
        return;
    for (unsigned i = 0; i < machine->value_count; i++)
        if (put_in_order(r, machine->values[i].table, false) && !accept(r) &&
            put_in_order(r, machine->values[i].table, true))
            accept(r);
}

/* ---- Numbers ---- */

/* Between the simplest number, at distance 0, and the one that it has. */
typedef struct lowering {
    renaming *renaming;
    size_t class;
    bool     together; /* greater ones of its kind stay as far from it as they are */
    int64_t  simplest;
    bool     upwards;
    uint64_t failing,
        passing; /* distances: the least that is known to fail, the most that does not */
    unsigned tests;
} lowering;

static bool is_greater(const renaming *r, size_t class, size_t than)
{
    return r->classes[class].kind == r->classes[than].kind &&
           r->classes[class].value > r->classes[than].value;
}

/* Gives it this value. False: another has it. */
static bool set_value(lowering *l, uint64_t value)
{
    renaming *r = l->renaming;
    uint64_t  less = (uint64_t)r->classes[l->class].value - value;
    for (size_t i = 0; i < r->count && l->together; i++)
        if (is_greater(r, i, l->class))
            r->values[i] = (int64_t)((uint64_t)r->classes[i].value - less);
    r->values[l->class] = (int64_t)value;
    return wri_sequence_uses(r->lab->machine, r->failing, r->classes[l->class].kind,
                             (int64_t)value) == 0;
}

static void try_distance(lowering *l, uint64_t distance)
{
    renaming *r = l->renaming;
    uint64_t  value =
        l->upwards ? (uint64_t)l->simplest + distance : (uint64_t)l->simplest - distance;
    l->tests++;
    if (set_value(l, value) && accept(r)) {
        l->failing = distance;
        for (size_t i = 0; i < r->count; i++)
            r->classes[i].value = r->values[i];
    } else if (distance > l->passing || distance == 0) {
        l->passing = distance;
    }
}

static void look_for_least(lowering *l)
{
    int64_t value = l->renaming->classes[l->class].value;
    l->upwards = value > l->simplest;
    l->failing = l->upwards ? (uint64_t)value - (uint64_t)l->simplest
                            : (uint64_t)l->simplest - (uint64_t)value;
    if (l->failing > 0)
        try_distance(l, 0);
    while (l->failing > l->passing + 1 && l->tests < NUMBER_TESTS)
        try_distance(l, wri_trial_between(l->passing, l->failing));
}

/* Is it one of few values that could not be numbered with the others of its kind? */
static bool is_left(const renaming *r, size_t class)
{
    int64_t count = 0;
    for (size_t i = 0; i < r->count; i++)
        count += r->classes[i].kind == r->classes[class].kind;
    return r->classes[class].value >= count;
}

/* The simplest number that it could be. False: it has none. */
static bool find_simplest(const renaming *r, size_t class, int64_t *simplest)
{
    const wri_class *c = &r->classes[class];
    int64_t          least = 0, most = c->value;
    bool             numbered = c->kind->values > 0;
    if (numbered
            ? c->kind->symmetric || c->kind->abstract != NULL || !is_left(r, class)
            : !r->lab->range(r->lab->context, r->failing, c->call, c->argument, &least, &most))
        return false;
    *simplest = least > 0 ? least : most < 0 ? most : 0;
    return true;
}

static void lower_number(renaming *r, size_t class)
{
    lowering l = { .renaming = r, .class = class };
    if (find_simplest(r, class, &l.simplest))
        look_for_least(&l);
}

/* If distances between numbers matter: a number and all greater ones become less by the same
 * amount, down to the next lower number. True: they have. */
static bool lower_greater(renaming *r, size_t class)
{
    lowering l = { .renaming = r, .class = class, .together = true, .upwards = true };
    int64_t  value = r->classes[class].value;
    bool     any = false, first = true;
    if (!find_simplest(r, class, &l.simplest) || value <= l.simplest)
        return false;
    for (size_t i = 0; i < r->count; i++) {
        any |= is_greater(r, i, class);
        if (is_greater(r, class, i) && r->classes[i].value >= l.simplest) {
            l.simplest = r->classes[i].value;
            first = false;
        }
    }
    if (!any || (!first && l.simplest + 1 == value))
        return false;
    if (!first)
        try_distance(&l, 1);
    look_for_least(&l);
    return r->classes[class].value < value;
}

/* Each for itself, and then together, which may make room for some by themselves. */
static void lower_numbers(renaming *r)
{
    bool lower = true;
    for (unsigned round = 0; round < ROUNDS_MOST && lower; round++) {
        lower = false;
        look_again(r);
        for (size_t i = 0; i < r->count; i++, look_again(r))
            lower_number(r, i);
        for (size_t i = 0; i < r->count; i++, look_again(r))
            lower |= lower_greater(r, i);
    }
}

void wri_rename_jointly(const wri_lab *lab, wri_sequence *failing)
{
    renaming r = { .lab = lab, .failing = failing };
    rename_kinds(&r);
    lower_numbers(&r);
    wri_sequence_free(&r.draft);
}
