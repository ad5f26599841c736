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
    for (size_t i = 0; i < h->pattern_count; i++)
        if (wri_matches(h->machine, &h->patterns[i], sequence))
            return true;
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
    while (sequence->count < length && result <= 0 && missed < 100) {
        wri_made made;
        bool     known = false;
        missed++;
        if (!draw_call(h, sequence, &made))
            continue;
        CHECK(wri_sequence_append(sequence, &made));
        for (size_t i = 0; i < h->pattern_count && !known; i++)
            known = wri_matches_at_end(h->machine, &h->patterns[i], sequence);
        memcpy(before, state, sizeof state);
        if (known || (result = make_call(h, state, sequence, sequence->count - 1)) < 0) {
            memcpy(state, before, sizeof state);
            sequence->count--;
            result = 0;
            continue;
        }
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
    return h;
}

static void finish(hunt *h)
{
    wri_results_free(h->results);
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
static const subject REGISTRY_SYSTEM = { "registry", &REGISTRY, registry_step, 0, 0, 40 };
static const wr_command ALIKE_COMMANDS[] = {
    { "spawn", no_call, .gives = &PID },
    { "register", no_call, .takes = { &SYMMETRIC, &PID } },
    { "unregister", no_call, .takes = { &SYMMETRIC } },
    { "whereis", no_call, .takes = { &SYMMETRIC }, .observer = true },
    { "kill", no_call, .takes = { &PID } },
    { 0 },
};
static const wr_machine ALIKE = { .commands = ALIKE_COMMANDS };
static const subject ALIKE_SYSTEM = { "alike", &ALIKE, registry_step, 0, 0, 40 };

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

int main(int argc, char **argv)
{
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
    build_case();
    (void)no_draw;
    if (argc > 2) {
        hunt *h = start(&REGISTRY_SYSTEM, argc > 3 ? GUARDED : OURS, (uint64_t)atoi(argv[2]), true);
        verbose = true;
        while (!found_all(h, argc > 3 ? 6 : 5) && h->calls < 3000)
            go_on(h);
        printf("%zu\n", h->calls);
        return 0;
    }
    print_figures("five, no results", measure(&REGISTRY_SYSTEM, OURS, 5, seeds, false, false, 0));
    print_figures("five", measure(&REGISTRY_SYSTEM, OURS, 5, seeds, true, false, 0));
    print_figures("five, symmetric", measure(&ALIKE_SYSTEM, OURS, 5, seeds, true, false, 0));
    print_figures("five, published", measure(&REGISTRY_SYSTEM, PUBLISHED, 5, seeds, false, true, 0));
    print_figures("six", measure(&REGISTRY_SYSTEM, GUARDED, 6, seeds, true, false, 2000));
    print_figures("six, symmetric", measure(&ALIKE_SYSTEM, GUARDED, 6, seeds, true, false, 2000));
    return 0;
}
