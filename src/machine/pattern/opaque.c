/* machine/pattern/opaque.c: remembers how reports showed values that are no numbers, and reads
 * and writes them in rules: see opaque.h. */
#include "machine/pattern/opaque.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "machine/pattern/rule.h"

/* So many texts are kept of a kind, and none that is longer. */
#define TEXTS_MOST 1024
#define TEXT_MOST 160

static wri_machine_kind *find_kind(const wri_machine *machine, const wr_kind *kind)
{
    for (unsigned i = 0; i < machine->value_count; i++)
        if (machine->values[i].table == kind)
            return &machine->values[i];
    return NULL;
}

/* ---- What kinds are ---- */

enum { NUMBERS = 1, OPAQUE = 2 };

bool wri_opaque_see(const wri_machine *machine, const wri_sequence *sequence)
{
    bool anew = false;
    for (size_t i = 0; i < sequence->count; i++) {
        const wri_machine_command *command = &machine->commands[sequence->calls[i].command];
        for (unsigned k = 0; k < command->arity; k++) {
            int64_t value = sequence->calls[i].arguments[k];
            if (!wri_opaque_may_be(command->table->takes[k]) || value == 0) /* NULL is either */
                continue;
            wri_machine_kind *kind = &machine->values[command->kinds[k]];
            uint8_t           seen = wri_made_is_opaque(value) ? OPAQUE : NUMBERS;
            anew |= (seen & OPAQUE & ~kind->seen) != 0;
            kind->seen |= seen;
        }
    }
    return anew;
}

/* Some kinds have both: numbers, and others of them that might be pointers. */
bool wri_opaque_not(const wri_machine *machine, const wr_kind *kind, const wri_term *range)
{
    const wri_machine_kind *known = find_kind(machine, kind);
    int64_t                 end = range->least == INT64_MIN ? range->most : range->least;
    if (known == NULL || (known->seen & OPAQUE) == 0 || end == INT64_MAX ||
        (range->least == 0 && range->most == 0))
        return false;
    return (known->seen & NUMBERS) == 0 ||
           (range->least == range->most && wri_made_may_be_pointer(end));
}

/* ---- Texts ---- */

const char *wri_opaque_text(const wri_machine *machine, const wr_kind *kind, int64_t value)
{
    const wri_machine_kind *known = find_kind(machine, kind);
    const wri_kind_text    *at = known == NULL ? NULL : known->texts;
    while (at != NULL && at->value != value)
        at = at->next;
    return at == NULL ? NULL : at->text;
}

/* Does it say of an argument that it is anything, or what a variable is? */
static bool is_open(const char *text, size_t length)
{
    size_t name = 1;
    if (length > 0 && text[0] == '?')
        while (name < length && (isalnum((unsigned char)text[name]) || text[name] == '_'))
            name++;
    return length == name && (name > 1 || text[0] == '_');
}

/* Could it stand in a rule? */
static bool is_writable(const char *text, size_t length)
{
    if (length == 0 || length > TEXT_MOST || text[0] == ' ' || text[length - 1] == ' ' ||
        is_open(text, length) || wri_rule_argument_length(text, length) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            return false;
    return true;
}

void wri_opaque_note(const wri_machine *machine, const wr_kind *kind, int64_t value,
                     const char *text, size_t length)
{
    wri_machine_kind *known = find_kind(machine, kind);
    if (known == NULL || known->text_count == TEXTS_MOST || !is_writable(text, length) ||
        wri_opaque_text(machine, kind, value) != NULL)
        return;
    wri_kind_text *added = malloc(sizeof *added + length + 1);
    if (added == NULL)
        return;
    added->next = known->texts;
    added->value = value;
    memcpy(added->text, text, length);
    added->text[length] = '\0';
    known->texts = added;
    known->text_count++;
}

/* The start of the arguments in a call's line; NULL: it is another line. */
static const char *find_arguments(const wri_machine_command *command, const char *line,
                                  const char *end)
{
    const char *name = command->table->name;
    size_t      length = strlen(name);
    while (command->giving && line < end && *line++ != '=')
        continue;
    line += command->giving && line < end && *line == ' ';
    bool named = (size_t)(end - line) > length && memcmp(line, name, length) == 0;
    return named && line[length] == '(' ? line + length + 1 : NULL;
}

static bool listen_to_call(const wri_machine *machine, const wri_made *call, const char *line,
                           const char *end)
{
    const wri_machine_command *command = &machine->commands[call->command];
    const char                *at = find_arguments(command, line, end);
    for (unsigned i = 0; at != NULL && i < command->arity; i++) {
        size_t length = wri_rule_argument_length(at, (size_t)(end - at));
        if (length >= (size_t)(end - at))
            return false;
        if (wri_opaque_may_be(command->table->takes[i]) && wri_made_is_opaque(call->arguments[i]))
            wri_opaque_note(machine, command->table->takes[i], call->arguments[i], at, length);
        at += length + (i + 1 < command->arity ? sizeof ", " - 1 : 0);
        if (at > end)
            return false;
    }
    return at != NULL;
}

void wri_opaque_listen(const wri_machine *machine, const wri_sequence *sequence,
                       const char *lines)
{
    for (size_t i = 0; i < sequence->count && *lines != '\0'; i++) {
        const char *end = lines + strcspn(lines, "\n");
        if (!listen_to_call(machine, &sequence->calls[i], lines, end))
            return;
        lines = end + (*end != '\0');
    }
}

bool wri_opaque_untold(const wri_machine *machine, const wri_pattern *pattern)
{
    for (unsigned i = 0; i < pattern->count; i++) {
        const wri_machine_command *command = &machine->commands[pattern->calls[i].command];
        for (unsigned k = 0; k < command->arity; k++) {
            const wri_term *term = &pattern->calls[i].terms[k];
            const wr_kind  *kind = command->table->takes[k];
            if (term->sort == WRI_TERM_RANGE && wri_opaque_may_be(kind) &&
                wri_made_is_opaque(term->least) &&
                wri_opaque_text(machine, kind, term->least) == NULL)
                return true;
        }
    }
    return false;
}

/* ---- #4f1d0e92c3ab ---- */

static bool is_blank(char character)
{
    return character == ' ' || character == '\t';
}

bool wri_opaque_read(const char *argument, size_t *length, int64_t *value)
{
    if (*length < WRI_OPAQUE_LENGTH)
        return false;
    size_t      before = *length - WRI_OPAQUE_LENGTH;
    const char *at = argument + before;
    uint64_t    hash = 0;
    if (*at != '#' || (before > 0 && !is_blank(at[-1])))
        return false;
    for (unsigned i = 1; i < WRI_OPAQUE_LENGTH; i++) {
        if (!isdigit((unsigned char)at[i]) && (at[i] < 'a' || at[i] > 'f'))
            return false;
        hash = hash << 4 | (uint64_t)(at[i] <= '9' ? at[i] - '0' : at[i] - 'a' + 10);
    }
    while (before > 0 && is_blank(argument[before - 1]))
        before--;
    if (is_open(argument, before))
        return false;
    *length = before;
    *value = wri_made_opaque(hash << 16);
    return true;
}
