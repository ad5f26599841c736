/* machine/study/sample.c: does a pattern say too much?
 *
 *     start(?P, _, _)  advance(_)             a pattern that few tests led to
 *     start(v1, 8, 0)  advance(8)             fails, as does what it was learnt from
 *     start(v1, 30, 4) advance(3)             an instance that passes
 *     start(?P, _, _)  advance(8..)           so one argument is narrowed
 *
 * Instances have the calls of the pattern and no others, in a random order that it allows, and
 * with random values where it takes any. If one passes, its values and its order are taken into
 * the example one by one. The first that makes the failure go away is narrowed: a number to the
 * range in which it fails, another value to that of the example, an order to what comes first
 * there. This ends when enough instances in a row have failed.
 *
 * A pattern cannot say that two values differ. So no two values become the same here.
 */
#include <string.h>

#include "core/prng.h"
#include "machine/study/trial.h"

/* So many instances in a row must fail. */
#define INSTANCES 20
/* The most instances that cannot be made, or pass for a reason that a pattern cannot say. */
#define USELESS_MOST 100
/* The most calls for one pattern. */
#define EFFORT 1500
/* Values are drawn so often for one that differs from all others. */
#define DRAWS 8
/* The end of a range is looked for with so many tests. */
#define END_TESTS 8
#define FREEDOMS 64

typedef enum { FAILS, HOLDS, USELESS } effect;

/* What the pattern leaves open: a variable, or one argument. */
typedef struct freedom {
    const wr_kind *kind;
    unsigned       call, argument; /* where, or where first */
    bool           variable;
    bool           ranged; /* a number; */
    int64_t        least, most;
    int64_t        own, drawn; /* the value in the example, and in the instance */
} freedom;

typedef struct sampling {
    const wri_lab      *lab;
    const wri_sequence *example;
    wri_pattern        *pattern;
    freedom             free[FREEDOMS];
    unsigned            count;
    size_t              order[WRI_PATTERN_CALLS]; /* of the instance */
    wri_sequence        values, draft;
    uint64_t            stream, effort;
} sampling;

static size_t at_random(sampling *s, size_t below)
{
    return (size_t)wri_prng_scale(wri_prng_next(&s->stream), below - 1);
}

/* ---- What is open ---- */

static const wri_term *term_of(const sampling *s, const freedom *f)
{
    return &s->pattern->calls[f->call].terms[f->argument];
}

/* How many arguments are this variable? */
static unsigned uses_of(const sampling *s, unsigned variable)
{
    unsigned uses = 0;
    for (unsigned i = 0; i < s->pattern->count; i++)
        for (unsigned j = 0; j < wri_made_arity(s->lab->machine, &s->example->calls[i]); j++)
            uses += s->pattern->calls[i].terms[j].sort == WRI_TERM_VARIABLE &&
                    s->pattern->calls[i].terms[j].variable == variable;
    return uses;
}

static bool is_open(const sampling *s, unsigned call, unsigned argument)
{
    const wri_term *term = &s->pattern->calls[call].terms[argument];
    const wr_kind  *kind = wri_made_kind(s->lab->machine, &s->example->calls[call], argument);
    if (term->sort == WRI_TERM_RANGE)
        return term->least < term->most;
    if (term->sort == WRI_TERM_VARIABLE) {
        for (unsigned i = 0; i < s->count; i++)
            if (s->free[i].variable && term_of(s, &s->free[i])->variable == term->variable)
                return false; /* it is listed */
        return !kind->handle;
    }
    return true;
}

static void find_numbers(const sampling *s, freedom *f)
{
    const wri_lab  *lab = s->lab;
    const wri_term *term = term_of(s, f);
    f->least = 0;
    f->most = (int64_t)f->kind->values - 1;
    f->ranged = !f->kind->handle && f->kind->abstract == NULL &&
                (f->kind->values > 0 ||
                 lab->range(lab->context, s->example, f->call, f->argument, &f->least, &f->most));
    if (term->sort == WRI_TERM_RANGE) {
        f->least = term->least > f->least ? term->least : f->least;
        f->most = term->most < f->most ? term->most : f->most;
    }
    f->ranged &= f->least < f->most;
}

static void list_open(sampling *s)
{
    s->count = 0;
    for (unsigned i = 0; i < s->pattern->count; i++)
        for (unsigned j = 0; j < wri_made_arity(s->lab->machine, &s->example->calls[i]); j++)
            if (s->count < FREEDOMS && is_open(s, i, j)) {
                freedom        *f = &s->free[s->count++];
                const wri_term *term = &s->pattern->calls[i].terms[j];
                *f = (freedom){ .kind = wri_made_kind(s->lab->machine, &s->example->calls[i], j),
                                .call = i,
                                .argument = j,
                                .variable = term->sort == WRI_TERM_VARIABLE &&
                                            uses_of(s, term->variable) > 1,
                                .own = s->example->calls[i].arguments[j] };
                find_numbers(s, f);
            }
}

/* ---- Instances ---- */

/* The calls that must come before this one: as the pattern says, and those that give its handles.
 */
static uint32_t needed_before(const sampling *s, unsigned call)
{
    uint32_t        needed = s->pattern->before[call];
    const wri_made *made = &s->example->calls[call];
    for (unsigned j = 0; j < wri_made_arity(s->lab->machine, made); j++)
        if (wri_machine_takes_handle(s->lab->machine, made->command, j))
            needed |= wri_pattern_bit((unsigned)made->arguments[j]);
    return needed;
}

static void draw_order(sampling *s)
{
    uint32_t placed = 0;
    for (unsigned n = 0; n < s->pattern->count; n++) {
        unsigned ready[WRI_PATTERN_CALLS];
        size_t   count = 0;
        for (unsigned i = 0; i < s->pattern->count; i++)
            if ((placed >> i & 1) == 0 && (needed_before(s, i) & ~placed) == 0)
                ready[count++] = i;
        s->order[n] = ready[at_random(s, count)];
        placed |= wri_pattern_bit((unsigned)s->order[n]);
    }
}

static bool is_taken(const sampling *s, const freedom *f)
{
    for (unsigned i = 0; i < s->count; i++)
        if (&s->free[i] != f && s->free[i].kind == f->kind &&
            (s->free[i].drawn == f->drawn || s->free[i].own == f->drawn))
            return true;
    return wri_sequence_uses(s->lab->machine, s->example, f->kind, f->drawn) > 0;
}

/* Another call that gives a handle of this kind. */
static void draw_handle(sampling *s, freedom *f)
{
    size_t call = at_random(s, s->pattern->count);
    if (wri_made_gives(s->lab->machine, &s->example->calls[call]) == f->kind && call != f->call)
        f->drawn = (int64_t)call;
}

static void draw_value(sampling *s, freedom *f)
{
    const wri_lab *lab = s->lab;
    f->drawn = f->own;
    if (f->kind->handle)
        draw_handle(s, f);
    for (unsigned i = 0; i < DRAWS && !f->kind->handle; i++) {
        if (f->ranged)
            f->drawn = (int64_t)((uint64_t)f->least +
                                 wri_prng_scale(wri_prng_next(&s->stream),
                                                (uint64_t)f->most - (uint64_t)f->least));
        else if (!lab->other(lab->context, s->example, f->call, f->argument,
                             (unsigned)at_random(s, DRAWS), &f->drawn))
            f->drawn = f->own;
        if (f->drawn == f->own || !is_taken(s, f))
            return;
    }
    if (!f->kind->handle)
        f->drawn = f->own;
}

static void set_value(sampling *s, const freedom *f, int64_t value)
{
    const wri_term *term = term_of(s, f);
    for (unsigned i = f->call; i < s->pattern->count; i++)
        for (unsigned j = 0; j < wri_made_arity(s->lab->machine, &s->example->calls[i]); j++)
            if ((i == f->call && j == f->argument) ||
                (f->variable && s->pattern->calls[i].terms[j].sort == WRI_TERM_VARIABLE &&
                 s->pattern->calls[i].terms[j].variable == term->variable))
                s->values.calls[i].arguments[j] = value;
}

/* How does the example end with these values in this order? */
static effect try_instance(sampling *s, const size_t *order)
{
    size_t   at;
    uint64_t count = s->pattern->count;
    if (s->effort < count ||
        !wri_sequence_arrange(s->lab->machine, &s->values, order, s->pattern->count, &s->draft))
        return USELESS;
    wri_tried tried = wri_trial_try(s->lab, &s->draft, &at);
    s->effort -= count;
    return tried == WRI_TRIED_SAME && at + 1 == s->draft.count ? FAILS
           : tried == WRI_TRIED_PASSED                         ? HOLDS
                                                               : USELESS;
}

static const size_t *own_order(void)
{
    static const size_t OWN[WRI_PATTERN_CALLS] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                   11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                                   22, 23, 24, 25, 26, 27, 28, 29, 30, 31 };
    return OWN;
}

/* ---- What is narrowed ---- */

/* The number nearest to the drawn one with which it fails. */
static int64_t find_end(sampling *s, const freedom *f)
{
    int64_t fails = f->own, holds = f->drawn;
    for (unsigned i = 0; i < END_TESTS; i++) {
        int64_t low = fails < holds ? fails : holds;
        int64_t middle =
            (int64_t)((uint64_t)low +
                      ((uint64_t)(fails < holds ? holds : fails) - (uint64_t)low) / 2);
        if (middle == fails || middle == holds)
            break;
        set_value(s, f, middle);
        if (try_instance(s, own_order()) == FAILS)
            fails = middle;
        else
            holds = middle;
    }
    return fails;
}

static void narrow_number(sampling *s, const freedom *f)
{
    wri_term *term = &s->pattern->calls[f->call].terms[f->argument];
    wri_term  range = { .sort = WRI_TERM_RANGE, .least = INT64_MIN, .most = INT64_MAX };
    if (term->sort == WRI_TERM_RANGE)
        range = *term;
    int64_t end = find_end(s, f);
    if (f->own < f->drawn)
        range.most = end;
    else
        range.least = end;
    *term = range;
}

/* The handle that it was in the example. */
static bool narrow_handle(sampling *s, const freedom *f)
{
    wri_pattern *pattern = s->pattern;
    uint8_t     *result = &pattern->calls[f->own].result;
    if (*result == WRI_NO_VARIABLE && pattern->variable_count < WRI_PATTERN_VARIABLES)
        *result = (uint8_t)pattern->variable_count++;
    if (*result == WRI_NO_VARIABLE)
        return false;
    pattern->calls[f->call].terms[f->argument] =
        (wri_term){ .sort = WRI_TERM_VARIABLE, .variable = *result };
    pattern->before[f->call] |= wri_pattern_bit((unsigned)f->own) | pattern->before[f->own];
    return true;
}

/* False: a pattern cannot say what this needs. */
static bool narrow_value(sampling *s, const freedom *f)
{
    wri_term was = *term_of(s, f);
    if (f->kind->handle)
        return narrow_handle(s, f);
    if (f->kind->symmetric)
        return false;
    if (f->ranged && !f->variable) {
        narrow_number(s, f);
        return true;
    }
    for (unsigned i = f->call; i < s->pattern->count; i++)
        for (unsigned j = 0; j < wri_made_arity(s->lab->machine, &s->example->calls[i]); j++)
            if ((i == f->call && j == f->argument) ||
                (f->variable && wri_term_same(&s->pattern->calls[i].terms[j], &was)))
                s->pattern->calls[i].terms[j] = wri_term_constant(f->own);
    return true;
}

static void need_before(wri_pattern *pattern, size_t first, size_t later)
{
    pattern->before[later] |= wri_pattern_bit((unsigned)first) | pattern->before[first];
    for (unsigned i = 0; i < pattern->count; i++)
        if ((pattern->before[i] >> later & 1) != 0)
            pattern->before[i] |= pattern->before[later];
}

/* From the order of the example to that of the instance, by calls that change places with the one
 * before them. */
static bool narrow_order(sampling *s)
{
    size_t order[WRI_PATTERN_CALLS];
    memcpy(order, own_order(), sizeof order);
    for (size_t place = 0; place < s->pattern->count; place++) {
        size_t at = place;
        while (order[at] != s->order[place])
            at++;
        for (; at > place; at--) {
            size_t moved = order[at], other = order[at - 1];
            order[at] = other;
            order[at - 1] = moved;
            if (try_instance(s, order) != HOLDS)
                continue;
            need_before(s->pattern, other, moved);
            return true;
        }
    }
    return false;
}

/* An instance passed: narrows what makes the failure go away. False: that is not known. */
static bool narrow(sampling *s)
{
    if (!wri_sequence_copy(&s->values, s->example))
        return false;
    for (unsigned i = 0; i < s->count; i++) {
        const freedom *f = &s->free[i];
        if (f->drawn == f->own)
            continue;
        set_value(s, f, f->drawn);
        effect now = try_instance(s, own_order());
        if (now == HOLDS)
            return narrow_value(s, f);
        if (now == USELESS)
            set_value(s, f, f->own);
    }
    return narrow_order(s);
}

/* ---- All of it ---- */

static effect sample(sampling *s)
{
    list_open(s);
    draw_order(s);
    if (!wri_sequence_copy(&s->values, s->example))
        return USELESS;
    for (unsigned i = 0; i < s->count; i++) {
        draw_value(s, &s->free[i]);
        set_value(s, &s->free[i], s->free[i].drawn);
    }
    return try_instance(s, s->order);
}

void wri_sample_rule(const wri_lab *lab, const wri_sequence *example, wri_pattern *pattern)
{
    sampling s = { .lab = lab, .example = example, .pattern = pattern, .effort = EFFORT };
    unsigned fine = 0, useless = 0;
    while (example->count == pattern->count && fine < INSTANCES && useless < USELESS_MOST &&
           s.effort >= pattern->count) {
        effect now = sample(&s);
        fine += now == FAILS;
        if (now == HOLDS && narrow(&s))
            fine = 0;
        else
            useless += now != FAILS;
    }
    wri_sequence_free(&s.values);
    wri_sequence_free(&s.draft);
}
