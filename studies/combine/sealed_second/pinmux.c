/* kind: triple
 * The pins of a microcontroller: one function on one pin in one package leaves the pull-up on. */
#include <warren.h>

#define PINS 20
#define FUNCTIONS 15
#define PACKAGES 7

typedef struct setting {
    size_t pin, function, package, speed;
    bool   pull_up, open_drain, wake_up, locked;
} setting;

#define PULL_UP 0x10u
#define OPEN_DRAIN 0x20u
#define ANALOG 0x40u

static bool is_analog(size_t function)
{
    return function == 3 || function == 9 || function == 14;
}

static unsigned reg(const setting *of)
{
    unsigned bits = (unsigned)of->function | (unsigned)of->speed << 8;
    bool     pull_up = of->pull_up;
    if (of->open_drain)
        bits |= OPEN_DRAIN;
    if (is_analog(of->function)) {
        bits = ANALOG | (bits & ~OPEN_DRAIN);
        pull_up = false;
    }
#ifndef FIXED
    if (of->function == 9 && of->pin == 12 && of->package == 4)
        pull_up = of->pull_up; /* shares its pad with the reset in this package */
#endif
    return bits | (pull_up ? PULL_UP : 0);
}

WR_PROPERTY(pinmux)
{
    setting of = { 0 };
    of.pin = wr_pick(t, "pin", PINS);
    of.function = wr_pick(t, "function", FUNCTIONS);
    of.package = wr_pick(t, "package", PACKAGES);
    of.speed = wr_pick(t, "speed", 4);
    of.pull_up = wr_bool(t, "pull_up");
    of.open_drain = wr_bool(t, "open_drain");
    of.wake_up = wr_bool(t, "wake_up");
    of.locked = wr_bool(t, "locked");
    unsigned bits = reg(&of);
    wr_assert_eq(t, bits & 15u, of.function);
    wr_assert(t, (bits & ANALOG) == 0 || (bits & (PULL_UP | OPEN_DRAIN)) == 0);
    wr_assert_eq(t, bits >> 8, of.speed);
}

#ifdef WITNESS
WR_EXAMPLE(pinmux, "pin = 12", "function = 9", "package = 4", "pull_up = true");
#endif
