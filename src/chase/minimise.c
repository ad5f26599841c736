/* chase/minimise.c: a last look at each bug of a machine, when there are no more cases.
 *
 * While cases are run, a bug that is found gets few calls: the next bug is more important. At the
 * end each bug that a report will show gets a fixed number of calls, and its sequence becomes
 * shorter if that is possible (machine/study/minimise.c). Rules of other bugs are heeded, so that
 * the result is still this bug. Its own rules are not: they are what is tried.
 */
#include "chase/internal.h"
#include "machine/calls/log.h"

/* So many calls for each bug. */
#define EFFORT 3000

void wri_chase_hold_rules(wri_chase_rules *rules, size_t bug, bool held)
{
    for (size_t i = 0; i < rules->count; i++)
        if (rules->known[i].bug == bug)
            rules->known[i].waits = held;
}

/* Will a report show calls that are sure and were looked for to the end? */
static bool is_worth_it(const wri_bug *bug)
{
    const wri_failure *failure = &bug->failure;
    return !failure->subsumed && !failure->flaky && !failure->unshrunk && !failure->unfinished;
}

/* Runs the bug's case: tries are compared with its failure from now on. */
static bool begin(wri_chase *chase, const wri_bug *bug, wri_sequence *calls)
{
    wri_outcome outcome;
    wri_chase_give_time(chase);
    if (!wri_sequence_read(chase->machine, &bug->trace, calls) || calls->count < 2)
        return false;
    wri_chase_run(chase, &bug->trace, false, false, &outcome);
    if (!wri_verdict_failed(&outcome.verdict) || outcome.origin != bug->origin)
        return false;
    wri_chase_look_at(chase, &outcome, calls);
    return wri_book_read(chase->book, &outcome.trace);
}

/* The rule of the shorter calls. Rules that say less go. */
static void learn_rule(wri_chase *chase, size_t number, wri_sequence *smallest)
{
    wri_pattern pattern;
    wri_chase_give_time(chase);
    bool learnt = wri_generalise_calls(wri_chase_lab(chase), &chase->setup, smallest, &pattern);
    wri_chase_hold_rules(&chase->rules, number, false);
    if (learnt)
        wri_chase_know_pattern(chase, number, &pattern, smallest);
}

/* Have the calls become those of another bug on the way? No rule says so, or they would not have
 * been tried. */
static bool is_another(wri_chase *chase, const wri_sequence *calls)
{
    wri_sequence copy = { 0 };
    bool         another = chase->joins && wri_sequence_copy(&copy, calls) &&
                   wri_chase_same_as(chase, &copy) != WRI_NO_BUG;
    wri_sequence_free(&copy);
    return another;
}

/* All calls are put down to the bug; but it was found when it was found. */
static void minimise(wri_chase *chase, size_t number, wri_sequence *calls)
{
    wri_quest *quest = chase->quest;
    wri_toll   before = wri_chase_uncharged(chase);
    uint64_t   found = quest->bugs[number].failure.calls_before;
    if (!begin(chase, &quest->bugs[number], calls))
        return;
    wri_chase_hold_rules(&chase->rules, number, true);
    bool less = wri_minimise_calls(wri_chase_lab(chase), calls, EFFORT) &&
                !is_another(chase, calls) && wri_chase_shorten(chase, number, calls);
    if (less && chase->by_patterns)
        learn_rule(chase, number, calls);
    wri_chase_hold_rules(&chase->rules, number, false);
    wri_chase_keep(chase, number, &before);
    quest->bugs[number].failure.calls_before = found;
}

void wri_chase_minimise(wri_chase *chase)
{
    wri_quest   *quest = chase->quest;
    wri_sequence calls = { 0 };
    chase->inquiry.out_of_time = false;
    for (size_t i = 0; i < quest->bug_count && quest->many && !wri_interrupt_came() &&
                       WRI_CHASE_USES(chase, minimise) && wri_chase_may_refine(chase);
         i++) {
        if (is_worth_it(&quest->bugs[i]))
            minimise(chase, i, &calls);
        chase->inquiry.out_of_time = false;
        wri_chase_study_suspects(chase);
    }
    wri_sequence_free(&calls);
}
