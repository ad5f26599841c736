/* limiter.c: how often may clients do something? Each has a bucket of tokens that fills up with
 * time, and may not come too often within a window, however many tokens there are. Who is refused
 * three times in a row is banned for a while. A limiter knows only a few clients; it forgets the
 * one that has not come for the longest time. Copies of a limiter share settings until one
 * changes them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <warren.h>

#include "faults.h"

/* ---- The library ---- */

#define KNOWN 3
#define PERIOD 6 /* `rate` tokens come in that time */
#define WINDOW 16
#define WINDOW_MOST 6
#define STRIKES 3
#define BAN 20

typedef enum { ALLOWED, DENIED, BANNED, TOO_MUCH, BUSY } verdict;

typedef struct settings {
    int refs;
    int rate, burst;
} settings;

typedef struct client {
    bool     used;
    int      name;
    int      tokens, rest; /* rest: of a token, in parts of PERIOD */
    uint32_t last;         /* when tokens were counted */
    uint32_t until;        /* banned till then */
    int      strikes;
    uint32_t seen;
    uint32_t grants[WINDOW_MOST + 1]; /* a ring of times */
    int      first, count;
} client;

typedef struct limiter {
    settings *settings;
    uint32_t  now, serial;
    client    clients[KNOWN];
} limiter;

static settings *settings_new(int rate, int burst)
{
    settings *s = calloc(1, sizeof *s);
    if (s == NULL)
        abort();
    s->refs = 1;
    s->rate = rate;
    s->burst = burst;
    return s;
}

static void settings_drop(settings *s)
{
    if (--s->refs == 0)
        free(s);
}

static limiter *limiter_new(int rate, int burst)
{
    limiter *l = calloc(1, sizeof *l);
    if (l == NULL)
        abort();
    l->settings = settings_new(rate, burst);
    return l;
}

static limiter *limiter_copy(const limiter *l)
{
    limiter *copy = calloc(1, sizeof *copy);
    if (copy == NULL)
        abort();
    *copy = *l;
    copy->settings->refs++;
    return copy;
}

static void limiter_free(limiter *l)
{
    settings_drop(l->settings);
    free(l);
}

static client *find(limiter *l, int name)
{
    for (int i = 0; i < KNOWN; i++)
        if (l->clients[i].used && l->clients[i].name == name)
            return &l->clients[i];
    return NULL;
}

static bool is_banned(const limiter *l, const client *c)
{
    return c->until > l->now;
}

/* NULL: all that are known are banned. */
static client *enter(limiter *l, int name)
{
    client *c = NULL;
    for (int i = 0; i < KNOWN; i++) {
        client *other = &l->clients[i];
        if (!other->used) {
            c = other;
            break;
        }
        if (!is_banned(l, other) && (c == NULL || other->seen < c->seen))
            c = other;
    }
    if (c == NULL)
        return NULL;
    memset(c, 0, sizeof *c);
    c->used = true;
    c->name = name;
    c->tokens = l->settings->burst;
    c->last = l->now;
    return c;
}

static void refill(const limiter *l, client *c)
{
    uint32_t elapsed = FAULT(8) ? (uint8_t)(l->now - c->last) : l->now - c->last;
    int      parts;
    if (elapsed == 0)
        return;
    if (elapsed > 1000) /* full by then */
        elapsed = 1000;
    parts = c->rest + (int)elapsed * l->settings->rate;
    c->tokens += parts / PERIOD;
    c->rest = FAULT(2) ? 0 : parts % PERIOD;
    if (c->tokens >= l->settings->burst) {
        c->tokens = l->settings->burst;
        c->rest = 0;
    }
    c->last = l->now;
}

static void prune(const limiter *l, client *c)
{
    while (c->count > 0 && l->now - c->grants[c->first] >= WINDOW) {
        c->first = (c->first + 1) % (WINDOW_MOST + 1);
        c->count--;
    }
}

static verdict limiter_allow(limiter *l, int name, int cost)
{
    client *c = find(l, name);
    int     burst = l->settings->burst;
    if (FAULT(3) ? cost >= burst : cost > burst)
        return TOO_MUCH;
    if (c == NULL)
        c = enter(l, name);
    if (c == NULL)
        return BUSY;
    c->seen = FAULT(5) ? l->now : ++l->serial;
    if (is_banned(l, c))
        return BANNED;
    refill(l, c);
    prune(l, c);
    bool often = FAULT(6) ? c->count > WINDOW_MOST : c->count >= WINDOW_MOST;
    if (c->tokens < cost || often) {
        if (++c->strikes == STRIKES) {
            c->until = l->now + BAN;
            c->strikes = 0;
        }
        return DENIED;
    }
    c->tokens -= cost;
    c->strikes = 0;
    c->grants[(c->first + c->count++) % (WINDOW_MOST + 1)] = l->now;
    return ALLOWED;
}

static int limiter_tokens(limiter *l, int name)
{
    client *c = find(l, name);
    if (c == NULL)
        return l->settings->burst;
    if (is_banned(l, c))
        return 0;
    refill(l, c);
    return c->tokens;
}

/* Grants within the window. */
static int limiter_recent(limiter *l, int name)
{
    client *c = find(l, name);
    if (c == NULL)
        return 0;
    prune(l, c);
    return c->count;
}

/* Was it banned? In any case it has no strikes then. */
static bool limiter_pardon(limiter *l, int name)
{
    client *c = find(l, name);
    if (c == NULL || (FAULT(4) && !is_banned(l, c)))
        return false;
    bool was = is_banned(l, c);
    c->until = 0;
    c->strikes = 0;
    return was;
}

static void limiter_set(limiter *l, int rate, int burst)
{
    for (int i = 0; i < KNOWN; i++)
        if (l->clients[i].used)
            refill(l, &l->clients[i]); /* at the old rate */
    if (FAULT(7) || l->settings->refs == 1) {
        l->settings->rate = rate;
        l->settings->burst = burst;
    } else {
        settings_drop(l->settings);
        l->settings = settings_new(rate, burst);
    }
    for (int i = 0; i < KNOWN && !FAULT(1); i++)
        if (l->clients[i].tokens >= burst) {
            l->clients[i].tokens = burst;
            l->clients[i].rest = 0;
        }
}

static void limiter_tick(limiter *l, int time)
{
    l->now += (uint32_t)time;
}

/* ---- The model: all clients of all limiters, counted at each tick ---- */

#define CLIENTS 4

typedef struct person {
    bool known;
    int  parts; /* of tokens, PERIOD each */
    int  ban;   /* ticks left */
    int  strikes;
    int  order;
    int  ages[WINDOW_MOST]; /* of grants */
    int  grants;
} person;

typedef struct rules {
    int    rate, burst, order;
    person people[CLIENTS];
} rules;

typedef struct model {
    rules limiters[64];
} model;

static void release_limiter(void *handle)
{
    limiter_free(handle);
}

static int64_t draw_rate(wr_case *t)
{
    return wr_int(t, NULL, 1, 3);
}
static int64_t draw_burst(wr_case *t)
{
    return wr_int(t, NULL, 1, 12);
}
static int64_t draw_cost(wr_case *t)
{
    return wr_int(t, NULL, 1, 3);
}
static int64_t draw_time(wr_case *t)
{
    return wr_int(t, NULL, 1, 120);
}
static void show_client(wr_out *out, int64_t value)
{
    wr_put(out, "'%c'", (int)('a' + value));
}

static const wr_kind LIMITER = { "limiter", .handle = true, .type = "limiter *",
                                 .release = release_limiter };
static const wr_kind CLIENT = { "client", .values = CLIENTS, .show = show_client };
static const wr_kind RATE = { "rate", .draw = draw_rate };
static const wr_kind BURST = { "burst", .draw = draw_burst };
static const wr_kind COST = { "cost", .draw = draw_cost };
static const wr_kind TIME = { "time", .draw = draw_time };

static rules *rules_of(const wr_call *call)
{
    model *m = wr_model(call);
    return &m->limiters[wr_number(call, 0)];
}

static person *person_of(const wr_call *call)
{
    return &rules_of(call)->people[wr_value(call, 1)];
}

static void do_new(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int    rate = (int)wr_value(call, 0), burst = (int)wr_value(call, 1);
    rules *r = &m->limiters[wr_give(call, limiter_new(rate, burst))];
    (void)t;
    memset(r, 0, sizeof *r);
    r->rate = rate;
    r->burst = burst;
}

static void do_copy(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    m->limiters[wr_give(call, limiter_copy(wr_handle(call, 0)))] = *rules_of(call);
}

static void do_free(wr_case *t, wr_call *call)
{
    (void)t;
    limiter_free(wr_handle(call, 0));
}

static person *model_enter(rules *r, int name)
{
    person *p = &r->people[name], *oldest = NULL;
    int     known = 0;
    if (p->known)
        return p;
    for (int i = 0; i < CLIENTS; i++) {
        person *other = &r->people[i];
        known += other->known;
        if (other->known && other->ban == 0 && (oldest == NULL || other->order < oldest->order))
            oldest = other;
    }
    if (known == KNOWN && oldest == NULL)
        return NULL;
    if (known == KNOWN)
        memset(oldest, 0, sizeof *oldest);
    p->known = true;
    p->parts = r->burst * PERIOD;
    return p;
}

static verdict model_allow(rules *r, int name, int cost)
{
    if (cost > r->burst)
        return TOO_MUCH;
    person *p = model_enter(r, name);
    if (p == NULL)
        return BUSY;
    p->order = ++r->order;
    if (p->ban > 0)
        return BANNED;
    if (p->parts < cost * PERIOD || p->grants == WINDOW_MOST) {
        if (++p->strikes == STRIKES) {
            p->ban = BAN;
            p->strikes = 0;
        }
        return DENIED;
    }
    p->parts -= cost * PERIOD;
    p->strikes = 0;
    p->ages[p->grants++] = 0;
    return ALLOWED;
}

static void do_allow(wr_case *t, wr_call *call)
{
    int name = (int)wr_value(call, 1), cost = (int)wr_value(call, 2);
    wr_assert_eq(t, limiter_allow(wr_handle(call, 0), name, cost),
                 model_allow(rules_of(call), name, cost));
}

static void do_tokens(wr_case *t, wr_call *call)
{
    const person *p = person_of(call);
    int expected = !p->known ? rules_of(call)->burst : p->ban > 0 ? 0 : p->parts / PERIOD;
    wr_assert_eq(t, limiter_tokens(wr_handle(call, 0), (int)wr_value(call, 1)), expected);
}

static void do_recent(wr_case *t, wr_call *call)
{
    const person *p = person_of(call);
    wr_assert_eq(t, limiter_recent(wr_handle(call, 0), (int)wr_value(call, 1)), p->grants);
}

static void do_pardon(wr_case *t, wr_call *call)
{
    person *p = person_of(call);
    wr_assert_eq(t, limiter_pardon(wr_handle(call, 0), (int)wr_value(call, 1)), p->ban > 0);
    p->ban = 0;
    p->strikes = 0;
}

static void cap(const rules *r, person *p)
{
    if (p->parts > r->burst * PERIOD)
        p->parts = r->burst * PERIOD;
}

static void do_set(wr_case *t, wr_call *call)
{
    rules *r = rules_of(call);
    (void)t;
    r->rate = (int)wr_value(call, 1);
    r->burst = (int)wr_value(call, 2);
    limiter_set(wr_handle(call, 0), r->rate, r->burst);
    for (int i = 0; i < CLIENTS; i++)
        cap(r, &r->people[i]);
}

static void do_tick(wr_case *t, wr_call *call)
{
    rules *r = rules_of(call);
    int    time = (int)wr_value(call, 1);
    (void)t;
    limiter_tick(wr_handle(call, 0), time);
    for (int i = 0; i < CLIENTS; i++) {
        person *p = &r->people[i];
        if (!p->known)
            continue;
        p->parts += time * r->rate;
        cap(r, p);
        p->ban = p->ban > time ? p->ban - time : 0;
        int kept = 0;
        for (int j = 0; j < p->grants; j++)
            if (p->ages[j] + time < WINDOW)
                p->ages[kept++] = p->ages[j] + time;
        p->grants = kept;
    }
}

static const wr_command COMMANDS[] = {
    { "limiter_new", do_new, .takes = { &RATE, &BURST }, .gives = &LIMITER },
    { "limiter_copy", do_copy, .takes = { &LIMITER }, .gives = &LIMITER },
    { "limiter_free", do_free, .takes = { &LIMITER }, .consumes = 1u << 0, .weight = 3 },
    { "limiter_allow", do_allow, .takes = { &LIMITER, &CLIENT, &COST }, .weight = 8 },
    { "limiter_tokens", do_tokens, .takes = { &LIMITER, &CLIENT } },
    { "limiter_recent", do_recent, .takes = { &LIMITER, &CLIENT } },
    { "limiter_pardon", do_pardon, .takes = { &LIMITER, &CLIENT }, .weight = 2 },
    { "limiter_set", do_set, .takes = { &LIMITER, &RATE, &BURST } },
    { "limiter_tick", do_tick, .takes = { &LIMITER, &TIME }, .weight = 3 },
    { 0 },
};

WR_MACHINE(limiters_keep_their_rules, .commands = COMMANDS, .model_size = sizeof(model));
