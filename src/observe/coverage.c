/* observe/coverage.c: the coverage counts in shared memory.
 *
 * Several workers count in the same words. No order between counts matters, so relaxed atomics
 * suffice. Buggy code may write there as well, so the parent takes any count as just a number.
 */
#include "observe/coverage.h"

#include <stdatomic.h>
#include <string.h>

#include "observe/places.h"

typedef struct counts {
    _Atomic uint32_t counted; /* a case was watched by itself */
    _Atomic uint32_t cases[]; /* by place */
} counts;

static counts *shared;

size_t wri_coverage_bytes(void)
{
    wri_places_prepare();
    return wri_places == 0 ? 0 : sizeof(counts) + wri_places * sizeof(uint32_t);
}

void wri_coverage_attach(void *memory)
{
    shared = memory;
}

void wri_coverage_clear(void)
{
    if (shared != NULL)
        memset(shared, 0, wri_coverage_bytes());
}

void wri_coverage_reached(uint32_t number, bool watched)
{
    if (shared == NULL)
        return;
    _Atomic uint32_t *cases = &shared->cases[number - 1];
    if (watched) {
        atomic_fetch_add_explicit(cases, 1, memory_order_relaxed);
        if (!atomic_load_explicit(&shared->counted, memory_order_relaxed))
            atomic_store_explicit(&shared->counted, 1, memory_order_relaxed);
    } else if (atomic_load_explicit(cases, memory_order_relaxed) == 0) {
        atomic_store_explicit(cases, 1, memory_order_relaxed);
    }
}

size_t wri_coverage_places(void)
{
    return shared == NULL ? 0 : wri_places;
}

uint32_t wri_coverage_cases(size_t place)
{
    return atomic_load_explicit(&shared->cases[place], memory_order_relaxed);
}

uintptr_t wri_coverage_address(size_t place)
{
    return wri_places_address((uint32_t)place + 1);
}

bool wri_coverage_counted(void)
{
    return shared != NULL && atomic_load_explicit(&shared->counted, memory_order_relaxed) != 0;
}
