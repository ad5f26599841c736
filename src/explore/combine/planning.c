/* explore/combine/planning.c: what each case of a round is for, and its plan.
 *
 * The first round meets the draws. Then come the rows of a file, and the rows of the array, first
 * for all pairs. From then on half of the cases are steps of walks; the others go on with the
 * array of the next strength, and at last have bins at random.
 */
#include <string.h>

#include "explore/combine/combining.h"

static void plan_freely(wri_combining *self, unsigned at, uint64_t place)
{
    self->cases[at].purpose = WRI_PURPOSE_CHANCE;
    self->planned[at] =
        (wri_planned){ .stream = wri_prng_stream(self->ranges.run.seed,
                                                 wri_ranges_number(&self->ranges, place)) };
    memset(&self->cells[(size_t)at * WRI_COLUMNS], 0, WRI_COLUMNS * sizeof *self->cells);
}

/* The digits of a column, put together; those that the row leaves open are random. A number
 * beyond the range becomes its end. */
static void plan_digits(wri_combining *self, const wri_combined_case *one, unsigned first,
                        wri_cell *cell)
{
    const wri_factor *factors = self->goals.factors;
    const wri_column *column = &self->columns[factors[first].column];
    wri_request       request = wri_column_request(column);
    uint64_t          offset = 0;
    for (unsigned i = first;
         i < self->goals.factor_count && factors[i].column == factors[first].column; i++) {
        uint64_t most = (uint64_t)__builtin_popcountll(factors[i].levels) - 1;
        uint64_t digit = one->row[i] != WRI_ABSENT
                             ? one->row[i]
                             : wri_prng_scale(wri_prng_next(&self->random), most);
        offset += digit * factors[i].weight;
    }
    offset = offset > column->max ? column->max : offset;
    *cell =
        (wri_cell){ .manner = WRI_CELL_NUMBER, .number = wri_column_number(&request, offset) };
}

static bool plan_row(wri_combining *self, unsigned at)
{
    wri_combined_case *one = &self->cases[at];
    if (!self->rows_left || !wri_goals_row(&self->goals, self->added, &self->random, one->row))
        return self->rows_left = false;
    one->purpose = WRI_PURPOSE_ROW;
    wri_goals_wait(&self->goals, one->row, true);
    for (unsigned i = 0; i < self->goals.factor_count; i++) {
        const wri_factor *factor = &self->goals.factors[i];
        wri_cell         *cell = &self->cells[(size_t)at * WRI_COLUMNS + factor->column];
        if (factor->base > 0 && factor->weight == 1)
            plan_digits(self, one, i, cell);
        else if (factor->base == 0 && one->row[i] != WRI_ABSENT)
            *cell = (wri_cell){ .manner = WRI_CELL_LEVEL, .level = one->row[i] };
    }
    return true;
}

/* ---- Rows of a file ---- */

static void plan_file_row(wri_combining *self, unsigned at)
{
    size_t row = self->rows_begun++;
    self->cases[at].purpose = WRI_PURPOSE_FILE;
    self->cases[at].line = self->rows.lines[row];
    memcpy(&self->cells[(size_t)at * WRI_COLUMNS],
           &self->rows.cells[row * self->rows.column_count],
           self->rows.column_count * sizeof *self->cells);
}

/* ---- All cases, where they are few ---- */

static void plan_full(wri_combining *self, unsigned at)
{
    uint64_t left = self->full++;
    self->cases[at].purpose = WRI_PURPOSE_FULL;
    for (unsigned i = 0; i < self->column_count; i++) {
        uint64_t levels = self->columns[i].levels;
        uint64_t count = (uint64_t)__builtin_popcountll(levels);
        for (uint64_t skip = left % count; skip > 0; skip--)
            levels &= levels - 1;
        left /= count;
        self->cells[(size_t)at * WRI_COLUMNS + i] =
            (wri_cell){ .manner = WRI_CELL_NUMBER, .number = (uint64_t)__builtin_ctzll(levels) };
    }
}

/* The case has these numbers. */
static void plan_sample(wri_combining *self, unsigned at, const wri_sample *next)
{
    self->planned[at].stream = next->stream;
    for (unsigned i = 0; i < self->columns_out; i++)
        if (next->levels[i] != WRI_ABSENT)
            self->cells[(size_t)at * WRI_COLUMNS + i] =
                (wri_cell){ .manner = WRI_CELL_NUMBER, .number = next->numbers[i] };
}

static bool plan_site(wri_combining *self, unsigned at)
{
    wri_sample next;
    if (self->compared == NULL || !wri_compared_next(self->compared, self->columns,
                                                     self->columns_out, &self->random, &next))
        return false;
    self->cases[at].purpose = WRI_PURPOSE_SITE;
    plan_sample(self, at, &next);
    return true;
}

static bool plan_step(wri_combining *self, unsigned at, unsigned walker)
{
    wri_sample next;
    if (walker >= WRI_WALKERS || !wri_walks_may(&self->walks) ||
        !wri_walks_step(&self->walks, walker, self->columns, self->columns_out, &self->random,
                        &next))
        return false;
    self->cases[at].purpose = WRI_PURPOSE_WALK;
    self->cases[at].walker = (uint16_t)walker;
    plan_sample(self, at, &next);
    return true;
}

/* The purposes of sixteen cases, once all pairs were tried. A bug in the middle of ranges needs
 * uniform draws, so they have a large part. A bug at limits of the code needs its constants. One
 * where many draws are at their ends needs cases with most draws there, and one at limits that
 * the code computes needs cases of round numbers. Walks have half of the cases, where there is
 * anything to walk between. */
enum { ROW, CALM, ENDS, ROUND, KNOWN, WALK, SITE };
#define TURN 16
static const uint8_t TURNS[5][TURN] = {
    /* Rows of the next strength are left; none are; */
    { CALM, ROW, CALM, CALM, KNOWN, CALM, ROW, CALM, CALM, ENDS, CALM, CALM, KNOWN, CALM, ROW,
      CALM },
    { CALM, KNOWN, CALM, CALM, ROUND, CALM, KNOWN, CALM, CALM, KNOWN, CALM, CALM, ENDS, CALM,
      KNOWN, CALM },
    /* there are walks, or comparisons, or both. */
    { ROW, WALK, CALM, WALK, ROW, WALK, KNOWN, WALK, ROW, WALK, CALM, WALK, KNOWN, WALK, ENDS,
      WALK },
    { ROW, SITE, CALM, SITE, ROW, SITE, ENDS, SITE, ROW, SITE, CALM, SITE, ROW, SITE, ENDS,
      SITE },
    { ROW, SITE, CALM, SITE, WALK, SITE, SITE, SITE, ROW, SITE, CALM, SITE, WALK, SITE, SITE,
      SITE },
};
static const uint8_t TEMPERS[] = { [ROW] = WRI_TEMPER_BINS,
                                   [CALM] = WRI_TEMPER_UNIFORM,
                                   [ENDS] = WRI_TEMPER_ENDS,
                                   [ROUND] = WRI_TEMPER_ROUND,
                                   [KNOWN] = WRI_TEMPER_KNOWN };

static void plan_case(wri_combining *self, unsigned at, unsigned *walker, unsigned phase)
{
    unsigned turn = phase == 0 ? ROW : TURNS[phase - 1][at % TURN];
    plan_freely(self, at, self->round_at + at);
    if (self->rows_begun < self->rows.count) {
        plan_file_row(self, at);
        return;
    }
    if (!self->open && self->full < self->fulls) {
        plan_full(self, at);
        return;
    }
    if (self->ranges.run.settings->thin != WRI_THIN_OFF && turn == ROW &&
        wri_combining_thin(self, at))
        return;
    if (turn > ROW && turn < WALK)
        self->planned[at].temper = TEMPERS[turn];
    else if (turn == ROW || (turn == SITE && !plan_site(self, at)) ||
             (turn == WALK && !plan_step(self, at, (*walker)++)))
        plan_row(self, at);
}

void wri_combining_plan(wri_combining *self, unsigned count)
{
    unsigned walker = 0;
    bool     pairs = self->ranges.next > 0 && (self->added > 2 || !self->open);
    bool     walks = wri_walks_may(&self->walks);
    bool     sites = self->compared != NULL && self->compared->kept_count > 0;
    unsigned phase = !pairs ? 0 : sites ? 4u + walks : walks ? 3 : self->open ? 1 : 2;
    self->count = count;
    self->columns_out = self->column_count;
    self->rows_left = self->open;
    for (unsigned i = 0; i < count; i++)
        plan_case(self, i, &walker, phase);
}
