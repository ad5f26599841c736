/* kind: edge
 * A mixer of two samples: the lowest sample, turned over at full volume, keeps its sign. */
#include <warren.h>

#define FULL 4096

typedef enum { ADD, TURN_LEFT, TURN_RIGHT, DUCK, MUTE } mixing;

static int16_t clamp(int32_t sum)
{
    return sum > INT16_MAX ? INT16_MAX : sum < INT16_MIN ? INT16_MIN : (int16_t)sum;
}

static int32_t scaled(int16_t sample, int32_t volume)
{
    return sample * volume / FULL;
}

static int32_t turned(int16_t sample, int32_t volume)
{
#ifndef FIXED
    return (int16_t)-scaled(sample, volume);
#else
    return -scaled(sample, volume);
#endif
}

static int16_t mix(mixing how, int16_t left, int16_t right, int32_t volume)
{
    switch (how) {
    case ADD: return clamp(scaled(left, volume) + right);
    case TURN_LEFT: return clamp(turned(left, volume) + right);
    case TURN_RIGHT: return clamp(left + turned(right, volume));
    case DUCK: return clamp(scaled(left, volume) / 4 + right);
    default: return 0;
    }
}

WR_PROPERTY(mixer)
{
    static const wr_constant HOW[] = { WR_CONSTANT(ADD), WR_CONSTANT(TURN_LEFT),
                                       WR_CONSTANT(TURN_RIGHT), WR_CONSTANT(DUCK),
                                       WR_CONSTANT(MUTE) };
    mixing                   how = (mixing)wr_enum(t, "how", 5, HOW);
    int16_t                  left = wr_i16(t, "left"), right = wr_i16(t, "right");
    int32_t                  volume = (int32_t)wr_int(t, "volume", 0, FULL);
    int64_t                  l = left, r = right;
    if (how == ADD || how == TURN_LEFT || how == DUCK)
        l = l * volume / FULL * (how == TURN_LEFT ? -1 : 1);
    if (how == DUCK)
        l /= 4;
    if (how == TURN_RIGHT)
        r = -(r * volume / FULL);
    int64_t sum = how == MUTE ? 0 : l + r;
    wr_assert_eq(t, mix(how, left, right, volume),
                 sum > INT16_MAX   ? INT16_MAX
                 : sum < INT16_MIN ? INT16_MIN
                                   : sum);
}

#ifdef WITNESS
WR_EXAMPLE(mixer, "how = TURN_LEFT", "left = -32768", "right = 0", "volume = 4096");
#endif
