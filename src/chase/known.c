/* chase/known.c: the bugs of a machine that are known, and are met no more.
 *
 * A failure is a known bug if that one's pattern is in its calls; where there are no patterns, if
 * its origin is the same. Whatever changes here is told to those who make random sequences.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chase/internal.h"

/* ---- Looking for them ---- */

/* Of what is at this origin: those of this quest. */
static bool is_chosen(const wri_chase *chase, const wri_known_bug *known, wri_known_choice which,
                      uint64_t origin)
{
    if (known->waits || (which == WRI_KNOWN_GUARDED && known->example.count > 0))
        return false;
    return which != WRI_KNOWN_HERE ||
           (!wri_is_old(known->bug) && chase->quest->bugs[known->bug].origin == origin);
}

/* Their places; returns how many there are. */
static size_t choose(const wri_chase *chase, wri_known_choice which, uint64_t origin,
                     size_t *places)
{
    size_t count = 0;
    for (size_t i = 0; i < chase->known_count; i++)
        if (is_chosen(chase, &chase->known[i], which, origin))
            places[count++] = i;
    return count;
}

static bool is_up_to_date(const wri_chase *chase, const wri_known_set *set, const size_t *places,
                          size_t count)
{
    bool same = count == set->count;
    for (size_t i = 0; i < count && same; i++)
        same = chase->known[places[i]].mark == set->marks[i];
    return same;
}

static void free_set(wri_known_set *set)
{
    free(set->search);
    free(set->marks);
    *set = (wri_known_set){ 0 };
}

/* Without memory for it nothing is found. */
static void make_set(const wri_chase *chase, const size_t *places, size_t count,
                     wri_known_set *set)
{
    const wri_pattern **patterns = calloc(count, sizeof *patterns);
    free_set(set);
    set->marks = calloc(count, sizeof *set->marks);
    for (size_t i = 0; i < count && patterns != NULL; i++)
        patterns[i] = &chase->known[places[i]].pattern;
    if (patterns != NULL && set->marks != NULL)
        set->search = malloc(wri_avoided_bytes(patterns, count));
    if (set->search != NULL) {
        wri_avoided_write(chase->machine, patterns, count, set->search);
        for (size_t i = 0; i < count; i++)
            set->marks[i] = chase->known[places[i]].mark;
        set->count = count;
    }
    free(patterns);
}

/* One of those chosen that is in it; NULL: none is. */
static const wri_known_bug *find(wri_chase *chase, const wri_sequence *sequence,
                                 wri_known_choice which, uint64_t origin)
{
    wri_known_set *set = &chase->sets[which];
    size_t        *places = calloc(chase->known_count + 1, sizeof *places);
    size_t         count = places == NULL ? 0 : choose(chase, which, origin, places);
    int            found = -1;
    if (count > 0 && !is_up_to_date(chase, set, places, count))
        make_set(chase, places, count, set);
    if (count > 0 && set->search != NULL)
        found = wri_avoider_finds(chase->avoider, chase->machine, set->search, sequence);
    const wri_known_bug *known = found < 0 ? NULL : &chase->known[places[found]];
    free(places);
    return known;
}

void wri_chase_free_searches(wri_chase *chase)
{
    for (size_t i = 0; i < WRI_KNOWN_SETS; i++)
        free_set(&chase->sets[i]);
}

bool wri_chase_knows(wri_chase *chase, const wri_sequence *sequence, bool guarded)
{
    return find(chase, sequence, guarded ? WRI_KNOWN_GUARDED : WRI_KNOWN_ALL, 0) != NULL;
}

/* Most often there is none at all. */
size_t wri_chase_bug_in(wri_chase *chase, const wri_sequence *failing, uint64_t origin,
                        bool *other)
{
    const wri_quest     *quest = chase->quest;
    const wri_known_bug *known = find(chase, failing, WRI_KNOWN_ALL, 0);
    *other = known != NULL;
    if (known != NULL && !is_chosen(chase, known, WRI_KNOWN_HERE, origin))
        known = find(chase, failing, WRI_KNOWN_HERE, origin);
    if (known != NULL)
        return known->bug;
    for (size_t i = 0; i < quest->bug_count; i++) /* those without a pattern */
        if (quest->bugs[i].origin == origin && quest->bugs[i].failure.rule == NULL &&
            !quest->bugs[i].failure.subsumed)
            return i;
    return WRI_NO_BUG;
}

/* ---- Which it could be ---- */

/* Can a sequence that has the bug end in a call of this command? */
static bool ends_in(const wri_pattern *pattern, uint8_t command)
{
    uint32_t earlier = 0;
    for (unsigned i = 0; i < pattern->count; i++)
        earlier |= pattern->before[i];
    for (unsigned i = 0; i < pattern->count; i++)
        if (pattern->calls[i].command == command && (earlier >> i & 1) == 0)
            return true;
    return false;
}

/* So many bugs of one place are looked for by their names. */
#define NAMES_TRIED 16

static void place_named(wri_chase *chase, const char *name)
{
    for (size_t i = 0; i < chase->known_count; i++) {
        wri_known_bug *known = &chase->known[i];
        if (known->key == 0 && strcmp(known->name, name) == 0 &&
            (chase->afterwards || ends_in(&known->pattern, chase->command)))
            known->key = chase->key;
    }
}

/* As far as names can tell. */
static bool all_placed(const wri_chase *chase)
{
    for (size_t i = 0; i < chase->known_count; i++)
        if (chase->known[i].key == 0 &&
            strncmp(chase->known[i].name, WRI_LEARNT, sizeof WRI_LEARNT - 1) == 0)
            return false;
    return true;
}

void wri_chase_place(wri_chase *chase)
{
    uint64_t key = chase->origin;
    for (unsigned i = 0; i < NAMES_TRIED && !all_placed(chase);
         i++, key = wri_quest_next_key(key)) {
        wri_bug as_stored = { .key = key, .stored = wri_quest_path(chase->quest, key) };
        char   *name = wri_chase_rule_name(&as_stored);
        if (name != NULL)
            place_named(chase, name);
        free(as_stored.stored);
        free(name);
    }
}

bool wri_chase_may_be(const wri_chase *chase, const wri_known_bug *known)
{
    return !known->waits && (known->key == 0 ? ends_in(&known->pattern, chase->command)
                                             : known->key == chase->key);
}

/* ---- What is known ---- */

void wri_chase_change(wri_chase *chase, wri_known_bug *known, const wri_pattern *pattern)
{
    known->pattern = *pattern;
    known->mark = ++chase->known_marks;
}

void wri_chase_avoid(wri_chase *chase)
{
    wri_quest          *quest = chase->quest;
    size_t              count = 0;
    const wri_pattern **patterns = calloc(chase->known_count + 1, sizeof *patterns);
    for (size_t i = 0; i < chase->known_count && patterns != NULL; i++)
        if (!chase->known[i].waits)
            patterns[count++] = &chase->known[i].pattern;
    chase->avoided =
        count == 0 ? NULL : wri_runner_avoid(quest->runner, chase->machine, patterns, count);
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
        chase->unsaid_left = 0;
        return false;
    }
    grown[chase->known_count++] = (wri_known_bug){ .pattern = *pattern,
                                                   .name = copy,
                                                   .bug = bug,
                                                   .mark = ++chase->known_marks,
                                                   .unsaid = chase->unsaid_left };
    chase->unsaid_left = 0;
    return true;
}

/* What is unsaid of a bug goes from one rule to another of it, or to the next that is known: that
 * takes its place. */
static void pass_on(wri_chase *chase, size_t at)
{
    const wri_known_bug *from = &chase->known[at];
    for (size_t i = 0; i < chase->known_count; i++)
        if (i != at && chase->known[i].bug == from->bug && chase->known[i].key == from->key) {
            chase->known[i].unsaid += from->unsaid;
            return;
        }
    chase->unsaid_left += from->unsaid;
}

void wri_chase_drop(wri_chase *chase, size_t at)
{
    pass_on(chase, at);
    chase->rule_gone |= chase->known[at].written;
    free(chase->known[at].name);
    wri_sequence_free(&chase->known[at].example);
    memmove(&chase->known[at], &chase->known[at + 1],
            (--chase->known_count - at) * sizeof *chase->known);
}

/* Also one that another includes. */
static bool has_any_rule(const wri_chase *chase, size_t bug)
{
    for (size_t i = 0; i < chase->known_count; i++)
        if (chase->known[i].bug == bug)
            return true;
    return false;
}

/* What fails elsewhere is another bug, though the same calls make it; but what was known before
 * is not to be told, wherever it fails. */
static bool is_comparable(const wri_chase *chase, const wri_known_bug *known, size_t bug)
{
    const wri_bug *bugs = chase->quest->bugs;
    return !known->waits &&
           (wri_is_old(known->bug) || bugs[known->bug].origin == bugs[bug].origin);
}

/* An equal one that was there first stays. */
static bool is_among_known(const wri_chase *chase, size_t bug, const wri_pattern *pattern)
{
    for (size_t i = 0; i < chase->known_count; i++)
        if (!chase->known[i].included && is_comparable(chase, &chase->known[i], bug) &&
            wri_subsume_is_case_of(chase->machine, &chase->known[i].pattern, pattern))
            return true;
    return false;
}

/* Forgets all that are among what this pattern of a bug says. */
static void drop_among(wri_chase *chase, size_t bug, const wri_pattern *pattern)
{
    for (size_t i = chase->known_count; i-- > 0;) {
        size_t other = chase->known[i].bug;
        if (wri_is_old(other) || !is_comparable(chase, &chase->known[i], bug) ||
            !wri_subsume_is_case_of(chase->machine, pattern, &chase->known[i].pattern))
            continue;
        wri_chase_drop(chase, i);
        if (other != bug)
            chase->quest->bugs[other].failure.subsumed = !has_any_rule(chase, other);
    }
}

/* Of many rules of one bug, so many are shown. */
#define SHOWN_RULES 3

static size_t put_rules_of(FILE *out, const wri_chase *chase, size_t bug, unsigned calls,
                           size_t before)
{
    size_t count = before;
    for (size_t i = 0; i < chase->known_count; i++) {
        if (chase->known[i].bug != bug || chase->known[i].pattern.count != calls ||
            count++ >= SHOWN_RULES)
            continue;
        char *text = wri_rule_text(chase->machine, &chase->known[i].pattern);
        fprintf(out, "%s%s", count > 1 ? "or\n" : "", text == NULL ? "" : text);
        free(text);
    }
    return count;
}

/* The shortest first. */
static void put_rules(FILE *out, const wri_chase *chase, size_t bug)
{
    size_t count = 0;
    for (unsigned calls = 1; calls <= WRI_PATTERN_CALLS; calls++)
        count = put_rules_of(out, chase, bug, calls, count);
    if (count > SHOWN_RULES)
        fprintf(out, "or in other ways: %zu more\n", count - SHOWN_RULES);
}

void wri_chase_tell_rule(const wri_chase *chase, size_t number)
{
    if (wri_is_old(number))
        return;
    wri_bug *bug = &chase->quest->bugs[number];
    size_t   size = 0;
    char    *text = NULL;
    FILE    *out = open_memstream(&text, &size);
    if (out != NULL) {
        put_rules(out, chase, number);
        fclose(out);
    }
    free(bug->rule);
    bug->failure.rule = bug->rule = size == 0 ? NULL : text;
    if (size > 0)
        text[size - 1] = '\0'; /* its last line needs no end */
    else
        free(text);
}

/* True: another one says as much. */
static bool compare(wri_chase *chase, size_t number, const wri_pattern *pattern)
{
    bool included = is_among_known(chase, number, pattern);
    if (!included)
        drop_among(chase, number, pattern);
    chase->quest->bugs[number].failure.subsumed = included && !has_any_rule(chase, number);
    return included;
}

static char *name_of(const wri_chase *chase, size_t bug)
{
    for (size_t i = 0; i < chase->known_count && wri_is_old(bug); i++)
        if (chase->known[i].bug == bug)
            return strdup(chase->known[i].name);
    return wri_is_old(bug) ? NULL : wri_chase_rule_name(&chase->quest->bugs[bug]);
}

/* So many rules of a bug without a guard show that it has none. */
#define UNGUARDED_RULES 4

/* May another rule of the bug have guards? To learn them takes more calls than all else of it. */
static bool may_have_guards(const wri_chase *chase, size_t bug)
{
    unsigned without = 0;
    for (size_t i = 0; i < chase->known_count; i++) {
        const wri_known_bug *known = &chase->known[i];
        if (known->bug != bug || known->example.count > 0)
            continue;
        if (known->pattern.guard_count > 0)
            return true;
        without++;
    }
    return without < UNGUARDED_RULES;
}

/* One that is among others' is avoided, too: it was met in spite of them. */
bool wri_chase_know_pattern(wri_chase *chase, size_t number, const wri_pattern *pattern,
                            wri_sequence *example)
{
    if (example != NULL)
        wri_chase_show_values(chase, pattern, example);
    bool included = !wri_is_old(number) && compare(chase, number, pattern);
    bool guarded =
        example != NULL && !chase->quest->settings->no_guards && may_have_guards(chase, number);
    char *name = name_of(chase, number);
    bool  known = name != NULL && wri_chase_know(chase, pattern, name, number);
    if (known) {
        wri_known_bug *added = &chase->known[chase->known_count - 1];
        added->included = included;
        added->outside = wri_is_old(number);
        added->key = chase->key;
        added->met = chase->index;
        added->slow = chase->slow;
        if (guarded) {
            added->example = *example;
            added->origin = chase->origin;
            added->afterwards = chase->afterwards;
            *example = (wri_sequence){ 0 };
        }
    }
    free(name);
    wri_chase_tell_rule(chase, number);
    wri_chase_avoid(chase);
    return known;
}
