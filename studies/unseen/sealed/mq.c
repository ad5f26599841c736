/* mq.c: message queues in memory, with a clock that only mq_tick() moves.
 *
 * A received message is invisible until it is acknowledged, rejected, or its time is over; then
 * it comes back to its old place in the queue. A message that was delivered as often as its queue
 * allows goes to the queue's dead letters, if it has any, as a new message; else it is dropped.
 */
#include <stdlib.h>
#include <string.h>

#include <warren.h>

#include "faults.h"

/* ---- The library ---- */

#define MQ_QUEUES 4
#define MQ_CAPACITY 5 /* messages of a queue, the invisible ones included */

typedef enum { MQ_OK, MQ_FULL, MQ_GONE, MQ_LOOP } mq_status;

typedef struct mq_message {
    struct mq_message *next;
    int                body;
    int                tries;
    unsigned           order;    /* of publishing */
    unsigned           token;    /* of the last delivery */
    long               deadline; /* of the last delivery */
} mq_message;

typedef struct mq_queue {
    struct mq_broker *broker;
    unsigned          id; /* 0: this slot is free */
    long              timeout;
    int               most_tries;
    int               dead; /* the slot of the dead letters, or -1 */
    mq_message       *first, *last;
    mq_message       *flying; /* in the order of their deliveries */
    int               ready, flying_count;
} mq_queue;

typedef struct mq_broker {
    mq_queue    queues[MQ_QUEUES];
    mq_message  pool[MQ_QUEUES * MQ_CAPACITY];
    mq_message *unused;
    long        now;
    unsigned    last_id, last_order, last_token;
    int         messages;
} mq_broker;

typedef struct mq_delivery {
    mq_broker  *broker;
    int         slot;
    unsigned    queue; /* its id */
    unsigned    token;
    mq_message *message;
    int         body;
} mq_delivery;

static void message_free(mq_broker *b, mq_message *m)
{
    m->next = b->unused;
    b->unused = m;
    b->messages--;
}

static mq_broker *mq_broker_new(void)
{
    mq_broker *b = calloc(1, sizeof *b);
    if (b == NULL)
        abort();
    for (size_t i = sizeof b->pool / sizeof *b->pool; i-- > 0;)
        message_free(b, &b->pool[i]);
    b->messages = 0;
    return b;
}

/* NULL: there are MQ_QUEUES queues already. */
static mq_queue *mq_open(mq_broker *b, long timeout, int most_tries)
{
    for (int i = 0; i < MQ_QUEUES; i++) {
        mq_queue *q = &b->queues[i];
        if (q->id == 0) {
            *q = (mq_queue){ .broker = b,
                             .id = ++b->last_id,
                             .timeout = timeout,
                             .most_tries = most_tries,
                             .dead = -1 };
            return q;
        }
    }
    return NULL;
}

static int slot_of(const mq_queue *q)
{
    return (int)(q - q->broker->queues);
}

/* Messages that come too often go to `dead` from now on. */
static mq_status mq_dead_letters(mq_queue *q, mq_queue *dead)
{
    if (q == dead)
        return MQ_LOOP;
    q->dead = slot_of(dead);
    return MQ_OK;
}

static void queue_append(mq_queue *q, mq_message *m)
{
    m->next = NULL;
    if (q->last != NULL)
        q->last->next = m;
    else
        q->first = m;
    q->last = m;
    q->ready++;
}

/* To the place that its order gives it. */
static void queue_return(mq_queue *q, mq_message *m)
{
    mq_message **at = &q->first;
    while (*at != NULL && (*at)->order < m->order && !FAULT(2))
        at = &(*at)->next;
    m->next = *at;
    *at = m;
    if (m->next == NULL)
        q->last = m;
    q->ready++;
}

static mq_status mq_publish(mq_queue *q, int body)
{
    mq_broker  *b = q->broker;
    mq_message *m = b->unused;
    int         held = FAULT(6) ? q->ready : q->ready + q->flying_count;
    if (held >= MQ_CAPACITY || m == NULL)
        return MQ_FULL;
    b->unused = m->next;
    b->messages++;
    *m = (mq_message){ .body = body, .order = ++b->last_order };
    queue_append(q, m);
    return MQ_OK;
}

/* NULL: no message is ready. */
static mq_delivery *mq_receive(mq_queue *q)
{
    mq_broker  *b = q->broker;
    mq_message *m = q->first;
    if (m == NULL)
        return NULL;
    q->first = m->next;
    if (q->first == NULL)
        q->last = NULL;
    q->ready--;
    m->tries++;
    m->token = ++b->last_token;
    m->deadline = b->now + q->timeout;
    m->next = NULL;
    mq_message **at = &q->flying;
    while (*at != NULL)
        at = &(*at)->next;
    *at = m;
    q->flying_count++;
    mq_delivery *d = malloc(sizeof *d);
    if (d == NULL)
        abort();
    *d = (mq_delivery){ b, slot_of(q), q->id, m->token, m, m->body };
    return d;
}

/* Where the message of a delivery is linked in the list of flying ones; NULL: it is not. */
static mq_message **delivery_find(const mq_delivery *d)
{
    mq_queue *q = &d->broker->queues[d->slot];
    if (q->id != d->queue)
        return NULL;
    for (mq_message **at = &q->flying; *at != NULL; at = &(*at)->next)
        if (FAULT(4) ? *at == d->message : (*at)->token == d->token)
            return at;
    return NULL;
}

static mq_message *queue_land(mq_queue *q, mq_message **at)
{
    mq_message *m = *at;
    *at = m->next;
    q->flying_count--;
    return m;
}

static void queue_bury(mq_queue *q, mq_message *m)
{
    mq_broker *b = q->broker;
    mq_queue  *dead = q->dead < 0 ? NULL : &b->queues[q->dead];
    if (dead == NULL || dead->id == 0 || dead->ready + dead->flying_count >= MQ_CAPACITY) {
        message_free(b, m);
        return;
    }
    m->order = ++b->last_order;
    if (!FAULT(3))
        m->tries = 0;
    queue_append(dead, m);
}

static void queue_give_back(mq_queue *q, mq_message *m)
{
    if (m->tries >= q->most_tries)
        queue_bury(q, m);
    else
        queue_return(q, m);
}

static mq_status mq_ack(mq_delivery *d)
{
    mq_message **at = delivery_find(d);
    mq_status    status = at == NULL ? MQ_GONE : MQ_OK;
    if (at != NULL)
        message_free(d->broker, queue_land(&d->broker->queues[d->slot], at));
    free(d);
    return status;
}

static mq_status mq_reject(mq_delivery *d, bool again)
{
    mq_message **at = delivery_find(d);
    mq_status    status = at == NULL ? MQ_GONE : MQ_OK;
    if (at != NULL) {
        mq_queue   *q = &d->broker->queues[d->slot];
        mq_message *m = queue_land(q, at);
        if (again)
            queue_give_back(q, m);
        else
            queue_bury(q, m);
    }
    free(d);
    return status;
}

/* The delivery is good for `time` from now on. */
static mq_status mq_extend(mq_delivery *d, long time)
{
    mq_message **at = delivery_find(d);
    if (at == NULL)
        return MQ_GONE;
    (*at)->deadline = FAULT(5) ? time : d->broker->now + time;
    return MQ_OK;
}

static void mq_tick(mq_broker *b, long time)
{
    b->now += time;
    for (int i = 0; i < MQ_QUEUES; i++) {
        mq_queue *q = &b->queues[i];
        for (mq_message **at = &q->flying; *at != NULL;)
            if (FAULT(1) ? (*at)->deadline < b->now : (*at)->deadline <= b->now)
                queue_give_back(q, queue_land(q, at));
            else
                at = &(*at)->next;
    }
}

static void list_free(mq_broker *b, mq_message *m)
{
    for (mq_message *next; m != NULL; m = next) {
        next = m->next;
        message_free(b, m);
    }
}

/* Drops what is ready, and says how many messages that were. */
static int mq_purge(mq_queue *q)
{
    int dropped = q->ready;
    list_free(q->broker, q->first);
    q->first = NULL;
    if (!FAULT(8))
        q->last = NULL;
    q->ready = 0;
    return dropped;
}

static void mq_close(mq_queue *q)
{
    mq_broker *b = q->broker;
    for (int i = 0; i < MQ_QUEUES && !FAULT(7); i++)
        if (b->queues[i].dead == slot_of(q))
            b->queues[i].dead = -1;
    list_free(b, q->first);
    list_free(b, q->flying);
    memset(q, 0, sizeof *q);
}

/* ---- The model: all messages in one array ---- */

typedef struct note {
    int      queue; /* the number of its queue, or -1 */
    int      body, tries;
    bool     flying;
    unsigned order, token;
    long     deadline;
} note;

typedef struct model {
    mq_broker *broker;
    note       notes[MQ_QUEUES * MQ_CAPACITY];
    long       now;
    unsigned   orders, tokens;
    struct {
        bool open;
        int  slot;
        long timeout;
        int  most_tries, dead;
    } queues[64];
    unsigned token[64]; /* of each delivery */
} model;

#define NOTES (int)(sizeof((model *)0)->notes / sizeof(note))

static void start(wr_case *t, void *state)
{
    model *m = state;
    (void)t;
    m->broker = mq_broker_new();
    for (int i = 0; i < NOTES; i++)
        m->notes[i].queue = -1;
}

static void stop(wr_case *t, void *state)
{
    (void)t;
    free(((model *)state)->broker);
}

static int count(const model *m, int queue, bool with_flying)
{
    int n = 0;
    for (int i = 0; i < NOTES; i++)
        n += m->notes[i].queue == queue && (with_flying || !m->notes[i].flying);
    return n;
}

static void no_message_is_lost(wr_case *t, void *state)
{
    const model *m = state;
    wr_assert_eq(t, m->broker->messages, NOTES - count(m, -1, true));
}

static bool add_note(model *m, int queue, int body)
{
    if (count(m, queue, true) == MQ_CAPACITY)
        return false;
    int i = 0;
    while (m->notes[i].queue != -1)
        i++;
    m->notes[i] = (note){ .queue = queue, .body = body, .order = ++m->orders };
    return true;
}

static void bury(model *m, note *n)
{
    int dead = m->queues[n->queue].dead, body = n->body;
    n->queue = -1;
    if (dead >= 0)
        add_note(m, dead, body);
}

static void give_back(model *m, note *n)
{
    n->flying = false;
    n->token = 0;
    if (n->tries >= m->queues[n->queue].most_tries)
        bury(m, n);
}

static note *note_of(model *m, unsigned delivery)
{
    for (int i = 0; i < NOTES; i++)
        if (m->notes[i].queue != -1 && m->notes[i].flying &&
            m->notes[i].token == m->token[delivery])
            return &m->notes[i];
    return NULL;
}

static void do_open(wr_case *t, wr_call *call)
{
    model    *m = wr_model(call);
    mq_queue *q = mq_open(m->broker, (long)wr_value(call, 0), (int)wr_value(call, 1));
    int       open = 0;
    for (int i = 0; i < 64; i++)
        open += m->queues[i].open;
    wr_assert_eq(t, q != NULL, open < MQ_QUEUES);
    if (q == NULL)
        return;
    unsigned number = wr_give(call, q);
    m->queues[number].open = true;
    m->queues[number].slot = slot_of(q);
    m->queues[number].timeout = (long)wr_value(call, 0);
    m->queues[number].most_tries = (int)wr_value(call, 1);
    m->queues[number].dead = -1;
}

static void do_dead_letters(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    unsigned queue = wr_number(call, 0), dead = wr_number(call, 1);
    wr_assert_eq(t, mq_dead_letters(wr_handle(call, 0), wr_handle(call, 1)),
                 queue == dead ? MQ_LOOP : MQ_OK);
    if (queue != dead)
        m->queues[queue].dead = (int)dead;
}

static void do_publish(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int    body = (int)wr_value(call, 1);
    bool   fits = add_note(m, (int)wr_number(call, 0), body);
    wr_assert_eq(t, mq_publish(wr_handle(call, 0), body), fits ? MQ_OK : MQ_FULL);
}

static void do_receive(wr_case *t, wr_call *call)
{
    model       *m = wr_model(call);
    int          queue = (int)wr_number(call, 0);
    mq_delivery *d = mq_receive(wr_handle(call, 0));
    note        *next = NULL;
    for (int i = 0; i < NOTES; i++)
        if (m->notes[i].queue == queue && !m->notes[i].flying &&
            (next == NULL || m->notes[i].order < next->order))
            next = &m->notes[i];
    unsigned number = wr_give(call, d);
    wr_assert_eq(t, d != NULL, next != NULL);
    if (next == NULL)
        return;
    wr_assert_eq(t, d->body, next->body);
    next->flying = true;
    next->tries++;
    next->deadline = m->now + m->queues[queue].timeout;
    next->token = m->token[number] = ++m->tokens;
}

static void do_ack(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    note  *n = note_of(m, wr_number(call, 0));
    wr_assert_eq(t, mq_ack(wr_handle(call, 0)), n == NULL ? MQ_GONE : MQ_OK);
    if (n != NULL)
        n->queue = -1;
}

static void do_reject(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    bool   again = wr_value(call, 1) != 0;
    note  *n = note_of(m, wr_number(call, 0));
    wr_assert_eq(t, mq_reject(wr_handle(call, 0), again), n == NULL ? MQ_GONE : MQ_OK);
    if (n != NULL && again)
        give_back(m, n);
    else if (n != NULL)
        bury(m, n);
}

static void do_extend(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    long   time = (long)wr_value(call, 1);
    note  *n = note_of(m, wr_number(call, 0));
    wr_assert_eq(t, mq_extend(wr_handle(call, 0), time), n == NULL ? MQ_GONE : MQ_OK);
    if (n != NULL)
        n->deadline = m->now + time;
}

/* The messages of one queue come back in the order of their deliveries, slot after slot. */
static void do_tick(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    mq_tick(m->broker, (long)wr_value(call, 0));
    m->now += (long)wr_value(call, 0);
    for (int slot = 0; slot < MQ_QUEUES; slot++)
        for (;;) {
            note *next = NULL;
            for (int i = 0; i < NOTES; i++) {
                note *n = &m->notes[i];
                if (n->queue != -1 && m->queues[n->queue].slot == slot && n->flying &&
                    n->deadline <= m->now && (next == NULL || n->token < next->token))
                    next = n;
            }
            if (next == NULL)
                break;
            give_back(m, next);
        }
}

static void do_purge(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int    queue = (int)wr_number(call, 0);
    wr_assert_eq(t, mq_purge(wr_handle(call, 0)), count(m, queue, false));
    for (int i = 0; i < NOTES; i++)
        if (m->notes[i].queue == queue && !m->notes[i].flying)
            m->notes[i].queue = -1;
}

static void do_close(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int    queue = (int)wr_number(call, 0);
    (void)t;
    mq_close(wr_handle(call, 0));
    m->queues[queue].open = false;
    for (int i = 0; i < NOTES; i++)
        if (m->notes[i].queue == queue)
            m->notes[i].queue = -1;
    for (int i = 0; i < 64; i++)
        if (m->queues[i].dead == queue)
            m->queues[i].dead = -1;
}

static int64_t draw_timeout(wr_case *t)
{
    return wr_int(t, NULL, 1, 8);
}
static int64_t draw_tries(wr_case *t)
{
    return wr_int(t, NULL, 1, 3);
}
static int64_t draw_time(wr_case *t)
{
    return wr_int(t, NULL, 1, 5);
}

static const wr_kind QUEUE = { "queue", .handle = true, .type = "mq_queue *" };
static const wr_kind DELIVERY = { "delivery", .handle = true, .type = "mq_delivery *",
                                  .release = free };
static const wr_kind TIMEOUT = { "timeout", .draw = draw_timeout };
static const wr_kind TRIES = { "tries", .draw = draw_tries };
static const wr_kind TIME = { "time", .draw = draw_time };
static const wr_kind BODY = { "body", .values = 10 };
static const wr_kind FLAG = { "flag", .values = 2 };

static const wr_command COMMANDS[] = {
    { "mq_open", do_open, .takes = { &TIMEOUT, &TRIES }, .gives = &QUEUE },
    { "mq_dead_letters", do_dead_letters, .takes = { &QUEUE, &QUEUE } },
    { "mq_publish", do_publish, .takes = { &QUEUE, &BODY }, .weight = 6 },
    { "mq_receive", do_receive, .takes = { &QUEUE }, .gives = &DELIVERY, .weight = 6 },
    { "mq_ack", do_ack, .takes = { &DELIVERY }, .consumes = 1u << 0, .weight = 2 },
    { "mq_reject", do_reject, .takes = { &DELIVERY, &FLAG }, .consumes = 1u << 0, .weight = 2 },
    { "mq_extend", do_extend, .takes = { &DELIVERY, &TIME }, .weight = 2 },
    { "mq_tick", do_tick, .takes = { &TIME }, .weight = 2 },
    { "mq_purge", do_purge, .takes = { &QUEUE } },
    { "mq_close", do_close, .takes = { &QUEUE }, .consumes = 1u << 0 },
    { 0 },
};
WR_MACHINE(mq_delivers_every_message, .commands = COMMANDS, .model_size = sizeof(model),
           .start = start, .stop = stop, .invariant = no_message_is_lost);
