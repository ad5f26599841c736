/* kind: edge
 * A heat pump's controller: after exactly six hours of heating below 7 degrees it runs on instead
 * of defrosting, unless the coil sensor is broken.
 */
#include <warren.h>

typedef enum { OFF, HEAT, COOL, AUTOMATIC } mode;
typedef enum { IDLE, HEATING, COOLING, DEFROSTING, LOCKED } action;

static const wr_constant MODES[] = { WR_CONSTANT(OFF), WR_CONSTANT(HEAT), WR_CONSTANT(COOL),
                                     WR_CONSTANT(AUTOMATIC) };

/* Temperatures are tenths of a degree, times are seconds. */
typedef struct inputs {
    mode mode;
    int  room, setpoint, outside;
    bool running;       /* the compressor */
    int  since_stopped; /* if it does not run */
    int  frosting;      /* how long it has heated since it was defrosted last */
    bool coil_sensor_ok;
    int  coil;
} inputs;

enum { BAND = 5, MIN_OFF = 180, FROST_LIMIT = 21600, FROST_BLIND = 18000, FROST_BELOW = 70 };

static bool must_defrost(const inputs *in)
{
    if (!in->running || in->outside >= FROST_BELOW)
        return false;
    if (!in->coil_sensor_ok)
        return in->frosting >= FROST_BLIND;
    if (in->coil <= -120 && in->frosting >= 2400)
        return true;
#ifndef FIXED
    return in->frosting > FROST_LIMIT;
#else
    return in->frosting >= FROST_LIMIT;
#endif
}

static action step(const inputs *in)
{
    if (in->mode == OFF)
        return IDLE;
    int  error = in->setpoint - in->room;
    bool cold = in->running ? error > -BAND : error > BAND;
    bool warm = in->running ? error < BAND : error < -BAND;
    bool may_heat = in->mode == HEAT || (in->mode == AUTOMATIC && in->outside < 180);
    bool may_cool = in->mode == COOL || (in->mode == AUTOMATIC && in->outside >= 180);
    if (may_heat && cold) {
        if (!in->running && in->since_stopped < MIN_OFF)
            return LOCKED;
        return must_defrost(in) ? DEFROSTING : HEATING;
    }
    if (may_cool && warm)
        return !in->running && in->since_stopped < MIN_OFF ? LOCKED : COOLING;
    return IDLE;
}

WR_PROPERTY(heat_pump)
{
    inputs in;
    in.mode = (mode)wr_enum(t, "mode", 4, MODES);
    in.setpoint = (int)wr_int(t, "setpoint", 50, 300);
    in.room = (int)wr_int(t, "room", -50, 400);
    in.outside = (int)wr_int(t, "outside", -300, 450);
    in.running = wr_bool(t, "running");
    in.since_stopped = (int)wr_int(t, "since_stopped", 0, 4000);
    in.frosting = (int)wr_int(t, "frosting", 0, 30000);
    in.coil_sensor_ok = wr_bool(t, "coil_sensor_ok");
    in.coil = (int)wr_int(t, "coil", -250, 300);

    action got = step(&in);

    bool heats = got == HEATING || got == DEFROSTING;
    if (in.mode == OFF)
        wr_assert_eq(t, got, IDLE);
    if (in.mode == COOL)
        wr_assert(t, !heats);
    if (in.mode == HEAT)
        wr_assert_ne(t, got, COOLING);
    if (got == LOCKED)
        wr_assert(t, !in.running && in.since_stopped < 180);
    if (heats)
        wr_assert_gt(t, in.setpoint + 5, in.room);
    if (got == HEATING && in.running && in.outside < 70) {
        /* The maker promises six hours at most, five without a sensor. */
        wr_assert_le(t, in.frosting, in.coil_sensor_ok ? 6 * 3600 - 1 : 5 * 3600 - 1);
        wr_assert(t, !in.coil_sensor_ok || in.coil > -120 || in.frosting < 2400);
    }
    if (got == DEFROSTING)
        wr_assert_ge(t, in.frosting, 2400);
}

#ifdef WITNESS
WR_EXAMPLE(heat_pump, "mode = HEAT", "setpoint = 210", "room = 200", "running = true",
           "frosting = 21600", "coil_sensor_ok = true");
#endif
