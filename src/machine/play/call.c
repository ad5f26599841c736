/* machine/play/call.c: the functions that a command calls: arguments, the model, and the handle
 * that it gives. */
#include "machine/play/play.h"

void *wr_model(const wr_call *call)
{
    if (WRI_UNLIKELY(call->play->machine->table->model_size == 0))
        wri_case_misuse(call->play->t,
                        "wr_model: the machine has no model: give it a .model_size");
    return call->play->model;
}

static void *system_of(const wri_play *play, const char *function)
{
    if (WRI_UNLIKELY(play->machine->table->system_size == 0))
        wri_case_misuse(play->t, "%s: the machine has no system: give it a .system_size",
                        function);
    return play->system;
}

void *wr_system(const wr_call *call)
{
    return system_of(call->play, "wr_system");
}

void *wr_system_of(wr_case *t)
{
    if (WRI_UNLIKELY(t->play == NULL))
        wri_case_misuse(t, "wr_system_of: no machine plays");
    return system_of(t->play, "wr_system_of");
}

WRI_COLD _Noreturn static void wrong_argument(const wr_call *call, const char *function,
                                              unsigned argument)
{
    const wr_command *command = call->command->table;
    if (argument >= call->command->arity)
        wri_case_misuse(call->play->t, "%s: command \"%s\" has no argument %u", function,
                        command->name, argument);
    wri_case_misuse(call->play->t, "%s: argument %u of command \"%s\" is a %s", function,
                    argument, command->name,
                    command->takes[argument]->handle ? "handle" : "value");
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

static void check_running(const wr_call *call, const char *function)
{
    if (WRI_UNLIKELY(!call->running))
        wri_case_misuse(call->play->t, "%s: no function of a command runs", function);
}

void wr_keep(wr_call *call, unsigned argument)
{
    check_running(call, "wr_keep");
    argument_of(call, argument, true, "wr_keep");
    if (WRI_UNLIKELY((call->command->table->consumes >> argument & 1) == 0))
        wri_case_misuse(call->play->t, "wr_keep: command \"%s\" does not consume argument %u",
                        call->command->table->name, argument);
    call->kept |= (uint8_t)(1u << argument);
}

void wr_dead(wr_call *call, const wr_kind *kind, unsigned number)
{
    wri_play          *play = call->play;
    const wri_machine *machine = play->machine;
    unsigned           at = 0;
    check_running(call, "wr_dead");
    while (at < machine->handle_count && machine->handles[at].table != kind)
        at++;
    if (WRI_UNLIKELY(at == machine->handle_count))
        wri_case_misuse(play->t, "wr_dead: the machine has no such kind of handles");
    if (WRI_UNLIKELY(number >= WRI_HANDLES || (play->holdings[at].live >> number & 1) == 0))
        wri_case_misuse(play->t, "wr_dead: no living handle of kind \"%s\" has the number %u",
                        kind->name, number);
    wri_play_end_handle(play, at, number);
}

/* A call gives once. */
static void begin_giving(wr_call *call, const char *function)
{
    const char *name = call->command->table->name;
    check_running(call, function);
    if (WRI_UNLIKELY(!call->command->giving))
        wri_case_misuse(call->play->t, "%s: command \"%s\" has no .gives", function, name);
    if (WRI_UNLIKELY(call->given))
        wri_case_misuse(call->play->t, "%s: command \"%s\" has given a handle before", function,
                        name);
    call->given = true;
}

/* The handle is alive from now on. */
static void hold(wri_play *play, unsigned kind, unsigned number, void *handle)
{
    play->holdings[kind].objects[number] = handle;
    play->holdings[kind].live |= wri_machine_bit(number);
    play->available |= wri_machine_bit(kind);
    if (play->t->stage != NULL)
        play->t->stage->played->given |= wri_machine_bit(kind);
}

static unsigned give(wr_call *call, void *handle)
{
    hold(call->play, call->command->gives, call->giving, handle);
    return call->giving;
}

unsigned wr_give(wr_call *call, void *handle)
{
    begin_giving(call, "wr_give");
    return handle == NULL ? call->giving : give(call, handle);
}

unsigned wr_give_id(wr_call *call, int64_t id)
{
    begin_giving(call, "wr_give_id");
    return give(call, (void *)(intptr_t)id);
}

unsigned wr_give_also(wr_call *call, unsigned i, void *handle)
{
    wri_play                  *play = call->play;
    const wri_machine_command *command = call->command;
    const char                *name = command->table->name;
    check_running(call, "wr_give_also");
    if (WRI_UNLIKELY(i >= command->also))
        wri_case_misuse(play->t, "wr_give_also: command \"%s\" has no .gives_also[%u]", name, i);
    if (WRI_UNLIKELY(!call->given || play->also.given != i))
        wri_case_misuse(play->t,
                        "wr_give_also: command \"%s\" must give its results in order, one after "
                        "the other",
                        name);
    unsigned claim = command->first + i, kind = play->machine->commands[claim].gives;
    uint32_t variable = play->variables - command->also + 1 + i;
    uint8_t  number = wri_play_number(play, kind, play->made + 1 + i, variable);
    play->also.base = call->giving;
    play->also.numbers[i] = number;
    play->also.command[i] = (uint8_t)claim;
    play->also.given++;
    hold(play, kind, number, handle);
    return number;
}

int64_t wr_id(const wr_call *call, unsigned argument)
{
    int64_t number = argument_of(call, argument, true, "wr_id");
    return (intptr_t)call->play->holdings[call->command->kinds[argument]].objects[number];
}
