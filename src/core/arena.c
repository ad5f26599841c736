/* core/arena.c: the arena's slow paths.
 *
 * A case that needs more than the first chunk gets further chunks, which are freed with the case.
 * Under AddressSanitizer every allocation takes the slow path, which places the red zones.
 */
#include "core/arena.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "core/case.h"

#define FIRST_BYTES ((size_t)256 << 10)
#define RED_ZONE 32

/* There when the program, not necessarily this library, is built with AddressSanitizer. */
extern void __asan_poison_memory_region(const volatile void *, size_t) __attribute__((weak));
extern void __asan_unpoison_memory_region(const volatile void *, size_t) __attribute__((weak));

static void poison(const wri_arena *arena, const void *from, size_t bytes)
{
    if (arena->poison)
        __asan_poison_memory_region(from, bytes);
}

static void unpoison(const wri_arena *arena, const void *from, size_t bytes)
{
    if (arena->poison)
        __asan_unpoison_memory_region(from, bytes);
}

static void *map(size_t bytes)
{
    bool  faulty = wri_case_calm();
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    wri_case_faulty = faulty;
    return memory == MAP_FAILED ? NULL : memory;
}

bool wri_arena_start(wri_arena *arena, size_t limit)
{
    memset(arena, 0, sizeof *arena);
    arena->first = map(FIRST_BYTES);
    if (arena->first == NULL)
        return false;
    arena->first_end = arena->first + FIRST_BYTES;
    arena->limit = limit;
    arena->poison = __asan_poison_memory_region != NULL;
    arena->next = arena->first;
    arena->end = arena->first_end;
    poison(arena, arena->first, FIRST_BYTES);
    return true;
}

static void free_extra(wri_arena *arena)
{
    while (arena->extra != NULL) {
        wri_chunk *chunk = arena->extra;
        unpoison(arena, chunk, chunk->bytes);
        arena->extra = chunk->next;
        munmap(chunk, chunk->bytes);
    }
    arena->extra_bytes = 0;
}

void wri_arena_reset_slowly(wri_arena *arena)
{
    if (arena->poison)
        poison(arena, arena->first,
               (size_t)((arena->extra != NULL ? arena->first_end : arena->next) - arena->first));
    free_extra(arena);
    arena->end = arena->first_end;
    arena->next = arena->first;
}

void wri_arena_free(wri_arena *arena)
{
    if (arena->first == NULL)
        return;
    free_extra(arena);
    unpoison(arena, arena->first, FIRST_BYTES);
    munmap(arena->first, FIRST_BYTES);
    memset(arena, 0, sizeof *arena);
}

void wri_arena_wipe(wri_arena *arena)
{
    unpoison(arena, arena->first, FIRST_BYTES);
    memset(arena->first, 0, FIRST_BYTES);
    poison(arena, arena->first, FIRST_BYTES);
}

static bool has_room(const wri_arena *arena, size_t bytes)
{
    return bytes <= arena->limit && arena->extra_bytes <= arena->limit - bytes;
}

bool wri_arena_count(wri_arena *arena, size_t bytes)
{
    if (!has_room(arena, bytes))
        return false;
    arena->extra_bytes += bytes;
    return true;
}

static bool add_chunk(wri_arena *arena, size_t bytes)
{
    size_t wanted = bytes + sizeof(wri_chunk) + WRI_ALIGN;
    if (wanted < FIRST_BYTES)
        wanted = FIRST_BYTES;
    wanted = (wanted + 4095) & ~(size_t)4095;
    if (!has_room(arena, bytes))
        return false;
    wri_chunk *chunk = map(wanted);
    if (chunk == NULL)
        return false;
    chunk->next = arena->extra;
    chunk->bytes = wanted;
    arena->extra = chunk;
    arena->extra_bytes += wanted;
    arena->next =
        (char *)(((uintptr_t)(chunk + 1) + WRI_ALIGN - 1) & ~(uintptr_t)(WRI_ALIGN - 1));
    arena->end = (char *)chunk + wanted;
    poison(arena, arena->next, (size_t)(arena->end - arena->next));
    return true;
}

void *wri_arena_more(wri_arena *arena, size_t bytes)
{
    size_t zone = arena->poison ? RED_ZONE : 0;
    if (bytes > arena->limit)
        return NULL;
    size_t needed = ((bytes + WRI_ALIGN - 1) & ~(size_t)(WRI_ALIGN - 1)) + zone;
    if (needed > (size_t)(arena->end - arena->next) && !add_chunk(arena, needed))
        return NULL;
    void *block = arena->next;
    arena->next += needed;
    unpoison(arena, block, bytes);
    return block;
}
