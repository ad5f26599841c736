/* core/choice.c: the codec of reals, and the alphabets. */
#include "core/choice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANTISSA_BITS 52
#define MANTISSA_MASK ((UINT64_C(1) << MANTISSA_BITS) - 1)
/* Sizes below this are whole numbers; behind them come 2047 exponents of 2^52 mantissas each,
 * then infinity and one NaN: with a sign, and minus zero, just what 64 bits hold. */
#define WHOLE_END (UINT64_C(1) << 51)
#define INFINITY_SIZE (WHOLE_END + (UINT64_C(2047) << MANTISSA_BITS))

/* Reverses the lowest `bits` bits, so that a fraction with few bits set high is a small number.
 */
static uint64_t reversed(uint64_t word, unsigned bits)
{
    uint64_t out = 0;
    for (unsigned i = 0; i < bits; i++)
        out |= ((word >> i) & 1) << (bits - 1 - i);
    return out;
}

/* How many of the mantissa's bits stand behind the binary point. */
static unsigned fraction_bits(int exponent)
{
    if (exponent < 0)
        return MANTISSA_BITS;
    return exponent >= MANTISSA_BITS ? 0 : (unsigned)(MANTISSA_BITS - exponent);
}

static uint64_t mantissa_turned(uint64_t mantissa, int exponent)
{
    unsigned bits = fraction_bits(exponent);
    uint64_t low = bits == 0 ? 0 : mantissa & ((UINT64_C(1) << bits) - 1);
    return (mantissa - low) | reversed(low, bits);
}

/* Exponents from simplest on: 0, 1, 2, ... 1023, then -1, -2, ... -1023 (subnormal). */
static uint64_t exponent_rank(int exponent)
{
    return exponent >= 0 ? (uint64_t)exponent : (uint64_t)(1023 - exponent);
}

static int exponent_of_rank(uint64_t rank)
{
    return rank <= 1023 ? (int)rank : 1023 - (int)rank;
}

static double magnitude_of(uint64_t size)
{
    double value;
    if (size < WHOLE_END)
        return (double)size;
    if (size >= INFINITY_SIZE)
        return size == INFINITY_SIZE ? INFINITY : NAN;
    int      exponent = exponent_of_rank((size - WHOLE_END) >> MANTISSA_BITS);
    uint64_t mantissa = mantissa_turned((size - WHOLE_END) & MANTISSA_MASK, exponent);
    uint64_t bits = ((uint64_t)(exponent + 1023) << MANTISSA_BITS) | mantissa;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t size_of(double magnitude)
{
    uint64_t bits;
    if (magnitude < (double)WHOLE_END && magnitude == (double)(uint64_t)magnitude)
        return (uint64_t)magnitude;
    if (isinf(magnitude) || isnan(magnitude))
        return INFINITY_SIZE + (isnan(magnitude) != 0);
    memcpy(&bits, &magnitude, sizeof bits);
    int exponent = (int)(bits >> MANTISSA_BITS) - 1023;
    return WHOLE_END + (exponent_rank(exponent) << MANTISSA_BITS) +
           mantissa_turned(bits & MANTISSA_MASK, exponent);
}

double wri_choice_real_value(uint64_t number)
{
    if (number == UINT64_MAX)
        return -0.0; /* it has no other place */
    double value =
        magnitude_of(number / 2 + (number & 1)); /* 0, 1, 1, 2, 2, ... as integers do */
    return number != 0 && (number & 1) == 0 ? -value : value;
}

uint64_t wri_choice_real_number(double value)
{
    bool negative = signbit(value) != 0;
    if (value == 0)
        return negative ? UINT64_MAX : 0;
    uint64_t size = size_of(fabs(value));
    return negative ? size * 2 : size * 2 - 1;
}

/* The value of a range that is nearest to zero, a whole number if there is one near. */
static double simplest_within(double lo, double hi)
{
    if (lo <= 0 && hi >= 0)
        return 0;
    double end = lo > 0 ? lo : hi;
    double whole = lo > 0 ? ceil(end) : floor(end);
    return whole >= lo && whole <= hi ? whole : end;
}

double wri_choice_real_answer(const wri_request *request, uint64_t number)
{
    double value = wri_choice_real_value(number);
    if (request->single)
        value = (double)(float)value;
    if (request->range != NULL && !(value >= request->range[0] && value <= request->range[1]))
        value = simplest_within(request->range[0], request->range[1]);
    return value;
}

const char *wri_choice_alphabet(uint16_t letters)
{
    static const char *const ALPHABETS[] = {
        [WRI_NO_LETTERS] = NULL,
        [WRI_LETTERS_PRINTABLE] = WRI_PRINTABLE,
        [WRI_LETTERS_FIRST] = WRI_IDENTIFIER_FIRST,
        [WRI_LETTERS_REST] = WRI_IDENTIFIER_REST,
    };
    return letters < sizeof ALPHABETS / sizeof *ALPHABETS ? ALPHABETS[letters] : NULL;
}

/* ---- Reals as text ---- */

static bool reads_back(const char *digits, double value, bool single)
{
    return single ? strtof(digits, NULL) == (float)value : strtod(digits, NULL) == value;
}

/* The program may have set a locale: its decimal sign, one byte or more, becomes a point. */
static void point_for_sign(char *digits)
{
    char *to = digits;
    for (const char *from = digits; *from != '\0'; from++) {
        if (strchr("0123456789+-e", *from) != NULL)
            *to++ = *from;
        else if (to == digits || to[-1] != '.')
            *to++ = '.';
    }
    *to = '\0';
}

void wri_choice_real_print(char digits[WRI_REAL_DIGITS], double value, bool single)
{
    if (isnan(value) || isinf(value)) {
        snprintf(digits, WRI_REAL_DIGITS, "%s%s", signbit(value) ? "-" : "",
                 isnan(value) ? "nan" : "inf");
        return;
    }
    if (value == trunc(value) && fabs(value) < 1e15) {
        snprintf(digits, WRI_REAL_DIGITS, "%.0f.0", value);
        return;
    }
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, WRI_REAL_DIGITS, "%.*g", precision, value);
        if (reads_back(digits, value, single))
            break;
    }
    point_for_sign(digits);
    if (strpbrk(digits, ".e") == NULL)
        strcat(digits, ".0");
}
