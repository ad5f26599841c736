/* run/leaks.h: which case leaked, under AddressSanitizer.
 *
 * The leak checker looks at the whole process, in milliseconds, and does not know of cases. So
 * each allocation is noted with the running case. When the checker has reported after a batch,
 * the memory that the cases still have is compared with the report, by the calls that allocated
 * it. A leak by a known bug is counted, and the checker forgets it: the worker goes on.
 */
#ifndef WRI_RUN_LEAKS_H
#define WRI_RUN_LEAKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    WRI_LEAKS_KNOWN,  /* every case that leaked did so by a known bug */
    WRI_LEAKS_NEW,    /* the case *index is the first for which that is not so */
    WRI_LEAKS_EARLY,  /* likewise, and it ended early: that leaks easily */
    WRI_LEAKS_UNSURE, /* the report does not fit what was noted */
} wri_leaks;

/* Forgets what was noted. Notes each allocation from now on, with the case *running. */
void wri_leaks_begin(const uint64_t *running);
/* The running case has jumped out. */
void wri_leaks_end_early(void);
/* Reads the checker's report. Calls `known` for each case that leaked, in their order, with the
 * case's bug. The checker forgets the leaks, unless it is UNSURE. */
wri_leaks wri_leaks_blame(int output, bool (*known)(uint64_t origin), uint64_t *index);
/* Lets the checker forget the leaks that it has reported; false: it does not. */
bool wri_leaks_forgive(int output);

#endif
