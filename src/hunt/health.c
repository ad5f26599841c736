/* hunt/health.c: warnings about a property that tests less than it seems to: it discards most
 * cases, is not deterministic, draws nothing, is slow, never calls some commands, or gives words
 * that fit no draw. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chase/chase.h"
#include "hunt/internal.h"
#include "observe/signals.h"

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
/* Cases in which a word should have fitted a draw. */
#define ENOUGH_TO_FIT 20
/* So many commands, or words, are named. */
#define NAMED_MOST 4

char *wri_health_why_few(const wri_quest *quest)
{
    char               line[200], share[60];
    bool               large = quest->overrun > quest->discarded;
    unsigned long long tried = quest->cases + quest->discarded + quest->overrun;
    if (quest->cases == 0)
        snprintf(share, sizeof share, "all %llu", tried);
    else
        snprintf(share, sizeof share, "%llu of %llu", tried - quest->cases, tried);
    snprintf(line, sizeof line, "%s cases were %s", share,
             large ? "too large: draw smaller sizes"
                   : "discarded: draw values that fit instead of filtering");
    return strdup(line);
}

static void check_discards(wri_quest *quest)
{
    uint64_t tried = quest->cases + quest->discarded + quest->overrun;
    if (quest->status == WRI_STATUS_GAVE_UP)
        return; /* that is why */
    if (quest->too_few) {
        char *why = wri_health_why_few(quest);
        wri_quest_warn(quest, "it ended after %llu of %llu cases, because %s",
                       (unsigned long long)quest->cases, (unsigned long long)quest->cases_wanted,
                       why == NULL ? WRI_QUEST_NO_MEMORY : why);
        free(why);
        return;
    }
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

/* The first case once more, traced: spans that are not closed are seen in a traced case only. And
 * once again: a property that asks for something else the second time depends on more than what
 * it draws. That only after so many cases that two more cost next to nothing: what is executed
 * must not depend on the clock. */
static void check_repeats(wri_quest *quest)
{
    int         runs = quest->executions < ENOUGH_TO_REPEAT || quest->fork_each ? 1 : 2;
    wri_outcome outcome;
    wri_job     job = wri_quest_job(quest);
    uint64_t    asked[2];
    uint32_t    kinds[2];
    if (runs == 1 ? quest->cases < 2 || wri_quest_time_is_up(quest) : wri_interrupt_came())
        return;
    job.redraw = WRI_REDRAW_OFF;
    job.from = quest->shard.number * quest->shard.block; /* its first case */
    if (quest->chase != NULL)
        job.play = wri_chase_terms(quest->chase, 0);
    for (int i = 0; i < runs; i++) {
        wri_quest_single(quest, &job, NULL, quest->fork_each, &outcome);
        if (wri_quest_misused(quest, &outcome))
            return;
        asked[i] = wri_runner_journal(quest->runner, 0);
        kinds[i] = outcome.verdict.kind;
    }
    if (runs == 2 && (asked[0] != asked[1] || kinds[0] != kinds[1]))
        wri_quest_warn(quest, "the property is not deterministic: the same case, run twice, %s",
                       asked[0] != asked[1] ? "drew different values" : "ended differently");
}

/* A machine's known bugs may leave little to call. If rules that the user has given leave
 * nothing, nothing was tested, and that is an error. */
static void check_saturation(wri_quest *quest)
{
    if (quest->chase == NULL || !wri_chase_effort(quest->chase).saturated)
        return;
    const char *rule = wri_chase_shortest_given(quest->chase);
    char        given[400] = "", why[500];
    if (rule != NULL)
        snprintf(given, sizeof given, " (the shortest rule of %s is \"%s\")",
                 quest->settings->known, rule);
    if (rule != NULL && wri_quest_calls(quest) == 0) {
        snprintf(why, sizeof why, "the rules leave no call to make%s", given);
        wri_quest_refuse(quest, why);
        return;
    }
    wri_quest_warn(quest,
                   "known bugs cut sequences short: %llu of %llu sequences ended because "
                   "every further call would have completed a known bug%s",
                   (unsigned long long)quest->calls.cut,
                   (unsigned long long)quest->calls.sequences, given);
}

/* Sequences that were asked to be longer than a log can be are as long as they can be. */
static void check_full(wri_quest *quest)
{
    if (quest->calls.full > 0)
        wri_quest_warn(quest,
                       "%llu of %llu sequences ended before their last call, because a case has "
                       "room for %zu choices: ask for fewer calls",
                       (unsigned long long)quest->calls.full,
                       (unsigned long long)quest->calls.sequences, WRI_MAX_CHOICES);
    else if (quest->largest > LARGE_CASE)
        wri_quest_warn(quest,
                       "a case made more than %d choices: smaller cases are explored and "
                       "shrunk faster",
                       LARGE_CASE);
}

/* In how many cases the row of a machine's table was seen. Names in a tally may be cut. */
static uint64_t cases_of_row(const wri_quest *quest, const char *table, const char *row)
{
    char name[WRI_SEEN_BYTES];
    wri_seen_text(name, row);
    for (size_t i = 0; i < quest->tally.count; i++) {
        const wri_observed *at = &quest->tally.rows[i];
        if (at->sort == WR_SEE_TABLE_ && strcmp(at->name, table) == 0 &&
            strcmp(at->detail, name) == 0)
            return at->cases[1];
    }
    return 0;
}

static bool was_called(const wri_quest *quest, const char *command)
{
    return cases_of_row(quest, WRI_CALLED, command) > 0;
}

/* A known bug that did not show in any call where it was expected. */
static void check_known_bugs(wri_quest *quest)
{
    const wr_machine *machine = quest->property->machine;
    for (const wr_command *command = machine == NULL ? NULL : machine->commands;
         command != NULL && command->name != NULL; command++) {
        char failed[WRI_SEEN_BYTES * 2], held[WRI_SEEN_BYTES * 2];
        if (command->known_bug == NULL)
            continue;
        snprintf(failed, sizeof failed, WRI_KNOWN_FAILED, command->name);
        snprintf(held, sizeof held, WRI_KNOWN_HELD, command->name);
        uint64_t cases = cases_of_row(quest, WRI_KNOWN_BUG, held);
        if (cases > 0 && cases_of_row(quest, WRI_KNOWN_BUG, failed) == 0)
            wri_quest_warn(quest,
                           "known bug of %s: expected in %llu cases, none failed: it may be "
                           "mended",
                           command->name, (unsigned long long)cases);
    }
}

/* The kind of a handle that the command takes, and that no call has given; NULL: none is known.
 */
static const char *missing_handle(const wri_quest *quest, const wri_machine *machine,
                                  const wri_machine_command *command)
{
    uint64_t missing = command->needs & ~quest->calls.given;
    return missing == 0 ? NULL : machine->handles[__builtin_ctzll(missing)].table->name;
}

/* Names the commands that had their share of chances and were not called, and says why. */
static void put_uncalled(const wri_quest *quest, const wri_machine *machine, FILE *out)
{
    size_t missing = 0;
    for (unsigned i = 0; i < machine->command_count; i++) {
        const wri_machine_command *command = &machine->commands[i];
        double                     chances =
            (double)quest->calls.explored * machine->weights[i] / (double)machine->weight;
        if (command->claims || chances < ENOUGH_OF_EACH ||
            was_called(quest, command->table->name) || missing++ > NAMED_MOST)
            continue;
        const char *handle = missing_handle(quest, machine, command);
        fprintf(out, "%s%s", missing == 1 ? "" : ", ",
                missing > NAMED_MOST ? "..." : command->table->name);
        if (handle != NULL && missing <= NAMED_MOST)
            fprintf(out, " (no handle of kind %s was ever given)", handle);
        else if (command->table->when != NULL && missing <= NAMED_MOST && quest->bug_count == 0)
            fputs(" (its .when was never true)", out);
    }
}

static void check_commands(wri_quest *quest)
{
    const wr_property_ *property = quest->property;
    char                why[512], *names = NULL;
    size_t              size = 0;
    const wri_machine  *machine = wri_machine_read(
         property->machine, property->name, property->file, property->line, why, sizeof why);
    FILE *out = machine == NULL ? NULL : open_memstream(&names, &size);
    if (out == NULL)
        return;
    put_uncalled(quest, machine, out);
    if (fclose(out) == 0 && size > 0)
        wri_quest_warn(quest, "in %llu calls these commands were never called: %s",
                       (unsigned long long)quest->calls.explored, names);
    free(names);
}

/* Options of an explorer that does not explore. */
static void check_options(wri_quest *quest)
{
    const wri_settings *settings = quest->settings;
    const char         *option = settings->exactly                   ? "--exactly"
                                 : settings->at_once                 ? "--at-once"
                                 : settings->given & WRI_GIVEN_DEPTH ? "--depth"
                                                                     : NULL;
    if (option != NULL && !(quest->explorer->needs & WRI_ENDS_BY_SIZE))
        wri_quest_warn(quest, "%s has no effect without --explore enumerate", option);
}

/* A word of wr_words() that fits no draw is never tried. */
static void check_words(wri_quest *quest)
{
    char   names[NAMED_MOST * (WRI_SEEN_BYTES + 4)] = "";
    size_t used = 0, missing = 0;
    for (size_t i = 0; i < quest->tally.count; i++) {
        const wri_observed *row = &quest->tally.rows[i];
        if (row->sort != WR_SEE_WORD_ || row->cases[1] > 0 || row->cases[0] < ENOUGH_TO_FIT ||
            missing++ >= NAMED_MOST)
            continue;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s\"%s\"",
                                 used == 0 ? "" : ", ", row->name);
    }
    if (missing > 0)
        wri_quest_warn(quest,
                       "words that fit no draw of a text, by their length or a character: %s%s",
                       names, missing > NAMED_MOST ? ", ..." : "");
}

static bool ends_by_size(const wri_quest *quest)
{
    return (quest->explorer->needs & WRI_ENDS_BY_SIZE) && quest->exploring != NULL;
}

/* Could it have made a call, but for its commands? Searches begin with a sequence without any. */
static bool could_call(const wri_quest *quest)
{
    wri_result told = { 0 };
    if (ends_by_size(quest)) {
        quest->explorer->tell(quest->exploring, &told);
        return told.enumerated.exhausted && told.enumerated.bound > 0;
    }
    return quest->cases >= ENOUGH_TO_CALL ||
           ((quest->explorer->needs & WRI_NEEDS_JUDGE) && quest->cases < quest->cases_wanted);
}

/* A machine's command that is not called is not tested. Known bugs that are avoided may be the
 * reason, so then nothing is said. Of cases that do not count nobody knows what they called. */
static void check_calls(wri_quest *quest)
{
    bool avoiding = quest->chase != NULL && wri_chase_avoids(quest->chase);
    if (quest->property->machine == NULL || avoiding)
        return;
    if (wri_quest_calls(quest) == 0 && could_call(quest))
        wri_quest_warn(quest, "no call was ever made: no command could be called");
    else if (quest->calls.explored >= ENOUGH_CALLS && quest->cases > 0 &&
             !quest->trouble.labels_lost)
        check_commands(quest);
}

/* A guided search goes by what cases show. A machine's calls are always shown. */
static void check_guide(wri_quest *quest)
{
    if (quest->explorer->keeping != NULL && quest->cases > 0 && quest->tally.count == 0 &&
        quest->property->machine == NULL && !wri_edges_present() && !wri_comparisons_present())
        wri_quest_warn(quest,
                       "nothing guided this search: no case showed a label, a number or a state, "
                       "and the code under test sends no signals");
}

static void say_warning(void *context, const char *line)
{
    wri_quest_warn(context, "%s", line);
}

static void check_quest(wri_quest *quest)
{
    double seconds = wri_clock_seconds() - quest->started;
    if (quest->status == WRI_STATUS_ERROR || quest->status == WRI_STATUS_SKIPPED)
        return;
    if (!ends_by_size(quest))
        check_discards(quest);
    check_words(quest);
    check_full(quest);
    check_saturation(quest);
    check_known_bugs(quest);
    if (quest->bug_count > 0)
        return;
    if (!quest->drew && quest->cases > 0 && !quest->options->may_draw_nothing)
        wri_quest_warn(quest, "the property draws nothing, so every case is the same");
    check_calls(quest);
    check_guide(quest);
    if (!ends_by_size(quest)) /* where it would have been found */
        check_repeats(quest);
    if (seconds > 1 && !quest->interrupted && (double)quest->executions / seconds < SLOW_RATE)
        wri_quest_warn(quest, "the property is slow: %.1f cases a second",
                       (double)quest->executions / seconds);
}

void wri_health_check(wri_quest *quest)
{
    check_quest(quest);
    check_options(quest);
    if (quest->explorer->limits != NULL && quest->exploring != NULL)
        quest->explorer->limits(quest->exploring, say_warning, quest);
}
