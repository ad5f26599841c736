/* explore/combine/words.c: what the search covered, for the report. */
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
    for (unsigned t = 1; self->missed != NULL && t <= self->added; t++)
        wri_goals_missed(&self->goals, t, list_missed, &into);
    to->missed = (const char *const *)self->missed;
    to->missed_count = self->missed_count;
}

void wri_combining_tell(void *context, wri_result *result)
{
    wri_combining *self = context;
    wri_combined  *to = &result->combined;
    to->asked = true;
    if (self == NULL)
        return;
    *to = (wri_combined){ .asked = true,
                          .draws = self->column_count,
                          .rows = self->purposes[WRI_PURPOSE_ROW],
                          .steps = self->walks.steps,
                          .boundaries = self->walks.boundaries,
                          .sites = self->compared == NULL ? 0 : self->compared->tries };
    for (unsigned t = self->added < 2 ? 1 : 2; t <= self->added && t <= WRI_TUPLES; t++) {
        wri_goals_sum sum = wri_goals_sum_up(&self->goals, t);
        to->tuples[to->tuple_count++] = (wri_tuples){ .strength = t,
                                                      .covered = sum.covered,
                                                      .missed = sum.missed,
                                                      .left = sum.left,
                                                      .rows = self->rows_until[t] };
    }
    list_all_missed(self, to);
}

void wri_combining_limits(void *context, wri_sayer *say, void *to)
{
    const wri_combining *self = context;
    char                 line[200];
    if (self->crowded) {
        snprintf(line, sizeof line,
                 "combine: the case has more than %u draws; the first of them are combined",
                 WRI_COLUMNS);
        say(to, line);
    }
    if (self->asked && self->most > self->goals.factor_count) {
        snprintf(line, sizeof line, "combine: the strength %u is more than there are draws: %u",
                 self->most, self->goals.factor_count);
        say(to, line);
    }
    if (self->goals.too_many) {
        snprintf(line, sizeof line,
                 "combine: there are too many combinations of %u draws to keep count of",
                 self->added);
        say(to, line);
    }
}
