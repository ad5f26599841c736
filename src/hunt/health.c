/* hunt/health.c: warnings about a property that tests less than it seems to. */
#include "hunt/machines.h"

/* Journal entries above which a case is called large. */
#define LARGE_CASE 20000
/* Executions a second below which exploring is called slow, once a second has passed. */
#define SLOW_RATE 20.0
/* Executions after which two more do not matter. */
#define ENOUGH_TO_REPEAT 100

static void check_discards(wri_quest *quest)
{
    uint64_t tried = quest->cases + quest->discarded + quest->overrun;
    if (tried >= 50 && quest->overrun * 10 > tried)
        wri_quest_warn(quest, "%llu of %llu cases were too large and counted for nothing: draw "
                              "smaller sizes",
                       (unsigned long long)quest->overrun, (unsigned long long)tried);
    if (tried >= 50 && quest->discarded * 10 > tried * 9)
        wri_quest_warn(quest, "%llu of %llu cases were discarded by wr_assume: draw values that "
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
    if (quest->executions < ENOUGH_TO_REPEAT || quest->fork_each || wri_interrupted())
        return;
    job.redraw = WRI_REDRAW_OFF;
    for (int i = 0; i < 2; i++) {
        wri_quest_single(quest, &job, NULL, false, &outcome);
        asked[i] = wri_runner_journal(quest->runner, 0);
        kinds[i] = outcome.verdict.kind;
    }
    if (asked[0] != asked[1] || kinds[0] != kinds[1])
        wri_quest_warn(quest, "it is not deterministic: the same case, run twice, %s",
                       asked[0] != asked[1] ? "drew different values" : "ended differently");
}

/* Of a machine: what is known may leave nothing to call. */
static void check_saturation(wri_quest *quest)
{
    if (quest->chase != NULL && wri_chase_effort(quest->chase).saturated)
        wri_quest_warn(quest, "generation is saturated by known bugs: %llu of %llu sequences ended "
                              "where every call would have made one",
                       (unsigned long long)quest->cut_short,
                       (unsigned long long)quest->sequences);
}

void wri_quest_health(wri_quest *quest)
{
    double seconds = wri_seconds() - quest->started;
    if (quest->status == WRI_STATUS_ERROR || quest->status == WRI_STATUS_SKIPPED)
        return;
    if (!quest->enumerated)
        check_discards(quest);
    if (quest->largest > LARGE_CASE)
        wri_quest_warn(quest, "a case made more than %d choices: smaller ones are explored and "
                              "shrunk faster", LARGE_CASE);
    check_saturation(quest);
    if (quest->bug_count > 0)
        return;
    if (!quest->drew && quest->cases > 0 && !quest->options->may_draw_nothing)
        wri_quest_warn(quest, "it draws nothing, so every case is the same");
    if (!quest->enumerated) /* where it would have been found */
        check_repeats(quest);
    if (seconds > 1 && (double)quest->executions / seconds < SLOW_RATE)
        wri_quest_warn(quest, "it is slow: %.1f cases a second",
                       (double)quest->executions / seconds);
}
