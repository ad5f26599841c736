/* observe/seen.h: the table that counts the observations of a batch's cases.
 *
 * The table lies in memory shared with the parent. The parent reads it when the batch is over and
 * clears it before the next. Each observation has a row, found by its identity, and is counted
 * once a case. Only one thread writes the counters, so they need plain loads and stores, no
 * locked instruction.
 */
#ifndef WRI_OBSERVE_SEEN_H
#define WRI_OBSERVE_SEEN_H

#include "core/case.h"

#define WRI_SEEN_ROWS 2048
#define WRI_SEEN_BYTES 80 /* of a text, with its NUL; what is longer is cut */

/* One observation and its counts. */
typedef struct wri_observed {
    uint64_t         key;      /* its identity: sort, name, and row or place */
    uint64_t         feature;  /* the watch's key: sort, name and row */
    _Atomic uint64_t cases[2]; /* cases in which it was false, and true */
    _Atomic uint64_t both;     /* cases in which it was both */
    uint64_t         last[2];  /* index + 1 of the case that counted it last */
    uint64_t         first;    /* index + 1 of the first case in which it was true; 0: none */
    uint32_t         cache;    /* belongs to the watch */
    uint32_t         sort;     /* WR_SEE_... */
    double           best;     /* of a slot; larger is better */
    double           before;   /* best before case `measured` */
    uint64_t         measured; /* index + 1 of the case that made it best; 0: no value yet */
    double           wanted;   /* of a cover: percent */
    double           order;    /* a row's position in its table; NaN: rows have no order */
    int32_t          line;
    char             name[WRI_SEEN_BYTES];   /* label, table, slot */
    char             detail[WRI_SEEN_BYTES]; /* of a table: the row; of an assertion: the file */
} wri_observed;

typedef struct wri_seen {
    uint32_t epoch; /* number of this clearing, unique over all tables; 0: never cleared */
    _Atomic uint32_t count;                    /* rows in use, from the first on */
    _Atomic uint32_t lost;                     /* observations dropped for lack of room */
    uint16_t         index[2 * WRI_SEEN_ROWS]; /* row + 1, by key */
    wri_observed     rows[WRI_SEEN_ROWS];
} wri_seen;

void wri_seen_clear(wri_seen *seen);
/* NULL: no such row. */
wri_observed *wri_seen_find(wri_seen *seen, uint64_t key);
/* Adds a row, zeroed but for its key. NULL: no room. */
wri_observed *wri_seen_add(wri_seen *seen, uint64_t key);
/* Takes the counts of case `index` back, because it was discarded. */
void wri_seen_take_back(wri_seen *seen, uint64_t index);
/* The number of bytes of a text that are kept. */
size_t wri_seen_length(const char *text);
/* Copies a text or a path into a row, cut to WRI_SEEN_BYTES with its NUL. */
void wri_seen_text(char *to, const char *from);
void wri_seen_path(char *to, const char *from);
/* The number of cases that reached it: true, false or both. */
uint64_t wri_observed_reached(const wri_observed *row);

/* The identity of an observation, from its texts as they are kept. A site and its row have the
 * same identity. A label is the same observation wherever it stands. An assertion is another
 * one at each place; for all other sorts `file` is NULL. */
uint64_t wri_observed_key(uint32_t sort, const char *name, const char *row, const char *file,
                          int line);

/* Called after the body, or after a jump out of it: takes in the observations of other
 * threads. True: there is a violation, and it is now the case's verdict. */
bool wri_observe_finish(wr_case *t);

/* Shows a row of a table, for callers that show the same rows again and again. `site` starts
 * zeroed and remembers the row. hit_row returns false, and does nothing, if the row is not
 * remembered yet. Then the caller calls show_row with the texts. */
bool wri_observe_hit_row(wr_case *t, const wr_site_ *site, bool pair);
void wri_observe_show_row(wr_case *t, wr_site_ *site, const char *table, const char *row,
                          bool pair);

/* Visits the sites that assert something, in every loaded module. */
typedef void wri_site_visit(const wr_site_ *site, void *context);
void         wri_seen_visit_sites(wri_site_visit *visit, void *context);

#endif
