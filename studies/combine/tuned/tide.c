/* kind: edge
 * A barrier against floods: at the very level at which it closes, with the wind that counts as a
 * storm, it is told to open. */
#include <warren.h>

#define CLOSES 2.75  /* metres */
#define STORM 17.125 /* metres a second */

typedef enum { OPEN, HALF, CLOSED } state;

static state state_of(double level, double wind, bool ebb)
{
    if (level > CLOSES || (level == CLOSES && wind != STORM))
        return CLOSED;
#ifdef FIXED
    if (level == CLOSES)
        return CLOSED;
#endif
    return wind >= STORM && !ebb ? HALF : OPEN;
}

WR_PROPERTY(tide)
{
    double level = wr_double(t, "level", -4, 6);
    double wind = wr_double(t, "wind", 0, 40);
    bool   ebb = wr_bool(t, "ebb");
    state  now = state_of(level, wind, ebb);
    if (level >= CLOSES)
        wr_assert_eq(t, now, CLOSED);
}

#ifdef WITNESS
WR_EXAMPLE(tide, "level = 2.75", "wind = 17.125");
#endif
