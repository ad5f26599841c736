/* explore/guide/substitute.h: finds the choice that decides a failed comparison.
 *
 * Code compares its input with the value it wants. If one side of a failed comparison is the
 * value of a choice, the other side would have matched: the case is run again with that value.
 * The comparison must come from the very run that is changed, because checksums and lengths are
 * compared with values that this run computed.
 */
#ifndef WRI_EXPLORE_GUIDE_SUBSTITUTE_H
#define WRI_EXPLORE_GUIDE_SUBSTITUTE_H

#include "core/trace.h"
#include "explore/guide/mutant.h"
#include "explore/guide/pool.h"
#include "observe/signals.h"

/* Looks for a comparison of this run that is worth a try, and for a choice to change. `lost`:
 * the run does not show the feature it was picked for. False: there is none. */
bool wri_substitute(wri_pool *pool, const wri_trace *trace, const wri_comparison *made,
                    size_t count, bool lost, uint64_t *random, wri_change *change,
                    uint32_t *place);

#endif
