/* chase/shrink.c: finds the smallest case that fails as a machine's case did.
 *
 * machine/study removes whole calls and makes values simpler, with sequences that run in the lab.
 * The shrinker of traces does the rest: values that a user's functions drew. With simpler values
 * other calls may go, so both take turns.
 */
#include "chase/internal.h"
#include "machine/calls/log.h"

/* So many times the calls that the reduction took may be made to look for something smaller yet,
 * but within these bounds; where there may be other bugs to find, as many as it took. */
#define EFFORT_TIMES 8
#define EFFORT_LEAST 4000
#define EFFORT_MOST 20000

/* Which nodes of a log are the commands and arguments of calls: those that stand directly in a
 * call, up to its last argument. What comes after them, its function drew. */
typedef struct parts {
    const wri_machine *machine;
    const wri_trace   *trace;
    uint32_t           loop, element;
    unsigned           left; /* of this call */
} parts;

static bool is_part(parts *p, uint32_t at)
{
    const wri_node *node = &p->trace->nodes[at];
    if (node->what == WRI_ELEMENT && node->parent == p->loop) {
        p->element = at;
        p->left = WRI_ARGUMENTS + 1;
        return false;
    }
    if (node->parent != p->element || p->left == 0)
        return false;
    if (p->left == WRI_ARGUMENTS + 1)
        p->left = 1 + (node->number < p->machine->command_count
                           ? p->machine->commands[node->number].arity
                           : 0);
    p->left--;
    return true;
}

/* The choices that make up the calls but for what functions of the user drew: which command,
 * which handle, which of few values. */
static uint64_t calls_of(const wri_machine *machine, const wri_trace *trace)
{
    parts    p = { .machine = machine, .trace = trace, .element = WRI_NO_NODE };
    uint64_t hash = 0;
    uint32_t length;
    if (!wri_log_find_calls(trace, &length, &p.loop))
        return 0;
    for (uint32_t i = p.loop; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (is_part(&p, i) && node->what == WRI_CHOICE)
            hash = wri_prng_mix(hash + node->number + 2);
        if (p.element == i)
            hash = wri_prng_mix(hash + 1);
    }
    return hash;
}

typedef struct paring {
    wri_chase *chase;
    uint64_t   calls; /* which must stay; 0: none need */
} paring;

static bool try_plan(void *context, const wri_trace *plan, wri_trial *trial)
{
    paring     *now = context;
    wri_chase  *chase = now->chase;
    wri_outcome outcome;
    wri_chase_run(chase, plan, false, false, &outcome);
    chase->quest->trial_trace = outcome.trace;
    trial->trace = &chase->quest->trial_trace;
    trial->same = wri_verdict_failed(&outcome.verdict) &&
                  outcome.origin == chase->inquiry.origin &&
                  wri_sequence_read(chase->machine, &outcome.trace, &chase->inquiry.made) &&
                  !wri_chase_knows(&chase->rules, &chase->inquiry.made, false);
    wri_chase_spend(chase, outcome.played.calls);
    return !wri_chase_is_out_of_time(chase);
}

static bool changes_calls(void *context, const wri_trace *plan)
{
    const paring *now = context;
    return now->calls != 0 && calls_of(now->chase->machine, plan) != now->calls;
}

static void got_better(void *context, const wri_trace *best, uint64_t executions)
{
    const paring *now = context;
    (void)executions;
    now->chase->quest->live.choices = wri_trace_choices(best);
}

/* Is everything that was drawn besides the calls, and by functions of the user, as simple as it
 * gets? */
static bool simplest(const wri_machine *machine, const wri_trace *trace)
{
    parts    p = { .machine = machine, .trace = trace, .element = WRI_NO_NODE };
    uint32_t length;
    if (!wri_log_find_calls(trace, &length, &p.loop))
        return false;
    for (uint32_t i = 0; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (!is_part(&p, i) && i != length &&
            ((node->what == WRI_CHOICE && node->number != 0) ||
             (node->what == WRI_ARRAY && node->count != 0)))
            return false;
    }
    return true;
}

/* Runs the shrinker of traces on the rest: on values that functions drew, or on everything if one
 * bug is enough. */
static void pare(wri_chase *chase, wri_trace *best)
{
    wri_quest *quest = chase->quest;
    bool       whole = !quest->many;
    double     left = (chase->inquiry.until - wri_clock_seconds()) * 1000;
    if ((!whole && simplest(chase->machine, best)) || wri_chase_is_out_of_time(chase))
        return;
    paring now = { .chase = chase, .calls = whole ? 0 : calls_of(chase->machine, best) };
    wri_shrink_setup  setup = { .run = try_plan,
                                .better = got_better,
                                .veto = changes_calls,
                                .context = &now,
                                .max_executions = chase->inquiry.tries,
                                .time_ms = left < 1 ? 1 : (uint64_t)left };
    wri_shrink_result result = wri_shrink(&setup, best);
    chase->inquiry.out_of_time |= !result.finished;
    chase->inquiry.late |= !result.finished && wri_clock_seconds() > chase->inquiry.until;
}

/* ---- In turns ---- */

bool wri_chase_may_refine(const wri_chase *chase)
{
    return WRI_CHASE_USES(chase, refine) && !chase->inquiry.out_of_time &&
           chase->setup.reduction == WRI_REDUCE_BOTTOM_UP && chase->setup.varying;
}

/* Takes out what the reduction has left; not as published. It may take half of the tries and
 * calls, and a case that it does not get to is no less finished. All its calls are taken off the
 * effort. */
static bool refine(wri_chase *chase, wri_sequence *failing, uint64_t *effort)
{
    uint64_t tries = chase->inquiry.tries / 2, calls = chase->inquiry.calls / 2;
    uint64_t judged = chase->quest->calls.judged;
    if (!wri_chase_may_refine(chase))
        return false;
    chase->inquiry.tries -= tries;
    chase->inquiry.calls -= calls;
    bool smaller = chase->quest->many
                       ? wri_refine_calls(wri_chase_lab(chase), failing, (size_t)*effort)
                       : wri_minimise_calls(wri_chase_lab(chase), failing, (size_t)*effort);
    chase->inquiry.tries += tries;
    chase->inquiry.calls += calls;
    chase->inquiry.out_of_time = chase->inquiry.late;
    judged = chase->quest->calls.judged - judged;
    *effort -= judged < *effort ? judged : *effort;
    return smaller;
}

/* The calls as a case, with simpler values if it has any: then it was run. */
static bool plan_and_pare(wri_chase *chase, const wri_sequence *failing, wri_trace *best,
                          bool *ran)
{
    wri_outcome outcome;
    *ran = false;
    if (!wri_book_plan(chase->book, failing, 0, &chase->inquiry.plan))
        return false;
    if ((simplest(chase->machine, &chase->inquiry.plan) && chase->quest->many) ||
        chase->inquiry.out_of_time)
        return wri_trace_copy(best, &chase->inquiry.plan);
    wri_chase_run(chase, &chase->inquiry.plan, false, false,
                  &outcome); /* the shrinker needs one */
    if (!wri_verdict_failed(&outcome.verdict) || outcome.origin != chase->inquiry.origin ||
        !wri_trace_copy(best, &outcome.trace))
        return false;
    *ran = true;
    pare(chase, best);
    return true;
}

/* With simpler values, some calls may not be needed any more. */
static bool refine_pared(wri_chase *chase, const wri_trace *best, uint64_t *effort,
                         wri_sequence *failing)
{
    return wri_sequence_read(chase->machine, best, failing) && wri_book_read(chase->book, best) &&
           refine(chase, failing, effort);
}

static uint64_t effort_after(const wri_chase *chase, uint64_t spent)
{
    uint64_t times = spent * EFFORT_TIMES;
    return chase->quest->many     ? spent
           : times < EFFORT_LEAST ? EFFORT_LEAST
           : times > EFFORT_MOST  ? EFFORT_MOST
                                  : times;
}

bool wri_chase_make_small(wri_chase *chase, wri_sequence *failing, wri_trace *best)
{
    uint64_t calls = chase->quest->calls.judged;
    if (!wri_chase_reduce(chase, failing))
        return false;
    uint64_t effort = effort_after(chase, chase->quest->calls.judged - calls);
    refine(chase, failing, &effort);
    bool ran;
    if (!plan_and_pare(chase, failing, best, &ran))
        return false;
    while (ran && refine_pared(chase, best, &effort, failing) &&
           plan_and_pare(chase, failing, best, &ran))
        continue;
    return true;
}
