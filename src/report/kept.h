/* report/kept.h: a report that is kept instead of printed, for a framework that reports by
 * itself.
 */
#ifndef WRI_REPORT_KEPT_H
#define WRI_REPORT_KEPT_H

#include "report/report.h"

/* A report for people, and the place of the first failure. */
typedef struct wri_kept {
    char  *text; /* NULL: there is none */
    size_t size;
    char  *file; /* NULL: nothing failed, or the place is not known */
    int    line;
} wri_kept;

/* A reporter that fills in *kept; the text is complete when the reporter is freed. NULL, and a
 * line in `error`: memory is out. */
wri_reporter *wri_kept_new(wri_kept *kept, char *error, size_t error_size);
void          wri_kept_free(wri_kept *kept);

#endif
