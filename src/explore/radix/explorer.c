/* explore/radix/explorer.c: the row `radix` of the table: Functional Radix Coverage, after
 * Ivanova and others, "Don't Go Down the Rabbit Hole". Each row of a covering array says which
 * constructors the trees of a case begin with (rows.c, data/path.c). The cases of a row are
 * walked through, as `enumerate` walks through all cases, for a number of runs. When all rows had
 * their turn, the next round goes on with each row where it stood, with four times as many runs.
 * Several configurations compete: they take turns, a row each.
 *
 * A round's orders and the cases of each depend on nothing but the rounds before it. So the
 * number of workers changes nothing. The rows are dealt out to shards (--shard) in turn.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/ground.h"
#include "explore/radix/rows.h"

#define CONFIGURATIONS 3
#define DEFAULT_BUDGET 10000
#define GROWTH 4
#define MOST_RUNS ((uint64_t)1 << 15)
/* The runs that look for the trees of a case. */
#define LOOKS 64
/* Without a time limit the search gives up here, if it met no case. */
#define RUNS_EACH 1000
#define RUNS_FREE 1000000

/* The worker's block. */
typedef struct plot {
    wri_ground    ground;
    wri_radix_row row;
    uint64_t      stream; /* of the order's draws */
    uint32_t      columns;
    wri_column    column[WRI_RADIX_COLUMNS]; /* the draws that rows know; while it looks: none */
    wri_radix_shape shape;                   /* in memory that the worker can write to */
} plot;

/* ---- The worker's side ---- */

static wri_paths paths; /* code under test cannot write here by chance */
static plot     *on_plot;

/* How often the running case has drawn each name. */
#define COUNTED 64
static struct {
    uint32_t label, count;
} counted[COUNTED];
static size_t    counted_count;
static wri_drawn drawn;
static uint64_t  stream;

/* How many draws of this name came before; COUNTED: too many to tell. */
static uint16_t count_draw(uint32_t label)
{
    size_t i = 0;
    while (i < counted_count && counted[i].label != label)
        i++;
    if (i == COUNTED)
        return COUNTED;
    if (i == counted_count) {
        counted[counted_count].label = label;
        counted[counted_count++].count = 0;
    }
    uint32_t before = counted[i].count++;
    return before < COUNTED ? (uint16_t)before : COUNTED;
}

static void note_draw(const wr_case *t, const wri_request *request, uint32_t label,
                      uint16_t occurrence)
{
    wri_radix_shape *shape = &on_plot->shape;
    uint32_t         count = shape->columns < WRI_RADIX_COLUMNS ? shape->columns : 0;
    for (uint32_t i = 0; i < count; i++)
        if (shape->column[i].label == label && shape->column[i].occurrence == occurrence)
            return;
    if (shape->columns < WRI_RADIX_COLUMNS)
        shape->column[shape->columns++] = wri_column_of(t, request, label, occurrence, false);
}

/* The level that the row gives to this draw; WRI_ABSENT: none. */
static unsigned level_of(const wri_request *request, uint32_t label, uint16_t occurrence)
{
    for (uint32_t i = 0; i < on_plot->columns && i < WRI_RADIX_COLUMNS; i++) {
        const wri_column *one = &on_plot->column[i];
        if (one->label == label && one->occurrence == occurrence)
            return one->max == request->max && one->lo == request->lo ? on_plot->row.levels[i]
                                                                      : WRI_ABSENT;
    }
    return WRI_ABSENT;
}

/* A value of the level, or the one that this draw had in an earlier run. */
static bool answer_by_row(wr_case *t, const wri_request *request, unsigned level,
                          uint64_t *number)
{
    wri_walk *walk = t->walk;
    if (wri_walk_recall(t, request, number))
        return true;
    if (walk->made < walk->count)
        *number = walk->steps[walk->made].number;
    else if (!wri_column_draw(t, request, level, &drawn, &stream, number))
        return false;
    wri_walk_put(t, request, *number);
    return true;
}

static uint64_t choose(wri_answerer *self, wr_case *t, const wri_request *request, uint32_t label)
{
    uint64_t number;
    uint16_t occurrence = wri_column_fits(request) ? count_draw(label) : COUNTED;
    unsigned level = WRI_ABSENT;
    (void)self;
    if (occurrence < COUNTED && on_plot->columns == 0)
        note_draw(t, request, label, occurrence);
    else if (occurrence < COUNTED)
        level = level_of(request, label, occurrence);
    t->constants = NULL;
    if (level == WRI_ABSENT || !answer_by_row(t, request, level, &number))
        number = wri_walk_draw(t, request, false);
    wri_drawn_add(&drawn, request, number);
    return number;
}

static bool begin(const wri_work *work, wr_case *t)
{
    static wri_answerer answerer = { .choose = choose };
    on_plot = work->block;
    paths = on_plot->row.paths;
    stream = on_plot->stream;
    if (!wri_ground_lay(&on_plot->ground, work, t))
        return false;
    for (unsigned i = 0; i < WRI_PATH_TREES; i++)
        if (paths.of[i].length > WRI_PATH_MOST)
            paths.of[i].length = 0;
    wri_walking_now.walk.paths = &paths;
    answerer.choose_many = t->answerer->choose_many;
    t->answerer = &answerer;
    return true;
}

static bool next(wr_case *t, uint64_t number)
{
    counted_count = 0;
    drawn.count = drawn.real_count = drawn.latest_count = 0;
    return wri_ground_next(t, number);
}

/* Notes the trees that the case has drawn. */
static wri_after learn(wr_case *t, uint32_t verdict, wri_left left)
{
    const wri_walk  *walk = &wri_walking_now.walk;
    wri_radix_shape *shape = &on_plot->shape;
    for (unsigned i = shape->trees; i < walk->tree_count && i < WRI_PATH_TREES; i++) {
        const wri_type *type = walk->trees[i].tree->root.type_;
        shape->forms[i] = (uint8_t)type->form_count;
        shape->ends[i] = wri_path_ends(type);
        shape->trees = i + 1;
    }
    return wri_ground_learn(t, verdict, left);
}

/* ---- The parent's side ---- */

/* A row of a configuration, and where its walk stands. */
typedef struct row {
    wri_radix_row is;
    uint64_t      stream, orders; /* each order so far had random draws of its own */
    wri_step     *steps;
    size_t        count;
    uint64_t      bound;
    bool          resumed; /* there are steps */
    bool          done, cut, late;
} row;

typedef struct configuration {
    unsigned strength, fineness;
    uint64_t budget;
    row     *rows;
    size_t   count, next; /* the next row of this round */
} configuration;

/* The part of the cases that an order walks through. */
typedef struct part {
    row       *row;   /* NULL: it looks for trees */
    row        start; /* the row as it was before */
    uint64_t   left;  /* runs of this round, with those of the order */
    wri_walked walked;
} part;

typedef struct radix {
    wri_exploration run;
    configuration   configurations[CONFIGURATIONS];
    unsigned        configuration_count, turn;
    unsigned        round;
    bool            looked, made; /* the order that looks went out; the rows are made */
    bool            at_once, ended, no_memory, capped;
    uint64_t        depth;
    wri_radix_shape shape;
    uint64_t        cases, runs;
    bool            told;
    char            line[200];
} radix;

/* As published: few rows, each for long; more and deeper ones; all short ones. */
static const configuration USUAL[CONFIGURATIONS] = {
    { .strength = 1, .fineness = 1 },
    { .strength = 5, .fineness = 5 },
    { .strength = 7, .fineness = 3 },
};

static void configure(radix *self, const wri_settings *settings)
{
    bool strong = (settings->given & WRI_GIVEN_STRENGTH) != 0;
    bool fine = (settings->given & WRI_GIVEN_FINENESS) != 0;
    self->configuration_count = strong || fine ? 1 : CONFIGURATIONS;
    memcpy(self->configurations, USUAL, sizeof USUAL);
    if (strong || fine) {
        configuration *only = &self->configurations[0];
        only->fineness = fine ? (unsigned)settings->fineness : 3;
        only->strength = strong ? (unsigned)settings->strength : 2;
    }
    for (unsigned i = 0; i < self->configuration_count; i++)
        self->configurations[i].budget =
            settings->given & WRI_GIVEN_BUDGET ? settings->budget : DEFAULT_BUDGET;
}

static void *open_radix(const wri_exploration *run, const char **error)
{
    radix *self = calloc(1, sizeof *self);
    (void)error;
    if (self == NULL)
        return NULL;
    self->run = *run;
    self->at_once = run->settings->at_once;
    self->depth = run->settings->given & WRI_GIVEN_DEPTH ? run->settings->depth : WRI_NO_BOUND;
    configure(self, run->settings);
    if (run->settings->exactly)
        *error = "--exactly is for --explore enumerate";
    return self;
}

static void close_radix(void *context)
{
    radix *self = context;
    for (unsigned i = 0; i < CONFIGURATIONS; i++) {
        configuration *all = &self->configurations[i];
        for (size_t k = 0; k < all->count; k++)
            free(all->rows[k].steps);
        free(all->rows);
    }
    free(self);
}

static void drop(void *context, wri_order *order)
{
    part *at = order->state;
    (void)context;
    if (at != NULL)
        free(at->start.steps);
    free(at);
    order->state = NULL;
}

/* ---- Rows ---- */

/* This shard's rows of a configuration. */
static bool make_rows(radix *self, configuration *of, uint64_t seed)
{
    wri_radix_rows all;
    bool fine = wri_radix_rows_make(&all, &self->shape, of->strength, of->fineness, seed);
    self->capped |= all.strength < of->strength || all.fineness < of->fineness;
    of->rows = fine ? calloc(all.count + 1, sizeof *of->rows) : NULL;
    for (size_t i = self->run.shard.number; of->rows != NULL && i < all.count;
         i += self->run.shard.count)
        of->rows[of->count++] = (row){ .is = all.rows[i],
                                       .stream = wri_prng_stream(seed, i),
                                       .bound = self->at_once ? self->run.size : 0 };
    size_t used = (size_t)snprintf(NULL, 0, "%s", self->line);
    snprintf(self->line + used, sizeof self->line - used, "%s%zu of strength %u and fineness %u",
             used == 0 ? "rows: " : ", ", all.count, all.strength, all.fineness);
    wri_radix_rows_free(&all);
    return of->rows != NULL;
}

/* Without trees there is one row, of all cases. */
static void make_all_rows(radix *self)
{
    bool fine = true;
    if (self->shape.trees == 0)
        self->configuration_count = 1;
    for (unsigned i = 0; i < self->configuration_count && fine; i++)
        fine = make_rows(self, &self->configurations[i], wri_prng_stream(~self->run.seed, i));
    self->no_memory |= !fine;
    self->made = true;
}

/* The next row of the round; NULL: all had their turn. */
static row *next_row(radix *self, uint64_t *budget)
{
    for (unsigned tries = 0; tries < self->configuration_count; tries++) {
        configuration *of = &self->configurations[self->turn++ % self->configuration_count];
        while (of->next < of->count && of->rows[of->next].done)
            of->next++;
        if (of->next == of->count)
            continue;
        *budget = of->budget << (2 * self->round < 40 ? 2 * self->round : 40);
        return &of->rows[of->next++];
    }
    return NULL;
}

/* ---- Orders ---- */

static bool make_order(radix *self, wri_order *order, row *of, uint64_t left)
{
    part     *made = calloc(1, sizeof *made);
    size_t    count = of != NULL && of->resumed ? of->count : 0;
    wri_step *steps = malloc((count + 1) * sizeof *steps);
    if (made == NULL || steps == NULL) {
        free(made);
        free(steps);
        self->no_memory = true;
        return false;
    }
    if (count > 0)
        memcpy(steps, of->steps, count * sizeof *steps);
    *made = (part){ .row = of, .left = left };
    if (of != NULL) {
        made->start = *of;
        of->orders++;
    }
    made->start.steps = steps;
    made->start.count = count;
    *order = (wri_order){ .count = self->run.fork_each ? 1
                                   : left < MOST_RUNS  ? left
                                                       : MOST_RUNS,
                          .state = made };
    return true;
}

static bool give(void *context, const wri_standing *standing, wri_order *order)
{
    radix   *self = context;
    uint64_t budget = LOOKS;
    (void)standing;
    if (self->ended || self->no_memory || (self->looked && !self->made))
        return false;
    row *next = self->made ? next_row(self, &budget) : NULL;
    if (self->looked && next == NULL)
        return false;
    self->looked = true;
    return make_order(self, order, next, budget);
}

static void send(void *context, wri_order *order, void *block)
{
    radix      *self = context;
    const part *at = order->state;
    const row  *of = &at->start;
    plot       *on = block;
    bool        looks = at->row == NULL, deepens = !looks && !self->at_once;
    on->ground.terms = (wri_walk_terms){ .bound = looks ? self->run.size : of->bound,
                                         .depth = self->depth,
                                         .exact = deepens,
                                         .prune = deepens && !of->late,
                                         .fresh = !of->resumed,
                                         .wanted = order->wanted };
    on->ground.shard = (wri_shard){ .count = 1 };
    on->ground.count = of->count;
    memcpy(on->ground.steps, of->steps, of->count * sizeof *of->steps);
    memset(&on->ground.walked, 0, sizeof on->ground.walked);
    on->row = of->is;
    on->stream = wri_prng_stream(of->stream, of->orders);
    on->columns = looks ? 0 : self->shape.columns;
    memcpy(on->column, self->shape.column, sizeof on->column);
    on->shape.trees = on->shape.columns = 0;
}

/* A worker wrote the shape. */
static void take_shape(radix *self, const plot *on)
{
    wri_radix_shape shape = on->shape;
    if (shape.trees > WRI_PATH_TREES)
        return;
    for (unsigned i = 0; i < shape.trees; i++)
        if (shape.forms[i] == 0 || shape.forms[i] > 64)
            return;
    if (shape.columns > WRI_RADIX_COLUMNS)
        shape.columns = 0;
    for (unsigned i = 0; i < shape.columns; i++)
        if (shape.column[i].shape > WRI_SHAPE_REAL || shape.column[i].levels == 0)
            shape.columns = i;
    self->shape = shape;
}

/* Steps that a case of the walk has come to stay with the row. */
static bool keep_steps(row *of, const plot *on)
{
    size_t    count = wri_ground_steps(&on->ground);
    wri_step *steps = realloc(of->steps, (count + 1) * sizeof *steps);
    if (steps == NULL)
        return false;
    memcpy(steps, on->ground.steps, count * sizeof *steps);
    of->steps = steps;
    of->count = count;
    of->resumed = true;
    return true;
}

/* The walk has come to the end of the bound. */
static void end_bound(const radix *self, row *of)
{
    of->resumed = false;
    of->done = !of->cut || of->bound >= self->run.size;
    of->bound++;
    of->cut = false;
}

/* Goes on in the row; returns how many orders there are for the rest of its budget. */
static unsigned go_on(radix *self, const part *at, const plot *on, uint64_t runs,
                      wri_order rests[WRI_RESTS])
{
    row *of = at->row;
    of->cut |= at->walked.cut != 0;
    of->late |= at->walked.late != 0;
    if (at->walked.over)
        end_bound(self, of);
    else
        self->no_memory |= !keep_steps(of, on);
    if (of->done || self->no_memory || at->left <= runs)
        return 0;
    return make_order(self, &rests[0], of, at->left - runs);
}

/* A worker that died has not counted the case that it died in. */
static void count_death(wri_walked *walked, const plot *on, wri_batch *batch)
{
    bool small = on->ground.terms.exact && walked->open == 0 && walked->spare > 0;
    walked->cases += !small;
    walked->repeated += small;
    if (small)
        batch->end = WRI_BATCH_DONE;
}

static unsigned take(void *context, wri_order *order, wri_batch *batch, const void *block,
                     wri_batch_counts *counts, wri_order rests[WRI_RESTS])
{
    radix      *self = context;
    part       *at = order->state;
    const plot *on = block;
    bool        ended = batch->end == WRI_BATCH_ENDED;
    uint64_t    runs = batch->next + ended;
    wri_ground_read(&on->ground, batch->next + 1, &at->walked);
    if (ended && batch->died)
        count_death(&at->walked, on, batch);
    *counts = (wri_batch_counts){ .cases = at->walked.cases,
                                  .discarded = at->walked.refuted,
                                  .executions = runs,
                                  .calls = counts->calls,
                                  .lost = counts->lost };
    memcpy(counts->hits, batch->known_hits, sizeof counts->hits);
    if (at->row == NULL) {
        take_shape(self, on);
        return 0;
    }
    return go_on(self, at, on, runs, rests);
}

static bool hopeless(const radix *self)
{
    return !self->run.by_time && self->runs / RUNS_EACH > self->cases + RUNS_FREE / RUNS_EACH;
}

static bool count(void *context, const wri_order *order, const wri_batch_counts *counts)
{
    radix *self = context;
    (void)order;
    self->cases += counts->cases;
    self->runs += counts->executions;
    self->ended |= self->cases >= self->run.wanted || hopeless(self);
    return !self->ended;
}

static bool is_done(const radix *self)
{
    for (unsigned i = 0; i < self->configuration_count; i++)
        for (size_t k = 0; k < self->configurations[i].count; k++)
            if (!self->configurations[i].rows[k].done)
                return false;
    return true;
}

static wri_round rest(void *context, const wri_sightings *seen, size_t bugs)
{
    radix *self = context;
    (void)seen, (void)bugs;
    if (self->ended || self->no_memory)
        return WRI_ROUND_OVER;
    if (!self->made)
        make_all_rows(self);
    else
        self->round++;
    for (unsigned i = 0; i < self->configuration_count; i++)
        self->configurations[i].next = 0;
    self->turn = 0;
    return self->no_memory || is_done(self) ? WRI_ROUND_OVER : WRI_ROUND_NEXT;
}

/* ---- What it comes to ---- */

static uint64_t running(const void *block)
{
    return ((const plot *)block)->ground.walked.cases;
}

static wri_repeat repeat(void *context, const wri_order *order)
{
    (void)context, (void)order;
    return (wri_repeat){ .manner = WRI_MANNER_ORDER };
}

static wri_status conclude(void *context, const wri_sightings *seen, uint64_t cases,
                           uint64_t discarded, const char **why)
{
    radix *self = context;
    (void)seen, (void)discarded;
    if (self->no_memory) {
        *why = "out of memory";
        return WRI_STATUS_ERROR;
    }
    if (cases > 0 || self->run.shard.count > 1 || self->run.by_time)
        return WRI_STATUS_HELD;
    *why = "no case of the rows meets the preconditions";
    return WRI_STATUS_GAVE_UP;
}

static void tell(void *context, wri_result *result)
{
    (void)context, (void)result;
}

static void remarks(void *context, const wri_order *order, wri_sayer *say, void *to)
{
    radix *self = context;
    (void)order;
    if (!self->told && self->made && self->run.settings->verbose && self->shape.trees > 0) {
        self->told = true;
        say(to, self->line);
    }
}

static void limits(void *context, wri_sayer *say, void *to)
{
    radix *self = context;
    bool   asked = (self->run.settings->given & (WRI_GIVEN_STRENGTH | WRI_GIVEN_FINENESS)) != 0;
    char   line[300];
    snprintf(line, sizeof line, "--strength or --fineness is lowered to what can be combined: %s",
             self->line);
    if (asked && self->capped)
        say(to, line);
}

const wri_explorer wri_explorer_radix = {
    .name = "radix",
    .needs = WRI_COUNTS_RUNS | WRI_ENDS_BY_SIZE | WRI_REFUTES | WRI_SKEWS | WRI_NOT_MACHINES,
    .worker_bytes = sizeof(plot),
    .open = open_radix,
    .close = close_radix,
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
    .tell = tell,
    .remarks = remarks,
    .limits = limits,
    .begin = begin,
    .next = next,
    .learn = learn,
    .end = wri_ground_end,
};
