/* core/hash.h: hashes of numbers and bytes, and a table from hashes to numbers. */
#ifndef WRI_CORE_HASH_H
#define WRI_CORE_HASH_H

#include "core/prng.h"

#include <stdbool.h>

static inline uint64_t wri_hash_step(uint64_t hash, uint64_t value)
{
    return wri_prng_mix(hash ^ (value + WRI_GAMMA + (hash << 6)));
}

static inline uint64_t wri_hash_bytes(const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    uint64_t             hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return wri_prng_mix(hash ^ count);
}

typedef struct wri_hashes {
    struct wri_hash_entry {
        uint64_t hash;
        uint32_t number; /* 0: nothing is here */
    } * entries;
    size_t count, room; /* room: a power of two */
} wri_hashes;

/* The number of a hash; 0: it has none. */
uint32_t wri_hashes_get(const wri_hashes *in, uint64_t hash);
/* Gives the hash this number, above 0, unless it has one. *before: the number that it has kept,
 * or 0. False: out of memory. */
bool wri_hashes_put(wri_hashes *in, uint64_t hash, uint32_t number, uint32_t *before);

#endif
