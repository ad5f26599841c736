/* machine/calls/sequence.h: calls as data, and sequences made out of other sequences.
 *
 * A log is what a case is. A sequence is what the log comes to for code that compares, matches
 * and shortens cases: the commands that were called, with their arguments. Nothing here knows how
 * a case is run.
 *
 * A handle is written as the number of the call that gave it. So a function that leaves calls
 * out, puts some in or moves some also renumbers the handles of the others. Each still names the
 * call that it named before.
 */
#ifndef WRI_MACHINE_CALLS_SEQUENCE_H
#define WRI_MACHINE_CALLS_SEQUENCE_H

#include "machine/calls/configuration.h"
#include "machine/table/machine.h"

/* One call. The kind of an argument says what its number means:
 *
 *     .handle     the call of the sequence that gave the handle, from 0
 *     .values     the value
 *     .draw, .draw_in
 *                 the number that the function returned; if that may be a pointer, a hash of the
 *                 choices that drew it
 *     .abstract   the number that .abstract returned
 *
 * Two arguments of one kind are the same if these numbers are the same. An argument that the
 * command does not have is 0. `drawn` is a hash of the choices that the command's function made;
 * 0: none, or, in a sequence that is to be run, the simplest. `kept` is a result, and no part of
 * what a call is. */
typedef struct wri_made {
    uint8_t command;
    uint8_t kept; /* 1 << i: when it was run, handle i lived on, although .consumes names it */
    int64_t arguments[WRI_ARGUMENTS];
    int64_t drawn;
} wri_made;

typedef struct wri_sequence {
    wri_made         *calls;
    size_t            count, room;
    wri_configuration settings; /* that the calls were made with; part of every copy */
} wri_sequence;

/* A setting in the place of an argument: its call is this, its argument the setting's number.
 * Each has a kind of its own. */
#define WRI_SETTING_CALL (SIZE_MAX - 1)
extern const wr_kind wri_configuration_kinds[WRI_SETTINGS];

/* ---- Arguments ---- */

/* Is the number in the part of the address space where memory of this process can be? An address
 * is another one in each run, so it says nothing about what is there. */
static inline bool wri_made_may_be_pointer(int64_t value)
{
    return value >> 32 != 0 && (uint64_t)value >> 48 == 0;
}

/* An opaque value is a hash, marked so that it differs from all numbers that people draw and
 * write. */
#define WRI_OPAQUE UINT64_C(0xb1e5)
static inline int64_t wri_made_opaque(uint64_t hash)
{
    return (int64_t)(WRI_OPAQUE << 48 | hash >> 16);
}
static inline bool wri_made_is_opaque(int64_t value)
{
    return (uint64_t)value >> 48 == WRI_OPAQUE;
}

static inline bool wri_machine_takes_handle(const wri_machine *machine, unsigned command,
                                            unsigned argument)
{
    return machine->commands[command].table->takes[argument]->handle;
}
static inline const wr_kind *wri_made_kind(const wri_machine *machine, const wri_made *call,
                                           unsigned argument)
{
    return machine->commands[call->command].table->takes[argument];
}
static inline unsigned wri_made_arity(const wri_machine *machine, const wri_made *call)
{
    return machine->commands[call->command].arity;
}
/* The kind of the handle that the call gives; NULL: it gives none. */
static inline const wr_kind *wri_made_gives(const wri_machine *machine, const wri_made *call)
{
    return machine->commands[call->command].table->gives;
}

/* Does argument i die in the call, as far as the table and an earlier run say? */
static inline bool wri_made_consumes(const wri_machine *machine, const wri_made *call,
                                     unsigned argument)
{
    uint32_t consumes = machine->commands[call->command].table->consumes;
    return ((consumes & ~(uint32_t)call->kept) >> argument & 1) != 0;
}

/* Does the handle, by the number of the call that gave it, die in the call? */
static inline bool wri_made_ends(const wri_machine *machine, const wri_made *call, int64_t handle)
{
    for (unsigned i = 0; i < wri_made_arity(machine, call); i++)
        if (wri_machine_takes_handle(machine, call->command, i) && call->arguments[i] == handle &&
            wri_made_consumes(machine, call, i))
            return true;
    return false;
}

/* The number that the next handle of a kind gets: numbers are given in order. When all
 * WRI_HANDLES are used up, the number of a dead handle is given again. The search for one begins
 * at the number that was given last. */
static inline uint32_t wri_machine_next_handle(uint64_t live, uint32_t count, uint32_t last)
{
    uint32_t number = count;
    if (count >= WRI_HANDLES)
        for (number = last; live != UINT64_MAX && (live >> number & 1) != 0;)
            number = (number + 1) % WRI_HANDLES;
    return number;
}

/* ---- Sequences (sequence.c) ---- */

/* A function that returns false has no memory, and what it was to write is undefined. */
bool wri_sequence_reserve(wri_sequence *sequence, size_t count);
bool wri_sequence_copy(wri_sequence *to, const wri_sequence *from);
bool wri_sequence_append(wri_sequence *sequence, const wri_made *call);
void wri_sequence_free(wri_sequence *sequence);

/* With how many calls, the same argument by argument, do both begin? With other settings, with
 * none. */
size_t             wri_sequence_common(const wri_sequence *a, const wri_sequence *b);
static inline bool wri_sequence_same(const wri_sequence *a, const wri_sequence *b)
{
    return a->count == b->count && wri_configuration_same(&a->settings, &b->settings) &&
           wri_sequence_common(a, b) == a->count;
}
/* The commands that the sequence calls: a bit for each. */
uint64_t wri_sequence_commands(const wri_sequence *sequence);
/* How many arguments of this kind in the sequence have the value? */
unsigned wri_sequence_uses(const wri_machine *machine, const wri_sequence *sequence,
                           const wr_kind *kind, int64_t value);

/* The calls order[0], order[1] ... of `from`. False also if a call would take a handle that no
 * call before it gives. */
bool wri_sequence_arrange(const wri_machine *machine, const wri_sequence *from,
                          const size_t *order, size_t count, wri_sequence *to);
/* The selected calls, in the order that they have. `order` has room for all calls of `from` and
 * gets the places of the selected ones. False also as above. */
bool wri_sequence_select(const wri_machine *machine, const wri_sequence *from,
                         const bool *selected, size_t *order, wri_sequence *to);
/* The calls at these places, in the order that they have, and the calls that gave their handles.
 */
bool wri_sequence_take(const wri_machine *machine, const wri_sequence *from, const size_t *places,
                       size_t count, wri_sequence *to);
/* Puts a call in before the call at `place`. The handles of the new call are numbered as before
 * the insertion. */
bool wri_sequence_insert(const wri_machine *machine, wri_sequence *sequence, size_t place,
                         const wri_made *call);
/* Selects all of `count` calls but the `length` calls from `from` on. */
void wri_sequence_select_without(bool *selected, size_t count, size_t from, size_t length);
/* Adds to a selection the calls that gave the handles of the selected calls. */
void wri_sequence_select_givers(const wri_machine *machine, const wri_sequence *sequence,
                                bool *selected);
/* Removes from a selection the calls that take a handle which no selected call gives. */
void wri_sequence_deselect_takers(const wri_machine *machine, const wri_sequence *sequence,
                                  bool *selected);

#endif
