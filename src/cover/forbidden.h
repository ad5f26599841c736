/* cover/forbidden.h: tuples that no row may hold.
 *
 * Each says of some parameters which levels they may not have together. Found by the cells of a
 * row: a cell that changes brings only the tuples that it is in. A list that is complete (every
 * forbidden partial row holds a tuple) decides on its own; one that grows as rows are refused
 * saves asking twice.
 */
#ifndef WRI_COVER_FORBIDDEN_H
#define WRI_COVER_FORBIDDEN_H

#include "cover/model.h"

/* The levels from + i for each bit i of the mask. */
typedef struct wri_part {
    uint32_t parameter;
    uint32_t from;
    uint64_t mask;
} wri_part;

/* A tuple as one of its cells sees it: the other parts, one behind the other. */
typedef struct wri_other {
    uint32_t parameter, from;
    uint64_t mask;
    size_t next; /* where the tuple ends and the next one begins */
} wri_other;

typedef struct wri_bucket {
    bool always; /* the cell is forbidden on its own */
    size_t count, room;
    wri_other *others;
} wri_bucket;

typedef struct wri_forbidden {
    const wri_model *model;
    uint32_t tuples;
    wri_bucket **buckets; /* of each parameter: one for each level's last six bits; or NULL */
} wri_forbidden;

/* False when memory is short. */
bool wri_forbidden_open(wri_forbidden *list, const wri_model *model);
void wri_forbidden_close(wri_forbidden *list);

/* False when memory is short; then not every cell may know of the tuple. */
bool wri_forbidden_add(wri_forbidden *list, const wri_part *parts, uint32_t count);

/* Whether the row with this level in the parameter's cell (which is not read) holds a tuple that
 * the cell is part of. */
bool wri_forbidden_by(const wri_forbidden *list, const uint32_t *row, uint32_t parameter,
                      uint32_t level);

#endif
