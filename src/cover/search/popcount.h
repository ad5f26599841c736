/* cover/search/popcount.h: the processor's own instruction for counting bits.
 *
 * A function marked WRC_POPCOUNT uses it. Call it only if wrc_popcount_available() is true. Its
 * results are the same as without.
 */
#ifndef WRC_COVER_SEARCH_POPCOUNT_H
#define WRC_COVER_SEARCH_POPCOUNT_H

#include <stdbool.h>

#ifdef __x86_64__
#define WRC_POPCOUNT __attribute__((target("popcnt")))
#else
#define WRC_POPCOUNT
#endif

static inline bool wrc_popcount_available(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

#endif
