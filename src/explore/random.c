/* explore/random.c: the random explorer.
 *
 * Case i of a seed is a function of the two. The draws' fast paths answer most requests by
 * themselves, with the same words of the same stream; this is who answers the others, and all
 * of them in a traced case.
 */
#include "core/lean.h"
#include "explore/answer.h"

static uint64_t by_weight(wr_case *t, const wri_request *request)
{
    uint64_t sum = 0, at = 0;
    for (uint64_t i = 0; i <= request->max; i++)
        sum += wri_legal(request, i) ? request->weights[i] : 0;
    if (sum == 0)
        return wri_next_legal(request, 0);
    uint64_t wanted = wri_prng_scale(wri_prng_next(&t->random), sum - 1);
    for (;; at++) {
        uint64_t weight = wri_legal(request, at) ? request->weights[at] : 0;
        if (wanted < weight)
            return at;
        wanted -= weight;
    }
}

static uint64_t by_mask(wr_case *t, const wri_request *request)
{
    uint64_t left = request->legal;
    uint64_t skip =
        wri_prng_scale(wri_prng_next(&t->random), (uint64_t)__builtin_popcountll(left) - 1);
    while (skip-- > 0)
        left &= left - 1;
    return (uint64_t)__builtin_ctzll(left);
}

static uint64_t real(wr_case *t, const wri_request *request)
{
    const double *range = request->range;
    double        value = wri_lean_real(t, range == NULL, request->single, range ? range[0] : 0,
                                 range ? range[1] : 0);
    return wri_choice_real_number(request->single ? (double)(float)value : value);
}

static uint64_t choose(wri_answerer *self, wr_case *t, const wri_request *request, uint32_t label)
{
    (void)self, (void)label;
    if (request->fresh != NULL)
        return request->fresh(t, request);
    if (request->weights != NULL)
        return by_weight(t, request);
    if (request->legal != 0)
        return by_mask(t, request);
    switch (request->kind) {
    case WRI_INTEGER: return wri_lean(t, request->max, request->lo);
    case WRI_REAL: return real(t, request);
    case WRI_LENGTH: return wri_lean_length(t, request->max);
    case WRI_BOOLEAN: return wri_prng_next(&t->random) >> 63;
    default: return wri_prng_scale(wri_prng_next(&t->random), request->max);
    }
}

/* Arrays lean as values, so they are made as values here too, and read back as numbers: from
 * the last to the first, for a number is never narrower than a value. */
static void choose_many(wri_answerer *self, wr_case *t, const wri_request *request,
                        uint32_t label, size_t count, unsigned width, uint64_t *numbers)
{
    (void)self, (void)label;
    wri_lean_many(t, request, count, width, numbers);
    for (size_t i = count; i-- > 0;)
        numbers[i] = wri_case_number_at(request, width, (const char *)numbers + i * width);
}

wri_answerer *wri_answer_randomly(void)
{
    static wri_answerer answerer = { .choose = choose, .choose_many = choose_many };
    return &answerer;
}
