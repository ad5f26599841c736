/* core/arena.h: the memory of one case.
 *
 * A bump allocator that starts again for every case. Under AddressSanitizer each block has a
 * poisoned red zone behind it. The end of the case poisons all blocks again. So overruns and
 * stale pointers are found as in malloc's memory.
 */
#ifndef WRI_CORE_ARENA_H
#define WRI_CORE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#define WRI_ALIGN 16

typedef struct wri_chunk {
    struct wri_chunk *next;
    size_t            bytes; /* with this header */
} wri_chunk;

typedef struct wri_arena {
    char      *next, *end; /* of the chunk in use */
    char      *first;      /* the chunk that is kept from case to case */
    char      *first_end;
    wri_chunk *extra;       /* chunks that only this case needed */
    size_t     extra_bytes; /* theirs, and those that wri_arena_count() counted */
    size_t     limit;
    bool       poison; /* AddressSanitizer is there */
} wri_arena;

/* False: out of memory. */
bool wri_arena_start(wri_arena *arena, size_t limit);
void wri_arena_reset_slowly(wri_arena *arena);
void wri_arena_free(wri_arena *arena);
/* Returns memory that is not zeroed, aligned to 16. NULL: the limit is passed, or out of
 * memory. */
void *wri_arena_more(wri_arena *arena, size_t bytes);
/* Counts memory that the case has from elsewhere. False: it would pass the limit. */
bool wri_arena_count(wri_arena *arena, size_t bytes);
/* Overwrites the data of earlier cases, so that no stale pointer in it hides a leak. */
void wri_arena_wipe(wri_arena *arena);

/* Empties the arena; the first chunk is kept for the next case. */
static inline void wri_arena_reset(wri_arena *arena)
{
    if (__builtin_expect(arena->poison || arena->extra_bytes > 0, 0))
        wri_arena_reset_slowly(arena);
    arena->next = arena->first;
}

static inline void *wri_arena_take(wri_arena *arena, size_t bytes)
{
    size_t rounded = (bytes + WRI_ALIGN - 1) & ~(size_t)(WRI_ALIGN - 1);
    if (__builtin_expect(
            arena->poison || rounded < bytes || rounded > (size_t)(arena->end - arena->next), 0))
        return wri_arena_more(arena, bytes);
    void *block = arena->next;
    arena->next += rounded;
    return block;
}

#endif
