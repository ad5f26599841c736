/* cover/perfect_hash.h: what the search for covering perfect hash families found, and the search
 * itself, for whoever looks for more: see perfect_hash.c. */
#ifndef WRI_COVER_PERFECT_HASH_H
#define WRI_COVER_PERFECT_HASH_H

#include <stdint.h>

#define WRI_HASH_STRENGTH 8   /* the highest */
#define WRI_HASH_TRIES 2000   /* points drawn in vain before giving up: part of what a seed means */

typedef struct wri_hash_entry {
    uint16_t field;
    uint8_t strength, shared, parts;
    uint32_t columns; /* how far the seed goes */
    uint64_t seed;
} wri_hash_entry;

/* How many columns, at most so many, the entry's seed leads to. */
uint32_t wri_hash_reaches(const wri_hash_entry *entry, uint32_t columns);
uint64_t wri_hash_rows(const wri_hash_entry *entry);

#endif
