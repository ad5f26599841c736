/* cover/oracle/forbidden.h: tuples that no row may hold.
 *
 * A tuple says which levels some parameters may not have together. Tuples are found by the cells
 * of a row: a cell that changes brings only the tuples that it is in. A list that is complete
 * decides on its own: every forbidden partial row holds one of its tuples. A list that grows as
 * rows are refused saves asking twice.
 */
#ifndef WRC_COVER_ORACLE_FORBIDDEN_H
#define WRC_COVER_ORACLE_FORBIDDEN_H

#include "cover/model/model.h"

/* The levels from + i for each bit i of the mask. */
typedef struct wrc_part {
    uint32_t parameter;
    uint32_t from;
    uint64_t mask;
} wrc_part;

/* A tuple as one of its cells sees it: the other parts, one behind the other. */
typedef struct wrc_other {
    uint32_t parameter, from;
    uint64_t mask;
    size_t   next; /* where the tuple ends and the next one begins */
} wrc_other;

typedef struct wrc_bucket {
    bool       always; /* the cell is forbidden on its own */
    size_t     count, room;
    wrc_other *others;
} wrc_bucket;

typedef struct wrc_forbidden {
    const wrc_model *model;
    uint32_t         tuples;
    wrc_bucket     **buckets; /* of each parameter: one for each level's last six bits; or NULL */
} wrc_forbidden;

/* False when memory is short. */
bool wrc_forbidden_open(wrc_forbidden *list, const wrc_model *model);
void wrc_forbidden_close(wrc_forbidden *list);

/* False when memory is short; then not every cell may know of the tuple. */
bool wrc_forbidden_add(wrc_forbidden *list, const wrc_part *parts, uint32_t count);

/* Whether the row with this level in the parameter's cell (which is not read) holds a tuple that
 * the cell is part of. */
bool wrc_forbidden_by(const wrc_forbidden *list, const uint32_t *row, uint32_t parameter,
                      uint32_t level);

#endif
