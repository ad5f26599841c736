/* run/futex.c: sleeping on a word of shared memory, and waking the sleepers. A futex needs no
 * descriptor, so code under test that closes all descriptors breaks nothing. */
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "run/shared.h"

/* The kernel's numbers. Its headers are not where each C library looks. */
enum { WAIT = 0, WAKE = 1 };

void wri_futex_wait(_Atomic uint32_t *word, uint32_t value, uint64_t milliseconds)
{
    struct timespec limit = { .tv_sec = (time_t)(milliseconds / 1000),
                              .tv_nsec = (long)(milliseconds % 1000) * 1000000 };
    syscall(SYS_futex, word, WAIT, value, &limit, NULL, 0);
}

void wri_futex_wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, WAKE, 1 << 30, NULL, NULL, 0);
}
