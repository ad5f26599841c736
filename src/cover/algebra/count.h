/* cover/algebra/count.h: products that do not overflow, and all sets of so many numbers. */
#ifndef WRC_COVER_ALGEBRA_COUNT_H
#define WRC_COVER_ALGEBRA_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/* a * b and a^n, or UINT64_MAX for a result that is too large. */
static inline uint64_t wrc_count_times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static inline uint64_t wrc_count_power(uint64_t a, uint32_t n)
{
    uint64_t result = 1;
    for (uint32_t i = 0; i < n; i++)
        result = wrc_count_times(result, a);
    return result;
}

/* n over k, or UINT64_MAX for a result that is too large. */
static inline uint64_t wrc_count_choose(uint64_t n, uint64_t k)
{
    uint64_t result = 1;
    for (uint64_t i = 1; i <= k && k <= n; i++) {
        if (__builtin_mul_overflow(result, n - k + i, &result))
            return UINT64_MAX;
        result /= i;
    }
    return k > n ? 0 : result;
}

/* Goes on to the next set of `count` numbers below `below`, ascending. False: it was the last. */
static inline bool wrc_count_next_set(uint32_t *set, uint32_t count, uint32_t below)
{
    uint32_t i = count;
    while (i > 0 && set[i - 1] == below - (count - i) - 1)
        i--;
    if (i == 0)
        return false;
    for (set[i - 1]++; i < count; i++)
        set[i] = set[i - 1] + 1;
    return true;
}

#endif
