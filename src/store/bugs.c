/* store/bugs.c: makes items of failures, and failures of items. */
#include "store/bugs.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "store/lines.h"

uint64_t wri_bugs_now(void)
{
    return (uint64_t)time(NULL);
}

wri_bugs_name wri_bugs_who(void)
{
    wri_bugs_name who;
    char          host[100] = "";
    if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0')
        strcpy(host, "unknown");
    for (char *at = host; *at != '\0'; at++)
        *at = *at <= ' ' || *at > '~' ? '_' : *at;
    snprintf(who.text, sizeof who.text, "%s/%ld", host, (long)getpid());
    return who;
}

/* ---- from a failure ---- */

static void put_values(FILE *out, const void *what)
{
    const wri_failure *failure = what;
    for (size_t i = 0; i < failure->value_count; i++) {
        if (failure->values[i].name == NULL)
            continue;
        fputs(i == 0 ? "" : "\n", out);
        wri_lines_put_escaped(out, failure->values[i].name);
        fputs(" = ", out);
        wri_lines_put_escaped(out,
                              failure->values[i].text == NULL ? "" : failure->values[i].text);
    }
}

static bool set_texts(wri_item *bug, const wri_failure *failure)
{
    size_t size;
    char  *values = wri_lines_print(put_values, failure, &size);
    bool   known = failure->file != NULL && failure->file[0] != '\0';
    bool   set = values != NULL && wri_item_set_text(bug, WRI_BUG_VALUES, values) &&
               wri_item_set_text(bug, WRI_BUG_TOKEN, failure->token) &&
               wri_item_set_text(bug, WRI_BUG_KIND, failure->kind) &&
               wri_item_set_text(bug, WRI_BUG_MESSAGE, failure->message) &&
               wri_item_set_text(bug, WRI_BUG_RULE, failure->rule) &&
               wri_item_set_text(bug, WRI_BUG_FILE, known ? failure->file : failure->function);
    free(values);
    return set;
}

static uint64_t rank(bool minimal, size_t choices)
{
    return (minimal ? 0 : WRI_BUG_NOT_MINIMAL) + choices;
}

void wri_bugs_set_status(wri_item *bug, unsigned status)
{
    if (bug->numbers[WRI_BUG_STATUS] == status)
        return;
    bug->numbers[WRI_BUG_STATUS] = status;
    bug->numbers[WRI_BUG_TURN]++;
}

/* A case that takes the place of one that was mended or forgotten begins an epoch: the old one
 * may be smaller, and is of no more use. */
bool wri_bugs_seen(wri_item *bug, const wri_item *there, const wri_failure *failure)
{
    wri_bugs_name who = wri_bugs_who();
    if (!set_texts(bug, failure) ||
        (!failure->from_store && !wri_item_set_text(bug, WRI_BUG_BY, who.text)))
        return false;
    uint64_t *numbers = bug->numbers;
    uint64_t  status = there == NULL ? 0 : there->numbers[WRI_BUG_STATUS];
    bool      gone = status == WRI_BUG_MENDED || status == WRI_BUG_FORGOTTEN;
    numbers[WRI_BUG_EPOCH] = 1;
    if (there != NULL && there->numbers[WRI_BUG_EPOCH] > 0)
        numbers[WRI_BUG_EPOCH] = there->numbers[WRI_BUG_EPOCH] +
                                 (gone && strcmp(wri_item_text(there, WRI_BUG_TOKEN),
                                                 wri_item_text(bug, WRI_BUG_TOKEN)) != 0);
    numbers[WRI_BUG_RANK] = rank(failure->minimal, failure->choices);
    numbers[WRI_BUG_LINE] = failure->line > 0 ? (uint64_t)failure->line : 0;
    numbers[WRI_BUG_SEED] = failure->seed;
    numbers[WRI_BUG_FIRST] = numbers[WRI_BUG_LAST] = wri_bugs_now();
    numbers[WRI_BUG_TURN] = there == NULL ? 0 : there->numbers[WRI_BUG_TURN];
    numbers[WRI_BUG_STATUS] = status;
    if (gone || status == 0)
        wri_bugs_set_status(bug, gone ? WRI_BUG_RETURNED : WRI_BUG_OPEN);
    return true;
}

/* "sort.c:42", or a function. */
static bool set_place(wri_item *bug, const char *place)
{
    const char *colon = strrchr(place, ':');
    char       *end = NULL;
    long        line = colon == NULL ? 0 : strtol(colon + 1, &end, 10);
    if (line <= 0 || *end != '\0')
        return wri_item_set_text(bug, WRI_BUG_FILE, place);
    char *file = strndup(place, (size_t)(colon - place));
    bool  set = file != NULL && wri_item_set_text(bug, WRI_BUG_FILE, file);
    bug->numbers[WRI_BUG_LINE] = (uint64_t)line;
    free(file);
    return set;
}

bool wri_bugs_stored(wri_item *bug, const wri_stored *stored)
{
    bug->numbers[WRI_BUG_EPOCH] = 1;
    bug->numbers[WRI_BUG_RANK] = rank(stored->minimal, wri_trace_choices(&stored->saved.choices));
    bug->numbers[WRI_BUG_SEED] = stored->seed;
    wri_bugs_set_status(bug, WRI_BUG_OPEN);
    return set_place(bug, stored->place) &&
           wri_item_set_text(bug, WRI_BUG_TOKEN, stored->token) &&
           wri_item_set_text(bug, WRI_BUG_KIND, stored->kind) &&
           wri_item_set_text(bug, WRI_BUG_MESSAGE, stored->message) &&
           wri_item_set_text(bug, WRI_BUG_VALUES, stored->values);
}

const char *wri_bugs_status(const wri_item *bug)
{
    static const char *const WORDS[] = { "unknown", "open", "mended", "returned", "forgotten" };
    uint64_t                 status = bug->numbers[WRI_BUG_STATUS];
    return WORDS[status < sizeof WORDS / sizeof *WORDS ? status : 0];
}

/* ---- to a failure ---- */

/* Takes one line apart: "name = text", or "name =". Returns the place behind its texts. */
static char *take_value(wri_value *value, char *to, const char *line, size_t length)
{
    bool        empty = length >= 2 && memcmp(line + length - 2, " =", 2) == 0;
    const char *equals = memmem(line, length, " = ", 3);
    size_t      name = equals != NULL ? (size_t)(equals - line) : empty ? length - 2 : length;
    size_t      rest = equals != NULL ? name + 3 : length;
    value->name = to;
    value->text = wri_lines_take_escaped(to, line, name) + 1;
    return wri_lines_take_escaped((char *)(uintptr_t)value->text, line + rest, length - rest) + 1;
}

static bool take_values(wri_bugs_failure *made, const char *lines)
{
    size_t most = 1;
    for (const char *at = lines; *at != '\0'; at++)
        most += *at == '\n';
    made->values = calloc(most, sizeof *made->values);
    made->texts = malloc(2 * strlen(lines) + 2 * most + 2);
    char *to = made->texts;
    while (made->values != NULL && to != NULL && *lines != '\0') {
        size_t length = strcspn(lines, "\n");
        to = take_value(&made->values[made->failure.value_count++], to, lines, length);
        lines += length + (lines[length] == '\n');
    }
    return made->values != NULL && made->texts != NULL;
}

bool wri_bugs_to_failure(const wri_item *bug, wri_bugs_failure *made)
{
    uint64_t rank_of = bug->numbers[WRI_BUG_RANK], line = bug->numbers[WRI_BUG_LINE];
    *made = (wri_bugs_failure){ .failure = {
                                    .kind = wri_item_text(bug, WRI_BUG_KIND),
                                    .message = wri_item_text(bug, WRI_BUG_MESSAGE),
                                    .file = line == 0 ? "" : wri_item_text(bug, WRI_BUG_FILE),
                                    .function = line == 0 ? wri_item_text(bug, WRI_BUG_FILE) : "",
                                    .line = line > INT32_MAX ? 0 : (int)line,
                                    .token = wri_item_text(bug, WRI_BUG_TOKEN),
                                    .rule = bug->texts[WRI_BUG_RULE],
                                    .seed = bug->numbers[WRI_BUG_SEED],
                                    .minimal = rank_of < WRI_BUG_NOT_MINIMAL } };
    if (!take_values(made, wri_item_text(bug, WRI_BUG_VALUES))) {
        wri_bugs_failure_free(made);
        return false;
    }
    made->failure.values = made->values;
    return true;
}

void wri_bugs_failure_free(wri_bugs_failure *made)
{
    free(made->values);
    free(made->texts);
    *made = (wri_bugs_failure){ .values = NULL };
}
