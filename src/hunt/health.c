/* hunt/health.c: warnings about a property that tests less than it seems to: it discards most
 * cases, is not deterministic, draws nothing, is slow, or never calls some commands. */
#include <string.h>

#include "chase/chase.h"
#include "hunt/internal.h"

/* Journal entries above which a case is called large. */
#define LARGE_CASE 20000
/* Executions a second below which exploring is called slow, once a second has passed. */
#define SLOW_RATE 20.0
/* Executions after which two more do not matter. */
#define ENOUGH_TO_REPEAT 100
/* Cases of a machine that have made no call by accident are fewer. */
#define ENOUGH_TO_CALL 20
/* Calls after which each command of a machine should have been called, and its share of them. */
#define ENOUGH_CALLS 1000
#define ENOUGH_OF_EACH 20
/* So many commands are named. */
#define NAMED_MOST 4

static void check_discards(wri_quest *quest)
{
    uint64_t tried = quest->cases + quest->discarded + quest->overrun;
    if (tried >= 50 && quest->overrun * 10 > tried)
        wri_quest_warn(quest,
                       "%llu of %llu cases were too large and did not count: draw "
                       "smaller sizes",
                       (unsigned long long)quest->overrun, (unsigned long long)tried);
    if (tried >= 50 && quest->discarded * 10 > tried * 9)
        wri_quest_warn(quest,
                       "%llu of %llu cases were discarded by wr_assume: draw values that "
                       "fit instead of filtering",
                       (unsigned long long)quest->discarded, (unsigned long long)tried);
}

/* The first case twice: a property that asks for something else the second time depends on more
 * than what it draws. Only after so many cases that two more cost next to nothing: what is
 * executed must not depend on the clock. */
static void check_repeats(wri_quest *quest)
{
    wri_outcome outcome;
    wri_job     job = wri_quest_job(quest);
    uint64_t    asked[2];
    uint32_t    kinds[2];
    if (quest->executions < ENOUGH_TO_REPEAT || quest->fork_each || wri_runner_interrupted())
        return;
    job.redraw = WRI_REDRAW_OFF;
    if (quest->chase != NULL)
        job.play = wri_chase_terms(quest->chase, 0);
    for (int i = 0; i < 2; i++) {
        wri_quest_single(quest, &job, NULL, false, &outcome);
        asked[i] = wri_runner_journal(quest->runner, 0);
        kinds[i] = outcome.verdict.kind;
    }
    if (asked[0] != asked[1] || kinds[0] != kinds[1])
        wri_quest_warn(quest, "the property is not deterministic: the same case, run twice, %s",
                       asked[0] != asked[1] ? "drew different values" : "ended differently");
}

/* Of a machine: what is known may leave nothing to call. */
static void check_saturation(wri_quest *quest)
{
    if (quest->chase != NULL && wri_chase_effort(quest->chase).saturated)
        wri_quest_warn(quest,
                       "known bugs cut sequences short: %llu of %llu sequences ended because "
                       "every further call would have completed a known bug",
                       (unsigned long long)quest->calls.cut,
                       (unsigned long long)quest->calls.sequences);
}

/* Was the command called in any case? Names in a tally may be cut. */
static bool was_called(const wri_quest *quest, const char *command)
{
    char name[WRI_SEEN_BYTES];
    wri_seen_text(name, command);
    for (size_t i = 0; i < quest->tally.count; i++) {
        const wri_observed *row = &quest->tally.rows[i];
        if (row->sort == WR_SEE_TABLE_ && strcmp(row->name, WRI_CALLED) == 0 &&
            strcmp(row->detail, name) == 0)
            return true;
    }
    return false;
}

static uint64_t weight_of(const wr_command *command)
{
    return command->weight == 0 ? 1 : command->weight;
}

/* Names those that had their share of chances and were not called. */
static void check_commands(wri_quest *quest)
{
    char     names[NAMED_MOST * (WRI_SEEN_BYTES + 2)] = "";
    size_t   used = 0, missing = 0;
    uint64_t weight = 0;
    for (const wr_command *each = quest->property->machine->commands; each->name != NULL; each++)
        weight += weight_of(each);
    for (const wr_command *each = quest->property->machine->commands; each->name != NULL;
         each++) {
        double chances = (double)quest->calls.explored * (double)weight_of(each) / (double)weight;
        if (chances < ENOUGH_OF_EACH || was_called(quest, each->name) || missing++ >= NAMED_MOST)
            continue;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.*s",
                                 used == 0 ? "" : ", ", WRI_SEEN_BYTES - 1, each->name);
    }
    if (missing > 0)
        wri_quest_warn(quest, "in %llu calls these commands were never called: %s%s",
                       (unsigned long long)quest->calls.explored, names,
                       missing > NAMED_MOST ? ", ..." : "");
}

static bool counts_runs(const wri_quest *quest)
{
    return (quest->explorer->needs & WRI_COUNTS_RUNS) && quest->exploring != NULL;
}

/* Could it have made a call, but for its commands? Searches begin with a sequence without any. */
static bool could_call(const wri_quest *quest)
{
    wri_result told = { 0 };
    if (counts_runs(quest)) {
        quest->explorer->tell(quest->exploring, &told);
        return told.enumerated.exhausted && told.enumerated.bound > 0;
    }
    return quest->cases >= ENOUGH_TO_CALL ||
           ((quest->explorer->needs & WRI_NEEDS_JUDGE) && quest->cases < quest->cases_wanted);
}

/* Of a machine: what is not called is not tested. Where known bugs are avoided, that may be why.
 */
static void check_calls(wri_quest *quest)
{
    bool avoiding = quest->chase != NULL && wri_chase_avoids(quest->chase);
    if (quest->property->machine == NULL || avoiding)
        return;
    if (wri_quest_calls(quest) == 0 && could_call(quest))
        wri_quest_warn(quest, "no call was ever made: no command could be called");
    else if (quest->calls.explored >= ENOUGH_CALLS && !quest->trouble.labels_lost)
        check_commands(quest);
}

void wri_health_check(wri_quest *quest)
{
    double seconds = wri_clock_seconds() - quest->started;
    if (quest->status == WRI_STATUS_ERROR || quest->status == WRI_STATUS_SKIPPED)
        return;
    if (!counts_runs(quest))
        check_discards(quest);
    if (quest->largest > LARGE_CASE)
        wri_quest_warn(quest,
                       "a case made more than %d choices: smaller cases are explored and "
                       "shrunk faster",
                       LARGE_CASE);
    check_saturation(quest);
    if (quest->bug_count > 0)
        return;
    if (!quest->drew && quest->cases > 0 && !quest->options->may_draw_nothing)
        wri_quest_warn(quest, "the property draws nothing, so every case is the same");
    check_calls(quest);
    if (!counts_runs(quest)) /* where it would have been found */
        check_repeats(quest);
    if (seconds > 1 && !quest->interrupted && (double)quest->executions / seconds < SLOW_RATE)
        wri_quest_warn(quest, "the property is slow: %.1f cases a second",
                       (double)quest->executions / seconds);
}
