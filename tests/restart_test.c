/* tests/restart_test.c: --explore restart and --explore radix through the command line.
 *
 *     restart_test WALKED [WORD...]
 */
#include "drive.h"

static const char *walked;

#define PLAIN "--no-store --color never --format json --seed 1"

static run *explore(const char *property, const char *options)
{
    run *r = call("%s " PLAIN " %s %s", walked, options, property);
    snprintf(now_testing, sizeof now_testing, "%s %s", property, options);
    CHECK(r->signal == 0);
    return r;
}

static const char *const BOTH[] = { "--explore restart --cases 3000 --size 14",
                                    "--explore radix --size 11 --budget 300" };

static void both_find_a_failure_and_its_token_replays(void)
{
    for (size_t i = 0; i < 2; i++) {
        run *r = explore("has_fewer_than_five_nodes", BOTH[i]);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, "status"), "failed");
        run *again = call("%s " PLAIN " has_fewer_than_five_nodes --replay %s", walked,
                          json_text(r->out, "failure.token"));
        CHECK_NUMBER(again->status, 1);
        free(again);
        free(r);
    }
}

static void a_crash_is_found_and_confirmed(void)
{
    for (size_t i = 0; i < 2; i++) {
        run *r = explore("crashes_on_a_deep_right_side", BOTH[i]);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, "status"), "failed");
        free(r);
    }
}

static void the_result_does_not_depend_on_jobs(void)
{
    static const char *const PROPERTIES[] = {
        "closed_terms_required",     "two_trees",          "a_list",
        "has_fewer_than_five_nodes", "draws_after_a_tree", "a_bug_of_draws_and_two_trees"
    };
    static const char *const FIELDS[] = { "status", "cases", "discarded", "executions",
                                          "failure.executions_before" };
    for (size_t i = 0; i < sizeof PROPERTIES / sizeof *PROPERTIES; i++)
        for (size_t by = 0; by < 2; by++) {
            char options[100];
            run *one, *more;
            snprintf(options, sizeof options, "%s --jobs 1", BOTH[by]);
            one = explore(PROPERTIES[i], options);
            snprintf(options, sizeof options, "%s --jobs 3", BOTH[by]);
            more = explore(PROPERTIES[i], options);
            for (size_t k = 0; k < sizeof FIELDS / sizeof *FIELDS; k++) {
                char *expected = strdup(json_text(one->out, FIELDS[k]));
                CHECK_TEXT(json_text(more->out, FIELDS[k]), expected);
                free(expected);
            }
            free(one);
            free(more);
        }
}

static void radix_combines_draws_with_the_tops_of_trees(void)
{
    run *r = explore("a_bug_of_draws_and_two_trees",
                     "--explore radix --strength 2 --fineness 2 --size 12 --cases 100000");
    CHECK_TEXT(json_text(r->out, "status"), "failed");
    run *again = call("%s " PLAIN " a_bug_of_draws_and_two_trees --replay %s", walked,
                      json_text(r->out, "failure.token"));
    CHECK_NUMBER(again->status, 1);
    free(again);
    free(r);
}

/* Two trees with a path of five each have millions of combinations of six digits. */
static void a_strength_that_takes_too_long_is_lowered(void)
{
    run *r =
        explore("two_terms", "--explore radix --strength 6 --fineness 8 --budget 50 --size 8 "
                             "--cases 200");
    CHECK_TEXT(json_text(r->out, "status"), "held");
    free(r);
}

static void restart_takes_any_property(void)
{
    static const char *const PROPERTIES[] = {
        "a_byte_and_a_flag", "a_list", "unique_numbers", "a_real",
        "weighted_picks",    "texts",  "names",          "addresses"
    };
    for (size_t i = 0; i < sizeof PROPERTIES / sizeof *PROPERTIES; i++) {
        run *r = explore(PROPERTIES[i], "--explore restart --cases 500 --jobs 1");
        CHECK_TEXT(json_text(r->out, "status"), "held");
        CHECK_NUMBER(json_number(r->out, "cases"), 500);
        CHECK_NUMBER(json_number(r->out, "discarded"), 0);
        free(r);
    }
}

static void restart_gives_up_if_nothing_is_met(void)
{
    run *r = explore("nothing_is_met", "--explore restart --cases 10 --jobs 1");
    CHECK_TEXT(json_text(r->out, "status"), "gave up");
    free(r);
}

static void swarm_and_learning_are_options(void)
{
    run *both = explore("closed_terms_required", "--explore restart --cases 3000");
    run *none = explore("closed_terms_required",
                        "--explore restart --cases 3000 --swarm off --learn off");
    CHECK_NUMBER(json_number(both->out, "cases"), 3000);
    CHECK_NUMBER(json_number(none->out, "cases"), 3000);
    CHECK(json_number(both->out, "executions") < json_number(none->out, "executions"));
    free(both);
    free(none);
}

/* The paths of one constructor part the trees: each is in one row. The 64 runs that look for the
 * trees come before. */
static void rows_of_one_constructor_have_all_cases(void)
{
    run *r = explore("looks_at_all",
                     "--explore radix --size 13 --strength 1 --fineness 1 --cases 100000");
    CHECK_TEXT(json_text(r->out, "status"), "held");
    CHECK_NUMBER(json_number(r->out, "cases"), 197 + 64);
    free(r);
}

static void a_strength_that_is_too_high_is_told(void)
{
    run *r = explore("looks_at_all", "--explore radix --size 9 --strength 9 --fineness 1");
    CHECK_NUMBER(r->status, 0);
    CHECK(strstr(r->out, "of strength 1 and fineness 1") != NULL);
    free(r);
}

static void bad_options_get_one_line_and_99(void)
{
    static const char *const BAD[] = { "--fineness 0", "--fineness 17",
                                       "--budget 0",   "--swarm maybe",
                                       "--learn 1",    "--explore radix --exactly --size 3" };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        run *r = explore("looks_at_all", BAD[i]);
        CHECK_NUMBER(r->status, 99);
        free(r);
    }
}

static const test TESTS[] = {
    TEST(both_find_a_failure_and_its_token_replays),
    TEST(a_crash_is_found_and_confirmed),
    TEST(the_result_does_not_depend_on_jobs),
    TEST(restart_takes_any_property),
    TEST(radix_combines_draws_with_the_tops_of_trees),
    TEST(a_strength_that_takes_too_long_is_lowered),
    TEST(restart_gives_up_if_nothing_is_met),
    TEST(swarm_and_learning_are_options),
    TEST(rows_of_one_constructor_have_all_cases),
    TEST(a_strength_that_is_too_high_is_told),
    TEST(bad_options_get_one_line_and_99),
};

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: restart_test WALKED [WORD...]\n");
        return 1;
    }
    walked = argv[1];
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 2, argc - 2);
}
