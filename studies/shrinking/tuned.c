/* studies/shrinking/tuned.c: properties whose failing cases hang together, for the shrinker.
 *
 * Above each property: why its smallest case is the one in subjects.h.
 */
#include <stdlib.h>
#include <string.h>
#include <warren.h>

static int64_t draw(wr_case *t, const char *name, int64_t most)
{
    return wr_int(t, name, 0, most);
}

/* ---- Draws tied by a line ---- */

/* x is at least 10, and y follows from x. */
WR_PROPERTY(affine_simple)
{
    int64_t x = draw(t, "x", 1000), y = draw(t, "y", 4000);
    wr_assert(t, x < 10 || y != 3 * x + 7);
}

/* x is at least 20, and y follows from x. */
WR_PROPERTY(affine_down)
{
    int64_t x = draw(t, "x", 1000), y = draw(t, "y", 6000);
    wr_assert(t, x < 20 || y != 5000 - 2 * x);
}

/* 41 comes before -41 in the order of integers, and y follows from x. */
WR_PROPERTY(affine_signed)
{
    int64_t x = wr_int(t, "x", -500, 500), y = wr_int(t, "y", -1000, 1000);
    wr_assert(t, llabs(x) <= 40 || y != 2 * x - 5);
}

/* c is a multiple of 5 above 37, and f follows from c. */
WR_PROPERTY(nine_fifths)
{
    int64_t c = draw(t, "c", 300), f = draw(t, "f", 600);
    wr_assert(t, c <= 37 || 5 * (f - 32) != 9 * c);
}

/* x and y are at least 5, and z follows from them. */
WR_PROPERTY(affine_three)
{
    int64_t x = draw(t, "x", 100), y = draw(t, "y", 100), z = draw(t, "z", 400);
    wr_assert(t, x < 5 || y < 5 || z != x + 2 * y + 3);
}

/* Two neighbours, the first at least 9. */
WR_PROPERTY(affine_neighbours)
{
    size_t    n = wr_size(t, "n", 0, 30);
    uint16_t *xs = wr_u16s(t, "xs", n, 0, 1000);
    for (size_t i = 0; i + 1 < n; i++)
        wr_assert(t, xs[i] < 9 || xs[i + 1] != 4 * xs[i] + 1);
}

/* ---- Sums ---- */

/* With a = 0 and c at its largest, b is at its smallest. */
WR_PROPERTY(sum_exact)
{
    int64_t a = draw(t, "a", 1000), b = draw(t, "b", 1000), c = draw(t, "c", 1000);
    wr_assert(t, a + b + c != 1500);
}

/* a = 0, then b = 1 is the smallest above a, and c follows. */
WR_PROPERTY(sum_ascending)
{
    int64_t a = draw(t, "a", 200), b = draw(t, "b", 200), c = draw(t, "c", 200);
    wr_assert(t, a >= b || b >= c || a + b + c != 90);
}

/* a and b are at least 3; c is smallest where d is largest. */
WR_PROPERTY(sum_of_four)
{
    int64_t a = draw(t, "a", 100), b = draw(t, "b", 100);
    int64_t c = draw(t, "c", 100), d = draw(t, "d", 100);
    wr_assert(t, a < 3 || b < 3 || c < 3 || a + b + c + d != 200);
}

/* Two that differ and are not 0 do not add up to 0 unless they are opposites, and three are
 * wanted: 1, then 2 (for -1 leaves 0), then -3. */
WR_PROPERTY(sum_balanced)
{
    size_t  n = wr_size(t, "n", 0, 12);
    int8_t *xs = wr_i8s(t, "xs", n, -50, 50);
    int     total = 0;
    bool    odd = n < 3;
    for (size_t i = 0; i < n; i++) {
        total += xs[i];
        odd |= xs[i] == 0;
        for (size_t k = 0; k < i; k++)
            odd |= xs[i] == xs[k];
    }
    wr_assert(t, odd || total != 0);
}

/* a = 0 leaves 3 b + 2 c = 460, and c is at most 200. */
WR_PROPERTY(weighted_sum)
{
    int64_t a = draw(t, "a", 200), b = draw(t, "b", 200), c = draw(t, "c", 200);
    wr_assert(t, 5 * a + 3 * b + 2 * c != 460);
}

/* ---- In step ---- */

/* x is at least 20, and the others follow. */
WR_PROPERTY(three_in_step)
{
    int64_t x = draw(t, "x", 150), y = draw(t, "y", 150), z = draw(t, "z", 150);
    wr_assert(t, x < 20 || y != x + 1 || z != x + 2);
}

/* a is at least 10, b is above it, and c follows. */
WR_PROPERTY(progression)
{
    int64_t a = draw(t, "a", 300), b = draw(t, "b", 300), c = draw(t, "c", 300);
    wr_assert(t, a < 10 || b <= a || c - b != b - a);
}

/* a is at least 7, and the others follow. */
WR_PROPERTY(multiples)
{
    int64_t a = draw(t, "a", 100), b = draw(t, "b", 200), c = draw(t, "c", 300);
    wr_assert(t, a < 7 || b != 2 * a || c != 3 * a);
}

/* Three are needed, the first above 50. */
WR_PROPERTY(steps_of_five)
{
    size_t   n = wr_size(t, "n", 0, 40);
    uint8_t *xs = wr_u8s(t, "xs", n, 0, 100);
    for (size_t i = 0; i + 2 < n; i++)
        wr_assert(t, xs[i] <= 50 || xs[i + 1] != xs[i] + 5 || xs[i + 2] != xs[i] + 10);
}

/* 12 comes before -12, and the others follow. */
WR_PROPERTY(opposites)
{
    int64_t x = wr_int(t, "x", -100, 100), y = wr_int(t, "y", -100, 100);
    int64_t z = wr_int(t, "z", -100, 100);
    wr_assert(t, llabs(x) < 12 || y != -x || z != x);
}

/* ---- Low bits ---- */

/* No smaller number has this low byte. */
WR_PROPERTY(low_byte)
{
    wr_assert(t, (wr_u32(t, "x") & 0xff) != 0x5a);
}

/* The bits themselves. */
WR_PROPERTY(low_bits_of_two)
{
    uint32_t x = wr_u32(t, "x"), y = wr_u32(t, "y");
    wr_assert(t, (x & 15) != 9 || (y & 7) != 5);
}

/* The remainder itself. */
WR_PROPERTY(remainder)
{
    wr_assert(t, draw(t, "x", 1000000) % 97 != 41);
}

/* 1009 is the first number above 1000 with these five bits. */
WR_PROPERTY(low_bits_above)
{
    uint32_t x = wr_u32(t, "x");
    wr_assert(t, x <= 1000 || (x & 31) != 17);
}

/* x = 0 leaves the bits to y. */
WR_PROPERTY(exclusive_or)
{
    uint16_t x = wr_u16(t, "x"), y = wr_u16(t, "y");
    wr_assert(t, ((x ^ y) & 0xff) != 0x3c);
}

/* ---- Strides ---- */

/* 101 is 5 more than 8 times 12. */
WR_PROPERTY(every_twelfth)
{
    int64_t x = draw(t, "x", 1000000);
    wr_assert(t, x <= 100 || x % 12 != 5);
}

/* 23 is the first at or above 20, and 34 the first above it. */
WR_PROPERTY(two_strides)
{
    int64_t x = draw(t, "x", 10000), y = draw(t, "y", 10000);
    wr_assert(t, x < 20 || x >= y || x % 10 != 3 || y % 15 != 4);
}

/* The last 16 bytes of the first page, and a length that goes past them. */
WR_PROPERTY(end_of_a_page)
{
    int64_t address = draw(t, "address", 1 << 20), length = draw(t, "length", 64);
    wr_assert(t, address % 4096 != 4080 || length <= 16);
}

/* 23:59 on the first day. */
WR_PROPERTY(last_minute)
{
    int64_t minute = draw(t, "minute", 100000);
    wr_assert(t, minute / 60 % 24 != 23 || minute % 60 != 59);
}

/* ---- A length inside the data ---- */

/* More than 3 bytes, and the first counts the others. */
WR_PROPERTY(length_in_front)
{
    size_t   n = wr_size(t, "n", 1, 20);
    uint8_t *bytes = wr_u8s(t, "bytes", n, 0, 255);
    wr_assert(t, n <= 3 || bytes[0] != n - 1);
}

/* At least 3, and the last counts them. */
WR_PROPERTY(length_at_the_end)
{
    size_t    n = wr_size(t, "n", 1, 40);
    uint16_t *xs = wr_u16s(t, "xs", n, 0, 1000);
    wr_assert(t, n < 3 || xs[n - 1] != n);
}

/* A record is its length, a byte for its kind, and the content. Two records fill the bytes; the
 * first has content, which begins with 2 or more: 3 bytes, and 2 for a second without any. */
WR_PROPERTY(two_records)
{
    size_t   n = wr_size(t, "n", 0, 24), records = 0, at = 0;
    uint8_t *bytes = wr_u8s(t, "bytes", n, 0, 12);
    bool     filled = n > 1 && bytes[0] > 0 && bytes[2 % n] >= 2;
    for (; at + 1 < n; records++)
        at += 2 + bytes[at];
    wr_assert(t, !filled || records != 2 || at != n);
}

/* One number of 50, which is one. */
WR_PROPERTY(count_beside)
{
    size_t   k = (size_t)draw(t, "k", 30), n = wr_size(t, "n", 0, 30);
    uint8_t *xs = wr_u8s(t, "xs", n, 0, 60);
    int      total = 0;
    for (size_t i = 0; i < n; i++)
        total += xs[i];
    wr_assert(t, k != n || total < 50);
}

/* At least 4 bytes: their number, and the low bits of the sum of all before the last. */
WR_PROPERTY(framed)
{
    size_t   n = wr_size(t, "n", 1, 14);
    uint8_t *bytes = wr_u8s(t, "bytes", n, 0, 15);
    unsigned total = 0;
    for (size_t i = 0; i + 1 < n; i++)
        total += bytes[i];
    wr_assert(t, n < 4 || bytes[0] != n || bytes[n - 1] != (total & 15));
}

/* ---- A value of a set ---- */

static bool is_among(int64_t x, const int64_t *set, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (set[i] == x)
            return true;
    return false;
}

/* The least of the four. */
WR_PROPERTY(opcode)
{
    switch (wr_u8(t, "op")) {
    case 0x17:
    case 0x2a:
    case 0x91:
    case 0xc3: wr_fail(t, "no such opcode");
    }
}

/* The least of the table. */
WR_PROPERTY(far_set)
{
    static const int64_t SET[] = {
        2003,  4801,  7219,  9973,  12007, 16661, 18181, 21001, 22343,
        25601, 28657, 31337, 32749, 35999, 40961, 44497, 48611, 51199,
        55049, 59999, 62501, 65521, 70001, 75001, 80021, 86243, 99991
    };
    wr_assert(t, !is_among(draw(t, "x", 100000), SET, sizeof SET / sizeof *SET));
}

static bool is_prime(int64_t x)
{
    for (int64_t i = 2; i * i <= x; i++)
        if (x % i == 0)
            return false;
    return x > 1;
}

/* 501 = 3 * 167. */
WR_PROPERTY(prime)
{
    int64_t x = draw(t, "x", 1000000);
    wr_assert(t, x <= 500 || !is_prime(x));
}

/* 45 * 45; 44 * 44 is 1936. */
WR_PROPERTY(square)
{
    int64_t x = draw(t, "x", 100000), root = 0;
    while (root * root < x)
        root++;
    wr_assert(t, x <= 2000 || root * root != x);
}

/* The least, and the least above it. */
WR_PROPERTY(two_of_a_set)
{
    static const int64_t SET[] = { 12, 47, 130, 199 };
    int64_t              x = draw(t, "x", 255), y = draw(t, "y", 255);
    wr_assert(t, x >= y || !is_among(x, SET, 4) || !is_among(y, SET, 4));
}

/* 360 / 2; the width 1 is allowed. */
WR_PROPERTY(area)
{
    int64_t w = draw(t, "w", 400), h = draw(t, "h", 400);
    wr_assert(t, w <= 1 || w >= h || w * h != 360);
}

/* The first above 100. */
WR_PROPERTY(palindrome)
{
    int64_t x = draw(t, "x", 1000000), turned = 0;
    for (int64_t left = x; left > 0; left /= 10)
        turned = turned * 10 + left % 10;
    wr_assert(t, x <= 100 || turned != x);
}

/* ---- Large containers ---- */

/* 25 different keys, and the first again at the end. */
WR_PROPERTY(table_grows)
{
    size_t    n = wr_size(t, "n", 1, 200), distinct = 0;
    uint16_t *keys = wr_u16s(t, "keys", n, 0, 10000);
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (keys[k] != keys[i])
            k++;
        distinct += k == i;
    }
    wr_assert(t, distinct < 25 || keys[n - 1] != keys[0] || n == 1);
}

/* Twelve of one value, and 0 is the simplest. */
WR_PROPERTY(crowded)
{
    size_t   n = wr_size(t, "n", 0, 200), counts[16] = { 0 };
    uint8_t *xs = wr_u8s(t, "xs", n, 0, 15);
    for (size_t i = 0; i < n; i++)
        counts[xs[i]]++;
    for (size_t i = 0; i < 16; i++)
        wr_assert(t, counts[i] < 12);
}

/* Two values, eight times each. */
WR_PROPERTY(two_full_pages)
{
    size_t    n = wr_size(t, "n", 0, 300), full = 0;
    uint16_t  counts[64] = { 0 };
    uint16_t *xs = wr_u16s(t, "xs", n, 0, 63);
    for (size_t i = 0; i < n; i++)
        full += ++counts[xs[i]] == 8;
    wr_assert(t, full < 2);
}
