/* report/draft.h: a report that goes to a file at the end of a run.
 *
 *     wri_draft draft;
 *     if (!wri_draft_find(&draft, "out/junit.xml"))      at the start: errno says why
 *     FILE *out = wri_draft_open(&draft);                at the end
 *     ...
 *     wri_draft_close(&draft, out, true)
 *
 * The text goes to a temporary file, which is then renamed. So nobody reads half of a report, and
 * an older report stays if this one cannot be written. A file that is not a regular one
 * (/dev/stdout, a pipe) is written to directly.
 */
#ifndef WRI_REPORT_DRAFT_H
#define WRI_REPORT_DRAFT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct wri_draft {
    char *path;
    char *first; /* where it is written first; NULL: `path` is no regular file */
} wri_draft;

/* Takes a path as the user gave it, and tries to write there. False: errno says why not, and
 * wri_draft_free() is still to be called. */
bool wri_draft_find(wri_draft *draft, const char *path);
/* NULL: errno says why. */
FILE *wri_draft_open(const wri_draft *draft);
/* Closes the stream; the report takes its place if it is `whole` and was written. False: it did
 * not, and errno says why. */
bool wri_draft_close(const wri_draft *draft, FILE *out, bool whole);
void wri_draft_free(wri_draft *draft);

#endif
