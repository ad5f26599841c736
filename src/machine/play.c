/* machine/play.c: a case of a machine: how many calls, and then one call after the other.
 *
 * In the log a sequence is a loop of elements tied to its length, and a call is an element: the
 * command, among those that can be called now, and its arguments. A handle is the number of the
 * call that gave it. So whoever edits a log can take calls out like any other elements. A call
 * that then cannot be made (its command may not be called now, a handle is gone) is taken back
 * and is not in the log of the case that was run: the length is one less.
 */
#include "machine/play.h"

#include <string.h>

#include "core/walk.h"
#include "gen/draw.h"

/* Arguments are drawn so often at random for a .when that says no to them. */
#define TRIES 8

static inline uint64_t bit(uint64_t number)
{
    return UINT64_C(1) << number;
}

/* ---- What can be called ---- */

/* A .when that looks at an argument before there are any has not said no. */
static bool may_be_called(wri_play *play, const wri_machine_command *command)
{
    play->call.command = command;
    play->call.drawn = command->arity == 0;
    if (_setjmp(play->looked) != 0)
        return true;
    return command->table->when(&play->call);
}

/* Where a handle dies, another argument cannot be the same. */
static bool enough_handles(const wri_play *play, const wri_machine_command *command)
{
    for (unsigned i = 0; i < command->arity; i++) {
        unsigned same = 0;
        if (!command->table->takes[i]->handle)
            continue;
        for (unsigned j = 0; j < command->arity; j++)
            same += command->table->takes[j] == command->table->takes[i];
        if ((unsigned)__builtin_popcountll(play->holdings[command->kinds[i]].live) < same)
            return false;
    }
    return true;
}

static bool callable(wri_play *play, const wri_machine_command *command)
{
    if ((command->needs & ~play->available) != 0)
        return false;
    if (command->giving && play->holdings[command->gives].live == UINT64_MAX)
        return false;
    if (command->exclusive && !enough_handles(play, command))
        return false;
    return command->table->when == NULL || may_be_called(play, command);
}

static uint64_t callable_now(wri_play *play)
{
    uint64_t legal = 0;
    for (unsigned i = 0; i < play->machine->command_count; i++)
        legal |= (uint64_t)callable(play, &play->machine->commands[i]) << i;
    return legal;
}

/* ---- Choosing a command ---- */

static uint32_t macro_weight(const wri_macro *macro)
{
    return macro->table->weight == 0 ? 1 : macro->table->weight;
}

/* Begins with a macro: its first command, if that can be called. */
static bool begin_macro(wri_play *play, const wri_macro *macro, uint64_t legal, uint64_t *command)
{
    if ((legal >> macro->steps[0] & 1) == 0)
        return false;
    play->macro = macro;
    play->step = 0;
    play->macro_at = play->made;
    *command = macro->steps[0];
    return true;
}

/* The macro that a sequence begins with, or one by its weight among all that can be called. */
static bool choose_macro(wri_play *play, uint64_t legal, uint64_t *command)
{
    const wri_machine *machine = play->machine;
    uint64_t           all = machine->weight;
    for (unsigned i = 0; i < machine->macro_count; i++) {
        if (machine->macros[i].table->first && play->made == 0)
            return begin_macro(play, &machine->macros[i], legal, command);
        all += macro_weight(&machine->macros[i]);
    }
    uint64_t wanted = wri_scale(wri_next(&play->t->random), all - 1);
    for (unsigned i = 0; i < machine->macro_count; i++) {
        uint32_t weight = macro_weight(&machine->macros[i]);
        if (wanted < weight)
            return begin_macro(play, &machine->macros[i], legal, command);
        wanted -= weight;
    }
    return false;
}

static uint64_t choose_by_weight(wri_play *play, uint64_t legal)
{
    const uint32_t *weights = play->machine->weights;
    uint64_t        sum = 0;
    for (uint64_t left = legal; left != 0; left &= left - 1)
        sum += weights[__builtin_ctzll(left)];
    uint64_t wanted = wri_scale(wri_next(&play->t->random), sum - 1);
    for (;; legal &= legal - 1) {
        uint32_t weight = weights[__builtin_ctzll(legal)];
        if (wanted < weight)
            return (uint64_t)__builtin_ctzll(legal);
        wanted -= weight;
    }
}

/* A command at random: the next of the macro that is being called, or any. */
static uint64_t fresh_command(wr_case *t, const wri_request *request)
{
    wri_play *play = request->about;
    uint64_t  command;
    (void)t;
    play->fresh = true;
    if (play->macro != NULL && (request->legal >> play->macro->steps[play->step] & 1) != 0)
        return play->macro->steps[play->step];
    play->macro = NULL;
    if (play->machine->macro_count > 0 && choose_macro(play, request->legal, &command))
        return command;
    return choose_by_weight(play, request->legal);
}

/* One choice of a sequence, at random on the fast path. */
static uint64_t choose(wr_case *t, const wri_request *request)
{
    if (WRI_UNLIKELY(wri_slow(t)))
        return wri_choose(t, request);
    return wri_record_choice(t, request->fresh(t, request), request->max);
}

static bool draw_command(wri_play *play, uint64_t legal)
{
    wri_request request = { .kind = WRI_COMMAND,
                            .max = play->machine->command_count - 1,
                            .legal = legal,
                            .name = "command",
                            .fresh = fresh_command,
                            .about = play };
    uint64_t    number = choose(play->t, &request);
    if (number == WRI_NO_ANSWER)
        return false;
    play->call.command = &play->machine->commands[number];
    return true;
}

/* ---- Drawing arguments ---- */

/* One that a macro gave to itself, or any. */
static uint64_t fresh_handle(wr_case *t, const wri_request *request)
{
    const wri_play    *play = request->about;
    unsigned           kind = play->call.command->kinds[play->asked];
    const wri_holding *all = &play->holdings[kind];
    uint64_t           left = request->legal;
    if (play->macro != NULL && all->count > 0 && all->last_at >= play->macro_at &&
        (left >> all->last & 1) != 0)
        return all->last;
    uint64_t skip = wri_scale(wri_next(&t->random), (uint64_t)__builtin_popcountll(left) - 1);
    while (skip-- > 0)
        left &= left - 1;
    return (uint64_t)__builtin_ctzll(left);
}

/* Those alive; what dies in this call is not named twice. */
static uint64_t legal_handles(const wri_play *play, unsigned argument)
{
    const wri_machine_command *command = play->call.command;
    uint32_t                   consumes = command->table->consumes;
    uint64_t                   legal = play->holdings[command->kinds[argument]].live;
    for (unsigned i = 0; command->exclusive && i < argument; i++)
        if (command->table->takes[i] == command->table->takes[argument] &&
            ((consumes >> i | consumes >> argument) & 1) != 0)
            legal &= ~bit((uint64_t)play->call.values[i]);
    return legal;
}

static bool draw_handle(wri_play *play, unsigned argument)
{
    wri_request request = { .kind = WRI_HANDLE,
                            .max = WRI_HANDLES - 1,
                            .legal = legal_handles(play, argument),
                            .name = play->call.command->table->takes[argument]->name,
                            .fresh = fresh_handle,
                            .about = play };
    play->asked = argument;
    uint64_t number = request.legal == 0 ? WRI_NO_ANSWER : choose(play->t, &request);
    play->call.values[argument] = (int64_t)number;
    return number != WRI_NO_ANSWER;
}

/* Of values that are interchangeable all cases need only those that were used, and one more. */
static int64_t draw_of_few(wri_play *play, const wr_kind *kind, unsigned number)
{
    wr_case *t = play->t;
    if (t->walk == NULL || !kind->symmetric || kind->values > WRI_HANDLES)
        return (int64_t)wri_draw_index(t, kind->name, kind->values - 1);
    wri_value_use *use = &play->uses[number];
    uint64_t       all = kind->values == WRI_HANDLES ? UINT64_MAX : bit(kind->values) - 1;
    wri_request    request = { .kind = WRI_INDEX,
                               .max = kind->values - 1,
                               .legal = (use->used << 1 | 1) & all,
                               .name = kind->name };
    uint64_t       value = wri_choose(t, &request);
    use->used |= bit(value);
    return (int64_t)value;
}

/* What a user's function draws is not shown by itself: the call is. */
static int64_t draw_by_function(wri_play *play, const wr_kind *kind, uint32_t label)
{
    wr_case *t = play->t;
    t->text = NULL;
    wri_span_begin(t, label, WRI_SPAN, 0, WRI_NO_NODE);
    int64_t value = kind->draw(t);
    wri_span_end(t);
    t->text = play->text;
    return value;
}

static bool draw_arguments(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    for (unsigned i = 0; i < command->arity; i++) {
        const wr_kind          *kind = command->table->takes[i];
        const wri_machine_kind *known = &play->machine->values[command->kinds[i]];
        if (kind->handle) {
            if (!draw_handle(play, i))
                return false;
        } else if (kind->draw == NULL) {
            play->call.values[i] = draw_of_few(play, kind, command->kinds[i]);
        } else {
            play->call.values[i] = draw_by_function(play, kind, known->label);
        }
    }
    play->call.drawn = true;
    return true;
}

static bool draw_call(wri_play *play, uint64_t legal)
{
    play->call.drawn = false;
    if (!draw_command(play, legal) || !draw_arguments(play))
        return false;
    const wri_machine_command *command = play->call.command;
    return command->arity == 0 || command->table->when == NULL ||
           command->table->when(&play->call);
}

/* ---- Making the call ---- */

/* The number that the call's result will have: the next, or that of one that is dead. */
static void prepare_result(wri_play *play)
{
    wri_holding *all = &play->holdings[play->call.command->gives];
    uint32_t     number = all->count;
    if (number >= WRI_HANDLES)
        for (number = all->last; (all->live >> number & 1) != 0;)
            number = (number + 1) % WRI_HANDLES;
    play->call.giving = (uint8_t)number;
    all->last = number;
    all->last_at = play->made;
    all->count += all->count < WRI_HANDLES;
    all->variables[number] = play->variables + 1;
    if (play->t->trace != NULL)
        play->t->trace->nodes[play->t->span].number =
            play->machine->handles[play->call.command->gives].label;
}

static void look_closely(wri_play *play)
{
    const wr_machine *table = play->machine->table;
    if (table->copy == NULL) {
        memcpy(play->before, play->model, table->model_size);
        return;
    }
    memset(play->before, 0, table->model_size);
    table->copy(play->before, play->model);
}

static void check_unchanged(wri_play *play)
{
    const wr_machine *table = play->machine->table;
    bool same = table->equal == NULL ? memcmp(play->before, play->model, table->model_size) == 0
                                     : table->equal(play->before, play->model);
    if (table->free != NULL)
        table->free(play->before);
    if (!same)
        wri_misuse(play->t, "machine %s: command \"%s\" is an observer and has changed the model",
                   play->machine->name, play->call.command->table->name);
}

static void consume(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    for (uint32_t left = command->table->consumes; left != 0; left &= left - 1) {
        unsigned     argument = (unsigned)__builtin_ctz(left);
        unsigned     kind = command->kinds[argument];
        wri_holding *all = &play->holdings[kind];
        all->live &= ~bit((uint64_t)play->call.values[argument]);
        if (all->live == 0)
            play->available &= ~bit(kind);
    }
}

/* The next step of the macro, if this was one. */
static void follow_macro(wri_play *play)
{
    unsigned number = (unsigned)(play->call.command - play->machine->commands);
    if (play->macro->steps[play->step] != number || ++play->step == play->macro->count)
        play->macro = NULL;
}

static void check_invariant(wri_play *play)
{
    if (play->machine->table->invariant != NULL)
        play->machine->table->invariant(play->t, play->model);
}

static void make_call(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    bool watched = command->table->observer && play->machine->table->model_size > 0;
    if (command->giving)
        prepare_result(play);
    if (WRI_UNLIKELY(wri_showing(play->t)))
        wri_play_show(play);
    wri_play_observe(play);
    play->variables += command->giving;
    if (watched)
        look_closely(play);
    play->call.given = false;
    play->call.running = true;
    command->table->call(play->t, &play->call);
    play->call.running = false;
    if (watched)
        check_unchanged(play);
    consume(play);
    if (play->machine->contracting)
        wri_play_contracts(play);
    check_invariant(play);
    if (play->macro != NULL)
        follow_macro(play);
    play->made++;
}

/* ---- The sequence ---- */

/* The sequence has only `rounds` calls, and the log says so. */
static void shorten(wri_play *play, size_t rounds)
{
    wri_trace *trace = play->t->trace;
    play->rounds = rounds;
    play->length->number = rounds;
    if (trace != NULL)
        trace->nodes[play->length_node].number = trace->nodes[play->loop_node].count = rounds;
}

/* A call that was drawn and is not made. At random another one is drawn, a command to whose
 * arguments .when says no again and again is given up; else the sequence has a call less. */
static void take_back(wri_play *play, const wri_mark *mark, unsigned tries, uint64_t *legal)
{
    wr_case *t = play->t;
    if (t->walk != NULL)
        wr_discard_(t);
    wri_case_rewind(t, mark);
    if (!play->fresh) {
        shorten(play, play->rounds - 1);
        *legal = 0;
    } else if (tries % TRIES == 0) {
        play->macro = NULL;
        *legal &= ~bit((uint64_t)(play->call.command - play->machine->commands));
        if (*legal == 0)
            shorten(play, play->made);
    }
}

#define CALL_LABEL UINT32_C(0x63616c6c)

static void next_call(wri_play *play)
{
    wr_case *t = play->t;
    uint64_t legal = callable_now(play);
    if (legal == 0 && t->walk != NULL)
        wr_discard_(t); /* a shorter sequence is the same */
    if (legal == 0)
        shorten(play, play->made);
    for (unsigned tries = 1; legal != 0; tries++) {
        wri_mark mark = wri_case_mark(t);
        play->fresh = false;
        wri_span_begin(t, CALL_LABEL, WRI_ELEMENT, 0, WRI_NO_NODE);
        if (draw_call(play, legal)) {
            make_call(play);
            wri_span_end(t);
            return;
        }
        take_back(play, &mark, tries, &legal);
    }
}

/* A handle is released once, also where that jumps out. */
static void release_all(wri_play *play, unsigned kind)
{
    wri_holding *all = &play->holdings[kind];
    void (*release)(void *handle) = wri_handle_kind(play, kind)->release;
    while (release != NULL && all->live != 0) {
        unsigned number = (unsigned)__builtin_ctzll(all->live);
        all->live &= all->live - 1;
        release(all->objects[number]);
    }
}

/* Whatever has ended the case, but for a crash. A call that was left half-way may or may not have
 * consumed what it was to: that is not released, for twice would be worse than never. */
static void end_play(void *pointer)
{
    wri_play         *play = pointer;
    const wr_machine *table = play->machine->table;
    play->t->text = play->text;
    if (play->call.running)
        consume(play);
    for (unsigned i = 0; i < play->machine->handle_count; i++)
        release_all(play, i);
    if (table->stop != NULL)
        table->stop(play->t, play->model);
    if (table->free != NULL)
        table->free(play->model);
}

static wri_play *begin_play(wr_case *t, const wri_machine *machine)
{
    size_t    bytes = machine->table->model_size;
    wri_play *play = wri_take(t, sizeof *play);
    *play = (wri_play){ .t = t, .machine = machine, .text = t->text };
    play->model = wr_alloc(t, bytes);
    play->before = machine->observing ? wri_take(t, bytes) : NULL;
    play->holdings = wri_take(t, machine->handle_count * sizeof *play->holdings);
    play->uses = wri_take(t, machine->value_count * sizeof *play->uses);
    for (unsigned i = 0; i < machine->handle_count; i++)
        play->holdings[i].live = play->holdings[i].count = 0;
    memset(play->uses, 0, machine->value_count * sizeof *play->uses);
    play->call.play = play;
    wr_defer(t, end_play, play);
    return play;
}

static void draw_length(wri_play *play)
{
    wr_case *t = play->t;
    size_t   most = play->machine->table->calls == 0 ? WRI_CALLS : play->machine->table->calls;
    play->length = t->next;
    play->rounds = wri_draw_length(t, "calls", 0, most);
    play->length_node = wri_last_node(t);
    wri_span_begin(t, CALL_LABEL, WRI_LOOP, play->rounds, play->length_node);
    play->loop_node = t->span;
}

void wr_play_(wr_case *t, const wr_machine *table, const char *name, const char *file, int line)
{
    wri_play *play = begin_play(t, wri_machine_of(t, table, name, file, line));
    if (table->start != NULL)
        table->start(t, play->model);
    check_invariant(play);
    draw_length(play);
    while (play->made < play->rounds)
        next_call(play);
    wri_span_end(t);
}

/* ---- What a command's functions ask ---- */

void *wr_model(const wr_call *call)
{
    return call->play->model;
}

WRI_COLD _Noreturn static void wrong_argument(const wr_call *call, const char *function,
                                              unsigned argument)
{
    const wr_command *command = call->command->table;
    if (argument >= call->command->arity)
        wri_misuse(call->play->t, "%s: command \"%s\" has no argument %u", function,
                   command->name, argument);
    wri_misuse(call->play->t, "%s: argument %u of command \"%s\" is a %s", function, argument,
               command->name, command->takes[argument]->handle ? "handle" : "value");
}

/* The argument, of the sort that is asked for. */
static int64_t argument_of(const wr_call *call, unsigned argument, bool handle,
                           const char *function)
{
    if (WRI_UNLIKELY(argument >= call->command->arity ||
                     call->command->table->takes[argument]->handle != handle))
        wrong_argument(call, function, argument);
    if (WRI_UNLIKELY(!call->drawn))
        longjmp(call->play->looked, 1);
    return call->values[argument];
}

int64_t wr_value(const wr_call *call, unsigned argument)
{
    return argument_of(call, argument, false, "wr_value");
}

void *wr_pointer(const wr_call *call, unsigned argument)
{
    return (void *)(intptr_t)argument_of(call, argument, false, "wr_pointer");
}

unsigned wr_number(const wr_call *call, unsigned argument)
{
    return (unsigned)argument_of(call, argument, true, "wr_number");
}

void *wr_handle(const wr_call *call, unsigned argument)
{
    int64_t number = argument_of(call, argument, true, "wr_handle");
    return call->play->holdings[call->command->kinds[argument]].objects[number];
}

unsigned wr_give(wr_call *call, void *handle)
{
    wri_play    *play = call->play;
    const char  *name = call->command->table->name;
    wri_holding *all = &play->holdings[call->command->gives];
    if (WRI_UNLIKELY(!call->running))
        wri_misuse(play->t, "wr_give: no function of a command runs");
    if (WRI_UNLIKELY(!call->command->giving))
        wri_misuse(play->t, "wr_give: command \"%s\" has no .gives", name);
    if (WRI_UNLIKELY(call->given))
        wri_misuse(play->t, "wr_give: command \"%s\" has given a handle before", name);
    call->given = true;
    if (handle == NULL)
        return call->giving;
    all->objects[call->giving] = handle;
    all->live |= bit(call->giving);
    play->available |= bit(call->command->gives);
    return call->giving;
}
