/* explore/guide/substitute.h: from a comparison that failed to the choice that decides it.
 *
 * Code compares what it was given with what it wants. When one side of a comparison that did
 * not match is the value of a choice, the other side is the value that would have matched: the
 * case is run again with it. What was compared must be of the very run that is changed, for
 * checksums and lengths are compared with what this run computed.
 */
#ifndef WRI_EXPLORE_GUIDE_SUBSTITUTE_H
#define WRI_EXPLORE_GUIDE_SUBSTITUTE_H

#include "core/trace.h"
#include "explore/guide/mutant.h"
#include "explore/guide/pool.h"
#include "observe/signals.h"

/* Looks for a comparison of this run that is worth a try, and a choice to answer otherwise.
 * `lost`: the run does not show what it was picked for. False: there is none. */
bool wri_substitute(wri_pool *pool, const wri_trace *trace, const wri_comparison *made,
                    size_t count, bool lost, uint64_t *random, wri_change *change,
                    uint32_t *place);

#endif
