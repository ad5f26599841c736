/* core/hash.c: an open table that is at most half full. */
#include "core/hash.h"

#include <stdlib.h>

/* The entry of the hash, or the free one where it belongs. */
static struct wri_hash_entry *place_of(const wri_hashes *in, uint64_t hash)
{
    size_t at = hash & (in->room - 1);
    while (in->entries[at].number != 0 && in->entries[at].hash != hash)
        at = (at + 1) & (in->room - 1);
    return &in->entries[at];
}

static bool grow(wri_hashes *in)
{
    wri_hashes grown = { .room = in->room == 0 ? 1024 : in->room * 2, .count = in->count };
    grown.entries = calloc(grown.room, sizeof *grown.entries);
    if (grown.entries == NULL)
        return false;
    for (size_t i = 0; i < in->room; i++)
        if (in->entries[i].number != 0)
            *place_of(&grown, in->entries[i].hash) = in->entries[i];
    free(in->entries);
    *in = grown;
    return true;
}

uint32_t wri_hashes_get(const wri_hashes *in, uint64_t hash)
{
    return in->room == 0 ? 0 : place_of(in, hash)->number;
}

bool wri_hashes_put(wri_hashes *in, uint64_t hash, uint32_t number, uint32_t *before)
{
    if (in->count * 2 >= in->room && !grow(in))
        return false;
    struct wri_hash_entry *at = place_of(in, hash);
    *before = at->number;
    if (*before == 0) {
        *at = (struct wri_hash_entry){ .hash = hash, .number = number };
        in->count++;
    }
    return true;
}
