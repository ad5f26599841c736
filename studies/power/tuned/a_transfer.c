/* kind: relation
 * A transfer takes a fee of one percent, at least 300; who has exactly amount and fee is left
 * with one cent less than nothing. */
#include <warren.h>

static int64_t fee(int64_t amount)
{
    return amount / 100 < 300 ? 300 : amount / 100;
}

static int64_t after(int64_t balance, int64_t amount)
{
    int64_t all = amount + fee(amount);
    if (all > balance)
        return balance;
#ifndef FIXED
    if (all == balance)
        return -1; /* the account was closed a cent too late */
#endif
    return balance - all;
}

WR_PROPERTY(a_transfer)
{
    int64_t balance = wr_int(t, "balance", 0, 10000000);
    int64_t amount = wr_int(t, "amount", 1, 10000000);
    wr_assert(t, after(balance, amount) >= 0);
}

#ifdef WITNESS
WR_EXAMPLE(a_transfer, "balance = 30300", "amount = 30000");
#endif
