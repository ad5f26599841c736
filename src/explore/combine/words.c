/* explore/combine/words.c: what the search covered, for the report. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/combine/combining.h"

/* So many combinations that were not reached are listed. */
#define LISTED 100

typedef struct listing {
    wri_combining *self;
    wri_combined  *to;
} listing;

/* "x = 250..499, mode = 2" */
static bool list_missed(void *context, const wri_combination *of, const uint8_t *levels)
{
    listing       *into = context;
    wri_combining *self = into->self;
    char           line[400] = "", name[WRI_COLUMN_NAME + 24], level[80];
    size_t         used = 0;
    for (unsigned i = 0; i < of->strength && used < sizeof line; i++) {
        const wri_factor *factor = &self->goals.factors[of->factors[i]];
        const wri_column *column = &self->columns[factor->column];
        wri_column_print_name(column, name, sizeof name);
        if (factor->base == 0)
            wri_column_print_level(column, levels[i], level, sizeof level);
        else
            snprintf(level, sizeof level, "digit %u of weight %" PRIu64, levels[i],
                     factor->weight);
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s = %s", i == 0 ? "" : ", ",
                                 name, level);
    }
    if (self->missed_count == LISTED)
        return false;
    self->missed[self->missed_count] = strdup(line);
    self->missed_count += self->missed[self->missed_count] != NULL;
    return true;
}

static void list_all_missed(wri_combining *self, wri_combined *to)
{
    listing into = { self, to };
    if (self->missed == NULL)
        self->missed = calloc(LISTED, sizeof *self->missed);
    for (size_t i = 0; i < self->missed_count; i++)
        free(self->missed[i]);
    self->missed_count = 0;
    for (unsigned t = 1; self->missed != NULL && t <= self->added && !self->exhausted; t++)
        wri_goals_missed(&self->goals, t, list_missed, &into);
    to->missed = (const char *const *)self->missed;
    to->missed_count = self->missed_count;
}

static unsigned count_draws(const wri_combining *self)
{
    unsigned count = 0;
    for (unsigned i = 0; i < self->column_count; i++)
        count += self->columns[i].levels != 0;
    return count;
}

void wri_combining_tell(void *context, wri_result *result)
{
    wri_combining *self = context;
    wri_combined  *to = &result->combined;
    to->asked = true;
    if (self == NULL)
        return;
    *to = (wri_combined){ .asked = true,
                          .draws = count_draws(self),
                          .candidates = self->candidates,
                          .thinning = self->thinning,
                          .rows = self->purposes[WRI_PURPOSE_ROW],
                          .steps = self->walks.steps,
                          .boundaries = self->walks.boundaries,
                          .sites = self->compared == NULL ? 0 : self->compared->tries };
    for (unsigned t = self->added < 2 ? 1 : 2; t <= self->added && t <= WRI_TUPLES; t++) {
        wri_goals_sum sum = wri_goals_sum_up(&self->goals, t);
        uint64_t      open = sum.missed + sum.left;
        sum.missed = self->exhausted ? 0 : sum.missed;
        sum.left = self->exhausted ? 0 : sum.left;
        to->tuples[to->tuple_count++] =
            (wri_tuples){ .strength = t,
                          .covered = sum.covered,
                          .missed = sum.missed,
                          .left = sum.left,
                          .infeasible = self->exhausted ? open : 0,
                          .rows = self->rows_until[t] > 0 ? self->rows_until[t]
                                                          : self->purposes[WRI_PURPOSE_ROW] };
    }
    list_all_missed(self, to);
}

/* ---- Rows ---- */

#define LONGEST_VALUE 80

void wri_combining_write(wri_combining *self, const wri_combined_case *one)
{
    if (self->ranges.run.settings->rows_out == NULL)
        return;
    size_t need = sizeof one->levels + sizeof one->numbers;
    while (self->out_used + need > self->out_room) {
        size_t room = self->out_room == 0 ? 65536 : self->out_room * 2;
        char  *grown = realloc(self->out, room);
        if (grown == NULL) {
            self->no_memory = true;
            return;
        }
        self->out = grown;
        self->out_room = room;
    }
    memcpy(self->out + self->out_used, one->levels, sizeof one->levels);
    memset(self->out + self->out_used + self->columns_out, WRI_ABSENT,
           WRI_COLUMNS - self->columns_out);
    memcpy(self->out + self->out_used + sizeof one->levels, one->numbers, sizeof one->numbers);
    self->out_used += need;
}

static void put_row(FILE *out, const wri_combining *self, const char *at)
{
    char value[LONGEST_VALUE];
    bool any = false;
    for (unsigned i = 0; i < self->column_count; i++) {
        uint64_t number;
        if (self->columns[i].levels == 0)
            continue;
        memcpy(&number, at + WRI_COLUMNS + i * sizeof number, sizeof number);
        fputs(any ? "," : "", out);
        any = true;
        if ((uint8_t)at[i] == WRI_ABSENT)
            continue;
        wri_column_print_value(&self->columns[i], number, value, sizeof value);
        wri_rows_put(out, value);
    }
    putc('\n', out);
}

bool wri_combining_save(wri_combining *self)
{
    bool  asked = self->ranges.run.settings->rows_out != NULL, any = false;
    FILE *out = asked ? wri_draft_open(&self->rows_out) : NULL;
    if (out == NULL)
        return !asked;
    for (unsigned i = 0; i < self->column_count; i++) {
        char name[WRI_COLUMN_NAME + 16];
        if (self->columns[i].levels == 0)
            continue;
        wri_column_print_name(&self->columns[i], name, sizeof name);
        fputs(any ? "," : "", out);
        wri_rows_put(out, name);
        any = true;
    }
    putc('\n', out);
    for (size_t at = 0; at < self->out_used;
         at += sizeof self->cases->levels + sizeof self->cases->numbers)
        put_row(out, self, self->out + at);
    return wri_draft_close(&self->rows_out, out, true);
}

/* A bug may come before any draw is known: then the strength did not matter. */
static void say_strength(const wri_combining *self, wri_sayer *say, void *to)
{
    char     line[100];
    uint64_t asked = self->asked ? self->ranges.run.settings->strength : 0;
    unsigned draws = self->goals.factor_count;
    if (draws == 0 || (asked <= draws && asked <= WRI_STRENGTHS))
        return;
    if (asked > draws)
        snprintf(line, sizeof line, "--strength %" PRIu64 ": there are only %u draws", asked,
                 draws);
    else
        snprintf(line, sizeof line, "--strength %" PRIu64 ": combine stops at %u", asked,
                 WRI_STRENGTHS);
    say(to, line);
}

void wri_combining_limits(void *context, wri_sayer *say, void *to)
{
    wri_combining *self = context;
    char           line[400];
    if (self->error[0] == '\0' && !wri_combining_save(self)) {
        snprintf(line, sizeof line, "%s: rows were not written: %s",
                 self->ranges.run.settings->rows_out, strerror(errno));
        say(to, line);
    }
    if (self->crowded) {
        snprintf(line, sizeof line,
                 "combine: the case has more than %u draws; the first of them are combined",
                 WRI_COLUMNS);
        say(to, line);
    }
    say_strength(self, say, to);
    if (self->goals.too_many) {
        snprintf(line, sizeof line,
                 "combine: there are too many combinations of %u draws to keep count of",
                 self->added);
        say(to, line);
    }
}
