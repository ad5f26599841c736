/* explore/feedback.c: the `feedback` explorer of machines: sequences are made from sequences that
 * reached new states.
 *
 * One shortest sequence is kept for each state that was reached. The next test is one of them
 * with one more call, or with the calls of a macro. The command is chosen first, all equally
 * likely, and then a state in which it can be called. So commands that can be called in few
 * states are called as often as others. Some tests begin with two of these sequences, one after
 * the other, so that a call can have handles of both. No test is made twice. A shard (--shard) is
 * another random search. The judge runs every test, so the number of workers changes nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/hash.h"
#include "explore/explorer.h"

/* So many tests are thought of before it is said that there are no others. */
#define THOUGHTS 2000
/* After so many tests in a row that known bugs are in, there is hardly another. */
#define VAIN_MOST 10000
/* One test in so many joins two sequences, if there are handles. (Not with --patterns off, which
 * is the method as published.) */
#define JOIN_ONE_IN 8
/* After so many sequences it shows that states do not tell them apart: fewer than one in so many
 * led to a state that was known. */
#define SEQUENCES_TOLD 100
#define OWN_STATES_OF 20
/* How many cases may be discarded for each that counts. */
#define DISCARDS_EACH 20
#define DISCARDS_FREE 1000

typedef struct state {
    uint64_t     callable;
    wri_sequence shortest;
} state;

/* Numbers of states. */
typedef struct list {
    uint32_t *numbers;
    size_t    count, room;
} list;

typedef struct feedback {
    wri_exploration run;
    uint64_t        random;
    state          *states;
    size_t          count, room;
    wri_hashes      by_hash;  /* a state's number + 1, by its hash */
    wri_hashes      tried;    /* tests, by the hash of their calls */
    list           *callable; /* of each command, then of each macro: where it can be called */
    wri_sequence    test;
    wri_trace       plan;  /* of the test */
    unsigned        extra; /* a command, from 1, to be called at the end with random arguments */
    bool            begun; /* the sequence without calls, where all begin, went out */
    bool            no_memory; /* for tests that might be made */
    uint64_t        cases, discarded;
    uint64_t        told; /* sequences whose state is known */
} feedback;

static bool list_add(list *to, uint32_t number)
{
    uint32_t *numbers = wri_grow(to->numbers, sizeof *numbers, to->count, &to->room);
    if (numbers == NULL)
        return false;
    to->numbers = numbers;
    numbers[to->count++] = number;
    return true;
}

/* ---- States ---- */

static unsigned item_count(const feedback *self)
{
    return self->run.machine->command_count + self->run.machine->macro_count;
}

static unsigned first_command(const feedback *self, unsigned item)
{
    unsigned commands = self->run.machine->command_count;
    return item < commands ? item : self->run.machine->macros[item - commands].steps[0];
}

static bool add_state(feedback *self, const state *now)
{
    uint32_t number = (uint32_t)self->count;
    state   *states = wri_grow(self->states, sizeof *states, number, &self->room);
    if (states == NULL)
        return false;
    self->states = states;
    states[self->count++] = *now;
    for (unsigned i = 0; i < item_count(self); i++)
        if ((now->callable >> first_command(self, i) & 1) != 0 &&
            !list_add(&self->callable[i], number))
            return false;
    return true;
}

/* These calls were made and led to a state in which the commands of `callable` can be called.
 * False: out of memory. */
static bool reached(feedback *self, const wri_sequence *made, uint64_t hash, uint64_t callable)
{
    state    now = { .callable = callable };
    uint32_t before;
    self->told++;
    if (!wri_hashes_put(&self->by_hash, hash, (uint32_t)self->count + 1, &before))
        return false;
    if (before == 0)
        return wri_sequence_copy(&now.shortest, made) && add_state(self, &now);
    wri_sequence *known = &self->states[before - 1].shortest;
    return made->count >= known->count || wri_sequence_copy(known, made);
}

/* ---- Tests ---- */

static uint64_t below(feedback *self, uint64_t count)
{
    return wri_prng_scale(wri_prng_next(&self->random), count - 1);
}

static bool gives(const wri_machine *machine, const wri_made *call, unsigned kind)
{
    const wri_machine_command *command = &machine->commands[call->command];
    return command->giving && command->gives == kind;
}

/* Is the handle that call `giver` gave dead after these, or in the hands of a call that it dies
 * in? */
static bool is_spent(const wri_machine *machine, const wri_sequence *calls, const wri_made *next,
                     unsigned argument, size_t giver)
{
    for (size_t i = giver + 1; i < calls->count; i++) {
        const wri_made *call = &calls->calls[i];
        for (unsigned k = 0; k < machine->commands[call->command].arity; k++)
            if (wri_made_consumes(machine, call, k) && call->arguments[k] == (int64_t)giver)
                return true;
    }
    const wri_machine_command *command = &machine->commands[next->command];
    for (unsigned k = 0; k < argument; k++)
        if (command->table->takes[k] == command->table->takes[argument] &&
            ((command->table->consumes >> k | command->table->consumes >> argument) & 1) != 0 &&
            next->arguments[k] == (int64_t)giver)
            return true;
    return false;
}

/* One of the calls that gave a handle of this kind; the last, if it is one of those from `own`
 * on. */
static bool choose_handle(feedback *self, const wri_sequence *calls, size_t own, wri_made *next,
                          unsigned argument)
{
    const wri_machine *machine = self->run.machine;
    unsigned           kind = machine->commands[next->command].kinds[argument];
    uint64_t           alive = 0;
    for (size_t i = calls->count; i-- > 0;) {
        if (!gives(machine, &calls->calls[i], kind) ||
            is_spent(machine, calls, next, argument, i))
            continue;
        if (i >= own) {
            next->arguments[argument] = (int64_t)i;
            return true;
        }
        if (below(self, ++alive) == 0)
            next->arguments[argument] = (int64_t)i;
    }
    return alive > 0;
}

/* A call of this command with arguments at random; false: that takes a function of the user, or
 * there is no handle for it. */
static bool choose_call(feedback *self, const wri_sequence *calls, size_t own, unsigned command,
                        wri_made *next)
{
    const wri_machine_command *how = &self->run.machine->commands[command];
    *next = (wri_made){ .command = (uint8_t)command };
    for (unsigned i = 0; i < how->arity; i++) {
        const wr_kind *kind = how->table->takes[i];
        if (wri_machine_draws_kind(kind) || kind->abstract != NULL)
            return false;
        if (wri_machine_is_fault(self->run.machine, kind) &&
            below(self, 100) >= self->run.machine->percent)
            next->arguments[i] = 0;
        else if (!kind->handle)
            next->arguments[i] = (int64_t)below(self, kind->values);
        else if (!choose_handle(self, calls, own, next, i))
            return false;
    }
    return true;
}

static uint64_t hash_calls(const wri_sequence *calls)
{
    uint64_t hash = wri_hash_step(wri_configuration_hash(&calls->settings), calls->count);
    for (size_t i = 0; i < calls->count; i++) {
        hash = wri_hash_step(hash, calls->calls[i].command);
        for (unsigned k = 0; k < WRI_ARGUMENTS; k++)
            hash = wri_hash_step(hash, (uint64_t)calls->calls[i].arguments[k]);
        hash = wri_hash_step(hash, (uint64_t)calls->calls[i].drawn);
    }
    return hash;
}

/* Adds the calls of a command or a macro to the test, as far as they can be made up here. */
static bool extend(feedback *self, unsigned item)
{
    const wri_machine *machine = self->run.machine;
    const wri_macro   *macro =
        item < machine->command_count ? NULL : &machine->macros[item - machine->command_count];
    unsigned count = macro == NULL ? 1 : macro->count;
    size_t   own = macro == NULL ? SIZE_MAX : self->test.count;
    self->extra = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned command = macro == NULL ? item : macro->steps[i];
        wri_made next;
        if (!choose_call(self, &self->test, own, command, &next)) {
            self->extra = command + 1;
            return true;
        }
        if (!wri_sequence_append(&self->test, &next))
            return false;
    }
    return true;
}

/* The test goes on with the calls of a kept sequence, which have handles of their own. */
static bool join(feedback *self, const wri_sequence *with)
{
    const wri_machine *machine = self->run.machine;
    size_t             before = self->test.count;
    for (size_t i = 0; i < with->count; i++) {
        wri_made call = with->calls[i];
        for (unsigned k = 0; k < machine->commands[call.command].arity; k++)
            if (wri_machine_takes_handle(machine, call.command, k))
                call.arguments[k] += (int64_t)before;
        if (!wri_sequence_append(&self->test, &call))
            return false;
    }
    return true;
}

/* Begins the test with the sequence of a state, and maybe with another one before it. */
static bool begin_test(feedback *self, uint32_t number)
{
    bool joins = self->run.machine->handle_count > 0 &&
                 self->run.settings->abstraction != WRI_LEVEL_OFF &&
                 below(self, JOIN_ONE_IN) == 0;
    self->test.count = 0;
    return (!joins || join(self, &self->states[below(self, self->count)].shortest)) &&
           join(self, &self->states[number].shortest);
}

/* The command or macro of the next test; all that can be called anywhere are alike. */
static bool choose_item(feedback *self, unsigned *item)
{
    uint64_t found = 0;
    for (unsigned i = 0; i < item_count(self); i++)
        if (self->callable[i].count > 0 && below(self, ++found) == 0)
            *item = i;
    return found > 0;
}

static bool out_of_memory(feedback *self)
{
    self->no_memory = true;
    return false;
}

/* Makes up the next test. False: every test that can be made was made, or memory is out. */
static bool make_test(feedback *self)
{
    for (unsigned i = 0; i < THOUGHTS; i++) {
        unsigned item = 0;
        uint32_t before;
        if (!choose_item(self, &item))
            return false;
        const list *where = &self->callable[item];
        uint32_t    number = where->numbers[below(self, where->count)];
        if (!begin_test(self, number) || !extend(self, item))
            return out_of_memory(self);
        if (self->extra != 0) /* what it will be nobody knows yet */
            return true;
        if (!wri_hashes_put(&self->tried, hash_calls(&self->test), 1, &before))
            return out_of_memory(self);
        if (before == 0)
            return true;
    }
    return false;
}

/* The next test that no known bug is in, as a plan; false: none is found. */
static bool next_test(feedback *self)
{
    for (unsigned vain = 0; vain < VAIN_MOST; vain++) {
        if (!make_test(self))
            return false;
        if (self->run.known(self->run.context, &self->test))
            continue;
        errno = 0;
        if (wri_book_plan(self->run.book, &self->test, self->extra != 0, &self->plan))
            return true;
        if (errno == ENOMEM)
            return out_of_memory(self);
    }
    return false;
}

/* ---- The row of the table ---- */

static void close_feedback(void *context)
{
    feedback *self = context;
    for (size_t i = 0; i < self->count; i++)
        wri_sequence_free(&self->states[i].shortest);
    for (unsigned i = 0; self->callable != NULL && i < item_count(self); i++)
        free(self->callable[i].numbers);
    free(self->by_hash.entries);
    free(self->tried.entries);
    free(self->callable);
    free(self->states);
    wri_sequence_free(&self->test);
    wri_trace_free(&self->plan);
    free(self);
}

static void *open_feedback(const wri_exploration *run, const char **error)
{
    feedback *self = calloc(1, sizeof *self);
    (void)error;
    if (self == NULL)
        return NULL;
    self->run = *run;
    self->random = wri_prng_stream(run->seed, run->shard.number);
    self->callable = calloc(item_count(self), sizeof *self->callable);
    if (self->callable != NULL && wri_trace_reserve(&self->plan, 1, 0))
        return self;
    close_feedback(self);
    return NULL;
}

static bool too_many_discarded(const feedback *self)
{
    return self->discarded > DISCARDS_EACH * self->cases + DISCARDS_FREE;
}

static bool give(void *context, const wri_standing *standing, wri_order *order)
{
    feedback *self = context;
    (void)standing;
    if (self->cases >= self->run.wanted || too_many_discarded(self))
        return false;
    if (self->begun && !next_test(self))
        return false;
    if (!self->begun) {
        self->plan.nodes[0] =
            (wri_node){ .what = WRI_SPAN, .parent = WRI_NO_NODE, .tie = WRI_NO_NODE };
        self->plan.node_count = 1;
    }
    self->begun = true;
    *order = (wri_order){ .from = self->cases, .count = 1 };
    return true;
}

static void plan_case(void *context, const wri_order *order, wri_trace *plan,
                      wri_play_terms *play)
{
    feedback *self = context;
    (void)order;
    *plan = self->plan;
    play->extra = (uint8_t)self->extra;
    play->told = true;
}

static bool judged(void *context, const wri_sequence *made, const wri_trace *trace,
                   const wri_verdict *verdict, const wri_played *played)
{
    feedback *self = context;
    bool      held = verdict->kind == WRI_PASS;
    self->cases += held || wri_verdict_failed(verdict);
    self->discarded += verdict->kind == WRI_DISCARD || verdict->kind == WRI_OVERRUN;
    if (made == NULL || !held)
        return true;
    errno = 0;
    if (!wri_book_read(self->run.book, trace) && errno == ENOMEM)
        return false;
    return !played->there || reached(self, made, played->state, played->callable);
}

static wri_status conclude(void *context, const wri_sightings *seen, uint64_t cases,
                           uint64_t discarded, const char **why)
{
    const feedback *self = context;
    (void)seen, (void)cases, (void)discarded;
    if (self->no_memory) {
        *why = "out of memory";
        return WRI_STATUS_ERROR;
    }
    return too_many_discarded(context) ? WRI_STATUS_GAVE_UP : WRI_STATUS_HELD;
}

static void limits(void *context, wri_sayer *say, void *to)
{
    const feedback *self = context;
    char            line[240];
    if (self->count == 1 && self->told > 1)
        snprintf(
            line, sizeof line,
            "feedback: all %llu sequences led to the same state: give the machine a .hash, or "
            "its handles .hash or .equal, that tells states apart",
            (unsigned long long)self->told);
    else if (self->told >= SEQUENCES_TOLD &&
             self->count > self->told - self->told / OWN_STATES_OF)
        snprintf(line, sizeof line,
                 "feedback: %llu sequences led to %zu different states: if the model holds "
                 "pointers, give the machine a .hash, or keep the system apart with .system_size",
                 (unsigned long long)self->told, self->count);
    else
        return;
    say(to, line);
}

const wri_explorer wri_explorer_feedback = {
    .name = "feedback",
    .needs = WRI_NEEDS_MACHINE | WRI_NEEDS_JUDGE,
    .open = open_feedback,
    .close = close_feedback,
    .give = give,
    .plan = plan_case,
    .judged = judged,
    .conclude = conclude,
    .limits = limits,
};
