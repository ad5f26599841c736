/* tests/patterned.h: a machine that is never played, and random sequences and patterns of it. */
#ifndef WRI_TESTS_PATTERNED_H
#define WRI_TESTS_PATTERNED_H

#include <stdlib.h>
#include <string.h>

#include "core/prng.h"
#include "gen/show.h"
#include "machine/pattern/pattern.h"

/* ---- The machine ---- */

#define FEW_VALUES 4

static inline void show_few(wr_out *out, int64_t value)
{
    wr_put(out, "\"%c\"", (char)('a' + value));
}

static inline int64_t draw_number(wr_case *t)
{
    return wr_int(t, NULL, -9, 9);
}

static const wr_kind FEW = { "few", .values = FEW_VALUES, .show = show_few };
static const wr_kind NUMBER = { "number", .draw = draw_number };
static const wr_kind THING = { "thing", .handle = true };
static const wr_kind PLACE = { "place", .handle = true };

static const wr_command PATTERNED[] = {
    { "make", .takes = { &FEW }, .gives = &THING },
    { "open", .gives = &PLACE },
    { "use", .takes = { &THING } },
    { "pair", .takes = { &THING, &THING } },
    { "put", .takes = { &FEW, &PLACE } },
    { "move", .takes = { &THING, &PLACE, &FEW } },
    { "swap", .takes = { &FEW, &FEW } },
    { "write", .takes = { &NUMBER } },
    { "close", .takes = { &PLACE }, .consumes = 1u },
    { "idle", .weight = 1 },
    { 0 },
};
enum { COMMAND_COUNT = sizeof PATTERNED / sizeof *PATTERNED - 1 };

static wri_machine_command patterned_commands[COMMAND_COUNT];
static wri_machine_kind    patterned_values[] = { { .table = &FEW }, { .table = &NUMBER } };
static wri_kind_text      *patterned_names;
static wri_machine         patterned = { .name = "patterned",
                                         .command_count = COMMAND_COUNT,
                                         .commands = patterned_commands,
                                         .value_count = 2,
                                         .values = patterned_values,
                                         .setting_names = &patterned_names };

/* What table.c makes of it, as far as patterns look at that. */
static inline void build_machine(void)
{
    for (unsigned i = 0; i < COMMAND_COUNT; i++) {
        wri_machine_command *command = &patterned_commands[i];
        command->table = &PATTERNED[i];
        command->like = (uint8_t)i;
        command->giving = PATTERNED[i].gives != NULL;
        command->plain = PATTERNED[i].takes[0] != &NUMBER;
        for (; command->arity < WRI_ARGUMENTS && PATTERNED[i].takes[command->arity] != NULL;
             command->arity++)
            command->kinds[command->arity] = PATTERNED[i].takes[command->arity] == &NUMBER;
    }
}

/* ---- Random sequences ---- */

static inline uint64_t below(uint64_t *random, uint64_t count)
{
    return wri_prng_scale(wri_prng_next(random), count - 1);
}

static inline bool one_in(uint64_t *random, uint64_t count)
{
    return below(random, count) == 0;
}

/* A call that gave such a handle; -1: there is none. */
static inline int64_t some_giver(uint64_t *random, const wri_sequence *sequence,
                                 const wr_kind *kind)
{
    int64_t  found = -1;
    uint64_t count = 0;
    for (size_t i = 0; i < sequence->count; i++)
        if (PATTERNED[sequence->calls[i].command].gives == kind && one_in(random, ++count))
            found = (int64_t)i;
    return found;
}

static inline int64_t some_value(uint64_t *random, const wri_sequence *sequence,
                                 const wr_kind *kind)
{
    if (kind->handle)
        return some_giver(random, sequence, kind);
    return kind->values > 0 ? (int64_t)below(random, kind->values)
                            : (int64_t)below(random, 19) - 9;
}

/* False: a handle that it takes is not there. */
static inline bool some_call(uint64_t *random, const wri_sequence *sequence, unsigned command,
                             wri_made *made)
{
    *made = (wri_made){ .command = (uint8_t)command };
    for (unsigned i = 0; i < patterned_commands[command].arity; i++) {
        const wr_kind *kind = PATTERNED[command].takes[i];
        made->arguments[i] = some_value(random, sequence, kind);
        if (kind->handle && made->arguments[i] < 0)
            return false;
    }
    return true;
}

/* Of `count` calls, of the first so many commands only. The sequence has room for them. */
static inline void some_sequence(uint64_t *random, wri_sequence *sequence, size_t count,
                                 unsigned commands)
{
    sequence->count = 0;
    while (sequence->count < count)
        if (some_call(random, sequence, (unsigned)below(random, commands),
                      &sequence->calls[sequence->count]))
            sequence->count++;
}

/* ---- Random patterns ---- */

/* The kind of a variable, where a call has it; NULL: nowhere. */
static inline const wr_kind *kind_of(const wri_pattern *pattern, unsigned variable)
{
    for (unsigned i = 0; i < pattern->count; i++) {
        const wri_pattern_call *call = &pattern->calls[i];
        if (call->result == variable)
            return PATTERNED[call->command].gives;
        for (unsigned j = 0; j < patterned_commands[call->command].arity; j++)
            if (call->terms[j].sort == WRI_TERM_VARIABLE && call->terms[j].variable == variable)
                return PATTERNED[call->command].takes[j];
    }
    return NULL;
}

static inline wri_term some_range(uint64_t *random, const wr_kind *kind)
{
    wri_term term = { .sort = WRI_TERM_RANGE, .least = some_value(random, NULL, kind) };
    term.most = term.least + (int64_t)below(random, 3);
    if (kind->values > 0 && term.most >= (int64_t)kind->values)
        term.most = (int64_t)kind->values - 1;
    if (one_in(random, 6))
        term.least = INT64_MIN;
    if (one_in(random, 6))
        term.most = INT64_MAX;
    return term;
}

/* A variable of the pattern that is of this kind, if there is one. */
static inline bool some_variable(uint64_t *random, const wri_pattern *pattern,
                                 const wr_kind *kind, wri_term *term)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < pattern->variable_count; i++)
        if (kind_of(pattern, i) == kind && one_in(random, ++count))
            *term = (wri_term){ .sort = WRI_TERM_VARIABLE, .variable = (uint8_t)i };
    return count > 0;
}

/* Does a call at or after this place give what the variable is? */
static inline bool is_given_later(const wri_pattern *pattern, unsigned from, unsigned variable)
{
    for (unsigned i = from; i < pattern->count; i++)
        if (pattern->calls[i].result == variable)
            return true;
    return false;
}

static inline void change_term(uint64_t *random, wri_pattern *pattern, unsigned call,
                               const wr_kind *kind, wri_term *term)
{
    wri_term other;
    if (one_in(random, 5))
        *term = (wri_term){ .sort = WRI_TERM_ANY };
    else if (one_in(random, 6) && !kind->handle)
        *term = some_range(random, kind);
    else if (one_in(random, 8) && some_variable(random, pattern, kind, &other) &&
             !is_given_later(pattern, call, other.variable))
        *term = other;
}

static inline void change_terms(uint64_t *random, wri_pattern *pattern)
{
    for (unsigned i = 0; i < pattern->count; i++) {
        wri_pattern_call *call = &pattern->calls[i];
        for (unsigned j = 0; j < patterned_commands[call->command].arity; j++)
            change_term(random, pattern, i, PATTERNED[call->command].takes[j], &call->terms[j]);
        if (one_in(random, 12))
            call->result = WRI_NO_VARIABLE;
    }
}

/* Any partial order that the calls' own order allows. */
static inline void change_order(uint64_t *random, wri_pattern *pattern, uint64_t keep)
{
    for (unsigned i = 0; i < pattern->count; i++) {
        pattern->before[i] = 0;
        for (unsigned j = 0; j < i; j++)
            if (below(random, 4) < keep)
                pattern->before[i] |= UINT32_C(1) << j | pattern->before[j];
    }
}

static inline void add_guard(uint64_t *random, wri_pattern *pattern)
{
    wri_guard *guard = &pattern->guards[pattern->guard_count++];
    unsigned   command = (unsigned)below(random, COMMAND_COUNT);
    *guard =
        (wri_guard){ .last = (uint32_t)wri_prng_next(random) | (uint32_t)wri_prng_next(random),
                     .consumed = one_in(random, 2),
                     .call = { .command = (uint8_t)command, .result = WRI_NO_VARIABLE } };
    for (unsigned i = 0; i < patterned_commands[command].arity; i++) {
        const wr_kind *kind = PATTERNED[command].takes[i];
        if (!one_in(random, 4))
            some_variable(random, pattern, kind, &guard->call.terms[i]);
        else if (!kind->handle && one_in(random, 2))
            guard->call.terms[i] = some_range(random, kind);
        else if (one_in(random, 8)) /* one that the calls do not have */
            guard->call.terms[i] = (wri_term){ .sort = WRI_TERM_VARIABLE,
                                               .variable = (uint8_t)pattern->variable_count };
    }
}

/* Of up to `most` calls. The commands are the first so many. */
static inline void some_pattern(uint64_t *random, wri_pattern *pattern, unsigned most,
                                unsigned commands)
{
    static const wri_level LEVELS[] = { WRI_LEVEL_NAMES, WRI_LEVEL_OBJECTS, WRI_LEVEL_SHARED,
                                        WRI_LEVEL_SHARED };
    wri_made               calls[WRI_PATTERN_CALLS];
    wri_sequence           sequence = { .calls = calls, .room = WRI_PATTERN_CALLS };
    some_sequence(random, &sequence, 1 + below(random, most), commands);
    wri_abstract_calls(&patterned, &sequence, LEVELS[below(random, 4)], pattern);
    change_terms(random, pattern);
    change_order(random, pattern, below(random, 5));
    for (uint64_t guards = one_in(random, 2) ? below(random, 4) : 0; guards > 0; guards--)
        add_guard(random, pattern);
}

#endif
