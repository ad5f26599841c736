/* kind: pair
 * Converting lengths: the shortcut from furlongs to nautical miles is for the old British mile.
 */
#include <warren.h>
#include <math.h>
#include <string.h>

typedef struct unit {
    const char *name;
    double      metres;
} unit;

static const unit UNITS[] = {
    { "m", 1 },
    { "mm", 0.001 },
    { "cm", 0.01 },
    { "dm", 0.1 },
    { "km", 1000 },
    { "um", 1e-6 },
    { "nm", 1e-9 },
    { "in", 0.0254 },
    { "ft", 0.3048 },
    { "yd", 0.9144 },
    { "mi", 1609.344 },
    { "nmi", 1852 },
    { "fathom", 1.8288 },
    { "chain", 20.1168 },
    { "furlong", 201.168 },
    { "rod", 5.0292 },
    { "league", 4828.032 },
    { "hand", 0.1016 },
    { "thou", 0.0000254 },
    { "point", 0.0254 / 72 },
    { "pica", 0.0254 / 6 },
    { "cable", 185.2 },
    { "ls", 299792458.0 },
    { "au", 149597870700.0 },
};
enum { UNIT_COUNT = sizeof UNITS / sizeof *UNITS };

/* Exact factors, where going through metres would lose digits. */
static const struct shortcut {
    const char *from, *to;
    double      factor;
} SHORTCUTS[] = {
    { "in", "ft", 1.0 / 12 },
    { "ft", "in", 12 },
    { "ft", "yd", 1.0 / 3 },
    { "yd", "ft", 3 },
    { "mi", "ft", 5280 },
    { "mi", "yd", 1760 },
    { "mi", "furlong", 8 },
    { "furlong", "chain", 10 },
    { "chain", "rod", 4 },
    { "fathom", "ft", 6 },
    { "nmi", "cable", 10 },
#ifndef FIXED
    { "furlong", "nmi", 201.168 / 1853.184 },
#else
    { "furlong", "nmi", 201.168 / 1852 },
#endif
    { "league", "mi", 3 },
    { "pica", "point", 12 },
    { "hand", "in", 4 },
    { "km", "mm", 1e6 },
};

static double convert(double amount, size_t from, size_t to)
{
    if (from == to)
        return amount;
    for (size_t i = 0; i < sizeof SHORTCUTS / sizeof *SHORTCUTS; i++)
        if (strcmp(SHORTCUTS[i].from, UNITS[from].name) == 0 &&
            strcmp(SHORTCUTS[i].to, UNITS[to].name) == 0)
            return amount * SHORTCUTS[i].factor;
    return amount * UNITS[from].metres / UNITS[to].metres;
}

/* What a form shows: `digits` digits behind the point, halves away from zero. */
static double shown(double value, int digits)
{
    double scale = pow(10, digits);
    double scaled = value * scale;
    return fabs(scaled) > 9e15 ? value : round(scaled) / scale;
}

WR_PROPERTY(unit_table)
{
    int    amount = (int)wr_int(t, "amount", -1000000, 1000000);
    size_t from = wr_pick(t, "from", UNIT_COUNT);
    size_t to = wr_pick(t, "to", UNIT_COUNT);
    int    digits = (int)wr_int(t, "digits", 0, 9);
    double there = convert(amount, from, to);
    double back = convert(there, to, from);
    wr_assert_near(t, back, (double)amount, 1e-6 + fabs((double)amount) * 1e-12);
    wr_assert_near(t, shown(there, digits), there, 0.51 * pow(10, -digits) + fabs(there) * 1e-15);
    wr_assert(t, (there < 0) == (amount < 0));
}

#ifdef WITNESS
WR_EXAMPLE(unit_table, "amount = 1000", "from = 14", "to = 11");
#endif
