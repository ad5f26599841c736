/* chase/same_bug_other_values.c: is a failure a known bug with other values?
 *
 * If a sum or a distance matters, a rule can only name the numbers that were seen. The next
 * failure has others. It is the same bug if it fails in the same call and place, and its smallest
 * sequence has the calls of the rule. The values may be others, some calls may come more or less
 * often, and further calls may stand between them. Then its pattern is another rule of that bug,
 * and nothing is reported again. If it has fewer calls, the report shows those. two_bugs.c tells
 * whether repeated calls make another bug.
 *
 * To find the smallest sequence of a long failure takes many calls. So the calls of each rule are
 * tried first, with the values that they have in this failure.
 *
 * A bug may have very many such rules. The latest are kept. If so many were found in few cases
 * that sequences get nowhere, one rule takes the place of all, with ranges that include them.
 */
#include <stdlib.h>

#include "chase/internal.h"
#include "machine/pattern/relate.h"
#include "machine/study/trial.h"

/* So many rules of one bug are kept, */
#define RULES_MOST 256
/* unless they were found in as few cases. */
#define CROWDED_CASES (RULES_MOST * 4)
/* A rule of so many calls saves more than it costs to try them. */
#define WORTH_TRYING 5
/* They are looked for so long. */
#define LOOKS 20000

/* ---- Likeness ---- */

/* With more calls it is the same bug only if it ends in the very call that fails. */
static bool is_alike(const wri_chase *chase, const wri_known_bug *known,
                     const wri_sequence *smallest)
{
    wri_pattern loose = known->pattern;
    loose.guard_count = 0;
    if (!wri_chase_may_be(&chase->inquiry, known) ||
        !wri_relate_names_values(chase->machine, &known->pattern))
        return false;
    if (wri_relate_repeats(chase->machine, &loose, smallest))
        return true;
    return wri_relate_loosen(chase->machine, &loose,
                             loose.count - (smallest->count > loose.count)) &&
           wri_match_at_end(chase->machine, &loose, smallest);
}

/* Could a smaller part of these calls be like a known bug? Which one is asked later. */
static bool may_be_alike(const wri_chase *chase)
{
    for (size_t i = 0; i < chase->rules.count; i++)
        if (wri_chase_may_be(&chase->inquiry, &chase->rules.known[i]) &&
            wri_relate_names_values(chase->machine, &chase->rules.known[i].pattern))
            return true;
    return false;
}

/* ---- One for many ---- */

/* The bug's rules that are like this one become part of it. False: there is none. */
static bool take_in(wri_chase_rules *rules, size_t bug, wri_pattern *pattern, bool exactly)
{
    size_t before = rules->count;
    for (size_t i = rules->count; i-- > 0;)
        if (rules->known[i].bug == bug && !rules->known[i].given &&
            wri_relate_extend(rules->machine, pattern, &rules->known[i].pattern, exactly))
            wri_chase_drop(rules, i);
    return rules->count < before;
}

/* The first of the bug's rules with the fewest calls: that of its smallest case. */
static size_t smallest_rule(const wri_chase_rules *rules, size_t bug)
{
    size_t smallest = SIZE_MAX;
    for (size_t i = 0; i < rules->count; i++)
        if (rules->known[i].bug == bug &&
            (smallest == SIZE_MAX ||
             rules->known[i].pattern.count < rules->known[smallest].pattern.count))
            smallest = i;
    return smallest;
}

/* Makes room for one more rule of the bug. That of its smallest case stays. */
static void make_room(wri_chase *chase, size_t bug, wri_pattern *pattern)
{
    size_t count = 0, oldest = 0, smallest = smallest_rule(&chase->rules, bug);
    for (size_t i = chase->rules.count; i-- > 0;)
        if (chase->rules.known[i].bug == bug && !chase->rules.known[i].given) {
            count++;
            oldest = i == smallest ? oldest : i;
        }
    if (count < RULES_MOST)
        return;
    bool crowded = chase->inquiry.index - chase->rules.known[oldest].met < CROWDED_CASES;
    if (!crowded || !take_in(&chase->rules, bug, pattern, false))
        wri_chase_drop(&chase->rules, oldest);
}

/* ---- A short way ---- */

/* A failure, and which of its calls were tried already: rules of one bug often have the same. */
typedef struct cutting {
    wri_chase    *chase;
    wri_sequence *failing;
    uint64_t *tried; /* hashes of their places, for two tries a rule; NULL: that is not kept */
    size_t    tried_count;
} cutting;

/* True: they were tried before, in whatever order a rule has them. */
static bool note_tried(cutting *c, const size_t *places, size_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++)
        hash += wri_prng_mix(places[i] + 1);
    for (size_t i = 0; i < c->tried_count; i++)
        if (c->tried[i] == hash)
            return true;
    if (c->tried != NULL)
        c->tried[c->tried_count++] = hash;
    return false;
}

/* Do these calls fail by themselves? Then they are all that is looked into. */
static bool take_calls(cutting *c, const size_t *places, size_t count)
{
    wri_sequence part = { 0 };
    bool         fails = !note_tried(c, places, count) &&
                 wri_sequence_take(c->chase->machine, c->failing, places, count, &part) &&
                 part.count < c->failing->count &&
                 wri_trial_fails_at_end(wri_chase_lab(c->chase), &part) &&
                 wri_sequence_copy(c->failing, &part);
    wri_sequence_free(&part);
    return fails;
}

/* Those of the rule, with whatever values they have here. */
static bool take_rule(cutting *c, const wri_pattern *pattern)
{
    const wri_machine *machine = c->chase->machine;
    wri_pattern        loose = *pattern;
    size_t             places[WRI_PATTERN_CALLS];
    loose.guard_count = 0;
    wri_relate_loosen(machine, &loose, loose.count);
    return loose.count < c->failing->count &&
           wri_match_places_at_end(machine, &loose, c->failing, LOOKS, places) &&
           take_calls(c, places, loose.count);
}

/* All that are of one of its commands. */
static bool take_commands(cutting *c, const wri_pattern *pattern)
{
    const wri_sequence *failing = c->failing;
    size_t             *places = malloc(failing->count * sizeof *places), count = 0;
    uint64_t            commands = 0;
    for (unsigned i = 0; i < pattern->count; i++)
        commands |= UINT64_C(1) << pattern->calls[i].command;
    for (size_t i = 0; places != NULL && i < failing->count; i++)
        if ((commands >> wri_machine_like(c->chase->machine, failing->calls[i].command) & 1) != 0)
            places[count++] = i;
    bool fails = count > 0 && count < failing->count && take_calls(c, places, count);
    free(places);
    return fails;
}

/* True: the failure is what this made of it. */
static bool take_with(cutting *c, bool (*take)(cutting *, const wri_pattern *))
{
    const wri_chase *chase = c->chase;
    for (size_t i = chase->rules.count; i-- > 0;)
        if (wri_chase_may_be(&chase->inquiry, &chase->rules.known[i]) &&
            chase->rules.known[i].pattern.count >= WORTH_TRYING &&
            take(c, &chase->rules.known[i].pattern))
            return true;
    return false;
}

void wri_chase_cut_down(wri_chase *chase, wri_sequence *failing)
{
    cutting c = { .chase = chase,
                  .failing = failing,
                  .tried = calloc(2 * chase->rules.count + 1, sizeof *c.tried) };
    if (WRI_CHASE_USES(chase, cut) && !take_with(&c, take_rule))
        take_with(&c, take_commands);
    free(c.tried);
}

/* ---- All of it ---- */

/* Learns the pattern of a smallest sequence, on a copy. */
static bool generalise(wri_chase *chase, const wri_sequence *smallest, wri_sequence *varied,
                       wri_pattern *pattern)
{
    return wri_sequence_copy(varied, smallest) &&
           wri_generalise_calls(wri_chase_lab(chase), &chase->setup, varied, pattern);
}

/* Else it is another bug after all, which needs no values, nor is it what the known one is
 * without; or which needs its own. */
static bool is_related(wri_chase *chase, const wri_known_bug *known, const wri_sequence *calls,
                       const wri_pattern *pattern)
{
    if (!wri_relate_names_values(chase->machine, pattern))
        return wri_subsume_is_case_of(chase->machine, pattern, &known->pattern);
    return !wri_relate_repeats(chase->machine, &known->pattern, calls) ||
           !wri_chase_is_apart(chase, &known->pattern, calls, pattern);
}

/* Learns what this one takes, if it is the known bug, and if it is not too long to be said. */
static bool learn(wri_chase *chase, wri_known_bug *known, wri_sequence *smallest)
{
    size_t       bug = known->bug;
    wri_sequence varied = { 0 };
    wri_pattern  pattern;
    if (!generalise(chase, smallest, &varied, &pattern)) {
        wri_sequence_free(&varied);
        if (chase->inquiry.out_of_time) /* it would be smaller, with more time */
            return false;
        known->too_long++;
        chase->inquiry.without_rule = true;
        return true;
    }
    bool same = is_related(chase, known, &varied, &pattern);
    if (same && wri_chase_shorten(chase, bug, smallest)) /* some values may be simpler now */
        same = generalise(chase, smallest, &varied, &pattern);
    if (same) {
        if (WRI_CHASE_USES(chase, merge))
            take_in(&chase->rules, bug, &pattern, true);
        make_room(chase, bug, &pattern);
        wri_chase_know_pattern(chase, bug, &pattern, &varied);
        wri_chase_write_rules(&chase->rules);
    }
    wri_sequence_free(&varied);
    return same;
}

size_t wri_chase_relate(wri_chase *chase, wri_sequence *smallest)
{
    for (size_t i = 0; i < chase->rules.count && !chase->joins && WRI_CHASE_USES(chase, related);
         i++) {
        size_t bug = chase->rules.known[i].bug;
        if (is_alike(chase, &chase->rules.known[i], smallest) &&
            learn(chase, &chase->rules.known[i], smallest))
            return bug;
    }
    return WRI_NO_BUG;
}

size_t wri_chase_find_related(wri_chase *chase, wri_sequence *failing)
{
    bool small = !chase->joins && WRI_CHASE_USES(chase, related) && may_be_alike(chase) &&
                 wri_chase_reduce(chase, failing);
    return small ? wri_chase_relate(chase, failing) : WRI_NO_BUG;
}
