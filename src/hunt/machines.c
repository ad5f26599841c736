/* hunt/machines.c: from a failing sequence of calls to a bug that is known, and is met no more.
 *
 * The case that failed is not run again as it is: the first parts of it that are tried, and the
 * smallest case once more in a fresh worker, confirm it. A failure is another bug than one that is
 * known if no known pattern is in its calls; where there are no patterns, if its origin is another.
 */
#include "hunt/machines.h"

#include <stdlib.h>
#include <string.h>

#include "machine/log.h"
#include "machine/part.h"

/* Sequences begin with so many calls, or such a part of the most there can be, and have twice as many
 * after so many cases without a new bug. */
#define FIRST_CALLS 60
#define FIRST_PART 16
#define IDLE_CASES 128
/* After so many cases without a new bug the guards of one are learnt. */
#define QUIET_CASES 2
/* Of fewer random sequences it is not said that known bugs leave too little. */
#define FEW_SEQUENCES 20

/* The bug that forbids most of those whose guards are not learnt, the one of the fewest calls; NULL:
 * there is none. */
static wri_known_bug *unguarded(const wri_chase *chase)
{
    wri_known_bug *best = NULL;
    for (size_t i = 0; i < chase->known_count; i++) {
        wri_known_bug *known = &chase->known[i];
        if (known->example.count > 0 &&
            (best == NULL || known->example.count < best->example.count))
            best = known;
    }
    return best;
}

/* ---- How cases are played ---- */

static uint64_t most_calls(const wri_machine *machine)
{
    return machine->table->calls == 0 ? WRI_CALLS_LONG : machine->table->calls;
}

static uint64_t growing_calls(const wri_chase *chase, uint64_t index)
{
    uint64_t most = most_calls(chase->machine), part = most / FIRST_PART;
    uint64_t calls = part > FIRST_CALLS ? part : FIRST_CALLS;
    uint64_t idle = index > chase->since ? (index - chase->since) / IDLE_CASES : 0;
    while (idle-- > 0 && calls < most)
        calls *= 2;
    return calls < most ? calls : most;
}

wri_play_terms wri_chase_terms(const wri_chase *chase, uint64_t index)
{
    const wri_settings *settings = chase->quest->settings;
    wri_play_terms      terms = { .law = settings->mean_calls != 0 ? WRI_CALLS_GEOMETRIC
                                                                   : WRI_CALLS_FIXED,
                                  .known = chase->avoided };
    terms.calls = (uint32_t)(settings->mean_calls != 0 ? settings->mean_calls
                             : settings->calls != 0    ? settings->calls
                                                       : growing_calls(chase, index));
    if (!settings->no_results)
        terms.ran = wri_runner_ran(chase->quest->runner);
    return terms;
}

uint64_t wri_chase_stretch(const wri_chase *chase, uint64_t index)
{
    uint64_t idle = index > chase->since ? index - chase->since : 0;
    uint64_t alike = IDLE_CASES - idle % IDLE_CASES, quiet = chase->quiet + QUIET_CASES;
    return unguarded(chase) != NULL && index < quiet && quiet - index < alike ? quiet - index : alike;
}

/* ---- What was run ---- */

void wri_chase_ran(wri_chase *chase, unsigned slot, uint64_t from)
{
    const uint64_t *hashes;
    size_t          count = wri_runner_list_ran(chase->quest->runner, slot, &hashes);
    wri_ran_part   *grown = realloc(chase->ran, (chase->ran_count + 1) * sizeof *grown);
    if (grown == NULL)
        return;
    chase->ran = grown;
    wri_ran_part *part = &grown[chase->ran_count];
    *part = (wri_ran_part){ .from = from, .hashes = malloc(count * sizeof *hashes + 1),
                            .count = count };
    if (part->hashes == NULL)
        return;
    memcpy(part->hashes, hashes, count * sizeof *hashes);
    chase->ran_count++;
}

void wri_chase_settle_ran(wri_chase *chase, uint64_t settled)
{
    wri_ran *all = wri_runner_ran(chase->quest->runner);
    for (size_t i = 0; i < chase->ran_count; i++) {
        const wri_ran_part *part = &chase->ran[i];
        for (size_t k = 0; k < part->count && part->from < settled; k++)
            wri_ran_add(all, part->hashes[k]);
        free(part->hashes);
    }
    chase->ran_count = 0;
}

/* ---- Known bugs ---- */

/* The bug of this quest that the failing calls show; WRI_NO_BUG: none does. */
static size_t bug_in(const wri_chase *chase, const wri_sequence *failing, uint64_t origin)
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

/* What random calls must not complete, after that has changed; no batch is out. */
static void avoid_known(wri_chase *chase)
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

static void drop_known(wri_chase *chase, size_t at)
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
            drop_known(chase, i);
        }
    }
    return false;
}

static void write_rule(const wri_chase *chase, wri_bug *bug, const wri_pattern *pattern)
{
    free(bug->rule);
    bug->failure.rule = bug->rule = wri_rule_text(chase->machine, pattern);
    if (bug->rule != NULL && bug->rule[0] != '\0') /* its last line needs no end */
        bug->rule[strlen(bug->rule) - 1] = '\0';
}

/* From now on the bug is known by this pattern. One that is among others' is avoided, too: it was met
 * in spite of them. */
static void know_pattern(wri_chase *chase, size_t number, const wri_pattern *pattern)
{
    wri_bug *bug = &chase->quest->bugs[number];
    write_rule(chase, bug, pattern);
    bug->failure.subsumed = compare_with_known(chase, pattern);
    char *name = wri_chase_rule_name(bug);
    if (name != NULL && wri_chase_know(chase, pattern, name, number)) {
        chase->known[chase->known_count - 1].included = bug->failure.subsumed;
        chase->known[chase->known_count - 1].key = chase->key;
    }
    free(name);
    avoid_known(chase);
}

/* ---- Leads ---- */

static wri_outcome essence(const wri_outcome *outcome)
{
    wri_outcome kept = *outcome;
    kept.trace = (wri_trace){ 0 };
    kept.text = kept.output = NULL;
    kept.text_used = kept.text_lost = 0;
    return kept;
}

static uint64_t calls_so_far(const wri_quest *quest)
{
    return quest->explored_calls + quest->calls;
}

/* Where the same went wrong in two cases, the smaller one is enough. Without results nothing that a try
 * shows is kept. */
void wri_chase_meet(wri_chase *chase, const wri_outcome *outcome, uint64_t key)
{
    wri_quest *quest = chase->quest;
    size_t     at = 0;
    if (!quest->many || quest->settings->no_results || wri_chase_knows(chase, &chase->made) ||
        (!chase->patterned && wri_quest_bug(quest, outcome->origin) != NULL))
        return;
    while (at < chase->lead_count && chase->leads[at].key != key)
        at++;
    wri_lead *lead = &chase->leads[at];
    if (at == WRI_LEADS || (at < chase->lead_count &&
                            lead->trace.node_count <= outcome->trace.node_count))
        return;
    if (at == chase->lead_count) {
        *lead = (wri_lead){ .key = key, .calls = calls_so_far(quest),
                            .executions = quest->executions };
        chase->lead_count++;
    }
    lead->outcome = essence(outcome);
    if (!wri_trace_copy(&lead->trace, &outcome->trace))
        lead->trace.node_count = 0;
}

/* ---- Making it small ---- */

/* The choices that make up the calls but for what functions of the user drew: which command, which
 * handle, which of few values. */
static uint64_t calls_of(const wri_trace *trace)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (node->what == WRI_ELEMENT)
            hash = wri_mix(hash + 1);
        if (node->what == WRI_CHOICE && node->parent < i &&
            trace->nodes[node->parent].what == WRI_ELEMENT)
            hash = wri_mix(hash + node->number + 2);
    }
    return hash;
}

typedef struct paring {
    wri_chase *chase;
    uint64_t   calls; /* which must stay; 0: none need */
    wri_trace  trace; /* of the last try */
} paring;

static bool try_plan(void *context, const wri_trace *plan, wri_trial *trial)
{
    paring     *now = context;
    wri_chase  *chase = now->chase;
    wri_outcome outcome;
    wri_chase_run(chase, plan, false, false, &outcome);
    now->trace = outcome.trace;
    trial->trace = &now->trace;
    trial->same = wri_failed(&outcome.verdict) && outcome.origin == chase->origin &&
                  wri_sequence_read(chase->machine, &outcome.trace, &chase->made) &&
                  !wri_chase_knows(chase, &chase->made);
    return !wri_interrupted() && wri_seconds() <= chase->until;
}

static bool changes_calls(void *context, const wri_trace *plan)
{
    const paring *now = context;
    return now->calls != 0 && calls_of(plan) != now->calls;
}

static void got_better(void *context, const wri_trace *best, uint64_t executions)
{
    const paring *now = context;
    (void)executions;
    now->chase->quest->shrunk_to = wri_trace_choices(best);
}

/* Is everything that was drawn besides the calls, and by functions of the user, as simple as it gets? */
static bool simplest(const wri_trace *trace)
{
    uint32_t length, loop;
    if (!wri_find_calls(trace, &length, &loop))
        return false;
    for (size_t i = 0; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        bool            of_call = node->parent < i && trace->nodes[node->parent].what == WRI_ELEMENT &&
                       trace->nodes[node->parent].parent == loop;
        if (i != length && !of_call &&
            ((node->what == WRI_CHOICE && node->number != 0) ||
             (node->what == WRI_ARRAY && node->count != 0)))
            return false;
    }
    return true;
}

/* What is left to do for the shrinker of traces: values that functions drew, and, where one bug is
 * all that is wanted, anything. */
static void pare(wri_chase *chase, wri_trace *best)
{
    wri_quest *quest = chase->quest;
    bool       whole = !quest->many;
    double     left = (chase->until - wri_seconds()) * 1000;
    if ((!whole && simplest(best)) || left < 1 || wri_interrupted())
        return;
    paring           now = { .chase = chase, .calls = whole ? 0 : calls_of(best) };
    wri_shrink_setup setup = { .run = try_plan,
                               .better = got_better,
                               .veto = changes_calls,
                               .context = &now,
                               .max_executions = 1000000,
                               .time_ms = (uint64_t)left };
    wri_shrink_result result = wri_shrink(&setup, best);
    chase->stopped |= !result.finished;
}

/* The smallest case that fails the same way, as a plan or as it was run. False: no part of it failed
 * again, nor all of it. */
static bool make_small(wri_chase *chase, wri_sequence *failing, wri_trace *best)
{
    wri_lab     lab = wri_chase_lab(chase);
    wri_outcome outcome;
    if (!wri_reduce(&lab, &chase->setup, failing) ||
        !wri_book_plan(chase->book, failing, 0, &chase->plan) ||
        !wri_trace_copy(best, &chase->plan))
        return false;
    bool values = !simplest(best) || !chase->quest->many;
    if (!values || chase->stopped)
        return true;
    wri_chase_run(chase, best, false, false, &outcome); /* the shrinker needs a case that was run */
    if (!wri_failed(&outcome.verdict) || outcome.origin != chase->origin ||
        !wri_trace_copy(best, &outcome.trace))
        return false;
    pare(chase, best);
    return true;
}

/* ---- From a lead to a bug ---- */

/* Several bugs of one origin are stored under keys that follow one another. */
static uint64_t next_key(uint64_t key)
{
    return wri_mix(key + 1);
}

static bool is_taken(const wri_quest *quest, uint64_t key)
{
    for (size_t i = 0; i < quest->bug_count; i++)
        if (quest->bugs[i].key == key)
            return true;
    return false;
}

static uint64_t free_key(const wri_quest *quest, uint64_t origin)
{
    uint64_t key = origin;
    while (is_taken(quest, key))
        key = next_key(key);
    return key;
}

/* The key that a bug of this origin was stored under; one that is free, if it is not known. */
static uint64_t stored_key(const wri_quest *quest, uint64_t origin, const char *path)
{
    uint64_t key = origin;
    bool     same = false;
    for (unsigned i = 0; i < WRI_KNOWN_BUGS && !same; i++) {
        char *there = wri_store_path(quest->folder, wri_base_name(quest->settings->program),
                                     quest->property->name, key);
        same = there != NULL && strcmp(there, path) == 0;
        key = same ? key : next_key(key);
        free(there);
    }
    return same ? key : free_key(quest, origin);
}

/* A new bug, as it was found; WRI_NO_BUG: memory is out. */
static size_t add_bug(wri_chase *chase, const wri_lead *lead)
{
    wri_quest *quest = chase->quest;
    uint64_t   key = free_key(quest, lead->outcome.origin);
    wri_bug   *bug = wri_quest_add_bug(quest);
    if (bug == NULL || !wri_trace_copy(&bug->trace, &lead->trace) ||
        !wri_bug_describe(bug, &lead->outcome)) {
        quest->status = WRI_STATUS_ERROR;
        return WRI_NO_BUG;
    }
    bug->origin = lead->outcome.origin;
    bug->key = key;
    bug->status = WRI_STATUS_FAILED;
    bug->failure.seen = 1;
    bug->failure.executions_before = lead->executions;
    bug->failure.cases_before = quest->cases;
    bug->failure.counted = true;
    bug->failure.calls_found = lead->calls;
    bug->failure.first_choices = wri_trace_choices(&bug->trace);
    return quest->bug_count - 1;
}

/* Runs it in a fresh worker, with everything shown, and takes over what that says. */
static bool confirm(wri_chase *chase, wri_bug *bug, const wri_trace *plan)
{
    wri_outcome outcome;
    wri_chase_run(chase, plan, true, true, &outcome);
    if (!wri_failed(&outcome.verdict) || outcome.origin != bug->origin)
        return false;
    return wri_trace_copy(&bug->trace, &outcome.trace) && wri_bug_describe(bug, &outcome);
}

/* It was not the smallest case that failed: is it the whole one? */
static void confirm_whole(wri_chase *chase, wri_bug *bug, const wri_lead *lead, bool wanted,
                          bool small)
{
    bool whole = confirm(chase, bug, &lead->trace);
    bool cut = chase->stopped || wri_interrupted();
    if (whole ? cut || !wanted : wri_interrupted()) {
        bug->failure.unfinished = cut;
        return;
    }
    wri_chase_doubt(chase);
    bug->failure.flaky = !whole;
    bug->status = whole ? WRI_STATUS_FAILED : WRI_STATUS_FLAKY;
    bug->failure.flaky_why =
        whole   ? "no part of the sequence failed in a fresh worker; this is the case as it was found"
        : small ? "the shrunk sequence did not fail in a fresh worker, nor did the one that was found: "
                  "it is not deterministic"
                : "neither the sequence nor a part of it failed again: it depends on earlier cases "
                  "(try --fork-each), or is not deterministic";
}

/* The smallest case of a bug. True: it is confirmed, and `failing` is its calls. */
static bool settle(wri_chase *chase, wri_bug *bug, const wri_lead *lead, wri_sequence *failing)
{
    wri_trace best = { 0 };
    bool      wanted = chase->quest->settings->shrink != WRI_SHRINK_OFF;
    bool      small = wanted && make_small(chase, failing, &best);
    bug->failure.unshrunk = !wanted;
    bool      sure = small && confirm(chase, bug, &best);
    if (!sure && !(small && wri_interrupted()))
        confirm_whole(chase, bug, lead, wanted, small);
    bug->failure.unfinished |= chase->stopped;
    wri_trace_free(&best);
    return sure && wri_sequence_read(chase->machine, &bug->trace, failing);
}

/* Guards are for later, when nothing new is found without. */
static void put_off_guards(wri_chase *chase, size_t number, wri_sequence *example)
{
    for (size_t i = 0; i < chase->known_count; i++)
        if (chase->known[i].bug == number) {
            chase->known[i].example = *example;
            chase->known[i].origin = chase->origin;
            chase->known[i].afterwards = chase->afterwards;
            *example = (wri_sequence){ 0 };
        }
}

/* What makes the bug is learnt, and known from now on; or, where that cannot be, its origin is. */
static void generalise(wri_chase *chase, size_t number, wri_sequence *smallest)
{
    wri_lab     lab = wri_chase_lab(chase);
    wri_pattern pattern;
    wri_chase_give_time(chase);
    wri_book_read(chase->book, &chase->quest->bugs[number].trace);
    if (!wri_generalise(&lab, &chase->setup, smallest, &pattern)) {
        wri_quest_pass_over(chase->quest, &chase->quest->bugs[number]);
        return;
    }
    know_pattern(chase, number, &pattern);
    if (!chase->quest->settings->no_guards)
        put_off_guards(chase, number, smallest);
}

/* So many executions and calls were made in the judge before it was looked into. */
static void finish(wri_chase *chase, size_t number, uint64_t executions, uint64_t calls)
{
    wri_quest *quest = chase->quest;
    wri_bug   *bug = &quest->bugs[number];
    bug->failure.choices = wri_trace_choices(&bug->trace);
    bug->failure.executions_after = quest->executions - executions;
    bug->failure.calls_before = calls_so_far(quest);
    bug->failure.calls_after = quest->calls - calls;
    wri_quest_keep(quest, bug, !bug->failure.unfinished && !bug->failure.unshrunk);
    if (chase->patterned)
        wri_chase_write_rules(chase);
    quest->phase = WRI_PHASE_EXPLORE;
}

/* From now on this is the failure that tries are compared with. */
static void look_at(wri_chase *chase, const wri_outcome *outcome, const wri_sequence *failing)
{
    chase->key = wri_chase_key(outcome, failing);
    chase->origin = outcome->origin;
    chase->afterwards = wri_chase_afterwards(outcome);
}

/* ---- Rules that said too much ---- */

/* A rule is learnt from a few tests, and a failure that it does not include may show that it was
 * wrong: a guard does not help, or one of a few values is not what it takes. Of a number it is
 * known how far it goes, and the call that fails is what it is. */
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
            drop_known(chase, i);
        }
    }
    write_rule(chase, &chase->quest->bugs[bug], corrected);
    avoid_known(chase);
    wri_chase_write_rules(chase);
}

/* The known bug that a failure is, though its rule did not say so, and is corrected; WRI_NO_BUG: it is
 * none, and `failing` may be smaller. */
static size_t find_refuted(wri_chase *chase, wri_sequence *failing)
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

/* A failure that no known bug explains. */
static void study_new(wri_chase *chase, const wri_lead *lead, wri_sequence *failing)
{
    wri_quest *quest = chase->quest;
    uint64_t   executions = quest->executions, calls = quest->calls;
    size_t     number = add_bug(chase, lead);
    if (number == WRI_NO_BUG)
        return;
    quest->phase = WRI_PHASE_SHRINK;
    quest->shrunk_to = quest->bugs[number].failure.first_choices;
    quest->reporter->found(quest->reporter, quest->property->name, &quest->bugs[number].failure);
    wri_quest_keep(quest, &quest->bugs[number], false);
    bool sure = settle(chase, &quest->bugs[number], lead, failing);
    if (sure && chase->patterned)
        generalise(chase, number, failing);
    else if (quest->many && !chase->again)
        wri_quest_pass_over(quest, &quest->bugs[number]);
    finish(chase, number, executions, calls);
    quest->bugs[number].failure.unfinished |= chase->stopped; /* its rule, too, is what time left */
}

/* Looks into a lead; true: it was a new bug. */
static bool study(wri_chase *chase, const wri_lead *lead)
{
    wri_quest   *quest = chase->quest;
    wri_sequence failing = { 0 };
    if (!wri_sequence_read(chase->machine, &lead->trace, &failing)) {
        free(failing.calls);
        return false;
    }
    size_t known = bug_in(chase, &failing, lead->outcome.origin);
    wri_book_read(chase->book, &lead->trace);
    look_at(chase, &lead->outcome, &failing);
    quest->phase_executions = 0;
    wri_chase_give_time(chase);
    if (chase->results != NULL && failing.count > 0 &&
        !wri_results_add(chase->results, &failing, true, chase->key, failing.count - 1))
        wri_chase_doubt(chase);
    if (known == WRI_NO_BUG && chase->patterned && chase->quest->settings->shrink != WRI_SHRINK_OFF)
        known = find_refuted(chase, &failing);
    if (known == WRI_NO_BUG) {
        study_new(chase, lead, &failing);
    } else {
        quest->bugs[known].failure.seen++;
        wri_lab lab = wri_chase_lab(chase);
        if (chase->again)
            wri_reduce(&lab, &chase->setup, &failing);
    }
    free(failing.calls);
    return known == WRI_NO_BUG;
}

/* Is a known bug of another origin in it? Then no part of it may be tried, and nothing can be said
 * of it until that one is mended. */
static bool has_other_bug(const wri_chase *chase, const wri_lead *lead)
{
    wri_sequence calls = { 0 };
    bool         has = wri_sequence_read(chase->machine, &lead->trace, &calls) &&
               bug_in(chase, &calls, lead->outcome.origin) == WRI_NO_BUG &&
               wri_chase_knows(chase, &calls);
    wri_sequence_free(&calls);
    return has;
}

static void study_leads(wri_chase *chase)
{
    while (chase->lead_count > 0) {
        wri_lead lead = chase->leads[0];
        memmove(chase->leads, chase->leads + 1, --chase->lead_count * sizeof lead);
        if (!wri_interrupted() && !(!chase->quest->many && chase->quest->bug_count > 0) &&
            !has_other_bug(chase, &lead))
            study(chase, &lead);
        wri_trace_free(&lead.trace);
    }
}

void wri_chase_judge(wri_chase *chase, uint64_t index, const wri_outcome *first,
                     uint64_t journal, uint64_t before, const wri_trace *found)
{
    wri_quest   *quest = chase->quest;
    wri_sequence calls = { 0 };
    bool         read = wri_sequence_read(chase->machine, found, &calls);
    wri_lead     lead = { .trace = *found, .outcome = essence(first), .executions = before,
                          .calls = calls_so_far(quest) };
    free(calls.calls);
    lead.outcome.output = first->output;
    if (!read) /* its log was lost with the process */
        wri_quest_judge(quest, index, first, journal, before, found);
    else if (study(chase, &lead))
        chase->since = chase->quiet = index + 1;
    study_leads(chase);
}

/* What failed in the judge, with all that is shown of it. */
static wri_lead lead_of(const wri_quest *quest, const wri_outcome *outcome)
{
    return (wri_lead){ .trace = outcome->trace, .outcome = *outcome,
                       .executions = quest->executions, .calls = calls_so_far(quest) };
}

void wri_chase_look_into(wri_chase *chase, const wri_outcome *outcome)
{
    wri_lead lead = lead_of(chase->quest, outcome);
    lead.trace = (wri_trace){ 0 };
    if (!wri_trace_copy(&lead.trace, &outcome->trace))
        return;
    lead.outcome = essence(outcome);
    study(chase, &lead);
    wri_trace_free(&lead.trace);
    study_leads(chase);
}

size_t wri_chase_found(wri_chase *chase, const wri_outcome *outcome)
{
    wri_quest *quest = chase->quest;
    wri_lead   lead = lead_of(quest, outcome);
    size_t     number = add_bug(chase, &lead);
    if (number == WRI_NO_BUG)
        return number;
    wri_bug *bug = &quest->bugs[number];
    bug->failure.unshrunk = true;
    bug->failure.calls_before = lead.calls;
    quest->reporter->found(quest->reporter, quest->property->name, &bug->failure);
    wri_quest_keep(quest, bug, false);
    return number;
}

void wri_chase_confirm(wri_chase *chase, size_t number)
{
    wri_bug *bug = &chase->quest->bugs[number];
    wri_lead lead = { 0 };
    wri_chase_give_time(chase);
    if (!wri_trace_copy(&lead.trace, &bug->trace))
        return;
    confirm_whole(chase, bug, &lead, false, false);
    bug->failure.choices = wri_trace_choices(&bug->trace);
    bug->failure.executions_after = 1;
    wri_quest_keep(chase->quest, bug, false);
    wri_trace_free(&lead.trace);
}

/* ---- Guards ---- */

/* While they are learnt the bug is not known: it is what is tried. */
static void learn_guards(wri_chase *chase, wri_known_bug *known)
{
    chase->key = known->key;
    chase->origin = known->origin;
    chase->afterwards = known->afterwards;
    wri_lab lab = wri_chase_lab(chase);
    known->waits = chase->guarding = true;
    wri_chase_give_time(chase);
    wri_learn_guards(&lab, &known->example, chase->setup.level, &known->pattern);
    known->waits = chase->guarding = false;
    free(known->example.calls);
    known->example = (wri_sequence){ 0 };
    write_rule(chase, &chase->quest->bugs[known->bug], &known->pattern);
    chase->quest->bugs[known->bug].failure.unfinished |= chase->stopped;
}

bool wri_chase_rests(const wri_chase *chase, uint64_t index)
{
    return index >= chase->quiet + QUIET_CASES && unguarded(chase) != NULL;
}

void wri_chase_rest(wri_chase *chase, uint64_t index)
{
    learn_guards(chase, unguarded(chase));
    avoid_known(chase);
    wri_chase_write_rules(chase);
    chase->quiet = index;
    study_leads(chase);
}

void wri_chase_finish(wri_chase *chase)
{
    while (unguarded(chase) != NULL && !wri_interrupted())
        wri_chase_rest(chase, chase->quiet);
}

/* ---- Stored cases ---- */

static wri_known_bug *waiting_rule(wri_chase *chase, const char *name)
{
    for (size_t i = 0; name != NULL && i < chase->known_count; i++)
        if (chase->known[i].waits && strcmp(chase->known[i].name, name) == 0)
            return &chase->known[i];
    return NULL;
}

/* Its rule is as it was learnt, or edited, if there is one. */
static void recall_rule(wri_chase *chase, size_t number, wri_sequence *smallest)
{
    wri_bug       *bug = &chase->quest->bugs[number];
    char          *name = wri_chase_rule_name(bug);
    wri_known_bug *known = waiting_rule(chase, name);
    free(name);
    if (known == NULL) {
        generalise(chase, number, smallest);
        return;
    }
    wri_pattern pattern = known->pattern;
    bool        gone = chase->rule_gone;
    drop_known(chase, (size_t)(known - chase->known));
    chase->rule_gone = gone; /* it is there as it was */
    know_pattern(chase, number, &pattern);
    chase->known[chase->known_count - 1].written = true;
}

void wri_chase_recall(wri_chase *chase, const wri_outcome *outcome, const wri_stored *stored)
{
    wri_quest   *quest = chase->quest;
    wri_sequence calls = { 0 };
    wri_lead     lead = { .outcome = *outcome, .executions = quest->executions,
                          .calls = calls_so_far(quest) };
    uint64_t     executions = quest->executions, made = quest->calls;
    if (!wri_sequence_read(chase->machine, &outcome->trace, &calls) ||
        bug_in(chase, &calls, outcome->origin) != WRI_NO_BUG ||
        !wri_trace_copy(&lead.trace, &outcome->trace)) {
        free(calls.calls);
        return;
    }
    lead.outcome.trace = lead.trace;
    look_at(chase, outcome, &calls);
    wri_chase_give_time(chase);
    wri_book_read(chase->book, &lead.trace);
    uint64_t key = stored_key(quest, outcome->origin, stored->path);
    size_t   number = add_bug(chase, &lead);
    if (number != WRI_NO_BUG) {
        wri_bug *bug = &quest->bugs[number];
        bug->failure.from_store = true;
        bug->key = key;
        bug->stored = strdup(stored->path);
        bool sure = stored->minimal || settle(chase, bug, &lead, &calls);
        if (sure && chase->patterned)
            recall_rule(chase, number, &calls);
        else if (quest->many && !chase->again)
            wri_quest_pass_over(quest, &quest->bugs[number]);
        finish(chase, number, executions, made);
    }
    wri_trace_free(&lead.trace);
    free(calls.calls);
    study_leads(chase);
}

void wri_chase_forget(wri_chase *chase, const wri_stored *stored)
{
    wri_bug        as_stored = { .stored = stored->path };
    char          *name = wri_chase_rule_name(&as_stored);
    wri_known_bug *known = waiting_rule(chase, name);
    if (known != NULL) {
        wri_quest_warn(chase->quest, "the rule %s is dropped: its case does not fail any more",
                       name);
        drop_known(chase, (size_t)(known - chase->known));
        wri_chase_write_rules(chase);
    }
    free(name);
}

void wri_chase_recalled(wri_chase *chase)
{
    for (size_t i = 0; i < chase->known_count; i++)
        chase->known[i].waits = false;
    avoid_known(chase);
}

/* ---- All of it ---- */

static wri_study_setup study_setup(const wri_settings *settings)
{
    static const wri_level LEVELS[] = { [WRI_ABSTRACT_SHARED] = WRI_LEVEL_SHARED,
                                        [WRI_ABSTRACT_OBJECTS] = WRI_LEVEL_OBJECTS,
                                        [WRI_ABSTRACT_NAMES] = WRI_LEVEL_NAMES,
                                        [WRI_ABSTRACT_OFF] = WRI_LEVEL_SHARED };
    static const wri_ordering ORDERS[] = { [WRI_CALLS_PARTIAL] = WRI_ORDER_PARTIAL,
                                           [WRI_CALLS_BESIDE] = WRI_ORDER_BESIDE,
                                           [WRI_CALLS_AS_IS] = WRI_ORDER_AS_IS };
    return (wri_study_setup){ .level = LEVELS[settings->abstraction],
                              .reduction = settings->shrink == WRI_SHRINK_TOP_DOWN
                                               ? WRI_REDUCE_TOP_DOWN
                                               : WRI_REDUCE_BOTTOM_UP,
                              .ordering = ORDERS[settings->order],
                              .renaming = !settings->values_together,
                              .varying = !settings->values_together };
}

void wri_chase_start(wri_quest *quest)
{
    const wri_settings *settings = quest->settings;
    const wr_property_ *property = quest->property;
    char                why[512];
    wri_machine        *machine = wri_machine_read(property->machine, property->name,
                                                   property->file, property->line, why, sizeof why);
    wri_chase          *chase = machine == NULL ? NULL : calloc(1, sizeof *chase);
    if (chase == NULL) /* what is wrong with it the first case will tell */
        return;
    bool off = settings->abstraction == WRI_ABSTRACT_OFF;
    chase->quest = quest;
    chase->machine = machine;
    chase->setup = study_setup(settings);
    chase->patterned = quest->many && !off;
    chase->again = quest->many && off && settings->shrink == WRI_SHRINK_TOP_DOWN;
    chase->book = wri_book_make(machine);
    chase->results = settings->no_results ? NULL : wri_results_make(machine);
    quest->chase = chase;
    wri_ran_clear(wri_runner_ran(quest->runner));
    if (chase->book == NULL || !wri_chase_read_rules(chase)) {
        quest->status = WRI_STATUS_ERROR;
        return;
    }
    avoid_known(chase);
}

void wri_chase_end(wri_quest *quest)
{
    wri_chase *chase = quest->chase;
    if (chase == NULL)
        return;
    for (size_t i = 0; i < chase->known_count; i++) { /* guards that were not learnt never will be */
        free(chase->known[i].example.calls);
        chase->known[i].example = (wri_sequence){ 0 };
    }
    wri_chase_write_rules(chase);
    for (size_t i = 0; i < chase->known_count; i++)
        free(chase->known[i].name);
    for (size_t i = 0; i < chase->lead_count; i++)
        wri_trace_free(&chase->leads[i].trace);
    for (size_t i = 0; i < chase->ran_count; i++)
        free(chase->ran[i].hashes);
    wri_book_free(chase->book);
    wri_results_free(chase->results);
    wri_trace_free(&chase->plan);
    free(chase->made.calls);
    free(chase->rules);
    free(chase->ran);
    free(chase->known);
    free(chase);
    quest->chase = NULL;
}

wri_machine_effort wri_chase_effort(const wri_chase *chase)
{
    const wri_quest   *quest = chase->quest;
    wri_machine_effort effort = { .asked = true, .calls = calls_so_far(quest) };
    for (size_t i = 0; i < chase->known_count; i++)
        effort.patterns += chase->known[i].bug != WRI_NO_BUG && !chase->known[i].included;
    effort.saturated = chase->avoided != NULL && quest->sequences >= FEW_SEQUENCES &&
                       quest->cut_short * 2 > quest->sequences;
    return effort;
}
