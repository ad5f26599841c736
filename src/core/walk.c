/* core/walk.c: steps of a walk, made and taken back; and the draws of a case that is walked. */
#include "core/walk.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Nodes for the largest case: address space, of which a case uses what it needs. */
#define POOL_BYTES ((size_t)256 << 20)

static bool allocate(wri_walk *walk)
{
    if (walk->pool != NULL)
        return true;
    walk->trails = malloc(WRI_MAX_STEPS * sizeof *walk->trails);
    walk->draws = malloc(WRI_MAX_STEPS * sizeof *walk->draws);
    walk->trees = malloc(WRI_WALK_TREES * sizeof *walk->trees);
    walk->pool = mmap(NULL, POOL_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    walk->pool_room = POOL_BYTES;
    if (walk->pool == MAP_FAILED)
        walk->pool = NULL;
    return walk->trails != NULL && walk->draws != NULL && walk->trees != NULL &&
           walk->pool != NULL;
}

void wri_walk_free(wri_walk *walk)
{
    free(walk->trails);
    free(walk->draws);
    free(walk->trees);
    if (walk->pool != NULL)
        munmap(walk->pool, walk->pool_room);
    *walk = (wri_walk){ 0 };
}

bool wri_walk_start(wri_walk *walk, const wri_walk_terms *terms, wri_walked *walked,
                    wri_step *steps, uint64_t *shared_count, size_t count)
{
    if (!allocate(walk))
        return false;
    walk->terms = *terms;
    walk->walked = walked;
    walked->requirement_count = terms->requirement_count;
    memcpy(walked->requirements, terms->requirements, sizeof walked->requirements);
    walk->steps = steps;
    walk->shared_count = shared_count;
    walk->keep = SIZE_MAX;
    walk->hooks = (wri_walk_hooks){ 0 };
    walk->paths = NULL;
    walk->asking = walk->drew = false;
    memset(walk->blamed, 0, sizeof walk->blamed);
    wri_walk_anew(walk);
    walk->count = count;
    return true;
}

void wri_walk_anew(wri_walk *walk)
{
    walk->budget = walk->terms.bound;
    walk->reserved = 0;
    walk->made = walk->draw_count = walk->tree_count = walk->asked_count = walk->pool_used = 0;
    walk->open = walk->loose = 0;
    walk->resumed = false;
    walk->count = 0;
}

bool wri_walk_lists(const wr_case *t)
{
    return t->walk != NULL && t->walk->hooks.pick == NULL;
}

/* ---- Steps ---- */

void wri_walk_beyond(wr_case *t)
{
    t->walk->walked->cut = t->walk->beyond = true;
    wr_discard_(t);
}

void wri_walk_barren(wr_case *t)
{
    t->walk->barren = true;
    wr_discard_(t);
}

WRI_COLD void wri_walk_not_deterministic(wr_case *t)
{
    wri_case_misuse(
        t,
        "the property is not deterministic: after the same choices it asked for another one, so "
        "its cases cannot be enumerated");
}

/* ---- Draws ---- */

static uint64_t bit_length(uint64_t number)
{
    return number == 0 ? 0 : 64 - (uint64_t)__builtin_clzll(number);
}

/* Does the number itself cost? Integers and reals do, and letters; one of a few things does not.
 */
static bool by_bits(const wri_request *request, bool element)
{
    return request->kind == WRI_INTEGER || request->kind == WRI_REAL ||
           (request->kind == WRI_INDEX && (element || request->letters != WRI_NO_LETTERS));
}

static uint64_t cost(const wri_request *request, bool element, uint64_t number)
{
    if (request->kind == WRI_LENGTH)
        return (uint64_t)request->lo + number;
    return request->toll + (by_bits(request, element) ? bit_length(number) : 0);
}

/* The largest number that the depth allows: integers at most so far from zero, or from the
 * nearest to it that there is; lengths up to it. */
static uint64_t deepest_number(const wri_walk *walk, const wri_request *request, bool element)
{
    uint64_t depth = walk->terms.depth;
    if (request->kind == WRI_LENGTH)
        return depth;
    if (request->kind == WRI_INTEGER && depth < (uint64_t)1 << 62) {
        uint64_t below = 0 - (uint64_t)request->lo, above = request->max - below;
        if (request->lo >= 0 || below > request->max)
            return depth;
        return (below < depth ? below : depth) + (above < depth ? above : depth);
    }
    return by_bits(request, element) && depth < (uint64_t)1 << 62 ? 2 * depth : UINT64_MAX;
}

/* The largest number that fits. Every number below it does, too. */
static uint64_t largest_number(wr_case *t, const wri_request *request, bool element)
{
    wri_walk *walk = t->walk;
    uint64_t  budget = walk->budget, least = cost(request, element, 0);
    uint64_t  most = deepest_number(walk, request, element);
    if (least > budget)
        wri_walk_beyond(t);
    if (walk->terms.bound != WRI_NO_BOUND) {
        uint64_t spare = budget - least, fits = UINT64_MAX;
        if (request->kind == WRI_LENGTH)
            fits = spare;
        else if (by_bits(request, element) && spare < 64)
            fits = ((uint64_t)1 << spare) - 1;
        most = most < fits ? most : fits;
    }
    walk->walked->cut |= most < request->max;
    return most < request->max ? most : request->max;
}

/* Only some numbers are answers: those of the mask, those that have a weight. */
static uint64_t answers(const wri_request *request)
{
    uint64_t all = request->max >= 63 ? UINT64_MAX : ((uint64_t)2 << request->max) - 1;
    uint64_t legal = request->legal == 0 ? all : request->legal & all;
    if (request->weights == NULL)
        return legal;
    uint64_t weighed = 0;
    for (uint64_t i = 0; i <= request->max; i++)
        weighed |= (uint64_t)(request->weights[i] > 0) << i;
    return (legal & weighed) != 0 ? legal & weighed : legal;
}

/* ---- Reals ---- */

/* So many in a row that are no values of the range, and no more are tried. */
#define MISSES_MOST 4096

/* The integer at a place of 0, 1, -1, 2, ... */
static double integer_at(uint64_t place)
{
    double half = (double)((place + 1) / 2);
    return place & 1 ? half : -half;
}

/* The real at a place: every number that is an odd number of some power of two is at one, those
 * of few digits early. Half of the places are integers, a quarter halves, and so on. */
static double real_at(uint64_t place, bool anything)
{
    static const double SPECIAL[] = { INFINITY, -INFINITY, NAN, DBL_MAX };
    const uint64_t      first = 16, count = sizeof SPECIAL / sizeof *SPECIAL;
    if (anything && place >= first) {
        if (place < first + count)
            return SPECIAL[place - first];
        place -= count;
    }
    if (place == 0)
        return 0;
    unsigned digits = (unsigned)__builtin_ctzll(place);
    uint64_t which = digits == 63 ? 0 : place >> (digits + 1);
    if (digits == 0)
        return integer_at(which + 1);
    return ldexp(2 * integer_at(which) + 1, -(int)digits);
}

/* Is this the value that the request would make of its own number? */
static bool is_answer(const wri_request *request, double value)
{
    double back = wri_choice_real_answer(request, wri_choice_real_number(value));
    return memcmp(&back, &value, sizeof back) == 0 || (isnan(back) && isnan(value));
}

/* The step's number: that of the value at its place, or of the next one that is in the range. The
 * first is the simplest of the range. */
static void settle_real(wr_case *t, const wri_request *request, wri_step *step)
{
    double simplest = wri_choice_real_answer(request, 0);
    step->number = wri_choice_real_number(simplest);
    for (unsigned misses = 0; step->at > 0; misses++) {
        double value = real_at(step->at, request->range == NULL);
        if (is_answer(request, value) && value != simplest) {
            step->number = wri_choice_real_number(value);
            return;
        }
        if (step->left == 0)
            wri_walk_barren(t);
        if (misses == MISSES_MOST)
            wri_walk_beyond(t);
        step->at++;
        step->left--;
    }
}

/* ---- All kinds ---- */

/* Passes over answers whose weight is 0. */
static void settle_weighed(wr_case *t, const wri_request *request, wri_step *step)
{
    while (request->weights[step->number] == 0) {
        if (step->left == 0)
            wri_walk_barren(t);
        step->number = ++step->at;
        step->left--;
    }
}

static wri_step *make_draw(wr_case *t, const wri_request *request, bool element)
{
    wri_walk *walk = t->walk;
    if (by_bits(request, element) || request->kind == WRI_LENGTH || request->toll > 0)
        wri_walk_note_draw(walk); /* also where it does not fit */
    uint64_t most = largest_number(t, request, element);
    bool     masked = request->max < 64 && (request->legal != 0 || request->weights != NULL);
    if (masked) {
        uint64_t fitting = most >= 63 ? UINT64_MAX : ((uint64_t)2 << most) - 1;
        most = answers(request) & fitting;
        if (most == 0)
            wri_walk_beyond(t);
    }
    wri_step *step = wri_walk_make(t, (uint8_t)request->kind, request->max, masked, most);
    walk->trails[walk->made - 1].name = request->name;
    walk->draws[walk->draw_count++] = (uint32_t)(walk->made - 1);
    walk->draw_next = walk->draw_count;
    if (request->kind == WRI_REAL)
        settle_real(t, request, step);
    else if (!masked && request->weights != NULL)
        settle_weighed(t, request, step);
    return step;
}

uint64_t wri_walk_draw(wr_case *t, const wri_request *request, bool element)
{
    wri_walk *walk = t->walk;
    if (walk->draw_next < walk->draw_count) {
        const wri_step *known = &walk->steps[walk->draws[walk->draw_next++]];
        if (WRI_UNLIKELY(known->max != request->max || known->kind != request->kind))
            wri_walk_not_deterministic(t);
        return known->number;
    }
    wri_step *step = make_draw(t, request, element);
    uint64_t  price = cost(request, element, step->masked ? step->number : step->at);
    if (price > walk->budget) /* it fitted, as long as nobody touched the steps */
        wri_walk_beyond(t);
    walk->budget -= price;
    wri_walk_tell(walk);
    return step->number;
}

bool wri_walk_recall(wr_case *t, const wri_request *request, uint64_t *number)
{
    wri_walk *walk = t->walk;
    if (walk->draw_next == walk->draw_count)
        return false;
    const wri_step *known = &walk->steps[walk->draws[walk->draw_next++]];
    if (WRI_UNLIKELY(known->max != request->max || known->kind != request->kind))
        wri_walk_not_deterministic(t);
    *number = known->number;
    return true;
}

void wri_walk_put(wr_case *t, const wri_request *request, uint64_t number)
{
    wri_walk *walk = t->walk;
    wri_step *step = wri_walk_make(t, (uint8_t)request->kind, request->max, true, 1);
    step->number = number;
    walk->trails[walk->made - 1].node = NULL;
    walk->trails[walk->made - 1].name = request->name;
    walk->draws[walk->draw_count++] = (uint32_t)(walk->made - 1);
    walk->draw_next = walk->draw_count;
}

void wri_walk_amend(wr_case *t, uint64_t number)
{
    wri_walk *walk = t->walk;
    wri_step *step = &walk->steps[walk->draws[walk->draw_next - 1]];
    if (!wri_walk_lists(t)) {
        step->number = number;
        return;
    }
    uint64_t more = bit_length(number) - bit_length(step->number);
    if (number < step->number) /* it went round: those are known */
        wri_walk_barren(t);
    if (more > walk->budget)
        wri_walk_beyond(t);
    walk->budget -= more;
    step->left -= step->left < number - step->at ? step->left : number - step->at;
    step->number = step->at = number;
}
