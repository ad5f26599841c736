/* machine/calls/sequence.c: sequences copied, cut and rearranged: see sequence.h. */
#include "machine/calls/sequence.h"

#include <stdlib.h>
#include <string.h>

const wr_kind wri_configuration_kinds[WRI_SETTINGS] = {
    { .name = "" }, { .name = "" }, { .name = "" }, { .name = "" },
    { .name = "" }, { .name = "" }, { .name = "" }, { .name = "" },
};

bool wri_sequence_reserve(wri_sequence *sequence, size_t count)
{
    if (count <= sequence->room)
        return true;
    size_t    room = count + count / 2 + 8;
    wri_made *calls = realloc(sequence->calls, room * sizeof *calls);
    if (calls == NULL)
        return false;
    sequence->calls = calls;
    sequence->room = room;
    return true;
}

bool wri_sequence_copy(wri_sequence *to, const wri_sequence *from)
{
    if (!wri_sequence_reserve(to, from->count))
        return false;
    if (from->count > 0)
        memcpy(to->calls, from->calls, from->count * sizeof *to->calls);
    to->count = from->count;
    to->settings = from->settings;
    return true;
}

bool wri_sequence_append(wri_sequence *sequence, const wri_made *call)
{
    if (!wri_sequence_reserve(sequence, sequence->count + 1))
        return false;
    sequence->calls[sequence->count++] = *call;
    return true;
}

void wri_sequence_free(wri_sequence *sequence)
{
    free(sequence->calls);
    *sequence = (wri_sequence){ 0 };
}

static bool same_call(const wri_made *a, const wri_made *b)
{
    return a->command == b->command && (a->drawn == b->drawn || a->drawn == 0 || b->drawn == 0) &&
           memcmp(a->arguments, b->arguments, sizeof a->arguments) == 0;
}

size_t wri_sequence_common(const wri_sequence *a, const wri_sequence *b)
{
    size_t at = 0;
    if (!wri_configuration_same(&a->settings, &b->settings))
        return 0;
    while (at < a->count && at < b->count && same_call(&a->calls[at], &b->calls[at]))
        at++;
    return at;
}

uint64_t wri_sequence_commands(const wri_sequence *sequence)
{
    uint64_t commands = 0;
    for (size_t i = 0; i < sequence->count; i++)
        commands |= wri_machine_bit(sequence->calls[i].command);
    return commands;
}

unsigned wri_sequence_uses(const wri_machine *machine, const wri_sequence *sequence,
                           const wr_kind *kind, int64_t value)
{
    unsigned uses = 0;
    for (size_t i = 0; i < sequence->count; i++)
        for (unsigned j = 0; j < wri_made_arity(machine, &sequence->calls[i]); j++)
            uses += wri_made_kind(machine, &sequence->calls[i], j) == kind &&
                    sequence->calls[i].arguments[j] == value;
    return uses;
}

/* `places`: where each call of the sequence that these handles are counted in is now; SIZE_MAX:
 * nowhere. */
static bool move_handles(const wri_machine *machine, wri_made *call, const size_t *places)
{
    for (unsigned i = 0; i < machine->commands[call->command].arity; i++) {
        if (!wri_machine_takes_handle(machine, call->command, i))
            continue;
        size_t place = places[call->arguments[i]];
        if (place == SIZE_MAX)
            return false;
        call->arguments[i] = (int64_t)place;
    }
    return true;
}

bool wri_sequence_arrange(const wri_machine *machine, const wri_sequence *from,
                          const size_t *order, size_t count, wri_sequence *to)
{
    size_t *places = malloc((from->count + 1) * sizeof *places);
    bool    possible = places != NULL && wri_sequence_reserve(to, count);
    for (size_t i = 0; possible && i < from->count; i++)
        places[i] = SIZE_MAX;
    to->count = 0;
    to->settings = from->settings;
    for (size_t i = 0; possible && i < count; i++) {
        to->calls[i] = from->calls[order[i]];
        possible = move_handles(machine, &to->calls[i], places);
        places[order[i]] = i;
        to->count = i + 1;
    }
    free(places);
    return possible;
}

bool wri_sequence_select(const wri_machine *machine, const wri_sequence *from,
                         const bool *selected, size_t *order, wri_sequence *to)
{
    size_t count = 0;
    for (size_t i = 0; i < from->count; i++)
        if (selected[i])
            order[count++] = i;
    return wri_sequence_arrange(machine, from, order, count, to);
}

bool wri_sequence_insert(const wri_machine *machine, wri_sequence *sequence, size_t place,
                         const wri_made *call)
{
    if (!wri_sequence_reserve(sequence, sequence->count + 1))
        return false;
    wri_made *at = &sequence->calls[place];
    memmove(at + 1, at, (sequence->count - place) * sizeof *at);
    *at = *call;
    sequence->count++;
    for (size_t i = place + 1; i < sequence->count; i++) {
        wri_made *later = &sequence->calls[i];
        for (unsigned j = 0; j < machine->commands[later->command].arity; j++)
            if (wri_machine_takes_handle(machine, later->command, j) &&
                later->arguments[j] >= (int64_t)place)
                later->arguments[j]++;
    }
    return true;
}

void wri_sequence_select_without(bool *selected, size_t count, size_t from, size_t length)
{
    for (size_t i = 0; i < count; i++)
        selected[i] = i < from || i >= from + length;
}

void wri_sequence_select_givers(const wri_machine *machine, const wri_sequence *sequence,
                                bool *selected)
{
    for (size_t i = sequence->count; i-- > 0;) {
        const wri_made *call = &sequence->calls[i];
        for (unsigned j = 0; selected[i] && j < machine->commands[call->command].arity; j++)
            if (wri_machine_takes_handle(machine, call->command, j))
                selected[call->arguments[j]] = true;
    }
}

void wri_sequence_deselect_takers(const wri_machine *machine, const wri_sequence *sequence,
                                  bool *selected)
{
    for (size_t i = 0; i < sequence->count; i++) {
        const wri_made *call = &sequence->calls[i];
        for (unsigned j = 0; j < machine->commands[call->command].arity; j++)
            if (wri_machine_takes_handle(machine, call->command, j))
                selected[i] &= selected[call->arguments[j]];
    }
}

bool wri_sequence_take(const wri_machine *machine, const wri_sequence *from, const size_t *places,
                       size_t count, wri_sequence *to)
{
    bool   *selected = calloc(from->count + 1, sizeof *selected);
    size_t *order = malloc((from->count + 1) * sizeof *order);
    bool    possible = selected != NULL && order != NULL;
    for (size_t i = 0; possible && i < count; i++)
        selected[places[i]] = true;
    if (possible)
        wri_sequence_select_givers(machine, from, selected);
    possible = possible && wri_sequence_select(machine, from, selected, order, to);
    free(selected);
    free(order);
    return possible;
}
