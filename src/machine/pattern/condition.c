/* machine/pattern/condition.c: conditions on settings, written and read: see condition.h. */
#include "machine/pattern/condition.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/pattern/rule.h"

/* A longer name is written as its hash. */
#define NAME_MOST 80

/* ---- Names ---- */

static const char *find_name(const wri_machine *machine, uint32_t label)
{
    const wri_kind_text *at = *machine->setting_names;
    while (at != NULL && at->value != (int64_t)label)
        at = at->next;
    return at == NULL ? NULL : at->text;
}

static bool is_printable(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
            return false;
    return length > 0 && length <= NAME_MOST;
}

void wri_condition_note(const wri_machine *machine, const wri_configuration *settings,
                        const char *name)
{
    uint32_t label = wri_trace_label_hash(name);
    bool     used = false;
    for (unsigned i = 0; i < settings->count; i++)
        used |= settings->list[i].label == label;
    if (!used || !is_printable(name) || find_name(machine, label) != NULL)
        return;
    wri_kind_text *added = malloc(sizeof *added + strlen(name) + 1);
    if (added == NULL)
        return;
    added->next = *machine->setting_names;
    added->value = (int64_t)label;
    memcpy(added->text, name, strlen(name) + 1);
    *machine->setting_names = added;
}

/* ---- Writing ---- */

static bool is_letter(char character)
{
    return isalnum((unsigned char)character) != 0 || character == '_';
}

static bool is_word(const char *name)
{
    size_t length = 0;
    while (is_letter(name[length]))
        length++;
    return name[length] == '\0' && isdigit((unsigned char)name[0]) == 0;
}

static void put_quoted(const char *name, FILE *out)
{
    fputc('"', out);
    for (; *name != '\0'; name++)
        fprintf(out, "%s%c", *name == '"' || *name == '\\' ? "\\" : "", *name);
    fputc('"', out);
}

static void put_name(const wri_machine *machine, const wri_condition *condition, FILE *out)
{
    const char *name = find_name(machine, condition->label);
    bool        unnamed = condition->label == wri_trace_label_hash(NULL);
    if (name != NULL && is_word(name))
        fputs(name, out);
    else if (name != NULL)
        put_quoted(name, out);
    else if (!unnamed)
        fprintf(out, "@%08" PRIx32, condition->label);
    if (unnamed || condition->number > 0)
        fprintf(out, "[%" PRIu32 "]", condition->number);
}

void wri_condition_write(const wri_machine *machine, const wri_pattern *pattern, FILE *out)
{
    for (unsigned i = 0; i < pattern->condition_count; i++) {
        const wri_condition *condition = &pattern->conditions[i];
        fputs(i == 0 ? "with " : ", ", out);
        put_name(machine, condition, out);
        fputs(" = ", out);
        if (condition->least != INT64_MIN)
            fprintf(out, "%" PRId64, condition->least);
        if (condition->least == condition->most)
            continue;
        fputs("..", out);
        if (condition->most != INT64_MAX)
            fprintf(out, "%" PRId64, condition->most);
    }
}

/* ---- Reading ---- */

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* A name in quotes. Returns where it ends; NULL: it does not. */
static const char *read_quoted(const char *at, const char *end, uint32_t *label)
{
    char   name[NAME_MOST + 1];
    size_t length = 0;
    for (at++; at < end && *at != '"' && length < NAME_MOST; at++) {
        at += *at == '\\' && at + 1 < end;
        name[length++] = *at;
    }
    name[length] = '\0';
    *label = wri_trace_label_hash(name);
    return at < end && *at == '"' && length > 0 ? at + 1 : NULL;
}

static const char *read_hash(const char *at, const char *end, uint32_t *label)
{
    const char *last = at + 9;
    *label = 0;
    for (at++; at < end && at < last && isxdigit((unsigned char)*at) != 0; at++)
        *label = *label << 4 | (uint32_t)(*at <= '9' ? *at - '0' : (*at | 32) - 'a' + 10);
    return at == last ? at : NULL;
}

static const char *read_word(const char *at, const char *end, uint32_t *label)
{
    char   name[NAME_MOST + 1];
    size_t length = 0;
    while (at + length < end && length < NAME_MOST && is_letter(at[length]))
        length++;
    memcpy(name, at, length);
    name[length] = '\0';
    *label = wri_trace_label_hash(name);
    return length > 0 ? at + length : NULL;
}

/* Nothing before the bracket is a draw without a name. */
static const char *read_name(const char *at, const char *end, uint32_t *label)
{
    *label = wri_trace_label_hash(NULL);
    if (at == end)
        return NULL;
    return *at == '['   ? at
           : *at == '"' ? read_quoted(at, end, label)
           : *at == '@' ? read_hash(at, end, label)
                        : read_word(at, end, label);
}

/* [2], if it is there. */
static const char *read_place(const char *at, const char *end, uint32_t *number)
{
    *number = 0;
    if (at == end || *at != '[')
        return at;
    const char *from = ++at;
    for (; at < end && at < from + 6 && isdigit((unsigned char)*at) != 0; at++)
        *number = *number * 10 + (uint32_t)(*at - '0');
    return at > from && at < end && *at == ']' ? at + 1 : NULL;
}

const char *wri_condition_read(const char *from, const char *end, wri_condition *condition,
                               const char **wrong, const char **expected)
{
    const char *at = *wrong = skip_blanks(from, end);
    *expected = "the name of a draw of .start: NAME, \"NAME\" or NAME[PLACE]";
    at = read_name(at, end, &condition->label);
    at = at == NULL ? NULL : read_place(at, end, &condition->number);
    if (at == NULL)
        return NULL;
    *wrong = at = skip_blanks(at, end);
    *expected = "= and a number, or LEAST..MOST";
    if (at == end || *at != '=')
        return NULL;
    *wrong = at = skip_blanks(at + 1, end);
    size_t length = 0;
    while (at + length < end && strchr("-.0123456789", at[length]) != NULL && at[length] != '\0')
        length++;
    return wri_rule_range(at, length, &condition->least, &condition->most) ? at + length : NULL;
}
