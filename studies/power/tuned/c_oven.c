/* kind: real constant
 * A controller of an oven: at one temperature exactly, neither heating nor cooling is on. */
#include <warren.h>

typedef enum { COOLING, HOLDING, HEATING } state;

static state next_state(double celsius)
{
    if (celsius < 218.33)
        return HEATING;
#ifndef FIXED
    if (celsius > 218.33)
#else
    if (celsius >= 218.33)
#endif
        return COOLING;
    return HOLDING;
}

WR_PROPERTY(c_oven)
{
    double celsius = wr_double(t, "celsius", -50, 500);
    wr_assert_ne(t, next_state(celsius), HOLDING);
}

#ifdef WITNESS
WR_EXAMPLE(c_oven, "celsius = 218.33");
#endif
