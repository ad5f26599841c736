/* observe/told.c: records of the cases of a batch. */
#include "observe/told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"

static size_t size_of(const wri_told_case *record)
{
    size_t bytes = sizeof *record + record->text + record->features + record->reason;
    return (bytes + 7) / 8 * 8;
}

/* ---- For a worker ---- */

void wri_told_begin(wri_told *told)
{
    told->used = told->count = told->last = 0;
}

void wri_told_begin_case(wri_told *told)
{
    told->began = wri_clock_seconds();
}

/* Does a case show the row, as a fact about its values? */
static bool is_feature(const wri_observed *row, uint64_t index)
{
    return row->last[1] == index + 1 &&
           (row->sort == WR_SEE_LABEL_ || row->sort == WR_SEE_TABLE_ ||
            row->sort == WR_SEE_STATE_ || row->sort == WR_SEE_COVER_ ||
            row->sort == WR_SEE_SOMETIMES_);
}

static bool has_detail(const wri_observed *row)
{
    return row->sort == WR_SEE_TABLE_ || row->sort == WR_SEE_STATE_;
}

static uint32_t put_features(char *to, const wri_seen *seen, uint64_t index)
{
    uint32_t used = 0;
    for (uint32_t i = 0; seen != NULL && i < seen->count && i < WRI_SEEN_ROWS; i++) {
        const wri_observed *row = &seen->rows[i];
        if (!is_feature(row, index) || used + 2 * WRI_SEEN_BYTES > WRI_TOLD_FEATURES)
            continue;
        used += (uint32_t)(stpcpy(to + used, row->name) + 1 - (to + used));
        used +=
            (uint32_t)(stpcpy(to + used, has_detail(row) ? row->detail : "") + 1 - (to + used));
    }
    return used;
}

/* What the verdict says, with its place, if it knows one. A discarded case says nothing: its
 * verdict has the words of an earlier one. */
static uint32_t put_reason(char *to, const wri_verdict *verdict)
{
    bool        silent = verdict->kind == WRI_DISCARD || verdict->message[0] == '\0';
    const char *says = silent ? wri_verdict_name(verdict->kind) : verdict->message;
    to[0] = '\0';
    if (verdict->kind == WRI_NONE || verdict->kind == WRI_PASS)
        return 1;
    if (verdict->line > 0 && verdict->kind != WRI_DISCARD)
        snprintf(to, WRI_TOLD_REASON, "%.*s (%.*s:%d)", WRI_TOLD_REASON - 300, says, 255,
                 verdict->file, verdict->line);
    else
        snprintf(to, WRI_TOLD_REASON, "%.*s", WRI_TOLD_REASON - 300, says);
    return (uint32_t)strlen(to) + 1;
}

void wri_told_end_case(wri_told *told, const wr_case *t, uint64_t index,
                       const wri_verdict *verdict)
{
    wri_told_case record = { .index = index, .verdict = verdict->kind };
    wri_told_case before = { .index = index + 1 };
    if (told->count > 0)
        memcpy(&before, told->bytes + told->last, sizeof before);
    if (before.index == index) {
        told->used = told->last;
        told->count--;
    }
    if (told->count >= WRI_TOLD_CASES)
        return;
    char *to = told->bytes + told->used, *at = to + sizeof record;
    record.seconds = wri_clock_seconds() - told->began;
    record.text = (uint32_t)(t->text->used <= WRI_TOLD_TEXT ? t->text->used : 0);
    record.lost = (uint32_t)t->text->lost;
    memcpy(at, t->text->bytes, record.text);
    record.features = put_features(at + record.text, t->seen, index);
    record.reason = put_reason(at + record.text + record.features, verdict);
    memcpy(to, &record, sizeof record);
    told->last = told->used;
    told->used += size_of(&record);
    told->count++;
}

/* ---- For the parent ---- */

size_t wri_told_put(char *to, uint64_t index, const wri_verdict *verdict, const char *text,
                    size_t used, size_t lost)
{
    wri_told_case record = { .index = index,
                             .verdict = verdict->kind,
                             .text = (uint32_t)(used <= WRI_TOLD_TEXT ? used : 0),
                             .lost = (uint32_t)(used <= WRI_TOLD_TEXT ? lost : lost + 1) };
    memset(to, 0, WRI_TOLD_MOST);
    if (record.text > 0)
        memcpy(to + sizeof record, text, record.text);
    record.reason = put_reason(to + sizeof record + record.text, verdict);
    memcpy(to, &record, sizeof record);
    return size_of(&record);
}

size_t wri_told_read(const char *bytes, size_t size, size_t at, wri_told_case *record)
{
    if (at + sizeof *record > size)
        return 0;
    memcpy(record, bytes + at, sizeof *record);
    bool sound = record->text <= WRI_TOLD_TEXT && record->features <= WRI_TOLD_FEATURES &&
                 record->reason <= WRI_TOLD_REASON && record->reason > 0 &&
                 size_of(record) <= size - at;
    const char *end = bytes + at + sizeof *record + record->text;
    if (!sound || (record->features > 0 && end[record->features - 1] != '\0') ||
        end[record->features + record->reason - 1] != '\0')
        return 0;
    return size_of(record);
}

char *wri_told_copy(const wri_told *told, size_t *size)
{
    wri_told_case record;
    size_t        used = told->used <= sizeof told->bytes ? told->used : 0, at = 0, count = 0;
    char         *copy = malloc(used + WRI_TOLD_MOST);
    if (copy == NULL)
        return NULL;
    memcpy(copy, told->bytes, used);
    for (size_t bytes; count < WRI_TOLD_CASES; at += bytes, count++)
        if ((bytes = wri_told_read(copy, used, at, &record)) == 0)
            break;
    *size = at;
    return copy;
}
