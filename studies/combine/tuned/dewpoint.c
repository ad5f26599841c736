/* kind: middle
 * The heating of a greenhouse: a narrow band of temperatures has no rule while the vents are
 * open. */
#include <warren.h>

typedef enum { OFF, LOW, HIGH, ALARM } heating;

/* Tenths of a degree. */
typedef struct climate {
    int  air, dew;
    bool vents, night;
} climate;

static heating by_air(const climate *of)
{
    int target = of->night ? 120 : 165;
    if (of->air < 20)
        return ALARM;
    if (of->air < target - 40)
        return HIGH;
#ifndef FIXED
    if (of->air < target && !(of->vents && of->air > 108 && of->air < 115))
        return LOW;
#else
    if (of->air < target)
        return LOW;
#endif
    return OFF;
}

/* Wet leaves want one step more. */
static heating heating_for(const climate *of)
{
    heating how = by_air(of);
    bool    wet = of->air - of->dew < 15;
    if (wet && how == OFF)
        return LOW;
    if (wet && how == LOW)
        return HIGH;
    return how;
}

WR_PROPERTY(dewpoint)
{
    climate of = { 0 };
    of.air = (int)wr_int(t, "air", -400, 600);
    of.dew = (int)wr_int(t, "dew", -400, 300);
    of.vents = wr_bool(t, "vents");
    of.night = wr_bool(t, "night");
    climate warmer = of;
    warmer.air += 1;
    warmer.dew += 1;
    /* Who gets warmer at the same distance to the dew point is never heated more. */
    wr_assert_ge(t, heating_for(&of), heating_for(&warmer));
}

#ifdef WITNESS
WR_EXAMPLE(dewpoint, "air = 114", "dew = 0", "vents = true", "night = true");
#endif
