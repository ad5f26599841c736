/* kind: relation
 * A ring buffer with records: a record that ends where the ring ends leaves the head behind the
 * last byte, so the next one is lost.
 */
#include <warren.h>
#include <string.h>

typedef struct ring {
    size_t   room, head, used;
    uint64_t written;
    bool     overwrite;
} ring;

static void start(ring *r, size_t room, size_t head, size_t used, bool overwrite)
{
    *r = (ring){ .room = room, .head = head, .used = used, .overwrite = overwrite };
}

static size_t tail(const ring *r)
{
    return (r->head + r->room - r->used) % r->room;
}

/* Returns the bytes taken. A record that does not fit is refused, or it overwrites old ones. */
static size_t put(ring *r, size_t n)
{
    size_t left = r->room - r->used;
    if (n > r->room)
        return 0;
    if (n > left) {
        if (!r->overwrite)
            return 0;
        r->used -= n - left;
    }
    size_t until_end = r->room - r->head;
#ifndef FIXED
    if (n > until_end || (n == until_end && r->overwrite))
#else
    if (n >= until_end)
#endif
        r->head = n - until_end;
    else
        r->head += n;
    r->used += n;
    r->written += n;
    return n;
}

static size_t take(ring *r, size_t n)
{
    if (n > r->used)
        n = r->used;
    r->used -= n;
    return n;
}

WR_PROPERTY(ring_write)
{
    size_t room = (size_t)wr_uint(t, "room", 1, 5000);
    size_t head = (size_t)wr_uint(t, "head", 0, room - 1);
    size_t used = (size_t)wr_uint(t, "used", 0, room);
    bool   overwrite = wr_bool(t, "overwrite");
    size_t first = (size_t)wr_uint(t, "first", 0, 6000);
    size_t drop = (size_t)wr_uint(t, "drop", 0, 6000);
    size_t second = (size_t)wr_uint(t, "second", 0, 6000);

    ring r;
    start(&r, room, head, used, overwrite);
    size_t a = put(&r, first);
    wr_assert(t, a == 0 || a == first);
    wr_assert_eq(t, r.head, (head + a) % room);
    wr_assert_le(t, r.used, room);
    size_t d = take(&r, drop);
    wr_assert_le(t, d, drop);
    size_t b = put(&r, second);
    wr_assert_eq(t, r.head, (head + a + b) % room);
    wr_assert_le(t, r.used, room);
    wr_assert_eq(t, r.written, a + b);
    wr_assert_eq(t, (tail(&r) + r.used) % room, r.head);
}

#ifdef WITNESS
WR_EXAMPLE(ring_write, "room = 700", "head = 200", "first = 500");
#endif
