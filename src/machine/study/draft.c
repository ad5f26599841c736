/* machine/study/draft.c: makes drafts and tries them: see draft.h. */
#include "machine/study/draft.h"

#include <stdlib.h>

#include "core/prng.h"

/* A call that cannot be made without the call that was taken out goes, too; so often. */
#define LEFT_OUT_MOST 4

bool wri_drafts_open(wri_drafts *d, const wri_lab *lab, wri_sequence *failing, size_t effort)
{
    *d = (wri_drafts){ .lab = lab, .failing = failing, .effort = effort };
    d->selected = calloc(failing->count + 1, sizeof *d->selected);
    d->order = calloc(failing->count + 1, sizeof *d->order);
    d->tried = calloc(WRI_DRAFTS, sizeof *d->tried);
    return d->selected != NULL && d->order != NULL && d->tried != NULL;
}

void wri_drafts_close(wri_drafts *d)
{
    free(d->selected);
    free(d->order);
    free(d->tried);
    wri_sequence_free(&d->draft);
    wri_sequence_free(&d->part);
    wri_sequence_free(&d->before);
}

/* ---- Parts ---- */

bool wri_drafts_select(wri_drafts *d, const wri_sequence *from, wri_sequence *to)
{
    wri_sequence_deselect_takers(d->lab->machine, from, d->selected);
    return (d->lab->afterwards || d->selected[from->count - 1]) &&
           wri_sequence_select(d->lab->machine, from, d->selected, d->order, to) && to->count > 0;
}

bool wri_drafts_without(wri_drafts *d, const wri_sequence *from, size_t call, wri_sequence *to)
{
    wri_sequence_select_without(d->selected, from->count, call, 1);
    return wri_drafts_select(d, from, to);
}

bool wri_drafts_find_dead(const wri_machine *machine, const wri_sequence *sequence, size_t *user,
                          size_t *consumer)
{
    for (size_t i = 0; i < sequence->count; i++)
        for (unsigned j = 0; j < wri_made_arity(machine, &sequence->calls[i]); j++) {
            int64_t handle = sequence->calls[i].arguments[j];
            if (!wri_machine_takes_handle(machine, sequence->calls[i].command, j))
                continue;
            for (size_t k = (size_t)handle + 1; k < i; k++)
                if (wri_made_ends(machine, &sequence->calls[k], handle)) {
                    *user = i;
                    *consumer = k;
                    return true;
                }
        }
    return false;
}

/* ---- Trying ---- */

static uint64_t hash_of(const wri_machine *machine, const wri_sequence *sequence)
{
    uint64_t hash = sequence->count + 1;
    for (size_t i = 0; i < sequence->count; i++) {
        const wri_made *call = &sequence->calls[i];
        hash = wri_prng_mix(hash + call->command);
        for (unsigned j = 0; j < wri_made_arity(machine, call); j++)
            hash = wri_prng_mix(hash + (uint64_t)call->arguments[j]);
    }
    return hash == 0 ? 1 : hash;
}

/* True: the draft was tried before. */
static bool is_tried(wri_drafts *d)
{
    uint64_t hash = hash_of(d->lab->machine, &d->draft);
    size_t   at = (size_t)hash & (WRI_DRAFTS - 1);
    while (d->tried[at] != 0 && d->tried[at] != hash)
        at = (at + 1) & (WRI_DRAFTS - 1);
    if (d->tried[at] == hash)
        return true;
    if (d->tried_count < WRI_DRAFTS / 2) {
        d->tried[at] = hash;
        d->tried_count++;
    }
    return false;
}

/* Without a call that could not be made. False: none is named, or it is the one that fails. */
static bool leave_out(wri_drafts *d, size_t at)
{
    return at < d->draft.count - 1 && wri_drafts_without(d, &d->draft, at, &d->part) &&
           wri_sequence_copy(&d->draft, &d->part);
}

bool wri_drafts_try(wri_drafts *d)
{
    size_t    at = SIZE_MAX, user, consumer;
    wri_tried tried = WRI_TRIED_IMPOSSIBLE;
    if (wri_drafts_find_dead(d->lab->machine, &d->draft, &user, &consumer))
        return false;
    for (unsigned left_out = 0; tried == WRI_TRIED_IMPOSSIBLE; left_out++) {
        d->over |= d->draft.count > d->effort;
        if (d->over || left_out > LEFT_OUT_MOST || (left_out > 0 && !leave_out(d, at)) ||
            is_tried(d))
            return false;
        d->effort -= d->draft.count;
        tried = wri_trial_try(d->lab, &d->draft, &at);
        d->stopped |= tried == WRI_TRIED_STOP;
        d->over |= d->stopped;
    }
    if (tried != WRI_TRIED_SAME || at >= d->draft.count)
        return false;
    d->draft.count = at + 1;
    return wri_sequence_copy(d->failing, &d->draft);
}

bool wri_drafts_take_out_singles(wri_drafts *d)
{
    bool any = false;
    for (size_t i = 0; i < d->failing->count && !d->over;)
        if (wri_drafts_without(d, d->failing, i, &d->draft) && wri_drafts_try(d))
            any = true;
        else
            i++;
    return any;
}

/* ---- At random ---- */

size_t wri_drafts_pick(wri_drafts *d, size_t count)
{
    return (size_t)wri_prng_scale(wri_prng_next(&d->random), count - 1);
}

void wri_drafts_move_call(wri_drafts *d)
{
    size_t from = wri_drafts_pick(d, d->draft.count - 1);
    size_t to = wri_drafts_pick(d, d->draft.count - 1);
    for (size_t i = 0; i < d->draft.count; i++)
        d->order[i] = i == to                            ? from
                      : from < to && i >= from && i < to ? i + 1
                      : to < from && i > to && i <= from ? i - 1
                                                         : i;
    if (wri_sequence_arrange(d->lab->machine, &d->draft, d->order, d->draft.count, &d->part))
        wri_sequence_copy(&d->draft, &d->part);
}
