/* kind: arithmetic
 * Rescaling a time stamp with rounding: the fast path checks that the product fits 32 bits, but
 * not the half that is added to it.
 */
#include <warren.h>

typedef struct timebase {
    uint32_t num, den; /* den > 0 */
} timebase;

/* v * num / den, rounded; halves go up. */
static uint64_t rescale(uint32_t v, timebase b)
{
    uint32_t whole = v / b.den, rest = v % b.den;
    uint64_t result = (uint64_t)whole * b.num;
    if (b.num == 0)
        return 0;
#ifndef FIXED
    if (rest <= UINT32_MAX / b.num) {
#else
    if (rest <= (UINT32_MAX - b.den / 2) / b.num) {
#endif
        uint32_t product = rest * b.num;
        return result + (product + b.den / 2) / b.den;
    }
    return result + ((uint64_t)rest * b.num + b.den / 2) / b.den;
}

/* Leaves out what both share. */
static timebase reduced(timebase b)
{
    uint32_t x = b.num, y = b.den;
    while (x != 0) {
        uint32_t r = y % x;
        y = x;
        x = r;
    }
    return (timebase){ b.num / y, b.den / y };
}

WR_PROPERTY(mul_ratio)
{
    uint32_t stamp = wr_u32(t, "stamp");
    timebase b;
    b.num = (uint32_t)wr_uint(t, "num", 0, 200000);
    b.den = (uint32_t)wr_uint(t, "den", 1, 200000);
    bool     reduce = wr_bool(t, "reduce");
    uint64_t got = rescale(stamp, reduce ? reduced(b) : b);
    uint64_t product = (uint64_t)stamp * b.num;
    /* twice the distance is at most the divisor */
    uint64_t back = got * b.den;
    uint64_t off = back > product ? back - product : product - back;
    wr_assert_le(t, 2 * off, b.den);
}

#ifdef WITNESS
WR_EXAMPLE(mul_ratio, "stamp = 65537", "num = 65535", "den = 70000");
#endif
