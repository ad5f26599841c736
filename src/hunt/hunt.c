/* hunt/hunt.c: runs the properties one after the other, and returns the exit status.
 *
 * It also runs the one case of --replay. Each property is a quest (quest/quest.h).
 */
#include "hunt/hunt.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "chase/chase.h"
#include "explore/ranges.h"
#include "hunt/internal.h"
#include "observe/coverage.h"
#include "observe/signals.h"

/* ---- One property ---- */

#define CHOSEN(bit, field, own, otherwise)                                                       \
    ((settings->given & (bit)) ? settings->field : (own) != 0 ? (own) : (otherwise))

static bool finds_many(const wri_settings *settings, const wr_property_ *property)
{
    return (settings->given & WRI_GIVEN_BUGS) ? settings->many_bugs
                                              : property->options->many_bugs;
}

/* The row of the table that a property is explored with. Labels are counted by any explorer; only
 * `watch` counts the edges of the code, which a run that goes on until it is stable needs. */
static const wri_explorer *explorer_for(const wri_settings *settings,
                                        const wr_property_ *property)
{
    const wr_options   *own = property->options;
    wr_explore          asked = CHOSEN(WRI_GIVEN_EXPLORE, explore, own->explore, WR_AUTO);
    bool                stable = settings->until_stable || own->until_stable;
    const wri_explorer *by =
        asked == WR_AUTO ? &wri_explorer_auto : wri_explorers[asked - WR_RANDOM];
    bool chosen = asked != WR_AUTO || ((settings->given & WRI_GIVEN_EXPLORE) && !stable);
    if (chosen && by != &wri_explorer_random &&
        (property->machine == NULL || !(by->needs & WRI_NOT_MACHINES)))
        return by;
    return stable && wri_edges_present() ? &wri_explorer_watch : &wri_explorer_random;
}

static void set_up(wri_quest *quest, const wri_settings *settings, const wr_property_ *property,
                   uint64_t run_seed)
{
    const wr_options *own = property->options;
    quest->settings = settings;
    quest->property = property;
    quest->owner = wri_owner_of(settings->program, property->name);
    quest->options = own;
    quest->seed = CHOSEN(WRI_GIVEN_SEED, seed, own->seed, run_seed);
    quest->cases_wanted = CHOSEN(WRI_GIVEN_CASES, cases, own->cases, 1000);
    quest->time_ms = CHOSEN(WRI_GIVEN_TIME, time_ms, own->time_ms, 0);
    quest->shrink_time_ms =
        CHOSEN(WRI_GIVEN_SHRINK_TIME, shrink_time_ms, own->shrink_time_ms, 30000);
    quest->limits.deadline_ms =
        CHOSEN(WRI_GIVEN_DEADLINE, deadline_ms, own->deadline_ms, WRI_USUAL_DEADLINE_MS);
    quest->limits.whole_ms = quest->limits.deadline_ms;
    quest->limits.memory = CHOSEN(WRI_GIVEN_MEMORY, memory, own->memory, 0);
    quest->limits.processes =
        CHOSEN(WRI_GIVEN_PROCESSES, processes, own->processes, WRI_USUAL_PROCESSES);
    quest->size = CHOSEN(WRI_GIVEN_SIZE, size, own->size, 30);
    quest->many = finds_many(settings, property);
    quest->check_coverage = settings->check_coverage || own->check_coverage;
    quest->redraw =
        CHOSEN(WRI_GIVEN_REDRAW, redraw, (wri_redraw_manner)own->redraw, WRI_REDRAW_UNIFORM);
    quest->fork_each = settings->fork_each || own->fork_each;
    quest->until_stable = settings->until_stable || own->until_stable;
    quest->explorer = explorer_for(settings, property);
    quest->sized = (settings->given & WRI_GIVEN_SIZE) || own->size != 0;
    /* Asked for a time only, or to go on until it is stable, that is what ends it. */
    bool ends_otherwise = (settings->given & WRI_GIVEN_TIME) || settings->until_stable;
    bool cases_asked =
        (settings->given & WRI_GIVEN_CASES) || (!ends_otherwise && own->cases != 0);
    quest->by_time = (quest->time_ms != 0 || quest->until_stable) && !cases_asked;
    uint32_t shards = (uint32_t)settings->shard, shard = (uint32_t)(settings->shard >> 32);
    quest->shard = wri_ranges_shard(quest->by_time ? UINT64_MAX / 2 : quest->cases_wanted,
                                    shards > 0 ? shard - 1 : 0, shards > 0 ? shards : 1);
    quest->cases_wanted = wri_ranges_share(&quest->shard, quest->cases_wanted);
    if (quest->explorer->needs & WRI_ENDS_BY_SIZE) { /* a bound ends it, where one is given */
        bool bounded = quest->sized || (settings->given & WRI_GIVEN_DEPTH);
        quest->until_stable = false;
        quest->by_time = !cases_asked && (bounded || quest->time_ms != 0);
    }
    quest->started = wri_clock_seconds();
    quest->status = WRI_STATUS_HELD;
}

static wri_status status_of(const wri_quest *quest)
{
    if (quest->status == WRI_STATUS_ERROR || quest->status == WRI_STATUS_SKIPPED)
        return quest->status;
    wri_status status = quest->status;
    for (size_t i = 0; i < quest->bug_count; i++)
        if (quest->bugs[i].status == WRI_STATUS_FAILED || status != WRI_STATUS_FAILED)
            status = quest->bugs[i].status;
    if (quest->bug_count == 0 && wri_interrupt_came())
        return WRI_STATUS_INTERRUPTED;
    return status;
}

/* The number, from 1, of an earlier failure at the place of this one; 0: there is none. */
static size_t same_origin(const wri_quest *quest, const size_t *order, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (quest->bugs[order[i]].origin == quest->bugs[order[at]].origin)
            return i + 1;
    return 0;
}

/* The number, from 1, among the failures that are told, of a bug by its number from 1. */
static size_t place_of(size_t bug, const size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (order[i] + 1 == bug)
            return i + 1;
    return 0;
}

static wri_failure failure_of(const wri_bug *bug)
{
    wri_failure failure = bug->failure;
    failure.key = bug->key;
    return failure;
}

/* The failures, those that are among others' last; returns how many are not. A machine's come in
 * the order of the chase. `order` has room for all bugs. */
static size_t list_failures(const wri_quest *quest, wri_failure *failures, size_t *order)
{
    size_t kept = 0, last = quest->bug_count;
    for (size_t i = quest->bug_count; i-- > 0;)
        if (quest->bugs[i].failure.subsumed)
            failures[--last] = failure_of(&quest->bugs[i]);
    for (size_t i = 0; i < quest->bug_count; i++)
        if (!quest->bugs[i].failure.subsumed)
            order[kept++] = i;
    if (quest->chase != NULL)
        wri_chase_order(quest->chase, order, kept);
    for (size_t i = 0; i < kept; i++) {
        failures[i] = failure_of(&quest->bugs[order[i]]);
        failures[i].stopped = failures[i].unfinished && wri_interrupt_came();
        failures[i].same_origin = failures[i].misuse ? 0 : same_origin(quest, order, i);
    }
    for (size_t i = kept; i < quest->bug_count; i++)
        failures[i].way_of = place_of(failures[i].way_of, order, kept);
    return kept;
}

/* The result without its lists. */
static wri_result result_of(const wri_quest *quest)
{
    return (wri_result){ .program = quest->settings->program,
                         .property = quest->property->name,
                         .file = quest->property->file,
                         .line = quest->property->line,
                         .status = status_of(quest),
                         .many = quest->many,
                         .cases = quest->cases,
                         .aside = quest->aside,
                         .confidence = quest->settings->confidence,
                         .discarded = quest->discarded,
                         .executions = quest->executions,
                         .redrawn = quest->redrawn,
                         .explorer = quest->explorer->name,
                         .skewed = (quest->explorer->needs & WRI_SKEWS) != 0,
                         .seconds = wri_clock_seconds() - quest->started,
                         .seed = quest->seed,
                         .shard = (uint32_t)(quest->settings->shard >> 32),
                         .shards = (uint32_t)quest->settings->shard,
                         .why = quest->why == NULL && quest->status == WRI_STATUS_ERROR
                                    ? WRI_QUEST_NO_MEMORY /* also for the reason */
                                    : quest->why,
                         .mended = quest->mended };
}

/* By the labels of the sample: those that one case has shown tell of those that none has. */
static void tell_labels(const wri_quest *quest, wri_surety *sure)
{
    wri_sightings seen = { .cases = quest->cases - quest->aside };
    for (size_t i = 0; i < quest->tally.count; i++) {
        const wri_observed *row = &quest->tally.rows[i];
        bool                wanted = row->sort == WR_SEE_COVER_ || row->sort == WR_SEE_SOMETIMES_;
        seen.features += row->sort != WR_SEE_WORD_ && row->cases[1] > 0;
        seen.once += row->sort != WR_SEE_WORD_ && row->cases[1] == 1;
        sure->never += wanted && row->cases[1] == 0 && wri_observed_reached(row) > 0;
    }
    sure->shown = seen.features > 1;
    sure->fresh = wri_stable_new_probability(&seen);
}

/* What only a page shows. Where runs are refuted, their numbers are not those of cases. */
static void tell_page(wri_quest *quest, wri_result *result)
{
    result->drawn = wri_sketch_tell(quest->sketch);
    if (!(quest->explorer->needs & WRI_COUNTS_RUNS))
        wri_tally_tell_curve(&quest->tally, result);
    if (quest->seen.features > 0)
        result->unseen = wri_stable_tell(&quest->seen);
    if (result->unseen.features == result->curve_count && result->curve_count > 0)
        result->unseen.last = result->curve[result->curve_count - 1].x;
}

static void tell(wri_quest *quest, wri_result *result)
{
    wri_failure *failures = calloc(quest->bug_count + 1, sizeof *failures);
    size_t      *order = calloc(quest->bug_count + 1, sizeof *order);
    bool         lists = failures != NULL && order != NULL;
    if (!lists)
        wri_quest_refuse(quest, WRI_QUEST_NO_MEMORY);
    *result = result_of(quest);
    result->failures = failures;
    result->running = quest->interrupted ? &quest->running.failure : NULL;
    result->failure_count = lists ? list_failures(quest, failures, order) : 0;
    result->subsumed_count = lists ? quest->bug_count - result->failure_count : 0;
    result->warnings = (const char *const *)quest->warnings.list;
    result->warning_count = quest->warnings.count;
    result->coverage = wri_coverage_of_quest(quest);
    result->features = wri_quest_features(quest, result->coverage.covered);
    if (quest->until_stable && quest->bug_count == 0 && quest->seen.cases > 0)
        result->stable = wri_stable_tell(&quest->seen);
    if (quest->explorer->tell != NULL)
        quest->explorer->tell(quest->exploring, result);
    if (result->sure.asked)
        tell_labels(quest, &result->sure);
    result->machine = (wri_machine_effort){ .asked = quest->property->machine != NULL,
                                            .calls = wri_quest_calls(quest) };
    if (quest->chase != NULL)
        result->machine = wri_chase_effort(quest->chase);
    wri_tally_tell(&quest->tally, result);
    if (quest->settings->html != NULL)
        tell_page(quest, result);
    WRI_TELL(quest->reporter, result, result);
    wri_sketch_untell(&result->drawn);
    wri_tally_untell(result);
    wri_coverage_free(&result->coverage);
    free(order);
    free(failures);
}

static void free_quest(wri_quest *quest)
{
    for (size_t i = 0; i < quest->bug_count; i++)
        wri_bug_free(&quest->bugs[i]);
    for (size_t i = 0; i < quest->met.count; i++)
        wri_trace_free(&quest->met.list[i].trace);
    wri_bug_free(&quest->running);
    for (size_t i = 0; i < quest->warnings.count; i++)
        free(quest->warnings.list[i]);
    if (quest->exploring != NULL)
        quest->explorer->close(quest->exploring);
    wri_chase_end(quest);
    wri_tally_free(&quest->tally);
    free(quest->sketch);
    free(quest->bugs);
    free(quest->reasons);
    free(quest->left_keys);
    free(quest->warnings.list);
    free(quest->why);
}

/* Is it a machine whose bugs are told apart by their calls? With --bugs many always; random cases
 * and those of the judge have known bugs to keep from besides. */
static bool is_chased(const wri_quest *quest)
{
    return quest->property->machine != NULL &&
           (quest->many || (quest->explorer->needs & (WRI_NEEDS_PACE | WRI_NEEDS_JUDGE)));
}

/* A worker grows by so much while it runs cases of any property: stacks, buffers, tables. */
#define MARGIN ((uint64_t)1 << 20)

/* A limit that a worker passes with its first case would make every case fail. */
static bool has_memory(wri_quest *quest)
{
    uint64_t has = quest->limits.memory == 0 ? 0 : wri_runner_resident(quest->runner);
    char     line[200];
    if (has + MARGIN < quest->limits.memory || quest->limits.memory == 0)
        return true;
    snprintf(
        line, sizeof line,
        "the memory limit of %.1f MB is too low: a worker has %.1f MB before its first case, and "
        "wants 1 MB more",
        (double)quest->limits.memory / 1048576, (double)has / 1048576);
    quest->status = WRI_STATUS_ERROR;
    quest->why = strdup(line);
    return false;
}

static void run_quest(wri_quest *quest)
{
    if (quest->options->skip != NULL) {
        quest->status = WRI_STATUS_SKIPPED;
        quest->why = strdup(quest->options->skip);
        return;
    }
    wri_coverage_clear();
    wri_runner_forget_all(quest->runner);
    wri_runner_hope(quest->runner);
    if (wri_runner_stuck(quest->runner) != NULL) {
        wri_quest_refuse(quest, wri_runner_stuck(quest->runner));
        return;
    }
    if (quest->settings->no_fork) /* what an earlier case leaked counts against later ones */
        wri_runner_no_leak_check(quest->runner);
    else
        wri_runner_leak_check_again(quest->runner);
    wri_runner_forget_longest(quest->runner);
    if (!has_memory(quest))
        return;
    if (is_chased(quest))
        wri_chase_start(quest);
    if (quest->chase == NULL && (quest->explorer->needs & WRI_NEEDS_JUDGE))
        quest->explorer =
            &wri_explorer_random; /* the machine's table is wrong: a case says why */
    if (wri_export_asked(quest->settings) && quest->status != WRI_STATUS_ERROR) {
        wri_export_corpus(quest);
        return;
    }
    bool over = quest->status == WRI_STATUS_ERROR || wri_examples_try(quest) ||
                wri_stored_try(quest) || wri_seeds_try(quest);
    if (!over)
        wri_batches_run(quest);
    wri_quest_judge_idle(quest);
    if (over)
        return;
    if (quest->status == WRI_STATUS_GAVE_UP && quest->why == NULL)
        quest->why = wri_health_why_few(quest);
    wri_health_check(quest);
    wri_promises_check(quest);
}

static void show_progress(void *quest)
{
    wri_quest_progress(quest);
}

/* ---- All of them ---- */

typedef struct campaign {
    const wri_settings *settings;
    wri_reporter       *reporter;
    wri_runner         *runner;
    wri_store          *store; /* NULL: nothing is stored */
    uint64_t            seed;
    unsigned            jobs;
    wri_summary         summary;
    double              started;
    wri_tally           all; /* what the cases of all properties showed */
    bool                check_coverage;
    bool                cut_short; /* a property stopped before it had shown all it might */
} campaign;

static uint64_t seed_from_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t word =
        (uint64_t)now.tv_sec * 1000000007u ^ (uint64_t)now.tv_nsec ^ ((uint64_t)getpid() << 32);
    return wri_prng_mix(word) >> 32; /* short enough to be typed */
}

/* --no-fork: a crash is about to take this process, or another thread's misuse: the token is all
 * that can be saved. */
static campaign *crashing;

static void print_token(wr_case *t)
{
    wri_verdict misuse = { .kind = WRI_NONE };
    wri_place   place = { .line = 0 };
    if (crashing == NULL)
        return;
    const char *name = crashing->settings->current;
    char *token = t->trace == NULL ? NULL : wri_token_write(wri_trace_label_hash(name), t->trace);
    char *line = NULL, at[300] = "", alone[1600];
    wri_violation_take(t->violation, &misuse);
    if (misuse.line == 0)
        wri_place_find(&misuse, &place);
    bool named = misuse.line != 0, misused = misuse.kind == WRI_MISUSE;
    if (named || place.line != 0)
        snprintf(at, sizeof at, "%s:%d: ", named ? misuse.file : place.file,
                 named ? misuse.line : place.line);
    snprintf(alone, sizeof alone, "%s%s %s%.1000s", name, misused ? ":" : "", at,
             misused ? misuse.message : "crashes");
    if (token == NULL ||
        asprintf(&line, "%s; replay it with --no-fork --replay %s", alone, token) < 0)
        line = NULL;
    WRI_TELL(crashing->reporter, warn, line == NULL ? alone : line);
}

static bool open_campaign(campaign *out, const wri_settings *settings, wri_reporter *reporter,
                          unsigned explorers, bool machines, char *error, size_t error_size)
{
    snprintf(error, error_size, "out of memory");
    *out =
        (campaign){ .settings = settings, .reporter = reporter, .started = wri_clock_seconds() };
    out->jobs = settings->jobs;
    if (out->jobs == 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        out->jobs = cores < 1 ? 1 : cores > 256 ? 256 : (unsigned)cores;
    }
    out->seed = (settings->given & WRI_GIVEN_SEED) ? settings->seed : seed_from_clock();
    crashing = out;
    wri_runner_setup setup = { .jobs = out->jobs,
                               .no_fork = settings->no_fork,
                               .explorers = explorers,
                               .machines = machines,
                               .sketched = settings->html != NULL,
                               .told = settings->observations != NULL,
                               .on_crash = print_token };
    wri_interrupt_watch();
    out->runner = wri_runner_start(&setup, error, error_size);
    if (out->runner == NULL) {
        wri_interrupt_unwatch();
        return false;
    }
    wri_note note = { "" };
    out->store = settings->no_store ? NULL : wri_store_open(settings->store, &note);
    error[0] = '\0';
    if (out->store == NULL && !settings->no_store) {
        snprintf(error, error_size, "the store cannot be opened: %s", note.text);
        wri_runner_free(out->runner);
        wri_interrupt_unwatch();
        return false;
    }
    return true;
}

/* Ends all processes, and tells the end: an interrupted run tells it first, because folders of
 * cases may take longer to remove than whoever stops it waits. */
static void close_campaign(campaign *out)
{
    bool hurried = wri_interrupt_came();
    if (hurried)
        WRI_TELL(out->reporter, end, &out->summary);
    wri_runner_free(out->runner);
    if (out->store != NULL)
        out->store->close(out->store);
    crashing = NULL;
    if (!hurried)
        WRI_TELL(out->reporter, end, &out->summary);
}

static void count_result(wri_summary *summary, wri_status status)
{
    switch (status) {
    case WRI_STATUS_HELD:
    case WRI_STATUS_PROVED: summary->held++; break;
    case WRI_STATUS_FAILED: summary->failed++; break;
    case WRI_STATUS_FLAKY: summary->flaky++; break;
    case WRI_STATUS_GAVE_UP: summary->gave_up++; break;
    case WRI_STATUS_SKIPPED: summary->skipped++; break;
    case WRI_STATUS_INTERRUPTED: summary->interrupted++; break;
    default: summary->errors++; break;
    }
}

static int exit_status(const wri_summary *summary)
{
    if (summary->errors > 0)
        return 99;
    if (summary->failed + summary->flaky + summary->gave_up + summary->unmet > 0)
        return 1;
    if (summary->stopped || summary->interrupted > 0)
        return 130;
    return summary->held == 0 && summary->skipped > 0 ? 77 : 0;
}

static wri_run run_facts(const campaign *out, wr_property_ *const *properties, size_t count)
{
    wri_run run = { .program = out->settings->program,
                    .seed = out->seed,
                    .properties = count,
                    .seed_given = (out->settings->given & WRI_GIVEN_SEED) != 0,
                    .shard = (uint32_t)(out->settings->shard >> 32),
                    .shards = (uint32_t)out->settings->shard };
    for (size_t i = 0; i < count; i++) {
        size_t width = strlen(properties[i]->name);
        run.name_width = width > run.name_width ? width : run.name_width;
    }
    return run;
}

static bool all_ran(const campaign *out, size_t count)
{
    for (wr_property_ *at = wri_registry_first(); at != NULL; at = at->next)
        count--;
    return count == 0 && !out->settings->by_environment;
}

static void tell_assertions(campaign *out, size_t count)
{
    bool whole = all_ran(out, count), chosen = out->settings->pattern_count > 0 && !whole;
    if (!out->summary.stopped && !out->cut_short)
        out->summary.unmet =
            wri_promises_tell(&out->all, out->reporter, whole, out->check_coverage && !chosen);
    wri_tally_free(&out->all);
}

/* The explorers that the properties need, a bit for each row of the table, and whether one is a
 * machine. False: one of them is for machines, and the property is none. */
static bool find_explorers(const wri_settings *settings, wr_property_ *const *properties,
                           size_t count, unsigned *explorers, bool *machines, char *error,
                           size_t error_size)
{
    for (size_t i = 0; i < count; i++) {
        const wri_explorer *by = explorer_for(settings, properties[i]);
        if ((by->needs & WRI_NEEDS_MACHINE) && properties[i]->machine == NULL) {
            snprintf(error, error_size, "--explore %s is for machines, and %s is not one",
                     by->name, properties[i]->name);
            return false;
        }
        for (unsigned k = 0; k < WRI_EXPLORER_COUNT; k++)
            *explorers |= (unsigned)(wri_explorers[k] == by) << k;
        *explorers |= by->owns;
        *machines |= properties[i]->machine != NULL || finds_many(settings, properties[i]);
    }
    return true;
}

int wri_hunt(const wri_settings *settings, wr_property_ *const *properties, size_t count,
             wri_reporter *reporter, char *error, size_t error_size)
{
    campaign     out;
    wri_settings now = *settings;
    bool         store_broken = false;
    bool         machines = false;
    unsigned     explorers = 0;
    if (!wri_seeds_readable(settings, error, error_size) ||
        !find_explorers(settings, properties, count, &explorers, &machines, error, error_size) ||
        !open_campaign(&out, &now, reporter, explorers, machines, error, error_size))
        return 99;
    wri_run run = run_facts(&out, properties, count);
    WRI_TELL(reporter, begin, &run);
    if (all_ran(&out, count) && settings->pattern_count == 0)
        store_broken = !wri_stored_tell_lost(out.store, settings, reporter);
    size_t ran = 0;
    for (; ran < count && !wri_interrupt_came() && !wri_report_broken(reporter); ran++) {
        wri_quest quest = {
            .runner = out.runner, .reporter = reporter, .store = out.store, .jobs = out.jobs
        };
        wri_result result;
        now.current = properties[ran]->name;
        set_up(&quest, &now, properties[ran], out.seed);
        wri_runner_on_wait(quest.runner, show_progress, &quest);
        run_quest(&quest);
        wri_runner_on_wait(quest.runner, NULL, NULL);
        wri_tally_add(&out.all, &quest.tally);
        out.check_coverage |= quest.check_coverage;
        out.cut_short |= quest.bug_count > 0 || quest.status == WRI_STATUS_GAVE_UP ||
                         quest.status == WRI_STATUS_ERROR;
        wri_tally_add_sites(&quest.tally);
        wri_history_keep_run(&quest, status_of(&quest));
        tell(&quest, &result);
        count_result(&out.summary, result.status);
        store_broken |= quest.trouble.store_broken;
        free_quest(&quest);
    }
    out.summary.stopped = wri_interrupt_came();
    out.summary.not_run = count - ran;
    tell_assertions(&out, count);
    out.summary.seconds = wri_clock_seconds() - out.started;
    close_campaign(&out);
    wri_interrupt_unwatch();
    return wri_report_broken(reporter) || store_broken ? 99 : exit_status(&out.summary);
}

/* ---- One case again ---- */

static bool read_replay(const char *argument, wri_saved *saved, wri_note *note)
{
    if (argument[0] != '@')
        return wri_token_read(argument, saved, note);
    wri_stored stored;
    if (!wri_stored_read(argument + 1, &stored, note))
        return false;
    *saved = stored.saved;
    memset(&stored.saved, 0, sizeof stored.saved);
    wri_stored_free(&stored);
    return true;
}

static const wr_property_ *whose(const wri_saved *saved, wr_property_ *const *properties,
                                 size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wri_trace_label_hash(properties[i]->name) == saved->property)
            return properties[i];
    return NULL;
}

static void say_stale(const wr_property_ *property, const wri_outcome *outcome, char *error,
                      size_t error_size)
{
    const wri_verdict *verdict = &outcome->verdict;
    bool               known = verdict->kind == WRI_STALE;
    char               place[300] = "";
    if (known && verdict->line != 0)
        snprintf(place, sizeof place, "%s:%d: ", verdict->file, verdict->line);
    snprintf(error, error_size, "%s: %sthe token is stale: %s", property->name, place,
             known ? verdict->message : "it does not fit the property any more");
}

/* The case failed, or misused the library; the exit status. */
static int tell_replayed(campaign *out, wri_quest *quest)
{
    wri_result result;
    for (size_t i = 0; i < quest->bug_count; i++)
        quest->bugs[i].failure.replayed = true;
    tell(quest, &result);
    count_result(&out->summary, result.status);
    return exit_status(&out->summary);
}

static void tell_held(campaign *out, wri_quest *quest, const wri_outcome *outcome)
{
    wri_bug    bug = { 0 };
    wri_result result = result_of(quest);
    wri_bug_describe(&bug, outcome);
    result.status = WRI_STATUS_HELD; /* also if it was interrupted */
    WRI_TELL(out->reporter, replayed, &result, &bug.failure);
    out->summary.held++;
    wri_bug_free(&bug);
}

/* Runs it and tells; the exit status. */
static int replay_case(campaign *out, const wr_property_ *property, const wri_saved *saved,
                       char *error, size_t error_size)
{
    wri_quest   quest = { .runner = out->runner, .reporter = out->reporter, .jobs = out->jobs };
    wri_outcome outcome;
    set_up(&quest, out->settings, property, out->seed);
    wri_job job = wri_quest_job(&quest);
    job.manner = WRI_MANNER_EXACT;
    job.loud = true;
    wri_runner_single(out->runner, &job, &saved->choices, true, &quest.limits, &outcome);
    quest.executions = quest.cases = 1;
    bool fits = outcome.verdict.kind != WRI_STALE && outcome.exact_done &&
                wri_trace_shape(&outcome.trace) == saved->shape;
    int status = 0;
    if (!fits) {
        say_stale(property, &outcome, error, error_size);
        status = 99;
    } else if (wri_quest_misused(&quest, &outcome)) {
        status = tell_replayed(out, &quest);
    } else if (wri_verdict_failed(&outcome.verdict)) {
        wri_quest_settle(&quest, &outcome, 1, NULL, true);
        status = tell_replayed(out, &quest);
    } else {
        tell_held(out, &quest, &outcome);
    }
    free_quest(&quest);
    return status;
}

int wri_hunt_replay(const wri_settings *settings, wr_property_ *const *properties, size_t count,
                    wri_reporter *reporter, char *error, size_t error_size)
{
    wri_saved    saved = { 0 };
    campaign     out;
    wri_settings now = *settings;
    wri_note     note = { "" };
    bool         read = read_replay(settings->replay, &saved, &note);
    snprintf(error, error_size, "%s", note.text);
    if (!read)
        return 99;
    const wr_property_ *property = whose(&saved, properties, count);
    int                 status = 99;
    now.no_store = true;
    if (property == NULL && settings->by_environment) {
        status = 77; /* another wr_check() of this program is meant */
    } else if (property == NULL) {
        snprintf(error, error_size, "the token belongs to none of the chosen properties");
    } else if (now.current = property->name,
               open_campaign(&out, &now, reporter, 0, false, error, error_size)) {
        wri_run run = run_facts(&out, properties, 1);
        WRI_TELL(reporter, begin, &run);
        status = replay_case(&out, property, &saved, error, error_size);
        out.summary.seconds = wri_clock_seconds() - out.started;
        close_campaign(&out);
        wri_interrupt_unwatch();
        status = wri_report_broken(reporter) ? 99 : status;
    }
    wri_saved_free(&saved);
    return status;
}
