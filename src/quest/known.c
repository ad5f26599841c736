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
        bug->passed = wri_runner_know(quest->runner, bug->origin);
}

void wri_quest_count_known(wri_quest *quest, const uint64_t hits[WRI_KNOWN_BUGS])
{
    for (size_t i = 0; i < quest->bug_count; i++) {
        wri_bug *bug = &quest->bugs[i];
        if (bug->passed > 0)
            bug->failure.seen += hits[bug->passed - 1];
    }
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
