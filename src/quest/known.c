/* quest/known.c: the list of a property's bugs.
 *
 * A bug that was found is known from then on. Workers may pass over the cases of a known bug.
 * They count them by its number in the runner's list, and the bug remembers that number.
 */
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "quest/quest.h"

wri_bug *wri_quest_bug(wri_quest *quest, uint64_t origin)
{
    for (size_t i = 0; i < quest->bug_count; i++)
        if (quest->bugs[i].origin == origin)
            return &quest->bugs[i];
    return NULL;
}

void wri_quest_pass_over(wri_quest *quest, wri_bug *bug)
{
    if (bug->passed == 0)
        bug->passed = wri_runner_know(quest->runner, bug->origin, NULL);
}

wri_bug *wri_quest_explained(wri_quest *quest, uint64_t origin, const wri_trace *trace)
{
    for (size_t i = 0; i < quest->bug_count; i++)
        if (quest->bugs[i].origin == origin && quest->bugs[i].scope == WRI_SCOPE_ORIGIN)
            return &quest->bugs[i];
    for (size_t i = 0; i < quest->reason_count && trace != NULL; i++)
        if (quest->reasons[i].origin == origin &&
            wri_reason_matches(&quest->reasons[i].reason, trace))
            return &quest->bugs[quest->reasons[i].bug];
    return NULL;
}

bool wri_quest_add_reason(wri_quest *quest, const wri_bug *bug, const wri_reason *reason)
{
    wri_known_reason *grown =
        wri_grow(quest->reasons, sizeof *grown, quest->reason_count, &quest->reason_room);
    unsigned passed = grown == NULL ? 0 : wri_runner_know(quest->runner, bug->origin, reason);
    quest->reasons = grown == NULL ? quest->reasons : grown;
    if (passed == 0)
        return false;
    grown[quest->reason_count++] = (wri_known_reason){ .reason = *reason,
                                                       .origin = bug->origin,
                                                       .bug = (size_t)(bug - quest->bugs),
                                                       .passed = passed };
    return true;
}

void wri_quest_take_back(wri_quest *quest)
{
    wri_bug *bug = &quest->bugs[--quest->bug_count];
    wri_note note;
    if (quest->store != NULL && !bug->failure.from_store && bug->failure.stored != NULL)
        quest->store->remove(quest->store, &quest->owner, bug->key, &note);
    wri_bug_free(bug);
}

void wri_quest_count_known(wri_quest *quest, const uint64_t hits[WRI_KNOWN_BUGS])
{
    for (size_t i = 0; i < quest->bug_count; i++) {
        wri_bug *bug = &quest->bugs[i];
        if (bug->passed > 0)
            bug->failure.seen += hits[bug->passed - 1];
    }
    for (size_t i = 0; i < quest->reason_count; i++)
        quest->bugs[quest->reasons[i].bug].failure.seen += hits[quest->reasons[i].passed - 1];
}

bool wri_quest_full(wri_quest *quest)
{
    if (quest->bug_count < WRI_MOST_BUGS || quest->chase != NULL)
        return false;
    if (!quest->trouble.full)
        wri_quest_warn(quest,
                       "%d bugs were looked into, as many as a run does, and there are more; if "
                       "they are one, let wr_class() tell fewer apart",
                       WRI_MOST_BUGS);
    quest->trouble.full = true;
    return true;
}

/* ---- keys ---- */

uint64_t wri_quest_key(const wri_quest *quest, uint64_t origin, unsigned number)
{
    for (; number > 0; number--)
        origin = wri_prng_mix(origin + 1);
    return wri_store_key(&quest->owner, origin);
}

void wri_quest_leave_key(wri_quest *quest, uint64_t key)
{
    uint64_t *grown =
        wri_grow(quest->left_keys, sizeof *grown, quest->left_count, &quest->left_room);
    if (grown == NULL) {
        wri_quest_refuse(quest, WRI_QUEST_NO_MEMORY);
        return;
    }
    quest->left_keys = grown;
    grown[quest->left_count++] = key;
}

static bool is_stored(const wri_quest *quest, uint64_t key)
{
    wri_stored stored;
    if (quest->store == NULL ||
        !quest->store->get(quest->store, &quest->owner, key, &stored, NULL))
        return false;
    wri_stored_free(&stored);
    return true;
}

/* A stored failure that this run did not begin with comes from a run at the same time. By its key
 * it is the same bug; only a chase tells more bugs apart than keys do. */
static bool is_taken(const wri_quest *quest, uint64_t key)
{
    for (size_t i = 0; i < quest->bug_count; i++)
        if (quest->bugs[i].key == key)
            return true;
    for (size_t i = 0; i < quest->left_count; i++)
        if (quest->left_keys[i] == key)
            return true;
    return quest->chase != NULL && is_stored(quest, key);
}

static uint64_t free_key(const wri_quest *quest, uint64_t origin)
{
    unsigned number = 0;
    while (is_taken(quest, wri_quest_key(quest, origin, number)))
        number++;
    return wri_quest_key(quest, origin, number);
}

wri_bug *wri_quest_add_bug(wri_quest *quest, const wri_trace *trace, const wri_outcome *outcome,
                           uint64_t executions)
{
    uint64_t key = free_key(quest, outcome->origin);
    wri_bug *grown = realloc(quest->bugs, (quest->bug_count + 1) * sizeof *grown);
    wri_bug *bug = grown == NULL ? NULL : &grown[quest->bug_count];
    if (bug != NULL) {
        quest->bugs = grown;
        memset(bug, 0, sizeof *bug);
    }
    if (bug == NULL || !wri_trace_copy(&bug->trace, trace) || !wri_bug_describe(bug, outcome)) {
        if (bug != NULL)
            wri_bug_free(bug);
        wri_quest_refuse(quest, WRI_QUEST_NO_MEMORY);
        return NULL;
    }
    quest->bug_count++;
    bug->origin = outcome->origin;
    bug->key = key;
    bug->status = WRI_STATUS_FAILED;
    bug->failure.seen = 1;
    bug->failure.cases_before = quest->cases;
    bug->failure.executions_before = executions;
    bug->failure.first_choices = bug->failure.choices = wri_trace_choices(&bug->trace);
    return bug;
}
