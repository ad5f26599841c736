/* core/lean.h: how random answers lean.
 *
 * Uniform numbers find few bugs: those sit at small values, at the ends of a range and where
 * the same value comes twice. So a random answer is a pure function of one random word, the
 * bound and the journal: half of all answers are uniform, most others small, and one in eight
 * goes the rare way: an end of the range, a power of two, a constant of the dictionary, or a
 * value that this case drew before.
 *
 * The common way has no branch that depends on the word: a mispredicted one costs more than
 * everything else here together.
 */
#ifndef WRI_CORE_LEAN_H
#define WRI_CORE_LEAN_H

#include "core/case.h"

/* The rare way. `word` is the one that chose it. */
uint64_t wri_lean_rarely(wr_case *t, uint64_t word, uint64_t max, int64_t lo);

#define WRI_LEAN_RARE(word) (((word) & 7) == 0)

/* Uniform or small, without a branch. The low bits choose, the high ones are the number. */
static inline uint64_t wri_lean_commonly(uint64_t word, uint64_t max)
{
    uint64_t uniform = wri_scale(word, max);
    unsigned bits = 64 - (unsigned)__builtin_clzll(max | 1); /* of max */
    /* How many of them a small number keeps: from none to all but one. */
    unsigned keep = (unsigned)(((word >> 4) & 0xff) * bits >> 8);
    uint64_t small = (word >> 16) & ((UINT64_C(1) << keep) - 1);
    uint64_t take_small = 0 - ((word >> 3) & ((word >> 12) | (word >> 13)) & 1);
    return (uniform & ~take_small) | (small & take_small);
}

/* The answer to a request with no mask and no weights. */
static inline uint64_t wri_lean(wr_case *t, uint64_t max, int64_t lo)
{
    uint64_t word = wri_next(&t->random);
    if (WRI_UNLIKELY(WRI_LEAN_RARE(word)))
        return wri_lean_rarely(t, word, max, lo);
    return wri_lean_commonly(word, max);
}

/* Lengths are mostly uniform, sometimes small or at an end: short sequences find most bugs,
 * long ones the rest. */
static inline uint64_t wri_lean_length(wr_case *t, uint64_t max)
{
    uint64_t word = wri_next(&t->random);
    if (WRI_UNLIKELY((word & 7) == 0)) {
        uint64_t end = wri_scale(word << 16, max < 2 ? max : 2);
        return (word & 8) != 0 ? end : max - end;
    }
    if (WRI_UNLIKELY((word & 7) == 1))
        return wri_lean_commonly(word | 8 | (3 << 12), max);
    return wri_scale(word, max);
}

/* The same for `count` values of an array, written at their width. Arrays lean as a whole,
 * too: most are uniform with some values bent, some all small, some of few distinct values. */
void wri_lean_many(wr_case *t, const wri_request *request, size_t count, unsigned width,
                   void *values);

/* The lean of reals: any double, NaN and infinities included; or lo..hi. single: any float. */
double wri_lean_real(wr_case *t, bool any, bool single, double lo, double hi);

#endif
