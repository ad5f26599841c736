/* machine/pattern/rule_write.c: writes a pattern as people read it.
 *
 *     with slots = 3
 *     ?P = spawn()
 *     register(?A, ?P) | register(?B, ?P)
 *       unless unregister(?A) came between
 *
 * Conditions on what .start drew come first (condition.h). Calls stand below each other; calls
 * whose order does not matter stand beside each other. If an order cannot be written so, each
 * call gets a number and says which calls it comes after.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/pattern/condition.h"
#include "machine/pattern/opaque.h"
#include "machine/pattern/rule.h"

typedef struct writing {
    const wri_machine *machine;
    const wri_pattern *pattern;
    wri_shows          shows;
    FILE              *out;
    const char        *indent;                       /* what lines begin with */
    uint8_t            names[WRI_PATTERN_VARIABLES]; /* which of its sort, from 1; 0: none yet */
    bool               handles[WRI_PATTERN_VARIABLES];
    unsigned           named[2];                 /* values, handles */
    unsigned           order[WRI_PATTERN_CALLS]; /* as they are written */
    unsigned           written;
} writing;

static uint32_t all_calls(const wri_pattern *pattern)
{
    return (uint32_t)((UINT64_C(1) << pattern->count) - 1);
}

/* ---- Variables ---- */

/* Values are A, B, ... O, A2, ...; handles P, Q, ... Z, P2, ... */
static void put_variable(writing *w, unsigned variable, bool handle)
{
    static const unsigned LETTERS[] = { 15, 11 };
    if (w->names[variable] == 0) {
        w->names[variable] = (uint8_t)++w->named[handle];
        w->handles[variable] = handle;
    }
    handle = w->handles[variable];
    unsigned number = w->names[variable] - 1u, round = number / LETTERS[handle];
    fprintf(w->out, "?%c", (handle ? 'P' : 'A') + (int)(number % LETTERS[handle]));
    if (round > 0)
        fprintf(w->out, "%u", round + 1);
}

static void put_opaque(writing *w, const wr_kind *kind, int64_t value)
{
    const char *text = wri_opaque_text(w->machine, kind, value);
    fprintf(w->out, "%s%s" WRI_OPAQUE_FORMAT, text == NULL ? "" : text, text == NULL ? "" : " ",
            (uint64_t)value & UINT64_C(0xffffffffffff));
}

static void put_range(writing *w, const wr_kind *kind, const wri_term *term)
{
    if (term->least == term->most && wri_opaque_may_be(kind) && wri_made_is_opaque(term->least)) {
        put_opaque(w, kind, term->least);
        return;
    }
    const char *shown =
        term->least == term->most ? wri_shows_value(&w->shows, kind, term->least) : NULL;
    if (shown != NULL) {
        fputs(shown, w->out);
        return;
    }
    if (term->least != INT64_MIN || term->most == INT64_MIN)
        fprintf(w->out, "%" PRId64, term->least);
    if (term->least == term->most)
        return;
    fputs("..", w->out);
    if (term->most != INT64_MAX)
        fprintf(w->out, "%" PRId64, term->most);
}

/* In a guard, a variable that the calls do not have is anything. */
static void put_term(writing *w, const wr_kind *kind, const wri_term *term, bool guard)
{
    if (term->sort == WRI_TERM_RANGE)
        put_range(w, kind, term);
    else if (term->sort == WRI_TERM_ANY || (guard && w->names[term->variable] == 0))
        fputc('_', w->out);
    else
        put_variable(w, term->variable, kind->handle);
}

/* ---- Calls ---- */

static void put_terms(writing *w, const wri_pattern_call *call, bool guard)
{
    const wri_machine_command *command = &w->machine->commands[call->command];
    fprintf(w->out, "%s(", command->table->name);
    for (unsigned i = 0; i < command->arity; i++) {
        fputs(i > 0 ? ", " : "", w->out);
        put_term(w, command->table->takes[i], &call->terms[i], guard);
    }
    fputc(')', w->out);
}

static void put_call(writing *w, unsigned number)
{
    const wri_pattern_call *call = &w->pattern->calls[number];
    if (call->result != WRI_NO_VARIABLE) {
        put_variable(w, call->result, true);
        fputs(" = ", w->out);
    }
    put_terms(w, call, false);
    w->order[w->written++] = number;
}

/* ---- Orders ---- */

static bool are_ordered(const wri_pattern *pattern, unsigned i, unsigned j)
{
    return ((pattern->before[i] >> j | pattern->before[j] >> i) & 1) != 0;
}

/* The calls that a chain of ordered pairs connects with the lowest one; or a chain of pairs that
 * are not ordered. */
static uint32_t part_of(const wri_pattern *pattern, uint32_t calls, bool ordered)
{
    uint32_t part = calls & -calls, before;
    do {
        before = part;
        for (uint32_t left = part; left != 0; left &= left - 1)
            for (uint32_t others = calls & ~part; others != 0; others &= others - 1)
                if (are_ordered(pattern, (unsigned)__builtin_ctz(left),
                                (unsigned)__builtin_ctz(others)) == ordered)
                    part |= others & -others;
    } while (part != before);
    return part;
}

/* The part of a row that comes first. */
static uint32_t first_part(const wri_pattern *pattern, uint32_t calls)
{
    uint32_t first = part_of(pattern, calls, false);
    for (uint32_t left = calls & ~first; left != 0;) {
        uint32_t part = part_of(pattern, left, false);
        left &= ~part;
        if ((pattern->before[__builtin_ctz(first)] & part) != 0)
            first = part;
    }
    return first;
}

/* Can it be written with calls below and beside each other alone? */
static bool is_simple(const wri_pattern *pattern, uint32_t calls)
{
    uint32_t part = part_of(pattern, calls, false);
    if ((calls & (calls - 1)) == 0)
        return true;
    if (part == calls)
        part = part_of(pattern, calls, true);
    return part != calls && is_simple(pattern, part) && is_simple(pattern, calls & ~part);
}

/* Calls side by side, or one alone, or, in brackets, a row of them. */
static void put_beside(writing *w, uint32_t calls);

static void put_row(writing *w, uint32_t calls)
{
    while (calls != 0) {
        uint32_t part = first_part(w->pattern, calls);
        put_beside(w, part);
        calls &= ~part;
        fputs(calls != 0 ? "; " : "", w->out);
    }
}

static void put_beside(writing *w, uint32_t calls)
{
    while (calls != 0) {
        uint32_t part = part_of(w->pattern, calls, true);
        bool     alone = (part & (part - 1)) == 0;
        calls &= ~part;
        if (alone) {
            put_call(w, (unsigned)__builtin_ctz(part));
        } else {
            fputc('(', w->out);
            put_row(w, part);
            fputc(')', w->out);
        }
        fputs(calls != 0 ? " | " : "", w->out);
    }
}

static void put_lines(writing *w, uint32_t calls)
{
    while (calls != 0) {
        uint32_t part = first_part(w->pattern, calls);
        fputs(w->indent, w->out);
        put_beside(w, part);
        fputc('\n', w->out);
        calls &= ~part;
    }
}

/* The calls directly before a call. */
static uint32_t nearest(const wri_pattern *pattern, unsigned call)
{
    uint32_t found = pattern->before[call];
    for (uint32_t left = found; left != 0; left &= left - 1)
        found &= ~pattern->before[__builtin_ctz(left)];
    return found;
}

static void put_numbered(writing *w)
{
    uint32_t left = all_calls(w->pattern);
    while (left != 0) {
        unsigned call = (unsigned)__builtin_ctz(left);
        while ((w->pattern->before[call] & left) != 0)
            call = (unsigned)__builtin_ctz(w->pattern->before[call] & left);
        left &= ~wri_pattern_bit(call);
        fprintf(w->out, "%s%u: ", w->indent, w->written + 1);
        put_call(w, call);
        const char *between = " after ";
        for (unsigned i = 0; i + 1 < w->written; i++)
            if ((nearest(w->pattern, call) >> w->order[i] & 1) != 0) {
                fprintf(w->out, "%s%u", between, i + 1);
                between = ", ";
            }
        fputc('\n', w->out);
    }
}

/* ---- Guards ---- */

/* The call as it is written, or its number where another looks like it. */
static void put_reference(writing *w, unsigned place)
{
    const wri_pattern_call *call = &w->pattern->calls[w->order[place]];
    unsigned                alike = 0;
    for (unsigned i = 0; i < w->pattern->count; i++)
        alike += wri_rule_same_call(call, &w->pattern->calls[i]);
    if (alike > 1)
        fprintf(w->out, "call %u", place + 1);
    else
        put_terms(w, call, false);
}

static void put_condition(writing *w, uint32_t last)
{
    const char *between = ", if ";
    for (unsigned i = 0; i < w->written; i++)
        if ((last >> w->order[i] & 1) != 0) {
            fputs(between, w->out);
            put_reference(w, i);
            between = " or ";
        }
    fputs(" is last", w->out);
}

static void put_guard(writing *w, const wri_guard *guard)
{
    uint32_t all = wri_rule_last_calls(w->pattern), last = guard->last & all;
    if (last == 0)
        return; /* it never has a say */
    fprintf(w->out, "%s  unless ", w->indent);
    put_terms(w, &guard->call, true);
    fputs(w->pattern->count == 1 ? " came before" : " came between", w->out);
    if (last != all)
        put_condition(w, last);
    if (!guard->consumed)
        fputc('\n', w->out);
    else if ((last & (last - 1)) == 0) {
        fputs(", consumed by ", w->out);
        put_terms(w, &w->pattern->calls[__builtin_ctz(last)], false);
        fputc('\n', w->out);
    } else {
        fputs(", consumed by the last\n", w->out);
    }
}

/* ---- Rules ---- */

static void put_rule(writing *w)
{
    uint32_t calls = all_calls(w->pattern);
    if (w->pattern->condition_count > 0) {
        fputs(w->indent, w->out);
        wri_condition_write(w->machine, w->pattern, w->out);
        fputc('\n', w->out);
    }
    if (is_simple(w->pattern, calls))
        put_lines(w, calls);
    else
        put_numbered(w);
    for (unsigned i = 0; i < w->pattern->guard_count; i++)
        put_guard(w, &w->pattern->guards[i]);
}

/* In quotes, on one line. */
static void put_name(FILE *out, const char *name)
{
    fputc('"', out);
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\')
            fputc('\\', out);
        fputc((unsigned char)*name < ' ' || *name == 0x7f ? ' ' : *name, out);
    }
    fputc('"', out);
}

char *wri_rule_text(const wri_machine *machine, const wri_pattern *pattern, const char *name)
{
    char   *text = NULL;
    size_t  length;
    writing w = { .machine = machine,
                  .pattern = pattern,
                  .out = open_memstream(&text, &length),
                  .indent = name == NULL ? "" : "  " };
    if (w.out == NULL)
        return NULL;
    if (name != NULL) {
        fputs("rule ", w.out);
        put_name(w.out, name);
        fprintf(w.out, " of %s\n", machine->name);
    }
    put_rule(&w);
    bool failed = ferror(w.out) != 0;
    failed |= fclose(w.out) != 0;
    if (!failed)
        return text;
    free(text);
    return NULL;
}
