/* run/leaks.c: notes allocations by the sanitizer's hooks, and compares them with its reports.
 *
 * The notes lie in memory of their own, where the checker does not look for pointers. Threads of
 * a case allocate and free as well: a lock guards the notes.
 */
#include "run/leaks.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/hash.h"
#include "run/death.h"
#include "run/worker.h"

/* All are there if AddressSanitizer is linked in, with its leak checker. */
extern int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t),
                                                     void (*)(const volatile void *))
    __attribute__((weak));
extern size_t __asan_get_alloc_stack(void *, void **, size_t, int *) __attribute__((weak));
extern void   __lsan_ignore_object(const void *) __attribute__((weak));

#define ROOM ((uint32_t)1 << 18) /* blocks; more are too many to tell */
#define EARLY 1024               /* cases that ended early and kept memory; likewise */
#define FRAMES 256               /* a sanitizer keeps no more */

/* Memory that a case has allocated. */
typedef struct block {
    void    *pointer; /* NULL: it was freed */
    uint64_t at;      /* the case */
    size_t   bytes;
    uint32_t next; /* in its bucket, or among those that were freed: a number from 1; 0: none */
    uint32_t leak; /* of the report, from 1; 0: it has not leaked */
    bool     held; /* another block that has leaked points to it */
} block;

static struct notes {
    uint32_t buckets[ROOM];
    block    blocks[ROOM];
    uint32_t used, freed; /* blocks that were ever used; the first that was freed */
    uint64_t at, kept;    /* the last case that allocated, and blocks that it has */
    uint64_t early[EARLY];
    uint32_t early_count;
    bool     full;
} * notes;

static const uint64_t *running;
static bool            noting;
static atomic_flag     locked = ATOMIC_FLAG_INIT;

/* ---- Noting ---- */

static uint32_t *bucket_of(const void *pointer)
{
    return &notes->buckets[wri_prng_mix((uint64_t)(uintptr_t)pointer) & (ROOM - 1)];
}

/* A child that the code under test forked may never be given the lock. */
static bool lock_notes(void)
{
    if (wri_worker_copied())
        return false;
    while (atomic_flag_test_and_set_explicit(&locked, memory_order_acquire))
        sched_yield();
    return true;
}

static void unlock_notes(void)
{
    atomic_flag_clear_explicit(&locked, memory_order_release);
}

static void note(void *pointer, size_t bytes)
{
    uint32_t number = notes->freed != 0 ? notes->freed : notes->used + 1;
    if (number > ROOM) {
        notes->full = true;
        return;
    }
    block    *one = &notes->blocks[number - 1];
    uint32_t *bucket = bucket_of(pointer);
    if (number == notes->freed)
        notes->freed = one->next;
    else
        notes->used = number;
    *one = (block){ .pointer = pointer, .at = *running, .bytes = bytes, .next = *bucket };
    *bucket = number;
    notes->kept = notes->at == *running ? notes->kept + 1 : 1;
    notes->at = *running;
}

static void strike_out(const void *pointer)
{
    for (uint32_t *link = bucket_of(pointer); *link != 0; link = &notes->blocks[*link - 1].next) {
        uint32_t number = *link;
        block   *one = &notes->blocks[number - 1];
        if (one->pointer != pointer)
            continue;
        *link = one->next;
        one->pointer = NULL;
        one->next = notes->freed;
        notes->freed = number;
        notes->kept -= one->at == notes->at;
        return;
    }
}

static void on_malloc(const volatile void *pointer, size_t bytes)
{
    if (pointer == NULL || !noting || !lock_notes())
        return;
    note((void *)(uintptr_t)pointer, bytes);
    unlock_notes();
}

static void on_free(const volatile void *pointer)
{
    if (pointer == NULL || !lock_notes())
        return;
    strike_out((const void *)(uintptr_t)pointer);
    unlock_notes();
}

static bool is_possible(void)
{
    return __sanitizer_install_malloc_and_free_hooks != NULL && __asan_get_alloc_stack != NULL &&
           __lsan_ignore_object != NULL && wri_sanitizer_leaks_present() &&
           !wri_worker_now.setup.in_process &&
           !atomic_load(&wri_worker_now.setup.shared->no_leak_check);
}

static bool install(void)
{
    void *memory =
        mmap(NULL, sizeof *notes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    notes = memory;
    return __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) != 0;
}

void wri_leaks_begin(const uint64_t *running_case)
{
    running = running_case;
    noting = is_possible() && (notes != NULL || install());
    if (!noting || !lock_notes())
        return;
    for (uint32_t i = 0; i < notes->used; i++)
        if (notes->blocks[i].pointer != NULL)
            *bucket_of(notes->blocks[i].pointer) = 0;
    notes->used = notes->freed = notes->early_count = 0;
    notes->kept = 0;
    notes->full = false;
    unlock_notes();
}

void wri_leaks_end_early(void)
{
    if (notes == NULL || notes->kept == 0 || notes->at != *running)
        return;
    if (notes->early_count == EARLY)
        notes->full = true;
    else
        notes->early[notes->early_count++] = *running;
}

/* ---- Reading a report ---- */

#define LEAKS 256

/* Leaks by the same calls. */
typedef struct leak {
    uint64_t calls, origin;
    uint64_t objects, found; /* as reported, and as noted */
    bool     direct, indirect;
    uint64_t at;          /* the case that was last looked at, */
    size_t   bytes, held; /* and the bytes that it leaked here, and those that are held */
} leak;

static leak   leaks[LEAKS];
static size_t leak_count;

static leak *leak_by(uint64_t calls)
{
    for (size_t i = 0; i < leak_count; i++)
        if (leaks[i].calls == calls)
            return &leaks[i];
    return NULL;
}

/* Inlined functions have the address of the call that they stand in. */
typedef struct calls {
    uint64_t hash, last;
} calls;

static void add_call(calls *all, uint64_t address)
{
    if (address != all->last)
        all->hash = wri_hash_step(all->hash, address);
    all->last = address;
}

/* Reads the frames behind the first line of a leak: "    #1 0x55 in name /path/file.c:12:3". The
 * first place among them is the bug's. */
static void read_frames(const char *text, leak *to)
{
    static const wri_place nowhere;
    wri_verdict            verdict = { .kind = WRI_LEAK };
    calls                  all = { 0 };
    bool                   placed = false;
    while ((text = strchr(text, '\n')) != NULL && strncmp(++text, "    #", 5) == 0) {
        const char *address = strstr(text, " 0x");
        add_call(&all, address == NULL ? 0 : strtoull(address, NULL, 16));
        placed = placed ||
                 wri_output_frame_place(text, verdict.file, sizeof verdict.file, &verdict.line);
    }
    to->calls = all.hash;
    to->origin = placed ? wri_death_origin(&verdict, &nowhere) : 0;
}

static bool add_leak(const leak *one)
{
    leak *known = leak_by(one->calls);
    if (known == NULL && leak_count == LEAKS)
        return false;
    if (known == NULL) {
        leaks[leak_count++] = *one;
        return true;
    }
    known->objects += one->objects;
    known->direct |= one->direct;
    known->indirect |= one->indirect;
    return true;
}

/* "Direct leak of 300 byte(s) in 3 object(s) allocated from:" for each, and in the end "SUMMARY:
 * AddressSanitizer: 300 byte(s) leaked in 3 allocation(s)." False: it does not have all. */
static bool read_report(int output)
{
    static const char SUM[] = " byte(s) leaked in ";
    char             *text = wri_output_text(output);
    const char       *at = text, *sum = NULL;
    uint64_t          objects = 0;
    bool              good = true;
    leak_count = 0;
    while (good && at != NULL && (at = strstr(at, "irect leak of ")) != NULL) {
        leak        one = { .at = UINT64_MAX, .direct = at > text && at[-1] == 'D' };
        const char *in = strstr(at, " in ");
        one.objects = in == NULL ? 0 : strtoull(in + 4, NULL, 10);
        one.indirect = !one.direct;
        objects += one.objects;
        read_frames(at, &one);
        good = add_leak(&one);
        sum = strstr(++at, SUM);
    }
    good = good && sum != NULL && strtoull(sum + sizeof SUM - 1, NULL, 10) == objects;
    free(text);
    return good;
}

static uint64_t calls_of(void *pointer)
{
    void  *frames[FRAMES];
    int    thread;
    calls  all = { 0 };
    size_t count = __asan_get_alloc_stack(pointer, frames, FRAMES, &thread);
    for (size_t i = 0; i < count && i < FRAMES; i++)
        add_call(&all, (uint64_t)(uintptr_t)frames[i]);
    return all.hash;
}

/* Finds the blocks that were reported. */
static void find_leaked(void)
{
    for (uint32_t i = 0; i < notes->used; i++) {
        block *one = &notes->blocks[i];
        leak  *by = one->pointer == NULL ? NULL : leak_by(calls_of(one->pointer));
        one->leak = by == NULL ? 0 : (uint32_t)(by - leaks) + 1;
        if (by != NULL)
            by->found++;
    }
}

/* Only if all memory of the same calls has leaked is it known which has. */
static bool fits(void)
{
    for (size_t i = 0; i < leak_count; i++)
        if (leaks[i].found != leaks[i].objects)
            return false;
    return !notes->full;
}

static void forget_leaked(void)
{
    for (uint32_t i = 0; i < notes->used; i++)
        if (notes->blocks[i].pointer != NULL && notes->blocks[i].leak != 0)
            __lsan_ignore_object(notes->blocks[i].pointer);
}

/* ---- Blaming ---- */

static int by_case(const void *a, const void *b)
{
    const block *one = *(block *const *)a, *two = *(block *const *)b;
    int          order = (one->at > two->at) - (one->at < two->at);
    return order != 0 ? order : (one->pointer > two->pointer) - (one->pointer < two->pointer);
}

static int by_address(const void *a, const void *b)
{
    uintptr_t    address = *(const uintptr_t *)a;
    const block *one = *(block *const *)b;
    uintptr_t    from = (uintptr_t)one->pointer;
    return address < from ? -1 : address >= from + one->bytes ? 1 : 0;
}

/* A leak is indirect if it is held by another one. The report says so only of all memory that the
 * same calls allocated. */
static void find_held(block **sorted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sorted[i]->held = false;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k + sizeof(uintptr_t) <= sorted[i]->bytes; k += sizeof(uintptr_t)) {
            uintptr_t word;
            memcpy(&word, (const char *)sorted[i]->pointer + k, sizeof word);
            block **to = bsearch(&word, sorted, count, sizeof *sorted, by_address);
            if (to != NULL && *to != sorted[i])
                (*to)->held = true;
        }
}

/* Has the case leaked directly here? */
static bool is_direct(const leak *one)
{
    return one->direct && (!one->indirect || one->held < one->bytes);
}

/* The bug of a case, as the checker would report it of that case alone: direct leaks come first,
 * if there are any, and then larger ones. 0: not known. */
static uint64_t find_bug(const leak *const *by, size_t count)
{
    const leak *first = NULL;
    size_t      most = 0;
    bool        any = false, sure = true;
    for (size_t i = 0; i < count; i++)
        any |= is_direct(by[i]);
    for (size_t i = 0; i < count; i++) {
        bool   mixed = by[i]->direct && by[i]->indirect;
        size_t bytes = any && mixed ? by[i]->bytes - by[i]->held : by[i]->bytes;
        if (any && !is_direct(by[i]))
            continue;
        sure &= first == NULL || bytes != most || by[i]->origin == first->origin;
        if (first != NULL && bytes <= most)
            continue;
        first = by[i];
        most = bytes;
    }
    return sure ? first->origin : 0;
}

static bool ended_early(uint64_t at)
{
    for (uint32_t i = 0; i < notes->early_count; i++)
        if (notes->early[i] == at)
            return true;
    return false;
}

/* The blocks of one case. */
static uint64_t bug_of(block **sorted, size_t count)
{
    const leak *by[LEAKS];
    size_t      leaks_here = 0;
    bool        mixed = false;
    for (size_t i = 0; i < count; i++)
        mixed |= leaks[sorted[i]->leak - 1].direct && leaks[sorted[i]->leak - 1].indirect;
    if (mixed)
        find_held(sorted, count);
    for (size_t i = 0; i < count; i++) {
        leak *one = &leaks[sorted[i]->leak - 1];
        if (one->at != sorted[i]->at) {
            one->at = sorted[i]->at;
            one->bytes = one->held = 0;
            by[leaks_here++] = one;
        }
        one->bytes += sorted[i]->bytes;
        one->held += mixed && sorted[i]->held ? sorted[i]->bytes : 0;
    }
    return find_bug(by, leaks_here);
}

static wri_leaks blame(block **sorted, size_t count, bool (*known)(uint64_t origin),
                       uint64_t *index)
{
    for (size_t i = 0, next; i < count; i = next) {
        *index = sorted[i]->at;
        for (next = i; next < count && sorted[next]->at == *index;)
            next++;
        if (ended_early(*index))
            return WRI_LEAKS_EARLY;
        uint64_t origin = bug_of(sorted + i, next - i);
        if (origin == 0 || !known(origin))
            return WRI_LEAKS_NEW;
    }
    return WRI_LEAKS_KNOWN;
}

wri_leaks wri_leaks_blame(int output, bool (*known)(uint64_t origin), uint64_t *index)
{
    block **sorted;
    size_t  count = 0;
    noting = false;
    if (notes == NULL || !read_report(output))
        return WRI_LEAKS_UNSURE;
    find_leaked();
    if (!fits() || (sorted = malloc(notes->used * sizeof *sorted)) == NULL)
        return WRI_LEAKS_UNSURE;
    for (uint32_t i = 0; i < notes->used; i++)
        if (notes->blocks[i].pointer != NULL && notes->blocks[i].leak != 0)
            sorted[count++] = &notes->blocks[i];
    qsort(sorted, count, sizeof *sorted, by_case);
    wri_leaks found = blame(sorted, count, known, index);
    free(sorted);
    forget_leaked();
    return found;
}

bool wri_leaks_forgive(int output)
{
    noting = false;
    if (notes == NULL || !read_report(output))
        return false;
    find_leaked();
    forget_leaked();
    return !wri_sanitizer_leaks_found();
}
