/* chase/prove.c: does a rule explain a failure?
 *
 *     set(0, 3)  copy()  set(5, 9)  clear(6, 7)                     fails
 *     set(?A, ?B)  clear(?C, ?D)                                    a rule: its calls are in it
 *     set(5, 9)  clear(6, 7)                                        do they fail by themselves?
 *
 * A rule may say too much. So the calls that it matches are made by themselves. Only if they fail
 * in the same way is the failure the rule's bug.
 */
#include "chase/internal.h"

#include <stdlib.h>

/* So many rules are tried for one failure. */
#define RULES_TRIED 12
/* Its calls are looked for so long: that costs less than to look into the failure. */
#define LOOKS 2000

/* Do the calls that the rule matches fail by themselves? */
static bool proves(wri_chase *chase, const wri_known_bug *known, const wri_sequence *failing,
                   unsigned *tries)
{
    size_t       places[WRI_PATTERN_CALLS], at;
    wri_sequence part = { 0 };
    bool         fails = false;
    if (!wri_match_places_at_end(chase->machine, &known->pattern, failing, LOOKS, places))
        return false;
    ++*tries;
    if (wri_sequence_take(chase->machine, failing, places, known->pattern.count, &part))
        fails = part.count == failing->count ||
                (wri_chase_lab(chase)->run(chase, &part, &at) == WRI_TRIED_SAME &&
                 at + 1 == part.count);
    wri_sequence_free(&part);
    return fails;
}

size_t wri_chase_prove(wri_chase *chase, const wri_sequence *failing)
{
    unsigned tries = 0;
    for (size_t i = 0; i < chase->rules.count && tries < RULES_TRIED; i++)
        if (wri_chase_may_be(&chase->inquiry, &chase->rules.known[i]) &&
            proves(chase, &chase->rules.known[i], failing, &tries))
            return chase->rules.known[i].bug;
    return WRI_NO_BUG;
}
