/* machine/play/contract.c: checks that .equal and .hash of a kind are what they should be.
 *
 * Each handle that a call has taken or given, and that is alive after it, is compared with every
 * living handle of its kind. It must equal itself, be equal in both directions, and have the same
 * hash as its equals.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "machine/play/play.h"

/* Each contract of a kind is a class of failures. */
WR_PRINTF_(4, 5)
_Noreturn static void broken(const wri_play *play, const wr_kind *kind, const char *contract,
                             const char *format, ...)
{
    char    why[256];
    va_list arguments;
    snprintf(why, sizeof why, "%s %s", kind->name, contract);
    wr_class(play->t, why);
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    wri_case_end(play->t, WRI_ASSERTION, play->machine->file, play->machine->line, "%s", why);
}

static void check_two(const wri_play *play, const wr_kind *kind, const wri_holding *all,
                      unsigned one, unsigned other)
{
    const void *a = all->objects[one], *b = all->objects[other];
    uint32_t    v = all->variables[one], w = all->variables[other];
    bool        there = kind->equal(a, b), back = kind->equal(b, a);
    if (there != back)
        broken(play, kind, "symmetric",
               "equality of \"%s\" is not symmetric: v%" PRIu32 " %s v%" PRIu32
               ", but not the other way round",
               kind->name, v, there ? "equals" : "differs from", w);
    if (there && kind->hash != NULL && kind->hash(a) != kind->hash(b))
        broken(play, kind, "hash",
               "\"%s\": v%" PRIu32 " equals v%" PRIu32 ", and they hash differently", kind->name,
               v, w);
}

static void check_one(const wri_play *play, unsigned number, unsigned one)
{
    const wr_kind     *kind = wri_play_handle_kind(play, number);
    const wri_holding *all = &play->holdings[number];
    if (kind->equal == NULL || (all->live >> one & 1) == 0)
        return;
    if (!kind->equal(all->objects[one], all->objects[one]))
        broken(play, kind, "reflexive",
               "equality of \"%s\" is not reflexive: v%" PRIu32 " differs from itself",
               kind->name, all->variables[one]);
    for (uint64_t left = all->live & ~(UINT64_C(1) << one); left != 0; left &= left - 1)
        check_two(play, kind, all, one, (unsigned)__builtin_ctzll(left));
}

void wri_play_contracts(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    for (unsigned i = 0; i < command->arity; i++)
        if (command->table->takes[i]->handle)
            check_one(play, command->kinds[i], (unsigned)play->call.values[i]);
    if (command->giving)
        check_one(play, command->gives, play->call.giving);
}
