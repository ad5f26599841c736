/* pool.c: a pool of connections. There are at most `capacity` of them; who comes when all are
 * lent may wait for one. Idle connections are closed after a time, worn and broken ones when they
 * come back. Time is what pool_tick says. */
#include <string.h>

#include <warren.h>

#include "faults.h"

/* ---- The library ---- */

#define SLOTS 8
#define TICKETS 64
#define MOST_WAITING 4
#define MOST_USES 8
#define IDLE_TIME 10
#define PATIENCE 6

typedef struct conn {
    bool         open, broken;
    int          id, uses, epoch;
    int          since; /* idle since then */
    struct conn *newer, *older;
} conn;

typedef enum { FREE, WAITING, GRANTED, TAKEN, EXPIRED } ticket_state;

typedef struct ticket {
    ticket_state   state;
    int            deadline;
    conn          *conn;
    struct ticket *next;
} ticket;

typedef struct pool {
    int     capacity, open, idle, waiting, next_id, epoch, now;
    conn    conns[SLOTS];
    conn   *newest, *oldest; /* of the idle ones */
    ticket  tickets[TICKETS];
    ticket *first, *last; /* of those who wait */
} pool;

static void pool_init(pool *p, int capacity)
{
    memset(p, 0, sizeof *p);
    p->capacity = capacity;
    p->next_id = 1;
}

static conn *conn_open(pool *p)
{
    conn *c = p->conns;
    while (c->open)
        c++;
    c->open = true;
    c->broken = false;
    if (!FAULT(6))
        c->uses = 0;
    c->id = p->next_id++;
    c->epoch = p->epoch;
    c->since = p->now;
    c->newer = c->older = NULL;
    p->open++;
    return c;
}

static void conn_close(pool *p, conn *c)
{
    c->open = false;
    p->open--;
}

static void idle_push(pool *p, conn *c)
{
    c->newer = NULL;
    c->older = p->newest;
    if (p->newest != NULL)
        p->newest->newer = c;
    else
        p->oldest = c;
    p->newest = c;
    p->idle++;
}

static void idle_unlink(pool *p, conn *c)
{
    if (c->newer != NULL)
        c->newer->older = c->older;
    else
        p->newest = c->older;
    if (c->older != NULL)
        c->older->newer = c->newer;
    else
        p->oldest = c->newer;
    p->idle--;
}

/* NULL: all are lent. */
static conn *take(pool *p)
{
    conn *c = p->newest;
    if (c != NULL) {
        idle_unlink(p, c);
        if (FAULT(5))
            c->since = p->now;
        return c;
    }
    return p->open < p->capacity ? conn_open(p) : NULL;
}

static void queue_push(pool *p, ticket *w)
{
    if (p->first == NULL)
        p->first = w;
    else
        p->last->next = w;
    p->last = w;
    w->next = NULL;
    w->state = WAITING;
    p->waiting++;
}

static void queue_unlink(pool *p, ticket *w)
{
    ticket *before = NULL;
    for (ticket *at = p->first; at != NULL && at != w; at = at->next)
        before = at;
    if (before == NULL)
        p->first = w->next;
    else
        before->next = w->next;
    if (p->last == w && (!FAULT(1) || before == NULL))
        p->last = before;
    w->next = NULL;
    p->waiting--;
}

static void serve(pool *p)
{
    while (p->first != NULL) {
        ticket *w = p->first;
        conn   *c = take(p);
        if (c == NULL)
            return;
        queue_unlink(p, w);
        w->state = GRANTED;
        w->conn = c;
    }
}

static void keep_or_close(pool *p, conn *c)
{
    bool worn = c->uses >= MOST_USES, late = c->epoch != p->epoch;
    if (c->broken || worn || late || p->open > p->capacity) {
        conn_close(p, c);
    } else {
        if (!FAULT(5))
            c->since = p->now;
        idle_push(p, c);
    }
}

static conn *pool_acquire(pool *p)
{
    return take(p);
}

static void pool_release(pool *p, conn *c)
{
    keep_or_close(p, c);
    if (FAULT(3) && c->broken)
        return;
    serve(p);
}

/* NULL: too many wait already. */
static ticket *pool_request(pool *p)
{
    ticket *w = p->tickets;
    if (p->waiting == MOST_WAITING)
        return NULL;
    while (w->state != FREE)
        w++;
    w->deadline = p->now + PATIENCE;
    w->conn = NULL;
    queue_push(p, w);
    serve(p);
    return w;
}

/* NULL: not yet, or no more. */
static conn *pool_poll(ticket *w)
{
    conn *c = w->conn;
    if (w->state != GRANTED)
        return NULL;
    w->state = TAKEN;
    w->conn = NULL;
    return c;
}

static void pool_cancel(pool *p, ticket *w)
{
    ticket_state state = w->state;
    if (state == WAITING)
        queue_unlink(p, w);
    w->state = FREE;
    if (state == GRANTED) {
        keep_or_close(p, w->conn);
        if (!FAULT(7))
            serve(p);
    }
}

static void pool_resize(pool *p, int capacity)
{
    p->capacity = capacity;
    while (p->open > p->capacity && p->idle > 0) {
        conn *c = FAULT(4) ? p->newest : p->oldest;
        idle_unlink(p, c);
        conn_close(p, c);
    }
    serve(p);
}

/* The other side restarts: no connection of before is kept. */
static void pool_reset(pool *p)
{
    p->epoch++;
    while (p->newest != NULL) {
        conn *c = p->newest;
        idle_unlink(p, c);
        conn_close(p, c);
    }
}

static void pool_tick(pool *p, int time)
{
    p->now += time;
    while (p->oldest != NULL) {
        conn *c = p->oldest;
        int   age = p->now - c->since;
        if (FAULT(2) ? age <= IDLE_TIME : age < IDLE_TIME)
            break;
        idle_unlink(p, c);
        conn_close(p, c);
    }
    for (ticket *w = p->first, *next; w != NULL; w = next) {
        next = w->next;
        if (w->deadline <= p->now) {
            queue_unlink(p, w);
            w->state = EXPIRED;
            if (FAULT(8))
                next = next == NULL ? NULL : next->next;
        }
    }
}

static bool conn_use(conn *c)
{
    if (c->broken)
        return false;
    c->uses++;
    return true;
}

static void conn_fail(conn *c)
{
    c->broken = true;
}

/* ---- The model ---- */

typedef struct link {
    int  id, uses, since;
    bool broken, late;
} link;

typedef struct model {
    pool pool;
    int  capacity, next_id, now;
    link idle[SLOTS]; /* the oldest first */
    int  idle_count;
    link lent[64]; /* by the connection's number */
    bool is_lent[64];
    struct {
        ticket_state state;
        int          deadline;
        link         link;
    } tickets[64];
    unsigned queue[MOST_WAITING];
    int      waiting;
} model;

static int model_open(const model *m)
{
    int open = m->idle_count;
    for (int i = 0; i < 64; i++)
        open += m->is_lent[i] + (m->tickets[i].state == GRANTED);
    return open;
}

static bool model_take(model *m, link *to)
{
    if (m->idle_count > 0)
        *to = m->idle[--m->idle_count];
    else if (model_open(m) < m->capacity)
        *to = (link){ .id = m->next_id++ };
    else
        return false;
    return true;
}

static void model_dequeue(model *m, int place)
{
    m->waiting--;
    for (int i = place; i < m->waiting; i++)
        m->queue[i] = m->queue[i + 1];
}

static void model_serve(model *m)
{
    link next;
    while (m->waiting > 0 && model_take(m, &next)) {
        m->tickets[m->queue[0]].state = GRANTED;
        m->tickets[m->queue[0]].link = next;
        model_dequeue(m, 0);
    }
}

/* `l` is counted as open no more. */
static void model_put_back(model *m, link l)
{
    l.since = m->now;
    if (!l.broken && l.uses < MOST_USES && !l.late && model_open(m) < m->capacity)
        m->idle[m->idle_count++] = l;
    model_serve(m);
}

static void start(wr_case *t, void *state)
{
    model *m = state;
    (void)t;
    m->capacity = 2;
    m->next_id = 1;
    pool_init(&m->pool, 2);
}

static void counts_agree(wr_case *t, void *state)
{
    const model *m = state;
    wr_assert_eq(t, m->pool.waiting, m->waiting);
    wr_assert_eq(t, m->pool.open, model_open(m));
    wr_assert_eq(t, m->pool.idle, m->idle_count);
}

/* ---- The commands ---- */

static int64_t draw_time(wr_case *t)
{
    return wr_int(t, NULL, 1, 12);
}

static int64_t draw_capacity(wr_case *t)
{
    return wr_int(t, NULL, 1, 4);
}

static const wr_kind CONN = { "conn", .handle = true, .type = "conn *" };
static const wr_kind TICKET = { "ticket", .handle = true, .type = "ticket *" };
static const wr_kind TIME = { "time", .draw = draw_time };
static const wr_kind CAPACITY = { "capacity", .draw = draw_capacity };

static void lend(model *m, wr_call *call, conn *c, link l)
{
    unsigned number = wr_give(call, c);
    m->lent[number] = l;
    m->is_lent[number] = true;
}

static void do_acquire(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    link   l = { 0 };
    bool   expected = model_take(m, &l);
    conn  *c = pool_acquire(&m->pool);
    wr_assert_eq(t, c != NULL, expected);
    if (c != NULL) {
        wr_assert_eq(t, c->id, l.id);
        lend(m, call, c, l);
    }
}

static void do_release(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    unsigned number = wr_number(call, 0);
    (void)t;
    pool_release(&m->pool, wr_handle(call, 0));
    m->is_lent[number] = false;
    model_put_back(m, m->lent[number]);
}

static void do_request(wr_case *t, wr_call *call)
{
    model  *m = wr_model(call);
    ticket *w = pool_request(&m->pool);
    wr_assert_eq(t, w != NULL, m->waiting < MOST_WAITING);
    if (w != NULL) {
        unsigned number = wr_give(call, w);
        m->tickets[number].state = WAITING;
        m->tickets[number].deadline = m->now + PATIENCE;
        m->queue[m->waiting++] = number;
        model_serve(m);
    }
}

static void do_poll(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    unsigned number = wr_number(call, 0);
    conn    *c = pool_poll(wr_handle(call, 0));
    wr_assert_eq(t, c != NULL, m->tickets[number].state == GRANTED);
    if (c != NULL) {
        wr_assert_eq(t, c->id, m->tickets[number].link.id);
        m->tickets[number].state = TAKEN;
        lend(m, call, c, m->tickets[number].link);
    }
}

static void do_cancel(wr_case *t, wr_call *call)
{
    model       *m = wr_model(call);
    unsigned     number = wr_number(call, 0);
    ticket_state state = m->tickets[number].state;
    (void)t;
    pool_cancel(&m->pool, wr_handle(call, 0));
    m->tickets[number].state = FREE;
    for (int i = 0; state == WAITING && i < m->waiting; i++)
        if (m->queue[i] == number)
            model_dequeue(m, i);
    if (state == GRANTED)
        model_put_back(m, m->tickets[number].link);
}

static void do_resize(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    m->capacity = (int)wr_value(call, 0);
    pool_resize(&m->pool, m->capacity);
    while (m->idle_count > 0 && model_open(m) > m->capacity)
        memmove(m->idle, m->idle + 1, (size_t)--m->idle_count * sizeof *m->idle);
    model_serve(m);
}

static void do_reset(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    pool_reset(&m->pool);
    m->idle_count = 0;
    for (int i = 0; i < 64; i++)
        m->lent[i].late = m->tickets[i].link.late = true;
}

static void do_tick(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    pool_tick(&m->pool, (int)wr_value(call, 0));
    m->now += (int)wr_value(call, 0);
    while (m->idle_count > 0 && m->now - m->idle[0].since >= IDLE_TIME)
        memmove(m->idle, m->idle + 1, (size_t)--m->idle_count * sizeof *m->idle);
    while (m->waiting > 0 && m->tickets[m->queue[0]].deadline <= m->now) {
        m->tickets[m->queue[0]].state = EXPIRED;
        model_dequeue(m, 0);
    }
}

static void do_use(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    link  *l = &m->lent[wr_number(call, 0)];
    wr_assert_eq(t, conn_use(wr_handle(call, 0)), !l->broken);
    l->uses += !l->broken;
}

static void do_fail(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    conn_fail(wr_handle(call, 0));
    m->lent[wr_number(call, 0)].broken = true;
}

static const wr_command COMMANDS[] = {
    { "pool_acquire", do_acquire, .gives = &CONN, .weight = 2 },
    { "pool_release", do_release, .takes = { &CONN }, .consumes = 1u << 0, .weight = 2 },
    { "pool_request", do_request, .gives = &TICKET, .weight = 2 },
    { "pool_poll", do_poll, .takes = { &TICKET }, .gives = &CONN, .weight = 2 },
    { "pool_cancel", do_cancel, .takes = { &TICKET }, .consumes = 1u << 0, .weight = 2 },
    { "pool_resize", do_resize, .takes = { &CAPACITY } },
    { "pool_reset", do_reset, .weight = 1 },
    { "pool_tick", do_tick, .takes = { &TIME } },
    { "conn_use", do_use, .takes = { &CONN }, .weight = 5 },
    { "conn_fail", do_fail, .takes = { &CONN } },
    { 0 },
};

WR_MACHINE(pool_lends_and_takes_back, .commands = COMMANDS, .model_size = sizeof(model),
           .start = start, .invariant = counts_agree);
