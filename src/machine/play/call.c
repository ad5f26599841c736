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

unsigned wr_give(wr_call *call, void *handle)
{
    wri_play    *play = call->play;
    const char  *name = call->command->table->name;
    wri_holding *all = &play->holdings[call->command->gives];
    if (WRI_UNLIKELY(!call->running))
        wri_case_misuse(play->t, "wr_give: no function of a command runs");
    if (WRI_UNLIKELY(!call->command->giving))
        wri_case_misuse(play->t, "wr_give: command \"%s\" has no .gives", name);
    if (WRI_UNLIKELY(call->given))
        wri_case_misuse(play->t, "wr_give: command \"%s\" has given a handle before", name);
    call->given = true;
    if (handle == NULL)
        return call->giving;
    all->objects[call->giving] = handle;
    all->live |= wri_machine_bit(call->giving);
    play->available |= wri_machine_bit(call->command->gives);
    if (play->t->stage != NULL)
        play->t->stage->played->given |= wri_machine_bit(call->command->gives);
    return call->giving;
}
