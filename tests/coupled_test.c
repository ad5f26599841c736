/* tests/coupled_test.c: bugs that depend on numbers, through the command line: each is told once,
 * with rules that are true, so that what is behind it is found.
 *
 *     coupled_test MACHINES_COUPLED SEEDS [WORD...]
 */
#include "drive.h"
#include "sanitized.h"

static const char *coupled;
static int         seeds;

#define MANY "--no-store --color never --format json --bugs many"

/* How many failures are told whose message has this in it. */
static int times_told(const char *line, const char *message)
{
    int  times = 0;
    char path[40];
    for (int i = 0; i < 20; i++) {
        sprintf(path, "failures.%d.message", i);
        times += strstr(json_text(line, path), message) != NULL;
    }
    return times;
}

/* The rule of the bug that is not the one behind. */
static const char *first_rule(const char *line)
{
    bool behind = strstr(json_text(line, "failures.0.message"), "noted") != NULL;
    return json_text(line, behind ? "failures.1.rule" : "failures.0.rule");
}

static const struct {
    const char *machine;
    int         cases;
} MACHINES[] = {
    { "sum_of_digits", 400 },
    { "sum_of_numbers", 1500 },
    { "remainder_of_digits", 400 },
    { "remainder_of_numbers", 1500 },
    { "distance_of_digits", 400 },
    { "distance_of_numbers", 1500 },
    { "threshold_of_digits", 400 },
    { "threshold_of_numbers", 1500 },
    { "two_thresholds", 1500 },
    { "sum_that_is_large", 1500 },
    { "special_numbers", 1500 },
    { "one_of_them_is_zero", 400 },
    { "earlier_argument", 400 },
    { "index_that_is_the_size", 400 },
};

static void each_is_told_once_and_hides_nothing(void)
{
    for (size_t i = 0; i < sizeof MACHINES / sizeof *MACHINES; i += SANITIZED ? 4 : 1)
        for (int seed = 1; seed <= seeds; seed++) {
            run *r = call("%s " MANY " --seed %d --cases %d %s", coupled, seed, MACHINES[i].cases,
                          MACHINES[i].machine);
            CHECK_NUMBER(r->status, 1);
            CHECK_NUMBER(times_told(r->out, "noted != 3"), 1);
            CHECK_NUMBER(json_number(r->out, "patterns"), 2);
            if (json_number(r->out, "patterns") != 2)
                printf("%s, seed %d\n", MACHINES[i].machine, seed);
            free(r);
        }
}

static void a_rule_says_how_far_a_number_goes(void)
{
    static const char *const RULES[][2] = {
        { "threshold_of_digits", "use(6.., ?A)" },
        { "threshold_of_numbers", "use(100.., ?A)" },
        { "two_thresholds", "use(100.., ..2" },
        { "special_numbers", "use(13, ?A)\nor\nuse(77, ?A)" },
        { "index_that_is_the_size", "unless push(_) came between" },
    };
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++) {
        run *r = call("%s " MANY " --seed 1 --cases 1500 %s", coupled, RULES[i][0]);
        CHECK_HAS(first_rule(r->out), RULES[i][1]);
        free(r);
    }
}

/* All rules of a bug go to the store, and come from there. */
static void rules_of_one_bug_are_kept_together(void)
{
    const char *store = scratch_path("related");
    for (int seed = 1; seed <= 2; seed++) {
        run *r = call("%s --color never --format json --bugs many --seed %d --cases 400 --store %s "
                      "sum_of_digits", coupled, seed, store);
        CHECK_NUMBER(json_number(r->out, "patterns"), 2);
        CHECK(seed == 1 || strcmp(json_text(r->out, "failures.0.from_store"), "true") == 0);
        CHECK_HAS(first_rule(r->out), "or in other ways: 5 more");
        free(r);
    }
    run *r = call("%s " MANY " --seed 3 --cases 400 --known %s/rules/machines_coupled.sum_of_digits"
                  ".rules sum_of_digits", coupled, store);
    CHECK_NUMBER(r->status, 0);
    free(r);
}

/* The same calls fail in two places: a rule of one says nothing of the other. */
static void what_fails_elsewhere_is_another_bug(void)
{
    int both = 0;
    for (int seed = 1; seed <= (SANITIZED ? 10 : 40); seed++) {
        run *r = call("%s " MANY " --seed %d --cases 50 two_places", coupled, seed);
        both += times_told(r->out, "digit is 3") == 1 && times_told(r->out, "!m->ready") == 2;
        CHECK(strstr(r->out, "\"subsumed\": ") == NULL);
        free(r);
    }
    CHECK(both > 0);
}

/* Most cases meet such a bug whatever is known of it. They are counted, and then nothing depends on which
 * of them were run at the same time. */
static void a_bug_in_countless_ways_is_counted(void)
{
    static const char *const JOBS[] = { "1", "2", "4" };
    long calls = 0;
    for (size_t i = 0; i < sizeof JOBS / sizeof *JOBS; i++) {
        run *r = call("%s " MANY " --seed 1 --cases 1000 --jobs %s many_pieces", coupled, JOBS[i]);
        CHECK_NUMBER(r->status, 1);
        CHECK(times_told(r->out, "pieces") >= 1 && times_told(r->out, "pieces") <= 3);
        CHECK(json_number(r->out, "failures.0.seen") > 250);
        CHECK(json_number(r->out, "calls") > 1000);
        CHECK(i == 0 || json_number(r->out, "calls") == calls);
        calls = json_number(r->out, "calls");
        free(r);
    }
}

static const test TESTS[] = {
    TEST(each_is_told_once_and_hides_nothing),
    TEST(a_rule_says_how_far_a_number_goes),
    TEST(rules_of_one_bug_are_kept_together),
    TEST(what_fails_elsewhere_is_another_bug),
    TEST(a_bug_in_countless_ways_is_counted),
};

int main(int argc, char **argv)
{
    if (argc < 3 || atoi(argv[2]) < 1) {
        fprintf(stderr, "usage: coupled_test MACHINES_COUPLED SEEDS [WORD...]\n");
        return 1;
    }
    coupled = argv[1];
    seeds = atoi(argv[2]);
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 3, argc - 3);
}
