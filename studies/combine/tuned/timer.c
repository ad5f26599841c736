/* kind: edge
 * A timer on a clock of 32 bits that wraps: one that is due at tick 0 is taken for none. */
#include <warren.h>

#define LONGEST 0x7fffffff

typedef struct timer {
    bool     armed;
    uint32_t due; /* a tick */
} timer;

static void arm(timer *one, uint32_t now, uint32_t delay)
{
    one->due = now + delay;
#ifndef FIXED
    one->armed = one->due != 0;
#else
    one->armed = true;
#endif
}

/* Is it time? A timer fires once. */
static bool fires(timer *one, uint32_t now)
{
    if (!one->armed || (int32_t)(now - one->due) < 0)
        return false;
    one->armed = false;
    one->due = 0;
    return true;
}

static bool pending(const timer *one)
{
    return one->armed;
}

WR_PROPERTY(timer)
{
    timer    one = { false, 0 };
    uint32_t now = wr_u32(t, "now");
    uint32_t delay = (uint32_t)wr_int(t, "delay", 1, LONGEST);
    uint32_t passed = (uint32_t)wr_int(t, "passed", 0, LONGEST);
    arm(&one, now, delay);
    bool fired = fires(&one, now + passed);
    wr_assert_eq(t, fired, passed >= delay);
    wr_assert_eq(t, pending(&one), !fired);
}

#ifdef WITNESS
WR_EXAMPLE(timer, "now = 4294967295", "delay = 1");
#endif
