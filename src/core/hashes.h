/* core/hashes.h: a table from hashes to numbers. */
#ifndef WRI_CORE_HASHES_H
#define WRI_CORE_HASHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
