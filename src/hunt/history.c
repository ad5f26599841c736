/* hunt/history.c: keeps how the run of a property went, and what its cases showed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/hash.h"
#include "hunt/internal.h"
#include "store/bugs.h"

static void record(wri_quest *quest, wri_items *items, bool made)
{
    wri_note note;
    wri_note_refuse(&note, WRI_QUEST_NO_MEMORY);
    if (!made || !quest->store->record(quest->store, items, &note))
        wri_quest_warn(quest, "%s", note.text);
    wri_items_free(items);
}

static bool can_record(const wri_quest *quest)
{
    return quest->store != NULL && quest->store->record != NULL;
}

/* Programs may start in the same nanosecond only on different machines, or as different
 * processes. */
static uint64_t key_of_run(const wri_quest *quest, const char *who)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t key = wri_hash_bytes(who, strlen(who));
    key = wri_hash_step(key, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
    return wri_hash_step(key, wri_store_key(&quest->owner, 0));
}

void wri_history_keep_run(wri_quest *quest, wri_status status)
{
    wri_items     items = { .list = NULL };
    wri_bugs_name who = wri_bugs_who();
    if (!can_record(quest) || status == WRI_STATUS_SKIPPED || status == WRI_STATUS_ERROR)
        return;
    double    seconds = wri_clock_seconds() - quest->started;
    wri_item *run = wri_items_add(&items, WRI_ITEM_RUN, quest->owner.program,
                                  quest->owner.property, key_of_run(quest, who.text));
    bool      made = run != NULL && wri_item_set_text(run, WRI_RUN_WHO, who.text) &&
                wri_item_set_text(run, WRI_RUN_EXPLORER, quest->explorer->name) &&
                wri_item_set_text(run, WRI_RUN_STATUS, wri_status_name(status));
    if (made) {
        run->numbers[WRI_RUN_STARTED] = wri_bugs_now() - (uint64_t)seconds;
        run->numbers[WRI_RUN_SEED] = quest->seed;
        run->numbers[WRI_RUN_CASES] = quest->cases;
        run->numbers[WRI_RUN_EXECUTIONS] = wri_quest_executions(quest);
        run->numbers[WRI_RUN_MS] = (uint64_t)(seconds * 1000);
        run->numbers[WRI_RUN_FEATURES] = wri_quest_features(quest, 0);
        run->numbers[WRI_RUN_BUGS] = quest->bug_count;
    }
    record(quest, &items, made);
}

/* ---- cases ---- */

/* The features as sorted words. They are numbers in ascending order, and the words are as long.
 */
static char *words_of(const wri_keepsake *kept)
{
    char *words = malloc(9 * kept->count + 1), *at = words;
    for (size_t i = 0; i < kept->count && words != NULL; i++)
        at += sprintf(at, i == 0 ? "%08x" : " %08x", kept->features[i]);
    if (words != NULL)
        *at = '\0';
    return words;
}

static bool add_features(wri_items *items, const wri_quest *quest, const wri_keepsake *kept,
                         uint64_t key)
{
    for (size_t i = 0; i < kept->count; i++) {
        wri_item *feature =
            wri_items_add(items, WRI_ITEM_FEATURE, quest->owner.program, quest->owner.property,
                          wri_prng_mix(kept->features[i] + 1));
        if (feature == NULL)
            return false;
        feature->numbers[WRI_FEATURE_SIZE] = wri_trace_choices(&kept->trace) + 1;
        feature->numbers[WRI_FEATURE_CASE] = key;
        feature->numbers[WRI_FEATURE_FIRST] = wri_bugs_now();
    }
    return true;
}

static bool add_case(wri_items *items, const wri_quest *quest, const wri_keepsake *kept)
{
    char     *token = wri_token_write(wri_trace_label_hash(quest->owner.property), &kept->trace);
    char     *words = words_of(kept);
    uint64_t  key = token == NULL ? 0 : wri_hash_bytes(token, strlen(token));
    wri_item *made = token == NULL || words == NULL
                         ? NULL
                         : wri_items_add(items, WRI_ITEM_CASE, quest->owner.program,
                                         quest->owner.property, key);
    bool      set = made != NULL && wri_item_set_text(made, WRI_CASE_TOKEN, token) &&
               wri_item_set_text(made, WRI_CASE_NOTE, kept->note) &&
               wri_item_set_text(made, WRI_CASE_FEATURES, words);
    if (set)
        made->numbers[WRI_CASE_FIRST] = wri_bugs_now();
    free(token);
    free(words);
    return set && add_features(items, quest, kept, key);
}

void wri_history_keep_cases(wri_quest *quest, const wri_keepsake *kept, size_t count)
{
    wri_items items = { .list = NULL };
    bool      made = true;
    if (!can_record(quest))
        return;
    for (size_t i = 0; i < count && made; i++)
        made = add_case(&items, quest, &kept[i]);
    record(quest, &items, made);
}
