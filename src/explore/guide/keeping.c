/* explore/guide/keeping.c: carries the pool's cases over to the next run.
 *
 * Stored cases go into the first search's pool. At the end each search offers the cases that are
 * the owners of features, or the best of a slot. Code under test could write into the pools, so
 * everything taken from them is checked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/fewest.h"
#include "explore/guide/shared.h"

static wri_pool *pool_of(void *self, unsigned shard)
{
    return &((wri_guiding *)self)->memory->pools[shard];
}

static uint32_t features_of(const wri_pool *pool)
{
    return pool->feature_count < WRI_POOL_FEATURES ? pool->feature_count : WRI_POOL_FEATURES;
}

static bool recall(void *self, const wri_trace *stored)
{
    return wri_pool_await(pool_of(self, 0), stored, true);
}

static wri_learnt learnt(void *self)
{
    const wri_pool *first = pool_of(self, 0);
    bool            beyond = false;
    for (unsigned i = 0; i < WRI_SHARDS; i++)
        beyond |= pool_of(self, i)->beyond > 0;
    return first->cases == 0 || first->awaiting > 0 ? WRI_LEARNT_LESS
           : beyond                                 ? WRI_LEARNT_MORE
                                                    : WRI_LEARNT_SAME;
}

/* 32 bits of a key are enough: an accident costs one case. */
static uint32_t name_of(const wri_feature *feature)
{
    return (uint32_t)wri_prng_mix(feature->key + feature->class);
}

/* ---- Cases ---- */

/* Only the best entry of a slot counts, and that is its owner. */
static bool worth_keeping(const wri_pool *pool, uint32_t entry, uint32_t feature)
{
    const wri_feature *of = &pool->features[feature];
    return wri_feature_covers(of) || (of->class == WRI_FEATURE_SLOT && of->owner == entry);
}

/* Adds a feature's text to the note, as long as there is room. */
static void add_to_note(wri_keepsake *kept, const wri_feature *feature)
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

static bool take(wri_pool *pool, uint32_t entry, wri_keepsake *kept)
{
    wri_entry_view view;
    uint32_t       limit = pool->feature_count;
    memset(kept, 0, sizeof *kept);
    if (limit > WRI_POOL_FEATURES || !wri_pool_look(pool, entry, &view) || view.shown_count == 0)
        return false;
    kept->features = malloc(view.shown_count * sizeof *kept->features);
    if (kept->features == NULL || !wri_trace_copy(&kept->trace, &view.trace)) {
        wri_trace_free(&kept->trace);
        free(kept->features);
        return false;
    }
    for (uint32_t i = 0; i < view.shown_count; i++) {
        uint32_t feature = view.shown[i];
        if (feature >= limit || !worth_keeping(pool, entry, feature))
            continue;
        kept->features[kept->count++] = name_of(&pool->features[feature]);
        kept->best |= pool->features[feature].class == WRI_FEATURE_SLOT;
    }
    kept->count = wri_fewest_sort(kept->features, kept->count);
    return true;
}

static size_t keep(void *self, wri_keepsake *kept, size_t room)
{
    size_t count = 0;
    for (unsigned shard = 0; shard < WRI_SHARDS; shard++) {
        wri_pool *pool = pool_of(self, shard);
        for (uint32_t i = 0; i < pool->entry_count && i < WRI_POOL_ENTRIES && count < room; i++)
            count += take(pool, i, &kept[count]);
    }
    return count;
}

static bool shows(void *self, uint64_t number, const uint32_t *features, size_t count)
{
    const wri_pool *pool = pool_of(self, 0);
    size_t          found = 0;
    for (uint32_t i = 0; i < features_of(pool); i++) {
        const wri_feature *feature = &pool->features[i];
        found += feature->stamp == number + 1 && wri_feature_covers(feature) &&
                 wri_fewest_has(features, count, name_of(feature));
    }
    return found >= count;
}

static void describe(void *self, wri_keepsake *kept)
{
    const wri_pool *pool = pool_of(self, 0);
    for (uint32_t i = 0; i < features_of(pool); i++)
        if (pool->features[i].bucket == 0 &&
            wri_fewest_has(kept->features, kept->count, name_of(&pool->features[i])))
            add_to_note(kept, &pool->features[i]);
}

const wri_keeping wri_guide_keeping = {
    .most = WRI_SHARDS * WRI_POOL_ENTRIES,
    .recall = recall,
    .learnt = learnt,
    .keep = keep,
    .shows = shows,
    .describe = describe,
};
