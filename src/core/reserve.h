/* core/reserve.h: the words at the end of a public struct that no member has taken yet.
 *
 * A program that was compiled with a newer header may have set a member there. This library does
 * not know the member, so whoever reads the struct refuses it.
 */
#ifndef WRI_CORE_RESERVE_H
#define WRI_CORE_RESERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WRI_RESERVE_USED(table) wri_reserve_used((table)->reserve_, sizeof(table)->reserve_)
#define WRI_RESERVE_WHY "sets a member that this library does not know: it needs a newer one"

static inline bool wri_reserve_used(const uint64_t *words, size_t bytes)
{
    uint64_t all = 0;
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        all |= words[i];
    return all != 0;
}

#endif
