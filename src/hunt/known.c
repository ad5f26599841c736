/* hunt/known.c: the bugs of a machine that are known, and are met no more.
 *
 * A failure is a known bug if that one's pattern is in its calls; where there are no patterns, if its
 * origin is the same. Whatever changes here is told to those who make random sequences.
 */
#include <stdlib.h>
#include <string.h>

#include "hunt/chase.h"

bool wri_chase_knows(const wri_chase *chase, const wri_sequence *sequence)
{
    for (size_t i = 0; i < chase->known_count; i++)
        if (!chase->known[i].waits &&
            wri_matches(chase->machine, &chase->known[i].pattern, sequence))
            return true;
    return false;
}

size_t wri_chase_bug_in(const wri_chase *chase, const wri_sequence *failing, uint64_t origin)
{
    const wri_quest *quest = chase->quest;
    for (size_t i = 0; i < chase->known_count; i++) {
        const wri_known_bug *known = &chase->known[i];
        if (known->bug != WRI_NO_BUG && !known->waits &&
            quest->bugs[known->bug].origin == origin &&
            wri_matches(chase->machine, &known->pattern, failing))
            return known->bug;
    }
    for (size_t i = 0; i < quest->bug_count; i++) /* those without a pattern */
        if (quest->bugs[i].origin == origin && quest->bugs[i].failure.rule == NULL)
            return i;
    return WRI_NO_BUG;
}

void wri_chase_avoid(wri_chase *chase)
{
    wri_quest          *quest = chase->quest;
    size_t              count = 0;
    const wri_pattern **patterns = calloc(chase->known_count + 1, sizeof *patterns);
    for (size_t i = 0; i < chase->known_count && patterns != NULL; i++)
        if (!chase->known[i].waits)
            patterns[count++] = &chase->known[i].pattern;
    chase->avoided = count == 0 ? NULL
                                : wri_runner_avoid(quest->runner, chase->machine, patterns, count);
    if (count > 0 && chase->avoided == NULL && !chase->crowded) {
        wri_quest_warn(quest, "there are more rules than sequences can be kept from: %zu", count);
        chase->crowded = true;
    }
    free(patterns);
}

bool wri_chase_know(wri_chase *chase, const wri_pattern *pattern, const char *name, size_t bug)
{
    wri_known_bug *grown = realloc(chase->known, (chase->known_count + 1) * sizeof *grown);
    char          *copy = strdup(name);
    if (grown != NULL)
        chase->known = grown;
    if (grown == NULL || copy == NULL) {
        free(copy);
        return false;
    }
    grown[chase->known_count++] = (wri_known_bug){ .pattern = *pattern, .name = copy, .bug = bug };
    return true;
}

void wri_chase_drop(wri_chase *chase, size_t at)
{
    chase->rule_gone |= chase->known[at].written;
    free(chase->known[at].name);
    free(chase->known[at].example.calls);
    memmove(&chase->known[at], &chase->known[at + 1],
            (--chase->known_count - at) * sizeof *chase->known);
}

/* The bug is among others', or others are among its own. An equal one that was there first stays. */
static bool compare_with_known(wri_chase *chase, const wri_pattern *pattern)
{
    for (size_t i = 0; i < chase->known_count; i++)
        if (!chase->known[i].waits && !chase->known[i].included &&
            wri_subsumes(chase->machine, &chase->known[i].pattern, pattern))
            return true;
    for (size_t i = chase->known_count; i-- > 0;) {
        wri_known_bug *known = &chase->known[i];
        if (known->waits || !wri_subsumes(chase->machine, pattern, &known->pattern))
            continue;
        if (known->bug != WRI_NO_BUG) {
            chase->quest->bugs[known->bug].failure.subsumed = true;
            wri_chase_drop(chase, i);
        }
    }
    return false;
}

void wri_chase_tell_rule(const wri_chase *chase, wri_bug *bug, const wri_pattern *pattern)
{
    free(bug->rule);
    bug->failure.rule = bug->rule = wri_rule_text(chase->machine, pattern);
    if (bug->rule != NULL && bug->rule[0] != '\0') /* its last line needs no end */
        bug->rule[strlen(bug->rule) - 1] = '\0';
}

/* One that is among others' is avoided, too: it was met in spite of them. */
void wri_chase_know_pattern(wri_chase *chase, size_t number, const wri_pattern *pattern)
{
    wri_bug *bug = &chase->quest->bugs[number];
    wri_chase_tell_rule(chase, bug, pattern);
    bug->failure.subsumed = compare_with_known(chase, pattern);
    char *name = wri_chase_rule_name(bug);
    if (name != NULL && wri_chase_know(chase, pattern, name, number)) {
        chase->known[chase->known_count - 1].included = bug->failure.subsumed;
        chase->known[chase->known_count - 1].key = chase->key;
    }
    free(name);
    wri_chase_avoid(chase);
}
