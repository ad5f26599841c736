/* data/ways.c: counts the completions of a tree, as a product of polynomials in the cost.
 * Holes of one type are multiplied in together. */
#include "data/ways.h"

#include <string.h>

void wri_ways_start(wri_ways *ways, uint64_t most)
{
    ways->most = most;
    memset(ways->by_cost, 0, (most + 1) * sizeof *ways->by_cost);
    ways->by_cost[0] = 1;
}

/* So many holes more: of a type, or (NULL) one index that costs what it is. From the dearest
 * down, so that what is read is still without them. */
static void add_holes(wri_ways *ways, wri_type *type, unsigned holes)
{
    wri_count own[WRI_COUNTED + 1];
    for (uint64_t cost = 0; cost <= ways->most; cost++)
        own[cost] = type == NULL ? 1 : wri_type_power_count(type, holes, cost);
    for (uint64_t cost = ways->most + 1; cost-- > 0;) {
        wri_count sum = 0;
        for (uint64_t other = 0; other <= cost; other++)
            if (ways->by_cost[other] != 0 && own[cost - other] != 0)
                sum =
                    wri_count_plus(sum, wri_count_times(own[cost - other], ways->by_cost[other]));
        ways->by_cost[cost] = sum;
    }
}

static void scale(wri_ways *ways, wri_count factor)
{
    for (uint64_t cost = 0; cost <= ways->most; cost++)
        ways->by_cost[cost] = wri_count_times(ways->by_cost[cost], factor);
}

static bool index_open(const wr_node *e)
{
    return wri_form_indexed(wri_form_of(e)) && !e->indexed_;
}

/* Holes of a few types, found and not added yet: many of one type cost hardly more than one. */
#define TYPES 4
typedef struct found {
    wri_type *type;
    unsigned  holes;
} found;

static void find_hole(wri_ways *ways, found list[TYPES], wri_type *type)
{
    unsigned i = 0;
    while (i < TYPES - 1 && list[i].holes > 0 && list[i].type != type)
        i++;
    if (list[i].holes > 0 && (list[i].type != type || list[i].holes == WRI_POWERS)) {
        add_holes(ways, list[i].type, list[i].holes);
        list[i].holes = 0;
    }
    list[i].type = type;
    list[i].holes++;
}

void wri_ways_add_open(wri_ways *ways, wr_node *top, const wr_node *except)
{
    found     list[TYPES] = { { NULL, 0 } };
    wri_count indices = 1; /* that cost nothing */
    for (wr_node *e = top; e != NULL; e = wri_tree_following(e, top, true)) {
        if (e == except)
            continue;
        if (e->tag_ < 0)
            find_hole(ways, list, (wri_type *)(uintptr_t)e->type_);
        else if (index_open(e) && wri_form_of(e)->costly_index)
            add_holes(ways, NULL, 1);
        else if (index_open(e))
            indices = wri_count_times(indices, wri_form_of(e)->con->index);
    }
    for (unsigned i = 0; i < TYPES; i++)
        if (list[i].holes > 0)
            add_holes(ways, list[i].type, list[i].holes);
    if (indices > 1)
        scale(ways, indices);
}

bool wri_ways_spare_of(wr_node *root, uint64_t size, uint64_t *spare)
{
    uint64_t spent = 0;
    for (wr_node *e = root; e != NULL; e = wri_tree_following(e, root, true)) {
        const wri_type *type = e->type_;
        spent += e->tag_ < 0 ? type->minimal : wri_form_of(e)->cost;
        if (e->indexed_ && wri_form_of(e)->costly_index)
            spent += e->index_;
        if (spent > size)
            return false;
    }
    *spare = size - spent;
    return true;
}

wri_count wri_ways_completions(wr_node *root, uint64_t size)
{
    wri_ways ways;
    uint64_t spare;
    if (root->tag_ < 0)
        return wri_type_count((wri_type *)(uintptr_t)root->type_, size);
    if (!wri_ways_spare_of(root, size, &spare))
        return 0;
    if (spare > WRI_COUNTED)
        return WRI_UNCOUNTED;
    wri_ways_start(&ways, spare);
    wri_ways_add_open(&ways, root, NULL);
    return ways.by_cost[spare];
}
