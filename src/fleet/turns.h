/* fleet/turns.h: whose turn is it? For campaigns that go on for a given time.
 *
 * A property has turns: runs of some cases, each with a seed of its own. A turn that shows
 * something new earns the next turn in the next round. A property with k barren turns one after
 * the other rests for 2^k - 1 rounds. The turns of a property get longer. All of this counts
 * turns, cases and features. So the order of turns depends on the seed and on what the turns
 * found, and not on time or on the number of workers.
 */
#ifndef WRI_FLEET_TURNS_H
#define WRI_FLEET_TURNS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct wri_turns {
    uint64_t taken;
    uint64_t cases;    /* of the next turn */
    uint64_t due;      /* the round of the next turn */
    uint64_t features; /* the most that a turn showed */
    unsigned barren;   /* turns without anything new, one after the other */
    bool     over;     /* there is nothing more to find */
} wri_turns;

/* What a turn came to. */
typedef struct wri_turn {
    uint64_t features;
    bool     bugs;  /* it found one that was not known */
    bool     whole; /* it ran all of its cases; else time ended it */
    bool     over;  /* the property was proved or skipped, or cannot be run */
} wri_turn;

void wri_turns_begin(wri_turns *turns);
/* Counts a turn of this round. Returns how many features are new. */
uint64_t wri_turns_took(wri_turns *turns, uint64_t round, const wri_turn *turn);
/* The seed of the next turn of the property with this number. */
uint64_t wri_turns_seed(const wri_turns *turns, uint64_t seed, uint64_t property);

#endif
