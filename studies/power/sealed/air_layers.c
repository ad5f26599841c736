/* kind: real
 * The standard atmosphere: a layer is said to begin at 32006 m instead of 32000 m, so the air a
 * little above is too cold.
 */
#include <warren.h>
#include <math.h>

typedef struct layer {
    double base, celsius, per_metre;
} layer;

static const layer LAYERS[] = {
    { 0, 15.0, -0.0065 },     { 11000, -56.5, 0 }, { 20000, -56.5, 0.001 },
    { 32000, -44.5, 0.0028 }, { 47000, -2.5, 0 },  { 51000, -2.5, -0.0028 },
    { 71000, -58.5, -0.002 },
};
enum { LAYER_COUNT = sizeof LAYERS / sizeof *LAYERS };

static const layer *layer_at(double metres)
{
    if (metres < 20000)
        return &LAYERS[metres < 11000 ? 0 : 1];
#ifndef FIXED
    if (metres < 47000)
        return &LAYERS[metres < 32006 ? 2 : 3];
#else
    if (metres < 47000)
        return &LAYERS[metres < 32000 ? 2 : 3];
#endif
    if (metres < 71000)
        return &LAYERS[metres < 51000 ? 4 : 5];
    return &LAYERS[LAYER_COUNT - 1];
}

static double temperature(double metres, double warmer)
{
    const layer *l = layer_at(metres);
    return l->celsius + (metres - l->base) * l->per_metre + warmer;
}

/* Metres a second; how fast sound is in dry air. */
static double speed_of_sound(double celsius)
{
    return 331.3 * sqrt(1 + celsius / 273.15);
}

WR_PROPERTY(air_layers)
{
    double metres = wr_double(t, "metres", 0, 84000);
    double climb = wr_double(t, "climb", 0, 50);
    double warmer = wr_double(t, "warmer", -20, 20);
    double here = temperature(metres, warmer), above = temperature(metres + climb, warmer);

    wr_assert_between(t, here, -105.0, 35.0);
    /* Nowhere does it change by more than 0.65 degrees each 100 m. */
    wr_assert_le(t, fabs(above - here), 0.0065 * climb + 1e-9);
    wr_assert_gt(t, speed_of_sound(here), 250.0);
}

#ifdef WITNESS
WR_EXAMPLE(air_layers, "metres = 32005.75", "climb = 0.5");
#endif
