/* tests/header_every.cpp: the macros of the public headers that C++ types go through, for each
 * standard of C++. Compilers must not warn. */
#include <warren.h>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#if __cplusplus >= 201703L
#include <string_view>
#endif
#include <vector>

enum class colour : uint64_t { red, green };
enum plain { first, second };
struct limits { static constexpr int most = 3; static constexpr colour best = colour::green; };

WR_PROPERTY(does_not_use_t) {}
WR_PROPERTY_WITH(holds, .cases = 100) {
    size_t           n = wr_size(t, "n", 0, 30);
    int32_t         *xs = wr_i32s(t, "xs", n, INT32_MIN, INT32_MAX);
    std::vector<int> ys(xs, xs + n);
    std::sort(ys.begin(), ys.end());
    for (wr_each(t, i, n))
        if (i > 0)
            wr_assert_le(t, ys[i - 1], ys[i]);
    wr_assert_eq(t, ys.size(), n);
    wr_assert_eq(t, std::string("a").c_str(), "a");
    std::string s = "abc";
    char buffer[8] = "abc";
    int array[2] = { 1, 2 };
    std::atomic<int> counter(3);
    wr_assert_eq(t, s, "abc");
    wr_assert_eq(t, "abc", s);
    wr_assert_eq(t, buffer, s);
    wr_assert_eq(t, s, std::string("abc"));
    wr_assert_ne(t, s, std::string("abc\0", 4));
    wr_assert_lt(t, s, std::string("abd"));
    wr_assert_str_eq(t, s, "abc");
    wr_assert_str_contains(t, s, "bc");
    wr_assert_str_starts_with(t, s, s);
    wr_assert_str_ne(t, buffer, "");
#if __cplusplus >= 201703L
    std::string_view v = s;
    wr_assert_eq(t, v, s);
    wr_assert_eq(t, v.substr(1, 1), "b");
    wr_assert_eq(t, v, "abc");
#endif
    wr_assert_eq(t, colour::red, colour::red);
    wr_assert_eq(t, limits::most, 3);
    wr_assert_eq(t, limits::best, colour::green);
    wr_assert_ne(t, first, second);
    wr_assert_eq(t, counter, 3);
    wr_assert_eq(t, L'a', 97);
    wr_assert_eq(t, u'a', 97);
    wr_assert_eq(t, 'a', 97);
    wr_assert_eq(t, true, n < 100);
    wr_assert_eq(t, array, &array[0]);
    wr_assert_ne(t, array, nullptr);
    wr_assert_ne(t, array, 0);
    wr_assert_eq(t, [] { return 1; }(), 1);
    wr_assert_not_null(t, array);
    wr_assert_null(t, static_cast<int *>(nullptr));
    wr_assert_null(t, nullptr);
    wr_assert_between(t, n, 0, 30u);
    wr_assert_ne(t, INT64_C(9007199254740993), 9007199254740992.0);
    wr_collect(t, "s", s);
    wr_collect(t, "c", s[0]);
    wr_always(t, n <= 30, "at most thirty");
    wr_sometimes_gt(t, n, 2, "more than two");
    wr_maximise(t, "size", ys.size());
    wr_state(t, "size", n % 3);
    wr_label(t, "%zu", n);
    wr_cover(t, n > 0, 10.5, "some");
    char *taken = wr_take(t, static_cast<char *>(malloc(1)));
    wr_assert_not_null(t, taken);
    wr_defer_as(t, fclose, tmpfile());
    wr_show_text(t, "text", "a");
}

WR_PROPERTY_WITH(fails, .cases = 10) {
    std::string text("ab\0c", 4);
    wr_assert_eq(t, text, "abc");
}

WR_EXAMPLE(holds, "n = 3", "xs = [1, 2, 3]");
