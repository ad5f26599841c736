/* tests/example_test.c: explicit cases, and words that fit no draw, through the command line.
 *
 *     example_test EXAMPLED [WORD...]
 */
#include "drive.h"

static const char *exampled;

#define PLAIN "--no-store --color never --format json --seed 1"

static void a_failing_example_is_reported_as_it_is(void)
{
    run *r = call("%s " PLAIN " sums_are_small", exampled);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.values.xs"),
               "[99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89]");
    CHECK_NUMBER(json_number(r->out, "executions"), 2);
    CHECK_NUMBER(json_number(r->out, "failure.example_line"), 16);
    CHECK_HAS(json_text(r->out, "failure.example_file"), "exampled.c");
    char *token = strdup(json_text(r->out, "failure.token"));
    run  *again = call("%s " PLAIN " sums_are_small --replay %s", exampled, token);
    CHECK_NUMBER(again->status, 1);
    CHECK_TEXT(json_text(again->out, "failure.values.n"), "11");
    free(again);
    free(token);
    free(r);
    r = call("%s --no-store --color never --seed 1 sums_are_small", exampled);
    CHECK_HAS(r->out, "the example at ");
    CHECK_HAS(r->out, "exampled.c:16");
    free(r);
}

static void examples_run_with_every_explorer_and_with_many_bugs(void)
{
    static const char *const HOW[] = { "--explore guide", "--explore enumerate --size 3",
                                       "--no-fork", "--fork-each", "--jobs 2 --bugs many" };
    for (size_t i = 0; i < sizeof HOW / sizeof *HOW; i++) {
        run *r = call("%s " PLAIN " %s sums_are_small", exampled, HOW[i]);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, "failures.0.values.n"), "11");
        free(r);
    }
    run *r = call("%s " PLAIN " crashes_on_seven", exampled);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.values.x"), "7");
    CHECK_NUMBER(json_number(r->out, "executions"), 1);
    free(r);
}

static void a_failing_example_tells_of_a_name_that_no_draw_had(void)
{
    run *r = call("%s --no-store --color never --seed 1 fails_with_a_misspelt_name", exampled);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "\n    x = 62037\n");
    CHECK_HAS(r->out, " says \"zz = 1\", and no draw before the failure has this name\n");
    free(r);
}

static void a_failing_example_is_not_stored(void)
{
    run *r =
        call("%s --store %s/examples --format json --seed 1 sums_are_small", exampled, scratch);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.stored"), "");
    free(r);
}

static void examples_that_hold_change_nothing_else(void)
{
    run *r = call("%s " PLAIN " holds", exampled);
    CHECK_NUMBER(r->status, 0);
    CHECK_NUMBER(json_number(r->out, "cases"), 1000);
    free(r);
}

static void a_token_is_an_example(void)
{
    run *r = call("%s " PLAIN " by_token", exampled);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.values.x"), "123456");
    CHECK_NUMBER(json_number(r->out, "executions"), 1);
    free(r);
}

static void an_example_that_cannot_be_run_is_an_error(void)
{
    static const char *const WRONG[][2] = {
        { "by_a_foreign_token", "the token is of another property" },
        { "by_a_damaged_token", "exampled.c:" },
        { "by_a_value_without_a_sign", "expected NAME = VALUE, or a token" },
        { "has_an_unknown_name", "\\\"y = 3\\\"): no draw has this name; draws are called x" },
        { "has_an_unknown_name", "\\\"z = 3\\\"): no draw has this name; draws are called x" },
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        run *r = call("%s " PLAIN " %s", exampled, WRONG[i][0]);
        CHECK_NUMBER(r->status, 99);
        CHECK_TEXT(json_text(r->out, "status"), "error");
        CHECK_HAS(r->out, WRONG[i][1]);
        CHECK_HAS(r->out, "WR_EXAMPLE(");
        CHECK_TEXT(json_text(r->out, "failure.replay"), ""); /* there is no such case */
        free(r);
    }
    run *r = call("%s " PLAIN " discards_its_example", exampled);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(r->out, "is discarded by a precondition");
    free(r);
}

static void words_that_fit_no_draw_are_named(void)
{
    static const char *const HOW[] = { "", "--explore guide", "--explore enumerate --size 8",
                                       "--jobs 2" };
    for (size_t i = 0; i < sizeof HOW / sizeof *HOW; i++) {
        run *r = call("%s " PLAIN " gives_words %s", exampled, HOW[i]);
        CHECK_NUMBER(r->status, 0);
        CHECK_HAS(r->out, "fit no draw");
        CHECK_HAS(r->out, "\\\"waytoolong\\\"");
        CHECK_HAS(r->out, "\\\"&amp;\\\"");
        CHECK(strstr(r->out, "\\\"select\\\"") == NULL);
        free(r);
    }
}

static const test TESTS[] = {
    TEST(a_failing_example_is_reported_as_it_is),
    TEST(examples_run_with_every_explorer_and_with_many_bugs),
    TEST(a_failing_example_tells_of_a_name_that_no_draw_had),
    TEST(a_failing_example_is_not_stored),
    TEST(examples_that_hold_change_nothing_else),
    TEST(a_token_is_an_example),
    TEST(an_example_that_cannot_be_run_is_an_error),
    TEST(words_that_fit_no_draw_are_named),
};

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: example_test EXAMPLED [WORD...]\n");
        return 1;
    }
    exampled = argv[1];
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 2, argc - 2);
}
