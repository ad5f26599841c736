/* explore/guide.c: see guide.h. */
#include "explore/guide.h"

#include "core/prng.h"
#include "explore/answer.h"

/* One case in so many is fresh. */
#define FRESH_ONE_IN 50

/* ---- What the case shows ---- */

/* About how often: the bucket that begins with so many hits in one case, or 0. */
static uint8_t bucket_that_begins(uint32_t hits)
{
    switch (hits) {
    case 2: return 1;
    case 3: return 2;
    case 4: return 3;
    case 8: return 4;
    case 16: return 5;
    case 32: return 6;
    case 128: return 7;
    default: return 0;
    }
}

/* The feature is shown; true when it is the first time in this case. */
static bool show(wri_guide *guide, const wr_case *t, uint32_t number)
{
    wri_feature *feature = &guide->pool->features[number];
    if (feature->stamp == guide->number) {
        feature->hits++;
        return false;
    }
    feature->stamp = guide->number;
    feature->hits = 1;
    feature->cut_now = (uint32_t)t->trace->node_count;
    guide->shown[guide->shown_count++] = number;
    return true;
}

static void on_hit(wri_watch *watch, wr_case *t, wri_feature_class class, uint64_t key,
                   uint32_t *cache, const char *text)
{
    wri_guide *guide = (wri_guide *)watch;
    uint32_t   number = *cache - 1;
    if (*cache == 0) {
        number = wri_pool_feature(guide->pool, key, class, 0, text);
        if (number == WRI_NOBODY)
            return;
        *cache = number + 1;
    }
    if (show(guide, t, number))
        return;
    uint8_t bucket = bucket_that_begins(guide->pool->features[number].hits);
    if (bucket == 0)
        return;
    uint32_t often = wri_pool_feature(guide->pool, key, class, bucket, text);
    if (often != WRI_NOBODY)
        show(guide, t, often);
}

static void on_value(wri_watch *watch, wr_case *t, uint64_t key, double value, const char *text)
{
    wri_guide *guide = (wri_guide *)watch;
    uint32_t   number = wri_pool_feature(guide->pool, key, WRI_FEATURE_SLOT, 0, text);
    if (number == WRI_NOBODY)
        return;
    wri_feature *feature = &guide->pool->features[number];
    bool         first = show(guide, t, number);
    if (first || value > feature->now) {
        feature->now = value;
        feature->cut_now = (uint32_t)t->trace->node_count;
    }
}

/* ---- The next case ---- */

void wri_guide_start(wri_guide *guide, wri_pool *pool, uint64_t seed, bool only_watch)
{
    guide->watch = (wri_watch){ .hit = on_hit, .value = on_value };
    guide->pool = pool;
    guide->seed = seed;
    guide->only_watch = only_watch;
}

void wri_guide_free(wri_guide *guide)
{
    wri_mutant_free(&guide->mutant);
    wri_trace_free(&guide->edited);
}

void wri_guide_next(wri_guide *guide, wr_case *t, uint64_t number)
{
    uint64_t random = wri_stream(guide->seed ^ UINT64_C(0x67756964652e), number);
    guide->number = number + 1;
    guide->shown_count = 0;
    guide->feature = WRI_NOBODY;
    t->watch = &guide->watch;
    t->answerer = wri_answer_randomly();
    if (guide->only_watch || wri_scale(wri_next(&random), FRESH_ONE_IN - 1) == 0)
        return;
    uint32_t picked = wri_pool_pick(guide->pool, &random);
    if (picked == WRI_NOBODY)
        return;
    wri_feature *feature = &guide->pool->features[picked];
    uint32_t     other = wri_pool_pick(guide->pool, &random);
    feature->effort++;
    guide->feature = picked;
    guide->mutation = (wri_mutation){ .pool = guide->pool,
                                      .entry = feature->owner,
                                      .other = guide->pool->features[other].owner,
                                      .cut = feature->cut,
                                      .random = &random,
                                      .mutant = &guide->mutant,
                                      .edited = &guide->edited };
    t->answerer = wri_mutate(&guide->mutation);
    guide->mutation.random = NULL;
}

/* ---- Learning ---- */

/* Is the case that ran a better owner than the one there is? */
static bool better(const wri_guide *guide, const wri_feature *feature, bool discarded)
{
    if (feature->owner == WRI_NOBODY)
        return true;
    bool owner_discarded = guide->pool->entries[feature->owner].discarded;
    if (owner_discarded != discarded)
        return owner_discarded;
    if (feature->class == WRI_FEATURE_SLOT && feature->now != feature->best)
        return feature->now > feature->best;
    return feature->cut_now < feature->cut;
}

/* The positions that made the parent's features, and the one whose change made this one's, are
 * left alone for the most part. */
static void lock_positions(wri_guide *guide, uint32_t parent, uint64_t parent_number,
                           uint32_t entry)
{
    const wri_mutation *how = &guide->mutation;
    if (guide->feature == WRI_NOBODY || !how->in_place || guide->mutant.aligned ||
        guide->pool->entries[parent].number != parent_number)
        return;
    wri_entry_view from = wri_pool_view(guide->pool, parent);
    wri_entry_view to = wri_pool_view(guide->pool, entry);
    uint32_t       common = wri_pool_position_from(&from, (uint32_t)guide->mutant.limit);
    common = common < to.position_count ? common : to.position_count;
    for (uint32_t i = 0; i < common; i++)
        to.tried[i] |= from.tried[i] & WRI_LOCKED;
    if (how->position != WRI_NOBODY && how->position < to.position_count)
        to.tried[how->position] |= WRI_LOCKED;
}

void wri_guide_learn(wri_guide *guide, wr_case *t, bool failed, bool discarded)
{
    wri_pool *pool = guide->pool;
    bool      wanted = false, new = false;
    pool->cases++;
    for (uint32_t i = 0; i < guide->shown_count; i++) {
        wri_feature *feature = &pool->features[guide->shown[i]];
        feature->cases++;
        new |= feature->cases == 1;
        wanted |= better(guide, feature, discarded);
    }
    if (new)
        pool->last_new = pool->cases;
    t->watch = NULL;
    if (!wanted || failed)
        return;
    uint32_t parent = guide->feature == WRI_NOBODY ? 0 : guide->mutation.entry;
    uint64_t parent_number = pool->entries[parent].number;
    uint32_t entry = wri_pool_add(pool, t->trace, guide->number, discarded);
    if (entry == WRI_NOBODY)
        return;
    lock_positions(guide, parent, parent_number, entry);
    for (uint32_t i = 0; i < guide->shown_count; i++)
        if (better(guide, &pool->features[guide->shown[i]], discarded))
            wri_pool_own(pool, entry, guide->shown[i]);
}
