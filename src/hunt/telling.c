/* hunt/telling.c: tells each case, for --observations.
 *
 * Records come back with their batch, and wait with it until it counts. So cases are told in the
 * sequence in which they count, whatever the number of workers.
 */
#include <stdlib.h>
#include <string.h>

#include "hunt/batches.h"

_Static_assert(WRI_TOLD_CASES == WRI_REPORT_CASES, "a report says how many are told");

bool wri_telling_goes_on(const wri_quest *quest)
{
    return quest->settings->observations != NULL && quest->told < WRI_TOLD_CASES;
}

static void forget(wri_batch_entry *at)
{
    free(at->told);
    at->told = NULL;
    at->told_size = 0;
}

/* Takes the last record away if it is one of this case, and not of a failure. True: it is one of
 * a failure, and stays. */
static bool has_failed(wri_batch_entry *at, uint64_t index)
{
    wri_told_case record, last = { .index = index + 1 };
    size_t        begins = 0;
    for (size_t i = 0, bytes; (bytes = wri_told_read(at->told, at->told_size, i, &record)) > 0;
         i += bytes) {
        last = record;
        begins = i;
    }
    bool same = last.index == index && at->told_size > 0;
    if (same && last.verdict != at->outcome.verdict.kind) {
        at->told_size = begins;
        return false;
    }
    return same;
}

void wri_telling_take(wri_batches *batches, wri_batch_entry *at)
{
    const wri_runner *runner = batches->quest->runner;
    forget(at);
    if (!at->order_told)
        return;
    at->told = wri_told_copy(wri_runner_told(runner, at->slot), &at->told_size);
    if (at->told != NULL && at->failed && !has_failed(at, at->index))
        at->told_size += wri_runner_put_told(runner, at->slot, at->index, &at->outcome.verdict,
                                             at->told + at->told_size);
}

void wri_telling_take_judged(wri_batches *batches, wri_batch_entry *at, double seconds)
{
    const wri_outcome *outcome = &at->outcome;
    wri_told_case      record;
    forget(at);
    if (!wri_telling_goes_on(batches->quest) || outcome->abandoned)
        return;
    at->told = malloc(WRI_TOLD_MOST);
    if (at->told == NULL)
        return;
    at->told_size = wri_told_put(at->told, at->order.from, &outcome->verdict, outcome->text,
                                 outcome->text_used, outcome->text_lost);
    memcpy(&record, at->told, sizeof record);
    record.seconds = seconds;
    memcpy(at->told, &record, sizeof record);
}

void wri_telling_join(wri_batch_entry *to, wri_batch_entry *from)
{
    if (from->told == NULL)
        return;
    char *grown = realloc(to->told, to->told_size + from->told_size + WRI_TOLD_MOST);
    if (grown == NULL)
        return;
    memcpy(grown + to->told_size, from->told, from->told_size);
    to->told = grown;
    to->told_size += from->told_size;
}

/* ---- Telling ---- */

#define FEATURES (WRI_TOLD_FEATURES / 2)

static int by_name(const void *left, const void *right)
{
    const wri_value *a = left, *b = right;
    int              order = strcmp(a->name, b->name);
    return order != 0 ? order : strcmp(a->text, b->text);
}

/* Names and rows in turn, each with its NUL. Sorted: in which sequence a batch met them says
 * nothing. */
static size_t split_features(const char *text, size_t size, wri_value features[FEATURES])
{
    const char *end = text + size;
    size_t      count = 0;
    while (text < end && count < FEATURES) {
        wri_value *feature = &features[count++];
        feature->name = text;
        text += strlen(text) + 1;
        feature->text = text < end ? text : "";
        text += text < end ? strlen(text) + 1 : 0;
    }
    qsort(features, count, sizeof *features, by_name);
    return count;
}

static wri_report_status status_of(uint32_t verdict)
{
    wri_verdict ended = { .kind = verdict };
    return verdict == WRI_NONE || verdict == WRI_PASS ? WRI_REPORT_PASSED
           : wri_verdict_failed(&ended)               ? WRI_REPORT_FAILED
                                                      : WRI_REPORT_GAVE_UP;
}

static void tell_one(wri_quest *quest, const wri_explorer *by, const wri_told_case *record,
                     const char *texts)
{
    wri_value   features[FEATURES];
    wri_outcome outcome = { .text = (char *)(uintptr_t)texts,
                            .text_used = record->text,
                            .text_lost = record->lost };
    wri_bug     bug = { 0 };
    const char *rows = texts + record->text;
    if (wri_bug_describe(&bug, &outcome)) {
        wri_report_case ran = { .property = quest->property->name,
                                .explorer = by->name,
                                .number = ++quest->told,
                                .status = status_of(record->verdict),
                                .reason = rows + record->features,
                                .values = &bug.failure,
                                .features = features,
                                .feature_count = split_features(rows, record->features, features),
                                .seconds = record->seconds };
        WRI_TELL(quest->reporter, ran, &ran);
    }
    wri_bug_free(&bug);
}

void wri_telling_tell(wri_batches *batches, wri_batch_entry *at)
{
    wri_quest          *quest = batches->quest;
    const wri_explorer *by = at->order.by != NULL ? at->order.by : batches->explorer;
    wri_told_case       record;
    for (size_t i = 0, bytes; at->told != NULL && wri_telling_goes_on(quest) &&
                              (bytes = wri_told_read(at->told, at->told_size, i, &record)) > 0;
         i += bytes)
        tell_one(quest, by, &record, at->told + i + sizeof record);
    forget(at);
}
