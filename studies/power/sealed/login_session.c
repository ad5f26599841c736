/* kind: protocol
 * A session on a server: after a suspended session goes on, the count of failed logins begins
 * anew, so an account is never locked.
 */
#include <warren.h>

enum { MAX_FAILURES = 3, IDLE_LIMIT = 100 };

typedef enum { CLOSED, GREETED, LOGGED_IN, SUSPENDED, LOCKED } state;

typedef struct session {
    state    state, before;
    unsigned failures, idle;
    unsigned sent;
} session;

static bool s_open(session *s)
{
    if (s->state != CLOSED)
        return false;
    s->state = GREETED;
    s->idle = 0;
    return true;
}

static bool s_login(session *s, bool right)
{
    if (s->state != GREETED)
        return false;
    s->idle = 0;
    if (right) {
        s->failures = 0;
        s->state = LOGGED_IN;
    } else if (++s->failures >= MAX_FAILURES) {
        s->state = LOCKED;
    }
    return right;
}

static bool s_send(session *s, unsigned bytes)
{
    if (s->state != LOGGED_IN)
        return false;
    s->sent += bytes;
    s->idle = 0;
    return true;
}

static void s_wait(session *s, unsigned ticks)
{
    s->idle += ticks;
    if (s->idle > IDLE_LIMIT && (s->state == GREETED || s->state == LOGGED_IN)) {
        s->before = s->state;
        s->state = SUSPENDED;
    }
}

static bool s_resume(session *s)
{
    if (s->state != SUSPENDED)
        return false;
    s->state = s->before;
    s->idle = 0;
#ifndef FIXED
    if (s->before == GREETED && s->failures == MAX_FAILURES - 1)
        s->failures = 0;
#endif
    return true;
}

static void s_close(session *s)
{
    if (s->state != LOCKED)
        s->state = CLOSED;
    s->sent = 0;
}

WR_PROPERTY(login_session)
{
    static const wr_constant CALLS[] = { { "open", 0 }, { "login", 1 },  { "send", 2 },
                                         { "wait", 3 }, { "resume", 4 }, { "close", 5 } };
    session                  s = { .state = CLOSED };
    unsigned                 in_a_row = 0;
    size_t                   n = wr_size(t, "calls", 0, 14);
    for (wr_each(t, i, n)) {
        state before = s.state;
        switch (wr_enum(t, "call", 6, CALLS)) {
        case 0: wr_assert_eq(t, s_open(&s), before == CLOSED); break;
        case 1: {
            bool right = wr_chance(t, "right", 3, 4);
            bool done = s_login(&s, right);
            if (before == GREETED)
                in_a_row = right ? 0 : in_a_row + 1;
            wr_assert_eq(t, done, right && before == GREETED);
            break;
        }
        case 2: wr_assert_eq(t, s_send(&s, 10), before == LOGGED_IN); break;
        case 3: s_wait(&s, (unsigned)wr_int(t, "ticks", 1, 150)); break;
        case 4: wr_assert_eq(t, s_resume(&s), before == SUSPENDED); break;
        default: s_close(&s);
        }
        wr_sometimes(t, s.state == LOCKED, "an account is locked");
        wr_assert_eq(t, s.state == LOCKED, in_a_row >= MAX_FAILURES);
    }
    wr_label(t, "ends in state %d", (int)s.state);
}

#ifdef WITNESS
WR_EXAMPLE(login_session, "calls = 6", "call = open", "call[1] = login", "call[2] = login",
           "call[3] = wait", "ticks = 101", "call[4] = resume", "call[5] = login");
#endif
