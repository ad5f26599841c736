/* observe/seen.h: what the cases of a batch showed, counted.
 *
 * A table in memory shared with the parent, which takes it when the batch is over and clears it
 * before the next. Each observation has a row, found by its identity, and is counted once a
 * case. The counters are one thread's own: plain loads and stores, no locked instruction.
 *
 * A violation is an assertion that failed in code with no `t`: it cannot leave the property, so
 * it is kept here, also beyond the death of the process, until the case is over.
 */
#ifndef WRI_OBSERVE_SEEN_H
#define WRI_OBSERVE_SEEN_H

#include "core/case.h"

#define WRI_SEEN_ROWS 2048
#define WRI_SEEN_BYTES 80 /* of a text, with its NUL; what is longer is cut */

/* One observation and its counts. */
typedef struct wri_observed {
    uint64_t         key;      /* its identity: sort, name, and row or place */
    uint64_t         feature;  /* what a watch knows it by: sort, name and row */
    _Atomic uint64_t cases[2]; /* in which it was false, and true */
    _Atomic uint64_t both;     /* in which it was both */
    uint64_t         last[2];  /* index + 1 of the case that counted it last */
    uint32_t         cache;    /* the watch's */
    uint32_t         sort;     /* WR_SEE_... */
    double           best;     /* of a slot; larger is better */
    double           before;   /* best before case `measured` */
    uint64_t         measured; /* index + 1 of the case that made it best; 0: no value yet */
    double           wanted;   /* of a cover: percent */
    double           order;    /* of a table's row among the others; NaN: they have none */
    int32_t          line;
    char             name[WRI_SEEN_BYTES];   /* label, table, slot */
    char             detail[WRI_SEEN_BYTES]; /* of a table: the row; of an assertion: the file */
} wri_observed;

typedef struct wri_seen {
    uint32_t         epoch; /* since it was cleared: no other table's; never 0 once it was */
    _Atomic uint32_t count; /* rows taken, the first ones */
    _Atomic uint32_t lost;  /* observations that found no room */
    uint16_t         index[2 * WRI_SEEN_ROWS]; /* row + 1, by key */
    wri_observed     rows[WRI_SEEN_ROWS];
} wri_seen;

void wri_seen_clear(wri_seen *seen);
/* NULL: it is not there. */
wri_observed *wri_seen_find(wri_seen *seen, uint64_t key);
/* A new row, zeroed but for its key; NULL when there is no room. */
wri_observed *wri_seen_add(wri_seen *seen, uint64_t key);
/* The case `index` was discarded: what it showed does not count. */
void wri_seen_take_back(wri_seen *seen, uint64_t index);
/* How much of a text is kept. */
size_t wri_seen_length(const char *text);
/* Copies what is kept of a text or of a path into a row: at most WRI_SEEN_BYTES, with its NUL. */
void wri_seen_text(char *to, const char *from);
void wri_seen_path(char *to, const char *from);
/* Cases in which it was looked at: true, false or both. */
uint64_t wri_observed_reached(const wri_observed *row);

/* The identity of an observation, by what is kept of its texts: that of a site, of a sighting and
 * of a row is the same. A label is one wherever it stands; an assertion is one at its place, so
 * `file` is NULL for the others. */
uint64_t wri_observed_key(uint32_t sort, const char *name, const char *row, const char *file,
                          int line);

enum { WRI_VIOLATION_NONE, WRI_VIOLATION_WRITING, WRI_VIOLATION_DONE };
typedef struct wri_violation {
    _Atomic uint32_t state;
    int32_t          line;
    char             file[256];
    char             message[1024];
} wri_violation;

/* After the body, or a jump out of it: takes in what other threads observed. True when there is
 * a violation, which is the case's verdict from here on. */
bool wri_observe_finish(wr_case *t);
/* Makes a verdict of it; false: there is none. It need not be well-formed. */
bool wri_violation_take(wri_violation *violation, wri_verdict *verdict);

/* A row of a table, where the same rows are shown again and again: `site`, zeroed at first,
 * remembers it. hit_row: false, and nothing is done, where it does not; then show_row is told
 * what to say. */
bool wri_observe_hit_row(wr_case *t, const wr_site_ *site);
void wri_observe_show_row(wr_case *t, wr_site_ *site, const char *table, const char *row);

/* The sites that assert something, in every module that is loaded. */
typedef void wri_site_visit(const wr_site_ *site, void *context);
void         wri_seen_visit_sites(wri_site_visit *visit, void *context);

#endif
