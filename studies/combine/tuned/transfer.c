/* kind: relation
 * A transfer between accounts: from an account to itself, all of it, closes the account. */
#include <warren.h>

#define ACCOUNTS 40000
#define MOST 1000000

typedef struct book {
    int64_t balance[2]; /* of the two accounts of a transfer */
    bool    closed[2];
} book;

static bool closes(const book *of, int account, int64_t amount)
{
    return of->balance[account] - amount == 0;
}

/* Moves the amount, less a fee that the bank keeps. `to` may be `from`. */
static bool transfer(book *of, int from, int to, int64_t amount, bool close_empty)
{
    if (of->closed[from] || amount > of->balance[from])
        return false;
#ifndef FIXED
    if (close_empty && closes(of, from, amount))
        of->closed[from] = true;
    of->balance[from] -= amount;
    of->balance[to] += amount;
#else
    of->balance[from] -= amount;
    of->balance[to] += amount;
    if (close_empty && closes(of, from, 0))
        of->closed[from] = true;
#endif
    return true;
}

WR_PROPERTY(transfer)
{
    int     from = (int)wr_int(t, "from", 1, ACCOUNTS);
    int     to = (int)wr_int(t, "to", 1, ACCOUNTS);
    int64_t balance = wr_int(t, "balance", 0, MOST);
    int64_t amount = wr_int(t, "amount", 1, MOST);
    bool    close_empty = wr_bool(t, "close_empty");
    book    of = { { balance, 700 }, { false, false } };
    int     other = to == from ? 0 : 1;
    int64_t sum = of.balance[0] + of.balance[1];
    bool    moved = transfer(&of, 0, other, amount, close_empty);
    wr_assert_eq(t, moved, amount <= balance);
    wr_assert_eq(t, of.balance[0] + of.balance[1], sum);
    wr_assert(t, !of.closed[0] || of.balance[0] == 0); /* no money is lost in a closed one */
}

#ifdef WITNESS
WR_EXAMPLE(transfer, "from = 7", "to = 7", "balance = 5", "amount = 5", "close_empty = true");
#endif
