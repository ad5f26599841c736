/* session.c: the sending side of a protocol with windows, acknowledgements and resending, on
 * several connections of one endpoint, as a machine. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <warren.h>

#include "faults.h"

#define CONNECTIONS 3 /* of an endpoint */
#define BUDGET 6      /* packets in flight, of all connections */
#define SEQUENCES 8   /* sequence numbers: 0..7, then 0 again */
#define WIDEST 4      /* window */
#define PATIENCE 3    /* timeouts in a row that end a connection */

/* ---- The library ---- */

typedef enum { FREE, OPEN, READY, CLOSING, CLOSED } conn_state;

enum { BAD_STATE = -1, WINDOW_FULL = -2, BUDGET_SPENT = -3, NOT_SENT = -4 };

typedef struct endpoint endpoint;

typedef struct conn {
    endpoint  *owner;
    conn_state state;
    int        window;
    unsigned   base;      /* the oldest packet that is not acknowledged */
    unsigned   next;      /* the next packet to be sent */
    int        in_flight; /* packets from base to next */
    int        resent;    /* packets of these that need not be sent again */
    int        timeouts;  /* in a row */
    int        payloads[SEQUENCES];
} conn;

struct endpoint {
    conn connections[CONNECTIONS];
    int  in_flight;
};

/* NULL: too many connections. */
static conn *conn_open(endpoint *e)
{
    for (int i = 0; i < CONNECTIONS; i++) {
        conn *c = &e->connections[i];
        if (c->state != FREE)
            continue;
        int timeouts = c->timeouts;
        memset(c, 0, sizeof *c);
        if (FAULT(8))
            c->timeouts = timeouts;
        c->owner = e;
        c->state = OPEN;
        return c;
    }
    return NULL;
}

/* Version 1 has windows up to 2, version 2 up to WIDEST. May be repeated while nothing is in
 * flight. Returns the window or BAD_STATE. */
static int conn_negotiate(conn *c, int version, int window)
{
    if ((c->state != OPEN && c->state != READY) || c->in_flight > 0)
        return BAD_STATE;
    int widest = version == 1 ? 2 : WIDEST;
    int agreed = window < widest ? window : widest;
    if (!FAULT(6) || c->window < agreed)
        c->window = agreed;
    c->state = READY;
    return agreed;
}

/* The sequence number of the packet or an error. While older packets wait to be sent again, the
 * new one waits behind them. */
static int conn_send(conn *c, int payload)
{
    if (c->state != READY)
        return BAD_STATE;
    if (c->in_flight == c->window)
        return WINDOW_FULL;
    if (c->owner->in_flight == BUDGET)
        return BUDGET_SPENT;
    unsigned sequence = c->next;
    c->payloads[sequence] = payload;
    c->next = (c->next + 1) % SEQUENCES;
    if (c->resent == c->in_flight)
        c->resent++;
    c->in_flight++;
    c->owner->in_flight++;
    return (int)sequence;
}

/* Acknowledges all packets up to this one. Returns how many, or an error. */
static int conn_ack(conn *c, unsigned sequence)
{
    if (c->state != READY && c->state != CLOSING)
        return BAD_STATE;
    int count = (int)((sequence + SEQUENCES - c->base) % SEQUENCES) + 1;
    if (FAULT(1) && sequence < c->base)
        return NOT_SENT;
    if (FAULT(2) && c->in_flight > 1 ? count > c->in_flight + 1 : count > c->in_flight)
        return NOT_SENT;
    c->base = (sequence + 1) % SEQUENCES;
    c->in_flight -= count;
    c->owner->in_flight -= count;
    if (!FAULT(3))
        c->resent = c->resent > count ? c->resent - count : 0;
    else
        c->resent = c->resent < c->in_flight ? c->resent : c->in_flight;
    if (!FAULT(4) || c->in_flight == 0)
        c->timeouts = 0;
    if (c->state == CLOSING && (FAULT(7) ? c->in_flight == 0 && count == 1 : c->in_flight == 0))
        c->state = CLOSED;
    return count;
}

/* No answer came: all packets in flight must be sent again. False: the connection has ended. */
static bool conn_timeout(conn *c)
{
    if (c->in_flight == 0)
        return c->state != CLOSED;
    if (++c->timeouts >= PATIENCE) {
        if (!FAULT(5) || c->state == READY)
            c->owner->in_flight -= c->in_flight;
        c->in_flight = 0;
        c->state = CLOSED;
        return false;
    }
    c->resent = 0;
    return true;
}

/* The payload of the next packet that must be sent again, or NOT_SENT. */
static int conn_resend(conn *c)
{
    if (c->resent >= c->in_flight)
        return NOT_SENT;
    return c->payloads[(c->base + (unsigned)c->resent++) % SEQUENCES];
}

/* Ends at once, or when all packets are acknowledged. */
static conn_state conn_close(conn *c)
{
    if (c->state == OPEN || c->state == READY)
        c->state = c->in_flight > 0 ? CLOSING : CLOSED;
    return c->state;
}

/* Only of a connection that has ended. */
static void conn_free(conn *c)
{
    c->state = FREE;
}

/* ---- The model: a list of the packets in flight for each connection ---- */

typedef struct packet {
    int sequence, payload;
    int again; /* to be sent again */
} packet;

typedef struct line {
    conn_state state;
    int        window, sent, timeouts;
    int        count;
    packet     packets[WIDEST];
} line;

typedef struct model {
    endpoint endpoint;
    line     lines[64];
} model;

static int in_flight(const model *m)
{
    int count = 0;
    for (int i = 0; i < 64; i++)
        count += m->lines[i].count;
    return count;
}

static void budget_agrees(wr_case *t, void *state)
{
    const model *m = state;
    wr_assert_eq(t, m->endpoint.in_flight, in_flight(m));
}

/* ---- The commands ---- */

static void show_window(wr_out *out, int64_t value)
{
    wr_put(out, "%d", (int)value + 1);
}

static const wr_kind CONN = { "conn", .handle = true, .type = "conn *" };
static const wr_kind VERSION = { "version", .values = 2, .show = show_window };
static const wr_kind WINDOW = { "window", .values = 6, .show = show_window };
static const wr_kind PAYLOAD = { "payload", .values = 5 };
static const wr_kind SEQUENCE = { "sequence", .values = SEQUENCES };

static line *line_of(wr_call *call)
{
    model *m = wr_model(call);
    return &m->lines[wr_number(call, 0)];
}

static void do_open(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int    open = 0;
    for (int i = 0; i < 64; i++)
        open += m->lines[i].state != FREE;
    conn *c = conn_open(&m->endpoint);
    wr_assert_eq(t, c != NULL, open < CONNECTIONS);
    if (c != NULL)
        m->lines[wr_give(call, c)] = (line){ .state = OPEN };
}

static void do_negotiate(wr_case *t, wr_call *call)
{
    line *l = line_of(call);
    int   version = (int)wr_value(call, 1) + 1, window = (int)wr_value(call, 2) + 1;
    int   result = conn_negotiate(wr_handle(call, 0), version, window);
    if (l->state == CLOSING || l->state == CLOSED || l->count > 0) {
        wr_assert_eq(t, result, BAD_STATE);
        return;
    }
    int widest = version == 1 ? 2 : WIDEST;
    l->state = READY;
    l->window = window < widest ? window : widest;
    wr_assert_eq(t, result, l->window);
}

static void do_send(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    line  *l = line_of(call);
    int    payload = (int)wr_value(call, 1);
    int    expected = l->state != READY        ? BAD_STATE
                      : l->count == l->window  ? WINDOW_FULL
                      : in_flight(m) == BUDGET ? BUDGET_SPENT
                                               : l->sent % SEQUENCES;
    wr_assert_eq(t, conn_send(wr_handle(call, 0), payload), expected);
    if (expected >= 0) {
        int again = l->count > 0 && l->packets[l->count - 1].again;
        l->packets[l->count++] = (packet){ expected, payload, again };
        l->sent++;
    }
}

static void do_ack(wr_case *t, wr_call *call)
{
    line *l = line_of(call);
    int   sequence = (int)wr_value(call, 1);
    int   expected = l->state == READY || l->state == CLOSING ? NOT_SENT : BAD_STATE;
    for (int i = 0; i < l->count && expected != BAD_STATE; i++)
        if (l->packets[i].sequence == sequence)
            expected = i + 1;
    wr_assert_eq(t, conn_ack(wr_handle(call, 0), (unsigned)sequence), expected);
    if (expected < 0)
        return;
    l->count -= expected;
    memmove(l->packets, l->packets + expected, (size_t)l->count * sizeof *l->packets);
    l->timeouts = 0;
    if (l->state == CLOSING && l->count == 0)
        l->state = CLOSED;
}

static void do_timeout(wr_case *t, wr_call *call)
{
    line *l = line_of(call);
    bool  goes_on = l->state != CLOSED;
    if (l->count > 0 && ++l->timeouts == PATIENCE) {
        l->count = 0;
        l->state = CLOSED;
        goes_on = false;
    }
    for (int i = 0; i < l->count; i++)
        l->packets[i].again = 1;
    wr_assert_eq(t, conn_timeout(wr_handle(call, 0)), goes_on);
}

static void do_resend(wr_case *t, wr_call *call)
{
    line *l = line_of(call);
    int   expected = NOT_SENT;
    for (int i = 0; i < l->count && expected == NOT_SENT; i++) {
        if (l->packets[i].again) {
            l->packets[i].again = 0;
            expected = l->packets[i].payload;
        }
    }
    wr_assert_eq(t, conn_resend(wr_handle(call, 0)), expected);
}

static void do_close(wr_case *t, wr_call *call)
{
    line *l = line_of(call);
    if (l->state == OPEN || l->state == READY)
        l->state = l->count > 0 ? CLOSING : CLOSED;
    wr_assert_eq(t, conn_close(wr_handle(call, 0)), l->state);
}

static bool has_ended(const wr_call *call)
{
    const model *m = wr_model(call);
    return m->lines[wr_number(call, 0)].state == CLOSED;
}

static void do_free(wr_case *t, wr_call *call)
{
    (void)t;
    conn_free(wr_handle(call, 0));
    memset(line_of(call), 0, sizeof(line));
}

static const wr_command COMMANDS[] = {
    { "conn_open", do_open, .gives = &CONN },
    { "conn_negotiate", do_negotiate, .takes = { &CONN, &VERSION, &WINDOW }, .weight = 2 },
    { "conn_send", do_send, .takes = { &CONN, &PAYLOAD }, .weight = 6 },
    { "conn_ack", do_ack, .takes = { &CONN, &SEQUENCE }, .weight = 6 },
    { "conn_timeout", do_timeout, .takes = { &CONN }, .weight = 2 },
    { "conn_resend", do_resend, .takes = { &CONN }, .weight = 2 },
    { "conn_close", do_close, .takes = { &CONN } },
    { "conn_free", do_free, .takes = { &CONN }, .consumes = 1u << 0, .when = has_ended },
    { 0 },
};
WR_MACHINE(session, .commands = COMMANDS, .model_size = sizeof(model),
           .invariant = budget_agrees);
