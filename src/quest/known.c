/* quest/known.c: the list of a property's bugs.
 *
 * A bug that was found is known from then on. Workers may pass over the cases of a known bug.
 * They count them by its number in the runner's list, and the bug remembers that number.
 */
#include <stdlib.h>
#include <string.h>

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

/* ---- keys ---- */

uint64_t wri_quest_key(const wri_quest *quest, uint64_t origin, unsigned number)
{
    for (; number > 0; number--)
        origin = wri_prng_mix(origin + 1);
    return wri_store_key(&quest->owner, origin);
}

/* A stored case that does not fail any more keeps its key: it is a test that somebody may want,
 * and the failure at its place is another bug now. */
static bool is_stored(const wri_quest *quest, uint64_t key)
{
    wri_stored stored;
    if (quest->store == NULL ||
        !quest->store->get(quest->store, &quest->owner, key, &stored, NULL))
        return false;
    wri_stored_free(&stored);
    return true;
}

static bool is_taken(const wri_quest *quest, uint64_t key)
{
    for (size_t i = 0; i < quest->bug_count; i++)
        if (quest->bugs[i].key == key)
            return true;
    return is_stored(quest, key);
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
