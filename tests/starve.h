/* tests/starve.h: the n-th allocation of a unit's library fails, once or with all after it. The
 * unit is linked with starved(NAME) in CMakeLists.txt, which wraps the functions here.
 *
 *     STARVE(n) {              as often as there are allocations, in both manners, and once more
 *         bool done = try_it();          without a failure, last
 *         CHECK(done || !starved());
 *     }
 */
#ifndef WRI_TESTS_STARVE_H
#define WRI_TESTS_STARVE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);

static struct {
    size_t at;      /* the number of the allocation that fails; 0: none */
    bool   goes_on; /* and all after it do */
    size_t count;   /* allocations so far */
    size_t failed;
} starving;

static bool starve_this(void)
{
    starving.count++;
    if (starving.at == 0 || starving.count < starving.at ||
        (starving.count > starving.at && !starving.goes_on))
        return false;
    starving.failed++;
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return starve_this() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return starve_this() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return starve_this() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
    return starve_this() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size)
{
    return starve_this() ? NULL : __real_strndup(text, size);
}

/* As in inject.c: flush.c calls it, in a build that counts branches. */
void inject_rest(void);
void inject_rest(void)
{
    starving.at = 0;
}

/* Did an allocation fail in this round? */
static inline bool starved(void)
{
    return starving.failed > 0;
}

/* Ends a round and begins the next: each allocation fails once, then it and all after it do. The
 * rounds are over when nothing failed. `step` leaves allocations out where there are many. */
static inline bool starve_more(size_t *at, size_t step)
{
    bool over = *at > 0 && starving.failed == 0;
    bool again = *at > 0 && !starving.goes_on;
    if (!again)
        *at += *at == 0 ? 1 : step;
    starving.goes_on = again;
    starving.at = over ? 0 : *at;
    starving.count = starving.failed = 0;
    return !over;
}
#define STARVE(step) for (size_t starve_at_ = 0; starve_more(&starve_at_, step);)

#endif
