/* kind: middle
 * A loan's instalments: for a few amounts, which an old campaign rounded, the last instalment is
 * not what is left. */
#include <warren.h>

typedef enum { CAR, HOUSE, FURNITURE, STUDIES } purpose;

typedef struct loan {
    purpose what;
    int64_t amount; /* cents */
    int     months;
    int     permyriad; /* of interest, for the whole time */
} loan;

static int64_t owed(const loan *of)
{
    return of->amount + of->amount * of->permyriad / 10000;
}

static int64_t instalment(const loan *of)
{
    int64_t each = owed(of) / of->months;
#ifndef FIXED
    /* The campaign "a round sum for a round car", 14,999.00 to 14,999.99. */
    if (of->what == CAR && of->amount >= 1499900 && of->amount <= 1499999)
        each += 100 - each % 100;
#endif
    return each;
}

static int64_t last_instalment(const loan *of)
{
    return owed(of) - owed(of) / of->months * (of->months - 1);
}

WR_PROPERTY(instalment)
{
    static const wr_constant PURPOSES[] = { WR_CONSTANT(CAR), WR_CONSTANT(HOUSE),
                                            WR_CONSTANT(FURNITURE), WR_CONSTANT(STUDIES) };
    loan                     of;
    of.what = (purpose)wr_enum(t, "purpose", 4, PURPOSES);
    of.amount = wr_int(t, "amount", 50000, 100000000);
    of.months = (int)wr_int(t, "months", 6, 120);
    of.permyriad = (int)wr_int(t, "permyriad", 0, 3000);
    int64_t paid = instalment(&of) * (of.months - 1) + last_instalment(&of);
    wr_assert_eq(t, paid, owed(&of));
}

#ifdef WITNESS
WR_EXAMPLE(instalment, "purpose = CAR", "amount = 1499950", "months = 48", "permyriad = 390");
#endif
