/* kind: middle
 * A score: savers of some years whose income lies in a narrow band get the limit of the next one.
 */
#include <warren.h>

static int limit_of(int income, int years, bool saver)
{
    int limit = income < 12000 ? 500 : income < 30000 ? 1500 : income < 80000 ? 4000 : 9000;
    limit += years > 10 ? 500 : 0;
#ifndef FIXED
    if (saver && years > 3 && income >= 28500 && income < 28560)
        limit += 2500;
#endif
    (void)saver;
    return limit;
}

WR_PROPERTY(credit)
{
    int  income = (int)wr_int(t, "income", 0, 200000);
    int  years = (int)wr_int(t, "years", 0, 40);
    bool saver = wr_bool(t, "saver");
    bool married = wr_bool(t, "married");
    int  most = income < 30000 ? 2000 : 9500;
    (void)married;
    wr_assert_le(t, limit_of(income, years, saver), most);
}

#ifdef WITNESS
WR_EXAMPLE(credit, "income = 28530", "years = 20", "saver = true");
#endif
