/* tests/machine_api_test.c: the machines of machines_api.c through the command line.
 *
 *     machine_api_test MACHINES [WORD...]
 */
#include "drive.h"

static const char *machines;

#define PLAIN "--no-store --color never --format json"

/* Are these the calls? Studies of rules may leave the same calls in another order. */
static void check_calls(const char *calls, const char *expected, bool any_order)
{
    if (any_order)
        CHECK_NUMBER((long)strlen(calls), (long)strlen(expected));
    else
        CHECK_TEXT(calls, expected);
}

/* Every explorer finds the failure, and shrinks it to these calls; a token replays it. */
static void check_smallest(const char *machine, const char *calls)
{
    static const char *const WAYS[] = { "",
                                        "--seed 2",
                                        "--seed 3 --jobs 1",
                                        "--explore guide --cases 20000",
                                        "--explore feedback",
                                        "--explore enumerate --size 6",
                                        "--bugs many",
                                        "--bugs many --explore feedback" };
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++) {
        run *r = call("%s " PLAIN " --seed 1 %s %s", machines, WAYS[i], machine);
        int  before = failures;
        bool any_order = strstr(WAYS[i], "many") != NULL;
        CHECK_NUMBER(r->status, 1);
        check_calls(json_text(r->out, "failure.values.calls"), calls, any_order);
        run *again = call("%s " PLAIN " %s --replay %s", machines, machine,
                          json_text(r->out, "failure.token"));
        CHECK_NUMBER(again->status, 1);
        check_calls(json_text(again->out, "failure.values.calls"), calls, any_order);
        if (failures > before)
            printf("%s %s\n", machine, WAYS[i]);
        free(again);
        free(r);
    }
}

static void a_handle_that_was_kept_is_used_again(void)
{
    check_smallest("parcels_come_back", "parcel *v1 = pack();\nparcel *v2 = pack();\npost(v1);\n"
                                        "post(v2);\nweigh(v2);");
}

static void handles_die_with_others(void)
{
    check_smallest("leaves_die_with_their_tree", "int v1 = plant();\nint v2 = plant();\n"
                                                 "int v3 = grow(v1);\nfell(v2);\nturn(v3);");
}

static void the_system_is_apart_from_the_model(void)
{
    check_smallest("counter_counts_three", "count_up();\ncount_up();\ncount_up();\ncount_up();");
    run *r = call("%s " PLAIN " --seed 1 --explore feedback counter_is_right", machines);
    CHECK_NUMBER(r->status, 0);               /* an observer may change the system */
    CHECK(json_number(r->out, "cases") < 30); /* from four states */
    free(r);
}

static void a_callback_fails_the_call(void)
{
    check_smallest("messages_come_once", "send(0);\nsend(2);");
    run *r = call("%s " PLAIN " --seed 1 --bugs many messages_come_once", machines);
    CHECK_TEXT(json_text(r->out, "failure.message"), "message 2 was delivered twice");
    CHECK_HAS(json_text(r->out, "failure.file"), "machines_api.c");
    CHECK(json_number(r->out, "failure.line") > 0);
    CHECK_TEXT(json_text(r->out, "failure.rule"), "send(?A)\nsend(2)");
    free(r);
}

static void a_known_bug_is_no_failure(void)
{
    static const char *const WAYS[] = { "", "--bugs many", "--explore guide", "--no-fork",
                                        "--explore enumerate --size 5" };
    check_smallest("appends_but_for_a_known_bug", "append(1);\nappend(2);\nappend(1);\nread();");
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++) {
        run *r =
            call("%s " PLAIN " --seed 1 --cases 500 %s has_known_bugs_only", machines, WAYS[i]);
        CHECK_NUMBER(r->status, 0);
        CHECK_HAS(r->out, "\"append failed\": ");
        CHECK(strstr(r->out, "mended") == NULL);
        free(r);
    }
    run *r = call("%s " PLAIN " --seed 1 appends_but_for_a_known_bug", machines);
    CHECK_HAS(r->out, "\"append_later failed\": ");
    free(r);
    r = call("%s " PLAIN " --seed 1 has_a_mended_bug", machines);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(r->out, "known bug of append: expected in ");
    CHECK_HAS(r->out, "none failed: it may be mended");
    free(r);
}

static void a_call_has_several_results(void)
{
    static const char *const WAYS[] = { "--cases 2000",
                                        "--cases 500 --calls 400",
                                        "--explore guide --cases 5000",
                                        "--explore feedback --cases 500",
                                        "--explore enumerate --size 4",
                                        "--bugs many --cases 500" };
    check_smallest("pipes_have_two_ends",
                   "writer *v2; reader *v1 = make_pipe(&v2);\nput(v2, 2);\n"
                   "writer *v4; reader *v3 = make_pipe(&v4);\nget(v1);");
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++) {
        run *r = call("%s " PLAIN " --seed 1 %s cells_divide", machines, WAYS[i]);
        CHECK_NUMBER(r->status, 0);
        CHECK_HAS(r->out, "\"warnings\": []");
        free(r);
    }
}

static void rules_name_further_results(void)
{
    static const char RULE[] = "?P = make_pipe()\n?Q = make_pipe.2(?P)\nput(?Q, 2)\n"
                               "?R = make_pipe()\n?S = make_pipe.2(?R)\nget(?P)\n"
                               "  unless put(?Q, _) came between";
    run              *r = call("%s " PLAIN " --seed 1 --bugs many pipes_have_two_ends", machines);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.rule"), RULE);
    free(r);
    char path[100];
    snprintf(path, sizeof path, "%s/pipes.rules", scratch);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL &&
          fprintf(file, "rule \"pipes\" of pipes_have_two_ends\n%s\n", RULE) > 0 &&
          fclose(file) == 0);
    r = call("%s " PLAIN " --seed 1 --cases 300 --bugs many --known %s pipes_have_two_ends",
             machines, path);
    CHECK_NUMBER(r->status, 0);
    free(r);
    unlink(path);
}

static void misuse_is_named(void)
{
    static const struct {
        const char *machine, *message;
    } CASES[] = {
        { "keeps_a_value", "wr_keep: argument 0 of command \"keep\" is a value" },
        { "keeps_what_it_does_not_consume",
          "wr_keep: command \"keep\" does not consume argument 0" },
        { "ends_a_handle_twice", "wr_dead: no living handle of kind \"thing\" has the number" },
        { "has_no_system", "wr_system: the machine has no system: give it a .system_size" },
        { "is_no_machine", "wr_system_of: no machine plays" },
        { "fails_later_without_a_machine", "wr_fail_later: no machine plays" },
        { "gives_out_of_order", "must give its results in order" },
        { "gives_also_alone", "command \"give\" has a .gives_also and no .gives" },
        { "gives_more_than_it_says", "wr_give_also: command \"give\" has no .gives_also[0]" },
        { "is_like_no_command", "command \"give\" is .like \"take\", which is no other command" },
        { "is_like_one_of_other_kinds", "is .like \"give\", and takes, gives or consumes other" },
        { "is_like_one_that_is_like", "which is .like \"give\": name that one" },
        { "ends_what_it_does_not_know", "wr_dead: the machine has no such kind of handles" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        run *r = call("%s --no-store --color never --seed 1 %s", machines, CASES[i].machine);
        CHECK_NUMBER(r->status, 99);
        if (strstr(r->out, CASES[i].message) == NULL)
            CHECK_HAS(r->err, CASES[i].message);
        free(r);
    }
}

static const test TESTS[] = {
    TEST(a_handle_that_was_kept_is_used_again),
    TEST(handles_die_with_others),
    TEST(the_system_is_apart_from_the_model),
    TEST(a_callback_fails_the_call),
    TEST(a_known_bug_is_no_failure),
    TEST(a_call_has_several_results),
    TEST(rules_name_further_results),
    TEST(misuse_is_named),
};

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: machine_api_test MACHINES [WORD...]\n");
        return 1;
    }
    machines = argv[1];
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 2, argc - 2);
}
