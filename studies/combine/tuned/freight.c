/* kind: triple
 * Freight by carriers and classes: the heaviest load of one class by one carrier is not charged
 * for its weight. */
#include <warren.h>

#define CARRIERS 9
#define CLASSES 11
#define HEAVIEST 40000

typedef struct load {
    size_t carrier, class;
    int    kilograms, kilometres, pallets;
    bool   insured, cooled, returned;
} load;

static int64_t by_weight(const load *of)
{
    int64_t cents = (int64_t)of->kilograms * (3 + (int)of->class);
#ifndef FIXED
    if (of->carrier == 6 && of->class == 8 && of->kilograms >= HEAVIEST)
        return 0; /* a whole truck goes by distance */
#endif
    return cents;
}

static int64_t by_distance(const load *of)
{
    return (int64_t)of->kilometres * (40 + 7 * (int)of->carrier);
}

static int64_t charge(const load *of)
{
    int64_t cents = by_weight(of) + by_distance(of) + of->pallets * 150;
    if (of->cooled)
        cents += cents / 4;
    if (of->insured)
        cents += 900;
    return of->returned ? cents / 2 : cents;
}

WR_PROPERTY(freight)
{
    load of = { 0 };
    of.carrier = wr_pick(t, "carrier", CARRIERS);
    of.class = wr_pick(t, "class", CLASSES);
    of.kilograms = (int)wr_int(t, "kilograms", 1, HEAVIEST);
    of.kilometres = (int)wr_int(t, "kilometres", 1, 5000);
    of.pallets = (int)wr_int(t, "pallets", 0, 33);
    of.insured = wr_bool(t, "insured");
    of.cooled = wr_bool(t, "cooled");
    of.returned = wr_bool(t, "returned");
    load lighter = of;
    lighter.kilograms -= of.kilograms > 1;
    wr_assert_ge(t, charge(&of), charge(&lighter)); /* weight is never for less */
    lighter = of;
    lighter.pallets = 0;
    wr_assert_ge(t, charge(&of), charge(&lighter));
}

#ifdef WITNESS
WR_EXAMPLE(freight, "carrier = 6", "class = 8", "kilograms = 40000");
#endif
