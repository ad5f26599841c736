/* bench/quantile.h: the middle and the slow end of a list of figures. */
#ifndef BENCH_QUANTILE_H
#define BENCH_QUANTILE_H

#include <stddef.h>
#include <stdlib.h>

static inline int quantile_order(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* The mean of the two in the middle of an even number; sorts the list. 0: the list is empty. */
static inline double median_of(double *list, size_t count)
{
    qsort(list, count, sizeof *list, quantile_order);
    return count == 0 ? 0 : (list[(count - 1) / 2] + list[count / 2]) / 2;
}

/* At least nine in ten are as small: of nine the largest. Sorts the list. */
static inline double p90_of(double *list, size_t count)
{
    qsort(list, count, sizeof *list, quantile_order);
    return count == 0 ? 0 : list[(count * 9 + 9) / 10 - 1];
}

#endif
