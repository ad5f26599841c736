/* fleet/turns.c: whose turn is it? */
#include "fleet/turns.h"

#include "core/prng.h"

/* The first turn is as long as a run of a test program. Twice as many cases each time: the turns
 * before it then cost no more than a turn itself, and neither does starting it again. */
#define FIRST_CASES 1000
#define MOST_CASES (UINT64_C(1) << 40)

/* Nobody rests longer: what a property has not shown in many turns may still be there. */
#define MOST_BARREN 6

void wri_turns_begin(wri_turns *turns)
{
    *turns = (wri_turns){ .cases = FIRST_CASES };
}

uint64_t wri_turns_took(wri_turns *turns, uint64_t round, const wri_turn *turn)
{
    uint64_t new_features =
        turn->features > turns->features ? turn->features - turns->features : 0;
    bool found = new_features > 0 || turn->bugs;
    turns->taken++;
    turns->features += new_features;
    turns->barren = found ? 0 : turns->barren + 1;
    unsigned rest = turns->barren < MOST_BARREN ? turns->barren : MOST_BARREN;
    turns->due = round + (UINT64_C(1) << rest);
    if (turn->whole && turns->cases < MOST_CASES)
        turns->cases *= 2;
    turns->over |= turn->over;
    return new_features;
}

uint64_t wri_turns_seed(const wri_turns *turns, uint64_t seed, uint64_t property)
{
    return wri_prng_mix(wri_prng_mix(seed + property) + turns->taken);
}
