/* kind: edge
 * A postage table: a parcel of exactly 1000 g in zone 4 pays the next step of weight. */
#include <warren.h>

#define ZONES 5
#define STEPS 6

/* The heaviest parcel of each step, in grams. */
static const int HEAVIEST[STEPS] = { 500, 1000, 2000, 5000, 10000, 30000 };

static const int CENTS[ZONES][STEPS] = {
    { 380, 450, 520, 700, 950, 1500 },       { 520, 640, 780, 1100, 1600, 2600 },
    { 790, 990, 1250, 1800, 2900, 4700 },    { 1190, 1490, 1900, 3100, 5200, 8800 },
    { 1490, 1890, 2500, 4200, 7100, 12900 },
};

static int step_of(int grams, int zone)
{
    int step = 0;
    (void)zone;
    while (step < STEPS - 1 && grams > HEAVIEST[step])
        step++;
#ifndef FIXED
    /* By air, cartons of a kilogram do not go into the small box. */
    if (zone == 4 && grams >= 1000 && step < 2)
        step = 2;
#endif
    return step;
}

static int postage_of(int grams, int zone, bool registered, bool express)
{
    int cents = CENTS[zone - 1][step_of(grams, zone)];
    if (registered)
        cents += 250;
    if (express)
        cents += cents / 2;
    return cents;
}

/* The price list as it hangs on the wall. */
static int listed(int grams, int zone)
{
    const int *row = CENTS[zone - 1];
    return grams <= 500     ? row[0]
           : grams <= 1000  ? row[1]
           : grams <= 2000  ? row[2]
           : grams <= 5000  ? row[3]
           : grams <= 10000 ? row[4]
                            : row[5];
}

WR_PROPERTY(postage)
{
    int  grams = (int)wr_int(t, "grams", 1, 30000);
    int  zone = (int)wr_int(t, "zone", 1, ZONES);
    bool registered = wr_bool(t, "registered");
    bool express = wr_bool(t, "express");
    int  wanted = listed(grams, zone) + (registered ? 250 : 0);
    wr_assert_eq(t, postage_of(grams, zone, registered, express),
                 express ? wanted + wanted / 2 : wanted);
}

#ifdef WITNESS
WR_EXAMPLE(postage, "grams = 1000", "zone = 4");
#endif
