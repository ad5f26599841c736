/* explore/column.c: bins of ranges: which there are, a value of one, the bin of a value.
 *
 * Whole numbers are handled as offsets from the lower end of their range, so that a range that
 * ends beyond 2^63 needs no care.
 */
#include "explore/column.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/prng.h"
#include "explore/constant.h"

/* A range of no more values has a level for each. */
#define FEW 8
/* A choice among more alternatives is cut into bins, as a range is. */
#define MOST_OWN WRI_LEVELS
#define PARTS 4

bool wri_column_fits(const wri_request *request)
{
    return request->name != NULL && request->max > 0 && request->kind != WRI_CONSTRUCTOR &&
           request->kind != WRI_HANDLE;
}

static wri_shape shape_of(const wri_request *request)
{
    bool numeric = request->kind == WRI_INTEGER || request->kind == WRI_LENGTH;
    if (request->kind == WRI_REAL)
        return WRI_SHAPE_REAL;
    if (request->legal != 0 || request->weights != NULL)
        return request->max < MOST_OWN ? WRI_SHAPE_OWN : WRI_SHAPE_RANGE;
    return request->max < (numeric ? FEW : MOST_OWN) ? WRI_SHAPE_OWN : WRI_SHAPE_RANGE;
}

bool wri_column_is_own(const wri_request *request)
{
    return shape_of(request) == WRI_SHAPE_OWN;
}

/* ---- Offsets ---- */

uint64_t wri_column_offset(const wri_request *request, uint64_t number)
{
    if (request->kind != WRI_INTEGER)
        return number;
    return (uint64_t)wri_choice_integer_value(number, request->lo, request->max) -
           (uint64_t)request->lo;
}

uint64_t wri_column_number(const wri_request *request, uint64_t offset)
{
    if (request->kind != WRI_INTEGER)
        return offset;
    return wri_choice_integer_number((int64_t)((uint64_t)request->lo + offset), request->lo,
                                     request->max);
}

/* The offset of a value that may lie outside; false: it does. */
static bool offset_of(const wri_request *request, int64_t value, uint64_t *offset)
{
    int64_t lo = request->kind == WRI_INTEGER || request->kind == WRI_LENGTH ? request->lo : 0;
    *offset = (uint64_t)value - (uint64_t)lo;
    return value >= lo && *offset <= request->max;
}

/* ---- Bins of whole numbers ---- */

/* The offset of a bin that has one value; false: the range has no such bin. An earlier bin wins
 * where two are the same value. */
static bool single_offset(const wri_request *request, unsigned bin, uint64_t *offset)
{
    static const int8_t NEAR_ZERO[] = {
        [WRI_BIN_ZERO] = 0, [WRI_BIN_ONE] = 1, [WRI_BIN_MINUS_ONE] = -1
    };
    uint64_t max = request->max;
    switch (bin) {
    case WRI_BIN_LOWEST: *offset = 0; return true;
    case WRI_BIN_LOWEST_BUT_ONE: *offset = 1; return max > 1;
    case WRI_BIN_HIGHEST_BUT_ONE: *offset = max - 1; return max > 2;
    case WRI_BIN_HIGHEST: *offset = max; return true;
    case WRI_BIN_ZERO:
    case WRI_BIN_ONE:
    case WRI_BIN_MINUS_ONE:
        return offset_of(request, NEAR_ZERO[bin], offset) && *offset > 1 && *offset < max - 1;
    default: return false;
    }
}

static bool is_single(const wri_request *request, uint64_t offset)
{
    uint64_t other;
    for (unsigned bin = 0; bin < WRI_BIN_PART; bin++)
        if (single_offset(request, bin, &other) && other == offset)
            return true;
    return false;
}

/* The parts lie between the neighbours of the ends. A part without a value that is no bin by
 * itself is none. */
static bool part_of_range(const wri_request *request, unsigned part, uint64_t *from, uint64_t *to)
{
    if (request->max < 4)
        return false;
    uint64_t inner = request->max - 3, each = inner / PARTS, more = inner % PARTS;
    uint64_t before = part * each + (part < more ? part : more);
    uint64_t count = each + (part < more);
    *from = 2 + before;
    *to = *from + count - 1;
    for (uint64_t i = 0; i < count && i < PARTS; i++) /* three may be bins by themselves */
        if (!is_single(request, *from + i))
            return true;
    return false;
}

static uint64_t levels_of_range(const wri_request *request)
{
    uint64_t levels = 0;
    uint64_t from, to;
    for (unsigned bin = 0; bin < WRI_BIN_PART; bin++)
        levels |= (uint64_t)single_offset(request, bin, &from) << bin;
    for (unsigned part = 0; part < PARTS; part++)
        levels |= (uint64_t)part_of_range(request, part, &from, &to) << (WRI_BIN_PART + part);
    return levels;
}

static unsigned level_in_range(const wri_request *request, uint64_t number)
{
    uint64_t offset = wri_column_offset(request, number), from, to;
    for (unsigned bin = 0; bin < WRI_BIN_PART; bin++)
        if (single_offset(request, bin, &from) && from == offset)
            return bin;
    for (unsigned part = 0; part < PARTS; part++)
        if (part_of_range(request, part, &from, &to) && offset >= from && offset <= to)
            return WRI_BIN_PART + part;
    return WRI_BIN_HIGHEST;
}

/* ---- Bins of reals ---- */

static double part_edge(const wri_request *request, unsigned part)
{
    double share = (double)part / PARTS;
    return request->range[0] * (1 - share) + request->range[1] * share;
}

static uint64_t levels_of_reals(const wri_request *request)
{
    uint64_t levels = 1u << WRI_BIN_LOWEST | 1u << WRI_BIN_HIGHEST | 0xfu << WRI_BIN_PART;
    if (request->range == NULL)
        return levels | 1u << WRI_BIN_ZERO | 1u << WRI_BIN_ONE | 1u << WRI_BIN_MINUS_ONE |
               1u << WRI_BIN_NAN | 1u << WRI_BIN_INFINITE | 1u << WRI_BIN_MINUS_INFINITE;
    if (request->range[0] < 0 && request->range[1] > 0)
        levels |= 1u << WRI_BIN_ZERO;
    if (request->range[0] < 1 && request->range[1] > 1)
        levels |= 1u << WRI_BIN_ONE;
    if (request->range[0] < -1 && request->range[1] > -1)
        levels |= 1u << WRI_BIN_MINUS_ONE;
    return levels;
}

/* Any double: its parts are large and small, below and above zero. */
static unsigned part_of_any(double value)
{
    return (value > 0 ? 2u : 0u) + (fabs(value) > 1 ? 1u : 0u);
}

static unsigned level_of_real(const wri_request *request, double value)
{
    double lo = request->range == NULL ? -1.7976931348623157e308 : request->range[0];
    double hi = request->range == NULL ? 1.7976931348623157e308 : request->range[1];
    if (isnan(value))
        return WRI_BIN_NAN;
    if (isinf(value))
        return value > 0 ? WRI_BIN_INFINITE : WRI_BIN_MINUS_INFINITE;
    if (value <= lo || value >= hi)
        return value <= lo ? WRI_BIN_LOWEST : WRI_BIN_HIGHEST;
    if (value == 0 || value == 1 || value == -1)
        return value == 0 ? WRI_BIN_ZERO : value > 0 ? WRI_BIN_ONE : WRI_BIN_MINUS_ONE;
    if (request->range == NULL)
        return WRI_BIN_PART + part_of_any(value);
    unsigned part = 0;
    while (part + 1 < PARTS && value >= part_edge(request, part + 1))
        part++;
    return WRI_BIN_PART + part;
}

static double real_of_any(unsigned level, uint64_t word)
{
    static const double ONES[WRI_BINS] = {
        [WRI_BIN_LOWEST] = -1.7976931348623157e308,
        [WRI_BIN_HIGHEST] = 1.7976931348623157e308,
        [WRI_BIN_ONE] = 1,
        [WRI_BIN_MINUS_ONE] = -1,
        [WRI_BIN_NAN] = NAN,
        [WRI_BIN_INFINITE] = INFINITY,
        [WRI_BIN_MINUS_INFINITE] = -INFINITY,
    };
    if (level < WRI_BIN_PART || level >= WRI_BIN_PART + PARTS)
        return ONES[level];
    unsigned part = level - WRI_BIN_PART;
    double   fraction = 1 + (double)(word >> 12) * 0x1p-52; /* from 1 to 2 */
    int      power = (word & 7) != 0 ? (int)(word >> 3 & 15) : (int)(word >> 3 & 1023);
    double   size = (part & 1) != 0 ? ldexp(fraction, power == 1023 ? 1022 : power)
                                    : ldexp(fraction, -1 - power);
    return part >= 2 ? size : -size;
}

/* A constant of the program that belongs to this level. */
static bool known_real(const wr_case *t, const wri_request *request, unsigned level,
                       uint64_t *random, double *value)
{
    uint64_t number;
    if (t == NULL || t->known == NULL || wri_prng_next(random) >> 62 != 0 ||
        !wri_constant_number(t->known, request, random, &number))
        return false;
    *value = wri_choice_real_value(number);
    return level_of_real(request, *value) == level;
}

static bool draw_real(const wri_request *request, unsigned level, uint64_t word, double *value)
{
    if (request->range == NULL) {
        *value = real_of_any(level, word);
    } else if (level >= WRI_BIN_PART && level < WRI_BIN_PART + PARTS) {
        double from = part_edge(request, level - WRI_BIN_PART);
        double to = part_edge(request, level - WRI_BIN_PART + 1);
        double share = (double)(word >> 11) * 0x1p-53;
        *value = from * (1 - share) + to * share;
    } else {
        *value = level == WRI_BIN_LOWEST ? request->range[0] : request->range[1];
        *value = level == WRI_BIN_ZERO        ? 0
                 : level == WRI_BIN_ONE       ? 1
                 : level == WRI_BIN_MINUS_ONE ? -1
                                              : *value;
    }
    if (request->single)
        *value = (double)(float)*value;
    return request->range == NULL || (*value >= request->range[0] && *value <= request->range[1]);
}

/* ---- Values that were drawn before ---- */

static bool is_whole(const wri_request *request)
{
    return shape_of(request) == WRI_SHAPE_RANGE && request->kind != WRI_COMMAND;
}

void wri_drawn_add(wri_drawn *drawn, const wri_request *request, uint64_t number)
{
    if (request->kind == WRI_REAL && drawn->real_count < WRI_DRAWN) {
        drawn->reals[drawn->real_count++] = wri_choice_real_value(number);
    } else if (is_whole(request) && drawn->count < WRI_DRAWN) {
        uint64_t lo = request->kind == WRI_INTEGER || request->kind == WRI_LENGTH
                          ? (uint64_t)request->lo
                          : 0;
        drawn->negative[drawn->count] =
            request->lo < 0 && (int64_t)(lo + wri_column_offset(request, number)) < 0;
        drawn->values[drawn->count++] = lo + wri_column_offset(request, number);
    }
}

/* One of the values that this draw can have; three times in four itself, else its neighbour. */
static bool reuse(const wri_request *request, const wri_drawn *drawn, uint64_t *random,
                  uint64_t *offset)
{
    uint64_t lo =
        request->kind == WRI_INTEGER || request->kind == WRI_LENGTH ? (uint64_t)request->lo : 0;
    uint64_t word = wri_prng_next(random), found = 0;
    for (size_t i = 0; i < drawn->count; i++) {
        uint64_t distance = drawn->values[i] - lo;
        bool     below =
            drawn->negative[i] != (request->lo < 0 && (int64_t)lo < 0) && drawn->negative[i];
        if (!below && distance <= request->max &&
            wri_prng_scale(wri_prng_next(random), found++) == 0)
            *offset = distance;
    }
    if (found > 0 && (word & 3) == 0)
        *offset = (word & 4) != 0 && *offset < request->max ? *offset + 1
                  : *offset > 0                             ? *offset - 1
                                                            : *offset;
    return found > 0;
}

static bool reuse_real(const wri_request *request, const wri_drawn *drawn, uint64_t *random,
                       double *value)
{
    uint64_t found = 0;
    for (size_t i = 0; i < drawn->real_count; i++) {
        double one = drawn->reals[i];
        bool   fits =
            request->range == NULL || (one >= request->range[0] && one <= request->range[1]);
        if (fits && wri_prng_scale(wri_prng_next(random), found++) == 0)
            *value = one;
    }
    return found > 0;
}

static bool from_dictionary(const wr_case *t, const wri_request *request, uint64_t *random,
                            uint64_t *offset)
{
    uint64_t found = 0, one;
    for (size_t i = 0; t != NULL && i < t->dictionary_count; i++)
        if (offset_of(request, t->dictionary[i], &one) &&
            wri_prng_scale(wri_prng_next(random), found++) == 0)
            *offset = one;
    return found > 0;
}

/* ---- Round numbers ---- */

/* Limits in code are round numbers: 512, 1000, 65535. A power of two, or one digit and zeroes;
 * half of the time what is next to it. */
static uint64_t round_number(uint64_t most, uint64_t *random)
{
    uint64_t word = wri_prng_next(random), power = 1;
    unsigned bits = 64 - (unsigned)__builtin_clzll(most | 1);
    if ((word & 1) != 0) {
        power = UINT64_C(1) << wri_prng_scale(word << 8, bits - 1);
    } else {
        unsigned digits = 1;
        for (uint64_t left = most; left >= 10; left /= 10)
            digits++;
        for (uint64_t zeroes = wri_prng_scale(word << 8, digits - 1); zeroes > 0; zeroes--)
            power *= 10;
        power *= 1 + (word >> 3) % 9;
    }
    return (word & 2) != 0 ? power : (word & 4) != 0 ? power + 1 : power - 1;
}

/* A value in this part of the range; false: some values were tried, and none lies there. */
static bool round_in_part(const wri_request *request, uint64_t from, uint64_t to,
                          uint64_t *random, uint64_t *offset)
{
    bool     based = request->kind == WRI_INTEGER || request->kind == WRI_LENGTH;
    uint64_t lo = based ? (uint64_t)request->lo : 0, first = lo + from, last = lo + to;
    bool     negative = request->lo < 0 && based && (int64_t)last < 0;
    uint64_t most = negative ? 0 - first : last;
    for (unsigned i = 0; i < 8; i++) {
        uint64_t value = round_number(most, random);
        *offset = (negative ? 0 - value : value) - lo;
        if (*offset >= from && *offset <= to)
            return true;
    }
    return false;
}

/* ---- Draws ---- */

/* A constant of the program in this part of the range. */
static bool known_in_part(const wr_case *t, const wri_request *request, uint64_t from,
                          uint64_t to, uint64_t *random, uint64_t *offset)
{
    bool        based = request->kind == WRI_INTEGER || request->kind == WRI_LENGTH;
    uint64_t    lo = based ? (uint64_t)request->lo : 0, number;
    wri_request part = { .kind = WRI_LENGTH, .lo = (int64_t)(lo + from), .max = to - from };
    if (t == NULL || t->known == NULL || !wri_constant_number(t->known, &part, random, &number))
        return false;
    *offset = from + number;
    return true;
}

/* One value in four of a part is a round number, and one in four a constant of the program. */
static uint64_t draw_in_part(const wr_case *t, const wri_request *request, uint64_t from,
                             uint64_t to, uint64_t *random)
{
    uint64_t offset;
    for (unsigned tries = 0; tries < 16; tries++) {
        uint64_t word = wri_prng_next(random);
        bool     special = false;
        if (word >> 62 == 0)
            special = round_in_part(request, from, to, random, &offset);
        else if (word >> 62 == 1)
            special = known_in_part(t, request, from, to, random, &offset);
        if (!special)
            offset = from + wri_prng_scale(word << 2 | word >> 62, to - from);
        if (!is_single(request, offset))
            return offset;
    }
    for (offset = from; offset < to && is_single(request, offset);)
        offset++;
    return offset;
}

static bool draw_in_range(const wr_case *t, const wri_request *request, unsigned level,
                          const wri_drawn *drawn, uint64_t *random, uint64_t *number)
{
    uint64_t offset, from, to;
    if (level >= WRI_BIN_PART && level < WRI_BIN_PART + PARTS) {
        if (!part_of_range(request, level - WRI_BIN_PART, &from, &to))
            return false;
        offset = draw_in_part(t, request, from, to, random);
    } else if (level == WRI_BIN_REUSED) {
        if (!reuse(request, drawn, random, &offset))
            return false;
    } else if (level == WRI_BIN_KNOWN) {
        if (!from_dictionary(t, request, random, &offset))
            return false;
    } else if (!single_offset(request, level, &offset)) {
        return false;
    }
    *number = wri_column_number(request, offset);
    return true;
}

bool wri_column_draw_round(const wri_request *request, uint64_t *random, uint64_t *number)
{
    uint64_t offset;
    if (shape_of(request) != WRI_SHAPE_RANGE || request->kind == WRI_COMMAND ||
        !round_in_part(request, 0, request->max, random, &offset))
        return false;
    *number = wri_column_number(request, offset);
    return wri_request_legal(request, *number);
}

bool wri_column_draw(const wr_case *t, const wri_request *request, unsigned level,
                     const wri_drawn *drawn, uint64_t *random, uint64_t *number)
{
    bool   fine;
    double value = 0;
    switch (shape_of(request)) {
    case WRI_SHAPE_OWN: *number = level; return wri_request_legal(request, level);
    case WRI_SHAPE_REAL:
        fine = level == WRI_BIN_REUSED
                   ? reuse_real(request, drawn, random, &value)
                   : known_real(t, request, level, random, &value) ||
                         draw_real(request, level, wri_prng_next(random), &value);
        *number = wri_choice_real_number(value);
        return fine;
    default:
        return draw_in_range(t, request, level, drawn, random, number) &&
               wri_request_legal(request, *number);
    }
}

unsigned wri_column_level(const wri_request *request, uint64_t number)
{
    switch (shape_of(request)) {
    case WRI_SHAPE_OWN: return (unsigned)number;
    case WRI_SHAPE_REAL: return level_of_real(request, wri_choice_real_answer(request, number));
    default: return level_in_range(request, number);
    }
}

/* In 32: each end 3, what is next to an end or to zero 1, a value drawn before 8, one of the
 * dictionary 4; else a part. A case is never all ends: parts are likely. */
unsigned wri_column_any_level(const wr_case *t, const wri_request *request,
                              const wri_drawn *drawn, uint64_t *random)
{
    static const uint8_t WAYS[32] = {
        [0] = WRI_BIN_LOWEST,         [1] = WRI_BIN_LOWEST,
        [2] = WRI_BIN_LOWEST,         [3] = WRI_BIN_HIGHEST,
        [4] = WRI_BIN_HIGHEST,        [5] = WRI_BIN_HIGHEST,
        [6] = WRI_BIN_LOWEST_BUT_ONE, [7] = WRI_BIN_HIGHEST_BUT_ONE,
        [8] = WRI_BIN_ZERO,           [9] = WRI_BIN_ONE,
        [10] = WRI_BIN_MINUS_ONE,     [11] = WRI_BIN_REUSED,
        [12] = WRI_BIN_REUSED,        [13] = WRI_BIN_REUSED,
        [14] = WRI_BIN_REUSED,        [15] = WRI_BIN_REUSED,
        [16] = WRI_BIN_REUSED,        [17] = WRI_BIN_REUSED,
        [18] = WRI_BIN_REUSED,        [19] = WRI_BIN_KNOWN,
        [20] = WRI_BIN_KNOWN,         [21] = WRI_BIN_KNOWN,
        [22] = WRI_BIN_KNOWN,
    };
    uint64_t word = wri_prng_next(random), skip, levels;
    unsigned way = (unsigned)(word & 31);
    if (shape_of(request) == WRI_SHAPE_OWN)
        return (unsigned)wri_prng_scale(word, request->max);
    bool real = request->kind == WRI_REAL;
    levels = real ? levels_of_reals(request) : levels_of_range(request);
    levels |= (uint64_t)(real ? drawn->real_count > 0 : drawn->count > 0) << WRI_BIN_REUSED;
    levels |= (uint64_t)(!real && t != NULL && t->dictionary_count > 0) << WRI_BIN_KNOWN;
    if (way <= 22 && (levels >> WAYS[way] & 1) != 0)
        return WAYS[way];
    if (real && request->range == NULL && way == 23)
        return WRI_BIN_NAN + (unsigned)wri_prng_scale(word, 2);
    levels &= 0xfu << WRI_BIN_PART;
    if (levels == 0)
        return wri_prng_next(random) >> 63 ? WRI_BIN_LOWEST : WRI_BIN_HIGHEST;
    skip = wri_prng_scale(word, (uint64_t)__builtin_popcountll(levels) - 1);
    while (skip-- > 0)
        levels &= levels - 1;
    return (unsigned)__builtin_ctzll(levels);
}

/* ---- Columns ---- */

static uint64_t levels_of(const wri_request *request)
{
    switch (shape_of(request)) {
    case WRI_SHAPE_REAL: return levels_of_reals(request);
    case WRI_SHAPE_RANGE: return levels_of_range(request);
    default: break;
    }
    uint64_t levels = 0;
    for (unsigned i = 0; i <= request->max && i < WRI_LEVELS; i++) {
        bool likely = request->weights == NULL || request->weights[i] > 0;
        levels |= (uint64_t)(likely && wri_request_legal(request, i)) << i;
    }
    return request->kind == WRI_COMMAND ? (UINT64_C(2) << request->max) - 1 : levels;
}

/* The names of constants, if all have one and there is room. */
static void keep_words(wri_column *column, const wr_constant *constants)
{
    size_t used = 0;
    for (uint64_t i = 0; constants != NULL && i <= column->max; i++) {
        size_t length =
            constants[i].name == NULL ? sizeof column->words : strlen(constants[i].name) + 1;
        if (used + length >= sizeof column->words) {
            memset(column->words, 0, sizeof column->words);
            return;
        }
        memcpy(column->words + used, constants[i].name, length);
        used += length;
    }
}

static const char *word_of(const wri_column *column, uint64_t number)
{
    const char *word = column->words;
    for (; number > 0 && *word != '\0'; number--)
        word += strlen(word) + 1;
    return word;
}

wri_column wri_column_of(const wr_case *t, const wri_request *request, uint32_t label,
                         uint16_t occurrence, bool first)
{
    wri_column column = { .label = label,
                          .occurrence = occurrence,
                          .kind = (uint8_t)request->kind,
                          .shape = (uint8_t)shape_of(request),
                          .first = first,
                          .any = request->kind == WRI_REAL && request->range == NULL,
                          .single = request->single,
                          .dictionary = t->dictionary_count > 0,
                          .max = request->max,
                          .lo = request->lo,
                          .levels = levels_of(request) };
    if (request->kind == WRI_REAL && request->range != NULL)
        memcpy(column.range, request->range, sizeof column.range);
    column.levels |= (uint64_t)(column.dictionary && column.shape == WRI_SHAPE_RANGE)
                     << WRI_BIN_KNOWN;
    snprintf(column.name, sizeof column.name, "%s", request->name);
    keep_words(&column, t->constants);
    return column;
}

wri_request wri_column_request(const wri_column *column)
{
    return (wri_request){ .kind = column->kind,
                          .single = column->single,
                          .max = column->max,
                          .lo = column->lo,
                          .range = column->any ? NULL : column->range,
                          .legal = column->shape == WRI_SHAPE_OWN ? column->levels : 0 };
}

/* ---- In words ---- */

void wri_column_print_name(const wri_column *column, char *to, size_t room)
{
    if (column->first)
        snprintf(to, room, column->occurrence > 0 ? "%s[%u].first" : "%s.first", column->name,
                 column->occurrence);
    else
        snprintf(to, room, column->occurrence > 0 ? "%s[%u]" : "%s", column->name,
                 column->occurrence);
}

/* An offset as the value that the user sees. */
static void print_offset(const wri_column *column, uint64_t offset, char *to, size_t room)
{
    bool     based = column->kind == WRI_INTEGER || column->kind == WRI_LENGTH;
    uint64_t value = (based ? (uint64_t)column->lo : 0) + offset;
    if (based && column->lo < 0)
        snprintf(to, room, "%" PRId64, (int64_t)value);
    else
        snprintf(to, room, "%" PRIu64, value);
}

void wri_column_print_value(const wri_column *column, uint64_t number, char *to, size_t room)
{
    wri_request request = wri_column_request(column);
    char        digits[WRI_REAL_DIGITS];
    if (column->kind == WRI_REAL) {
        wri_choice_real_print(digits, wri_choice_real_answer(&request, number), column->single);
        snprintf(to, room, "%s", digits);
    } else if (column->words[0] != '\0' && number <= column->max) {
        snprintf(to, room, "%s", word_of(column, number));
    } else if (column->kind == WRI_BOOLEAN) {
        snprintf(to, room, "%s", number != 0 ? "true" : "false");
    } else {
        print_offset(column, wri_column_offset(&request, number), to, room);
    }
}

void wri_column_print_level(const wri_column *column, unsigned level, char *to, size_t room)
{
    static const char *const WORDS[WRI_BINS] = {
        [WRI_BIN_LOWEST] = "lowest",
        [WRI_BIN_HIGHEST] = "highest",
        [WRI_BIN_ZERO] = "0",
        [WRI_BIN_ONE] = "1",
        [WRI_BIN_MINUS_ONE] = "-1",
        [WRI_BIN_PART] = "first part",
        [WRI_BIN_PART + 1] = "second part",
        [WRI_BIN_PART + 2] = "third part",
        [WRI_BIN_PART + 3] = "last part",
        [WRI_BIN_REUSED] = "a value drawn before",
        [WRI_BIN_KNOWN] = "of the dictionary",
        [WRI_BIN_NAN] = "nan",
        [WRI_BIN_INFINITE] = "inf",
        [WRI_BIN_MINUS_INFINITE] = "-inf",
    };
    wri_request request = wri_column_request(column);
    uint64_t    from, until;
    if (column->shape == WRI_SHAPE_OWN) {
        wri_column_print_value(column, level, to, room);
    } else if (column->shape == WRI_SHAPE_RANGE && level < WRI_BIN_PART &&
               single_offset(&request, level, &from)) {
        print_offset(column, from, to, room);
    } else if (column->shape == WRI_SHAPE_RANGE && level < WRI_BIN_PART + PARTS &&
               part_of_range(&request, level - WRI_BIN_PART, &from, &until)) {
        char last[32];
        print_offset(column, from, to, room);
        print_offset(column, until, last, sizeof last);
        if (until > from)
            snprintf(to + strlen(to), room - strlen(to), "..%s", last);
    } else {
        snprintf(to, room, "%s", level < WRI_BINS && WORDS[level] != NULL ? WORDS[level] : "?");
    }
}
