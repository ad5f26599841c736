/* machine/pattern/symmetry.c: calls of a pattern that can stand for each other.
 *
 *     register(?A, ?P) | register(?B, ?P)
 *
 * If the variables change names, one of these calls is the other. So it does not matter which of
 * them comes last, and the search for known bugs looks for one ending only. The same is true of
 * the order of such calls before the last one.
 */
#include "machine/pattern/compiled.h"

#define STEPS_MOST 200 /* past them calls are taken to be different */

typedef struct mirroring {
    const wri_pattern *pattern;
    const uint32_t    *before;
    unsigned           images[WRI_PATTERN_CALLS];        /* of the calls */
    uint32_t           mirrored, taken;                  /* which have one, and which are one */
    uint8_t            variables[WRI_PATTERN_VARIABLES]; /* their images, plus one; 0: none yet */
    uint64_t           variables_taken;
} mirroring;

static bool mirrors_variable(mirroring *m, unsigned variable, unsigned image)
{
    if (m->variables[variable] != 0)
        return m->variables[variable] == image + 1;
    if ((m->variables_taken >> image & 1) != 0)
        return false;
    m->variables[variable] = (uint8_t)(image + 1);
    m->variables_taken |= UINT64_C(1) << image;
    return true;
}

static bool mirrors_term(mirroring *m, const wri_term *term, const wri_term *image)
{
    if (term->sort == WRI_TERM_VARIABLE && image->sort == WRI_TERM_VARIABLE)
        return mirrors_variable(m, term->variable, image->variable);
    return wri_term_same(term, image);
}

/* Binds variables also where it is none. */
static bool mirrors_call(mirroring *m, const wri_pattern_call *call,
                         const wri_pattern_call *image)
{
    if (call->command != image->command ||
        (call->result == WRI_NO_VARIABLE) != (image->result == WRI_NO_VARIABLE))
        return false;
    for (unsigned i = 0; i < WRI_ARGUMENTS; i++)
        if (!mirrors_term(m, &call->terms[i], &image->terms[i]))
            return false;
    return call->result == WRI_NO_VARIABLE || mirrors_variable(m, call->result, image->result);
}

static bool mirrors_order(const mirroring *m, unsigned call, unsigned image)
{
    for (uint32_t left = m->mirrored; left != 0; left &= left - 1) {
        unsigned other = (unsigned)__builtin_ctz(left), its = m->images[other];
        if ((m->before[call] >> other & 1) != (m->before[image] >> its & 1) ||
            (m->before[other] >> call & 1) != (m->before[its] >> image & 1))
            return false;
    }
    return true;
}

/* Has each guard of the one ending its image among those of the other? Variables that no call has
 * have none. */
static bool mirrors_guards(const mirroring *m, unsigned last)
{
    const wri_pattern *pattern = m->pattern;
    for (unsigned i = 0; i < pattern->guard_count; i++) {
        bool found = (pattern->guards[i].last >> last & 1) == 0;
        for (unsigned j = 0; j < pattern->guard_count && !found; j++) {
            mirroring now = *m;
            found = (pattern->guards[j].last >> m->images[last] & 1) != 0 &&
                    pattern->guards[i].consumed == pattern->guards[j].consumed &&
                    mirrors_call(&now, &pattern->guards[i].call, &pattern->guards[j].call);
        }
        if (!found)
            return false;
    }
    return true;
}

/* How many calls come before this one, and how many after it. */
static unsigned rank(const mirroring *m, unsigned call)
{
    unsigned after = 0;
    for (unsigned i = 0; i < m->pattern->count; i++)
        after += m->before[i] >> call & 1;
    return (unsigned)__builtin_popcount(m->before[call]) * WRI_PATTERN_CALLS + after;
}

static bool mirror_call(mirroring *m, unsigned call, unsigned image)
{
    if (m->pattern->calls[call].command != m->pattern->calls[image].command ||
        (call != image && rank(m, call) != rank(m, image)) || !mirrors_order(m, call, image) ||
        !mirrors_call(m, &m->pattern->calls[call], &m->pattern->calls[image]))
        return false;
    m->images[call] = image;
    m->mirrored |= UINT32_C(1) << call;
    m->taken |= UINT32_C(1) << image;
    return true;
}

/* Most often all others are their own images: that is tried first. */
static bool mirror_others(const mirroring *m, unsigned last, unsigned *steps)
{
    uint32_t all = (uint32_t)((UINT64_C(1) << m->pattern->count) - 1), left = all & ~m->mirrored;
    if (left == 0)
        return mirrors_guards(m, last);
    unsigned call = (unsigned)__builtin_ctz(left);
    uint32_t images = all & ~m->taken, own = images & UINT32_C(1) << call;
    while (images != 0) {
        mirroring next = *m;
        unsigned  image = (unsigned)__builtin_ctz(own != 0 ? own : images);
        own = 0;
        images &= ~(UINT32_C(1) << image);
        if (++*steps > STEPS_MOST)
            return false;
        if (mirror_call(&next, call, image) && mirror_others(&next, last, steps))
            return true;
    }
    return false;
}

bool wri_symmetry_is_alike(const wri_pattern *pattern, const uint32_t *before, uint32_t still,
                           unsigned last, unsigned call, unsigned image)
{
    mirroring m = { .pattern = pattern, .before = before };
    unsigned  steps = 0;
    if (pattern->calls[call].command != pattern->calls[image].command)
        return false;
    for (; still != 0; still &= still - 1)
        if (!mirror_call(&m, (unsigned)__builtin_ctz(still), (unsigned)__builtin_ctz(still)))
            return false;
    return mirror_call(&m, call, image) && mirror_others(&m, last, &steps);
}
