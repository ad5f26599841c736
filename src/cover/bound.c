/* cover/bound.c: how few rows there can be.
 *
 * A bound is told together with why, and only what has a short proof, or was settled by an
 * exhaustive search that is published, is used. Bounds for pairs carry over to higher strengths:
 * the rows that agree in t - 2 columns cover the pairs of all others.
 */
#include "cover/algebra.h"

#include "cover/orthogonal.h"

#include <stdlib.h>
#include <string.h>

typedef struct bound {
    uint64_t rows;
    const char *why;
} bound;

static bound larger(bound a, bound b)
{
    return b.rows > a.rows ? b : a;
}

/* Pairs of three levels: the fewest rows for so many columns and more (Kokkala, Meagher,
 * Naserasr and Ostergard, by exhaustive search). */
static const struct {
    uint32_t columns, rows;
} ternary[] = {{5, 11}, {6, 12}, {8, 13}, {10, 14}, {11, 15}};

static bound ternary_pairs(uint32_t columns)
{
    bound best = {0, "every pair of three levels: settled by exhaustive search"};
    for (size_t i = 0; i < sizeof ternary / sizeof *ternary; i++)
        if (columns >= ternary[i].columns)
            best.rows = ternary[i].rows;
    return best;
}

/* Pairs of columns whose levels fall, the widest first. */
static bound pairs(uint32_t columns, const uint32_t *levels)
{
    bound best = {wri_times(levels[0], levels[1]),
                  "the widest parameters have that many combinations"};
    best = larger(best, (bound){wri_sperner_rows(columns),
                                "so many columns of two levels need that many rows: they are sets "
                                "of rows, none within another (Sperner)"});
    for (uint32_t i = 2; i < columns; i++) {
        uint64_t v = levels[i]; /* i + 1 columns have as many levels */
        if (i + 1 > v + 1)
            best = larger(best, (bound){v * v + 1, "with one row fewer the array would be orthogonal, "
                                                   "and those have fewer columns (Bush)"});
        if (v >= 3)
            best = larger(best, ternary_pairs(i + 1));
    }
    return best;
}

static int falling(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

static bound of_relation(const wri_goal *goal, const wri_relation *relation, uint32_t *levels)
{
    uint32_t columns = 0;
    for (uint32_t i = 0; i < relation->count; i++)
        if (goal->levels[relation->parameters[i]] > 1)
            levels[columns++] = goal->levels[relation->parameters[i]];
    qsort(levels, columns, sizeof *levels, falling);
    uint32_t strength = relation->strength < columns ? relation->strength : columns;
    bound best = {1, "there is something to cover"};
    if (strength == 1)
        best = (bound){levels[0], "every level of the widest parameter is in a row of its own"};
    else if (strength > 1)
        best = pairs(columns - (strength - 2), levels + (strength - 2));
    for (uint32_t i = 0; i + 2 < strength; i++)
        best.rows = wri_times(best.rows, levels[i]);
    return best;
}

/* Constraints and fixed cells take combinations away: then only the number of rows that has to
 * be there is told. Kept rows are rows, whatever they cover. */
uint64_t wri_lower_bound(const wri_goal *goal, const char **why)
{
    bound best = {goal->relation_count > 0, "there is something to cover"};
    uint32_t *levels = malloc((goal->columns + 1) * sizeof *levels);
    bool free_cells = goal->oracle == NULL && goal->fixed == NULL;
    for (uint32_t i = 0; levels != NULL && free_cells && i < goal->relation_count; i++)
        best = larger(best, of_relation(goal, &goal->relations[i], levels));
    free(levels);
    best = larger(best, (bound){goal->kept_count, "the rows that are kept"});
    *why = best.why;
    return best.rows;
}
