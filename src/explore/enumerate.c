/* explore/enumerate.c: the explorer that walks through all cases, bound by bound.
 *
 * The worker's side is explore/ground.c. This is the parent's side. The cases of a bound are
 * walked in parts. A stack of steps says where a walk stands. A part that has run long enough
 * comes back, and the rest of it is split into two parts. The split depends only on the part's
 * own runs, and a walk's knowledge counts from the next bound on. So the result is the same for
 * any number of workers.
 *
 * A shard (--shard) has the cases whose first choices say so. The first choice deals its
 * alternatives out to the shards in turn. If it has fewer than there are shards, the next choice
 * goes on with the shards of each. So every case belongs to one shard, and a shard passes over
 * most of the others' cases without running them.
 */
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/grow.h"
#include "explore/ground.h"

#define FIRST_RUNS 1024
#define MOST_RUNS ((uint64_t)1 << 15)
/* Without a size the search gives up here, if it met no case. */
#define RUNS_EACH 1000
#define RUNS_FREE 1000000
#define FAR_BOUND 4096

/* ---- Parts ---- */

typedef struct part {
    wri_step  *steps; /* where it goes on from; */
    size_t     count;
    bool       fresh;    /* or it is all of the bound */
    double     from, to; /* its share of the bound */
    wri_walked walked;   /* what came of it */
} part;

typedef struct enumeration {
    wri_exploration run;
    bool            bounded, exactly;
    uint64_t        bound, depth;
    wri_walk_terms  terms; /* of the bound that is walked through */
    bool            given; /* its first part went out */
    bool            apart; /* requirements were asked apart */
    bool            ended, no_memory;
    wri_walked      learnt; /* at this bound: its flags and requirements */
    wri_size_row    row;    /* what this bound came to so far */
    double          decided, began;

    /* The sum over all bounds. */
    uint64_t      cases, values, runs;
    bool          exhausted, proved;
    uint64_t      exhausted_bound;
    wri_size_row *sizes;
    size_t        size_count, size_room;
    wri_refuter  *refuters;
    size_t        refuter_count, refuter_room;
    uint64_t     *worker_runs;
} enumeration;

static void drop(void *context, wri_order *order)
{
    part *at = order->state;
    (void)context;
    if (at != NULL)
        free(at->steps);
    free(at);
    order->state = NULL;
}

/* A part with these steps. False: memory is out, and the enumeration ends. */
static bool make_part(enumeration *self, wri_order *order, const part *like,
                      const wri_step *steps, size_t count)
{
    part     *made = malloc(sizeof *made);
    wri_step *copy = malloc((count + 1) * sizeof *copy);
    if (made == NULL || copy == NULL) {
        free(made);
        free(copy);
        self->no_memory = self->ended = true;
        return false;
    }
    if (count > 0)
        memcpy(copy, steps, count * sizeof *copy);
    *made = *like;
    made->steps = copy;
    made->count = count;
    order->state = made;
    return true;
}

/* Splits the rest of a part behind the case that it ended with: the alternatives of the first
 * step that has any, and, before them, those of the steps behind it. */
static unsigned split_rest(enumeration *self, const wri_order *order, const wri_step *steps,
                           size_t count, wri_order rests[WRI_RESTS])
{
    const part *at = order->state;
    size_t      split = 0, last = count;
    unsigned    made = 0;
    while (split < count && steps[split].left == 0)
        split++;
    while (last > split && steps[last - 1].left == 0)
        last--;
    if (at->walked.over || split >= last)
        return 0;
    uint64_t runs = order->count * 2 < MOST_RUNS ? order->count * 2 : MOST_RUNS;
    double   position = at->walked.position, middle = at->walked.split_position;
    position = position < at->from ? at->from : position > at->to ? at->to : position;
    middle = middle < position ? position : middle > at->to ? at->to : middle;
    bool deep = last > split + 1;
    part early = { .from = position, .to = middle };
    part late = { .from = deep ? middle : position, .to = at->to };
    self->decided -= at->to - position;
    rests[0] = rests[1] = (wri_order){ .count = self->run.fork_each ? 1 : runs };
    if (deep && make_part(self, &rests[made], &early, steps, last)) {
        ((part *)rests[made].state)->steps[split].left = 0;
        made++;
    }
    return made + make_part(self, &rests[made], &late, steps, split + 1);
}

/* ---- Orders ---- */

static void *open_enumeration(const wri_exploration *run, const char **error)
{
    enumeration *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    const wri_settings *settings = run->settings;
    bool                deep = (settings->given & WRI_GIVEN_DEPTH) != 0;
    bool                at_once = settings->at_once || (deep && !run->sized);
    bool                deepens = !settings->exactly && !at_once;
    self->run = *run;
    self->bounded = run->sized || deep;
    self->exactly = settings->exactly;
    self->bound = run->sized ? run->size : WRI_NO_BOUND;
    self->depth = deep ? settings->depth : WRI_NO_BOUND;
    self->terms = (wri_walk_terms){ .bound = deepens ? 0 : self->bound,
                                    .depth = self->depth,
                                    .exact = deepens || settings->exactly,
                                    .prune = deepens };
    self->row.size = self->terms.bound;
    self->worker_runs = calloc(run->workers, sizeof *self->worker_runs);
    if (settings->exactly && !run->sized)
        *error = "--exactly needs --size N";
    return self;
}

static void free_refuters(enumeration *self)
{
    for (size_t i = 0; i < self->refuter_count; i++)
        free(self->refuters[i].name);
    self->refuter_count = 0;
}

static void close_enumeration(void *context)
{
    enumeration *self = context;
    free_refuters(self);
    free(self->refuters);
    free(self->sizes);
    free(self->worker_runs);
    free(self);
}

/* All of the bound; the rest comes from parts that are split. */
static bool give(void *context, const wri_standing *standing, wri_order *order)
{
    enumeration *self = context;
    part         all = { .fresh = true, .to = 1 };
    (void)standing;
    if (self->given || self->ended)
        return false;
    *order = (wri_order){ .count = self->run.fork_each ? 1 : FIRST_RUNS };
    self->given = true;
    self->decided = 0;
    self->began = wri_clock_seconds();
    return make_part(self, order, &all, NULL, 0);
}

static void send(void *context, wri_order *order, void *block)
{
    enumeration *self = context;
    const part  *at = order->state;
    wri_ground  *on = block;
    on->terms = self->terms;
    on->shard = self->run.shard;
    on->terms.fresh = at->fresh;
    on->terms.wanted = order->wanted;
    on->count = at->count;
    memset(&on->walked, 0, sizeof on->walked);
    if (at->count > 0)
        memcpy(on->steps, at->steps, at->count * sizeof *at->steps);
}

static uint64_t add_up(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* A worker that died has not counted the case that it died in. */
static void count_death(const enumeration *self, const wri_ground *on, wri_batch *batch,
                        wri_walked *walked)
{
    bool small = self->terms.exact && walked->open == 0 && walked->spare > 0;
    if (small || !wri_ground_belongs(&self->run.shard, on->steps, wri_ground_steps(on), true)) {
        batch->end = WRI_BATCH_DONE; /* the case is none of this size, or of this shard */
        walked->repeated++;
    } else {
        walked->cases++;
        walked->values = add_up(walked->values, 1);
    }
}

static unsigned take(void *context, wri_order *order, wri_batch *batch, const void *block,
                     wri_batch_counts *counts, wri_order rests[WRI_RESTS])
{
    enumeration      *self = context;
    part             *at = order->state;
    const wri_ground *on = block;
    bool              ended = batch->end == WRI_BATCH_ENDED;
    uint64_t          runs = batch->next + ended;
    size_t            count = wri_ground_steps(on);
    wri_step         *steps = malloc((count + 1) * sizeof *steps);
    wri_ground_read(on, batch->next + 1, &at->walked);
    if (ended && batch->died)
        count_death(self, on, batch, &at->walked);
    *counts = (wri_batch_counts){ .cases = at->walked.cases,
                                  .discarded = at->walked.refuted,
                                  .executions = runs,
                                  .calls = counts->calls,
                                  .lost = counts->lost };
    memcpy(counts->hits, batch->known_hits, sizeof counts->hits);
    if (self->worker_runs != NULL)
        self->worker_runs[batch->worker] += runs;
    self->decided += at->to - at->from;
    if (steps == NULL) {
        self->no_memory = self->ended = true;
        return 0;
    }
    memcpy(steps, on->steps, count * sizeof *steps);
    unsigned made = split_rest(self, order, steps, count, rests);
    free(steps);
    return made;
}

static uint64_t running(const void *block)
{
    return ((const wri_ground *)block)->walked.cases;
}

/* ---- Counting ---- */

static void learn_from(wri_walked *to, const wri_walked *from)
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

static void blame(enumeration *self, const wri_blamed *blamed)
{
    for (size_t i = 0; i < self->refuter_count; i++)
        if (strcmp(self->refuters[i].name, blamed->name) == 0) {
            self->refuters[i].count += blamed->count;
            return;
        }
    wri_refuter *grown =
        wri_grow(self->refuters, sizeof *grown, self->refuter_count, &self->refuter_room);
    char *name = strdup(blamed->name);
    if (grown != NULL)
        self->refuters = grown;
    if (grown == NULL || name == NULL) {
        free(name);
        return;
    }
    grown[self->refuter_count++] = (wri_refuter){ name, blamed->count };
}

static bool hopeless(const enumeration *self)
{
    return !self->run.by_time && !self->bounded &&
           (self->runs / RUNS_EACH > self->cases + RUNS_FREE / RUNS_EACH ||
            (self->terms.bound > FAR_BOUND && self->terms.bound != WRI_NO_BOUND));
}

static bool count(void *context, const wri_order *order, const wri_batch_counts *counts)
{
    enumeration      *self = context;
    const wri_walked *walked = &((const part *)order->state)->walked;
    self->row.cases += walked->cases;
    self->row.values = add_up(self->row.values, walked->values);
    self->row.runs += counts->executions;
    self->cases += walked->cases;
    self->values = add_up(self->values, walked->values);
    self->runs += counts->executions;
    learn_from(&self->learnt, walked);
    for (unsigned i = 0; i < walked->blamed_count; i++)
        blame(self, &walked->blamed[i]);
    self->ended |= self->cases >= self->run.wanted || hopeless(self);
    return !self->ended;
}

/* ---- From bound to bound ---- */

static void add_row(enumeration *self)
{
    if (self->row.runs == 0 || self->terms.bound == WRI_NO_BOUND)
        return;
    wri_size_row *grown =
        wri_grow(self->sizes, sizeof *grown, self->size_count, &self->size_room);
    if (grown == NULL)
        return;
    self->sizes = grown;
    grown[self->size_count++] = self->row;
    self->row = (wri_size_row){ 0 };
}

static void begin_bound(enumeration *self, uint64_t bound)
{
    self->terms.bound = bound;
    self->learnt.cut = false;
    self->row = (wri_size_row){ .size = bound };
    self->given = false;
    self->apart |= self->terms.requirement_count > 1;
}

/* Requirements were asked apart, and then a case did not ask them: what that pruned may have been
 * right or not. Once more from the beginning, and without. */
static wri_round start_again(enumeration *self)
{
    free_refuters(self);
    self->cases = self->values = self->runs = 0;
    self->size_count = 0;
    self->exhausted = self->proved = false;
    self->terms.requirement_count = 0;
    self->apart = false;
    begin_bound(self, 0);
    return WRI_ROUND_ANEW;
}

static wri_round rest(void *context, const wri_sightings *seen, size_t bugs)
{
    enumeration    *self = context;
    wri_walk_terms *terms = &self->terms;
    (void)seen;
    if (self->no_memory)
        return WRI_ROUND_OVER;
    if (self->apart && self->learnt.irregular && bugs == 0 && !self->ended)
        return start_again(self);
    if (self->ended && hopeless(self))
        return WRI_ROUND_OVER;
    add_row(self);
    self->exhausted = true;
    self->exhausted_bound = terms->bound == WRI_NO_BOUND ? self->depth : terms->bound;
    self->proved = !self->learnt.cut && !self->exactly && self->run.shard.count == 1;
    if (!self->learnt.cut || terms->bound >= self->bound || self->ended)
        return WRI_ROUND_OVER;
    terms->prune = !self->learnt.late;
    terms->requirement_count = self->learnt.irregular ? 0 : self->learnt.requirement_count;
    memcpy(terms->requirements, self->learnt.requirements, sizeof terms->requirements);
    begin_bound(self, terms->bound + 1);
    return WRI_ROUND_NEXT;
}

/* ---- What it comes to ---- */

static wri_repeat repeat(void *context, const wri_order *order)
{
    enumeration *self = context;
    bool         deepens = self->terms.exact && !self->exactly;
    (void)order;
    return (wri_repeat){ .manner = WRI_MANNER_ORDER,
                         .minimal = deepens,
                         .sized = deepens,
                         .size = self->terms.bound };
}

static wri_status conclude(void *context, const wri_sightings *seen, uint64_t cases,
                           uint64_t discarded, const char **why)
{
    enumeration *self = context;
    (void)seen;
    if (self->no_memory) {
        *why = "out of memory";
        return WRI_STATUS_ERROR;
    }
    if (cases > 0 || self->run.shard.count > 1 || !(self->exhausted || hopeless(self)))
        return self->proved ? WRI_STATUS_PROVED : WRI_STATUS_HELD;
    *why = discarded == 0 ? "every case is larger than the bound"
           : self->proved ? "no case meets the preconditions"
                          : "no case within the bound meets the preconditions";
    return WRI_STATUS_GAVE_UP;
}

static void progress(void *context, wri_progress *to)
{
    enumeration *self = context;
    to->bounded = true;
    to->bound = self->terms.bound;
    to->runs = self->runs;
    to->share = self->decided < 0 ? 0 : self->decided > 1 ? 1 : self->decided;
    to->bound_seconds = wri_clock_seconds() - self->began;
}

static int by_count(const void *a, const void *b)
{
    const wri_refuter *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->name, y->name);
}

static void tell(void *context, wri_result *result)
{
    enumeration *self = context;
    result->enumerated.asked = true;
    if (self == NULL)
        return;
    add_row(self);
    if (self->refuter_count > 0)
        qsort(self->refuters, self->refuter_count, sizeof *self->refuters, by_count);
    result->enumerated =
        (wri_enumerated){ .asked = true,
                          .exhausted = self->exhausted,
                          .by_depth = self->bound == WRI_NO_BOUND && self->depth != WRI_NO_BOUND,
                          .exactly = self->exactly,
                          .depth = self->depth,
                          .bound = self->exhausted_bound,
                          .values = self->values,
                          .runs = self->runs,
                          .sizes = self->sizes,
                          .size_count = self->size_count,
                          .refuters = self->refuters,
                          .refuter_count = self->refuter_count,
                          .workers = self->worker_runs,
                          .worker_count = self->worker_runs == NULL ? 0 : self->run.workers };
}

const wri_explorer wri_explorer_enumerate = {
    .name = "enumerate",
    .needs = WRI_COUNTS_RUNS | WRI_ENDS_BY_SIZE | WRI_REFUTES | WRI_SKEWS,
    .worker_bytes = sizeof(wri_ground),
    .open = open_enumeration,
    .close = close_enumeration,
    .give = give,
    .send = send,
    .take = take,
    .count = count,
    .drop = drop,
    .rest = rest,
    .log = wri_ground_log,
    .repeat = repeat,
    .running = running,
    .conclude = conclude,
    .progress = progress,
    .tell = tell,
    .begin = wri_ground_begin,
    .next = wri_ground_next,
    .learn = wri_ground_learn,
    .end = wri_ground_end,
    .free = wri_ground_free,
};
