/* explore/combine/round.c: learns from the cases of a round.
 *
 * Columns that the round met come to the columns that are known. What the cases drew is ticked
 * off. When nothing is left to be tried, combinations of one draw more come in.
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
        if (!is_sane(met) || (known != NULL && known->levels != 0 && known->max >= met->max))
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

static bool has_digits(const wri_combining *self, const wri_column *column)
{
    return self->ranges.run.settings->radix > 0 && column->shape == WRI_SHAPE_RANGE &&
           column->kind != WRI_COMMAND;
}

/* The smallest base in which no range needs more than six digits, as in Radix Coverage. */
static uint64_t base_of(const wri_combining *self)
{
    uint64_t base = self->ranges.run.settings->radix, widest = 0;
    if (base > 1)
        return base;
    for (unsigned i = 0; i < self->column_count; i++)
        if (has_digits(self, &self->columns[i]) && self->columns[i].max > widest)
            widest = self->columns[i].max;
    for (base = 2; base < WRI_LEVELS; base++) {
        uint64_t left = widest;
        for (unsigned digit = 0; digit < 6; digit++)
            left /= base;
        if (left == 0)
            break;
    }
    return base;
}

/* A factor for each digit of the column, the lowest first. */
static unsigned add_digits(const wri_combining *self, unsigned column, uint64_t base,
                           wri_factor *factors, unsigned count)
{
    uint64_t left = self->columns[column].max, weight = 1;
    for (; left > 0 && count < WRI_FACTORS; left /= base, weight *= base) {
        uint64_t levels = left < base ? left + 1 : base;
        factors[count++] = (wri_factor){ .column = (uint16_t)column,
                                         .base = (uint16_t)base,
                                         .weight = weight,
                                         .levels = UINT64_MAX >> (64 - levels) };
    }
    return count;
}

static unsigned make_factors(wri_combining *self, wri_factor *factors)
{
    unsigned count = 0;
    uint64_t base = base_of(self), soft = UINT64_C(1) << WRI_BIN_REUSED | UINT64_C(1)
                                                                              << WRI_BIN_KNOWN;
    for (unsigned i = 0; i < self->column_count && count < WRI_FACTORS; i++) {
        wri_column *column = &self->columns[i];
        if (column->levels == 0)
            continue; /* of a file, and not met yet */
        if (has_digits(self, column)) {
            count = add_digits(self, i, base, factors, count);
            continue;
        }
        if (can_reuse(self, i))
            column->levels |= UINT64_C(1) << WRI_BIN_REUSED;
        factors[count++] = (wri_factor){ .column = (uint16_t)i,
                                         .levels = column->levels,
                                         .soft = column->shape == WRI_SHAPE_OWN ? 0 : soft };
    }
    return count;
}

void wri_combining_factors(const wri_combining *self, const uint8_t *levels,
                           const uint64_t *numbers, uint8_t *drawn)
{
    for (unsigned i = 0; i < self->goals.factor_count; i++) {
        const wri_factor *factor = &self->goals.factors[i];
        drawn[i] = levels[factor->column];
        if (factor->base == 0 || drawn[i] == WRI_ABSENT)
            continue;
        wri_request request = wri_column_request(&self->columns[factor->column]);
        drawn[i] = (uint8_t)(wri_column_offset(&request, numbers[factor->column]) /
                             factor->weight % factor->base);
    }
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
        wri_combining_factors(self, &self->remembered[i * WRI_COLUMNS],
                              &self->numbers[i * WRI_COLUMNS], drawn);
        wri_goals_count(&self->goals, drawn);
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

/* ---- All cases, where they are few ---- */

#define FEW_CASES 4096

/* How many cases there are; 0: many, or it is not known. */
static uint64_t count_cases(const wri_combining *self)
{
    uint64_t cases = 1;
    if (self->others || self->crowded)
        return 0;
    for (unsigned i = 0; i < self->column_count; i++) {
        if (self->columns[i].shape != WRI_SHAPE_OWN || self->columns[i].levels == 0)
            return 0;
        cases *= (uint64_t)__builtin_popcountll(self->columns[i].levels);
        if (cases > FEW_CASES)
            return 0;
    }
    return cases;
}

/* ---- Learning ---- */

static void remember(wri_combining *self, const uint8_t *levels, const uint64_t *numbers)
{
    if (self->remembered_count == self->remembered_most)
        return;
    uint8_t *to = &self->remembered[self->remembered_count++ * WRI_COLUMNS];
    memset(to, WRI_ABSENT, WRI_COLUMNS);
    memcpy(to, levels, self->columns_out);
    memcpy(&self->numbers[(self->remembered_count - 1) * WRI_COLUMNS], numbers,
           self->columns_out * sizeof *numbers);
}

/* Did the draws have what the row says? */
static void check_file_row(wri_combining *self, const wri_planned *planned,
                           const wri_combined_case *one)
{
    char name[WRI_COLUMN_NAME + 16];
    self->rows_done++;
    if (planned->misfit == 0 || self->error[0] != '\0')
        return;
    wri_column_print_name(&self->columns[planned->misfit - 1], name, sizeof name);
    snprintf(self->error, sizeof self->error,
             "%s:%u: the draw \"%s\" cannot have the value of this row", self->rows.path,
             one->line, name);
}

/* After all rows of the file every name must have been drawn. */
static void check_names(wri_combining *self)
{
    char name[WRI_COLUMN_NAME + 16];
    if (self->rows_done < self->rows.count || self->error[0] != '\0')
        return;
    for (unsigned i = 0; i < self->rows.column_count; i++)
        if (self->columns[i].levels == 0) {
            wri_column_print_name(&self->columns[i], name, sizeof name);
            snprintf(self->error, sizeof self->error,
                     "%s:%u: expected the name of a draw, found \"%s\"", self->rows.path,
                     self->rows.names_line, name);
            return;
        }
}

static bool is_drawn(const wri_combining *self, const char *wanted)
{
    char name[WRI_COLUMN_NAME + 16];
    for (unsigned i = 0; i < self->column_count; i++) {
        wri_column_print_name(&self->columns[i], name, sizeof name);
        if (self->columns[i].levels != 0 && strcmp(name, wanted) == 0)
            return true;
    }
    return false;
}

void wri_combining_check(wri_combining *self)
{
    check_names(self);
    for (unsigned i = 0; i < self->relation_count && !self->crowded; i++)
        for (unsigned k = 0; k < self->relations[i].count && self->error[0] == '\0'; k++)
            if (!is_drawn(self, self->relations[i].names[k]))
                snprintf(self->error, sizeof self->error,
                         "wr_relate: expected the name of a draw, found \"%s\"",
                         self->relations[i].names[k]);
}

static void learn_case(wri_combining *self, unsigned at)
{
    const wri_planned       *planned = &self->planned[at];
    const wri_combined_case *one = &self->cases[at];
    uint8_t                  drawn[WRI_FACTORS];
    bool                     refuted = planned->ending == WRI_ENDING_REFUTED;
    if (one->purpose == WRI_PURPOSE_ROW || one->purpose == WRI_PURPOSE_THIN)
        wri_goals_wait(&self->goals, one->row, false);
    if (planned->ending == WRI_ENDING_NONE)
        return;
    self->purposes[one->purpose]++;
    self->others |= planned->others != 0;
    if (one->purpose == WRI_PURPOSE_FILE)
        check_file_row(self, planned, one);
    if (!refuted && (one->purpose == WRI_PURPOSE_FILE || one->purpose == WRI_PURPOSE_ROW ||
                     one->purpose == WRI_PURPOSE_THIN))
        wri_combining_write(self, one);
    if (!refuted)
        remember(self, one->levels, one->numbers);
    if (self->open && !refuted) {
        wri_combining_factors(self, one->levels, one->numbers, drawn);
        wri_goals_count(&self->goals, drawn);
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
        wri_compared_note(self->compared, self->columns, self->columns_out, &sample,
                          &self->made[(size_t)at * WRI_TOLD], planned->count, &self->random);
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
    if (self->rows.count > 0 && self->rows_done == self->rows.count)
        check_names(self);
    if (self->ranges.next > 0 && self->added > 0 && !self->open && !self->exhausted) {
        self->fulls = self->full > 0 || self->column_count > 0 ? count_cases(self) : 0;
        self->exhausted = self->fulls > 0 && self->full == self->fulls;
        wri_combining_check(self);
    }
}
