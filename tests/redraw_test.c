/* tests/redraw_test.c: refuted trees that are drawn again, through the command line.
 *
 *     redraw_test REDRAWN [WORD...]
 */
#include "drive.h"
#include "sanitized.h"

static const char *redrawn;

#define PLAIN "--no-store --color never --format json --explore random"

/* The value of a name in the smallest failing case; its token replays it. */
static void fails_with(const char *property, const char *options, const char *name,
                       const char *value)
{
    char path[100];
    snprintf(path, sizeof path, "failure.values.%s", name);
    for (int seed = 1; seed <= (SANITIZED ? 1 : 3); seed++) {
        run *r =
            call("%s " PLAIN " --cases 5000 --seed %d %s %s", redrawn, seed, options, property);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, "status"), "failed");
        CHECK_TEXT(json_text(r->out, path), value);
        char *token = strdup(json_text(r->out, "failure.token"));
        run  *again = call("%s " PLAIN " %s --replay %s", redrawn, property, token);
        CHECK_NUMBER(again->status, 1);
        CHECK_TEXT(json_text(again->out, path), value);
        CHECK_NUMBER(json_number(again->out, "executions"), 1);
        free(again);
        free(r);
        free(token);
    }
}

#define SIX "(. 0 (. 1 (. 2 (. 3 (. 4 (. 5 .))))))"
#define FIVE "(. 0 (. 1 (. 2 (. 3 (. 4 .)))))"

static void failures_of_redrawn_cases_are_confirmed_shrunk_and_replayed(void)
{
    fails_with("search_trees_have_fewer_than_six_nodes", "", "e", SIX);
    fails_with("search_trees_have_fewer_than_six_nodes", "--redraw skewed", "e", SIX);
    run *off = call("%s " PLAIN " --cases 500 --seed 1 --redraw off %s", redrawn,
                    "search_trees_have_fewer_than_six_nodes");
    CHECK_NUMBER(off->status, 0);
    free(off);
}

static void crashes_of_redrawn_cases_too(void)
{
    fails_with("crashes_on_five_nodes", "", "e", FIVE);
    run *r = call("%s " PLAIN " --seed 1 crashes_on_five_nodes", redrawn);
    CHECK_HAS(json_text(r->out, "failure.message"), SANITIZED ? "invalid access" : "SIGSEGV");
    free(r);
    fails_with("crashes_on_five_nodes", "--redraw skewed --jobs 1", "after", "0");
    fails_with("crashes_while_it_is_refuted", "", "e", "((_ 6 _) 5 _)");
}

static void what_fails_only_after_refuted_runs_is_flaky(void)
{
    run *r = call("%s " PLAIN " --seed 1 --fork-each remembers_its_runs", redrawn);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "status"), "flaky");
    CHECK_HAS(r->out, "it depends on earlier runs");
    free(r);
    r = call("%s " PLAIN " --seed 1 --fork-each --cases 100 --redraw off remembers_its_runs",
             redrawn);
    CHECK_NUMBER(r->status, 0);
    free(r);
}

static void every_run_is_set_up_and_torn_down(void)
{
    run *r = call("%s " PLAIN " --seed 1 every_run_is_closed", redrawn);
    CHECK_NUMBER(r->status, 0);
    CHECK(json_number(r->out, "redrawn") > 1000);
    free(r);
}

/* What two runs of the program tell, but for how long it took. */
static void same(run *a, run *b, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        CHECK_TEXT(json_text(a->out, names[i]), json_text(b->out, names[i]));
}

static void the_result_does_not_depend_on_workers(void)
{
    static const char *const COUNTED[] = { "cases",    "discarded", "executions", "redrawn",
                                           "labels.0", "labels.1",  "labels.2",   "labels.3",
                                           "labels.4", "labels.5",  "labels.6" };
    static const char *const FAILED[] = { "cases",
                                          "discarded",
                                          "executions",
                                          "redrawn",
                                          "failure.replay",
                                          "failure.executions_before",
                                          "failure.executions_after" };
    static const char *const MANNERS[] = { "uniform", "skewed", "off" };
    for (size_t i = SANITIZED ? 1 : 0; i < (SANITIZED ? 2 : 3); i++) {
        run *one = call("%s " PLAIN " --seed 7 --jobs 1 --redraw %s search_trees_are_counted",
                        redrawn, MANNERS[i]);
        run *two = call("%s " PLAIN " --seed 7 --jobs 2 --redraw %s search_trees_are_counted",
                        redrawn, MANNERS[i]);
        run *here = call("%s " PLAIN " --seed 7 --no-fork --redraw %s search_trees_are_counted",
                         redrawn, MANNERS[i]);
        same(one, two, COUNTED, sizeof COUNTED / sizeof *COUNTED);
        same(one, here, COUNTED, sizeof COUNTED / sizeof *COUNTED);
        CHECK((json_number(one->out, "redrawn") > 0) == (i < 2));
        long ran = json_number(one->out, "cases") + json_number(one->out, "discarded") +
                   json_number(one->out, "redrawn");
        CHECK_NUMBER(json_number(one->out, "executions"), ran + 2); /* health asks twice */
        CHECK(json_number(one->out, "labels.4") > 5 || i == 2);
        free(one);
        free(two);
        free(here);
        one = call("%s " PLAIN " --seed 7 --jobs 1 --redraw %s --cases 3000 "
                   "search_trees_have_fewer_than_six_nodes",
                   redrawn, MANNERS[i]);
        two = call("%s " PLAIN " --seed 7 --jobs 3 --redraw %s --cases 3000 "
                   "search_trees_have_fewer_than_six_nodes",
                   redrawn, MANNERS[i]);
        same(one, two, FAILED, sizeof FAILED / sizeof *FAILED);
        free(one);
        free(two);
    }
}

/* The first 256 cases are drawn again in vain; no others. */
static void what_nothing_satisfies_is_given_up_soon(void)
{
    run *r = call("%s " PLAIN " --seed 1 nothing_satisfies_it", redrawn);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "status"), "gave up");
    CHECK_NUMBER(json_number(r->out, "discarded"), 22000);
    CHECK(json_number(r->out, "redrawn") > 0 && json_number(r->out, "redrawn") <= 9 * 4096);
    free(r);
}

static void a_property_and_the_command_line_can_ask(void)
{
    run *own = call("%s " PLAIN " --seed 1 asks_for_it_itself", redrawn);
    run *given = call("%s " PLAIN " --seed 1 --redraw uniform asks_for_it_itself", redrawn);
    run *wrong = call("%s --redraw sometimes", redrawn);
    CHECK_NUMBER(json_number(own->out, "redrawn"), 0);
    CHECK(json_number(given->out, "redrawn") > 1000);
    CHECK_NUMBER(wrong->status, 99);
    CHECK_HAS(wrong->err, "expected uniform, skewed or off");
    free(own);
    free(given);
    free(wrong);
}

static const test TESTS[] = {
    TEST(failures_of_redrawn_cases_are_confirmed_shrunk_and_replayed),
    TEST(crashes_of_redrawn_cases_too),
    TEST(what_fails_only_after_refuted_runs_is_flaky),
    TEST(every_run_is_set_up_and_torn_down),
    TEST(the_result_does_not_depend_on_workers),
    TEST(what_nothing_satisfies_is_given_up_soon),
    TEST(a_property_and_the_command_line_can_ask),
};

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: redraw_test REDRAWN [WORD...]\n");
        return 1;
    }
    redrawn = argv[1];
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 2, argc - 2);
}
