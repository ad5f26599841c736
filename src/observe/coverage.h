/* observe/coverage.h: the number of cases that reached each instrumented place.
 *
 * The counts lie in memory that the parent shares with its workers. Cases that are watched one by
 * one (wri_signals_begin ... end) are counted. A batch of random cases only notes which places
 * any of its cases reached: counting after each case would cost more than the case.
 */
#ifndef WRI_OBSERVE_COVERAGE_H
#define WRI_OBSERVE_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For the parent: the bytes of memory that the counts need (0: no code is instrumented), and
 * the memory itself. It is zeroed, and attached before workers are forked; NULL detaches. */
size_t wri_coverage_bytes(void);
void   wri_coverage_attach(void *memory);
/* Forgets all counts. No worker may run meanwhile. */
void wri_coverage_clear(void);

/* For a worker: around a batch whose cases are not watched one by one. */
void wri_coverage_begin(void);
void wri_coverage_end(void);

/* For the parent, after the batches. Places have indices below wri_coverage_places(). */
size_t    wri_coverage_places(void);
uint32_t  wri_coverage_cases(size_t place); /* 0: never reached */
uintptr_t wri_coverage_address(
    size_t place);               /* the byte before this address is in the place; 0: not known */
bool wri_coverage_counted(void); /* true: numbers of cases; false: only 0 and 1 */

/* For signals.c: the running case or batch reached this place (a number from 1 on) for the
 * first time. `watched`: it is a single case. */
void wri_coverage_reached(uint32_t number, bool watched);

#endif
