/* cover/search/popcount.h: the processor's own instruction for counting bits.
 *
 * A function that is marked uses it, and is to be called only where it is there; what it returns
 * is the same as without.
 */
#ifndef WRC_COVER_SEARCH_POPCOUNT_H
#define WRC_COVER_SEARCH_POPCOUNT_H

#include <stdbool.h>

#ifdef __x86_64__
#define WRC_POPCOUNT __attribute__((target("popcnt")))
#else
#define WRC_POPCOUNT
#endif

static inline bool wrc_has_popcount(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

#endif
