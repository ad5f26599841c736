/* machine/table.c: from a user's tables to numbers.
 *
 * Everything is checked here, once in each process, and what makes no sense is named: after that no
 * call needs to look for mistakes in a table.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"

#define KINDS_MOST (WRI_COMMANDS * (WRI_ARGUMENTS + 1))

static wri_machine *all_machines;

static void free_machine(wri_machine *machine)
{
    free(machine->commands);
    free(machine->macros);
    free(machine->handles);
    free(machine->values);
    free(machine->weights);
    free(machine->pairs);
    free(machine);
}

/* Ends the case, and leaves nothing behind. */
WR_PRINTF_(3, 4)
_Noreturn static void refuse(wr_case *t, wri_machine *machine, const char *format, ...)
{
    char        why[512];
    const char *name = machine->name;
    va_list     arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    free_machine(machine);
    wri_misuse(t, "machine %s: %s", name, why);
}

/* Zeroed. Never NULL. */
static void *allocate(wr_case *t, wri_machine *machine, size_t count, size_t bytes)
{
    void *memory = calloc(count == 0 ? 1 : count, bytes);
    if (memory == NULL) {
        free_machine(machine);
        wri_end_case(t, WRI_OVERRUN, "", 0, "there is no memory for a machine");
    }
    return memory;
}

/* ---- Kinds ---- */

static void check_kind(wr_case *t, wri_machine *machine, const wr_kind *kind)
{
    int sorts = (kind->values > 0) + (kind->draw != NULL) + kind->handle;
    if (kind->name == NULL || kind->name[0] == '\0')
        refuse(t, machine, "a kind has no name");
    if (sorts != 1)
        refuse(t, machine, "kind \"%s\" must have one of .values, .draw and .handle", kind->name);
    if (!kind->handle && (kind->equal != NULL || kind->hash != NULL || kind->release != NULL))
        refuse(t, machine, "kind \"%s\" has .equal, .hash or .release, which are for handles",
               kind->name);
    if (kind->hash != NULL && kind->equal == NULL)
        refuse(t, machine, "kind \"%s\" has a .hash and no .equal", kind->name);
    if (kind->handle && (kind->show != NULL || kind->symmetric))
        refuse(t, machine, "kind \"%s\" has .show or .symmetric, which are for values",
               kind->name);
}

/* The kind's number among those of its sort. */
static uint8_t number_kind(wr_case *t, wri_machine *machine, const wr_kind *kind)
{
    wri_machine_kind *kinds = kind->handle ? machine->handles : machine->values;
    unsigned         *count = kind->handle ? &machine->handle_count : &machine->value_count;
    for (unsigned i = 0; i < *count; i++) {
        if (kinds[i].table == kind)
            return (uint8_t)i;
        if (strcmp(kinds[i].table->name, kind->name) == 0)
            refuse(t, machine, "two kinds are called \"%s\"", kind->name);
    }
    check_kind(t, machine, kind);
    if (*count == 64)
        refuse(t, machine, "it has more than 64 kinds of %s",
               kind->handle ? "handles" : "values");
    kinds[*count] = (wri_machine_kind){ .table = kind, .label = wri_label_hash(kind->name) };
    machine->contracting |= kind->equal != NULL;
    return (uint8_t)(*count)++;
}

/* ---- Commands ---- */

static void read_arguments(wr_case *t, wri_machine *machine, wri_machine_command *command)
{
    const wr_command *table = command->table;
    for (unsigned i = 0; i < WRI_ARGUMENTS && table->takes[i] != NULL; i++) {
        command->kinds[i] = number_kind(t, machine, table->takes[i]);
        if (table->takes[i]->handle)
            command->needs |= UINT64_C(1) << command->kinds[i];
        if ((table->consumes >> i & 1) != 0 && !table->takes[i]->handle)
            refuse(t, machine, "command \"%s\" consumes argument %u, which is no handle",
                   table->name, i);
        command->arity = i + 1;
    }
    if (table->consumes >> command->arity != 0)
        refuse(t, machine, "command \"%s\" consumes an argument that it does not have",
               table->name);
    command->exclusive = table->consumes != 0 && command->arity > 1;
}

static void read_command(wr_case *t, wri_machine *machine, unsigned number)
{
    wri_machine_command *command = &machine->commands[number];
    const wr_command    *table = command->table = &machine->table->commands[number];
    for (unsigned i = 0; i < number; i++)
        if (strcmp(machine->commands[i].table->name, table->name) == 0)
            refuse(t, machine, "two commands are called \"%s\"", table->name);
    if (table->call == NULL)
        refuse(t, machine, "command \"%s\" has no function", table->name);
    read_arguments(t, machine, command);
    command->giving = table->gives != NULL;
    if (command->giving && !table->gives->handle)
        refuse(t, machine, "command \"%s\" gives \"%s\", which is no kind of handles",
               table->name, table->gives->name == NULL ? "" : table->gives->name);
    if (command->giving)
        command->gives = number_kind(t, machine, table->gives);
    machine->weights[number] = table->weight == 0 ? 1 : table->weight;
    machine->weight += machine->weights[number];
    machine->observing |= table->observer;
}

static unsigned count_commands(wr_case *t, wri_machine *machine)
{
    const wr_command *commands = machine->table->commands;
    unsigned          count = 0;
    if (commands == NULL || commands[0].name == NULL)
        refuse(t, machine, "it has no commands");
    while (count <= WRI_COMMANDS && commands[count].name != NULL)
        count++;
    if (count > WRI_COMMANDS)
        refuse(t, machine, "it has more than %d commands", WRI_COMMANDS);
    return count;
}

/* A handle that nobody gives makes commands that can never be called. */
static void check_givers(wr_case *t, wri_machine *machine)
{
    uint64_t given = 0;
    for (unsigned i = 0; i < machine->command_count; i++)
        given |= (uint64_t)machine->commands[i].giving << machine->commands[i].gives;
    for (unsigned i = 0; i < machine->handle_count; i++)
        if ((given >> i & 1) == 0)
            refuse(t, machine, "no command gives handles of kind \"%s\"",
                   machine->handles[i].table->name);
}

/* ---- Macros ---- */

static uint8_t find_command(wr_case *t, wri_machine *machine, const wr_macro *macro,
                            const char *name)
{
    for (unsigned i = 0; i < machine->command_count; i++)
        if (strcmp(machine->commands[i].table->name, name) == 0)
            return (uint8_t)i;
    refuse(t, machine, "macro \"%s\" calls \"%s\", which is no command", macro->name, name);
}

static void read_macro(wr_case *t, wri_machine *machine, wri_macro *macro, const wr_macro *table)
{
    macro->table = table;
    for (unsigned i = 0; i < WRI_MACRO_STEPS && table->commands[i] != NULL; i++)
        macro->steps[macro->count++] = find_command(t, machine, table, table->commands[i]);
    if (macro->count == 0)
        refuse(t, machine, "macro \"%s\" calls nothing", table->name);
}

static void read_macros(wr_case *t, wri_machine *machine)
{
    const wr_macro *macros = machine->table->macros;
    unsigned        count = 0;
    while (macros != NULL && macros[count].name != NULL)
        count++;
    machine->macros = allocate(t, machine, count, sizeof *machine->macros);
    machine->macro_count = count;
    for (unsigned i = 0; i < count; i++)
        read_macro(t, machine, &machine->macros[i], &macros[i]);
}

/* ---- Machines ---- */

static void check_model(wr_case *t, wri_machine *machine)
{
    const wr_machine *table = machine->table;
    int given = (table->copy != NULL) + (table->free != NULL) + (table->equal != NULL);
    if (given != 0 && given != 3)
        refuse(t, machine, "of .copy, .free and .equal it must have all or none");
    if (given != 0 && table->model_size == 0)
        refuse(t, machine, "it has a .copy and no .model_size");
    if (table->calls > WRI_MAX_CHOICES)
        refuse(t, machine, "a sequence of %zu calls is too long", table->calls);
}

static wri_machine *read_machine(wr_case *t, const wr_machine *table, const char *name,
                                 const char *file, int line)
{
    wri_machine *machine = calloc(1, sizeof *machine);
    if (machine == NULL)
        wri_end_case(t, WRI_OVERRUN, "", 0, "there is no memory for a machine");
    *machine = (wri_machine){ .table = table, .name = name, .file = file, .line = line };
    unsigned count = count_commands(t, machine);
    machine->commands = allocate(t, machine, count, sizeof *machine->commands);
    machine->weights = allocate(t, machine, count, sizeof *machine->weights);
    machine->handles = allocate(t, machine, KINDS_MOST, sizeof *machine->handles);
    machine->values = allocate(t, machine, KINDS_MOST, sizeof *machine->values);
    for (unsigned i = 0; i < count; i++, machine->command_count++)
        read_command(t, machine, i);
    check_givers(t, machine);
    check_model(t, machine);
    read_macros(t, machine);
    if (count <= WRI_PAIRED)
        machine->pairs = allocate(t, machine, (size_t)count * count, sizeof *machine->pairs);
    return machine;
}

wri_machine *wri_machine_of(wr_case *t, const wr_machine *table, const char *name,
                            const char *file, int line)
{
    wri_machine *known = all_machines;
    while (known != NULL && known->table != table)
        known = known->next;
    if (known != NULL)
        return known;
    known = read_machine(t, table, name, file, line);
    known->next = all_machines;
    all_machines = known;
    return known;
}
