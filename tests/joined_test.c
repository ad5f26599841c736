/* tests/joined_test.c: --join tells failures of one cause as one bug, and others apart.
 *
 *     joined_test MACHINES SEEDS [WORD...]
 */
#include "drive.h"

static const char *machines;
static int         seeds;

#define MANY "--no-store --color never --bugs many --cases 1000"
#define FEW "--no-store --color never --bugs many --cases 100"
#define JOINED MANY " --format json --join on"

/* How many failures a line of JSON lists. */
static int bugs_in(const char *line)
{
    char path[40];
    int  count = 0;
    for (;; count++) {
        sprintf(path, "failures.%d.line", count);
        if (json_number(line, path) < 0)
            return count;
    }
}

static void what_many_commands_notice_is_one_bug(void)
{
    for (int seed = 1; seed <= seeds; seed++) {
        run *apart = call("%s " MANY " --format json --seed %d groups", machines, seed);
        run *r = call("%s " JOINED " --seed %d groups", machines, seed);
        CHECK(bugs_in(apart->out) > 1);
        CHECK_NUMBER(bugs_in(r->out), 1);
        CHECK_HAS(json_text(r->out, "failures.0.values.calls"), "open();\nopen();\nclose();\n");
        CHECK(json_number(r->out, "failures.0.ways.0.line") > 0);
        free(apart);
        free(r);
    }
}

/* Each way is a case of its own. */
static void a_way_has_a_token(void)
{
    char token[400];
    run *r = call("%s " JOINED " --seed 1 groups", machines);
    snprintf(token, sizeof token, "%s", json_text(r->out, "failures.0.ways.0.token"));
    long line = json_number(r->out, "failures.0.ways.0.line");
    free(r);
    r = call("%s --no-store --format json groups --replay %s", machines, token);
    CHECK_NUMBER(r->status, 1);
    CHECK_NUMBER(json_number(r->out, "failure.line"), line);
    free(r);
}

static void a_report_has_a_line_for_each_way(void)
{
    run *r = call("%s " MANY " --join on --seed 1 groups", machines);
    CHECK_HAS(r->out, "  also at ");
    CHECK_HAS(r->out, " groups --replay w1");
    CHECK(strstr(r->out, " of 2)") == NULL);
    free(r);
}

static void commands_that_do_the_same_are_one(void)
{
    for (int seed = 1; seed <= seeds; seed++) {
        run *r = call("%s " JOINED " --seed %d lines", machines, seed);
        CHECK_NUMBER(bugs_in(r->out), 1);
        free(r);
    }
}

/* The table says so: no test has to find out. "read" and "look" fail in one place, too. */
static void commands_that_are_like_each_other_are_one(void)
{
    for (int seed = 1; seed <= seeds; seed++) {
        run *r = call("%s " FEW " --format json --seed %d texts", machines, seed);
        CHECK_NUMBER(bugs_in(r->out), 1);
        CHECK(strstr(json_text(r->out, "failures.0.rule"), "prepend") == NULL);
        free(r);
    }
}

static void two_bugs_of_one_place_stay_two(void)
{
    for (int seed = 1; seed <= seeds; seed++) {
        run *r = call("%s " JOINED " --seed %d two_pages", machines, seed);
        CHECK_NUMBER(bugs_in(r->out), 2);
        free(r);
    }
}

static void two_commands_that_are_wrong_stay_two(void)
{
    for (int seed = 1; seed <= seeds; seed++) {
        run *r = call("%s " JOINED " --seed %d two_looks", machines, seed);
        CHECK_NUMBER(bugs_in(r->out), 2);
        free(r);
    }
}

/* The rule of the first one forbids two calls of span(), as it cannot say "within". Cases that
 * heed it come to the second one far later. */
static void a_rule_that_is_too_wide_hides_no_bug(void)
{
    for (int seed = 1; seed <= 3; seed += 2) {
        run *r = call("%s " FEW " --format json --join on --seed %d spans", machines, seed);
        CHECK_NUMBER(bugs_in(r->out), 2);
        free(r);
    }
}

static void are_alike_with_two_workers(const char *machine)
{
    run  *one = call("%s " FEW " --join on --verbose --seed 3 --jobs 1 %s", machines, machine);
    run  *two = call("%s " FEW " --join on --verbose --seed 3 --jobs 2 %s", machines, machine);
    char *end = strstr(one->out, "executions,"); /* times follow */
    CHECK(end != NULL && strncmp(one->out, two->out, (size_t)(end - one->out)) == 0);
    free(one);
    free(two);
}

static void workers_do_not_matter(void)
{
    are_alike_with_two_workers("groups");
    are_alike_with_two_workers("spans");
}

static const test TESTS[] = {
    TEST(what_many_commands_notice_is_one_bug),
    TEST(a_way_has_a_token),
    TEST(a_report_has_a_line_for_each_way),
    TEST(commands_that_do_the_same_are_one),
    TEST(commands_that_are_like_each_other_are_one),
    TEST(two_bugs_of_one_place_stay_two),
    TEST(two_commands_that_are_wrong_stay_two),
    TEST(a_rule_that_is_too_wide_hides_no_bug),
    TEST(workers_do_not_matter),
};

int main(int argc, char **argv)
{
    if (argc < 3 || atoi(argv[2]) < 1) {
        fprintf(stderr, "usage: joined_test MACHINES SEEDS [WORD...]\n");
        return 1;
    }
    machines = argv[1];
    seeds = atoi(argv[2]);
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 3, argc - 3);
}
