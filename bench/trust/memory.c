/* bench/trust/memory.c: hostile properties that spoil memory: their own, libc's and Warren's. */
#define _GNU_SOURCE
#include <alloca.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hostile.h"

static char *volatile kept;

static uintptr_t page_of(const void *address)
{
    return (uintptr_t)address & ~(uintptr_t)4095;
}

FAILS(writes_to_nowhere)
{
    if (bad(t))
        write_to_nowhere();
}

FAILS(divides_by_zero)
{
    if (bad(t))
        sink = 1000 / zero;
}

FAILS(calls_nothing)
{
    void (*volatile nothing)(void) = NULL;
    if (bad(t))
        nothing();
}

FAILS(jumps_into_its_stack)
{
    char here[64];
    memset(here, 0x90, sizeof here);
    void (*volatile there)(void) = (void (*)(void))(uintptr_t)here;
    if (bad(t))
        there();
}

__attribute__((noinline)) static int dig(volatile char *from, int depth)
{
    volatile char here[1024];
    here[depth & 1023] = *from;
    return depth < 0 ? 0 : dig(here, depth + 1) + here[0];
}

FAILS(recurses_for_ever)
{
    char first = 0;
    if (bad(t))
        sink = dig(&first, 0);
}

FAILS(takes_a_huge_frame)
{
    if (bad(t)) {
        volatile char *block = alloca((size_t)1 << 30);
        block[0] = 1;
        sink = block[0];
    }
}

FAILS(frees_twice)
{
    kept = malloc(2000);
    free(kept);
    if (bad(t))
        free(kept);
}

FAILS(frees_what_is_not_its_own)
{
    kept = NULL;
    if (bad(t))
        kept = (char *)wr_alloc(t, 64) + 8;
    free(kept);
}

FAILS(spoils_the_heap)
{
    volatile char *volatile block = malloc(64);
    if (bad(t))
        for (int i = 1; i <= 8; i++) /* the size that malloc has noted before the block */
            block[-i] = 0x41;
    free((void *)block);
}

FAILS_WITH(eats_memory, .memory = 100 << 20)
{
    if (!bad(t))
        return;
    for (int i = 0; i < 300; i++) {
        char *more =
            mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (more != MAP_FAILED)
            memset(more, 1, 1 << 20);
        usleep(500);
    }
}

HOLDS(leaks_a_megabyte)
{
    wr_bool(t, "b");
    kept = malloc(1 << 20);
    if (kept != NULL)
        memset(kept, 1, 1 << 20);
}

HOLDS(asks_for_too_much)
{
    wr_bool(t, "b");
    kept = malloc(SIZE_MAX / 4);
    wr_assert(t, kept == NULL);
}

FAILS(reads_past_a_guarded_buffer)
{
    volatile char *bytes = wr_guarded(t, 32);
    sink = bytes[bad(t) ? 32 : 31];
}

FAILS(writes_to_a_constant)
{
    volatile char *volatile text = (char *)(uintptr_t) "constant";
    if (bad(t))
        text[0] = 'C';
}

EITHER(changes_the_allocator)
{
    if (!bad(t))
        return;
    mallopt(M_PERTURB, 0x5a);
    mallopt(M_MMAP_THRESHOLD, 1);
    mallopt(M_TRIM_THRESHOLD, 0);
    mallopt(M_ARENA_MAX, 1);
    malloc_trim(0);
}

EITHER(moves_the_break_back)
{
    if (!bad(t))
        return;
    kept = malloc(1000);
    sbrk(-(1 << 20));
    memset(kept, 1, 1000);
    sink = *kept;
}

/* ---- Warren's own ---- */

EITHER(scribbles_over_the_case)
{
    if (bad(t))
        memset((void *)t, 0xa5, 16384);
}

EITHER(clears_the_case)
{
    if (bad(t))
        memset((void *)t, 0, 4096);
}

EITHER(scribbles_before_the_case)
{
    if (bad(t))
        memset((char *)t - 16384, 0x5a, 16384);
}

EITHER(scribbles_everywhere_near_the_case)
{
    if (!bad(t))
        return;
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < 2000; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((volatile char *)t)[state % 65536] = (char)(state >> 32);
    }
}

/* Every page that parent and worker share. */
static void each_shared_page(void (*act)(char *page))
{
    char  line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        unsigned long from, to;
        if (strstr(line, "/dev/zero") == NULL || sscanf(line, "%lx-%lx", &from, &to) != 2)
            continue;
        for (; from < to; from += 4096)
            act((char *)from);
    }
    if (maps != NULL)
        fclose(maps);
}

static void touch(char *page)
{
    page[128] ^= 1;
}

EITHER(scribbles_over_all_shared_memory)
{
    if (bad(t))
        each_shared_page(touch);
}

static void open_and_touch(char *page)
{
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
    page[0] ^= 4;
}

EITHER(opens_and_scribbles_over_what_is_shut)
{
    if (bad(t))
        each_shared_page(open_and_touch);
}

EITHER(shuts_the_case)
{
    if (bad(t))
        mprotect((void *)page_of(t), 4096, PROT_READ);
}

EITHER(unmaps_the_case)
{
    if (bad(t))
        munmap((void *)page_of(t), 4096);
}

EITHER(drops_the_pages_of_the_case)
{
    if (bad(t))
        madvise((void *)page_of(t), 4096, MADV_DONTNEED);
}

EITHER(unmaps_its_code)
{
    if (bad(t))
        munmap((void *)page_of((void *)(uintptr_t)write_to_nowhere), 1 << 16);
}

EITHER(unmaps_the_c_library)
{
    if (bad(t))
        munmap((void *)page_of((void *)(uintptr_t)strlen), 1 << 20);
}

FAILS(unmaps_its_stack)
{
    char here;
    if (bad(t))
        munmap((void *)(page_of(&here) - (1 << 16)), 1 << 17);
}

EITHER(destroys_standard_output)
{
    if (bad(t))
        memset((void *)stdout, 0x5a, sizeof *stdout);
}

EITHER(destroys_standard_error)
{
    if (bad(t))
        memset((void *)stderr, 0x5a, sizeof *stderr);
}

EITHER(locks_all_memory)
{
    if (bad(t))
        mlockall(MCL_CURRENT | MCL_FUTURE);
}
