/* explore/constant.c: constants as numbers, as letters and as fields of bytes. */
#include "explore/constant.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Random draws go through ranges of fewer values soon enough. */
#define WIDE 256
/* A constant that does not fit is followed by another one, so many times. */
#define TRIES 4
/* The longest constant: a word. */
#define LONGEST 64
/* One answer in so many is a constant; lengths and picks are compared with one less often. */
enum { NUMBER_ONE_IN = 8, PICK_ONE_IN = 32, ARRAY_ONE_IN = 4 };

static uint64_t below(uint64_t *random, uint64_t count)
{
    return wri_prng_scale(wri_prng_next(random), count - 1);
}

/* ---- Numbers ---- */

/* A range without signs reaches above the dictionary's: its upper half has the numbers that are
 * negative there. */
static bool whole_number(const wri_dictionary *from, const wri_request *request, uint64_t word,
                         uint64_t *number)
{
    bool     based = request->kind == WRI_INTEGER || request->kind == WRI_LENGTH;
    int64_t  lo = based ? request->lo : 0, value;
    uint64_t end = (uint64_t)lo + request->max;
    bool     beyond = lo >= 0 && end > INT64_MAX;
    bool     upper = beyond && word >> 62 == 0;
    int64_t  least = upper ? INT64_MIN : lo;
    int64_t  most = beyond && !upper ? INT64_MAX : (int64_t)end;
    if (!wri_dictionary_number(from, least, most, word, &value))
        return false;
    *number = request->kind == WRI_INTEGER ? wri_choice_integer_number(value, lo, request->max)
                                           : (uint64_t)value - (uint64_t)lo;
    return *number <= request->max;
}

static bool real_number(const wri_dictionary *from, const wri_request *request, uint64_t word,
                        uint64_t *number)
{
    const double *range = request->range;
    double        lo = range != NULL ? range[0] : request->single ? -FLT_MAX : -DBL_MAX;
    double        hi = range != NULL ? range[1] : request->single ? FLT_MAX : DBL_MAX, value;
    if (!wri_dictionary_real(from, lo, hi, word, &value))
        return false;
    if ((word & 7) < 2) {
        double to = (word & 1) != 0 ? INFINITY : -INFINITY;
        value =
            request->single ? (double)nextafterf((float)value, (float)to) : nextafter(value, to);
    }
    value = request->single ? (double)(float)value : value;
    *number = wri_choice_real_number(value);
    return value >= lo && value <= hi;
}

bool wri_constant_number(const wri_dictionary *from, const wri_request *request, uint64_t *random,
                         uint64_t *number)
{
    uint64_t word = wri_prng_next(random);
    switch (request->kind) {
    case WRI_REAL: return real_number(from, request, word, number);
    case WRI_INTEGER:
    case WRI_LENGTH:
    case WRI_INDEX:
        return wri_choice_alphabet(request->letters) == NULL &&
               whole_number(from, request, word, number);
    default: return false;
    }
}

bool wri_constant_helps(const wri_request *request)
{
    return request->max >= WIDE;
}

wri_request wri_constant_request(const wri_node *node)
{
    bool based = node->kind == WRI_INTEGER || node->kind == WRI_LENGTH;
    return (wri_request){ .kind = (wri_kind)node->kind,
                          .letters = node->letters,
                          .single = node->kind == WRI_REAL && node->lo == 1,
                          .max = node->max,
                          .lo = based ? node->lo : 0 };
}

/* ---- Letters and bytes ---- */

static const char *alphabet_of(const wri_request *request)
{
    const char *known = wri_choice_alphabet(request->letters);
    return known != NULL ? known : request->kind == WRI_INDEX ? request->alphabet : NULL;
}

static bool is_bytes(const wri_request *request)
{
    return request->kind == WRI_INTEGER && request->max == UINT8_MAX &&
           (request->lo == 0 || request->lo == INT8_MIN);
}

bool wri_constant_spells(const wri_request *request)
{
    return is_bytes(request) || alphabet_of(request) != NULL;
}

uint64_t wri_constant_number_of(const wri_request *request, uint8_t byte)
{
    if (is_bytes(request))
        return wri_choice_integer_number(request->lo == 0 ? byte : (int8_t)byte, request->lo,
                                         request->max);
    const char *alphabet = alphabet_of(request);
    const char *found = byte == '\0' ? NULL : strchr(alphabet, byte);
    return found == NULL || (uint64_t)(found - alphabet) > request->max
               ? UINT64_MAX
               : (uint64_t)(found - alphabet);
}

uint8_t wri_constant_byte_of(const wri_request *request, uint64_t number)
{
    if (is_bytes(request))
        return (uint8_t)wri_choice_integer_value(number, request->lo, request->max);
    const char *alphabet = alphabet_of(request);
    return number < strlen(alphabet) ? (uint8_t)alphabet[number] : 0;
}

/* As wide as it must be, or wider; the order of the bytes is either. */
static size_t spell_field(int64_t value, uint64_t *random, uint8_t bytes[8])
{
    uint64_t word = wri_prng_next(random);
    unsigned width = value >= INT16_MIN && value <= UINT16_MAX   ? 2
                     : value >= INT32_MIN && value <= UINT32_MAX ? 4
                                                                 : 8;
    while (width < 8 && (word & 0xc) == 0) {
        width *= 2;
        word >>= 2;
    }
    for (unsigned i = 0; i < width; i++)
        bytes[i] = (uint8_t)((uint64_t)value >> 8 * ((word >> 63) != 0 ? i : width - 1 - i));
    return width;
}

/* One constant, as text or as bytes. */
static size_t spell(const wri_dictionary *from, bool bytes, uint64_t *random,
                    uint8_t to[LONGEST + 1])
{
    static const char *const DIGITS[] = { "%lld", "%lld", "%llx", "%llX" };
    uint64_t                 way = below(random, 8);
    int64_t                  value;
    if (from->word_count > 0 && (way < 4 || from->number_count == 0)) {
        const char *word = from->words[below(random, from->word_count)];
        size_t      length = strlen(word);
        memcpy(to, word, length);
        return length;
    }
    if (!wri_dictionary_number(from, INT64_MIN, INT64_MAX, wri_prng_next(random), &value))
        return 0;
    if (bytes && way != 7)
        return spell_field(value, random, to);
    return (size_t)snprintf((char *)to, LONGEST, DIGITS[way & 3], (long long)value);
}

/* One constant, as numbers of the array. */
static size_t put(const wri_dictionary *from, const wri_request *request, uint64_t *random,
                  size_t room, uint64_t *numbers)
{
    uint8_t bytes[LONGEST + 1];
    for (unsigned tries = 0; tries < TRIES; tries++) {
        size_t length = spell(from, is_bytes(request), random, bytes), i = 0;
        for (; i < length && length <= room; i++)
            if ((numbers[i] = wri_constant_number_of(request, bytes[i])) == UINT64_MAX)
                break;
        if (i > 0 && i == length)
            return length;
    }
    return 0;
}

size_t wri_constant_letters(const wri_dictionary *from, const wri_request *request,
                            uint64_t *random, size_t room, uint64_t *numbers)
{
    size_t made = 0, more;
    do {
        more = put(from, request, random, room - made, numbers + made);
        made += more;
    } while (more > 0 && made < room && below(random, 2) == 0);
    return made;
}

/* ---- Random answers ---- */

static bool one_in(uint64_t *random, unsigned count)
{
    return below(random, count) == 0;
}

bool wri_constant_answer(wr_case *t, const wri_request *request, uint64_t *number)
{
    uint64_t random = wri_prng_mix(t->random ^ UINT64_C(0x636f6e7374616e74));
    bool     picked = request->kind == WRI_INDEX || request->kind == WRI_LENGTH;
    return wri_constant_helps(request) && one_in(&random, picked ? PICK_ONE_IN : NUMBER_ONE_IN) &&
           wri_constant_number(t->known, request, &random, number);
}

/* At the start, where headers are, at the end, or anywhere. */
static size_t any_place(uint64_t *random, size_t room)
{
    uint64_t way = below(random, 8);
    return way < 2 ? 0 : way == 2 ? room : below(random, room + 1);
}

static void write_letters(const wri_dictionary *from, const wri_request *request,
                          uint64_t *random, size_t count, uint64_t *numbers)
{
    uint64_t made[4 * LONGEST];
    do {
        size_t room = count < 4 * LONGEST ? count : 4 * LONGEST;
        size_t length = wri_constant_letters(from, request, random, room, made);
        if (length == 0)
            return;
        memcpy(numbers + any_place(random, count - length), made, length * sizeof *made);
    } while (one_in(random, 2));
}

void wri_constant_answers(wr_case *t, const wri_request *request, size_t count, uint64_t *numbers)
{
    uint64_t random = wri_prng_next(&t->random);
    if (count == 0 || !one_in(&random, ARRAY_ONE_IN))
        return;
    if (wri_constant_spells(request)) {
        write_letters(t->known, request, &random, count, numbers);
        return;
    }
    uint64_t number;
    do {
        if (!wri_constant_helps(request) ||
            !wri_constant_number(t->known, request, &random, &number))
            return;
        numbers[below(&random, count)] = number;
    } while (one_in(&random, 2));
}
