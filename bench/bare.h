/* bench/bare.h: what the machine does with no framework at all.
 *
 * The loops that Warren is measured against: SplitMix64, values kept in a volatile, the same
 * check. They are compiled in a file of their own, with the same flags as the properties, so
 * that neither side is optimised into the other.
 */
#ifndef BENCH_BARE_H
#define BENCH_BARE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LONGEST 100

/* The checks, word for word the same on both sides. */
static inline int sum_commutes(const volatile int32_t *a, const volatile int32_t *b)
{
    return (uint32_t)*a + (uint32_t)*b == (uint32_t)*b + (uint32_t)*a;
}

static inline void reverse(int32_t *xs, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        int32_t x = xs[i];
        xs[i] = xs[n - 1 - i];
        xs[n - 1 - i] = x;
    }
}

/* What lies at `values` may have changed: nothing about it is known any more, so a compiler
 * can drop neither of two reversals. */
static inline void keep(void *values)
{
    __asm__ volatile("" : : "r"(values) : "memory");
}

static inline int reversal_reverts(const int32_t *xs, int32_t *ys, size_t n)
{
    reverse(ys, n);
    keep(ys);
    reverse(ys, n);
    keep(ys);
    return memcmp(xs, ys, n * sizeof *xs) == 0;
}

/* A store to where nothing is: the crash that both sides suffer. */
static inline void crash(void)
{
    *(volatile int *)(uintptr_t)0 = 1;
}

void     bare_sums(uint64_t cases);
uint64_t bare_reversals(uint64_t cases); /* returns the elements drawn in all */
void     bare_crashes(uint64_t crashes);

#endif
