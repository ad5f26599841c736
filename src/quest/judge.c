/* quest/judge.c: from a case that failed once to a bug that is believed.
 *
 * A failure is believed when a fresh worker repeats it; then it is stored at once, shrunk,
 * repeated once more in a fresh worker, and stored again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/folder.h"
#include "quest/quest.h"

/* A token longer than this is not for a shell line: the stored file is named instead. */
#define LONGEST_TOKEN 300

wri_bug *wri_quest_bug(wri_quest *quest, uint64_t origin)
{
    for (size_t i = 0; i < quest->bug_count; i++)
        if (quest->bugs[i].origin == origin)
            return &quest->bugs[i];
    return NULL;
}

char *wri_quest_path(const wri_quest *quest, uint64_t key)
{
    return wri_store_path(quest->folder == NULL ? "" : quest->folder,
                          wri_folder_last_name(quest->settings->program), quest->property->name,
                          key);
}

/* Is there a case under this key? One that does not fail any more is a test that somebody may
 * want, and what fails in its place now is something else. */
static bool is_stored(const wri_quest *quest, uint64_t key)
{
    wri_stored stored;
    char       error[512];
    char      *path = quest->folder == NULL ? NULL : wri_quest_path(quest, key);
    bool       there = path != NULL && wri_store_read(path, &stored, error, sizeof error);
    if (there)
        wri_stored_free(&stored);
    free(path);
    return there;
}

static bool is_taken(const wri_quest *quest, uint64_t key)
{
    for (size_t i = 0; i < quest->bug_count; i++)
        if (quest->bugs[i].key == key)
            return true;
    return is_stored(quest, key);
}

uint64_t wri_quest_next_key(uint64_t key)
{
    return wri_prng_mix(key + 1);
}

static uint64_t free_key(const wri_quest *quest, uint64_t origin)
{
    uint64_t key = origin;
    while (is_taken(quest, key))
        key = wri_quest_next_key(key);
    return key;
}

wri_bug *wri_quest_add_bug(wri_quest *quest, const wri_trace *trace, const wri_outcome *outcome)
{
    uint64_t key = free_key(quest, outcome->origin);
    wri_bug *grown = realloc(quest->bugs, (quest->bug_count + 1) * sizeof *grown);
    wri_bug *bug = grown == NULL ? NULL : &grown[quest->bug_count];
    if (bug != NULL) {
        quest->bugs = grown;
        quest->bug_count++;
        memset(bug, 0, sizeof *bug);
    }
    if (bug == NULL || !wri_trace_copy(&bug->trace, trace) || !wri_bug_describe(bug, outcome)) {
        quest->status = WRI_STATUS_ERROR;
        return NULL;
    }
    bug->origin = outcome->origin;
    bug->key = key;
    bug->status = WRI_STATUS_FAILED;
    bug->failure.seen = 1;
    bug->failure.cases_before = quest->cases;
    return bug;
}

void wri_quest_single(wri_quest *quest, const wri_job *job, const wri_trace *plan, bool fresh,
                      wri_outcome *outcome)
{
    wri_runner_single(quest->runner, job, plan, fresh, &quest->limits, outcome);
    quest->executions += 1 + outcome->redrawn;
    quest->calls += outcome->played.calls;
}

void wri_quest_pass_over(wri_quest *quest, const wri_bug *bug)
{
    if (quest->passed_over_count == WRI_KNOWN_BUGS)
        return;
    quest->passed_over[quest->passed_over_count++] = (size_t)(bug - quest->bugs);
    wri_runner_know(quest->runner, bug->origin);
}

/* ---- Storing ---- */

static char *place_of(const wri_bug *bug)
{
    char *place = NULL;
    if (bug->failure.line == 0)
        return strdup(bug->function);
    return asprintf(&place, "%s:%d", bug->file, bug->failure.line) < 0 ? NULL : place;
}

static void store(wri_quest *quest, wri_bug *bug, bool minimal)
{
    if (quest->folder == NULL || bug->token == NULL)
        return;
    char  error[512];
    char *path = bug->stored != NULL ? strdup(bug->stored) : wri_quest_path(quest, bug->key);
    char *place = place_of(bug);
    const char **names = calloc(bug->failure.value_count + 1, sizeof *names);
    const char **texts = calloc(bug->failure.value_count + 1, sizeof *texts);
    if (path != NULL && place != NULL && names != NULL && texts != NULL) {
        for (size_t i = 0; i < bug->failure.value_count; i++) {
            names[i] = bug->values[i].name;
            texts[i] = bug->values[i].text;
        }
        wri_failure_file file = { .program = wri_folder_last_name(quest->settings->program),
                                  .property = quest->property->name,
                                  .kind = bug->failure.kind,
                                  .message = bug->message,
                                  .place = place,
                                  .seed = quest->seed,
                                  .minimal = minimal,
                                  .names = names,
                                  .texts = texts,
                                  .value_count = bug->failure.value_count,
                                  .token = bug->token };
        if (wri_store_write(path, &file, error, sizeof error)) {
            free(bug->stored);
            bug->stored = strdup(path);
        } else {
            if (!quest->store_refused)
                wri_quest_warn(quest, "the failure could not be stored: %s", error);
            quest->store_refused = true;
        }
    }
    free(names);
    free(texts);
    free(place);
    free(path);
    bug->failure.stored = bug->stored;
}

/* Within a shell's single quotes, when it needs them. */
static char *shell_word(const char *word)
{
    static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%+=:,./-_";
    if (word[0] != '\0' && word[strspn(word, PLAIN)] == '\0')
        return strdup(word);
    char *quoted = malloc(4 * strlen(word) + 3), *at = quoted;
    if (quoted == NULL)
        return NULL;
    *at++ = '\'';
    for (; *word != '\0'; word++)
        at = *word == '\'' ? stpcpy(at, "'\\''") : (*at = *word, at + 1);
    strcpy(at, "'");
    return quoted;
}

/* The path as it reads from here. */
static const char *from_here(const char *path)
{
    char   here[4096];
    size_t length;
    if (getcwd(here, sizeof here) == NULL || (length = strlen(here), length < 2))
        return path;
    return strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

static void set_replay(wri_quest *quest, wri_bug *bug)
{
    const wri_settings *settings = quest->settings;
    char               *argument = NULL;
    bool                by_file = bug->stored != NULL && strlen(bug->token) > LONGEST_TOKEN;
    if (asprintf(&argument, "%s%s", by_file ? "@" : "",
                 by_file ? from_here(bug->stored) : bug->token) < 0)
        return;
    char *program = shell_word(settings->program), *name = shell_word(quest->property->name);
    char *word = shell_word(argument);
    free(bug->replay);
    bug->replay = NULL;
    bool too_long = !by_file && strlen(bug->token) > LONGEST_TOKEN;
    if (program != NULL && name != NULL && word != NULL) {
        int made = too_long ? asprintf(&bug->replay, "%s %s --seed %llu", program, name,
                                       (unsigned long long)quest->seed)
                   : settings->by_environment
                       ? asprintf(&bug->replay, "WARREN_REPLAY=%s %s", word, program)
                       : asprintf(&bug->replay, "%s %s --replay %s", program, name, word);
        if (made < 0)
            bug->replay = NULL;
    }
    free(program);
    free(name);
    free(word);
    free(argument);
    bug->failure.replay = bug->replay == NULL ? "" : bug->replay;
    bug->failure.token = bug->token;
}

void wri_quest_keep(wri_quest *quest, wri_bug *bug, bool minimal)
{
    free(bug->token);
    bug->token = wri_token_write(wri_trace_label_hash(quest->property->name), &bug->trace);
    if (bug->token == NULL)
        return;
    store(quest, bug, minimal);
    set_replay(quest, bug);
}

/* ---- Shrinking ---- */

typedef struct shrinking {
    wri_quest *quest;
    wri_bug   *bug;
    uint64_t   origin;
    double     stored; /* when it was last written */
} shrinking;

static bool try_plan(void *context, const wri_trace *plan, wri_trial *trial)
{
    shrinking  *now = context;
    wri_quest  *quest = now->quest;
    wri_outcome outcome;
    wri_job     job = wri_quest_job(quest);
    job.manner = WRI_MANNER_ALIGNED;
    job.silent = true;
    wri_quest_single(quest, &job, plan, quest->fork_each, &outcome);
    quest->phase_executions++;
    trial->same = wri_failed(&outcome.verdict) && outcome.origin == now->origin;
    trial->trace = &quest->trial_trace;
    quest->trial_trace = outcome.trace;
    if (!trial->same && wri_failed(&outcome.verdict) && quest->many)
        wri_quest_met(quest, &outcome);
    wri_quest_progress(quest, 0);
    return !wri_runner_interrupted();
}

/* Something better is kept on disk too, but not more often than ten times a second. */
static void better(void *context, const wri_trace *best, uint64_t executions)
{
    shrinking *now = context;
    (void)executions;
    now->quest->shrunk_to = wri_trace_choices(best);
    if (wri_clock_seconds() - now->stored < 0.25)
        return;
    now->stored = wri_clock_seconds();
    if (wri_trace_copy(&now->bug->trace, best))
        wri_quest_keep(now->quest, now->bug, false);
}

static void shrink(wri_quest *quest, wri_bug *bug)
{
    shrinking now = {
        .quest = quest, .bug = bug, .origin = bug->origin, .stored = wri_clock_seconds()
    };
    wri_shrink_setup setup = { .run = try_plan,
                               .better = better,
                               .context = &now,
                               .max_executions = 1000000,
                               .time_ms = quest->shrink_time_ms };
    wri_trace        best = { 0 };
    if (quest->settings->shrink == WRI_REDUCE_OFF || !wri_trace_copy(&best, &bug->trace))
        return;
    quest->phase = WRI_PHASE_SHRINK;
    quest->phase_executions = 0;
    quest->shrunk_to = wri_trace_choices(&best);
    wri_shrink_result result = wri_shrink(&setup, &best);
    bug->failure.unfinished = !result.finished;
    wri_trace_copy(&bug->trace, &best);
    wri_trace_free(&best);
    quest->phase = WRI_PHASE_EXPLORE;
}

/* ---- Bugs ---- */

/* The case of bug->trace once more, in a fresh worker, with everything shown. */
static bool repeat(wri_quest *quest, wri_bug *bug, wri_outcome *outcome)
{
    wri_job job = wri_quest_job(quest);
    job.manner = WRI_MANNER_ALIGNED;
    job.loud = true;
    wri_quest_single(quest, &job, &bug->trace, true, outcome);
    return wri_failed(&outcome->verdict) && outcome->origin == bug->origin;
}

/* Shrinks, repeats, stores. The bug has its first trace and is described. */
static void settle(wri_quest *quest, wri_bug *bug, bool minimal)
{
    wri_trace   first = { 0 };
    wri_outcome outcome;
    uint64_t    start = quest->executions;
    bug->failure.first_choices = wri_trace_choices(&bug->trace);
    wri_quest_keep(quest, bug, minimal);
    if (!minimal && wri_trace_copy(&first, &bug->trace)) {
        shrink(quest, bug);
        if (repeat(quest, bug, &outcome)) {
            wri_bug_describe(bug, &outcome);
        } else if (outcome.abandoned) { /* interrupted: the case as it was found, and described */
            wri_trace_copy(&bug->trace, &first);
            bug->failure.unfinished = true;
        } else { /* it was smaller only in a used worker: what was believed before stands */
            wri_trace_copy(&bug->trace, &first);
            bug->failure.flaky_why =
                "the shrunk case did not fail in a fresh worker; this is the "
                "case as it was found";
            if (repeat(quest, bug, &outcome))
                wri_bug_describe(bug, &outcome);
        }
        bug->failure.unshrunk = quest->settings->shrink == WRI_REDUCE_OFF;
        wri_quest_keep(quest, bug, !bug->failure.unfinished && !bug->failure.unshrunk);
    }
    bug->failure.choices = wri_trace_choices(&bug->trace);
    bug->failure.executions_after += quest->executions - start;
    wri_trace_free(&first);
    if (quest->many)
        wri_quest_pass_over(quest, bug);
}

void wri_quest_settle(wri_quest *quest, const wri_outcome *outcome, uint64_t before,
                      const char *stored, bool minimal)
{
    wri_bug *bug = wri_quest_bug(quest, outcome->origin);
    if (bug != NULL) {
        bug->failure.seen++;
        return;
    }
    bug = wri_quest_add_bug(quest, &outcome->trace, outcome);
    if (bug == NULL)
        return;
    bug->failure.executions_before = before;
    bug->failure.from_store = stored != NULL;
    bug->stored = stored == NULL ? NULL : strdup(stored);
    if (!minimal)
        quest->reporter->found(quest->reporter, quest->property->name, &bug->failure);
    settle(quest, bug, minimal);
}

/* It failed in a worker that had run other cases, and not in a fresh one. */
static void add_flaky(wri_quest *quest, const wri_outcome *first, const wri_outcome *again,
                      uint64_t before, uint64_t confirming, const char *why)
{
    wri_outcome told = *first;
    told.trace = again->trace;
    told.text = again->text;
    told.text_used = again->text_used;
    told.output = first->output;
    wri_bug *bug = wri_quest_add_bug(quest, &again->trace, &told);
    if (bug == NULL)
        return;
    bug->status = WRI_STATUS_FLAKY;
    bug->failure.flaky = true;
    bug->failure.flaky_why = why;
    bug->failure.executions_before = before;
    bug->failure.executions_after = confirming;
    bug->failure.first_choices = bug->failure.choices = wri_trace_choices(&bug->trace);
    bug->token = wri_token_write(wri_trace_label_hash(quest->property->name), &bug->trace);
    if (bug->token != NULL)
        set_replay(quest, bug);
    if (quest->many)
        wri_quest_pass_over(quest, bug);
}

/* Runs the case in a fresh worker. One that was drawn again is run by itself, too, without the
 * runs before it that were refuted: only then is it believed. False: it was not itself that
 * failed. */
static bool confirm(wri_quest *quest, wri_job *job, const wri_trace *found, wri_outcome *outcome)
{
    wri_trace alone = { 0 };
    wri_quest_single(quest, job, found, true, outcome);
    if (outcome->redrawn == 0 || !wri_failed(&outcome->verdict) ||
        !wri_trace_copy(&alone, &outcome->trace))
        return true;
    job->manner = WRI_MANNER_ALIGNED;
    wri_quest_single(quest, job, &alone, true, outcome);
    wri_trace_free(&alone);
    return wri_failed(&outcome->verdict);
}

void wri_quest_judge(wri_quest *quest, uint64_t index, const wri_outcome *first, uint64_t journal,
                     uint64_t before, const wri_trace *found)
{
    wri_bug *known = wri_quest_bug(quest, first->origin);
    if (known != NULL) {
        known->failure.seen++;
        return;
    }
    wri_outcome again;
    wri_job     job = wri_quest_job(quest);
    job.from = index;
    job.manner = found == NULL       ? WRI_MANNER_RANDOM
                 : quest->enumerated ? WRI_MANNER_ORDER
                                     : WRI_MANNER_ALIGNED;
    quest->phase = WRI_PHASE_CONFIRM;
    char       *printed = strdup(first->output == NULL ? "" : first->output);
    uint64_t    before_it = quest->executions;
    bool        by_itself = confirm(quest, &job, found, &again);
    uint64_t    confirming = quest->executions - before_it;
    wri_outcome kept = *first;
    kept.output = printed;
    bool same_journal = quest->enumerated ? again.verdict.kind != WRI_STALE && again.exact_done
                                          : wri_runner_journal(quest->runner, 0) == journal;
    if (!wri_failed(&again.verdict))
        add_flaky(quest, &kept, &again, before, confirming,
                  again.abandoned ? "the run was interrupted before it could be confirmed"
                  : !by_itself ? "it failed after runs of it that were refuted, but not alone in "
                                 "a fresh worker: it depends on earlier runs (try --redraw off)"
                  : same_journal ? "it failed in a worker that had run other cases, but not in a "
                                   "fresh one: it depends on earlier cases (try --fork-each)"
                                 : "the property is not deterministic: run again on the same "
                                   "choices, it asked for others");
    else {
        bool minimal = quest->enumerated && quest->manner == WRI_WALK_DEEPENS;
        wri_quest_settle(quest, &again, before, NULL, minimal);
        wri_bug *bug = wri_quest_bug(quest, again.origin);
        if (bug != NULL && bug->failure.seen == 1) {
            bug->failure.executions_after += confirming;
            bug->failure.sized = minimal;
            bug->failure.size = quest->bound_now;
        }
    }
    free(printed);
    quest->phase = WRI_PHASE_EXPLORE;
}

/* Another bug, met while shrinking: remembered, and judged when this one is done. */
void wri_quest_met(wri_quest *quest, const wri_outcome *outcome)
{
    if (wri_quest_bug(quest, outcome->origin) != NULL || quest->met_count == WRI_MET)
        return;
    for (size_t i = 0; i < quest->met_count; i++)
        if (quest->met[i].origin == outcome->origin)
            return;
    wri_met *met = &quest->met[quest->met_count];
    memset(met, 0, sizeof *met);
    met->origin = outcome->origin;
    if (wri_trace_copy(&met->trace, &outcome->trace))
        quest->met_count++;
}

void wri_quest_settle_met(wri_quest *quest, uint64_t before)
{
    while (quest->met_count > 0 && !wri_runner_interrupted()) {
        wri_met     met = quest->met[--quest->met_count];
        wri_outcome outcome;
        wri_job     job = wri_quest_job(quest);
        job.manner = WRI_MANNER_ALIGNED;
        if (wri_quest_bug(quest, met.origin) == NULL) {
            wri_quest_single(quest, &job, &met.trace, true, &outcome);
            if (wri_failed(&outcome.verdict))
                wri_quest_settle(quest, &outcome, before, NULL, false);
        }
        wri_trace_free(&met.trace);
    }
}
