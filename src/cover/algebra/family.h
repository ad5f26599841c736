/* cover/algebra/family.h: families of direct constructions, one row of a table each.
 *
 * A family builds covering arrays with the same number of levels in every column. It makes them
 * out of algebra or out of smaller arrays. For a strength, columns and levels it says how many
 * rows it would need; the family with the fewest rows builds. A family that a search found is a
 * few numbers in a table (*.inc). The array is made from these numbers, and checked.
 */
#ifndef WRC_COVER_ALGEBRA_FAMILY_H
#define WRC_COVER_ALGEBRA_FAMILY_H

#include "cover/model/model.h"

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
extern const wrc_family wrc_family_found;
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

#endif
