/* cover/oracle/arrange.c: orders variables by FORCE.
 *
 * Each variable moves to the middle of its groups, again and again. The best order that was met
 * is taken.
 */
#include "cover/oracle/arrange.h"

#include <stdlib.h>
#include <string.h>

#include "cover/model/blocks.h"

enum {
    PATIENCE = 12,   /* rounds without a better order */
    SCALE = 1 << 16, /* middles are counted in parts of a position */
};

typedef struct place {
    int64_t  middle;
    uint32_t variable, before;
} place;

typedef struct arrangement {
    uint32_t        variables;
    size_t          groups;
    const size_t   *starts;
    const uint32_t *members;
    uint32_t       *now, *count; /* positions; in how many groups a variable is */
    place          *places;
} arrangement;

static uint64_t extent(const arrangement *a)
{
    uint64_t sum = 0;
    for (size_t g = 0; g < a->groups; g++) {
        uint32_t low = UINT32_MAX, high = 0;
        for (size_t i = a->starts[g]; i < a->starts[g + 1]; i++) {
            uint32_t at = a->now[a->members[i]];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        sum += high > low ? high - low : 0;
    }
    return sum;
}

static int by_middle(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (a->middle != b->middle)
        return a->middle < b->middle ? -1 : 1;
    return a->before < b->before ? -1 : a->before > b->before;
}

static void pull(arrangement *a)
{
    for (uint32_t v = 0; v < a->variables; v++)
        a->places[v] = (place){ 0, v, a->now[v] };
    for (size_t g = 0; g < a->groups; g++) {
        int64_t sum = 0, size = (int64_t)(a->starts[g + 1] - a->starts[g]);
        for (size_t i = a->starts[g]; i < a->starts[g + 1]; i++)
            sum += a->now[a->members[i]];
        for (size_t i = a->starts[g]; i < a->starts[g + 1]; i++)
            a->places[a->members[i]].middle += sum * SCALE / size;
    }
    for (uint32_t v = 0; v < a->variables; v++)
        a->places[v].middle =
            a->count[v] == 0 ? (int64_t)a->now[v] * SCALE : a->places[v].middle / a->count[v];
    qsort(a->places, a->variables, sizeof *a->places, by_middle);
    for (uint32_t i = 0; i < a->variables; i++)
        a->now[a->places[i].variable] = i;
}

static void arrange(arrangement *a, uint32_t *position)
{
    uint64_t best = extent(a);
    for (int idle = 0; idle < PATIENCE; idle++) {
        pull(a);
        uint64_t sum = extent(a);
        if (sum >= best)
            continue;
        best = sum;
        idle = 0;
        memcpy(position, a->now, a->variables * sizeof *position);
    }
}

bool wrc_arrange(uint32_t variables, size_t groups, const size_t *starts, const uint32_t *members,
                 uint32_t *position)
{
    arrangement a = { variables, groups, starts, members, NULL, NULL, NULL };
    wrc_blocks  blocks = { 0 };
    a.now = wrc_blocks_take(&blocks, variables, sizeof *a.now);
    a.count = wrc_blocks_take(&blocks, variables, sizeof *a.count);
    a.places = wrc_blocks_take(&blocks, variables, sizeof *a.places);
    bool fine = !blocks.failed;
    if (fine) {
        for (uint32_t v = 0; v < variables; v++)
            a.now[v] = position[v] = v;
        for (size_t i = 0; i < starts[groups]; i++)
            a.count[members[i]]++;
        arrange(&a, position);
    }
    wrc_blocks_free(&blocks);
    return fine;
}
