/* explore/combine/thin.c: the best of some random candidates is run (--thin).
 *
 * `combinations`: the one with most new combinations, as QuickCover does (Goldstein and others,
 * 2021). `distance`: the one that is farthest from all that was run, as in adaptive random
 * testing (Chen and others, 2004).
 */
#include <string.h>

#include "core/clock.h"
#include "explore/combine/combining.h"

#define CANDIDATES 10
/* So many cases that were run are compared with. */
#define COMPARED 256

typedef struct candidate {
    uint8_t  levels[WRI_COLUMNS];
    uint64_t numbers[WRI_COLUMNS];
} candidate;

static void draw_candidate(wri_combining *self, candidate *to)
{
    wri_drawn drawn = { 0 };
    memset(to->levels, WRI_ABSENT, sizeof to->levels);
    for (unsigned i = 0; i < self->column_count; i++) {
        wri_request request = wri_column_request(&self->columns[i]);
        if (self->columns[i].levels == 0)
            continue;
        for (unsigned tries = 0; tries < 4 && to->levels[i] == WRI_ABSENT; tries++) {
            unsigned level = wri_column_any_level(NULL, &request, &drawn, &self->random);
            if (wri_column_draw(NULL, &request, level, &drawn, &self->random, &to->numbers[i]))
                to->levels[i] = (uint8_t)wri_column_level(&request, to->numbers[i]);
        }
        if (to->levels[i] != WRI_ABSENT)
            wri_drawn_add(&drawn, &request, to->numbers[i]);
    }
}

/* How far two cases are apart: for each draw, from 0 to 1. */
static double distance(const wri_combining *self, const candidate *a, const uint8_t *levels,
                       const uint64_t *numbers)
{
    double sum = 0;
    for (unsigned i = 0; i < self->column_count; i++) {
        const wri_column *column = &self->columns[i];
        if (a->levels[i] == WRI_ABSENT || levels[i] == WRI_ABSENT ||
            column->shape != WRI_SHAPE_RANGE) {
            sum += a->levels[i] != levels[i];
            continue;
        }
        wri_request request = wri_column_request(column);
        double      one = (double)wri_column_offset(&request, a->numbers[i]);
        double      other = (double)wri_column_offset(&request, numbers[i]);
        sum += (one < other ? other - one : one - other) / (double)column->max;
    }
    return sum;
}

static double nearest(const wri_combining *self, const candidate *a)
{
    size_t from = self->remembered_count > COMPARED ? self->remembered_count - COMPARED : 0;
    double least = 1e300;
    for (size_t i = from; i < self->remembered_count; i++) {
        double now = distance(self, a, &self->remembered[i * WRI_COLUMNS],
                              &self->numbers[i * WRI_COLUMNS]);
        least = now < least ? now : least;
    }
    return least;
}

bool wri_combining_thin(wri_combining *self, unsigned at)
{
    candidate best = { 0 };
    double    most = -1, start = wri_clock_seconds();
    uint8_t   drawn[WRI_FACTORS];
    if (self->goals.factor_count == 0)
        return false;
    for (unsigned i = 0; i < CANDIDATES; i++) {
        candidate now;
        draw_candidate(self, &now);
        wri_combining_factors(self, now.levels, now.numbers, drawn);
        double worth = self->ranges.run.settings->thin == WRI_THIN_DISTANCE
                           ? nearest(self, &now)
                           : (double)wri_goals_worth(&self->goals, drawn);
        if (worth > most) {
            most = worth;
            best = now;
        }
    }
    wri_combined_case *one = &self->cases[at];
    one->purpose = WRI_PURPOSE_THIN;
    memset(one->row, WRI_ABSENT, sizeof one->row);
    wri_combining_factors(self, best.levels, best.numbers, one->row);
    wri_goals_wait(&self->goals, one->row, true);
    for (unsigned i = 0; i < self->column_count; i++)
        if (best.levels[i] != WRI_ABSENT)
            self->cells[(size_t)at * WRI_COLUMNS + i] =
                (wri_cell){ .manner = WRI_CELL_NUMBER, .number = best.numbers[i] };
    self->candidates += CANDIDATES;
    self->thinning += wri_clock_seconds() - start;
    return true;
}
