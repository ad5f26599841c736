/* feed.c: a parser of lines and blobs, which gets its input piece by piece.
 *
 *     text\n         a line. \\ is a backslash and \n (two characters) a newline within it; any
 * other escape is an error. A carriage return before its end does not belong to it. Empty lines
 * are nothing. $12:...        a blob of 12 bytes, whatever they are
 *
 * No frame is longer than the limit; a carriage return at the end counts. After an error the
 * parser skips to the next newline. Frames lie in slots of the parser; feed_push() takes no more
 * bytes when all slots are in use. A frame that was taken stays as it is until it is dropped. */
#include <stdlib.h>
#include <string.h>

#include <warren.h>

#include "faults.h"

/* ---- The library ---- */

#define FEED_SLOTS 6
#define FEED_MOST 12 /* the largest limit */

typedef enum { FEED_LINE, FEED_BLOB, FEED_BAD_ESCAPE, FEED_BAD_LENGTH, FEED_TOO_LONG } feed_kind;

typedef struct feed_slot {
    bool      used;
    feed_kind kind;
    unsigned  number; /* frames of a parser count from 0 */
    size_t    length;
    char      text[FEED_MOST];
} feed_slot;

typedef struct feed_parser {
    feed_slot  slots[FEED_SLOTS];
    feed_slot *queue[FEED_SLOTS]; /* frames that nobody has taken, a ring */
    size_t     first, queued;
    size_t     in_use; /* slots */
    unsigned   frames;
    size_t     limit;
    enum { START, LINE, LENGTH, BODY, SKIP } state;
    bool   escaped;
    size_t frame_limit; /* the limit when this frame began */
    size_t wanted;      /* bytes of the blob */
    size_t length;      /* bytes in build */
    char   build[FEED_MOST];
} feed_parser;

typedef struct feed_frame {
    feed_parser *parser;
    feed_slot   *slot;
} feed_frame;

static feed_parser *feed_new(size_t limit)
{
    feed_parser *p = calloc(1, sizeof *p);
    if (p == NULL)
        abort();
    p->limit = limit;
    return p;
}

static char *build_of(feed_parser *p)
{
    static char shared[FEED_MOST];
    return FAULT(4) ? shared : p->build;
}

static void emit(feed_parser *p, feed_kind kind, size_t length)
{
    feed_slot *s = p->slots;
    while (s->used)
        s++;
    s->used = true;
    s->kind = kind;
    s->number = p->frames++;
    if (FAULT(5))
        s->number &= 7;
    s->length = length;
    memcpy(s->text, build_of(p), length);
    p->queue[(p->first + p->queued++) % FEED_SLOTS] = s;
    p->in_use++;
}

static void emit_error(feed_parser *p, feed_kind kind, char byte)
{
    emit(p, kind, 0);
    p->escaped = false;
    p->state = byte == '\n' ? START : SKIP;
}

static void append(feed_parser *p, char byte)
{
    size_t limit = FAULT(8) ? p->limit : p->frame_limit;
    if (FAULT(2) ? p->length + 1 >= limit && p->state == LINE : p->length >= limit)
        emit_error(p, FEED_TOO_LONG, ' ');
    else
        build_of(p)[p->length++] = byte;
}

static void line_ends(feed_parser *p, const char *chunk, size_t at)
{
    bool carriage = p->length > 0 && build_of(p)[p->length - 1] == '\r';
    if (FAULT(1))
        carriage = at > 0 && chunk[at - 1] == '\r';
    p->state = START;
    if (carriage)
        p->length--;
    if (p->length > 0)
        emit(p, FEED_LINE, p->length);
}

static void line_byte(feed_parser *p, const char *chunk, size_t at)
{
    char byte = chunk[at];
    if (p->escaped) {
        p->escaped = false;
        if (byte == 'n')
            append(p, '\n');
        else if (byte == '\\')
            append(p, '\\');
        else
            emit_error(p, FEED_BAD_ESCAPE, byte);
    } else if (byte == '\\') {
        p->escaped = true;
    } else if (byte == '\n') {
        line_ends(p, chunk, at);
    } else {
        append(p, byte);
    }
}

static void length_byte(feed_parser *p, char byte)
{
    if (byte >= '0' && byte <= '9') {
        p->wanted = p->wanted * 10 + (size_t)(byte - '0');
        if (p->wanted > p->frame_limit)
            emit_error(p, FEED_TOO_LONG, byte);
    } else if (byte == ':' && p->wanted > 0) {
        p->state = BODY;
    } else {
        emit_error(p, FEED_BAD_LENGTH, byte);
    }
}

/* Returns how many bytes it took. */
static size_t feed_push(feed_parser *p, const char *chunk, size_t length)
{
    size_t at = 0;
    for (; at < length && p->in_use < FEED_SLOTS; at++) {
        char byte = chunk[at];
        if (p->state == START) {
            p->length = p->wanted = 0;
            p->frame_limit = p->limit;
            if (byte == '\n')
                continue;
            p->state = byte == '$' ? LENGTH : LINE;
            if (byte == '$')
                continue;
        }
        switch (p->state) {
        case LINE: line_byte(p, chunk, at); break;
        case LENGTH: length_byte(p, byte); break;
        case BODY:
            append(p, byte);
            if (p->state == BODY && p->length == p->wanted) {
                p->state = START;
                emit(p, FEED_BLOB, p->length);
            }
            break;
        default:
            if (byte == '\n')
                p->state = START;
        }
    }
    return at;
}

/* The next frame, or NULL. */
static feed_frame *feed_take(feed_parser *p)
{
    if (p->queued == 0)
        return NULL;
    feed_frame *f = malloc(sizeof *f);
    if (f == NULL)
        abort();
    *f = (feed_frame){ p, p->queue[p->first] };
    p->first = (p->first + 1) % FEED_SLOTS;
    p->queued--;
    return f;
}

static void slot_free(feed_parser *p, feed_slot *s)
{
    p->in_use -= s->used;
    s->used = false;
}

static void feed_drop(feed_frame *f)
{
    slot_free(f->parser, f->slot);
    free(f);
}

/* For the frames that begin from now on. */
static void feed_limit(feed_parser *p, size_t limit)
{
    p->limit = limit;
}

/* Forgets the frame that has begun, and all that nobody has taken. */
static void feed_reset(feed_parser *p)
{
    for (; p->queued > 0; p->queued--) {
        slot_free(p, p->queue[p->first]);
        p->first = (p->first + 1) % FEED_SLOTS;
    }
    for (size_t i = 0; i < FEED_SLOTS && FAULT(7); i++)
        slot_free(p, &p->slots[i]);
    if (!FAULT(3))
        p->escaped = false;
    p->state = START;
}

/* The input ends: was it in the middle of a frame? The next byte begins one. */
static bool feed_finish(feed_parser *p)
{
    bool cut = p->state != START && p->state != SKIP;
    if (!FAULT(6) || cut)
        p->state = START;
    p->escaped = false;
    return cut;
}

/* ---- The model: the bytes of the frame that has begun, parsed anew with each byte ---- */

typedef struct frame {
    feed_kind kind;
    unsigned  number;
    size_t    length;
    char      text[FEED_MOST];
} frame;

typedef struct stream {
    char     begun[64];
    size_t   count;
    bool     skipping;
    size_t   limit, frame_limit;
    frame    queue[FEED_SLOTS];
    size_t   queued, held;
    unsigned frames;
} stream;

typedef struct model {
    stream streams[64];
    frame  held[64];
    int    held_of[64]; /* the stream of a held frame, plus 1; 0: not held */
} model;

typedef enum { MORE, NOTHING, FRAME_DONE } verdict;

static verdict done(frame *f, feed_kind kind)
{
    f->kind = kind;
    if (kind > FEED_BLOB)
        f->length = 0;
    return FRAME_DONE;
}

static verdict parse(const char *s, size_t n, size_t limit, frame *f)
{
    f->length = 0;
    if (s[0] == '$') {
        size_t wanted = 0;
        for (size_t i = 1; i < n; i++) {
            if (s[i] >= '0' && s[i] <= '9') {
                wanted = wanted * 10 + (size_t)(s[i] - '0');
                if (wanted > limit)
                    return done(f, FEED_TOO_LONG);
            } else if (s[i] == ':' && wanted > 0) {
                if (n - i - 1 < wanted)
                    return MORE;
                f->length = wanted;
                memcpy(f->text, s + i + 1, wanted);
                return done(f, FEED_BLOB);
            } else {
                return done(f, FEED_BAD_LENGTH);
            }
        }
        return MORE;
    }
    for (size_t i = 0; i < n; i++) {
        char c = s[i];
        if (c == '\n') {
            f->length -= i > 0 && s[i - 1] == '\r';
            return f->length == 0 ? NOTHING : done(f, FEED_LINE);
        }
        if (c == '\\') {
            if (++i == n)
                return MORE;
            if (s[i] != 'n' && s[i] != '\\')
                return done(f, FEED_BAD_ESCAPE);
            c = s[i] == 'n' ? '\n' : '\\';
        }
        if (f->length == limit)
            return done(f, FEED_TOO_LONG);
        f->text[f->length++] = c;
    }
    return MORE;
}

static void add_byte(stream *s, char byte)
{
    if (s->skipping) {
        s->skipping = byte != '\n';
        return;
    }
    if (s->count == 0)
        s->frame_limit = s->limit;
    s->begun[s->count++] = byte;
    frame   f;
    verdict v = parse(s->begun, s->count, s->frame_limit, &f);
    if (v == MORE)
        return;
    s->count = 0;
    if (v == FRAME_DONE) {
        s->skipping = f.kind > FEED_BLOB && byte != '\n';
        f.number = s->frames++;
        s->queue[s->queued++] = f;
    }
}

static void do_new(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    unsigned number = wr_give(call, feed_new((size_t)wr_value(call, 0)));
    (void)t;
    memset(&m->streams[number], 0, sizeof m->streams[number]);
    m->streams[number].limit = (size_t)wr_value(call, 0);
}

static void do_push(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    stream     *s = &m->streams[wr_number(call, 0)];
    const char *chunk = wr_pointer(call, 1);
    size_t      length = strlen(chunk), taken = 0;
    for (; taken < length && s->queued + s->held < FEED_SLOTS; taken++)
        add_byte(s, chunk[taken]);
    wr_assert_eq(t, feed_push(wr_handle(call, 0), chunk, length), taken);
}

static void do_take(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    stream     *s = &m->streams[wr_number(call, 0)];
    feed_frame *f = feed_take(wr_handle(call, 0));
    unsigned    number = wr_give(call, f);
    wr_assert_eq(t, f != NULL, s->queued > 0);
    if (f == NULL)
        return;
    frame expected = s->queue[0];
    memmove(s->queue, s->queue + 1, --s->queued * sizeof *s->queue);
    wr_assert_eq(t, f->slot->kind, expected.kind);
    wr_assert_eq(t, f->slot->length, expected.length);
    wr_assert_mem_eq(t, f->slot->text, expected.text, expected.length);
    wr_assert_eq(t, f->slot->number, expected.number);
    m->held[number] = expected;
    m->held_of[number] = (int)wr_number(call, 0) + 1;
    s->held++;
}

static void do_look(wr_case *t, wr_call *call)
{
    const model      *m = wr_model(call);
    const feed_frame *f = wr_handle(call, 0);
    const frame      *expected = &m->held[wr_number(call, 0)];
    wr_assert_eq(t, f->slot->number, expected->number);
    wr_assert_eq(t, f->slot->length, expected->length);
    wr_assert_mem_eq(t, f->slot->text, expected->text, expected->length);
}

static void do_drop(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int   *of = &m->held_of[wr_number(call, 0)];
    (void)t;
    feed_drop(wr_handle(call, 0));
    m->streams[*of - 1].held--;
    *of = 0;
}

static void do_limit(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    feed_limit(wr_handle(call, 0), (size_t)wr_value(call, 1));
    m->streams[wr_number(call, 0)].limit = (size_t)wr_value(call, 1);
}

static void do_reset(wr_case *t, wr_call *call)
{
    model  *m = wr_model(call);
    stream *s = &m->streams[wr_number(call, 0)];
    (void)t;
    feed_reset(wr_handle(call, 0));
    s->count = s->queued = 0;
    s->skipping = false;
}

static void do_finish(wr_case *t, wr_call *call)
{
    model  *m = wr_model(call);
    stream *s = &m->streams[wr_number(call, 0)];
    wr_assert_eq(t, feed_finish(wr_handle(call, 0)), s->count > 0);
    s->count = 0;
    s->skipping = false;
}

static bool holds_nothing(const wr_call *call)
{
    const model *m = wr_model(call);
    return m->streams[wr_number(call, 0)].held == 0;
}

static void do_free(wr_case *t, wr_call *call)
{
    (void)t;
    free(wr_handle(call, 0));
}

static const char *const PIECES[] = {
    "a", "b", "\n", "\\", "n", "\r", "$", "1", "3", ":", "$2:"
};

static int64_t draw_chunk(wr_case *t)
{
    return (int64_t)(intptr_t)wr_pieces(t, NULL, sizeof PIECES / sizeof *PIECES, PIECES, 0, 6);
}
static void show_chunk(wr_out *out, int64_t value)
{
    wr_put(out, "\"");
    for (const char *s = (const char *)(intptr_t)value; *s != '\0'; s++)
        if (*s == '\n')
            wr_put(out, "\\n");
        else if (*s == '\r')
            wr_put(out, "\\r");
        else
            wr_put(out, *s == '\\' ? "\\\\" : "%c", *s);
    wr_put(out, "\"");
}
static int64_t draw_limit(wr_case *t)
{
    return wr_int(t, NULL, 1, FEED_MOST);
}

static const wr_kind PARSER = { "parser", .handle = true, .type = "feed_parser *",
                                .release = free };
static const wr_kind FRAME = { "frame", .handle = true, .type = "feed_frame *", .release = free };
static const wr_kind CHUNK = { "chunk", .draw = draw_chunk, .show = show_chunk };
static const wr_kind LIMIT = { "limit", .draw = draw_limit };

static const wr_command COMMANDS[] = {
    { "feed_new", do_new, .takes = { &LIMIT }, .gives = &PARSER },
    { "feed_push", do_push, .takes = { &PARSER, &CHUNK }, .weight = 8 },
    { "feed_take", do_take, .takes = { &PARSER }, .gives = &FRAME, .weight = 6 },
    { "feed_look", do_look, .takes = { &FRAME }, .observer = true },
    { "feed_drop", do_drop, .takes = { &FRAME }, .consumes = 1u << 0, .weight = 4 },
    { "feed_limit", do_limit, .takes = { &PARSER, &LIMIT } },
    { "feed_reset", do_reset, .takes = { &PARSER } },
    { "feed_finish", do_finish, .takes = { &PARSER } },
    { "feed_free", do_free, .takes = { &PARSER }, .consumes = 1u << 0, .when = holds_nothing },
    { 0 },
};
WR_MACHINE(feed_parses_piecewise, .commands = COMMANDS, .model_size = sizeof(model));
