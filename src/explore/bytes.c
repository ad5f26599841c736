/* explore/bytes.c: the bytes of a fuzzer as answers, and answers as such bytes.
 *
 * Each answer has a place of its own in the bytes, of a width that its request alone decides, so
 * a mutated byte changes one answer. A number stands there as its value, little-endian and as
 * wide as its range asks for, and a letter as its character: what a fuzzer has seen compared it
 * can put there. A value that the request does not allow is brought into the range. Behind the
 * last byte all answers are zero bytes.
 */
#include <string.h>

#include "explore/answer.h"

/* ---- The form of one answer ---- */

static unsigned bytes_for(uint64_t largest)
{
    return largest <= UINT8_MAX ? 1 : largest <= UINT16_MAX ? 2 : largest <= UINT32_MAX ? 4 : 8;
}

/* As wide as the C type that holds the range. */
static unsigned width_of_integer(const wri_request *request)
{
    int64_t  lo = request->lo, hi = (int64_t)((uint64_t)lo + request->max);
    uint64_t reach = lo >= 0 ? (uint64_t)hi : 0 - (uint64_t)lo - 1;
    if (lo < 0 && hi > 0 && (uint64_t)hi > reach)
        reach = (uint64_t)hi;
    return bytes_for(lo < 0 ? reach > INT64_MAX / 2 ? UINT64_MAX : 2 * reach + 1 : reach);
}

/* 0: there is only one answer. */
static unsigned width_of(const wri_request *request)
{
    if (request->max == 0 ||
        (request->legal != 0 && (request->legal & (request->legal - 1)) == 0))
        return 0;
    switch (request->kind) {
    case WRI_INTEGER: return width_of_integer(request);
    case WRI_REAL: return request->single ? 4 : 8;
    default: return request->legal != 0 ? 1 : bytes_for(request->max);
    }
}

static const char *letters_of(const wri_request *request)
{
    if (request->kind != WRI_INDEX)
        return NULL;
    return request->letters != WRI_NO_LETTERS ? wri_choice_alphabet(request->letters)
                                              : request->alphabet;
}

static uint64_t number_of_integer(const wri_request *request, unsigned width, uint64_t raw)
{
    int64_t  value = (int64_t)raw;
    unsigned unused = 64 - 8 * width;
    if (request->lo < 0)
        value = (int64_t)(raw << unused) >> unused;
    uint64_t above = (uint64_t)value - (uint64_t)request->lo;
    if (request->max != UINT64_MAX && above > request->max)
        value = (int64_t)((uint64_t)request->lo + above % (request->max + 1));
    return wri_choice_integer_number(value, request->lo, request->max);
}

static double real_of(const wri_request *request, uint64_t raw)
{
    double   real;
    float    single;
    uint32_t low = (uint32_t)raw;
    memcpy(&real, &raw, sizeof real);
    memcpy(&single, &low, sizeof single);
    return request->single ? (double)single : real;
}

static uint64_t number_of(const wri_request *request, unsigned width, uint64_t raw)
{
    const char *letters = letters_of(request);
    const char *found = letters == NULL || raw == 0 ? NULL : strchr(letters, (int)raw);
    if (request->legal != 0) {
        uint64_t left = request->legal;
        for (uint64_t skip = raw % (uint64_t)__builtin_popcountll(left); skip > 0; skip--)
            left &= left - 1;
        return (uint64_t)__builtin_ctzll(left);
    }
    if (request->kind == WRI_INTEGER)
        return number_of_integer(request, width, raw);
    if (request->kind == WRI_REAL)
        return wri_choice_real_number(real_of(request, raw));
    if (found != NULL && (uint64_t)(found - letters) <= request->max)
        return (uint64_t)(found - letters);
    return request->max == UINT64_MAX ? raw : raw % (request->max + 1);
}

static uint64_t raw_of(const wri_request *request, uint64_t number)
{
    const char *letters = letters_of(request);
    uint64_t    raw = number;
    if (request->legal != 0)
        return (uint64_t)__builtin_popcountll(request->legal & ((UINT64_C(1) << number) - 1));
    if (request->kind == WRI_INTEGER)
        return (uint64_t)wri_choice_integer_value(number, request->lo, request->max);
    if (request->kind == WRI_REAL) {
        double   real = wri_choice_real_answer(request, number);
        float    single = (float)real;
        uint32_t low;
        memcpy(&low, &single, sizeof low);
        memcpy(&raw, &real, sizeof raw);
        return request->single ? low : raw;
    }
    return letters == NULL ? number : (uint8_t)letters[number];
}

/* ---- From bytes ---- */

static uint64_t take(wri_from_bytes *from, unsigned width)
{
    uint64_t raw = 0;
    for (unsigned i = 0; i < width && from->left > 0; i++, from->bytes++, from->left--)
        raw |= (uint64_t)*from->bytes << (8 * i);
    return raw;
}

static uint64_t choice_from(wri_answerer *self, wr_case *t, const wri_request *request,
                            uint32_t label)
{
    (void)t, (void)label;
    unsigned width = width_of(request);
    if (width == 0)
        return request->max == 0 ? 0 : wri_request_next_legal(request, 0);
    return number_of(request, width, take((wri_from_bytes *)self, width));
}

static void array_from(wri_answerer *self, wr_case *t, const wri_request *request, uint32_t label,
                       size_t count, unsigned width, uint64_t *numbers)
{
    (void)width;
    for (size_t i = 0; i < count; i++)
        numbers[i] = choice_from(self, t, request, label);
}

wri_answerer *wri_answer_from_bytes(wri_from_bytes *from, const uint8_t *bytes, size_t count)
{
    *from = (wri_from_bytes){ .base = { .choose = choice_from, .choose_many = array_from },
                              .bytes = bytes,
                              .left = count };
    return &from->base;
}

/* ---- To bytes ---- */

static void put(wri_to_bytes *to, const wri_request *request, uint64_t number)
{
    unsigned width = number == WRI_NO_ANSWER ? 0 : width_of(request);
    uint64_t raw = width == 0 ? 0 : raw_of(request, number);
    for (unsigned i = 0; i < width && to->count < to->room; i++)
        to->bytes[to->count++] = (uint8_t)(raw >> (8 * i));
}

static uint64_t choice_to(wri_answerer *self, wr_case *t, const wri_request *request,
                          uint32_t label)
{
    wri_to_bytes *to = (wri_to_bytes *)self;
    uint64_t      number = to->inner->choose(to->inner, t, request, label);
    put(to, request, number);
    return number;
}

static void array_to(wri_answerer *self, wr_case *t, const wri_request *request, uint32_t label,
                     size_t count, unsigned width, uint64_t *numbers)
{
    wri_to_bytes *to = (wri_to_bytes *)self;
    to->inner->choose_many(to->inner, t, request, label, count, width, numbers);
    for (size_t i = 0; i < count; i++)
        put(to, request, numbers[i]);
}

static uint64_t bound_of(const wri_answerer *self)
{
    const wri_to_bytes *to = (const wri_to_bytes *)self;
    return to->inner->bound(to->inner);
}

wri_answerer *wri_answer_to_bytes(wri_to_bytes *to, wri_answerer *inner, uint8_t *bytes,
                                  size_t room)
{
    *to = (wri_to_bytes){ .base = { .choose = choice_to,
                                    .choose_many = array_to,
                                    .bound = inner->bound == NULL ? NULL : bound_of },
                          .inner = inner,
                          .bytes = bytes,
                          .room = room };
    return &to->base;
}

/* ---- Packed ---- */

bool wri_bytes_pack(wri_trace *trace, const uint8_t *bytes, size_t count)
{
    size_t at = trace->number_count, words = 1 + (count + 7) / 8;
    if (!wri_trace_reserve(trace, trace->node_count, at + words))
        return false;
    trace->number_count = at + words;
    trace->numbers[at + words - 1] = 0; /* the last one may not be full */
    trace->numbers[at] = count;
    if (count > 0)
        memcpy(&trace->numbers[at + 1], bytes, count);
    return true;
}

const uint8_t *wri_bytes_unpack(const wri_trace *trace, size_t at, size_t *count)
{
    if (at >= trace->number_count ||
        trace->numbers[at] > 8 * (uint64_t)(trace->number_count - at - 1))
        return NULL;
    *count = (size_t)trace->numbers[at];
    return (const uint8_t *)&trace->numbers[at + 1];
}
