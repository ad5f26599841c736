/* explore/combine/round.c: plans the cases of a round, and learns from them.
 *
 * The first round meets the draws. Then come the rows of a file, and the rows of the array, first
 * for all pairs. From then on half of the cases are steps of walks; the others go on with the
 * array of the next strength, and at last have bins at random.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "explore/combine/combining.h"

/* ---- Columns ---- */

static int by_case(const void *a, const void *b)
{
    const wri_met_column *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static wri_column *find_column(wri_combining *self, const wri_column *like)
{
    for (unsigned i = 0; i < self->column_count; i++)
        if (self->columns[i].label == like->label &&
            self->columns[i].occurrence == like->occurrence &&
            self->columns[i].first == like->first)
            return &self->columns[i];
    return NULL;
}

static bool is_sane(const wri_column *column)
{
    return column->kind <= WRI_HANDLE && column->shape <= WRI_SHAPE_REAL && column->levels != 0;
}

/* Adds what the round met, in the order of its cases, whichever batch met it. */
static void learn_columns(wri_combining *self)
{
    if (self->met_count > 0)
        qsort(self->met, self->met_count, sizeof *self->met, by_case);
    for (size_t i = 0; i < self->met_count; i++) {
        const wri_column *met = &self->met[i].column;
        wri_column       *known = find_column(self, met);
        if (!is_sane(met) || (known != NULL && known->max >= met->max))
            continue;
        if (known != NULL) {
            *known = *met;
            self->remembered_count = 0; /* its levels have changed */
            self->changed = true;
        } else if (self->column_count < WRI_COLUMNS) {
            self->columns[self->column_count++] = *met;
            self->changed = true;
        } else {
            self->crowded = true;
        }
    }
    self->met_count = 0;
}

/* ---- Goals ---- */

static bool overlap(const wri_column *a, const wri_column *b)
{
    double from = a->lo > b->lo ? (double)a->lo : (double)b->lo;
    double a_to = (double)a->lo + (double)a->max, b_to = (double)b->lo + (double)b->max;
    return from <= (a_to < b_to ? a_to : b_to);
}

/* Is there an earlier draw whose values this one could have? */
static bool can_reuse(const wri_combining *self, unsigned column)
{
    const wri_column *of = &self->columns[column];
    for (unsigned i = 0; i < column; i++) {
        const wri_column *before = &self->columns[i];
        if (before->shape == of->shape && before->shape != WRI_SHAPE_OWN &&
            of->kind != WRI_COMMAND && !before->first &&
            (of->shape == WRI_SHAPE_REAL || overlap(before, of)))
            return true;
    }
    return false;
}

static unsigned make_factors(wri_combining *self, wri_factor *factors)
{
    unsigned count = 0;
    for (unsigned i = 0; i < self->column_count && count < WRI_FACTORS; i++) {
        wri_column *column = &self->columns[i];
        if (column->levels == 0)
            continue; /* of a file, and not met yet */
        if (can_reuse(self, i))
            column->levels |= UINT64_C(1) << WRI_BIN_REUSED;
        uint64_t soft = UINT64_C(1) << WRI_BIN_REUSED | UINT64_C(1) << WRI_BIN_KNOWN;
        factors[count++] = (wri_factor){ .column = (uint16_t)i,
                                         .levels = column->levels,
                                         .soft = column->shape == WRI_SHAPE_OWN ? 0 : soft };
    }
    return count;
}

/* The level that a factor has by what a case drew. */
static void levels_of_factors(const wri_combining *self, const uint8_t *levels,
                              const uint64_t *numbers, uint8_t *drawn)
{
    (void)numbers;
    for (unsigned i = 0; i < self->goals.factor_count; i++)
        drawn[i] = levels[self->goals.factors[i].column];
}

static bool add_relations(wri_combining *self)
{
    for (unsigned i = 0; i < self->relation_count; i++) {
        const wri_relation *one = &self->relations[i];
        uint16_t            factors[WRI_FACTORS];
        unsigned            count = 0;
        for (unsigned f = 0; f < self->goals.factor_count; f++)
            for (unsigned k = 0; k < one->count; k++) {
                char name[WRI_COLUMN_NAME + 16];
                wri_column_print_name(&self->columns[self->goals.factors[f].column], name,
                                      sizeof name);
                if (strcmp(name, one->names[k]) == 0)
                    factors[count++] = (uint16_t)f;
            }
        if (!wri_goals_add(&self->goals, one->strength, factors, count))
            return false;
    }
    return true;
}

static bool add_strength(wri_combining *self, unsigned strength)
{
    uint16_t all[WRI_FACTORS];
    for (unsigned i = 0; i < self->goals.factor_count; i++)
        all[i] = (uint16_t)i;
    self->added = strength;
    return wri_goals_add(&self->goals, strength, all, self->goals.factor_count);
}

static void count_remembered(wri_combining *self)
{
    uint8_t drawn[WRI_FACTORS];
    for (size_t i = 0; i < self->remembered_count; i++) {
        levels_of_factors(self, &self->remembered[i * WRI_COLUMNS], NULL, drawn);
        wri_goals_count(&self->goals, NULL, drawn, false);
    }
}

/* The goals for the columns that are known now. */
static void make_goals(wri_combining *self)
{
    wri_factor factors[WRI_FACTORS];
    unsigned   count = make_factors(self, factors), until = self->added;
    self->changed = false;
    bool fine = wri_goals_begin(&self->goals, factors, count);
    for (unsigned t = until < 2 ? 1 : 2; fine && t <= until; t++)
        fine = add_strength(self, t);
    fine = fine && (until < 2 || add_relations(self));
    self->no_memory |= !fine;
    if (fine)
        count_remembered(self);
}

/* The next strength, when all combinations of this one were tried. */
static void advance(wri_combining *self)
{
    unsigned last = self->most < self->goals.factor_count ? self->most : self->goals.factor_count;
    if (self->ranges.next == 0 || self->goals.factor_count == 0)
        return;
    last = last < WRI_STRENGTHS ? last : WRI_STRENGTHS;
    while (!self->no_memory && self->added < last && !wri_goals_open(&self->goals, 0)) {
        self->rows_until[self->added] = self->purposes[WRI_PURPOSE_ROW];
        unsigned next = self->added + 1; /* all pairs are all values, too */
        self->no_memory |= !add_strength(self, next == 1 && last > 1 ? 2 : next);
        if (self->added == 2)
            self->no_memory |= !add_relations(self);
        count_remembered(self);
    }
    if (self->rows_until[self->added] == 0 && !wri_goals_open(&self->goals, 0))
        self->rows_until[self->added] = self->purposes[WRI_PURPOSE_ROW];
}

/* ---- Learning ---- */

static void remember(wri_combining *self, const uint8_t *levels)
{
    if (self->remembered_count == WRI_REMEMBERED)
        return;
    uint8_t *to = &self->remembered[self->remembered_count++ * WRI_COLUMNS];
    memset(to, WRI_ABSENT, WRI_COLUMNS);
    memcpy(to, levels, self->columns_out);
}

static void learn_case(wri_combining *self, unsigned at)
{
    const wri_planned       *planned = &self->planned[at];
    const wri_combined_case *one = &self->cases[at];
    uint8_t                  drawn[WRI_FACTORS];
    bool                     refuted = planned->ending == WRI_ENDING_REFUTED;
    if (one->purpose == WRI_PURPOSE_ROW)
        wri_goals_wait(&self->goals, one->row, false);
    if (planned->ending == WRI_ENDING_NONE)
        return;
    self->purposes[one->purpose]++;
    if (!refuted)
        remember(self, one->levels);
    if (self->open) {
        levels_of_factors(self, one->levels, one->numbers, drawn);
        wri_goals_count(&self->goals, one->purpose == WRI_PURPOSE_ROW ? one->row : NULL, drawn,
                        refuted);
    }
    if (one->purpose == WRI_PURPOSE_WALK) {
        unsigned column = self->walks.walkers[one->walker].column;
        wri_walks_came(&self->walks, one->walker, planned->outcome,
                       one->levels[column] != WRI_ABSENT);
    }
    wri_sample sample = { .stream = planned->stream,
                          .outcome = planned->outcome,
                          .refuted = refuted };
    memset(sample.levels, WRI_ABSENT, sizeof sample.levels);
    memcpy(sample.levels, one->levels, self->columns_out);
    memcpy(sample.numbers, one->numbers, self->columns_out * sizeof *sample.numbers);
    wri_walks_note(&self->walks, &sample, &self->random);
    if (self->compared != NULL && self->made != NULL)
        wri_compared_note(self->compared, &sample, &self->made[(size_t)at * WRI_TOLD],
                          planned->count, &self->random);
}

void wri_combining_finish(wri_combining *self)
{
    for (unsigned i = 0; i < self->count; i++)
        learn_case(self, i);
    self->count = self->handed = 0;
    learn_columns(self);
    if (self->changed)
        make_goals(self);
    advance(self);
    self->open = wri_goals_open(&self->goals, 0);
}

/* ---- Planning ---- */

static void plan_freely(wri_combining *self, unsigned at, uint64_t place)
{
    self->cases[at].purpose = WRI_PURPOSE_CHANCE;
    self->planned[at] =
        (wri_planned){ .stream = wri_prng_stream(self->ranges.run.seed,
                                                 wri_ranges_number(&self->ranges, place)) };
    memset(&self->cells[(size_t)at * WRI_COLUMNS], 0, WRI_COLUMNS * sizeof *self->cells);
}

static bool plan_row(wri_combining *self, unsigned at)
{
    wri_combined_case *one = &self->cases[at];
    if (!self->rows_left || !wri_goals_row(&self->goals, self->added, &self->random, one->row))
        return self->rows_left = false;
    one->purpose = WRI_PURPOSE_ROW;
    wri_goals_wait(&self->goals, one->row, true);
    for (unsigned i = 0; i < self->goals.factor_count; i++) {
        wri_cell *cell = &self->cells[(size_t)at * WRI_COLUMNS + self->goals.factors[i].column];
        if (one->row[i] != WRI_ABSENT)
            *cell = (wri_cell){ .manner = WRI_CELL_LEVEL, .level = one->row[i] };
    }
    return true;
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

/* What eight cases are for, once all pairs were tried. A bug in the middle of ranges needs
 * uniform draws: they have the larger part, so that such a bug takes at most half as many tests
 * again. A bug where many draws are at their ends needs cases with most draws there. Walks have
 * half of the cases, where there is anything to walk between. */
enum { ROW, CALM, ENDS, WALK, SITE };
#define TURN 8
static const uint8_t TURNS[5][TURN] = {
    { CALM, ROW, CALM, ROW, CALM, ENDS, CALM, ROW },   /* rows of the next strength are left */
    { CALM, CALM, CALM, ROW, CALM, CALM, CALM, ENDS }, /* none are */
    { ROW, WALK, CALM, WALK, ROW, WALK, ENDS, WALK },  /* there are walks, */
    { ROW, SITE, CALM, SITE, ROW, SITE, ENDS, SITE },  /* or comparisons, */
    { ROW, SITE, CALM, WALK, SITE, SITE, ENDS, SITE }, /* or both */
};

static void plan_case(wri_combining *self, unsigned at, unsigned *walker, unsigned phase)
{
    unsigned turn = phase == 0 ? ROW : TURNS[phase - 1][at % TURN];
    plan_freely(self, at, self->round_at + at);
    if (turn == CALM || turn == ENDS)
        self->planned[at].temper = turn == CALM ? WRI_TEMPER_UNIFORM : WRI_TEMPER_ENDS;
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
