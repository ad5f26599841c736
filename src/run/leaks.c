/* run/leaks.c: notes allocations by the sanitizer's hooks, in a table of pointers.
 *
 * An entry counts if its stamp is that of the running case, so that no table is cleared between
 * cases. Threads of the case allocate and free as well: a lock guards the table.
 */
#include "run/leaks.h"

#include <stdatomic.h>
#include <string.h>

#include "core/hash.h"
#include "run/worker.h"

/* All are there if AddressSanitizer is linked in, with its leak checker. */
extern int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t),
                                                     void (*)(const volatile void *))
    __attribute__((weak));
extern size_t __asan_get_alloc_stack(void *, void **, size_t, int *) __attribute__((weak));
extern void   __lsan_ignore_object(const void *) __attribute__((weak));

#define ROOM ((size_t)1 << 16)
#define FULL (ROOM / 4 * 3)
#define FRAMES 8
/* Calls whose memory the checker has found in use so often keep it for good reason: a cache. */
#define PROOFS 4
#define CACHES 256

/* Pointers are kept inverted: the checker would find them here, and take the memory for used. */
static struct {
    uintptr_t inverted; /* 0: it was freed */
    uint64_t  stamp;
} noted[ROOM];

static struct {
    bool        installed, watching;
    uint64_t    stamp;      /* of the running case */
    size_t      used, live; /* entries of this stamp, and those not freed */
    atomic_flag lock;
} now = { .lock = ATOMIC_FLAG_INIT };

static struct {
    uint64_t calls;
    unsigned proofs;
} caches[CACHES];
static size_t cache_count;

/* ---- Noting ---- */

static void lock(void)
{
    while (atomic_flag_test_and_set_explicit(&now.lock, memory_order_acquire))
        ;
}

static void unlock(void)
{
    atomic_flag_clear_explicit(&now.lock, memory_order_release);
}

/* The entry of a pointer, or the one where it would be. */
static size_t find(uintptr_t inverted)
{
    size_t at = wri_prng_mix(inverted) & (ROOM - 1);
    while (noted[at].stamp == now.stamp && noted[at].inverted != inverted)
        at = (at + 1) & (ROOM - 1);
    return at;
}

static void on_malloc(const volatile void *pointer, size_t bytes)
{
    (void)bytes;
    if (!now.watching || pointer == NULL)
        return;
    lock();
    if (now.used < FULL) {
        size_t at = find(~(uintptr_t)pointer);
        now.used += noted[at].stamp != now.stamp;
        noted[at].stamp = now.stamp;
        noted[at].inverted = ~(uintptr_t)pointer;
        now.live++;
    }
    unlock();
}

/* The entry stays, or others could not be found behind it. */
static void on_free(const volatile void *pointer)
{
    if (!now.watching || pointer == NULL)
        return;
    lock();
    size_t at = find(~(uintptr_t)pointer);
    if (noted[at].stamp == now.stamp) {
        noted[at].inverted = 0;
        now.live--;
    }
    unlock();
}

static bool is_possible(void)
{
    return __sanitizer_install_malloc_and_free_hooks != NULL && __asan_get_alloc_stack != NULL &&
           __lsan_ignore_object != NULL && !wri_worker_now.setup.in_process &&
           !atomic_load(&wri_worker_now.setup.shared->no_leak_check);
}

void wri_leaks_begin(void)
{
    now.watching = false;
    if (!is_possible())
        return;
    if (!now.installed)
        __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    now.installed = true;
    now.stamp++;
    now.used = now.live = 0;
    now.watching = true;
}

/* ---- Looking ---- */

static uint64_t calls_of(uintptr_t inverted)
{
    void    *frames[FRAMES];
    int      thread;
    size_t   count = __asan_get_alloc_stack((void *)~inverted, frames, FRAMES, &thread);
    uint64_t hash = count;
    for (size_t i = 0; i < count && i < FRAMES; i++)
        hash = wri_hash_step(hash, (uint64_t)(uintptr_t)frames[i]);
    return hash;
}

/* Calls a function for the allocating calls of all that the case keeps, until one returns false.
 */
static bool for_each(bool (*function)(uintptr_t inverted, uint64_t calls, void *context),
                     void *context)
{
    size_t left = now.live;
    for (size_t at = 0; at < ROOM && left > 0; at++)
        if (noted[at].stamp == now.stamp && noted[at].inverted != 0) {
            left--;
            if (!function(noted[at].inverted, calls_of(noted[at].inverted), context))
                return false;
        }
    return true;
}

static bool is_cache(uint64_t calls)
{
    for (size_t i = 0; i < cache_count; i++)
        if (caches[i].calls == calls)
            return caches[i].proofs >= PROOFS;
    return false;
}

static bool find_origin(uint64_t calls, uint64_t *origin)
{
    wri_shared *shared = wri_worker_now.setup.shared;
    uint32_t    count = atomic_load(&shared->leaky_count);
    for (uint32_t i = 0; i < count && i < WRI_LEAKY; i++)
        if (shared->leaky[i].calls == calls) {
            *origin = shared->leaky[i].origin;
            return true;
        }
    return false;
}

static bool is_known(uintptr_t inverted, uint64_t calls, void *origin)
{
    (void)inverted;
    return is_cache(calls) || find_origin(calls, origin);
}

wri_leaks wri_leaks_look(uint64_t *origin)
{
    bool watched = now.watching && now.used < FULL;
    now.watching = false;
    *origin = 0;
    if (!watched)
        return WRI_LEAKS_UNSURE;
    if (!for_each(is_known, origin))
        return WRI_LEAKS_UNSURE;
    return *origin == 0 ? WRI_LEAKS_NONE : WRI_LEAKS_KNOWN;
}

/* ---- Memory taken for leaked ---- */

static struct {
    uintptr_t inverted[ROOM];
    size_t    count;
} assumed;

static bool assume(uintptr_t inverted, uint64_t calls, void *context)
{
    (void)context;
    if (!is_cache(calls) && assumed.count < ROOM)
        assumed.inverted[assumed.count++] = inverted;
    return true;
}

void wri_leaks_assume(void)
{
    for_each(assume, NULL);
}

size_t wri_leaks_assumed(void)
{
    return assumed.count;
}

void wri_leaks_settle(void)
{
    for (size_t i = 0; i < assumed.count; i++)
        __lsan_ignore_object((const void *)~assumed.inverted[i]);
    assumed.count = 0;
}

/* ---- Learning ---- */

/* Of what a case keeps: the calls that nothing is known of, if they are all the same. */
typedef struct unknown {
    uint64_t calls;
    size_t   count;
    bool     several, leaky; /* several calls; or there is memory besides that leaked */
} unknown;

static bool find_unknown(uintptr_t inverted, uint64_t calls, void *context)
{
    unknown *found = context;
    uint64_t origin;
    (void)inverted;
    if (is_cache(calls))
        return true;
    found->leaky |= find_origin(calls, &origin);
    found->several |= found->count > 0 && found->calls != calls;
    found->calls = calls;
    found->count++;
    return true;
}

static void add_leaky(uint64_t calls, uint64_t origin)
{
    wri_shared *shared = wri_worker_now.setup.shared;
    uint32_t    at = atomic_load(&shared->leaky_count);
    if (at >= WRI_LEAKY)
        return;
    /* Another worker may take the same entry: then the calls are learnt once more. */
    shared->leaky[at] = (wri_leaky){ .calls = calls, .origin = origin };
    atomic_store(&shared->leaky_count, at + 1);
}

static bool add_proof(uintptr_t inverted, uint64_t calls, void *context)
{
    (void)inverted, (void)context;
    size_t at = 0;
    while (at < cache_count && caches[at].calls != calls)
        at++;
    if (at == CACHES)
        return false;
    if (at == cache_count) {
        caches[at].calls = calls;
        caches[at].proofs = 0;
        cache_count++;
    }
    caches[at].proofs++;
    return true;
}

void wri_leaks_learn(size_t leaked, uint64_t origin)
{
    unknown found = { 0 };
    if (!now.installed)
        return;
    if (leaked == 0) {
        for_each(add_proof, NULL);
        return;
    }
    for_each(find_unknown, &found);
    if (origin != 0 && leaked == found.count && !found.several && !found.leaky)
        add_leaky(found.calls, origin);
    wri_leaks_assume();
    wri_leaks_settle();
}
