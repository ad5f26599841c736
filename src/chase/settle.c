/* chase/settle.c: from a failing sequence to a bug that is confirmed and known.
 *
 * The case that failed is not run again as it is. Its parts that fail while it is shrunk confirm
 * it, and the smallest case does, once more, in a fresh worker.
 */
#include "chase/internal.h"
#include "machine/calls/log.h"

size_t wri_chase_add_bug(wri_chase *chase, const wri_suspect *suspect)
{
    wri_quest *quest = chase->quest;
    wri_bug   *bug =
        wri_quest_add_bug(quest, &suspect->trace, &suspect->outcome, suspect->executions);
    if (bug == NULL)
        return WRI_NO_BUG;
    bug->failure.counted = true;
    bug->failure.calls_found = suspect->calls;
    return quest->bug_count - 1;
}

/* Showing its calls has failed, in a kind's .show for instance. Does it fail as it did without?
 * Then the bug is told without them. */
static bool confirm_unshown(wri_chase *chase, wri_bug *bug, const wri_trace *plan,
                            const wri_verdict *shown)
{
    wri_outcome outcome;
    wri_verdict why = *shown;
    wri_chase_run(chase, plan, true, false, &outcome);
    if (!wri_verdict_failed(&outcome.verdict) || outcome.origin != bug->origin)
        return false;
    wri_chase_listen(chase, &outcome);
    wri_quest_warn(
        chase->quest,
        "the calls of a failing sequence cannot be shown: %s, at %s:%d, the .show of a "
        "kind perhaps",
        why.message, why.file, (int)why.line);
    bug->failure.flaky_why = "showing its calls failed, so there are none here: see the warning";
    return wri_trace_copy(&bug->trace, &outcome.trace) && wri_bug_describe(bug, &outcome);
}

/* Runs it in a fresh worker, with everything shown, and takes over what that says. */
static bool confirm(wri_chase *chase, wri_bug *bug, const wri_trace *plan)
{
    wri_outcome outcome;
    wri_chase_run(chase, plan, true, true, &outcome);
    if (!wri_verdict_failed(&outcome.verdict))
        return false;
    if (outcome.origin != bug->origin)
        return confirm_unshown(chase, bug, plan, &outcome.verdict);
    wri_chase_listen(chase, &outcome);
    return wri_trace_copy(&bug->trace, &outcome.trace) && wri_bug_describe(bug, &outcome);
}

/* A function of a machine's kind or command may fail while a call is drafted, and no call of the
 * sequence then: the random case as it was found, in a fresh worker. */
static bool confirm_drafting(wri_chase *chase, wri_bug *bug, const wri_suspect *suspect)
{
    wri_quest  *quest = chase->quest;
    wri_job     job = wri_quest_job(quest);
    wri_outcome outcome;
    if (!suspect->random)
        return false;
    job.from = chase->inquiry.index;
    job.play = wri_chase_terms(chase, job.from);
    job.loud = true;
    wri_quest_single(quest, &job, NULL, true, &outcome);
    return wri_verdict_failed(&outcome.verdict) && outcome.origin == bug->origin &&
           wri_bug_describe(bug, &outcome);
}

/* How many calls the bug is told with. */
static size_t calls_told(wri_chase *chase, const wri_bug *bug)
{
    const wri_sequence *told = wri_chase_calls(chase, &bug->trace);
    return told == NULL ? 0 : told->count;
}

static const char *why_whole(bool whole, bool drafting, bool small)
{
    return whole ? "no part of the sequence failed in a fresh worker; this is the case as it was "
                   "found"
           : drafting ? "it failed while a call was chosen (.when, .abstract or .draw), and its "
                        "calls alone do not fail"
           : small
               ? "the shrunk sequence did not fail in a fresh worker, nor did the one that was "
                 "found: it is not deterministic"
               : "neither the sequence nor a part of it failed again: it depends on earlier "
                 "cases (try --fork-each), or is not deterministic";
}

/* It was not the smallest case that failed: is it the whole one? */
static void confirm_whole(wri_chase *chase, wri_bug *bug, const wri_suspect *suspect, bool wanted,
                          bool small)
{
    bool whole = confirm(chase, bug, &suspect->trace);
    bool cut = chase->inquiry.out_of_time || wri_interrupt_came();
    if (whole ? cut || !wanted : wri_interrupt_came()) {
        bug->failure.unfinished = cut;
        return;
    }
    if (whole && calls_told(chase, bug) == 0) /* there is no part */
        return;
    bool drafting = !whole && confirm_drafting(chase, bug, suspect);
    if (!drafting)
        wri_chase_doubt(chase);
    bug->failure.flaky = !whole && !drafting;
    bug->status = bug->failure.flaky ? WRI_STATUS_FLAKY : WRI_STATUS_FAILED;
    bug->failure.flaky_why = why_whole(whole, drafting, small);
}

bool wri_chase_settle(wri_chase *chase, wri_bug *bug, const wri_suspect *suspect,
                      wri_sequence *failing)
{
    wri_trace best = { 0 };
    bool      wanted = chase->quest->settings->shrink != WRI_REDUCE_OFF;
    bool      small = wanted && wri_chase_make_small(chase, failing, &best);
    bug->failure.unshrunk = !wanted;
    bool sure = small && confirm(chase, bug, &best);
    if (!sure && !(small && wri_interrupt_came()))
        confirm_whole(chase, bug, suspect, wanted, small);
    bug->failure.unfinished |= chase->inquiry.out_of_time;
    wri_trace_free(&best);
    return sure && wri_sequence_read(chase->machine, &bug->trace, failing);
}

/* Is a known bug other than this one in the calls? */
static bool is_mixed(wri_chase *chase, size_t number, const wri_sequence *calls)
{
    const wri_chase_rules *rules = &chase->rules;
    for (size_t i = 0; i < rules->count; i++)
        if (rules->known[i].bug != number && !rules->known[i].waits &&
            wri_chase_is_in(rules, &rules->known[i], calls))
            return true;
    return false;
}

/* Is the bug told with calls that have another bug in them, and are these without one? Then both
 * may be needed for those, and these tell more, though they may be longer. */
static bool is_purer(wri_chase *chase, size_t number, const wri_sequence *calls)
{
    wri_sequence told = { 0 };
    bool purer = wri_sequence_read(chase->machine, &chase->quest->bugs[number].trace, &told) &&
                 calls->count <= WRI_PATTERN_CALLS && is_mixed(chase, number, &told) &&
                 !is_mixed(chase, number, calls);
    wri_sequence_free(&told);
    return purer;
}

bool wri_chase_shorten(wri_chase *chase, size_t number, wri_sequence *smallest)
{
    if (wri_chase_is_old(number) || !WRI_CHASE_USES(chase, shorten))
        return false;
    wri_quest *quest = chase->quest;
    wri_bug   *bug = &quest->bugs[number];
    wri_trace  best = { 0 };
    wri_toll   before = wri_chase_uncharged(chase);
    bool       small =
        (smallest->count < calls_told(chase, bug) || is_purer(chase, number, smallest)) &&
        wri_chase_make_small(chase, smallest, &best);
    bool sure = small && confirm(chase, bug, &best);
    if (sure) {
        bug->failure.unfinished |= chase->inquiry.out_of_time;
        wri_book_read(chase->book, &bug->trace);
        wri_chase_keep(chase, number, &before);
    } else if (small && !wri_interrupt_came()) {
        wri_chase_doubt(chase);
    }
    wri_trace_free(&best);
    return sure && wri_sequence_read(chase->machine, &bug->trace, smallest);
}

void wri_chase_generalise(wri_chase *chase, size_t number, wri_sequence *smallest)
{
    wri_pattern pattern;
    wri_chase_give_time(chase);
    wri_book_read(chase->book, &chase->quest->bugs[number].trace);
    if (!wri_generalise_calls(wri_chase_lab(chase), &chase->setup, smallest, &pattern)) {
        wri_quest_pass_over(chase->quest, &chase->quest->bugs[number]);
        return;
    }
    wri_chase_know_pattern(chase, number, &pattern, smallest);
}

wri_toll wri_chase_uncharged(const wri_chase *chase)
{
    return (wri_toll){ .executions = chase->quest->executions - chase->charged.executions,
                       .calls = chase->quest->calls.judged - chase->charged.calls };
}

void wri_chase_keep(wri_chase *chase, size_t number, const wri_toll *before)
{
    wri_quest *quest = chase->quest;
    wri_bug   *bug = &quest->bugs[number];
    wri_toll   now = wri_chase_uncharged(chase);
    bug->failure.choices = wri_trace_choices(&bug->trace);
    bug->failure.calls_before = wri_quest_calls(quest);
    bug->failure.executions_after += now.executions - before->executions;
    bug->failure.calls_after += now.calls - before->calls;
    chase->charged.executions += now.executions - before->executions;
    chase->charged.calls += now.calls - before->calls;
    wri_quest_keep(quest, bug, !bug->failure.unfinished && !bug->failure.unshrunk);
    if (chase->by_patterns)
        wri_chase_write_rules(&chase->rules);
}

size_t wri_chase_found(wri_chase *chase, const wri_outcome *outcome)
{
    wri_quest  *quest = chase->quest;
    wri_suspect suspect = { .trace = outcome->trace,
                            .outcome = *outcome,
                            .executions = quest->executions,
                            .calls = wri_quest_calls(quest) };
    size_t      number = wri_chase_add_bug(chase, &suspect);
    if (number == WRI_NO_BUG)
        return number;
    wri_bug *bug = &quest->bugs[number];
    bug->failure.unshrunk = true;
    bug->failure.calls_before = suspect.calls;
    WRI_TELL(quest->reporter, found, quest->property->name, &bug->failure);
    wri_quest_keep(quest, bug, false);
    return number;
}

void wri_chase_confirm(wri_chase *chase, size_t number)
{
    wri_bug    *bug = &chase->quest->bugs[number];
    wri_suspect suspect = { 0 };
    wri_chase_give_time(chase);
    if (!wri_trace_copy(&suspect.trace, &bug->trace))
        return;
    confirm_whole(chase, bug, &suspect, false, false);
    bug->failure.choices = wri_trace_choices(&bug->trace);
    bug->failure.executions_after = 1;
    wri_quest_keep(chase->quest, bug, false);
    wri_trace_free(&suspect.trace);
}
