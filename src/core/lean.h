/* core/lean.h: the distribution of random answers.
 *
 * Uniform numbers find few bugs. Bugs sit at small values, at the ends of a range, and where the
 * same value comes twice. So a random answer is a pure function of one random word, the bound and
 * the journal. More than half of all answers are uniform; most others are small or near the far
 * end of the range. One in thirteen is rare: a value that this case drew before, a constant of
 * the dictionary, or near a power of two.
 *
 * The common way has no branch that depends on the word: a mispredicted one costs more than
 * everything else here together.
 */
#ifndef WRI_CORE_LEAN_H
#define WRI_CORE_LEAN_H

#include "core/case.h"

/* An answer of the rare way. `word` is the random word that chose this way. */
uint64_t wri_lean_rarely(wr_case *t, uint64_t word, uint64_t max, int64_t lo);

/* The low byte of the word chooses the way: rare below 20, near the far end below 36, small
 * below 112, else uniform. */
enum { WRI_LEAN_RARE = 20, WRI_LEAN_FAR = 36, WRI_LEAN_SMALL = 112 };

static inline bool wri_lean_is_rare(uint64_t word)
{
    return (word & 0xff) < WRI_LEAN_RARE;
}

/* Every number is equally likely. The word's low bits chose the way, so its high bits are laid
 * over them. A constant bound of 2^k - 1 needs only a shift. */
static inline uint64_t wri_lean_uniform(uint64_t word, uint64_t max)
{
    if (__builtin_constant_p(max) && (max & (max + 1)) == 0 && max != 0 && max <= UINT32_MAX)
        return word >> __builtin_clzll(max | 1);
    return wri_prng_scale(word ^ word >> 32, max);
}

/* The number of bits to shift a number right, to make it small: less than the bits of max. */
static inline unsigned wri_lean_shift(uint64_t word, uint64_t max)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(max | 1);
    return (unsigned)(((word >> 8) & 0xff) * bits >> 8);
}

/* A small number: every bit length, 0 included, is about equally likely. */
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

/* The integer order over a range that is symmetric about zero: 0, 1, -1, 2, ... */
static inline uint64_t wri_lean_zigzag(uint64_t number)
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

/* The random answer to a length. Lengths are mostly uniform, sometimes small or at an end:
 * short sequences find most bugs, long ones the rest. */
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

/* For an array whose random values are not all the lean's: the request's `about` is one of these,
 * and changes the values. */
typedef struct wri_overlay {
    void (*lay)(struct wri_overlay *self, wr_case *t, const wri_request *request, size_t count,
                unsigned width, char *values);
} wri_overlay;

/* Random answers for `count` values of an array, written at their width. Each array leans as a
 * whole: most are uniform with some values changed, some have small values only, some have few
 * distinct values. */
void wri_lean_many(wr_case *t, const wri_request *request, size_t count, unsigned width,
                   void *values);

/* The random answer to a real: any double, NaN and infinities included; or a value of lo..hi.
 * single: a float. */
double wri_lean_real(wr_case *t, bool any, bool single, double lo, double hi);

#endif
