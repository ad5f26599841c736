/* machine/pattern/rule_read.c: reads rules, which people may have written or changed.
 *
 * docs/machines.md describes the language; rule_write.c writes it. Nothing is guessed: the first
 * mistake ends the reading, with its line and column and what was expected there. Rules of other
 * machines are skipped, whatever they say.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/spelling.h"
#include "machine/pattern/condition.h"
#include "machine/pattern/opaque.h"
#include "machine/pattern/rule.h"

#define NAME_ROOM 32
#define DEPTH_MOST WRI_PATTERN_CALLS

typedef struct variable {
    char           name[NAME_ROOM];
    const wr_kind *kind;
    uint8_t        giver; /* the call whose handle it is; WRI_NO_VARIABLE: none */
} variable;

typedef struct reading {
    const wri_machine *machine;
    wri_shows          shows;
    const char        *next, *end;           /* of the text, what is left after this line */
    const char        *line, *at, *line_end; /* the line at hand, and how far it is read */
    size_t             number;               /* of the line */
    wri_pattern       *pattern;              /* the rule at hand; NULL: there is none, */
    bool               other;                /* or it is another machine's */
    bool               numbered;
    uint32_t           calls; /* those so far: what a new line comes after */
    variable           variables[WRI_PATTERN_VARIABLES];
    wri_rules         *rules;
    char              *error;
    size_t             error_size;
} reading;

/* ---- Complaints ---- */

/* Says that something is wrong at this place of the line. Returns false. */
__attribute__((format(printf, 3, 4))) static bool wrong(reading *r, const char *where,
                                                        const char *format, ...)
{
    char    what[256];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    snprintf(r->error, r->error_size, ":%zu:%zu: %s", r->number, (size_t)(where - r->line) + 1,
             what);
    return false;
}

/* The message cuts the text that stands there instead, and makes it printable. */
static bool unexpected(reading *r, const char *where, const char *expected)
{
    char   found[25];
    size_t length = 0;
    for (; where + length < r->line_end && length + 1 < sizeof found; length++)
        found[length] = where[length] >= ' ' && where[length] < 0x7f ? where[length] : '?';
    found[length] = '\0';
    if (length == 0)
        return wrong(r, where, "expected %s, found the end of the line", expected);
    return wrong(r, where, "expected %s, found '%s'", expected, found);
}

static bool no_memory(reading *r)
{
    snprintf(r->error, r->error_size, ": there is no memory for rules");
    return false;
}

/* ---- Lines and words ---- */

static void skip_blanks(reading *r)
{
    while (r->at < r->line_end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
}

/* Nothing else is on the line but, perhaps, a comment. */
static bool is_over(reading *r)
{
    skip_blanks(r);
    return r->at == r->line_end || *r->at == '#';
}

/* The next line that says something; false: there is none. */
static bool next_line(reading *r)
{
    while (r->next < r->end) {
        const char *end = memchr(r->next, '\n', (size_t)(r->end - r->next));
        r->line = r->at = r->next;
        r->line_end = end == NULL ? r->end : end;
        r->next = end == NULL ? r->end : end + 1;
        r->number++;
        if (r->line_end > r->line && r->line_end[-1] == '\r')
            r->line_end--;
        if (!is_over(r))
            return true;
    }
    return false;
}

static bool take_character(reading *r, char wanted)
{
    skip_blanks(r);
    if (r->at == r->line_end || *r->at != wanted)
        return false;
    r->at++;
    return true;
}

static bool is_word(char character)
{
    return isalnum((unsigned char)character) != 0 || character == '_';
}

static size_t word_length(const reading *r)
{
    size_t length = 0;
    while (r->at + length < r->line_end && is_word(r->at[length]))
        length++;
    return length;
}

/* A word and a blank or the end of the line after it: a command of that name has a bracket. */
static bool take_word(reading *r, const char *word)
{
    skip_blanks(r);
    size_t length = word_length(r);
    if (length != strlen(word) || memcmp(r->at, word, length) != 0 ||
        (r->at + length < r->line_end && r->at[length] == '('))
        return false;
    r->at += length;
    return true;
}

/* Several words, one after the other: all of them or none. */
static bool take_words(reading *r, const char *const *words)
{
    const char *from = r->at;
    for (; *words != NULL; words++)
        if (!take_word(r, *words)) {
            r->at = from;
            return false;
        }
    return true;
}

/* A number from 1 to `most`. */
static bool take_count(reading *r, unsigned most, unsigned *count)
{
    size_t  length = 0;
    int64_t least, top;
    skip_blanks(r);
    while (r->at + length < r->line_end && isdigit((unsigned char)r->at[length]) != 0)
        length++;
    if (length == 0 || !wri_rule_range(r->at, length, &least, &top) || least < 1 || least > most)
        return false;
    r->at += length;
    *count = (unsigned)least;
    return true;
}

/* ---- Variables ---- */

/* Finds the variable that stands here; one that is new is added, unless this is a guard. */
static bool read_variable(reading *r, const wr_kind *kind, bool guard, uint8_t *number)
{
    const char *from = r->at++;
    size_t      length = word_length(r);
    unsigned    i = 0, count = r->pattern->variable_count;
    if (length == 0 || length >= NAME_ROOM)
        return unexpected(r, r->at, "the name of a variable, of at most 31 letters");
    while (i < count && (strncmp(r->variables[i].name, r->at, length) != 0 ||
                         r->variables[i].name[length] != '\0'))
        i++;
    if (i == count && guard)
        return wrong(r, from, "the calls have no ?%.*s: what is not in them is written _",
                     (int)length, from + 1);
    if (i == WRI_PATTERN_VARIABLES)
        return wrong(r, from, "a rule has at most %d variables", WRI_PATTERN_VARIABLES);
    if (i == count) {
        r->variables[i] = (variable){ .kind = kind, .giver = WRI_NO_VARIABLE };
        memcpy(r->variables[i].name, r->at, length);
        r->pattern->variable_count++;
    }
    if (r->variables[i].kind != kind)
        return wrong(r, from, "expected a %s, and ?%s is a %s", kind->name, r->variables[i].name,
                     r->variables[i].kind->name);
    r->at += length;
    *number = (uint8_t)i;
    return true;
}

/* ---- Calls ---- */

/* A kind of few values has no others; an end that is open is none. */
static bool has_values(const wr_kind *kind, const wri_term *term)
{
    int64_t most = (int64_t)kind->values - 1;
    return kind->values == 0 || kind->abstract != NULL ||
           ((term->least == INT64_MIN || (term->least >= 0 && term->least <= most)) &&
            (term->most == INT64_MAX || (term->most >= 0 && term->most <= most)));
}

/* A hash that may have a text before it. */
static bool take_opaque(reading *r, const wr_kind *kind, size_t length, wri_term *term)
{
    size_t  before = length;
    int64_t value;
    if (!wri_opaque_may_be(kind) || !wri_opaque_read(r->at, &before, &value))
        return false;
    *term = wri_term_constant(value);
    if (before > 0)
        wri_opaque_note(r->machine, kind, value, r->at, before);
    r->at += length;
    return true;
}

/* `length` characters that are no variable, not _ and no hash. */
static bool read_value(reading *r, const wr_kind *kind, size_t length, wri_term *term)
{
    int64_t value;
    term->sort = WRI_TERM_RANGE;
    if (kind->handle)
        return wrong(r, r->at, "expected ?NAME or _ for a %s, which is a handle", kind->name);
    if (wri_rule_range(r->at, length, &term->least, &term->most)) {
        if (!has_values(kind, term))
            return wrong(r, r->at, "a %s is a number from 0 to %zu, not %.*s", kind->name,
                         kind->values - 1, (int)length, r->at);
        if (wri_opaque_not(r->machine, kind, term))
            return wrong(r, r->at,
                         "a %s is not the number %.*s: write ?NAME, _ or the #... of a "
                         "report, or give the kind an .abstract that says a number",
                         kind->name, (int)length, r->at);
        r->at += length;
        return true;
    }
    if (!wri_shows_find(&r->shows, kind, r->at, length, &value)) {
        char expected[120];
        snprintf(expected, sizeof expected, "a value of kind %.40s, LEAST..MOST, ?NAME or _",
                 kind->name);
        return unexpected(r, r->at,
                          wri_opaque_may_be(kind)
                              ? "a number, LEAST..MOST, the #... of a report, ?NAME or _"
                              : expected);
    }
    term->least = term->most = value;
    r->at += length;
    return true;
}

static bool read_term(reading *r, const wr_kind *kind, bool guard, wri_term *term)
{
    skip_blanks(r);
    size_t left = (size_t)(r->line_end - r->at), length = wri_rule_argument_length(r->at, left);
    if (length > left)
        return unexpected(r, r->at, "an argument whose quotes and brackets end");
    while (length > 0 && (r->at[length - 1] == ' ' || r->at[length - 1] == '\t'))
        length--;
    if (take_opaque(r, kind, length, term)) /* first: its text may begin with a ? */
        return true;
    if (length > 0 && *r->at == '?') {
        term->sort = WRI_TERM_VARIABLE;
        return read_variable(r, kind, guard, &term->variable);
    }
    if (length == 1 && *r->at == '_') {
        r->at++;
        return true;
    }
    return read_value(r, kind, length, term);
}

/* There are more arguments, or fewer. */
static bool miscounted(reading *r, const wri_machine_command *command, char wanted)
{
    char expected[160];
    snprintf(expected, sizeof expected, "'%c' (%.80s takes %u argument%s)", wanted,
             command->table->name, command->arity, command->arity == 1 ? "" : "s");
    return unexpected(r, r->at, expected);
}

static bool read_terms(reading *r, wri_pattern_call *call, bool guard)
{
    const wri_machine_command *command = &r->machine->commands[call->command];
    for (unsigned i = 0; i < command->arity; i++) {
        if (i > 0 && !take_character(r, ','))
            return miscounted(r, command, ',');
        if (!read_term(r, command->table->takes[i], guard, &call->terms[i]))
            return false;
    }
    return take_character(r, ')') || miscounted(r, command, ')');
}

/* Quotes the name alone, and the command that was probably meant. */
static bool unknown_command(reading *r, size_t length)
{
    char        given[WRI_SPELLING_MOST] = "";
    const char *rest = r->line_end, *meant = NULL;
    memcpy(given, r->at, length < sizeof given ? length : sizeof given - 1);
    size_t far = wri_spelling_far(given);
    for (unsigned i = 0; i < r->machine->command_count; i++)
        if (wri_spelling_nearer(given, r->machine->commands[i].table->name, &far))
            meant = r->machine->commands[i].table->name;
    r->line_end = r->at + length;
    unexpected(r, r->at, "a command of the machine");
    r->line_end = rest;
    size_t used = strlen(r->error);
    if (meant != NULL)
        snprintf(r->error + used, r->error_size - used, " (did you mean %s?)", meant);
    return false;
}

/* The name of a command is all that stands before its bracket. */
static bool read_command(reading *r, uint8_t *number)
{
    const char *bracket = r->at;
    while (bracket < r->line_end && *bracket != '(')
        bracket++;
    if (bracket == r->line_end)
        return unexpected(r, r->at, "a call, COMMAND(...)");
    size_t length = (size_t)(bracket - r->at);
    for (unsigned i = 0; i < r->machine->command_count; i++) {
        const char *name = r->machine->commands[i].table->name;
        if (strlen(name) == length && memcmp(name, r->at, length) == 0) {
            r->at = bracket + 1;
            *number = wri_machine_like(r->machine, i);
            return true;
        }
    }
    return unknown_command(r, length);
}

static bool read_call(reading *r, bool guard, wri_pattern_call *call)
{
    *call = (wri_pattern_call){ .result = WRI_NO_VARIABLE };
    skip_blanks(r);
    return read_command(r, &call->command) && read_terms(r, call, guard);
}

/* ?P = before a call: where it stands is kept, for what the command gives comes later. */
static const char *take_result(reading *r)
{
    const char *from;
    skip_blanks(r);
    from = r->at;
    if (from == r->line_end || *from != '?')
        return NULL;
    r->at++;
    r->at += word_length(r);
    if (take_character(r, '='))
        return from;
    r->at = from;
    return NULL;
}

static bool read_result(reading *r, const char *from, unsigned number)
{
    const char                *behind = r->at;
    wri_pattern_call          *call = &r->pattern->calls[number];
    const wri_machine_command *command = &r->machine->commands[call->command];
    r->at = from;
    if (!command->giving)
        return wrong(r, r->at, "%s gives nothing", command->table->name);
    if (!read_variable(r, command->table->gives, false, &call->result))
        return false;
    variable *handle = &r->variables[call->result];
    if (handle->giver != WRI_NO_VARIABLE)
        return wrong(r, from, "?%s is given twice", handle->name);
    handle->giver = (uint8_t)number;
    r->at = behind;
    return true;
}

/* A call of the rule; `calls` is its bit. */
static bool read_own_call(reading *r, uint32_t *calls)
{
    unsigned    number = r->pattern->count;
    const char *result = take_result(r);
    if (number == WRI_PATTERN_CALLS)
        return wrong(r, r->at, "a rule has at most %d calls", WRI_PATTERN_CALLS);
    if (!read_call(r, false, &r->pattern->calls[number]) ||
        (result != NULL && !read_result(r, result, number)))
        return false;
    r->pattern->count++;
    *calls = UINT32_C(1) << number;
    return true;
}

/* ---- Orders ---- */

static void put_before(wri_pattern *pattern, uint32_t first, uint32_t then)
{
    for (; then != 0; then &= then - 1)
        pattern->before[__builtin_ctz(then)] |= first;
}

/* CALL, or (ROW), side by side. A row is such things one after the other, with a semicolon
 * between them. */
static bool read_beside(reading *r, unsigned depth, uint32_t *calls);

static bool read_row(reading *r, unsigned depth, uint32_t *calls)
{
    *calls = 0;
    do {
        uint32_t more;
        if (!read_beside(r, depth, &more))
            return false;
        put_before(r->pattern, *calls, more);
        *calls |= more;
    } while (take_character(r, ';'));
    return true;
}

static bool read_item(reading *r, unsigned depth, uint32_t *calls)
{
    if (!take_character(r, '('))
        return read_own_call(r, calls);
    if (depth == DEPTH_MOST)
        return wrong(r, r->at, "there are more than %d brackets in brackets", DEPTH_MOST);
    return read_row(r, depth + 1, calls) &&
           (take_character(r, ')') || unexpected(r, r->at, "; | or )"));
}

static bool read_beside(reading *r, unsigned depth, uint32_t *calls)
{
    *calls = 0;
    do {
        uint32_t more;
        if (!read_item(r, depth, &more))
            return false;
        *calls |= more;
    } while (take_character(r, '|'));
    return true;
}

/* N: CALL after N, N */
static bool read_numbered(reading *r)
{
    unsigned    number, count = r->pattern->count + 1, other;
    uint32_t    call;
    const char *from = r->at;
    if (!take_count(r, WRI_PATTERN_CALLS, &number) || number != count || !take_character(r, ':'))
        return wrong(r, from, "expected the number of the call, %u:", count);
    if (!read_own_call(r, &call))
        return false;
    if (!take_word(r, "after"))
        return true;
    do {
        if (!take_count(r, number - 1, &other))
            return unexpected(r, r->at, "the number of a call above");
        r->pattern->before[number - 1] |=
            UINT32_C(1) << (other - 1) | r->pattern->before[other - 1];
    } while (take_character(r, ','));
    return true;
}

static bool read_calls(reading *r)
{
    bool     first = r->pattern->count == 0, number = isdigit((unsigned char)*r->at) != 0;
    uint32_t more;
    if (r->pattern->guard_count > 0)
        return unexpected(r, r->at, "unless, or another rule: calls come first");
    if (!first && number != r->numbered)
        return unexpected(r, r->at,
                          number ? "a call without a number, as those above"
                                 : "a number, as the calls above have one");
    r->numbered = number;
    if (number)
        return read_numbered(r);
    if (!read_row(r, 0, &more))
        return false;
    put_before(r->pattern, r->calls, more);
    r->calls |= more;
    return true;
}

/* ---- Guards ---- */

/* A call of the rule, as it stands there, or by its number. */
static bool read_reference(reading *r, uint32_t *calls)
{
    wri_pattern_call call;
    unsigned         number;
    if (take_word(r, "call")) {
        if (!take_count(r, r->pattern->count, &number))
            return unexpected(r, r->at, "the number of a call of this rule");
        *calls = UINT32_C(1) << (number - 1);
        return true;
    }
    skip_blanks(r);
    const char *from = r->at;
    if (!read_call(r, true, &call))
        return false;
    *calls = 0;
    for (unsigned i = 0; i < r->pattern->count; i++)
        if (wri_rule_same_call(&call, &r->pattern->calls[i]))
            *calls |= UINT32_C(1) << i;
    if (*calls == 0)
        return unexpected(r, from, "a call of this rule");
    if ((*calls & (*calls - 1)) != 0)
        return unexpected(r, from, "call NUMBER, for several calls are like this");
    return true;
}

/* if CALL or CALL is last */
static bool read_condition(reading *r, uint32_t *last)
{
    uint32_t possible = wri_rule_last_calls(r->pattern), more = 0;
    *last = 0;
    do {
        skip_blanks(r);
        const char *from = r->at;
        if (!read_reference(r, &more))
            return false;
        if ((more & possible) == 0)
            return unexpected(r, from, "a call that can be the last");
        *last |= more;
    } while (take_word(r, "or"));
    return take_words(r, (const char *const[]){ "is", "last", NULL }) ||
           unexpected(r, r->at, "or, or is last");
}

/* consumed by CALL, which is the last one */
static bool read_consumer(reading *r, uint32_t last)
{
    wri_pattern_call call;
    if (take_words(r, (const char *const[]){ "the", "last", NULL }))
        return true;
    skip_blanks(r);
    const char *from = r->at;
    if (!read_call(r, true, &call))
        return false;
    if ((last & (last - 1)) != 0 ||
        !wri_rule_same_call(&call, &r->pattern->calls[__builtin_ctz(last)]))
        return unexpected(r, from, "the call that comes last, or the words: the last");
    return true;
}

/* unless CALL came between, if CALL is last, consumed by CALL; `from` is where that begins. */
static bool read_guard(reading *r, const char *from)
{
    static const char *const CONSUMED[] = { "consumed", "by", NULL };
    wri_pattern             *pattern = r->pattern;
    wri_guard               *guard = &pattern->guards[pattern->guard_count];
    if (pattern->count == 0)
        return wrong(r, from, "unless comes after the calls");
    if (pattern->guard_count == WRI_PATTERN_GUARDS)
        return wrong(r, from, "a rule has unless at most %d times", WRI_PATTERN_GUARDS);
    *guard = (wri_guard){ .last = wri_rule_last_calls(pattern) };
    if (!read_call(r, true, &guard->call))
        return false;
    if (!take_word(r, "came") || !take_word(r, pattern->count == 1 ? "before" : "between"))
        return unexpected(r, r->at,
                          pattern->count == 1 ? "came before"
                                              : "came between (the other calls and the last)");
    bool more = take_character(r, ',');
    if (more && take_word(r, "if")) {
        if (!read_condition(r, &guard->last))
            return false;
        more = take_character(r, ',');
    }
    if (more && !take_words(r, CONSUMED))
        return unexpected(r, r->at, "if CALL is last, or consumed by CALL");
    guard->consumed = more;
    pattern->guard_count++;
    return !more || read_consumer(r, guard->last);
}

/* ---- Conditions ---- */

/* with NAME = RANGE, NAME = RANGE; `from` is where that begins. */
static bool read_conditions(reading *r, const char *from)
{
    wri_pattern *pattern = r->pattern;
    if (pattern->count > 0)
        return wrong(r, from, "with comes before the calls");
    do {
        const char *where, *expected;
        if (pattern->condition_count == WRI_SETTINGS)
            return wrong(r, r->at, "a rule has at most %d conditions", WRI_SETTINGS);
        wri_condition *condition = &pattern->conditions[pattern->condition_count];
        const char    *end = wri_condition_read(r->at, r->line_end, condition, &where, &expected);
        if (end == NULL)
            return unexpected(r, where, expected);
        for (unsigned i = 0; i < pattern->condition_count; i++)
            if (wri_condition_of_same(condition, &pattern->conditions[i]))
                return wrong(r, r->at, "there are two conditions on this draw");
        pattern->condition_count++;
        r->at = end;
    } while (take_character(r, ','));
    return true;
}

/* ---- Rules ---- */

/* A name in quotes, into memory of its own. */
static bool read_name(reading *r, char **name)
{
    size_t length = 0;
    if (!take_character(r, '"'))
        return unexpected(r, r->at, "the name of the rule, in quotes");
    if ((*name = malloc((size_t)(r->line_end - r->at) + 1)) == NULL)
        return no_memory(r);
    while (r->at < r->line_end && *r->at != '"' && *r->at != '\0') {
        r->at += *r->at == '\\' && r->at + 1 < r->line_end;
        (*name)[length++] = *r->at++;
    }
    (*name)[length] = '\0';
    return take_character(r, '"') || unexpected(r, r->at, "a quote after the name");
}

/* of MACHINE: is it the one that is read for? */
static bool read_machine(reading *r)
{
    const char *name = r->machine->name;
    if (!take_word(r, "of"))
        return unexpected(r, r->at, "of MACHINE");
    skip_blanks(r);
    size_t length = word_length(r);
    if (length == 0)
        return unexpected(r, r->at, "the name of a machine");
    r->other = strlen(name) != length || memcmp(name, r->at, length) != 0;
    r->at += length;
    return true;
}

/* Checks that need the whole rule. */
static bool end_rule(reading *r)
{
    wri_pattern *pattern = r->pattern;
    if (pattern == NULL)
        return true;
    if (pattern->count == 0)
        return unexpected(r, r->at, "a call: the rule has none");
    for (unsigned i = 0; i < pattern->count; i++)
        for (unsigned j = 0; j < r->machine->commands[pattern->calls[i].command].arity; j++) {
            const wri_term *term = &pattern->calls[i].terms[j];
            const variable *v = &r->variables[term->variable];
            if (term->sort == WRI_TERM_VARIABLE && v->giver != WRI_NO_VARIABLE &&
                (v->giver == i || (pattern->before[v->giver] >> i & 1) != 0))
                return wrong(r, r->at, "in the rule above ?%s is used before it is given",
                             v->name);
        }
    r->pattern = NULL;
    return true;
}

/* rule "NAME" of MACHINE */
static bool begin_rule(reading *r)
{
    char      *name = NULL;
    wri_rules *rules = r->rules;
    if (!end_rule(r))
        return false;
    bool      fine = read_name(r, &name) && read_machine(r);
    wri_rule *list = !fine || r->other
                         ? NULL
                         : wri_grow(rules->list, sizeof *list, rules->count, &rules->room);
    if (list == NULL) {
        free(name);
        return fine && (r->other || no_memory(r));
    }
    rules->list = list;
    list[rules->count] = (wri_rule){ .name = name };
    r->pattern = &list[rules->count++].pattern;
    r->calls = 0;
    return true;
}

static bool read_line(reading *r)
{
    const char *from = r->at;
    if (take_word(r, "rule"))
        return begin_rule(r);
    if (r->pattern == NULL && !r->other)
        return unexpected(r, from, "rule \"NAME\" of MACHINE");
    if (r->other) {
        r->at = r->line_end;
        return true;
    }
    if (take_word(r, "with"))
        return read_conditions(r, from);
    return take_word(r, "unless") ? read_guard(r, from) : read_calls(r);
}

bool wri_rules_next_head(wri_rule_head *head)
{
    char    error[400];
    reading r = { .next = head->next,
                  .end = head->end,
                  .number = head->line,
                  .error = error,
                  .error_size = sizeof error };
    while (next_line(&r)) {
        char *name = NULL;
        bool  fine = take_word(&r, "rule") && read_name(&r, &name) && take_word(&r, "of");
        free(name);
        skip_blanks(&r);
        if (!fine || word_length(&r) == 0)
            continue;
        head->machine = r.at;
        head->length = word_length(&r);
        head->next = r.next;
        head->line = r.number;
        return true;
    }
    return false;
}

bool wri_rules_read(const wri_machine *machine, const char *text, size_t length, wri_rules *rules,
                    char *error, size_t error_size)
{
    reading r = { .machine = machine,
                  .next = text,
                  .end = text + length,
                  .line = text,
                  .at = text,
                  .line_end = text,
                  .rules = rules,
                  .error = error,
                  .error_size = error_size };
    bool    fine = true;
    *rules = (wri_rules){ 0 };
    while (fine && next_line(&r)) {
        fine = read_line(&r);
        if (fine && !is_over(&r))
            fine = unexpected(&r, r.at, "the end of the line");
    }
    fine = fine && end_rule(&r);
    if (!fine)
        wri_rules_free(rules);
    return fine;
}

void wri_rules_free(wri_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        free(rules->list[i].name);
    free(rules->list);
    *rules = (wri_rules){ 0 };
}
