/* hunt/give_out.c: which cases go out next, to which worker.
 *
 * Ranges of indices are given out in order, never more than are still wanted; batches grow, but
 * for those of a machine, which must not depend on the workers. A search that learns from case to
 * case goes alone at first, and is several later.
 */
#include "explore/guide/pool.h"
#include "hunt/expedition.h"

#define FIRST_BATCH 64
#define LARGEST_BATCH ((uint64_t)1 << 16)
/* How many cases may be discarded for each that is wanted. */
#define DISCARDS_EACH 20
#define DISCARDS_FREE 1000
/* After so many cases, nearly all of them too large, there is no hope; each of them is slow. */
#define CHECKPOINT 256
/* A guided search goes alone up to here: it learns faster so. */
#define ALONE_UNTIL 16384
/* Then each of several runs so many cases a round, and more as time goes by. */
#define FIRST_SHARE 128
#define LARGEST_SHARE 16384

/* Of a machine so many batches are run before the next ones can know of them, however many
 * workers there are. */
#define CHASED_BATCHES 8

/* How many processes there are to run cases. */
static unsigned workers(const wri_expedition *trip)
{
    const wri_quest *quest = trip->quest;
    unsigned         most = quest->watched         ? trip->shards
                            : quest->chase != NULL ? CHASED_BATCHES
                                                   : quest->jobs;
    return quest->settings->no_fork ? 1 : quest->jobs < most ? quest->jobs : most;
}

unsigned wri_trip_lanes(const wri_expedition *trip)
{
    return trip->shards > 1 ? trip->shards : workers(trip);
}

static uint64_t given_out(const wri_expedition *trip)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < wri_trip_lanes(trip); i++)
        if (trip->ranges[i].out || trip->ranges[i].waiting)
            sum += trip->ranges[i].count + trip->ranges[i].rest;
    return sum;
}

static uint64_t batch_size(const wri_expedition *trip)
{
    uint64_t turn = trip->batches / workers(trip);
    uint64_t size = turn >= 10 ? LARGEST_BATCH : (uint64_t)FIRST_BATCH << turn;
    return trip->quest->fork_each ? 1 : size < LARGEST_BATCH ? size : LARGEST_BATCH;
}

uint64_t wri_trip_wanted(const wri_expedition *trip)
{
    const wri_quest *quest = trip->quest;
    uint64_t         wanted = quest->by_time ? UINT64_MAX / 2 : quest->cases_wanted;
    return quest->until_stable && trip->round < wanted ? trip->round : wanted;
}

/* The last index that may be tried at all. */
static uint64_t last_index(const wri_expedition *trip)
{
    uint64_t wanted = wri_trip_wanted(trip);
    return wanted > UINT64_MAX / 64 ? UINT64_MAX / 2
                                    : wanted * (DISCARDS_EACH + 1) + DISCARDS_FREE;
}

/* Nearly everything up to the checkpoint was too large. */
static bool hopeless(const wri_expedition *trip)
{
    return wri_parts_sum(&trip->parts, UINT64_MAX, NULL).overrun * 10 >= CHECKPOINT * 9;
}

/* Cases are drawn again and again, and so few are found that it will give up in the end: it does
 * so sooner without. */
static bool redraws_in_vain(const wri_expedition *trip)
{
    return !trip->quest->by_time && trip->valid * DISCARDS_EACH < CHECKPOINT;
}

bool wri_trip_may_spread(const wri_expedition *trip)
{
    return trip->quest->guided && !trip->quest->until_stable;
}

/* The last index for a range: none goes across the checkpoint, where all wait for all, nor across
 * the case from which on there are several searches. */
static bool next_limit(wri_expedition *trip, uint64_t outstanding, uint64_t *limit)
{
    *limit = last_index(trip);
    if (!trip->checked && trip->next >= CHECKPOINT && outstanding == 0) {
        trip->checked = true;
        trip->ended = hopeless(trip);
        if (redraws_in_vain(trip))
            trip->quest->redraw = WRI_REDRAW_OFF;
    }
    if (!trip->checked)
        *limit = *limit < CHECKPOINT ? *limit : CHECKPOINT;
    else if (wri_trip_may_spread(trip) && trip->next < ALONE_UNTIL)
        *limit = *limit < ALONE_UNTIL ? *limit : ALONE_UNTIL;
    return !trip->ended && trip->next < *limit;
}

/* The next range for a worker; false when there is nothing to give out now. */
static bool next_range(wri_expedition *trip, wri_range *out)
{
    wri_quest *quest = trip->quest;
    uint64_t   outstanding = given_out(trip), limit;
    if (!next_limit(trip, outstanding, &limit))
        return false;
    uint64_t wanted = wri_trip_wanted(trip);
    if (trip->valid + outstanding >= wanted)
        return false;
    uint64_t left = wanted - trip->valid - outstanding;
    uint64_t size = batch_size(trip);
    uint64_t share = left / wri_trip_lanes(trip) + 1;
    size = size < share ? size : share;
    uint64_t room = limit - trip->next;
    *out = (wri_range){ .from = trip->next, .count = size < room ? size : room };
    /* Alone at the end, a worker may make up for discarded cases by itself. */
    if (outstanding == 0 && !quest->fork_each &&
        (wri_trip_lanes(trip) == 1 || left <= FIRST_BATCH)) {
        out->count = size < left ? size : left;
        if (wri_trip_lanes(trip) > 1 || out->count == left)
            out->count = left < LARGEST_BATCH ? left : LARGEST_BATCH;
        out->count = out->count < room ? out->count : room;
        room -= out->count;
        out->spare = room < LARGEST_BATCH ? room : LARGEST_BATCH;
    }
    return true;
}

/* Of a machine: everything so far is done with, and nothing new was found lately. */
static void rest(wri_expedition *trip)
{
    wri_quest *quest = trip->quest;
    wri_trip_count(trip, UINT64_MAX);
    wri_chase_rest(quest->chase, trip->next);
    quest->cases = trip->valid;
}

/* The same for a machine. What its batches are must not depend on the workers: what was run in
 * one is not run in those that know of it. */
static bool next_chased(wri_expedition *trip, wri_range *out)
{
    wri_quest *quest = trip->quest;
    uint64_t   outstanding = given_out(trip), wanted = wri_trip_wanted(trip), limit;
    bool       rests = wri_chase_rests(quest->chase, trip->next);
    if (trip->share == 0 || trip->chased == CHASED_BATCHES || rests) {
        if (outstanding > 0 || trip->valid >= wanted)
            return false;
        wri_chase_settle_ran(quest->chase, UINT64_MAX);
        wri_chase_weigh(quest->chase, trip->next);
        if (rests)
            rest(trip);
        trip->share = wanted - trip->valid;
        trip->chased = 0;
    }
    if (!next_limit(trip, outstanding, &limit))
        return false;
    uint64_t size = wri_chase_stretch(quest->chase, trip->next), room = limit - trip->next;
    size = size < trip->share ? size : trip->share;
    *out = (wri_range){ .from = trip->next, .count = size < room ? size : room };
    trip->share -= out->count;
    trip->chased++;
    return true;
}

static bool lone_range_out(const wri_expedition *trip)
{
    for (unsigned i = 0; i < wri_trip_lanes(trip); i++)
        if (trip->ranges[i].out && trip->ranges[i].spare > 0)
            return true;
    return false;
}

/* A worker for a lane: its own, or when lanes are searches, any that has nothing to do. */
static int find_slot(const wri_expedition *trip, unsigned lane)
{
    if (trip->shards == 1)
        return (int)(lane + trip->first_slot);
    for (unsigned slot = trip->first_slot; slot < trip->first_slot + workers(trip); slot++) {
        bool busy = false;
        for (unsigned i = 0; i < wri_trip_lanes(trip); i++)
            busy |= trip->ranges[i].out && trip->ranges[i].slot == slot;
        if (!busy)
            return (int)slot;
    }
    return -1;
}

/* The lane's range goes out, if there is a worker for it. */
static void send_out(wri_expedition *trip, unsigned lane)
{
    wri_quest *quest = trip->quest;
    wri_range *at = &trip->ranges[lane];
    wri_job    job = wri_quest_job(quest);
    int        slot = find_slot(trip, lane);
    at->waiting = slot < 0;
    if (slot < 0)
        return;
    job.from = at->from;
    job.count = quest->fork_each ? 1 : at->count;
    job.spare = at->spare;
    job.audit = at->audit;
    if (quest->watched) {
        unsigned shard = trip->shards > 1 ? lane : 0;
        job.manner = quest->guided ? WRI_MANNER_GUIDED : WRI_MANNER_WATCHED;
        job.pool = wri_runner_pool(quest->runner, shard);
        wri_runner_keep_pool(quest->runner, shard);
    }
    if (quest->chase != NULL) {
        job.traced = true;
        job.play = wri_chase_terms(quest->chase, at->from);
    }
    at->out = true;
    at->slot = (unsigned)slot;
    wri_runner_forget_seen(quest->runner, at->slot);
    wri_runner_batch(quest->runner, at->slot, &job, at->audit || quest->fork_each);
}

/* All searches have come back: each is told what the others found, and has its share of the next
 * round. False: there is none. */
static bool begin_round(wri_expedition *trip)
{
    uint64_t limit, wanted = wri_trip_wanted(trip);
    if (!next_limit(trip, 0, &limit) || trip->valid >= wanted)
        return false;
    wri_shards_exchange(trip->quest, trip->told);
    trip->told = trip->next;
    uint64_t share = FIRST_SHARE + trip->valid / 64, left = wanted - trip->valid;
    share = share < LARGEST_SHARE ? share : LARGEST_SHARE;
    if (left < share * trip->shards)
        share = left / trip->shards + 1;
    for (unsigned i = 0; i < trip->shards && left > 0 && trip->next < limit; i++) {
        uint64_t room = limit - trip->next, count = share < left ? share : left;
        trip->ranges[i] = (wri_range){ .from = trip->next,
                                       .count = count < room ? count : room,
                                       .waiting = true };
        trip->next += trip->ranges[i].count;
        left -= trip->ranges[i].count;
    }
    return true;
}

/* A new range, when there is one. */
static bool begin_range(wri_expedition *trip, unsigned lane)
{
    wri_range *at = &trip->ranges[lane];
    if (wri_trip_failed(trip) || lone_range_out(trip))
        return false;
    if (trip->shards == 1 && wri_trip_may_spread(trip) && trip->next >= ALONE_UNTIL &&
        given_out(trip) == 0) {
        wri_shards_start(trip->quest);
        trip->shards = WRI_SHARDS;
        trip->told = trip->next;
    }
    if (trip->shards > 1)
        return given_out(trip) == 0 && begin_round(trip) && at->waiting;
    if (!(trip->quest->chase != NULL ? next_chased : next_range)(trip, at))
        return false;
    trip->next = at->from + at->count;
    trip->batches++;
    return true;
}

bool wri_trip_give_out(wri_expedition *trip)
{
    bool any = false;
    for (unsigned i = 0; i < wri_trip_lanes(trip); i++) {
        wri_range *at = &trip->ranges[i];
        if (!at->out && !trip->failed[i].set && (at->waiting || begin_range(trip, i)))
            send_out(trip, i);
        any |= at->out;
    }
    return any;
}
