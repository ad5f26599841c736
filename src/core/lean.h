/* core/lean.h: how random answers lean.
 *
 * Uniform numbers find few bugs: those sit at small values, at the ends of a range and where
 * the same value comes twice. So a random answer is a pure function of one random word, the
 * bound and the journal: more than half of all answers are uniform, most others small or near
 * the far end of the range, and one in twenty goes the rare way: a value that this case drew
 * before, a constant of the dictionary, or near a power of two.
 *
 * The common way has no branch that depends on the word: a mispredicted one costs more than
 * everything else here together.
 */
#ifndef WRI_CORE_LEAN_H
#define WRI_CORE_LEAN_H

#include "core/case.h"

/* The rare way. `word` is the one that chose it. */
uint64_t wri_lean_rarely(wr_case *t, uint64_t word, uint64_t max, int64_t lo);

/* The low byte of the word chooses the way: below each of these, this one. */
enum { WRI_LEAN_RARE = 20, WRI_LEAN_FAR = 36, WRI_LEAN_SMALL = 112 };

static inline bool wri_lean_is_rare(uint64_t word)
{
    return (word & 0xff) < WRI_LEAN_RARE;
}

/* Any number alike. Where the word's low bits, which chose the way, would be the number's too,
 * its high ones are laid over them. A bound known here to be 2^k - 1 needs only a shift. */
static inline uint64_t wri_lean_uniform(uint64_t word, uint64_t max)
{
    if (__builtin_constant_p(max) && (max & (max + 1)) == 0 && max != 0 && max <= UINT32_MAX)
        return word >> __builtin_clzll(max | 1);
    return wri_prng_scale(word ^ word >> 32, max);
}

/* How far to the right a number is shifted to make it small: less than max has bits. */
static inline unsigned wri_lean_shift(uint64_t word, uint64_t max)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(max | 1);
    return (unsigned)(((word >> 8) & 0xff) * bits >> 8);
}

/* Small for certain: every bit length about alike, 0 included. */
static inline uint64_t wri_lean_small(uint64_t word, uint64_t max)
{
    return wri_lean_uniform(word, max) >> 1 >> wri_lean_shift(word, max);
}

/* Uniform, small or near max, without a branch. */
static inline uint64_t wri_lean_commonly(uint64_t word, uint64_t max)
{
    uint64_t low = word & 0xff;
    uint64_t far = 0 - (uint64_t)(low < WRI_LEAN_FAR); /* all ones, or none */
    uint64_t small = 0 - (uint64_t)(low < WRI_LEAN_SMALL);
    uint64_t number = wri_lean_uniform(word, max);
    number = number >> (small & 1) >> (wri_lean_shift(word, max) & small);
    return (number ^ far) + (far & (max + 1)); /* number, or max - number */
}

/* The integers' order over a range that reaches as far below zero as above: 0, 1, -1, 2, ... */
static inline uint64_t wri_zigzag(uint64_t number)
{
    uint64_t distance = number / 2 + (number & 1);
    uint64_t negative = (number & 1) - 1; /* all ones for an even number */
    return (distance ^ negative) - negative;
}

/* The answer to a request with no mask and no weights. */
static inline uint64_t wri_lean(wr_case *t, uint64_t max, int64_t lo)
{
    uint64_t word = wri_prng_next(&t->random);
    if (WRI_UNLIKELY(wri_lean_is_rare(word)))
        return wri_lean_rarely(t, word, max, lo);
    return wri_lean_commonly(word, max);
}

/* Lengths are mostly uniform, sometimes small or at an end: short sequences find most bugs,
 * long ones the rest. */
static inline uint64_t wri_lean_length(wr_case *t, uint64_t max)
{
    uint64_t word = wri_prng_next(&t->random);
    if (WRI_UNLIKELY((word & 7) == 0)) {
        uint64_t end = wri_prng_scale(word << 16, max < 2 ? max : 2);
        return (word & 8) != 0 ? end : max - end;
    }
    if (WRI_UNLIKELY((word & 7) == 1))
        return wri_lean_small(word, max);
    return wri_prng_scale(word, max);
}

/* The same for `count` values of an array, written at their width. Arrays lean as a whole,
 * too: most are uniform with some values bent, some all small, some of few distinct values. */
void wri_lean_many(wr_case *t, const wri_request *request, size_t count, unsigned width,
                   void *values);

/* The lean of reals: any double, NaN and infinities included; or lo..hi. single: any float. */
double wri_lean_real(wr_case *t, bool any, bool single, double lo, double hi);

#endif
