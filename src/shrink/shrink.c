/* shrink/shrink.c: runs the passes in turn, until none finds anything or the budget ends.
 *
 * A pass that found something runs earlier in the next round. A large case gets only the passes
 * whose cost does not grow with the square of its size.
 */
#include "shrink/shrink.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "shrink/shrinker.h"

/* ---- Trying ---- */

wri_trace *wri_shrink_plan(wri_shrinker *s)
{
    if (!wri_trace_copy(&s->plan, s->best))
        s->over = true;
    return &s->plan;
}

/* A plan that changes nothing runs nothing, but has its cost. */
bool wri_shrink_goes_on(wri_shrinker *s)
{
    if (wri_clock_seconds() > s->until ||
        (s->setup->ends != NULL && s->setup->ends(s->setup->context)))
        s->over = true;
    return !s->over;
}

static bool budget_left(wri_shrinker *s)
{
    if (s->executions >= s->setup->max_executions)
        s->over = true;
    return !s->over;
}

bool wri_shrink_attempt(wri_shrinker *s)
{
    wri_trial trial = { 0 };
    s->same = false;
    if (s->over || s->plan.node_count == 0 || !wri_shrink_goes_on(s))
        return false;
    if (s->setup->veto != NULL && s->setup->veto(s->setup->context, &s->plan))
        return false;
    const wri_known_case *known = wri_foreseen_find(&s->known, &s->plan);
    s->same = known != NULL && known->same;
    if (known != NULL || !budget_left(s))
        return false;
    if (!s->setup->run(s->setup->context, &s->plan, &trial))
        s->over = true;
    s->executions++;
    s->same = trial.same;
    wri_foreseen_add(&s->known, trial.trace, trial.same);
    if (!trial.same || wri_compare_traces(trial.trace, s->best) >= 0)
        return false;
    if (!wri_trace_copy(s->best, trial.trace)) {
        s->over = true;
        return false;
    }
    s->improvements++;
    if (s->setup->better != NULL)
        s->setup->better(s->setup->context, s->best, s->executions);
    return true;
}

/* ---- Passes ---- */

typedef struct pass {
    void (*run)(wri_shrinker *s);
    bool     coarse; /* its cost does not grow with the square of the case */
    uint64_t gained; /* improvements when it ran last */
    uint64_t vain;   /* executions since its last improvement */
} pass;

/* A case with more nodes is too much for most passes; the coarse ones may make it smaller. */
#define LARGE 20000

static const pass PASSES[] = {
#define ROW(name, coarse) { wri_shrink_pass_##name, coarse, 1, 0 },
    WRI_SHRINK_PASSES(ROW)
#undef ROW
};
#define PASS_COUNT (sizeof PASSES / sizeof *PASSES)

/* Passes that did something last time go before those that did not; else the order stays. */
static void reorder(pass *passes)
{
    for (size_t i = 1; i < PASS_COUNT; i++)
        for (size_t j = i; j > 0 && passes[j].gained > 0 && passes[j - 1].gained == 0; j--) {
            pass swapped = passes[j];
            passes[j] = passes[j - 1];
            passes[j - 1] = swapped;
        }
}

/* The simplest case of all: nothing planned, every answer 0. */
static void try_simplest(wri_shrinker *s)
{
    wri_trace *plan = wri_shrink_plan(s);
    plan->node_count = 1;
    plan->number_count = 0;
    wri_shrink_attempt(s);
}

/* A pass that cost so much for nothing waits until the others are through. */
#define MOST_IN_VAIN 150

static void run_pass(wri_shrinker *s, pass *now, bool any)
{
    uint64_t improvements = s->improvements, executions = s->executions;
    if ((s->best->node_count > LARGE && !now->coarse) || !wri_shrink_goes_on(s) ||
        (any && now->vain > MOST_IN_VAIN))
        return;
    now->run(s);
    now->gained = s->improvements - improvements;
    now->vain = now->gained > 0 ? 0 : now->vain + s->executions - executions;
}

wri_shrink_result wri_shrink(const wri_shrink_setup *setup, wri_trace *best)
{
    wri_shrinker s = { .setup = setup,
                       .best = best,
                       .until = wri_clock_seconds() + (double)setup->time_ms / 1000 };
    pass         passes[PASS_COUNT];
    memcpy(passes, PASSES, sizeof passes);
    wri_foreseen_add(&s.known, best, true);
    try_simplest(&s);
    for (uint64_t before = UINT64_MAX; before != s.improvements && !s.over;) {
        before = s.improvements;
        for (size_t i = 0; i < PASS_COUNT && !s.over; i++)
            run_pass(&s, &passes[i], s.improvements != before);
        reorder(passes);
    }
    wri_shrink_result result = { .executions = s.executions, .finished = !s.over };
    free(s.lengths);
    free(s.below);
    free(s.draws);
    wri_foreseen_free(&s.known);
    wri_trace_free(&s.plan);
    return result;
}
