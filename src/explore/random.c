/* explore/random.c: the random explorer, and the row `knowing`, which has constants of the
 * program among its answers (explore/constant.h).
 *
 * Case i is a function of the seed and i. The fast paths of draws answer most requests by
 * themselves, with the same words of the same stream. This file answers the other requests, and
 * every request of a traced case.
 */
#include <stdlib.h>

#include "core/lean.h"
#include "explore/answer.h"
#include "explore/constant.h"
#include "explore/ranges.h"

static uint64_t by_weight(wr_case *t, const wri_request *request)
{
    uint64_t sum = 0, at = 0;
    for (uint64_t i = 0; i <= request->max; i++)
        sum += wri_request_legal(request, i) ? request->weights[i] : 0;
    if (sum == 0)
        return wri_request_next_legal(request, 0);
    uint64_t wanted = wri_prng_scale(wri_prng_next(&t->random), sum - 1);
    for (;; at++) {
        uint64_t weight = wri_request_legal(request, at) ? request->weights[at] : 0;
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
    uint64_t number;
    (void)self, (void)label;
    if (request->fresh != NULL)
        return request->fresh(t, request);
    if (request->weights != NULL)
        return by_weight(t, request);
    if (request->legal != 0)
        return by_mask(t, request);
    if (WRI_UNLIKELY(t->known != NULL) && wri_constant_answer(t, request, &number))
        return number;
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
    if (WRI_UNLIKELY(t->known != NULL))
        wri_constant_answers(t, request, count, numbers);
}

/* ---- Without the lean ---- */

/* Every answer is equally likely, those of strings too. What only its generator can answer, such
 * as a call of a machine, the generator answers. */
static uint64_t choose_plainly(wri_answerer *self, wr_case *t, const wri_request *request,
                               uint32_t label)
{
    double   part;
    uint64_t number;
    if (request->weights != NULL || request->legal != 0 || request->kind >= WRI_CONSTRUCTOR)
        return choose(self, t, request, label);
    if (t->known != NULL && wri_constant_answer(t, request, &number))
        return number;
    uint64_t word = wri_prng_next(&t->random);
    if (request->kind != WRI_REAL || request->range == NULL)
        return wri_prng_scale(word, request->max);
    part = (double)(word >> 11) * 0x1p-53;
    return wri_choice_real_number(request->range[0] * (1 - part) + request->range[1] * part);
}

static void choose_many_plainly(wri_answerer *self, wr_case *t, const wri_request *request,
                                uint32_t label, size_t count, unsigned width, uint64_t *numbers)
{
    (void)width;
    for (size_t i = 0; i < count; i++)
        numbers[i] = choose_plainly(self, t, request, label);
    if (t->known != NULL)
        wri_constant_answers(t, request, count, numbers);
}

static wri_answerer randomly = { .choose = choose, .choose_many = choose_many, .searches = true };

void wri_answer_leaning(bool on)
{
    randomly.choose = on ? choose : choose_plainly;
    randomly.choose_many = on ? choose_many : choose_many_plainly;
}

wri_answerer *wri_answer_randomly(void)
{
    return &randomly;
}

/* ---- The parent's side ---- */

static void *open_random(const wri_exploration *run, const char **error)
{
    (void)error;
    wri_ranges *self = malloc(sizeof *self);
    if (self != NULL)
        wri_ranges_open(self, run);
    return self;
}

static bool give(void *self, const wri_standing *standing, wri_order *order)
{
    wri_ranges *ranges = self;
    return wri_ranges_give(ranges, standing, ranges->run.workers, 0, order);
}

/* ---- The worker's side ---- */

/* A refuted case is drawn again, with the stream going on. */
static wri_redraw *redraw;
static wri_work    work;

static bool begin(const wri_work *given, wr_case *t)
{
    work = *given;
    wri_redraw_end(redraw, t);
    return true;
}

static wri_after learn(wr_case *t, uint32_t verdict, wri_left left)
{
    if (left == WRI_LEFT_JUMPING && verdict == WRI_DISCARD && !atomic_load(work.stop) &&
        wri_redraw_refuted(&redraw, t, work.redraw))
        return WRI_AFTER_AGAIN;
    wri_redraw_end(redraw, t);
    return WRI_AFTER_COUNT;
}

static void free_worker(void)
{
    wri_redraw_free(redraw);
    redraw = NULL;
}

const wri_explorer wri_explorer_random = {
    .name = "random",
    .needs = WRI_HOT | WRI_NEEDS_PACE,
    .open = open_random,
    .close = free,
    .give = give,
    .take = wri_ranges_take,
    .back = wri_ranges_back,
    .rest = wri_ranges_rest,
    .more = wri_ranges_more,
    .allow = wri_ranges_allow,
    .conclude = wri_ranges_conclude,
    .begin = begin,
    .learn = learn,
    .free = free_worker,
};

/* ---- With constants ---- */

const wri_explorer wri_explorer_knowing = {
    .needs = WRI_HOT | WRI_SKEWS | WRI_USES_CONSTANTS,
    .open = open_random,
    .close = free,
    .give = give,
    .take = wri_ranges_take,
    .rest = wri_ranges_rest,
    .more = wri_ranges_more,
    .allow = wri_ranges_allow,
    .conclude = wri_ranges_conclude,
    .begin = begin,
    .learn = learn,
    .free = free_worker,
};
