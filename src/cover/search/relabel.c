/* cover/search/relabel.c: draws a place for each level, and moves the levels of a row. */
#include "cover/search/relabel.h"

#include "core/prng.h"

#include <stdlib.h>

static wrc_places choose_places(uint32_t levels, uint64_t *random)
{
    wrc_places p = { .levels = levels };
    uint32_t   bits = 0;
    for (; p.mask < levels - 1; bits++)
        p.mask = p.mask << 1 | 1;
    p.shift = bits / 2 + 1;
    for (int r = 0; r < WRC_RELABEL_ROUNDS; r++) {
        uint64_t word = wri_prng_next(random);
        p.factors[r] = (uint32_t)word | 1;
        p.summands[r] = (uint32_t)(word >> 32);
    }
    return p;
}

wrc_places *wrc_places_new(const wrc_goal *goal, uint64_t random)
{
    wrc_places *places = malloc((goal->columns + 1) * sizeof *places);
    for (uint32_t c = 0; places != NULL && c < goal->columns; c++) {
        places[c] = choose_places(goal->levels[c], &random);
        if (!wrc_goal_leaves_free(goal, c))
            places[c].levels = 0;
    }
    return places;
}

/* Each step can be undone: an odd factor, a sum, the high bits put over the low ones. */
static uint32_t place_of(const wrc_places *p, uint32_t level)
{
    do {
        for (int r = 0; r < WRC_RELABEL_ROUNDS; r++) {
            level = (level * p->factors[r] + p->summands[r]) & p->mask;
            level ^= level >> p->shift;
        }
    } while (level >= p->levels);
    return level;
}

void wrc_relabel(const wrc_places *places, uint32_t columns, uint32_t *row)
{
    for (uint32_t c = 0; c < columns; c++)
        if (row[c] != WRC_ANY && places[c].levels > 0)
            row[c] = place_of(&places[c], row[c]);
}
