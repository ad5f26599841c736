/* gen/integer.c: integers, booleans, indices and lengths.
 *
 * Every draw has the same shape. The fast path is one comparison, one random word and one journal
 * entry. The slow path fills in a request and asks for it. Both give the same answer to the same
 * stream.
 */
#include "gen/draw.h"
#include "gen/example.h"

/* ---- The slow path ---- */

static WRI_ASIDE uint64_t spell_out(wr_case *t, wri_kind kind, uint16_t letters, const char *name,
                                    int64_t lo, uint64_t max)
{
    wri_request request = {
        .kind = kind, .max = max, .lo = lo, .name = name, .letters = letters
    };
    return wri_case_choose(t, &request);
}

static inline uint64_t ask(wr_case *t, wri_kind kind, uint16_t letters, const char *name,
                           int64_t lo, uint64_t max)
{
    uint64_t number;
    if (wri_case_choose_foretold(t, kind, letters, name, lo, max, &number))
        return number;
    return spell_out(t, kind, letters, name, lo, max);
}

/* ---- Integers ---- */

/* The slow path of every signed draw. */
static WRI_ASIDE int64_t ask_signed(wr_case *t, const char *name, int64_t lo, uint64_t max)
{
    if (wri_example_given(t))
        wri_example_signed(t, name, lo, max);
    int64_t value =
        wri_choice_integer_value(ask(t, WRI_INTEGER, WRI_NO_LETTERS, name, lo, max), lo, max);
    if (value >= 0)
        wri_case_note_length(t, (uint64_t)value, true);
    if (WRI_UNLIKELY(wri_case_showing(t)))
        wri_show_signed(t, name, value);
    return value;
}

static WRI_ASIDE uint64_t ask_unsigned(wr_case *t, const char *name, uint64_t lo, uint64_t max)
{
    if (wri_example_given(t))
        wri_example_unsigned(t, name, lo, max);
    int64_t  codec_lo = lo > INT64_MAX ? INT64_MAX : (int64_t)lo;
    uint64_t value = lo + ask(t, WRI_INTEGER, WRI_NO_LETTERS, name, codec_lo, max);
    wri_case_note_length(t, value, true);
    if (WRI_UNLIKELY(wri_case_showing(t)))
        wri_show_unsigned(t, name, value);
    return value;
}

int64_t wr_int(wr_case *t, const char *name, int64_t lo, int64_t hi)
{
    uint64_t max = (uint64_t)hi - (uint64_t)lo;
    if (WRI_UNLIKELY(lo > hi))
        wri_case_misuse(t, "wr_int%s: lo %lld is above hi %lld", wri_draw_named(t, name),
                        (long long)lo, (long long)hi);
    if (wri_case_slow(t))
        return ask_signed(t, name, lo, max);
    return wri_choice_integer_value(wri_draw_record(t, wri_lean(t, max, lo), max), lo, max);
}

uint64_t wr_uint(wr_case *t, const char *name, uint64_t lo, uint64_t hi)
{
    uint64_t max = hi - lo;
    if (WRI_UNLIKELY(lo > hi))
        wri_case_misuse(t, "wr_uint%s: lo %llu is above hi %llu", wri_draw_named(t, name),
                        (unsigned long long)lo, (unsigned long long)hi);
    if (wri_case_slow(t))
        return ask_unsigned(t, name, lo, max);
    return lo +
           wri_draw_record(t, wri_lean(t, max, lo > INT64_MAX ? INT64_MAX : (int64_t)lo), max);
}

/* The rare way of a draw of a whole range, to its end: a tail call, so that the common way
 * saves no register. */
static __attribute__((noinline)) int64_t rarely_signed(wr_case *t, uint64_t word, uint64_t max,
                                                       int64_t lo)
{
    return (int64_t)wri_lean_zigzag(wri_draw_record(t, wri_lean_rarely(t, word, max, lo), max));
}

static __attribute__((noinline)) uint64_t rarely_unsigned(wr_case *t, uint64_t word, uint64_t max)
{
    return wri_draw_record(t, wri_lean_rarely(t, word, max, 0), max);
}

/* wri_lean() spelled out. The codec of a signed type's whole range needs no branch. */
#define WHOLE_RANGE(bits)                                                                        \
    int##bits##_t wr_i##bits(wr_case *t, const char *name)                                       \
    {                                                                                            \
        const uint64_t max = UINT##bits##_MAX;                                                   \
        if (wri_case_slow(t))                                                                    \
            return (int##bits##_t)ask_signed(t, name, INT##bits##_MIN, max);                     \
        uint64_t word = wri_prng_next(&t->random);                                               \
        if (WRI_UNLIKELY(wri_lean_is_rare(word)))                                                \
            return (int##bits##_t)rarely_signed(t, word, max, INT##bits##_MIN);                  \
        return (int##bits##_t)wri_lean_zigzag(                                                   \
            wri_draw_record(t, wri_lean_commonly(word, max), max));                              \
    }                                                                                            \
    uint##bits##_t wr_u##bits(wr_case *t, const char *name)                                      \
    {                                                                                            \
        const uint64_t max = UINT##bits##_MAX;                                                   \
        if (wri_case_slow(t))                                                                    \
            return (uint##bits##_t)ask_unsigned(t, name, 0, max);                                \
        uint64_t word = wri_prng_next(&t->random);                                               \
        if (WRI_UNLIKELY(wri_lean_is_rare(word)))                                                \
            return (uint##bits##_t)rarely_unsigned(t, word, max);                                \
        return (uint##bits##_t)wri_draw_record(t, wri_lean_commonly(word, max), max);            \
    }

WHOLE_RANGE(8)
WHOLE_RANGE(16)
WHOLE_RANGE(32)
WHOLE_RANGE(64)

/* ---- Booleans ---- */

static WRI_ASIDE bool ask_boolean(wr_case *t, const char *name)
{
    if (wri_example_given(t))
        wri_example_bool(t, name);
    bool value = ask(t, WRI_BOOLEAN, WRI_NO_LETTERS, name, 0, 1) != 0;
    wri_show_bool(t, name, value);
    return value;
}

bool wr_bool(wr_case *t, const char *name)
{
    if (wri_case_slow(t))
        return ask_boolean(t, name);
    return wri_draw_record(t, wri_prng_next(&t->random) >> 63, 1) != 0;
}

bool wr_chance(wr_case *t, const char *name, uint32_t numerator, uint32_t denominator)
{
    if (denominator == 0 || numerator > denominator)
        wri_case_misuse(t, "wr_chance%s: %u of %u is not a chance", wri_draw_named(t, name),
                        numerator, denominator);
    uint32_t    weights[2] = { denominator - numerator, numerator };
    wri_request request = { .kind = WRI_BOOLEAN, .max = 1, .weights = weights, .name = name };
    if (numerator == 0 || numerator == denominator)
        request.legal = numerator == 0 ? 1 : 2;
    if (wri_example_given(t))
        wri_example_bool(t, name);
    bool value = wri_case_choose(t, &request) != 0;
    wri_show_bool(t, name, value);
    return value;
}

/* ---- Indices ---- */

uint64_t wri_draw_letter(wr_case *t, const char *name, uint64_t max, uint16_t letters)
{
    if (!wri_case_slow(t))
        return wri_draw_record(t, wri_prng_scale(wri_prng_next(&t->random), max), max);
    return ask(t, WRI_INDEX, letters, name, 0, max);
}

uint64_t wri_draw_index(wr_case *t, const char *name, uint64_t max)
{
    return wri_draw_letter(t, name, max, WRI_NO_LETTERS);
}

size_t wr_pick(wr_case *t, const char *name, size_t n)
{
    if (WRI_UNLIKELY(n == 0))
        wri_case_misuse(t, "wr_pick%s: there is nothing to pick: the count is 0",
                        wri_draw_named(t, name));
    if (wri_example_given(t))
        wri_example_unsigned(t, name, 0, n - 1);
    size_t index = (size_t)wri_draw_index(t, name, n - 1);
    wri_show_unsigned(t, name, index);
    return index;
}

size_t wr_weighted(wr_case *t, const char *name, size_t n, const uint32_t *weights)
{
    uint64_t sum = 0;
    if (n == 0 || weights == NULL)
        wri_case_misuse(t, "wr_weighted%s: no weights were given", wri_draw_named(t, name));
    for (size_t i = 0; i < n; i++)
        sum += weights[i];
    if (sum == 0)
        wri_case_misuse(t, "wr_weighted%s: all weights are 0", wri_draw_named(t, name));
    wri_request request = { .kind = WRI_INDEX, .max = n - 1, .weights = weights, .name = name };
    for (size_t i = 0; i < n && n <= 64; i++)
        request.legal |= (uint64_t)(weights[i] > 0) << i;
    if (wri_example_given(t) && wri_example_unsigned(t, name, 0, n - 1) &&
        weights[t->example->numbers[0]] == 0)
        wri_example_wrong(t, "the weight of this value is 0");
    size_t index = (size_t)wri_case_choose(t, &request);
    while (weights[index] == 0) /* beyond what a mask can say */
        index = (index + 1) % n;
    wri_show_unsigned(t, name, index);
    return index;
}

/* ---- Lengths ---- */

size_t wri_draw_length(wr_case *t, const char *name, size_t lo, size_t hi)
{
    uint64_t max = hi - lo;
    if (!wri_case_slow(t))
        return lo + (size_t)wri_draw_record(t, wri_lean_length(t, max), max);
    return lo + (size_t)ask(t, WRI_LENGTH, WRI_NO_LETTERS, name, (int64_t)lo, max);
}

size_t wr_size(wr_case *t, const char *name, size_t lo, size_t hi)
{
    if (WRI_UNLIKELY(lo > hi))
        wri_case_misuse(t, "wr_size%s: lo %zu is above hi %zu", wri_draw_named(t, name), lo, hi);
    if (wri_example_given(t))
        wri_example_unsigned(t, name, lo, hi - lo);
    size_t length = wri_draw_length(t, name, lo, hi);
    if (wri_case_slow(t)) {
        wri_case_note_length(t, length, false);
        wri_show_unsigned(t, name, length);
    }
    return length;
}
