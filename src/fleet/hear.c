/* fleet/hear.c: what a program says, and how it ended. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "core/grow.h"
#include "core/hash.h"
#include "fleet/internal.h"
#include "fleet/json.h"

/* A program that prints more lines that say nothing is none of ours, and may never end. */
#define MOST_RUBBISH 1000

/* From best to worst. */
static const char *const RANKS[] = { "proved",  "held",  "skipped", "interrupted",
                                     "gave up", "flaky", "failed",  "error" };
#define RANK_COUNT (sizeof RANKS / sizeof *RANKS)

unsigned wri_fleet_rank(const char *status)
{
    for (unsigned i = 0; i < RANK_COUNT; i++)
        if (strcmp(RANKS[i], status) == 0)
            return i;
    return RANK_COUNT - 1;
}

bool wri_fleet_is_bad(unsigned rank)
{
    return rank > wri_fleet_rank("interrupted");
}

/* ---- Lines ---- */

static bool is_rubbish(wri_fleet_job *job, const char *line)
{
    if (job->rubbish++ == 0)
        snprintf(job->sample, sizeof job->sample, "%s", line);
    return job->rubbish < MOST_RUBBISH;
}

/* Once for each program: turns say the same again and again. */
static void hear_complaint(wri_fleet *fleet, const wri_fleet_job *job, const char *line)
{
    wri_fleet_program *program = &fleet->programs[job->program];
    uint64_t           hash = wri_hash_bytes(line, strlen(line));
    for (size_t i = 0; i < program->told_count; i++)
        if (program->told[i] == hash)
            return;
    if (program->told_count < WRI_FLEET_LINES)
        wri_screen_warn(&fleet->screen, job->task == WRI_FLEET_HOOK ? "--on-bug" : program->name,
                        line);
    else if (program->told_count == WRI_FLEET_LINES)
        return;
    program->told[program->told_count++] = hash;
    if (program->told_count == WRI_FLEET_LINES)
        wri_screen_warn(&fleet->screen, program->name, "(no more such lines are shown)");
}

static void hear_listed(wri_fleet *fleet, wri_fleet_job *job, const char *line)
{
    char               *name = wri_json_text(wri_json_member(line, "property"));
    wri_fleet_property *grown =
        wri_grow(fleet->properties, sizeof *grown, fleet->property_count, &fleet->property_room);
    fleet->no_memory |= name == NULL || grown == NULL;
    if (grown == NULL) {
        free(name);
        return;
    }
    fleet->properties = grown;
    fleet->properties[fleet->property_count] =
        (wri_fleet_property){ .program = job->program, .name = name };
    wri_turns_begin(&fleet->properties[fleet->property_count].turns);
    fleet->property_count++;
    fleet->programs[job->program].listed++;
}

static wri_fleet_property *find_property(wri_fleet *fleet, size_t program, const char *name)
{
    for (size_t i = 0; i < fleet->property_count && name != NULL; i++)
        if (fleet->properties[i].program == program &&
            strcmp(fleet->properties[i].name, name) == 0)
            return &fleet->properties[i];
    return NULL;
}

static void hear_progress(wri_fleet *fleet, wri_fleet_job *job, const char *line)
{
    uint64_t cases = wri_json_number(wri_json_member(line, "cases"));
    fleet->cases += cases > job->cases ? cases - job->cases : 0;
    job->cases = cases > job->cases ? cases : job->cases;
    free(job->current);
    job->current = wri_json_text(wri_json_member(line, "property"));
}

/* Keeps the worst status of a property, with its reason. */
static void keep_status(wri_fleet_property *property, char *status, const char *line)
{
    unsigned rank = wri_fleet_rank(status);
    bool     first = property->status == NULL;
    /* An end of time is no fact about a property that had other turns. */
    if (!first && (rank <= property->rank || strcmp(status, "interrupted") == 0)) {
        free(status);
        return;
    }
    free(property->status);
    free(property->why);
    property->status = status;
    property->rank = rank;
    property->why = wri_json_text(wri_json_member(line, "why"));
}

static void hear_failures(wri_fleet *fleet, const wri_fleet_property *property,
                          wri_fleet_job *job, const char *line)
{
    const char *list = wri_json_member(line, "failures");
    for (const char *at = NULL; (at = wri_json_next(list, at)) != NULL;)
        if (wri_json_true(wri_json_member(at, "flaky")) == false)
            job->turn.bugs |= wri_fleet_bugs_take(fleet, property, at);
}

/* With --format json they are among what is printed. */
static void hear_warnings(wri_fleet *fleet, const wri_fleet_property *property,
                          const wri_fleet_job *job, const char *line)
{
    const char *list = wri_json_member(line, "warnings");
    for (const char *at = NULL;
         !fleet->options->json && (at = wri_json_next(list, at)) != NULL;) {
        char *text = wri_json_text(at), *whole = NULL;
        if (text != NULL && asprintf(&whole, "%s: warning: %s", property->name, text) > 0)
            hear_complaint(fleet, job, whole);
        free(text);
        free(whole);
    }
}

/* Adds the counts of a run to those of its property. */
static void count(wri_fleet *fleet, wri_fleet_property *property, const wri_fleet_job *job,
                  const char *line)
{
    const char *seconds = wri_json_member(line, "seconds");
    uint64_t    features = job->turn.features;
    uint64_t    more = features > property->features ? features - property->features : 0;
    property->cases += job->cases;
    property->seconds += seconds == NULL ? 0 : strtod(seconds, NULL);
    property->features += more;
    fleet->summary.features += more;
    wri_screen_history_add(&fleet->history, wri_fleet_seconds(fleet), more);
}

static void tell_result(wri_fleet *fleet, const wri_fleet_property *property, const char *line)
{
    const char *program = fleet->programs[property->program].name;
    wri_screen_object(&fleet->screen, program, line);
    if (fleet->options->for_ms > 0)
        return; /* a property has one line, after all of its turns */
    wri_screen_result_tell(&fleet->screen,
                           &(wri_screen_result){ .program = program,
                                                 .property = property->name,
                                                 .status = property->status,
                                                 .why = property->why,
                                                 .cases = property->cases,
                                                 .features = property->features,
                                                 .seconds = property->seconds,
                                                 .bad = wri_fleet_is_bad(property->rank) });
}

static bool hear_result(wri_fleet *fleet, wri_fleet_job *job, const char *line)
{
    char               *name = wri_json_text(wri_json_member(line, "property"));
    char               *status = wri_json_text(wri_json_member(line, "status"));
    wri_fleet_property *property = find_property(fleet, job->program, name);
    free(name);
    if (property == NULL || status == NULL) {
        free(status);
        return is_rubbish(job, line);
    }
    hear_progress(fleet, job, line);
    job->results++;
    job->bad += wri_fleet_is_bad(wri_fleet_rank(status));
    job->errors += wri_fleet_rank(status) == wri_fleet_rank("error");
    job->turn.features = wri_json_number(wri_json_member(line, "features"));
    job->turn.whole = job->cases >= property->turns.cases;
    job->turn.over = strcmp(status, "proved") == 0 || strcmp(status, "skipped") == 0;
    count(fleet, property, job, line);
    keep_status(property, status, line);
    job->cases = 0;
    tell_result(fleet, property, line);
    hear_failures(fleet, property, job, line);
    hear_warnings(fleet, property, job, line);
    return true;
}

bool wri_fleet_hear(void *context, char *line, size_t length, bool error)
{
    wri_fleet_hearing *hearing = context;
    wri_fleet_job     *job = hearing->job;
    if (error || job->task == WRI_FLEET_HOOK) {
        hear_complaint(hearing->fleet, job, line);
        return true;
    }
    /* A NUL would hide the rest of the line. */
    if (strlen(line) != length || !wri_json_is_object(line))
        return is_rubbish(job, line);
    const char *event = wri_json_member(line, "event");
    if (event != NULL) {
        if (strncmp(event, "\"progress\"", 10) == 0)
            hear_progress(hearing->fleet, job, line);
        return true;
    }
    if (job->task == WRI_FLEET_TEST)
        return hear_result(hearing->fleet, job, line);
    const char *name = wri_json_member(line, "property");
    if (name == NULL || *name != '"' || wri_json_member(line, "file") == NULL)
        return is_rubbish(job, line);
    hear_listed(hearing->fleet, job, line);
    return true;
}

/* ---- The end of a program ---- */

/* "it was ended by signal 11 (Segmentation fault)" */
static void describe_end(const wri_fleet *fleet, const wri_fleet_job *job, char *text,
                         size_t size)
{
    int how = job->child.how;
    if (job->silent)
        snprintf(text, size, "it said nothing for %g s, and was ended",
                 (double)fleet->options->patience_ms / 1000);
    else if (job->rubbish >= MOST_RUBBISH)
        snprintf(text, size, "it printed %d lines that are no report, and was ended",
                 MOST_RUBBISH);
    else if (WIFSIGNALED(how))
        snprintf(text, size, "it was ended by signal %d (%s)", WTERMSIG(how),
                 strsignal(WTERMSIG(how)));
    else
        snprintf(text, size, "it ended with status %d", WEXITSTATUS(how));
}

static void end_list(wri_fleet *fleet, wri_fleet_job *job)
{
    wri_fleet_program *program = &fleet->programs[job->program];
    char               end[200];
    bool fine = WIFEXITED(job->child.how) && WEXITSTATUS(job->child.how) == 0 && !job->silent &&
                program->listed > 0;
    if (fine || fleet->stopped)
        return;
    describe_end(fleet, job, end, sizeof end);
    program->unusable = true;
    fleet->summary.unusable++;
    wri_fleet_warn(fleet, job->program, "--list named no properties, as a test program does: %s",
                   end);
}

/* Did the program come to all of its properties, or to the one that has this turn? */
static bool has_told_all(const wri_fleet *fleet, const wri_fleet_job *job)
{
    for (size_t i = 0; i < fleet->property_count && job->property == WRI_FLEET_ALL; i++)
        if (fleet->properties[i].program == job->program && fleet->properties[i].status == NULL)
            return false;
    return job->results > 0 || job->property == WRI_FLEET_ALL;
}

/* The program did not do as its exit status says, or as it was asked. */
static bool went_wrong(const wri_fleet *fleet, const wri_fleet_job *job)
{
    int how = job->child.how;
    if (job->child.asked > 0 && !job->silent)
        return false;
    if (!WIFEXITED(how) || job->silent)
        return true;
    switch (WEXITSTATUS(how)) {
    case 0:
    case 1:
    case 77: return !has_told_all(fleet, job);
    case 130: return false;
    default: return true;
    }
}

static void mark(wri_fleet *fleet, wri_fleet_property *property, const char *word)
{
    char *status = strdup(word);
    fleet->no_memory |= status == NULL;
    if (status != NULL)
        keep_status(property, status, "{}");
}

/* All properties held, and still it failed: for something that it has told in a line. */
static bool failed_besides(const wri_fleet_job *job)
{
    return WIFEXITED(job->child.how) && WEXITSTATUS(job->child.how) == 1 && job->bad == 0;
}

/* Properties that a program did not come to cannot be run. */
static void end_program(wri_fleet *fleet, const wri_fleet_job *job, bool wrong, const char *end)
{
    if (wrong)
        wri_fleet_warn(fleet, job->program, "%s, after %zu of %zu properties", end, job->results,
                       fleet->programs[job->program].listed);
    bool counted = job->errors > 0;
    for (size_t i = 0; i < fleet->property_count && wrong; i++)
        if (fleet->properties[i].program == job->program && fleet->properties[i].status == NULL) {
            mark(fleet, &fleet->properties[i], "error");
            counted = true;
        }
    fleet->summary.errors += wrong && !counted;
    fleet->summary.failed += !wrong && failed_besides(job);
}

static void end_turn(wri_fleet *fleet, wri_fleet_job *job, bool wrong, const char *end)
{
    wri_fleet_property *property = &fleet->properties[job->property];
    if (wrong)
        wri_fleet_warn(fleet, job->program, "%s: %s", property->name, end);
    if (wrong || failed_besides(job))
        mark(fleet, property, wrong ? "error" : "failed");
    property->errors = wrong ? property->errors + 1 : 0;
    job->turn.over |= property->errors >= 3; /* once may be chance */
    wri_turns_took(&property->turns, fleet->round, &job->turn);
}

static void end_test(wri_fleet *fleet, wri_fleet_job *job)
{
    bool wrong = went_wrong(fleet, job);
    char end[200];
    describe_end(fleet, job, end, sizeof end);
    if (job->property == WRI_FLEET_ALL)
        end_program(fleet, job, wrong, end);
    else
        end_turn(fleet, job, wrong, end);
    if (!wrong && job->rubbish > 0)
        wri_fleet_warn(fleet, job->program, "%zu of its lines are no report; the first is \"%s\"",
                       job->rubbish, job->sample);
}

void wri_fleet_hear_end(wri_fleet *fleet, wri_fleet_job *job)
{
    if (job->task == WRI_FLEET_LIST)
        end_list(fleet, job);
    else if (job->task == WRI_FLEET_TEST)
        end_test(fleet, job);
    else if (!WIFEXITED(job->child.how) || WEXITSTATUS(job->child.how) != 0) {
        char end[200];
        describe_end(fleet, job, end, sizeof end);
        wri_screen_warn(&fleet->screen, "--on-bug", end);
    }
    free(job->current);
    wri_child_free(&job->child);
    *job = (wri_fleet_job){ .program = 0 };
}
