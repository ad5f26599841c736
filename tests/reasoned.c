/* tests/reasoned.c: properties whose reasons are known, at the ends of what an integer holds. */
#include <warren.h>

WR_PROPERTY(fails_above_the_least)
{
    wr_assert(t, wr_i64(t, "x") == INT64_MIN);
}

WR_PROPERTY(fails_for_a_remainder)
{
    int64_t x = wr_int(t, "x", -100, 100);
    wr_assert(t, (x + 102) % 3 != 2);
}

/* The sum goes round: nothing that is said of it may depend on that. */
WR_PROPERTY(fails_for_a_sum)
{
    uint64_t sum = 0;
    for (wr_each(t, i, 4))
        sum += (uint64_t)wr_i64(t, "v");
    wr_assert(t, sum < 1000);
}

WR_PROPERTY(fails_for_an_array)
{
    uint64_t sum = 0;
    size_t   n = wr_size(t, "n", 0, 8);
    int64_t *v = wr_i64s(t, "v", n, INT64_MIN, INT64_MAX);
    for (size_t i = 0; i < n; i++)
        sum += (uint64_t)v[i];
    wr_assert(t, sum <= INT64_MAX);
}
