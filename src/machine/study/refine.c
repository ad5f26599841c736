/* machine/study/refine.c: makes a sequence smaller from which no single call can be removed.
 *
 * The result of reduce.c may be far from the smallest sequence. A call may be needed only because
 * of another call, or of a value that could be different. Or an earlier call gives its handle as
 * well. So several changes are made at once. First a call that gives a handle is removed, and
 * those that took the handle take another one. Then the sequence is changed at random: calls are
 * moved or removed, arguments change. A sequence that fails and is no longer than before takes
 * its place. Some of those have calls that are not needed.
 *
 * It ends after many steps without a shorter sequence, or when its budget of calls is used up.
 */
#include <string.h>

#include "core/prng.h"
#include "machine/study/draft.h"

/* A shorter one is the smallest, as a rule: that was found from below. */
#define LONG_SEQUENCE 5
/* With fewer calls there are few orders, and those are tried with fewer calls still. */
#define VERY_LONG 8
/* So many steps for each call of the sequence, and none was taken out: it is not gone on. */
#define PATIENCE 64
/* A step is so many changes, at most. */
#define CHANGES_MOST 3
/* A value that is no number becomes one of so many others. */
#define OTHERS 4

/* ---- One by one ---- */

/* Calls that take the one handle take the other, and the call that gave it goes. */
static bool try_instead(wri_drafts *d, size_t giver, size_t other)
{
    const wri_machine *machine = d->lab->machine;
    int64_t            instead = (int64_t)other;
    wri_class          given = { .kind = wri_made_gives(machine, &d->failing->calls[giver]),
                                 .value = (int64_t)giver };
    return wri_trial_recast(machine, d->failing, &given, &instead, 1, &d->part) &&
           wri_drafts_without(d, &d->part, giver, &d->draft) && wri_drafts_try(d);
}

static bool replace_giver(wri_drafts *d, size_t giver)
{
    const wri_machine *machine = d->lab->machine;
    const wr_kind     *kind = wri_made_gives(machine, &d->failing->calls[giver]);
    for (size_t i = 0; kind != NULL && i < giver && !d->over; i++)
        if (wri_made_gives(machine, &d->failing->calls[i]) == kind && try_instead(d, giver, i))
            return true;
    return false;
}

static bool replace_givers(wri_drafts *d)
{
    bool any = false;
    for (size_t i = d->failing->count; i-- > 0 && !d->over;)
        any |= i < d->failing->count && replace_giver(d, i);
    return any;
}

/* ---- At random ---- */

/* How much a number changes: by one, by what some argument is, or by anything up to `most`. */
static uint64_t some_step(wri_drafts *d, uint64_t most)
{
    const wri_made *call = &d->failing->calls[wri_drafts_pick(d, d->failing->count)];
    unsigned        arity = wri_made_arity(d->lab->machine, call);
    switch (wri_drafts_pick(d, 3)) {
    case 0: return 1;
    case 1: return arity == 0 ? 1 : (uint64_t)call->arguments[wri_drafts_pick(d, arity)];
    default: return wri_prng_scale(wri_prng_next(&d->random), most);
    }
}

/* It becomes another one: a number more or less. */
static void step_aside(wri_drafts *d, size_t call, unsigned argument, int64_t *value)
{
    const wri_lab *lab = d->lab;
    int64_t        least, most;
    int64_t        other; /* the draft stays as it is while it is asked about */
    if (lab->range(lab->context, &d->draft, call, argument, &least, &most)) {
        bool     up = wri_drafts_pick(d, 2) == 0;
        uint64_t now = (uint64_t)*value;
        uint64_t room = up ? (uint64_t)most - now : now - (uint64_t)least;
        uint64_t step = some_step(d, room);
        if (step <= room)
            *value = (int64_t)(up ? now + step : now - step);
    } else if (lab->other(lab->context, &d->draft, call, argument,
                          (unsigned)wri_drafts_pick(d, OTHERS), &other)) {
        *value = other;
    }
}

/* It becomes what an argument of another call is, or the handle that this gives. */
static void take_others(wri_drafts *d, size_t call, unsigned argument, int64_t *value)
{
    const wri_machine *machine = d->lab->machine;
    const wr_kind     *kind = wri_made_kind(machine, &d->draft.calls[call], argument);
    size_t             from = wri_drafts_pick(d, d->draft.count);
    const wri_made    *other = &d->draft.calls[from];
    if (kind->handle && from < call && wri_made_gives(machine, other) == kind)
        *value = (int64_t)from;
    for (unsigned i = 0; i < wri_made_arity(machine, other) && !kind->handle; i++)
        if (wri_made_kind(machine, other, i) == kind)
            *value = other->arguments[i];
}

static void change_something(wri_drafts *d)
{
    size_t    call = wri_drafts_pick(d, d->draft.count);
    wri_made *made = &d->draft.calls[call];
    unsigned  arity = wri_made_arity(d->lab->machine, made), argument;
    if (arity == 0 || wri_drafts_pick(d, 3) == 0) {
        if (d->failing->count >= VERY_LONG || d->draft.count < d->failing->count)
            wri_drafts_move_call(d);
        return;
    }
    argument = (unsigned)wri_drafts_pick(d, arity);
    if (wri_machine_takes_handle(d->lab->machine, made->command, argument) ||
        wri_drafts_pick(d, 2) == 0)
        take_others(d, call, argument, &made->arguments[argument]);
    else
        step_aside(d, call, argument, &made->arguments[argument]);
}

/* One step: up to two calls go, and something of the rest is changed. */
static void try_step(wri_drafts *d)
{
    size_t count = d->failing->count;
    wri_sequence_select_without(
        d->selected, count, wri_drafts_pick(d, 2) == 0 ? count : wri_drafts_pick(d, count), 1);
    if (wri_drafts_pick(d, 4) == 0)
        d->selected[wri_drafts_pick(d, count)] = false;
    if (!wri_drafts_select(d, d->failing, &d->draft) || d->draft.count < 2)
        return;
    for (size_t i = wri_drafts_pick(d, CHANGES_MOST) + 1; i-- > 0;)
        change_something(d);
    if (!wri_sequence_same(&d->draft, d->failing))
        wri_drafts_try(d);
}

/* Until a call has gone; if none does, it is what it was before. */
static bool wander(wri_drafts *d)
{
    size_t count = d->failing->count;
    if (!wri_sequence_copy(&d->before, d->failing))
        return false;
    for (size_t left = count * PATIENCE; left > 0 && !d->over && d->failing->count == count;
         left--)
        try_step(d);
    if (d->failing->count < count)
        return true;
    memcpy(d->failing->calls, d->before.calls, count * sizeof *d->failing->calls);
    return false;
}

/* ---- All of it ---- */

static void refine(wri_drafts *d)
{
    static bool (*const WAYS[])(wri_drafts *) = { wri_drafts_take_out_singles, replace_givers,
                                                  wander };
    for (size_t way = 0; way < sizeof WAYS / sizeof *WAYS && d->failing->count > 1;)
        way = WAYS[way](d) ? 0 : way + 1;
}

bool wri_refine_calls(const wri_lab *lab, wri_sequence *failing, size_t effort)
{
    wri_drafts d;
    size_t     count = failing->count;
    if (count >= LONG_SEQUENCE && wri_drafts_open(&d, lab, failing, effort))
        refine(&d);
    if (count >= LONG_SEQUENCE)
        wri_drafts_close(&d);
    if (failing->count < count)
        wri_rename_jointly(lab, failing);
    return failing->count < count;
}
