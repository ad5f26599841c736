/* machine/study/guards.c: finds the calls that make a bug harmless.
 *
 *     unregister(?A)
 *       unless register(?A, _) came before
 *
 * A test may fail because a call is missing. Without its guard, the rule above would forbid half
 * of the API. So calls are put in before the one that fails, one at a time. Each has a value or a
 * handle in common with the pattern; its other arguments are its own. A call with which the
 * failure is gone is a guard, and an argument that need not be common is "anything". If the
 * failing call then fails when it is made once more, it has consumed the guard. A guard is also
 * tried with other values: if one of them does not help, the guard names the value that does. A
 * call that fails on its own may have a guard with nothing in common.
 *
 * Observers change nothing, so they are no guards. Calls that are known to fail are not put in.
 * If another call of the same command can come last, it has guards of its own: the commands that
 * are guards already are tried there.
 */
#include "machine/study/trial.h"

#include <string.h>

/* Calls that are put in, at most, for each call that can come last. */
#define TESTS_MOST 64
/* Other values of one argument that a guard is tried with; one that is no help nevertheless shows
 * when it is met. */
#define VALUE_TESTS 1
/* A call that gives a handle may take handles itself, and so on. */
#define DEPTH_MOST 4

/* The source of an argument of a call that is put in: a value of its own, or an argument of the
 * sequence; for a handle, the call that gave it. */
#define OWN SIZE_MAX
typedef struct source {
    size_t   call;
    unsigned argument;
} source;

typedef struct guarding {
    const wri_lab *lab;
    wri_pattern   *pattern;
    wri_level      level;
    wri_sequence   failing;                  /* one order of the pattern's calls, */
    size_t         order[WRI_PATTERN_CALLS]; /* and which they are */
    uint64_t       commands;                 /* which are tried */
    wri_sequence   draft;   /* failing, with calls before it and one before its last */
    size_t         prelude; /* how many before it */
    wri_sequence   varied;  /* the draft with another value */
    wri_made       put_in;
    source         sources[WRI_ARGUMENTS];
    unsigned       tests;
} guarding;

/* ---- Calls that are put in ---- */

static bool define(guarding *g, const wr_kind *kind, unsigned depth, int64_t *handle);

/* A value that is nowhere in the sequence, or any. */
static bool own_value(guarding *g, const wr_kind *kind, int64_t *value)
{
    if (wri_trial_fresh_of(g->lab, &g->draft, kind, value))
        return true;
    *value = 0;
    return kind->values > 0 || g->lab->some(g->lab->context, kind, 0, value);
}

static bool own_argument(guarding *g, const wr_kind *kind, unsigned depth, int64_t *value)
{
    return kind->handle ? define(g, kind, depth, value) : own_value(g, kind, value);
}

/* The command that gives such handles and takes the fewest itself. */
static const wri_machine_command *giver_of(const wri_machine *machine, const wr_kind *kind)
{
    const wri_machine_command *best = NULL;
    for (unsigned i = 0; i < machine->command_count; i++) {
        const wri_machine_command *command = &machine->commands[i];
        if (command->table->gives == kind &&
            (best == NULL ||
             __builtin_popcountll(command->needs) < __builtin_popcountll(best->needs)))
            best = command;
    }
    return best;
}

/* Puts calls in front that give a handle. */
static bool define(guarding *g, const wr_kind *kind, unsigned depth, int64_t *handle)
{
    const wri_machine         *machine = g->lab->machine;
    const wri_machine_command *command = giver_of(machine, kind);
    if (command == NULL)
        return false;
    wri_made call = { .command = (uint8_t)(command - machine->commands) };
    for (unsigned i = 0; i < command->arity; i++)
        if (depth == DEPTH_MOST ||
            !own_argument(g, command->table->takes[i], depth + 1, &call.arguments[i]))
            return false;
    *handle = (int64_t)g->prelude;
    return wri_sequence_insert(machine, &g->draft, g->prelude++, &call);
}

static int64_t shared_argument(const guarding *g, unsigned argument)
{
    const source *from = &g->sources[argument];
    if (wri_machine_takes_handle(g->lab->machine, g->put_in.command, argument))
        return (int64_t)(g->prelude + from->call);
    return g->failing.calls[from->call].arguments[from->argument];
}

/* Writes the draft: the sequence with the call in it. False: it cannot be made. */
static bool put_in(guarding *g)
{
    const wr_command *table = g->lab->machine->commands[g->put_in.command].table;
    unsigned          arity = wri_made_arity(g->lab->machine, &g->put_in);
    g->prelude = 0;
    if (!wri_sequence_copy(&g->draft, &g->failing))
        return false;
    for (unsigned i = 0; i < arity; i++)
        if (g->sources[i].call == OWN &&
            !own_argument(g, table->takes[i], 0, &g->put_in.arguments[i]))
            return false;
    for (unsigned i = 0; i < arity; i++)
        if (g->sources[i].call != OWN)
            g->put_in.arguments[i] = shared_argument(g, i);
    return wri_sequence_insert(g->lab->machine, &g->draft, g->draft.count - 1, &g->put_in);
}

/* ---- Guards ---- */

static wri_term term_of(const guarding *g, unsigned argument)
{
    const source  *from = &g->sources[argument];
    const wr_kind *kind = wri_made_kind(g->lab->machine, &g->put_in, argument);
    wri_term       any = { .sort = WRI_TERM_ANY };
    if (from->call == OWN || g->level > (kind->handle ? WRI_LEVEL_OBJECTS : WRI_LEVEL_SHARED))
        return any;
    const wri_pattern_call *call = &g->pattern->calls[g->order[from->call]];
    if (!kind->handle)
        return call->terms[from->argument];
    return (wri_term){ .sort = WRI_TERM_VARIABLE, .variable = call->result };
}

static wri_guard guard_of(const guarding *g)
{
    wri_guard guard = { .last = UINT32_C(1) << g->order[g->failing.count - 1] };
    guard.call =
        (wri_pattern_call){ .command = wri_machine_like(g->lab->machine, g->put_in.command),
                            .result = WRI_NO_VARIABLE };
    for (unsigned i = 0; i < wri_made_arity(g->lab->machine, &g->put_in); i++)
        guard.call.terms[i] = term_of(g, i);
    return guard;
}

/* Is all that `special` allows allowed by `general`? */
static bool includes(const guarding *g, const wri_guard *general, const wri_guard *special)
{
    bool included = general->call.command == special->call.command;
    for (unsigned i = 0; included && i < g->lab->machine->commands[general->call.command].arity;
         i++)
        included = general->call.terms[i].sort == WRI_TERM_ANY ||
                   wri_term_same(&general->call.terms[i], &special->call.terms[i]);
    return included;
}

static bool is_known(const guarding *g, const wri_guard *guard)
{
    for (unsigned i = 0; i < g->pattern->guard_count; i++)
        if ((g->pattern->guards[i].last & guard->last) != 0 &&
            includes(g, &g->pattern->guards[i], guard))
            return true;
    return false;
}

/* Does the failing call fail when it is made a second time? The pattern may say so without. */
static bool is_consumed(guarding *g)
{
    wri_made last = g->draft.calls[g->draft.count - 1];
    return wri_sequence_append(&g->draft, &last) &&
           !wri_pattern_meets_at_end(g->lab->machine, g->pattern, &g->draft) &&
           wri_trial_fails_at_end(g->lab, &g->draft);
}

/* One that is there for another call that can come last is the same guard. */
static void add_guard(guarding *g, wri_guard guard)
{
    wri_pattern *pattern = g->pattern;
    wri_guard   *added = &pattern->guards[pattern->guard_count++];
    *added = guard;
    added->consumed = is_consumed(g);
    for (wri_guard *known = pattern->guards; known < added; known++)
        if (known->consumed == added->consumed && includes(g, known, added) &&
            includes(g, added, known)) {
            known->last |= added->last;
            pattern->guard_count--;
            return;
        }
}

/* The call before the last would itself complete the bug, or is the one that fails. */
static bool fails_early(guarding *g)
{
    size_t count = g->draft.count--;
    bool   fails = wri_pattern_meets_at_end(g->lab->machine, g->pattern, &g->draft);
    g->draft.count = count;
    return fails;
}

/* ---- Other values ---- */

/* The call that was put in with another value of this argument, and where that is shared the
 * whole sequence: is it still harmless? True also where that cannot be seen: without it the calls
 * do not fail, or with it they cannot be made. */
static bool helps_with(guarding *g, unsigned argument, int64_t value)
{
    const wri_machine *machine = g->lab->machine;
    bool               shared = g->sources[argument].call != OWN;
    wri_class class = { .kind = wri_made_kind(machine, &g->put_in, argument),
                        .value = g->put_in.arguments[argument] };
    size_t at;
    if (shared && (!wri_trial_recast(machine, &g->failing, &class, &value, 1, &g->varied) ||
                   !wri_trial_fails_at_end(g->lab, &g->varied)))
        return true;
    if (!wri_trial_recast(machine, &g->draft, &class, &value, shared, &g->varied))
        return true;
    g->varied.calls[g->varied.count - 2].arguments[argument] = value;
    return wri_trial_try(g->lab, &g->varied, &at) != WRI_TRIED_SAME || at + 1 != g->varied.count;
}

/* The values that the argument could have instead, by number. */
static bool other_value(const guarding *g, unsigned argument, unsigned number, int64_t *value)
{
    const wri_lab *lab = g->lab;
    const wr_kind *kind = wri_made_kind(lab->machine, &g->put_in, argument);
    int64_t        own = g->put_in.arguments[argument];
    if (kind->values == 0)
        return lab->other(lab->context, &g->draft, g->draft.count - 2, argument, number, value);
    *value = (int64_t)number + ((int64_t)number >= own);
    return *value < (int64_t)kind->values;
}

/* Is a value of the argument known to be no help? Nobody needs to ask for interchangeable ones.
 */
static bool depends_on(guarding *g, unsigned argument)
{
    const wr_kind *kind = wri_made_kind(g->lab->machine, &g->put_in, argument);
    int64_t        value;
    for (unsigned i = 0; !kind->handle && !kind->symmetric && i < VALUE_TESTS &&
                         other_value(g, argument, i, &value);
         i++)
        if (!helps_with(g, argument, value))
            return true;
    return false;
}

/* Does the sequence have values of the kind, too? Then what matters is how they stand to each
 * other. */
static bool is_beside_others(const guarding *g, unsigned argument)
{
    const wr_kind *kind = wri_made_kind(g->lab->machine, &g->put_in, argument);
    wri_class      classes[WRI_CLASSES];
    size_t         count = wri_trial_classes_of(g->lab->machine, &g->failing, classes);
    for (size_t i = 0; i < count; i++)
        if (classes[i].kind == kind && g->sources[argument].call == OWN)
            return true;
    return false;
}

/* A guard that was tried with one value holds for all, or the rule names that value. False: the
 * rule cannot. */
static bool narrow(guarding *g, wri_guard *guard)
{
    for (unsigned i = 0; i < wri_made_arity(g->lab->machine, &g->put_in); i++) {
        if (guard->call.terms[i].sort == WRI_TERM_RANGE || g->level != WRI_LEVEL_SHARED ||
            !depends_on(g, i))
            continue;
        if (is_beside_others(g, i))
            return false;
        guard->call.terms[i] = wri_term_constant(g->put_in.arguments[i]);
    }
    return true;
}

/* Does the call, put in, make it pass? */
static bool helps(guarding *g)
{
    size_t at;
    if (g->tests == TESTS_MOST || !put_in(g) || fails_early(g))
        return false;
    g->tests++;
    return wri_trial_try(g->lab, &g->draft, &at) == WRI_TRIED_PASSED;
}

/* Is there one that the sequence does not have? A handle that is given for it is. */
static bool can_be_own(const guarding *g, unsigned argument)
{
    const wr_kind *kind = wri_made_kind(g->lab->machine, &g->put_in, argument);
    int64_t        value;
    return kind->handle || wri_trial_fresh_of(g->lab, &g->failing, kind, &value);
}

/* A call that helps may do so without what it shares: each argument in turn gets a value of its
 * own. The draft is the sequence with the call as it is then. */
static void widen(guarding *g)
{
    bool left = true; /* as it helped last */
    for (unsigned i = 0; i < wri_made_arity(g->lab->machine, &g->put_in); i++) {
        source shared = g->sources[i];
        if (shared.call == OWN || !can_be_own(g, i))
            continue;
        g->sources[i].call = OWN;
        left = helps(g);
        if (!left)
            g->sources[i] = shared;
    }
    if (!left)
        put_in(g);
}

static void try_call(guarding *g)
{
    wri_guard guard = guard_of(g);
    source    sources[WRI_ARGUMENTS];
    if (g->pattern->guard_count == WRI_PATTERN_GUARDS || is_known(g, &guard) || !helps(g))
        return;
    memcpy(sources, g->sources, sizeof sources);
    widen(g);
    guard = guard_of(g);
    if (!is_known(g, &guard) && narrow(g, &guard) && !is_known(g, &guard))
        add_guard(g, guard);
    memcpy(g->sources, sources, sizeof sources); /* whoever chose them goes on from there */
}

/* ---- Which calls ---- */

/* Is this the first argument of the sequence that has its value? */
static bool is_first(const guarding *g, size_t call, unsigned argument, const wr_kind *kind)
{
    const wri_made *made = &g->failing.calls[call];
    wri_sequence    earlier = { .calls = g->failing.calls, .count = call };
    for (unsigned i = 0; i < argument; i++)
        if (wri_made_kind(g->lab->machine, made, i) == kind &&
            made->arguments[i] == made->arguments[argument])
            return false;
    return wri_sequence_uses(g->lab->machine, &earlier, kind, made->arguments[argument]) == 0;
}

static void choose_sources(guarding *g, unsigned argument, unsigned shared);

/* All that the argument could share. */
static void share_argument(guarding *g, unsigned argument, unsigned shared)
{
    const wri_machine *machine = g->lab->machine;
    const wr_kind     *kind = wri_made_kind(machine, &g->put_in, argument);
    for (size_t i = 0; i < g->failing.count; i++) {
        const wri_machine_command *command = &machine->commands[g->failing.calls[i].command];
        g->sources[argument] = (source){ i, 0 };
        if (kind->handle && command->table->gives == kind)
            choose_sources(g, argument + 1, shared);
        for (unsigned j = 0; j < command->arity && !kind->handle; j++) {
            g->sources[argument] = (source){ i, j };
            if (command->table->takes[j] == kind && is_first(g, i, j, kind))
                choose_sources(g, argument + 1, shared);
        }
    }
}

/* All calls of the command with as many shared arguments. */
static void choose_sources(guarding *g, unsigned argument, unsigned shared)
{
    unsigned left = wri_made_arity(g->lab->machine, &g->put_in) - argument;
    if (shared > left)
        return;
    if (left == 0) {
        try_call(g);
        return;
    }
    if (shared > 0)
        share_argument(g, argument, shared - 1);
    g->sources[argument] = (source){ OWN, 0 };
    choose_sources(g, argument + 1, shared);
}

static void try_command(guarding *g, unsigned number)
{
    const wri_machine_command *command = &g->lab->machine->commands[number];
    if (command->table->observer || (g->commands >> number & 1) == 0)
        return;
    g->put_in = (wri_made){ .command = (uint8_t)number };
    if (command->arity == 0 && !command->giving)
        choose_sources(g, 0, 0);
    for (unsigned shared = 1; shared <= command->arity; shared++)
        choose_sources(g, 0, shared);
}

static void try_commands(guarding *g)
{
    g->tests = 0;
    for (unsigned i = 0; i < g->lab->machine->command_count; i++)
        try_command(g, i);
}

/* A call that fails on its own may want any other before it. */
static void try_strangers(guarding *g)
{
    for (unsigned i = 0; i + 1 < g->failing.count; i++)
        if (!g->lab->machine->commands[g->failing.calls[i].command].giving)
            return;
    for (unsigned i = 0; i < g->lab->machine->command_count && g->pattern->guard_count == 0;
         i++) {
        g->put_in = (wri_made){ .command = (uint8_t)i };
        if (!g->lab->machine->commands[i].table->observer)
            choose_sources(g, 0, 0);
    }
}

/* ---- What can come last ---- */

/* The calls of the pattern in an order that ends with this one. False: none does. */
static bool end_with(guarding *g, const wri_sequence *smallest, unsigned last)
{
    unsigned count = 0;
    for (unsigned i = 0; i < g->pattern->count; i++) {
        if ((g->pattern->before[i] >> last & 1) != 0)
            return false;
        if (i != last)
            g->order[count++] = i;
    }
    g->order[count++] = last;
    return wri_sequence_arrange(g->lab->machine, smallest, g->order, count, &g->failing);
}

static uint64_t guarding_commands(const wri_pattern *pattern)
{
    uint64_t commands = 0;
    for (unsigned i = 0; i < pattern->guard_count; i++)
        commands |= UINT64_C(1) << pattern->guards[i].call.command;
    return commands;
}

void wri_guards_learn(const wri_lab *lab, const wri_sequence *smallest, wri_level level,
                      wri_pattern *pattern)
{
    guarding g = { .lab = lab, .pattern = pattern, .level = level, .commands = UINT64_MAX };
    unsigned last = pattern->count - 1;
    if (end_with(&g, smallest, last)) {
        try_commands(&g);
        if (pattern->guard_count == 0)
            try_strangers(&g);
    }
    g.commands = guarding_commands(pattern);
    for (unsigned i = 0; i < last; i++)
        if (pattern->calls[i].command == pattern->calls[last].command &&
            end_with(&g, smallest, i))
            try_commands(&g);
    wri_sequence_free(&g.failing);
    wri_sequence_free(&g.draft);
    wri_sequence_free(&g.varied);
}
