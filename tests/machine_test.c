/* tests/machine_test.c: machines through the command line.
 *
 *     machine_test MACHINES MISUSED SEEDS [WORD...]
 */
#include "drive.h"
#include "sanitized.h"

static const char *machines, *misused;
static int         seeds; /* that are tried of every machine that fails */

#define PLAIN "--no-store --color never --format json"

/* ---- The smallest sequences ---- */

static const struct {
    const char *machine, *calls;
} SMALLEST[] = {
    { "registry_1", "unregister(\"a\");" },
    { "registry_2", "process *v1 = spawn();\nregister(\"a\", v1);\nregister(\"b\", v1);" },
    { "registry_3", "process *v1 = spawn();\nkill(v1);\nregister(\"a\", v1);" },
    { "registry_4", "process *v1 = spawn();\nregister(\"a\", v1);\nkill(v1);\nwhereis(\"a\");" },
    { "registry_5", "process *v1 = spawn();\nregister(\"a\", v1);\nregister(\"a\", v1);" },
    { "registry_6",
      "process *v1 = spawn();\nregister(\"a\", v1);\nkill(v1);\nunregister(\"a\");" },
    { "lock", "dial(1);\ndial(3);\ndial(2);\nopen();" },
    { "files", "file_t v1 = create();\nfile_t v2 = create();\nwrite(v1, 91);\nmerge(v2, v1);" },
    { "words_are_added", "add(\"cab\");" },
    { "differs_from_itself", "number *v1 = zero();\nadd_one(v1);\nadd_one(v1);\nadd_one(v1);" },
    { "equals_one_way", "number *v1 = zero();\nnumber *v2 = zero();\nadd_one(v1);" },
    { "hashes_otherwise", "number *v1 = zero();\nnumber *v2 = zero();\ntwice(v1);" },
    { "channels_set_up", "channel *v1 = new_channel();\nbind_to(v1);\nconfigure(v1);\n"
                         "check(v1);\nenable(v1);\nsend_on(v1);" },
};
#define SMALLEST_COUNT (sizeof SMALLEST / sizeof *SMALLEST)

static void check_smallest(const run *r, int seed)
{
    for (size_t i = 0; i < SMALLEST_COUNT; i++) {
        const char *line = line_of(r, SMALLEST[i].machine);
        const char *calls = json_text(line, "failure.values.calls");
        if (strcmp(calls, SMALLEST[i].calls) != 0)
            printf("%s, seed %d:\n", SMALLEST[i].machine, seed);
        CHECK_TEXT(calls, SMALLEST[i].calls);
        CHECK(json_number(line, "failure.executions_after") < 400);
    }
}

static void every_seed_ends_in_the_smallest_sequence(void)
{
    char names[1000] = "";
    for (size_t i = 0; i < SMALLEST_COUNT; i++)
        sprintf(names + strlen(names), " %s", SMALLEST[i].machine);
    for (int seed = 1; seed <= seeds; seed++) {
        run *r = call("%s " PLAIN " --seed %d --cases 20000%s", machines, seed, names);
        CHECK_NUMBER(r->status, 1);
        check_smallest(r, seed);
        free(r);
    }
}

static void a_crash_loses_no_call(void)
{
    for (int seed = 1; seed <= 10; seed++) {
        run *r = call("%s " PLAIN " --seed %d stack_crashes", machines, seed);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, "failure.values.calls"),
                   "push(0);\npush(0);\npush(0);\npush(0);");
        free(r);
    }
}

static void a_crash_in_a_function_of_a_kind_is_no_chance(void)
{
    run *r = call("%s --no-store --color never --seed 1 calls_that_cannot_be_shown", machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "FAIL  calls_that_cannot_be_shown  ");
    CHECK_HAS(r->out, "assertion failed: ++*count < 6");
    CHECK_HAS(r->out,
              "warning: the calls of a failing sequence cannot be shown: killed by SIGABRT");
    free(r);
    r = call("%s --no-store --color never --seed 1 values_that_cannot_be_abstract", machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "FAIL  values_that_cannot_be_abstract  ");
    CHECK_HAS(r->out, "caution: it failed while a call was chosen (.when, .abstract or .draw)");
    free(r);
    r = call("%s --no-store --color never --seed 1 commands_that_cannot_be_asked", machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "FAIL  commands_that_cannot_be_asked  ");
    CHECK(strstr(r->out, "caution: ") == NULL && strstr(r->out, "warning: ") == NULL);
    free(r);
}

static void of_a_long_sequence_the_end_is_shown(void)
{
    run        *r = call("%s " PLAIN " --seed 1 counts_far", machines);
    const char *calls = json_text(r->out, "failure.values.calls");
    CHECK_NUMBER(r->status, 1);
    CHECK(strncmp(calls, "...\na_call_whose", 16) == 0);
    CHECK(strlen(calls) > 2000 && strcmp(calls + strlen(calls) - 14, "t_functions();") == 0);
    free(r);
}

/* So many calls do not fit into a log: then sequences are as long as they can be. */
static void sequences_end_where_their_log_is_full(void)
{
    static const char *const HOW[] = { "--calls 200000", "--calls 1000000 --bugs many" };
    for (size_t i = 0; i < sizeof HOW / sizeof *HOW; i++) {
        run *r = call("%s " PLAIN " --seed 1 --cases 3 %s right_registry", machines, HOW[i]);
        CHECK_NUMBER(r->status, 0);
        CHECK_NUMBER(json_number(r->out, "cases"), 3);
        CHECK_TEXT(json_text(r->out, "warnings.0"),
                   "3 of 3 sequences ended before their last call, because a case has room for "
                   "262144 choices: ask for fewer calls");
        /* On a busy machine a case takes long, and then a second warning says so. */
        CHECK(strstr(r->out, "never called") == NULL);
        CHECK(json_number(r->out, "calls") > 3 * 100000);
        free(r);
    }
}

/* The number of executions grows with the logarithm of the length. */
static void three_calls_of_thousands_are_found_in_few_executions(void)
{
    static const struct {
        const char *machine, *options, *calls;
    } CASES[] = {
        { "long_way", "--bugs one --seed 1", "step_on(1234);\nstep_on(777);\nlook_at(2221);" },
        { "long_way", "--bugs many --seed 2", "step_on(1234);\nstep_on(777);\nlook_at(2221);" },
        { "long_use", "--bugs one --seed 2",
          "void *v1 = make();\ntouch(v1, 1234);\napply(v1, 777);" },
        { "long_use", "--bugs many --seed 2",
          "void *v1 = make();\ntouch(v1, 1234);\napply(v1, 777);" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        run *r = call("%s " PLAIN " --calls 100000 --cases 3 %s %s", machines, CASES[i].options,
                      CASES[i].machine);
        CHECK_NUMBER(r->status, 1);
        CHECK(json_number(r->out, "failure.choices_before") > 40000);
        CHECK_TEXT(json_text(r->out, "failure.values.calls"), CASES[i].calls);
        CHECK(json_number(r->out, "failure.executions_after") < 300);
        free(r);
    }
}

/* --shrink-time gives an inquiry a number of tries, so that the speed of the machine does not
 * matter: 600 are too many for 20 ms, however fast they are. */
static void tries_of_an_inquiry_are_counted(void)
{
    run *r = call("%s " PLAIN " --bugs many --calls 1000 --seed 1 --cases 2 --shrink-time 20ms "
                  "counts_far",
                  machines);
    CHECK_TEXT(json_text(r->out, "failure.unfinished"), "true");
    free(r);
    r = call("%s " PLAIN " --bugs many --calls 1000 --seed 1 --cases 2 --shrink-time 100s "
             "counts_far",
             machines);
    CHECK_TEXT(json_text(r->out, "failure.unfinished"), "false");
    free(r);
}

/* The line that a report prints, run by a shell: without a store it has the token, or the options
 * that come to the case once more. */
static void a_long_case_can_be_run_again_without_a_store(void)
{
    run *r =
        call("%s " PLAIN " --seed 1 --cases 50 --calls 1000 --shrink off long_way", machines);
    CHECK_NUMBER(r->status, 0);
    free(r);
    r = call("%s " PLAIN " --seed 1 --cases 50 --shrink off registry", machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(json_text(r->out, "failure.replay"), "registry --replay w1");
    free(r);
    r = call(
        "%s --no-store --color never --seed 2 --cases 50 --calls 100000 --shrink off long_use",
        machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "apply(v11175, 777);\n  found after 1 case");
    const char *line = strstr(r->out, "replay: ");
    CHECK(line != NULL);
    if (line != NULL) {
        char again[1000];
        snprintf(again, sizeof again, "%.*s", (int)strcspn(line + 8, "#"), line + 8);
        CHECK_HAS(line, "long_use --seed 2 --cases 2 --calls 100000  # --store DIR keeps the");
        run *second = call("%s --no-store --color never --shrink off", again);
        CHECK_NUMBER(second->status, 1);
        CHECK_HAS(second->out, "apply(v11175, 777);\n  found after 1 case");
        free(second);
    }
    free(r);
}

static void a_set_up_is_found_by_its_macro(void)
{
    for (int seed = 1; seed <= 10; seed++) {
        run *r = call("%s " PLAIN " --seed %d --cases 200 channels_set_up_first", machines, seed);
        CHECK_NUMBER(r->status, 1);
        CHECK(json_number(r->out, "failure.executions_before") <= 50);
        free(r);
    }
}

/* ---- Nothing wrong ---- */

static void nothing_wrong_is_nothing_found(void)
{
    static const char *const WAYS[] = { "random", "guide" };
    for (size_t i = 0; i < 2; i++) {
        run *r = call("%s " PLAIN " --seed 1 --cases %d --calls 20 --explore %s right_registry "
                      "equality_is_right comes_to_its_end",
                      machines, SANITIZED ? 10000 : 60000, WAYS[i]);
        CHECK_NUMBER(r->status, 0);
        CHECK_NUMBER(json_number(line_of(r, "right_registry"), "discarded"), 0);
        CHECK_NUMBER(json_number(line_of(r, "comes_to_its_end"), "discarded"), 0);
        free(r);
    }
    run *r = call("%s " PLAIN " --seed 1 --cases 2000 many_tickets", machines);
    CHECK_NUMBER(r->status, 0);
    free(r);
}

/* ---- All explorers and options ---- */

/* How many sequences of up to so many calls a registry has, with so many processes and names in
 * it already; names count up to renaming. */
static long sequences(int calls, long processes, long names)
{
    if (calls == 0)
        return 1;
    long used = names * (processes + 2) * sequences(calls - 1, processes, names);
    long another = names == 5 ? 0 : (processes + 2) * sequences(calls - 1, processes, names + 1);
    return 1 + sequences(calls - 1, processes + 1, names) + used + another +
           processes * sequences(calls - 1, processes, names);
}

static void all_sequences_are_enumerated(void)
{
    run *r = call("%s " PLAIN " --explore enumerate --size 4 right_registry", machines);
    CHECK_NUMBER(r->status, 0);
    CHECK_NUMBER(json_number(r->out, "cases"), sequences(4, 0, 0));
    free(r);
    r = call("%s " PLAIN " --explore enumerate --size 6 registry_4", machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.values.calls"), SMALLEST[3].calls);
    free(r);
    r = call("%s " PLAIN " --explore enumerate --size 3 files", machines);
    CHECK_NUMBER(r->status, 0);
    free(r);
}

static void guidance_finds_what_random_finds(void)
{
    for (size_t i = 0; i < 6; i++) {
        run *r = call("%s " PLAIN " --seed 1 --cases 50000 --explore guide %s", machines,
                      SMALLEST[i].machine);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, "failure.values.calls"), SMALLEST[i].calls);
        free(r);
    }
}

/* A machine without labels or states has nothing to be guided by. */
static void guidance_is_random_where_nothing_guides(void)
{
    static const char *const NAMES[] = { "registry_4", "registry_6", "lock", "files" };
    for (size_t i = 0; i < 4; i++)
        for (int seed = 1; seed <= (SANITIZED ? 1 : 4); seed++) {
            run *guided = call("%s " PLAIN " --seed %d --cases 20000 --explore guide %s",
                               machines, seed, NAMES[i]);
            run *plain =
                call("%s " PLAIN " --seed %d --cases 20000 %s", machines, seed, NAMES[i]);
            CHECK(json_number(plain->out, "failure.executions_before") > 0);
            CHECK_NUMBER(json_number(guided->out, "failure.executions_before"),
                         json_number(plain->out, "failure.executions_before"));
            free(guided);
            free(plain);
        }
}

static void states_guide_a_machine(void)
{
    run *plain = call("%s " PLAIN " --seed 1 --cases 3000 vault", machines);
    CHECK_NUMBER(plain->status, 0);
    free(plain);
    for (int seed = 1; seed <= (SANITIZED ? 2 : 10); seed++) {
        run *r =
            call("%s " PLAIN " --seed %d --cases 3000 --explore guide vault", machines, seed);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(
            json_text(r->out, "failure.values.calls"),
            "turn(7);\nturn(1);\nturn(4);\nturn(1);\nturn(5);\nturn(9);\nturn(2);\nturn(6);");
        free(r);
    }
}

/* Changed sequences avoid known bugs as random ones do. */
static void guidance_avoids_known_bugs(void)
{
    run *r = call("%s " PLAIN " --bugs many --seed 1 --cases 3000 --explore guide vault_of_bugs",
                  machines);
    CHECK_NUMBER(r->status, 1);
    CHECK(json_text(r->out, "failure.rule")[0] != '\0');
    CHECK(json_number(r->out, "failure.seen") < 3000 / 16);
    CHECK_HAS(r->out, "*right < 6");
    free(r);
}

/* A search that learns drops and doubles calls: preconditions hold all the same. */
static void guidance_respects_preconditions(void)
{
    for (int seed = 1; seed <= (SANITIZED ? 1 : 5); seed++) {
        run *r = call("%s " PLAIN " --seed %d --cases 20000 --explore guide --bugs many files",
                      machines, seed);
        CHECK_NUMBER(r->status, 1);
        CHECK_HAS(json_text(r->out, "failure.message"), "planted");
        CHECK(strstr(r->out, "no dead handle") == NULL &&
              strstr(r->out, "is named once") == NULL);
        CHECK(strstr(r->out, "precondition holds") == NULL &&
              strstr(r->out, "was stopped") == NULL);
        free(r);
    }
}

static void tokens_replay_sequences(void)
{
    for (size_t i = 0; i < SMALLEST_COUNT; i++) {
        run  *r = call("%s " PLAIN " --seed 2 --cases 20000 %s", machines, SMALLEST[i].machine);
        char *token = strdup(json_text(r->out, "failure.token"));
        run  *again = call("%s " PLAIN " %s --replay %s", machines, SMALLEST[i].machine, token);
        CHECK_NUMBER(again->status, 1);
        CHECK_TEXT(json_text(again->out, "failure.values.calls"), SMALLEST[i].calls);
        free(r);
        free(again);
        free(token);
    }
}

static void many_bugs_are_told_apart(void)
{
    run *r =
        call("%s --no-store --color never --seed 1 --cases 5000 --bugs many registry", machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "(6 of 6)");
    CHECK_HAS(r->out, "    calls = process *v1 = spawn();\n            register(\"a\", v1);\n");
    free(r);
}

static void classes_tell_bugs_of_one_place_apart(void)
{
    run *r = call("%s --no-store --color never --seed 1 --bugs many three_classes", machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "(3 of 3)");
    CHECK_HAS(r->out, "calls = press(0);\n");
    CHECK_HAS(r->out, "calls = press(1);\n");
    CHECK_HAS(r->out, "calls = press(2);\n");
    free(r);
    r = call("%s --no-store --color never --seed 1 --bugs many breaks_two_contracts", machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "(2 of 2)");
    CHECK_HAS(r->out, "is not symmetric");
    CHECK_HAS(r->out, "they hash differently");
    free(r);
}

/* ---- All bugs, by their rules ---- */

#define MANY PLAIN " --bugs many"
#define HUMAN "--no-store --color never --seed 1 --bugs many"

/* The calls; what makes them harmless depends on which bugs were known when it was learnt. */
static const char *const REGISTRY_RULES[] = {
    "unregister(?A)",
    "?P = spawn()\nregister(?A, ?P) | register(?B, ?P)",
    "?P = spawn()\nkill(?P)\nregister(?A, ?P)",
    "?P = spawn()\nregister(?A, ?P)\nkill(?P)\nwhereis(?A)",
    "?P = spawn()\nregister(?A, ?P)\nkill(?P)\nunregister(?A)",
};

/* How often a rule of these calls is told. */
static int times_told(const run *r, const char *calls)
{
    int    times = 0;
    char   path[40];
    size_t length = strlen(calls);
    for (int i = 0; i < 20; i++) {
        sprintf(path, "failures.%d.rule", i);
        const char *rule = json_text(r->out, path);
        times += strncmp(rule, calls, length) == 0 &&
                 (rule[length] == '\0' || strncmp(rule + length, "\n  unless", 9) == 0);
    }
    return times;
}

static void each_bug_of_a_registry_is_told_once_with_its_rule(void)
{
    for (int seed = 1; seed <= 8; seed++) {
        run *r = call("%s " MANY " --seed %d --cases 300 registry", machines, seed);
        CHECK_NUMBER(r->status, 1);
        CHECK_NUMBER(json_number(r->out, "patterns"), 6);
        for (size_t i = 0; i < sizeof REGISTRY_RULES / sizeof *REGISTRY_RULES; i++)
            CHECK_NUMBER(times_told(r, REGISTRY_RULES[i]), 1);
        CHECK(json_number(r->out, "failures.5.calls_before") < 2000);
        CHECK(strstr(r->out, "\"warnings\": []") != NULL);
        free(r);
    }
}

static void bugs_of_one_place_name_each_other(void)
{
    run *r = call("%s " HUMAN " --verbose --cases 300 registry", machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "  rule:\n    ?P = spawn()\n");
    CHECK(strstr(r->out, "same place") == NULL); /* each has an assertion of its own */
    free(r);
    r = call("%s " HUMAN " --verbose two_ways_to_fall", machines);
    CHECK_HAS(r->out, "(2 of 2)");
    CHECK_HAS(r->out, "  fails in the same place as bug 1\n");
    free(r);
}

static void rules_are_for_verbose_and_each_bug_has_a_token(void)
{
    run *r = call("%s " HUMAN " --cases 300 registry", machines);
    CHECK(strstr(r->out, "rule:") == NULL);
    CHECK(strstr(r->out, "--verbose") == NULL);     /* each bug has one way */
    CHECK_HAS(r->out, "\n  6 bugs in 300 cases, "); /* how many in all, and how long */
    free(r);
    r = call("%s " HUMAN " two_ways_to_fall", machines);
    CHECK_HAS(r->out, "(1 of 2)");
    CHECK(strstr(r->out, "(2 of 2)") == NULL);
    CHECK_HAS(r->out, "\n  1 more bug fails here: --verbose shows it\n    bug 2: ");
    const char *other = strstr(r->out, "    bug 2: ");
    CHECK(other != NULL && strstr(other, " two_ways_to_fall --replay w1") != NULL);
    free(r);
    r = call("%s " HUMAN " --cases 600 counts_users_wrongly", machines);
    const char *others = strstr(r->out, " other sequences fail here: --verbose shows them\n");
    CHECK(others != NULL);
    while (others > r->out && others[-1] >= '0' && others[-1] <= '9')
        others--;
    long wanted = others == NULL ? 0 : strtol(others, NULL, 10);
    run *all = call("%s " HUMAN " --verbose --cases 600 counts_users_wrongly", machines);
    CHECK_NUMBER(count_of(all->out, "\n    or\n"), wanted);
    CHECK(wanted > 3);
    free(all);
    free(r);
}

static void one_bug_of_many_ways_is_reported_once(void)
{
    for (int seed = 1; seed <= (SANITIZED ? 1 : 6); seed++) {
        run *r = call("%s " MANY " --seed %d --cases 600 counts_users_wrongly", machines, seed);
        CHECK_NUMBER(json_number(r->out, "patterns"), 1);
        CHECK(json_number(r->out, "failure.seen") > 10);
        CHECK_NUMBER(count_of(json_text(r->out, "failure.rule"), "\nor\n"), 31);
        free(r);
    }
}

/* Whose calls those of a known bug are among. */
static void a_way_that_is_too_long_for_a_rule_is_no_other_bug(void)
{
    for (int seed = 1; seed <= (SANITIZED ? 1 : 3); seed++) {
        run *r = call("%s " MANY " --seed %d --cases 600 box_breaks", machines, seed);
        CHECK_NUMBER(json_number(r->out, "patterns"), 1);
        CHECK(json_find(r->out, "failures.1") == NULL);
        CHECK(json_number(r->out, "failure.seen") > 2);
        free(r);
    }
}

/* Whether the tries or the clock end it. */
static void a_failure_that_is_not_shrunk_in_time_is_no_other_bug(void)
{
    static const char *const TIMES[] = { "5ms", "8ms", "20ms" };
    for (size_t i = 0; i < sizeof TIMES / sizeof *TIMES; i++) {
        run *r = call("%s " MANY " --seed 1 --cases 300 --shrink-time %s box_breaks", machines,
                      TIMES[i]);
        CHECK_NUMBER(r->status, 1);
        CHECK(json_find(r->out, "failures.1") == NULL);
        CHECK(json_find(r->out, "subsumed.1") == NULL);
        free(r);
    }
}

/* A failure that is only counted may be another bug. */
static void failures_that_no_rule_explains_are_told(void)
{
    run *r = call("%s " MANY " --seed 1 --cases 600 box_breaks", machines);
    long seen = json_number(r->out, "failure.seen");
    long unexplained = json_number(r->out, "failure.unexplained");
    char line[100];
    CHECK(unexplained > 30 && unexplained < seen);
    free(r);
    snprintf(line, sizeof line, "\n  %ld failures here are not explained by this bug's rules\n",
             unexplained);
    r = call("%s " HUMAN " --cases 600 box_breaks", machines);
    CHECK_HAS(r->out, line);
    free(r);
    r = call("%s " MANY " --seed 2 --cases 600 lock", machines); /* its one rule says it all */
    CHECK(json_number(r->out, "failure.seen") > 1);
    CHECK(json_find(r->out, "failure.unexplained") == NULL);
    free(r);
}

/* Though its file has only the ways that one run has met. */
static void ways_of_a_bug_of_a_file_are_not_told(void)
{
    const char *store = scratch_path("ways");
    free(call("%s --color never --format json --bugs many --seed 1 --cases 60 --store %s "
              "counts_users_wrongly",
              machines, store));
    for (int seed = 2; seed <= (SANITIZED ? 2 : 6); seed++) {
        run *r = call("%s " PLAIN " --bugs many --seed %d --cases 600 --known "
                      "%s counts_users_wrongly",
                      machines, seed, rules_file(store, "machines.counts_users_wrongly"));
        CHECK_NUMBER(r->status, 0);
        free(r);
    }
}

/* A rule that is named by the place of its bug is compared by that, as those of a run are. */
static void names_of_rules_say_where_they_fail(void)
{
    const char *store = scratch_path("switches");
    char        line[600];
    run *r = call("%s --color never --format json --bugs many --seed 1 --cases 200 --store %s "
                  "three_switches",
                  machines, store);
    CHECK_NUMBER(json_number(r->out, "patterns"), 3);
    free(r);
    setenv("BROKEN", "twice", 1);
    for (int named = 1; named >= 0; named--) {
        r = call("%s " PLAIN " --bugs many --seed 2 --cases 200 --known "
                 "%s three_switches",
                 machines, rules_file(store, "machines.three_switches"));
        CHECK_NUMBER(r->status, named == 1 ? 0 : 1);
        free(r);
        snprintf(line, sizeof line, "sed -i s/bug_/a_bug_/ %s",
                 rules_file(store, "machines.three_switches"));
        CHECK(system(line) == 0);
    }
    unsetenv("BROKEN");
}

static void of_calls_that_are_alike_any_may_be_the_last(void)
{
    for (int seed = 1; seed <= 3; seed++) {
        run *r = call("%s " MANY " --seed %d --cases 300 three_at_a_table", machines, seed);
        CHECK_NUMBER(json_number(r->out, "patterns"), 1);
        CHECK_HAS(json_text(r->out, "failure.rule"),
                  "(?P = enter(); sit(?P)) | (?Q = enter(); sit(?Q)) | (?R = enter(); sit(?R))\n"
                  "speak(?");
        CHECK(strstr(json_text(r->out, "failure.rule"), "or") == NULL);
        free(r);
    }
}

/* Once values are simple, calls go that were needed for the sake of others. */
static void calls_and_values_are_shrunk_in_turns(void)
{
    int calls = 0, last = seeds < 6 ? seeds : 6;
    for (int seed = 1; seed <= last; seed++) {
        run *r = call("%s " MANY " --seed %d --cases 40 ring_loses_a_byte", machines, seed);
        const char *shown = json_text(r->out, "failure.values.calls");
        CHECK(strstr(shown, "put(0 bytes)") == NULL);
        calls += count_lines(shown) + 1;
        free(r);
    }
    CHECK(calls >= last * 4 && calls <= last * 5);
}

static void a_crash_has_a_rule(void)
{
    run *r = call("%s " MANY " --seed 1 --cases 100 stack_crashes", machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_NUMBER(json_number(r->out, "patterns"), 1);
    CHECK_HAS(json_text(r->out, "failure.rule"), "unless pop() came between");
    free(r);
}

static void modes_find_what_they_can(void)
{
    static const struct {
        const char *options;
        int         least, most; /* bugs */
        bool        ruled;
    } MODES[] = {
        { "--shrink top-down --order beside --values together --guards off --results off "
          "--mean-calls 10",
          5, 9, true },
        { "--guards off --order as-is", 5, 12, true },
        { "--patterns off --shrink off --mean-calls 10", 5, 6, false },
        { "--patterns off --shrink top-down --results off --mean-calls 10", 5, 6, false },
        { "--explore feedback --patterns off --shrink off", 5, 6, false },
        { "--explore feedback", 5, 6, true },
    };
    for (size_t i = 0; i < sizeof MODES / sizeof *MODES; i += SANITIZED ? 3 : 1) {
        run *r = call("%s " MANY " --seed 1 --cases %d --jobs 2 %s registry", machines,
                      SANITIZED ? 500 : 2000, MODES[i].options);
        long bugs = 0;
        char path[40];
        do
            sprintf(path, "failures.%ld.message", bugs++);
        while (bugs < 20 && json_text(r->out, path)[0] != '\0');
        bugs--;
        CHECK_NUMBER(r->status, 1);
        CHECK(bugs >= MODES[i].least && bugs <= MODES[i].most);
        CHECK((json_text(r->out, "failure.rule")[0] != '\0') == MODES[i].ruled);
        free(r);
    }
}

static void rules_are_kept_and_dropped(void)
{
    const char *store = scratch_path("rules");
    run *r = call("%s --color never --format json --bugs many --seed 1 --cases 200 --store %s "
                  "registry",
                  machines, store);
    long first = json_number(r->out, "failures.5.calls_before");
    CHECK_NUMBER(json_number(r->out, "patterns"), 6);
    free(r);
    r = call(
        "%s --color never --format json --bugs many --seed 2 --cases 200 --store %s registry",
        machines, store);
    CHECK_NUMBER(json_number(r->out, "patterns"), 6);
    CHECK(json_number(r->out, "failures.5.calls_before") < 30 && first > 50);
    CHECK_HAS(json_text(r->out, "failure.rule"), "(");
    free(r);
    r = call("%s " PLAIN " --bugs many --seed 3 --cases 300 --known %s registry", machines,
             rules_file(store, "machines.registry"));
    CHECK_NUMBER(r->status, 0);
    CHECK_NUMBER(json_number(r->out, "patterns"), 0);
    free(r);
    r = call("%s " PLAIN " --known %s registry", machines, scratch_path("none"));
    CHECK_NUMBER(r->status, 99);
    free(r);
}

/* All files of a store's failures that have this in them, one after the other. */
static char *failures_with(const char *store, const char *text)
{
    static char all[20000];
    char        line[600];
    size_t      used = 0;
    snprintf(line, sizeof line, "cd %s/failures && cat $(grep -l '%s' *.txt | sort)", store,
             text);
    FILE *from = popen(line, "r");
    while (used + 1 < sizeof all && !feof(from))
        used += fread(all + used, 1, sizeof all - 1 - used, from);
    pclose(from);
    all[used] = '\0';
    return all;
}

static run *light(const char *broken, int seed, const char *store)
{
    setenv("BROKEN", broken, 1);
    run *r =
        call("%s --color never --format json --bugs many --seed %d --cases 100 --store %s lamp",
             machines, seed, store);
    unsetenv("BROKEN");
    CHECK_NUMBER(r->status, 1);
    CHECK_NUMBER(json_number(r->out, "patterns"), 1);
    return r;
}

static void a_stored_case_is_not_taken_by_another_bug(void)
{
    const char *store = scratch_path("lamp");
    char        first[20000], second[20000];
    free(light("button", 1, store));
    snprintf(first, sizeof first, "%s", failures_with(store, "press"));
    CHECK_HAS(first, "seed: 1\n");
    run *r = light("switch", 2, store);
    CHECK_HAS(json_text(r->out, "warnings.0"), "mended: 3 calls, the last of light, do not fail");
    CHECK_TEXT(json_text(r->out, "failure.from_store"), "false");
    free(r);
    CHECK_TEXT(failures_with(store, "press"), first);
    snprintf(second, sizeof second, "%s", failures_with(store, "turn"));
    CHECK_HAS(second, "seed: 2\n");

    r = light("button", 3, store); /* each has its own again, which stays as it was */
    CHECK_TEXT(json_text(r->out, "failure.from_store"), "true");
    free(r);
    r = light("switch", 4, store);
    CHECK_TEXT(json_text(r->out, "failure.from_store"), "true");
    free(r);
    CHECK_TEXT(failures_with(store, "press"), first);
    CHECK_TEXT(failures_with(store, "turn"), second);
}

/* A sequence that is stored as it was found ends at the call that failed, not where it was
 * planned to end. */
static void a_mended_case_is_run_and_holds(void)
{
    static const char *const HOW[] = { "--bugs many --shrink off", "--bugs one --shrink off" };
    for (size_t i = 0; i < sizeof HOW / sizeof *HOW; i++) {
        char name[20];
        snprintf(name, sizeof name, "mended%zu", i);
        const char *store = scratch_path(name);
        setenv("BROKEN", "button", 1);
        run *r = call("%s --color never --format json %s --seed 1 --cases 100 --store %s lamp",
                      machines, HOW[i], store);
        unsetenv("BROKEN");
        CHECK_NUMBER(r->status, 1);
        run *again = call("%s --replay %s", machines, json_text(r->out, "failure.token"));
        CHECK_NUMBER(again->status, 0);
        free(again);
        free(r);
        r = call("%s --color never --verbose --bugs many --seed 1 --cases 100 --store %s lamp",
                 machines, store);
        CHECK_NUMBER(r->status, 0);
        CHECK(strstr(r->out, "stale") == NULL);
        CHECK_HAS(r->out, "is mended: it does not fail any more (kept)");
        free(r);
    }
}

/* A file of rules of the registry, each under a line of its own. */
static const char *write_rules(const char *rules)
{
    const char *path = scratch_path("forbidding.rules");
    FILE       *file = fopen(path, "w");
    CHECK(file != NULL);
    if (file == NULL)
        return path;
    for (int i = 0; *rules != '\0'; i++) {
        size_t length = strcspn(rules, "\n");
        if (rules[0] != ' ') /* else it goes on */
            fprintf(file, "rule \"r%d\" of registry\n", i);
        fprintf(file, "  %.*s\n", (int)length, rules);
        rules += length + (rules[length] != '\0');
    }
    fclose(file);
    return path;
}

static void rules_that_forbid_too_much_are_told(void)
{
    static const struct {
        const char *rules, *warning;
    } CASES[] = {
        { "whereis(_)", "forbidding.rules: the rules forbid every call of whereis" },
        { "whereis(\"a\")", "" },
        { "whereis(0..4)", "forbidding.rules: the rules forbid every call of whereis" },
        { "whereis(0..3)", "" },
        { "?P = spawn(); kill(?P)", "forbidding.rules: the rules forbid every call of kill" },
        { "whereis(?A); whereis(?A)", "" },
        { "spawn()", "forbidding.rules: the rules forbid every call of spawn, register, kill" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        run *r = call("%s " MANY " --seed 1 --cases 20 --known %s registry", machines,
                      write_rules(CASES[i].rules));
        CHECK(r->status != 99);
        if (CASES[i].warning[0] != '\0')
            CHECK_HAS(json_text(r->out, "warnings.0"), CASES[i].warning);
        else
            CHECK(strstr(r->out, "the rules forbid") == NULL);
        free(r);
    }
    run *r = call("%s " MANY " --seed 1 --cases 20 --known %s registry", machines,
                  write_rules("spawn()\nwhereis(_)\nunregister(?A)"));
    CHECK_NUMBER(r->status, 99);
    CHECK_TEXT(json_text(r->out, "status"), "error");
    CHECK_HAS(json_text(r->out, "why"), "forbidding.rules: the rules forbid every call");
    free(r);
}

/* Rules that forbid everything by their guards, or after the first calls. */
static void rules_that_leave_no_call_are_told(void)
{
    run *r = call("%s " MANY " --seed 1 --cases 5 --known %s registry", machines,
                  write_rules("spawn()\nwhereis(_)\nunregister(?A)\n"
                              "register(_, _)\nkill(_)"));
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(json_text(r->out, "why"), "the rules forbid every call (rules \"r0\", \"r1\", ");
    free(r);
    r = call("%s " MANY " --seed 1 --cases 5 --known %s registry", machines,
             write_rules("spawn()\n  unless kill(_) came before\nwhereis(_)\nunregister(_)"));
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(json_text(r->out, "why"), "the rules leave no call to make (the shortest rule of ");
    CHECK_HAS(json_text(r->out, "why"), "forbidding.rules is \"r");
    free(r);
    r = call("%s " MANY " --seed 1 --cases 5 --known %s registry", machines,
             write_rules("?P = spawn(); ?Q = spawn()\nwhereis(_)\nunregister(_)\n"
                         "?P = spawn(); kill(?P)\n?P = spawn(); register(_, ?P)"));
    CHECK_HAS(r->out, "known bugs cut sequences short: 5 of 5 sequences");
    CHECK_HAS(r->out, "forbidding.rules is \\\"r1\\\"");
    free(r);
}

static void a_rule_of_no_machine_is_told(void)
{
    const char *path = scratch_path("lost.rules");
    FILE       *file = fopen(path, "w");
    CHECK(file != NULL);
    if (file == NULL)
        return;
    fputs("# two rules\nrule \"a\" of lock\n  open()\n\nrule \"b\" of regisstry\n  kill(_)\n",
          file);
    fclose(file);
    run *r = call("%s " MANY " --seed 1 --cases 5 --known %s registry", machines, path);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->err, "lost.rules:5: no machine is called regisstry; did you mean registry?");
    free(r);
}

static void nothing_left_to_call_is_said(void)
{
    run *r = call("%s " MANY " --seed 1 three_classes", machines);
    CHECK_HAS(r->out, "\"saturated\": true");
    CHECK_HAS(r->out, "known bugs cut sequences short");
    free(r);
}

static void what_depends_on_earlier_cases_is_flaky(void)
{
    run *r = call("%s " PLAIN " --seed 1 --jobs 1 depends_on_earlier_cases", machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "status"), "flaky");
    CHECK_HAS(r->out, "it is not deterministic");
    free(r);
}

static void an_interrupt_leaves_what_was_found(void)
{
    run *r =
        start("%s --no-store --color never --bugs many --seed 1 --time 300s registry", machines);
    for (int wait = 0; wait < 12000 && count_lines(so_far(r)) < 6; wait++)
        pause_ms(5);
    kill(r->pid, SIGINT);
    finish(r);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "(6 of 6)");
    free(r);
}

static void a_stored_sequence_is_tried_first(void)
{
    run *r = call("%s --color never --format json --seed 1 registry_4 --store %s", machines,
                  scratch_path("store"));
    CHECK_NUMBER(r->status, 1);
    free(r);
    r = call("%s --color never --format json --seed 2 registry_4 --store %s", machines,
             scratch_path("store"));
    CHECK_NUMBER(r->status, 1);
    CHECK_NUMBER(json_number(r->out, "failure.executions_before"), 1);
    CHECK_TEXT(json_text(r->out, "failure.values.calls"), SMALLEST[3].calls);
    free(r);
}

/* Bugs from the store are no classes of this run, and are not told twice. */
/* The shortest comes first, whichever was found first. The second has none of its commands. */
static void unlike_bugs_are_reported_first(void)
{
    bool found_later = false;
    for (int seed = 1; seed <= (SANITIZED ? 2 : 6); seed++) {
        run *r = call("%s " PLAIN " --bugs many --seed %d --cases 1000 registry", machines, seed);
        CHECK_TEXT(json_text(r->out, "failures.0.values.calls"), SMALLEST[0].calls);
        CHECK(strstr(json_text(r->out, "failures.1.values.calls"), "unregister") == NULL);
        found_later |= json_number(r->out, "failures.0.executions_before") >
                       json_number(r->out, "failures.1.executions_before");
        free(r);
    }
    CHECK(found_later);
}

static void feedback_says_when_states_tell_nothing(void)
{
    static const char *const SAID[][2] = {
        { "has_one_state", "led to the same state" },
        { "has_a_state_each", "different states: if the model holds pointers" },
    };
    for (size_t i = 0; i < 2; i++) {
        run *r =
            call("%s " PLAIN " --seed 1 --cases 300 --explore feedback %s", machines, SAID[i][0]);
        CHECK_NUMBER(r->status, 0);
        CHECK_HAS(json_text(r->out, "warnings.0"), SAID[i][1]);
        free(r);
    }
    run *r = call("%s " PLAIN " --seed 1 --cases 3000 --explore feedback handles_are_the_state",
                  machines);
    CHECK_NUMBER(r->status, 1);
    CHECK(strstr(r->out, "different states") == NULL);
    free(r);
}

/* A call has the handles of two sequences that led to other states each. */
static void feedback_joins_sequences(void)
{
    for (int seed = 1; seed <= 3; seed++) {
        run *r =
            call("%s " PLAIN " --bugs many --seed %d --cases 3000 --explore feedback registry",
                 machines, seed);
        CHECK(json_text(r->out, "failures.4.message")[0] != '\0');
        free(r);
    }
}

static void feedback_goes_on_from_the_store(void)
{
    const char *folder = scratch_path("classes");
    long        bugs[2] = { 0 };
    for (int seed = 1; seed <= 2; seed++) {
        char path[40];
        run *r =
            call("%s --color never --format json --bugs many --seed %d --cases %d --store %s "
                 "--explore feedback --patterns off --shrink off registry",
                 machines, seed, SANITIZED ? 500 : 2000, folder);
        CHECK_NUMBER(r->status, 1);
        do
            sprintf(path, "failures.%ld.message", bugs[seed - 1]++);
        while (bugs[seed - 1] < 20 && json_text(r->out, path)[0] != '\0');
        free(r);
    }
    CHECK(bugs[0] > 5);
    CHECK_NUMBER(bugs[1], bugs[0]);
}

static void the_result_does_not_depend_on_workers(void)
{
    static const char *const WAYS[] = { "--jobs 1", "--jobs 2", "--fork-each", "--no-fork" };
    char                     token[400] = "";
    for (size_t i = 0; i < 4; i++) {
        run *r = call("%s " PLAIN " --seed 3 registry_6 %s", machines, WAYS[i]);
        if (i == 0)
            snprintf(token, sizeof token, "%s", json_text(r->out, "failure.replay"));
        CHECK_TEXT(json_text(r->out, "failure.replay"), token);
        free(r);
    }
}

/* All but the time that it took. */
static void forget_seconds(char *text)
{
    for (char *at = text; (at = strstr(at, "\"seconds\": ")) != NULL;)
        for (at += 11; *at != ','; at++)
            *at = '0';
}

static void what_is_learnt_does_not_depend_on_workers(void)
{
    static const char *const WAYS[] = { "",
                                        "--explore feedback",
                                        "--explore guide",
                                        "--patterns off",
                                        "--patterns off --shrink off",
                                        "--guards off --order beside" };
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i += SANITIZED ? 2 : 1) {
        run *one = call("%s " MANY " --seed 4 --cases 600 --jobs 1 %s registry two_ways_to_fall",
                        machines, WAYS[i]);
        run *four = call("%s " MANY " --seed 4 --cases 600 --jobs 4 %s registry two_ways_to_fall",
                         machines, WAYS[i]);
        forget_seconds(one->out);
        forget_seconds(four->out);
        CHECK(strlen(one->out) > 1000 && strcmp(one->out, four->out) == 0);
        free(one);
        free(four);
    }
}

static void what_was_called_is_counted(void)
{
    run *r = call("%s --no-store --color never --seed 1 right_registry", machines);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(r->out, "  called:\n");
    CHECK_HAS(r->out, "  connected:\n");
    CHECK_HAS(r->out, "spawn, register\n");
    free(r);
    r = call("%s --no-store --color never --quiet --seed 1 stack_crashes", machines);
    CHECK_HAS(r->out, "replay: ");
    CHECK(strstr(r->out, "called:") == NULL);
    free(r);
}

static void an_observer_that_changes_the_model_fails(void)
{
    run *r = call("%s " PLAIN " --seed 1 observer_changes", misused);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(json_text(r->out, "failure.message"),
              "command \"look\" is an observer and has changed the model");
    CHECK_TEXT(json_text(r->out, "failure.values.calls"), "look();");
    free(r);
}

/* A copy of the model that nobody freed would be a leak, and so another bug. */
static void a_failing_observer_leaves_nothing_behind(void)
{
    look_for_leaks(true);
    run *r =
        call("%s " PLAIN " --seed 1 --cases 500 --calls 12 --bugs many counts_books", machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failures.1.message"), "");
    CHECK_TEXT(json_text(r->out, "failure.values.calls"), "put();\nput();\nput();\ncount(7);");
    free(r);
    r = call("%s " PLAIN " --seed 1 --cases 500 --calls 2 --bugs many ends_with_two_books",
             machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failures.1.message"), "");
    CHECK_TEXT(json_text(r->out, "failure.values.calls"), "put();\nput();");
    CHECK_TEXT(json_text(r->out, "warnings.0"), "");
    free(r);
    look_for_leaks(false);
}

static void what_was_never_called_is_said(void)
{
    static const struct {
        const char *options, *warning;
    } CASES[] = {
        { "--cases 50 lets_nobody_in", "no call was ever made: no command could be called" },
        { "--cases 50 --explore guide lets_nobody_in", "no call was ever made" },
        { "--explore enumerate --size 3 lets_nobody_in", "no call was ever made" },
        { "--explore enumerate --size 0 lets_nobody_in", "" },
        { "--cases 50 --explore feedback lets_nobody_in", "no call was ever made" },
        { "--cases 5 lets_nobody_in", "" }, /* may be chance */
        { "--cases 100 promises_and_gives_nothing",
          " calls these commands were never called: unwrap (no handle of kind gift was ever "
          "given), "
          "thank (no handle of kind gift was ever given)" },
        { "--cases 10 --calls 50 promises_and_gives_nothing", "" },
        { "--cases 100 keeps_one_out", "never called: wait_outside (its .when was never true)" },
        { "--cases 100 --depth 3 right_registry",
          "--depth has no effect without --explore enumerate" },
        { "--cases 500 right_registry", "" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        run        *r = call("%s " PLAIN " --seed 1 %s", machines, CASES[i].options);
        const char *warning = json_text(r->out, "warnings.0");
        CHECK_NUMBER(r->status, 0);
        CHECK_HAS(warning, CASES[i].warning);
        CHECK((warning[0] == '\0') == (CASES[i].warning[0] == '\0'));
        CHECK(strstr(warning, "forget") == NULL);
        free(r);
    }
}

static void values_that_are_not_alike_are_suspected(void)
{
    run *r = call("%s " PLAIN " --seed 1 --cases 200 --bugs many lengths_are_no_names", machines);
    CHECK_HAS(json_text(r->out, "warnings.0"), "came to different ends");
    CHECK_HAS(json_text(r->out, "warnings.0"), ".symmetric");
    free(r);
}

/* ---- Misuse ---- */

static void misuse_is_named(void)
{
    static const struct {
        const char *machine, *message;
    } CASES[] = {
        { "has_no_commands", "machine has_no_commands: it has no commands" },
        { "has_no_table", "machine has_no_table: it has no commands" },
        { "has_no_function", "command \"f\" has no function" },
        { "has_no_name", "command 2 has no name" },
        { "has_two_of_a_name", "two commands are called \"f\"" },
        { "has_an_empty_name", "\"\" is no name of a command: it must be one of C" },
        { "has_an_odd_name", "\"g h(\" is no name of a command" },
        { "has_a_number_for_a_name", "s::f (and the table must end with the row { 0 })" },
        { "nobody_gives", "no command gives handles of kind \"thing\"" },
        { "gives_a_value", "command \"f\" gives \"few\", which is no kind of handles" },
        { "consumes_a_value", "command \"f\" consumes argument 0, which is no handle" },
        { "consumes_too_much", "command \"f\" consumes an argument that it does not have" },
        { "kind_without_a_name", "a kind has no name" },
        { "kind_of_no_sort",
          "kind \"unsorted\" must have one of .values, .draw, .draw_in and .handle" },
        { "abstracts_what_is_symmetric",
          "kind \"names\" has .abstract, which is for values that are not .symmetric" },
        { "kind_of_two_sorts",
          "kind \"both\" must have one of .values, .draw, .draw_in and .handle" },
        { "kinds_of_a_name", "two kinds are called \"few\"" },
        { "value_with_a_contract", "which are for handles" },
        { "hash_without_equal", "kind \"hashed\" has a .hash and no .equal" },
        { "symmetric_handle", "which are for values" },
        { "has_too_many_kinds", "it has more than 64 kinds of values" },
        { "macro_of_an_unknown", "macro \"m\" calls \"g\", which is no command" },
        { "macro_of_nothing", "macro \"m\" calls nothing" },
        { "frees_and_copies_not", "of .copy, .free and .equal it must have all or none" },
        { "far_too_long", "calls is too long" },
        { "gives_without_saying", "wr_give: command \"f\" has no .gives" },
        { "gives_two", "wr_give: command \"f\" has given a handle before" },
        { "asks_a_handle_for_its_value", "wr_value: argument 0 of command \"g\" is a handle" },
        { "asks_a_value_for_its_handle", "wr_handle: argument 0 of command \"g\" is a value" },
        { "asks_for_too_much", "wr_handle: command \"g\" has no argument 0" },
        { "gives_too_early", "wr_give: no function of a command runs" },
        { "leaves_a_span_open", "wr_begin \"half\": the command returned without a wr_end" },
        { "has_no_model", "wr_model: the machine has no model: give it a .model_size" },
        { "draws_in_no_model",
          "kind \"inner\" has .draw_in, and the machine has no .model_size" },
    };
    static const char *const EXPLORERS[] = { "random", "feedback", "guide", "enumerate" };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        for (size_t by = 0; by < 4; by++) {
            if (by != 0 && by != 1 + i % 3)
                continue; /* each under two explorers */
            run *r = call("%s --no-store --color never --seed 1 %s --explore %s", misused,
                          CASES[i].machine, EXPLORERS[by]);
            CHECK_NUMBER(r->status, 99);
            if (strstr(r->out, CASES[i].message) == NULL)
                CHECK_HAS(r->err, CASES[i].message);
            free(r);
        }
}

/* Of each machine, whoever explores it: with one worker nothing is run that does not count. */
static void every_call_is_counted(void)
{
    static const char *const MODES[] = { "--explore random",
                                         "--explore guide",
                                         "--explore enumerate",
                                         "--explore feedback",
                                         "--explore random --bugs many",
                                         "--explore guide --bugs many",
                                         "--explore random --patterns off --bugs many" };
    for (size_t i = 0; i < sizeof MODES / sizeof *MODES; i++)
        for (int good = 0; good < 2; good++) {
            struct stat noted;
            CHECK(truncate("CALLS", 0) == 0 || close(creat("CALLS", 0600)) == 0);
            run *r = call("%s " PLAIN " --jobs 1 --cases 50 --seed 1 %s %s", machines, MODES[i],
                          good ? "empty_tank" : "tank");
            CHECK_NUMBER(r->status, good ? 0 : 1);
            CHECK(stat("CALLS", &noted) == 0 && noted.st_size > 0);
            CHECK_NUMBER(json_number(r->out, "calls"), (long)noted.st_size);
            free(r);
        }
    unlink("CALLS");
}

static const test TESTS[] = {
    TEST(every_seed_ends_in_the_smallest_sequence),
    TEST(a_crash_loses_no_call),
    TEST(a_crash_in_a_function_of_a_kind_is_no_chance),
    TEST(of_a_long_sequence_the_end_is_shown),
    TEST(sequences_end_where_their_log_is_full),
    TEST(three_calls_of_thousands_are_found_in_few_executions),
    TEST(tries_of_an_inquiry_are_counted),
    TEST(a_long_case_can_be_run_again_without_a_store),
    TEST(a_set_up_is_found_by_its_macro),
    TEST(nothing_wrong_is_nothing_found),
    TEST(all_sequences_are_enumerated),
    TEST(guidance_finds_what_random_finds),
    TEST(guidance_is_random_where_nothing_guides),
    TEST(states_guide_a_machine),
    TEST(guidance_avoids_known_bugs),
    TEST(guidance_respects_preconditions),
    TEST(tokens_replay_sequences),
    TEST(many_bugs_are_told_apart),
    TEST(classes_tell_bugs_of_one_place_apart),
    TEST(each_bug_of_a_registry_is_told_once_with_its_rule),
    TEST(bugs_of_one_place_name_each_other),
    TEST(rules_are_for_verbose_and_each_bug_has_a_token),
    TEST(one_bug_of_many_ways_is_reported_once),
    TEST(a_way_that_is_too_long_for_a_rule_is_no_other_bug),
    TEST(a_failure_that_is_not_shrunk_in_time_is_no_other_bug),
    TEST(failures_that_no_rule_explains_are_told),
    TEST(ways_of_a_bug_of_a_file_are_not_told),
    TEST(names_of_rules_say_where_they_fail),
    TEST(of_calls_that_are_alike_any_may_be_the_last),
    TEST(calls_and_values_are_shrunk_in_turns),
    TEST(a_crash_has_a_rule),
    TEST(modes_find_what_they_can),
    TEST(rules_are_kept_and_dropped),
    TEST(nothing_left_to_call_is_said),
    TEST(rules_that_forbid_too_much_are_told),
    TEST(rules_that_leave_no_call_are_told),
    TEST(a_rule_of_no_machine_is_told),
    TEST(what_depends_on_earlier_cases_is_flaky),
    TEST(an_interrupt_leaves_what_was_found),
    TEST(a_stored_sequence_is_tried_first),
    TEST(a_stored_case_is_not_taken_by_another_bug),
    TEST(a_mended_case_is_run_and_holds),
    TEST(unlike_bugs_are_reported_first),
    TEST(feedback_says_when_states_tell_nothing),
    TEST(feedback_joins_sequences),
    TEST(feedback_goes_on_from_the_store),
    TEST(the_result_does_not_depend_on_workers),
    TEST(what_is_learnt_does_not_depend_on_workers),
    TEST(what_was_called_is_counted),
    TEST(an_observer_that_changes_the_model_fails),
    TEST(every_call_is_counted),
    TEST(a_failing_observer_leaves_nothing_behind),
    TEST(what_was_never_called_is_said),
    TEST(values_that_are_not_alike_are_suspected),
    TEST(misuse_is_named),
};

int main(int argc, char **argv)
{
    if (argc < 4 || atoi(argv[3]) < 1) {
        fprintf(stderr, "usage: machine_test MACHINES MISUSED SEEDS [WORD...]\n");
        return 1;
    }
    machines = argv[1];
    misused = argv[2];
    seeds = atoi(argv[3]);
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 4, argc - 4);
}
