/* report/page/page.h: the report as one HTML file.
 *
 *     wri_page *page = wri_page_new();
 *     wri_page_add(page, &result, NULL);         each property
 *     wri_page_write(page, out, &head);
 *
 * A page is made of results (report/report.h), whoever has them: a test program that just ran, or
 * a store. It needs no network and loads nothing.
 */
#ifndef WRI_REPORT_PAGE_PAGE_H
#define WRI_REPORT_PAGE_PAGE_H

#include "report/page/chart.h"

/* What a store knows of a bug besides. */
typedef struct wri_page_bug {
    const char *status;      /* "open", "mended", ... */
    uint64_t    first, last; /* when it was seen: seconds since 1970; 0: not known */
    const char *by;
} wri_page_bug;

/* What a store knows of a property besides. */
typedef struct wri_page_past {
    const wri_page_bug    *bugs; /* of each failure */
    uint64_t               runs;
    const wri_chart_line  *lines; /* features over cases, a line for each explorer */
    size_t                 line_count;
    const wri_curve_point *dated; /* features over time */
    size_t                 dated_count;
} wri_page_past;

/* Of the whole page. */
typedef struct wri_page_head {
    const char *name; /* of the program or the store */
    bool        store;
    uint64_t    seed; /* of a run */
    double      seconds;
    bool        stopped;
    size_t      not_run;
} wri_page_head;

typedef struct wri_page wri_page;
/* NULL: memory is out. */
wri_page *wri_page_new(void);
/* past: NULL for a run. */
void wri_page_add(wri_page *page, const wri_result *result, const wri_page_past *past);
/* The assertions of the whole program. */
void wri_page_assertions(wri_page *page, const wri_assertion *list, size_t count);
/* False: memory ran out, and the page would not be whole. */
bool wri_page_write(wri_page *page, FILE *out, const wri_page_head *head);
void wri_page_free(wri_page *page);

/* bug.c: one bug, numbered from 1. brief: there is no room for more than how to replay it. */
void wri_page_put_bug(FILE *out, const wri_result *result, const wri_failure *failure,
                      const wri_page_bug *known, uint64_t number, bool brief);
/* property.c: how sure we are of a property, and what its cases were. */
void wri_page_put_property(FILE *out, const wri_result *result, const wri_page_past *past,
                           uint64_t number, bool brief);
/* The color of a status. */
const char *wri_page_tone(const wri_result *result);

#endif
