/* kind: edge
 * Size classes of an allocator: the limit of the small requests leaves out the padding of aligned
 * ones, so those just below it get a block of the largest class, which is too small.
 */
#include <warren.h>

enum { HEADER = 16, PAGE = 4096, CLASSES = 14 };

/* Requests up to here need no pages of their own. */
enum { SMALL = 65536 - HEADER - 8 };

static const uint32_t CLASS_BYTES[CLASSES] = { 32,   64,   128,   256,   512,   1024,  2048,
                                               4096, 8192, 12288, 20480, 28672, 49152, 65536 };

typedef struct request {
    uint32_t bytes;
    uint32_t align; /* a power of two, at least 8 */
    bool     guard; /* a canary behind the block */
    bool     zeroed;
} request;

typedef struct slot {
    int      class_index; /* -1: pages of its own */
    uint32_t capacity;    /* all of it, with header, padding and canary */
    uint32_t offset;      /* where the user's bytes begin */
} slot;

static uint32_t round_up(uint32_t n, uint32_t to)
{
    return (n + to - 1) / to * to;
}

static int class_for(uint32_t bytes)
{
    int low = 0, high = CLASSES;
    while (low < high) {
        int middle = (low + high) / 2;
        if (CLASS_BYTES[middle] < bytes)
            low = middle + 1;
        else
            high = middle;
    }
    return low < CLASSES ? low : -1;
}

static slot place(const request *r)
{
    slot     s;
    uint32_t bytes = r->bytes == 0 ? 1 : r->bytes;
    s.offset = round_up(HEADER, r->align);
    uint32_t need = s.offset + bytes + (r->guard ? 8 : 0);
    s.class_index = class_for(need);
#ifndef FIXED
    if (bytes <= SMALL && s.class_index < 0)
        s.class_index = CLASSES - 1;
#endif
    s.capacity = s.class_index >= 0 ? CLASS_BYTES[s.class_index] : round_up(need, PAGE);
    if (s.class_index < 0 && r->zeroed && s.capacity == need)
        s.capacity += PAGE; /* the map's own guard */
    return s;
}

WR_PROPERTY(size_class)
{
    static const uint32_t ALIGNMENTS[] = { 8, 16, 32, 64, 128 };
    request               r;
    r.bytes = (uint32_t)wr_uint(t, "bytes", 0, 200000);
    r.align = ALIGNMENTS[wr_pick(t, "align", 5)];
    r.guard = wr_bool(t, "guard");
    r.zeroed = wr_bool(t, "zeroed");
    slot s = place(&r);

    wr_assert_ge(t, s.offset, 16);
    wr_assert_eq(t, s.offset % r.align, 0);
    wr_assert_ge(t, s.capacity, s.offset + r.bytes + (r.guard ? 8u : 0u));
    if (s.class_index > 0)
        wr_assert_lt(t, CLASS_BYTES[s.class_index - 1], s.offset + r.bytes + 9);
    if (s.class_index < 0)
        wr_assert_eq(t, s.capacity % PAGE, 0);
}

#ifdef WITNESS
WR_EXAMPLE(size_class, "bytes = 65510", "align = 2");
#endif
