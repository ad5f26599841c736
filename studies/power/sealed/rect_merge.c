/* kind: relation
 * Joining two damaged rectangles of a screen: one below the other is joined though it is
 * narrower, if both begin in the same column.
 */
#include <warren.h>

typedef struct rect {
    int x, y, w, h;
} rect;

static int64_t area(rect r)
{
    return (int64_t)r.w * r.h;
}

static bool contains(rect a, rect b)
{
    return a.x <= b.x && a.y <= b.y && a.x + a.w >= b.x + b.w && a.y + a.h >= b.y + b.h;
}

static rect around(rect a, rect b)
{
    rect r;
    int  right = a.x + a.w > b.x + b.w ? a.x + a.w : b.x + b.w;
    int  bottom = a.y + a.h > b.y + b.h ? a.y + a.h : b.y + b.h;
    r.x = a.x < b.x ? a.x : b.x;
    r.y = a.y < b.y ? a.y : b.y;
    r.w = right - r.x;
    r.h = bottom - r.y;
    return r;
}

/* Joins b into *a if the two together are a rectangle. */
static bool merge(rect *a, rect b)
{
    if (contains(*a, b))
        return true;
    if (contains(b, *a)) {
        *a = b;
        return true;
    }
    bool row = a->y == b.y && a->h == b.h && a->x <= b.x + b.w && b.x <= a->x + a->w;
#ifndef FIXED
    bool column = a->x == b.x && a->w >= b.w && a->y + a->h == b.y;
    column |= a->x == b.x && a->w == b.w && a->y <= b.y + b.h && b.y <= a->y + a->h;
#else
    bool column = a->x == b.x && a->w == b.w && a->y <= b.y + b.h && b.y <= a->y + a->h;
#endif
    if (row || column)
        *a = around(*a, b);
    return row || column;
}

static int overlap(int from, int length, int other, int other_length)
{
    int begin = from > other ? from : other;
    int end = from + length < other + other_length ? from + length : other + other_length;
    return end > begin ? end - begin : 0;
}

static rect draw_rect(wr_case *t, const char *x, const char *y, const char *w, const char *h)
{
    rect r;
    r.x = (int)wr_int(t, x, 0, 639);
    r.y = (int)wr_int(t, y, 0, 479);
    r.w = (int)wr_int(t, w, 1, 640 - r.x);
    r.h = (int)wr_int(t, h, 1, 480 - r.y);
    return r;
}

WR_PROPERTY(rect_merge)
{
    rect a = draw_rect(t, "a.x", "a.y", "a.w", "a.h"),
         b = draw_rect(t, "b.x", "b.y", "b.w", "b.h");
    rect joined = a;
    bool done = merge(&joined, b);
    wr_classify(t, done, "joined");
    if (!done)
        return;
    wr_assert(t, contains(joined, a) && contains(joined, b));
    int64_t both = (int64_t)overlap(a.x, a.w, b.x, b.w) * overlap(a.y, a.h, b.y, b.h);
    wr_assert_eq(t, area(joined), area(a) + area(b) - both);
}

#ifdef WITNESS
WR_EXAMPLE(rect_merge, "a.x = 7", "a.y = 10", "a.w = 5", "a.h = 2", "b.x = 7", "b.y = 12",
           "b.w = 4", "b.h = 1");
#endif
