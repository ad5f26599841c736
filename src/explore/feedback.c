/* explore/feedback.c: the `feedback` explorer of machines.
 *
 * A table of states, by hash, holds the shortest sequence to each state. The judge runs every
 * test, so the number of workers changes nothing.
 */
#include "explore/feedback.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "explore/explorer.h"

/* So many tests are thought of before it is said that there are no others. */
#define THOUGHTS 2000

typedef struct state {
    uint64_t     hash, callable;
    wri_sequence shortest;
} state;

/* Numbers of states. */
typedef struct list {
    uint32_t *numbers;
    size_t    count, room;
} list;

/* Hashes, each with what it is the hash of. */
typedef struct table {
    uint64_t *keys; /* 0: none */
    uint32_t *numbers;
    size_t    count, room;
} table;

struct wri_feedback {
    const wri_machine *machine;
    uint64_t           random;
    state             *states;
    size_t             count, room;
    table              by_hash, tried;
    list              *callable; /* of each command, then of each macro: where it can be called */
};

/* ---- Lists and tables ---- */

static bool list_add(list *to, uint32_t number)
{
    uint32_t *numbers = wri_grow(to->numbers, sizeof *numbers, to->count, &to->room);
    if (numbers == NULL)
        return false;
    to->numbers = numbers;
    numbers[to->count++] = number;
    return true;
}

/* Where the key is, or is to be. */
static size_t table_place(const table *in, uint64_t key)
{
    size_t at = key & (in->room - 1);
    while (in->keys[at] != 0 && in->keys[at] != key)
        at = (at + 1) & (in->room - 1);
    return at;
}

static bool table_grow(table *in)
{
    table grown = { .room = in->room == 0 ? 1024 : in->room * 2, .count = in->count };
    grown.keys = calloc(grown.room, sizeof *grown.keys);
    grown.numbers = calloc(grown.room, sizeof *grown.numbers);
    if (grown.keys == NULL || grown.numbers == NULL) {
        free(grown.keys);
        free(grown.numbers);
        return false;
    }
    for (size_t i = 0; i < in->room; i++)
        if (in->keys[i] != 0) {
            size_t at = table_place(&grown, in->keys[i]);
            grown.keys[at] = in->keys[i];
            grown.numbers[at] = in->numbers[i];
        }
    free(in->keys);
    free(in->numbers);
    *in = grown;
    return true;
}

/* The number of a hash, which it has now if it had none; `anew` says so. False: memory is out. */
static bool table_find(table *in, uint64_t hash, uint32_t number, uint32_t *found, bool *anew)
{
    uint64_t key = hash == 0 ? 1 : hash;
    if (in->count * 2 >= in->room && !table_grow(in))
        return false;
    size_t at = table_place(in, key);
    *anew = in->keys[at] == 0;
    if (*anew) {
        in->keys[at] = key;
        in->numbers[at] = number;
        in->count++;
    }
    *found = in->numbers[at];
    return true;
}

/* ---- States ---- */

static unsigned item_count(const wri_feedback *feedback)
{
    return feedback->machine->command_count + feedback->machine->macro_count;
}

static unsigned first_command(const wri_feedback *feedback, unsigned item)
{
    unsigned commands = feedback->machine->command_count;
    return item < commands ? item : feedback->machine->macros[item - commands].steps[0];
}

static bool add_state(wri_feedback *feedback, const state *now)
{
    uint32_t number = (uint32_t)feedback->count;
    state   *states = wri_grow(feedback->states, sizeof *states, number, &feedback->room);
    if (states == NULL)
        return false;
    feedback->states = states;
    states[feedback->count++] = *now;
    for (unsigned i = 0; i < item_count(feedback); i++)
        if ((now->callable >> first_command(feedback, i) & 1) != 0 &&
            !list_add(&feedback->callable[i], number))
            return false;
    return true;
}

bool wri_feedback_reached(wri_feedback *feedback, const wri_sequence *made, uint64_t hash,
                          uint64_t callable)
{
    uint32_t found;
    bool     anew;
    state    now = { .hash = hash, .callable = callable };
    if (!table_find(&feedback->by_hash, hash, (uint32_t)feedback->count, &found, &anew))
        return false;
    if (anew)
        return wri_sequence_copy(&now.shortest, made) && add_state(feedback, &now);
    wri_sequence *known = &feedback->states[found].shortest;
    return made->count >= known->count || wri_sequence_copy(known, made);
}

/* ---- Tests ---- */

static uint64_t below(wri_feedback *feedback, uint64_t count)
{
    return wri_prng_scale(wri_prng_next(&feedback->random), count - 1);
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
            if ((machine->commands[call->command].table->consumes >> k & 1) != 0 &&
                call->arguments[k] == (int64_t)giver)
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
static bool choose_handle(wri_feedback *feedback, const wri_sequence *calls, size_t own,
                          wri_made *next, unsigned argument)
{
    const wri_machine *machine = feedback->machine;
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
        if (below(feedback, ++alive) == 0)
            next->arguments[argument] = (int64_t)i;
    }
    return alive > 0;
}

/* A call of this command with arguments at random; false: that takes a function of the user, or
 * there is no handle for it. */
static bool choose_call(wri_feedback *feedback, const wri_sequence *calls, size_t own,
                        unsigned command, wri_made *next)
{
    const wri_machine_command *how = &feedback->machine->commands[command];
    *next = (wri_made){ .command = (uint8_t)command };
    for (unsigned i = 0; i < how->arity; i++) {
        const wr_kind *kind = how->table->takes[i];
        if (kind->draw != NULL || kind->abstract != NULL)
            return false;
        if (!kind->handle)
            next->arguments[i] = (int64_t)below(feedback, kind->values);
        else if (!choose_handle(feedback, calls, own, next, i))
            return false;
    }
    return true;
}

static uint64_t hash_calls(const wri_sequence *calls)
{
    uint64_t hash = calls->count;
    for (size_t i = 0; i < calls->count; i++) {
        hash = wri_hash_step(hash, calls->calls[i].command);
        for (unsigned k = 0; k < WRI_ARGUMENTS; k++)
            hash = wri_hash_step(hash, (uint64_t)calls->calls[i].arguments[k]);
    }
    return hash;
}

/* Adds the calls of a command or a macro; as far as they can be made up here. */
static bool extend(wri_feedback *feedback, unsigned item, wri_sequence *test, unsigned *extra)
{
    const wri_machine *machine = feedback->machine;
    const wri_macro   *macro =
        item < machine->command_count ? NULL : &machine->macros[item - machine->command_count];
    unsigned count = macro == NULL ? 1 : macro->count;
    size_t   own = macro == NULL ? SIZE_MAX : test->count;
    *extra = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned command = macro == NULL ? item : macro->steps[i];
        wri_made next;
        if (!choose_call(feedback, test, own, command, &next)) {
            *extra = command + 1;
            return true;
        }
        if (!wri_sequence_append(test, &next))
            return false;
    }
    return true;
}

/* The command or macro of the next test; all that can be called anywhere are alike. */
static bool choose_item(wri_feedback *feedback, unsigned *item)
{
    uint64_t found = 0;
    for (unsigned i = 0; i < item_count(feedback); i++)
        if (feedback->callable[i].count > 0 && below(feedback, ++found) == 0)
            *item = i;
    return found > 0;
}

bool wri_feedback_next(wri_feedback *feedback, wri_sequence *test, unsigned *extra)
{
    for (unsigned i = 0; i < THOUGHTS; i++) {
        unsigned item = 0;
        uint32_t number;
        bool     anew;
        if (!choose_item(feedback, &item))
            return false;
        const list *where = &feedback->callable[item];
        number = where->numbers[below(feedback, where->count)];
        if (!wri_sequence_copy(test, &feedback->states[number].shortest) ||
            !extend(feedback, item, test, extra))
            return false;
        if (*extra != 0) /* what it will be nobody knows yet */
            return true;
        if (!table_find(&feedback->tried, hash_calls(test), 0, &number, &anew))
            return false;
        if (anew)
            return true;
    }
    return false;
}

/* ---- All of it ---- */

wri_feedback *wri_feedback_make(const wri_machine *machine, uint64_t seed)
{
    wri_feedback *feedback = calloc(1, sizeof *feedback);
    if (feedback == NULL)
        return NULL;
    feedback->machine = machine;
    feedback->random = wri_prng_stream(seed, 0);
    feedback->callable = calloc(item_count(feedback), sizeof *feedback->callable);
    if (feedback->callable == NULL) {
        free(feedback);
        return NULL;
    }
    return feedback;
}

void wri_feedback_free(wri_feedback *feedback)
{
    if (feedback == NULL)
        return;
    for (size_t i = 0; i < feedback->count; i++)
        wri_sequence_free(&feedback->states[i].shortest);
    for (unsigned i = 0; i < item_count(feedback); i++)
        free(feedback->callable[i].numbers);
    free(feedback->by_hash.keys);
    free(feedback->by_hash.numbers);
    free(feedback->tried.keys);
    free(feedback->tried.numbers);
    free(feedback->callable);
    free(feedback->states);
    free(feedback);
}

/* ---- The row of the table ---- */

/* After so many tests in a row that known bugs are in, there is hardly another. */
#define VAIN_MOST 10000
/* How many cases may be discarded for each that counts. */
#define DISCARDS_EACH 20
#define DISCARDS_FREE 1000

typedef struct feeding {
    wri_exploration run;
    wri_feedback   *feedback;
    wri_sequence    test;
    wri_trace       plan;
    unsigned        extra;
    bool            begun; /* the sequence without calls, where all begin, went out */
    uint64_t        cases, discarded;
} feeding;

static void close_feeding(void *context)
{
    feeding *self = context;
    wri_feedback_free(self->feedback);
    wri_sequence_free(&self->test);
    wri_trace_free(&self->plan);
    free(self);
}

static void *open_feeding(const wri_exploration *run, const char **error)
{
    feeding *self = calloc(1, sizeof *self);
    (void)error;
    if (self == NULL)
        return NULL;
    self->run = *run;
    self->feedback = wri_feedback_make(run->machine, run->seed);
    if (self->feedback != NULL && wri_trace_reserve(&self->plan, 1, 0))
        return self;
    close_feeding(self);
    return NULL;
}

static bool too_many_discarded(const feeding *self)
{
    return self->discarded > DISCARDS_EACH * self->cases + DISCARDS_FREE;
}

/* The next test that no known bug is in, as a plan; false: none is found. */
static bool next_test(feeding *self)
{
    for (unsigned vain = 0; vain < VAIN_MOST; vain++) {
        if (!wri_feedback_next(self->feedback, &self->test, &self->extra))
            return false;
        if (!self->run.known(self->run.context, &self->test) &&
            wri_book_plan(self->run.book, &self->test, self->extra, &self->plan))
            return true;
    }
    return false;
}

static bool give(void *context, const wri_standing *standing, wri_order *order)
{
    feeding *self = context;
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
    feeding *self = context;
    (void)order;
    *plan = self->plan;
    play->extra = (uint8_t)self->extra;
    play->told = true;
}

static bool judged(void *context, const wri_sequence *made, const wri_trace *trace,
                   const wri_verdict *verdict, const wri_played *played)
{
    feeding *self = context;
    bool     held = verdict->kind == WRI_PASS;
    self->cases += held || wri_failed(verdict);
    self->discarded += verdict->kind == WRI_DISCARD || verdict->kind == WRI_OVERRUN;
    if (made == NULL || !held)
        return true;
    wri_book_read(self->run.book, trace);
    return !played->there ||
           wri_feedback_reached(self->feedback, made, played->state, played->callable);
}

static wri_status conclude(void *context, const wri_sightings *seen, uint64_t cases,
                           uint64_t discarded, const char **why)
{
    (void)seen, (void)cases, (void)discarded, (void)why;
    return too_many_discarded(context) ? WRI_STATUS_GAVE_UP : WRI_STATUS_HELD;
}

const wri_explorer wri_explorer_feedback = {
    .name = "feedback",
    .needs = WRI_NEEDS_MACHINE | WRI_NEEDS_JUDGE,
    .open = open_feeding,
    .close = close_feeding,
    .give = give,
    .plan = plan_case,
    .judged = judged,
    .conclude = conclude,
};
