/* chase/correct_rule.c: corrects rules whose guards do not help.
 *
 * A rule is learnt from a few tests. A failure may have all its calls, and a guard that should
 * make them harmless. Then the guard is removed from the rule, and the failure is no new bug.
 */
#include <string.h>

#include "chase/internal.h"

/* Takes out the guards that say that these calls are harmless. */
static void take_back_guards(const wri_machine *machine, const wri_sequence *failing,
                             wri_pattern *pattern)
{
    for (unsigned i = pattern->guard_count; i-- > 0;) {
        wri_pattern alone = *pattern;
        alone.guards[0] = pattern->guards[i];
        alone.guard_count = 1;
        if (!wri_match_at_end(machine, &alone, failing))
            memmove(&pattern->guards[i], &pattern->guards[i + 1],
                    (--pattern->guard_count - i) * sizeof *pattern->guards);
    }
}

/* The rule that the bug has if it is what fails here; false: it is not. In a smallest sequence
 * there must be nothing else, for that may be what undoes the guard. */
static bool correct(const wri_chase *chase, const wri_known_bug *known,
                    const wri_sequence *failing, bool small, wri_pattern *corrected)
{
    wri_pattern bare = known->pattern;
    bare.guard_count = 0;
    if (known->key != chase->inquiry.key || known->waits ||
        (small && failing->count > known->pattern.count + 1) ||
        !wri_pattern_meets_at_end(chase->machine, &bare, failing))
        return false;
    *corrected = known->pattern;
    take_back_guards(chase->machine, failing, corrected);
    return true;
}

/* From now on the bug is known by this. Others may be among its own by now. */
static void correct_rule(wri_chase *chase, size_t at, const wri_pattern *corrected)
{
    const wri_known_bug *known = &chase->rules.known[at];
    size_t               bug = known->bug;
    if (known->given && corrected->guard_count == known->pattern.guard_count)
        return; /* it says so already */
    if (!known->given)
        wri_chase_drop(&chase->rules, at);
    wri_chase_know_pattern(chase, bug, corrected, NULL);
    wri_chase_write_rules(&chase->rules);
}

size_t wri_chase_find_refuted(wri_chase *chase, wri_sequence *failing)
{
    wri_pattern corrected;
    bool        small = false;
    for (size_t i = 0; i < chase->rules.count && WRI_CHASE_USES(chase, correct); i++) {
        if (!correct(chase, &chase->rules.known[i], failing, small, &corrected))
            continue;
        if (!small && !wri_chase_reduce(chase, failing))
            return WRI_NO_BUG;
        small = true;
        if (!correct(chase, &chase->rules.known[i], failing, small, &corrected))
            continue;
        size_t bug = chase->rules.known[i].bug;
        wri_chase_shorten(chase, bug, failing);
        correct_rule(chase, i, &corrected);
        return bug;
    }
    return WRI_NO_BUG;
}
