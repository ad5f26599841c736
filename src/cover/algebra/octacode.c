/* cover/algebra/octacode.c: two levels, from the Nordstrom-Robinson code.
 *
 * The array has 256 words of 16 bits: the octacode over Z_4, each digit written as two bits in
 * Gray code. As an orthogonal array it has strength 5; every seven columns nevertheless show
 * every pattern. Now take only the words that begin with a zero, and drop that zero. They cover
 * one strength less with half of the rows: 128 rows cover six of 15 columns, 64 cover five of 14.
 */
#include "cover/algebra/family.h"

#define LENGTH 16
#define STRONGEST 7
#define WEAKEST 3

static void plan(wrc_plan *p)
{
    uint32_t t = p->strength < WEAKEST ? WEAKEST : p->strength;
    while (t <= STRONGEST && LENGTH - STRONGEST + t < p->columns)
        t++; /* what covers more also covers this, and has more columns */
    if (p->levels == 2 && t <= STRONGEST) {
        p->entry = t;
        p->rows = UINT64_C(1) << (t + 1);
    }
}

/* A cyclic code of seven digits with a check digit: 3 + x + 2x^2 + x^3 generates it. */
static uint32_t word(uint32_t number)
{
    static const uint32_t generator[4] = { 3, 1, 2, 1 }, gray[4] = { 0, 1, 3, 2 };
    uint32_t              digits[8] = { 0 }, sum = 0, bits = 0;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < 4; j++)
            digits[i + j] += (number >> (2 * i) & 3) * generator[j];
    for (uint32_t i = 0; i < 7; i++)
        sum += digits[i];
    digits[7] = 4 - sum % 4;
    for (uint32_t i = 0; i < 8; i++)
        bits |= gray[digits[i] % 4] << (2 * i);
    return bits;
}

static bool build(const wrc_plan *p, uint32_t *cells)
{
    uint32_t zeros = STRONGEST - p->entry;
    for (uint32_t number = 0; number < 256; number++) {
        uint32_t bits = word(number);
        if ((bits & ((UINT32_C(1) << zeros) - 1)) != 0)
            continue;
        for (uint32_t column = 0; column < p->columns; column++)
            *cells++ = bits >> (zeros + column) & 1;
    }
    return true;
}

const wrc_family wrc_family_octacode = { "Nordstrom-Robinson code", plan, build };
