/* hunt/enumerate.c: all cases, bound by bound, over the workers.
 *
 * The cases of a bound are walked through in parts: where a walk stands is a stack of steps, so a
 * part that has run long enough comes back, and what is left of it is split into two, one after
 * the other. How parts are split depends on what they ran alone, and what a walk learns counts
 * from the next bound on; so all that is found is the same however many workers there are.
 *
 * Parts stand in a list in the order of their cases. What came of the first is counted when it is
 * done; a failure is settled when it is the first.
 */
#include <stdlib.h>
#include <string.h>

#include "hunt/internal.h"

#define FIRST_RUNS 1024
#define MOST_RUNS ((uint64_t)1 << 15)
/* So few runs are looked at one by one when something was wrong after them. */
#define FEW_TO_AUDIT 64
/* Where no size was given and no case is met, this is when to give up. */
#define RUNS_EACH 1000
#define RUNS_FREE 1000000
#define FAR_BOUND 4096

typedef enum { PART_WAITS, PART_OUT, PART_DONE } part_state;

typedef struct part {
    struct part *next;
    part_state   state;
    unsigned     slot;
    wri_step    *steps; /* where it goes on from; */
    size_t       count;
    bool         fresh; /* or it is all of the bound */
    bool         audit;
    uint64_t     limit, wanted; /* runs, and cases, after which it comes back */
    double       from, to;      /* its share of the bound, */
    double       rest;          /* and how much of it was left when it came back */

    /* What came of it. */
    uint64_t    runs;
    wri_batch   batch;
    wri_walked  walked;
    wri_tally   tally;
    bool        failed;
    wri_outcome outcome;
    char       *output;
    wri_trace   trace;
} part;

typedef struct survey {
    wri_quest     *quest;
    part          *first;
    wri_walk_terms terms;
    bool           ended, excused;
    bool           apart;  /* requirements were asked apart */
    wri_walked     learnt; /* at this bound: its flags and requirements */
    wri_size_row   row;    /* what this bound came to so far */
    uint64_t       repeated, beyond;
    double         decided; /* of this bound, the share */
    double         began;
} survey;

/* ---- Parts ---- */

static void free_part(part *at)
{
    wri_tally_free(&at->tally);
    wri_trace_free(&at->trace);
    free(at->output);
    free(at->steps);
    free(at);
}

static void free_parts(survey *now)
{
    while (now->first != NULL) {
        part *next = now->first->next;
        if (now->first->state == PART_OUT)
            wri_runner_drop(now->quest->runner, now->first->slot);
        free_part(now->first);
        now->first = next;
    }
}

static void out_of_memory(survey *now)
{
    now->quest->status = WRI_STATUS_ERROR;
    free(now->quest->why);
    now->quest->why = strdup("out of memory");
    now->ended = true;
}

/* A part that comes right after another one; NULL: it is the first. */
static void add_part(survey *now, part *after, const part *like, size_t count)
{
    part     *made = calloc(1, sizeof *made);
    wri_step *steps = malloc((count + 1) * sizeof *steps);
    if (made == NULL || steps == NULL) {
        free(made);
        free(steps);
        out_of_memory(now);
        return;
    }
    *made = (part){ .steps = steps,
                    .count = count,
                    .fresh = like->fresh,
                    .limit = like->limit,
                    .from = like->from,
                    .to = like->to };
    if (count > 0)
        memcpy(steps, like->steps, count * sizeof *steps);
    part **at = after == NULL ? &now->first : &after->next;
    made->next = *at;
    *at = made;
}

/* What is left of a part after the case that it ended with: the alternatives of the first step
 * that has any, and, before them, those of the steps behind it. */
static void split_rest(survey *now, part *at, const wri_step *steps, size_t count)
{
    size_t split = 0, last = count;
    if (at->walked.over)
        return;
    while (split < count && steps[split].left == 0)
        split++;
    while (last > split && steps[last - 1].left == 0)
        last--;
    if (split >= last)
        return;
    part   rest = { .limit = at->limit * 2 < MOST_RUNS ? at->limit * 2 : MOST_RUNS };
    double position = at->walked.position, middle = at->walked.split_position;
    position = position < at->from ? at->from : position > at->to ? at->to : position;
    middle = middle < position ? position : middle > at->to ? at->to : middle;
    at->rest = at->to - position;
    if (now->quest->fork_each)
        rest.limit = 1;
    rest.steps = malloc(last * sizeof *steps);
    if (rest.steps == NULL) {
        out_of_memory(now);
        return;
    }
    memcpy(rest.steps, steps, last * sizeof *steps);
    rest.from = last > split + 1 ? middle : position;
    rest.to = at->to;
    add_part(now, at, &rest, split + 1);
    rest.steps[split].left = 0;
    rest.from = position;
    rest.to = middle;
    if (last > split + 1)
        add_part(now, at, &rest, last);
    free(rest.steps);
}

/* ---- Giving out ---- */

static bool limited(const wri_quest *quest)
{
    return !quest->by_time;
}

static uint64_t still_wanted(const survey *now)
{
    uint64_t had = now->quest->cases;
    if (!limited(now->quest))
        return UINT64_MAX;
    return now->quest->cases_wanted > had ? now->quest->cases_wanted - had : 0;
}

static void send_out(survey *now, part *at, unsigned slot)
{
    wri_quest *quest = now->quest;
    wri_job    job = wri_quest_job(quest);
    job.manner = WRI_MANNER_WALKED;
    job.count = at->limit;
    job.audit = at->audit;
    job.terms = now->terms;
    job.terms.fresh = at->fresh;
    at->wanted = still_wanted(now);
    job.terms.wanted = at->wanted;
    at->state = PART_OUT;
    at->slot = slot;
    wri_runner_forget_seen(quest->runner, slot);
    wri_runner_walk(quest->runner, slot, &job, at->steps, at->count,
                    at->audit || quest->fork_each);
}

static bool is_busy(const survey *now, unsigned slot)
{
    for (const part *at = now->first; at != NULL; at = at->next)
        if (at->state == PART_OUT && at->slot == slot)
            return true;
    return false;
}

/* The earliest parts first; none behind a failure that ends it all. */
static bool give_out(survey *now)
{
    wri_quest *quest = now->quest;
    unsigned   slot = quest->settings->no_fork ? 0 : 1;
    unsigned   end = slot + (quest->settings->no_fork ? 1 : quest->jobs);
    bool       any = false;
    for (part *at = now->first; at != NULL; at = at->next) {
        if (at->state == PART_DONE && at->failed)
            break;
        while (at->state == PART_WAITS && slot < end && is_busy(now, slot))
            slot++;
        if (at->state == PART_WAITS && slot < end)
            send_out(now, at, slot);
        any |= at->state == PART_OUT;
    }
    return any;
}

/* ---- Coming back ---- */

static uint64_t add_up(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* The log of the case that a part ended with: its choices, one behind the other. */
static bool take_log(part *at, const wri_step *steps, size_t count)
{
    if (!wri_trace_reserve(&at->trace, count + 1, 0))
        return false;
    at->trace.nodes[0] =
        (wri_node){ .what = WRI_SPAN, .parent = WRI_NO_NODE, .tie = WRI_NO_NODE };
    at->trace.node_count = 1;
    at->trace.number_count = 0;
    for (size_t i = 0; i < count; i++)
        if (steps[i].kind != WRI_SILENT)
            at->trace.nodes[at->trace.node_count++] = (wri_node){ .what = WRI_CHOICE,
                                                                  .kind = steps[i].kind,
                                                                  .tie = WRI_NO_NODE,
                                                                  .number = steps[i].number,
                                                                  .max = steps[i].max };
    return true;
}

static void take_failure(survey *now, part *at, const wri_step *steps, size_t count)
{
    at->failed = true;
    wri_runner_batch_outcome(now->quest->runner, at->slot, &at->outcome);
    at->output = strdup(at->outcome.output == NULL ? "" : at->outcome.output);
    at->outcome.output = at->output;
    if (at->output == NULL || !take_log(at, steps, count))
        out_of_memory(now);
}

/* Once more from its beginning, to find what was wrong: fewer runs, and few of them one by one.
 */
static void look_into(part *at)
{
    at->state = PART_WAITS;
    at->audit = at->runs <= FEW_TO_AUDIT;
    at->limit = at->audit ? at->runs : at->runs / 2;
}

static void excuse(survey *now)
{
    wri_runner_no_leak_check(now->quest->runner);
    if (!now->excused)
        wri_quest_warn(now->quest,
                       "a case that was not finished leaked: release memory with "
                       "wr_defer(); leaks are not looked for in this property any more");
    now->excused = true;
}

static void came_back(survey *now, part *at)
{
    wri_quest *quest = now->quest;
    wri_step  *steps;
    size_t     count;
    wri_runner_batch_now(quest->runner, at->slot, &at->batch);
    wri_runner_walked(quest->runner, at->slot, &at->walked);
    at->runs = at->batch.next;
    quest->drew |= at->batch.drew;
    if (at->batch.checks_die) {
        wri_runner_no_leak_check(quest->runner);
        wri_quest_warn(quest, "leaks are not looked for: the leak checker does not run here");
        at->state = PART_WAITS;
        return;
    }
    if (at->batch.end == WRI_BATCH_SUSPECT) {
        wri_runner_drop(quest->runner, at->slot);
        look_into(at);
        return;
    }
    if (at->batch.excused)
        excuse(now);
    const wri_step *shared = wri_runner_steps(quest->runner, at->slot, &count);
    steps = malloc((count + 1) * sizeof *steps);
    if (steps == NULL) {
        out_of_memory(now);
        return;
    }
    memcpy(steps, shared, count * sizeof *steps);
    at->state = PART_DONE;
    if (at->batch.end == WRI_BATCH_ENDED) {
        at->runs++;
        take_failure(now, at, steps, count);
        bool small = now->terms.exact && at->walked.open == 0 && at->walked.spare > 0;
        if (at->outcome.died && small) {
            at->failed = false; /* it is none of this size */
            at->walked.repeated++;
        } else if (at->outcome.died) { /* else the worker has counted it */
            at->walked.cases++;
            at->walked.values = add_up(at->walked.values, 1);
        }
    }
    wri_tally_take(&at->tally, wri_runner_seen(quest->runner, at->slot), at->walked.cases);
    unsigned worker = at->slot == 0 ? 0 : at->slot - 1;
    if (quest->worker_runs != NULL)
        quest->worker_runs[worker] += at->runs;
    split_rest(now, at, steps, count);
    now->decided += at->to - at->from - at->rest;
    free(steps);
}

/* ---- Counting ---- */

static void learn(wri_walked *to, const wri_walked *from)
{
    to->cut |= from->cut;
    to->late |= from->late;
    to->irregular |= from->irregular;
    for (unsigned i = 0; i < from->requirement_count; i++) {
        const wri_requirement *a = &from->requirements[i], *b = &to->requirements[i];
        if (i == to->requirement_count)
            to->requirements[to->requirement_count++] = *a;
        else if (a->predicate != b->predicate || a->tree != b->tree || a->type != b->type)
            to->irregular = true; /* two parts have met others */
    }
}

static void blame(wri_quest *quest, const wri_blamed *blamed)
{
    for (size_t i = 0; i < quest->refuter_count; i++)
        if (strcmp(quest->refuters[i].name, blamed->name) == 0) {
            quest->refuters[i].count += blamed->count;
            return;
        }
    wri_refuter *grown = realloc(quest->refuters, (quest->refuter_count + 1) * sizeof *grown);
    char        *name = strdup(blamed->name);
    if (grown != NULL)
        quest->refuters = grown;
    if (grown == NULL || name == NULL) {
        free(name);
        return;
    }
    grown[quest->refuter_count++] = (wri_refuter){ name, blamed->count };
}

static void count_part(survey *now, const part *at)
{
    wri_quest        *quest = now->quest;
    const wri_walked *walked = &at->walked;
    now->row.cases += walked->cases;
    now->row.values = add_up(now->row.values, walked->values);
    now->row.runs += at->runs;
    now->repeated += walked->repeated;
    now->beyond += walked->beyond;
    quest->cases += walked->cases;
    quest->discarded += walked->refuted;
    quest->values = add_up(quest->values, walked->values);
    quest->runs += at->runs;
    quest->explored_calls += at->batch.played.calls;
    learn(&now->learnt, walked);
    wri_tally_add(&quest->tally, &at->tally);
    for (unsigned i = 0; i < walked->blamed_count; i++)
        blame(quest, &walked->blamed[i]);
    wri_quest_count_known(quest, at->batch.known_hits, false);
    if (at->batch.lost > 0 && !quest->observations_lost)
        wri_quest_warn(quest, "some labels were not counted: a case had too many different ones");
    quest->observations_lost |= at->batch.lost > 0;
}

/* It ran ahead, and there are more cases than are wanted: once more, up to the last of them. */
static bool ran_too_far(survey *now, part *at)
{
    if (at->walked.cases <= still_wanted(now))
        return false;
    part *rest = at->next;
    at->next = NULL;
    survey others = { .quest = now->quest, .first = rest };
    free_parts(&others);
    wri_tally_free(&at->tally);
    wri_trace_free(&at->trace);
    free(at->output);
    at->output = NULL;
    at->tally = (wri_tally){ 0 };
    at->trace = (wri_trace){ 0 };
    at->failed = false;
    at->state = PART_WAITS;
    at->limit = UINT64_MAX / 2;
    return true;
}

static void settle_failure(survey *now, part *at)
{
    wri_quest *quest = now->quest;
    bool       ends = wri_quest_ends(quest, &at->outcome.verdict);
    at->failed = false;
    if (ends || !quest->many)
        now->ended = true;
    if (ends)
        return;
    uint64_t before = quest->executions + quest->runs;
    quest->cases -= quest->cases > 0; /* the failing one is among them */
    wri_quest_judge(quest, 0, &at->outcome, 0, before, &at->trace);
    wri_quest_settle_met(quest, before);
    quest->cases++;
}

static bool hopeless(const survey *now)
{
    const wri_quest *quest = now->quest;
    return limited(quest) && !quest->bounded &&
           (quest->runs / RUNS_EACH > quest->cases + RUNS_FREE / RUNS_EACH ||
            (now->terms.bound > FAR_BOUND && now->terms.bound != WRI_NO_BOUND));
}

/* What is done and has nothing before it. */
static void count_first(survey *now)
{
    while (now->first != NULL && now->first->state == PART_DONE && !now->ended) {
        part *at = now->first;
        if (ran_too_far(now, at))
            return;
        count_part(now, at);
        if (at->failed)
            settle_failure(now, at);
        now->ended |= still_wanted(now) == 0 || hopeless(now);
        now->first = at->next;
        free_part(at);
    }
}

/* ---- One bound ---- */

static part *part_at(const survey *now, unsigned slot)
{
    part *at = now->first;
    while (at != NULL && (at->state != PART_OUT || at->slot != slot))
        at = at->next;
    return at;
}

/* Workers end after the case they are in; one that does not is taken away, and what it did does
 * not count. */
static void stop_all(survey *now)
{
    wri_quest *quest = now->quest;
    double     until = wri_clock_seconds() + (wri_runner_interrupted() ? 0.5 : 1);
    bool       any = true;
    for (part *at = now->first; at != NULL; at = at->next)
        if (at->state == PART_OUT)
            wri_runner_stop(quest->runner, at->slot);
    while (any && wri_clock_seconds() < until) {
        int slot = wri_runner_wait(quest->runner, &quest->limits, 20);
        if (slot >= 0 && part_at(now, (unsigned)slot) != NULL)
            came_back(now, part_at(now, (unsigned)slot));
        any = false;
        for (part *at = now->first; at != NULL; at = at->next)
            any |= at->state == PART_OUT;
    }
}

static uint64_t running_now(survey *now)
{
    uint64_t sum = 0;
    for (const part *at = now->first; at != NULL; at = at->next)
        if (at->state == PART_DONE) {
            sum += at->walked.cases;
        } else if (at->state == PART_OUT) {
            wri_walked walked;
            wri_runner_walked(now->quest->runner, at->slot, &walked);
            sum += walked.cases;
        }
    return sum;
}

static void tell_progress(survey *now)
{
    wri_quest *quest = now->quest;
    quest->share = now->decided < 0 ? 0 : now->decided > 1 ? 1 : now->decided;
    quest->bound_seconds = wri_clock_seconds() - now->began;
    wri_quest_progress(quest, running_now(now));
}

/* Walks through all cases of the bound; false: it was ended before. */
static bool walk_bound(survey *now)
{
    wri_quest *quest = now->quest;
    part       all = { .fresh = true, .limit = quest->fork_each ? 1 : FIRST_RUNS, .to = 1 };
    add_part(now, NULL, &all, 0);
    now->decided = 0;
    now->began = wri_clock_seconds();
    quest->bound_now = now->terms.bound;
    while (!now->ended) {
        count_first(now);
        if (now->ended)
            break;
        if (wri_quest_time_is_up(quest)) {
            stop_all(now);
            count_first(now);
            now->ended = true;
            break;
        }
        if (!give_out(now)) {
            if (now->first == NULL)
                break;
            continue;
        }
        int slot = wri_runner_wait(quest->runner, &quest->limits, 50);
        if (slot >= 0 && part_at(now, (unsigned)slot) != NULL)
            came_back(now, part_at(now, (unsigned)slot));
        tell_progress(now);
    }
    bool whole = now->first == NULL && !now->ended;
    /* The last case that was wanted may have been the last there is. */
    whole |= now->first == NULL && quest->bug_count == 0 && quest->status == WRI_STATUS_HELD &&
             !wri_runner_interrupted() && !hopeless(now);
    free_parts(now);
    return whole;
}

/* ---- All bounds ---- */

static void add_row(wri_quest *quest, const wri_size_row *row)
{
    wri_size_row *grown = realloc(quest->sizes, (quest->size_count + 1) * sizeof *grown);
    if (grown == NULL)
        return;
    quest->sizes = grown;
    grown[quest->size_count++] = *row;
}

static void next_bound(survey *now)
{
    wri_walk_terms *terms = &now->terms;
    terms->prune = !now->learnt.late;
    terms->requirement_count = now->learnt.irregular ? 0 : now->learnt.requirement_count;
    memcpy(terms->requirements, now->learnt.requirements, sizeof terms->requirements);
    now->learnt.cut = false;
    terms->bound++;
}

/* Requirements were asked apart, and then a case did not ask them: what that pruned may have been
 * right or not. Once more from the beginning, and without. */
static void start_again(survey *now)
{
    wri_quest *quest = now->quest;
    quest->executions += quest->runs;
    quest->runs = quest->cases = quest->discarded = quest->values = 0;
    quest->size_count = 0;
    quest->exhausted = quest->proved = false;
    for (size_t i = 0; i < quest->refuter_count; i++)
        free(quest->refuters[i].name);
    quest->refuter_count = 0;
    wri_tally_free(&quest->tally);
    quest->tally = (wri_tally){ 0 };
    now->terms.bound = 0;
    now->terms.requirement_count = 0;
    now->learnt.cut = false;
    now->apart = false;
}

/* Goes from bound to bound, as far as it comes. */
static void walk_bounds(survey *now)
{
    wri_quest *quest = now->quest;
    for (;;) {
        now->row = (wri_size_row){ .size = now->terms.bound };
        now->apart |= now->terms.requirement_count > 1;
        bool whole = walk_bound(now);
        if (now->apart && now->learnt.irregular && quest->bug_count == 0 && !now->ended) {
            start_again(now);
            continue;
        }
        if (now->row.runs > 0 && now->terms.bound != WRI_NO_BOUND)
            add_row(quest, &now->row);
        if (!whole)
            return;
        quest->exhausted = true;
        quest->exhausted_bound =
            now->terms.bound == WRI_NO_BOUND ? quest->depth : now->terms.bound;
        quest->proved = !now->learnt.cut && quest->manner != WRI_WALK_EXACTLY;
        if (quest->proved || now->terms.bound >= quest->bound || now->ended)
            return;
        next_bound(now);
    }
}

/* Why there was no case. */
static const char *why_none(const wri_quest *quest)
{
    if (quest->discarded == 0)
        return "every case is larger than the bound";
    return quest->proved ? "no case meets the preconditions"
                         : "no case within the bound meets the preconditions";
}

void wri_quest_enumerate(wri_quest *quest)
{
    bool   deepens = quest->manner == WRI_WALK_DEEPENS;
    survey now = { .quest = quest,
                   .terms = { .bound = deepens ? 0 : quest->bound,
                              .depth = quest->depth,
                              .exact = quest->manner != WRI_WALK_AT_ONCE,
                              .prune = deepens } };
    if (quest->manner == WRI_WALK_EXACTLY && quest->bound == WRI_NO_BOUND) {
        quest->status = WRI_STATUS_ERROR;
        quest->why = strdup("--exactly needs --size N");
        return;
    }
    quest->worker_runs = calloc(quest->jobs, sizeof *quest->worker_runs);
    walk_bounds(&now);
    if (quest->status == WRI_STATUS_HELD && quest->bug_count == 0 && !wri_runner_interrupted()) {
        if (quest->cases == 0 && (quest->exhausted || hopeless(&now))) {
            quest->status = WRI_STATUS_GAVE_UP;
            quest->why = strdup(why_none(quest));
        } else if (quest->proved) {
            quest->status = WRI_STATUS_PROVED;
        }
    }
    quest->executions += quest->runs;
}
