/* tests/study_unit.c: studies of bugs, from the sequence that fails to its pattern, over systems that
 * are simulated here: how many calls they take, and that each bug is reported once.
 *
 * The loop is the whole of a hunt in small: sequences at random that avoid what is known, the first
 * that fails is reduced, generalised, and known from then on. Every call that is executed counts; one
 * that the results know is not executed.
 *
 * usage: study_unit [SEEDS]: so many seeds for each mean, and the figures are printed.
 */
#include <stdlib.h>
#include <string.h>

#include "core/prng.h"
#include "lone_case.h"
#include "machine/part.h"
#include "machine/study.h"

/* ---- Systems ---- */

#define STATE_BYTES 512
#define CALLS_MOST 700
#define PATTERNS_MOST 64

/* What a call came to: 0, it passed; -1, it cannot be made; else its failure. */
typedef int step_function(void *state, const wri_sequence *sequence, size_t call);

typedef struct subject {
    const char       *name;
    const wr_machine *table;
    step_function    *step;
    int64_t           least, most; /* of numbers that are drawn */
    size_t            length;      /* of sequences */
} subject;

typedef struct hunt {
    const subject    *subject;
    wri_machine      *machine;
    wri_study_setup   setup;
    wri_lab           lab;
    wri_results      *results; /* NULL: none are kept */
    uint64_t          stream;
    bool              geometric;
    wri_pattern       patterns[PATTERNS_MOST];
    size_t            pattern_count, reports;
    wri_avoided      *known; /* the same, compiled */
    wri_avoider      *avoider;
    uint64_t          failure; /* that is studied */
    wri_sequence      queue[16];
    uint64_t          queue_failures[16];
    size_t            queued;
    size_t            calls, tests; /* executed */
    size_t            explored, reduced, generalised;
} hunt;

static void no_call(wr_case *t, wr_call *call)
{
    (void)t;
    (void)call;
}

static int64_t no_draw(wr_case *t)
{
    (void)t;
    return 0;
}

/* ---- Running ---- */

static bool is_alive(const wri_machine *machine, const wri_sequence *sequence, size_t call,
                     int64_t handle, const wr_kind *kind)
{
    const wri_machine_command *giver;
    if (handle < 0 || (size_t)handle >= call)
        return false;
    giver = &machine->commands[sequence->calls[handle].command];
    if (!giver->giving || giver->table->gives != kind)
        return false;
    for (size_t i = (size_t)handle + 1; i < call; i++) {
        const wri_machine_command *user = &machine->commands[sequence->calls[i].command];
        for (unsigned j = 0; j < user->arity; j++)
            if ((user->table->consumes >> j & 1) != 0 &&
                sequence->calls[i].arguments[j] == handle)
                return false;
    }
    return true;
}

static int make_call(const hunt *h, void *state, const wri_sequence *sequence, size_t call)
{
    const wri_made            *made = &sequence->calls[call];
    const wri_machine_command *command = &h->machine->commands[made->command];
    for (unsigned i = 0; i < command->arity; i++)
        if (command->table->takes[i]->handle &&
            !is_alive(h->machine, sequence, call, made->arguments[i], command->table->takes[i]))
            return -1;
    return h->subject->step(state, sequence, call);
}

static uint64_t failure_of(const wri_sequence *sequence, size_t at, int result)
{
    return (uint64_t)result << 8 | sequence->calls[at].command;
}

/* 0: it passed; else the failure, or UINT64_MAX: a call could not be made. */
static uint64_t execute(hunt *h, const wri_sequence *sequence, size_t *at)
{
    char     state[STATE_BYTES] = { 0 };
    uint64_t failure = 0;
    h->tests++;
    for (*at = 0; *at < sequence->count; ++*at) {
        int result = make_call(h, state, sequence, *at);
        if (result < 0)
            failure = UINT64_MAX;
        else
            h->calls++;
        if (result > 0)
            failure = failure_of(sequence, *at, result);
        if (failure != 0)
            break;
    }
    if (h->results != NULL)
        CHECK(wri_results_add(h->results, sequence, failure != 0, failure, *at));
    return failure;
}

static void enqueue(hunt *h, const wri_sequence *sequence, size_t at, uint64_t failure)
{
    if (h->queued == 16)
        return;
    wri_sequence *to = &h->queue[h->queued];
    CHECK(wri_sequence_copy(to, sequence));
    to->count = at + 1;
    h->queue_failures[h->queued++] = failure;
}

static wri_tried run_in_lab(void *context, const wri_sequence *sequence, size_t *at)
{
    hunt    *h = context;
    bool     failed;
    uint64_t failure;
    if (h->results == NULL || !wri_results_find(h->results, sequence, &failed, &failure, at)) {
        failure = execute(h, sequence, at);
        if (failure != 0 && failure != UINT64_MAX && failure != h->failure)
            enqueue(h, sequence, *at, failure);
    }
    return failure == 0              ? WRI_TRIED_PASSED
           : failure == UINT64_MAX   ? WRI_TRIED_IMPOSSIBLE
           : failure == h->failure   ? WRI_TRIED_SAME
                                     : WRI_TRIED_OTHER;
}

static bool is_known(void *context, const wri_sequence *sequence)
{
    const hunt *h = context;
    wri_avoider_begin(h->avoider, h->machine, h->known);
    for (size_t i = 0; i < sequence->count; i++) {
        if (wri_avoider_meets(h->avoider, &sequence->calls[i]) >= 0)
            return true;
        wri_avoider_add(h->avoider, &sequence->calls[i]);
    }
    return false;
}

static bool other_number(void *context, const wri_sequence *sequence, size_t call,
                         unsigned argument, unsigned number, int64_t *value)
{
    const hunt *h = context;
    *value = h->subject->least + (int64_t)number * 7;
    if (*value == sequence->calls[call].arguments[argument])
        *value += 1;
    return *value <= h->subject->most;
}

static bool range_of(void *context, const wri_sequence *sequence, size_t call, unsigned argument,
                     int64_t *least, int64_t *most)
{
    const hunt *h = context;
    (void)sequence, (void)call, (void)argument;
    *least = h->subject->least;
    *most = h->subject->most;
    return true;
}

static bool some_number(void *context, const wr_kind *kind, unsigned number, int64_t *value)
{
    const hunt *h = context;
    (void)kind;
    *value = h->subject->least + (int64_t)number;
    return *value <= h->subject->most;
}

/* ---- Sequences at random ---- */

static uint64_t below(hunt *h, uint64_t count)
{
    return wri_scale(wri_next(&h->stream), count - 1);
}

static bool draw_handle(hunt *h, const wri_sequence *sequence, const wr_kind *kind, int64_t *value)
{
    size_t alive = 0;
    for (size_t i = 0; i < sequence->count; i++)
        alive += is_alive(h->machine, sequence, sequence->count, (int64_t)i, kind);
    if (alive == 0)
        return false;
    size_t wanted = (size_t)below(h, alive);
    for (size_t i = 0; i < sequence->count; i++)
        if (is_alive(h->machine, sequence, sequence->count, (int64_t)i, kind) && wanted-- == 0)
            *value = (int64_t)i;
    return true;
}

static bool draw_call(hunt *h, const wri_sequence *sequence, wri_made *made)
{
    *made = (wri_made){ .command = (uint8_t)below(h, h->machine->command_count) };
    const wri_machine_command *command = &h->machine->commands[made->command];
    for (unsigned i = 0; i < command->arity; i++) {
        const wr_kind *kind = command->table->takes[i];
        if (kind->handle && !draw_handle(h, sequence, kind, &made->arguments[i]))
            return false;
        if (kind->values > 0)
            made->arguments[i] = (int64_t)below(h, kind->values);
        if (kind->draw != NULL)
            made->arguments[i] = h->subject->least +
                                 (int64_t)below(h, (uint64_t)(h->subject->most - h->subject->least) + 1);
    }
    return true;
}

static size_t draw_length(hunt *h)
{
    size_t length = 1;
    if (!h->geometric)
        return h->subject->length;
    while (below(h, 10) != 0 && length < 200)
        length++;
    return length;
}

/* Makes one sequence, call by call; true: it failed. */
static bool explore(hunt *h, wri_sequence *sequence)
{
    char   state[STATE_BYTES] = { 0 }, before[STATE_BYTES];
    size_t length = draw_length(h), missed = 0;
    int    result = 0;
    sequence->count = 0;
    wri_avoider_begin(h->avoider, h->machine, h->known);
    while (sequence->count < length && result <= 0 && missed < 100) {
        wri_made made;
        missed++;
        if (!draw_call(h, sequence, &made) || wri_avoider_meets(h->avoider, &made) >= 0)
            continue;
        CHECK(wri_sequence_append(sequence, &made));
        memcpy(before, state, sizeof state);
        result = make_call(h, state, sequence, sequence->count - 1);
        if (result < 0) {
            memcpy(state, before, sizeof state);
            sequence->count--;
            continue;
        }
        wri_avoider_add(h->avoider, &made);
        missed = 0;
        h->calls++;
    }
    if (result > 0)
        h->failure = failure_of(sequence, sequence->count - 1, result);
    if (h->results != NULL && sequence->count > 0)
        CHECK(wri_results_add(h->results, sequence, result > 0, result > 0 ? h->failure : 0,
                              sequence->count - 1));
    return result > 0;
}

/* ---- The loop ---- */

static void keep(hunt *h, const wri_pattern *pattern)
{
    size_t kept = 0;
    for (size_t i = 0; i < h->pattern_count; i++)
        if (!wri_subsumes(h->machine, pattern, &h->patterns[i]))
            h->patterns[kept++] = h->patterns[i];
    CHECK(kept < PATTERNS_MOST);
    h->patterns[kept++] = *pattern;
    h->pattern_count = kept;
    const wri_pattern *all[PATTERNS_MOST];
    for (size_t i = 0; i < kept; i++)
        all[i] = &h->patterns[i];
    free(h->known);
    h->known = malloc(wri_avoided_bytes(all, kept));
    CHECK(h->known != NULL);
    wri_avoided_write(h->machine, all, kept, h->known);
    h->reports++;
}

static bool verbose;
static void print_sequence(const hunt *h, const wri_sequence *sequence);
static void print_pattern(const hunt *h, const wri_pattern *pattern);

static void study(hunt *h, wri_sequence *failing)
{
    wri_pattern pattern;
    size_t      before = h->calls;
    if (verbose)
        printf("  failed after %zu calls:", h->calls), print_sequence(h, failing);
    CHECK(wri_reduce(&h->lab, &h->setup, failing));
    h->reduced += h->calls - before;
    if (verbose)
        printf("  %zu calls to:", h->calls - before), print_sequence(h, failing);
    before = h->calls;
    if (wri_generalise(&h->lab, &h->setup, failing, &pattern))
        keep(h, &pattern);
    h->generalised += h->calls - before;
    if (verbose)
        printf("  %zu calls to:", h->calls - before), print_pattern(h, &pattern);
}

/* One sequence, and what it leads to. */
static void go_on(hunt *h)
{
    static wri_sequence sequence;
    size_t              before = h->calls;
    if (h->queued > 0) {
        CHECK(wri_sequence_copy(&sequence, &h->queue[--h->queued]));
        h->failure = h->queue_failures[h->queued];
        if (!is_known(h, &sequence))
            study(h, &sequence);
        return;
    }
    bool failed = explore(h, &sequence);
    h->explored += h->calls - before;
    if (failed)
        study(h, &sequence);
}

static const wri_study_setup OURS = { .level = WRI_LEVEL_SHARED, .renaming = true,
                                      .varying = true };
static const wri_study_setup GUARDED = { .level = WRI_LEVEL_SHARED, .renaming = true,
                                         .varying = true, .guards = true };
static const wri_study_setup PUBLISHED = { .level = WRI_LEVEL_SHARED,
                                           .reduction = WRI_REDUCE_TOP_DOWN,
                                           .ordering = WRI_ORDER_BESIDE };

static hunt *start(const subject *s, wri_study_setup setup, uint64_t seed, bool results)
{
    hunt *h = calloc(1, sizeof *h);
    CHECK(h != NULL);
    h->subject = s;
    h->machine = wri_machine_of(&the_case, s->table, s->name, __FILE__, __LINE__);
    h->setup = setup;
    h->lab = (wri_lab){ .machine = h->machine, .run = run_in_lab, .other = other_number,
                        .range = range_of, .veto = is_known, .some = some_number, .context = h };
    h->results = results ? wri_results_make(h->machine) : NULL;
    h->stream = wri_stream(seed, 0);
    h->avoider = wri_avoider_make();
    CHECK(h->avoider != NULL);
    return h;
}

static void finish(hunt *h)
{
    wri_results_free(h->results);
    wri_avoider_free(h->avoider);
    free(h->known);
    for (size_t i = 0; i < 16; i++)
        wri_sequence_free(&h->queue[i]);
    free(h);
}

static void print_call(const hunt *h, const wri_made *call)
{
    const wri_machine_command *command = &h->machine->commands[call->command];
    printf(" %s(", command->table->name);
    for (unsigned i = 0; i < command->arity; i++)
        printf("%s%s%ld", i == 0 ? "" : ",", command->table->takes[i]->handle ? "#" : "",
               (long)call->arguments[i]);
    printf(")");
}

static void print_sequence(const hunt *h, const wri_sequence *sequence)
{
    for (size_t i = 0; i < sequence->count; i++)
        print_call(h, &sequence->calls[i]);
    printf("\n");
}

static void print_pattern_call(const hunt *h, const wri_pattern_call *call)
{
    const wri_machine_command *command = &h->machine->commands[call->command];
    if (call->result != WRI_NO_VARIABLE)
        printf(" ?%d =", call->result);
    printf(" %s(", command->table->name);
    for (unsigned i = 0; i < command->arity; i++) {
        const wri_term *t = &call->terms[i];
        if (t->sort == WRI_TERM_ANY)
            printf(" _");
        else if (t->sort == WRI_TERM_VARIABLE)
            printf(" ?%d", t->variable);
        else
            printf(" %ld..%ld", (long)t->least, (long)t->most);
    }
    printf(" )");
}

static void print_pattern(const hunt *h, const wri_pattern *pattern)
{
    for (unsigned i = 0; i < pattern->count; i++) {
        print_pattern_call(h, &pattern->calls[i]);
        printf(" [%x]", pattern->before[i]);
    }
    for (unsigned i = 0; i < pattern->guard_count; i++) {
        printf(" unless");
        print_pattern_call(h, &pattern->guards[i].call);
        printf(" {%x}%s", pattern->guards[i].last, pattern->guards[i].consumed ? "c" : "");
    }
    printf("\n");
}

/* ---- The registry ---- */

enum { SPAWN, REGISTER, UNREGISTER, WHEREIS, KILL };

typedef struct registry {
    int16_t names[8], model[8]; /* plus one */
} registry;

static int registry_step(void *state, const wri_sequence *sequence, size_t call)
{
    registry       *r = state;
    const wri_made *made = &sequence->calls[call];
    int64_t         a = made->arguments[0], b = made->arguments[1];
    char           *dead = (char *)state + sizeof *r;
    bool            named = false;
    switch (made->command) {
    case SPAWN: return 0;
    case REGISTER:
        for (int i = 0; i < 8; i++)
            named |= r->names[i] == b + 1;
        if (r->names[a] != 0 || named || dead[b] != 0)
            return 1;
        r->names[a] = r->model[a] = (int16_t)(b + 1);
        return 0;
    case UNREGISTER:
        if (r->names[a] == 0)
            return 1;
        r->names[a] = r->model[a] = 0;
        return 0;
    case WHEREIS: return r->names[a] != r->model[a];
    default:
        dead[a] = 1;
        for (int i = 0; i < 8; i++)
            if (r->names[i] == a + 1)
                r->names[i] = 0;
        return 0;
    }
}

static const wr_kind NAME = { "name", .values = 5 };
static const wr_kind SYMMETRIC = { "name", .values = 5, .symmetric = true };
static const wr_kind PID = { "pid", .handle = true };
static const wr_command REGISTRY_COMMANDS[] = {
    { "spawn", no_call, .gives = &PID },
    { "register", no_call, .takes = { &NAME, &PID } },
    { "unregister", no_call, .takes = { &NAME } },
    { "whereis", no_call, .takes = { &NAME }, .observer = true },
    { "kill", no_call, .takes = { &PID } },
    { 0 },
};
static const wr_machine REGISTRY = { .commands = REGISTRY_COMMANDS };
static const subject REGISTRY_SUBJECT = { "registry", &REGISTRY, registry_step, 0, 0, 40 };
static const wr_command ALIKE_COMMANDS[] = {
    { "spawn", no_call, .gives = &PID },
    { "register", no_call, .takes = { &SYMMETRIC, &PID } },
    { "unregister", no_call, .takes = { &SYMMETRIC } },
    { "whereis", no_call, .takes = { &SYMMETRIC }, .observer = true },
    { "kill", no_call, .takes = { &PID } },
    { 0 },
};
static const wr_machine ALIKE = { .commands = ALIKE_COMMANDS };
static const subject ALIKE_SUBJECT = { "alike", &ALIKE, registry_step, 0, 0, 40 };

/* What each bug is, strictly: a pattern that is found must fit it. */
static wri_made REGISTRY_BUGS[][4] = {
    { { UNREGISTER, { 0 } } },
    { { SPAWN, { 0 } }, { REGISTER, { 0, 0 } }, { REGISTER, { 1, 0 } } },
    { { SPAWN, { 0 } }, { KILL, { 0 } }, { REGISTER, { 0, 0 } } },
    { { SPAWN, { 0 } }, { REGISTER, { 0, 0 } }, { KILL, { 0 } }, { WHEREIS, { 0 } } },
    { { SPAWN, { 0 } }, { SPAWN, { 0 } }, { REGISTER, { 0, 0 } }, { REGISTER, { 0, 1 } } },
    { { SPAWN, { 0 } }, { REGISTER, { 0, 0 } }, { KILL, { 0 } }, { UNREGISTER, { 0 } } },
};
static const size_t REGISTRY_LENGTHS[] = { 1, 3, 3, 4, 4, 4 };

static bool found_all(const hunt *h, unsigned bugs)
{
    for (unsigned i = 0; i < bugs; i++) {
        wri_sequence bug = { .calls = REGISTRY_BUGS[i], .count = REGISTRY_LENGTHS[i] };
        bool         found = false;
        for (size_t j = 0; j < h->pattern_count && !found; j++)
            found = wri_matches_at_end(h->machine, &h->patterns[j], &bug);
        if (!found)
            return false;
    }
    return true;
}

typedef struct figures {
    double calls, explored, reduced, generalised, reports, kept, missed;
} figures;

static figures measure(const subject *s, wri_study_setup setup, unsigned bugs, unsigned seeds,
                       bool results, bool geometric, size_t further)
{
    figures sum = { 0 };
    for (unsigned seed = 0; seed < seeds; seed++) {
        hunt *h = start(s, setup, seed, results);
        h->geometric = geometric;
        while (!found_all(h, bugs) && h->calls < 20000)
            go_on(h);
        sum.missed += !found_all(h, bugs);
        sum.calls += (double)h->calls;
        sum.explored += (double)h->explored;
        sum.reduced += (double)h->reduced;
        sum.generalised += (double)h->generalised;
        size_t until = h->calls + further;
        while (h->calls < until)
            go_on(h);
        sum.reports += (double)h->reports;
        sum.kept += (double)h->pattern_count;
        finish(h);
    }
    figures mean = { sum.calls / seeds, sum.explored / seeds, sum.reduced / seeds,
                     sum.generalised / seeds, sum.reports / seeds, sum.kept / seeds, sum.missed };
    return mean;
}

static void print_figures(const char *what, figures f)
{
    printf("%-44s calls %7.1f  explored %6.1f  reduced %6.1f  generalised %6.1f  reports %5.2f  "
           "kept %5.2f  missed %g\n", what, f.calls, f.explored, f.reduced, f.generalised, f.reports,
           f.kept, f.missed);
}

/* ---- Chains: two steps each, in order, and then one call fails ---- */

static int chains_step(void *state, const wri_sequence *sequence, size_t call, int chains)
{
    char *at = state;
    int   command = sequence->calls[call].command, chain = command / 2, full = 0;
    if (chain < chains && at[chain] == command % 2)
        at[chain]++;
    for (int i = 0; i < chains; i++)
        full += at[i] == 2;
    return command == 2 * chains && full == chains;
}

static int one_chain(void *state, const wri_sequence *sequence, size_t call)
{
    return chains_step(state, sequence, call, 1);
}
static int two_chains(void *state, const wri_sequence *sequence, size_t call)
{
    return chains_step(state, sequence, call, 2);
}
static int three_chains(void *state, const wri_sequence *sequence, size_t call)
{
    return chains_step(state, sequence, call, 3);
}
static const wr_command ONE[] = { { "a1", no_call, .weight = 1 }, { "a2", no_call, .weight = 1 }, { "fire", no_call, .weight = 1 }, { 0 } };
static const wr_command TWO[] = { { "a1", no_call, .weight = 1 }, { "a2", no_call, .weight = 1 }, { "b1", no_call, .weight = 1 },
                                  { "b2", no_call, .weight = 1 }, { "fire", no_call, .weight = 1 }, { 0 } };
static const wr_command THREE[] = { { "a1", no_call, .weight = 1 }, { "a2", no_call, .weight = 1 }, { "b1", no_call, .weight = 1 },
                                    { "b2", no_call, .weight = 1 }, { "c1", no_call, .weight = 1 }, { "c2", no_call, .weight = 1 },
                                    { "fire", no_call, .weight = 1 }, { 0 } };
static const wr_machine CHAINS[] = { { .commands = ONE }, { .commands = TWO }, { .commands = THREE } };
static const subject CHAIN_SUBJECTS[] = {
    { "one", &CHAINS[0], one_chain, 0, 0, 40 },
    { "two", &CHAINS[1], two_chains, 0, 0, 40 },
    { "three", &CHAINS[2], three_chains, 0, 0, 40 },
};

static void chains(unsigned seeds)
{
    for (int m = 0; m < 3; m++) {
        double tests = 0, calls = 0, reports = 0, kept = 0, generalised = 0, order = 0;
        for (unsigned seed = 0; seed < seeds; seed++) {
            hunt *h = start(&CHAIN_SUBJECTS[m], OURS, seed, true);
            while (h->reports == 0)
                go_on(h);
            tests += (double)h->tests;
            calls += (double)h->calls;
            generalised += (double)h->generalised;
            for (size_t until = h->calls + 5000; h->calls < until;)
                go_on(h);
            reports += (double)h->reports;
            kept += (double)h->pattern_count;
            finish(h);
            h = start(&CHAIN_SUBJECTS[m], OURS, seed, true);
            wri_made     calls_[7] = { { 0 }, { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } };
            wri_sequence smallest = { calls_, 2 * (size_t)m + 3, 7 };
            wri_pattern  pattern;
            h->failure = 1 << 8 | (unsigned)(2 * m + 2);
            CHECK(wri_generalise(&h->lab, &OURS, &smallest, &pattern));
            order += (double)h->tests;
            if (verbose && seed == 0)
                print_pattern(h, &pattern);
            finish(h);
        }
        printf("chains %d: tests %.1f calls %.1f generalised %.1f reports %.2f kept %.2f; order %.1f\n", m + 1, tests / seeds,
               calls / seeds, generalised / seeds, reports / seeds, kept / seeds, order / seeds);
    }
}

/* ---- A call that is missing ---- */

static int switch_step(void *state, const wri_sequence *sequence, size_t call)
{
    char *on = state;
    switch (sequence->calls[call].command) {
    case 0: *on = 1; return 0;
    case 1: *on = 0; return 0;
    case 2: return *on == 0;
    default: return 0;
    }
}
#define PLAIN(name_) { name_, no_call, .weight = 1 }
static const wr_command SWITCH_COMMANDS[] = { PLAIN("on"), PLAIN("off"), PLAIN("use"), PLAIN("idle"), { 0 } };
static const wr_machine SWITCH = { .commands = SWITCH_COMMANDS };
static const subject SWITCH_SUBJECT = { "switch", &SWITCH, switch_step, 0, 0, 40 };

/* ---- Six calls on one object ---- */

static int file_step(void *state, const wri_sequence *sequence, size_t call)
{
    static const char WANTED[] = { 1, 2, 3, 1, 4 };
    char             *at = state;
    const wri_made   *made = &sequence->calls[call];
    if (made->command == 0 || made->command == 5)
        return 0;
    char *progress = &at[made->arguments[0] % STATE_BYTES];
    if (made->command == WANTED[(int)*progress])
        ++*progress;
    if (*progress == 5) {
        *progress = 0;
        return 1;
    }
    return 0;
}
static const wr_kind FILES = { "file", .handle = true };
static const wr_kind KEY = { "key", .values = 10 };
static const wr_command FILE_COMMANDS[] = {
    { "open", no_call, .takes = { &KEY }, .gives = &FILES },
    { "write", no_call, .takes = { &FILES, &KEY } },
    { "seek", no_call, .takes = { &FILES } },
    { "truncate", no_call, .takes = { &FILES } },
    { "read", no_call, .takes = { &FILES, &KEY } },
    { "close", no_call, .takes = { &FILES }, .consumes = 1 },
    { 0 },
};
static const wr_machine FILE_MACHINE = { .commands = FILE_COMMANDS };
static const subject FILE_SUBJECT = { "file", &FILE_MACHINE, file_step, 0, 0, 400 };

/* ---- Numbers ---- */

static int number_step(void *state, const wri_sequence *sequence, size_t call)
{
    const wri_made *made = &sequence->calls[call];
    int64_t         n = made->arguments[0];
    (void)state;
    switch (made->command) {
    case 0: return n >= 64;
    case 1: return n == 0;
    case 2: return n >= 100 && n <= 200;
    case 3: return n <= -5;
    default: return 0;
    }
}
static const wr_kind NUMBER = { "number", .draw = no_draw };
static const wr_command NUMBER_COMMANDS[] = {
    { "set", no_call, .takes = { &NUMBER } },  { "put", no_call, .takes = { &NUMBER } },
    { "mid", no_call, .takes = { &NUMBER } },  { "low", no_call, .takes = { &NUMBER } },
    { "idle", no_call, .takes = { &NUMBER } }, { 0 },
};
static const wr_machine NUMBERS = { .commands = NUMBER_COMMANDS };
static const subject NUMBER_SUBJECT = { "numbers", &NUMBERS, number_step, -50, 1000, 40 };

/* ---- A stack that is full ---- */

static int stack_step(void *state, const wri_sequence *sequence, size_t call)
{
    char *depth = state;
    switch (sequence->calls[call].command) {
    case 0: return ++*depth > 8;
    case 1: return *depth == 0 ? -1 : (--*depth, 0);
    default: return 0;
    }
}
static const wr_command STACK_COMMANDS[] = {
    { "push", no_call, .takes = { &KEY } }, PLAIN("pop"), { "peek", no_call, .observer = true }, { 0 },
};
static const wr_machine STACK = { .commands = STACK_COMMANDS };
static const subject STACK_SUBJECT = { "stack", &STACK, stack_step, 0, 0, 100 };

/* ---- Six calls that have nothing in common ---- */

static int setup_step(void *state, const wri_sequence *sequence, size_t call)
{
    uint8_t *done = state;
    unsigned command = sequence->calls[call].command;
    if (command < 5)
        *done |= (uint8_t)(1u << command);
    return command == 5 && *done == 31;
}
static const wr_command SETUP_COMMANDS[] = {
    PLAIN("a"), PLAIN("b"), PLAIN("c"), PLAIN("d"), PLAIN("e"),
    { "fire", no_call, .takes = { &KEY } }, { "noise", no_call, .takes = { &KEY } }, { 0 },
};
static const wr_machine SETUP = { .commands = SETUP_COMMANDS };
static const subject SETUP_SUBJECT = { "setup", &SETUP, setup_step, 0, 0, 400 };

static int right_step(void *state, const wri_sequence *sequence, size_t call)
{
    (void)state, (void)sequence, (void)call;
    return 0;
}
static const subject RIGHT_SUBJECT = { "right", &FILE_MACHINE, right_step, 0, 0, 40 };

static void others(unsigned seeds)
{
    static const subject *const SUBJECTS[] = { &SWITCH_SUBJECT, &FILE_SUBJECT, &NUMBER_SUBJECT,
                                               &STACK_SUBJECT, &SETUP_SUBJECT, &RIGHT_SUBJECT };
    for (size_t i = 0; i < sizeof SUBJECTS / sizeof *SUBJECTS; i++) {
        hunt all = { 0 };
        bool say = verbose;
        for (unsigned seed = 0; seed < seeds; seed++) {
            hunt *h = start(SUBJECTS[i], GUARDED, seed, true);
            verbose = say && seed < 2;
            while (h->calls < 10000)
                go_on(h);
            all.tests += h->tests;
            all.explored += h->explored;
            all.reduced += h->reduced;
            all.generalised += h->generalised;
            all.reports += h->reports;
            all.pattern_count += h->pattern_count;
            finish(h);
        }
        verbose = say;
        printf("%s: tests %.1f reduced %.1f generalised %.1f reports %.2f kept %.2f\n", SUBJECTS[i]->name,
               (double)all.tests / seeds, (double)all.reduced / seeds, (double)all.generalised / seeds,
               (double)all.reports / seeds, (double)all.pattern_count / seeds);
    }
}

int main(int argc, char **argv)
{
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
    build_case();
    (void)no_draw;
    if (argc > 2 && argv[2][0] == 'o') {
        verbose = argc > 3;
        others(seeds);
        return 0;
    }
    chains(seeds);
    if (argc > 2) {
        hunt *h = start(&REGISTRY_SUBJECT, argc > 3 ? GUARDED : OURS, (uint64_t)atoi(argv[2]), true);
        verbose = true;
        while (!found_all(h, argc > 3 ? 6 : 5) && h->calls < 3000)
            go_on(h);
        printf("%zu\n", h->calls);
        return 0;
    }
    print_figures("five, no results", measure(&REGISTRY_SUBJECT, OURS, 5, seeds, false, false, 0));
    print_figures("five", measure(&REGISTRY_SUBJECT, OURS, 5, seeds, true, false, 0));
    print_figures("five, symmetric", measure(&ALIKE_SUBJECT, OURS, 5, seeds, true, false, 0));
    print_figures("five, published", measure(&REGISTRY_SUBJECT, PUBLISHED, 5, seeds, false, true, 0));
    print_figures("six", measure(&REGISTRY_SUBJECT, GUARDED, 6, seeds, true, false, 2000));
    print_figures("six, symmetric", measure(&ALIKE_SUBJECT, GUARDED, 6, seeds, true, false, 2000));
    return 0;
}
