/* cover/radix/layout.h: where the digits of parameters lie.
 *
 * Parameters are in the order of the model. Each has one column or, if it is split, one for each
 * digit, the lowest first. The sum of digit * weight is the number of the level. Digits can stand
 * for more numbers than there are levels. Either the numbers are the levels, and numbers above
 * the last stand for none. Then some digits are rare, such as the first of 1000 in decimal. Or
 * the levels are spread evenly over all numbers, so that all digits are about equally frequent.
 */
#ifndef WRC_COVER_RADIX_LAYOUT_H
#define WRC_COVER_RADIX_LAYOUT_H

#include "cover/model/blocks.h"
#include "cover/model/model.h"

typedef struct wrc_group {
    uint32_t first, count; /* its columns */
    uint32_t levels;
    uint64_t numbers; /* that its digits can stand for */
} wrc_group;

typedef struct wrc_layout {
    uint32_t   parameters, columns;
    wrc_group *groups;  /* for each parameter */
    uint32_t  *radices; /* for each column: how many values the digit has */
    uint32_t  *weights;
    uint32_t  *owners; /* the column's parameter */
    bool       even;
    wrc_blocks blocks;
} wrc_layout;

/* Splits the parameters that are marked into digits below the base. Even: as few digits as the
 * base allows, these as small as will do, and the levels spread. False: no memory. */
bool wrc_layout_open(wrc_layout *layout, const wrc_model *model, const bool *split, uint32_t base,
                     bool even);
void wrc_layout_close(wrc_layout *layout);

void wrc_layout_divide(const wrc_layout *layout, uint32_t parameter, uint32_t level,
                       uint32_t *digits); /* the parameter's own */

/* The level, or WRC_ANY: the digits stand for none, or all are open. Some that are open are 0. */
uint32_t wrc_layout_join(const wrc_layout *layout, uint32_t parameter, const uint32_t *digits);

/* Whether there are digits that stand for no level. */
static inline bool wrc_group_has_gaps(const wrc_group *group)
{
    return group->numbers > group->levels;
}

#endif
