/* explore/special.c: round numbers, constants of the program, and numbers that come to
 * one of them together with the draws before.
 */
#include "explore/special.h"

#include "core/prng.h"
#include "explore/constant.h"

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

bool wri_special_round(const wri_request *request, uint64_t from, uint64_t to, uint64_t *random,
                       uint64_t *offset)
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

/* ---- Constants ---- */

bool wri_special_constant(const wr_case *t, const wri_request *request, uint64_t from,
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

static bool any_known_real(const wr_case *t, const wri_request *request, uint64_t *random,
                           uint64_t *number)
{
    return t->known != NULL && wri_constant_number(t->known, request, random, number);
}

/* ---- Together with others ---- */

static int64_t any_latest(const wri_drawn *drawn, uint64_t *random)
{
    size_t count = drawn->latest_count < WRI_LATEST ? drawn->latest_count : WRI_LATEST;
    return drawn->latest[wri_prng_scale(wri_prng_next(random), count - 1)];
}

/* The number that makes `aim` of it and of one draw before or more: with +, with -, with *. */
static bool solve(int64_t aim, const wri_drawn *drawn, uint64_t *random, int64_t *value)
{
    uint64_t word = wri_prng_next(random);
    unsigned way = word & 3;
    bool     fine = true;
    *value = aim;
    do {
        int64_t other = any_latest(drawn, random);
        if (way < 2)
            fine = way == 0 ? !__builtin_sub_overflow(*value, other, value)
                            : !__builtin_add_overflow(*value, other, value);
        else if ((fine = other != 0 && other != -1))
            *value /= other;
    } while (fine && (word >>= 1) & 2);
    return fine;
}

/* Any constant, or any power of two or of ten up to 2^40, and now and then what is next to it. */
static bool any_aim(const wr_case *t, bool round, uint64_t *random, int64_t *aim)
{
    if (round) {
        *aim = (int64_t)round_number(UINT64_C(1) << 40, random);
        return true;
    }
    return t->known != NULL &&
           wri_dictionary_number(t->known, INT64_MIN, INT64_MAX, wri_prng_next(random), aim);
}

static bool draw_together(const wr_case *t, const wri_request *request, const wri_drawn *drawn,
                          bool round, uint64_t *random, uint64_t *number)
{
    int64_t  aim, value;
    uint64_t offset;
    if (drawn->latest_count == 0)
        return false;
    for (unsigned tries = 0; tries < 4 && any_aim(t, round, random, &aim); tries++)
        if (solve(aim, drawn, random, &value) && wri_column_offset_of(request, value, &offset)) {
            *number = wri_column_number(request, offset);
            return true;
        }
    return false;
}

bool wri_special_draw(const wr_case *t, const wri_request *request, const wri_drawn *drawn,
                      bool round, uint64_t *random, uint64_t *number)
{
    uint64_t offset;
    bool     whole = request->kind == WRI_INTEGER || request->kind == WRI_LENGTH;
    if (wri_column_is_own(request) || request->kind == WRI_COMMAND)
        return false;
    if (request->kind == WRI_REAL)
        return !round && any_known_real(t, request, random, number);
    if (whole && wri_prng_next(random) >> 62 == 0 &&
        draw_together(t, request, drawn, round, random, number))
        return wri_request_legal(request, *number);
    if (!(round ? wri_special_round(request, 0, request->max, random, &offset)
                : wri_special_constant(t, request, 0, request->max, random, &offset)))
        return false;
    *number = wri_column_number(request, offset);
    return wri_request_legal(request, *number);
}
