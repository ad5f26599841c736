/* tommath.c: laws of LibTomMath's numbers (Debian: libtommath-dev).
 *
 * Each property states what a function is for: an inverse times its number is 1, a root lies between
 * two powers, a power modulo m is what repeated multiplication gives. No second library is needed.
 *
 * Version 1.2.0 breaks all three laws: mp_invmod(-1, 3) is -2, mp_root_u32(a, 1, &c) says MP_OKAY and
 * never writes c, and mp_exptmod(0, 0, 1) is 1, though only 0 is below 1.
 * plain/tommath.c shows the same without Warren.
 */
#include <stdlib.h>

#include <tommath.h>
#include <warren.h>

/* A number that the end of the case frees. */
static mp_int *number(wr_case *t, int64_t value)
{
    mp_int *n = wr_alloc(t, sizeof *n);
    if (mp_init_i64(n, value) != MP_OKAY)
        abort();
    wr_defer_as(t, mp_clear, n);
    return n;
}

WR_PROPERTY(an_inverse_times_its_number_is_one) {
    int64_t a = wr_int(t, "a", -1000, 1000);
    int64_t m = wr_int(t, "m", 2, 1000);
    mp_int *inverse = number(t, 0);
    wr_assume(t, mp_invmod(number(t, a), number(t, m), inverse) == MP_OKAY);
    wr_show(t, "inverse", "%lld", (long long)mp_get_i64(inverse));
    int64_t product = a * mp_get_i64(inverse);
    wr_assert_eq(t, (product % m + m) % m, 1);
}

static int64_t power(int64_t base, int64_t exponent)
{
    int64_t result = 1;
    for (int64_t i = 0; i < exponent; i++)
        result *= base;
    return result;
}

WR_PROPERTY(a_root_lies_between_two_powers) {
    int64_t  a = wr_int(t, "a", 0, 1000);
    uint32_t n = (uint32_t)wr_int(t, "n", 1, 5);
    mp_int  *root = number(t, 7);
    wr_assert_eq(t, mp_root_u32(number(t, a), n, root), MP_OKAY);
    int64_t r = mp_get_i64(root);
    wr_assert_le(t, power(r, n), a);
    wr_assert_gt(t, power(r + 1, n), a);
}

WR_PROPERTY(a_power_is_repeated_multiplication) {
    int64_t base = wr_int(t, "base", 0, 100);
    int64_t exponent = wr_int(t, "exponent", 0, 20);
    int64_t m = wr_int(t, "m", 1, 100);
    mp_int *result = number(t, 0);
    wr_assert_eq(t, mp_exptmod(number(t, base), number(t, exponent), number(t, m), result), MP_OKAY);
    int64_t expected = 1 % m;
    for (int64_t i = 0; i < exponent; i++)
        expected = expected * base % m;
    wr_assert_eq(t, mp_get_i64(result), expected);
}
