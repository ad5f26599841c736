/* tests/faults_test.c: calls that fail, through the command line.
 *
 *     faults_test FAULTY FAULTLESS [WORD...]
 */
#include "drive.h"
#include "sanitized.h"

static const char *faulty, *faultless;

#define PLAIN "--no-store --color never --seed 1"
#define JSON PLAIN " --format json"

static void every_explorer_makes_calls_fail(void)
{
    static const char *const EXPLORERS[] = { "random", "guide", "enumerate", "combine",
                                             "restart" };
    for (size_t i = 0; i < sizeof EXPLORERS / sizeof *EXPLORERS; i++) {
        run *r =
            call("%s " JSON " the_fifth_matters --cases 3000 --explore %s", faulty, EXPLORERS[i]);
        CHECK_TEXT(json_text(r->out, "status"), "failed");
        CHECK_TEXT(json_text(r->out, "failure.values.n"), "5");
        CHECK_TEXT(json_text(r->out, "failure.values.fault"), "5");
        free(r);
    }
}

static void properties_hold(void)
{
    run *r = call("%s " PLAIN " --check-coverage one_of_six all_from_one_on up_to_two "
                  "only_own_calls reasons an_hour_there_and_back streams_know "
                  "each_stream_is_new",
                  faulty);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(r->out, "8 held");
    CHECK(strstr(r->out, "never true") == NULL && strstr(r->err, "never true") == NULL);
    free(r);
}

/* A fault of one case is none of the next, and a first pass is no case that was refuted. */
static void cases_stand_alone(void)
{
    static const char *const EXPLORERS[] = { "random", "guide", "enumerate", "combine", "auto" };
    for (size_t i = 0; i < sizeof EXPLORERS / sizeof *EXPLORERS; i++) {
        run *r = call("%s " JSON " each_begins_on_time --cases 400 --explore %s", faulty,
                      EXPLORERS[i]);
        CHECK_NUMBER(r->status, 0);
        CHECK_NUMBER(json_number(r->out, "redrawn"), 0);
        run *with = call("%s " JSON " each_begins_on_time --cases 400 --jobs 3 --explore %s",
                         faulty, EXPLORERS[i]);
        CHECK_NUMBER(json_number(with->out, "executions"), json_number(r->out, "executions"));
        free(with);
        free(r);
    }
}

static void an_enumeration_runs_each_fault_once(void)
{
    run *r = call("%s " JSON " one_of_six --explore enumerate", faulty);
    CHECK_TEXT(json_text(r->out, "status"), "proved");
    CHECK_NUMBER(json_number(r->out, "cases"), 7);
    free(r);
    r = call("%s " JSON " up_to_two --explore enumerate", faulty);
    CHECK_TEXT(json_text(r->out, "status"), "proved");
    CHECK_NUMBER(json_number(r->out, "cases"), 1 + 4 + 6);
    free(r);
}

static void the_report_names_the_call(void)
{
    run *r = call("%s " PLAIN " the_fifth_matters", faulty);
    CHECK_HAS(r->out, "    n     = 5\n    fault = 5\n");
    CHECK_HAS(r->out, "note: the 5th allocation fails: malloc()");
    free(r);
    r = call("%s " PLAIN " the_third_way_matters", faulty);
    CHECK_HAS(r->out, "    fault      = 1\n    fault: how = 2\n");
    free(r);
    r = call("%s " JSON " the_fifth_matters", faulty);
    run *again = call("%s --no-store --color never the_fifth_matters --replay %s", faulty,
                      json_text(r->out, "failure.token"));
    CHECK_NUMBER(again->status, 1);
    CHECK_HAS(again->out, "the 5th allocation fails: malloc()");
    free(again);
    free(r);
}

static void jobs_change_nothing(void)
{
    run *one = call("%s " JSON " the_fifth_matters --jobs 1", faulty);
    run *three = call("%s " JSON " the_fifth_matters --jobs 3", faulty);
    CHECK_TEXT(json_text(one->out, "failure.replay"), json_text(three->out, "failure.replay"));
    CHECK_NUMBER(json_number(one->out, "failure.executions_after"),
                 json_number(three->out, "failure.executions_after"));
    free(one);
    free(three);
}

static void in_this_process_and_in_one_each(void)
{
    run *r = call("%s " JSON " the_fifth_matters --no-fork", faulty);
    CHECK_TEXT(json_text(r->out, "failure.values.fault"), "5");
    free(r);
    r = call("%s " JSON " the_fifth_matters --fork-each --cases 60", faulty);
    CHECK_TEXT(json_text(r->out, "failure.values.fault"), "5");
    free(r);
}

static void what_is_kept_shifts_no_number(void)
{
    run *r = call("%s " JSON " lazily", faulty);
    CHECK_TEXT(json_text(r->out, "status"), "failed");
    CHECK_TEXT(json_text(r->out, "failure.values.fault"), "3");
    free(r);
}

static void an_option_of_the_property(void)
{
    run *r = call("%s " JSON " by_option", faulty);
    CHECK_TEXT(json_text(r->out, "failure.values.fault"), "1");
    free(r);
}

static void a_leak_after_a_fault_is_a_failure(void)
{
    run *r = call("%s " JSON " leaks_when_it_fails", faulty);
    CHECK_TEXT(json_text(r->out, "status"), SANITIZED ? "failed" : "held");
    if (SANITIZED)
        CHECK_TEXT(json_text(r->out, "failure.values.fault"), "2");
    free(r);
}

static void a_machine_shows_and_names_the_fault(void)
{
    run *r = call("%s " JSON " stacks --bugs many --cases 400", faulty);
    CHECK_TEXT(json_text(r->out, "failures.0.values.calls"),
               "stack *v1 = make();\npush(v1, 3); /* the 1st allocation fails: realloc() */\n"
               "check(v1);");
    CHECK_HAS(json_text(r->out, "failures.0.rule"), "push(?P, 3, fault 1)");
    free(r);
}

static void misuse_is_one_line(void)
{
    static const char *const LINES[][2] = {
        { "misuse_twice", "wr_faults: calls can fail already: first wr_faults_end()" },
        { "misuse_end", "wr_faults_end: no call can fail: there was no wr_faults()" },
        { "misuse_which", "wr_faults: .which is no sum of WR_FAULT_ constants" },
        { "misuse_most", "wr_faults: .most is above 8" },
        { "misuse_within", "machine misuse_within: .faults: .within is above 63" },
        { "misuse_options",
          "machine misuse_options: it has .options.faults: a machine has .faults" },
        { "misuse_in_call", "wr_faults: calls can fail already: first wr_faults_end()" },
    };
    run *r;
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        r = call("%s " PLAIN " %s", faulty, LINES[i][0]);
        CHECK_NUMBER(r->status, 99);
        CHECK_HAS(r->out, LINES[i][1]);
        free(r);
    }
    r = call("%s " PLAIN, faultless);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->out, "no file of the program includes <warren/faults.h>");
    free(r);
}

static const test TESTS[] = {
    TEST(every_explorer_makes_calls_fail),
    TEST(properties_hold),
    TEST(cases_stand_alone),
    TEST(an_enumeration_runs_each_fault_once),
    TEST(the_report_names_the_call),
    TEST(jobs_change_nothing),
    TEST(in_this_process_and_in_one_each),
    TEST(what_is_kept_shifts_no_number),
    TEST(an_option_of_the_property),
    TEST(a_leak_after_a_fault_is_a_failure),
    TEST(a_machine_shows_and_names_the_fault),
    TEST(misuse_is_one_line),
};

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: faults_test FAULTY FAULTLESS [WORD...]\n");
        return 1;
    }
    faulty = argv[1];
    faultless = argv[2];
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 3, argc - 3);
}
