/* explore/combine/explorer.c: the row `combine` of the table of explorers.
 *
 * Cases are planned in rounds (round.c): the plans of a round depend on what all rounds before it
 * came to, and on nothing else. So the number of workers changes nothing. A shard (--shard) is a
 * search by itself, with its own numbers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "explore/combine/combining.h"

/* The first round only meets the draws. */
#define FIRST_ROUND 16
/* Rounds are short at first, because each learns from those before it. */
#define ROUND_PART 16
#define FIRST_GROWTH 16
#define DEFAULT_STRENGTH 3

static void close_combining(void *context)
{
    wri_combining *self = context;
    wri_goals_free(&self->goals);
    for (size_t i = 0; i < self->missed_count; i++)
        free(self->missed[i]);
    free(self->missed);
    free(self->planned);
    free(self->cells);
    free(self->cases);
    free(self->met);
    wri_rows_free(&self->rows);
    wri_draft_free(&self->rows_out);
    free(self->out);
    free(self->remembered);
    free(self->numbers);
    free(self->compared);
    free(self->made);
    free(self);
}

/* The rows of a file are read, and that rows can be written is tried. Its names are columns from
 * the beginning. */
static bool open_files(wri_combining *self, const wri_settings *settings)
{
    if (settings->rows != NULL &&
        !wri_rows_read(&self->rows, settings->rows, self->error, sizeof self->error))
        return false;
    self->column_count = self->rows.column_count;
    memcpy(self->columns, self->rows.columns, self->column_count * sizeof *self->columns);
    if (settings->rows_out == NULL || wri_draft_find(&self->rows_out, settings->rows_out))
        return true;
    snprintf(self->error, sizeof self->error, "%s: cannot be written: %s", settings->rows_out,
             strerror(errno));
    return false;
}

static void *open_combining(const wri_exploration *run, const char **error)
{
    const wri_settings *settings = run->settings;
    wri_combining      *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    wri_ranges_open(&self->ranges, run);
    if (!open_files(self, settings)) {
        *error = self->error;
        return self;
    }
    self->asked = (settings->given & WRI_GIVEN_STRENGTH) != 0;
    self->most = !self->asked                         ? DEFAULT_STRENGTH
                 : settings->strength < WRI_STRENGTHS ? (unsigned)settings->strength
                                                      : WRI_STRENGTHS;
    self->random = wri_prng_stream(run->seed ^ UINT64_C(0x636f6d62696e65), run->shard.number);
    self->planned = calloc(WRI_ROUND, sizeof *self->planned);
    self->cells = calloc((size_t)WRI_ROUND * WRI_COLUMNS, sizeof *self->cells);
    self->cases = calloc(WRI_ROUND, sizeof *self->cases);
    self->remembered = malloc((size_t)WRI_REMEMBERED * WRI_COLUMNS);
    self->numbers = malloc((size_t)WRI_REMEMBERED * WRI_COLUMNS * sizeof *self->numbers);
    if (self->planned != NULL && self->cells != NULL && self->cases != NULL &&
        self->remembered != NULL && self->numbers != NULL)
        return self;
    close_combining(self);
    return NULL;
}

/* ---- Orders ---- */

static unsigned round_size(const wri_combining *self)
{
    uint64_t size =
        self->ranges.next == 0 ? FIRST_ROUND : FIRST_GROWTH + self->ranges.next / ROUND_PART;
    return size < WRI_ROUND ? (unsigned)size : WRI_ROUND;
}

/* All cases of the round are back. False: there is no further round. */
static bool begin_round(wri_combining *self)
{
    wri_ranges *ranges = &self->ranges;
    uint64_t    wanted = wri_ranges_wanted(ranges), limit;
    wri_combining_finish(self);
    if (self->no_memory || self->error[0] != '\0' || !wri_ranges_limit(ranges, 0, 0, &limit) ||
        ranges->valid >= wanted)
        return false;
    uint64_t count = round_size(self);
    count = count < wanted - ranges->valid ? count : wanted - ranges->valid;
    count = count < limit - ranges->next ? count : limit - ranges->next;
    self->round_at = ranges->next;
    self->handed = 0;
    wri_combining_plan(self, (unsigned)count);
    return self->count > 0;
}

static bool give(void *context, const wri_standing *standing, wri_order *order)
{
    wri_combining *self = context;
    wri_ranges    *ranges = &self->ranges;
    if (self->handed == self->count && (standing->outstanding > 0 || !begin_round(self)))
        return false;
    unsigned share = self->count / ranges->run.workers + 1, left = self->count - self->handed;
    uint64_t stretch = wri_ranges_stretch(ranges);
    share = share < WRI_PLANNED ? share : WRI_PLANNED;
    share = share < left ? share : left;
    share = share < stretch ? share : (unsigned)stretch;
    *order = (wri_order){ .from = wri_ranges_next(ranges),
                          .count = ranges->run.fork_each ? 1 : share };
    ranges->next += order->count;
    self->handed += (unsigned)order->count;
    return true;
}

/* The case of the round that has this number. */
static unsigned index_of(const wri_combining *self, uint64_t number)
{
    uint64_t at = wri_ranges_place(&self->ranges, number) - self->round_at;
    return at < self->count ? (unsigned)at : self->count - 1;
}

static void send(void *context, wri_order *order, void *block)
{
    wri_combining *self = context;
    wri_errand    *errand = block;
    unsigned       first = index_of(self, order->from), columns = self->columns_out;
    uint64_t       count = order->count < WRI_PLANNED ? order->count : WRI_PLANNED;
    count = count < self->count - first ? count : self->count - first;
    errand->from = order->from;
    errand->columns = columns;
    errand->cases = (uint32_t)count;
    memcpy(errand->known, self->columns, columns * sizeof *self->columns);
    memcpy(errand->planned, &self->planned[first], count * sizeof *self->planned);
    for (uint64_t i = 0; i < count; i++) {
        errand->planned[i].ending = WRI_ENDING_NONE;
        memcpy(&errand->cells[i * columns], &self->cells[(first + i) * WRI_COLUMNS],
               columns * sizeof *errand->cells);
    }
}

/* ---- Results ---- */

/* Workers can write to their blocks: nothing is believed that would lead out of bounds. */
static void take_case(wri_combining *self, const wri_errand *errand, unsigned at, uint64_t i)
{
    wri_planned       *planned = &self->planned[at];
    wri_combined_case *into = &self->cases[at];
    uint64_t           stream = planned->stream;
    uint8_t            temper = planned->temper;
    *planned = errand->planned[i];
    planned->stream = stream;
    planned->temper = temper;
    planned->misfit = planned->misfit <= self->columns_out ? planned->misfit : 0;
    for (unsigned c = 0; c < self->columns_out; c++) {
        uint8_t level = errand->levels[i * self->columns_out + c];
        bool    fine = level < WRI_LEVELS;
        into->levels[c] = fine ? level : WRI_ABSENT;
        into->numbers[c] = errand->numbers[i * self->columns_out + c];
        if (into->numbers[c] > self->columns[c].max && self->columns[c].kind != WRI_REAL &&
            self->columns[c].levels != 0)
            into->numbers[c] = self->columns[c].max;
    }
}

/* If the code tells its comparisons, there is room for them from the first batch on. */
static void take_comparisons(wri_combining *self, const wri_errand *errand, unsigned at,
                             uint64_t i)
{
    if (!errand->comparisons)
        return;
    if (self->compared == NULL) {
        self->compared = calloc(1, sizeof *self->compared);
        self->made = calloc((size_t)WRI_ROUND * WRI_TOLD, sizeof *self->made);
        self->no_memory |= self->compared == NULL || self->made == NULL;
    }
    if (!self->no_memory)
        memcpy(&self->made[(size_t)at * WRI_TOLD], &errand->made[i * WRI_TOLD],
               WRI_TOLD * sizeof *self->made);
}

static void take_met(wri_combining *self, const wri_errand *errand)
{
    uint32_t count = errand->met_count < WRI_MET ? errand->met_count : WRI_MET;
    for (uint32_t i = 0; i < count; i++) {
        wri_met_column *grown =
            wri_grow(self->met, sizeof *grown, self->met_count, &self->met_room);
        if (grown == NULL) {
            self->no_memory = true;
            return;
        }
        self->met = grown;
        grown[self->met_count] = errand->met[i];
        grown[self->met_count++].column.name[WRI_COLUMN_NAME - 1] = '\0';
    }
}

static void take_relations(wri_combining *self, const wri_errand *errand)
{
    uint32_t count = errand->relation_count < WRI_RELATIONS ? errand->relation_count : 0;
    for (uint32_t i = 0; i < count; i++) {
        wri_relation one = errand->relations[i];
        unsigned     at = 0;
        one.count = one.count < WRI_RELATED ? one.count : WRI_RELATED;
        for (unsigned k = 0; k < WRI_RELATED; k++)
            one.names[k][WRI_COLUMN_NAME - 1] = '\0';
        while (at < self->relation_count && memcmp(&self->relations[at], &one, sizeof one) != 0)
            at++;
        if (at == self->relation_count && at < WRI_RELATIONS) {
            self->relations[self->relation_count++] = one;
            self->changed = true;
        }
    }
}

static unsigned take(void *context, wri_order *order, wri_batch *batch, const void *block,
                     wri_batch_counts *counts, wri_order rests[WRI_RESTS])
{
    wri_combining    *self = context;
    const wri_errand *errand = block;
    uint64_t          ran = batch->next + (batch->end == WRI_BATCH_ENDED) - order->from;
    unsigned          first = index_of(self, order->from);
    for (uint64_t i = 0; i < ran && i < WRI_PLANNED && first + i < self->count; i++) {
        take_case(self, errand, first + (unsigned)i, i);
        take_comparisons(self, errand, first + (unsigned)i, i);
    }
    take_met(self, errand);
    take_relations(self, errand);
    return wri_ranges_take(&self->ranges, order, batch, block, counts, rests);
}

static wri_repeat repeat(void *context, const wri_order *order)
{
    (void)context, (void)order;
    return (wri_repeat){ .manner = WRI_MANNER_ALIGNED };
}

static wri_status conclude(void *context, const wri_sightings *seen, uint64_t cases,
                           uint64_t discarded, const char **why)
{
    wri_combining *self = context;
    wri_combining_finish(self);
    if (cases > 0)
        wri_combining_check(self);
    if (self->error[0] != '\0' || self->no_memory) {
        *why = self->no_memory ? "out of memory" : self->error;
        return WRI_STATUS_ERROR;
    }
    return wri_ranges_conclude(&self->ranges, seen, cases, discarded, why);
}

const wri_explorer wri_explorer_combine = {
    .name = "combine",
    .needs = WRI_NEEDS_TRACE | WRI_NEEDS_SIGNALS | WRI_SKEWS | WRI_USES_CONSTANTS,
    .worker_bytes = sizeof(wri_errand),
    .open = open_combining,
    .close = close_combining,
    .give = give,
    .send = send,
    .take = take,
    .rest = wri_ranges_rest,
    .repeat = repeat,
    .conclude = conclude,
    .tell = wri_combining_tell,
    .limits = wri_combining_limits,
    .begin = wri_plan_begin,
    .next = wri_plan_next,
    .learn = wri_plan_learn,
    .end = wri_plan_end,
};
