/* kind: edge
 * Tickets to resume a session: client and server do not agree on one whose time ends in this
 * very millisecond. */
#include <warren.h>

typedef enum { AN_HOUR = 3600, A_DAY = 86400, A_WEEK = 604800 } lifetime;

typedef struct ticket {
    lifetime lives;  /* seconds */
    int64_t  issued; /* milliseconds of the server's clock */
    bool     revoked, early_data;
} ticket;

static int64_t ends(const ticket *of)
{
    return of->issued + (int64_t)of->lives * 1000;
}

static bool client_offers(const ticket *of, int64_t age)
{
    return age < (int64_t)of->lives * 1000;
}

static bool server_takes(const ticket *of, int64_t now)
{
    if (of->revoked)
        return false;
#ifndef FIXED
    return now <= ends(of);
#else
    return now < ends(of);
#endif
}

WR_PROPERTY(ticket)
{
    static const wr_constant LIVES[] = { WR_CONSTANT(AN_HOUR), WR_CONSTANT(A_DAY),
                                         WR_CONSTANT(A_WEEK) };
    ticket                   of;
    of.lives = (lifetime)wr_enum(t, "lives", 3, LIVES);
    of.issued = wr_int(t, "issued", 0, 4000000000000);
    of.revoked = wr_bool(t, "revoked");
    of.early_data = wr_bool(t, "early_data");
    int64_t age = wr_int(t, "age", 0, 700000000);
    wr_assert_eq(t, server_takes(&of, of.issued + age), client_offers(&of, age) && !of.revoked);
}

#ifdef WITNESS
WR_EXAMPLE(ticket, "lives = A_DAY", "issued = 1700000000000", "revoked = false",
           "age = 86400000");
#endif
