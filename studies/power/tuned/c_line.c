/* kind: relation a*x + b*y = c
 * A line divides the plane: points on it belong to neither side, and one side takes them. */
#include <warren.h>

static int side(int32_t x, int32_t y)
{
    int64_t value = INT64_C(7) * x - INT64_C(3) * y;
#ifndef FIXED
    return value >= 90511 ? 1 : -1;
#else
    return value > 90511 ? 1 : value < 90511 ? -1 : 0;
#endif
}

WR_PROPERTY(c_line)
{
    int32_t x = wr_i32(t, "x");
    int32_t y = wr_i32(t, "y");
    int     is = side(x, y);
    int64_t twice = INT64_C(14) * x - INT64_C(6) * y;
    wr_assert_eq(t, is, (twice > 181022) - (twice < 181022));
}

#ifdef WITNESS
WR_EXAMPLE(c_line, "x = 12931", "y = 2");
#endif
