/* tests/exampled.c: properties with explicit cases; example_test.c knows what comes out. */
#include <signal.h>
#include <warren.h>

WR_PROPERTY(sums_are_small)
{
    size_t   n = wr_size(t, "n", 0, 100);
    int32_t *xs = wr_i32s(t, "xs", n, -100, 100);
    int64_t  sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += xs[i];
    wr_assert_lt(t, sum, 1000);
}
WR_EXAMPLE(sums_are_small, "n = 2", "xs = [100, -1]");
#define ELEVEN "xs = [99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89]"
WR_EXAMPLE(sums_are_small, "n = 11", ELEVEN); /* fails */

WR_PROPERTY(fails_with_a_misspelt_name)
{
    int64_t x = wr_int(t, "x", 0, 0xffff);
    wr_assert_ne(t, x, 0xf255);
    wr_int(t, "y", 0, 9);
}
WR_EXAMPLE(fails_with_a_misspelt_name, "x = 0xf255", "zz = 1");

WR_PROPERTY(crashes_on_seven)
{
    if (wr_int(t, "x", 0, 1000000) == 7)
        raise(SIGSEGV);
}
WR_EXAMPLE(crashes_on_seven, "x = 7");

WR_PROPERTY(holds)
{
    wr_collect(t, "x", wr_int(t, "x", 0, 9));
}
WR_EXAMPLE(holds, "x = 3");
WR_EXAMPLE(holds, "x = 4");

WR_PROPERTY(by_token)
{
    wr_assert_ne(t, wr_int(t, "x", 0, 1000000), 123456);
}
WR_EXAMPLE(by_token, "w1-c_RpxfOIfkHwIQ9wMQHfxb8KQ");

WR_PROPERTY(by_a_foreign_token)
{
    wr_int(t, "x", 0, 1000000);
}
WR_EXAMPLE(by_a_foreign_token, "w1-c_RpxfOIfkHwIQ9wMQHfxb8KQ");

WR_PROPERTY(by_a_damaged_token)
{
    wr_int(t, "x", 0, 1000000);
}
WR_EXAMPLE(by_a_damaged_token, "w1damaged");

WR_PROPERTY(by_a_value_without_a_sign)
{
    wr_int(t, "x", 0, 9);
}
WR_EXAMPLE(by_a_value_without_a_sign, "x 1");

WR_PROPERTY(has_an_unknown_name)
{
    wr_int(t, "x", 0, 9);
}
WR_EXAMPLE(has_an_unknown_name, "y = 3");
WR_EXAMPLE(has_an_unknown_name, "z = 3");

WR_PROPERTY(discards_its_example)
{
    wr_assume(t, wr_int(t, "x", 0, 9) < 8);
}
WR_EXAMPLE(discards_its_example, "x = 8");

/* Words of which two fit no draw. */
WR_PROPERTY(gives_words)
{
    static const char *const WORDS[] = { "select", "waytoolong", "&amp;" };
    wr_words(t, 3, WORDS);
    wr_text_of(t, "text", "abcdefghijklmnopqrstuvwxyz", 0, 8);
}
