/* machine/refused.c: see refused.h. */
#include "machine/refused.h"

#include <string.h>

static uint64_t bit(unsigned number)
{
    return UINT64_C(1) << number;
}

size_t wri_refused_bytes(const wri_machine *machine)
{
    return sizeof(wri_refused) + machine->command_count * sizeof(uint64_t[WRI_ARGUMENTS]);
}

void wri_refused_begin(wri_refused *refused, const wri_machine *machine)
{
    refused->given_up = refused->exhausted = refused->reviving = 0;
    refused->count = 0;
    memset(refused->spent, 0, machine->command_count * sizeof *refused->spent);
}

static uint64_t revivers_of(const wri_until *until)
{
    uint64_t commands = until->commands;
    for (unsigned i = 0; i < until->count; i++)
        commands |= bit(until->calls[i].command);
    return commands;
}

void wri_refused_add(wri_refused *refused, const wri_refusal *refusal)
{
    uint64_t commands = revivers_of(&refusal->until);
    if (commands != 0 && refused->count == WRI_REFUSALS_MOST)
        return;
    if (commands != 0) {
        refused->list[refused->count] = *refusal;
        refused->list[refused->count++].revivers = commands;
    }
    refused->reviving |= commands;
    if (refusal->argument == WRI_ARGUMENTS)
        refused->given_up |= bit(refusal->command);
    else
        refused->spent[refusal->command][refusal->argument] |= bit(refusal->number);
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

static void end_refusal(wri_refused *refused, const wri_refusal *refusal)
{
    if (refusal->argument == WRI_ARGUMENTS)
        refused->given_up &= ~bit(refusal->command);
    else
        refused->spent[refusal->command][refusal->argument] &= ~bit(refusal->number);
    refused->exhausted &= ~bit(refusal->command);
}

void wri_refused_revive(wri_refused *refused, const wri_made *call)
{
    bool some = false;
    if ((refused->reviving >> call->command & 1) == 0)
        return;
    for (unsigned i = refused->count; i-- > 0;)
        if ((refused->list[i].revivers >> call->command & 1) != 0 &&
            ends_with(&refused->list[i].until, call)) {
            end_refusal(refused, &refused->list[i]);
            refused->list[i] = refused->list[--refused->count];
            some = true;
        }
    if (!some)
        return;
    refused->reviving = 0;
    for (unsigned i = 0; i < refused->count; i++)
        refused->reviving |= refused->list[i].revivers;
}

/* What the other handle waited for may still bring back this one: then that is found out again. */
void wri_refused_forget(wri_refused *refused, const wri_machine *machine, unsigned kind,
                        unsigned number)
{
    for (unsigned i = 0; i < machine->command_count; i++)
        for (unsigned k = 0; k < machine->commands[i].arity; k++)
            if (wri_takes_handle(machine, i, k) && machine->commands[i].kinds[k] == kind)
                refused->spent[i][k] &= ~bit(number);
}
