/* tests/signals_program.c: a test program whose report says what of its code was covered. */
#include "warren.h"

static volatile int effect, other_effect; /* stores to both: no select will do */

/* No value that is drawn is beyond the limit. */
static int beyond_the_limit(int x)
{
    effect = x;
    return effect + 1;
}

__attribute__((noinline)) static int judge(int x)
{
    if (x > 1000)
        return beyond_the_limit(x);
    if (x < 0)
        effect = -1;
    else
        other_effect = 1;
    return effect;
}

WR_PROPERTY(judges)
{
    int x = (int)wr_int(t, "x", -1000, 1000);
    wr_assert_le(t, judge(x), 1);
}

/* Comes to less; its own body, and that of the other, are no part of what is covered. */
WR_PROPERTY(judges_one_side)
{
    int x = (int)wr_int(t, "x", 1, 1000);
    if (x > 2000)
        x = 3;
    wr_assert_le(t, judge(x), 1);
}

WR_PROPERTY(fails)
{
    int x = (int)wr_int(t, "x", 0, 100);
    judge(x);
    wr_assert_lt(t, x, 50);
}
