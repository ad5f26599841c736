/* observe/coverage.h: in how many cases each instrumented place was come to.
 *
 * The counts lie in memory that the parent shares with its workers. Cases that are watched one
 * by one (wri_signals_begin ... end) are counted; a batch of random cases only says which
 * places any of them came to, as looking after each would cost more than the case.
 */
#ifndef WRI_OBSERVE_COVERAGE_H
#define WRI_OBSERVE_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The parent: how much memory is wanted (0: no code is instrumented), and where it is. Zeroed,
 * attached before workers are forked; NULL detaches. */
size_t wri_coverage_bytes(void);
void   wri_coverage_attach(void *memory);
/* Forgets all counts. While no worker runs. */
void wri_coverage_clear(void);

/* A worker: around a batch whose cases are not watched one by one. */
void wri_coverage_begin(void);
void wri_coverage_end(void);

/* The parent, after the batches: places have indices below wri_coverage_places(). */
size_t    wri_coverage_places(void);
uint32_t  wri_coverage_cases(size_t place); /* 0: never come to */
uintptr_t wri_coverage_address(
    size_t place);               /* the byte before it is in the place; 0: not known */
bool wri_coverage_counted(void); /* are these numbers of cases, or just 0 and 1? */

/* signals.c: the case or batch that runs came to this place (a number from 1 on), for the first
 * time. `watched`: it is a case of its own. */
void wri_coverage_reached(uint32_t number, bool watched);

#endif
