/* kind: flags
 * Access by a table: three groups of four flags each give a class, and one cell of the table over
 * the classes is wrong.
 */
#include <warren.h>

enum { GROUP_FLAGS = 4 };

/* How much of a group is given: nothing, one right, two or three, all. */
static const unsigned char CLASS_OF[16] = { 0, 1, 1, 2, 1, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 3 };

/* [owner][group][others]: the level, 0 to 9. */
static const unsigned char LEVEL[4][4][4] = {
    { { 0, 1, 2, 3 }, { 1, 2, 3, 4 }, { 2, 3, 4, 5 }, { 3, 4, 5, 6 } },
    { { 1, 2, 3, 4 }, { 2, 3, 4, 5 }, { 3, 4, 5, 6 }, { 4, 5, 6, 7 } },
    { { 2, 3, 4, 5 }, { 3, 4, 5, 6 }, { 4, 5, 6, 7 }, { 5, 6, 7, 8 } },
#ifndef FIXED
    { { 3, 4, 5, 5 }, { 4, 5, 6, 7 }, { 5, 6, 7, 8 }, { 6, 7, 8, 9 } },
#else
    { { 3, 4, 5, 6 }, { 4, 5, 6, 7 }, { 5, 6, 7, 8 }, { 6, 7, 8, 9 } },
#endif
};

static const char *const NAMES[10] = { "none",   "guest",  "reader",  "reviewer", "author",
                                       "editor", "keeper", "manager", "admin",    "root" };

static unsigned packed(const bool *flags)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < GROUP_FLAGS; i++)
        bits |= (unsigned)flags[i] << i;
    return bits;
}

static unsigned level(const bool *owner, const bool *group, const bool *others)
{
    return LEVEL[CLASS_OF[packed(owner)]][CLASS_OF[packed(group)]][CLASS_OF[packed(others)]];
}

WR_PROPERTY(access_table)
{
    bool    *owner = wr_bools(t, "owner", GROUP_FLAGS);
    bool    *group = wr_bools(t, "group", GROUP_FLAGS);
    bool    *others = wr_bools(t, "others", GROUP_FLAGS);
    unsigned got = level(owner, group, others);
    wr_show_text(t, "name", NAMES[got]);

    unsigned expected = 0;
    for (const bool *flags = owner; flags != NULL; flags = flags == owner   ? group
                                                           : flags == group ? others
                                                                            : NULL) {
        unsigned on = 0;
        for (unsigned i = 0; i < GROUP_FLAGS; i++)
            on += flags[i];
        expected += on == 4 ? 3 : on >= 2 ? 2 : on;
    }
    wr_assert_eq(t, got, expected);
}

#ifdef WITNESS
WR_EXAMPLE(access_table, "owner = [true, true, true, true]",
           "group = [false, false, false, false]", "others = [true, true, true, true]");
#endif
