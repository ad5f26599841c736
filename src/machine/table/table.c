/* machine/table/table.c: reads a user's tables into a machine.
 *
 * All mistakes in a table are found here, once in each process, and named. After that no call
 * looks for them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/reserve.h"
#include "machine/table/machine.h"

static wri_machine *all_machines;

static void free_machine(wri_machine *machine)
{
    for (unsigned i = 0; i < machine->value_count; i++)
        for (wri_kind_text *at = machine->values[i].texts, *next; at != NULL; at = next) {
            next = at->next;
            free(at);
        }
    free(machine->commands);
    free(machine->claims);
    free(machine->claim_names);
    free(machine->faulty);
    free(machine->macros);
    free(machine->handles);
    free(machine->values);
    free(machine->weights);
    free(machine->pairs);
    free(machine->setting_names); /* none is known before the table is read */
    free(machine);
}

/* Who reads a table into the machine goes on from `refused` when it makes no sense. */
typedef struct reader {
    wri_machine *machine;
    char        *error;
    size_t       room;
    jmp_buf      refused;
} reader;

/* Says why. */
WR_PRINTF_(2, 3)
_Noreturn static void refuse(reader *r, const char *format, ...)
{
    va_list arguments;
    int     used = snprintf(r->error, r->room, "machine %s: ", r->machine->name);
    va_start(arguments, format);
    if (used > 0 && (size_t)used < r->room)
        vsnprintf(r->error + used, r->room - (size_t)used, format, arguments);
    va_end(arguments);
    longjmp(r->refused, 1);
}

/* Zeroed. Never NULL. */
static void *allocate(reader *r, size_t count, size_t bytes)
{
    void *memory = calloc(count == 0 ? 1 : count, bytes);
    if (memory == NULL)
        longjmp(r->refused, 1);
    return memory;
}

#define REFUSE_UNKNOWN(r, what, name, table)                                                     \
    (WRI_RESERVE_USED(table) ? refuse(r, "%s%s " WRI_RESERVE_WHY, what, name) : (void)0)

/* ---- Kinds ---- */

static void check_kind(reader *r, const wr_kind *kind)
{
    int sorts =
        (kind->values > 0) + (kind->draw != NULL) + (kind->draw_in != NULL) + kind->handle;
    if (kind->name == NULL || kind->name[0] == '\0')
        refuse(r, "a kind has no name");
    REFUSE_UNKNOWN(r, "kind ", kind->name, kind);
    if (sorts != 1)
        refuse(r, "kind \"%s\" must have one of .values, .draw, .draw_in and .handle",
               kind->name);
    if (kind->draw_in != NULL && r->machine->table->model_size == 0)
        refuse(r, "kind \"%s\" has .draw_in, and the machine has no .model_size", kind->name);
    if (!kind->handle && (kind->equal != NULL || kind->hash != NULL || kind->release != NULL))
        refuse(r, "kind \"%s\" has .equal, .hash or .release, which are for handles", kind->name);
    if (kind->hash != NULL && kind->equal == NULL)
        refuse(r, "kind \"%s\" has a .hash and no .equal", kind->name);
    if (kind->handle && (kind->show != NULL || kind->symmetric))
        refuse(r, "kind \"%s\" has .show or .symmetric, which are for values", kind->name);
    if (kind->abstract != NULL && (kind->handle || kind->symmetric))
        refuse(r, "kind \"%s\" has .abstract, which is for values that are not .symmetric",
               kind->name);
}

/* The kind's number among those of its sort. */
static uint8_t number_kind(reader *r, const wr_kind *kind)
{
    wri_machine      *machine = r->machine;
    wri_machine_kind *kinds = kind->handle ? machine->handles : machine->values;
    unsigned         *count = kind->handle ? &machine->handle_count : &machine->value_count;
    for (unsigned i = 0; i < *count; i++) {
        if (kinds[i].table == kind)
            return (uint8_t)i;
        if (strcmp(kinds[i].table->name, kind->name) == 0)
            refuse(r, "two kinds are called \"%s\"", kind->name);
    }
    check_kind(r, kind);
    if (*count == WRI_KINDS_MOST)
        refuse(r, "it has more than %d kinds of %s", WRI_KINDS_MOST,
               kind->handle ? "handles" : "values");
    kinds[*count] =
        (wri_machine_kind){ .table = kind, .label = wri_trace_label_hash(kind->name) };
    machine->contracting |= kind->equal != NULL;
    return (uint8_t)(*count)++;
}

/* ---- Commands ---- */

static void read_arguments(reader *r, wri_machine_command *command)
{
    const wr_command *table = command->table;
    command->plain = true;
    for (unsigned i = 0; i < WRI_ARGUMENTS && table->takes[i] != NULL; i++) {
        command->kinds[i] = number_kind(r, table->takes[i]);
        if (table->takes[i]->handle)
            command->needs |= UINT64_C(1) << command->kinds[i];
        if ((table->consumes >> i & 1) != 0 && !table->takes[i]->handle)
            refuse(r, "command \"%s\" consumes argument %u, which is no handle", table->name, i);
        command->plain &= !wri_machine_draws_kind(table->takes[i]);
        command->arity = i + 1;
    }
    if (table->consumes >> command->arity != 0)
        refuse(r, "command \"%s\" consumes an argument that it does not have", table->name);
    command->exclusive = table->consumes != 0 && command->arity > 1;
}

/* Rules are written with it, and read again: as C would have it, or as a member is called. */
static void check_name(reader *r, const char *name)
{
    static const char REST[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789.:->";
    if (name[0] == '\0' || strchr("0123456789.:->", name[0]) != NULL ||
        name[strspn(name, REST)] != '\0')
        refuse(r,
               "\"%s\" is no name of a command: it must be one of C, such as f, s.f, "
               "s->f or s::f (and the table must end with the row { 0 })",
               name);
}

static void read_command(reader *r, unsigned number)
{
    wri_machine         *machine = r->machine;
    wri_machine_command *command = &machine->commands[number];
    const wr_command    *table = command->table;
    check_name(r, table->name);
    REFUSE_UNKNOWN(r, "command ", table->name, table);
    for (unsigned i = 0; i < number; i++)
        if (strcmp(machine->commands[i].table->name, table->name) == 0)
            refuse(r, "two commands are called \"%s\"", table->name);
    if (table->call == NULL)
        refuse(r, "command \"%s\" has no function", table->name);
    read_arguments(r, command);
    command->giving = table->gives != NULL;
    if (command->giving && !table->gives->handle)
        refuse(r, "command \"%s\" gives \"%s\", which is no kind of handles", table->name,
               table->gives->name == NULL ? "" : table->gives->name);
    if (command->giving)
        command->gives = number_kind(r, table->gives);
    machine->weights[number] = table->weight == 0 ? 1 : table->weight;
    machine->weight += command->claims ? 0 : machine->weights[number];
    machine->observing |= table->observer;
}

/* ---- Further results ---- */

static void nothing(wr_case *t, wr_call *call)
{
    (void)t, (void)call;
}

static unsigned count_also(reader *r, const wr_command *table)
{
    unsigned count = 0;
    while (count < WRI_ALSO && table->gives_also[count] != NULL)
        count++;
    if (count > 0 && table->gives == NULL)
        refuse(r, "command \"%s\" has a .gives_also and no .gives", table->name);
    return count;
}

/* Makes the command of a further result of command `base`. */
static void add_claim(reader *r, unsigned base, unsigned also, unsigned number)
{
    wri_machine      *machine = r->machine;
    const wr_command *table = machine->commands[base].table;
    unsigned          at = number - machine->own_count;
    char             *name = machine->claim_names[at];
    if (snprintf(name, WRI_CLAIM_NAME, "%s.%u", table->name, also + 2) >= WRI_CLAIM_NAME)
        refuse(r, "the name of command \"%s\" is too long", table->name);
    machine->claims[at] = (wr_command){
        .name = name, .call = nothing, .takes = { table->gives }, .gives = table->gives_also[also]
    };
    machine->commands[number] = (wri_machine_command){ .table = &machine->claims[at],
                                                       .claims = true,
                                                       .base = (uint8_t)base };
    machine->commands[base].also++;
    if (also == 0)
        machine->commands[base].first = (uint8_t)number;
}

/* How many commands there are with those of further results. */
static unsigned count_all(reader *r, unsigned own)
{
    unsigned count = own;
    for (unsigned i = 0; i < own; i++)
        count += count_also(r, &r->machine->table->commands[i]);
    if (count > WRI_COMMANDS)
        refuse(r, "it has more than %d commands, with those of .gives_also", WRI_COMMANDS);
    return count;
}

/* ---- Faults ---- */

#define FAULT_NAME "fault"

static void show_fault(wr_out *out, int64_t value)
{
    if (value == 0)
        wr_put(out, "no fault");
    else
        wr_put(out, "fault %lld", (long long)value);
}

static void read_faults(reader *r)
{
    wri_machine            *machine = r->machine;
    const wr_fault_options *options = machine->table->faults;
    const char             *wrong = wri_faults_wrong(options);
    if (machine->table->options.faults != NULL)
        refuse(r, "it has .options.faults: a machine has .faults");
    if (options == NULL)
        return;
    if (wrong != NULL)
        refuse(r, ".faults: %s", wrong);
    machine->faults = wri_faults_terms_of(options, "next " FAULT_NAME);
    if (options->within == 0)
        machine->faults.within = WRI_FAULTS_WITHIN_CALL;
    if (machine->faults.within >= WRI_HANDLES)
        refuse(r, ".faults: .within is above %d", WRI_HANDLES - 1);
    machine->percent = options->percent == 0 ? WRI_FAULTS_PERCENT : options->percent;
    machine->fault = (wr_kind){ .name = FAULT_NAME,
                                .values = (size_t)machine->faults.within + 1,
                                .show = show_fault };
    machine->faulty = allocate(r, machine->own_count, sizeof *machine->faulty);
}

/* The command's table, with an argument for its fault. */
static const wr_command *with_fault(reader *r, unsigned number)
{
    wri_machine      *machine = r->machine;
    const wr_command *table = &machine->table->commands[number];
    unsigned          arity = 0;
    if (machine->faulty == NULL || table->no_faults)
        return table;
    while (arity < WRI_ARGUMENTS && table->takes[arity] != NULL)
        arity++;
    if (arity == WRI_ARGUMENTS)
        refuse(r,
               "command \"%s\" has %d arguments, so there is no place for a fault: give it "
               ".no_faults",
               table->name, WRI_ARGUMENTS);
    machine->faulty[number] = *table;
    machine->faulty[number].takes[arity] = &machine->fault;
    return &machine->faulty[number];
}

static void read_commands(reader *r, unsigned count)
{
    wri_machine *machine = r->machine;
    unsigned     next = machine->own_count;
    for (unsigned i = 0; i < machine->own_count; i++)
        machine->commands[i].table = with_fault(r, i);
    for (unsigned i = 0; i < machine->own_count; i++)
        for (unsigned also = 0, all = count_also(r, machine->commands[i].table); also < all;
             also++)
            add_claim(r, i, also, next++);
    for (unsigned i = 0; i < count; i++, machine->command_count++)
        read_command(r, i);
}

/* ---- Commands that do the same job ---- */

static unsigned find_named(const reader *r, const char *name)
{
    unsigned i = 0;
    while (i < r->machine->own_count && strcmp(r->machine->commands[i].table->name, name) != 0)
        i++;
    return i;
}

static void check_like(reader *r, const wr_command *one, const wr_command *other)
{
    if (one->gives != other->gives || one->consumes != other->consumes ||
        one->no_faults != other->no_faults ||
        memcmp(one->takes, other->takes, sizeof one->takes) != 0 ||
        memcmp(one->gives_also, other->gives_also, sizeof one->gives_also) != 0)
        refuse(r, "command \"%s\" is .like \"%s\", and takes, gives or consumes other kinds",
               one->name, other->name);
    if (other->like != NULL)
        refuse(r, "command \"%s\" is .like \"%s\", which is .like \"%s\": name that one",
               one->name, other->name, other->like);
}

static void read_likes(reader *r)
{
    wri_machine *machine = r->machine;
    for (unsigned i = 0; i < machine->command_count; i++)
        machine->commands[i].like = (uint8_t)i;
    for (unsigned i = 0; i < machine->own_count; i++) {
        wri_machine_command *command = &machine->commands[i];
        const wr_command    *table = command->table;
        if (table->like == NULL)
            continue;
        unsigned other = find_named(r, table->like);
        if (other == machine->own_count || other == i)
            refuse(r, "command \"%s\" is .like \"%s\", which is no other command", table->name,
                   table->like);
        check_like(r, table, machine->commands[other].table);
        command->like = (uint8_t)other;
        for (unsigned also = 0; also < command->also; also++)
            machine->commands[command->first + also].like =
                (uint8_t)(machine->commands[other].first + also);
    }
}

static unsigned count_commands(reader *r)
{
    const wr_command *commands = r->machine->table->commands;
    unsigned          count = 0;
    if (commands == NULL || (commands[0].name == NULL && commands[0].call == NULL))
        refuse(r, "it has no commands");
    while (count <= WRI_COMMANDS && commands[count].name != NULL)
        count++;
    if (count > WRI_COMMANDS)
        refuse(r, "it has more than %d commands", WRI_COMMANDS);
    if (commands[count].call != NULL) /* what ends the table has nothing */
        refuse(r, "command %u has no name", count + 1);
    return count;
}

/* A handle that nobody gives makes commands that can never be called. */
static void check_givers(reader *r)
{
    const wri_machine *machine = r->machine;
    uint64_t           given = 0;
    for (unsigned i = 0; i < machine->command_count; i++)
        given |= (uint64_t)machine->commands[i].giving << machine->commands[i].gives;
    for (unsigned i = 0; i < machine->handle_count; i++)
        if ((given >> i & 1) == 0)
            refuse(r, "no command gives handles of kind \"%s\"", machine->handles[i].table->name);
}

/* ---- Macros ---- */

static uint8_t find_command(reader *r, const wr_macro *macro, const char *name)
{
    for (unsigned i = 0; i < r->machine->command_count; i++)
        if (strcmp(r->machine->commands[i].table->name, name) == 0)
            return (uint8_t)i;
    refuse(r, "macro \"%s\" calls \"%s\", which is no command", macro->name, name);
}

static void read_macro(reader *r, wri_macro *macro, const wr_macro *table)
{
    macro->table = table;
    REFUSE_UNKNOWN(r, "macro ", table->name, table);
    for (unsigned i = 0; i < WRI_MACRO_STEPS && table->commands[i] != NULL; i++)
        macro->steps[macro->count++] = find_command(r, table, table->commands[i]);
    if (macro->count == 0)
        refuse(r, "macro \"%s\" calls nothing", table->name);
}

static void read_macros(reader *r)
{
    wri_machine    *machine = r->machine;
    const wr_macro *macros = machine->table->macros;
    unsigned        count = 0;
    while (macros != NULL && macros[count].name != NULL)
        count++;
    machine->macros = allocate(r, count, sizeof *machine->macros);
    machine->macro_count = count;
    for (unsigned i = 0; i < count; i++)
        read_macro(r, &machine->macros[i], &macros[i]);
}

/* ---- Machines ---- */

static void check_model(reader *r)
{
    const wr_machine *table = r->machine->table;
    REFUSE_UNKNOWN(r, "", "it", table);
    int given = (table->copy != NULL) + (table->free != NULL) + (table->equal != NULL);
    if (given != 0 && given != 3)
        refuse(r, "of .copy, .free and .equal it must have all or none");
    if (given != 0 && table->model_size == 0)
        refuse(r, "it has a .copy and no .model_size");
    if (table->calls > WRI_MAX_CHOICES)
        refuse(r, "a sequence of %zu calls is too long", table->calls);
}

static void read_machine(reader *r)
{
    wri_machine *machine = r->machine;
    machine->label = wri_trace_label_hash(WRI_COMMAND_NAME);
    machine->own_count = count_commands(r);
    unsigned count = count_all(r, machine->own_count), claims = count - machine->own_count;
    machine->commands = allocate(r, count, sizeof *machine->commands);
    machine->claims = allocate(r, claims, sizeof *machine->claims);
    machine->claim_names = allocate(r, claims, sizeof *machine->claim_names);
    machine->weights = allocate(r, count, sizeof *machine->weights);
    machine->handles = allocate(r, WRI_KINDS_MOST, sizeof *machine->handles);
    machine->values = allocate(r, WRI_KINDS_MOST, sizeof *machine->values);
    machine->setting_names = allocate(r, 1, sizeof *machine->setting_names);
    read_faults(r);
    read_commands(r, count);
    read_likes(r);
    check_givers(r);
    check_model(r);
    read_macros(r);
    if (count <= WRI_PAIRED)
        machine->pairs = allocate(r, (size_t)count * count, sizeof *machine->pairs);
}

wri_machine *wri_machine_read(const wr_machine *table, const char *name, const char *file,
                              int line, char *error, size_t error_size)
{
    wri_machine *known = all_machines;
    reader       r = { .error = error, .room = error_size };
    while (known != NULL && known->table != table)
        known = known->next;
    if (known != NULL)
        return known;
    error[0] = '\0';
    r.machine = calloc(1, sizeof *r.machine);
    if (r.machine == NULL)
        return NULL;
    *r.machine = (wri_machine){
        .table = table, .name = name, .file = file, .line = line, .next = all_machines
    };
    if (setjmp(r.refused) != 0) {
        free_machine(r.machine);
        return NULL;
    }
    read_machine(&r);
    return all_machines = r.machine;
}

wri_machine *wri_machine_of(wr_case *t, const wr_machine *table, const char *name,
                            const char *file, int line)
{
    char         why[512];
    wri_machine *machine = wri_machine_read(table, name, file, line, why, sizeof why);
    if (machine == NULL && why[0] == '\0')
        wri_case_end(t, WRI_MISUSE, "", 0, "there is no memory for a machine");
    if (machine == NULL)
        wri_case_misuse(t, "%s", why);
    return machine;
}
