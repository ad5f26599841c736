/* quest/bug.c: what is told about a bug, taken from a run of its case. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quest/quest.h"

static void free_words(wri_bug *bug)
{
    for (size_t i = 0; i < bug->failure.value_count; i++)
        free(bug->names[i]);
    free(bug->names);
    free(bug->values);
    free(bug->notes);
    free(bug->text);
    free(bug->message);
    free(bug->file);
    free(bug->function);
    free(bug->output);
}

void wri_bug_free(wri_bug *bug)
{
    free_words(bug);
    wri_trace_free(&bug->trace);
    free(bug->token);
    free(bug->replay);
    free(bug->stored);
    free(bug->rule);
}

/* Counts how often each name came before, by hash: a case may draw one name many times. */
typedef struct seen {
    const char *name;
    size_t      times;
} seen;

static size_t times_before(seen *table, size_t room, const char *name)
{
    size_t at = wri_hash_bytes(name, strlen(name)) & (room - 1);
    while (table[at].name != NULL && strcmp(table[at].name, name) != 0)
        at = (at + 1) & (room - 1);
    table[at].name = name;
    return table[at].times++;
}

/* The first of a name is "xs", the next "xs[1]". */
static bool name_values(wri_bug *bug)
{
    size_t room = 16;
    while (room < 2 * bug->failure.value_count)
        room *= 2;
    seen *table = calloc(room, sizeof *table);
    bool  good = table != NULL;
    for (size_t i = 0; i < bug->failure.value_count && good; i++) {
        const char *name = bug->values[i].name;
        size_t      before = times_before(table, room, name);
        int         made = before == 0 ? asprintf(&bug->names[i], "%s", name)
                                       : asprintf(&bug->names[i], "%s[%zu]", name, before);
        good = made >= 0;
    }
    free(table);
    for (size_t i = 0; i < bug->failure.value_count && good; i++)
        bug->values[i].name = bug->names[i];
    return good;
}

static size_t count_tags(const wri_bug *bug, char tag)
{
    size_t found = 0;
    for (size_t at = 0; at < bug->text_used;) {
        char this = bug->text[at++];
        found += this == tag;
        at += strlen(bug->text + at) + 1;
        if (this == WRI_TEXT_VALUE)
            at += at < bug->text_used ? strlen(bug->text + at) + 1 : 0;
    }
    return found;
}

static void split_text(wri_bug *bug)
{
    size_t values = 0, notes = 0;
    for (size_t at = 0; at < bug->text_used;) {
        char        tag = bug->text[at++];
        const char *first = bug->text + at;
        at += strlen(first) + 1;
        if (tag == WRI_TEXT_VALUE) {
            const char *second = at < bug->text_used ? bug->text + at : "";
            at += strlen(second) + 1;
            bug->values[values++] = (wri_value){ .name = first, .text = second };
        } else if (tag == WRI_TEXT_NOTE) {
            bug->notes[notes++] = bug->text + (first - bug->text);
        }
    }
    bug->failure.value_count = values;
    bug->failure.note_count = notes;
}

static bool take_text(wri_bug *bug, const wri_outcome *outcome)
{
    bug->text = malloc(outcome->text_used + 2);
    if (bug->text == NULL)
        return false;
    if (outcome->text_used > 0)
        memcpy(bug->text, outcome->text, outcome->text_used);
    bug->text[outcome->text_used] = bug->text[outcome->text_used + 1] = '\0';
    bug->text_used = outcome->text_used;
    size_t values = count_tags(bug, WRI_TEXT_VALUE), notes = count_tags(bug, WRI_TEXT_NOTE);
    bug->values = calloc(values + 1, sizeof *bug->values);
    bug->names = calloc(values + 1, sizeof *bug->names);
    bug->notes = calloc(notes + 1, sizeof *bug->notes);
    if (bug->values == NULL || bug->names == NULL || bug->notes == NULL)
        return false;
    split_text(bug);
    return name_values(bug);
}

bool wri_bug_describe(wri_bug *bug, const wri_outcome *outcome)
{
    free_words(bug);
    bug->names = NULL;
    bug->values = NULL;
    bug->notes = NULL;
    bug->text = bug->message = bug->file = bug->function = bug->output = NULL;
    bug->failure.value_count = bug->failure.note_count = 0;
    bug->message = strdup(outcome->verdict.message);
    bug->file = strdup(outcome->verdict.file);
    bug->function = strdup(outcome->place.function);
    bug->output = strdup(outcome->output == NULL ? "" : outcome->output);
    char *shadow = bug->output == NULL ? NULL : strstr(bug->output, "\nShadow bytes around");
    if (shadow != NULL) /* a map of AddressSanitizer's own memory, and its long legend */
        shadow[1] = '\0';
    if (bug->message == NULL || bug->file == NULL || bug->function == NULL ||
        bug->output == NULL || !take_text(bug, outcome))
        return false;
    wri_failure *told = &bug->failure;
    told->kind = wri_verdict_name(outcome->verdict.kind);
    told->message = bug->message;
    told->file = bug->file;
    told->line = outcome->verdict.line;
    told->function = bug->function;
    told->output = bug->output;
    told->values = bug->values;
    told->values_lost = outcome->text_lost;
    told->notes = (const char *const *)bug->notes;
    return true;
}
