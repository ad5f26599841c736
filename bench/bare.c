/* bench/bare.c: see bare.h. */
#include "bare.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static inline uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void bare_sums(uint64_t cases)
{
    uint64_t state = 1;
    for (uint64_t i = 0; i < cases; i++) {
        volatile int32_t a = (int32_t)(next(&state) >> 32);
        volatile int32_t b = (int32_t)(next(&state) >> 32);
        if (!sum_commutes(&a, &b))
            abort();
    }
}

uint64_t bare_reversals(uint64_t cases)
{
    uint64_t state = 1, elements = 0;
    int32_t  xs[LONGEST], ys[LONGEST];
    for (uint64_t i = 0; i < cases; i++) {
        volatile size_t drawn = (size_t)((next(&state) >> 32) * (LONGEST + 1) >> 32);
        size_t          n = drawn;
        for (size_t k = 0; k < n; k++)
            xs[k] = (int32_t)(next(&state) >> 32);
        keep(xs);
        memcpy(ys, xs, n * sizeof *xs);
        if (!reversal_reverts(xs, ys, n))
            abort();
        elements += n;
    }
    return elements;
}

void bare_crashes(uint64_t crashes)
{
    for (uint64_t i = 0; i < crashes; i++) {
        pid_t pid = fork();
        int   status;
        if (pid == 0)
            crash();
        if (pid < 0 || waitpid(pid, &status, 0) < 0)
            abort();
    }
}
