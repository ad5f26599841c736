/* explore/ranges.c: decides which range of cases goes out next. */
#include "explore/ranges.h"

#define FIRST_BATCH 64
#define LARGEST_BATCH ((uint64_t)1 << 16)
/* How many cases may be discarded for each that is wanted. */
#define DISCARDS_EACH 20
#define DISCARDS_FREE 1000
/* After so many cases, nearly all of them too large, there is no hope; each of them is slow. */
#define FIRST_CHECKPOINT 64
#define CHECKPOINT 256
/* Until it is stable, cases are run in rounds. The next round is longer by such a part of all
 * cases so far. */
#define FIRST_ROUND 100
#define ROUND_GROWTH 8
/* Batches of a round of a chased machine, however many workers there are. */
#define PACED_BATCHES 8

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- Shards ---- */

/* Small enough that time is shared fairly, and large enough for a batch. */
#define LARGEST_BLOCK 1024

wri_shard wri_ranges_shard(uint64_t cases, uint32_t number, uint32_t count)
{
    uint64_t block = cases / count + (cases % count > 0);
    block = block == 0 ? 1 : lesser(block, LARGEST_BLOCK);
    return (
        wri_shard){ .number = number, .count = count, .block = count == 1 ? UINT64_MAX : block };
}

uint64_t wri_ranges_share(const wri_shard *shard, uint64_t cases)
{
    if (shard->count == 1)
        return cases;
    uint64_t turn = shard->block * shard->count, rest = cases % turn;
    uint64_t before = shard->block * shard->number;
    return cases / turn * shard->block +
           (rest > before ? lesser(rest - before, shard->block) : 0);
}

/* From a place to the number of its case, and back. */
static uint64_t number_at(const wri_shard *shard, uint64_t place)
{
    if (shard->count == 1)
        return place;
    uint64_t turn = place / shard->block;
    return (turn * shard->count + shard->number) * shard->block + place % shard->block;
}

static uint64_t place_of(const wri_shard *shard, uint64_t number)
{
    return number / shard->block / shard->count * shard->block + number % shard->block;
}

uint64_t wri_ranges_number(const wri_ranges *ranges, uint64_t place)
{
    return number_at(&ranges->run.shard, place);
}

uint64_t wri_ranges_place(const wri_ranges *ranges, uint64_t number)
{
    return place_of(&ranges->run.shard, number);
}

uint64_t wri_ranges_next(const wri_ranges *ranges)
{
    return number_at(&ranges->run.shard, ranges->next);
}

uint64_t wri_ranges_stretch(const wri_ranges *ranges)
{
    return ranges->run.shard.block - ranges->next % ranges->run.shard.block;
}

/* ---- Ranges ---- */

void wri_ranges_open(wri_ranges *ranges, const wri_exploration *run)
{
    *ranges = (wri_ranges){
        .run = *run, .round = FIRST_ROUND, .begun = run->owned, .checked = run->owned
    };
}

uint64_t wri_ranges_wanted(const wri_ranges *ranges)
{
    return ranges->run.until_stable ? lesser(ranges->round, ranges->run.wanted)
                                    : ranges->run.wanted;
}

/* The last case that may be tried at all. */
static uint64_t last_case(const wri_ranges *ranges)
{
    uint64_t wanted = wri_ranges_wanted(ranges);
    return wanted > UINT64_MAX / 64 ? UINT64_MAX / 2
                                    : wanted * (DISCARDS_EACH + 1) + DISCARDS_FREE;
}

/* Ends the run when nearly every case was too large. Stops drawing refuted cases again when so
 * few are found that the run will give up in the end: it does so sooner without. */
static void pass_checkpoint(wri_ranges *ranges)
{
    ranges->checked = true;
    ranges->ended = ranges->overrun * 10 >= CHECKPOINT * 9;
    if (!ranges->run.by_time && ranges->valid * DISCARDS_EACH < CHECKPOINT)
        *ranges->run.redraw = WRI_REDRAW_OFF;
}

/* Ends the run when every case so far was too large: such cases cost most, and one that is not
 * would come by now if there were one in ten. */
static void pass_first_checkpoint(wri_ranges *ranges)
{
    ranges->begun = true;
    ranges->ended = ranges->overrun >= FIRST_CHECKPOINT;
}

bool wri_ranges_limit(wri_ranges *ranges, uint64_t outstanding, uint64_t wall, uint64_t *limit)
{
    *limit = last_case(ranges);
    if (!ranges->begun && ranges->next >= FIRST_CHECKPOINT && outstanding == 0)
        pass_first_checkpoint(ranges);
    if (!ranges->checked && ranges->next >= CHECKPOINT && outstanding == 0)
        pass_checkpoint(ranges);
    if (!ranges->checked)
        *limit = lesser(*limit, ranges->begun ? CHECKPOINT : FIRST_CHECKPOINT);
    else if (ranges->next < wall)
        *limit = lesser(*limit, wall);
    if (ranges->until > 0)
        *limit = lesser(*limit, ranges->until);
    return !ranges->ended && ranges->next < *limit;
}

static uint64_t batch_size(const wri_ranges *ranges, unsigned workers)
{
    uint64_t turn = ranges->batches / workers;
    uint64_t size = turn >= 10 ? LARGEST_BATCH : (uint64_t)FIRST_BATCH << turn;
    return ranges->run.fork_each ? 1 : ranges->run.owned ? UINT64_MAX : size;
}

/* Alone at the end, a worker may make up for discarded cases by itself. */
static void go_alone(const wri_ranges *ranges, wri_order *order, unsigned workers, uint64_t size,
                     uint64_t left, uint64_t room)
{
    if (ranges->run.fork_each || (workers > 1 && left > FIRST_BATCH))
        return;
    order->count = lesser(size, left);
    if (workers > 1 || order->count == left)
        order->count = lesser(left, LARGEST_BATCH);
    order->count = lesser(order->count, room);
    order->spare = lesser(room - order->count, LARGEST_BATCH);
}

/* The next range of a chased machine. */
static bool give_paced(wri_ranges *ranges, uint64_t outstanding, wri_order *order)
{
    const wri_pace *pace = &ranges->run.pace;
    uint64_t        wanted = wri_ranges_wanted(ranges), limit, from = wri_ranges_next(ranges);
    if (ranges->share == 0 || ranges->paced == PACED_BATCHES ||
        pace->pauses(pace->context, from)) {
        if (outstanding > 0 || ranges->valid >= wanted)
            return false;
        pace->round(pace->context, from);
        ranges->share = wanted - ranges->valid;
        ranges->paced = 0;
    }
    if (!wri_ranges_limit(ranges, outstanding, 0, &limit))
        return false;
    uint64_t size = lesser(pace->alike(pace->context, from), ranges->share);
    size = lesser(size, wri_ranges_stretch(ranges));
    *order = (wri_order){ .from = from, .count = lesser(size, limit - ranges->next) };
    ranges->share -= order->count;
    ranges->paced++;
    return true;
}

static bool give_plain(wri_ranges *ranges, uint64_t outstanding, unsigned workers, uint64_t wall,
                       wri_order *order)
{
    uint64_t wanted = wri_ranges_wanted(ranges), limit;
    if (!wri_ranges_limit(ranges, outstanding, wall, &limit) ||
        ranges->valid + outstanding >= wanted)
        return false;
    uint64_t left = wanted - ranges->valid - outstanding;
    uint64_t room = lesser(limit - ranges->next, wri_ranges_stretch(ranges));
    uint64_t size = lesser(batch_size(ranges, workers), left / workers + 1);
    *order = (wri_order){ .from = wri_ranges_next(ranges), .count = lesser(size, room) };
    if (outstanding == 0 && !ranges->run.owned)
        go_alone(ranges, order, workers, size, left, room);
    return true;
}

bool wri_ranges_give(wri_ranges *ranges, const wri_standing *standing, unsigned workers,
                     uint64_t wall, wri_order *order)
{
    if (standing->lone ||
        !(ranges->run.pace.alike != NULL
              ? give_paced(ranges, standing->outstanding, order)
              : give_plain(ranges, standing->outstanding, workers, wall, order)))
        return false;
    ranges->next += order->count;
    ranges->batches++;
    return true;
}

unsigned wri_ranges_take(void *self, wri_order *order, wri_batch *batch, const void *block,
                         wri_batch_counts *counts, wri_order rests[WRI_RESTS])
{
    wri_ranges *ranges = self;
    (void)block;
    bool     failed = batch->end == WRI_BATCH_ENDED;
    uint64_t done = batch->next + failed - order->from, all = order->count + order->rest;
    uint64_t first = place_of(&ranges->run.shard, order->from), next = first + done;
    ranges->valid += counts->cases;
    ranges->overrun += counts->overrun;
    bool lone = order->spare > 0 && !failed && !batch->excused;
    if (lone || next > ranges->next) /* it may have stopped anywhere */
        ranges->next = next;
    if (lone || done >= all)
        return 0;
    if (first + all > ranges->next)
        ranges->next = first + all;
    rests[0] = (wri_order){ .from = order->from + done,
                            .count = all - done,
                            .shard = order->shard,
                            .suspected = order->suspected };
    if (order->rest > 0 && !failed && !batch->excused)
        rests[0].suspect = order->suspect;
    return 1;
}

void wri_ranges_back(void *self, uint64_t index, uint64_t counted)
{
    wri_ranges *ranges = self;
    ranges->valid = counted;
    ranges->next = place_of(&ranges->run.shard, index) + 1;
    ranges->share = 0;
}

wri_round wri_ranges_rest(void *self, const wri_sightings *seen, size_t bugs)
{
    wri_ranges *ranges = self;
    (void)bugs;
    if (!ranges->run.until_stable || wri_stable(seen) || seen->crowded ||
        ranges->valid < ranges->round)
        return WRI_ROUND_OVER;
    ranges->round += ranges->round / ROUND_GROWTH;
    return WRI_ROUND_NEXT;
}

void wri_ranges_allow(void *self, uint64_t cases)
{
    wri_ranges *ranges = self;
    ranges->until = cases < UINT64_MAX / 4 ? ranges->next + cases : 0;
}

void wri_ranges_more(void *self, uint64_t wanted)
{
    ((wri_ranges *)self)->run.wanted = wanted;
}

wri_status wri_ranges_conclude(void *self, const wri_sightings *seen, uint64_t cases,
                               uint64_t discarded, const char **why)
{
    const wri_ranges *ranges = self;
    (void)discarded, (void)why;
    bool enough = ranges->run.until_stable ? wri_stable(seen) : ranges->run.by_time;
    return enough || cases >= wri_ranges_wanted(ranges) ? WRI_STATUS_HELD : WRI_STATUS_GAVE_UP;
}
