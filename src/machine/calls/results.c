/* machine/calls/results.c: how sequences ended, so that none of them is run again.
 *
 * If a sequence passed, all its beginnings passed. If it failed, it fails again whatever follows.
 * So each beginning has an entry, under a hash of its calls: it passed, or its last call failed.
 * Hashes have 64 bits: among a million entries, which is the most, two are the same once in ten
 * million studies.
 *
 * This holds only for a system that does the same each time. If one does not, an entry is
 * contradicted, and wri_results_add() says so.
 */
#include "machine/calls/results.h"

#include <stdlib.h>

#include "core/grow.h"
#include "core/hash.h"

#define ENTRIES_MOST ((size_t)1 << 20)

typedef struct entry {
    uint64_t key; /* 0: nothing is here */
    uint64_t failure;
    bool     failed;
} entry;

struct wri_results {
    const wri_machine *machine;
    entry             *entries;
    size_t             count, room; /* a power of two */
};

wri_results *wri_results_make(const wri_machine *machine)
{
    wri_results *results = calloc(1, sizeof *results);
    if (results != NULL)
        results->machine = machine;
    return results;
}

void wri_results_free(wri_results *results)
{
    if (results != NULL)
        free(results->entries);
    free(results);
}

/* ---- The keys of beginnings ---- */

/* Interchangeable values are named in the order in which they come. */
typedef struct naming {
    const wr_kind *kind;
    int64_t        value;
} naming;

typedef struct walk {
    const wri_machine *machine;
    uint64_t           key;
    naming            *names;
    size_t             name_count, name_room;
    bool               complete; /* memory was enough */
} walk;

static uint64_t name_of(walk *w, const wr_kind *kind, int64_t value)
{
    uint64_t number = 0; /* of this kind */
    for (size_t i = 0; i < w->name_count; i++) {
        if (w->names[i].kind != kind)
            continue;
        if (w->names[i].value == value)
            return number;
        number++;
    }
    naming *names = wri_grow(w->names, sizeof *names, w->name_count, &w->name_room);
    if (names == NULL) {
        w->complete = false;
        return 0;
    }
    w->names = names;
    names[w->name_count++] = (naming){ kind, value };
    return number;
}

/* The key of a beginning that is one call longer. */
static void step(walk *w, const wri_made *call)
{
    const wri_machine_command *command = &w->machine->commands[call->command];
    uint64_t                   key = wri_hash_step(w->key, call->command);
    for (unsigned i = 0; i < command->arity; i++) {
        const wr_kind *kind = command->table->takes[i];
        int64_t        value = call->arguments[i];
        key = wri_hash_step(key, kind->symmetric ? name_of(w, kind, value) : (uint64_t)value);
    }
    if (call->drawn != 0)
        key = wri_hash_step(key, (uint64_t)call->drawn);
    w->key = key == 0 ? 1 : key;
}

static walk begin(const wri_results *results, const wri_sequence *sequence)
{
    return (walk){ .machine = results->machine,
                   .key = wri_configuration_hash(&sequence->settings),
                   .complete = true };
}

/* ---- The table ---- */

static entry *place_of(entry *entries, size_t room, uint64_t key)
{
    size_t i = (size_t)key & (room - 1);
    while (entries[i].key != 0 && entries[i].key != key)
        i = (i + 1) & (room - 1);
    return &entries[i];
}

static const entry *find(const wri_results *results, uint64_t key)
{
    if (results->room == 0)
        return NULL;
    const entry *found = place_of(results->entries, results->room, key);
    return found->key == 0 ? NULL : found;
}

static bool grow(wri_results *results)
{
    if (results->count * 2 < results->room)
        return true;
    size_t room = results->room == 0 ? 1024 : results->room * 2;
    if (room > ENTRIES_MOST * 2)
        return false;
    entry *entries = calloc(room, sizeof *entries);
    if (entries == NULL)
        return false;
    for (size_t i = 0; i < results->room; i++)
        if (results->entries[i].key != 0)
            *place_of(entries, room, results->entries[i].key) = results->entries[i];
    free(results->entries);
    results->entries = entries;
    results->room = room;
    return true;
}

/* False: it was otherwise before. */
static bool note(wri_results *results, uint64_t key, bool failed, uint64_t failure)
{
    if (!grow(results))
        return true;
    entry *at = place_of(results->entries, results->room, key);
    if (at->key != 0)
        return at->failed == failed && at->failure == failure;
    *at = (entry){ .key = key, .failed = failed, .failure = failure };
    results->count++;
    return true;
}

/* ---- Sequences ---- */

bool wri_results_find(const wri_results *results, const wri_sequence *sequence, bool *failed,
                      uint64_t *failure, size_t *at)
{
    walk         w = begin(results, sequence);
    const entry *found = NULL;
    for (size_t i = 0; i < sequence->count; i++) {
        step(&w, &sequence->calls[i]);
        found = w.complete ? find(results, w.key) : NULL;
        if (found == NULL || found->failed) {
            *at = i;
            break;
        }
    }
    free(w.names);
    if (found == NULL)
        return false;
    *failed = found->failed;
    *failure = found->failure;
    return true;
}

bool wri_results_add(wri_results *results, const wri_sequence *sequence, bool failed,
                     uint64_t failure, size_t at)
{
    walk   w = begin(results, sequence);
    size_t passed = failed ? at : sequence->count;
    bool   same = true;
    for (size_t i = 0; i < sequence->count && i <= passed && same; i++) {
        step(&w, &sequence->calls[i]);
        if (!w.complete)
            break;
        same = i < passed ? note(results, w.key, false, 0) : note(results, w.key, true, failure);
    }
    free(w.names);
    return same;
}
