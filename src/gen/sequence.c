/* gen/sequence.c: arrays of one type, loops of elements, spans.
 *
 * An array is one packed entry of the log, answered as a whole. A loop has a span for each round,
 * but only in a traced case. In an untraced case a round costs a call and a comparison.
 */
#include "gen/draw.h"
#include "gen/example.h"

/* ---- Arrays ---- */

static void *draw_array(wr_case *t, const char *name, size_t n, int64_t lo, uint64_t max,
                        unsigned width, wri_show_as as)
{
    wri_request request = { .kind = WRI_INTEGER, .max = max, .lo = lo, .name = name };
    if (wri_example_given(t) && name != NULL)
        wri_example_array(t, name, as, &request, n, 0);
    void *values = wri_case_choose_many(t, &request, n, width, WRI_NO_NODE);
    if (WRI_UNLIKELY(wri_case_showing(t)))
        wri_show_array(t, name, as, n, width, values);
    return values;
}

WRI_COLD _Noreturn void wri_draw_refuse_count(wr_case *t, const char *function, const char *name,
                                              size_t n)
{
    wri_case_misuse(t, "%s%s: n is %zu, which is %td as a signed number", function,
                    wri_draw_named(t, name), n, (ptrdiff_t)n);
}

WRI_COLD _Noreturn static void wrong_range(wr_case *t, const char *function, const char *name,
                                           int64_t lo, int64_t hi)
{
    wri_case_misuse(t, "%s%s: lo %lld is above hi %lld", function, wri_draw_named(t, name),
                    (long long)lo, (long long)hi);
}

#define ARRAY(function, type, width, as)                                                         \
    type *function(wr_case *t, const char *name, size_t n, type lo, type hi)                     \
    {                                                                                            \
        if (WRI_UNLIKELY(lo > hi))                                                               \
            wrong_range(t, #function, name, (int64_t)lo, (int64_t)hi);                           \
        wri_draw_check_count(t, #function, name, n);                                             \
        return draw_array(t, name, n, (int64_t)lo, (uint64_t)hi - (uint64_t)lo, width, as);      \
    }

ARRAY(wr_i8s, int8_t, 1, WRI_SHOW_SIGNED)
ARRAY(wr_i16s, int16_t, 2, WRI_SHOW_SIGNED)
ARRAY(wr_i32s, int32_t, 4, WRI_SHOW_SIGNED)
ARRAY(wr_i64s, int64_t, 8, WRI_SHOW_SIGNED)
ARRAY(wr_ints, int64_t, 8, WRI_SHOW_SIGNED)
ARRAY(wr_u8s, uint8_t, 1, WRI_SHOW_UNSIGNED)
ARRAY(wr_u16s, uint16_t, 2, WRI_SHOW_UNSIGNED)
ARRAY(wr_u32s, uint32_t, 4, WRI_SHOW_UNSIGNED)

uint8_t *wr_bytes(wr_case *t, const char *name, size_t n)
{
    wri_draw_check_count(t, "wr_bytes", name, n);
    return wr_u8s(t, name, n, 0, UINT8_MAX);
}

/* The integer codec goes by signed bounds, so a lower end above them is added afterwards. */
uint64_t *wr_u64s(wr_case *t, const char *name, size_t n, uint64_t lo, uint64_t hi)
{
    if (WRI_UNLIKELY(lo > hi))
        wri_case_misuse(t, "wr_u64s%s: lo %llu is above hi %llu", wri_draw_named(t, name),
                        (unsigned long long)lo, (unsigned long long)hi);
    wri_draw_check_count(t, "wr_u64s", name, n);
    if (lo <= INT64_MAX)
        return draw_array(t, name, n, (int64_t)lo, hi - lo, 8, WRI_SHOW_UNSIGNED);
    if (wri_example_given(t))
        wri_example_array(t, name, WRI_SHOW_UNSIGNED,
                          &(wri_request){ .kind = WRI_INTEGER, .max = hi - lo }, n, lo);
    uint64_t *values = draw_array(t, NULL, n, 0, hi - lo, 8, WRI_SHOW_UNSIGNED);
    for (size_t i = 0; i < n; i++)
        values[i] += lo;
    if (wri_case_showing(t))
        wri_show_array(t, name, WRI_SHOW_UNSIGNED, n, 8, values);
    return values;
}

uint64_t *wr_uints(wr_case *t, const char *name, size_t n, uint64_t lo, uint64_t hi)
{
    return wr_u64s(t, name, n, lo, hi);
}

/* ---- Loops ---- */

/* The record of a loop in a traced case, which each round reads. */
typedef struct loop {
    wr_case *t;
    size_t   n;
    uint32_t outer, outer_depth; /* where the loop stands */
    uint32_t span, depth;        /* the loop's own span */
} loop;

#define LOOP_LABEL UINT32_C(0x6c6f6f70)

/* In a traced case a loop's handle is the address of its record, plus one; while exploring it
 * is n doubled, and the loop keeps nothing. */
#define TRACED 1u

static const loop *record_of(size_t handle)
{
    return (const loop *)(uintptr_t)(handle - TRACED);
}

size_t wr_each_begin_(wr_case *t, size_t n)
{
    if (t->trace == NULL)
        return n > SIZE_MAX / 2 ? SIZE_MAX - 1 : n * 2;
    loop *now = wri_memory_take(t, sizeof *now);
    *now = (loop){ .t = t, .n = n, .outer = t->span, .outer_depth = t->depth };
    wri_case_span_begin(t, LOOP_LABEL, WRI_LOOP, n, wri_case_find_length(t, n));
    now->span = t->span;
    now->depth = t->depth;
    return (size_t)(uintptr_t)now + TRACED;
}

bool wr_each_round_(size_t handle, size_t i)
{
    if (!(handle & TRACED))
        return i < handle / 2;
    const loop *now = record_of(handle);
    wri_case_span_end_to(now->t, now->span, now->depth);
    if (i >= now->n)
        return false;
    wri_case_span_begin(now->t, LOOP_LABEL, WRI_ELEMENT, 0, WRI_NO_NODE);
    return true;
}

/* However the loop is left, its spans are closed: by the compiler's cleanup. */
void wr_each_left_(size_t *handle)
{
    if (!(*handle & TRACED) || wri_case_current == NULL)
        return;
    wri_case_span_end_to(wri_case_current, record_of(*handle)->outer,
                         record_of(*handle)->outer_depth);
}

/* ---- Spans of the user's own ---- */

void wr_begin(wr_case *t, const char *label)
{
    if (t->trace != NULL)
        wri_case_begin_span(t, label, __builtin_return_address(0));
}

void wr_end(wr_case *t)
{
    if (t->trace != NULL)
        wri_case_end_span(t);
}
