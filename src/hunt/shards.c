/* hunt/shards.c: one guided search becomes several, and they tell each other.
 *
 * A search learns from case to case, so it cannot be spread over workers as it is. After its
 * first cases, the pool is copied, and from there on there are always as many searches as
 * WRI_SHARDS, whatever the number of workers: in each round each of them runs as many cases, and
 * then what one has found is laid before all the others, to be run by them. So nothing depends on
 * who ran which of them when.
 */
#include "explore/guide/pool.h"
#include "hunt/internal.h"

void wri_shards_start(wri_quest *quest)
{
    wri_pool *first = wri_runner_pool(quest->runner, 0);
    for (unsigned i = 1; i < WRI_SHARDS; i++) {
        wri_pool *pool = wri_runner_pool(quest->runner, i);
        wri_pool_copy(pool, first);
        pool->shard = i;
    }
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

void wri_shards_exchange(wri_quest *quest, uint64_t since)
{
    for (unsigned i = 0; i < WRI_SHARDS; i++) {
        wri_pool *pool = wri_runner_pool(quest->runner, i);
        if (!wri_pool_sound(pool)) { /* it starts again, with what the others tell it */
            wri_pool_clear(pool);
            pool->shard = i;
        }
    }
    for (unsigned to = 0; to < WRI_SHARDS; to++)
        for (unsigned from = 0; from < WRI_SHARDS; from++)
            if (to != from)
                tell_other(wri_runner_pool(quest->runner, to),
                           wri_runner_pool(quest->runner, from), since);
}
