/* hunt/stored.c: runs the stored failures of a property before any other case. */
#include <stdlib.h>
#include <string.h>

#include "chase/chase.h"
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
    if (store->tell != NULL && !store->tell(store, &quest->owner, stored, WRI_BUG_MENDED, &note))
        wri_quest_warn(quest, "%s", note.text);
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
        tell_mended(quest, stored);
        if (quest->chase != NULL)
            wri_chase_forget(quest->chase, &outcome, stored);
        if (quest->settings->verbose)
            wri_quest_warn(quest,
                           "the stored failure %s is mended: it does not fail any more (kept)",
                           wri_block_file(stored->where));
        return false;
    }
    if (quest->chase != NULL)
        wri_chase_recall(quest->chase, &outcome, stored);
    else
        wri_quest_settle(quest, &outcome, quest->executions, stored, stored->minimal);
    return true;
}

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
