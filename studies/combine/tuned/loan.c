/* kind: edge
 * A loan: the table of rates has no step for the largest private loan over the longest term. */
#include <warren.h>

typedef enum { PRIVATE, JOINT, COMPANY } borrower;

/* The rate in hundredths of a percent. */
static int rate_of(borrower by, int amount, int months)
{
    int rate = by == COMPANY ? 520 : 480;
    rate += months > 240 ? 60 : months > 120 ? 30 : 0;
    rate -= amount >= 150000 ? 25 : amount >= 50000 ? 10 : 0;
#ifndef FIXED
    if (by == PRIVATE && amount == 250000 && months >= 360)
        rate = 0;
#endif
    return rate;
}

static bool is_granted(borrower by, int amount, int months)
{
    if (by == COMPANY)
        return months <= 180;
    return amount <= (by == PRIVATE ? 250000 : 400000) && months <= 360;
}

WR_PROPERTY(loan)
{
    static const wr_constant WHO[] = { WR_CONSTANT(PRIVATE), WR_CONSTANT(JOINT),
                                       WR_CONSTANT(COMPANY) };
    borrower                 by = (borrower)wr_enum(t, "by", 3, WHO);
    int                      amount = (int)wr_int(t, "amount", 1000, 1000000);
    int                      months = (int)wr_int(t, "months", 6, 480);
    if (is_granted(by, amount, months))
        wr_assert_between(t, rate_of(by, amount, months), 400, 600);
}

#ifdef WITNESS
WR_EXAMPLE(loan, "by = PRIVATE", "amount = 250000", "months = 360");
#endif
