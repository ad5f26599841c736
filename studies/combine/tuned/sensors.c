/* kind: edge
 * Three sensors at their upper ends at once, at the highest gain: the level falls to zero. */
#include <warren.h>

#define PRESSURE 4095
#define FLOW 2047
#define HEAT 16383
#define SCORES (PRESSURE * 4 + FLOW * 8 + HEAT)

typedef struct readings {
    int pressure, flow, heat;
} readings;

/* 0..SCORES: each sensor counts alike. */
static int score(const readings *of)
{
    return of->pressure * 4 + of->flow * 8 + of->heat;
}

/* The level 0..15 of a score: sixteen equal parts. */
static unsigned level_of(const readings *of, int gain)
{
    unsigned part = ((unsigned)SCORES + 15) / 16;
    unsigned scaled = (unsigned)score(of) * (unsigned)gain / 16;
#ifndef FIXED
    return (scaled + 14) / part % 16; /* rounds a little up */
#else
    unsigned level = scaled / part;
    return level > 15 ? 15 : level;
#endif
}

WR_PROPERTY(sensors)
{
    readings of;
    of.pressure = (int)wr_int(t, "pressure", 0, PRESSURE);
    of.flow = (int)wr_int(t, "flow", 0, FLOW);
    of.heat = (int)wr_int(t, "heat", 0, HEAT);
    int      gain = (int)wr_int(t, "gain", 1, 16);
    unsigned level = level_of(&of, gain);
    readings more = { of.pressure, of.flow, of.heat };
    more.pressure -= more.pressure > 0;
    more.flow -= more.flow > 0;
    more.heat -= more.heat > 0;
    wr_assert_le(t, level, 15u);
    wr_assert_ge(t, level, level_of(&more, gain));
}

#ifdef WITNESS
WR_EXAMPLE(sensors, "pressure = 4095", "flow = 2047", "heat = 16383", "gain = 16");
#endif
