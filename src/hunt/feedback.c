/* hunt/feedback.c: a machine whose states lead on (--explore feedback).
 *
 * Tests are run one after the other in the judge, so nothing depends on the number of workers.
 * What fails is looked into as a failure of any other hunt; without shrinking it belongs to a
 * class, by what went wrong and in which command's call, and the shortest of each class is kept
 * and told.
 */
#include <stdlib.h>
#include <string.h>

#include "explore/feedback.h"
#include "chase/chase.h"
#include "hunt/internal.h"

/* So many tests are worth a random sequence where it is asked whether anything new was found
 * lately. */
#define TESTS_A_SEQUENCE 32

/* After so many tests in a row that known bugs are in, there is hardly another. */
#define VAIN_MOST 10000

/* Failures that are alike, and the bug that stands for them. */
typedef struct failure_class {
    uint64_t key;
    size_t   bug;   /* of the quest */
    size_t   calls; /* of its shortest test; 0: it is as it was stored */
} failure_class;

typedef struct foray {
    wri_quest     *quest;
    wri_chase     *chase;
    wri_feedback  *feedback;
    wri_sequence   test;
    wri_trace      plan;
    failure_class *classes;
    size_t         class_count;
} foray;

static void run_test(foray *trip, unsigned extra, wri_outcome *outcome)
{
    wri_quest *quest = trip->quest;
    wri_job    job = wri_quest_job(quest);
    job.manner = WRI_MANNER_ALIGNED;
    job.from = quest->cases;
    job.play = wri_chase_terms(trip->chase, 0);
    job.play.extra = (uint8_t)extra;
    job.play.told = true;
    wri_quest_single(quest, &job, &trip->plan, quest->fork_each, outcome);
    quest->drew |= outcome->trace.node_count > 1;
}

/* The shortest of its class is what is told. */
static void met_again(foray *trip, failure_class *class, const wri_outcome *outcome, size_t calls)
{
    wri_bug *bug = &trip->quest->bugs[class->bug];
    bug->failure.seen++;
    if (calls < class->calls && wri_trace_copy(&bug->trace, &outcome->trace)) {
        class->calls = calls;
        wri_bug_describe(bug, outcome);
    }
}

static void classify(foray *trip, const wri_outcome *outcome, const wri_sequence *made)
{
    uint64_t key = wri_chase_key(outcome, made);
    size_t   calls = made->count;
    for (size_t i = 0; i < trip->class_count; i++)
        if (trip->classes[i].key == key) {
            met_again(trip, &trip->classes[i], outcome, calls);
            return;
        }
    failure_class *grown = realloc(trip->classes, (trip->class_count + 1) * sizeof *grown);
    if (grown == NULL)
        return;
    trip->classes = grown;
    failure_class class = { .key = key, .calls = calls };
    const wri_bug *stored = wri_quest_bug(trip->quest, outcome->origin);
    if (stored != NULL && stored->failure.from_store)
        class = (failure_class){ .key = key, .bug = (size_t)(stored - trip->quest->bugs) };
    else
        class.bug = wri_chase_found(trip->chase, outcome);
    if (class.bug != WRI_NO_BUG)
        grown[trip->class_count++] = class;
}

/* Each of the shortest once more, in a fresh worker, but those from the store, which were. */
static void confirm_classes(foray *trip)
{
    for (size_t i = 0; i < trip->class_count; i++)
        if (trip->classes[i].calls > 0)
            wri_chase_confirm(trip->chase, trip->classes[i].bug);
}

static uint64_t sequences(const wri_quest *quest)
{
    return quest->cases / TESTS_A_SEQUENCE;
}

static void look_into(foray *trip, const wri_outcome *outcome)
{
    size_t bugs = trip->quest->bug_count;
    wri_chase_look_into(trip->chase, outcome);
    if (trip->quest->bug_count > bugs)
        wri_chase_put_off_guards(trip->chase, sequences(trip->quest) + 1);
}

/* What became of a test; false: the property ends. */
static bool learn(foray *trip, const wri_outcome *outcome)
{
    wri_quest *quest = trip->quest;
    wri_chase *chase = trip->chase;
    if (outcome->abandoned || wri_quest_ends(quest, &outcome->verdict) ||
        !wri_chase_check_rules(chase, &outcome->trace))
        return false;
    const wri_sequence *made = wri_chase_calls(chase, &outcome->trace);
    quest->cases += wri_failed(&outcome->verdict) || outcome->verdict.kind == WRI_PASS;
    quest->discarded += outcome->verdict.kind == WRI_DISCARD;
    quest->overrun += outcome->verdict.kind == WRI_OVERRUN;
    if (made != NULL && outcome->verdict.kind == WRI_PASS) {
        wri_chase_learn_values(chase, &outcome->trace);
        return !outcome->played.there ||
               wri_feedback_reached(trip->feedback, made, outcome->played.state,
                                    outcome->played.callable);
    }
    if (!wri_failed(&outcome->verdict))
        return true;
    if (quest->settings->shrink == WRI_REDUCE_OFF && made != NULL)
        classify(trip, outcome, made);
    else
        look_into(trip, outcome);
    return quest->many;
}

/* The next test that no known bug is in, as a plan; false: there is none, or none is found. */
static bool next_test(foray *trip, unsigned *extra)
{
    for (unsigned vain = 0; vain < VAIN_MOST && !wri_runner_interrupted(); vain++) {
        if (!wri_feedback_next(trip->feedback, &trip->test, extra))
            return false;
        if (wri_chase_plan(trip->chase, &trip->test, *extra, &trip->plan))
            return true;
    }
    return false;
}

static bool too_many_discarded(const wri_quest *quest)
{
    return quest->discarded + quest->overrun > 20 * quest->cases + 1000;
}

/* The sequence without calls: where all begin. */
static bool plan_nothing(wri_trace *plan)
{
    if (!wri_trace_reserve(plan, 1, 0))
        return false;
    plan->nodes[0] = (wri_node){ .what = WRI_SPAN, .parent = WRI_NO_NODE, .tie = WRI_NO_NODE };
    plan->node_count = 1;
    return true;
}

static void travel(foray *trip)
{
    wri_quest  *quest = trip->quest;
    wri_outcome outcome;
    unsigned    extra = 0;
    if (!plan_nothing(&trip->plan))
        return;
    do {
        run_test(trip, extra, &outcome);
        wri_quest_progress(quest, 0);
        if (!learn(trip, &outcome) || too_many_discarded(quest))
            return;
        if (wri_chase_rests(trip->chase, sequences(quest)))
            wri_chase_rest(trip->chase, sequences(quest));
    } while ((quest->by_time || quest->cases < quest->cases_wanted) &&
             !wri_quest_time_is_up(quest) && next_test(trip, &extra));
}

void wri_quest_feed(wri_quest *quest)
{
    foray trip = { .quest = quest, .chase = quest->chase };
    trip.feedback = wri_feedback_make(wri_chase_machine(quest->chase), quest->seed);
    if (trip.feedback == NULL)
        quest->status = WRI_STATUS_ERROR;
    else
        travel(&trip);
    confirm_classes(&trip);
    if (!wri_quest_time_is_up(quest))
        wri_chase_finish(quest->chase);
    if (quest->status == WRI_STATUS_HELD && too_many_discarded(quest))
        quest->status = WRI_STATUS_GAVE_UP;
    wri_feedback_free(trip.feedback);
    wri_sequence_free(&trip.test);
    wri_trace_free(&trip.plan);
    free(trip.classes);
}
