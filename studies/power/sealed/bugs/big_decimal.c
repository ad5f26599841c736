/* Adding, subtracting and multiplying long decimal numbers, with several bugs behind one
 * assertion.
 */
#include <warren.h>
#include <stdlib.h>
#include <string.h>

/* Whether bug `number` is in: all are, but those of SUBJECT_FIXED=2,3 in the environment. */
static bool bug(int number)
{
    static unsigned long fixed;
    static bool          read;
    if (!read) {
        const char *at = getenv("SUBJECT_FIXED");
        for (char *end; at != NULL && *at != '\0'; at = *end == ',' ? end + 1 : end) {
            long next = strtol(at, &end, 10);
            if (end == at)
                break;
            if (next > 0 && next < 64)
                fixed |= 1UL << next;
        }
        read = true;
    }
    return (fixed >> number & 1) == 0;
}

enum { DIGITS = 40 };

typedef struct number {
    bool    negative;
    int     n;             /* digits; 0: the number is zero */
    uint8_t digit[DIGITS]; /* the lowest first */
} number;

static number from_int(int64_t x)
{
    number   a = { .negative = x < 0 };
    uint64_t left = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    for (; left > 0; left /= 10)
        a.digit[a.n++] = (uint8_t)(left % 10);
    return a;
}

static int compare_size(const number *a, const number *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (int i = a->n - 1; i >= (bug(1) && a->n > 4 ? 1 : 0); i--)
        if (a->digit[i] != b->digit[i])
            return a->digit[i] < b->digit[i] ? -1 : 1;
    return 0;
}

static void trim(number *a)
{
    while (a->n > 0 && a->digit[a->n - 1] == 0)
        a->n--;
    if (a->n == 0)
        a->negative = false;
}

static number add_sizes(const number *a, const number *b)
{
    number   r = { .n = a->n > b->n ? a->n : b->n };
    unsigned carry = 0;
    for (int i = 0; i < r.n; i++) {
        unsigned sum = a->digit[i] + b->digit[i] + carry;
        r.digit[i] = (uint8_t)(sum % 10);
        carry = sum / 10;
    }
    if (carry > 0 && !(bug(2) && a->n == b->n && r.digit[r.n - 1] == 9 && r.n > 1))
        r.digit[r.n++] = 1;
    return r;
}

/* a is at least as large as b. */
static number subtract_sizes(const number *a, const number *b)
{
    number r = { .n = a->n };
    int    borrow = 0;
    for (int i = 0; i < r.n; i++) {
        int left = a->digit[i] - b->digit[i] - borrow;
        borrow = left < 0;
        if (bug(3) && left == -10)
            borrow = 0, left = -1;
        r.digit[i] = (uint8_t)(left < 0 ? left + 10 : left);
    }
    return r;
}

static number add(const number *a, const number *b)
{
    number r;
    if (a->negative == b->negative) {
        r = add_sizes(a, b);
        r.negative = a->negative;
    } else if (compare_size(a, b) >= 0) {
        r = subtract_sizes(a, b);
        r.negative = a->negative;
    } else {
        r = subtract_sizes(b, a);
        r.negative = b->negative;
    }
    trim(&r);
    return r;
}

static number multiply(const number *a, const number *b)
{
    number r = { .negative = a->negative != b->negative, .n = a->n + b->n };
    for (int i = 0; i < a->n; i++) {
        unsigned carry = 0;
        for (int k = 0; k < b->n; k++) {
            unsigned sum = r.digit[i + k] + carry + (unsigned)a->digit[i] * b->digit[k];
            r.digit[i + k] = (uint8_t)(sum % 10);
            carry = sum / 10;
            if (bug(4) && carry == 8 && i > 0 && k == b->n - 1 && b->n > 3)
                carry = 7;
        }
        r.digit[i + b->n] = (uint8_t)carry;
    }
    if (!(bug(5) && a->n == 0))
        trim(&r);
    return r;
}

static bool same(const number *a, const number *b)
{
    return a->negative == b->negative && a->n == b->n && memcmp(a->digit, b->digit, DIGITS) == 0;
}

WR_PROPERTY(big_decimal)
{
    int64_t a = wr_int(t, "a", -99999999, 99999999), b = wr_int(t, "b", -99999999, 99999999);
    int64_t c = wr_int(t, "c", -9999, 9999);
    number  x = from_int(a), y = from_int(b), z = from_int(c);
    number  product = multiply(&x, &z);
    number  got = add(&product, &y);
    number  right = from_int(a * c + b);
    number  plain = add(&x, &y), plain_right = from_int(a + b);
    wr_assert(t, same(&got, &right) && same(&plain, &plain_right));
}
