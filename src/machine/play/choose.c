/* machine/play/choose.c: draws a call: its command, among those that can be called, and its
 * arguments.
 *
 * The answerer of the case is asked for each. A random command is drawn by weight, or is the next
 * one of a macro. A random handle is any that is alive, or the one that the macro itself gave.
 */
#include "machine/play/choose.h"

#include "machine/calls/log.h"

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

/* A handle that the call ends cannot be another argument, too. So each argument needs a live
 * handle of its own. */
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

static unsigned living(const wri_play *play, unsigned kind)
{
    return (unsigned)__builtin_popcountll(play->holdings[kind].live);
}

/* Can as many more handles live as the call gives? Those of one kind need not be told apart. */
static bool has_room(const wri_play *play, const wri_machine_command *command)
{
    const wri_machine_command *commands = play->machine->commands;
    if (command->giving && living(play, command->gives) + command->also >= WRI_HANDLES)
        return false;
    for (unsigned i = 0; i < command->also; i++)
        if (living(play, commands[command->first + i].gives) + command->also >= WRI_HANDLES)
            return false;
    return true;
}

static bool callable(wri_play *play, const wri_machine_command *command)
{
    if ((command->needs & ~play->available) != 0)
        return false;
    if (command->claims || !has_room(play, command))
        return false;
    if (command->exclusive && !enough_handles(play, command))
        return false;
    return command->table->when == NULL || may_be_called(play, command);
}

uint64_t wri_play_callable(wri_play *play)
{
    uint64_t legal = 0;
    if (WRI_UNLIKELY(wri_play_claims(play)))
        return wri_machine_bit(play->also.command[play->also.claimed]);
    for (unsigned i = 0; i < play->machine->own_count; i++)
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
    uint64_t wanted = wri_prng_scale(wri_prng_next(&play->t->random), all - 1);
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
    uint64_t wanted = wri_prng_scale(wri_prng_next(&play->t->random), sum - 1);
    for (;; legal &= legal - 1) {
        uint32_t weight = weights[__builtin_ctzll(legal)];
        if (wanted < weight)
            return (uint64_t)__builtin_ctzll(legal);
        wanted -= weight;
    }
}

/* A command at random: the next of the macro that is being called, or any. */
uint64_t wri_choose_command(wr_case *t, const wri_request *request)
{
    wri_play *play = request->about;
    uint64_t  command;
    (void)t;
    play->fresh = true;
    if (WRI_UNLIKELY(wri_play_claims(play)))
        return (uint64_t)__builtin_ctzll(request->legal);
    if (play->macro != NULL && (request->legal >> play->macro->steps[play->step] & 1) != 0)
        return play->macro->steps[play->step];
    play->macro = NULL;
    if (play->machine->macro_count > 0 && choose_macro(play, request->legal, &command))
        return command;
    return choose_by_weight(play, request->legal);
}

static bool draw_command(wri_play *play, uint64_t legal)
{
    wri_request request = { .kind = WRI_COMMAND,
                            .max = play->machine->command_count - 1,
                            .legal = legal,
                            .name = WRI_COMMAND_NAME,
                            .fresh = wri_choose_command,
                            .about = play };
    uint64_t    number = wri_play_choose(play->t, &request);
    if (number == WRI_NO_ANSWER)
        return false;
    play->call.command = &play->machine->commands[number];
    play->now = (wri_made){ .command = (uint8_t)number };
    return true;
}

/* ---- Drawing arguments ---- */

/* One that a macro gave to itself, or any. */
uint64_t wri_choose_handle(wr_case *t, const wri_request *request)
{
    const wri_play    *play = request->about;
    unsigned           kind = play->call.command->kinds[play->asked];
    const wri_holding *all = &play->holdings[kind];
    uint64_t           left = request->legal;
    if (play->macro != NULL && all->count > 0 && all->last_at >= play->macro_at &&
        (left >> all->last & 1) != 0)
        return all->last;
    return wri_choose_some_of(t, left);
}

static bool draw_handle(wri_play *play, unsigned argument)
{
    wri_request request = { .kind = WRI_HANDLE,
                            .max = WRI_HANDLES - 1,
                            .legal = wri_play_legal_handles(play, argument),
                            .name = play->call.command->table->takes[argument]->name,
                            .fresh = wri_choose_handle,
                            .about = play };
    play->asked = argument;
    uint64_t number = request.legal == 0 ? WRI_NO_ANSWER : wri_play_choose(play->t, &request);
    if (number == WRI_NO_ANSWER)
        return false;
    play->call.values[argument] = (int64_t)number;
    if (play->t->trace != NULL)
        wri_play_note_argument(
            play, argument, wri_case_last_node(play->t),
            play->holdings[play->call.command->kinds[argument]].givers[number]);
    return true;
}

/* A walk needs only the used ones of interchangeable values, and one more. */
static int64_t walk_through_few(wri_play *play, const wr_kind *kind, unsigned number)
{
    wr_case       *t = play->t;
    wri_value_use *use = &play->uses[number];
    uint64_t all = kind->values == WRI_HANDLES ? UINT64_MAX : wri_machine_bit(kind->values) - 1;
    wri_request request = { .kind = WRI_INDEX,
                            .max = kind->values - 1,
                            .legal = (use->used << 1 | 1) & all,
                            .name = kind->name };
    uint64_t    value = wri_case_choose(t, &request);
    use->used |= wri_machine_bit(value);
    return (int64_t)value;
}

static uint64_t fresh_fault(wr_case *t, const wri_request *request)
{
    (void)t;
    wri_play *play = request->about;
    return wri_choose_value(play, &play->machine->fault);
}

static uint64_t draw_fault(wri_play *play)
{
    wri_request request = { .kind = WRI_INDEX,
                            .max = play->machine->fault.values - 1,
                            .name = play->machine->fault.name,
                            .fresh = fresh_fault,
                            .about = play };
    return wri_play_choose(play->t, &request);
}

static int64_t draw_of_few(wri_play *play, const wr_kind *kind, unsigned argument)
{
    wr_case *t = play->t;
    if (t->walk != NULL && kind->symmetric && kind->values <= WRI_HANDLES)
        return walk_through_few(play, kind, play->call.command->kinds[argument]);
    bool    fault = wri_machine_is_fault(play->machine, kind);
    int64_t value =
        (int64_t)(fault ? draw_fault(play) : wri_draw_index(t, kind->name, kind->values - 1));
    if (t->trace != NULL)
        wri_play_note_argument(play, argument, wri_case_last_node(t),
                               wri_choose_abstracted(kind, value, value));
    return value;
}

/* The report shows the call, not the single draws of a user's function. */
static int64_t draw_by_function(wri_play *play, const wr_kind *kind, unsigned argument)
{
    wr_case *t = play->t;
    t->text = NULL;
    wri_case_span_begin(t, play->machine->values[play->call.command->kinds[argument]].label,
                        WRI_SPAN, 0, WRI_NO_NODE);
    uint32_t span = t->span;
    int64_t  value = kind->draw != NULL ? kind->draw(t) : kind->draw_in(t, play->model);
    wri_case_span_end(t);
    t->text = play->text;
    if (t->trace != NULL) {
        int64_t drawn = wri_log_drawn(t->trace, span + 1u, t->trace->node_count, value);
        wri_play_note_argument(play, argument, span, wri_choose_abstracted(kind, value, drawn));
    }
    return value;
}

bool wri_play_draw_arguments(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    for (unsigned i = 0; i < command->arity; i++) {
        const wr_kind *kind = command->table->takes[i];
        if (kind->handle) {
            if (!draw_handle(play, i))
                return false;
        } else if (!wri_machine_draws_kind(kind)) {
            play->call.values[i] = draw_of_few(play, kind, i);
        } else {
            play->call.values[i] = draw_by_function(play, kind, i);
        }
    }
    play->call.drawn = true;
    return true;
}

bool wri_play_draw(wri_play *play, uint64_t legal)
{
    play->call.drawn = false;
    return draw_command(play, legal) && wri_play_draw_arguments(play) &&
           wri_play_may_be_made(play);
}
