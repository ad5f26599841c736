/* quest/judge.c: turns a case that failed once into a bug.
 *
 * The judge believes a failure when a fresh worker repeats it. Then it stores the bug at once,
 * shrinks the case, repeats it in another fresh worker, and stores the bug again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/compare.h"
#include "quest/quest.h"
#include "quest/why.h"

void wri_quest_single(wri_quest *quest, const wri_job *job, const wri_trace *plan, bool fresh,
                      wri_outcome *outcome)
{
    wri_limits limits = quest->limits;
    if (job->loud) /* it will be reported: its time must be the whole deadline */
        limits.deadline_ms = limits.whole_ms;
    wri_runner_single(quest->runner, job, plan, fresh, &limits, outcome);
    if (wri_runner_stuck(quest->runner) != NULL)
        wri_quest_refuse(quest, wri_runner_stuck(quest->runner));
    quest->executions += 1 + outcome->redrawn;
    quest->calls.judged += outcome->played.calls;
}

void wri_quest_try(wri_quest *quest, wri_job *job, const wri_trace *plan, wri_outcome *outcome,
                   wri_trial *trial)
{
    job->manner = WRI_MANNER_ALIGNED;
    job->silent = true;
    wri_quest_single(quest, job, plan, quest->fork_each, outcome);
    quest->trial_trace = outcome->trace;
    trial->trace = &quest->trial_trace;
}

/* ---- Cases that hang ---- */

static bool hangs(const wri_bug *bug)
{
    return strcmp(bug->failure.kind, wri_verdict_name(WRI_DEADLINE)) == 0;
}

void wri_quest_hurry(wri_quest *quest)
{
    quest->limits.deadline_ms =
        wri_limits_hurry(wri_runner_longest_ms(quest->runner), quest->limits.whole_ms);
}

void wri_quest_no_hurry(wri_quest *quest)
{
    quest->limits.deadline_ms = quest->limits.whole_ms;
}

/* Cases that only take long were taken for ones that hang: ten times the patience. False: it was
 * the whole deadline. */
static bool be_more_patient(wri_quest *quest)
{
    if (quest->limits.deadline_ms >= quest->limits.whole_ms)
        return false;
    quest->limits.deadline_ms *= 10;
    if (quest->limits.deadline_ms > quest->limits.whole_ms)
        wri_quest_no_hurry(quest);
    return true;
}

/* ---- Shrinking ---- */

typedef struct shrinking {
    wri_quest *quest;
    wri_bug   *bug;
    double     stored; /* when it was last written */
} shrinking;

static bool try_plan(void *context, const wri_trace *plan, wri_trial *trial)
{
    shrinking  *now = context;
    wri_quest  *quest = now->quest;
    wri_outcome outcome;
    wri_job     job = wri_quest_job(quest);
    wri_quest_try(quest, &job, plan, &outcome, trial);
    quest->live.executions++;
    trial->same = wri_verdict_failed(&outcome.verdict) && outcome.origin == now->bug->origin &&
                  wri_quest_explained(quest, outcome.origin, &outcome.trace) == NULL;
    if (!trial->same && wri_verdict_failed(&outcome.verdict) && quest->many)
        wri_quest_met(quest, &outcome);
    wri_quest_progress(quest);
    return !wri_interrupt_came();
}

/* A smaller case is stored at once, but at most four times a second. */
#define SECONDS_BETWEEN_WRITES 0.25

static void better(void *context, const wri_trace *best, uint64_t executions)
{
    shrinking *now = context;
    (void)executions;
    now->quest->live.choices = wri_trace_choices(best);
    if (wri_clock_seconds() - now->stored < SECONDS_BETWEEN_WRITES)
        return;
    now->stored = wri_clock_seconds();
    if (wri_trace_copy(&now->bug->trace, best))
        wri_quest_keep(now->quest, now->bug, false);
}

static bool ends(void *context)
{
    (void)context;
    return wri_interrupt_came();
}

static void shrink(wri_quest *quest, wri_bug *bug, double until)
{
    double           left = (until - wri_clock_seconds()) * 1000;
    shrinking        now = { .quest = quest, .bug = bug, .stored = wri_clock_seconds() };
    wri_shrink_setup setup = { .run = try_plan,
                               .better = better,
                               .ends = ends,
                               .context = &now,
                               .max_executions = 1000000,
                               .time_ms = left > 0 ? (uint64_t)left : 0 };
    wri_trace        best = { 0 };
    if (quest->settings->shrink == WRI_REDUCE_OFF || !wri_trace_copy(&best, &bug->trace))
        return;
    quest->live.phase = WRI_PHASE_SHRINK;
    quest->live.executions = 0;
    quest->live.choices = wri_trace_choices(&best);
    wri_shrink_result result = wri_shrink(&setup, &best);
    bug->failure.unfinished = !result.finished;
    wri_trace_copy(&bug->trace, &best);
    wri_trace_free(&best);
    quest->live.phase = WRI_PHASE_EXPLORE;
}

/* ---- Bugs ---- */

/* Runs the case of the bug once more, in a fresh worker, with everything shown. */
static bool repeat(wri_quest *quest, wri_bug *bug, wri_outcome *outcome)
{
    wri_job job = wri_quest_job(quest);
    job.manner = WRI_MANNER_ALIGNED;
    job.loud = true;
    wri_quest_single(quest, &job, &bug->trace, true, outcome);
    return wri_verdict_failed(&outcome->verdict) && outcome->origin == bug->origin;
}

/* The case as it was found must fail in a fresh worker, if the shrunk one does not. */
static void repeat_first(wri_quest *quest, wri_bug *bug)
{
    wri_outcome outcome;
    bug->failure.flaky_why = "the shrunk case did not fail in a fresh worker; this is the "
                             "case as it was found";
    if (repeat(quest, bug, &outcome)) {
        wri_bug_describe(bug, &outcome);
    } else if (hangs(bug) && !outcome.abandoned) { /* a hurried run confirmed it, no more */
        bug->status = WRI_STATUS_FLAKY;
        bug->failure.flaky = true;
        bug->failure.flaky_why =
            "it took longer than the deadline in a worker that had run other "
            "cases, but not in a fresh one";
    }
}

/* The first bug has all the time for shrinking; those after it end with --time. */
static double shrinks_until(const wri_quest *quest)
{
    double until = wri_clock_seconds() + (double)quest->shrink_time_ms / 1000;
    double end = quest->started + (double)quest->time_ms / 1000;
    return quest->bug_count > 1 && quest->time_ms != 0 && end < until ? end : until;
}

/* Shrinks; the shrunk case must fail in a fresh worker, too. Else the bug is told with its first
 * case. */
static void shrink_and_repeat(wri_quest *quest, wri_bug *bug, const wri_trace *first)
{
    wri_outcome outcome;
    double      until = shrinks_until(quest);
    for (bool again = true; again;) {
        shrink(quest, bug, until);
        if (repeat(quest, bug, &outcome)) {
            wri_bug_describe(bug, &outcome);
            return;
        }
        wri_trace_copy(&bug->trace, first);
        again = hangs(bug) && !outcome.abandoned && be_more_patient(quest);
    }
    if (outcome.abandoned ||
        wri_runner_stuck(quest->runner) != NULL) /* it is described already */
        bug->failure.unfinished = true;
    else
        repeat_first(quest, bug);
}

/* ---- Reasons ---- */

/* So many bugs behind one origin are told apart. */
#define MOST_OF_AN_ORIGIN 12

static size_t of_origin(const wri_quest *quest, uint64_t origin)
{
    size_t count = 0;
    for (size_t i = 0; i < quest->bug_count; i++)
        count += quest->bugs[i].origin == origin;
    return count;
}

/* Each case that leaks takes a worker of its own, and the checker's time. */
static bool leaks(const wri_bug *bug)
{
    return strcmp(bug->failure.kind, wri_verdict_name(WRI_LEAK)) == 0;
}

/* A failure that takes long, or whose case is not minimal, is not studied. */
static bool may_be_studied(const wri_quest *quest, const wri_bug *bug)
{
    return quest->chase == NULL && !hangs(bug) && !leaks(bug) && !bug->failure.flaky &&
           !bug->failure.unfinished && quest->settings->shrink != WRI_REDUCE_OFF &&
           quest->property->machine == NULL;
}

/* So many bugs whose reasons are alike are told; more are one that no reason says exactly. */
#define MOST_ALIKE 4

/* Is it one value of one number with more values than a byte? Several such values are one set
 * that no range says, powers of ten for instance. */
static bool is_lone_value(const wri_bug *bug, const wri_reason *reason)
{
    const wri_reason_condition *only = &reason->conditions[0];
    uint64_t *addresses = malloc((bug->trace.node_count + 1) * sizeof *addresses);
    bool      lone = false;
    if (addresses != NULL && reason->condition_count == 1 && reason->variable_count == 1 &&
        only->sort == WRI_REASON_RANGE && only->lo == only->hi &&
        wri_reason_addresses(&bug->trace, addresses))
        for (size_t i = 0; i < bug->trace.node_count; i++)
            lone |= addresses[i] == reason->variables[0].address &&
                    bug->trace.nodes[i].max > UINT8_MAX;
    free(addresses);
    return lone;
}

/* An earlier bug of the same origin that this one is, too. */
static wri_bug *joined(wri_quest *quest, const wri_bug *bug, wri_reason *reason)
{
    unsigned alike = 0;
    wri_bug *first = NULL;
    for (size_t i = 0; i < quest->reason_count; i++) {
        const wri_known_reason *known = &quest->reasons[i];
        wri_bug                *other = &quest->bugs[known->bug];
        if (known->origin != bug->origin)
            continue;
        if (wri_why_joins(&known->reason, reason)) {
            reason->moves |= wri_why_moved(&known->reason, reason);
            return other;
        }
        if (wri_why_same_draws(&known->reason, reason) &&
            wri_why_connected(quest, bug, reason, other, shrinks_until(quest)))
            return other;
        if (!wri_why_alike(&known->reason, reason))
            continue;
        alike++;
        first = first == NULL ? other : first;
    }
    return alike >= (is_lone_value(bug, reason) ? 1 : MOST_ALIKE) ? first : NULL;
}

/* Learns why it fails. NULL: the bug is one that was known, and is gone. */
static wri_bug *explain(wri_quest *quest, wri_bug *bug)
{
    wri_reason reason;
    bug->scope = WRI_SCOPE_STUDIED;
    bool learnt = (quest->many || quest->settings->why) && may_be_studied(quest, bug) &&
                  wri_why_learn(quest, bug, shrinks_until(quest), &reason);
    bug->scope = WRI_SCOPE_ORIGIN;
    if (!learnt)
        return bug;
    wri_bug_own(&bug->failure.reason, wri_why_text(bug, &reason));
    if (!quest->many || of_origin(quest, bug->origin) > MOST_OF_AN_ORIGIN)
        return bug;
    wri_bug *same = joined(quest, bug, &reason);
    if (!wri_quest_add_reason(quest, same == NULL ? bug : same, &reason))
        return bug;
    if (same == NULL) {
        bug->scope = WRI_SCOPE_REASON;
        return bug;
    }
    same->failure.seen++;
    wri_quest_take_back(quest);
    return NULL;
}

/* Shrinks, repeats and stores. The bug has its first trace and is described. Returns it, unless
 * it is one that was known. */
static wri_bug *settle(wri_quest *quest, wri_bug *bug, bool minimal)
{
    wri_trace first = { 0 };
    uint64_t  start = quest->executions;
    bug->scope = WRI_SCOPE_STUDIED;
    wri_quest_keep(quest, bug, minimal);
    if (!minimal && wri_trace_copy(&first, &bug->trace)) {
        if (hangs(bug))
            wri_quest_hurry(quest);
        shrink_and_repeat(quest, bug, &first);
        wri_quest_no_hurry(quest);
        bug->failure.unshrunk = quest->settings->shrink == WRI_REDUCE_OFF;
        bool minimal_now = !bug->failure.unfinished && !bug->failure.unshrunk;
        bug->failure.as_found = minimal_now && wri_compare_traces(&first, &bug->trace) == 0;
        wri_quest_keep(quest, bug, minimal_now);
    }
    bug->failure.choices = wri_trace_choices(&bug->trace);
    bug->failure.executions_after += quest->executions - start;
    wri_trace_free(&first);
    bug = explain(quest, bug);
    if (quest->many && bug != NULL && bug->scope == WRI_SCOPE_ORIGIN)
        wri_quest_pass_over(quest, bug);
    return bug;
}

wri_bug *wri_quest_settle(wri_quest *quest, const wri_outcome *outcome, uint64_t before,
                          const wri_stored *stored, bool minimal)
{
    wri_bug *bug = wri_quest_explained(quest, outcome->origin, &outcome->trace);
    if (bug != NULL) {
        bug->failure.seen++;
        return NULL;
    }
    bug = wri_quest_add_bug(quest, &outcome->trace, outcome, before);
    if (bug == NULL)
        return NULL;
    if (stored != NULL)
        wri_bug_recall(bug, stored);
    if (!minimal)
        WRI_TELL(quest->reporter, found, quest->property->name, &bug->failure);
    return settle(quest, bug, minimal);
}

void wri_quest_settle_example(wri_quest *quest, const wri_outcome *outcome,
                              const wr_example_ *example)
{
    wri_bug *bug = wri_quest_bug(quest, outcome->origin);
    if (bug != NULL) {
        bug->failure.seen++;
        return;
    }
    bug = wri_quest_add_bug(quest, &outcome->trace, outcome, quest->executions);
    if (bug == NULL)
        return;
    bug->failure.example_file = example->file;
    bug->failure.example_line = example->line;
    bug->failure.unshrunk = true;
    wri_quest_tell_replay(quest, bug);
    if (quest->many)
        wri_quest_pass_over(quest, bug);
}

/* A failure that a fresh worker did not repeat, for this reason. */
static void add_flaky(wri_quest *quest, const wri_outcome *first, const wri_outcome *again,
                      uint64_t before, uint64_t confirming, const char *why)
{
    wri_outcome told = *first;
    told.trace = again->trace;
    told.text = again->text;
    told.text_used = again->text_used;
    wri_bug *bug = wri_quest_add_bug(quest, &again->trace, &told, before);
    if (bug == NULL)
        return;
    bug->status = WRI_STATUS_FLAKY;
    bug->failure.flaky = true;
    bug->failure.flaky_why = why;
    bug->failure.executions_after = confirming;
    wri_quest_tell_replay(quest, bug);
    if (quest->many)
        wri_quest_pass_over(quest, bug);
}

/* Runs the case in a fresh worker. A case that was drawn again after refuted runs must also fail
 * alone, without those runs. False: it does not. */
static bool confirm(wri_quest *quest, wri_job *job, const wri_trace *found, wri_outcome *outcome)
{
    wri_trace alone = { 0 };
    wri_quest_single(quest, job, found, true, outcome);
    if (outcome->redrawn == outcome->passes || !wri_verdict_failed(&outcome->verdict) ||
        !wri_trace_copy(&alone, &outcome->trace))
        return true;
    job->manner = WRI_MANNER_ALIGNED;
    wri_quest_single(quest, job, &alone, true, outcome);
    wri_trace_free(&alone);
    return wri_verdict_failed(&outcome->verdict);
}

/* A case that was killed may have asked for less than when it is run again. */
static const char *why_flaky(const wri_outcome *first, const wri_outcome *again, bool by_itself,
                             bool same_journal)
{
    if (!again->abandoned && first->verdict.kind == WRI_DEADLINE)
        return "it took longer than the deadline in a worker that had run other cases, but not "
               "in "
               "a fresh one: it depends on earlier cases, or on the machine";
    if (!again->abandoned && first->verdict.kind == WRI_MEMORY)
        return "it passed the memory limit in a worker that had run other cases, but not in a "
               "fresh one: it depends on earlier cases (try --fork-each)";
    return again->abandoned ? "the run was interrupted before it could be confirmed"
           : !by_itself     ? "the case failed after refuted runs of it, but not alone in a "
                              "fresh worker: it depends on earlier runs (try --redraw off)"
           : same_journal   ? "it failed in a worker that had run other cases, but not in a "
                              "fresh one: it depends on earlier cases (try --fork-each), or on "
                              "what it does not draw"
                            : "the property is not deterministic: run again on the same "
                              "choices, it asked for others";
}

/* A fresh worker has repeated the failure. */
static void settle_confirmed(wri_quest *quest, const wri_outcome *again, uint64_t before,
                             uint64_t confirming, const wri_repeat *repeat)
{
    wri_bug *bug = wri_quest_settle(quest, again, before, NULL, repeat->minimal);
    if (bug == NULL)
        return;
    bug->failure.executions_after += confirming;
    bug->failure.sized = repeat->sized;
    bug->failure.size = repeat->size;
}

/* The case of this number, as its batch ran it. */
static wri_job job_of(const wri_quest *quest, uint64_t index, const wri_repeat *repeat)
{
    wri_job job = wri_quest_job(quest);
    job.from = index;
    job.manner = repeat->manner;
    job.seed ^= repeat->salt;
    job.constants =
        wri_quest_draws_constants(quest, repeat->by != NULL ? repeat->by : quest->explorer);
    return job;
}

void wri_quest_judge(wri_quest *quest, uint64_t index, const wri_outcome *first, uint64_t journal,
                     uint64_t before, const wri_trace *found, const wri_repeat *repeat)
{
    wri_bug *known = wri_quest_explained(quest, first->origin, NULL);
    if (known != NULL) {
        known->failure.seen++;
        return;
    }
    wri_outcome again, kept = *first;
    wri_job     job = job_of(quest, index, repeat);
    quest->live.phase = WRI_PHASE_CONFIRM;
    char    *printed = strdup(first->output == NULL ? "" : first->output);
    uint64_t start = quest->executions;
    if (first->verdict.kind == WRI_DEADLINE)
        wri_quest_hurry(quest);
    bool by_itself = confirm(quest, &job, found, &again);
    wri_quest_no_hurry(quest);
    uint64_t confirming = quest->executions - start;
    bool     same_journal = repeat->manner == WRI_MANNER_ORDER
                                ? again.verdict.kind != WRI_STALE && again.exact_done
                                : wri_runner_journal(quest->runner, 0) == journal;
    kept.output = printed;
    wri_bug *shown = wri_verdict_failed(&again.verdict)
                         ? wri_quest_explained(quest, again.origin, &again.trace)
                         : NULL;
    if (shown != NULL) {
        /* Another worker may have known already, and passed over it: it counts the same. */
        quest->executions = start;
        shown->failure.seen++;
    } else if (wri_verdict_failed(&again.verdict))
        settle_confirmed(quest, &again, before, confirming, repeat);
    else if (!wri_quest_misused(quest, &again))
        add_flaky(quest, &kept, &again, before, confirming,
                  why_flaky(first, &again, by_itself, same_journal));
    free(printed);
    quest->live.phase = WRI_PHASE_EXPLORE;
}

bool wri_quest_misused(wri_quest *quest, const wri_outcome *outcome)
{
    if (outcome->verdict.kind != WRI_MISUSE)
        return false;
    wri_bug *bug =
        wri_quest_add_bug(quest, &outcome->trace, outcome, wri_quest_executions(quest));
    wri_quest_refuse(quest, outcome->verdict.message);
    if (bug == NULL)
        return true;
    bug->status = WRI_STATUS_ERROR;
    bug->failure.misuse = true;
    if (quest->property->machine == NULL || wri_trace_choices(&bug->trace) > 0)
        wri_quest_tell_replay(quest, bug); /* else its table is wrong, and there is no case */
    return true;
}

void wri_quest_repeat_misuse(wri_quest *quest, uint64_t index, const wri_trace *found,
                             const wri_repeat *repeat)
{
    wri_outcome outcome;
    wri_job     job = job_of(quest, index, repeat);
    job.loud = true;
    wri_quest_single(quest, &job, found, true, &outcome);
    uint64_t cases = quest->cases;
    quest->cases -= cases > 0; /* it is among them */
    wri_quest_misused(quest, &outcome);
    quest->cases = cases;
}

void wri_quest_met(wri_quest *quest, const wri_outcome *outcome)
{
    if (wri_quest_bug(quest, outcome->origin) != NULL || quest->met.taken == WRI_QUEST_MET)
        return;
    for (size_t i = 0; i < quest->met.count; i++)
        if (quest->met.list[i].origin == outcome->origin)
            return;
    wri_met *met = &quest->met.list[quest->met.count];
    memset(met, 0, sizeof *met);
    met->origin = outcome->origin;
    if (!wri_trace_copy(&met->trace, &outcome->trace))
        return;
    quest->met.count++;
    quest->met.taken++;
}

/* Judges a failure that waited, unless it is known by now. */
static void settle_one_met(wri_quest *quest, const wri_met *met, uint64_t before)
{
    wri_outcome outcome;
    wri_job     job = wri_quest_job(quest);
    job.manner = WRI_MANNER_ALIGNED;
    if (wri_quest_bug(quest, met->origin) != NULL || wri_quest_full(quest))
        return;
    wri_quest_single(quest, &job, &met->trace, true, &outcome);
    if (wri_verdict_failed(&outcome.verdict))
        wri_quest_settle(quest, &outcome, before, NULL, false);
}

void wri_quest_settle_met(wri_quest *quest, uint64_t before)
{
    while (quest->met.count > 0 && !wri_interrupt_came()) {
        wri_met met = quest->met.list[--quest->met.count];
        settle_one_met(quest, &met, before);
        wri_trace_free(&met.trace);
    }
    quest->met.taken = quest->met.count;
}

void wri_quest_judge_idle(wri_quest *quest)
{
    static wri_node root = { .what = WRI_SPAN, .parent = WRI_NO_NODE, .tie = WRI_NO_NODE };
    wri_trace       nothing = { .nodes = &root, .node_count = 1 };
    wri_outcome     outcome;
    if (quest->options->worker_teardown != NULL)
        wri_runner_end_workers(quest->runner);
    if (!wri_runner_died_idle(quest->runner, &outcome) || wri_interrupt_came() ||
        quest->status == WRI_STATUS_ERROR)
        return;
    if (outcome.owner != quest->property) {
        wri_quest_warn(quest, "a worker of %s died after that property had ended: %s",
                       ((const wr_property_ *)outcome.owner)->name, outcome.verdict.message);
        return;
    }
    wri_bug *bug = wri_quest_bug(quest, outcome.origin) == NULL
                       ? wri_quest_add_bug(quest, &nothing, &outcome, quest->executions)
                       : NULL;
    if (bug == NULL)
        return;
    bug->status = WRI_STATUS_FLAKY;
    bug->failure.flaky = true;
    bug->failure.flaky_why =
        outcome.in_teardown
            ? "it happened after the last case of a worker, so there is no case to repeat"
            : "it happened in a worker that ran no case: a thread, a timer or a process that an "
              "earlier case left behind did it";
}

/* The case has hung once: it comes to where it hangs in no time, or not at all. */
#define SHOWN_MS 300

void wri_quest_show_running(wri_quest *quest, uint64_t index, uint64_t ran_ms,
                            const wri_trace *found, const wri_repeat *repeat)
{
    wri_bug    *running = &quest->running;
    wri_job     job = job_of(quest, index, repeat);
    wri_outcome outcome;
    quest->limits.deadline_ms = SHOWN_MS;
    wri_quest_single(quest, &job, found, true, &outcome);
    wri_quest_no_hurry(quest);
    bool hung = outcome.abandoned || outcome.verdict.kind == WRI_DEADLINE;
    outcome.verdict.line = hung ? outcome.place.line : 0;
    snprintf(outcome.verdict.file, sizeof outcome.verdict.file, "%s",
             hung ? outcome.place.file : "");
    snprintf(outcome.verdict.message, sizeof outcome.verdict.message,
             "case %llu was running for %.1f s%s%s", (unsigned long long)index + 1,
             (double)ran_ms / 1000,
             !hung                       ? "; run again alone, it ended"
             : outcome.place.function[0] ? ", in "
                                         : "",
             hung ? outcome.place.function : "");
    quest->interrupted =
        wri_trace_copy(&running->trace, &outcome.trace) && wri_bug_describe(running, &outcome);
    if (quest->interrupted)
        wri_quest_tell_replay(quest, running);
}
