/* hunt/pare.c: the smallest case that fails as a machine's case did.
 *
 * First whole calls go and values become simpler (machine/reduce.c), by sequences that are tried in the
 * lab. What that does not see is left to the shrinker of traces.
 */
#include "hunt/chase.h"
#include "machine/log.h"
#include "machine/part.h"

/* The choices that make up the calls but for what functions of the user drew: which command, which
 * handle, which of few values. */
static uint64_t calls_of(const wri_trace *trace)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (node->what == WRI_ELEMENT)
            hash = wri_mix(hash + 1);
        if (node->what == WRI_CHOICE && node->parent < i &&
            trace->nodes[node->parent].what == WRI_ELEMENT)
            hash = wri_mix(hash + node->number + 2);
    }
    return hash;
}

typedef struct paring {
    wri_chase *chase;
    uint64_t   calls; /* which must stay; 0: none need */
    wri_trace  trace; /* of the last try */
} paring;

static bool try_plan(void *context, const wri_trace *plan, wri_trial *trial)
{
    paring     *now = context;
    wri_chase  *chase = now->chase;
    wri_outcome outcome;
    wri_chase_run(chase, plan, false, false, &outcome);
    now->trace = outcome.trace;
    trial->trace = &now->trace;
    trial->same = wri_failed(&outcome.verdict) && outcome.origin == chase->origin &&
                  wri_sequence_read(chase->machine, &outcome.trace, &chase->made) &&
                  !wri_chase_knows(chase, &chase->made, false);
    return !wri_interrupted() && wri_seconds() <= chase->until;
}

static bool changes_calls(void *context, const wri_trace *plan)
{
    const paring *now = context;
    return now->calls != 0 && calls_of(plan) != now->calls;
}

static void got_better(void *context, const wri_trace *best, uint64_t executions)
{
    const paring *now = context;
    (void)executions;
    now->chase->quest->shrunk_to = wri_trace_choices(best);
}

/* Is everything that was drawn besides the calls, and by functions of the user, as simple as it gets? */
static bool simplest(const wri_trace *trace)
{
    uint32_t length, loop;
    if (!wri_find_calls(trace, &length, &loop))
        return false;
    for (size_t i = 0; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        bool            of_call = node->parent < i && trace->nodes[node->parent].what == WRI_ELEMENT &&
                       trace->nodes[node->parent].parent == loop;
        if (i != length && !of_call &&
            ((node->what == WRI_CHOICE && node->number != 0) ||
             (node->what == WRI_ARRAY && node->count != 0)))
            return false;
    }
    return true;
}

/* What is left to do for the shrinker of traces: values that functions drew, and, where one bug is
 * all that is wanted, anything. */
static void pare(wri_chase *chase, wri_trace *best)
{
    wri_quest *quest = chase->quest;
    bool       whole = !quest->many;
    double     left = (chase->until - wri_seconds()) * 1000;
    if ((!whole && simplest(best)) || left < 1 || wri_interrupted())
        return;
    paring           now = { .chase = chase, .calls = whole ? 0 : calls_of(best) };
    wri_shrink_setup setup = { .run = try_plan,
                               .better = got_better,
                               .veto = changes_calls,
                               .context = &now,
                               .max_executions = 1000000,
                               .time_ms = (uint64_t)left };
    wri_shrink_result result = wri_shrink(&setup, best);
    chase->stopped |= !result.finished;
}

bool wri_chase_make_small(wri_chase *chase, wri_sequence *failing, wri_trace *best)
{
    wri_lab     lab = wri_chase_lab(chase);
    wri_outcome outcome;
    if (!wri_reduce(&lab, &chase->setup, failing) ||
        !wri_book_plan(chase->book, failing, 0, &chase->plan) ||
        !wri_trace_copy(best, &chase->plan))
        return false;
    bool values = !simplest(best) || !chase->quest->many;
    if (!values || chase->stopped)
        return true;
    wri_chase_run(chase, best, false, false, &outcome); /* the shrinker needs a case that was run */
    if (!wri_failed(&outcome.verdict) || outcome.origin != chase->origin ||
        !wri_trace_copy(best, &outcome.trace))
        return false;
    pare(chase, best);
    return true;
}
