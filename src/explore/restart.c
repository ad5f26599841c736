/* explore/restart.c: the explorer that walks at random, and begins anew again and again.
 *
 * The worker's side: a case is made at random, among the constructors that demands and size
 * allow. When a precondition refutes it, the walk goes on from its last choice, which takes
 * another alternative at random. So most of the tree stays, and a run costs as little as a run of
 * `enumerate`. After a case that held, or K runs, the walk begins anew. K goes by the sequence of
 * Luby, Sinclair and Zuckerman, from its start after each case that held: 10, 10, 20, 10, 10, 20,
 * 40, ... That needs at most a logarithm more runs than the best K, which nobody knows. Every
 * tree may become as large as the property's size: most stay smaller, since each choice may end a
 * branch. Draws outside of trees are answered as `random` answers them.
 *
 * The parent's side: an order is a number of runs, with a random stream of its own. Eight orders
 * are a round. What the orders of a round learnt is added up in their sequence when all of them
 * have counted, and the next round knows it. So the cases do not depend on the number of workers.
 * A shard (--shard) has orders with other streams than the other shards.
 */
#include <stdlib.h>
#include <string.h>

#include "explore/ground.h"
#include "explore/weights.h"

#define ROUND 8
#define FIRST_RUNS UINT64_C(128)
#define MOST_RUNS ((uint64_t)1 << 15)
/* The walk begins anew after so many runs, at least. */
#define RUNS_LEAST 10
/* So many restarts have the same swarm. */
#define SWARM 100
/* Without a time limit the search gives up here, if it met no case. */
#define RUNS_EACH 1000
#define RUNS_FREE 1000000

/* The worker's block. */
typedef struct field {
    wri_ground         ground;
    uint64_t           stream;
    uint64_t           restart; /* the first one; then the next one */
    uint64_t           size;
    uint8_t            swarms, learns; /* bools */
    wri_learnt_weights learnt;
} field;

/* ---- The worker's side ---- */

static struct {
    uint64_t    stream, restart, size;
    uint64_t    random; /* of this restart */
    uint64_t    end;    /* the run at which it is over */
    uint64_t    tries;  /* restarts since a case held */
    bool        over;
    bool        weighs;
    field      *on;
    wri_weights weights;
    uint16_t    rows[WRI_MAX_STEPS]; /* of each step that was picked by weight */
} now;
#define WALK (&wri_walking_now.walk)

/* Element number i, from 1, of 1, 1, 2, 1, 1, 2, 4, ... */
static uint64_t luby(uint64_t i)
{
    for (;;) {
        uint64_t power = UINT64_C(1) << (64 - __builtin_clzll(i));
        if (i == power - 1)
            return power / 2;
        i -= power / 2 - 1;
    }
}

/* One of the steps' alternatives that are left. The one that it has taken now is one of them. */
static void pick_rank(wri_walk *walk, size_t at)
{
    wri_step        *step = &walk->steps[at];
    const wri_trail *trail = &walk->trails[at];
    uint64_t         left = step->left | UINT64_C(1) << (step->number & 63);
    uint64_t         skip;
    uint32_t         type = ((const wri_type *)trail->node->type_)->label;
    now.rows[at] = WRI_NO_WEIGHTS;
    left &= trail->all;
    if (left == 0)
        return;
    if (now.weighs)
        now.rows[at] = wri_weights_row(&now.weights, type, trail->all, trail->budget);
    if (now.rows[at] != WRI_NO_WEIGHTS) {
        step->number =
            wri_weights_pick(&now.weights, now.rows[at], type, trail->all, left, &now.random);
    } else {
        skip =
            wri_prng_scale(wri_prng_next(&now.random), (uint64_t)__builtin_popcountll(left) - 1);
        for (step->number = left; skip > 0; skip--)
            step->number &= step->number - 1;
        step->number = (uint64_t)__builtin_ctzll(step->number);
    }
    step->left = left & ~(UINT64_C(1) << step->number);
}

/* An index begins anywhere, and goes round from there. */
static void pick_index(wri_walk *walk, size_t at)
{
    wri_step *step = &walk->steps[at];
    uint64_t  all = walk->trails[at].all;
    if (step->at == 0)
        step->rank = (uint8_t)wri_prng_scale(wri_prng_next(&now.random), all);
    step->number = (step->rank + step->at) % (all + 1);
}

static void pick(wri_walk *walk, size_t at)
{
    if (walk->steps[at].masked)
        pick_rank(walk, at);
    else
        pick_index(walk, at);
}

static uint64_t sized(wr_case *t, const wr_type *type, uint64_t least)
{
    (void)t, (void)type;
    return least > now.size ? least : now.size;
}

static uint64_t choose(wri_answerer *self, wr_case *t, const wri_request *request, uint32_t label)
{
    uint64_t number;
    (void)self;
    if (!wri_walk_recall(t, request, &number)) {
        wri_answerer *random = wri_answer_randomly();
        number = random->choose(random, t, request, label);
        wri_walk_put(t, request, number);
    }
    return number;
}

static void choose_many(wri_answerer *self, wr_case *t, const wri_request *request,
                        uint32_t label, size_t count, unsigned width, uint64_t *numbers)
{
    wri_answerer *random = wri_answer_randomly();
    size_t        known = 0;
    (void)self;
    while (known < count && wri_walk_recall(t, request, &numbers[known]))
        known++;
    if (known > 0 || count == 0)
        return;
    random->choose_many(random, t, request, label, count, width, numbers);
    for (size_t i = 0; i < count; i++)
        wri_walk_put(t, request, numbers[i]);
}

static bool begin(const wri_work *work, wr_case *t)
{
    static wri_answerer answerer = { .choose = choose,
                                     .choose_many = choose_many,
                                     .searches = true };
    field              *on = work->block;
    if (!wri_ground_lay(&on->ground, work, t))
        return false;
    WALK->hooks = (wri_walk_hooks){ .pick = pick, .sized = sized };
    t->answerer = &answerer;
    now.on = on;
    now.stream = on->stream;
    now.restart = on->restart;
    now.size = on->size;
    now.over = true;
    now.tries = 0;
    now.weighs = on->learns || on->swarms;
    now.weights.learns = on->learns != 0;
    now.weights.swarms = on->swarms != 0;
    now.weights.learnt = &on->learnt;
    memset(now.weights.made, 0, sizeof now.weights.made);
    now.weights.period = 0;
    return true;
}

static void begin_anew(void)
{
    uint64_t period = now.restart / SWARM, at = *wri_walking_now.work.at;
    if (now.weights.period == 0 || now.restart % SWARM == 0)
        now.weights.period++;
    now.weights.swarm = wri_prng_stream(~now.stream, period);
    now.random = wri_prng_stream(now.stream, now.restart++);
    now.on->restart = now.restart;
    now.end = at + RUNS_LEAST * luby(++now.tries);
    now.over = false;
    WALK->end = now.end < wri_walking_now.work.end ? now.end : wri_walking_now.work.end;
    wri_walk_anew(WALK);
    wri_hole_next(WALK);
}

static bool next(wr_case *t, uint64_t number)
{
    if (WALK->walked->cases >= WALK->terms.wanted)
        return false;
    if (now.over || number >= now.end || !wri_hole_next(WALK))
        begin_anew();
    t->random = wri_prng_next(&now.random);
    return true;
}

/* The choices of the case were good ones. */
static void learn_weights(void)
{
    for (size_t i = 0; now.weighs && i < WALK->made; i++) {
        const wri_step *step = &WALK->steps[i];
        if (step->masked && !step->lone && now.rows[i] != WRI_NO_WEIGHTS && step->number < 64)
            wri_weights_met(&now.weights, now.rows[i], step->number);
    }
}

static wri_after learn(wr_case *t, uint32_t verdict, wri_left left)
{
    (void)left;
    if (verdict == WRI_DISCARD || verdict == WRI_OVERRUN) {
        wri_ground_count_refuted(t, verdict == WRI_OVERRUN);
        return WRI_AFTER_IGNORE;
    }
    if (verdict == WRI_NONE && WRI_UNLIKELY(!wri_hole_as_before(WALK)))
        return wri_ground_not_deterministic(t);
    WALK->walked->cases++;
    learn_weights();
    now.over = true;
    now.tries = 0;
    return WRI_AFTER_COUNT;
}

static bool end(wr_case *t)
{
    t->walk = NULL;
    return WALK->drew;
}

/* ---- The parent's side ---- */

/* The results of an order, and the place where it goes on. */
typedef struct stretch {
    uint64_t            stream, restart;
    wri_learnt_weights *learnt; /* NULL: nothing */
    wri_walked          walked;
} stretch;

typedef struct restarting {
    wri_exploration    run;
    uint64_t           depth;
    uint64_t           round;
    unsigned           given; /* orders of this round */
    uint64_t           cases, runs;
    bool               ended, no_memory;
    bool               learns, swarms;
    wri_learnt_weights known,
        next; /* before this round, and after the orders that count so far */
} restarting;

static void *open_restarting(const wri_exploration *run, const char **error)
{
    restarting *self = calloc(1, sizeof *self);
    (void)error;
    if (self == NULL)
        return NULL;
    self->run = *run;
    self->depth = run->settings->given & WRI_GIVEN_DEPTH ? run->settings->depth : WRI_NO_BOUND;
    self->learns = !run->settings->no_learning;
    self->swarms = !run->settings->no_swarm;
    return self;
}

static void drop(void *context, wri_order *order)
{
    stretch *at = order->state;
    (void)context;
    if (at != NULL)
        free(at->learnt);
    free(at);
    order->state = NULL;
}

static bool make_stretch(restarting *self, wri_order *order, uint64_t stream, uint64_t restart)
{
    stretch *made = calloc(1, sizeof *made);
    self->no_memory |= made == NULL;
    if (made == NULL)
        return false;
    made->stream = stream;
    made->restart = restart;
    order->state = made;
    return true;
}

static bool give(void *context, const wri_standing *standing, wri_order *order)
{
    restarting *self = context;
    uint64_t    runs = FIRST_RUNS << (self->round < 16 ? self->round : 16);
    uint64_t    number = (self->round * ROUND + self->given) * self->run.shard.count;
    (void)standing;
    if (self->given == ROUND || self->ended || self->no_memory)
        return false;
    *order = (wri_order){ .count = self->run.fork_each ? 1
                                   : runs < MOST_RUNS  ? runs
                                                       : MOST_RUNS };
    self->given++;
    return make_stretch(self, order,
                        wri_prng_stream(~self->run.seed, number + self->run.shard.number), 0);
}

static void send(void *context, wri_order *order, void *block)
{
    restarting    *self = context;
    const stretch *at = order->state;
    field         *on = block;
    on->ground.terms =
        (wri_walk_terms){ .depth = self->depth, .wanted = order->wanted, .fresh = true };
    on->ground.shard = (wri_shard){ .count = 1 };
    on->ground.count = 0;
    memset(&on->ground.walked, 0, sizeof on->ground.walked);
    on->stream = at->stream;
    on->restart = at->restart;
    on->size = self->run.size;
    on->swarms = self->swarms;
    on->learns = self->learns;
    if (self->learns)
        on->learnt = self->known;
}

/* The rest of an order that ended with a failing case. */
static unsigned go_on(restarting *self, const wri_order *order, uint64_t restart, uint64_t runs,
                      wri_order *rest)
{
    const stretch *at = order->state;
    uint64_t       all = order->count + order->rest;
    if (runs >= all || at->walked.cases >= order->wanted)
        return 0;
    *rest = (wri_order){ .count = self->run.fork_each ? 1 : all - runs };
    return make_stretch(self, rest, at->stream, restart);
}

static unsigned take(void *context, wri_order *order, wri_batch *batch, const void *block,
                     wri_batch_counts *counts, wri_order rests[WRI_RESTS])
{
    restarting  *self = context;
    stretch     *at = order->state;
    const field *on = block;
    bool         ended = batch->end == WRI_BATCH_ENDED;
    uint64_t     runs = batch->next + ended;
    wri_walked  *walked = &at->walked;
    wri_ground_read(&on->ground, runs + 1, walked);
    walked->cases += ended && batch->died; /* the worker died before it could count */
    if (self->learns && (at->learnt = malloc(sizeof *at->learnt)) != NULL)
        *at->learnt = on->learnt;
    self->no_memory |= self->learns && at->learnt == NULL;
    *counts = (wri_batch_counts){
        .cases = walked->cases,
        .discarded = walked->refuted + walked->repeated + walked->beyond,
        .executions = runs,
        .calls = counts->calls,
        .lost = counts->lost,
    };
    memcpy(counts->hits, batch->known_hits, sizeof counts->hits);
    return go_on(self, order, on->restart, runs, rests);
}

static bool hopeless(const restarting *self)
{
    return !self->run.by_time && self->runs / RUNS_EACH > self->cases + RUNS_FREE / RUNS_EACH;
}

static bool count(void *context, const wri_order *order, const wri_batch_counts *counts)
{
    restarting    *self = context;
    const stretch *at = order->state;
    self->cases += counts->cases;
    self->runs += counts->executions;
    if (at->learnt != NULL)
        wri_weights_add(&self->next, at->learnt, &self->known);
    self->ended |= self->cases >= self->run.wanted || hopeless(self);
    return !self->ended;
}

static wri_round rest(void *context, const wri_sightings *seen, size_t bugs)
{
    restarting *self = context;
    (void)bugs;
    if (self->ended || self->no_memory || (self->run.until_stable && wri_stable(seen)))
        return WRI_ROUND_OVER;
    self->known = self->next;
    self->round++;
    self->given = 0;
    return WRI_ROUND_NEXT;
}

static uint64_t running(const void *block)
{
    return ((const field *)block)->ground.walked.cases;
}

static wri_repeat repeat(void *context, const wri_order *order)
{
    (void)context, (void)order;
    return (wri_repeat){ .manner = WRI_MANNER_ORDER };
}

static wri_status conclude(void *context, const wri_sightings *seen, uint64_t cases,
                           uint64_t discarded, const char **why)
{
    restarting *self = context;
    bool        enough = self->run.until_stable ? wri_stable(seen) : self->run.by_time;
    (void)discarded;
    if (self->no_memory) {
        *why = "out of memory";
        return WRI_STATUS_ERROR;
    }
    return enough || cases >= self->run.wanted ? WRI_STATUS_HELD : WRI_STATUS_GAVE_UP;
}

const wri_explorer wri_explorer_restart = {
    .name = "restart",
    .needs = WRI_COUNTS_RUNS | WRI_REFUTES | WRI_SKEWS | WRI_NOT_MACHINES,
    .worker_bytes = sizeof(field),
    .open = open_restarting,
    .close = free,
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
    .begin = begin,
    .next = next,
    .learn = learn,
    .end = end,
};
