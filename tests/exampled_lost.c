/* tests/exampled_lost.c: an explicit case of a property that is not there. */
#include <warren.h>

WR_PROPERTY(is_there)
{
    wr_bool(t, "x");
}
WR_EXAMPLE(is_their, "x = true");
