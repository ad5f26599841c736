/* chase/chase.c: decides which bug a failing case of a machine shows.
 *
 * A failing case is a suspect. So is a try that fails in another way than the failure that is
 * looked into. A suspect is one of these:
 *
 *     a known bug, by its pattern                   known.c, prove.c
 *     a known bug whose rule said too much          correct_rule.c
 *     a known bug with other values                 same_bug_other_values.c, two_bugs.c
 *     a known bug with more calls                   same_bug_more_calls.c
 *     a known bug in another way, with --join       same_bug.c
 *     a new bug                                     settle.c
 *
 * With --join, some cases go on behind a known bug (survive.c), and at the end reports that show
 * one bug are told as one (cause.c).
 */
#include "chase/chase.h"

#include <stdlib.h>
#include <string.h>

#include "chase/internal.h"
#include "machine/calls/log.h"

/* After fewer random sequences no warning says that known bugs cut them short. */
#define FEW_SEQUENCES 20

/* ---- Suspects ---- */

static wri_outcome essence(const wri_outcome *outcome)
{
    wri_outcome kept = *outcome;
    kept.trace = (wri_trace){ 0 };
    kept.text = kept.output = NULL;
    kept.text_used = kept.text_lost = 0;
    return kept;
}

static wri_suspect suspect_of(const wri_quest *quest, wri_outcome outcome)
{
    return (wri_suspect){ .outcome = outcome,
                          .executions = quest->executions,
                          .calls = wri_quest_calls(quest) };
}

/* The smaller of two cases with the same failure is enough. Without remembered results no failure
 * of a try becomes a suspect. */
void wri_chase_meet(wri_chase *chase, const wri_outcome *outcome, uint64_t key)
{
    wri_quest *quest = chase->quest;
    size_t     at = 0;
    if (!quest->many || quest->settings->no_results || !WRI_CHASE_USES(chase, suspects) ||
        wri_chase_knows(&chase->rules, &chase->inquiry.made, false) ||
        (!chase->by_patterns && wri_quest_bug(quest, outcome->origin) != NULL))
        return;
    while (at < chase->suspect_count && chase->suspects[at].key != key)
        at++;
    wri_suspect *suspect = &chase->suspects[at];
    if (at == WRI_SUSPECTS ||
        (at < chase->suspect_count && suspect->trace.node_count <= outcome->trace.node_count))
        return;
    if (at == chase->suspect_count) {
        *suspect = suspect_of(quest, *outcome);
        suspect->key = key;
        chase->suspect_count++;
    }
    suspect->outcome = essence(outcome);
    if (!wri_trace_copy(&suspect->trace, &outcome->trace))
        suspect->trace.node_count = 0;
}

/* ---- Looking into them ---- */

void wri_chase_look_at(wri_chase *chase, const wri_outcome *outcome, const wri_sequence *failing)
{
    chase->inquiry.key = wri_chase_key(chase, outcome, failing);
    chase->inquiry.origin = outcome->origin;
    chase->inquiry.command =
        failing->count == 0
            ? WRI_COMMANDS
            : wri_machine_like(chase->machine, failing->calls[failing->count - 1].command);
    chase->inquiry.after_call = wri_chase_is_after_call(outcome);
    chase->inquiry.hit_limit =
        outcome->verdict.kind == WRI_DEADLINE || outcome->verdict.kind == WRI_MEMORY;
    chase->inquiry.contradicts_rule = chase->inquiry.without_rule = false;
    chase->inquiry.explained = false;
    wri_chase_place(&chase->rules, &chase->inquiry);
}

/* No report tells of an old bug, so its failures are not counted. Those of others are: also how
 * many there are that none of the bug's rules explains. */
static void count_again(wri_chase *chase, size_t known, const wri_sequence *failing)
{
    if (wri_chase_is_old(known))
        return;
    wri_failure *failure = &chase->quest->bugs[known].failure;
    failure->seen++;
    failure->unexplained += failure->rule != NULL && !chase->inquiry.explained &&
                            !wri_chase_explains(&chase->rules, known, failing);
}

/* Learns the rule of a new bug. Only the smallest case can show that the bug is a known one with
 * other values. */
static void learn(wri_chase *chase, size_t number, wri_sequence *smallest)
{
    wri_bug *bug = &chase->quest->bugs[number];
    wri_book_read(chase->book, &bug->trace);
    size_t known = chase->setup.varying ? wri_chase_relate(chase, smallest) : WRI_NO_BUG;
    if (known == WRI_NO_BUG) {
        wri_chase_generalise(chase, number, smallest);
        if (chase->setup.varying)
            wri_chase_gather_ways(chase, number);
        return;
    }
    const char *rule = wri_chase_is_old(known) ? NULL : chase->quest->bugs[known].failure.rule;
    bug->failure.subsumed = true;
    wri_bug_own(&bug->failure.rule, rule == NULL ? NULL : strdup(rule));
    count_again(chase, known, smallest);
}

/* Learns the rules of a bug that is sure, in this way, and keeps the bug. */
static void conclude(wri_chase *chase, size_t number, bool sure,
                     void (*learn_rules)(wri_chase *, size_t, wri_sequence *),
                     wri_sequence *smallest, const wri_toll *before)
{
    if (sure && chase->by_patterns)
        learn_rules(chase, number, smallest);
    else if (chase->quest->many && !chase->shrinks_each)
        wri_quest_pass_over(chase->quest, &chase->quest->bugs[number]);
    wri_chase_keep(chase, number, before);
}

/* A bug of this run that fails in this very call and place, but for one; WRI_NO_BUG: none has a
 * rule. */
static size_t find_alike(const wri_chase *chase, size_t but)
{
    for (size_t i = 0; i < chase->rules.count; i++) {
        const wri_known_bug *known = &chase->rules.known[i];
        if (known->key == chase->inquiry.key && known->bug != but && !known->waits &&
            !wri_chase_is_old(known->bug))
            return known->bug;
    }
    return WRI_NO_BUG;
}

/* Each failure that could not be shrunk in time halves what the next one like it may cost. */
#define HALVED_MOST 6
/* After so many no further one is looked into. */
#define POSSIBLY_MOST 16

static void give_less(wri_chase *chase)
{
    size_t   alike = find_alike(chase, WRI_NO_BUG);
    uint64_t times = alike == WRI_NO_BUG ? 0 : chase->quest->bugs[alike].failure.possibly;
    unsigned halved = times < HALVED_MOST ? (unsigned)times : HALVED_MOST;
    chase->inquiry.tries = (chase->inquiry.tries >> halved) + 1;
    chase->inquiry.calls = (chase->inquiry.calls >> halved) + 1;
}

/* The bug that was added last is none: forgets it, and its stored case. */
static void take_back(wri_quest *quest)
{
    wri_bug *bug = &quest->bugs[--quest->bug_count];
    wri_note note;
    if (quest->store != NULL && bug->failure.stored != NULL)
        quest->store->remove(quest->store, &quest->owner, bug->key, &note);
    wri_bug_free(bug);
}

/* A failure that could not be shrunk in time is as long as it is because of that. If a known bug
 * fails in the same call and place, it is counted with that bug, and is none of its own. The
 * first one is kept, as a case that can be run again. */
static bool is_possibly(wri_chase *chase, size_t number, const wri_toll *before)
{
    wri_quest *quest = chase->quest;
    size_t     known = find_alike(chase, number);
    if (!chase->inquiry.out_of_time || !chase->by_patterns || known == WRI_NO_BUG ||
        wri_interrupt_came())
        return false;
    wri_failure *failure = &quest->bugs[known].failure;
    chase->inquiry.without_rule = true;
    if (failure->possibly++ > 0) {
        take_back(quest);
        return true;
    }
    quest->bugs[number].failure.subsumed = true;
    wri_bug_own(&quest->bugs[number].failure.rule,
                failure->rule == NULL ? NULL : strdup(failure->rule));
    wri_chase_keep(chase, number, before);
    return true;
}

/* A failure that no known bug explains. */
static void study_new(wri_chase *chase, const wri_suspect *suspect, wri_sequence *failing)
{
    wri_quest *quest = chase->quest;
    wri_toll   before = wri_chase_uncharged(chase);
    size_t     number = wri_chase_add_bug(chase, suspect);
    if (number == WRI_NO_BUG)
        return;
    quest->live.phase = WRI_PHASE_SHRINK;
    quest->live.choices = quest->bugs[number].failure.first_choices;
    WRI_TELL(quest->reporter, found, quest->property->name, &quest->bugs[number].failure);
    wri_quest_keep(quest, &quest->bugs[number], false);
    bool sure = wri_chase_settle(chase, &quest->bugs[number], suspect, failing);
    if (!is_possibly(chase, number, &before)) {
        conclude(chase, number, sure, learn, failing, &before);
        quest->bugs[number].failure.unfinished |=
            chase->inquiry.out_of_time; /* its rule, too, is what time left */
    }
    quest->live.phase = WRI_PHASE_EXPLORE;
}

/* Is a failure made smaller to see whether it is known? */
static bool looks_closely(const wri_chase *chase)
{
    return chase->by_patterns && chase->quest->settings->shrink != WRI_REDUCE_OFF;
}

/* Is a rule believed only if its calls fail by themselves? */
static bool proves(const wri_chase *chase)
{
    return chase->joins && looks_closely(chase) && WRI_CHASE_USES(chase, prove);
}

/* Failures like this one could not be shrunk in time, again and again: their bug. */
static size_t find_possibly(wri_chase *chase)
{
    size_t alike = find_alike(chase, WRI_NO_BUG);
    if (alike == WRI_NO_BUG || chase->quest->bugs[alike].failure.possibly < POSSIBLY_MOST)
        return WRI_NO_BUG;
    chase->inquiry.without_rule = true;
    return alike;
}

/* The known bug that a failure is for all that is known, though no rule says so. */
static size_t find_crowd(wri_chase *chase, const wri_sequence *failing)
{
    bool   many = looks_closely(chase) && chase->setup.varying;
    size_t known = many ? find_possibly(chase) : WRI_NO_BUG;
    return many && known == WRI_NO_BUG ? wri_chase_find_crowd(chase, failing) : known;
}

/* The same after a closer look; WRI_NO_BUG: it is none, and `failing` may be smaller. */
static size_t find_known(wri_chase *chase, wri_sequence *failing)
{
    if (!looks_closely(chase))
        return WRI_NO_BUG;
    if (proves(chase)) {
        size_t proved =
            wri_chase_reduce(chase, failing) ? wri_chase_prove(chase, failing) : WRI_NO_BUG;
        if (proved != WRI_NO_BUG)
            return proved;
    }
    if (chase->setup.varying)
        wri_chase_cut_down(chase, failing);
    size_t known = wri_chase_find_refuted(chase, failing);
    if (known == WRI_NO_BUG && chase->setup.varying)
        known = wri_chase_find_related(chase, failing);
    if (known == WRI_NO_BUG && chase->setup.varying)
        known = wri_chase_find_way(chase, failing);
    if (known == WRI_NO_BUG && chase->joins && WRI_CHASE_USES(chase, same))
        known = wri_chase_find_same(chase, failing);
    return known;
}

/* A bug that shows there. Behind what is known to fail, but did not, no others are told apart. */
static size_t bug_at(wri_quest *quest, uint64_t origin)
{
    const wri_bug *bug = wri_quest_bug(quest, origin);
    return bug == NULL ? WRI_NO_BUG : (size_t)(bug - quest->bugs);
}

/* The bug that is known by its origin alone, because no rule describes it. */
static size_t bug_without_rule(const wri_quest *quest, uint64_t origin)
{
    for (size_t i = 0; i < quest->bug_count; i++)
        if (quest->bugs[i].origin == origin && quest->bugs[i].failure.rule == NULL &&
            !quest->bugs[i].failure.subsumed)
            return i;
    return WRI_NO_BUG;
}

/* The known bug that a failure is: some calls are made to find out. What was run is not noted,
 * for batches may be out. */
static size_t recognise_by_tests(wri_chase *chase, const wri_outcome *outcome,
                                 const wri_sequence *failing)
{
    size_t known = find_possibly(chase);
    if (known == WRI_NO_BUG) {
        wri_chase_give_time(chase);
        chase->inquiry.aside = true;
        known = wri_chase_prove(chase, failing);
        chase->inquiry.explained = known != WRI_NO_BUG;
        chase->inquiry.aside = false;
    }
    if (known == WRI_NO_BUG)
        known = bug_without_rule(chase->quest, outcome->origin);
    if (known == WRI_NO_BUG)
        known = wri_chase_find_dull(chase);
    chase->inquiry.contradicts_rule =
        known == WRI_NO_BUG && wri_chase_knows(&chase->rules, failing, false);
    return known;
}

/* The known bug that a failure is, by what is known alone; WRI_NO_BUG: it is to be looked into,
 * and tries are compared with it from now on. */
static size_t recognise(wri_chase *chase, const wri_outcome *outcome, const wri_sequence *failing)
{
    bool other;
    wri_chase_look_at(chase, outcome, failing);
    if (proves(chase))
        return recognise_by_tests(chase, outcome, failing);
    size_t known = find_crowd(chase, failing); /* the least to look for */
    if (known != WRI_NO_BUG)
        return known;
    known = wri_chase_bug_in(&chase->rules, failing, outcome->origin, &other);
    if (known == WRI_NO_BUG && chase->joins)
        known = wri_chase_find_dull(chase);
    chase->inquiry.contradicts_rule = known == WRI_NO_BUG && chase->by_patterns && other;
    return chase->inquiry.contradicts_rule && !chase->joins
               ? bug_at(chase->quest, outcome->origin)
               : known;
}

/* Looks into a suspect; true: it was a new bug. */
static bool study(wri_chase *chase, const wri_suspect *suspect)
{
    wri_quest   *quest = chase->quest;
    wri_sequence failing = { 0 };
    if (!wri_sequence_read(chase->machine, &suspect->trace, &failing)) {
        wri_sequence_free(&failing);
        wri_quest_refuse(quest, WRI_QUEST_NO_MEMORY); /* it was read before */
        return false;
    }
    wri_book_read(chase->book, &suspect->trace);
    size_t known = recognise(chase, &suspect->outcome, &failing);
    if (suspect->outcome.verdict.kind == WRI_DEADLINE)
        wri_quest_hurry(quest);
    quest->live.executions = 0;
    wri_chase_give_time(chase);
    give_less(chase);
    if (failing.count > 0)
        wri_chase_remember(chase, &failing, &suspect->outcome, chase->inquiry.key);
    if (known == WRI_NO_BUG) {
        known = find_known(chase, &failing);
        if (chase->joins)
            wri_chase_note_known(chase, known);
    }
    if (known == WRI_NO_BUG) {
        study_new(chase, suspect, &failing);
    } else {
        count_again(chase, known, &failing);
        if (chase->shrinks_each)
            wri_chase_reduce(chase, &failing);
    }
    wri_quest_no_hurry(quest);
    wri_sequence_free(&failing);
    return known == WRI_NO_BUG;
}

/* Is a known bug of another origin in it? Then no part of it may be tried, and nothing can be
 * said of it until that one is mended. */
static bool has_other_bug(wri_chase *chase, const wri_suspect *suspect)
{
    const wri_sequence *calls = wri_chase_calls(chase, &suspect->trace);
    bool                other = false;
    return calls != NULL &&
           wri_chase_bug_in(&chase->rules, calls, suspect->outcome.origin, &other) ==
               WRI_NO_BUG &&
           other;
}

void wri_chase_study_suspects(wri_chase *chase)
{
    while (chase->suspect_count > 0) {
        wri_suspect suspect = chase->suspects[0];
        memmove(chase->suspects, chase->suspects + 1, --chase->suspect_count * sizeof suspect);
        if (!wri_interrupt_came() && !(!chase->quest->many && chase->quest->bug_count > 0) &&
            !has_other_bug(chase, &suspect))
            study(chase, &suspect);
        wri_trace_free(&suspect.trace);
    }
}

/* A failure is never just counted if one bug is enough, or if each failure is to be shrunk. Nor
 * is a known bug in a way that no rule says: after it, sequences begin short again. Nor is a case
 * that goes on behind it. */
bool wri_chase_count(wri_chase *chase, uint64_t index, const wri_outcome *first,
                     const wri_trace *found)
{
    wri_quest   *quest = chase->quest;
    wri_sequence failing = { 0 };
    size_t       known = WRI_NO_BUG;
    if (!quest->many || chase->shrinks_each || quest->bug_count == 0 ||
        wri_chase_survives(chase, index))
        return false;
    wri_book_read(chase->book, found);
    if (wri_sequence_read(chase->machine, found, &failing))
        known = recognise(chase, first, &failing);
    bool counts = known != WRI_NO_BUG && !chase->inquiry.without_rule;
    if (counts) {
        count_again(chase, known, &failing);
        chase->pace.known_failures++;
    }
    wri_sequence_free(&failing);
    return counts;
}

void wri_chase_judge(wri_chase *chase, uint64_t index, const wri_outcome *first, uint64_t journal,
                     uint64_t before, const wri_trace *found)
{
    wri_quest  *quest = chase->quest;
    wri_suspect suspect = { .trace = *found,
                            .outcome = essence(first),
                            .executions = before,
                            .calls = wri_quest_calls(quest),
                            .random = (quest->explorer->needs & WRI_NEEDS_PACE) != 0 };
    suspect.outcome.output = first->output;
    chase->inquiry.index = index;
    if (wri_chase_calls(chase, found) == NULL) /* its log was lost with the process */
        wri_quest_judge(quest, index, first, journal, before, found,
                        &(wri_repeat){ .manner = WRI_MANNER_ALIGNED });
    else if (study(chase, &suspect))
        chase->pace.lengths_from = chase->pace.guards_from = index + 1;
    else if (chase->inquiry.without_rule)
        chase->pace.lengths_from = index + 1;
    wri_chase_study_suspects(chase);
    if (wri_chase_survives(chase, index))
        wri_chase_survive(chase, index, first, found);
}

void wri_chase_look_on(wri_chase *chase, const wri_outcome *outcome)
{
    wri_suspect suspect = suspect_of(chase->quest, essence(outcome));
    if (wri_trace_copy(&suspect.trace, &outcome->trace))
        study(chase, &suspect);
    wri_trace_free(&suspect.trace);
    wri_chase_study_suspects(chase);
}

void wri_chase_look_into(wri_chase *chase, const wri_outcome *outcome)
{
    wri_suspect suspect = suspect_of(chase->quest, essence(outcome));
    if (!wri_trace_copy(&suspect.trace, &outcome->trace)) {
        wri_quest_refuse(chase->quest, WRI_QUEST_NO_MEMORY);
        return;
    }
    study(chase, &suspect);
    wri_trace_free(&suspect.trace);
    wri_chase_study_suspects(chase);
}

/* ---- Guards ---- */

/* While they are learnt the bug is not known: it is what is tried. */
static void learn_guards(wri_chase *chase, wri_known_bug *known)
{
    chase->inquiry.key = known->key;
    chase->inquiry.origin = known->origin;
    chase->inquiry.after_call = known->after_call;
    known->waits = chase->inquiry.learns_guards = true;
    wri_chase_give_time(chase);
    wri_pattern pattern = known->pattern;
    wri_guards_learn(wri_chase_lab(chase), &known->example, chase->setup.level, &pattern);
    if (chase->joins && chase->setup.level == WRI_LEVEL_SHARED && WRI_CHASE_USES(chase, sample))
        wri_sample_rule(wri_chase_lab(chase), &known->example, &pattern);
    wri_chase_change(&chase->rules, known, &pattern);
    known->waits = chase->inquiry.learns_guards = false;
    wri_sequence_free(&known->example);
    wri_chase_tell_rule(&chase->rules, known->bug);
    if (!wri_chase_is_old(known->bug))
        chase->quest->bugs[known->bug].failure.unfinished |= chase->inquiry.out_of_time;
}

void wri_chase_learn_guards(wri_chase *chase, uint64_t index)
{
    learn_guards(chase, wri_chase_unguarded(&chase->rules));
    wri_chase_avoid(&chase->rules);
    wri_chase_write_rules(&chase->rules);
    chase->pace.guards_from = index;
    wri_chase_study_suspects(chase);
}

void wri_chase_finish(wri_chase *chase)
{
    while (wri_chase_unguarded(&chase->rules) != NULL && !wri_interrupt_came())
        wri_chase_learn_guards(chase, chase->pace.guards_from);
}

/* ---- Stored cases ---- */

static wri_known_bug *waiting_rule(wri_chase_rules *rules, const wri_rule_name *name)
{
    for (size_t i = 0; i < rules->count; i++)
        if (rules->known[i].waits && strcmp(rules->known[i].name, name->text) == 0)
            return &rules->known[i];
    return NULL;
}

/* Its rules are as they were learnt, or edited, if there are any. */
static void recall_rules(wri_chase *chase, size_t number, wri_sequence *smallest)
{
    wri_rule_name  name = wri_chase_rule_name(chase->quest->bugs[number].key);
    wri_known_bug *known = waiting_rule(&chase->rules, &name);
    if (known == NULL)
        wri_chase_generalise(chase, number, smallest);
    for (; known != NULL; known = waiting_rule(&chase->rules, &name)) {
        wri_pattern pattern = known->pattern;
        bool        gone = chase->rules.removed;
        wri_chase_drop(&chase->rules, (size_t)(known - chase->rules.known));
        chase->rules.removed = gone; /* it is there as it was */
        if (wri_chase_know_pattern(chase, number, &pattern, NULL))
            chase->rules.known[chase->rules.count - 1].written = true;
    }
    if (chase->setup.varying)
        wri_chase_gather_ways(chase, number);
}

/* The bug of this quest that a stored case shows; one whose rule another bug has taken over, too.
 */
static size_t find_recalled(wri_chase *chase, wri_sequence *calls, const wri_stored *stored)
{
    wri_rule_name name = wri_chase_rule_name(stored->key);
    bool          waits = waiting_rule(&chase->rules, &name) != NULL;
    size_t        known = waits ? WRI_NO_BUG : find_crowd(chase, calls);
    return known == WRI_NO_BUG && !waits ? find_known(chase, calls) : known;
}

void wri_chase_recall(wri_chase *chase, const wri_outcome *outcome, const wri_stored *stored)
{
    wri_quest   *quest = chase->quest;
    wri_sequence calls = { 0 };
    wri_suspect  suspect = suspect_of(quest, *outcome);
    wri_toll     before = wri_chase_uncharged(chase);
    bool         other;
    if (!wri_sequence_read(chase->machine, &outcome->trace, &calls) ||
        wri_chase_bug_in(&chase->rules, &calls, outcome->origin, &other) != WRI_NO_BUG ||
        !wri_trace_copy(&suspect.trace, &outcome->trace)) {
        wri_sequence_free(&calls);
        return;
    }
    suspect.outcome.trace = suspect.trace;
    wri_chase_look_at(chase, outcome, &calls);
    wri_chase_give_time(chase);
    wri_book_read(chase->book, &suspect.trace);
    size_t known = find_recalled(chase, &calls, stored);
    size_t number = known == WRI_NO_BUG ? wri_chase_add_bug(chase, &suspect) : WRI_NO_BUG;
    if (known != WRI_NO_BUG)
        count_again(chase, known, &calls);
    if (number != WRI_NO_BUG) {
        wri_bug *bug = &quest->bugs[number];
        wri_bug_recall(bug, stored);
        bool sure = stored->minimal || wri_chase_settle(chase, bug, &suspect, &calls);
        conclude(chase, number, sure, recall_rules, &calls, &before);
    }
    wri_trace_free(&suspect.trace);
    wri_sequence_free(&calls);
    wri_chase_study_suspects(chase);
}

/* Which bug it was: its name alone says nothing to anybody. */
static void tell_mended(wri_chase *chase, const wri_outcome *outcome, const wri_stored *stored,
                        const char *name)
{
    const wri_sequence *calls = wri_chase_calls(chase, &outcome->trace);
    size_t              count = calls == NULL ? 0 : calls->count;
    const char         *last = "none";
    if (count > 0)
        last = chase->machine->commands[calls->calls[count - 1].command].table->name;
    wri_quest_warn(
        chase->quest,
        "mended: %zu calls, the last of %s, do not fail any more (%s); their rule %s is "
        "dropped, and the case is kept",
        count, last, stored->place, name);
}

void wri_chase_forget(wri_chase *chase, const wri_outcome *outcome, const wri_stored *stored)
{
    wri_rule_name  name = wri_chase_rule_name(stored->key);
    wri_known_bug *known = waiting_rule(&chase->rules, &name);
    if (known != NULL)
        tell_mended(chase, outcome, stored, name.text);
    for (; known != NULL; known = waiting_rule(&chase->rules, &name))
        wri_chase_drop(&chase->rules, (size_t)(known - chase->rules.known));
    wri_chase_write_rules(&chase->rules);
}

void wri_chase_recalled(wri_chase *chase)
{
    for (size_t i = 0; i < chase->rules.count; i++)
        chase->rules.known[i].waits = false;
    wri_chase_avoid(&chase->rules);
}

/* ---- All of it ---- */

void wri_chase_start(wri_quest *quest)
{
    const wri_settings *settings = quest->settings;
    const wr_property_ *property = quest->property;
    char                why[512];
    wri_machine *machine = wri_machine_read(property->machine, property->name, property->file,
                                            property->line, why, sizeof why);
    wri_chase   *chase = machine == NULL ? NULL : calloc(1, sizeof *chase);
    if (chase == NULL) { /* what is wrong with the table the first case will tell */
        if (machine != NULL || why[0] == '\0')
            wri_quest_refuse(quest, WRI_QUEST_NO_MEMORY);
        return;
    }
    bool off = settings->abstraction == WRI_LEVEL_OFF;
    chase->quest = chase->rules.quest = quest;
    chase->machine = chase->rules.machine = machine;
    chase->setup = (wri_study_setup){ .level = settings->abstraction,
                                      .reduction = settings->shrink,
                                      .ordering = settings->order,
                                      .varying = !settings->values_together };
    chase->by_patterns = quest->many && !off;
    chase->joins = chase->by_patterns && chase->setup.varying && settings->join;
    chase->shrinks_each = quest->many && off && settings->shrink == WRI_REDUCE_TOP_DOWN;
    chase->book = wri_book_make(machine);
    chase->rules.avoider = wri_avoider_make();
    chase->results = settings->no_results ? NULL : wri_results_make(machine);
    quest->chase = chase;
    wri_ran_clear(wri_runner_ran(quest->runner));
    if (chase->book == NULL || chase->rules.avoider == NULL ||
        !wri_chase_read_rules(&chase->rules)) {
        quest->status = WRI_STATUS_ERROR;
        return;
    }
    wri_chase_avoid(&chase->rules);
}

void wri_chase_end(wri_quest *quest)
{
    wri_chase *chase = quest->chase;
    if (chase == NULL)
        return;
    wri_chase_write_rules(&chase->rules);
    wri_chase_free_rules(&chase->rules);
    for (size_t i = 0; i < chase->suspect_count; i++)
        wri_trace_free(&chase->suspects[i].trace);
    wri_chase_settle_ran(chase, 0);
    free(chase->dull);
    free(chase->pace.ran);
    wri_book_free(chase->book);
    wri_results_free(chase->results);
    wri_trace_free(&chase->inquiry.plan);
    wri_sequence_free(&chase->inquiry.made);
    free(chase);
    quest->chase = NULL;
}

bool wri_chase_avoids(const wri_chase *chase)
{
    return chase->rules.avoided != NULL;
}

const wri_sequence *wri_chase_calls(wri_chase *chase, const wri_trace *trace)
{
    wri_sequence *made = &chase->inquiry.made;
    return wri_sequence_read(chase->machine, trace, made) ? made : NULL;
}

static bool knows_calls(void *context, const wri_sequence *calls)
{
    return wri_chase_knows(&((wri_chase *)context)->rules, calls, false);
}

void wri_chase_describe(wri_chase *chase, wri_exploration *run)
{
    run->machine = chase->machine;
    run->book = chase->book;
    run->context = chase;
    run->known = knows_calls;
    if (chase->quest->explorer->needs & WRI_NEEDS_PACE)
        run->pace = wri_chase_pace_of(chase);
}

void wri_chase_put_off_guards(wri_chase *chase, uint64_t index)
{
    chase->pace.guards_from = index;
}

const char *wri_chase_shortest_given(const wri_chase *chase)
{
    const wri_known_bug *shortest = NULL;
    for (size_t i = 0; i < chase->rules.count; i++) {
        const wri_known_bug *known = &chase->rules.known[i];
        if (known->given && known->outside &&
            (shortest == NULL || known->pattern.count < shortest->pattern.count))
            shortest = known;
    }
    return shortest == NULL ? NULL : shortest->name;
}

wri_machine_effort wri_chase_effort(const wri_chase *chase)
{
    const wri_quest   *quest = chase->quest;
    wri_machine_effort effort = { .asked = true, .calls = wri_quest_calls(quest) };
    for (size_t i = 0; i < quest->bug_count; i++)
        effort.patterns += wri_chase_rules_of(&chase->rules, i, false) > 0;
    uint64_t cut = quest->calls.cut, all = quest->calls.sequences;
    bool     enough = all >= FEW_SEQUENCES || (quest->settings->known != NULL && cut == all);
    effort.saturated = chase->rules.avoided != NULL && enough && cut * 2 > all;
    return effort;
}
