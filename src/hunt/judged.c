/* hunt/judged.c: the steps of the conductor's loop for explorers whose cases the judge runs.
 *
 * Each order is one case of a machine, and it counts before the next one is given, so nothing
 * depends on the number of workers. A failing case is judged like any other failure. If failures
 * are not shrunk, each belongs to a class, by the failure and the command that failed.
 * The shortest case of each class is kept and reported.
 */
#include <stdlib.h>

#include "chase/chase.h"
#include "hunt/batches.h"

/* So many cases are worth a random sequence where it is asked whether anything new was found
 * lately. */
#define CASES_A_SEQUENCE 32

/* Failures that are alike, and the bug that stands for them. */
typedef struct failure_class {
    uint64_t key;
    size_t   bug;   /* of the quest */
    size_t   calls; /* of its shortest case; 0: it is as it was stored */
} failure_class;

struct wri_classes {
    size_t        count;
    failure_class list[];
};

/* The shortest of its class is told. */
static void met_again(wri_quest *quest, failure_class *class, const wri_outcome *outcome,
                      size_t calls)
{
    wri_bug *bug = &quest->bugs[class->bug];
    bug->failure.seen++;
    if (calls < class->calls && wri_trace_copy(&bug->trace, &outcome->trace)) {
        class->calls = calls;
        wri_bug_describe(bug, outcome);
    }
}

static void classify(wri_quest *quest, struct wri_classes **classes, const wri_outcome *outcome,
                     const wri_sequence *made)
{
    uint64_t key = wri_chase_key(quest->chase, outcome, made);
    size_t   count = *classes == NULL ? 0 : (*classes)->count;
    for (size_t i = 0; i < count; i++)
        if ((*classes)->list[i].key == key) {
            met_again(quest, &(*classes)->list[i], outcome, made->count);
            return;
        }
    struct wri_classes *grown =
        realloc(*classes, sizeof *grown + (count + 1) * sizeof *grown->list);
    if (grown == NULL)
        return;
    *classes = grown;
    grown->count = count;
    failure_class class = { .key = key, .calls = made->count };
    const wri_bug *stored = wri_quest_bug(quest, outcome->origin);
    if (stored != NULL && stored->failure.from_store)
        class = (failure_class){ .key = key, .bug = (size_t)(stored - quest->bugs) };
    else
        class.bug = wri_chase_found(quest->chase, outcome);
    if (class.bug != WRI_NO_BUG)
        grown->list[grown->count++] = class;
}

static uint64_t sequences(const wri_quest *quest)
{
    return quest->cases / CASES_A_SEQUENCE;
}

static void look_into(wri_quest *quest, const wri_outcome *outcome)
{
    size_t bugs = quest->bug_count;
    wri_chase_look_into(quest->chase, outcome);
    if (quest->bug_count > bugs)
        wri_chase_put_off_guards(quest->chase, sequences(quest) + 1);
}

/* False: the property ends. */
static bool settle(wri_batches *batches, const wri_outcome *outcome)
{
    wri_quest *quest = batches->quest;
    wri_chase *chase = quest->chase;
    if (outcome->abandoned || wri_quest_misused(quest, outcome) ||
        wri_quest_ends(quest, &outcome->verdict) ||
        !wri_chase_check_rules(chase, &outcome->trace))
        return false;
    const wri_sequence *made = wri_chase_calls(chase, &outcome->trace);
    if (!batches->explorer->judged(batches->self, made, &outcome->trace, &outcome->verdict,
                                   &outcome->played)) {
        wri_quest_refuse(quest, WRI_QUEST_NO_MEMORY);
        return false;
    }
    if (!wri_verdict_failed(&outcome->verdict))
        return true;
    if (quest->settings->shrink == WRI_REDUCE_OFF && made != NULL)
        classify(quest, &batches->classes, outcome, made);
    else
        look_into(quest, outcome);
    return quest->many;
}

void wri_judged_run(wri_batches *batches, wri_batch_entry *at)
{
    wri_quest *quest = batches->quest;
    wri_trace  plan = { 0 };
    wri_job    job = wri_quest_job(quest);
    job.manner = WRI_MANNER_ALIGNED;
    job.from = at->order.from;
    job.play = wri_chase_terms(quest->chase, 0);
    batches->explorer->plan(batches->self, &at->order, &plan, &job.play); /* its memory */
    double started = wri_clock_seconds();
    wri_quest_single(quest, &job, &plan, quest->fork_each, &at->outcome);
    quest->drew |= at->outcome.trace.node_count > 1;
    const wri_verdict *verdict = &at->outcome.verdict;
    wri_telling_take_judged(batches, at, wri_clock_seconds() - started);
    if (at->outcome.abandoned)
        wri_quest_show_running(quest, at->order.from,
                               (uint64_t)((wri_clock_seconds() - started) * 1000),
                               &at->outcome.trace, &(wri_repeat){ .manner = WRI_MANNER_ALIGNED });
    else
        at->counts =
            (wri_batch_counts){ .cases = wri_verdict_failed(verdict) || verdict->kind == WRI_PASS,
                                .discarded = verdict->kind == WRI_DISCARD,
                                .overrun = verdict->kind == WRI_OVERRUN };
    at->state = WRI_ENTRY_DONE;
}

void wri_judged_settle(wri_batches *batches, wri_batch_entry *at)
{
    if (settle(batches, &at->outcome))
        wri_chase_rest(batches->quest->chase, sequences(batches->quest));
    else
        batches->ended = true;
}

/* Each of the shortest once more, in a fresh worker, but those from the store, which were. */
void wri_judged_finish(wri_batches *batches)
{
    struct wri_classes *classes = batches->classes;
    for (size_t i = 0; classes != NULL && i < classes->count; i++)
        if (classes->list[i].calls > 0)
            wri_chase_confirm(batches->quest->chase, classes->list[i].bug);
    free(classes);
}
