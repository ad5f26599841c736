/* kind: edge
 * A disk quota: somebody with no file yet cannot take all of the quota at once. */
#include <warren.h>

#define BLOCKS 8000000

typedef enum { GUEST, MEMBER, ADMINISTRATOR } role;

typedef struct account {
    role    is;
    int64_t used, refused;
} account;

static int64_t limit_of(role is)
{
    return is == GUEST ? BLOCKS / 8 : BLOCKS;
}

/* All or nothing. */
static bool take(account *of, int64_t wanted)
{
    int64_t limit = limit_of(of->is);
    bool    fits;
    if (of->is == ADMINISTRATOR) {
        of->used += wanted;
        return true;
    }
#ifndef FIXED
    fits = wanted < limit && of->used <= limit - wanted;
#else
    fits = wanted <= limit && of->used <= limit - wanted;
#endif
    if (!fits) {
        of->refused++;
        return false;
    }
    of->used += wanted;
    return true;
}

WR_PROPERTY(quota)
{
    static const wr_constant ROLES[] = { WR_CONSTANT(GUEST), WR_CONSTANT(MEMBER),
                                         WR_CONSTANT(ADMINISTRATOR) };
    account                  of = { .is = (role)wr_enum(t, "role", 3, ROLES) };
    int64_t                  used = wr_int(t, "used", 0, BLOCKS);
    int64_t                  wanted = wr_int(t, "wanted", 1, BLOCKS);
    of.used = used;
    bool granted = take(&of, wanted);
    wr_assert_eq(t, granted, of.is == ADMINISTRATOR || used + wanted <= limit_of(of.is));
    wr_assert_eq(t, of.used, granted ? used + wanted : used);
    wr_assert_eq(t, of.refused, granted ? 0 : 1);
}

#ifdef WITNESS
WR_EXAMPLE(quota, "role = MEMBER", "used = 0", "wanted = 8000000");
#endif
