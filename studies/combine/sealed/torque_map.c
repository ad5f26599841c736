/* kind: middle
 * An engine's torque map: a row of the table for knocking has a digit too many, so the torque
 * drops in a narrow band of speeds under full load.
 */
#include <warren.h>

enum { ROWS = 10, COLUMNS = 5 };

static const int RPM[ROWS] = { 0, 800, 1500, 2200, 3000, 3900, 4310, 4900, 5800, 6800 };
static const int LOAD[COLUMNS] = { 0, 250, 500, 800, 1000 }; /* per mille */

/* Newton metres. */
static const int TORQUE[ROWS][COLUMNS] = {
    { 0, 0, 0, 0, 0 },        { 8, 30, 55, 80, 96 },   { 10, 42, 80, 122, 150 },
    { 9, 48, 92, 146, 182 },  { 8, 50, 98, 158, 201 }, { 6, 50, 101, 166, 214 },
    { 5, 49, 100, 166, 216 }, { 3, 46, 96, 160, 208 }, { 0, 40, 86, 142, 186 },
    { -6, 30, 68, 114, 150 },
};

/* What the knock control holds back, in millinewton metres. */
enum { KNOCK_ROWS = 7 };
static const int KNOCK_RPM[KNOCK_ROWS] = { 0, 4300, 4340, 4380, 4900, 5800, 6800 };
#ifndef FIXED
static const int KNOCK[KNOCK_ROWS] = { 0, 0, 16000, 3000, 22400, 51000, 80000 };
#else
static const int KNOCK[KNOCK_ROWS] = { 0, 0, 1600, 3000, 22400, 51000, 80000 };
#endif

static int find(const int *axis, int n, int x)
{
    int i = 0;
    while (i < n - 2 && x >= axis[i + 1])
        i++;
    return i;
}

static int64_t mix(int64_t from, int64_t to, int64_t at, int64_t of)
{
    return from + (to - from) * at / of;
}

/* Millinewton metres. */
static int64_t torque(int rpm, int load, int coolant, int altitude, bool premium)
{
    int     r = find(RPM, ROWS, rpm), c = find(LOAD, COLUMNS, load);
    int     rpm_in = rpm - RPM[r], rpm_of = RPM[r + 1] - RPM[r];
    int     load_in = load - LOAD[c], load_of = LOAD[c + 1] - LOAD[c];
    int64_t low = mix(TORQUE[r][c] * 1000, TORQUE[r][c + 1] * 1000, load_in, load_of);
    int64_t high = mix(TORQUE[r + 1][c] * 1000, TORQUE[r + 1][c + 1] * 1000, load_in, load_of);
    int64_t raw = mix(low, high, rpm_in, rpm_of);
    if (coolant < 60)
        raw = raw * (880 + coolant * 2) / 1000;
    if (altitude > 500)
        raw -= raw * (altitude - 500) / 12000;
    if (!premium && load > 930 && coolant > 105) {
        int k = find(KNOCK_RPM, KNOCK_ROWS, rpm);
        raw -= mix(KNOCK[k], KNOCK[k + 1], rpm - KNOCK_RPM[k], KNOCK_RPM[k + 1] - KNOCK_RPM[k]);
    }
    return raw;
}

WR_PROPERTY(torque_map)
{
    int     rpm = (int)wr_int(t, "rpm", 0, 6799);
    int     load = (int)wr_int(t, "load", 0, 1000);
    int     coolant = (int)wr_int(t, "coolant", -30, 130);
    int     altitude = (int)wr_int(t, "altitude", 0, 4000);
    bool    premium = wr_bool(t, "premium");
    int64_t here = torque(rpm, load, coolant, altitude, premium);

    wr_assert_between(t, here, -8000, 220000);
    wr_assert_ge(t, torque(rpm, load, coolant, altitude, true), here);
    if (rpm < 3900) /* more speed, at least as much torque but for friction */
        wr_assert_ge(t, torque(rpm + 1, load, coolant, altitude, premium) - here, -20);
    if (!premium && rpm >= 3900 && rpm < 5799) {
        /* The knock control may hold back 1 Nm for each 25 rpm above 4300 or so, no more. */
        int64_t best = torque(rpm, load, coolant, altitude, true);
        int     above = rpm > 4300 ? rpm - 4300 : 0;
        wr_assert_le(t, best - here, above * 40 + 500);
    }
}

#ifdef WITNESS
WR_EXAMPLE(torque_map, "rpm = 4330", "load = 950", "coolant = 106");
#endif
