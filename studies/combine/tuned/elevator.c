/* kind: edge
 * A lift: with the greatest load that is allowed, it brakes too late on the way down from the
 * top.
 */
#include <warren.h>

#define TOP 24
#define LOAD_MOST 630 /* kilograms; above it the doors stay open */

typedef enum { STANDS, UP, DOWN } motion;

static motion starts(int from, int to, int load)
{
    return load > LOAD_MOST || from == to ? STANDS : to > from ? UP : DOWN;
}

/* The floors before the end at which it begins to brake. */
static int brakes_at(int from, int to, int load)
{
    int floors = from < to ? to - from : from - to;
    int wanted = load > 315 ? 3 : 2;
#ifndef FIXED
    if (load >= LOAD_MOST && from == TOP && to < from)
        wanted = 1;
#endif
    return wanted < floors ? wanted : floors;
}

WR_PROPERTY(elevator)
{
    int from = (int)wr_int(t, "from", 0, TOP);
    int to = (int)wr_int(t, "to", 0, TOP);
    int load = (int)wr_int(t, "load", 0, 2000);
    if (starts(from, to, load) == STANDS)
        return;
    int floors = from < to ? to - from : from - to;
    wr_assert_ge(t, brakes_at(from, to, load), floors < 2 ? floors : 2);
}

#ifdef WITNESS
WR_EXAMPLE(elevator, "from = 24", "to = 0", "load = 630");
#endif
