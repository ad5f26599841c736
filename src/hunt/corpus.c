/* hunt/corpus.c: carries the pool of a guided run over to the next run.
 *
 * Before the first case, the stored corpus goes into the pool, to be run as it is. After the last
 * case, the fewest and smallest cases that together show everything are stored. Code under test
 * could write into the pool, so everything taken from it is checked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/guide/fewest.h"
#include "explore/guide/shared.h"
#include "hunt/internal.h"
#include "store/corpus.h"

/* Cases of the store's corpus, and whether not all of them found room. */
static size_t recalled;
static bool   forgets;

static wri_pool *pool_of(const wri_quest *quest, unsigned shard)
{
    wri_guide_memory *memory = wri_runner_shared_block(quest->runner, quest->explorer);
    return &memory->pools[shard];
}

void wri_corpus_recall(wri_quest *quest)
{
    wri_pool  *pool = pool_of(quest, 0);
    wri_corpus corpus = { 0 };
    wri_note   note;
    recalled = 0;
    forgets = false;
    if (quest->store == NULL)
        return;
    if (!wri_corpus_read(quest->store, &quest->owner, &corpus, &note)) {
        quest->trouble.store_broken = true; /* the run goes on, and ends in status 99 */
        wri_quest_warn(quest, "%s", note.text);
    }
    recalled = corpus.count;
    for (size_t i = 0; i < corpus.count; i++)
        forgets |= !wri_pool_await(pool, &corpus.cases[i], true);
    wri_corpus_free(&corpus);
}

/* ---- Remembering ---- */

/* What an entry is worth keeping for. */
typedef struct keepsake {
    wri_trace trace;
    uint32_t *features; /* by their keys, ascending: each search has numbers of its own */
    size_t    count;
    bool      best; /* of a slot */
    char      note[160];
} keepsake;

static void let_go(keepsake *kept)
{
    wri_trace_free(&kept->trace);
    free(kept->features);
}

/* 32 bits of a key are enough: an accident costs one case. */
static uint32_t name_of(const wri_feature *feature)
{
    return (uint32_t)wri_prng_mix(feature->key + feature->class);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static bool has(const uint32_t *features, size_t count, uint32_t name)
{
    return bsearch(&name, features, count, sizeof name, by_number) != NULL;
}

/* Ascending, and each once. */
static void sort_features(keepsake *kept)
{
    size_t count = 0;
    if (kept->count > 1)
        qsort(kept->features, kept->count, sizeof *kept->features, by_number);
    for (size_t i = 0; i < kept->count; i++)
        if (count == 0 || kept->features[i] != kept->features[count - 1])
            kept->features[count++] = kept->features[i];
    kept->count = count;
}

/* Of a slot only the best counts, and that is its owner's. */
static bool worth_keeping(const wri_pool *pool, uint32_t entry, uint32_t feature)
{
    const wri_feature *of = &pool->features[feature];
    return wri_feature_covers(of) || (of->class == WRI_FEATURE_SLOT && of->owner == entry);
}

/* Adds a feature's text to the note, as long as there is room. */
static void add_to_note(keepsake *kept, const wri_feature *feature)
{
    char   text[WRI_FEATURE_TEXT];
    size_t used = strlen(kept->note);
    memcpy(text, feature->text, sizeof text);
    text[sizeof text - 1] = '\0';
    if (text[0] == '\0' || feature->class >= WRI_FEATURE_EDGE ||
        used + strlen(text) + 3 > sizeof kept->note)
        return;
    snprintf(kept->note + used, sizeof kept->note - used, "%s%s", used > 0 ? ", " : "", text);
}

static bool take(wri_pool *pool, uint32_t entry, keepsake *kept)
{
    wri_entry_view view;
    uint32_t       limit = pool->feature_count;
    memset(kept, 0, sizeof *kept);
    if (limit > WRI_POOL_FEATURES || !wri_pool_look(pool, entry, &view) || view.shown_count == 0)
        return false;
    kept->features = malloc(view.shown_count * sizeof *kept->features);
    if (kept->features == NULL || !wri_trace_copy(&kept->trace, &view.trace)) {
        let_go(kept);
        return false;
    }
    for (uint32_t i = 0; i < view.shown_count; i++) {
        uint32_t feature = view.shown[i];
        if (feature >= limit || !worth_keeping(pool, entry, feature))
            continue;
        kept->features[kept->count++] = name_of(&pool->features[feature]);
        kept->best |= pool->features[feature].class == WRI_FEATURE_SLOT;
    }
    sort_features(kept);
    return true;
}

static void write_corpus(wri_quest *quest, const keepsake *kept, size_t count)
{
    wri_note   note;
    wri_corpus corpus = { .cases = calloc(count + 1, sizeof *corpus.cases),
                          .notes = calloc(count + 1, sizeof *corpus.notes) };
    for (size_t i = 0; i < count && corpus.cases != NULL && corpus.notes != NULL; i++) {
        corpus.cases[corpus.count] = kept[i].trace;
        corpus.notes[corpus.count++] = (char *)(uintptr_t)kept[i].note;
    }
    if (!wri_corpus_write(quest->store, &quest->owner, &corpus, &note))
        wri_quest_warn(quest, "the corpus could not be stored: %s", note.text);
    free(corpus.cases);
    free(corpus.notes);
}

/* ---- Smaller ---- */

/* Each case is shrunk with so many executions at most, and all of them with so many, or a tenth
 * of those that were spent on finding them. */
#define MOST_FOR_ONE 100
#define MOST_FOR_ALL 2000

typedef struct shrinking {
    wri_quest      *quest;
    const uint32_t *needed; /* features that the case must go on to show, ascending */
    size_t          count;
    uint64_t        number; /* of the try */
    bool            stuck;  /* a try failed: that is more important */
} shrinking;

/* Does the case that was just run show all that is needed? */
static bool shows_needed(const shrinking *now)
{
    const wri_pool *pool = pool_of(now->quest, 0);
    size_t          found = 0;
    for (uint32_t i = 0; i < pool->feature_count && i < WRI_POOL_FEATURES; i++) {
        const wri_feature *feature = &pool->features[i];
        found += feature->stamp == now->number + 1 && wri_feature_covers(feature) &&
                 has(now->needed, now->count, name_of(feature));
    }
    return found >= now->count;
}

/* A run that is limited in time takes a tenth more at most. */
static bool time_is_over(const wri_quest *quest)
{
    return quest->time_ms != 0 &&
           (wri_clock_seconds() - quest->started) * 1000 >= (double)quest->time_ms * 1.1;
}

static bool try_smaller(void *context, const wri_trace *plan, wri_trial *trial)
{
    shrinking  *now = context;
    wri_quest  *quest = now->quest;
    wri_outcome outcome;
    wri_job     job = wri_quest_job(quest);
    job.explorer = quest->explorer; /* it looks on */
    job.from = ++now->number;
    wri_quest_try(quest, &job, plan, &outcome, trial);
    if (wri_verdict_failed(&outcome.verdict)) { /* a bug is a bug, whatever it was looked for */
        wri_quest_met(quest, &outcome);
        now->stuck = true;
    }
    trial->same = !wri_verdict_failed(&outcome.verdict) && shows_needed(now);
    return !wri_runner_interrupted() && !now->stuck && !time_is_over(quest);
}

/* Keeps of a case's features those that no other case shows: they are all that it is for. */
static void keep_own(keepsake *kept, size_t count, size_t which)
{
    keepsake *of = &kept[which];
    size_t    left = 0;
    for (size_t i = 0; i < of->count; i++) {
        bool elsewhere = false;
        for (size_t k = 0; k < count && !elsewhere; k++)
            elsewhere = k != which && has(kept[k].features, kept[k].count, of->features[i]);
        if (!elsewhere)
            of->features[left++] = of->features[i];
    }
    of->count = left;
}

static void make_smaller(wri_quest *quest, keepsake *kept, size_t count)
{
    uint64_t  spent = quest->executions;
    uint64_t  budget = spent / 10 < MOST_FOR_ALL ? spent / 10 : MOST_FOR_ALL;
    shrinking now = { .quest = quest, .number = UINT64_MAX / 2 };
    quest->explorer->send(quest->exploring, &(wri_order){ 0 },
                          wri_runner_block(quest->runner, 0));
    for (size_t i = 0; i < count && !wri_runner_interrupted(); i++) {
        uint64_t used = quest->executions - spent;
        if (used >= budget || now.stuck || time_is_over(quest))
            return;
        if (kept[i].best)
            continue; /* what it is the best in is not known here */
        keep_own(kept, count, i);
        now.needed = kept[i].features;
        now.count = kept[i].count;
        wri_shrink_setup setup = { .run = try_smaller,
                                   .context = &now,
                                   .time_ms = 60000,
                                   .max_executions = budget - used < MOST_FOR_ONE
                                                         ? budget - used
                                                         : MOST_FOR_ONE };
        wri_shrink(&setup, &kept[i].trace);
    }
}

/* What each case is kept for, in words: of the features that are left to it. */
static void describe(wri_quest *quest, keepsake *kept, size_t count)
{
    const wri_pool *pool = pool_of(quest, 0);
    for (size_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < pool->feature_count && i < WRI_POOL_FEATURES; i++)
            if (pool->features[i].bucket == 0 &&
                has(kept[k].features, kept[k].count, name_of(&pool->features[i])))
                add_to_note(&kept[k], &pool->features[i]);
}

/* ---- All of it ---- */

/* What all searches together have; returns how many. */
static size_t take_all(wri_quest *quest, keepsake *kept, size_t room)
{
    size_t count = 0;
    for (unsigned shard = 0; shard < WRI_SHARDS; shard++) {
        wri_pool *pool = pool_of(quest, shard);
        for (uint32_t i = 0; i < pool->entry_count && i < WRI_POOL_ENTRIES && count < room; i++)
            count += take(pool, i, &kept[count]);
    }
    return count;
}

/* Leaves only those that are needed; returns how many. */
static size_t choose(keepsake *kept, size_t count)
{
    wri_shown *shown = calloc(count + 1, sizeof *shown);
    bool      *chosen = calloc(count + 1, sizeof *chosen);
    size_t     left = 0;
    for (size_t i = 0; i < count && shown != NULL; i++)
        shown[i] = (wri_shown){ .features = kept[i].features,
                                .count = kept[i].count,
                                .size = wri_trace_choices(&kept[i].trace) };
    if (shown != NULL && chosen != NULL)
        wri_fewest(shown, count, chosen);
    for (size_t i = 0; i < count; i++)
        if (chosen != NULL && chosen[i])
            kept[left++] = kept[i];
        else
            let_go(&kept[i]);
    free(shown);
    free(chosen);
    return left;
}

/* A run that did not come beyond the corpus, or was no run at all, knows no more than that; nor
 * does one that saw nothing else, unless fewer cases do. */
static bool has_learnt(const wri_quest *quest, size_t count)
{
    const wri_pool *first = pool_of(quest, 0);
    bool            beyond = false;
    for (unsigned i = 0; i < WRI_SHARDS; i++)
        beyond |= pool_of(quest, i)->beyond > 0;
    if (first->cases == 0 || first->awaiting > 0 || forgets ||
        quest->status == WRI_STATUS_SKIPPED || quest->status == WRI_STATUS_ERROR)
        return false;
    return beyond || (count > 0 && count < recalled && quest->bug_count == 0);
}

#define MOST_KEPT (WRI_SHARDS * WRI_POOL_ENTRIES)

void wri_corpus_remember(wri_quest *quest)
{
    bool      stored = quest->store != NULL;
    keepsake *kept = stored ? malloc(MOST_KEPT * sizeof *kept) : NULL;
    if (kept != NULL) {
        size_t count = choose(kept, take_all(quest, kept, MOST_KEPT));
        if (has_learnt(quest, count)) {
            if (quest->bug_count == 0)
                make_smaller(quest, kept, count);
            describe(quest, kept, count);
            write_corpus(quest, kept, count);
        }
        for (size_t i = 0; i < count; i++)
            let_go(&kept[i]);
    }
    free(kept);
    wri_quest_settle_met(quest, quest->executions);
}
