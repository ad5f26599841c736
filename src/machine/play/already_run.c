/* machine/play/already_run.c: sets of sequences that were run, by hash: see already_run.h. */
#include "machine/play/already_run.h"

#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sets of hashes, none of which is 0 ---- */

/* The place of a hash, taken or free. The number of places is a power of two, and some are free.
 */
static size_t place_of(const uint64_t *places, size_t count, uint64_t hash)
{
    size_t at = hash & (count - 1);
    while (places[at] != 0 && places[at] != hash)
        at = (at + 1) & (count - 1);
    return at;
}

bool wri_ran_has(const wri_ran *ran, uint64_t hash)
{
    return ran->places[place_of(ran->places, WRI_RAN_PLACES, hash)] != 0;
}

void wri_ran_add(wri_ran *ran, uint64_t hash)
{
    uint64_t *place = &ran->places[place_of(ran->places, WRI_RAN_PLACES, hash)];
    if (*place != 0 || ran->count >= WRI_RAN_PLACES / 2)
        return;
    *place = hash;
    ran->count++;
}

void wri_ran_clear(wri_ran *ran)
{
    if (ran->count > 0)
        memset(ran, 0, sizeof *ran);
}

void wri_ran_add_sequence(wri_ran *ran, const wri_machine *machine, const wri_sequence *sequence)
{
    wri_signature signature;
    wri_signature_begin(&signature, machine);
    signature.hash = wri_configuration_hash(&sequence->settings);
    for (size_t i = 0; i < sequence->count; i++) {
        wri_signature_add(&signature, machine, &sequence->calls[i]);
        if (i < WRI_RAN_BEGINNINGS || i + 1 == sequence->count)
            wri_ran_add(ran, signature.hash);
    }
}

/* ---- Lists ---- */

#define FIRST_PLACES 1024

static bool more_places(wri_ran_list *list, size_t count)
{
    uint64_t *places = calloc(count, sizeof *places);
    if (places == NULL)
        return false;
    for (size_t i = 0; i < list->place_count; i++)
        if (list->places[i] != 0)
            places[place_of(places, count, list->places[i])] = list->places[i];
    free(list->places);
    list->places = places;
    list->place_count = count;
    return true;
}

bool wri_ran_list_begin(wri_ran_list *list)
{
    if (list->hashes == NULL)
        return true;
    *list->shared_count = list->count = list->place_count = 0;
    return more_places(list, FIRST_PLACES);
}

void wri_ran_list_free(wri_ran_list *list)
{
    free(list->places);
    *list = (wri_ran_list){ 0 };
}

bool wri_ran_listed(const wri_ran_list *list, uint64_t hash)
{
    return list->hashes != NULL &&
           list->places[place_of(list->places, list->place_count, hash)] != 0;
}

bool wri_ran_list_add(wri_ran_list *list, uint64_t hash)
{
    if (list->hashes == NULL || list->count >= WRI_RAN_LISTED ||
        (list->count >= list->place_count / 2 && !more_places(list, 2 * list->place_count)))
        return false;
    uint64_t *place = &list->places[place_of(list->places, list->place_count, hash)];
    if (*place != 0)
        return false;
    *place = list->hashes[list->count] = hash;
    *list->shared_count = ++list->count;
    return true;
}

/* Nothing was put behind it. */
void wri_ran_list_drop_last(wri_ran_list *list)
{
    uint64_t hash = list->hashes[--list->count];
    list->places[place_of(list->places, list->place_count, hash)] = 0;
    *list->shared_count = list->count;
}

/* ---- Signatures ---- */

void wri_signature_begin(wri_signature *signature, const wri_machine *machine)
{
    signature->hash = 1;
    for (unsigned i = 0; i < machine->value_count; i++)
        signature->named[i] = 0;
}

static bool has_names(const wr_kind *kind)
{
    return kind->symmetric && kind->values > 0 && kind->values <= WRI_HANDLES;
}

/* The values that the call has before this argument, of the same kind and not named yet. */
static uint64_t new_before(const wri_signature *signature, const wri_machine_command *command,
                           const wri_made *call, unsigned argument)
{
    uint64_t before = 0;
    for (unsigned i = 0; i < argument; i++)
        if (command->table->takes[i] == command->table->takes[argument])
            before |= UINT64_C(1) << (call->arguments[i] & 63);
    return before & ~signature->named[command->kinds[argument]];
}

/* Values that come for the first time are named in the order in which they come. */
static uint64_t name_of(const wri_signature *signature, const wri_machine_command *command,
                        const wri_made *call, unsigned argument)
{
    unsigned kind = command->kinds[argument];
    unsigned value = (unsigned)call->arguments[argument] & 63;
    if ((signature->named[kind] >> value & 1) != 0)
        return signature->names[kind][value];
    uint64_t before = new_before(signature, command, call, argument);
    for (unsigned i = 0; i < argument; i++) /* it may be among them */
        if (command->table->takes[i] == command->table->takes[argument] &&
            call->arguments[i] == call->arguments[argument])
            return name_of(signature, command, call, i);
    return (uint64_t)__builtin_popcountll(signature->named[kind]) +
           (uint64_t)__builtin_popcountll(before);
}

uint64_t wri_signature_with(const wri_signature *signature, const wri_machine *machine,
                            const wri_made *call)
{
    const wri_machine_command *command = &machine->commands[call->command];
    uint64_t                   hash = wri_hash_step(signature->hash, call->command);
    for (unsigned i = 0; i < command->arity; i++)
        hash = wri_hash_step(hash, has_names(command->table->takes[i])
                                       ? name_of(signature, command, call, i)
                                       : (uint64_t)call->arguments[i]);
    return hash == 0 ? 1 : hash;
}

void wri_signature_add_drawn(wri_signature *signature, int64_t drawn)
{
    uint64_t hash =
        drawn == 0 ? signature->hash : wri_hash_step(signature->hash, (uint64_t)drawn);
    signature->hash = hash == 0 ? 1 : hash;
}

void wri_signature_add(wri_signature *signature, const wri_machine *machine, const wri_made *call)
{
    const wri_machine_command *command = &machine->commands[call->command];
    signature->hash = wri_signature_with(signature, machine, call);
    wri_signature_add_drawn(signature, call->drawn);
    for (unsigned i = 0; i < command->arity; i++) {
        unsigned kind = command->kinds[i], value = (unsigned)call->arguments[i] & 63;
        if (!has_names(command->table->takes[i]) || (signature->named[kind] >> value & 1) != 0)
            continue;
        signature->names[kind][value] = (uint8_t)__builtin_popcountll(signature->named[kind]);
        signature->named[kind] |= UINT64_C(1) << value;
    }
}
