/* cover/search/feasible.c: decides sets of columns by the oracle, and remembers the answers.
 *
 * The answer for a set of columns is a bit for each of its tuples, or nothing if all are
 * feasible. Sets are found by hash.
 */
#include "cover/search/feasible.h"

#include "core/hash.h"
#include "cover/model/blocks.h"

#include <stdlib.h>
#include <string.h>

/* Past so many levels the oracle is asked level by level. */
#define LEVELS_AT_ONCE 4096

typedef struct group {
    uint32_t  count;
    uint32_t *columns;    /* ascending */
    uint64_t *infeasible; /* by mixed radix rank; NULL: none is */
} group;

struct wrc_feasible {
    const wrc_goal *goal;
    wrc_blocks      blocks;
    uint32_t       *component; /* of each column */
    bool           *has_fixed; /* of each component: a cell of it is fixed */
    uint32_t       *row;       /* the goal's fixed cells, and what is asked just now */
    group          *groups;    /* a hash table: count == 0 is a free place */
    uint64_t        used, room;
};

/* One set within a combination that is being listed: where its columns are there. */
typedef struct part {
    uint32_t        count;
    uint32_t       *places;
    const uint64_t *infeasible; /* NULL: the oracle is asked, which knows */
} part;

static bool read_components(wrc_feasible *f)
{
    const wrc_goal *goal = f->goal;
    f->component = wrc_blocks_take(&f->blocks, goal->columns + 1, sizeof *f->component);
    f->has_fixed = wrc_blocks_take(&f->blocks, goal->columns + 1, sizeof *f->has_fixed);
    f->row = wrc_blocks_take(&f->blocks, goal->columns + 1, sizeof *f->row);
    if (f->blocks.failed)
        return false;
    for (uint32_t c = 0; c < goal->columns; c++) {
        f->component[c] = goal->oracle != NULL ? wrc_oracle_component(goal->oracle, c) : WRC_ANY;
        f->row[c] = goal->fixed != NULL ? goal->fixed[c] : WRC_ANY;
        if (f->component[c] != WRC_ANY && f->row[c] != WRC_ANY)
            f->has_fixed[f->component[c]] = true;
    }
    return true;
}

wrc_feasible *wrc_feasible_open(const wrc_goal *goal)
{
    wrc_feasible *f = calloc(1, sizeof *f);
    if (f == NULL)
        return NULL;
    f->goal = goal;
    f->room = 64;
    f->groups = calloc(f->room, sizeof *f->groups);
    if (f->groups != NULL && read_components(f))
        return f;
    wrc_feasible_close(f);
    return NULL;
}

void wrc_feasible_close(wrc_feasible *f)
{
    if (f == NULL)
        return;
    wrc_blocks_free(&f->blocks);
    free(f->groups);
    free(f);
}

static group *place_of(const wrc_feasible *f, const uint32_t *columns, uint32_t count)
{
    uint64_t at = wri_hash_bytes(columns, count * sizeof *columns);
    for (;; at++) {
        group *g = &f->groups[at & (f->room - 1)];
        if (g->count == 0 ||
            (g->count == count && memcmp(g->columns, columns, count * sizeof *columns) == 0))
            return g;
    }
}

static bool make_room(wrc_feasible *f)
{
    if (f->used * 2 < f->room)
        return true;
    group   *old = f->groups;
    uint64_t old_room = f->room;
    f->groups = calloc(old_room * 2, sizeof *f->groups);
    if (f->groups == NULL) {
        f->groups = old;
        return false;
    }
    f->room = old_room * 2;
    for (uint64_t i = 0; i < old_room; i++)
        if (old[i].count > 0)
            *place_of(f, old[i].columns, old[i].count) = old[i];
    free(old);
    return true;
}

static uint64_t ranks_from(const wrc_feasible *f, const group *g, uint32_t depth)
{
    uint64_t ranks = 1;
    for (uint32_t i = depth; i < g->count; i++)
        ranks *= f->goal->levels[g->columns[i]];
    return ranks;
}

static bool mark(wrc_feasible *f, group *g, uint64_t first, uint64_t count)
{
    if (g->infeasible == NULL)
        g->infeasible =
            wrc_blocks_take(&f->blocks, ranks_from(f, g, 0) / 64 + 1, sizeof *g->infeasible);
    if (g->infeasible == NULL)
        return false;
    for (uint64_t i = first; i < first + count; i++)
        g->infeasible[i / 64] |= UINT64_C(1) << (i % 64);
    return true;
}

/* The levels, one by one, beside the cells that f->row has of the group's first columns. */
static void ask_one_by_one(wrc_feasible *f, const group *g, uint32_t depth, uint64_t *allowed)
{
    uint32_t column = g->columns[depth], level[depth + 1];
    bool     alone = !f->has_fixed[f->component[column]];
    for (uint32_t i = 0; i < depth; i++)
        level[i] = f->row[g->columns[i]];
    memset(allowed, 0, (f->goal->levels[column] / 64 + 1) * sizeof *allowed);
    for (uint32_t l = 0; l < f->goal->levels[column]; l++) {
        level[depth] = l;
        if (alone ? wrc_oracle_allows_tuple(f->goal->oracle, g->columns, level, depth + 1)
                  : wrc_oracle_allows_level(f->goal->oracle, f->row, column, l))
            allowed[l / 64] |= UINT64_C(1) << (l % 64);
    }
}

/* Which levels the next column can take beside the cells chosen so far. */
static void ask_levels(wrc_feasible *f, const group *g, uint32_t depth, uint64_t *allowed)
{
    uint32_t column = g->columns[depth];
    bool     few = wrc_oracle_knows(f->goal->oracle, f->component[column], 2);
    if (few || f->goal->levels[column] > LEVELS_AT_ONCE)
        ask_one_by_one(f, g, depth, allowed);
    else
        wrc_oracle_levels(f->goal->oracle, f->row, column, allowed);
}

/* Decides the tuples that agree with the cells chosen for the first `depth` columns; `rank` is
 * the rank of those cells. A tuple that cannot be completed is not looked into. */
static bool decide(wrc_feasible *f, group *g, uint32_t depth, uint64_t rank)
{
    uint32_t  column = g->columns[depth], levels = f->goal->levels[column];
    uint64_t  below = ranks_from(f, g, depth + 1);
    uint64_t *allowed = malloc((levels / 64 + LEVELS_AT_ONCE / 64 + 1) * sizeof *allowed);
    bool      well = allowed != NULL;
    if (well)
        ask_levels(f, g, depth, allowed);
    for (uint32_t l = 0; well && l < levels; l++) {
        uint64_t at = rank * levels + l;
        if (!(allowed[l / 64] >> (l % 64) & 1)) {
            well = mark(f, g, at * below, below);
        } else if (depth + 1 < g->count) {
            f->row[column] = l;
            well = decide(f, g, depth + 1, at);
            f->row[column] = WRC_ANY;
        }
    }
    free(allowed);
    return well;
}

/* The answer for a set of columns of one component, decided if need be. NULL: no memory. */
static const group *know(wrc_feasible *f, const uint32_t *columns, uint32_t count)
{
    if (!make_room(f))
        return NULL;
    group *g = place_of(f, columns, count);
    if (g->count > 0)
        return g;
    uint32_t *own = wrc_blocks_take(&f->blocks, count, sizeof *own);
    if (own == NULL)
        return NULL;
    memcpy(own, columns, count * sizeof *own);
    *g = (group){ .count = count, .columns = own };
    f->used++;
    return decide(f, g, 0, 0) ? g : NULL;
}

/* Collects the places of the combination that share the component of `first`, by column. */
static uint32_t gather(const wrc_feasible *f, const uint32_t *columns, uint32_t count,
                       uint32_t first, uint32_t *places, uint32_t *sorted)
{
    uint32_t found = 0;
    for (uint32_t i = first; i < count; i++) {
        if (f->component[columns[i]] != f->component[columns[first]])
            continue;
        uint32_t at = found++;
        for (; at > 0 && sorted[at - 1] > columns[i]; at--) {
            sorted[at] = sorted[at - 1];
            places[at] = places[at - 1];
        }
        sorted[at] = columns[i];
        places[at] = i;
    }
    return found;
}

static bool is_first_of_component(const wrc_feasible *f, const uint32_t *columns, uint32_t at)
{
    uint32_t component = f->component[columns[at]];
    if (component == WRC_ANY)
        return false;
    for (uint32_t i = 0; i < at; i++)
        if (f->component[columns[i]] == component)
            return false;
    return true;
}

static bool is_refused(const wrc_feasible *f, const part *one, const uint32_t *columns,
                       const uint32_t *levels)
{
    uint32_t own[one->count], level[one->count];
    for (uint32_t i = 0; i < one->count; i++) {
        own[i] = columns[one->places[i]];
        level[i] = levels[one->places[i]];
    }
    return !wrc_oracle_allows_tuple(f->goal->oracle, own, level, one->count);
}

static bool hits(const wrc_feasible *f, const part *one, const uint32_t *columns,
                 const uint32_t *levels)
{
    uint64_t rank = 0;
    if (one->infeasible == NULL)
        return is_refused(f, one, columns, levels);
    for (uint32_t i = 0; i < one->count; i++)
        rank = rank * f->goal->levels[columns[one->places[i]]] + levels[one->places[i]];
    return one->infeasible[rank / 64] >> (rank % 64) & 1;
}

/* Goes through all tuples of the combination, as an odometer does. */
static void list_hits(const wrc_feasible *f, const uint32_t *columns, uint32_t count,
                      const part *parts, uint32_t part_count, uint32_t *levels,
                      wrc_levels_taker *take, void *state)
{
    memset(levels, 0, count * sizeof *levels);
    for (;;) {
        for (uint32_t i = 0; i < part_count; i++) {
            if (hits(f, &parts[i], columns, levels)) {
                take(state, levels);
                break;
            }
        }
        uint32_t at = count;
        while (at > 0 && ++levels[at - 1] == f->goal->levels[columns[at - 1]])
            levels[--at] = 0;
        if (at == 0)
            return;
    }
}

bool wrc_feasible_list(wrc_feasible *f, const uint32_t *columns, uint32_t count,
                       wrc_levels_taker *take, void *state)
{
    if (f->goal->oracle == NULL || count == 0)
        return true;
    uint32_t places[count], sorted[count], levels[count], used = 0, part_count = 0;
    part     parts[count];
    for (uint32_t i = 0; i < count; i++) {
        if (!is_first_of_component(f, columns, i))
            continue;
        uint32_t found = gather(f, columns, count, i, places + used, sorted);
        uint32_t component = f->component[columns[i]];
        bool     asked =
            !f->has_fixed[component] && wrc_oracle_knows(f->goal->oracle, component, found);
        const group *known = asked ? NULL : know(f, sorted, found);
        if (!asked && known == NULL)
            return false;
        if (asked || known->infeasible != NULL)
            parts[part_count++] =
                (part){ found, places + used, asked ? NULL : known->infeasible };
        used += found;
    }
    if (part_count > 0)
        list_hits(f, columns, count, parts, part_count, levels, take, state);
    return true;
}
