/* explore/guide/guide.c: decides on each case and learns from it, in the worker.
 *
 * The next case is the last one with a substitution, or an entry of the pool: unchanged if it
 * waits for that, else with a change. When the case has ended, the guide compares its features
 * with the pool's, and keeps the case if it owns one.
 */
#include "explore/guide/guide.h"

#include <stdio.h>
#include <string.h>

#include "core/hash.h"
#include "core/prng.h"
#include "explore/answer.h"
#include "explore/guide/substitute.h"
#include "machine/play/stage.h"
#include "observe/signals.h"

/* One case in so many is fresh, */
#define FRESH_ONE_IN 50
/* and more of them while nothing is new: where nothing leads further, changes of a few cases are
 * worse than random ones. At first a search is given some time. */
#define GIVEN_CASES 256
/* One case of a machine in so many is fresh, */
#define MACHINE_FRESH_ONE_IN 2
/* and so is each other one if the feature that was picked is not rare. A rare feature is one that
 * fewer than one fresh case in so many showed. */
#define RARE_ONE_IN 16

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
static inline bool show(wri_guide *guide, const wr_case *t, uint32_t number)
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

/* Its number was not known. */
static WRI_ASIDE void on_new_hit(wri_guide *guide, wr_case *t, wri_feature_class class,
                                 uint64_t key, uint32_t *cache, const char *text)
{
    uint32_t number = wri_pool_feature(guide->pool, key, class, 0, text);
    if (number == WRI_NOBODY)
        return;
    *cache = number + 1;
    show(guide, t, number);
}

/* Not for the first time in this case. How often a machine's sequence shows something tells how
 * long it is, and nothing else. */
static WRI_ASIDE void on_further_hit(wri_guide *guide, wr_case *t, wri_feature_class class,
                                     uint64_t key, const wri_feature *feature, const char *text)
{
    uint8_t bucket = bucket_that_begins(feature->hits);
    if (bucket == 0)
        return;
    uint32_t often = wri_pool_feature(guide->pool, key, class, bucket, text);
    if (often != WRI_NOBODY)
        show(guide, t, often);
}

static void on_hit(wri_watch *watch, wr_case *t, wri_feature_class class, uint64_t key,
                   uint32_t *cache, const char *text)
{
    wri_guide *guide = (wri_guide *)watch;
    uint32_t   number = *cache - 1;
    if (*cache == 0)
        on_new_hit(guide, t, class, key, cache, text);
    else if (!show(guide, t, number) && !guide->pool->machine)
        on_further_hit(guide, t, class, key, &guide->pool->features[number], text);
}

static void on_value(wri_watch *watch, wr_case *t, uint64_t key, double value, const char *text)
{
    wri_guide *guide = (wri_guide *)watch;
    /* A comparison that was true once need not come nearer. */
    uint32_t label = wri_pool_find(guide->pool, key, WRI_FEATURE_LABEL, 0);
    if (label != WRI_NOBODY && guide->pool->features[label].cases > 0)
        return;
    uint32_t number = wri_pool_feature(guide->pool, key, WRI_FEATURE_SLOT, 0, text);
    if (number == WRI_NOBODY)
        return;
    wri_feature *feature = &guide->pool->features[number];
    bool         first = show(guide, t, number);
    if (first || value > feature->now) {
        feature->now = value;
        feature->cut_now = (uint32_t)t->trace->node_count;
    }
}

/* How often an edge was taken, about. */
static uint8_t bucket_of(uint32_t count)
{
    static const uint32_t FROM[] = { 2, 3, 4, 8, 16, 32, 128 };
    uint8_t               bucket = 0;
    while (bucket < sizeof FROM / sizeof *FROM && count >= FROM[bucket])
        bucket++;
    return bucket;
}

static void show_edges(wri_guide *guide, const wr_case *t)
{
    size_t          count;
    const wri_edge *edges = wri_edges_taken(&count);
    for (size_t i = 0; i < count; i++) {
        uint64_t key = wri_prng_mix(edges[i].number + 1);
        for (uint8_t bucket = 0;; bucket = bucket_of(edges[i].count)) {
            uint32_t number =
                wri_pool_feature(guide->pool, key, WRI_FEATURE_EDGE, bucket, "an edge");
            if (number != WRI_NOBODY)
                show(guide, t, number);
            if (bucket == bucket_of(edges[i].count))
                break;
        }
    }
}

/* How far the sides of each comparison were apart, in bits. */
static void show_distances(wri_guide *guide, const wr_case *t, const wri_comparison *made,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t apart = made[i].a > made[i].b ? made[i].a - made[i].b : made[i].b - made[i].a;
        uint64_t key = wri_hash_step(made[i].place, 64 - (uint64_t)__builtin_clzll(apart));
        uint32_t number =
            wri_pool_feature(guide->pool, key, WRI_FEATURE_DISTANCE, 0, "a comparison");
        if (number != WRI_NOBODY)
            show(guide, t, number);
    }
}

/* ---- The next case ---- */

void wri_guide_start(wri_guide *guide, wri_pool *pool, uint64_t seed)
{
    guide->watch = (wri_watch){ .hit = on_hit, .value = on_value };
    guide->pool = guide->mutation.pool = pool;
    guide->mutation.mutant = &guide->mutant;
    guide->mutation.edited = &guide->edited;
    guide->seed = seed;
    guide->edges = wri_edges_present();
    guide->comparisons = wri_comparisons_present();
    guide->pending = false;
    guide->chain.depth = 0;
    if (pool->pending != 0) { /* a chain goes on where it was */
        uint32_t       entry = pool->pending - 1;
        wri_entry_view view = wri_pool_view(pool, entry);
        guide->pending = wri_trace_copy(&guide->edited, &view.trace);
        guide->chain = pool->chain;
        guide->lost = guide->chain.feature != WRI_NOBODY &&
                      pool->features[guide->chain.feature].stamp != pool->entries[entry].number;
        guide->mutation.entry = guide->chain.parent;
        guide->mutation.in_place = guide->chain.in_place;
        wri_pool_drop(pool, entry);
        pool->pending = 0;
    }
}

void wri_guide_stop(wri_guide *guide)
{
    wri_pool *pool = guide->pool;
    if (!guide->pending)
        return;
    uint32_t entry = wri_pool_add(pool, &guide->edited, guide->number, false, NULL, 0);
    pool->pending = entry == WRI_NOBODY ? 0 : entry + 1;
    pool->chain = guide->chain;
    pool->chain.parent = guide->mutation.entry;
    pool->chain.in_place = guide->mutation.in_place;
    guide->pending = false;
}

void wri_guide_free(wri_guide *guide)
{
    wri_mutant_free(&guide->mutant);
    wri_trace_free(&guide->edited);
}

/* The last case once more, with another answer. */
static wri_answerer *repaired(wri_guide *guide)
{
    guide->pending = false;
    guide->chain.depth++;
    if (guide->chain.before_count < WRI_CHANGES)
        guide->chain.before[guide->chain.before_count++] = guide->chain.change;
    wri_answerer *answerer =
        wri_mutant_start(&guide->mutant, &guide->edited, guide->edited.node_count);
    wri_mutant_change(&guide->mutant, guide->chain.change.node, guide->chain.change.element,
                      guide->chain.change.number);
    return answerer;
}

/* A case that is no child of another. */
static void begin_alone(wri_guide *guide, const char *name)
{
    guide->chain.depth = 0;
    guide->chain.before_count = 0;
    guide->chain.feature = WRI_NOBODY;
    guide->chain.parent_number = 0;
    guide->mutation.in_place = false;
    guide->mutation.name = name;
}

/* A case from an earlier run or another search, as it was. */
static wri_answerer *remembered(wri_guide *guide)
{
    begin_alone(guide, "found before");
    const wri_trace *trace = &guide->mutation.view.trace;
    wri_pool_view_into(&guide->mutation.view, guide->pool, guide->seed_entry);
    return guide->pool->entries[guide->seed_entry].blind
               ? wri_mutant_start_blind(&guide->mutant, trace)
               : wri_mutant_start(&guide->mutant, trace, trace->node_count);
}

/* The number of calls of a fresh sequence; 0: they differ. */
static uint64_t wanted_calls(const wr_case *t)
{
    return t->stage != NULL && t->stage->terms.law == WRI_CALLS_FIXED ? t->stage->terms.calls : 0;
}

static unsigned fresh_one_in(const wri_pool *pool)
{
    uint64_t idle = pool->cases - pool->last_gain;
    return pool->machine                                  ? MACHINE_FRESH_ONE_IN
           : idle < GIVEN_CASES || idle < pool->cases / 8 ? FRESH_ONE_IN
           : idle < pool->cases / 2                       ? 5
                                                          : 2;
}

static bool is_fresh(const wri_pool *pool, uint64_t *random)
{
    unsigned one_in = fresh_one_in(pool);
    return pool->only_watch || wri_prng_scale(wri_prng_next(random), one_in - 1) == 0;
}

/* Is the feature worth a case? A random sequence of calls comes to most places by itself, so a
 * change of it must lead to what few of them show, or to a larger number. */
static bool is_worth_it(const wri_pool *pool, const wri_feature *feature)
{
    return !pool->machine || feature->class == WRI_FEATURE_SLOT ||
           feature->fresh < pool->fresh / RARE_ONE_IN;
}

/* A change of an entry, or a fresh case. */
static wri_answerer *picked(wri_guide *guide, wr_case *t, uint64_t *random)
{
    begin_alone(guide, "fresh");
    if (is_fresh(guide->pool, random))
        return wri_answer_randomly();
    uint32_t feature = wri_pool_pick(guide->pool, random);
    if (feature == WRI_NOBODY || !is_worth_it(guide->pool, &guide->pool->features[feature]))
        return wri_answer_randomly();
    wri_feature *of = &guide->pool->features[feature];
    of->effort++;
    guide->chain.feature = feature;
    guide->chain.parent_number = guide->pool->entries[of->owner].number;
    guide->mutation.entry = of->owner;
    guide->mutation.cut = of->cut;
    guide->mutation.climbs = of->class == WRI_FEATURE_SLOT;
    guide->mutation.random = random;
    guide->mutation.known = t->known;
    guide->mutation.calls = wanted_calls(t);
    return guide->pool->machine ? wri_mutate_calls(&guide->mutation)
                                : wri_mutate(&guide->mutation);
}

void wri_guide_watch(wri_guide *guide, wr_case *t, uint64_t number)
{
    guide->number = number + 1;
    guide->shown_count = 0;
    t->watch = &guide->watch;
    if (guide->edges || guide->comparisons)
        wri_signals_begin();
}

void wri_guide_next(wri_guide *guide, wr_case *t, uint64_t number)
{
    uint64_t random = wri_prng_stream(guide->seed ^ UINT64_C(0x67756964652e), number);
    guide->seed_entry = guide->pending ? WRI_NOBODY : wri_pool_awaited(guide->pool);
    t->answerer = guide->pending                    ? repaired(guide)
                  : guide->seed_entry != WRI_NOBODY ? remembered(guide)
                                                    : picked(guide, t, &random);
    wri_guide_watch(guide, t, number);
}

/* ---- Learning ---- */

/* The change of the first run of a chain. It is written only now, because it is seldom asked for.
 */
static void gather_changes(wri_guide *guide)
{
    if (guide->chain.before_count > 0 || guide->chain.feature == WRI_NOBODY)
        return;
    guide->chain.before_count = guide->mutant.change_count;
    memcpy(guide->chain.before, guide->mutant.changes, sizeof guide->chain.before);
}

/* Is the case that ran a better owner than the one there is? */
static bool better(const wri_feature *feature, bool discarded)
{
    if (feature->given_up || feature->class == WRI_FEATURE_PAIR)
        return false;
    if (feature->owner == WRI_NOBODY)
        return true;
    if (feature->owner_discarded != discarded)
        return feature->owner_discarded;
    if (feature->class == WRI_FEATURE_SLOT && feature->now != feature->best)
        return feature->now > feature->best;
    return feature->cut_now < feature->cut;
}

/* The positions that made the parent's features, and those whose change made this one's, are
 * left alone for the most part. A case that only makes a number grow goes on with its parent's
 * trials. */
static void lock_positions(wri_guide *guide, uint32_t entry, uint16_t inherited)
{
    wri_entry_view to = wri_pool_view(guide->pool, entry);
    uint32_t       parent = guide->mutation.entry;
    if (guide->mutation.in_place && !guide->mutant.aligned && /* and it is still there: */
        guide->pool->entries[parent].number == guide->chain.parent_number) {
        wri_entry_view from = wri_pool_view(guide->pool, parent);
        uint32_t       common = wri_pool_position_from(&from, (uint32_t)guide->mutant.limit);
        common = common < to.position_count ? common : to.position_count;
        for (uint32_t i = 0; i < common; i++)
            to.tried[i] = from.tried[i] & inherited;
    }
    for (unsigned i = 0; i < guide->chain.before_count && !guide->mutant.aligned; i++) {
        const wri_change *change = &guide->chain.before[i];
        uint32_t          position = wri_pool_position_from(&to, change->node) + change->element;
        if (position < to.position_count && to.trace.nodes[change->node].kind != WRI_LENGTH)
            to.tried[position] |= WRI_LOCKED;
    }
}

/* case 12 kept, 7 choices: "ba"; fresh end of case 9 */
static void remark(wri_guide *guide, const wr_case *t, bool discarded)
{
    const wri_pool *pool = guide->pool;
    char            what[256] = "";
    size_t          used = 0;
    for (uint32_t i = 0; i < guide->shown_count; i++) {
        const wri_feature *feature = &pool->features[guide->shown[i]];
        if (!better(feature, discarded))
            continue;
        int made = snprintf(what + used, sizeof what - used, "%s\"%s\"%s", used > 0 ? ", " : "",
                            feature->text, feature->bucket > 0 ? " often" : "");
        if (made < 0 || (size_t)made >= sizeof what - used) {
            what[used] = '\0'; /* the rest is as much of the same */
            break;
        }
        used += (size_t)made;
    }
    bool   changed = guide->chain.feature != WRI_NOBODY;
    size_t choices = wri_trace_choices(t->trace);
    wri_pool_remark(guide->pool, "case %llu kept, %zu choice%s: %s; %s%s%.0llu%s",
                    (unsigned long long)guide->number, choices, choices == 1 ? "" : "s", what,
                    guide->chain.depth > 0 ? "as a comparison wanted it" : guide->mutation.name,
                    changed ? ", from case " : "",
                    changed ? (unsigned long long)guide->chain.parent_number : 0,
                    discarded ? ", discarded" : "");
}

/* Keeps the case as an entry, the owner of all that it shows best. */
static void keep(wri_guide *guide, const wr_case *t, bool discarded, uint16_t inherited)
{
    wri_pool *pool = guide->pool;
    uint32_t  entry =
        wri_pool_add(pool, t->trace, guide->number, discarded, guide->shown, guide->shown_count);
    if (entry == WRI_NOBODY)
        return;
    gather_changes(guide);
    lock_positions(guide, entry, inherited);
    pool->entries[entry].foreign = guide->seed_entry != WRI_NOBODY;
    if (pool->talks)
        remark(guide, t, discarded);
    for (uint32_t i = 0; i < guide->shown_count; i++)
        if (better(&pool->features[guide->shown[i]], discarded))
            wri_pool_own(pool, entry, guide->shown[i]);
}

/* A chain of repairs has so many links, if none of them shows anything new. */
#define LONGEST_CHAIN 2

/* Decides whether the case is run again with what a comparison wanted. */
static void consider_repair(wri_guide *guide, const wr_case *t, const wri_comparison *made,
                            size_t count, bool new)
{
    bool lost = guide->chain.feature != WRI_NOBODY &&
                guide->pool->features[guide->chain.feature].stamp != guide->number;
    if (guide->chain.depth > 0) {
        wri_wish *wish = &guide->pool->wishes[guide->chain.wish];
        if (guide->lost && !lost && wish->helped < UINT16_MAX)
            wish->helped++;
        wish->tries = new ? 0 : wish->tries;
    }
    guide->lost = lost;
    if (new)
        guide->chain.depth = 0;
    if (count == 0 || guide->chain.depth >= LONGEST_CHAIN)
        return;
    uint64_t random = wri_prng_stream(guide->seed ^ UINT64_C(0x72657061697265), guide->number);
    guide->pending = wri_substitute(guide->pool, t->trace, made, count, lost, &random,
                                    &guide->chain.change, &guide->chain.wish) &&
                     wri_trace_copy(&guide->edited, t->trace);
    if (guide->pending)
        gather_changes(guide);
}

void wri_guide_watched(wri_guide *guide, wr_case *t)
{
    t->watch = NULL;
    if (!guide->edges && !guide->comparisons)
        return;
    wri_signals_end();
    size_t                count;
    const wri_comparison *made = wri_comparisons_made(&count);
    show_edges(guide, t);
    show_distances(guide, t, made, count);
}

/* It was shown before, by a case that counts, and not later in its log. */
static inline bool nothing_new(const wri_feature *feature)
{
    return feature->class != WRI_FEATURE_SLOT && feature->owner != WRI_NOBODY &&
           feature->cut_now >= feature->cut && !feature->owner_discarded;
}

void wri_guide_learn(wri_guide *guide, wr_case *t, bool failed, bool discarded)
{
    wri_pool             *pool = guide->pool;
    bool                  wanted = false, new = false, covers = false, climbed = false;
    size_t                count = 0;
    const wri_comparison *made = NULL;
    wri_guide_watched(guide, t);
    if (guide->comparisons)
        made = wri_comparisons_made(&count);
    bool fresh = guide->chain.feature == WRI_NOBODY && guide->seed_entry == WRI_NOBODY;
    pool->cases++;
    pool->fresh += fresh;
    for (uint32_t i = 0; i < guide->shown_count; i++) {
        wri_feature *feature = &pool->features[guide->shown[i]];
        feature->fresh += fresh && feature->fresh < UINT32_MAX;
        if (++feature->cases > 1 && nothing_new(feature)) /* as nearly always */
            continue;
        new |= feature->cases == 1;
        covers |= feature->cases == 1 && wri_feature_covers(feature);
        climbed |= feature->class == WRI_FEATURE_SLOT &&
                   (feature->owner == WRI_NOBODY || feature->now > feature->best);
        wanted |= better(feature, discarded);
    }
    if (covers)
        pool->last_new = pool->cases;
    if (new || climbed)
        pool->last_gain = pool->cases;
    pool->beyond += (covers || climbed) && !failed && guide->seed_entry == WRI_NOBODY;
    if (guide->seed_entry != WRI_NOBODY)
        wri_pool_drop(pool, guide->seed_entry);
    if (wanted && !failed)
        keep(guide, t, discarded, climbed && !new ? UINT16_MAX : WRI_LOCKED);
    if (!failed && !guide->pool->only_watch)
        consider_repair(guide, t, made, count, new);
}
