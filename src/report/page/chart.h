/* report/page/chart.h: charts as inline SVG, each with its numbers in a table.
 *
 * A chart scales with the page. Its labels are text of the page where they can be, so they stay
 * readable on a phone. Each mark has its values as a title, which a pointer shows.
 */
#ifndef WRI_REPORT_PAGE_CHART_H
#define WRI_REPORT_PAGE_CHART_H

#include "report/report.h"

/* A bar for a cell of a table: its share of the width, and an interval unless low > high. */
void wri_chart_bar(FILE *out, double share, double low, double high);
/* Several parts of a bar, in this order; shares from 0 to 1. */
void wri_chart_stack(FILE *out, const double *shares, size_t count);

/* Curves over one axis. The words name the axes; `steps`: y stays until the next point. */
typedef struct wri_chart_line {
    const char            *name;
    const wri_curve_point *points;
    size_t                 count;
} wri_chart_line;
typedef struct wri_chart_plot {
    const char           *title, *x, *y;
    bool                  log;   /* the x axis */
    bool                  dates; /* x is seconds since 1970 */
    const wri_chart_line *lines;
    size_t                count;
} wri_chart_plot;
void wri_chart_curve(FILE *out, const wri_chart_plot *plot);

/* A square of pairs of names, the lower half: cell i, j with j < i is at i * (i - 1) / 2 + j. */
typedef struct wri_chart_cell {
    uint64_t part, whole; /* whole 0: the pair cannot be */
} wri_chart_cell;
typedef struct wri_chart_heat {
    const char           *title, *of; /* "pairs of values" */
    size_t                count;
    const char *const    *names;
    const wri_chart_cell *cells;
} wri_chart_heat;
void wri_chart_heat_map(FILE *out, const wri_chart_heat *heat);

/* Nodes with weights, and arrows between them. */
typedef struct wri_chart_graph {
    const char            *title, *node, *arrow; /* what they are */
    const wri_label_count *nodes;
    size_t                 node_count;
    const wri_drawn_step  *arrows;
    size_t                 arrow_count;
} wri_chart_graph;
void wri_chart_network(FILE *out, const wri_chart_graph *graph);

/* Seconds since 1970 as "2026-01-31 12:00 UTC"; nothing for 0. */
void wri_chart_date(FILE *out, uint64_t seconds);

#endif
