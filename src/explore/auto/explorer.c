/* explore/auto/explorer.c: the row `auto` of the table of explorers. It owns other explorers.
 *
 * Random cases come first. Then a round has orders of several explorers, each as many as its
 * share allows (arms.c). A round begins when all orders of the last one are back, so every
 * explorer learns from its own cases in their sequence, and nothing depends on the number of
 * workers. Where only random cases are left, no round ends.
 *
 * The cases of an explorer have numbers of their own. Their seeds are salted, for fresh cases of
 * different explorers would else be the same. Runs that are no sample of cases, and that come
 * beside the random ones, are executions, and no cases of the run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/prng.h"
#include "explore/auto/arms.h"
#include "observe/signals.h"

/* A run that has proved the property may end here. */
#define ENOUGH_PROVED 1000

/* The death of a worker costs as much as so many executions. */
#define DEATH 200

typedef struct choosing {
    wri_exploration run;
    wri_arm         arms[WRI_ARMS];
    uint64_t        cases, executions, redrawn;
    size_t          shown;        /* different observations, when the last round began */
    uint64_t        cases_before; /* this round */
    bool            random_gave;  /* in this round */
    bool            begun, proved, no_memory;
} choosing;

static const wri_explorer *const ROWS[WRI_ARMS] = {
    [WRI_ARM_GUIDE] = &wri_explorer_guide,     [WRI_ARM_COMBINE] = &wri_explorer_combine,
    [WRI_ARM_KNOWING] = &wri_explorer_knowing, [WRI_ARM_RESTART] = &wri_explorer_restart,
    [WRI_ARM_RANDOM] = &wri_explorer_random,   [WRI_ARM_ENUMERATE] = &wri_explorer_enumerate,
};

static wri_arm *arm_of(choosing *self, const wri_order *order)
{
    unsigned i = 0;
    while (i < WRI_ARM_RANDOM && ROWS[i] != order->by)
        i++;
    return &self->arms[i];
}

/* ---- Arms ---- */

static void *block_of(const choosing *self, const wri_explorer *row)
{
    for (unsigned i = 0; i < WRI_EXPLORER_COUNT; i++)
        if (wri_explorers[i] == row)
            return self->run.blocks[i];
    return NULL;
}

static bool open_arm(choosing *self, wri_arm *arm)
{
    const char     *error = NULL;
    bool            random = arm == &self->arms[WRI_ARM_RANDOM];
    wri_exploration run = self->run;
    arm->redraw = *self->run.redraw;
    run.shared = block_of(self, arm->row);
    if (!random) {
        run.wanted = UINT64_MAX / 2;
        run.by_time = run.owned = true;
        run.redraw = &arm->redraw;
    }
    arm->self = arm->row->open(&run, &error);
    arm->over = arm->self == NULL || error != NULL;
    self->no_memory |= arm->self == NULL && error == NULL;
    return !arm->over;
}

static void close_choosing(void *context)
{
    choosing *self = context;
    for (unsigned i = 0; i < WRI_ARMS; i++) {
        wri_arm *arm = &self->arms[i];
        for (size_t k = 0; k < arm->held_count; k++)
            arm->row->drop(arm->self, &arm->held[k]);
        free(arm->held);
        if (arm->self != NULL)
            arm->row->close(arm->self);
    }
    free(self);
}

static void *open_choosing(const wri_exploration *run, const char **error)
{
    choosing *self = calloc(1, sizeof *self);
    (void)error;
    if (self == NULL)
        return NULL;
    self->run = *run;
    for (unsigned i = 0; i < WRI_ARMS; i++)
        self->arms[i].row = ROWS[i];
    self->arms[WRI_ARM_ENUMERATE].beside = true;
    self->arms[WRI_ARM_COMBINE].beside = self->arms[WRI_ARM_KNOWING].beside = true;
    if (open_arm(self, &self->arms[WRI_ARM_RANDOM]))
        return self;
    close_choosing(self);
    return NULL;
}

/* ---- Orders ---- */

/* Has its explorer no limit of its own? Then its orders go out one after the other, and its quota
 * is what is left of it when one has come back. */
static bool walks(const wri_arm *arm)
{
    return arm->row->allow == NULL;
}

static bool hold(wri_arm *arm, const wri_order *order)
{
    wri_order *grown = wri_grow(arm->held, sizeof *grown, arm->held_count, &arm->held_room);
    if (grown == NULL)
        return false;
    arm->held = grown;
    grown[arm->held_count++] = *order;
    return true;
}

/* Has the walk come to the end of all cases, and are there several? A property that draws nothing
 * has one case, and runs it so often because something else may differ. */
static bool is_proof(const wri_arm *arm)
{
    static const wri_sightings NOTHING = { 0 };
    wri_result                 told = { 0 };
    const char                *why = NULL;
    if (arm->row->conclude(arm->self, &NOTHING, 1, 0, &why) != WRI_STATUS_PROVED)
        return false;
    arm->row->tell(arm->self, &told);
    return told.enumerated.values > 1;
}

/* The next order of an explorer that walks: one that waits, or a new one. */
static bool next_walk(choosing *self, wri_arm *arm, const wri_standing *standing,
                      wri_order *order)
{
    static const wri_sightings NOTHING = { 0 };
    if (arm->held_count > 0) {
        *order = arm->held[--arm->held_count];
    } else if (!arm->row->give(arm->self, standing, order) &&
               (arm->row->rest(arm->self, &NOTHING, 0) == WRI_ROUND_OVER ||
                !arm->row->give(arm->self, standing, order))) {
        arm->over = true;
        self->proved |= is_proof(arm);
        return false;
    }
    order->count = self->run.fork_each ? 1 : arm->quota;
    return true;
}

typedef enum { GAVE, WAITS, HAS_NONE } given;

/* The orders of an arm go out before those of the next one, so their sequence is the same however
 * many workers there are. */
static given give_arm(choosing *self, wri_arm *arm, const wri_standing *all, wri_order *order)
{
    wri_standing own = { 0 };
    bool         random = arm == &self->arms[WRI_ARM_RANDOM];
    all->of(all->context, arm->row, &own);
    if (arm->quota == 0 || arm->over)
        return HAS_NONE;
    bool gave = walks(arm) ? arm->out == 0 && next_walk(self, arm, &own, order)
                           : arm->row->give(arm->self, &own, order);
    if (!gave)
        return own.outstanding + arm->out > 0 ? WAITS : HAS_NONE;
    arm->out += walks(arm);
    self->random_gave |= random;
    order->by = arm->row;
    order->salt = random ? 0 : wri_prng_mix((uint64_t)(arm - self->arms) + WRI_GAMMA);
    if (!random && !walks(arm))
        arm->quota -= order->count < arm->quota ? order->count : arm->quota;
    return GAVE;
}

/* ---- Rounds ---- */

static double idle_part(const wri_arm *guide)
{
    wri_sightings seen = { 0 };
    if (guide->self == NULL || !guide->row->sightings(guide->self, &seen) || seen.cases == 0)
        return 0;
    return (double)(seen.cases - seen.nearer) / (double)seen.cases;
}

/* A property that is proved needs no more than a sample of cases. */
static uint64_t left_now(const choosing *self)
{
    uint64_t wanted = self->run.wanted;
    if (self->proved && wanted > ENOUGH_PROVED)
        wanted = ENOUGH_PROVED;
    return wanted > self->cases ? wanted - self->cases : 0;
}

/* Random cases have come to their end, because nearly all were discarded, and the others found
 * none either. */
static bool is_hopeless(const choosing *self)
{
    return self->begun && !self->random_gave && self->cases == self->cases_before;
}

static void begin_round(choosing *self, size_t shown)
{
    wri_round_terms terms = { .total = self->executions,
                              .left = left_now(self),
                              .wanted = self->run.wanted,
                              .shown = shown,
                              .redrawn = self->redrawn,
                              .idle = idle_part(&self->arms[WRI_ARM_GUIDE]),
                              .signals = wri_edges_present() || wri_comparisons_present() };
    wri_arm        *random = &self->arms[WRI_ARM_RANDOM];
    self->shown = shown;
    for (unsigned i = 0; i < WRI_ARMS; i++)
        self->arms[i].quota = 0;
    if (terms.left == 0 || is_hopeless(self))
        return;
    self->begun = true;
    self->random_gave = false;
    self->cases_before = self->cases;
    wri_arms_share(self->arms, &terms);
    for (unsigned i = 0; i < WRI_ARMS; i++) {
        wri_arm *arm = &self->arms[i];
        bool ready = arm->quota > 0 && !arm->over && (arm->self != NULL || open_arm(self, arm));
        if (!ready)
            arm->quota = 0;
        else if (arm->row->allow != NULL)
            arm->row->allow(arm->self, arm->quota);
    }
    random->row->more(random->self, random->cases + random->room);
}

static bool give(void *context, const wri_standing *standing, wri_order *order)
{
    choosing *self = context;
    for (unsigned tries = 0; tries < 2; tries++) {
        for (unsigned i = 0; i < WRI_ARMS; i++) {
            given what = give_arm(self, &self->arms[i], standing, order);
            if (what != HAS_NONE)
                return what == GAVE;
        }
        if (tries > 0 || standing->outstanding > 0)
            return false;
        begin_round(self, standing->shown);
    }
    return false;
}

/* ---- Results ---- */

static void send(void *context, wri_order *order, void *block)
{
    choosing *self = context;
    wri_arm  *arm = arm_of(self, order);
    order->wanted = arm->beside ? UINT64_MAX : order->count;
    if (arm->row->send != NULL)
        arm->row->send(arm->self, order, block);
}

/* Further orders of an explorer that walks wait for its next quota. */
static unsigned take(void *context, wri_order *order, wri_batch *batch, const void *block,
                     wri_batch_counts *counts, wri_order rests[WRI_RESTS])
{
    choosing *self = context;
    wri_arm  *arm = arm_of(self, order);
    unsigned  count = arm->row->take(arm->self, order, batch, block, counts, rests);
    if (arm->beside)
        counts->cases = counts->discarded = counts->overrun = 0;
    for (unsigned i = 0; i < count; i++) {
        rests[i].by = order->by;
        rests[i].salt = order->salt;
    }
    if (!walks(arm))
        return count;
    uint64_t spent = counts->executions + (batch->died ? DEATH : 0);
    arm->quota -= spent < arm->quota ? spent : arm->quota;
    while (count > 0)
        if (!hold(arm, &rests[--count]))
            arm->row->drop(arm->self, &rests[count]), self->no_memory = true;
    return 0;
}

static void undo(void *context, const wri_order *order)
{
    wri_arm *arm = arm_of(context, order);
    if (arm->row->undo != NULL)
        arm->row->undo(arm->self, order);
}

static bool count(void *context, const wri_order *order, const wri_batch_counts *counts)
{
    choosing *self = context;
    wri_arm  *arm = arm_of(self, order);
    if (arm->row->count != NULL)
        arm->row->count(arm->self, order, counts);
    arm->executions += counts->executions;
    arm->redrawn += counts->redrawn;
    arm->cases += counts->cases;
    self->executions += counts->executions;
    self->cases += counts->cases;
    self->redrawn += counts->redrawn;
    arm->out -= walks(arm);
    return !self->no_memory;
}

static void drop(void *context, wri_order *order)
{
    wri_arm *arm = arm_of(context, order);
    if (arm->row->drop != NULL)
        arm->row->drop(arm->self, order);
}

static wri_repeat repeat(void *context, const wri_order *order)
{
    wri_arm *arm = arm_of(context, order);
    return arm->row->repeat == NULL ? (wri_repeat){ .manner = WRI_MANNER_RANDOM }
                                    : arm->row->repeat(arm->self, order);
}

static void more(void *context, uint64_t wanted)
{
    ((choosing *)context)->run.wanted = wanted;
}

/* ---- What it comes to ---- */

static wri_status conclude(void *context, const wri_sightings *seen, uint64_t cases,
                           uint64_t discarded, const char **why)
{
    choosing *self = context;
    (void)seen, (void)discarded;
    if (self->no_memory) {
        *why = "out of memory";
        return WRI_STATUS_ERROR;
    }
    if (self->proved && cases > 0)
        return WRI_STATUS_PROVED;
    return self->run.by_time || cases >= self->run.wanted ? WRI_STATUS_HELD : WRI_STATUS_GAVE_UP;
}

/* Advice after a run that found nothing. */
static const char *advice(const choosing *self)
{
    bool signals = wri_edges_present() || wri_comparisons_present();
    if (!signals && self->shown < 2)
        return "labels where cases seldom come (wr_label), or the compiler's signals: they guide "
               "the search";
    if (!signals)
        return "the code under test with the compiler's signals: they guide the search";
    return idle_part(&self->arms[WRI_ARM_GUIDE]) < 0.25
               ? "more cases: the search still found something new in the last quarter"
               : NULL;
}

/* What the enumeration and the combinations came to. */
static void tell_tried(const choosing *self, wri_surety *sure)
{
    const wri_arm *walker = &self->arms[WRI_ARM_ENUMERATE];
    const wri_arm *planner = &self->arms[WRI_ARM_COMBINE];
    wri_result     told = { 0 };
    if (walker->self != NULL)
        walker->row->tell(walker->self, &told);
    if (planner->self != NULL)
        planner->row->tell(planner->self, &told);
    *sure = (wri_surety){ .asked = true,
                          .sized = told.enumerated.exhausted && !told.enumerated.by_depth &&
                                   told.enumerated.values != UINT64_MAX,
                          .size = told.enumerated.bound,
                          .next = advice(self) };
    for (size_t i = 0; i < told.enumerated.size_count; i++)
        if (told.enumerated.sizes[i].size <= sure->size)
            sure->values += told.enumerated.sizes[i].values;
    if (told.combined.tuple_count > 0) {
        sure->draws = told.combined.draws;
        sure->tuples = told.combined.tuples[told.combined.tuple_count - 1];
    }
}

static void tell(void *context, wri_result *result)
{
    choosing *self = context;
    wri_arm  *walker = self == NULL ? NULL : &self->arms[WRI_ARM_ENUMERATE];
    if (walker != NULL && self->proved) {
        walker->row->tell(walker->self, result);
        result->enumerated.worker_count = 0;
        for (size_t i = 0; i < result->enumerated.size_count; i++)
            result->enumerated.cases += result->enumerated.sizes[i].cases;
    } else if (walker != NULL && self->cases >= WRI_LONG_RUN &&
               result->status == WRI_STATUS_HELD && result->failure_count == 0) {
        tell_tried(self, &result->sure);
    }
}

/* How the executions were spent. */
static void say_spent(choosing *self, wri_sayer *say, void *to)
{
    char   line[200] = "executions:";
    size_t used = strlen(line);
    for (unsigned i = 0; i < WRI_ARMS && used < sizeof line; i++) {
        const wri_arm *arm = &self->arms[i];
        if (arm->executions > 0)
            used += (size_t)snprintf(
                line + used, sizeof line - used, "%s %llu %s", line[used - 1] == ':' ? "" : ",",
                (unsigned long long)arm->executions,
                arm->row->name == NULL ? "random with constants" : arm->row->name);
    }
    say(to, line);
}

static void remarks(void *context, const wri_order *order, wri_sayer *say, void *to)
{
    choosing *self = context;
    wri_arm  *arm = order == NULL ? NULL : arm_of(self, order);
    if (arm == NULL)
        say_spent(self, say, to);
    else if (arm->row->remarks != NULL)
        arm->row->remarks(arm->self, order, say, to);
}

const wri_explorer wri_explorer_auto = {
    .needs = WRI_NOT_MACHINES,
    .owns = 1u << WRI_EXPLORER_random | 1u << WRI_EXPLORER_guide | 1u << WRI_EXPLORER_enumerate |
            1u << WRI_EXPLORER_restart | 1u << WRI_EXPLORER_combine | 1u << WRI_EXPLORER_knowing,
    .open = open_choosing,
    .close = close_choosing,
    .give = give,
    .send = send,
    .take = take,
    .undo = undo,
    .count = count,
    .drop = drop,
    .more = more,
    .repeat = repeat,
    .conclude = conclude,
    .tell = tell,
    .remarks = remarks,
};
