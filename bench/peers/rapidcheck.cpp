/* bench/peers/rapidcheck.cpp: the two properties of `core` for RapidCheck.
 * Usage: rapidcheck sums|reversals, with RC_PARAMS=max_success=N. */
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

static bool sums()
{
    return rc::check([](int32_t x, int32_t y) {
        volatile uint32_t a = static_cast<uint32_t>(x), b = static_cast<uint32_t>(y);
        RC_ASSERT(a + b == b + a);
    });
}

static bool reversals()
{
    return rc::check([] {
        const auto n = *rc::gen::inRange<std::size_t>(0, 101);
        const auto xs = *rc::gen::container<std::vector<int32_t>>(n, rc::gen::arbitrary<int32_t>());
        auto       ys = xs;
        std::reverse(ys.begin(), ys.end());
        std::reverse(ys.begin(), ys.end());
        RC_ASSERT(xs == ys);
    });
}

int main(int, char **argv)
{
    return (argv[1] == std::string("sums") ? sums() : reversals()) ? 0 : 1;
}
