/* chase/known.c: the rules of a machine's bugs.
 *
 * A failure is a known bug if the pattern of one of its rules is in the calls. A bug without a
 * pattern is known by its origin. The rules are owned here: the searches of this process and of
 * the workers use compiled copies, which are made here when the rules have changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chase/internal.h"

/* ---- Looking for them ---- */

/* WRI_KNOWN_HERE: only bugs of this quest with this origin are chosen. */
static bool is_chosen(const wri_chase_rules *rules, const wri_known_bug *known,
                      wri_known_choice which, uint64_t origin)
{
    if (known->waits || (which == WRI_KNOWN_GUARDED && known->example.count > 0))
        return false;
    return which != WRI_KNOWN_HERE ||
           (!wri_chase_is_old(known->bug) && rules->quest->bugs[known->bug].origin == origin);
}

static bool is_up_to_date(const wri_chase_rules *rules, const wri_known_set *set,
                          wri_known_choice which, uint64_t origin)
{
    size_t count = 0;
    for (size_t i = 0; i < rules->count; i++)
        if (is_chosen(rules, &rules->known[i], which, origin) &&
            (count == set->count || rules->known[i].mark != set->marks[count++]))
            return false;
    return count == set->count;
}

static void free_set(wri_known_set *set)
{
    free(set->search);
    free(set->marks);
    *set = (wri_known_set){ 0 };
}

/* Compiles the rules of the set. Without memory the set is empty, and nothing is found. */
static void compile_set(const wri_chase_rules *rules, wri_known_choice which, uint64_t origin,
                        wri_known_set *set)
{
    const wri_pattern **patterns = calloc(rules->count + 1, sizeof *patterns);
    free_set(set);
    set->marks = calloc(rules->count + 1, sizeof *set->marks);
    for (size_t i = 0; i < rules->count && patterns != NULL && set->marks != NULL; i++)
        if (is_chosen(rules, &rules->known[i], which, origin)) {
            set->marks[set->count] = rules->known[i].mark;
            patterns[set->count++] = &rules->known[i].pattern;
        }
    if (set->count > 0) {
        set->bytes = wri_avoided_bytes(patterns, set->count);
        set->search = malloc(set->bytes);
    }
    if (set->search != NULL)
        wri_avoided_write(rules->machine, patterns, set->count, set->search);
    else
        free_set(set);
    free(patterns);
}

/* The one place where rules are compiled: for the searches of this process and of workers. */
static const wri_known_set *ready_set(wri_chase_rules *rules, wri_known_choice which,
                                      uint64_t origin)
{
    wri_known_set *set = &rules->sets[which];
    if (!is_up_to_date(rules, set, which, origin))
        compile_set(rules, which, origin, set);
    return set;
}

uint64_t wri_chase_forbidden(wri_chase_rules *rules)
{
    const wri_avoided *known = ready_set(rules, WRI_KNOWN_ALL, 0)->search;
    return known == NULL ? 0 : wri_avoided_forbidden(rules->machine, known);
}

uint64_t wri_chase_forbidden_by(const wri_chase_rules *rules, const wri_known_bug *known)
{
    const wri_pattern *alone = &known->pattern;
    wri_avoided       *search = malloc(wri_avoided_bytes(&alone, 1));
    uint64_t           forbidden = 0;
    if (search != NULL) {
        wri_avoided_write(rules->machine, &alone, 1, search);
        forbidden = wri_avoided_forbidden(rules->machine, search);
    }
    free(search);
    return forbidden;
}

/* One of the chosen rules that is in the sequence; NULL: none is. */
static const wri_known_bug *find(wri_chase_rules *rules, const wri_sequence *sequence,
                                 wri_known_choice which, uint64_t origin)
{
    const wri_known_set *set = ready_set(rules, which, origin);
    const wri_known_bug *known = rules->known;
    int                  found = -1;
    if (set->search != NULL)
        found = wri_avoider_finds(rules->avoider, rules->machine, set->search, sequence);
    while (found >= 0 && known->mark != set->marks[found])
        known++;
    return found < 0 ? NULL : known;
}

void wri_chase_free_rules(wri_chase_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++) {
        wri_sequence_free(&rules->known[i].example);
        free(rules->known[i].name);
    }
    for (size_t i = 0; i < WRI_KNOWN_SETS; i++)
        free_set(&rules->sets[i]);
    wri_avoider_free(rules->avoider);
    free(rules->known);
    wri_stored_text_free(&rules->text);
}

bool wri_chase_knows(wri_chase_rules *rules, const wri_sequence *sequence, bool guarded)
{
    return find(rules, sequence, guarded ? WRI_KNOWN_GUARDED : WRI_KNOWN_ALL, 0) != NULL;
}

/* Most often there is none at all. */
size_t wri_chase_bug_in(wri_chase_rules *rules, const wri_sequence *failing, uint64_t origin,
                        bool *other)
{
    const wri_quest     *quest = rules->quest;
    const wri_known_bug *known = find(rules, failing, WRI_KNOWN_ALL, 0);
    *other = known != NULL;
    if (known != NULL && !is_chosen(rules, known, WRI_KNOWN_HERE, origin))
        known = find(rules, failing, WRI_KNOWN_HERE, origin);
    if (known != NULL)
        return known->bug;
    for (size_t i = 0; i < quest->bug_count; i++) /* those without a pattern */
        if (quest->bugs[i].origin == origin && quest->bugs[i].failure.rule == NULL &&
            !quest->bugs[i].failure.subsumed)
            return i;
    return WRI_NO_BUG;
}

bool wri_chase_is_in(const wri_chase_rules *rules, const wri_known_bug *known,
                     const wri_sequence *calls)
{
    const wri_pattern *alone = &known->pattern;
    wri_avoided       *search = malloc(wri_avoided_bytes(&alone, 1));
    bool               found = false;
    if (search != NULL) {
        wri_avoided_write(rules->machine, &alone, 1, search);
        found = wri_avoider_finds(rules->avoider, rules->machine, search, calls) >= 0;
    }
    free(search);
    return found;
}

/* All rules at once tell most often. */
bool wri_chase_explains(wri_chase_rules *rules, size_t bug, const wri_sequence *failing)
{
    const wri_known_bug *known = find(rules, failing, WRI_KNOWN_ALL, 0);
    bool                 explained = known != NULL && known->bug == bug;
    for (size_t i = 0; i < rules->count && known != NULL && !explained; i++)
        explained = rules->known[i].bug == bug && !rules->known[i].waits &&
                    wri_pattern_meets_at_end(rules->machine, &rules->known[i].pattern, failing);
    return explained;
}

/* ---- Which it could be ---- */

/* Can a sequence that has the bug end in a call of this command? */
static bool ends_in(const wri_pattern *pattern, uint8_t command)
{
    for (uint32_t last = wri_rule_last_calls(pattern); last != 0; last &= last - 1)
        if (pattern->calls[__builtin_ctz(last)].command == command)
            return true;
    return false;
}

/* So many bugs of one place are looked for by their names. */
#define NAMES_TRIED 16

/* True: some rule that was learnt has no key yet. */
static bool place_named(wri_chase_rules *rules, const wri_inquiry *inquiry, const char *name)
{
    bool left = false;
    for (size_t i = 0; i < rules->count; i++) {
        wri_known_bug *known = &rules->known[i];
        if (known->key == 0 && strcmp(known->name, name) == 0 &&
            (inquiry->after_call || ends_in(&known->pattern, inquiry->command)))
            known->key = inquiry->key;
        left |= known->key == 0 && strncmp(known->name, WRI_LEARNT, strlen(WRI_LEARNT)) == 0;
    }
    return left;
}

void wri_chase_place(wri_chase_rules *rules, const wri_inquiry *inquiry)
{
    bool left = rules->count > 0;
    for (unsigned i = 0; i < NAMES_TRIED && left; i++) {
        uint64_t key = wri_quest_key(rules->quest, inquiry->origin, i);
        left = place_named(rules, inquiry, wri_chase_rule_name(key).text);
    }
}

bool wri_chase_may_be(const wri_inquiry *inquiry, const wri_known_bug *known)
{
    return !known->waits && (known->key == 0 ? ends_in(&known->pattern, inquiry->command)
                                             : known->key == inquiry->key);
}

/* ---- What is known ---- */

void wri_chase_change(wri_chase_rules *rules, wri_known_bug *known, const wri_pattern *pattern)
{
    known->pattern = *pattern;
    known->mark = ++rules->last_mark;
}

void wri_chase_avoid(wri_chase_rules *rules)
{
    const wri_known_set *set = ready_set(rules, WRI_KNOWN_ALL, 0);
    rules->avoided = set->search == NULL
                         ? NULL
                         : wri_runner_avoid(rules->quest->runner, set->search, set->bytes);
    if (set->count > 0 && rules->avoided == NULL && !rules->told_too_many) {
        wri_quest_warn(rules->quest, "there are more rules than sequences can be kept from: %zu",
                       set->count);
        rules->told_too_many = true;
    }
}

bool wri_chase_know(wri_chase_rules *rules, const wri_pattern *pattern, const char *name,
                    size_t bug)
{
    wri_known_bug *grown = realloc(rules->known, (rules->count + 1) * sizeof *grown);
    char          *copy = strdup(name);
    unsigned       too_long = rules->too_long_left;
    rules->too_long_left = 0;
    if (grown != NULL)
        rules->known = grown;
    if (grown == NULL || copy == NULL) {
        free(copy);
        return false;
    }
    grown[rules->count++] = (wri_known_bug){ .pattern = *pattern,
                                             .name = copy,
                                             .bug = bug,
                                             .mark = ++rules->last_mark,
                                             .too_long = too_long };
    return true;
}

/* A rule that goes hands its count of sequences that were too long to another rule of the same
 * bug, or else to the next rule that is added: that one takes its place. */
static void pass_on(wri_chase_rules *rules, size_t at)
{
    const wri_known_bug *from = &rules->known[at];
    for (size_t i = 0; i < rules->count; i++)
        if (i != at && rules->known[i].bug == from->bug && rules->known[i].key == from->key) {
            rules->known[i].too_long += from->too_long;
            return;
        }
    rules->too_long_left += from->too_long;
}

void wri_chase_drop(wri_chase_rules *rules, size_t at)
{
    pass_on(rules, at);
    rules->removed |= rules->known[at].written;
    free(rules->known[at].name);
    wri_sequence_free(&rules->known[at].example);
    memmove(&rules->known[at], &rules->known[at + 1],
            (--rules->count - at) * sizeof *rules->known);
}

unsigned wri_chase_rules_of(const wri_chase_rules *rules, size_t bug, bool included)
{
    unsigned count = 0;
    for (size_t i = 0; i < rules->count; i++)
        count += rules->known[i].bug == bug && (included || !rules->known[i].included);
    return count;
}

/* A failure at another place is another bug, even with the same calls. A bug that was known
 * before this run is not reported, wherever it fails. */
static bool is_comparable(const wri_chase_rules *rules, const wri_known_bug *known, size_t bug)
{
    const wri_bug *bugs = rules->quest->bugs;
    return !known->waits &&
           (wri_chase_is_old(known->bug) || bugs[known->bug].origin == bugs[bug].origin);
}

/* An equal one that was there first stays. */
static bool is_among_known(const wri_chase_rules *rules, size_t bug, const wri_pattern *pattern)
{
    for (size_t i = 0; i < rules->count; i++)
        if (!rules->known[i].included && is_comparable(rules, &rules->known[i], bug) &&
            wri_subsume_is_case_of(rules->machine, &rules->known[i].pattern, pattern))
            return true;
    return false;
}

/* Forgets all that are among what this pattern of a bug says. */
static void drop_among(wri_chase_rules *rules, size_t bug, const wri_pattern *pattern)
{
    for (size_t i = rules->count; i-- > 0;) {
        size_t other = rules->known[i].bug;
        if (wri_chase_is_old(other) || !is_comparable(rules, &rules->known[i], bug) ||
            !wri_subsume_is_case_of(rules->machine, pattern, &rules->known[i].pattern))
            continue;
        wri_chase_drop(rules, i);
        if (other != bug)
            rules->quest->bugs[other].failure.subsumed =
                wri_chase_rules_of(rules, other, true) == 0;
    }
}

/* The shortest first. Returns how many there are. */
static size_t put_rules(FILE *out, const wri_chase_rules *rules, size_t bug)
{
    size_t count = 0;
    for (unsigned calls = 1; calls <= WRI_PATTERN_CALLS; calls++)
        for (size_t i = 0; i < rules->count; i++) {
            const wri_known_bug *known = &rules->known[i];
            if (known->bug != bug || known->pattern.count != calls)
                continue;
            char *text = wri_rule_text(rules->machine, &known->pattern, NULL);
            fprintf(out, "%s%s", count++ > 0 ? "or\n" : "", text == NULL ? "" : text);
            free(text);
        }
    return count;
}

void wri_chase_tell_rule(const wri_chase_rules *rules, size_t number)
{
    if (wri_chase_is_old(number))
        return;
    wri_bug *bug = &rules->quest->bugs[number];
    size_t   size = 0;
    char    *text = NULL;
    FILE    *out = open_memstream(&text, &size);
    if (out != NULL) {
        bug->failure.ways = put_rules(out, rules, number);
        fclose(out);
    }
    if (size > 0)
        text[size - 1] = '\0'; /* its last line needs no end */
    else
        free(text);
    wri_bug_own(&bug->failure.rule, size == 0 ? NULL : text);
}

/* True: another one says as much. */
static bool compare(wri_chase_rules *rules, size_t number, const wri_pattern *pattern)
{
    bool included = is_among_known(rules, number, pattern);
    if (!included)
        drop_among(rules, number, pattern);
    rules->quest->bugs[number].failure.subsumed =
        included && wri_chase_rules_of(rules, number, true) == 0;
    return included;
}

static char *name_of(const wri_chase_rules *rules, size_t bug)
{
    for (size_t i = 0; i < rules->count && wri_chase_is_old(bug); i++)
        if (rules->known[i].bug == bug)
            return strdup(rules->known[i].name);
    return wri_chase_is_old(bug) ? NULL
                                 : strdup(wri_chase_rule_name(rules->quest->bugs[bug].key).text);
}

/* So many rules of a bug without a guard show that it has none. */
#define UNGUARDED_RULES 4

/* May another rule of the bug have guards? To learn them takes more calls than all else of it. */
static bool may_have_guards(const wri_chase_rules *rules, size_t bug)
{
    unsigned without = 0;
    for (size_t i = 0; i < rules->count; i++) {
        const wri_known_bug *known = &rules->known[i];
        if (known->bug != bug || known->example.count > 0)
            continue;
        if (known->pattern.guard_count > 0)
            return true;
        without++;
    }
    return without < UNGUARDED_RULES || !WRI_CHASE_USES(rules, unguarded);
}

/* One that is among others' is avoided, too: it was met in spite of them. */
bool wri_chase_know_pattern(wri_chase *chase, size_t number, const wri_pattern *pattern,
                            wri_sequence *example)
{
    if (example != NULL)
        wri_chase_show_values(chase, pattern, example);
    bool included = !wri_chase_is_old(number) && compare(&chase->rules, number, pattern);
    bool guarded = example != NULL && !chase->quest->settings->no_guards &&
                   may_have_guards(&chase->rules, number);
    char *name = name_of(&chase->rules, number);
    bool  known = name != NULL && wri_chase_know(&chase->rules, pattern, name, number);
    if (known) {
        wri_known_bug *added = &chase->rules.known[chase->rules.count - 1];
        added->included = included;
        added->outside = wri_chase_is_old(number);
        added->key = chase->inquiry.key;
        added->met = chase->inquiry.index;
        added->hit_limit = chase->inquiry.hit_limit;
        if (guarded) {
            added->example = *example;
            added->origin = chase->inquiry.origin;
            added->after_call = chase->inquiry.after_call;
            *example = (wri_sequence){ 0 };
        }
    }
    free(name);
    wri_chase_tell_rule(&chase->rules, number);
    wri_chase_avoid(&chase->rules);
    return known;
}
