/* kind: edge
 * Disk quotas: a user who has been above the soft limit for exactly the grace time may still
 * write, though a group may not.
 */
#include <warren.h>

enum { GRACE = 7 * 24 * 3600 };

typedef enum { QUOTA_OK, QUOTA_WARN, QUOTA_EXPIRED, QUOTA_HARD } verdict;

typedef struct limits {
    int64_t soft, hard; /* blocks; 0: none */
} limits;

typedef struct usage {
    int64_t blocks;
    int64_t over_since; /* 0: below the soft limit */
} usage;

static bool expired(const usage *u, int64_t now, bool group)
{
    if (u->over_since == 0)
        return false;
#ifndef FIXED
    return group ? now >= u->over_since + GRACE : now - u->over_since > GRACE;
#else
    (void)group;
    return now - u->over_since >= GRACE;
#endif
}

static verdict ask(usage *u, const limits *l, int64_t wanted, int64_t now, bool group)
{
    int64_t after = u->blocks + wanted;
    if (wanted <= 0) {
        u->blocks = after < 0 ? 0 : after;
        if (l->soft == 0 || u->blocks <= l->soft)
            u->over_since = 0;
        return QUOTA_OK;
    }
    if (l->hard != 0 && after > l->hard)
        return QUOTA_HARD;
    if (l->soft == 0 || after <= l->soft) {
        u->blocks = after;
        return QUOTA_OK;
    }
    if (expired(u, now, group))
        return QUOTA_EXPIRED;
    if (u->over_since == 0)
        u->over_since = now;
    u->blocks = after;
    return QUOTA_WARN;
}

WR_PROPERTY(disk_grace)
{
    limits  l;
    usage   u;
    bool    group = wr_bool(t, "group");
    int64_t now = 2000000000;
    l.soft = wr_int(t, "soft", 0, 50000);
    l.hard = wr_bool(t, "has_hard") ? wr_int(t, "hard", l.soft, 100000) : 0;
    u.blocks = wr_int(t, "blocks", 0, 120000);
    int64_t age = wr_int(t, "age", 0, 700000);
    bool    over = l.soft != 0 && u.blocks > l.soft;
    u.over_since = over ? now - age : 0;
    int64_t wanted = wr_int(t, "wanted", -5000, 5000);

    usage   before = u;
    verdict got = ask(&u, &l, wanted, now, group);

    verdict expected = QUOTA_OK;
    int64_t sum = before.blocks + wanted;
    if (wanted > 0 && l.soft != 0 && sum > l.soft)
        expected = over && age > GRACE - 1 ? QUOTA_EXPIRED : QUOTA_WARN;
    if (wanted > 0 && l.hard != 0 && sum > l.hard)
        expected = QUOTA_HARD;
    wr_assert_eq(t, got, expected);

    bool granted = got == QUOTA_OK || got == QUOTA_WARN;
    wr_assert_eq(t, u.blocks, !granted ? before.blocks : sum < 0 ? 0 : sum);
    if (granted)
        wr_assert_eq(t, u.over_since != 0, l.soft != 0 && u.blocks > l.soft);
}

#ifdef WITNESS
WR_EXAMPLE(disk_grace, "soft = 10", "blocks = 11", "age = 604800", "wanted = 1");
#endif
