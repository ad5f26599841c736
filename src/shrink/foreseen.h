/* shrink/foreseen.h: the verdicts of all cases that were executed while shrinking.
 *
 * A property is a function of its answers, so every executed case foretells others. A plan is
 * followed through the known traces, request by request. If it never leaves them, its verdict is
 * known and nothing need be run. One table leads from the hash of the answers so far to a trace
 * that begins with them.
 */
#ifndef WRI_SHRINK_FORESEEN_H
#define WRI_SHRINK_FORESEEN_H

#include "core/hash.h"
#include "core/trace.h"
#include "plan/align.h"

typedef struct wri_known_case {
    wri_trace trace;
    bool      same; /* it failed with the origin that is being shrunk */
} wri_known_case;

typedef struct wri_known {
    wri_known_case *cases;
    size_t          count, room;
    wri_hashes      table; /* a case's index + 1, by the hash of its first answers */
    size_t          nodes_kept;
    wri_align       align;
    uint32_t       *counterparts; /* during a search: each span's counterpart in the plan */
    size_t          counterpart_room;
    uint64_t       *numbers;
    size_t          number_room;
} wri_known;

void wri_foreseen_free(wri_known *known);
/* Remembers an executed case. */
void wri_foreseen_add(wri_known *known, const wri_trace *trace, bool same);
/* The case that running the plan would give. NULL: not known. */
const wri_known_case *wri_foreseen_find(wri_known *known, const wri_trace *plan);

#endif
