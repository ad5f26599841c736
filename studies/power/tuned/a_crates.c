/* kind: triple
 * Crates of twelve sizes are stacked by rules of three; one order of the first three is upside
 * down.
 */
#include <warren.h>

static bool is_stable(const size_t *size)
{
#ifndef FIXED
    if (size[0] == 4 && size[1] == 7 && size[2] == 8)
        return false;
#endif
    return size[0] + size[1] + size[2] < 64;
}

WR_PROPERTY(a_crates)
{
    size_t size[3];
    for (int i = 0; i < 3; i++)
        size[i] = wr_pick(t, "size", 12);
    wr_assert(t, is_stable(size));
}

#ifdef WITNESS
WR_EXAMPLE(a_crates, "size = 4", "size[1] = 7", "size[2] = 8");
#endif
