/* quest/quest.c: the warnings of a quest, its live line, and its end. */
#include "quest/quest.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wri_quest_warn(wri_quest *quest, const char *format, ...)
{
    char   *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    int made = vasprintf(&line, format, arguments);
    va_end(arguments);
    char **grown = realloc(quest->warnings.list, (quest->warnings.count + 1) * sizeof *grown);
    if (grown != NULL)
        quest->warnings.list = grown;
    if (made < 0 || grown == NULL) {
        free(made < 0 ? NULL : line);
        return;
    }
    quest->warnings.list[quest->warnings.count++] = line;
}

uint64_t wri_quest_features(const wri_quest *quest, uint64_t covered)
{
    uint64_t features = covered;
    for (size_t i = 0; i < quest->tally.count; i++) {
        const wri_observed *row = &quest->tally.rows[i];
        features += row->sort != WR_SEE_WORD_ && row->cases[1] > 0;
    }
    return features > quest->seen.features ? features : quest->seen.features;
}

/* A case that runs longer is announced. */
#define SLOW_MS 5000

void wri_quest_progress(wri_quest *quest)
{
    double now = wri_clock_seconds();
    if (now - quest->live.last < 0.1)
        return;
    quest->live.last = now;
    wri_progress progress = { .property = quest->property->name,
                              .phase = quest->live.phase,
                              .cases = quest->cases + quest->live.running,
                              .discarded = quest->discarded,
                              .target = quest->by_time ? 0 : quest->cases_wanted,
                              .executions = quest->live.executions,
                              .seconds = now - quest->started,
                              .choices = quest->live.choices,
                              .failures = quest->bug_count,
                              .features = wri_quest_features(quest, 0),
                              .stopping = wri_interrupt_came() };
    uint64_t     index = 0, running_ms = wri_runner_slowest_ms(quest->runner, &index);
    if (running_ms >= SLOW_MS) {
        progress.slow_case = index + 1;
        progress.slow_seconds = (double)running_ms / 1000;
    }
    if (quest->exploring != NULL && quest->explorer->progress != NULL)
        quest->explorer->progress(quest->exploring, &progress);
    WRI_TELL(quest->reporter, progress, &progress);
}

void wri_quest_add_counts(wri_batch_counts *to, const wri_batch_counts *from)
{
    to->cases += from->cases;
    to->discarded += from->discarded;
    to->overrun += from->overrun;
    to->redrawn += from->redrawn;
    to->executions += from->executions;
    to->calls += from->calls;
    to->sequences += from->sequences;
    to->cut += from->cut;
    to->full += from->full;
    to->given |= from->given;
    to->lost += from->lost;
    for (size_t i = 0; i < WRI_KNOWN_BUGS; i++)
        to->hits[i] += from->hits[i];
}

void wri_quest_count(wri_quest *quest, const wri_batch_counts *counts, const wri_tally *tally)
{
    quest->cases += counts->cases;
    quest->discarded += counts->discarded;
    quest->overrun += counts->overrun;
    quest->redrawn += counts->redrawn;
    quest->explored += counts->executions;
    quest->calls.explored += counts->calls;
    quest->calls.sequences += counts->sequences;
    quest->calls.cut += counts->cut;
    quest->calls.full += counts->full;
    quest->calls.given |= counts->given;
    wri_quest_count_known(quest, counts->hits);
    wri_tally_add(&quest->tally, tally);
}

void wri_quest_count_anew(wri_quest *quest)
{
    quest->cases = quest->discarded = 0;
    free(quest->sketch);
    quest->sketch = NULL;
    wri_tally_free(&quest->tally);
}

static bool draws_constants(const wri_quest *quest)
{
    unsigned asked = quest->settings->constants;
    return asked == WRI_CONSTANTS_ON ||
           (asked == WRI_CONSTANTS_AUTO && (quest->explorer->needs & WRI_USES_CONSTANTS) != 0);
}

wri_job wri_quest_job(const wri_quest *quest)
{
    return (wri_job){ .owner = quest->property,
                      .body = quest->property->body,
                      .options = quest->options,
                      .size = quest->size,
                      .redraw = quest->redraw,
                      .plain = quest->settings->plain,
                      .constants = draws_constants(quest),
                      .seed = quest->seed };
}

bool wri_quest_ends(wri_quest *quest, const wri_verdict *verdict)
{
    wri_status status = verdict->kind == WRI_SKIP     ? WRI_STATUS_SKIPPED
                        : verdict->kind == WRI_MISUSE ? WRI_STATUS_ERROR
                                                      : WRI_STATUS_HELD;
    if (status == WRI_STATUS_HELD)
        return false;
    if (status == WRI_STATUS_SKIPPED && quest->bug_count > 0)
        return true; /* too late to skip: a bug is a bug */
    wri_quest_refuse(quest, verdict->message);
    quest->status = status;
    return true;
}

void wri_quest_refuse(wri_quest *quest, const char *why)
{
    quest->status = WRI_STATUS_ERROR;
    free(quest->why);
    quest->why = strdup(why);
}

bool wri_quest_time_is_up(const wri_quest *quest)
{
    return wri_interrupt_came() || wri_report_broken(quest->reporter) ||
           (quest->time_ms != 0 &&
            (wri_clock_seconds() - quest->started) * 1000 >= (double)quest->time_ms);
}
