/* hunt/stored.c: runs the stored failures of a property before any other case. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chase/chase.h"
#include "core/spelling.h"
#include "hunt/hunt.h"
#include "hunt/internal.h"
#include "report/block.h"

static void complain(void *context, const char *line)
{
    wri_quest *quest = context;
    quest->trouble.store_broken = true; /* the run goes on, and ends in status 99 */
    wri_quest_warn(quest, "%s", line);
}

/* The case cannot be run: the property draws other values than when it was stored. */
static void tell_stale(wri_quest *quest, const wri_stored *stored)
{
    const char *where = wri_block_file(stored->where);
    wri_note    note;
    if (!quest->settings->forget_stale)
        wri_quest_warn(quest,
                       "the stored failure %s is stale: the property draws other values now "
                       "(--forget-stale removes it)",
                       where);
    else if (quest->store->remove(quest->store, &quest->owner, stored->key, &note))
        wri_quest_warn(quest, "the stored failure %s was stale, and is removed", where);
    else
        complain(quest, note.text);
}

static void tell_mended(wri_quest *quest, const wri_stored *stored)
{
    wri_store *store = quest->store;
    wri_note   note;
    char      *line = NULL;
    if (store->tell != NULL && !store->tell(store, &quest->owner, stored, WRI_BUG_MENDED, &note))
        wri_quest_warn(quest, "%s", note.text);
    if (asprintf(&line, "the stored failure %s is mended: it does not fail any more (kept)",
                 wri_block_file(stored->where)) < 0)
        return;
    WRI_TELL(quest->reporter, remark, quest->property->name, line);
    free(line);
}

/* Runs one stored failure; true when it still fails. */
static bool try_stored(wri_quest *quest, const wri_stored *stored)
{
    wri_outcome outcome;
    wri_job     job = wri_quest_job(quest);
    job.manner = WRI_MANNER_EXACT;
    job.loud = true;
    wri_quest_single(quest, &job, &stored->saved.choices, true, &outcome);
    bool fits = outcome.verdict.kind != WRI_STALE && outcome.exact_done &&
                wri_trace_shape(&outcome.trace) == stored->saved.shape;
    if (wri_quest_misused(quest, &outcome))
        return true;
    if (!fits || !wri_verdict_failed(&outcome.verdict))
        wri_quest_leave_key(quest, stored->key);
    if (!fits) {
        tell_stale(quest, stored);
        return false;
    }
    if (!wri_verdict_failed(&outcome.verdict)) {
        quest->mended++;
        if (quest->chase != NULL)
            wri_chase_forget(quest->chase, &outcome, stored);
        tell_mended(quest, stored);
        return false;
    }
    if (quest->chase != NULL)
        wri_chase_recall(quest->chase, &outcome, stored);
    else
        wri_quest_settle(quest, &outcome, quest->executions, stored, stored->minimal);
    return true;
}

/* ---- Of no property ---- */

/* A property of this name, or NULL; and the one that was meant, or NULL. */
static bool is_property(const char *name, const char **meant)
{
    size_t far = wri_spelling_far(name);
    bool   found = false;
    *meant = NULL;
    for (const wr_property_ *at = wri_registry_first(); at != NULL; at = at->next) {
        found |= strcmp(at->name, name) == 0;
        if (wri_spelling_nearer(name, at->name, &far))
            *meant = at->name;
    }
    return found;
}

/* False: it was to be removed, and could not. */
static bool tell_lost(wri_store *store, const wri_stored *stored, const char *meant, bool forget,
                      wri_reporter *reporter)
{
    wri_owner owner = { stored->program, stored->property };
    wri_note  note = { "" };
    bool      fine = !forget || store->remove(store, &owner, stored->key, &note);
    char      hint[200] = "";
    if (meant != NULL)
        snprintf(hint, sizeof hint, " (did you mean %.150s?)", meant);
    if (fine)
        wri_note_refuse(
            &note,
            "the stored failure %s is of the property %.200s, which this program does "
            "not have%s%s",
            wri_block_file(stored->where), stored->property, hint,
            forget ? ", and is removed" : " (--forget-stale removes it)");
    WRI_TELL(reporter, warn, note.text);
    return fine;
}

bool wri_stored_tell_lost(wri_store *store, const wri_settings *settings, wri_reporter *reporter)
{
    wri_owner   program = { wri_folder_last_name(settings->program), NULL };
    wri_stored *list = NULL;
    size_t      count = 0;
    bool        fine = true;
    wri_note    note;
    if (store == NULL || !store->list(store, &program, &list, &count, NULL, NULL, &note))
        return true; /* each property will say why */
    for (size_t i = 0; i < count; i++) {
        const char *meant;
        if (!is_property(list[i].property, &meant))
            fine &= tell_lost(store, &list[i], meant, settings->forget_stale, reporter);
        wri_stored_free(&list[i]);
    }
    free(list);
    return fine;
}

/* ---- Of this property ---- */

bool wri_stored_try(wri_quest *quest)
{
    wri_stored *list = NULL;
    size_t      count = 0;
    wri_store  *store = quest->store;
    wri_note    note;
    bool        enough = false;
    if (store == NULL)
        return false;
    if (!store->list(store, &quest->owner, &list, &count, complain, quest, &note)) {
        wri_quest_refuse(quest, note.text);
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (!enough && !wri_interrupt_came())
            enough = try_stored(quest, &list[i]) &&
                     (!quest->many || quest->status == WRI_STATUS_ERROR);
        wri_stored_free(&list[i]);
    }
    free(list);
    if (quest->chase != NULL)
        wri_chase_recalled(quest->chase);
    return enough;
}
