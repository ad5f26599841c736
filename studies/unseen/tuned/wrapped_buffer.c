/* wrapped_buffer.c: a binding of libevent's evbuffer that knows lengths, limits and the last
 * search, as a machine. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <event2/buffer.h>
#include <warren.h>

#include "faults.h"

#define LIMIT 40 /* bytes of a buffer */

/* ---- The binding ---- */

typedef struct buf {
    struct evbuffer *inner;
    size_t           length;
    bool             front_frozen, back_frozen;
    unsigned         version;       /* changes with the content */
    const char      *needle;        /* of the last search, or NULL */
    unsigned         found_version; /* of the content, at that search */
    int              found;
} buf;

static buf *buf_new(void)
{
    buf *b = calloc(1, sizeof *b);
    if (b == NULL)
        abort();
    b->inner = evbuffer_new();
    if (b->inner == NULL)
        abort();
    return b;
}

static void buf_free(buf *b)
{
    evbuffer_free(b->inner);
    free(b);
}

static size_t buf_length(const buf *b)
{
    return b->length;
}

static bool too_much(const buf *b, size_t more)
{
    return FAULT(6) ? b->length + more >= LIMIT : b->length + more > LIMIT;
}

/* False: the back is frozen, or it would be too much. */
static bool buf_add(buf *b, const char *text)
{
    size_t n = strlen(text);
    if (too_much(b, n) || evbuffer_add(b->inner, text, n) != 0)
        return false;
    b->length += n;
    b->version++;
    return true;
}

/* False: the front is frozen, or it would be too much. */
static bool buf_prepend(buf *b, const char *text)
{
    size_t n = strlen(text);
    if (too_much(b, n))
        return false;
    if (FAULT(3)) {
        b->length += n;
        b->version++;
        return evbuffer_prepend(b->inner, text, n) == 0;
    }
    if (evbuffer_prepend(b->inner, text, n) != 0)
        return false;
    b->length += n;
    b->version++;
    return true;
}

/* How many bytes went: fewer if there are fewer; 0 if the front is frozen. */
static size_t buf_drain(buf *b, size_t n)
{
    if (n > b->length)
        n = b->length;
    if (b->front_frozen || evbuffer_drain(b->inner, n) != 0)
        return 0;
    b->length -= n;
    if (!FAULT(5))
        b->version++;
    return n;
}

/* Takes bytes out, as buf_drain does. */
static size_t buf_read(buf *b, char *out, size_t n)
{
    if (b->front_frozen)
        return 0;
    int got = evbuffer_remove(b->inner, out, n);
    if (got < 0)
        return 0;
    b->length -= (size_t)got;
    b->version++;
    return (size_t)got;
}

/* Takes out a line that ends with \n or \r\n, without its end. False: there is none, or the front
 * is frozen. */
static bool buf_readline(buf *b, char *out)
{
    if (b->front_frozen)
        return false;
    size_t before = evbuffer_get_length(b->inner);
    char  *line = evbuffer_readln(b->inner, NULL, EVBUFFER_EOL_CRLF);
    if (line == NULL)
        return false;
    strcpy(out, line);
    if (FAULT(4))
        b->length -= strlen(line) + 1;
    else
        b->length -= before - evbuffer_get_length(b->inner);
    b->version++;
    free(line);
    return true;
}

/* Moves all bytes of one buffer to the end of another. False: frozen, or it would be too much. */
static bool buf_move(buf *to, buf *from)
{
    size_t n = from->length;
    if (n == 0)
        return true;
    if (to == from) {
        if (FAULT(2) && !to->back_frozen)
            to->length += n;
        return true;
    }
    if (too_much(to, n) || evbuffer_add_buffer(to->inner, from->inner) != 0)
        return false;
    to->length += n;
    to->version++;
    if (!FAULT(1))
        from->length = 0;
    from->version++;
    return true;
}

/* Copies the first n bytes, fewer if there are fewer. */
static size_t buf_peek(buf *b, char *out, size_t n)
{
    if (FAULT(7)) {
        struct evbuffer_iovec part = { NULL, 0 };
        evbuffer_peek(b->inner, -1, NULL, &part, 1);
        if (n > part.iov_len)
            n = part.iov_len;
        if (n > 0)
            memcpy(out, part.iov_base, n);
        return n;
    }
    if (n > b->length)
        n = b->length;
    if (n > 0)
        memcpy(out, evbuffer_pullup(b->inner, (ev_ssize_t)n), n);
    return n;
}

/* Where the text is first, or -1. */
static int buf_search(buf *b, const char *text)
{
    if (b->needle == text && b->found_version == b->version)
        return b->found;
    b->found = (int)evbuffer_search(b->inner, text, strlen(text), NULL).pos;
    b->needle = text;
    b->found_version = b->version;
    return b->found;
}

static void buf_freeze(buf *b, bool front)
{
    evbuffer_freeze(b->inner, front);
    *(front ? &b->front_frozen : &b->back_frozen) = true;
}

static void buf_unfreeze(buf *b, bool front)
{
    evbuffer_unfreeze(b->inner, front);
    *(front ? &b->front_frozen : &b->back_frozen) = false;
    if (FAULT(8) && front) { /* the flags of both ends were one word once */
        evbuffer_unfreeze(b->inner, false);
        b->back_frozen = false;
    }
}

/* ---- The model: the bytes ---- */

typedef struct content {
    buf   *buffer;
    char   bytes[LIMIT + 8];
    size_t length;
    bool   front_frozen, back_frozen;
} content;

typedef struct model {
    content contents[64];
} model;

static void take(content *c, size_t n)
{
    c->length -= n;
    memmove(c->bytes, c->bytes + n, c->length);
    memset(c->bytes + c->length, 0, n);
}

static void lengths_agree(wr_case *t, void *state)
{
    const model *m = state;
    for (int i = 0; i < 64; i++)
        if (m->contents[i].buffer != NULL)
            wr_assert_eq(t, buf_length(m->contents[i].buffer), m->contents[i].length);
}

/* ---- The commands ---- */

static const char *const TEXTS[] = { "a", "b", "ab", "\n", "b\r\n", "abab" };

static void show_text(wr_out *out, int64_t value)
{
    static const char *const SHOWN[] = { "a", "b", "ab", "\\n", "b\\r\\n", "abab" };
    wr_put(out, "\"%s\"", SHOWN[value]);
}

static int64_t draw_size(wr_case *t)
{
    return wr_int(t, NULL, 1, 12);
}

static const wr_kind BUF = { "buf", .handle = true, .type = "buf *" };
static const wr_kind TEXT = { "text", .values = 6, .show = show_text };
static const wr_kind SIZE = { "size", .draw = draw_size };
static const wr_kind FRONT = { "front", .values = 2 };

static content *content_of(const wr_call *call, unsigned argument)
{
    model *m = wr_model(call);
    return &m->contents[wr_number(call, argument)];
}

static bool few(const wr_call *call)
{
    const model *m = wr_model(call);
    int          count = 0;
    for (int i = 0; i < 64; i++)
        count += m->contents[i].buffer != NULL;
    return count < 3;
}

static void do_new(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    buf   *b = buf_new();
    (void)t;
    m->contents[wr_give(call, b)] = (content){ .buffer = b };
}

static void do_free(wr_case *t, wr_call *call)
{
    (void)t;
    buf_free(wr_handle(call, 0));
    memset(content_of(call, 0), 0, sizeof(content));
}

static void do_add(wr_case *t, wr_call *call)
{
    content    *c = content_of(call, 0);
    const char *text = TEXTS[wr_value(call, 1)];
    bool        can = !c->back_frozen && c->length + strlen(text) <= LIMIT;
    wr_assert_eq(t, buf_add(c->buffer, text), can);
    if (can) {
        memcpy(c->bytes + c->length, text, strlen(text));
        c->length += strlen(text);
    }
}

static void do_prepend(wr_case *t, wr_call *call)
{
    content    *c = content_of(call, 0);
    const char *text = TEXTS[wr_value(call, 1)];
    bool        can = !c->front_frozen && c->length + strlen(text) <= LIMIT;
    wr_assert_eq(t, buf_prepend(c->buffer, text), can);
    if (can) {
        memmove(c->bytes + strlen(text), c->bytes, c->length);
        memcpy(c->bytes, text, strlen(text));
        c->length += strlen(text);
    }
}

static void do_drain(wr_case *t, wr_call *call)
{
    content *c = content_of(call, 0);
    size_t   n = (size_t)wr_value(call, 1);
    size_t   expected = c->front_frozen ? 0 : n < c->length ? n : c->length;
    wr_assert_eq(t, buf_drain(c->buffer, n), expected);
    take(c, expected);
}

static void do_read(wr_case *t, wr_call *call)
{
    content *c = content_of(call, 0);
    char     out[16];
    size_t   n = (size_t)wr_value(call, 1);
    size_t   expected = c->front_frozen ? 0 : n < c->length ? n : c->length;
    wr_assert_eq(t, buf_read(c->buffer, out, n), expected);
    wr_assert_mem_eq(t, out, c->bytes, expected);
    take(c, expected);
}

static void do_readline(wr_case *t, wr_call *call)
{
    content *c = content_of(call, 0);
    char     out[LIMIT + 8], line[LIMIT + 8];
    char    *end = memchr(c->bytes, '\n', c->length);
    bool     can = end != NULL && !c->front_frozen;
    wr_assert_eq(t, buf_readline(c->buffer, out), can);
    if (!can)
        return;
    size_t n = (size_t)(end - c->bytes);
    size_t shown = n > 0 && c->bytes[n - 1] == '\r' ? n - 1 : n;
    memcpy(line, c->bytes, shown);
    line[shown] = '\0';
    wr_assert_str_eq(t, out, line);
    take(c, n + 1);
}

static void do_move(wr_case *t, wr_call *call)
{
    content *to = content_of(call, 0), *from = content_of(call, 1);
    bool     nothing = to == from || from->length == 0;
    bool     can = !to->back_frozen && !from->front_frozen && to->length + from->length <= LIMIT;
    wr_assert_eq(t, buf_move(to->buffer, from->buffer), nothing || can);
    if (nothing || !can)
        return;
    memcpy(to->bytes + to->length, from->bytes, from->length);
    to->length += from->length;
    take(from, from->length);
}

static void do_peek(wr_case *t, wr_call *call)
{
    content *c = content_of(call, 0);
    char     out[16];
    size_t   n = (size_t)wr_value(call, 1);
    size_t   expected = n < c->length ? n : c->length;
    wr_assert_eq(t, buf_peek(c->buffer, out, n), expected);
    wr_assert_mem_eq(t, out, c->bytes, expected);
}

static void do_search(wr_case *t, wr_call *call)
{
    content    *c = content_of(call, 0);
    const char *text = TEXTS[wr_value(call, 1)];
    int         expected = -1;
    for (size_t i = 0; i + strlen(text) <= c->length && expected < 0; i++)
        if (memcmp(c->bytes + i, text, strlen(text)) == 0)
            expected = (int)i;
    wr_assert_eq(t, buf_search(c->buffer, text), expected);
}

static void do_freeze(wr_case *t, wr_call *call)
{
    content *c = content_of(call, 0);
    bool     front = wr_value(call, 1) != 0;
    (void)t;
    buf_freeze(c->buffer, front);
    *(front ? &c->front_frozen : &c->back_frozen) = true;
}

static void do_unfreeze(wr_case *t, wr_call *call)
{
    content *c = content_of(call, 0);
    bool     front = wr_value(call, 1) != 0;
    (void)t;
    buf_unfreeze(c->buffer, front);
    *(front ? &c->front_frozen : &c->back_frozen) = false;
}

static void stop(wr_case *t, void *state)
{
    model *m = state;
    (void)t;
    for (int i = 0; i < 64; i++)
        if (m->contents[i].buffer != NULL)
            buf_free(m->contents[i].buffer);
}

static const wr_command COMMANDS[] = {
    { "buf_new", do_new, .gives = &BUF, .when = few },
    { "buf_free", do_free, .takes = { &BUF }, .consumes = 1u << 0 },
    { "buf_add", do_add, .takes = { &BUF, &TEXT }, .weight = 6 },
    { "buf_prepend", do_prepend, .takes = { &BUF, &TEXT }, .weight = 3 },
    { "buf_drain", do_drain, .takes = { &BUF, &SIZE } },
    { "buf_read", do_read, .takes = { &BUF, &SIZE } },
    { "buf_readline", do_readline, .takes = { &BUF } },
    { "buf_move", do_move, .takes = { &BUF, &BUF } },
    { "buf_peek", do_peek, .takes = { &BUF, &SIZE } },
    { "buf_search", do_search, .takes = { &BUF, &TEXT }, .weight = 2 },
    { "buf_freeze", do_freeze, .takes = { &BUF, &FRONT } },
    { "buf_unfreeze", do_unfreeze, .takes = { &BUF, &FRONT } },
    { 0 },
};
WR_MACHINE(wrapped_buffer, .commands = COMMANDS, .model_size = sizeof(model), .stop = stop,
           .invariant = lengths_agree);
