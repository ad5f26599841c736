/* tests/study_unit.c: studies of bugs, from the sequence that fails to its pattern, over systems
 * that are simulated here: how many calls they take, and that each bug is reported once.
 *
 * The loop is the whole of a hunt in small: sequences at random that avoid what is known, the
 * first that fails is reduced, generalised, and known from then on. Every call that is executed
 * counts; one that the results know is not executed.
 *
 * usage: study_unit [SEEDS [verbose]]: so many seeds for each mean, and the figures are printed;
 * verbose: and what each study of the first seeds came to.
 */
#include <stdlib.h>
#include <string.h>

#include "core/prng.h"
#include "lone_case.h"
#include "machine/calls/results.h"
#include "machine/study/study.h"
#include "match_in.h"
#include "unit.h"

/* Calls are written as { COMMAND, { ARGUMENTS } }: their functions draw nothing. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

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
    const subject  *subject;
    wri_machine    *machine;
    wri_study_setup setup;
    bool            guards; /* are learnt */
    wri_lab         lab;
    wri_results    *results; /* NULL: none are kept */
    uint64_t        stream;
    bool            geometric;
    wri_pattern     patterns[PATTERNS_MOST];
    size_t          pattern_count, reports;
    wri_avoided    *known; /* the same, compiled */
    wri_avoider    *avoider;
    uint64_t        failure; /* that is studied */
    wri_sequence    queue[16];
    uint64_t        queue_failures[16];
    size_t          queued;
    size_t          calls, tests; /* executed */
    size_t          explored, reduced, generalised;
} hunt;

static int verbosity; /* STUDY_VERBOSITY: 1: figures, 2: and rules */

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
    return failure == 0            ? WRI_TRIED_PASSED
           : failure == UINT64_MAX ? WRI_TRIED_IMPOSSIBLE
           : failure == h->failure ? WRI_TRIED_SAME
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
    return wri_prng_scale(wri_prng_next(&h->stream), count - 1);
}

static bool draw_handle(hunt *h, const wri_sequence *sequence, const wr_kind *kind,
                        int64_t *value)
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
            made->arguments[i] =
                h->subject->least +
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
        if (!wri_subsume_is_case_of(h->machine, pattern, &h->patterns[i]))
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

static void print_rule(const hunt *h, const wri_pattern *pattern, size_t reduced,
                       size_t generalised)
{
    char *text = wri_rule_text(h->machine, pattern, NULL);
    CHECK(text != NULL);
    printf("%zu calls to reduce, %zu to generalise:\n%s", reduced, generalised, text);
    free(text);
}

static void study(hunt *h, wri_sequence *failing)
{
    wri_pattern pattern;
    size_t      found = h->calls;
    CHECK(wri_reduce_calls(&h->lab, &h->setup, failing));
    size_t reduced = h->calls;
    CHECK(wri_generalise_calls(&h->lab, &h->setup, failing, &pattern));
    if (h->guards)
        wri_guards_learn(&h->lab, failing, h->setup.level, &pattern);
    keep(h, &pattern);
    h->reduced += reduced - found;
    h->generalised += h->calls - reduced;
    if (verbosity > 1)
        print_rule(h, &pattern, reduced - found, h->calls - reduced);
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

typedef struct approach {
    wri_study_setup setup;
    bool            guards;
} approach;

static const approach OURS = { { .level = WRI_LEVEL_SHARED, .varying = true }, false };
static const approach GUARDED = { { .level = WRI_LEVEL_SHARED, .varying = true }, true };
static const approach PUBLISHED = {
    { .level = WRI_LEVEL_SHARED, .reduction = WRI_REDUCE_TOP_DOWN, .ordering = WRI_ORDER_BESIDE },
    false
};

static hunt *start(const subject *s, approach how, uint64_t seed, bool results)
{
    hunt *h = calloc(1, sizeof *h);
    CHECK(h != NULL);
    h->subject = s;
    h->machine = wri_machine_of(&the_case, s->table, s->name, __FILE__, __LINE__);
    h->setup = how.setup;
    h->guards = how.guards;
    h->lab = (wri_lab){ .machine = h->machine,
                        .run = run_in_lab,
                        .other = other_number,
                        .range = range_of,
                        .veto = is_known,
                        .some = some_number,
                        .context = h };
    h->results = results ? wri_results_make(h->machine) : NULL;
    h->stream = wri_prng_stream(seed, 0);
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

static const wr_kind    NAME = { "name", .values = 5 };
static const wr_kind    SYMMETRIC = { "name", .values = 5, .symmetric = true };
static const wr_kind    PID = { "pid", .handle = true };
static const wr_command REGISTRY_COMMANDS[] = {
    { "spawn", no_call, .gives = &PID },
    { "register", no_call, .takes = { &NAME, &PID } },
    { "unregister", no_call, .takes = { &NAME } },
    { "whereis", no_call, .takes = { &NAME }, .observer = true },
    { "kill", no_call, .takes = { &PID } },
    { 0 },
};
static const wr_machine REGISTRY = { .commands = REGISTRY_COMMANDS };
static const subject    REGISTRY_SUBJECT = { "registry", &REGISTRY, registry_step, 0, 0, 40 };
static const wr_command ALIKE_COMMANDS[] = {
    { "spawn", no_call, .gives = &PID },
    { "register", no_call, .takes = { &SYMMETRIC, &PID } },
    { "unregister", no_call, .takes = { &SYMMETRIC } },
    { "whereis", no_call, .takes = { &SYMMETRIC }, .observer = true },
    { "kill", no_call, .takes = { &PID } },
    { 0 },
};
static const wr_machine ALIKE = { .commands = ALIKE_COMMANDS };
static const subject    ALIKE_SUBJECT = { "alike", &ALIKE, registry_step, 0, 0, 40 };

/* What each bug is, strictly: a pattern that is found must fit it. */
static wri_made REGISTRY_BUGS[][4] = {
    { { UNREGISTER, 0, { 0 } } },
    { { SPAWN, 0, { 0 } }, { REGISTER, 0, { 0, 0 } }, { REGISTER, 0, { 1, 0 } } },
    { { SPAWN, 0, { 0 } }, { KILL, 0, { 0 } }, { REGISTER, 0, { 0, 0 } } },
    { { SPAWN, 0, { 0 } }, { REGISTER, 0, { 0, 0 } }, { KILL, 0, { 0 } }, { WHEREIS, 0, { 0 } } },
    { { SPAWN, 0, { 0 } },
      { SPAWN, 0, { 0 } },
      { REGISTER, 0, { 0, 0 } },
      { REGISTER, 0, { 0, 1 } } },
    { { SPAWN, 0, { 0 } },
      { REGISTER, 0, { 0, 0 } },
      { KILL, 0, { 0 } },
      { UNREGISTER, 0, { 0 } } },
};
static const size_t REGISTRY_LENGTHS[] = { 1, 3, 3, 4, 4, 4 };

static bool found_all(const hunt *h, unsigned bugs)
{
    for (unsigned i = 0; i < bugs; i++) {
        wri_sequence bug = { .calls = REGISTRY_BUGS[i], .count = REGISTRY_LENGTHS[i] };
        bool         found = false;
        for (size_t j = 0; j < h->pattern_count && !found; j++)
            found = wri_match_at_end(h->machine, &h->patterns[j], &bug);
        if (!found)
            return false;
    }
    return true;
}

/* ---- Means over seeds ---- */

typedef struct figures {
    double calls, explored, reduced, generalised, reports;
} figures;

static void add_figures(figures *sum, const hunt *h)
{
    sum->calls += (double)h->calls;
    sum->explored += (double)h->explored;
    sum->reduced += (double)h->reduced;
    sum->generalised += (double)h->generalised;
    sum->reports += (double)h->reports;
}

static void print_means(const char *what, figures sum, unsigned seeds)
{
    if (verbosity > 0)
        printf("%-32s calls %7.1f  explored %6.1f  reduced %6.1f  generalised %6.1f  "
               "reports %5.2f\n",
               what, sum.calls / seeds, sum.explored / seeds, sum.reduced / seeds,
               sum.generalised / seeds, sum.reports / seeds);
}

/* Hunts until all bugs of the registry are found, and then for further calls, in which none is
 * reported again. Returns the calls up to the last bug. */
static double hunt_in_registry(const char *what, const subject *s, approach how, unsigned bugs,
                               unsigned seeds, bool published, size_t further)
{
    figures sum = { 0 };
    for (unsigned seed = 0; seed < seeds; seed++) {
        hunt *h = start(s, how, seed, !published);
        h->geometric = published;
        while (!found_all(h, bugs) && h->calls < 20000)
            go_on(h);
        CHECK(found_all(h, bugs));
        add_figures(&sum, h);
        size_t reports = h->reports, until = h->calls + further;
        while (h->calls < until)
            go_on(h);
        CHECK(further == 0 || (h->reports == reports && h->pattern_count == bugs));
        finish(h);
    }
    print_means(what, sum, seeds);
    return sum.calls / seeds;
}

/* Hunts for so many calls; as many patterns as there are bugs are kept each time. */
static figures hunt_for(const subject *s, size_t calls, size_t bugs, unsigned seeds)
{
    figures sum = { 0 };
    for (unsigned seed = 0; seed < seeds; seed++) {
        hunt *h = start(s, GUARDED, seed, true);
        while (h->calls < calls)
            go_on(h);
        CHECK(h->pattern_count == bugs && h->reports == bugs);
        add_figures(&sum, h);
        finish(h);
    }
    print_means(s->name, sum, seeds);
    return sum;
}

TEST(the_registry_takes_few_calls)
{
    const unsigned seeds = SEEDS;
    bool           many = seeds >= 200;
    double five = hunt_in_registry("five bugs", &REGISTRY_SUBJECT, OURS, 5, seeds, false, 0);
    double alike = hunt_in_registry("five, symmetric", &ALIKE_SUBJECT, OURS, 5, seeds, false, 0);
    double paper =
        hunt_in_registry("five, as published", &REGISTRY_SUBJECT, PUBLISHED, 5, seeds, true, 0);
    double six = hunt_in_registry("six bugs", &REGISTRY_SUBJECT, GUARDED, 6, seeds, false, 2000);
    double six_alike =
        hunt_in_registry("six, symmetric", &ALIKE_SUBJECT, GUARDED, 6, seeds, false, 2000);
    CHECK(five <= (many ? 195 : 215) && alike < five);
    CHECK(paper >= (many ? 650 : 450) && paper <= (many ? 780 : 1000));
    CHECK(six <= (many ? 410 : 450) && six_alike < six);
}

/* ---- Chains: two steps each, in order, and then one call fails ---- */

static int chains_step(void *state, const wri_sequence *sequence, size_t call)
{
    char *done = state;
    int   command = sequence->calls[call].command;
    if (command == 6)
        return done[0] + done[1] + done[2] == 6;
    done[command / 2] = (char)(done[command / 2] + (done[command / 2] == command % 2));
    return 0;
}
#define PLAIN(name_)                                                                             \
    {                                                                                            \
        name_, no_call, .weight = 1                                                              \
    }
static const wr_command CHAIN_COMMANDS[] = { PLAIN("a1"), PLAIN("a2"), PLAIN("b1"),   PLAIN("b2"),
                                             PLAIN("c1"), PLAIN("c2"), PLAIN("fire"), { 0 } };
static const wr_machine CHAINS = { .commands = CHAIN_COMMANDS };
static const subject    CHAIN_SUBJECT = { "three chains", &CHAINS, chains_step, 0, 0, 40 };

TEST(independent_chains_are_one_report)
{
    const unsigned       seeds = SEEDS / 4 + 1;
    static const uint8_t ORDERS[][7] = { { 0, 1, 2, 3, 4, 5, 6 },
                                         { 0, 2, 4, 1, 3, 5, 6 },
                                         { 4, 0, 2, 3, 1, 5, 6 },
                                         { 2, 4, 5, 0, 3, 1, 6 } };
    hunt_for(&CHAIN_SUBJECT, 5000, 1, seeds);
    for (unsigned i = 0; i < 4; i++) {
        hunt        *h = start(&CHAIN_SUBJECT, OURS, 1, true);
        wri_made     calls[7] = { 0 };
        wri_sequence smallest = { .calls = calls, .count = 7, .room = 7 };
        wri_pattern  pattern;
        for (unsigned j = 0; j < 7; j++)
            calls[j].command = ORDERS[i][j];
        h->failure = failure_of(&smallest, 6, 1);
        CHECK(wri_generalise_calls(&h->lab, &OURS.setup, &smallest, &pattern));
        if (verbosity > 0)
            printf("the order of three chains took %zu tests\n", h->tests);
        CHECK(h->tests <= 20);
        for (unsigned j = 0; j < 6; j++) /* a second step needs its first one, and that is all */
            CHECK(__builtin_popcount(pattern.before[j]) == pattern.calls[j].command % 2);
        CHECK(pattern.before[6] == 63);
        finish(h);
    }
}

/* ---- A call that is missing ---- */

enum { ON, OFF, USE, IDLE };

static int switch_step(void *state, const wri_sequence *sequence, size_t call)
{
    bool    *on = state;
    unsigned command = sequence->calls[call].command;
    if (command == ON || command == OFF)
        *on = command == ON;
    return command == USE && !*on;
}
static const wr_command SWITCH_COMMANDS[] = {
    PLAIN("on"), PLAIN("off"), PLAIN("use"), PLAIN("idle"), { 0 }
};
static const wr_machine SWITCH = { .commands = SWITCH_COMMANDS };
static const subject    SWITCH_SUBJECT = { "switch", &SWITCH, switch_step, 0, 0, 40 };

TEST(what_is_missing_is_a_guard)
{
    const unsigned seeds = SEEDS / 4 + 1;
    hunt_for(&SWITCH_SUBJECT, 5000, 2, seeds); /* use, and on, off, use */
    hunt        *h = start(&SWITCH_SUBJECT, GUARDED, 1, true);
    wri_made     calls[] = { { IDLE, 0, { 0 } }, { OFF, 0, { 0 } }, { USE, 0, { 0 } } };
    wri_sequence failing = { .count = 0 }, given = { .calls = calls, .count = 3, .room = 3 };
    CHECK(wri_sequence_copy(&failing, &given));
    h->failure = failure_of(&failing, 2, 1);
    study(h, &failing);
    CHECK(failing.count == 1 && failing.calls[0].command == USE);
    CHECK(h->patterns[0].guard_count == 1);
    CHECK(h->patterns[0].guards[0].call.command == ON && !h->patterns[0].guards[0].consumed);
    wri_sequence_free(&failing);
    finish(h);
}

/* ---- Six calls on one object, among hundreds ---- */

enum { OPEN, WRITE, SEEK, TRUNCATE, READ, CLOSE };

static int file_step(void *state, const wri_sequence *sequence, size_t call)
{
    static const char WANTED[] = { WRITE, SEEK, TRUNCATE, WRITE, READ };
    const wri_made   *made = &sequence->calls[call];
    char             *progress = (char *)state + made->arguments[0];
    if (made->command == OPEN || made->command == CLOSE)
        return 0;
    *progress = (char)(*progress + (made->command == WANTED[(int)*progress]));
    return *progress == 5;
}
static const wr_kind    FILES = { "file", .handle = true };
static const wr_kind    KEY = { "key", .values = 10 };
static const wr_command FILE_COMMANDS[] = {
    { "open", no_call, .takes = { &KEY }, .gives = &FILES },
    { "write", no_call, .takes = { &FILES, &KEY } },
    { "seek", no_call, .takes = { &FILES } },
    { "truncate", no_call, .takes = { &FILES } },
    { "read", no_call, .takes = { &FILES, &KEY } },
    { "close", no_call, .takes = { &FILES }, .consumes = 1u },
    { 0 },
};
static const wr_machine FILE_MACHINE = { .commands = FILE_COMMANDS };
static const subject    FILE_SUBJECT = { "files", &FILE_MACHINE, file_step, 0, 0, 400 };

static int right_step(void *state, const wri_sequence *sequence, size_t call)
{
    (void)state, (void)sequence, (void)call;
    return 0;
}
static const subject RIGHT_SUBJECT = { "nothing wrong", &FILE_MACHINE, right_step, 0, 0, 40 };

TEST(long_bugs_are_found_in_long_sequences)
{
    const unsigned       seeds = SEEDS / 16 + 1;
    static const uint8_t SMALLEST[] = { OPEN, WRITE, SEEK, TRUNCATE, WRITE, READ };
    figures              sum = hunt_for(&FILE_SUBJECT, 6000, 1, seeds);
    CHECK(sum.reduced / seeds < 1000);
    hunt *h = start(&FILE_SUBJECT, GUARDED, 1, true);
    while (h->reports == 0)
        go_on(h);
    CHECK(h->patterns[0].count == 6);
    for (unsigned i = 0; i < 6; i++) {
        CHECK(h->patterns[0].calls[i].command == SMALLEST[i]);
        CHECK(h->patterns[0].before[i] == (1u << i) - 1);
        CHECK(i == 0 ||
              h->patterns[0].calls[i].terms[0].variable == h->patterns[0].calls[0].result);
    }
    finish(h);
    hunt_for(&RIGHT_SUBJECT, 20000, 0, 1);
}

/* ---- Calls that have nothing in common ---- */

static int setup_step(void *state, const wri_sequence *sequence, size_t call)
{
    unsigned *done = state, command = sequence->calls[call].command;
    *done |= 1u << command;
    return command == 5 && (*done & 31) == 31;
}
static const wr_command SETUP_COMMANDS[] = {
    PLAIN("a"),
    PLAIN("b"),
    PLAIN("c"),
    PLAIN("d"),
    PLAIN("e"),
    { "fire", no_call, .takes = { &KEY } },
    { "noise", no_call, .takes = { &KEY } },
    { 0 },
};
static const wr_machine SETUP = { .commands = SETUP_COMMANDS };
static const subject    SETUP_SUBJECT = { "five to set up", &SETUP, setup_step, 0, 0, 400 };

/* ---- A stack: calls that cannot be made ---- */

static int stack_step(void *state, const wri_sequence *sequence, size_t call)
{
    int *depth = state;
    switch (sequence->calls[call].command) {
    case 0: return ++*depth > 8;
    case 1: return *depth == 0 ? -1 : (--*depth, 0);
    default: return 0;
    }
}
static const wr_command STACK_COMMANDS[] = {
    { "push", no_call, .takes = { &KEY } },
    PLAIN("pop"),
    { "peek", no_call, .observer = true },
    { 0 },
};
static const wr_machine STACK = { .commands = STACK_COMMANDS };
static const subject    STACK_SUBJECT = { "stack", &STACK, stack_step, 0, 0, 100 };

TEST(calls_without_common_values_are_found)
{
    const unsigned seeds = SEEDS / 16 + 1;
    hunt_for(&SETUP_SUBJECT, 5000, 1, seeds);
    hunt_for(&STACK_SUBJECT, 5000, 1, seeds);
    hunt *h = start(&STACK_SUBJECT, GUARDED, 1, true);
    while (h->reports == 0)
        go_on(h);
    CHECK(h->patterns[0].count == 9 && h->patterns[0].guard_count == 1);
    CHECK(h->patterns[0].guards[0].call.command == 1);
    finish(h);
}

/* ---- Numbers, and values that are needed ---- */

enum { AT_LEAST_64, ONLY_0, BETWEEN, BELOW_ZERO, ONLY_KEY_3, SAME_NUMBER };

static int number_step(void *state, const wri_sequence *sequence, size_t call)
{
    const wri_made *made = &sequence->calls[call];
    int64_t         n = made->arguments[0], *last = state;
    switch (made->command) {
    case AT_LEAST_64: return n >= 64;
    case ONLY_0: return n == 0;
    case BETWEEN: return n >= 100 && n <= 200;
    case BELOW_ZERO: return n <= -5;
    case ONLY_KEY_3: return n == 3;
    default: {
        bool same = last[1] != 0 && last[0] == n;
        last[0] = n;
        last[1] = 1;
        return same;
    }
    }
}
static const wr_kind    NUMBER = { "number", .draw = no_draw };
static const wr_command NUMBER_COMMANDS[] = {
    { "at_least_64", no_call, .takes = { &NUMBER } },
    { "only_0", no_call, .takes = { &NUMBER } },
    { "between", no_call, .takes = { &NUMBER } },
    { "below_zero", no_call, .takes = { &NUMBER } },
    { "only_key_3", no_call, .takes = { &KEY } },
    { "same_number", no_call, .takes = { &NUMBER } },
    { 0 },
};
static const wr_machine NUMBERS = { .commands = NUMBER_COMMANDS };
static const subject    NUMBER_SUBJECT = { "numbers", &NUMBERS, number_step, -50, 1000, 40 };

/* One call, or the same one twice, with this argument fails: what is its pattern? */
static wri_pattern study_number(unsigned command, unsigned times, int64_t value, size_t *tests)
{
    hunt        *h = start(&NUMBER_SUBJECT, OURS, 1, true);
    wri_made     call = { (uint8_t)command, 0, { value } };
    wri_sequence failing = { .count = 0 };
    for (unsigned i = 0; i < times; i++)
        CHECK(wri_sequence_append(&failing, &call));
    h->failure = failure_of(&failing, times - 1, 1);
    study(h, &failing);
    CHECK(h->pattern_count == 1 && h->patterns[0].count == times);
    *tests = h->tests;
    wri_pattern pattern = h->patterns[0];
    wri_sequence_free(&failing);
    finish(h);
    return pattern;
}

TEST(numbers_get_ranges)
{
    static const struct {
        unsigned command;
        int64_t  value, least, most;
    } RANGES[] = {
        { AT_LEAST_64, 777, 64, INT64_MAX },
        { AT_LEAST_64, 64, 64, INT64_MAX },
        { ONLY_0, 0, 0, 0 },
        { BETWEEN, 133, 100, 200 },
        { BETWEEN, 200, 100, 200 },
        { BELOW_ZERO, -44, INT64_MIN, -5 },
        { ONLY_KEY_3, 3, 3, 3 },
    };
    size_t tests;
    for (size_t i = 0; i < sizeof RANGES / sizeof *RANGES; i++) {
        wri_pattern pattern = study_number(RANGES[i].command, 1, RANGES[i].value, &tests);
        CHECK(pattern.calls[0].terms[0].sort == WRI_TERM_RANGE);
        CHECK(pattern.calls[0].terms[0].least == RANGES[i].least);
        CHECK(pattern.calls[0].terms[0].most == RANGES[i].most);
        CHECK(tests <= 40);
    }
    wri_pattern same = study_number(SAME_NUMBER, 2, 512, &tests);
    CHECK(same.calls[0].terms[0].sort == WRI_TERM_VARIABLE);
    CHECK(same.calls[1].terms[0].sort == WRI_TERM_VARIABLE);
    CHECK(same.calls[0].terms[0].variable == same.calls[1].terms[0].variable);
}

/* ---- Numbers that matter together ---- */

enum { SUM, DISTANCE, REMAINDER, PRODUCT, CORNER, BAND };

static int coupled_step(void *state, const wri_sequence *sequence, size_t call)
{
    const wri_made *made = &sequence->calls[call];
    int64_t         a = made->arguments[0], b = made->arguments[1];
    (void)state;
    switch (made->command) {
    case SUM: return a + b == 7;
    case DISTANCE: return b - a == 3;
    case REMAINDER: return a % 3 == 1;
    case PRODUCT: return a * b == 0;
    case CORNER: return a >= 6 && b <= 4;
    default: return a + b >= 4 && a + b <= 9;
    }
}
#define PAIR(name_)                                                                              \
    {                                                                                            \
        name_, no_call, .takes = { &KEY, &KEY }                                                  \
    }
static const wr_command COUPLED_COMMANDS[] = {
    PAIR("sum"),     PAIR("distance"), PAIR("remainder"),
    PAIR("product"), PAIR("corner"),   PAIR("band"),
    { 0 },
};
static const wr_machine COUPLED = { .commands = COUPLED_COMMANDS };
static const subject    COUPLED_SUBJECT = { "coupled", &COUPLED, coupled_step, 0, 9, 40 };

/* Of this pair that fails: does all fail that the rule says? */
static void check_rule_of(unsigned command, int64_t a, int64_t b)
{
    hunt        *h = start(&COUPLED_SUBJECT, OURS, 1, true);
    wri_made     call = { (uint8_t)command, 0, { a, b } };
    wri_sequence failing = { .count = 0 }, other = { .calls = &call, .count = 1, .room = 1 };
    CHECK(wri_sequence_append(&failing, &call));
    h->failure = failure_of(&failing, 0, 1);
    study(h, &failing);
    CHECK(h->pattern_count == 1);
    for (int64_t i = 0; i < 100; i++) {
        call.arguments[0] = i / 10;
        call.arguments[1] = i % 10;
        CHECK(coupled_step(NULL, &other, 0) == 1 ||
              !match_in(h->machine, &h->patterns[0], &other));
    }
    CHECK(match_in(h->machine, &h->patterns[0], &failing));
    CHECK(h->tests <= 60);
    wri_sequence_free(&failing);
    finish(h);
}

TEST(what_a_rule_says_is_true)
{
    for (unsigned command = SUM; command <= BAND; command++)
        for (int64_t i = 0; i < 100; i++) {
            wri_made     call = { (uint8_t)command, 0, { i / 10, i % 10 } };
            wri_sequence sequence = { .calls = &call, .count = 1, .room = 1 };
            if (coupled_step(NULL, &sequence, 0) == 1)
                check_rule_of(command, i / 10, i % 10);
        }
}

/* ---- Kinds of few values, all of which are taken ---- */

/* It is the second call that fails, with these: bit 2 a + b for a, then b. */
static unsigned fails_with;

static int few_step(void *state, const wri_sequence *sequence, size_t call)
{
    int64_t *made = state, value = sequence->calls[call].arguments[0];
    int64_t  pair = 2 * made[1] + value;
    made[1] = value;
    return made[0]++ == 1 && (fails_with >> pair & 1) != 0;
}
static int64_t side_of(int64_t value)
{
    return value > 64;
}
static const wr_kind    FLAG = { "flag", .values = 2 };
static const wr_kind    SIDE = { "side", .draw = no_draw, .abstract = side_of };
static const wr_command FEW_COMMANDS[] = {
    { "set", no_call, .takes = { &FLAG } },
    { "write", no_call, .takes = { &SIDE } },
    { 0 },
};
static const wr_machine FEW = { .commands = FEW_COMMANDS };
static const subject    FEW_SUBJECT = { "few", &FEW, few_step, 0, 1, 40 };
static const subject    ONE_SEEN = { "one seen", &FEW, few_step, 0, 0, 40 };

static bool fails_as_pair(unsigned pair)
{
    return (fails_with >> pair & 1) != 0;
}

/* Of this pair that fails: does all fail that the rule says? */
static void check_rule_of_pair(const subject *few, uint8_t command, unsigned pair)
{
    hunt        *h = start(few, OURS, 1, true);
    wri_made     calls[] = { { command, 0, { pair / 2 } }, { command, 0, { pair % 2 } } };
    wri_sequence failing = { .count = 0 }, given = { .calls = calls, .count = 2, .room = 2 };
    CHECK(wri_sequence_copy(&failing, &given));
    h->failure = failure_of(&failing, 1, 1);
    study(h, &failing);
    CHECK(h->pattern_count == 1 && h->patterns[0].count == 2);
    CHECK(match_in(h->machine, &h->patterns[0], &failing));
    for (unsigned i = 0; i < 4; i++) {
        calls[0].arguments[0] = i / 2;
        calls[1].arguments[0] = i % 2;
        CHECK(fails_as_pair(i) || !match_in(h->machine, &h->patterns[0], &given));
    }
    CHECK(h->tests <= 16);
    wri_sequence_free(&failing);
    finish(h);
}

TEST(values_that_are_all_taken_are_tried)
{
    for (fails_with = 1; fails_with < 16; fails_with++)
        for (unsigned pair = 0; pair < 4; pair++)
            for (uint8_t command = 0; command < 2; command++)
                if (fails_as_pair(pair))
                    check_rule_of_pair(&FEW_SUBJECT, command, pair);
}

TEST(what_was_not_seen_is_not_any)
{
    fails_with = 1;
    check_rule_of_pair(&ONE_SEEN, 1, 0);
}

/* ---- Keys of which one is less than the other ---- */

static int sorted_step(void *state, const wri_sequence *sequence, size_t call)
{
    int64_t *last = state, key = sequence->calls[call].arguments[0] + 1;
    bool     less = key < *last;
    *last = key;
    return less;
}
static const wr_command SORTED_COMMANDS[] = { { "put", no_call, .takes = { &KEY } }, { 0 } };
static const wr_machine SORTED = { .commands = SORTED_COMMANDS };
static const subject    SORTED_SUBJECT = { "sorted", &SORTED, sorted_step, 0, 0, 40 };

TEST(keys_in_order_are_no_constants)
{
    for (int64_t high = 1; high < 10; high++)
        for (int64_t low = 0; low < high; low++) {
            hunt        *h = start(&SORTED_SUBJECT, OURS, 1, true);
            wri_made     calls[] = { { 0, 0, { high } }, { 0, 0, { low } } };
            wri_sequence failing = { .count = 0 },
                         given = { .calls = calls, .count = 2, .room = 2 };
            CHECK(wri_sequence_copy(&failing, &given));
            h->failure = failure_of(&failing, 1, 1);
            study(h, &failing);
            CHECK(failing.calls[0].arguments[0] == 1 && failing.calls[1].arguments[0] == 0);
            CHECK(h->patterns[0].calls[0].terms[0].sort == WRI_TERM_VARIABLE);
            CHECK(h->patterns[0].calls[1].terms[0].sort == WRI_TERM_VARIABLE);
            wri_sequence_free(&failing);
            finish(h);
        }
}

/* ---- Patterns whose instances pass ---- */

/* The rule of these calls, which leaves all values and orders open that it can, is sampled. */
static wri_pattern sample_open(hunt *h, const wri_sequence *failing, bool ordered)
{
    wri_pattern pattern;
    CHECK(wri_abstract_calls(h->machine, failing, WRI_LEVEL_SHARED, &pattern));
    for (unsigned i = 0; i < pattern.count && !ordered; i++)
        pattern.before[i] = 0;
    h->failure = failure_of(failing, failing->count - 1, 1);
    wri_sample_rule(&h->lab, failing, &pattern);
    return pattern;
}

TEST(a_rule_whose_instances_pass_is_narrowed)
{
    hunt        *h = start(&NUMBER_SUBJECT, OURS, 1, true);
    wri_made     call = { BETWEEN, 0, { 133 } };
    wri_sequence failing = { .calls = &call, .count = 1, .room = 1 };
    wri_pattern  pattern = sample_open(h, &failing, true);
    CHECK(pattern.calls[0].terms[0].sort == WRI_TERM_RANGE);
    CHECK(pattern.calls[0].terms[0].least >= 100 && pattern.calls[0].terms[0].least <= 133);
    CHECK(pattern.calls[0].terms[0].most >= 133 && pattern.calls[0].terms[0].most <= 200);
    call = (wri_made){ ONLY_KEY_3, 0, { 3 } };
    pattern = sample_open(h, &failing, true);
    CHECK(pattern.calls[0].terms[0].least == 3 && pattern.calls[0].terms[0].most == 3);
    finish(h);
}

TEST(an_order_that_matters_is_found_by_instances)
{
    hunt        *h = start(&SORTED_SUBJECT, OURS, 1, true);
    wri_made     calls[] = { { 0, 0, { 7 } }, { 0, 0, { 2 } } };
    wri_sequence failing = { .calls = calls, .count = 2, .room = 2 };
    wri_pattern  pattern = sample_open(h, &failing, false);
    CHECK(match_in(h->machine, &pattern, &failing));
    for (int64_t i = 0; i < 100; i++) {
        wri_made     other[] = { { 0, 0, { i / 10 } }, { 0, 0, { i % 10 } } };
        wri_sequence pair = { .calls = other, .count = 2, .room = 2 };
        CHECK(i / 10 > i % 10 || i / 10 == i % 10 || !match_in(h->machine, &pattern, &pair));
    }
    finish(h);
}

/* ---- Results ---- */

static wri_sequence of(wri_made *calls, size_t count)
{
    return (wri_sequence){ .calls = calls, .count = count, .room = count };
}

TEST(results_know_beginnings_and_other_names)
{
    wri_made     first[] = { { SPAWN, 0, { 0 } },
                             { REGISTER, 0, { 3, 0 } },
                             { WHEREIS, 0, { 3 } },
                             { REGISTER, 0, { 1, 0 } },
                             { KILL, 0, { 0 } } };
    wri_made     again[] = { { SPAWN, 0, { 0 } },
                             { REGISTER, 0, { 0, 0 } },
                             { WHEREIS, 0, { 0 } },
                             { REGISTER, 0, { 4, 0 } },
                             { SPAWN, 0, { 0 } } };
    wri_sequence sequence = of(first, 5), renamed = of(again, 5);
    for (int alike = 0; alike < 2; alike++) {
        wri_machine *machine =
            wri_machine_of(&the_case, alike ? &ALIKE : &REGISTRY, "results", __FILE__, __LINE__);
        wri_results *results = wri_results_make(machine);
        bool         failed = false;
        uint64_t     failure = 0;
        size_t       at = 0;
        CHECK(results != NULL && wri_results_add(results, &sequence, true, 7, 3));
        sequence.count = 3;
        CHECK(wri_results_find(results, &sequence, &failed, &failure, &at) && !failed);
        sequence.count = 5;
        CHECK(wri_results_find(results, &sequence, &failed, &failure, &at));
        CHECK(failed && failure == 7 && at == 3);
        CHECK(wri_results_find(results, &renamed, &failed, &failure, &at) == (alike == 1));
        first[3].arguments[0] = 3;
        CHECK(!wri_results_find(results, &sequence, &failed, &failure, &at));
        first[3].arguments[0] = 1;
        sequence.count = 4;
        CHECK(wri_results_add(results, &sequence, true, 7, 3));
        CHECK(!wri_results_add(results, &sequence, true, 8, 3));
        CHECK(!wri_results_add(results, &sequence, true, 7, 2));
        CHECK(!wri_results_add(results, &sequence, false, 0, 0));
        sequence.count = 5;
        sequence.settings = (wri_configuration){ .count = 1, .rest = 9, .list = { { 1, 0, 3 } } };
        CHECK(!wri_results_find(results, &sequence, &failed, &failure, &at));
        CHECK(wri_results_add(results, &sequence, false, 0, 0));
        sequence.settings.list[0].value = 4;
        CHECK(!wri_results_find(results, &sequence, &failed, &failure, &at));
        sequence.settings = (wri_configuration){ 0 };
        wri_results_free(results);
    }
}

/* ---- What is needed only because something else is there ---- */

enum { INSERT, REMOVE, LEAST };

/* A heap whose removal does not sift up. A handle is an item, and its call has the key. */
typedef struct heap {
    uint8_t count, items[100];
} heap;

static int64_t key_at(const heap *h, const wri_sequence *sequence, unsigned at)
{
    return sequence->calls[h->items[at]].arguments[0];
}

static void exchange(heap *h, unsigned a, unsigned b)
{
    uint8_t item = h->items[a];
    h->items[a] = h->items[b];
    h->items[b] = item;
}

static void sift_down(heap *h, const wri_sequence *sequence, unsigned at)
{
    for (;;) {
        unsigned least = at;
        for (unsigned child = 2 * at + 1; child <= 2 * at + 2 && child < h->count; child++)
            if (key_at(h, sequence, child) < key_at(h, sequence, least))
                least = child;
        if (least == at)
            return;
        exchange(h, at, least);
        at = least;
    }
}

static int heap_step(void *state, const wri_sequence *sequence, size_t call)
{
    heap           *h = state;
    const wri_made *made = &sequence->calls[call];
    unsigned        at = h->count;
    switch (made->command) {
    case INSERT:
        h->items[h->count++] = (uint8_t)call;
        for (; at > 0 && key_at(h, sequence, (at - 1) / 2) > key_at(h, sequence, at);
             at = (at - 1) / 2)
            exchange(h, at, (at - 1) / 2);
        return 0;
    case REMOVE:
        for (at = 0; h->items[at] != made->arguments[0];)
            at++;
        exchange(h, at, --h->count);
        sift_down(h, sequence, at);
        return 0;
    default:
        for (unsigned i = 1; i < h->count; i++)
            if (key_at(h, sequence, i) < key_at(h, sequence, 0))
                return 1;
        return h->count == 0 ? -1 : 0;
    }
}
static const wr_kind    ITEM = { "item", .handle = true };
static const wr_command HEAP_COMMANDS[] = {
    { "insert", no_call, .takes = { &NUMBER }, .gives = &ITEM },
    { "remove", no_call, .takes = { &ITEM }, .consumes = 1u },
    { "least", no_call, .observer = true },
    { 0 },
};
static const wr_machine HEAP = { .commands = HEAP_COMMANDS };
static const subject    HEAP_SUBJECT = { "heap", &HEAP, heap_step, 0, 1000, 90 };

/* The first failing sequence, reduced. */
static hunt *reduce_first(const subject *s, uint64_t seed, wri_sequence *failing)
{
    hunt *h = start(s, OURS, seed, true);
    while (!explore(h, failing))
        continue;
    CHECK(wri_reduce_calls(&h->lab, &OURS.setup, failing));
    return h;
}

TEST(what_only_others_need_goes)
{
    wri_sequence failing = { .count = 0 }, again = { .count = 0 };
    size_t       longest = 0, sum = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        finish(reduce_first(&HEAP_SUBJECT, seed, &again));
        hunt  *h = reduce_first(&HEAP_SUBJECT, seed, &failing);
        size_t reduced = failing.count, calls = h->calls;
        CHECK(!wri_refine_calls(&h->lab, &failing, 0) && h->calls == calls);
        CHECK(failing.count == again.count &&
              memcmp(failing.calls, again.calls, again.count * sizeof *again.calls) == 0);
        CHECK(wri_refine_calls(&h->lab, &failing, 100000) == (failing.count < reduced));
        if (verbosity > 0)
            printf("a heap's %zu calls became %zu with %zu more\n", reduced, failing.count,
                   h->calls - calls);
        CHECK(failing.count >= 11 && failing.count <= 15);
        size_t at;
        CHECK(run_in_lab(h, &failing, &at) == WRI_TRIED_SAME && at + 1 == failing.count);
        longest = reduced > longest ? reduced : longest;
        sum += failing.count;
        finish(h);
    }
    CHECK(longest > 14 && sum <= 8 * 12);
    wri_sequence_free(&failing);
    wri_sequence_free(&again);
}

/* ---- A handle in whose place another would do ---- */

enum { MAKE, JOIN, LENGTH };

/* Ropes: two of one length, above 4, lose something when they are joined. */
typedef struct ropes {
    int16_t lengths[100];
    bool    lost[100];
} ropes;

static int rope_step(void *state, const wri_sequence *sequence, size_t call)
{
    ropes          *r = state;
    const wri_made *made = &sequence->calls[call];
    int64_t         a = made->arguments[0], b = made->arguments[1];
    if (made->command == JOIN && a == b)
        return -1;
    if (made->command == MAKE)
        r->lengths[call] = (int16_t)a;
    if (made->command == JOIN) {
        r->lengths[call] = (int16_t)(r->lengths[a] + r->lengths[b]);
        r->lost[call] =
            r->lost[a] || r->lost[b] || (r->lengths[a] == r->lengths[b] && r->lengths[a] > 4);
    }
    return made->command == LENGTH && r->lost[a];
}
static const wr_kind    ROPE = { "rope", .handle = true };
static const wr_command ROPE_COMMANDS[] = {
    { "make", no_call, .takes = { &NUMBER }, .gives = &ROPE },
    { "join", no_call, .takes = { &ROPE, &ROPE }, .gives = &ROPE, .consumes = 3u },
    { "length", no_call, .takes = { &ROPE }, .observer = true },
    { 0 },
};
static const wr_machine ROPES = { .commands = ROPE_COMMANDS };
static const subject    ROPE_SUBJECT = { "ropes", &ROPES, rope_step, 0, 12, 90 };

TEST(another_handle_does_as_well)
{
    wri_made calls[][6] = {
        { { MAKE, 0, { 0 } },
          { MAKE, 0, { 5 } },
          { MAKE, 0, { 5 } },
          { JOIN, 0, { 1, 2 } },
          { JOIN, 0, { 0, 3 } },
          { LENGTH, 0, { 4 } } },
        { { MAKE, 0, { 0 } },
          { MAKE, 0, { 5 } },
          { MAKE, 0, { 5 } },
          { JOIN, 0, { 0, 1 } },
          { JOIN, 0, { 2, 3 } },
          { LENGTH, 0, { 4 } } },
    };
    for (unsigned i = 0; i < 2; i++) {
        hunt        *h = start(&ROPE_SUBJECT, OURS, 1, true);
        wri_sequence given = of(calls[i], 6), failing = { .count = 0 };
        CHECK(wri_sequence_copy(&failing, &given));
        h->failure = failure_of(&failing, 5, 1);
        CHECK(wri_refine_calls(&h->lab, &failing, 1000));
        CHECK(failing.count == 4 && failing.calls[2].command == JOIN && h->calls <= 1000);
        size_t calls_made = h->calls;
        CHECK(!wri_refine_calls(&h->lab, &failing, 1000) &&
              h->calls == calls_made); /* it is short */
        wri_sequence_free(&failing);
        finish(h);
    }
}

/* ---- Several changes at once ---- */

enum { BOX_MAKE, BOX_COPY, BOX_ADD, BOX_SWAP, BOX_TOUCH, BOX_CLOSE, BOX_LOOK };

/* A look into a box fails if numbers of exactly 12 were added, or if the box was touched, or
 * swapped with another one. */
typedef struct boxes {
    int16_t sums[100];
    bool    touched[100];
} boxes;

static int box_step(void *state, const wri_sequence *sequence, size_t call)
{
    boxes          *b = state;
    const wri_made *made = &sequence->calls[call];
    int64_t         box = made->arguments[0];
    if (made->command == BOX_ADD)
        b->sums[box] = (int16_t)(b->sums[box] + made->arguments[1]);
    if (made->command == BOX_TOUCH || (made->command == BOX_SWAP && made->arguments[1] != box))
        b->touched[box] = true;
    if (made->command != BOX_LOOK)
        return 0;
    return b->touched[box] ? 2 : b->sums[box] == 12;
}
static const wr_kind    BOX = { "box", .handle = true };
static const wr_command BOX_COMMANDS[] = {
    { "make", no_call, .gives = &BOX },
    { "copy", no_call, .takes = { &BOX }, .gives = &BOX },
    { "add", no_call, .takes = { &BOX, &NUMBER } },
    { "swap", no_call, .takes = { &BOX, &BOX } },
    { "touch", no_call, .takes = { &BOX } },
    { "close", no_call, .takes = { &BOX }, .consumes = 1u },
    { "look", no_call, .takes = { &BOX }, .observer = true },
    { 0 },
};
static const wr_machine BOXES = { .commands = BOX_COMMANDS };
static const subject    BOX_SUBJECT = { "boxes", &BOXES, box_step, 0, 6, 90 };

/* The calls fail with this result, and become exactly those that are wanted. */
static void minimises(wri_made *calls, size_t count, int result, wri_made *wanted, size_t fewest)
{
    hunt        *h = start(&BOX_SUBJECT, OURS, 1, true);
    wri_sequence given = of(calls, count), smallest = of(wanted, fewest);
    wri_sequence failing = { .count = 0 };
    size_t       at;
    CHECK(wri_sequence_copy(&failing, &given));
    h->failure = execute(h, &given, &at);
    CHECK(at + 1 == count && h->failure == failure_of(&given, at, result));
    size_t before = h->calls;
    CHECK(wri_minimise_calls(&h->lab, &failing, 3000));
    CHECK(wri_sequence_same(&failing, &smallest) && h->calls - before <= 3000);
    CHECK(!wri_minimise_calls(&h->lab, &failing, 3000));
    wri_sequence_free(&failing);
    finish(h);
}

TEST(a_call_goes_while_a_number_grows)
{
    wri_made calls[] = { { BOX_MAKE, 0, { 0 } },   { BOX_ADD, 0, { 0, 3 } },
                         { BOX_ADD, 0, { 0, 3 } }, { BOX_ADD, 0, { 0, 3 } },
                         { BOX_ADD, 0, { 0, 3 } }, { BOX_LOOK, 0, { 0 } } };
    wri_made wanted[] = { { BOX_MAKE, 0, { 0 } },
                          { BOX_ADD, 0, { 0, 6 } },
                          { BOX_ADD, 0, { 0, 6 } },
                          { BOX_LOOK, 0, { 0 } } };
    minimises(calls, 6, 1, wanted, 4);
}

TEST(a_call_gets_another_command_while_a_handle_goes)
{
    wri_made calls[] = { { BOX_MAKE, 0, { 0 } },
                         { BOX_MAKE, 0, { 0 } },
                         { BOX_SWAP, 0, { 0, 1 } },
                         { BOX_LOOK, 0, { 0 } } };
    wri_made wanted[] = { { BOX_MAKE, 0, { 0 } },
                          { BOX_TOUCH, 0, { 0 } },
                          { BOX_LOOK, 0, { 0 } } };
    minimises(calls, 4, 2, wanted, 3);
}

TEST(an_earlier_handle_is_taken_and_lives_longer)
{
    wri_made calls[] = { { BOX_MAKE, 0, { 0 } },
                         { BOX_COPY, 0, { 0 } },
                         { BOX_CLOSE, 0, { 0 } },
                         { BOX_TOUCH, 0, { 1 } },
                         { BOX_LOOK, 0, { 1 } } };
    wri_made wanted[] = { { BOX_MAKE, 0, { 0 } },
                          { BOX_TOUCH, 0, { 0 } },
                          { BOX_LOOK, 0, { 0 } } };
    minimises(calls, 5, 2, wanted, 3);
}

TEST(all_values_become_equal_while_calls_go)
{
    wri_made calls[] = { { BOX_MAKE, 0, { 0 } },   { BOX_ADD, 0, { 0, 1 } },
                         { BOX_ADD, 0, { 0, 1 } }, { BOX_ADD, 0, { 0, 4 } },
                         { BOX_ADD, 0, { 0, 6 } }, { BOX_LOOK, 0, { 0 } } };
    wri_made wanted[] = { { BOX_MAKE, 0, { 0 } },
                          { BOX_ADD, 0, { 0, 6 } },
                          { BOX_ADD, 0, { 0, 6 } },
                          { BOX_LOOK, 0, { 0 } } };
    minimises(calls, 6, 1, wanted, 4);
}

/* ---- Numbers that matter by their distance ---- */

/* A window of 64 numbers that were seen; a greater one moves it, modulo 64. */
typedef struct window {
    int64_t  top;
    uint64_t seen;
} window;

static int window_step(void *state, const wri_sequence *sequence, size_t call)
{
    window *w = state;
    int64_t n = sequence->calls[call].arguments[0];
    if (w->seen == 0 || n > w->top) {
        w->seen = w->seen << ((n - w->top) & 63) | 1;
        w->top = n;
        return 0;
    }
    if (w->top - n >= 64)
        return 0;
    bool accepted = (w->seen >> (w->top - n) & 1) == 0, came = false;
    for (size_t i = 0; i < call; i++)
        came |= sequence->calls[i].arguments[0] == n;
    w->seen |= UINT64_C(1) << (w->top - n);
    return accepted == came;
}
static const wr_command WINDOW_COMMANDS[] = {
    { "accept", no_call, .takes = { &NUMBER } },
    { 0 },
};
static const wr_machine WINDOW = { .commands = WINDOW_COMMANDS };
static const subject    WINDOW_SUBJECT = { "window", &WINDOW, window_step, 0, 1 << 30, 90 };

TEST(distances_become_small)
{
    const int64_t FAR = 62 + (INT64_C(64) << 20);
    wri_made      calls[] = { { 0, 0, { 62 } }, { 0, 0, { FAR + 5 } }, { 0, 0, { FAR } } };
    wri_sequence  given = of(calls, 3), failing = { .count = 0 };
    hunt         *h = start(&WINDOW_SUBJECT, OURS, 1, true);
    CHECK(wri_sequence_copy(&failing, &given));
    h->failure = failure_of(&failing, 2, 1);
    CHECK(wri_reduce_calls(&h->lab, &OURS.setup, &failing));
    CHECK(failing.count == 3 && failing.calls[0].arguments[0] == 0);
    CHECK(failing.calls[1].arguments[0] == 65 && failing.calls[2].arguments[0] == 64);
    wri_sequence_free(&failing);
    finish(h);
}

/* ---- What does not fail again ---- */

TEST(what_does_not_fail_again_is_not_reduced)
{
    static const approach *const SETUPS[] = { &OURS, &PUBLISHED };
    for (unsigned i = 0; i < 2; i++) {
        hunt        *h = start(&REGISTRY_SUBJECT, *SETUPS[i], 1, false);
        wri_made     calls[] = { { SPAWN, 0, { 0 } },
                                 { REGISTER, 0, { 2, 0 } },
                                 { WHEREIS, 0, { 2 } } };
        wri_sequence given = of(calls, 3), failing = { .count = 0 };
        CHECK(wri_sequence_copy(&failing, &given));
        h->failure = failure_of(&failing, 2, 1);
        CHECK(!wri_reduce_calls(&h->lab, &SETUPS[i]->setup, &failing));
        wri_sequence_free(&failing);
        finish(h);
    }
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("STUDY_VERBOSITY");
    verbosity = wanted == NULL ? 0 : atoi(wanted);
    build_case();
    int status = run_tests(argc, argv);
    free_case();
    return status;
}
