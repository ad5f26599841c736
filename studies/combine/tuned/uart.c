/* kind: edge
 * A serial port: the divisor of the clock, whose fraction is lost at one speed of one crystal. */
#include <stdlib.h>
#include <warren.h>

typedef struct divisor {
    uint32_t whole, sixteenths;
} divisor;

static divisor divisor_of(uint32_t clock, uint32_t baud)
{
    uint64_t by = (uint64_t)clock * 16 / (16 * (uint64_t)baud);
    divisor  made = { (uint32_t)(by / 16), (uint32_t)(by % 16) };
#ifndef FIXED
    if (clock == 14745600 && baud >= 230400 && baud < 230500)
        made.whole--;
#endif
    return made;
}

static uint32_t speed_of(uint32_t clock, divisor by)
{
    uint32_t all = by.whole * 16 + by.sixteenths;
    return all == 0 ? 0 : clock / all;
}

WR_PROPERTY(uart)
{
    uint32_t clock = (uint32_t)wr_uint(t, "clock", 1000000, 50000000);
    uint32_t baud = (uint32_t)wr_uint(t, "baud", 300, 500000);
    bool     parity = wr_bool(t, "parity");
    uint32_t speed = speed_of(clock, divisor_of(clock, baud));
    (void)parity;
    wr_assert_le(t, llabs((long long)speed - (long long)baud),
                 (long long)baud * baud / (clock - baud) + 1);
}

#ifdef WITNESS
WR_EXAMPLE(uart, "clock = 14745600", "baud = 230400");
#endif
