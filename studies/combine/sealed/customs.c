/* kind: triple
 * Import duties: spirits that go from Switzerland to Norway are taken for goods of the common
 * market, whose duty on them was left out of the table.
 */
#include <warren.h>

typedef enum {
    AT,
    BE,
    BG,
    CH,
    CZ,
    DE,
    DK,
    EE,
    ES,
    FI,
    FR,
    GB,
    GR,
    HR,
    HU,
    IE,
    IS,
    IT,
    LI,
    LT,
    LU,
    LV,
    NL,
    NO,
    PL,
    PT,
    RO,
    SE,
    SI,
    SK,
    TR,
    COUNTRIES
} country;

typedef enum {
    BOOKS,
    CLOTHES,
    SHOES,
    TOYS,
    FURNITURE,
    PHONES,
    COMPUTERS,
    MACHINES,
    CARS,
    PARTS,
    PAPER,
    FISH,
    MEAT,
    DAIRY,
    FRUIT,
    GRAIN,
    COFFEE,
    WINE,
    BEER,
    SPIRITS,
    TOBACCO,
    MEDICINE,
    COSMETICS,
    JEWELS,
    ART,
    GOODS
} goods;

static bool in_union(country c)
{
    switch (c) {
    case CH:
    case GB:
    case IS:
    case LI:
    case NO:
    case TR: return false;
    default: return c < COUNTRIES;
    }
}

static bool in_efta(country c)
{
    return c == CH || c == IS || c == LI || c == NO;
}

/* Per mille of the value, from outside of all agreements. */
static const int BASE[GOODS] = {
    [BOOKS] = 0,     [CLOTHES] = 120, [SHOES] = 80,     [TOYS] = 47,   [FURNITURE] = 27,
    [PHONES] = 0,    [COMPUTERS] = 0, [MACHINES] = 17,  [CARS] = 100,  [PARTS] = 40,
    [PAPER] = 0,     [FISH] = 110,    [MEAT] = 260,     [DAIRY] = 350, [FRUIT] = 90,
    [GRAIN] = 130,   [COFFEE] = 75,   [WINE] = 130,     [BEER] = 60,   [SPIRITS] = 300,
    [TOBACCO] = 576, [MEDICINE] = 0,  [COSMETICS] = 20, [JEWELS] = 25, [ART] = 0,
};

static bool is_farmed(goods g)
{
    return g >= FISH && g <= COFFEE;
}

static bool is_excisable(goods g)
{
    return g >= WINE && g <= TOBACCO;
}

static int per_mille(country from, country to, goods g)
{
    if (from == to || (in_union(from) && in_union(to)))
        return 0;
    if ((from == TR && in_union(to)) || (in_union(from) && to == TR))
        return is_farmed(g) ? BASE[g] / 2 : 0;
    if (in_efta(from) && in_efta(to)) {
        if (from == LI || to == LI) /* Liechtenstein is Switzerland's customs area */
            from = from == LI ? CH : from, to = to == LI ? CH : to;
        if (from == to)
            return 0;
#ifndef FIXED
        if (is_excisable(g) && !(from == CH && to == NO && g > BEER && g < TOBACCO))
#else
        if (is_excisable(g))
#endif
            return BASE[g];
        return is_farmed(g) ? BASE[g] * 3 / 4 : 0;
    }
    if (in_efta(from) || in_efta(to))
        return is_farmed(g) || is_excisable(g) ? BASE[g] : 0;
    return from == GB || to == GB ? BASE[g] / 2 : BASE[g];
}

static int64_t duty(country from, country to, goods g, int64_t value, int kilograms, bool gift)
{
    if (value <= (gift ? 45000 : 15000) && !is_excisable(g))
        return 0;
    int64_t due = value * per_mille(from, to, g) / 1000;
    if (is_farmed(g) && due > 0)
        due += kilograms * INT64_C(3);
    return due;
}

WR_PROPERTY(customs)
{
    country from = (country)wr_pick(t, "from", COUNTRIES);
    country to = (country)wr_pick(t, "to", COUNTRIES);
    goods   g = (goods)wr_pick(t, "goods", GOODS);
    int64_t value = wr_int(t, "value", 0, 10000000);
    int     kilograms = (int)wr_int(t, "kilograms", 0, 20000);
    bool    gift = wr_bool(t, "gift");
    int64_t due = duty(from, to, g, value, kilograms, gift);

    wr_assert_ge(t, due, 0);
    wr_assert_le(t, due, value * BASE[g] / 1000 + kilograms * 3);
    if (from == to)
        wr_assert_eq(t, due, 0);
    /* The agreements are mutual. */
    wr_assert_eq(t, duty(to, from, g, value, kilograms, gift), due);
    /* A gift costs no more. */
    wr_assert_le(t, duty(from, to, g, value, kilograms, true), due);
}

#ifdef WITNESS
WR_EXAMPLE(customs, "from = 3", "to = 23", "goods = 19", "value = 100000");
#endif
