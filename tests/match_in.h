/* tests/match_in.h: is a bug in a sequence? Plainly: does some beginning of it end with the bug?
 */
#ifndef WRI_TESTS_MATCH_IN_H
#define WRI_TESTS_MATCH_IN_H

#include "machine/pattern/pattern.h"

static inline bool match_in(const wri_machine *machine, const wri_pattern *pattern,
                            const wri_sequence *sequence)
{
    wri_sequence beginning = *sequence;
    bool         found = false;
    for (beginning.count = 1; beginning.count <= sequence->count && !found; beginning.count++)
        found = wri_match_at_end(machine, pattern, &beginning);
    return found;
}

#endif
