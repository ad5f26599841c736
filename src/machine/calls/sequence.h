/* machine/calls/sequence.h: calls as data.
 *
 * A log is what a case is; this is what it comes to for those who compare, match and shorten
 * sequences: which commands, with which arguments. Everything that is said about bugs of a
 * machine is said in these terms, and nothing here knows how a case is run.
 */
#ifndef WRI_MACHINE_CALLS_SEQUENCE_H
#define WRI_MACHINE_CALLS_SEQUENCE_H

#include "machine/table/machine.h"

/* One call. An argument is, of a handle, which call of the sequence gave it, from 0; of a kind
 * with .values, the value; of one with .draw, the number that this gave, or, where that may be a
 * pointer, a hash of what was drawn; where the kind has an .abstract, what that says of it. So
 * two arguments of a kind are the same when these numbers are. Arguments that a command does not
 * have are 0. */
typedef struct wri_made {
    uint8_t command;
    int64_t arguments[WRI_ARGUMENTS];
} wri_made;

typedef struct wri_sequence {
    wri_made *calls;
    size_t    count, room;
} wri_sequence;

/* Where memory is, in a process of 64 bits. What is there is not told by its address, which is
 * another one in each run. */
static inline bool wri_may_be_pointer(int64_t value)
{
    return value >> 32 != 0 && (uint64_t)value >> 48 == 0;
}

/* Hashes are made so that they can be told from the numbers that people draw and write. */
#define WRI_OPAQUE UINT64_C(0xb1e5)
static inline int64_t wri_opaque(uint64_t hash)
{
    return (int64_t)(WRI_OPAQUE << 48 | hash >> 16);
}
static inline bool wri_is_opaque(int64_t value)
{
    return (uint64_t)value >> 48 == WRI_OPAQUE;
}

static inline bool wri_takes_handle(const wri_machine *machine, unsigned command,
                                    unsigned argument)
{
    return machine->commands[command].table->takes[argument]->handle;
}

/* The number that a handle gets, of a kind of which so many numbers have been given: the next;
 * when all have been, that of one that is dead, from the last that was given on. */
static inline uint32_t wri_next_handle(uint64_t live, uint32_t count, uint32_t last)
{
    uint32_t number = count;
    if (count >= WRI_HANDLES)
        for (number = last; live != UINT64_MAX && (live >> number & 1) != 0;)
            number = (number + 1) % WRI_HANDLES;
    return number;
}

#endif
