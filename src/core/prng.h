/* core/prng.h: the pinned random stream, and the mixing function behind it.
 *
 * SplitMix64: a counter and a finaliser. Case i of a run with a seed owns the stream that
 * wri_prng_stream(seed, i) starts. So a case can be made again without the cases before it. These
 * numbers are part of what a seed means: changing them changes every run.
 */
#ifndef WRI_CORE_PRNG_H
#define WRI_CORE_PRNG_H

#include <stddef.h>
#include <stdint.h>

#define WRI_GAMMA UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t wri_prng_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint64_t wri_prng_next(uint64_t *state)
{
    return wri_prng_mix(*state += WRI_GAMMA);
}

/* The start of the stream of case `index`. The index goes through a multiplier of its own, so
 * that the streams of neighbouring cases are not shifted copies of one another. */
static inline uint64_t wri_prng_stream(uint64_t seed, uint64_t index)
{
    return wri_prng_mix(seed + (index + 1) * UINT64_C(0xd1342543de82ef95));
}

/* A number below max + 1, from 64 random bits; max may be UINT64_MAX. */
static inline uint64_t wri_prng_scale(uint64_t word, uint64_t max)
{
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)(((wide)word * max + word) >> 64);
}

#endif
