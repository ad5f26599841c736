/* tests/chase_unit.c: a machine while it is hunted: what was run is put down to one bug; what no
 * rule of a bug says stays known when a rule goes; the same calls of a failure are tried once.
 */
#include "chase/internal.h"
#include "machine/calls/sequence.h"
#include "check.h"
#include "unit.h"

/* ---- A machine in which nothing fails ---- */

enum { TURN, PUSH, PULL };

static void do_nothing(wr_case *t, wr_call *call)
{
    (void)t, (void)call;
}

static const wr_kind    DIGIT = { "digit", .values = 10 };
static const wr_command COMMANDS[] = {
    [TURN] = { "turn", do_nothing, .takes = { &DIGIT } },
    [PUSH] = { "push", do_nothing, .takes = { &DIGIT } },
    [PULL] = { "pull", do_nothing, .takes = { &DIGIT } },
    { 0 },
};
WR_MACHINE(levers, .commands = COMMANDS);

static void show_no_progress(wri_reporter *reporter, const wri_progress *progress)
{
    (void)reporter, (void)progress;
}

static wri_runner        *runner;
static wri_reporter       reporter = { .progress = show_no_progress };
static const wri_settings SETTINGS = { .program = "levers", .no_results = true };

/* With two bugs, which are empty. */
static wri_quest begin(wri_bug *bugs)
{
    wri_quest quest = { .settings = &SETTINGS,
                        .explorer = &wri_explorer_random,
                        .property = &wr_property_levers,
                        .options = wr_property_levers.options,
                        .runner = runner,
                        .reporter = &reporter,
                        .limits = { .deadline_ms = 60000 },
                        .shrink_time_ms = 60000,
                        .size = 30,
                        .seed = 1,
                        .many = true,
                        .bugs = bugs,
                        .bug_count = 2 };
    return quest;
}

static void end(wri_quest *quest)
{
    wri_chase_end(quest);
    for (size_t i = 0; i < quest->bug_count; i++)
        wri_bug_free(&quest->bugs[i]);
}

/* ---- What was run for which bug ---- */

static void run_some(wri_quest *quest, uint64_t executions)
{
    quest->executions += executions;
    quest->calls.judged += 10 * executions;
}

TEST(what_was_run_is_put_down_to_one_bug)
{
    wri_bug   bugs[2] = { 0 };
    wri_quest quest = begin(bugs);
    wri_chase_start(&quest);
    wri_chase *chase = quest.chase;
    run_some(&quest, 1000);
    wri_toll before = wri_chase_uncharged(chase);
    run_some(&quest, 5);
    quest.live.phase = WRI_PHASE_SHRINK;
    wri_toll within = wri_chase_uncharged(chase);
    run_some(&quest, 20);
    wri_chase_keep(chase, 0, &within);
    CHECK(quest.live.phase == WRI_PHASE_SHRINK); /* that of the other goes on */
    run_some(&quest, 3);
    wri_chase_keep(chase, 1, &before);
    CHECK(bugs[0].failure.executions_after == 20 && bugs[0].failure.calls_after == 200);
    CHECK(bugs[1].failure.executions_after == 8 && bugs[1].failure.calls_after == 80);
    CHECK(bugs[1].failure.calls_before == 10280);
    end(&quest);
}

/* ---- Rules that go ---- */

/* A rule of one call for the bug, whose failure has its own key. */
static wri_known_bug *add_rule(wri_chase *chase, size_t bug, unsigned command)
{
    wri_pattern pattern = {
        .count = 1, .calls = { { .command = (uint8_t)command, .result = WRI_NO_VARIABLE } }
    };
    CHECK(wri_chase_know(&chase->rules, &pattern, "rule", bug));
    wri_known_bug *known = &chase->rules.known[chase->rules.count - 1];
    known->key = 100 + bug;
    return known;
}

/* One rule of each bug; for the second, three ways were too long. */
static wri_chase *start_with_rules(wri_quest *quest)
{
    wri_chase_start(quest);
    add_rule(quest->chase, 1, TURN);
    add_rule(quest->chase, 0, TURN)->too_long = 3;
    return quest->chase;
}

TEST(ways_too_long_for_rules_go_to_another_rule_of_the_bug)
{
    wri_bug    bugs[2] = { 0 };
    wri_quest  quest = begin(bugs);
    wri_chase *chase = start_with_rules(&quest);
    add_rule(chase, 0, PUSH)->too_long = 4;
    wri_chase_drop(&chase->rules, 1);
    CHECK(chase->rules.count == 2 && chase->rules.known[0].too_long == 0);
    CHECK(chase->rules.known[1].bug == 0 && chase->rules.known[1].too_long == 7);
    CHECK(add_rule(chase, 0, PULL)->too_long == 0);
    end(&quest);
}

/* A rule is corrected by another that comes when it is gone. */
TEST(ways_too_long_for_rules_wait_for_the_rule_that_comes_next)
{
    wri_bug    bugs[2] = { 0 };
    wri_quest  quest = begin(bugs);
    wri_chase *chase = start_with_rules(&quest);
    wri_chase_drop(&chase->rules, 1);
    CHECK(chase->rules.count == 1 && chase->rules.known[0].too_long == 0);
    CHECK(add_rule(chase, 0, PUSH)->too_long == 3);
    CHECK(add_rule(chase, 0, PULL)->too_long == 0);
    end(&quest);
}

/* ---- Rules that are tried ---- */

/* Seven calls of two commands, the digit of the first of them being this. */
static void add_long_rule(wri_chase *chase, int64_t digit)
{
    wri_pattern pattern = { .count = 7 };
    for (unsigned i = 0; i < pattern.count; i++) {
        pattern.calls[i] =
            (wri_pattern_call){ .command = i % 2 == 0 ? PULL : PUSH, .result = WRI_NO_VARIABLE };
        pattern.before[i] = (1u << i) - 1;
    }
    pattern.calls[0].terms[0] =
        (wri_term){ .sort = WRI_TERM_RANGE, .least = digit, .most = digit };
    CHECK(wri_chase_know(&chase->rules, &pattern, "rule", 0));
    chase->rules.known[chase->rules.count - 1].key = chase->inquiry.key;
}

/* Calls of all commands in turns; no digit of theirs is that of a rule. */
static void make_failing(wri_sequence *failing, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        wri_made call = { .command = i % 3 == 0 ? PUSH : i % 3 == 1 ? TURN : PULL };
        CHECK(wri_sequence_append(failing, &call));
    }
}

/* The book needs a case to go by. */
static void read_some_case(wri_quest *quest)
{
    wri_outcome outcome;
    wri_job     job = wri_quest_job(quest);
    job.play = (wri_play_terms){ .law = WRI_CALLS_FIXED, .calls = 6 };
    wri_runner_single(runner, &job, NULL, false, &quest->limits, &outcome);
    CHECK(wri_book_read(quest->chase->book, &outcome.trace));
}

static uint64_t tries_with_rules(int64_t rules)
{
    wri_bug      bugs[2] = { 0 };
    wri_quest    quest = begin(bugs);
    wri_sequence failing = { 0 };
    wri_chase_start(&quest);
    wri_chase *chase = quest.chase;
    chase->inquiry.key = 7;
    for (int64_t digit = 1; digit <= rules; digit++)
        add_long_rule(chase, digit);
    make_failing(&failing, 60);
    read_some_case(&quest);
    wri_chase_give_time(chase);
    wri_chase_cut_down(chase, &failing);
    CHECK(failing.count == 60 && !chase->inquiry.out_of_time);
    wri_sequence_free(&failing);
    end(&quest);
    return quest.executions;
}

/* They differ in values alone: those of each rule, and all of its commands. */
TEST(rules_of_the_same_calls_are_tried_once)
{
    CHECK(tries_with_rules(0) == 0);
    CHECK(tries_with_rules(1) == 2);
    CHECK(tries_with_rules(9) == 2);
}

int main(int argc, char **argv)
{
    char             error[256];
    wri_runner_setup setup = { .jobs = 1, .machines = true };
    runner = wri_runner_start(&setup, error, sizeof error);
    if (runner == NULL) {
        puts(error);
        return 1;
    }
    int status = run_tests(argc, argv);
    wri_runner_free(runner);
    return status != 0 ? status : failures > 0;
}
