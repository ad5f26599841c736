/* machine/play/choose.h: drawing a call. The functions that run for each argument are inline
 * here. */
#ifndef WRI_MACHINE_PLAY_CHOOSE_H
#define WRI_MACHINE_PLAY_CHOOSE_H

#include "gen/draw.h"
#include "machine/play/play.h"

/* The commands that can be called now. */
uint64_t wri_play_callable(wri_play *play);
/* Draws a call; false: it cannot be made. */
bool wri_play_draw(wri_play *play, uint64_t legal);
/* The arguments of the command that was drawn; false: one cannot be had. */
bool wri_play_draw_arguments(wri_play *play);

/* A random answer to the request for a command, and for a handle. */
uint64_t wri_choose_command(wr_case *t, const wri_request *request);
uint64_t wri_choose_handle(wr_case *t, const wri_request *request);

/* A random value of a kind that has .values: one in so many calls has a fault. */
static inline uint64_t wri_choose_value(wri_play *play, const wr_kind *kind)
{
    uint64_t word = wri_prng_next(&play->t->random), most = kind->values - 1;
    if (!wri_machine_is_fault(play->machine, kind))
        return wri_prng_scale(word, most);
    if (wri_prng_scale(word, 99) >= play->machine->percent)
        return 0;
    return 1 + wri_prng_scale(wri_prng_next(&play->t->random), most - 1);
}

/* One choice of a sequence, at random on the fast path. */
static inline uint64_t wri_play_choose(wr_case *t, const wri_request *request)
{
    if (WRI_UNLIKELY(wri_case_slow(t)))
        return wri_case_choose(t, request);
    return wri_draw_record(t, request->fresh(t, request), request->max);
}

/* The number of a random bit of the mask. */
static inline uint64_t wri_choose_some_of(wr_case *t, uint64_t left)
{
    uint64_t skip =
        wri_prng_scale(wri_prng_next(&t->random), (uint64_t)__builtin_popcountll(left) - 1);
    while (skip-- > 0)
        left &= left - 1;
    return (uint64_t)__builtin_ctzll(left);
}

/* The handles that an argument can be. A further result is claimed of its call alone, even if
 * that handle is dead. Else those alive, but a handle that dies in this call is named only once.
 */
static inline uint64_t wri_play_legal_handles(const wri_play *play, unsigned argument)
{
    const wri_machine_command *command = play->call.command;
    uint32_t                   consumes = command->table->consumes;
    uint64_t                   legal = play->holdings[command->kinds[argument]].live;
    if (WRI_UNLIKELY(command->claims))
        return wri_machine_bit(play->also.base);
    for (unsigned i = 0; command->exclusive && i < argument; i++)
        if (command->table->takes[i] == command->table->takes[argument] &&
            ((consumes >> i | consumes >> argument) & 1) != 0)
            legal &= ~wri_machine_bit((uint64_t)play->call.values[i]);
    return legal;
}

/* Keeps the number by which calls are compared (wri_made), with the call and in the log. */
static inline void wri_play_note_argument(wri_play *play, unsigned argument, uint32_t node,
                                          int64_t value)
{
    play->now.arguments[argument] = value;
    play->t->trace->nodes[node].count = (uint64_t)value;
}

static inline int64_t wri_choose_abstracted(const wr_kind *kind, int64_t value, int64_t otherwise)
{
    return kind->abstract == NULL ? otherwise : kind->abstract(value);
}

static inline bool wri_play_may_be_made(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    return command->arity == 0 || command->table->when == NULL ||
           command->table->when(&play->call);
}

#endif
