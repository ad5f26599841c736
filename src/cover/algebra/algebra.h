/* cover/algebra/algebra.h: families of direct constructions.
 *
 * A family builds covering arrays with the same number of levels in every column, out of algebra
 * or out of smaller arrays. Asked for strength, columns and levels it says how many rows it would
 * need; the one with the fewest builds. Where a family comes from a search, what the search found
 * is a few numbers in a table, and the array is made, and checked, from these.
 */
#ifndef WRC_COVER_ALGEBRA_ALGEBRA_H
#define WRC_COVER_ALGEBRA_ALGEBRA_H

#include "cover/search/build.h"

typedef struct wrc_plan wrc_plan;

typedef struct wrc_family {
    const char *name;
    /* Sets the rows and the family's own numbers; the rows stay UINT64_MAX where it has nothing.
     */
    void (*plan)(wrc_plan *plan);
    /* Fills rows * columns cells. A symbol above the levels is a don't-care to whoever asked for
     * fewer. False: no memory, or what was found does not hold. */
    bool (*build)(const wrc_plan *plan, uint32_t *cells);
} wrc_family;

struct wrc_plan {
    const wrc_family *family;
    uint32_t          strength, columns, levels;
    uint64_t          rows;
    uint32_t          entry;    /* in the family's table */
    uint32_t          parts[2]; /* what a composed array is made of: columns of each */
};

extern const wrc_family wrc_family_orthogonal; /* Bush; also with the next larger field */
extern const wrc_family wrc_family_sperner;
extern const wrc_family wrc_family_hash;
extern const wrc_family wrc_family_starter;
extern const wrc_family wrc_family_affine;
extern const wrc_family wrc_family_paley;
extern const wrc_family wrc_family_octacode;
extern const wrc_family wrc_family_product;
extern const wrc_family wrc_family_doubling;

/* The plan with the fewest rows; of two with as many, the family that stands first above. */
wrc_plan wrc_plan_best(uint32_t strength, uint32_t columns, uint32_t levels);

/* The same without what is made of smaller arrays. */
wrc_plan wrc_plan_simple(uint32_t strength, uint32_t columns, uint32_t levels);

/* rows * columns cells, to be freed; NULL where building fails. */
uint32_t *wrc_plan_cells(const wrc_plan *plan);

/* The fewest rows that pairs of so many columns of two levels have: that is known. */
uint32_t wrc_sperner_rows(uint64_t columns);

/* What the goal's array would be called in a report; NULL where there is none. */
const char *wrc_algebra_name(const wrc_goal *goal);

/* The next of all sets of `count` numbers below `below`, each ascending; false: that was the
 * last. */
static inline bool wrc_next_set(uint32_t *set, uint32_t count, uint32_t below)
{
    uint32_t i = count;
    while (i > 0 && set[i - 1] == below - (count - i) - 1)
        i--;
    if (i == 0)
        return false;
    for (set[i - 1]++; i < count; i++)
        set[i] = set[i - 1] + 1;
    return true;
}

#endif
