/* wheel.c: a timer wheel of two levels with a logical clock, as a machine. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <warren.h>

#include "faults.h"

#define TIMERS 8     /* of a wheel */
#define MOST_ARMED 5 /* at a time */
#define SLOTS 8      /* of a level */
#define LONGEST_DELAY 63
#define SLOT_ROOM 16

/* ---- The library ---- */

typedef struct timer {
    bool     used, armed;
    int      level, slot; /* where it waits */
    unsigned expires;
    unsigned period; /* 0: fires once */
    int      fired;
} timer;

typedef struct slot {
    timer *timers[SLOT_ROOM];
    int    count;
} slot;

typedef struct wheel {
    unsigned now;
    int      armed;
    slot     levels[2][SLOTS]; /* slots of one tick, and of eight */
    timer    timers[TIMERS];
} wheel;

/* NULL: there are too many. */
static timer *timer_new(wheel *w)
{
    for (int i = 0; i < TIMERS; i++) {
        timer *t = &w->timers[i];
        if (t->used)
            continue;
        t->used = true;
        t->armed = false;
        if (!FAULT(5))
            t->period = 0;
        t->fired = 0;
        return t;
    }
    return NULL;
}

static void enter(wheel *w, timer *t, bool cascading)
{
    unsigned delay = t->expires - w->now;
    int      level = delay < SLOTS ? 0 : 1;
    int      place = (int)((level == 0 ? t->expires : t->expires / SLOTS) % SLOTS);
    slot    *s = &w->levels[level][place];
    if (s->count == SLOT_ROOM)
        return;
    s->timers[s->count++] = t;
    if (FAULT(4) && cascading)
        return; /* the timer does not know that it has moved */
    t->level = level;
    t->slot = place;
}

static void leave(wheel *w, timer *t)
{
    slot *s = &w->levels[t->level][t->slot];
    for (int i = 0; i < s->count; i++) {
        if (s->timers[i] == t) {
            s->timers[i] = s->timers[--s->count];
            return;
        }
    }
}

static void arm(wheel *w, timer *t, unsigned delay)
{
    if (t->armed && !(FAULT(3) && t->level == 1))
        leave(w, t);
    w->armed += !t->armed;
    t->armed = true;
    t->expires = w->now + delay;
    enter(w, t, false);
}

/* Starts a timer, or starts it anew. False: the delay is not 1..63, or too many are armed. */
static bool timer_start(wheel *w, timer *t, unsigned delay, unsigned period)
{
    if (delay == 0 || (FAULT(7) ? delay > LONGEST_DELAY + 1 : delay > LONGEST_DELAY))
        return false;
    if (!t->armed && w->armed == MOST_ARMED)
        return false;
    t->period = period;
    arm(w, t, delay);
    return true;
}

/* Starts a periodic timer anew, with its period as the delay. False: it is not periodic, or too
 * many are armed. */
static bool timer_again(wheel *w, timer *t)
{
    if (t->period == 0 || (!t->armed && w->armed == MOST_ARMED))
        return false;
    arm(w, t, t->period);
    return true;
}

/* False: it was not armed. */
static bool timer_cancel(wheel *w, timer *t)
{
    if (!t->armed)
        return false;
    leave(w, t);
    t->armed = false;
    if (!FAULT(6) || t->period == 0)
        w->armed--;
    return true;
}

/* How many ticks until it fires, or -1. */
static int timer_left(const wheel *w, const timer *t)
{
    return t->armed ? (int)(t->expires - w->now) : -1;
}

static void timer_free(wheel *w, timer *t)
{
    timer_cancel(w, t);
    t->used = false;
}

static void cascade(wheel *w)
{
    slot *from = &w->levels[1][w->now / SLOTS % SLOTS];
    slot  all = *from;
    from->count = 0;
    for (int i = 0; i < all.count; i++)
        enter(w, all.timers[i], true);
}

static void fire(wheel *w, timer *t, unsigned end)
{
    t->fired++;
    if (t->period > 0) {
        t->expires = (FAULT(2) && t->period >= SLOTS ? end : w->now) + t->period;
        enter(w, t, false);
    } else {
        t->armed = false;
        w->armed--;
    }
}

static void wheel_advance(wheel *w, unsigned ticks)
{
    unsigned end = w->now + ticks;
    while (w->now != end) {
        w->now++;
        if (!FAULT(1) && w->now % SLOTS == 0)
            cascade(w);
        slot *s = &w->levels[0][w->now % SLOTS];
        slot  due = *s;
        s->count = 0;
        for (int i = 0; i < due.count; i++)
            fire(w, due.timers[i], end);
        if (FAULT(1) && w->now % SLOTS == 0)
            cascade(w); /* too late for those that are due now */
    }
}

/* ---- The model: when each timer is due ---- */

typedef struct alarm {
    timer   *timer;
    bool     armed;
    unsigned due, period;
    int      fired;
} alarm;

typedef struct model {
    wheel    wheel;
    unsigned now;
    alarm    alarms[64];
} model;

static int count_armed(const model *m)
{
    int count = 0;
    for (int i = 0; i < 64; i++)
        count += m->alarms[i].armed;
    return count;
}

static int count_timers(const model *m)
{
    int count = 0;
    for (int i = 0; i < 64; i++)
        count += m->alarms[i].timer != NULL;
    return count;
}

static void firings_agree(wr_case *t, void *state)
{
    const model *m = state;
    for (int i = 0; i < 64; i++)
        if (m->alarms[i].timer != NULL)
            wr_assert_eq(t, m->alarms[i].timer->fired, m->alarms[i].fired);
}

/* ---- The commands ---- */

static int64_t draw_delay(wr_case *t)
{
    return wr_int(t, NULL, 0, 70);
}

static int64_t draw_period(wr_case *t)
{
    return wr_int(t, NULL, 0, 20);
}

static int64_t draw_ticks(wr_case *t)
{
    return wr_int(t, NULL, 1, 30);
}

static const wr_kind TIMER = { "timer", .handle = true, .type = "timer *" };
static const wr_kind DELAY = { "delay", .draw = draw_delay };
static const wr_kind PERIOD = { "period", .draw = draw_period };
static const wr_kind TICKS = { "ticks", .draw = draw_ticks };

static alarm *alarm_of(wr_call *call)
{
    model *m = wr_model(call);
    return &m->alarms[wr_number(call, 0)];
}

static void do_new(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    timer *got = timer_new(&m->wheel);
    wr_assert_eq(t, got != NULL, count_timers(m) < TIMERS);
    if (got != NULL)
        m->alarms[wr_give(call, got)] = (alarm){ .timer = got };
}

static void do_start(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    alarm   *a = alarm_of(call);
    unsigned delay = (unsigned)wr_value(call, 1), period = (unsigned)wr_value(call, 2);
    bool can = delay >= 1 && delay <= LONGEST_DELAY && (a->armed || count_armed(m) < MOST_ARMED);
    wr_assert_eq(t, timer_start(&m->wheel, a->timer, delay, period), can);
    if (can) {
        a->armed = true;
        a->due = m->now + delay;
        a->period = period;
    }
}

static void do_again(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    alarm *a = alarm_of(call);
    bool   can = a->period > 0 && (a->armed || count_armed(m) < MOST_ARMED);
    wr_assert_eq(t, timer_again(&m->wheel, a->timer), can);
    if (can) {
        a->armed = true;
        a->due = m->now + a->period;
    }
}

static void do_cancel(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    alarm *a = alarm_of(call);
    wr_assert_eq(t, timer_cancel(&m->wheel, a->timer), a->armed);
    a->armed = false;
}

static void do_left(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    alarm *a = alarm_of(call);
    wr_assert_eq(t, timer_left(&m->wheel, a->timer), a->armed ? (int)(a->due - m->now) : -1);
}

static void do_free(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    timer_free(&m->wheel, wr_handle(call, 0));
    memset(alarm_of(call), 0, sizeof(alarm));
}

static void do_advance(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    unsigned ticks = (unsigned)wr_value(call, 0);
    (void)t;
    wheel_advance(&m->wheel, ticks);
    m->now += ticks;
    for (int i = 0; i < 64; i++) {
        alarm *a = &m->alarms[i];
        while (a->armed && a->due <= m->now) {
            a->fired++;
            a->armed = a->period > 0;
            a->due += a->period;
        }
    }
}

static const wr_command COMMANDS[] = {
    { "timer_new", do_new, .gives = &TIMER, .weight = 2 },
    { "timer_start", do_start, .takes = { &TIMER, &DELAY, &PERIOD }, .weight = 4 },
    { "timer_again", do_again, .takes = { &TIMER } },
    { "timer_cancel", do_cancel, .takes = { &TIMER }, .weight = 2 },
    { "timer_left", do_left, .takes = { &TIMER }, .observer = true },
    { "timer_free", do_free, .takes = { &TIMER }, .consumes = 1u << 0 },
    { "wheel_advance", do_advance, .takes = { &TICKS }, .weight = 3 },
    { 0 },
};
WR_MACHINE(wheel_fires_in_time, .commands = COMMANDS, .model_size = sizeof(model),
           .invariant = firings_agree);
