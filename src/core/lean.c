/* core/lean.c: the rare ways of the lean, and whole arrays. */
#include "core/lean.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* How far back a repeated value is looked for. */
#define LOOK_BACK 64

/* A number with this bound that the case drew before, each with the same chance; false when
 * there is none. Walks the journal from its start, for only so are entries told apart. */
static bool drawn_before(const wr_case *t, uint64_t word, uint64_t max, int64_t lo,
                         uint64_t *number)
{
    wri_request alike = { .kind = WRI_INTEGER, .max = max, .lo = lo };
    uint64_t    seen = 0;
    unsigned    steps = 0;
    for (const wri_record *at = t->journal; at < t->next && steps < LOOK_BACK; steps++) {
        bool is_array = at->max == 0 && at->number > 0;
        if (!is_array) {
            if (at->max == max && wri_scale(wri_mix(word + steps), seen++) == 0)
                *number = at->number;
            at++;
            continue;
        }
        size_t   count = at[0].number;
        unsigned width = (unsigned)at[1].max;
        if (at[1].number == max && wri_scale(wri_mix(word + steps), seen++) == 0) {
            size_t which = wri_scale(wri_mix(word - steps), count - 1);
            uint64_t found = wri_get_number(&alike, width, (const char *)(at + 2) + which * width);
            if (found <= max)
                *number = found;
            else
                seen--;
        }
        at += 2 + (count * width + sizeof *at - 1) / sizeof *at;
    }
    return seen > 0;
}

static bool from_dictionary(const wr_case *t, uint64_t word, uint64_t max, int64_t lo,
                            uint64_t *number)
{
    if (t->dictionary_count == 0)
        return false;
    int64_t  value = t->dictionary[wri_scale(word, t->dictionary_count - 1)];
    uint64_t distance = (uint64_t)value - (uint64_t)lo;
    if (value < lo || distance > max)
        return false;
    *number = wri_integer_number(value, lo, max);
    return true;
}

/* Near a power of two, in the numbers' order: values like 127, 128, -256, 65535. */
static uint64_t near_power(uint64_t word, uint64_t max)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(max | 1);
    unsigned power = (unsigned)wri_scale(word, bits - 1);
    uint64_t number = (UINT64_C(1) << power) + ((word >> 3) & 7) - 3;
    return number > max ? max : number;
}

uint64_t wri_lean_rarely(wr_case *t, uint64_t word, uint64_t max, int64_t lo)
{
    uint64_t number = 0;
    uint64_t next = wri_next(&t->random);
    switch ((word >> 3) & 7) {
    case 0:
    case 1: return max - wri_scale(next, max < 3 ? max : 3);
    case 2: return near_power(next, max);
    case 3: return wri_scale(next, max < 3 ? max : 3);
    case 4:
        if (from_dictionary(t, next, max, lo, &number))
            return number;
        return near_power(next, max);
    default:
        if (drawn_before(t, next, max, lo, &number))
            return number;
        return wri_lean_commonly(next, max);
    }
}

/* ---- Reals ---- */

static const double SPECIAL_REALS[] = {
    0.0,      -0.0,         1.0,          -1.0,        0.5,     -0.5,       NAN,
    INFINITY, -INFINITY,    DBL_MAX,      -DBL_MAX,    DBL_MIN, -DBL_MIN,   DBL_EPSILON,
    5e-324,   -5e-324,      2.2250738585072009e-308,   0.1,     1.0 / 3.0,  FLT_MAX,
    FLT_MIN,  1e-45,        9007199254740992.0,        9007199254740993.0,  4294967296.0,
    2147483647.0,           -2147483648.0,             1e100,   1e-100,     -1e300,
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

double wri_lean_real(wr_case *t, bool any, bool single, double lo, double hi)
{
    uint64_t word = wri_next(&t->random);
    uint64_t next = wri_next(&t->random);
    double   value;
    switch (word & 7) {
    case 0: value = SPECIAL_REALS[wri_scale(next, sizeof SPECIAL_REALS / sizeof(double) - 1)]; break;
    case 1: value = (double)(int64_t)wri_integer_value(wri_lean_commonly(next, UINT32_MAX), INT32_MIN, UINT32_MAX); break;
    case 2: value = (double)((int64_t)(next >> 48) - 32768) / (double)(1 << ((word >> 8) & 15)); break;
    case 3: value = any_bits(next, single); break;
    case 4: value = any ? any_bits(next, single) : (word & 8) != 0 ? lo : hi; break;
    default: {
        double part = (double)(next >> 11) * 0x1p-53;
        value = any ? any_bits(next, single) : lo * (1 - part) + hi * part;
    }
    }
    if (any)
        return value;
    if (!(value >= lo && value <= hi)) { /* also NaN */
        double part = (double)(next >> 11) * 0x1p-53;
        value = lo * (1 - part) + hi * part;
    }
    return value < lo ? lo : value > hi ? hi : value;
}

/* ---- Arrays ---- */

static void fill_uniform(wr_case *t, const wri_request *request, size_t count, unsigned width,
                         void *values)
{
    uint64_t state = t->random;
    uint64_t lo = (uint64_t)(request->kind == WRI_INTEGER ? request->lo : 0);
    uint64_t max = request->max;
#define FILL(type, bits)                                                                         \
    do {                                                                                         \
        type    *out = values;                                                                   \
        uint64_t many = max + 1;                                                                 \
        size_t   i = 0;                                                                          \
        for (; i + 2 <= count; i += 2) {                                                         \
            uint64_t word = wri_next(&state);                                                    \
            out[i] = (type)(lo + ((word & UINT32_MAX) * many >> 32));                            \
            out[i + 1] = (type)(lo + ((word >> 32) * many >> 32));                               \
        }                                                                                        \
        if (i < count)                                                                           \
            out[i] = (type)(lo + ((wri_next(&state) >> 32) * many >> 32));                       \
    } while (0)
    switch (width) {
    case 1: FILL(uint8_t, 8); break;
    case 2: FILL(uint16_t, 16); break;
    case 4: FILL(uint32_t, 32); break;
    default:
        for (size_t i = 0; i < count; i++)
            ((uint64_t *)values)[i] = lo + wri_scale(wri_next(&state), max);
    }
#undef FILL
    t->random = state;
}

/* Bends some values: small, at an end, near a power of two, or equal to another element. */
static void bend(wr_case *t, const wri_request *request, size_t count, unsigned width,
                 char *values, size_t times)
{
    for (size_t i = 0; i < times; i++) {
        uint64_t word = wri_next(&t->random);
        size_t   at = (size_t)((word >> 32) * count >> 32);
        size_t   from = (size_t)((word & UINT32_MAX) * count >> 32);
        if ((word & 3) == 0) {
            memcpy(values + at * width, values + from * width, width);
            continue;
        }
        uint64_t number = wri_lean_commonly(wri_mix(word) | 8 | (3 << 12), request->max);
        if ((word & 3) == 1)
            number = request->max - (number & 3 & request->max);
        wri_put_value(request, width, values + at * width, number);
    }
}

static void fill_small(wr_case *t, const wri_request *request, size_t count, unsigned width,
                       char *values)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(request->max | 1);
    unsigned keep = (unsigned)wri_scale(wri_next(&t->random), bits - 1);
    for (size_t i = 0; i < count; i++)
        wri_put_value(request, width, values + i * width,
                      wri_next(&t->random) >> 1 & ((UINT64_C(1) << keep) - 1));
}

static void fill_few(wr_case *t, const wri_request *request, size_t count, unsigned width,
                     char *values)
{
    size_t distinct = 1 + (size_t)wri_scale(wri_next(&t->random), 3);
    for (size_t i = 0; i < count; i++) {
        if (i < distinct)
            wri_put_value(request, width, values + i * width,
                          wri_lean(t, request->max, request->lo));
        else
            memcpy(values + i * width,
                   values + wri_scale(wri_next(&t->random), distinct - 1) * width, width);
    }
}

static void fill_reals(wr_case *t, size_t count, unsigned width, const double *range, char *values)
{
    for (size_t i = 0; i < count; i++) {
        double value = wri_lean_real(t, range == NULL, width == 4, range ? range[0] : 0,
                                      range ? range[1] : 0);
        float  single = (float)value;
        memcpy(values + i * width, width == 8 ? (void *)&value : (void *)&single, width);
    }
}

void wri_lean_many(wr_case *t, const wri_request *request, size_t count, unsigned width,
                   void *values)
{
    if (request->kind == WRI_REAL) {
        fill_reals(t, count, width, request->range, values);
        return;
    }
    uint64_t word = wri_next(&t->random);
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
