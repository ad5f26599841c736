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
#include <stdlib.h>
#include <string.h>

#include "core/prng.h"
#include "machine/study/trial.h"

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
/* A call that cannot be made without the call that was taken out goes, too; so often. */
#define LEFT_OUT_MOST 4

typedef struct refinement {
    const wri_lab *lab;
    wri_sequence  *failing;
    wri_sequence   draft, part;
    wri_sequence   before; /* steps at random were made */
    bool          *selected;
    size_t        *order;
    size_t         effort; /* calls that may still be made */
    uint64_t       random;
    bool           over;
} refinement;

/* ---- Parts ---- */

/* Those of the sequence that are selected, without those that would take what nobody gives.
 * False: the one that fails is not among them. */
static bool take_selected(refinement *r, const wri_sequence *from, wri_sequence *to)
{
    wri_sequence_deselect_takers(r->lab->machine, from, r->selected);
    return (r->lab->afterwards || r->selected[from->count - 1]) &&
           wri_sequence_select(r->lab->machine, from, r->selected, r->order, to) && to->count > 0;
}

/* The sequence without a call, as above. */
static bool take_without(refinement *r, const wri_sequence *from, size_t call, wri_sequence *to)
{
    wri_sequence_select_without(r->selected, from->count, call, 1);
    return take_selected(r, from, to);
}

static bool consumes(const wri_machine *machine, const wri_made *call, int64_t handle)
{
    for (unsigned i = 0; i < wri_made_arity(machine, call); i++)
        if (wri_machine_takes_handle(machine, call->command, i) && call->arguments[i] == handle &&
            wri_made_consumes(machine, call, i))
            return true;
    return false;
}

/* Is every handle there when it is taken, as far as the tables say? */
static bool all_alive(const wri_machine *machine, const wri_sequence *sequence)
{
    for (size_t i = 0; i < sequence->count; i++)
        for (unsigned j = 0; j < wri_made_arity(machine, &sequence->calls[i]); j++) {
            int64_t handle = sequence->calls[i].arguments[j];
            if (!wri_machine_takes_handle(machine, sequence->calls[i].command, j))
                continue;
            for (size_t k = (size_t)handle + 1; k < i; k++)
                if (consumes(machine, &sequence->calls[k], handle))
                    return false;
        }
    return true;
}

/* Without a call that could not be made. False: none is named, or it is the one that fails. */
static bool leave_out(refinement *r, size_t at)
{
    return at < r->draft.count - 1 && take_without(r, &r->draft, at, &r->part) &&
           wri_sequence_copy(&r->draft, &r->part);
}

/* Does the draft fail? Then it is the sequence from now on. */
static bool try_draft(refinement *r)
{
    size_t    at = SIZE_MAX;
    wri_tried tried = WRI_TRIED_IMPOSSIBLE;
    if (!all_alive(r->lab->machine, &r->draft))
        return false;
    for (unsigned left_out = 0; tried == WRI_TRIED_IMPOSSIBLE; left_out++) {
        r->over |= r->draft.count > r->effort;
        if (r->over || left_out > LEFT_OUT_MOST || (left_out > 0 && !leave_out(r, at)))
            return false;
        r->effort -= r->draft.count;
        tried = wri_trial_try(r->lab, &r->draft, &at);
        r->over |= tried == WRI_TRIED_STOP;
    }
    if (tried != WRI_TRIED_SAME || at >= r->draft.count)
        return false;
    r->draft.count = at + 1;
    return wri_sequence_copy(r->failing, &r->draft);
}

/* ---- One by one ---- */

static bool take_out_singles(refinement *r)
{
    bool any = false;
    for (size_t i = 0; i < r->failing->count && !r->over;)
        if (take_without(r, r->failing, i, &r->draft) && try_draft(r))
            any = true;
        else
            i++;
    return any;
}

/* Calls that take the one handle take the other, and the call that gave it goes. */
static bool try_instead(refinement *r, size_t giver, size_t other)
{
    const wri_machine *machine = r->lab->machine;
    int64_t            instead = (int64_t)other;
    wri_class          given = { .kind = wri_made_gives(machine, &r->failing->calls[giver]),
                                 .value = (int64_t)giver };
    return wri_trial_recast(machine, r->failing, &given, &instead, 1, &r->part) &&
           take_without(r, &r->part, giver, &r->draft) && try_draft(r);
}

static bool replace_giver(refinement *r, size_t giver)
{
    const wri_machine *machine = r->lab->machine;
    const wr_kind     *kind = wri_made_gives(machine, &r->failing->calls[giver]);
    for (size_t i = 0; kind != NULL && i < giver && !r->over; i++)
        if (wri_made_gives(machine, &r->failing->calls[i]) == kind && try_instead(r, giver, i))
            return true;
    return false;
}

static bool replace_givers(refinement *r)
{
    bool any = false;
    for (size_t i = r->failing->count; i-- > 0 && !r->over;)
        any |= i < r->failing->count && replace_giver(r, i);
    return any;
}

/* ---- At random ---- */

static size_t pick(refinement *r, size_t count)
{
    return (size_t)wri_prng_scale(wri_prng_next(&r->random), count - 1);
}

/* How much a number changes: by one, by what some argument is, or by anything up to `most`. */
static uint64_t some_step(refinement *r, uint64_t most)
{
    const wri_made *call = &r->failing->calls[pick(r, r->failing->count)];
    unsigned        arity = wri_made_arity(r->lab->machine, call);
    switch (pick(r, 3)) {
    case 0: return 1;
    case 1: return arity == 0 ? 1 : (uint64_t)call->arguments[pick(r, arity)];
    default: return wri_prng_scale(wri_prng_next(&r->random), most);
    }
}

/* It becomes another one: a number more or less. */
static void step_aside(refinement *r, size_t call, unsigned argument, int64_t *value)
{
    const wri_lab *lab = r->lab;
    int64_t        least, most;
    int64_t        other; /* the draft stays as it is while it is asked about */
    if (lab->range(lab->context, &r->draft, call, argument, &least, &most)) {
        bool     up = pick(r, 2) == 0;
        uint64_t now = (uint64_t)*value;
        uint64_t room = up ? (uint64_t)most - now : now - (uint64_t)least;
        uint64_t step = some_step(r, room);
        if (step <= room)
            *value = (int64_t)(up ? now + step : now - step);
    } else if (lab->other(lab->context, &r->draft, call, argument, (unsigned)pick(r, OTHERS),
                          &other)) {
        *value = other;
    }
}

/* It becomes what an argument of another call is, or the handle that this gives. */
static void take_others(refinement *r, size_t call, unsigned argument, int64_t *value)
{
    const wri_machine *machine = r->lab->machine;
    const wr_kind     *kind = wri_made_kind(machine, &r->draft.calls[call], argument);
    size_t             from = pick(r, r->draft.count);
    const wri_made    *other = &r->draft.calls[from];
    if (kind->handle && from < call && wri_made_gives(machine, other) == kind)
        *value = (int64_t)from;
    for (unsigned i = 0; i < wri_made_arity(machine, other) && !kind->handle; i++)
        if (wri_made_kind(machine, other, i) == kind)
            *value = other->arguments[i];
}

/* But the last stays, which fails. */
static void move_call(refinement *r)
{
    size_t from = pick(r, r->draft.count - 1), to = pick(r, r->draft.count - 1);
    for (size_t i = 0; i < r->draft.count; i++)
        r->order[i] = i == to                            ? from
                      : from < to && i >= from && i < to ? i + 1
                      : to < from && i > to && i <= from ? i - 1
                                                         : i;
    if (wri_sequence_arrange(r->lab->machine, &r->draft, r->order, r->draft.count, &r->part))
        wri_sequence_copy(&r->draft, &r->part);
}

static void change_something(refinement *r)
{
    size_t    call = pick(r, r->draft.count);
    wri_made *made = &r->draft.calls[call];
    unsigned  arity = wri_made_arity(r->lab->machine, made), argument;
    if (arity == 0 || pick(r, 3) == 0) {
        if (r->failing->count >= VERY_LONG || r->draft.count < r->failing->count)
            move_call(r);
        return;
    }
    argument = (unsigned)pick(r, arity);
    if (wri_machine_takes_handle(r->lab->machine, made->command, argument) || pick(r, 2) == 0)
        take_others(r, call, argument, &made->arguments[argument]);
    else
        step_aside(r, call, argument, &made->arguments[argument]);
}

/* One step: up to two calls go, and something of the rest is changed. */
static void try_step(refinement *r)
{
    size_t count = r->failing->count;
    wri_sequence_select_without(r->selected, count, pick(r, 2) == 0 ? count : pick(r, count), 1);
    if (pick(r, 4) == 0)
        r->selected[pick(r, count)] = false;
    if (!take_selected(r, r->failing, &r->draft) || r->draft.count < 2)
        return;
    for (size_t i = pick(r, CHANGES_MOST) + 1; i-- > 0;)
        change_something(r);
    if (!wri_sequence_same(&r->draft, r->failing))
        try_draft(r);
}

/* Until a call has gone; if none does, it is what it was before. */
static bool wander(refinement *r)
{
    size_t count = r->failing->count;
    if (!wri_sequence_copy(&r->before, r->failing))
        return false;
    for (size_t left = count * PATIENCE; left > 0 && !r->over && r->failing->count == count;
         left--)
        try_step(r);
    if (r->failing->count < count)
        return true;
    memcpy(r->failing->calls, r->before.calls, count * sizeof *r->failing->calls);
    return false;
}

/* ---- All of it ---- */

static void refine(refinement *r)
{
    static bool (*const WAYS[])(refinement *) = { take_out_singles, replace_givers, wander };
    for (size_t way = 0; way < sizeof WAYS / sizeof *WAYS && r->failing->count > 1;)
        way = WAYS[way](r) ? 0 : way + 1;
}

bool wri_refine_calls(const wri_lab *lab, wri_sequence *failing, size_t effort)
{
    refinement r = { .lab = lab, .failing = failing, .effort = effort };
    size_t     count = failing->count;
    r.selected = calloc(count + 1, sizeof *r.selected);
    r.order = calloc(count + 1, sizeof *r.order);
    if (r.selected != NULL && r.order != NULL && count >= LONG_SEQUENCE)
        refine(&r);
    if (failing->count < count)
        wri_rename_jointly(lab, failing);
    free(r.selected);
    free(r.order);
    wri_sequence_free(&r.draft);
    wri_sequence_free(&r.part);
    wri_sequence_free(&r.before);
    return failing->count < count;
}
