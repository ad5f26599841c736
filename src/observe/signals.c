/* observe/signals.c: the functions that instrumented code calls.
 *
 * They are exported under the compilers' names, weak, because libFuzzer defines them too. They
 * are also exported under names of ours. A sanitizer's run-time has empty functions of the
 * compilers' names, which would win. So warren.h plants stubs in a program that jump to our
 * names. No function locks: only the case's thread gets past the first branch. None allocates.
 */
#include "observe/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/case.h"
#include "core/hash.h"
#include "observe/coverage.h"
#include "observe/places.h"

/* A hook: its real name, and the compiler's. The return address of either is in the code that is
 * looked at. */
#define HOOK(name, parameters)                                                                   \
    WR_API void wr_##name##_ parameters;                                                         \
    WR_API void __sanitizer_##name parameters __attribute__((weak, alias("wr_" #name "_")));     \
    void wr_##name##_ parameters
#define CALLER ((uintptr_t)__builtin_return_address(0))

typedef enum {
    OFF,
    PLACES, /* a batch: only which places were come to */
    ALL     /* a case that is watched */
} attention;

/* The knowledge of the thread that runs the case. The code is where the last hook was called
 * from, if its places have numbers. It is empty while the mode is OFF, so one comparison sorts
 * out all uncommon calls. initial-exec: loads relative to the thread pointer, also in the shared
 * library.
 */
static __thread struct {
    uintptr_t       start;
    size_t          bytes;
    const uint32_t *numbers;
    attention       mode;
} here __attribute__((tls_model("initial-exec")));

static const wri_code *last_code; /* where the last hook was called from; NULL: nowhere */

/* The edges of the case that runs, or ran last. */
static uint8_t  counts[WRI_EDGES];
static wri_edge taken[WRI_EDGES];
static size_t   taken_count;
static uint32_t previous; /* the place before this one, as 16 bits */
static bool     scanned;  /* clang's counters have been taken in */

static uint8_t  *seen;    /* by place's number: was it come to? */
static uint32_t *reached; /* those places, in order */
static size_t    reached_count;

/* ---- Places and edges ---- */

static void note_place(uint32_t number)
{
    seen[number] = 1;
    reached[reached_count++] = number;
    wri_coverage_reached(number, here.mode == ALL);
}

static inline void count_edge(uint32_t edge)
{
    uint8_t count = counts[edge];
    if (count == 0)
        taken[taken_count++].number = edge;
    counts[edge] = (uint8_t)(count + (count != UINT8_MAX));
}

/* An edge is a pair of places; the shift tells there from back. */
static inline void pass(uint32_t place)
{
    uint32_t hash = place * 0x9e3779b1u >> 16;
    count_edge(hash ^ previous >> 1);
    previous = hash;
}

static inline void come_to(uint32_t number)
{
    if (WRI_UNLIKELY(!seen[number]))
        note_place(number);
}

static const wri_code *code_around(uintptr_t address)
{
    if (last_code == NULL || address - last_code->start >= last_code->bytes)
        last_code = wri_code_around(address);
    return last_code;
}

/* The number of a place that no search has found: a hash of its offset in the module. */
static uint32_t place_by_offset(const wri_code *code, uintptr_t address)
{
    return (uint32_t)wri_hash_step(code->salt, address - code->start);
}

static void attend(attention mode)
{
    here.mode = mode;
    here.bytes = 0;
}

/* A place of another module than the last, for the first time, or without a number. */
static WRI_COLD void come_slowly(uintptr_t address)
{
    if (here.mode == OFF)
        return;
    const wri_code *code = code_around(address);
    uint32_t number = code->numbers == NULL ? 0 : code->numbers[(address - code->start) / 4];
    if (number != 0) {
        come_to(number);
        here.start = code->start;
        here.bytes = code->bytes;
        here.numbers = code->numbers;
    } else {
        number = place_by_offset(code, address);
        wri_places_call = true;
    }
    if (here.mode == ALL)
        pass(number);
}

/* All that is not common is left to a call at the end, so that nothing need be saved. */
HOOK(cov_trace_pc, (void))
{
    uintptr_t offset = CALLER - here.start;
    if (WRI_UNLIKELY(offset >= here.bytes)) {
        come_slowly(CALLER);
        return;
    }
    uint32_t number = here.numbers[offset / 4];
    if (WRI_UNLIKELY(!seen[number])) { /* never seen: 0, which is none */
        come_slowly(CALLER);
        return;
    }
    if (here.mode == ALL)
        pass(number);
}

HOOK(cov_trace_pc_guard_init, (uint32_t * start, uint32_t *stop))
{
    wri_region_guards(start, stop);
}

HOOK(cov_trace_pc_guard, (uint32_t * guard))
{
    if (__builtin_expect(here.mode == OFF, 1))
        return;
    uint32_t number = *guard;
    if (number - 1 < wri_places) /* not one of a module that was loaded late */
        come_to(number);
    if (here.mode == ALL)
        pass(number);
}

HOOK(cov_8bit_counters_init, (uint8_t * start, uint8_t *stop))
{
    wri_region_counters(start, stop);
}

HOOK(cov_pcs_init, (const uintptr_t *start, const uintptr_t *stop))
{
    wri_region_table(start, stop);
}

static void clear_counters(void)
{
    for (size_t i = 0; i < wri_region_count; i++)
        if (wri_regions[i].counters != NULL)
            memset(wri_regions[i].counters, 0, wri_regions[i].count);
}

static void take_counter(uint32_t number, uint8_t count)
{
    if (number <= wri_places) /* likewise */
        come_to(number);
    if (here.mode != ALL)
        return;
    uint32_t edge = (number - 1) % WRI_EDGES;
    count_edge(edge);
    unsigned sum = counts[edge] + count - 1u;
    counts[edge] = sum > UINT8_MAX ? UINT8_MAX : (uint8_t)sum;
}

/* Most counters are 0, eight at a time. */
static void take_counters(const wri_region *region)
{
    const uint8_t *counters = region->counters;
    for (size_t i = 0; i < region->count;) {
        uint64_t word = 1;
        if (i + sizeof word <= region->count)
            memcpy(&word, counters + i, sizeof word);
        if (word == 0) {
            i += sizeof word;
            continue;
        }
        if (counters[i] != 0)
            take_counter(region->first + (uint32_t)i, counters[i]);
        i++;
    }
}

static void scan_counters(void)
{
    for (size_t i = 0; i < wri_region_count && !scanned; i++)
        if (wri_regions[i].counters != NULL)
            take_counters(&wri_regions[i]);
    scanned = true;
}

/* ---- Comparisons ---- */

#define SET_SLOTS 1024 /* a power of two, above WRI_COMPARISONS */

static wri_comparison comparisons[WRI_COMPARISONS];
static size_t         comparison_count;
static struct {
    uint32_t generation; /* an older one: empty */
    uint32_t at;
} set[SET_SLOTS];
static uint32_t generation;

static uint32_t log_length(void)
{
    const wr_case *t = wri_case_current;
    return t == NULL || t->trace == NULL ? 0 : (uint32_t)t->trace->node_count;
}

/* How many of each place, so that a loop does not take all the room. Two places that share an
 * entry take it from each other: then more are kept. */
#define SPENT_SLOTS 256
static struct {
    uint32_t generation, place, count;
} spent[SPENT_SLOTS];

static bool may_spend(uint32_t place)
{
    uint32_t at = place % SPENT_SLOTS;
    if (spent[at].generation != generation || spent[at].place != place) {
        spent[at].generation = generation;
        spent[at].place = place;
        spent[at].count = 0;
    }
    return ++spent[at].count <= WRI_COMPARISONS_OF_A_PLACE;
}

static void keep_comparison(uint32_t place, uint64_t a, uint64_t b, uint8_t width, bool constant)
{
    if (comparison_count == WRI_COMPARISONS)
        return;
    uint64_t hash = (a ^ place) * 0x9e3779b97f4a7c15u ^ b * 0xc2b2ae3d27d4eb4fu;
    for (uint64_t i = hash >> 40;; i++) {
        if (set[i % SET_SLOTS].generation != generation) {
            if (!may_spend(place))
                return;
            set[i % SET_SLOTS].generation = generation;
            set[i % SET_SLOTS].at = (uint32_t)comparison_count;
            comparisons[comparison_count++] = (wri_comparison){ .a = a,
                                                                .b = b,
                                                                .place = place,
                                                                .when = log_length(),
                                                                .width = width,
                                                                .constant = constant };
            return;
        }
        const wri_comparison *there = &comparisons[set[i % SET_SLOTS].at];
        if (there->a == a && there->b == b && there->place == place)
            return;
    }
}

/* A place again, told apart by what stands there: the case of a switch, the byte of a string. */
static uint32_t compared_at(uintptr_t address, size_t which)
{
    return place_by_offset(code_around(address), address) + (uint32_t)which * 0x9e3779b1u;
}

/* Pointers are compared with NULL and with each other all the time, and are others in every run.
 * Programs and their heaps have the lowest addresses, and what is mapped, stacks among it, the
 * highest, however many bits are left to chance; AddressSanitizer's heap lies between. */
#if defined(__aarch64__)
/* Kernels with 39 bits of address lay programs out otherwise than those with 48. */
static uint64_t lowest_address = UINT64_C(0xaa) << 40, highest_address = (UINT64_C(1) << 48) - 1;

static void find_layout(void)
{
    char on_stack;
    if ((uintptr_t)&on_stack >> 40 != 0)
        return;
    lowest_address = UINT64_C(0x55) << 32;
    highest_address = (UINT64_C(1) << 39) - 1;
}
#else
static const uint64_t lowest_address = UINT64_C(0x55) << 40;
static const uint64_t highest_address = (UINT64_C(1) << 47) - 1;

static void find_layout(void)
{
}
#endif

/* A program that is not position-independent lies below, always in the same place, and so does
 * its heap, but anywhere. UINTPTR_MAX: not known. */
static uintptr_t heap = UINTPTR_MAX;

static WRI_COLD bool in_heap(uint64_t value)
{
    return value < (uintptr_t)sbrk(0);
}

static inline bool is_an_address(uint64_t value)
{
    if (value >= lowest_address)
        return value <= highest_address;
    return value >= heap && in_heap(value);
}

/* Before the first case: /proc says where the heap starts, sbrk() where it ends. */
static void find_heap(void)
{
    char  line[512];
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (strstr(line, " [heap]") != NULL) {
            heap = (uintptr_t)strtoull(line, NULL, 16);
            break;
        }
    if (maps != NULL)
        fclose(maps);
}

static void differ(uintptr_t address, uint64_t a, uint64_t b, uint8_t width, bool constant)
{
    if (width == 8 && (is_an_address(a) || is_an_address(b)))
        return;
    if (comparison_count < WRI_COMPARISONS)
        keep_comparison(compared_at(address, 0), a, b, width, constant);
}

static bool equal_too;

void wri_signals_tell_equal(bool on)
{
    equal_too = on;
}

#define COMPARISON(name, type, constant)                                                         \
    HOOK(name, (type a, type b))                                                                 \
    {                                                                                            \
        if (here.mode == ALL && (a != b || equal_too))                                           \
            differ(CALLER, a, b, sizeof(type), constant);                                        \
    }
COMPARISON(cov_trace_cmp1, uint8_t, false)
COMPARISON(cov_trace_cmp2, uint16_t, false)
COMPARISON(cov_trace_cmp4, uint32_t, false)
COMPARISON(cov_trace_cmp8, uint64_t, false)
COMPARISON(cov_trace_const_cmp1, uint8_t, true)
COMPARISON(cov_trace_const_cmp2, uint16_t, true)
COMPARISON(cov_trace_const_cmp4, uint32_t, true)
COMPARISON(cov_trace_const_cmp8, uint64_t, true)

#define MOST_OF_A_SWITCH 16

/* table: how many cases, how many bits, and then the values, sorted. A large switch shows only
 * the values around the operand. */
HOOK(cov_trace_switch, (uint64_t value, void *table))
{
    if (here.mode != ALL)
        return;
    const uint64_t *cases = table;
    uint64_t        count = cases[0], bits = cases[1], from = 0;
    uint8_t         width = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    while (from + MOST_OF_A_SWITCH < count && cases[2 + from + MOST_OF_A_SWITCH / 2] < value)
        from++;
    for (uint64_t i = from; i < count && i < from + MOST_OF_A_SWITCH; i++)
        if (cases[2 + i] != value)
            keep_comparison(compared_at(CALLER, i), cases[2 + i], value, width, true);
}

/* Real numbers and what else may be asked for: nobody is guided by these. */
#define UNUSED __attribute__((unused))
#define IGNORED(name, parameters)                                                                \
    HOOK(name, parameters)                                                                       \
    {                                                                                            \
    }
IGNORED(cov_trace_cmpf, (UNUSED float a, UNUSED float b))
IGNORED(cov_trace_cmpd, (UNUSED double a, UNUSED double b))
IGNORED(cov_trace_div4, (UNUSED uint32_t divisor))
IGNORED(cov_trace_div8, (UNUSED uint64_t divisor))
IGNORED(cov_trace_gep, (UNUSED uintptr_t index))
IGNORED(cov_trace_pc_indir, (UNUSED uintptr_t callee))

/* A sanitizer's run-time stands before the library's functions and tells what they were asked.
 * Two bytes that differ are a comparison, and how far the texts agreed is a place. */
#define LONGEST_TEXT 256

static uint8_t lower(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte + ('a' - 'A')) : byte;
}

static void differ_in_bytes(void *caller, const void *a, const void *b, size_t most, bool text,
                            bool fold)
{
    const uint8_t *x = a, *y = b;
    for (size_t i = 0; i < most && i < LONGEST_TEXT; i++) {
        uint8_t left = fold ? lower(x[i]) : x[i], right = fold ? lower(y[i]) : y[i];
        if (left != right) {
            keep_comparison(compared_at((uintptr_t)caller, i), left, right, 1, false);
            return;
        }
        if (text && left == '\0')
            return;
    }
}

#define BYTES_COMPARED(name, parameters, most, text, fold)                                       \
    HOOK(weak_hook_##name, parameters)                                                           \
    {                                                                                            \
        if (here.mode == ALL && result != 0)                                                     \
            differ_in_bytes(caller, a, b, most, text, fold);                                     \
    }
#define UP_TO_A_NUL (void *caller, const char *a, const char *b, int result)
#define UP_TO_SO_MANY (void *caller, const char *a, const char *b, size_t most, int result)
BYTES_COMPARED(memcmp, (void *caller, const void *a, const void *b, size_t most, int result),
               most, false, false)
BYTES_COMPARED(strcmp, UP_TO_A_NUL, SIZE_MAX, true, false)
BYTES_COMPARED(strncmp, UP_TO_SO_MANY, most, true, false)
BYTES_COMPARED(strcasecmp, UP_TO_A_NUL, SIZE_MAX, true, true)
BYTES_COMPARED(strncasecmp, UP_TO_SO_MANY, most, true, true)

/* ---- The door ---- */

wri_hook *const wri_signals_place_hook = wr_cov_trace_pc_;
wri_hook *const wri_comparison_hooks[] = {
    (wri_hook *)wr_cov_trace_cmp1_,       (wri_hook *)wr_cov_trace_cmp2_,
    (wri_hook *)wr_cov_trace_cmp4_,       (wri_hook *)wr_cov_trace_cmp8_,
    (wri_hook *)wr_cov_trace_const_cmp1_, (wri_hook *)wr_cov_trace_const_cmp2_,
    (wri_hook *)wr_cov_trace_const_cmp4_, (wri_hook *)wr_cov_trace_const_cmp8_,
    (wri_hook *)wr_cov_trace_switch_,     NULL,
};

bool wri_edges_present(void)
{
    wri_places_prepare();
    return wri_places > 0 || wri_places_call;
}

bool wri_comparisons_present(void)
{
    wri_places_prepare();
    return wri_places_compare;
}

/* Nothing was come to. Makes room for the places, the first time. */
static bool start_over(void)
{
    wri_places_prepare();
    if (seen == NULL) {
        size_t bytes = (wri_places + 1) * (1 + sizeof *reached) + sizeof *reached;
        void  *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            return false;
        find_heap();
        find_layout();
        reached = memory;
        seen = (uint8_t *)(reached + wri_places + 1);
    }
    for (size_t i = 0; i < reached_count; i++)
        seen[reached[i]] = 0;
    reached_count = 0;
    clear_counters();
    scanned = false;
    return true;
}

void wri_signals_begin(void)
{
    attend(OFF);
    for (size_t i = 0; i < taken_count; i++)
        counts[taken[i].number] = 0;
    taken_count = 0;
    comparison_count = 0;
    previous = 0;
    if (++generation == 0) {
        memset(set, 0, sizeof set);
        memset(spent, 0, sizeof spent);
        generation = 1;
    }
    if (start_over())
        attend(ALL);
}

const wri_edge *wri_edges_taken(size_t *count)
{
    scan_counters();
    for (size_t i = 0; i < taken_count; i++)
        taken[i].count = counts[taken[i].number];
    *count = taken_count;
    return taken;
}

const wri_comparison *wri_comparisons_made(size_t *count)
{
    *count = comparison_count;
    return comparisons;
}

void wri_signals_end(void)
{
    if (here.mode == ALL)
        scan_counters();
    attend(OFF);
}

void wri_coverage_begin(void)
{
    attend(OFF);
    if (wri_coverage_places() > 0 && start_over())
        attend(PLACES);
}

void wri_coverage_end(void)
{
    if (here.mode == PLACES)
        scan_counters();
    attend(OFF);
}
