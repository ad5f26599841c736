/* tests/together.c: forty properties with a bug each, for several programs that use one store at
 * the same time.
 */
#include <warren.h>

#define FAILS(number)                                                                            \
    WR_PROPERTY(fails_##number)                                                                  \
    {                                                                                            \
        int64_t x = wr_int(t, "x", 0, 1000);                                                     \
        wr_assert_lt(t, x, 5 + number);                                                          \
    }
#define FAIL_TEN(tens)                                                                           \
    FAILS(tens##0)                                                                               \
    FAILS(tens##1)                                                                               \
    FAILS(tens##2)                                                                               \
    FAILS(tens##3)                                                                               \
    FAILS(tens##4)                                                                               \
    FAILS(tens##5)                                                                               \
    FAILS(tens##6)                                                                               \
    FAILS(tens##7)                                                                               \
    FAILS(tens##8)                                                                               \
    FAILS(tens##9)

FAIL_TEN(1)
FAIL_TEN(2)
FAIL_TEN(3)
FAIL_TEN(4)
