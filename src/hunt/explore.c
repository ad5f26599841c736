/* hunt/explore.c: cases in batches, over the workers.
 *
 * Case i is a function of the seed and i, so only which cases have run must be kept straight:
 * ranges of indices are given out in order, never more than are still wanted, and a failure
 * counts only when every case before it has been run. So the result does not depend on how
 * many workers there are, nor on how fast they were.
 */
#include <stdlib.h>
#include <string.h>

#include "explore/guide/pool.h"
#include "hunt/expedition.h"

/* Until it is stable, cases are run in rounds, and after each it is asked. */
#define FIRST_ROUND 100
#define ROUND_GROWTH 8 /* the next is longer by such a part of all cases so far */
/* So many cases are looked at one by one when something was wrong after them. */
#define FEW_TO_AUDIT 64

static unsigned lane_of(const wri_expedition *trip, unsigned slot)
{
    unsigned lane = 0;
    while (!trip->ranges[lane].out || trip->ranges[lane].slot != slot)
        lane++;
    return lane;
}

/* ---- Coming back ---- */

/* The first case that may still fail. */
static uint64_t horizon(const wri_expedition *trip)
{
    uint64_t first = trip->next;
    for (unsigned i = 0; i < wri_trip_lanes(trip); i++) {
        const wri_range *at = &trip->ranges[i];
        if ((at->out || at->waiting) && at->from < first)
            first = at->from;
        if (trip->failed[i].set && trip->failed[i].index < first)
            first = trip->failed[i].index;
    }
    return first;
}

static void add_part(wri_expedition *trip, unsigned lane, const wri_batch *batch, bool failing)
{
    const wri_range *at = &trip->ranges[lane];
    uint64_t         first = horizon(trip);
    wri_part         now = { .from = at->from,
                             .discarded = batch->discarded,
                             .overrun = batch->overrun,
                             .known = batch->known,
                             .redrawn = batch->redrawn,
                             .calls = batch->played.calls,
                             .sequences = batch->played.sequences,
                             .cut = batch->played.cut };
    now.cases = batch->next - at->from - batch->discarded - batch->overrun + failing;
    memcpy(now.hits, batch->known_hits, sizeof now.hits);
    wri_tally_take(&now.tally, wri_runner_seen(trip->quest->runner, at->slot), now.cases);
    trip->valid += now.cases;
    /* Its rest may fail, too. */
    wri_parts_add(&trip->parts, &now, at->from < first ? at->from : first);
    if (trip->quest->chase != NULL)
        wri_chase_ran(trip->quest->chase, at->slot, at->from);
    wri_quest_count_known(trip->quest, batch->known_hits, false);
}

static void keep_failure(wri_expedition *trip, unsigned lane, const wri_batch *batch)
{
    wri_pending *failed = &trip->failed[lane];
    unsigned     slot = trip->ranges[lane].slot;
    wri_runner_batch_outcome(trip->quest->runner, slot, &failed->outcome);
    failed->outcome.played = batch->played;
    failed->set = true;
    failed->index = batch->next;
    failed->journal = wri_runner_journal(trip->quest->runner, slot);
    free(failed->output);
    failed->output = strdup(failed->outcome.output);
    failed->outcome.output = failed->output;
    if (trip->quest->watched || trip->quest->chase != NULL)
        wri_trace_copy(&failed->trace, wri_runner_batch_trace(trip->quest->runner, slot));
}

/* What is left of a range after a failure waits until that is settled. */
static void keep_rest(wri_range *at, uint64_t next)
{
    uint64_t end = at->from + at->count + at->rest;
    *at = (wri_range){ .from = next, .count = next < end ? end - next : 0, .audit = false };
    at->waiting = at->count > 0;
}

/* After a batch something was wrong that no case was seen doing. To look after every case is
 * slow (a leak check takes milliseconds): halves are run again until few are left. */
static void look_into(wri_expedition *trip, wri_range *at, uint64_t next)
{
    uint64_t count = next - at->from;
    at->spare = 0;
    at->waiting = at->suspect = true;
    at->audit = count <= FEW_TO_AUDIT;
    at->count = at->audit ? count : count / 2;
    at->rest += count - at->count;
    if (next > trip->next)
        trip->next = next;
}

static void came_back(wri_expedition *trip, unsigned lane)
{
    wri_quest *quest = trip->quest;
    wri_range *at = &trip->ranges[lane];
    wri_batch  batch;
    unsigned   slot = at->slot;
    wri_runner_batch_now(quest->runner, slot, &batch);
    at->out = false;
    bool again = batch.checks_die || batch.end == WRI_BATCH_SUSPECT; /* so will the remarks */
    if (quest->watched && !again)
        wri_corpus_remarks(quest, trip->shards > 1 ? lane : 0);
    quest->largest = batch.largest > quest->largest ? batch.largest : quest->largest;
    quest->drew |= batch.drew;
    if (batch.checks_die) { /* the leak checker itself does not work here */
        wri_runner_no_leak_check(quest->runner);
        wri_quest_warn(quest, "leaks are not looked for: the leak checker does not run here");
        if (quest->watched) /* the same cases come again */
            wri_runner_restore_pool(quest->runner, trip->shards > 1 ? lane : 0);
        at->waiting = true;
        return;
    }
    if (batch.end == WRI_BATCH_SUSPECT) {
        wri_runner_drop(quest->runner, slot);
        if (quest->watched)
            wri_runner_restore_pool(quest->runner, trip->shards > 1 ? lane : 0);
        look_into(trip, at, batch.next);
        return;
    }
    if (batch.end == WRI_BATCH_ENDED) {
        keep_failure(trip, lane, &batch);
        add_part(trip, lane, &batch, true);
        if (batch.next + 1 > trip->next)
            trip->next = batch.next + 1;
        keep_rest(at, batch.next + 1);
        return;
    }
    if (batch.excused) { /* looking on would cost a worker and a report for each such case */
        wri_runner_no_leak_check(quest->runner);
        if (!trip->excused)
            wri_quest_warn(quest,
                           "a case that was not finished leaked: release memory with "
                           "wr_defer(); leaks are not looked for in this property any more");
        trip->excused = true;
        add_part(trip, lane, &batch, false);
        keep_rest(at, batch.next);
        return;
    }
    if (at->suspect && at->rest == 0)
        wri_quest_warn(quest,
                       "after some cases up to %llu something was wrong that none of them "
                       "did when run again",
                       (unsigned long long)batch.next);
    add_part(trip, lane, &batch, false);
    if (batch.lost > 0 && !quest->observations_lost)
        wri_quest_warn(quest, "some labels were not counted: a case had too many different ones");
    quest->observations_lost |= batch.lost > 0;
    if (at->spare > 0 || batch.next > trip->next) /* alone, it may have stopped anywhere */
        trip->next = batch.next;
    bool suspect = at->suspect && at->rest > 0;
    if (at->spare == 0 && !trip->ended)
        keep_rest(at, batch.next);
    else
        *at = (wri_range){ .from = batch.next };
    at->suspect = suspect && at->waiting;
}

/* ---- Failures, in order ---- */

bool wri_trip_failed(const wri_expedition *trip)
{
    for (unsigned i = 0; i < wri_trip_lanes(trip); i++)
        if (trip->failed[i].set)
            return true;
    return false;
}

static int earliest_failure(const wri_expedition *trip)
{
    int best = -1;
    for (unsigned i = 0; i < wri_trip_lanes(trip); i++)
        if (trip->failed[i].set && (best < 0 || trip->failed[i].index < trip->failed[best].index))
            best = (int)i;
    for (unsigned i = 0; i < wri_trip_lanes(trip) && best >= 0; i++)
        if ((trip->ranges[i].out || trip->ranges[i].waiting) && (int)i != best &&
            trip->ranges[i].from < trip->failed[best].index)
            return -1; /* something before it may still fail */
    return best;
}

void wri_trip_count(wri_expedition *trip, uint64_t before)
{
    wri_quest *quest = trip->quest;
    wri_tally_free(&quest->tally);
    wri_part sum = wri_parts_sum(&trip->parts, before, &quest->tally);
    quest->cases = sum.cases;
    quest->discarded = sum.discarded;
    quest->overrun = sum.overrun;
    quest->redrawn = sum.redrawn;
    quest->explored_calls = sum.calls;
    quest->sequences = sum.sequences;
    quest->cut_short = sum.cut;
}

static uint64_t executions_so_far(const wri_quest *quest)
{
    return quest->executions + quest->cases + quest->discarded + quest->overrun + quest->redrawn;
}

/* Everything that runs at an index above a failure is of no interest any more. */
static void recall(wri_expedition *trip, uint64_t above)
{
    for (unsigned i = 0; i < wri_trip_lanes(trip); i++)
        if (trip->ranges[i].out && trip->ranges[i].from > above) {
            wri_runner_drop(trip->quest->runner, trip->ranges[i].slot);
            trip->ranges[i].out = false;
        }
}

/* Which cases come after a new failure of a machine depends on what is learnt from it: what was
 * run of them is forgotten, and they begin anew. */
static void forget_later(wri_expedition *trip, uint64_t index)
{
    wri_quest *quest = trip->quest;
    recall(trip, index);
    wri_part dropped = wri_parts_drop(&trip->parts, index);
    wri_quest_count_known(quest, dropped.hits, true);
    for (unsigned i = 0; i < wri_trip_lanes(trip); i++) {
        trip->failed[i].set = false;
        trip->ranges[i] = (wri_range){ .from = index + 1 };
    }
    wri_trip_count(trip, index);
    trip->valid = quest->cases;
    trip->next = index + 1;
    trip->share = 0;
    wri_chase_settle_ran(quest->chase, index + 1);
}

static void settle_chased(wri_expedition *trip, wri_pending *failed)
{
    wri_quest *quest = trip->quest;
    bool       ends = wri_quest_ends(quest, &failed->outcome.verdict) ||
                !wri_chase_check_rules(quest->chase, &failed->trace);
    if (!ends && wri_chase_count(quest->chase, &failed->outcome, &failed->trace))
        return;
    forget_later(trip, failed->index);
    if (!ends) {
        uint64_t before = executions_so_far(quest);
        quest->cases -= quest->cases > 0; /* the failing one is among them */
        wri_chase_judge(quest->chase, failed->index, &failed->outcome, failed->journal, before,
                        &failed->trace);
        wri_quest_settle_met(quest, before);
        quest->cases = trip->valid;
    }
    trip->ended |= ends || !quest->many;
}

static void settle_failure(wri_expedition *trip, unsigned lane)
{
    wri_quest   *quest = trip->quest;
    wri_pending *failed = &trip->failed[lane];
    failed->set = false;
    if (quest->chase != NULL) {
        settle_chased(trip, failed);
        return;
    }
    bool ends = wri_quest_ends(quest, &failed->outcome.verdict);
    if (ends || !quest->many) {
        recall(trip, failed->index);
        wri_trip_count(trip, failed->index);
        trip->ended = true;
    }
    if (!quest->many || ends)
        wri_parts_free(&trip->parts);
    if (ends)
        return;
    uint64_t cases = quest->cases, discarded = quest->discarded, overrun = quest->overrun;
    uint64_t redrawn = quest->redrawn;
    if (quest->many)
        wri_trip_count(trip, failed->index);
    uint64_t before = executions_so_far(quest);
    quest->cases -= quest->cases > 0; /* the failing one is among them */
    wri_quest_judge(quest, failed->index, &failed->outcome, failed->journal, before,
                    quest->watched ? &failed->trace : NULL);
    wri_quest_settle_met(quest, before);
    if (quest->many) {
        quest->cases = cases;
        quest->discarded = discarded;
        quest->overrun = overrun;
        quest->redrawn = redrawn;
    } else {
        quest->cases++;
    }
}

/* ---- Until it is stable ---- */

/* By the pool, which workers could write to. Only what is shown at all counts as seen, not how
 * often in a case, nor how near it came. */
static wri_sightings sightings(const wri_pool *pool)
{
    wri_sightings now = { .cases = pool->cases,
                          .last = pool->last_new,
                          .crowded = pool->lost > 0 };
    uint32_t      count =
        pool->feature_count < WRI_POOL_FEATURES ? pool->feature_count : WRI_POOL_FEATURES;
    for (uint32_t i = 0; i < count; i++) {
        const wri_feature *feature = &pool->features[i];
        if (!wri_feature_covers(feature) || feature->cases == 0)
            continue;
        now.features++;
        now.once += feature->cases == 1;
        now.twice += feature->cases == 2;
    }
    if (now.last > now.cases)
        now.last = now.cases;
    return now;
}

/* What the cases so far have shown. Where each was watched, that is known to the case; else it is
 * their labels, and which case of the round was the first to show a new one is not known: the
 * last counts as that. */
static void look_back(wri_expedition *trip)
{
    wri_quest *quest = trip->quest;
    wri_trip_count(trip, UINT64_MAX);
    if (quest->watched) {
        quest->seen = sightings(wri_runner_pool(quest->runner, 0));
        return;
    }
    wri_sightings now = { .cases = quest->cases, .last = quest->seen.last };
    for (size_t i = 0; i < quest->tally.count; i++) {
        uint64_t cases = quest->tally.rows[i].cases[1];
        now.features += cases > 0;
        now.once += cases == 1;
        now.twice += cases == 2;
    }
    if (now.features > quest->seen.features)
        now.last = now.cases;
    quest->seen = now;
}

/* All cases of a round have been run: is there another one? */
static bool next_round(wri_expedition *trip)
{
    wri_quest *quest = trip->quest;
    if (!quest->until_stable)
        return false;
    look_back(trip);
    if (wri_stable(&quest->seen) || quest->seen.crowded || trip->valid < trip->round)
        return false;
    trip->round += trip->round / ROUND_GROWTH;
    return true;
}

/* Too few cases were left after discards. */
static bool too_few(const wri_expedition *trip)
{
    const wri_quest *quest = trip->quest;
    if (quest->until_stable ? wri_stable(&quest->seen) : quest->by_time)
        return false;
    return quest->cases < wri_trip_wanted(trip);
}

/* ---- The trip ---- */

static uint64_t running_now(wri_expedition *trip)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < wri_trip_lanes(trip); i++)
        if (trip->ranges[i].out) {
            wri_batch batch;
            wri_runner_batch_now(trip->quest->runner, trip->ranges[i].slot, &batch);
            sum += batch.next - trip->ranges[i].from - batch.discarded - batch.overrun;
        }
    return sum;
}

/* Told to stop, workers end after the case they are in; one that does not is taken away. */
static void stop_all(wri_expedition *trip)
{
    wri_quest *quest = trip->quest;
    double     until = wri_clock_seconds() + (wri_runner_interrupted() ? 0.5 : 1);
    bool       any = true;
    trip->ended = true;
    for (unsigned i = 0; i < wri_trip_lanes(trip); i++)
        if (trip->ranges[i].out)
            wri_runner_stop(quest->runner, trip->ranges[i].slot);
    while (any) {
        any = false;
        int slot = wri_runner_wait(quest->runner, &quest->limits, 20);
        if (slot >= 0)
            came_back(trip, lane_of(trip, (unsigned)slot));
        for (unsigned i = 0; i < wri_trip_lanes(trip); i++) {
            if (trip->ranges[i].out && wri_clock_seconds() > until) {
                wri_batch batch;
                wri_runner_batch_now(quest->runner, trip->ranges[i].slot, &batch);
                add_part(trip, i, &batch, false);
                quest->drew = true; /* or not: the batch never came to say */
                wri_runner_drop(quest->runner, trip->ranges[i].slot);
                trip->ranges[i].out = false;
            }
            any |= trip->ranges[i].out;
        }
    }
    for (unsigned i = 0; i < wri_trip_lanes(trip); i++)
        trip->ranges[i].waiting = false;
}

static void travel(wri_expedition *trip)
{
    wri_quest *quest = trip->quest;
    for (;;) {
        int failed = earliest_failure(trip);
        if (failed >= 0) {
            settle_failure(trip, (unsigned)failed);
            if (trip->ended)
                return;
        }
        if (wri_quest_time_is_up(quest)) {
            stop_all(trip);
            while ((quest->many || quest->bug_count == 0) &&
                   (failed = earliest_failure(trip)) >= 0)
                settle_failure(trip, (unsigned)failed);
            return;
        }
        if (!wri_trip_give_out(trip)) {
            if (!wri_trip_failed(trip) && !next_round(trip))
                return;
            continue;
        }
        int slot = wri_runner_wait(quest->runner, &quest->limits, 50);
        if (slot >= 0)
            came_back(trip, lane_of(trip, (unsigned)slot));
        quest->cases = trip->valid;
        wri_quest_progress(quest, running_now(trip));
    }
}

/* What a search could not go by, for want of room. */
static void warn_of_limits(wri_quest *quest)
{
    const wri_pool *pool = wri_runner_pool(quest->runner, 0);
    if (pool->lost > 0)
        wri_quest_warn(quest, "more different things were shown than can be kept apart: some of "
                              "them did not count as new");
    if (pool->too_large > 0)
        wri_quest_warn(quest,
                       "cases of more than about a hundred thousand choices were not learnt "
                       "from: %llu of them",
                       (unsigned long long)pool->too_large);
}

void wri_quest_explore(wri_quest *quest)
{
    wri_expedition trip = { .quest = quest,
                            .first_slot = quest->settings->no_fork ? 0 : 1,
                            .round = FIRST_ROUND,
                            .shards = 1 };
    unsigned       count = wri_trip_may_spread(&trip) ? WRI_SHARDS : wri_trip_lanes(&trip);
    if (quest->watched) {
        for (unsigned i = 0; i < WRI_SHARDS; i++)
            wri_pool_clear(wri_runner_pool(quest->runner, i));
        wri_runner_pool(quest->runner, 0)->talks = quest->guided && quest->settings->verbose;
        wri_corpus_recall(quest);
    }
    trip.ranges = calloc(count, sizeof *trip.ranges);
    trip.failed = calloc(count, sizeof *trip.failed);
    if (trip.ranges == NULL || trip.failed == NULL)
        quest->status = WRI_STATUS_ERROR;
    else
        travel(&trip);
    if (trip.parts.count > 0 || quest->bug_count == 0)
        if (quest->status != WRI_STATUS_SKIPPED && quest->status != WRI_STATUS_ERROR)
            look_back(&trip);
    if (quest->status == WRI_STATUS_HELD && quest->bug_count == 0 && !wri_runner_interrupted() &&
        !wri_quest_time_is_up(quest) && too_few(&trip))
        quest->status = WRI_STATUS_GAVE_UP;
    if (quest->chase != NULL && !wri_quest_time_is_up(quest))
        wri_chase_finish(quest->chase);
    quest->executions = executions_so_far(quest);
    if (quest->watched) {
        warn_of_limits(quest);
        wri_corpus_remember(quest);
    }
    for (unsigned i = 0; i < count && trip.failed != NULL; i++) {
        free(trip.failed[i].output);
        wri_trace_free(&trip.failed[i].trace);
    }
    wri_parts_free(&trip.parts);
    free(trip.ranges);
    free(trip.failed);
}
