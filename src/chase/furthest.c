/* chase/furthest.c: the order in which bugs are reported: unlike ones first.
 *
 * The first bug is the one with the fewest calls. Each next one is the bug that is furthest from
 * those before it, as adaptive random testing spreads its cases. So whoever reads only the first
 * reports reads of different bugs. The distance counts commands and places, no values.
 */
#include <stdlib.h>

#include "chase/internal.h"

typedef struct profile {
    uint64_t origin;
    size_t   calls;                  /* SIZE_MAX: they are not known */
    uint32_t commands[WRI_COMMANDS]; /* how often each is called */
    uint64_t nearest;                /* the distance to the nearest of those before it */
    bool     listed;
} profile;

static void describe(wri_chase *chase, const wri_bug *bug, profile *of)
{
    const wri_sequence *made = wri_chase_calls(chase, &bug->trace);
    *of = (profile){ .origin = bug->origin,
                     .calls = made == NULL ? SIZE_MAX : made->count,
                     .nearest = UINT64_MAX };
    for (size_t i = 0; made != NULL && i < made->count; i++)
        of->commands[made->calls[i].command]++;
}

#define WHOLE 1000

/* The part of their commands that only one of them has; another place counts as much as that. */
static uint64_t distance(const profile *a, const profile *b)
{
    uint64_t common = 0, all = 0;
    for (unsigned i = 0; i < WRI_COMMANDS; i++) {
        uint32_t one = a->commands[i], other = b->commands[i];
        common += one < other ? one : other;
        all += (uint64_t)one + other;
    }
    uint64_t apart = all == 0 ? 0 : WHOLE - 2 * WHOLE * common / all;
    return apart + (a->origin == b->origin ? 0 : WHOLE);
}

static bool comes_before(const profile *a, const profile *b)
{
    return a->nearest != b->nearest ? a->nearest > b->nearest : a->calls < b->calls;
}

void wri_chase_order(wri_chase *chase, size_t *bugs, size_t count)
{
    profile *all = calloc(count + 1, sizeof *all);
    size_t  *order = calloc(count + 1, sizeof *order);
    for (size_t i = 0; all != NULL && order != NULL && i < count; i++)
        describe(chase, &chase->quest->bugs[bugs[i]], &all[i]);
    for (size_t place = 0; all != NULL && order != NULL && place < count; place++) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < count; i++)
            if (!all[i].listed && (best == SIZE_MAX || comes_before(&all[i], &all[best])))
                best = i;
        all[best].listed = true;
        order[place] = bugs[best];
        for (size_t i = 0; i < count; i++) {
            uint64_t apart = distance(&all[i], &all[best]);
            all[i].nearest = apart < all[i].nearest ? apart : all[i].nearest;
        }
    }
    for (size_t i = 0; all != NULL && order != NULL && i < count; i++)
        bugs[i] = order[i];
    free(order);
    free(all);
}
