/* chase/same_bug_more_calls.c: is a failure a known bug that was reached with more calls?
 *
 * A rule cannot say everything that leads to a bug: a wrong count, a full table. Then each
 * failure has calls of its own: those of the rule, and others that undo each other or do it
 * twice. It is the same bug if it fails in the same call and place and has all calls of a rule,
 * with its values and in its order. A guard among them changes nothing: later calls can undo the
 * guard. For a long rule, the commands alone are enough, in any order and with any values: few
 * other bugs would need as many. For a short rule they are enough only once there are several
 * bugs in that place.
 *
 * If the longer way was found first, the shorter one takes its place.
 *
 * Each such way is another rule of the bug, and nothing is reported again. A bug with many rules
 * is a crowd: a failure with at least its calls is counted and not looked into. A way that is too
 * long for a rule counts as well. No sequence can avoid such a bug, so it gets no further rules,
 * and sequences get no longer.
 */
#include <stdlib.h>
#include <string.h>

#include "chase/internal.h"

/* A rule of so many calls is long; one of fewer than these says too little to go by. */
#define LONG_RULE 5
#define SHORT_RULE 3
/* So many bugs of one call and place are several. */
#define SEVERAL 3
/* So many rules of one bug are many. */
#define MANY_RULES 32

/* ---- Likeness ---- */

/* Did it fail in this very call and place? */
static bool is_here(const wri_inquiry *inquiry, const wri_known_bug *known)
{
    return known->key == inquiry->key && !known->waits;
}

/* Does the bug have a rule before this one? */
static bool is_counted(const wri_chase *chase, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (is_here(&chase->inquiry, &chase->rules.known[i]) &&
            chase->rules.known[i].bug == chase->rules.known[at].bug)
            return true;
    return false;
}

/* The bugs that fail in this call and place, but for one. */
static unsigned bugs_here(const wri_chase *chase, size_t but)
{
    unsigned count = 0;
    for (size_t i = 0; i < chase->rules.count; i++)
        count += chase->rules.known[i].bug != but &&
                 is_here(&chase->inquiry, &chase->rules.known[i]) && !is_counted(chase, i);
    return count;
}

/* Is it what the rule says, but for its guards? */
static bool is_unguarded(const wri_chase *chase, const wri_known_bug *known,
                         const wri_sequence *failing)
{
    wri_pattern bare = known->pattern;
    bare.guard_count = 0;
    return bare.count >= SHORT_RULE && wri_pattern_meets_at_end(chase->machine, &bare, failing);
}

/* The longest rule whose calls these are, among those that are as long as that, or have their
 * order and values, too; NULL: there is none. */
static wri_known_bug *rule_of(const wri_chase *chase, const wri_sequence *failing, unsigned least)
{
    wri_call_counts made = { { 0 } };
    wri_known_bug  *longest = NULL;
    for (size_t i = 0; i < failing->count; i++)
        made.of[wri_machine_like(chase->machine, failing->calls[i].command)]++;
    for (size_t i = 0; i < chase->rules.count; i++) {
        wri_known_bug *known = &chase->rules.known[i];
        unsigned       enough = known->key == 0 ? LONG_RULE : least;
        if (wri_chase_may_be(&chase->inquiry, known) &&
            (longest == NULL || known->pattern.count > longest->pattern.count) &&
            wri_subsume_has_calls(made, wri_subsume_count_calls(&known->pattern)) &&
            (known->pattern.count >= enough || is_unguarded(chase, known, failing)))
            longest = known;
    }
    return longest;
}

/* ---- All of it ---- */

/* A rule needs so many calls to tell the bug by its calls alone. `number`: a new bug, if there is
 * one. */
static unsigned least_calls(const wri_chase *chase, size_t number)
{
    return bugs_here(chase, number) < SEVERAL ? LONG_RULE : 1;
}

/* In how many ways has it failed here now, and in how many that no rule says? */
static unsigned ways_of(const wri_chase *chase, size_t bug, unsigned *too_long)
{
    unsigned said = 0;
    *too_long = 0;
    for (size_t i = 0; i < chase->rules.count; i++)
        if (chase->rules.known[i].bug == bug &&
            wri_chase_may_be(&chase->inquiry, &chase->rules.known[i])) {
            said +=
                is_here(&chase->inquiry, &chase->rules.known[i]) && !chase->rules.known[i].given;
            *too_long += chase->rules.known[i].too_long;
        }
    return said + *too_long;
}

size_t wri_chase_find_crowd(wri_chase *chase, const wri_sequence *failing)
{
    const wri_known_bug *rule = rule_of(chase, failing, least_calls(chase, WRI_NO_BUG));
    unsigned             too_long;
    if (!WRI_CHASE_USES(chase, crowd) || rule == NULL ||
        ways_of(chase, rule->bug, &too_long) < MANY_RULES)
        return WRI_NO_BUG;
    chase->inquiry.without_rule = too_long > 0;
    return rule->bug;
}

size_t wri_chase_find_way(wri_chase *chase, wri_sequence *failing)
{
    unsigned    least = least_calls(chase, WRI_NO_BUG);
    wri_pattern pattern;
    if (!WRI_CHASE_USES(chase, ways) || rule_of(chase, failing, least) == NULL ||
        !wri_chase_reduce(chase, failing))
        return WRI_NO_BUG;
    wri_known_bug *rule = rule_of(chase, failing, least);
    if (rule == NULL)
        return WRI_NO_BUG;
    size_t   bug = rule->bug;
    unsigned too_long;
    wri_chase_shorten(chase, bug, failing);
    ways_of(chase, bug, &too_long);
    if (too_long > 0 ||
        !wri_generalise_calls(wri_chase_lab(chase), &chase->setup, failing, &pattern)) {
        if (chase->inquiry.out_of_time && failing->count > WRI_PATTERN_CALLS)
            return WRI_NO_BUG; /* it would be smaller, with more time */
        rule->too_long++;
        chase->inquiry.without_rule = true;
        return bug;
    }
    wri_chase_know_pattern(chase, bug, &pattern, failing);
    wri_chase_write_rules(&chase->rules);
    return bug;
}

/* The bug whose ways the known one's rules are from now on. */
static void take_over(wri_chase *chase, size_t at, size_t bug)
{
    wri_known_bug *known = &chase->rules.known[at];
    size_t         other = known->bug;
    char          *name = strdup(wri_chase_rule_name(chase->quest->bugs[bug].key).text);
    if (name == NULL)
        return;
    free(known->name);
    known->name = name;
    known->bug = bug;
    chase->rules.removed |= known->written;
    known->written = false;
    chase->quest->bugs[other].failure.subsumed =
        wri_chase_rules_of(&chase->rules, other, true) == 0;
}

void wri_chase_gather_ways(wri_chase *chase, size_t bug)
{
    unsigned        least = least_calls(chase, bug);
    bool            found = false;
    wri_call_counts its = { { 0 } };
    for (size_t i = 0; i < chase->rules.count && !found; i++)
        if (chase->rules.known[i].bug == bug && chase->rules.known[i].pattern.count >= least &&
            WRI_CHASE_USES(chase, gather)) {
            its = wri_subsume_count_calls(&chase->rules.known[i].pattern);
            found = true;
        }
    for (size_t i = 0; i < chase->rules.count && found; i++)
        if (is_here(&chase->inquiry, &chase->rules.known[i]) &&
            chase->rules.known[i].bug != bug && !wri_chase_is_old(chase->rules.known[i].bug) &&
            wri_subsume_has_calls(wri_subsume_count_calls(&chase->rules.known[i].pattern), its))
            take_over(chase, i, bug);
    if (found)
        wri_chase_tell_rule(&chase->rules, bug);
}
