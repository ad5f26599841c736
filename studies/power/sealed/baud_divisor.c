/* kind: edge
 * A serial port's divisor: at exactly 460800 baud the divisor is for sampling 16 times, but the
 * register says 8 times.
 */
#include <warren.h>

enum { FAST_ABOVE = 460800 };

typedef struct registers {
    uint32_t divisor; /* of the clock, in eighths */
    bool     eightfold, parity, odd, two_stops;
    uint8_t  bits;
} registers;

static bool set_up(uint32_t clock, uint32_t baud, uint8_t bits, char parity, bool two_stops,
                   registers *r)
{
    if (baud == 0 || bits < 5 || bits > 8 || (two_stops && bits == 5))
        return false;
    uint32_t samples = baud > FAST_ABOVE ? 8 : 16;
    uint64_t eighths = ((uint64_t)clock * 8 + (uint64_t)baud * samples / 2) / baud / samples;
    if (eighths < 8 || eighths > 0xffff * 8)
        return false;
    r->divisor = (uint32_t)eighths;
#ifndef FIXED
    r->eightfold = baud >= FAST_ABOVE;
#else
    r->eightfold = samples == 8;
#endif
    r->bits = bits;
    r->parity = parity != 'n';
    r->odd = parity == 'o';
    r->two_stops = two_stops;
    return true;
}

WR_PROPERTY(baud_divisor)
{
    static const uint32_t CLOCKS[] = { 1843200, 7372800, 48000000, 100000000 };
    uint32_t              clock = CLOCKS[wr_pick(t, "clock", 4)];
    uint32_t              baud = (uint32_t)wr_uint(t, "baud", 1, 1000000);
    uint8_t               bits = (uint8_t)wr_int(t, "bits", 5, 9);
    char                  parity = "neo"[wr_pick(t, "parity", 3)];
    bool                  two_stops = wr_bool(t, "two_stops");
    registers             r;
    if (!set_up(clock, baud, bits, parity, two_stops, &r))
        return;
    /* What the port does with these registers. */
    double real = clock * 8.0 / r.divisor / (r.eightfold ? 8 : 16);
    wr_assert_between(t, real / baud, 0.93, 1.07);
    wr_assert_eq(t, r.bits, bits);
    wr_assert_eq(t, r.parity, parity != 'n');
}

#ifdef WITNESS
WR_EXAMPLE(baud_divisor, "clock = 2", "baud = 460800", "bits = 8");
#endif
