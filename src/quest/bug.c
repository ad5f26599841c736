/* quest/bug.c: describes a bug by a run of its case, and owns the texts of the description. */
#include "quest/bug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/case.h"
#include "core/hash.h"

void wri_bug_own(const char **text, char *malloced)
{
    free((void *)(uintptr_t)*text);
    *text = malloced;
}

void wri_bug_free(wri_bug *bug)
{
    const char **owned[] = { &bug->failure.token, &bug->failure.replay, &bug->failure.stored,
                             &bug->failure.rule, &bug->failure.reason };
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        wri_bug_own(owned[i], NULL);
    wri_trace_free(&bug->trace);
    free(bug->words);
}

void wri_bug_recall(wri_bug *bug, const wri_stored *stored)
{
    bug->key = stored->key;
    bug->placed_in_store = stored->place[0] != '\0';
    bug->failure.from_store = true;
    wri_bug_own(&bug->failure.stored, strdup(stored->where));
}

/* ---- describing ---- */

#define NUMBER_CHARACTERS 24 /* "[12]" behind a name */

/* The memory of a description: room for the arrays, and then for the characters. */
typedef struct description {
    wri_value   *values;
    const char **notes;
    char        *at; /* the free rest */
    size_t       value_count, note_count;
} description;

static const char *put(description *made, const char *text)
{
    const char *copy = made->at;
    made->at = stpcpy(made->at, text) + 1;
    return copy;
}

/* At most so many entries have this tag. */
static size_t most_tags(const wri_outcome *outcome, char tag)
{
    size_t found = 0;
    for (size_t i = 0; i < outcome->text_used; i++)
        found += outcome->text[i] == tag;
    return found;
}

static void *make_room(description *made, const wri_outcome *outcome, const char *output)
{
    size_t values = most_tags(outcome, WRI_TEXT_VALUE), notes = most_tags(outcome, WRI_TEXT_NOTE);
    size_t characters = strlen(outcome->verdict.message) + strlen(outcome->verdict.file) +
                        strlen(outcome->place.function) + strlen(output) + 4;
    characters += 2 * (outcome->text_used + 2) + values * NUMBER_CHARACTERS; /* names twice */
    char *words =
        malloc(values * sizeof *made->values + notes * sizeof *made->notes + characters);
    *made = (description){ 0 };
    if (words == NULL)
        return NULL;
    made->values = (wri_value *)(void *)words;
    made->notes = (const char **)(void *)(made->values + values);
    made->at = (char *)(made->notes + notes);
    return words;
}

/* Takes the printed values and notes apart: a tag, a text, and for a value a second text. */
static void split_text(description *made, const wri_outcome *outcome)
{
    char  *text = made->at;
    size_t used = outcome->text_used;
    if (used > 0)
        memcpy(text, outcome->text, used);
    text[used] = text[used + 1] = '\0';
    made->at += used + 2;
    for (size_t at = 0; at < used;) {
        char        tag = text[at++];
        const char *first = text + at;
        at += strlen(first) + 1;
        if (tag == WRI_TEXT_VALUE) {
            const char *second = at < used ? text + at : "";
            at += strlen(second) + 1;
            made->values[made->value_count++] = (wri_value){ .name = first, .text = second };
        } else if (tag == WRI_TEXT_NOTE) {
            made->notes[made->note_count++] = first;
        }
    }
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

/* The first value of a name is "xs", the next one "xs[1]". */
static bool name_values(description *made)
{
    size_t room = 16;
    while (room < 2 * made->value_count)
        room *= 2;
    seen *table = calloc(room, sizeof *table);
    for (size_t i = 0; i < made->value_count && table != NULL; i++) {
        wri_value *value = &made->values[i];
        size_t     before = times_before(table, room, value->name);
        if (before == 0)
            continue;
        char *name = made->at;
        made->at += sprintf(name, "%s[%zu]", value->name, before) + 1;
        value->name = name;
    }
    free(table);
    return table != NULL;
}

bool wri_bug_describe(wri_bug *bug, const wri_outcome *outcome)
{
    const char *output = outcome->output == NULL ? "" : outcome->output;
    description made;
    void       *words = make_room(&made, outcome, output);
    if (words == NULL)
        return false;
    wri_failure *told = &bug->failure;
    free(bug->words);
    bug->words = words;
    split_text(&made, outcome);
    told->kind = wri_verdict_name(outcome->verdict.kind);
    told->line = outcome->verdict.line;
    told->message = put(&made, outcome->verdict.message);
    told->file = put(&made, outcome->verdict.file);
    told->function = put(&made, outcome->place.function);
    told->values = made.values;
    told->value_count = made.value_count;
    told->values_lost = outcome->text_lost;
    told->notes = made.notes;
    told->note_count = made.note_count;
    char *shown = made.at;
    told->output = put(&made, output);
    char *shadow = strstr(shown, "\nShadow bytes around");
    if (shadow != NULL) /* a map of AddressSanitizer's own memory, and its long legend */
        shadow[1] = '\0';
    return name_values(&made);
}
