/* machine/study/generalise.c: from a smallest sequence to the pattern of its bug.
 *
 * Two equal arguments may be equal by chance, and a value may matter or not. A test answers each
 * question. If several arguments have one value, one of them at a time gets another value. For a
 * handle, the call that gave it is made twice, and one argument takes the second handle. vary.c
 * finds the values that matter, order.c the order of calls. guards.c looks later for the calls
 * that make the bug harmless.
 */
#include "machine/study/trial.h"

#include <string.h>

typedef struct study {
    const wri_lab *lab;
    wri_sequence   failing; /* in its last call */
    wri_sequence   apart;   /* the same with the handles that can be others being others, */
    size_t         places[WRI_PATTERN_CALLS]; /* and where its calls are there */
    wri_sequence   draft;
    wri_pattern   *pattern;
    wri_class      classes[WRI_CLASSES]; /* of failing */
    size_t         count;
    wri_term       terms[WRI_CLASSES];       /* what each must be, if it is not anything */
    uint32_t       freed[WRI_PATTERN_CALLS]; /* 1u << i: argument i can be another handle */
} study;

/* ---- What is the same by chance ---- */

typedef bool part_function(study *s, size_t call, unsigned argument);

/* One argument of a value that several have gets another. */
static bool part_value(study *s, size_t call, unsigned argument)
{
    int64_t value;
    if (!wri_trial_fresh_value(s->lab, &s->failing, call, argument, &value) ||
        !wri_sequence_copy(&s->draft, &s->failing))
        return false;
    s->draft.calls[call].arguments[argument] = value;
    return wri_trial_fails_at_end(s->lab, &s->draft) && wri_sequence_copy(&s->failing, &s->draft);
}

/* The same for a handle: what gave it is called once more, right after. */
static bool part_handle(study *s, size_t call, unsigned argument)
{
    size_t   giver = s->places[s->failing.calls[call].arguments[argument]];
    size_t   user = s->places[call] + 1;
    wri_made again = s->apart.calls[giver];
    if (!wri_sequence_copy(&s->draft, &s->apart) ||
        !wri_sequence_insert(s->lab->machine, &s->draft, giver + 1, &again))
        return false;
    s->draft.calls[user].arguments[argument] = (int64_t)giver + 1;
    if (!wri_trial_fails_at_end(s->lab, &s->draft) || !wri_sequence_copy(&s->apart, &s->draft))
        return false;
    for (size_t i = 0; i < s->failing.count; i++)
        s->places[i] += s->places[i] > giver;
    s->freed[call] |= 1u << argument;
    return true;
}

/* Tries each argument that is `value`, from the last on. If two are left, one try is enough. */
static void part_uses(study *s, const wr_kind *kind, int64_t value, part_function *part)
{
    unsigned uses = wri_sequence_uses(s->lab->machine, &s->failing, kind, value);
    unsigned together = uses;
    for (size_t i = s->failing.count; i-- > 0;)
        for (unsigned j = wri_made_arity(s->lab->machine, &s->failing.calls[i]); j-- > 0;)
            if (wri_made_kind(s->lab->machine, &s->failing.calls[i], j) == kind &&
                s->failing.calls[i].arguments[j] == value) {
                bool try = together > 1 && (uses > 1 || together > 2);
                together -= try && part(s, i, j);
                uses--;
            }
}

static void part_values(study *s)
{
    s->count = wri_trial_classes_of(s->lab->machine, &s->failing, s->classes);
    for (size_t i = 0; i < s->count; i++)
        part_uses(s, s->classes[i].kind, s->classes[i].value, part_value);
    s->count = wri_trial_classes_of(s->lab->machine, &s->failing, s->classes);
}

static void part_handles(study *s)
{
    if (!wri_sequence_copy(&s->apart, &s->failing))
        return;
    for (size_t i = 0; i < s->failing.count; i++)
        s->places[i] = i;
    for (size_t i = 0; i < s->failing.count; i++) {
        const wr_kind *gives = wri_made_gives(s->lab->machine, &s->failing.calls[i]);
        if (gives != NULL)
            part_uses(s, gives, (int64_t)i, part_handle);
    }
}

/* ---- The pattern ---- */

static void write_terms(study *s)
{
    const wri_machine *machine = s->lab->machine;
    for (size_t i = 0; i < s->failing.count; i++)
        for (unsigned j = 0; j < wri_made_arity(machine, &s->failing.calls[i]); j++) {
            wri_term *term = &s->pattern->calls[i].terms[j];
            if ((s->freed[i] >> j & 1) != 0)
                *term = (wri_term){ .sort = WRI_TERM_ANY };
            for (size_t k = 0; k < s->count; k++)
                if (s->classes[k].kind == wri_made_kind(machine, &s->failing.calls[i], j) &&
                    s->classes[k].value == s->failing.calls[i].arguments[j] &&
                    s->terms[k].sort != WRI_TERM_ANY)
                    *term = s->terms[k];
        }
}

/* A setting that may be anything is no condition. */
static void write_conditions(study *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const wri_class *class = &s->classes[i];
        if (class->call != WRI_SETTING_CALL || s->terms[i].sort != WRI_TERM_RANGE)
            continue;
        const wri_setting *setting = &s->failing.settings.list[class->argument];
        s->pattern->conditions[s->pattern->condition_count++] =
            (wri_condition){ setting->label, setting->number, s->terms[i].least,
                             s->terms[i].most };
    }
}

static bool vary(study *s)
{
    part_values(s);
    part_handles(s);
    wri_vary_learn(s->lab, &s->failing, s->classes, s->count, s->terms);
    if (!wri_abstract_calls(s->lab->machine, &s->failing, WRI_LEVEL_SHARED, s->pattern))
        return false;
    write_terms(s);
    write_conditions(s);
    return true;
}

/* ---- What functions drew ---- */

/* So many other draws of one call are tried. */
#define REDRAWS 3

/* Is the failure gone if the function of this call draws something else? */
static bool needs_drawn(study *s, size_t call)
{
    const wri_lab *lab = s->lab;
    wri_made       made = s->failing.calls[call];
    size_t         at;
    for (unsigned i = 0; i < REDRAWS && made.drawn != 0 && lab->redraw != NULL; i++)
        if (wri_sequence_copy(&s->draft, &s->failing) &&
            lab->redraw(lab->context, &made, i, &s->draft.calls[call].drawn) &&
            wri_trial_try(lab, &s->draft, &at) == WRI_TRIED_PASSED)
            return true;
    return false;
}

static bool needs_any_drawn(study *s)
{
    for (size_t i = 0; i < s->failing.count; i++)
        if (needs_drawn(s, i))
            return true;
    return false;
}

bool wri_generalise_calls(const wri_lab *lab, const wri_study_setup *setup,
                          wri_sequence *smallest, wri_pattern *pattern)
{
    study s = { .lab = lab, .pattern = pattern };
    bool  found = wri_abstract_calls(lab->machine, smallest, setup->level, pattern) &&
                 wri_sequence_copy(&s.failing, smallest);
    if (found && setup->varying && setup->level == WRI_LEVEL_SHARED)
        found = !needs_any_drawn(&s) && vary(&s);
    if (found)
        wri_order_learn(lab, setup->ordering, &s.failing, pattern);
    found = found && wri_sequence_copy(smallest, &s.failing);
    wri_sequence_free(&s.failing);
    wri_sequence_free(&s.apart);
    wri_sequence_free(&s.draft);
    return found;
}
