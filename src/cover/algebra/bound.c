/* cover/algebra/bound.c: how few rows there can be.
 *
 * A bound comes with its reason. It needs a short proof, or an exhaustive search that is
 * published. Bounds for pairs carry over to higher strengths: the rows that agree in t - 2
 * columns cover the pairs of all others.
 */
#include "cover/algebra/algebra.h"

#include "cover/algebra/count.h"
#include "cover/algebra/family.h"

#include <stdlib.h>
#include <string.h>

typedef enum reason {
    SOMETHING,
    LEVELS,
    COMBINATIONS,
    SPERNER,
    BUSH,
    TERNARY,
    KEPT,
} reason;

/* For pairs, and for more than pairs. */
static const char *const reasons[][2] = {
    [SOMETHING] = { "there is something to cover", "there is something to cover" },
    [LEVELS] = { "every level of the widest parameter is in a row of its own",
                 "every level of the widest parameter is in a row of its own" },
    [COMBINATIONS] = { "the widest parameters have that many combinations",
                       "the widest parameters have that many combinations" },
    [SPERNER] = { "columns of two levels are sets of rows, none within another (Sperner)",
                  "the rows of each combination of all but two cover the pairs of the others, "
                  "and "
                  "columns of two levels are sets of rows, none within another (Sperner)" },
    [BUSH] = { "with one row fewer it would be orthogonal, and has more columns than that allows "
               "(Bush)",
               "the rows of each combination of all but two cover the pairs of the others, and "
               "have more columns than an orthogonal array (Bush)" },
    [TERNARY] = { "pairs of three levels have been searched exhaustively",
                  "the rows of each combination of all but two cover the pairs of the others, "
                  "and "
                  "pairs of three levels have been searched exhaustively" },
    [KEPT] = { "the rows that are kept", "the rows that are kept" },
};

typedef struct bound {
    uint64_t rows;
    reason   why;
    bool     beyond_pairs;
} bound;

static bound larger(bound a, bound b)
{
    return b.rows > a.rows ? b : a;
}

/* Pairs of three levels: the fewest rows for so many columns and more (Kokkala, Meagher,
 * Naserasr and Ostergard, by exhaustive search). */
static const struct {
    uint32_t columns, rows;
} ternary[] = { { 5, 11 }, { 6, 12 }, { 8, 13 }, { 10, 14 }, { 11, 15 } };

static uint32_t ternary_rows(uint32_t columns)
{
    uint32_t rows = 0;
    for (size_t i = 0; i < sizeof ternary / sizeof *ternary; i++)
        rows = columns >= ternary[i].columns ? ternary[i].rows : rows;
    return rows;
}

/* Pairs of columns whose levels fall, the widest first. */
static bound bound_pairs(uint32_t columns, const uint32_t *levels)
{
    bound best = { .rows = wrc_count_times(levels[0], levels[1]), .why = COMBINATIONS };
    best = larger(best, (bound){ .rows = wrc_sperner_rows(columns), .why = SPERNER });
    for (uint32_t i = 2; i < columns; i++) {
        uint64_t v = levels[i]; /* i + 1 columns have as many levels */
        if (i + 1 > v + 1)
            best = larger(best, (bound){ .rows = v * v + 1, .why = BUSH });
        if (v >= 3)
            best = larger(best, (bound){ .rows = ternary_rows(i + 1), .why = TERNARY });
    }
    return best;
}

static int falling(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

static bound bound_relation(const wrc_goal *goal, const wrc_relation *relation, uint32_t *levels)
{
    uint32_t columns = 0;
    for (uint32_t i = 0; i < relation->count; i++) {
        uint32_t column = relation->parameters[i];
        if (goal->levels[column] > 1 && wrc_goal_leaves_free(goal, column))
            levels[columns++] = goal->levels[column];
    }
    qsort(levels, columns, sizeof *levels, falling);
    uint32_t strength = relation->strength < columns ? relation->strength : columns;
    bound    best = { .rows = 1, .why = SOMETHING };
    if (strength == 1)
        best = (bound){ .rows = levels[0], .why = LEVELS };
    else if (strength > 1)
        best = bound_pairs(columns - (strength - 2), levels + (strength - 2));
    for (uint32_t i = 0; i + 2 < strength; i++)
        best.rows = wrc_count_times(best.rows, levels[i]);
    best.beyond_pairs = strength > 2;
    return best;
}

/* Columns that constraints or fixed cells touch are left out: what is left has to be covered
 * whatever they say. Kept rows are rows, whatever they cover. */
uint64_t wrc_bound_rows(const wrc_goal *goal, const char **why)
{
    bound     best = { .rows = goal->relation_count > 0, .why = SOMETHING };
    uint32_t *levels = malloc((goal->columns + 1) * sizeof *levels);
    for (uint32_t i = 0; levels != NULL && i < goal->relation_count; i++)
        best = larger(best, bound_relation(goal, &goal->relations[i], levels));
    free(levels);
    best = larger(best, (bound){ .rows = goal->kept_count, .why = KEPT });
    *why = reasons[best.why][best.beyond_pairs];
    return best.rows;
}
