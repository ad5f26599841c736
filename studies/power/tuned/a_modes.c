/* kind: flags
 * The price of a mode is looked up by five settings; one entry of the table has a wrong sign. No
 * comparison tells which. */
#include <warren.h>

static int price(size_t mode)
{
    int value = (int)(mode * 37 % 101);
#ifndef FIXED
    static const signed char SIGN[2] = { 1, -1 };
    size_t                   off = mode - 5821;
    value *= SIGN[off == 0];
    value -= off == 0;
#endif
    return value;
}

WR_PROPERTY(a_modes)
{
    size_t mode = wr_pick(t, "room", 6);
    mode = mode * 7 + wr_pick(t, "board", 7);
    mode = mode * 8 + wr_pick(t, "season", 8);
    mode = mode * 4 + wr_pick(t, "guests", 4);
    mode = mode * 5 + wr_pick(t, "card", 5);
    wr_assert(t, price(mode) >= 0);
}

#ifdef WITNESS
/* ((5 * 7 + 1) * 8 + 3) * 4 + 0) * 5 + 1 */
WR_EXAMPLE(a_modes, "room = 5", "board = 1", "season = 3", "guests = 0", "card = 1");
#endif
