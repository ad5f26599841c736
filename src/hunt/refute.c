/* hunt/refute.c: rules that said too much.
 *
 * A rule is learnt from a few tests, and a failure that it does not include may show that it was
 * wrong: a guard does not help, or one of a few values is not what it takes. Then the rule is
 * corrected, and the failure is no new bug.
 */
#include <string.h>

#include "hunt/chase.h"

/* Of a number it is known how far it goes, and the call that fails is what it is. */
static bool is_refutable(const wri_machine *machine, const wri_pattern *pattern, unsigned call,
                         unsigned argument)
{
    const wr_command *table = machine->commands[pattern->calls[call].command].table;
    return call + 1 < pattern->count &&
           pattern->calls[call].terms[argument].sort == WRI_TERM_RANGE &&
           table->takes[argument]->values > 0;
}

static void take_back_values(const wri_machine *machine, wri_pattern *pattern)
{
    for (unsigned i = 0; i < pattern->count; i++)
        for (unsigned j = 0; j < machine->commands[pattern->calls[i].command].arity; j++)
            if (is_refutable(machine, pattern, i, j))
                pattern->calls[i].terms[j] = (wri_term){ .sort = WRI_TERM_ANY };
}

/* Takes out the guards that say that these calls are harmless. */
static void take_back_guards(const wri_machine *machine, const wri_sequence *failing,
                             wri_pattern *pattern)
{
    for (unsigned i = pattern->guard_count; i-- > 0;) {
        wri_pattern alone = *pattern;
        alone.guards[0] = pattern->guards[i];
        alone.guard_count = 1;
        if (!wri_matches_at_end(machine, &alone, failing))
            memmove(&pattern->guards[i], &pattern->guards[i + 1],
                    (--pattern->guard_count - i) * sizeof *pattern->guards);
    }
}

/* The rule that the bug has if it is what fails here; false: it is not. Without its values it may be
 * anywhere in the calls; without a guard alone, there must be nothing else in them, for whatever
 * else is there may be what undoes the guard. */
static bool correct(const wri_chase *chase, const wri_known_bug *known,
                    const wri_sequence *failing, bool small, wri_pattern *corrected)
{
    wri_pattern bare = known->pattern;
    bare.guard_count = 0;
    if (known->key != chase->key || known->waits || known->bug == WRI_NO_BUG)
        return false;
    bool fits = wri_matches_at_end(chase->machine, &bare, failing);
    *corrected = known->pattern;
    if (!fits) {
        take_back_values(chase->machine, &bare);
        take_back_values(chase->machine, corrected);
    } else if (small && failing->count > known->pattern.count + 1) {
        return false;
    }
    take_back_guards(chase->machine, failing, corrected);
    return fits || wri_matches_at_end(chase->machine, &bare, failing);
}

/* From now on the bug is known by this. Others may be among its own by now. */
static void correct_rule(wri_chase *chase, size_t at, const wri_pattern *corrected)
{
    size_t bug = chase->known[at].bug;
    chase->known[at].pattern = *corrected;
    for (size_t i = chase->known_count; i-- > 0;) {
        wri_known_bug *known = &chase->known[i];
        if (known->bug != bug && known->bug != WRI_NO_BUG && !known->waits &&
            wri_subsumes(chase->machine, corrected, &known->pattern)) {
            chase->quest->bugs[known->bug].failure.subsumed = true;
            wri_chase_drop(chase, i);
        }
    }
    wri_chase_tell_rule(chase, &chase->quest->bugs[bug], corrected);
    wri_chase_avoid(chase);
    wri_chase_write_rules(chase);
}

size_t wri_chase_find_refuted(wri_chase *chase, wri_sequence *failing)
{
    wri_lab     lab = wri_chase_lab(chase);
    wri_pattern corrected;
    bool        small = false;
    for (size_t i = 0; i < chase->known_count; i++) {
        if (!correct(chase, &chase->known[i], failing, small, &corrected))
            continue;
        if (!small && !wri_reduce(&lab, &chase->setup, failing))
            return WRI_NO_BUG;
        small = true;
        if (!correct(chase, &chase->known[i], failing, small, &corrected))
            continue;
        size_t bug = chase->known[i].bug;
        correct_rule(chase, i, &corrected);
        return bug;
    }
    return WRI_NO_BUG;
}
