/* machine/play/refused.c: the calls that are not drawn, and what ends that: see refused.h. */
#include "machine/play/refused.h"

#include <string.h>

size_t wri_refused_bytes(const wri_machine *machine)
{
    return sizeof(wri_refused) + machine->command_count * sizeof(uint64_t[WRI_ARGUMENTS]);
}

void wri_refused_begin(wri_refused *refused, const wri_machine *machine)
{
    refused->given_up = refused->exhausted = refused->remembered = 0;
    memset(refused->waiting, 0, machine->command_count * sizeof *refused->waiting);
    memset(refused->spent, 0, machine->command_count * sizeof *refused->spent);
}

static uint64_t revivers_of(const wri_until *until)
{
    uint64_t commands = until->commands;
    for (unsigned i = 0; i < until->count; i++)
        commands |= wri_machine_bit(until->calls[i].command);
    return commands;
}

/* Puts it on the list; false: there is no room. */
static bool wait_for(wri_refused *refused, const wri_refusal *refusal, uint64_t commands)
{
    if (refused->remembered == UINT64_MAX)
        return false;
    unsigned number = (unsigned)__builtin_ctzll(~refused->remembered);
    refused->list[number] = *refusal;
    refused->list[number].revivers = commands;
    refused->remembered |= wri_machine_bit(number);
    for (; commands != 0; commands &= commands - 1)
        refused->waiting[__builtin_ctzll(commands)] |= wri_machine_bit(number);
    return true;
}

void wri_refused_add(wri_refused *refused, const wri_refusal *refusal)
{
    uint64_t commands = revivers_of(&refusal->until);
    if (commands != 0 && !wait_for(refused, refusal, commands))
        return;
    if (refusal->argument == WRI_ARGUMENTS)
        refused->given_up |= wri_machine_bit(refusal->command);
    else
        refused->spent[refusal->command][refusal->argument] |= wri_machine_bit(refusal->number);
}

/* Is the call one that the refusal ends with? */
static bool ends_with(const wri_until *until, const wri_made *call)
{
    if ((until->commands >> call->command & 1) != 0)
        return true;
    for (unsigned i = 0; i < until->count; i++)
        if (until->calls[i].command == call->command &&
            until->values[i] == call->arguments[until->calls[i].argument])
            return true;
    return false;
}

static void end_refusal(wri_refused *refused, unsigned number)
{
    const wri_refusal *refusal = &refused->list[number];
    if (refusal->argument == WRI_ARGUMENTS)
        refused->given_up &= ~wri_machine_bit(refusal->command);
    else
        refused->spent[refusal->command][refusal->argument] &= ~wri_machine_bit(refusal->number);
    refused->exhausted &= ~wri_machine_bit(refusal->command);
    refused->remembered &= ~wri_machine_bit(number);
    for (uint64_t left = refusal->revivers; left != 0; left &= left - 1)
        refused->waiting[__builtin_ctzll(left)] &= ~wri_machine_bit(number);
}

void wri_refused_revive(wri_refused *refused, const wri_made *call)
{
    for (uint64_t left = refused->waiting[call->command]; left != 0; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctzll(left);
        if (ends_with(&refused->list[number].until, call))
            end_refusal(refused, number);
    }
}

/* Calls that the old handle of this number waited for may end refusals of the new one. Those are
 * found again. */
void wri_refused_forget(wri_refused *refused, const wri_machine *machine, unsigned kind,
                        unsigned number)
{
    for (unsigned i = 0; i < machine->command_count; i++)
        for (unsigned k = 0; k < machine->commands[i].arity; k++)
            if (wri_machine_takes_handle(machine, i, k) && machine->commands[i].kinds[k] == kind)
                refused->spent[i][k] &= ~wri_machine_bit(number);
}
