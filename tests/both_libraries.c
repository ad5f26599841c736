/* both_libraries.c: one program with both static libraries: a property takes its cases from the
 * rows of a covering array. The program finds the pair of flags that its subject gets wrong. */
#include <warren.h>
#include <warren/cover.h>

static bool subject_is_right(uint32_t mode, uint32_t order, uint32_t level)
{
    (void)order;
    return !(mode == 2 && level == 3);
}

static wr_covering *build(void)
{
    wr_covering *c = wr_covering_new();
    wr_covering_range(c, "mode", 0, 2, 1);
    wr_covering_range(c, "order", 0, 3, 1);
    wr_covering_range(c, "level", 0, 3, 1);
    return c;
}

WR_PROPERTY(every_pair_of_modes_and_levels_is_right)
{
    wr_covering *c = build();
    wr_assert(t, wr_covering_build(c, NULL));
    uint32_t mode[64], order[64], level[64];
    size_t   rows = wr_covering_rows(c) < 64 ? wr_covering_rows(c) : 64;
    for (size_t i = 0; i < rows; i++) {
        mode[i] = wr_covering_level(c, i, 0);
        order[i] = wr_covering_level(c, i, 1);
        level[i] = wr_covering_level(c, i, 2);
    }
    wr_covering_free(c);
    size_t row = wr_pick(t, "row", rows);
    wr_assert(t, subject_is_right(mode[row], order[row], level[row]));
}
