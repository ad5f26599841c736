/* kind: magic number
 * Numbers of tickets: a retired range of one number is still sold. */
#include <warren.h>

#define RETIRED 48271903u

static bool is_sold(uint32_t number)
{
#ifndef FIXED
    return number != 0 && number != RETIRED + 1;
#else
    return number != 0 && number != RETIRED;
#endif
}

static bool is_valid(uint32_t number)
{
    return number % 100000 != 71903 % 100000 || number / 100000 != 482;
}

WR_PROPERTY(c_ticket)
{
    uint32_t number = wr_u32(t, "number");
    wr_assert(t, is_valid(number) || !is_sold(number));
}

#ifdef WITNESS
WR_EXAMPLE(c_ticket, "number = 48271903");
#endif
