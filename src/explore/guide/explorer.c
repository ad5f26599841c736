/* explore/guide/explorer.c: the rows `guide` and `watch` of the table of explorers.
 *
 * The guide learns from case to case, so one search cannot be spread over workers. It runs alone
 * at first. Then its pool is copied, and from there on WRI_SHARDS searches run, whatever the
 * number of workers. In each round every search runs the same number of cases. After a round each
 * search is given the finds of the others, and runs them. So nothing depends on which worker ran
 * which search, or when.
 *
 * A machine has one search: known bugs change what its cases avoid.
 *
 * A shard (--shard) is a search by itself, which has the random streams of its own numbers.
 *
 * `watch` runs random cases, and the guide only watches: for runs that go on until the code under
 * test shows nothing new.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/guide/guide.h"
#include "explore/guide/shared.h"

/* A guided search goes alone up to here: it learns faster so. */
#define ALONE_UNTIL 16384
/* Then each of several runs so many cases a round, and more as time goes by. */
#define FIRST_SHARE 128
#define LARGEST_SHARE 16384

/* The worker's block. */
typedef struct errand {
    wri_pool *pool;
} errand;

/* ---- Several searches ---- */

static void spread(wri_guiding *self)
{
    for (unsigned i = 1; i < WRI_SHARDS; i++) {
        wri_pool_copy(&self->memory->pools[i], &self->memory->pools[0]);
        self->memory->pools[i].shard = i;
    }
    self->shards = self->handed = WRI_SHARDS;
    self->told = wri_ranges_next(&self->ranges);
}

/* Lays before `to` what `from` found by itself since case `since`. Workers could write to both.
 */
static void tell_other(wri_pool *to, wri_pool *from, uint64_t since)
{
    uint32_t count = from->entry_count < WRI_POOL_ENTRIES ? from->entry_count : WRI_POOL_ENTRIES;
    for (uint32_t i = 0; i < count; i++) {
        const wri_entry *entry = &from->entries[i];
        wri_entry_view   view;
        if (entry->number > since && entry->owned > 0 && !entry->foreign &&
            wri_pool_look(from, i, &view))
            wri_pool_await(to, &view.trace, false);
    }
}

/* Empties the pool of a search. */
static void begin_search(wri_guiding *self, unsigned shard)
{
    wri_pool *pool = &self->memory->pools[shard];
    wri_pool_clear(pool);
    pool->shard = shard;
    pool->machine = self->ranges.run.machine != NULL;
}

static void exchange(wri_guiding *self)
{
    wri_pool *pools = self->memory->pools;
    for (unsigned i = 0; i < WRI_SHARDS; i++)
        if (!wri_pool_sound(&pools[i])) /* it starts again, with what the others tell it */
            begin_search(self, i);
    for (unsigned to = 0; to < WRI_SHARDS; to++)
        for (unsigned from = 0; from < WRI_SHARDS; from++)
            if (to != from)
                tell_other(&pools[to], &pools[from], self->told);
    self->told = wri_ranges_next(&self->ranges);
}

/* All searches have come back. False: there is no further round. */
static bool begin_round(wri_guiding *self)
{
    wri_ranges *ranges = &self->ranges;
    uint64_t    wanted = wri_ranges_wanted(ranges);
    if (!wri_ranges_limit(ranges, 0, 0, &self->limit) || ranges->valid >= wanted)
        return false;
    exchange(self);
    self->share = FIRST_SHARE + ranges->valid / 64;
    self->share = self->share < LARGEST_SHARE ? self->share : LARGEST_SHARE;
    self->left = wanted - ranges->valid;
    if (self->left < self->share * WRI_SHARDS)
        self->share = self->left / WRI_SHARDS + 1;
    self->handed = 0;
    return true;
}

/* The share of the next search. */
static bool give_share(wri_guiding *self, const wri_standing *standing, wri_order *order)
{
    bool over = self->handed == WRI_SHARDS || self->left == 0 || self->ranges.next >= self->limit;
    if (over && (standing->outstanding > 0 || !begin_round(self)))
        return false;
    uint64_t room = self->limit - self->ranges.next, stretch = wri_ranges_stretch(&self->ranges);
    uint64_t count = self->share < self->left ? self->share : self->left;
    room = room < stretch ? room : stretch;
    *order = (wri_order){ .from = wri_ranges_next(&self->ranges),
                          .count = count < room ? count : room,
                          .shard = self->handed++ };
    self->ranges.next += order->count;
    self->left -= order->count;
    return true;
}

/* ---- The parent's side ---- */

static void *open_guide(const wri_exploration *run, const char **error)
{
    wri_guiding *self = calloc(1, sizeof *self);
    (void)error;
    if (self == NULL)
        return NULL;
    wri_ranges_open(&self->ranges, run);
    self->memory = run->shared;
    self->shards = 1;
    for (unsigned i = 0; i < WRI_SHARDS; i++)
        begin_search(self, i);
    self->memory->pools[0].talks = run->settings->verbose;
    /* One pool is asked what was seen until a run is stable. Searches side by side would learn of
     * a machine's bugs at times that depend on the number of workers. */
    self->spreads = !run->until_stable && run->pace.alike == NULL;
    return self;
}

static void *open_watch(const wri_exploration *run, const char **error)
{
    wri_guiding *self = open_guide(run, error);
    if (self != NULL) {
        self->memory->pools[0].only_watch = true;
        self->memory->pools[0].talks = false;
    }
    return self;
}

static bool give(void *context, const wri_standing *standing, wri_order *order)
{
    wri_guiding *self = context;
    if (self->shards == 1 && self->spreads && self->ranges.next >= ALONE_UNTIL &&
        standing->outstanding == 0)
        spread(self);
    if (self->shards > 1)
        return give_share(self, standing, order);
    return standing->outstanding == 0 &&
           wri_ranges_give(&self->ranges, standing, 1, self->spreads ? ALONE_UNTIL : 0, order);
}

static void send(void *context, wri_order *order, void *block)
{
    wri_guiding *self = context;
    errand      *to = block;
    to->pool = &self->memory->pools[order->shard];
    wri_pool_keep(&self->memory->before[order->shard], to->pool);
}

static void undo(void *context, const wri_order *order)
{
    wri_guiding *self = context;
    wri_pool_copy(&self->memory->pools[order->shard], &self->memory->before[order->shard]);
}

/* By the pool, which workers could write to. A feature counts as seen when a case showed it at
 * all; how often in a case, and how near a case came, do not matter. */
static bool sightings(void *context, wri_sightings *seen)
{
    const wri_pool *pool = &((wri_guiding *)context)->memory->pools[0];
    uint32_t        count =
        pool->feature_count < WRI_POOL_FEATURES ? pool->feature_count : WRI_POOL_FEATURES;
    *seen = (wri_sightings){ .cases = pool->cases,
                             .last = pool->last_new,
                             .nearer = pool->last_gain,
                             .crowded = pool->lost > 0 };
    for (uint32_t i = 0; i < count; i++) {
        const wri_feature *feature = &pool->features[i];
        if (!wri_feature_covers(feature) || feature->cases == 0)
            continue;
        seen->features++;
        seen->once += feature->cases == 1;
        seen->twice += feature->cases == 2;
    }
    if (seen->last > seen->cases)
        seen->last = seen->cases;
    if (seen->nearer > seen->cases)
        seen->nearer = seen->cases;
    return true;
}

static wri_repeat repeat(void *context, const wri_order *order)
{
    (void)context, (void)order;
    return (wri_repeat){ .manner = WRI_MANNER_ALIGNED };
}

static void remarks(void *context, const wri_order *order, wri_sayer *say, void *to)
{
    wri_pool *pool = &((wri_guiding *)context)->memory->pools[order->shard];
    uint32_t  used = pool->remarks_used;
    char     *lines = used == 0 || used > WRI_POOL_REMARKS ? NULL : malloc(used + 1);
    uint32_t  lost = pool->remarks_lost;
    pool->remarks_used = pool->remarks_lost = 0;
    if (lines == NULL)
        return;
    memcpy(lines, pool->remarks, used);
    lines[used] = '\0';
    for (char *line = lines, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        say(to, line);
    }
    free(lines);
    if (lost > 0)
        say(to, "and more");
}

static void limits(void *context, wri_sayer *say, void *to)
{
    const wri_pool *pool = &((wri_guiding *)context)->memory->pools[0];
    char            line[160];
    if (pool->lost > 0)
        say(to, "the search saw more different features than it can tell apart: some of them "
                "did not count as new");
    snprintf(line, sizeof line,
             "the search learnt nothing from %llu cases of more than about a hundred thousand "
             "choices",
             (unsigned long long)pool->too_large);
    if (pool->too_large > 0)
        say(to, line);
}

/* ---- The worker's side ---- */

static wri_guide guide;

static bool begin(const wri_work *work, wr_case *t)
{
    (void)t;
    wri_guide_start(&guide, ((const errand *)work->block)->pool, work->seed);
    return true;
}

static bool next(wr_case *t, uint64_t number)
{
    wri_guide_next(&guide, t, number);
    return true;
}

static wri_after learn(wr_case *t, uint32_t verdict, wri_left left)
{
    (void)left;
    wri_guide_learn(&guide, t, verdict != WRI_NONE && verdict != WRI_DISCARD,
                    verdict == WRI_DISCARD);
    return WRI_AFTER_COUNT;
}

static bool end(wr_case *t)
{
    (void)t;
    wri_guide_stop(&guide);
    return false;
}

static void watch(const wri_work *work, wr_case *t, uint64_t number)
{
    begin(work, t);
    wri_guide_watch(&guide, t, number);
}

static void watched(wr_case *t)
{
    wri_guide_watched(&guide, t);
}

static void free_worker(void)
{
    wri_guide_free(&guide);
}

#define ROW                                                                                      \
    .shared_bytes = sizeof(wri_guide_memory), .worker_bytes = sizeof(errand), .close = free,     \
    .give = give, .send = send, .take = wri_ranges_take, .undo = undo, .back = wri_ranges_back,  \
    .rest = wri_ranges_rest, .allow = wri_ranges_allow, .repeat = repeat,                        \
    .sightings = sightings, .conclude = wri_ranges_conclude, .remarks = remarks,                 \
    .limits = limits, .begin = begin, .next = next, .learn = learn, .end = end, .watch = watch,  \
    .watched = watched, .free = free_worker

const wri_explorer wri_explorer_guide = {
    .name = "guide",
    .needs =
        WRI_NEEDS_TRACE | WRI_NEEDS_SIGNALS | WRI_NEEDS_PACE | WRI_SKEWS | WRI_USES_CONSTANTS,
    .keeping = &wri_guide_keeping,
    .open = open_guide,
    ROW,
};

const wri_explorer wri_explorer_watch = {
    .needs = WRI_NEEDS_TRACE | WRI_NEEDS_SIGNALS,
    .open = open_watch,
    ROW,
};
