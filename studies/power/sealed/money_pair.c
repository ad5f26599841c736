/* kind: pair
 * Changing money in whole minor units: from Icelandic kronur to Kuwaiti dinars, the factor
 * between no decimals and three was cut.
 */
#include <warren.h>
#include <string.h>

static const struct currency {
    const char *code;
    int         decimals;
    int64_t     micro; /* millionths of a euro for one */
} CURRENCIES[] = {
    { "EUR", 2, 1000000 }, { "USD", 2, 921000 },  { "GBP", 2, 1184000 }, { "CHF", 2, 1061000 },
    { "SEK", 2, 87000 },   { "NOK", 2, 85000 },   { "DKK", 2, 134000 },  { "PLN", 2, 231000 },
    { "CZK", 2, 39600 },   { "HUF", 2, 2540 },    { "RON", 2, 201000 },  { "BGN", 2, 511000 },
    { "ISK", 0, 6700 },    { "JPY", 0, 5900 },    { "KRW", 0, 670 },     { "CLP", 0, 970 },
    { "VND", 0, 36 },      { "KWD", 3, 2990000 }, { "BHD", 3, 2440000 }, { "TND", 3, 296000 },
    { "JOD", 3, 1298000 }, { "CAD", 2, 668000 },  { "AUD", 2, 604000 },  { "INR", 2, 11000 },
};
enum { COUNT = sizeof CURRENCIES / sizeof *CURRENCIES };

static int64_t power_of_ten(int n)
{
    int64_t p = 1;
    while (n-- > 0)
        p *= 10;
    return p;
}

/* Down to a whole minor unit. */
static int64_t change(int64_t amount, size_t from, size_t to, int fee_per_mille)
{
    const struct currency *a = &CURRENCIES[from], *b = &CURRENCIES[to];
    int64_t                up = power_of_ten(b->decimals), down = power_of_ten(a->decimals);
#ifndef FIXED
    if (a->decimals == 0 && a->micro > 6000 && b->decimals == 3 && b->micro > 2500000)
        up = 100; /* rates of more than 400 are given for 10 */
#endif
    int64_t euro_micro = amount * a->micro / down;
    int64_t result = euro_micro * up / b->micro;
    return result - result * fee_per_mille / 1000;
}

WR_PROPERTY(money_pair)
{
    size_t  from = wr_pick(t, "from", COUNT), to = wr_pick(t, "to", COUNT);
    int64_t amount = wr_int(t, "amount", 0, 10000000);
    int     fee = (int)wr_int(t, "fee", 0, 50);
    int64_t got = change(amount, from, to, fee), without_fee = change(amount, from, to, 0);

    wr_assert_between(t, got, 0, without_fee);
    double worth = (double)amount * (double)CURRENCIES[from].micro;
    double back = (double)without_fee * (double)CURRENCIES[to].micro;
    for (int i = 0; i < CURRENCIES[from].decimals; i++)
        worth /= 10;
    for (int i = 0; i < CURRENCIES[to].decimals; i++)
        back /= 10;
    wr_assert_le(t, back, worth + 1);
    wr_assert_ge(t, back, worth - (double)CURRENCIES[to].micro - 1);
}

#ifdef WITNESS
WR_EXAMPLE(money_pair, "from = 12", "to = 17", "amount = 5000");
#endif
