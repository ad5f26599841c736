/* observe/told.h: the cases of a batch, as their worker tells them (--observations).
 *
 * After each case that counts, the worker adds a record to memory that it shares with the parent:
 * the printed values, the labels, and how the case ended. The parent copies the records of a
 * batch when it comes back, and checks every length. There is room for as many cases as a
 * property tells at most, so what is told does not depend on the sizes of batches.
 */
#ifndef WRI_OBSERVE_TOLD_H
#define WRI_OBSERVE_TOLD_H

#include "core/case.h"
#include "observe/seen.h"

#define WRI_TOLD_CASES 10000 /* of a property, and so of a batch */
#define WRI_TOLD_TEXT 8192   /* bytes of the printed values of a case */
#define WRI_TOLD_FEATURES 1024
#define WRI_TOLD_REASON 1024

/* The bytes of the three texts follow, and then up to the next multiple of 8. */
typedef struct wri_told_case {
    uint64_t index; /* of the case */
    double   seconds;
    uint32_t verdict;
    uint32_t text;     /* bytes: as gen/show.h writes them */
    uint32_t lost;     /* values that found no room */
    uint32_t features; /* bytes: names and rows in turn, each with its NUL */
    uint32_t reason;   /* bytes, with their NUL */
    uint32_t unused;
} wri_told_case;

#define WRI_TOLD_MOST                                                                            \
    (sizeof(wri_told_case) + WRI_TOLD_TEXT + WRI_TOLD_FEATURES + WRI_TOLD_REASON + 8)

typedef struct wri_told {
    uint64_t used, count; /* bytes, records */
    uint64_t last;        /* where the last record begins */
    double   began;       /* the running case */
    char     bytes[WRI_TOLD_CASES * WRI_TOLD_MOST];
} wri_told;

/* ---- For a worker ---- */

/* A batch begins; a case begins; a case has ended, with this verdict. A record of the same case
 * takes the place of the one before: it was run once more. */
void wri_told_begin(wri_told *told);
void wri_told_begin_case(wri_told *told);
void wri_told_end_case(wri_told *told, const wr_case *t, uint64_t index,
                       const wri_verdict *verdict);

/* ---- For the parent ---- */

/* Writes a record without features to `to`, which has room for WRI_TOLD_MOST bytes; returns its
 * bytes. */
size_t wri_told_put(char *to, uint64_t index, const wri_verdict *verdict, const char *text,
                    size_t used, size_t lost);
/* A copy of the records, malloced; the shared ones may hold anything. *size: their bytes, which
 * are whole records. There is room for one more. NULL: memory is out. */
char *wri_told_copy(const wri_told *told, size_t *size);
/* The record at `at`, and the bytes up to the next; 0: there is none. */
size_t wri_told_read(const char *bytes, size_t size, size_t at, wri_told_case *record);

#endif
