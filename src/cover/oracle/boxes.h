/* cover/oracle/boxes.h: decides rules over a few very wide parameters, by halving.
 *
 * A box has an interval of levels for each variable. A rule that is false for a whole box ends
 * it. A box in which all rules are true is a solution. Other boxes are halved. No level is listed
 * anywhere, so the width of a range does not matter. The number of boxes depends on the rules: if
 * there are too many, the search gives up, says so, and decides nothing any more.
 */
#ifndef WRC_COVER_ORACLE_BOXES_H
#define WRC_COVER_ORACLE_BOXES_H

#include "cover/oracle/by_solver.h"
#include "cover/model/expression.h"

typedef struct wrc_halving {
    const wrc_rules *rules;
    wrc_blocks       blocks;
    wrc_interval    *box; /* of each variable */
    wrc_range *values;    /* of each parameter of the model: what its numbers can be in the box */
    uint32_t  *row;       /* of the model: the last row that was found */
    bool       found;     /* there is one */
    uint64_t   boxes;     /* that this question may still look at */
    bool       gave_up;
} wrc_halving;

/* WRC_TOO_LARGE: the rules are none that can be judged so. To be closed whatever comes of it; the
 * rules must outlive it. */
wrc_opening wrc_halving_open(wrc_halving *h, const wrc_rules *rules);
void        wrc_halving_close(wrc_halving *h);

/* Whether the row can be completed, with this level in the variable's cell (WRC_ANY: as it is).
 * If so, h->row is such a row. */
bool wrc_halving_allows(wrc_halving *h, const uint32_t *row, uint32_t variable, uint32_t level);

#endif
