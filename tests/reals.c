/* tests/reals.c: properties whose reports must not depend on how this file was compiled.
 *
 * They draw reals, and look at their bits only: arithmetic on them may differ, by the compiler's
 * options. Cases leave the processor's arithmetic, the locale and errno changed, which is nothing
 * to the cases after them. flags_test.sh compiles the file in many ways and compares the reports.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fenv.h>
#include <locale.h>
#include <string.h>
#include <warren.h>

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t float_bits(const float *value)
{
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    return bits;
}

static void look_at(wr_case *t, uint64_t bits)
{
    unsigned exponent = (unsigned)(bits >> 52) & 0x7ff;
    wr_classify(t, exponent == 0 && bits << 12 != 0, "subnormal");
    wr_classify(t, exponent == 0x7ff, "infinite or NaN");
    wr_collect(t, "exponent", exponent / 64);
    wr_collect(t, "last bits", (unsigned)(bits & 7));
}

/* Leaves the process as no other case wants to find it. */
static void leave_changed(uint64_t bits)
{
    static const int WAYS[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    fesetround(WAYS[bits % 4]);
#if defined(__x86_64__)
    if (bits & 16)
        __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() ^ 0x8040); /* subnormal numbers */
#endif
    if (bits & 32)
        feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT);
    if (bits & 64)
        setlocale(LC_ALL, "C.UTF-8");
    if (bits & 128)
        uselocale(newlocale(LC_NUMERIC_MASK, "C", NULL));
    errno = (int)(bits % 100);
}

WR_PROPERTY(doubles)
{
    double range = wr_double(t, "range", -1000, 1e-3), any = wr_any_double(t, "any");
    double tiny = wr_double(t, "tiny", -1e-310, 3e-308);
    look_at(t, bits_of(range));
    look_at(t, bits_of(any));
    look_at(t, bits_of(tiny));
    leave_changed(bits_of(range) ^ bits_of(any) >> 20);
    look_at(t, bits_of(wr_double(t, "after", 0, 1)));
}

WR_PROPERTY(floats)
{
    float range = wr_float(t, "range", -1000, 1e-3f), any = wr_any_float(t, "any");
    float tiny = wr_float(t, "tiny", 1e-45f, 2e-38f);
    wr_collect(t, "range", float_bits(&range) >> 27);
    wr_collect(t, "any", float_bits(&any) >> 27);
    wr_collect(t, "tiny", float_bits(&tiny) % 5);
    leave_changed(float_bits(&any) ^ float_bits(&tiny));
}

WR_PROPERTY(arrays)
{
    size_t  n = wr_size(t, "n", 0, 10);
    double *xs = wr_doubles(t, "xs", n, -1, 1e-308);
    float  *ys = wr_floats(t, "ys", n, 0, 1e-38f);
    for (size_t i = 0; i < n; i++) {
        look_at(t, bits_of(xs[i]));
        wr_collect(t, "ys", float_bits(&ys[i]) % 7);
    }
    leave_changed(n == 0 ? 0 : bits_of(xs[0]));
}

/* Fails by the bits alone: the smallest case and its token are the same everywhere. */
WR_PROPERTY(fails_by_bits)
{
    double x = wr_any_double(t, "x");
    float  y = wr_any_float(t, "y");
    leave_changed(bits_of(x));
    wr_assert(t, bits_of(x) % 16 != 1 || float_bits(&y) % 4 != 1);
}

WR_PROPERTY(finds_the_process_as_it_was)
{
    wr_assert_eq(t, errno, 0);
    wr_assert_eq(t, fegetround(), FE_TONEAREST);
    wr_assert_eq(t, fegetexcept(), 0);
    wr_assert_str_eq(t, setlocale(LC_ALL, NULL), "C");
    wr_assert(t, uselocale(NULL) == LC_GLOBAL_LOCALE);
    leave_changed((uint64_t)wr_int(t, "n", 0, 1000));
}

/* A number to drive up, tables of reals, and labels: for guided search. */
WR_PROPERTY(guided)
{
    double   x = wr_any_double(t, "x"), y = wr_double(t, "y", 0, 1);
    uint64_t bits = bits_of(x);
    leave_changed(bits);
    wr_maximise(t, "bits", __builtin_popcountll(bits));
    wr_maximise(t, "y", y);
    wr_collect(t, "x", x);
    for (unsigned i = 0; i < 8; i++)
        wr_classify(t, (bits >> (8 * i) & 0xff) == 0x5a, "a byte of x");
    wr_assert(t, (bits & 0xff) != 0x5a || (bits >> 56) != 0x40 || bits_of(y) % 4 != 3);
}
