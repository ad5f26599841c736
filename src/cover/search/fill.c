/* cover/search/fill.c: fills the cells that no tuple needs.
 *
 * Levels are drawn at random: a regular filling found the fewest bugs when it was measured.
 */
#include "cover/search/stages.h"

#include "core/prng.h"

#define DRAWS 8 /* levels tried before the oracle chooses */

static bool has_weights(const wrc_parameter *p)
{
    for (uint32_t l = 0; p->values != NULL && l < wrc_parameter_valid_levels(p); l++)
        if (p->values[l].weight != 1)
            return true;
    return false;
}

static uint64_t *sum_weights(wrc_filler *filler, const wrc_parameter *p)
{
    uint64_t *sums = wrc_blocks_take(&filler->blocks, p->levels, sizeof *sums), sum = 0;
    for (uint32_t l = 0; sums != NULL && l < p->levels; l++)
        sums[l] = sum += p->values[l].weight;
    return sums;
}

bool wrc_filler_open(wrc_filler *filler, const wrc_goal *goal, const wrc_parameter *parameters)
{
    *filler = (wrc_filler){ .goal = goal };
    filler->weights =
        wrc_blocks_take(&filler->blocks, goal->columns + 1, sizeof *filler->weights);
    for (uint32_t c = 0; filler->weights != NULL && c < goal->columns; c++)
        if (has_weights(&parameters[c]))
            filler->weights[c] = sum_weights(filler, &parameters[c]);
    return !filler->blocks.failed;
}

void wrc_filler_close(wrc_filler *filler)
{
    wrc_blocks_free(&filler->blocks);
}

static uint32_t draw_level(const wrc_filler *filler, uint32_t column, uint64_t *random)
{
    uint32_t        levels = filler->goal->levels[column], low = 0, high = levels - 1;
    const uint64_t *sums = filler->weights != NULL ? filler->weights[column] : NULL;
    if (sums == NULL || sums[levels - 1] == 0)
        return (uint32_t)wri_prng_scale(wri_prng_next(random), levels - 1);
    uint64_t point = wri_prng_scale(wri_prng_next(random), sums[levels - 1] - 1);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sums[middle] > point)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void fill_cell(const wrc_filler *filler, uint32_t *row, uint32_t column, uint64_t *random)
{
    wrc_oracle *oracle = filler->goal->oracle;
    uint32_t    refused = WRC_ANY;
    for (int i = 0; i < DRAWS; i++) {
        uint32_t level = draw_level(filler, column, random);
        if (level == refused)
            continue;
        if (oracle == NULL || wrc_oracle_allows_level(oracle, row, column, level)) {
            row[column] = level;
            return;
        }
        refused = level;
    }
}

void wrc_fill_row(const wrc_filler *filler, uint32_t *row, uint64_t *random)
{
    uint32_t columns = filler->goal->columns, open = 0;
    for (uint32_t c = 0; c < columns; c++)
        open += row[c] == WRC_ANY;
    if (open == 0)
        return;
    uint32_t start = (uint32_t)wri_prng_scale(wri_prng_next(random), columns - 1);
    for (uint32_t i = 0; i < columns; i++) {
        uint32_t c = start + i < columns ? start + i : start + i - columns;
        if (row[c] == WRC_ANY)
            fill_cell(filler, row, c, random);
    }
    if (filler->goal->oracle != NULL)
        wrc_oracle_complete(filler->goal->oracle, row, random);
}

void wrc_fill_array(const wrc_filler *filler, wrc_array *array, uint64_t *random)
{
    for (uint64_t r = 0; r < array->rows; r++)
        wrc_fill_row(filler, array->cells + r * array->columns, random);
}
