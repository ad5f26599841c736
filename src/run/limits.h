/* run/limits.h: does a worker take too long?
 *
 * The parent looks every few milliseconds at what a worker does: which case, in which phase. Time
 * counts in two ways. CPU time, so that a busy machine makes no case slow. And time on the clock,
 * for cases that sleep, but not while a thread of the worker waits for a processor.
 */
#ifndef WRI_RUN_LIMITS_H
#define WRI_RUN_LIMITS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct wri_limits {
    uint64_t deadline_ms; /* of a case */
    uint64_t whole_ms;  /* the deadline that was asked for: `deadline_ms` may be in a hurry. Also
                           that of worker_setup, and of the checks after cases, if not shorter
                           than two seconds */
    uint64_t memory;    /* resident bytes; 0: no limit */
    uint64_t processes; /* that one case may have beside its worker; 0: no limit */
} wri_limits;

/* What a worker was last seen doing. */
typedef struct wri_course {
    uint64_t index;     /* the case, */
    uint32_t phase;     /* in this phase, */
    uint64_t since_ms;  /* since when; */
    uint64_t cpu_ms;    /* the CPU time of the worker until then, and 1; 0: not looked at yet */
    uint64_t based_ms;  /* from when its time on the clock counts; 0: not yet */
    uint64_t waited_ms; /* how long its threads had waited for a processor by then */
    uint64_t looked_ms; /* when it was last looked at */
    bool     asleep;    /* it took too long on the clock, not of CPU time */
} wri_course;

/* Looks at the worker `pid`, which runs the case `index` in this phase. True: it takes too long.
 * Where a case has ended since the last look, its time goes to *longest_ms, if it is longer; less
 * than the time between two looks is not seen. */
bool wri_limits_passed(wri_course *course, pid_t pid, uint64_t index, uint32_t phase,
                       const wri_limits *limits, uint64_t *longest_ms);

/* A deadline for cases of which others like them took at most so long. */
uint64_t wri_limits_hurry(uint64_t longest_ms, uint64_t deadline_ms);

uint64_t wri_limits_clock_ms(void);

#endif
