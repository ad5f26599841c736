/* shrink/shrink.c: the driver: passes in turn until none finds anything, or the budget ends. */
#include "shrink/shrink.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "shrink/shrinker.h"

/* ---- Which is simpler ---- */

/* Goes over all numbers of a trace in the order made. */
typedef struct cursor {
    const wri_trace *trace;
    size_t           node;
    uint64_t         element;
} cursor;

static bool next_number(cursor *at, uint64_t *number)
{
    for (; at->node < at->trace->node_count; at->node++, at->element = 0) {
        const wri_node *node = &at->trace->nodes[at->node];
        if (node->what == WRI_CHOICE && node->max > 0 && at->element == 0) {
            at->element = 1;
            *number = node->number;
            return true;
        }
        if (node->what == WRI_ARRAY && at->element < node->count) {
            *number = at->trace->numbers[node->number + at->element++];
            return true;
        }
    }
    return false;
}

/* Choices, and what they are about: a span, such as a node of a tree, weighs as much as two. So
 * a node less is simpler even where a depth limit lets deeper nodes get by with fewer choices. */
static size_t weight(const wri_trace *trace)
{
    size_t spans = 0;
    for (size_t i = 1; i < trace->node_count; i++)
        spans += trace->nodes[i].what == WRI_SPAN;
    return wri_trace_choices(trace) + 2 * spans;
}

int wri_shrink_compare(const wri_trace *a, const wri_trace *b)
{
    size_t weight_a = weight(a), weight_b = weight(b);
    if (weight_a != weight_b)
        return weight_a < weight_b ? -1 : 1;
    cursor   at_a = { .trace = a }, at_b = { .trace = b };
    uint64_t x, y;
    while (next_number(&at_a, &x) && next_number(&at_b, &y))
        if (x != y)
            return x < y ? -1 : 1;
    return 0;
}

/* ---- Trying ---- */

wri_trace *wri_shrink_plan(wri_shrinker *s)
{
    if (!wri_trace_copy(&s->plan, s->best))
        s->over = true;
    return &s->plan;
}

static bool budget_left(wri_shrinker *s)
{
    if (s->executions >= s->setup->max_executions || wri_clock_seconds() > s->until)
        s->over = true;
    return !s->over;
}

bool wri_shrink_attempt(wri_shrinker *s)
{
    wri_trial trial = { 0 };
    if (s->over || s->plan.node_count == 0)
        return false;
    if (s->setup->veto != NULL && s->setup->veto(s->setup->context, &s->plan))
        return false;
    if (wri_foreseen_find(&s->known, &s->plan) != NULL || !budget_left(s))
        return false;
    if (!s->setup->run(s->setup->context, &s->plan, &trial))
        s->over = true;
    s->executions++;
    wri_foreseen_add(&s->known, trial.trace, trial.same);
    if (!trial.same || wri_shrink_compare(trial.trace, s->best) >= 0)
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
} pass;

/* A case with more nodes is too much for most passes; the coarse ones may make it smaller. */
#define LARGE 20000

/* What deletes much comes first: everything after it has less to look at. The later ones are
 * for cases that the earlier ones leave stuck. */
static const pass PASSES[] = {
    { wri_shrink_pass_delete, true, 1 },
    { wri_shrink_pass_spans, false, 1 },
    { wri_shrink_pass_zero, true, 1 },
    { wri_shrink_pass_renumber, false, 1 },
    { wri_shrink_pass_fuse_neighbours, false, 1 },
    { wri_shrink_pass_flat, false, 1 },
    { wri_shrink_pass_together, false, 1 },
    { wri_shrink_pass_lower, true, 1 },
    { wri_shrink_pass_pairs, true, 1 },
    { wri_shrink_pass_share, true, 1 },
    { wri_shrink_pass_order, false, 1 },
    { wri_shrink_pass_exchange, true, 1 },
    { wri_shrink_pass_join, false, 1 },
    { wri_shrink_pass_fuse, true, 1 },
    { wri_shrink_pass_apart, false, 1 },
    { wri_shrink_pass_nearby, false, 1 },
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
        for (size_t i = 0; i < PASS_COUNT && !s.over; i++) {
            uint64_t start = s.improvements;
            if (s.best->node_count > LARGE && !passes[i].coarse)
                continue;
            passes[i].run(&s);
            passes[i].gained = s.improvements - start;
        }
        reorder(passes);
    }
    wri_shrink_result result = { .executions = s.executions, .finished = !s.over };
    free(s.lengths);
    wri_foreseen_free(&s.known);
    wri_trace_free(&s.plan);
    return result;
}
