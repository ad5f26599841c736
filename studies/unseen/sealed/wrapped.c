/* wrapped.c: a binding of libevent's evbuffer: bounded buffers of bytes, with lines and marks.
 *
 * The binding keeps what evbuffers do not have: a limit, marks, and how far it has looked for the
 * end of a line in vain. A mark is a place between bytes. It stays with its byte when bytes
 * before it come or go; a mark whose byte was read is gone, and one at the end is ahead until
 * more is added. */
#include <stdlib.h>
#include <string.h>

#include <event2/buffer.h>
#include <warren.h>

#include "faults.h"

/* ---- The library: a binding ---- */

#define BUF_MARKS 4
#define BUF_MOST 40 /* the largest limit */

typedef enum { BUF_OK, BUF_FULL, BUF_FROZEN, BUF_SAME } buf_status;
enum { BUF_GONE = -1, BUF_AHEAD = -2 };

typedef struct buf {
    struct evbuffer *bytes;
    size_t           limit;
    size_t           searched; /* so many bytes at the front have no newline */
    long             drained;  /* bytes taken from the front, less those put there */
    int              marks;
    bool             frozen;
} buf;

typedef struct buf_mark {
    buf *of;
    long at; /* counted like `drained` */
} buf_mark;

static buf *buf_new(size_t limit)
{
    buf *b = calloc(1, sizeof *b);
    if (b == NULL || (b->bytes = evbuffer_new()) == NULL)
        abort();
    b->limit = limit;
    return b;
}

static void buf_free(buf *b)
{
    evbuffer_free(b->bytes);
    free(b);
}

static size_t buf_length(const buf *b)
{
    return evbuffer_get_length(b->bytes);
}

/* No more bytes at the end, or again. */
static void buf_freeze(buf *b, bool on)
{
    if (on == b->frozen)
        return;
    if (on)
        evbuffer_freeze(b->bytes, 0);
    else
        evbuffer_unfreeze(b->bytes, 0);
    b->frozen = on;
}

/* n bytes have left the front. */
static void went(buf *b, size_t n)
{
    b->drained += (long)n;
    b->searched -= n < b->searched ? n : b->searched;
}

static buf_status buf_add(buf *b, const char *text, size_t length)
{
    if (b->frozen)
        return BUF_FROZEN;
    if (buf_length(b) + length > b->limit)
        return BUF_FULL;
    evbuffer_add(b->bytes, text, length);
    return BUF_OK;
}

static buf_status buf_prepend(buf *b, const char *text, size_t length)
{
    if (buf_length(b) + length > b->limit)
        return BUF_FULL;
    evbuffer_prepend(b->bytes, text, length);
    b->drained -= (long)length;
    if (!FAULT(3))
        b->searched = 0;
    return BUF_OK;
}

/* Reads up to n bytes away; returns how many. */
static size_t buf_read(buf *b, char *to, size_t n)
{
    size_t done;
    if (FAULT(8)) {
        char chunk[16]; /* most reads are small */
        done = n < sizeof chunk ? n : sizeof chunk;
        done = (size_t)evbuffer_copyout(b->bytes, chunk, done);
        memcpy(to, chunk, done);
        n = n < buf_length(b) ? n : buf_length(b);
        evbuffer_drain(b->bytes, n);
        went(b, n);
    } else {
        done = (size_t)evbuffer_remove(b->bytes, to, n);
        went(b, done);
    }
    return done;
}

/* Copies up to n bytes from a place on; returns how many. */
static size_t buf_peek(buf *b, size_t from, char *to, size_t n)
{
    struct evbuffer_ptr at;
    if (from >= buf_length(b) || evbuffer_ptr_set(b->bytes, &at, from, EVBUFFER_PTR_SET) < 0)
        return 0;
    if (FAULT(6)) {
        struct evbuffer_iovec part = { 0 };
        evbuffer_peek(b->bytes, (ev_ssize_t)n, &at, &part, 1);
        n = n < part.iov_len ? n : part.iov_len;
        if (n > 0)
            memcpy(to, part.iov_base, n);
        return n;
    }
    return (size_t)evbuffer_copyout_from(b->bytes, &at, to, n);
}

static void buf_skip(buf *b, size_t n)
{
    size_t length = buf_length(b), searched = b->searched;
    evbuffer_drain(b->bytes, n);
    went(b, n < length || FAULT(1) ? n : length);
    if (FAULT(4))
        b->searched = searched;
}

/* The next line without its end, to be freed; NULL: there is no whole line. */
static char *buf_line(buf *b)
{
    struct evbuffer_ptr at;
    if (evbuffer_ptr_set(b->bytes, &at, b->searched, EVBUFFER_PTR_SET) < 0)
        return NULL;
    at = evbuffer_search_eol(b->bytes, &at, NULL, EVBUFFER_EOL_LF);
    if (at.pos < 0) {
        b->searched = buf_length(b);
        return NULL;
    }
    size_t length = (size_t)at.pos;
    char  *line = malloc(length + 1);
    if (line == NULL)
        abort();
    evbuffer_remove(b->bytes, line, length);
    line[length] = '\0';
    evbuffer_drain(b->bytes, 1);
    went(b, length + 1);
    b->searched = 0;
    return line;
}

/* Moves up to n bytes from the front of one to the end of another; all of them or none. */
static buf_status buf_move(buf *to, buf *from, size_t n)
{
    char bytes[BUF_MOST];
    if (to == from)
        return BUF_SAME;
    n = n < buf_length(from) ? n : buf_length(from);
    if (to->frozen && !FAULT(5))
        return BUF_FROZEN;
    if (buf_length(to) + n > to->limit)
        return BUF_FULL;
    evbuffer_remove(from->bytes, bytes, n);
    went(from, n);
    return evbuffer_add(to->bytes, bytes, n) < 0 ? BUF_FROZEN : BUF_OK;
}

/* Moves all. */
static buf_status buf_append(buf *to, buf *from)
{
    size_t n = buf_length(from);
    if (to == from && !FAULT(2))
        return BUF_SAME;
    if (to->frozen)
        return BUF_FROZEN;
    if (to != from && buf_length(to) + n > to->limit)
        return BUF_FULL;
    evbuffer_add_buffer(to->bytes, from->bytes);
    went(from, n);
    return BUF_OK;
}

/* NULL: the place is behind the end, or there are BUF_MARKS marks. */
static buf_mark *buf_mark_at(buf *b, size_t place)
{
    if (place > buf_length(b) || b->marks == BUF_MARKS)
        return NULL;
    buf_mark *m = malloc(sizeof *m);
    if (m == NULL)
        abort();
    *m = (buf_mark){ b, b->drained + (long)place };
    b->marks++;
    return m;
}

/* The byte, BUF_GONE or BUF_AHEAD. */
static int buf_marked(const buf_mark *m)
{
    long place = m->at - m->of->drained;
    char byte;
    if (place < 0)
        return BUF_GONE;
    return buf_peek(m->of, (size_t)place, &byte, 1) == 1 ? byte : BUF_AHEAD;
}

static void buf_unmark(buf_mark *m)
{
    if (!FAULT(7) || buf_marked(m) != BUF_GONE)
        m->of->marks--;
    free(m);
}

/* ---- The model ---- */

typedef struct model {
    struct {
        buf   *real; /* NULL: not there */
        char   text[BUF_MOST];
        size_t length, limit;
        bool   frozen;
    } bufs[64];
    struct {
        bool     there;
        unsigned of;
        long     place; /* from the front */
    } marks[64];
} model;

static void lengths_agree(wr_case *t, void *state)
{
    const model *m = state;
    for (int i = 0; i < 64; i++)
        if (m->bufs[i].real != NULL)
            wr_assert_eq(t, buf_length(m->bufs[i].real), m->bufs[i].length);
}

static void move_marks(model *m, unsigned of, long by)
{
    for (int i = 0; i < 64; i++)
        if (m->marks[i].there && m->marks[i].of == of)
            m->marks[i].place += by;
}

static void take_away(model *m, unsigned of, size_t n)
{
    memmove(m->bufs[of].text, m->bufs[of].text + n, m->bufs[of].length - n);
    m->bufs[of].length -= n;
    move_marks(m, of, -(long)n);
}

static size_t at_most(size_t n, size_t most)
{
    return n < most ? n : most;
}

static int marks_of(const model *m, unsigned of)
{
    int n = 0;
    for (int i = 0; i < 64; i++)
        n += m->marks[i].there && m->marks[i].of == of;
    return n;
}

static void do_new(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    buf     *b = buf_new((size_t)wr_value(call, 0));
    unsigned number = wr_give(call, b);
    (void)t;
    m->bufs[number].real = b;
    m->bufs[number].length = 0;
    m->bufs[number].limit = (size_t)wr_value(call, 0);
    m->bufs[number].frozen = false;
}

static bool has_no_marks(const wr_call *call)
{
    return marks_of(wr_model(call), wr_number(call, 0)) == 0;
}

static void do_free(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    buf_free(wr_handle(call, 0));
    m->bufs[wr_number(call, 0)].real = NULL;
}

static void do_freeze(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    buf_freeze(wr_handle(call, 0), wr_value(call, 1) != 0);
    m->bufs[wr_number(call, 0)].frozen = wr_value(call, 1) != 0;
}

static void do_add(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    unsigned    b = wr_number(call, 0);
    const char *text = wr_pointer(call, 1);
    size_t      length = strlen(text);
    bool        fits = m->bufs[b].length + length <= m->bufs[b].limit;
    buf_status  expected = m->bufs[b].frozen ? BUF_FROZEN : fits ? BUF_OK : BUF_FULL;
    wr_assert_eq(t, buf_add(wr_handle(call, 0), text, length), expected);
    if (expected == BUF_OK) {
        memcpy(m->bufs[b].text + m->bufs[b].length, text, length);
        m->bufs[b].length += length;
    }
}

static void do_prepend(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    unsigned    b = wr_number(call, 0);
    const char *text = wr_pointer(call, 1);
    size_t      length = strlen(text);
    bool        fits = m->bufs[b].length + length <= m->bufs[b].limit;
    wr_assert_eq(t, buf_prepend(wr_handle(call, 0), text, length), fits ? BUF_OK : BUF_FULL);
    if (fits) {
        memmove(m->bufs[b].text + length, m->bufs[b].text, m->bufs[b].length);
        memcpy(m->bufs[b].text, text, length);
        m->bufs[b].length += length;
        move_marks(m, b, (long)length);
    }
}

static void do_read(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    unsigned b = wr_number(call, 0);
    char     bytes[BUF_MOST];
    size_t   expected = at_most((size_t)wr_value(call, 1), m->bufs[b].length);
    wr_assert_eq(t, buf_read(wr_handle(call, 0), bytes, (size_t)wr_value(call, 1)), expected);
    wr_assert_mem_eq(t, bytes, m->bufs[b].text, expected);
    take_away(m, b, expected);
}

static void do_peek(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    unsigned b = wr_number(call, 0);
    char     bytes[BUF_MOST];
    size_t   from = at_most((size_t)wr_value(call, 1), m->bufs[b].length);
    size_t   expected = at_most((size_t)wr_value(call, 2), m->bufs[b].length - from);
    wr_assert_eq(t, buf_peek(wr_handle(call, 0), from, bytes, (size_t)wr_value(call, 2)),
                 expected);
    wr_assert_mem_eq(t, bytes, m->bufs[b].text + from, expected);
}

static void do_skip(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    unsigned b = wr_number(call, 0);
    (void)t;
    buf_skip(wr_handle(call, 0), (size_t)wr_value(call, 1));
    take_away(m, b, at_most((size_t)wr_value(call, 1), m->bufs[b].length));
}

static void do_line(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    unsigned    b = wr_number(call, 0);
    char       *line = wr_take(t, buf_line(wr_handle(call, 0)));
    const char *end = memchr(m->bufs[b].text, '\n', m->bufs[b].length);
    wr_assert_eq(t, line != NULL, end != NULL);
    if (end == NULL)
        return;
    size_t length = (size_t)(end - m->bufs[b].text);
    wr_assert_eq(t, strlen(line), length);
    wr_assert_mem_eq(t, line, m->bufs[b].text, length);
    take_away(m, b, length + 1);
}

static buf_status model_move(model *m, unsigned to, unsigned from, size_t n)
{
    if (to == from)
        return BUF_SAME;
    n = at_most(n, m->bufs[from].length);
    if (m->bufs[to].frozen)
        return BUF_FROZEN;
    if (m->bufs[to].length + n > m->bufs[to].limit)
        return BUF_FULL;
    memcpy(m->bufs[to].text + m->bufs[to].length, m->bufs[from].text, n);
    m->bufs[to].length += n;
    take_away(m, from, n);
    return BUF_OK;
}

static void do_move(wr_case *t, wr_call *call)
{
    model     *m = wr_model(call);
    size_t     n = (size_t)wr_value(call, 2);
    buf_status expected = model_move(m, wr_number(call, 0), wr_number(call, 1), n);
    wr_assert_eq(t, buf_move(wr_handle(call, 0), wr_handle(call, 1), n), expected);
}

static void do_append(wr_case *t, wr_call *call)
{
    model     *m = wr_model(call);
    buf_status expected = model_move(m, wr_number(call, 0), wr_number(call, 1), BUF_MOST);
    wr_assert_eq(t, buf_append(wr_handle(call, 0), wr_handle(call, 1)), expected);
}

static void do_mark(wr_case *t, wr_call *call)
{
    model    *m = wr_model(call);
    unsigned  b = wr_number(call, 0);
    size_t    place = (size_t)wr_value(call, 1);
    bool      possible = place <= m->bufs[b].length && marks_of(m, b) < BUF_MARKS;
    buf_mark *mark = buf_mark_at(wr_handle(call, 0), place);
    unsigned  number = wr_give(call, mark);
    wr_assert_eq(t, mark != NULL, possible);
    if (!possible)
        return;
    m->marks[number].there = true;
    m->marks[number].of = b;
    m->marks[number].place = (long)place;
}

static void do_marked(wr_case *t, wr_call *call)
{
    const model *m = wr_model(call);
    unsigned     mark = wr_number(call, 0), b = m->marks[mark].of;
    long         place = m->marks[mark].place;
    int          expected = place < 0                           ? BUF_GONE
                            : (size_t)place < m->bufs[b].length ? m->bufs[b].text[place]
                                                                : BUF_AHEAD;
    wr_assert_eq(t, buf_marked(wr_handle(call, 0)), expected);
}

static void do_unmark(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    buf_unmark(wr_handle(call, 0));
    m->marks[wr_number(call, 0)].there = false;
}

static int64_t draw_text(wr_case *t)
{
    return (int64_t)(intptr_t)wr_text_of(t, NULL, "ab\n", 1, 8);
}
static void show_text(wr_out *out, int64_t value)
{
    wr_put(out, "\"");
    for (const char *s = (const char *)(intptr_t)value; *s != '\0'; s++)
        wr_put(out, *s == '\n' ? "\\n" : "%c", *s);
    wr_put(out, "\"");
}
static int64_t draw_count(wr_case *t)
{
    return wr_int(t, NULL, 0, 24);
}
static int64_t draw_place(wr_case *t)
{
    return wr_int(t, NULL, 0, 10);
}
static int64_t draw_limit(wr_case *t)
{
    return wr_int(t, NULL, 1, BUF_MOST);
}
static void release_buf(void *b)
{
    buf_free(b);
}

static const wr_kind BUF = { "buf", .handle = true, .type = "buf *", .release = release_buf };
static const wr_kind MARK = { "mark", .handle = true, .type = "buf_mark *", .release = free };
static const wr_kind TEXT = { "text", .draw = draw_text, .show = show_text };
static const wr_kind COUNT = { "count", .draw = draw_count };
static const wr_kind PLACE = { "place", .draw = draw_place };
static const wr_kind LIMIT = { "limit", .draw = draw_limit };
static const wr_kind FLAG = { "flag", .values = 2 };

static const wr_command COMMANDS[] = {
    { "buf_new", do_new, .takes = { &LIMIT }, .gives = &BUF },
    { "buf_free", do_free, .takes = { &BUF }, .consumes = 1u << 0, .when = has_no_marks },
    { "buf_freeze", do_freeze, .takes = { &BUF, &FLAG } },
    { "buf_add", do_add, .takes = { &BUF, &TEXT }, .weight = 6 },
    { "buf_prepend", do_prepend, .takes = { &BUF, &TEXT }, .weight = 2 },
    { "buf_read", do_read, .takes = { &BUF, &COUNT } },
    { "buf_peek", do_peek, .takes = { &BUF, &PLACE, &COUNT } },
    { "buf_skip", do_skip, .takes = { &BUF, &COUNT } },
    { "buf_line", do_line, .takes = { &BUF }, .weight = 3 },
    { "buf_move", do_move, .takes = { &BUF, &BUF, &COUNT }, .weight = 2 },
    { "buf_append", do_append, .takes = { &BUF, &BUF } },
    { "buf_mark_at", do_mark, .takes = { &BUF, &PLACE }, .gives = &MARK, .weight = 3 },
    { "buf_marked", do_marked, .takes = { &MARK }, .weight = 2 },
    { "buf_unmark", do_unmark, .takes = { &MARK }, .consumes = 1u << 0, .weight = 2 },
    { 0 },
};
WR_MACHINE(buffers_keep_their_bytes, .commands = COMMANDS, .model_size = sizeof(model),
           .invariant = lengths_agree);
