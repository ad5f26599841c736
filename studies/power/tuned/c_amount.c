/* kind: decimal number in text
 * An amount of money in text, in cents: one threshold is checked with the wrong relation. */
#include <warren.h>

/* The cents; -1: it is no amount. */
static int64_t cents_of(const char *text)
{
    int64_t cents = 0;
    int     digits = 0;
    for (; *text >= '0' && *text <= '9'; text++, digits++)
        cents = cents < 1000000000000 ? cents * 10 + (*text - '0') : cents;
    return digits > 0 && *text == '\0' ? cents : -1;
}

/* The fee is due above 125000 cents. */
static bool has_fee(int64_t cents)
{
#ifndef FIXED
    return cents >= 125000;
#else
    return cents > 125000;
#endif
}

WR_PROPERTY(c_amount)
{
    const char *text = wr_text_of(t, "text", "0123456789", 1, 10);
    int64_t     cents = cents_of(text);
    wr_assert(t, cents < 0 || has_fee(cents) == (cents - 1 >= 125000));
}

#ifdef WITNESS
WR_EXAMPLE(c_amount, "text = \"125000\"");
#endif
