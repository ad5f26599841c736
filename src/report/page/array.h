/* report/page/array.h: the page of a covering array: rows, missing tuples, coverage. */
#ifndef WRI_REPORT_PAGE_ARRAY_H
#define WRI_REPORT_PAGE_ARRAY_H

#include "report/page/chart.h"

typedef struct wri_array_strength {
    uint64_t strength, tuples, covered, infeasible, missing;
} wri_array_strength;

typedef struct wri_array {
    const char               *name, *method;     /* of the model; "" or how the rows were built */
    uint64_t                  rows, lower_bound; /* 0: not known */
    size_t                    columns;
    const char *const        *names;
    const wri_array_strength *strengths;
    size_t                    strength_count;
    const char *const        *missing; /* some of those, in words */
    size_t                    missing_count;
    const wri_chart_line     *curves; /* percent of what the rows cover, over rows */
    size_t                    curve_count;
    const wri_chart_cell     *pairs; /* of the first so many columns: */
    size_t                    paired;
    /* The text of a cell. */
    void (*value)(const void *state, uint64_t row, size_t column, char *to, size_t room);
    const void *state;
} wri_array;

/* False: `out` says what failed. */
bool wri_array_write(FILE *out, const wri_array *array);

#endif
