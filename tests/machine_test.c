/* tests/machine_test.c: machines through the command line.
 *
 *     machine_test MACHINES MISUSED SEEDS [WORD...]
 */
#include "drive.h"

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
    { "registry_4",
      "process *v1 = spawn();\nregister(\"a\", v1);\nkill(v1);\nwhereis(\"a\");" },
    { "registry_5", "process *v1 = spawn();\nregister(\"a\", v1);\nregister(\"a\", v1);" },
    { "registry_6",
      "process *v1 = spawn();\nregister(\"a\", v1);\nkill(v1);\nunregister(\"a\");" },
    { "lock", "dial(1);\ndial(3);\ndial(2);\nopen();" },
    { "files", "file_t v1 = create();\nfile_t v2 = create();\nwrite(v1, 91);\nmerge(v2, v1);" },
    { "words_are_added", "add(\"cab\");" },
    { "differs_from_itself",
      "number *v1 = zero();\nadd_one(v1);\nadd_one(v1);\nadd_one(v1);" },
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

static void of_a_long_sequence_the_end_is_shown(void)
{
    run        *r = call("%s " PLAIN " --seed 1 counts_far", machines);
    const char *calls = json_text(r->out, "failure.values.calls");
    CHECK_NUMBER(r->status, 1);
    CHECK(strncmp(calls, "...\na_call_whose", 16) == 0);
    CHECK(strlen(calls) > 2000 && strcmp(calls + strlen(calls) - 14, "t_functions();") == 0);
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
    for (size_t i = 0; i < 2; i++) { /* guided ones have about 20 calls, too */
        run *r = call("%s " PLAIN " --seed 1 --cases 60000 --calls 20 --explore %s right_registry "
                      "equality_is_right comes_to_its_end", machines, WAYS[i]);
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

/* How many sequences of up to so many calls a registry has, with so many processes and names in it
 * already; names count up to renaming. */
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

/* A search that learns drops and doubles calls: preconditions hold all the same. */
static void guidance_respects_preconditions(void)
{
    for (int seed = 1; seed <= 5; seed++) {
        run *r = call("%s " PLAIN " --seed %d --cases 20000 --explore guide --bugs many files",
                      machines, seed);
        CHECK_NUMBER(r->status, 1);
        CHECK_HAS(json_text(r->out, "failure.message"), "planted");
        CHECK(strstr(r->out, "no dead handle") == NULL && strstr(r->out, "is named once") == NULL);
        CHECK(strstr(r->out, "precondition holds") == NULL && strstr(r->out, "was stopped") == NULL);
        free(r);
    }
}

static void tokens_replay_sequences(void)
{
    for (size_t i = 0; i < SMALLEST_COUNT; i++) {
        run  *r = call("%s " PLAIN " --seed 2 --cases 20000 %s", machines, SMALLEST[i].machine);
        char *token = strdup(json_text(r->out, "failure.replay"));
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
    run *r = call("%s --no-store --color never --seed 1 --cases 5000 --bugs many registry",
                  machines);
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

static void the_result_does_not_depend_on_workers(void)
{
    static const char *const WAYS[] = { "--jobs 1", "--jobs 2", "--fork-each", "--no-fork" };
    char token[400] = "";
    for (size_t i = 0; i < 4; i++) {
        run *r = call("%s " PLAIN " --seed 3 registry_6 %s", machines, WAYS[i]);
        if (i == 0)
            snprintf(token, sizeof token, "%s", json_text(r->out, "failure.replay"));
        CHECK_TEXT(json_text(r->out, "failure.replay"), token);
        free(r);
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
        { "has_two_of_a_name", "two commands are called \"f\"" },
        { "nobody_gives", "no command gives handles of kind \"thing\"" },
        { "gives_a_value", "command \"f\" gives \"few\", which is no kind of handles" },
        { "consumes_a_value", "command \"f\" consumes argument 0, which is no handle" },
        { "consumes_too_much", "command \"f\" consumes an argument that it does not have" },
        { "kind_without_a_name", "a kind has no name" },
        { "kind_of_no_sort", "kind \"unsorted\" must have one of .values, .draw and .handle" },
        { "kind_of_two_sorts", "kind \"both\" must have one of .values, .draw and .handle" },
        { "kinds_of_a_name", "two kinds are called \"few\"" },
        { "value_with_a_contract", "which are for handles" },
        { "hash_without_equal", "kind \"hashed\" has a .hash and no .equal" },
        { "symmetric_handle", "which are for values" },
        { "macro_of_an_unknown", "macro \"m\" calls \"g\", which is no command" },
        { "macro_of_nothing", "macro \"m\" calls nothing" },
        { "frees_and_copies_not", "of .copy, .free and .equal it must have all or none" },
        { "far_too_long", "calls is too long" },
        { "gives_without_saying", "wr_give: command \"f\" has no .gives" },
        { "gives_two", "wr_give: command \"f\" has given a handle before" },
        { "asks_a_handle_for_its_value", "wr_value: argument 0 of command \"g\" is a handle" },
        { "asks_a_value_for_its_handle", "wr_handle: argument 0 of command \"g\" is a value" },
        { "asks_for_too_much", "wr_handle: command \"g\" has no argument 0" },
        { "observer_changes", "command \"look\" is an observer and has changed the model" },
        { "gives_too_early", "wr_give: no function of a command runs" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        run *r = call("%s --no-store --color never --seed 1 %s", misused, CASES[i].machine);
        CHECK_NUMBER(r->status, 99);
        if (strstr(r->out, CASES[i].message) == NULL)
            CHECK_HAS(r->err, CASES[i].message);
        free(r);
    }
}

static const test TESTS[] = {
    TEST(every_seed_ends_in_the_smallest_sequence),
    TEST(a_crash_loses_no_call),
    TEST(of_a_long_sequence_the_end_is_shown),
    TEST(a_set_up_is_found_by_its_macro),
    TEST(nothing_wrong_is_nothing_found),
    TEST(all_sequences_are_enumerated),
    TEST(guidance_finds_what_random_finds),
    TEST(guidance_respects_preconditions),
    TEST(tokens_replay_sequences),
    TEST(many_bugs_are_told_apart),
    TEST(classes_tell_bugs_of_one_place_apart),
    TEST(a_stored_sequence_is_tried_first),
    TEST(the_result_does_not_depend_on_workers),
    TEST(what_was_called_is_counted),
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
