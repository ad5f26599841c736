/* machine/study/configure.c: makes the settings of a failing sequence simpler, and what the
 * functions of its calls drew.
 *
 * With a smaller table it takes fewer calls to fill it. So settings become simpler before calls
 * are removed, and again after that. All of them get their simplest value at once, which is one
 * test if none matters. If the failure is gone, each is looked at for itself. The sequence may
 * fail in an earlier call than before: then it ends there.
 */
#include "machine/study/trial.h"

/* A number is looked for with so many tests. */
#define NUMBER_TESTS 8

typedef struct configuring {
    const wri_lab *lab;
    wri_sequence  *failing;
    wri_sequence   draft;
} configuring;

/* The simplest value of a setting; false: it has that already, or its range is not known. */
static bool find_simplest(const configuring *c, unsigned which, int64_t *simplest)
{
    int64_t least, most;
    if (!c->lab->range(c->lab->context, c->failing, WRI_SETTING_CALL, which, &least, &most))
        return false;
    *simplest = least > 0 ? least : most < 0 ? most : 0;
    return *simplest != c->failing->settings.list[which].value;
}

/* Does the draft fail? Then it is the sequence from now on. */
static bool accept(configuring *c)
{
    size_t at;
    if (wri_trial_try(c->lab, &c->draft, &at) != WRI_TRIED_SAME || at >= c->draft.count)
        return false;
    c->draft.count = at + 1;
    return wri_sequence_copy(c->failing, &c->draft);
}

static bool accept_all(configuring *c)
{
    bool any = false;
    if (!wri_sequence_copy(&c->draft, c->failing))
        return false;
    for (unsigned i = 0; i < c->failing->settings.count; i++) {
        int64_t simplest;
        if (!find_simplest(c, i, &simplest))
            continue;
        c->draft.settings.list[i].value = simplest;
        any = true;
    }
    return any && accept(c);
}

static bool accept_one(configuring *c, unsigned which, int64_t value)
{
    if (!wri_sequence_copy(&c->draft, c->failing))
        return false;
    c->draft.settings.list[which].value = value;
    return accept(c);
}

/* Between the simplest value, which does not fail, and the one that it has. */
static bool lower(configuring *c, unsigned which)
{
    int64_t simplest, value = c->failing->settings.list[which].value;
    if (!find_simplest(c, which, &simplest))
        return false;
    if (accept_one(c, which, simplest))
        return true;
    bool     up = value > simplest;
    uint64_t passing = 0, failing = up ? (uint64_t)value - (uint64_t)simplest
                                       : (uint64_t)simplest - (uint64_t)value;
    for (unsigned i = 0; i < NUMBER_TESTS && failing > passing + 1; i++) {
        uint64_t next = wri_trial_between(passing, failing);
        if (accept_one(c, which, (int64_t)((uint64_t)simplest + (up ? next : 0 - next))))
            failing = next;
        else
            passing = next;
    }
    return c->failing->settings.list[which].value != value;
}

bool wri_configure_simply(const wri_lab *lab, wri_sequence *failing)
{
    configuring c = { .lab = lab, .failing = failing };
    bool        all = failing->settings.count > 0 && accept_all(&c), any = all;
    for (unsigned i = 0; i < failing->settings.count && !all; i++)
        any |= lower(&c, i);
    wri_sequence_free(&c.draft);
    return any;
}

/* ---- Draws of functions ---- */

static bool draw_simply(configuring *c, size_t from, size_t to)
{
    bool any = false;
    if (!wri_sequence_copy(&c->draft, c->failing))
        return false;
    for (size_t i = from; i < to; i++) {
        any |= c->draft.calls[i].drawn != 0;
        c->draft.calls[i].drawn = 0;
    }
    return any && accept(c);
}

void wri_configure_draws(const wri_lab *lab, wri_sequence *failing)
{
    configuring c = { .lab = lab, .failing = failing };
    if (!draw_simply(&c, 0, failing->count))
        for (size_t i = 0; i < failing->count; i++)
            draw_simply(&c, i, i + 1);
    wri_sequence_free(&c.draft);
}
