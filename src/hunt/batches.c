/* hunt/batches.c: the conductor's loop, for every explorer.
 *
 * It sends orders to free workers, takes results, counts them in sequence, and looks into
 * failures. A batch that ends with a suspicion (a leak, say) is run again in halves, until the
 * case is found.
 */
#include "hunt/batches.h"

#include <stdlib.h>
#include <string.h>

#include "chase/chase.h"

/* So many cases are looked at one by one when something was wrong after them. */
#define FEW_TO_AUDIT 64

/* ---- The list ---- */

static void free_entry(wri_batches *batches, wri_batch_entry *at)
{
    if (at->state == WRI_ENTRY_OUT)
        wri_runner_drop(batches->quest->runner, at->slot);
    if (batches->explorer->drop != NULL)
        batches->explorer->drop(batches->self, &at->order);
    wri_tally_free(&at->tally);
    free(at->sketch);
    free(at->told);
    wri_trace_free(&at->trace);
    free(at->output);
    free(at);
}

/* Drops the list from here on, and takes workers away from the orders that are out. */
static void drop_from(wri_batches *batches, wri_batch_entry **from)
{
    while (*from != NULL) {
        wri_batch_entry *next = (*from)->next;
        free_entry(batches, *from);
        *from = next;
    }
}

static void out_of_memory(wri_batches *batches)
{
    wri_quest_refuse(batches->quest, "out of memory");
    batches->ended = true;
}

static wri_batch_entry *insert(wri_batches *batches, wri_batch_entry **where,
                               const wri_order *order)
{
    wri_batch_entry *made = calloc(1, sizeof *made);
    if (made == NULL) {
        wri_order lost = *order;
        if (batches->explorer->drop != NULL)
            batches->explorer->drop(batches->self, &lost);
        out_of_memory(batches);
        return NULL;
    }
    made->order = *order;
    made->next = *where;
    *where = made;
    return made;
}

static wri_batch_entry **end_of(wri_batches *batches)
{
    wri_batch_entry **at = &batches->first;
    while (*at != NULL)
        at = &(*at)->next;
    return at;
}

static wri_batch_entry *out_at(const wri_batches *batches, unsigned slot)
{
    wri_batch_entry *at = batches->first;
    while (at != NULL && (at->state != WRI_ENTRY_OUT || at->slot != slot))
        at = at->next;
    return at;
}

/* The row that runs an order. */
static const wri_explorer *runs(const wri_batches *batches, const wri_order *order)
{
    return order->by != NULL ? order->by : batches->explorer;
}

/* ---- Giving out ---- */

static uint64_t still_wanted(const wri_quest *quest)
{
    if (quest->by_time)
        return UINT64_MAX;
    return quest->cases_wanted > quest->cases ? quest->cases_wanted - quest->cases : 0;
}

static void send_out(wri_batches *batches, wri_batch_entry *at, unsigned slot)
{
    wri_quest *quest = batches->quest;
    wri_job    job = wri_quest_job(quest);
    job.explorer = runs(batches, &at->order);
    job.constants = wri_quest_draws_constants(quest, job.explorer);
    job.seed ^= at->order.salt;
    job.from = at->order.from;
    job.count = quest->fork_each ? 1 : at->order.count;
    job.spare = at->order.spare;
    job.audit = at->order.audit;
    job.sketched = quest->settings->html != NULL;
    job.told = at->order_told = wri_telling_goes_on(quest);
    at->order.wanted = still_wanted(quest);
    if (quest->chase != NULL && (batches->explorer->needs & WRI_NEEDS_PACE)) {
        job.traced = true;
        job.play = wri_chase_terms(quest->chase, at->order.from);
        if (!(batches->explorer->needs & WRI_HOT)) /* it may run a sequence again and change it */
            job.play.ran = NULL;
    }
    job.traced |= quest->reason_count > 0;
    at->traced = quest->reason_count > 0;
    if (batches->explorer->send != NULL)
        batches->explorer->send(batches->self, &at->order, wri_runner_block(quest->runner, slot));
    at->state = WRI_ENTRY_OUT;
    at->slot = slot;
    at->alone = quest->fork_each;
    wri_runner_forget_seen(quest->runner, slot);
    bool fresh = quest->fork_each || (at->order.audit && !at->sure);
    wri_runner_batch(quest->runner, slot, &job, fresh);
}

static bool find_worker(const wri_batches *batches, unsigned *slot)
{
    unsigned end = batches->first_slot + batches->workers;
    for (*slot = batches->first_slot; *slot < end; ++*slot)
        if (out_at(batches, *slot) == NULL)
            return true;
    return false;
}

/* Those of one row, or all. */
static void count_standing(const void *context, const wri_explorer *by, wri_standing *standing)
{
    const wri_batches *batches = context;
    standing->outstanding = 0;
    standing->lone = false;
    for (const wri_batch_entry *at = batches->first; at != NULL; at = at->next)
        if (at->state != WRI_ENTRY_DONE && (by == NULL || by == at->order.by)) {
            standing->outstanding += at->order.count + at->order.rest;
            standing->lone |= at->state == WRI_ENTRY_OUT && at->order.spare > 0;
        }
}

static wri_standing standing_now(const wri_batches *batches)
{
    const wri_quest *quest = batches->quest;
    wri_standing     now = { .shown = wri_tally_shown(&quest->tally, quest->cases - quest->aside),
                             .of = count_standing,
                             .context = batches };
    count_standing(batches, NULL, &now);
    return now;
}

static bool is_judged(const wri_batches *batches)
{
    return (batches->explorer->needs & WRI_NEEDS_JUDGE) != 0;
}

/* Orders that wait go out first, the earliest before all others; then new ones. Nothing goes out
 * behind a failure. The judge runs an order at once, and the next one is given when that has
 * counted. False: none is out. */
static bool give_out(wri_batches *batches)
{
    unsigned  slot;
    wri_order order;
    bool      failed = false, any = false;
    for (wri_batch_entry *at = batches->first; at != NULL; at = at->next) {
        failed |= at->failed;
        if (at->state == WRI_ENTRY_WAITS && !failed && find_worker(batches, &slot))
            send_out(batches, at, slot);
        any |= at->state == WRI_ENTRY_OUT;
    }
    while (!failed && !batches->ended && find_worker(batches, &slot)) {
        wri_standing now = standing_now(batches);
        if (!batches->explorer->give(batches->self, &now, &order))
            break;
        wri_batch_entry *made = insert(batches, end_of(batches), &order);
        if (made == NULL)
            break;
        any = true;
        if (is_judged(batches)) {
            wri_judged_run(batches, made);
            break;
        }
        send_out(batches, made, slot);
    }
    return any;
}

/* ---- Coming back ---- */

static wri_batch_counts counts_of(const wri_order *order, const wri_batch *batch)
{
    bool             failed = batch->end == WRI_BATCH_ENDED;
    uint64_t         runs = batch->next - order->from + failed;
    wri_batch_counts counts = { .cases = runs - batch->discarded - batch->overrun,
                                .discarded = batch->discarded,
                                .overrun = batch->overrun,
                                .redrawn = batch->redrawn - batch->passes,
                                .executions = runs + batch->redrawn - batch->warm,
                                .calls = batch->played.calls,
                                .sequences = batch->played.sequences,
                                .cut = batch->played.cut,
                                .full = batch->played.full,
                                .given = batch->played.given,
                                .lost = batch->lost };
    memcpy(counts.hits, batch->known_hits, sizeof counts.hits);
    return counts;
}

/* Takes the log of the case that a batch ended with, or is in, unless it is a function of the
 * seed. False: memory is out. */
static bool take_log(wri_batches *batches, wri_batch_entry *at)
{
    wri_runner         *runner = batches->quest->runner;
    const wri_explorer *by = runs(batches, &at->order);
    if (by->log != NULL)
        return by->log(&at->order, wri_runner_block(runner, at->slot), &at->trace);
    if (!(by->needs & WRI_NEEDS_TRACE) && batches->quest->chase == NULL && !at->traced)
        return true;
    const wri_trace *found = wri_runner_batch_trace(runner, at->slot);
    return found != NULL && wri_trace_copy(&at->trace, found);
}

static wri_repeat repeat_of(wri_batches *batches, const wri_order *order)
{
    wri_repeat repeat = { .manner = WRI_MANNER_RANDOM };
    if (batches->explorer->repeat != NULL)
        repeat = batches->explorer->repeat(batches->self, order);
    repeat.salt = order->salt;
    repeat.by = order->by;
    return repeat;
}

static void take_failure(wri_batches *batches, wri_batch_entry *at, const wri_batch *batch)
{
    wri_quest  *quest = batches->quest;
    wri_runner *runner = quest->runner;
    at->failed = true;
    at->index = batch->next;
    at->journal = wri_runner_journal(runner, at->slot);
    wri_runner_batch_outcome(runner, at->slot, &at->outcome);
    at->outcome.played = batch->played;
    at->output = strdup(at->outcome.output == NULL ? "" : at->outcome.output);
    at->outcome.output = at->output;
    if (at->output == NULL || !take_log(batches, at))
        out_of_memory(batches);
}

/* The cases of the order are run again: a batch that died of its checks, or was suspect. */
static void run_again(wri_batches *batches, wri_batch_entry *at)
{
    at->state = WRI_ENTRY_WAITS;
    if (batches->explorer->undo != NULL)
        batches->explorer->undo(batches->self, &at->order);
}

/* After a batch something was wrong that no case was seen doing. To look after every case is slow
 * (a leak check takes milliseconds): halves are run again until few are left. A case that is
 * known to have leaked is run alone, after those before it. */
static void look_closer(wri_order *order, const wri_batch *batch)
{
    uint64_t ran = batch->next > order->from ? batch->next - order->from : order->count;
    uint64_t before = batch->leaker > 0 ? batch->leaker - 1 - order->from : 0;
    if (order->suspect == WRI_NONE)
        order->suspected = order->from;
    order->spare = 0;
    order->suspect = batch->suspicion;
    order->audit = batch->leaker > 0 ? before == 0 : ran <= FEW_TO_AUDIT;
    order->count = batch->leaker == 0 ? (order->audit ? ran : ran / 2) : before > 0 ? before : 1;
    order->rest += ran - order->count;
}

/* Looking on would cost a worker and a report for each such case. */
static void excuse(wri_batches *batches)
{
    wri_runner_no_leak_check(batches->quest->runner);
    if (!batches->excused)
        wri_quest_warn(
            batches->quest,
            "a case that ended early leaked memory: release memory with wr_defer(); this "
            "property is not checked for leaks any more");
    batches->excused = true;
}

/* A check after these cases failed, and none of them fails it alone. */
static void warn_of_nobody(wri_quest *quest, const wri_order *order, uint64_t next)
{
    static const char *const FOUND[WRI_VERDICT_COUNT][2] = {
        [WRI_LEAK] = { "a leak was reported", "leaks" },
        [WRI_SANITIZER] = { "a sanitizer reported an error", "has one" },
        [WRI_DESCRIPTORS] = { "standard input, output or error was closed", "closes it" },
        [WRI_STRAY] = { "a forked child came back", "forks one" },
        [WRI_KILLED] = { "a worker died", "kills it" },
    };
    const char *const *found = FOUND[order->suspect < WRI_VERDICT_COUNT ? order->suspect : 0];
    if (found[0] == NULL)
        found = FOUND[WRI_KILLED];
    wri_quest_warn(quest, "%s after cases %llu to %llu, but no single case %s when run alone",
                   found[0], (unsigned long long)order->suspected + 1, (unsigned long long)next,
                   found[1]);
}

/* Must the batch be run again? */
static bool is_void(wri_batches *batches, wri_batch_entry *at, const wri_batch *batch)
{
    wri_quest *quest = batches->quest;
    if (batch->checks_die) {
        wri_runner_no_leak_check(quest->runner);
        wri_quest_warn(quest, "leaks are not checked: the leak checker does not run here");
    } else if (batch->crowded && !at->alone) {
        quest->fork_each = true; /* which of its cases started how many is not known */
    } else if (batch->end == WRI_BATCH_SUSPECT) {
        at->sure = batch->leaker > 0;
        if (!at->sure)
            wri_runner_drop(quest->runner, at->slot);
        look_closer(&at->order, batch);
    } else {
        return false;
    }
    run_again(batches, at);
    return true;
}

static void say_remark(void *context, const char *line)
{
    wri_quest *quest = context;
    WRI_TELL(quest->reporter, remark, quest->property->name, line);
}

/* Neighbours that are done and cannot fail count as one: a run of hours must not grow by the
 * batches that wait for a slow one. */
static void join_done(wri_batches *batches)
{
    for (wri_batch_entry *at = batches->first; at != NULL && at->next != NULL;) {
        wri_batch_entry *next = at->next;
        bool             alike = at->order.by == next->order.by;
        if (at->state != WRI_ENTRY_DONE || at->failed || next->state != WRI_ENTRY_DONE ||
            next->failed || !alike || runs(batches, &at->order)->count != NULL) {
            at = next;
            continue;
        }
        wri_quest_add_counts(&at->counts, &next->counts);
        wri_tally_add(&at->tally, &next->tally);
        wri_sketch_add(&at->sketch, next->sketch);
        wri_telling_join(at, next);
        at->next = next->next;
        free_entry(batches, next);
    }
}

/* Are its cases none of the sample, because another row than the run's runs them in its way? */
static bool is_aside(const wri_batch_entry *at)
{
    return at->order.by != NULL && (at->order.by->needs & WRI_SKEWS) != 0;
}

/* Takes the observations of a batch. If its cases are not distributed as those of the run are,
 * they say what there is, and nothing about how often it comes. */
static void take_shown(wri_batches *batches, wri_batch_entry *at)
{
    at->counts.aside = is_aside(at) ? at->counts.cases : 0;
    wri_tally_take(&at->tally, wri_runner_seen(batches->quest->runner, at->slot),
                   at->counts.cases, is_aside(at));
}

static void came_back(wri_batches *batches, wri_batch_entry *at)
{
    wri_quest *quest = batches->quest;
    wri_order  rests[WRI_RESTS];
    wri_batch  batch;
    wri_runner_batch_now(quest->runner, at->slot, &batch);
    quest->largest = batch.largest > quest->largest ? batch.largest : quest->largest;
    quest->drew |= batch.drew;
    if (is_void(batches, at, &batch))
        return;
    if (batches->explorer->remarks != NULL)
        batches->explorer->remarks(batches->self, &at->order, say_remark, quest);
    if (batch.leaked)
        at->order.suspect = WRI_NONE; /* it was about these leaks */
    if (batch.excused)
        excuse(batches);
    else if (batch.end == WRI_BATCH_DONE && at->order.suspect && at->order.rest == 0)
        warn_of_nobody(quest, &at->order, batch.next);
    at->state = WRI_ENTRY_DONE;
    at->counts = counts_of(&at->order, &batch);
    unsigned count =
        batches->explorer->take(batches->self, &at->order, &batch,
                                wri_runner_block(quest->runner, at->slot), &at->counts, rests);
    if (batch.end == WRI_BATCH_ENDED)
        take_failure(batches, at, &batch);
    wri_telling_take(batches, at);
    take_shown(batches, at);
    if (!is_aside(at))
        wri_sketch_add(&at->sketch, wri_runner_sketch(quest->runner, at->slot));
    if (quest->chase != NULL && (batches->explorer->needs & WRI_NEEDS_PACE) &&
        (batches->explorer->needs & WRI_HOT))
        wri_chase_ran(quest->chase, at->slot, at->order.from);
    for (unsigned i = count; i-- > 0;)
        insert(batches, &at->next, &rests[i]);
    join_done(batches);
}

/* ---- Failures, in order ---- */

/* The conductor's log of an enumerated case has no spans: the judge runs it once more for the
 * chase, which reads calls out of it. */
static bool read_calls(wri_batches *batches, wri_batch_entry *at, wri_manner manner)
{
    wri_outcome outcome;
    wri_job     job = wri_quest_job(batches->quest);
    if (manner != WRI_MANNER_ORDER)
        return true;
    job.manner = manner;
    wri_quest_single(batches->quest, &job, &at->trace, false, &outcome);
    return wri_verdict_failed(&outcome.verdict) && outcome.origin == at->outcome.origin &&
           wri_trace_copy(&at->trace, &outcome.trace);
}

/* Which random cases come after a new failure of a machine depends on what is learnt from it:
 * those that were run are forgotten, and they begin anew. */
static void forget_later(wri_batches *batches, wri_batch_entry *at)
{
    if (!(batches->explorer->needs & WRI_NEEDS_PACE))
        return;
    drop_from(batches, &at->next);
    batches->explorer->back(batches->self, at->index, batches->quest->cases);
    wri_chase_settle_ran(batches->quest->chase, at->index + 1);
}

/* `repeat` is NULL for a case that the chase looks into. */
static void judge(wri_quest *quest, const wri_batch_entry *at, const wri_trace *found,
                  const wri_repeat *repeat)
{
    uint64_t before = wri_quest_executions(quest);
    quest->cases -= quest->cases > 0; /* the failing one is among them */
    if (repeat == NULL)
        wri_chase_judge(quest->chase, at->index, &at->outcome, at->journal, before, found);
    else
        wri_quest_judge(quest, at->index, &at->outcome, at->journal, before, found, repeat);
    wri_quest_settle_met(quest, before);
    quest->cases++;
}

static void settle_chased(wri_batches *batches, wri_batch_entry *at, wri_repeat repeat)
{
    wri_quest *quest = batches->quest;
    wri_chase *chase = quest->chase;
    bool       ends = wri_quest_ends(quest, &at->outcome.verdict);
    if (!ends && !read_calls(batches, at, repeat.manner)) { /* it does not fail alone */
        judge(quest, at, &at->trace, &repeat);
        return;
    }
    ends |= !ends && !wri_chase_check_rules(chase, &at->trace);
    if (!ends && wri_chase_count(chase, at->index, &at->outcome, &at->trace))
        return;
    forget_later(batches, at);
    if (!ends)
        judge(quest, at, &at->trace, NULL);
    else if (at->outcome.verdict.kind == WRI_MISUSE) {
        if (repeat.manner == WRI_MANNER_RANDOM)
            repeat.manner = WRI_MANNER_ALIGNED;
        wri_quest_repeat_misuse(quest, at->index, &at->trace, &repeat);
    }
    if (!ends && !(batches->explorer->needs & WRI_NEEDS_PACE))
        wri_chase_finish(chase); /* nobody pauses for its guards later */
    batches->ended |= ends || !quest->many;
}

static void settle_failure(wri_batches *batches, wri_batch_entry *at)
{
    wri_quest *quest = batches->quest;
    wri_repeat repeat = repeat_of(batches, &at->order);
    at->failed = false;
    if (quest->chase != NULL) {
        settle_chased(batches, at, repeat);
        return;
    }
    bool ends = wri_quest_ends(quest, &at->outcome.verdict);
    batches->ended |= ends || !quest->many;
    if (batches->ended)
        drop_from(batches, &at->next);
    const wri_trace *found = repeat.manner == WRI_MANNER_RANDOM ? NULL : &at->trace;
    if (at->outcome.verdict.kind == WRI_MISUSE)
        wri_quest_repeat_misuse(quest, at->index, found, &repeat);
    if (ends)
        return;
    wri_bug *known = wri_quest_explained(
        quest, at->outcome.origin,
        at->traced && runs(batches, &at->order)->log == NULL ? &at->trace : NULL);
    if (known != NULL) {
        known->failure.seen++;
        return;
    }
    if (wri_quest_full(quest)) {
        batches->ended = true;
        return;
    }
    judge(quest, at, found, &repeat);
}

/* The batch ran ahead, and has more cases than are wanted: once more, up to the last of them. */
static bool ran_too_far(wri_batches *batches, wri_batch_entry *at)
{
    if (!(batches->explorer->needs & WRI_COUNTS_RUNS) ||
        at->counts.cases <= still_wanted(batches->quest))
        return false;
    drop_from(batches, &at->next);
    wri_tally_free(&at->tally);
    free(at->sketch);
    at->sketch = NULL;
    at->failed = false;
    at->order.count = UINT64_MAX / 2;
    free(at->output);
    at->output = NULL;
    run_again(batches, at);
    return true;
}

static void count_entry(wri_batches *batches, wri_batch_entry *at)
{
    wri_quest *quest = batches->quest;
    wri_quest_count(quest, &at->counts, &at->tally);
    wri_sketch_add(&quest->sketch, at->sketch);
    wri_telling_tell(batches, at);
    if (at->counts.lost > 0 && !quest->trouble.labels_lost)
        wri_quest_warn(quest,
                       "some labels were not counted: a case had too many different labels");
    quest->trouble.labels_lost |= at->counts.lost > 0;
    bool vain = batches->explorer->count != NULL &&
                !batches->explorer->count(batches->self, &at->order, &at->counts);
    if (is_judged(batches))
        wri_judged_settle(batches, at);
    else if (at->failed)
        settle_failure(batches, at);
    batches->ended |= vain || quest->status == WRI_STATUS_ERROR;
}

/* Counts the batches that are done and have nothing before them. */
static void count_first(wri_batches *batches)
{
    while (batches->first != NULL && batches->first->state == WRI_ENTRY_DONE && !batches->ended) {
        wri_batch_entry *at = batches->first;
        if (ran_too_far(batches, at))
            return;
        count_entry(batches, at);
        batches->first = at->next;
        free_entry(batches, at);
    }
}

/* ---- The end ---- */

/* Cases that batches have run and that have not counted yet. */
static uint64_t running_now(wri_batches *batches)
{
    wri_runner *runner = batches->quest->runner;
    uint64_t    sum = 0;
    for (const wri_batch_entry *at = batches->first; at != NULL; at = at->next) {
        wri_batch batch;
        if (at->state == WRI_ENTRY_DONE)
            sum += at->counts.cases;
        if (at->state != WRI_ENTRY_OUT)
            continue;
        wri_runner_batch_now(runner, at->slot, &batch);
        sum += runs(batches, &at->order)->running == NULL
                   ? batch.next - at->order.from - batch.discarded - batch.overrun
                   : runs(batches, &at->order)->running(wri_runner_block(runner, at->slot));
    }
    return sum;
}

/* A case must have run for so long to be shown. Showing takes up to half a second, and a run that
 * was interrupted must end within two. */
#define SHOWN_AFTER_MS 400

/* The first case that kept a worker from stopping is shown. */
static void show_running(wri_batches *batches, wri_batch_entry *at, uint64_t index)
{
    wri_quest *quest = batches->quest;
    wri_repeat repeat = repeat_of(batches, &at->order);
    uint64_t   ran_ms = wri_runner_running_ms(quest->runner, at->slot);
    if (quest->interrupted || ran_ms < SHOWN_AFTER_MS || !take_log(batches, at))
        return;
    bool logged = at->trace.node_count > 0;
    if (repeat.manner == WRI_MANNER_RANDOM && logged)
        repeat.manner = WRI_MANNER_ALIGNED;
    wri_quest_show_running(quest, index, ran_ms, logged ? &at->trace : NULL, &repeat);
}

/* A worker that does not stop is taken away; its cases count up to the one that runs, unless the
 * explorer counts by itself. */
static void abandon(wri_batches *batches, wri_batch_entry *at)
{
    wri_batch batch;
    wri_runner_batch_now(batches->quest->runner, at->slot, &batch);
    show_running(batches, at, batch.next);
    batch.end = WRI_BATCH_DONE;
    if (!(runs(batches, &at->order)->needs & WRI_COUNTS_RUNS)) {
        at->counts = counts_of(&at->order, &batch);
        take_shown(batches, at);
    }
    wri_runner_drop(batches->quest->runner, at->slot);
    batches->quest->drew = true; /* or not: the batch never came to say */
    at->state = WRI_ENTRY_DONE;
}

static void wait_for_batch(wri_batches *batches, uint64_t milliseconds)
{
    wri_quest       *quest = batches->quest;
    int              slot = wri_runner_wait(quest->runner, &quest->limits, milliseconds);
    wri_batch_entry *at = slot < 0 ? NULL : out_at(batches, (unsigned)slot);
    if (at != NULL)
        came_back(batches, at);
}

/* Told to stop, workers end after the case they are in. Then all that was run counts, and of the
 * orders that wait nothing does. */
static void stop_all(wri_batches *batches)
{
    wri_quest *quest = batches->quest;
    double     until = wri_clock_seconds() + (wri_interrupt_came() ? 0.5 : 1);
    bool       any = true;
    for (wri_batch_entry *at = batches->first; at != NULL; at = at->next)
        if (at->state == WRI_ENTRY_OUT)
            wri_runner_stop(quest->runner, at->slot);
    while (any) {
        any = false;
        wait_for_batch(batches, 20);
        for (wri_batch_entry *at = batches->first; at != NULL; at = at->next) {
            if (at->state == WRI_ENTRY_OUT && wri_clock_seconds() > until)
                abandon(batches, at);
            any |= at->state == WRI_ENTRY_OUT;
        }
    }
    for (wri_batch_entry **at = &batches->first; *at != NULL && !batches->ended;) {
        wri_batch_entry *now = *at;
        bool             waits = now->state == WRI_ENTRY_WAITS;
        if (!waits && !(runs(batches, &now->order)->needs & WRI_COUNTS_RUNS)) {
            count_entry(batches, now);
        } else if (!waits && at == &batches->first) {
            count_first(batches);
            continue;
        }
        *at = now->next;
        free_entry(batches, now);
    }
    batches->ended = true;
}

/* ---- Until it is stable ---- */

/* Sums up what the cases so far have shown. An explorer may know it. Otherwise labels count, and
 * the last case of the round counts as the first to show a new one. */
static void look_back(wri_batches *batches)
{
    wri_quest    *quest = batches->quest;
    wri_sightings now = { .cases = quest->cases, .last = quest->seen.last };
    if (batches->explorer->sightings != NULL &&
        batches->explorer->sightings(batches->self, &quest->seen))
        return;
    for (size_t i = 0; i < quest->tally.count; i++) {
        const wri_observed *row = &quest->tally.rows[i];
        uint64_t            cases = row->sort == WR_SEE_WORD_ ? 0 : row->cases[1];
        now.features += cases > 0;
        now.once += cases == 1;
        now.twice += cases == 2;
    }
    if (now.features > quest->seen.features)
        now.last = now.cases;
    quest->seen = now;
}

/* A sequential test ends sometime, if rarely after so many cases. */
#define MOST_CASES 10000000

/* --check-coverage: a property has twice as many cases until each wr_cover has its verdict. */
static bool more_cases(wri_batches *batches)
{
    wri_quest *quest = batches->quest;
    if (!quest->check_coverage || (quest->settings->given & WRI_GIVEN_CASES) || quest->by_time ||
        batches->explorer->more == NULL || quest->bug_count > 0 ||
        quest->cases < quest->cases_wanted || quest->cases >= MOST_CASES ||
        !wri_promises_open(quest))
        return false;
    quest->cases_wanted *= 2;
    batches->explorer->more(batches->self, quest->cases_wanted);
    return true;
}

/* No order is out and none is left: is there another round? */
static bool next_round(wri_batches *batches)
{
    wri_quest *quest = batches->quest;
    if (more_cases(batches))
        return true;
    if (batches->explorer->rest == NULL)
        return false;
    if (quest->until_stable)
        look_back(batches);
    wri_round round = batches->explorer->rest(batches->self, &quest->seen, quest->bug_count);
    if (round == WRI_ROUND_ANEW)
        wri_quest_count_anew(quest);
    return round != WRI_ROUND_OVER;
}

/* ---- The loop ---- */

static wri_exploration describe(wri_batches *batches)
{
    wri_quest      *quest = batches->quest;
    wri_exploration run = { .seed = quest->seed,
                            .shard = quest->shard,
                            .wanted = quest->by_time ? UINT64_MAX / 2 : quest->cases_wanted,
                            .workers = batches->workers,
                            .by_time = quest->by_time,
                            .fork_each = quest->fork_each,
                            .until_stable = quest->until_stable,
                            .sized = quest->sized,
                            .size = quest->size,
                            .settings = quest->settings,
                            .redraw = &quest->redraw,
                            .shared = wri_runner_shared_block(quest->runner, batches->explorer),
                            .blocks = wri_runner_shared_blocks(quest->runner) };
    if (quest->chase != NULL)
        wri_chase_describe(quest->chase, &run);
    return run;
}

/* So long, and so many cases: all of them were too large, and slow besides. */
#define VAIN_SECONDS 10
#define VAIN_CASES 8

/* Cases that were too large, those of batches that run included. */
static uint64_t overrun_now(wri_batches *batches)
{
    uint64_t sum = batches->quest->overrun;
    for (const wri_batch_entry *at = batches->first; at != NULL; at = at->next) {
        wri_batch batch;
        if (at->state != WRI_ENTRY_OUT)
            continue;
        wri_runner_batch_now(batches->quest->runner, at->slot, &batch);
        sum += batch.overrun;
    }
    return sum;
}

/* Also without --time, the clock ends a run in which no case has counted: it would give up in the
 * end, after far longer. Of an enumeration, the next case may be small enough. */
static bool is_vain(wri_batches *batches)
{
    const wri_quest *quest = batches->quest;
    return quest->cases + quest->discarded + quest->bug_count == 0 &&
           !(batches->explorer->needs & (WRI_ENDS_BY_SIZE | WRI_NEEDS_JUDGE)) &&
           wri_clock_seconds() - quest->started > VAIN_SECONDS && running_now(batches) == 0 &&
           overrun_now(batches) >= VAIN_CASES;
}

static void run_batches(wri_batches *batches)
{
    wri_quest *quest = batches->quest;
    while (!batches->ended) {
        count_first(batches);
        if (batches->ended)
            break;
        if (wri_quest_time_is_up(quest) || is_vain(batches)) {
            stop_all(batches);
            break;
        }
        if (!give_out(batches)) {
            if (batches->first == NULL && !next_round(batches))
                return;
            continue;
        }
        if (!is_judged(batches))
            wait_for_batch(batches, 50);
        quest->live.running = running_now(batches);
        wri_quest_progress(quest);
    }
    /* The last case that was wanted may have been the last there is. */
    if (batches->first == NULL && quest->bug_count == 0 && quest->status == WRI_STATUS_HELD &&
        !wri_quest_time_is_up(quest) && (batches->explorer->needs & WRI_ENDS_BY_SIZE))
        next_round(batches);
    drop_from(batches, &batches->first);
}

/* The time ended before any case counted: that is no result. */
static bool has_done_nothing(const wri_quest *quest)
{
    return quest->cases + quest->bug_count == 0 && !wri_interrupt_came();
}

/* The run ends: sets its status, and lets the chase learn what it put off. */
static void conclude(wri_batches *batches)
{
    wri_quest  *quest = batches->quest;
    const char *why = NULL;
    bool        over = !wri_quest_time_is_up(quest) && !is_vain(batches);
    bool        sized = (batches->explorer->needs & WRI_ENDS_BY_SIZE) != 0;
    quest->live.running = 0;
    if (quest->until_stable && quest->status == WRI_STATUS_HELD)
        look_back(batches);
    if (quest->status == WRI_STATUS_HELD && quest->bug_count == 0 && !wri_interrupt_came() &&
        (over || sized))
        quest->status = batches->explorer->conclude(batches->self, &quest->seen, quest->cases,
                                                    quest->discarded, &why);
    quest->too_few = quest->status == WRI_STATUS_HELD && quest->many && quest->bug_count > 0 &&
                     over && !sized &&
                     batches->explorer->conclude(batches->self, &quest->seen, quest->cases,
                                                 quest->discarded, &why) == WRI_STATUS_GAVE_UP &&
                     quest->discarded + quest->overrun > quest->cases;
    if (quest->status == WRI_STATUS_HELD && !over && has_done_nothing(quest)) {
        quest->status = WRI_STATUS_GAVE_UP;
        if (quest->discarded + quest->overrun == 0) /* else these are why: wri_health_why_few() */
            why = "the time (--time) was over before a case was";
    }
    if (why != NULL)
        quest->why = strdup(why);
    if (batches->explorer->owns != 0)
        batches->explorer->remarks(batches->self, NULL, say_remark, quest);
    if (quest->chase != NULL && over) {
        wri_chase_minimise(quest->chase);
        wri_chase_finish(quest->chase);
        wri_chase_join_reports(quest->chase);
    }
    if (quest->settings->html != NULL)
        look_back(batches);
    quest->executions = wri_quest_executions(quest);
    quest->explored = 0;
}

void wri_batches_run(wri_quest *quest)
{
    wri_batches     batches = { .quest = quest,
                                .explorer = quest->explorer,
                                .first_slot = quest->settings->no_fork ? 0 : 1,
                                .workers = quest->settings->no_fork ? 1 : quest->jobs };
    wri_exploration run = describe(&batches);
    const char     *error = NULL;
    batches.self = quest->exploring = quest->explorer->open(&run, &error);
    if (error != NULL || batches.self == NULL) {
        wri_quest_refuse(quest, error == NULL ? "out of memory" : error);
        return;
    }
    wri_recalled recalled = { 0 };
    if (quest->explorer->keeping != NULL) {
        wri_seeds_plant(quest);
        recalled = wri_corpus_recall(quest);
    }
    run_batches(&batches);
    wri_judged_finish(&batches);
    conclude(&batches);
    if (quest->explorer->keeping != NULL)
        wri_corpus_remember(quest, &recalled);
}
