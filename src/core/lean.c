/* core/lean.c: the rare ways of the lean, and whole arrays.
 *
 * The numbers in this file are part of what a seed means: a change of one changes every run.
 */
#include "core/lean.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Among how many entries of the journal a repeated value is looked for. */
#define LOOKED_AT 64

/* One of the packed values, as a number; false when its number is out of this bound. */
static WRI_COLD bool from_array(const wri_record *at, uint64_t word, const wri_request *alike,
                                uint64_t *number)
{
    unsigned width = (unsigned)at[1].max;
    size_t   which = wri_prng_scale(wri_prng_mix(word), at[0].number - 1);
    if (alike->kind == WRI_REAL && width < 4)
        return false;
    uint64_t found = wri_case_number_at(alike, width, (const char *)(at + 2) + which * width);
    if (found > alike->max)
        return false;
    *number = found;
    return true;
}

/* Is the next of the entries that would do, after `seen` others, the one that is taken? */
static bool taken(uint64_t word, unsigned step, uint64_t seen)
{
    return seen == 0 || wri_prng_scale(wri_prng_mix(word + step), seen) == 0;
}

/* The search starts at the journal's start or, in a longer case, at a later entry. Entries can be
 * told apart only from the start of one, so some starts are noted on the way. */
static const wri_record *look_from(wr_case *t, uint64_t word)
{
    unsigned          count = t->boundary_count;
    unsigned          known = count < WRI_BOUNDARIES ? count : WRI_BOUNDARIES;
    const wri_record *from = t->journal;
    if (known > 0 && (word & 1) != 0)
        from = t->boundaries[(word >> 1 & 0xff) % known];
    t->boundaries[t->boundary_count++ % WRI_BOUNDARIES] = t->next;
    return from;
}

/* A number with this bound that the case drew before, each entry that is looked at with the same
 * chance; false when there is none. */
static bool drawn_before(wr_case *t, uint64_t word, const wri_request *alike, uint64_t *number)
{
    uint64_t seen = 0, max = alike->max;
    unsigned step = 0;
    for (const wri_record *at = look_from(t, word); at < t->next && step < LOOKED_AT; step++) {
        bool is_array = at->max == 0 && at->number > 0;
        if (!is_array) {
            if (at->max == max && taken(word, step, seen++))
                *number = at->number;
            at++;
            continue;
        }
        if (at[1].number == max && taken(word, step, seen++) &&
            !from_array(at, word - step, alike, number))
            seen--;
        at += 2 + (at[0].number * at[1].max + sizeof *at - 1) / sizeof *at;
    }
    return seen > 0;
}

static bool from_dictionary(const wr_case *t, uint64_t word, uint64_t max, int64_t lo,
                            uint64_t *number)
{
    if (t->dictionary_count == 0)
        return false;
    int64_t  value = t->dictionary[wri_prng_scale(word, t->dictionary_count - 1)];
    uint64_t distance = (uint64_t)value - (uint64_t)lo;
    if (value < lo || distance > max)
        return false;
    *number = wri_choice_integer_number(value, lo, max);
    return true;
}

/* Near a power of two, in the numbers' order: values like 127, 128, -256, 65535. */
static uint64_t near_power(uint64_t word, uint64_t max)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(max | 1);
    unsigned power = (unsigned)wri_prng_scale(word, bits - 1);
    uint64_t number = (UINT64_C(1) << power) + ((word >> 3) & 7) - 3;
    return number > max ? max : number;
}

/* The ends of the range, and what is next to them. In the order of numbers only one end is the
 * last, so these are found as values. */
static uint64_t at_an_end(uint64_t word, uint64_t max, int64_t lo)
{
    uint64_t inward = (word & 1) != 0 && max > 0, upper = (word & 2) != 0;
    uint64_t offset = upper ? max - inward : inward;
    if (lo >= 0)
        return offset;
    return wri_choice_integer_number((int64_t)((uint64_t)lo + offset), lo, max);
}

uint64_t wri_lean_rarely(wr_case *t, uint64_t word, uint64_t max, int64_t lo)
{
    uint64_t number = 0;
    uint64_t next = wri_prng_next(&t->random);
    unsigned way = (unsigned)(word >> 8) & 7;
    if (way < 2)
        return at_an_end(next, max, lo);
    if (way >= 5) {
        wri_request alike = { .kind = WRI_INTEGER, .max = max, .lo = lo };
        return drawn_before(t, next, &alike, &number) ? number : wri_lean_commonly(next, max);
    }
    if (way == 4 && from_dictionary(t, next, max, lo, &number))
        return number;
    return near_power(next, max);
}

/* ---- Reals ---- */

static const double SPECIAL_REALS[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    NAN,
    INFINITY,
    -INFINITY,
    DBL_MAX,
    -DBL_MAX,
    DBL_MIN,
    -DBL_MIN,
    DBL_EPSILON,
    5e-324,
    -5e-324,
    2.2250738585072009e-308,
    0.1,
    1.0 / 3.0,
    FLT_MAX,
    FLT_MIN,
    1e-45,
    9007199254740992.0,
    9007199254740993.0,
    4294967296.0,
    2147483647.0,
    -2147483648.0,
    1e100,
    1e-100,
    -1e300,
};

static double any_bits(uint64_t word, bool single)
{
    double   value;
    float    narrow;
    uint32_t half = (uint32_t)(word >> 32);
    memcpy(&value, &word, sizeof value);
    memcpy(&narrow, &half, sizeof narrow);
    return single ? (double)narrow : value;
}

static double special_real(uint64_t word)
{
    return SPECIAL_REALS[wri_prng_scale(word, sizeof SPECIAL_REALS / sizeof(double) - 1)];
}

static double whole_real(uint64_t word)
{
    return (double)wri_choice_integer_value(wri_lean_commonly(word, UINT32_MAX), INT32_MIN,
                                            UINT32_MAX);
}

/* A real that this case drew before; false: there is none. An integer of 64 bits looks like one,
 * and does no harm. */
static bool real_drawn_before(wr_case *t, uint64_t word, double *value)
{
    wri_request alike = { .kind = WRI_REAL, .max = UINT64_MAX };
    uint64_t    number;
    if (!drawn_before(t, word, &alike, &number))
        return false;
    *value = wri_choice_real_value(number);
    return true;
}

/* The next real of the type, up or down. */
static double beside(double value, bool single, bool up)
{
    double to = up ? INFINITY : -INFINITY;
    return single ? (double)nextafterf((float)value, (float)to) : nextafter(value, to);
}

/* Next to an end of the range, to a real drawn before, or to a known one. */
static double near_real(wr_case *t, uint64_t word, bool any, bool single, double lo, double hi)
{
    bool     up = (word & 1) != 0;
    uint64_t next = wri_prng_next(&t->random);
    double   base;
    if ((word & 2) != 0 && !any)
        return beside(up ? lo : hi, single, up);
    if ((word & 4) == 0 || !real_drawn_before(t, next, &base))
        base = (word & 8) != 0 ? special_real(next) : whole_real(next);
    return beside(base, single, up);
}

/* One of sixteen ways. Without a range, an end and a value between the ends are any bits. */
static double lean_to(wr_case *t, uint64_t word, uint64_t next, bool any, bool single, double lo,
                      double hi)
{
    double value = 0, part = (double)(next >> 11) * 0x1p-53;
    switch (word & 15) {
    case 0: return (word & 16) != 0 ? 0.0 : -0.0;
    case 1: return special_real(next);
    case 2:
    case 3: return whole_real(next);
    case 4:
    case 5: return (double)((int64_t)(next >> 48) - 32768) / (double)(1 << ((word >> 8) & 15));
    case 6: return near_real(t, word >> 8, any, single, lo, hi);
    case 7:
        if (real_drawn_before(t, next, &value))
            return value;
        break;
    case 8: return any_bits(next, single);
    case 9: return any ? any_bits(next, single) : (word & 16) != 0 ? lo : hi;
    default: break;
    }
    return any ? any_bits(next, single) : lo * (1 - part) + hi * part;
}

double wri_lean_real(wr_case *t, bool any, bool single, double lo, double hi)
{
    uint64_t word = wri_prng_next(&t->random);
    uint64_t next = wri_prng_next(&t->random);
    double   value = lean_to(t, word, next, any, single, lo, hi);
    if (any)
        return value;
    if (!(value >= lo && value <= hi)) { /* also NaN */
        double part = (double)(next >> 11) * 0x1p-53;
        value = lo * (1 - part) + hi * part;
    }
    return value < lo ? lo : value > hi ? hi : value;
}

/* ---- Arrays ----
 *
 * Each of these is compiled once for each width: `width` is a constant in all of them.
 */
#define FOR_A_WIDTH static inline __attribute__((always_inline)) void

/* Values need no codec here: every one is as likely as every other. */
FOR_A_WIDTH fill_uniform(wr_case *t, const wri_request *request, size_t count, unsigned width,
                         char *values)
{
    uint64_t state = t->random;
    uint64_t lo = (uint64_t)(request->kind == WRI_INTEGER ? request->lo : 0);
    uint64_t max = request->max, many = max + 1;
    size_t   i = 0;
    for (; width < 8 && i + 2 <= count; i += 2) {
        uint64_t word = wri_prng_next(&state);
        wri_choice_integer_put(values + i * width, width,
                               lo + ((word & UINT32_MAX) * many >> 32));
        wri_choice_integer_put(values + (i + 1) * width, width, lo + ((word >> 32) * many >> 32));
    }
    for (; i < count; i++)
        wri_choice_integer_put(values + i * width, width,
                               lo + wri_prng_scale(wri_prng_next(&state), max));
    t->random = state;
}

static uint64_t decode(const wri_request *request, uint64_t number)
{
    if (request->kind != WRI_INTEGER)
        return number;
    return (uint64_t)wri_choice_integer_value(number, request->lo, request->max);
}

/* Bends some values: small, near the far end, or equal to another element. */
FOR_A_WIDTH bend(wr_case *t, const wri_request *request, size_t count, unsigned width,
                 char *values, size_t times)
{
    uint64_t state = t->random, max = request->max;
    for (size_t i = 0; i < times; i++) {
        uint64_t word = wri_prng_next(&state), other = word * WRI_GAMMA;
        size_t   at = (size_t)((word >> 32) * count >> 32);
        size_t   from = (size_t)((word & UINT32_MAX) * count >> 32);
        uint64_t far = 0 - (uint64_t)((word & 0xc) == 0);
        uint64_t number = (wri_lean_small(other ^ other >> 32, max) ^ far) + (far & (max + 1));
        char     made[8];
        wri_choice_integer_put(made, width, decode(request, number));
        memcpy(values + at * width, (word & 3) == 0 ? values + from * width : made, width);
    }
    t->random = state;
}

/* All small. A range that reaches as far to both sides of zero needs no branch a value. */
FOR_A_WIDTH fill_small(wr_case *t, const wri_request *request, size_t count, unsigned width,
                       char *values)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(request->max | 1);
    unsigned keep = (unsigned)wri_prng_scale(wri_prng_next(&t->random), bits - 1);
    uint64_t mask = (UINT64_C(1) << keep) - 1;
    uint64_t state = t->random;
    bool     both_sides = request->kind == WRI_INTEGER &&
                      decode(request, mask) == wri_lean_zigzag(mask) &&
                      decode(request, mask / 2) == wri_lean_zigzag(mask / 2);
    for (size_t i = 0; i < count; i++) {
        uint64_t number = wri_prng_next(&state) & mask;
        wri_choice_integer_put(values + i * width, width,
                               both_sides ? wri_lean_zigzag(number) : decode(request, number));
    }
    t->random = state;
}

/* Only one to four different values. */
FOR_A_WIDTH fill_few(wr_case *t, const wri_request *request, size_t count, unsigned width,
                     char *values)
{
    size_t   distinct = 1 + (size_t)wri_prng_scale(wri_prng_next(&t->random), 3);
    uint64_t word = 0;
    for (size_t i = 0; i < count && i < distinct; i++)
        wri_choice_integer_put(values + i * width, width,
                               decode(request, wri_lean(t, request->max, request->lo)));
    for (size_t i = distinct; i < count; i++, word >>= 8) {
        if ((i - distinct) % 8 == 0)
            word = wri_prng_next(&t->random);
        memcpy(values + i * width, values + ((word & 0xff) * distinct >> 8) * width, width);
    }
}

FOR_A_WIDTH fill(wr_case *t, const wri_request *request, size_t count, unsigned width,
                 char *values)
{
    uint64_t word = wri_prng_next(&t->random);
    unsigned manner = (unsigned)(word & 15);
    if (count == 0)
        return;
    if (manner >= 14) {
        fill_few(t, request, count, width, values);
    } else if (manner >= 12) {
        fill_small(t, request, count, width, values);
    } else {
        fill_uniform(t, request, count, width, values);
        size_t times = manner < 4 ? 0 : (count * (word >> 32 & 7) >> 5) + (word >> 8 & 1);
        bend(t, request, count, width, values, times);
    }
}

/* One element in sixteen is like an earlier one, or next to it. */
static void fill_reals(wr_case *t, size_t count, unsigned width, const double *range,
                       char *values)
{
    bool   any = range == NULL, single = width == 4;
    double lo = any ? 0 : range[0], hi = any ? 0 : range[1];
    for (size_t i = 0; i < count; i++) {
        uint64_t word = wri_prng_next(&t->random);
        double   value = wri_lean_real(t, any, single, lo, hi);
        if (i > 0 && word >> 60 == 0) {
            const char *from = values + wri_prng_scale(word << 4, i - 1) * width;
            double      like = single ? (double)*(const float *)(const void *)from
                                      : *(const double *)(const void *)from;
            like = (word & 1) != 0 ? beside(like, single, (word & 2) != 0) : like;
            value = any || (like >= lo && like <= hi) ? like : value;
        }
        float narrow = (float)value;
        memcpy(values + i * width, width == 8 ? (void *)&value : (void *)&narrow, width);
    }
}

void wri_lean_many(wr_case *t, const wri_request *request, size_t count, unsigned width,
                   void *values)
{
    if (request->kind == WRI_REAL) {
        fill_reals(t, count, width, request->range, values);
        return;
    }
    switch (width) {
    case 1: fill(t, request, count, 1, values); break;
    case 2: fill(t, request, count, 2, values); break;
    case 4: fill(t, request, count, 4, values); break;
    default: fill(t, request, count, 8, values);
    }
    wri_overlay *overlay = request->about;
    if (WRI_UNLIKELY(overlay != NULL))
        overlay->lay(overlay, t, request, count, width, values);
}
