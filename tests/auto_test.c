/* tests/auto_test.c: runs of `auto` as their user meets them: the same run each time, whatever
 * the number of workers; what they find, prove and report.
 *
 *     auto_test PROPERTIES COMPARISONS WALKED REDRAWN
 */
#include "drive.h"

static const char *guided, *comparisons, *walked, *redrawn;
static bool        sanitized;

#define AUTO "--format json --color never --no-store --explore auto"

/* A report without what time has to do with, malloced. */
static char *report(const char *program, const char *options)
{
    run  *r = call("%s " AUTO " %s", program, options);
    char *text = strdup(r->out), *to = text;
    CHECK(strlen(text) > 100);
    for (const char *at = text; *at != '\0';)
        if (strncmp(at, "\"seconds\": ", 11) == 0)
            at += strcspn(at, ",");
        else
            *to++ = *at++;
    *to = '\0';
    free(r);
    return text;
}

/* ---- The same run ---- */

static void a_seed_is_a_run(void)
{
    const struct {
        const char *program, *options;
    } RUNS[] = {
        { guided, "shows_gates --cases 3000" },
        { guided, "four_gates --cases 20000" },
        { guided, "shows_nothing --cases 3000" },
        { guided, "discards_most --cases 1200" },
        { guided, "fails_and_crashes --bugs many --cases 1500" },
        { guided, "exits --bugs many --cases 1100" },
        { comparisons, "--cases 3000" },
        { walked, "looks_at_the_left_side --cases 1500" },
        { walked, "two_trees --cases 700" },
        { walked, "finite_data --cases 5000" },
    };
    static const char *const OPTIONS[] = { "--jobs 1", "--jobs 2", "--jobs 5" };
    for (size_t i = 0; i < sizeof RUNS / sizeof *RUNS; i++) {
        char line[200];
        if (sanitized && strstr(RUNS[i].options, "crashes") != NULL)
            continue; /* a sanitizer's report has addresses in it */
        snprintf(line, sizeof line, "--seed 3 --shrink off %s", RUNS[i].options);
        char *first = report(RUNS[i].program, line);
        for (size_t k = 0; k < 3; k++) {
            snprintf(line, sizeof line, "--seed 3 --shrink off %s %s", RUNS[i].options,
                     OPTIONS[k]);
            snprintf(now_testing, sizeof now_testing, "the same run: %s", line);
            char *other = report(RUNS[i].program, line);
            CHECK_TEXT(other, first);
            free(other);
        }
        free(first);
    }
}

/* ---- What it finds ---- */

static void labels_guide_a_long_run(void)
{
    run *r = call("%s " AUTO " four_gates --cases 100000 --seed 2", guided);
    CHECK_NUMBER(r->status, 1);
    free(r);
}

/* Random cases are the run's first ones, so most failures are those of a random run. */
static void its_first_cases_are_random(void)
{
    run *one = call("%s " AUTO " fails_at_the_edge --seed 4", guided);
    run *two =
        call("%s --format json --no-store --explore random fails_at_the_edge --seed 4", guided);
    if (json_number(two->out, "failure.executions_before") <= 64)
        CHECK_TEXT(json_text(one->out, "failure.token"), json_text(two->out, "failure.token"));
    free(one);
    free(two);
}

/* A small space is proved beside the random cases, which are as many as ever. */
static void a_small_space_is_proved(void)
{
    run *r = call("%s " AUTO " finite_data --seed 1 --cases 2000", walked);
    CHECK_TEXT(json_text(r->out, "status"), "proved");
    CHECK(json_number(r->out, "executions") > json_number(r->out, "cases"));
    free(r);
}

static void what_nothing_satisfies_is_given_up(void)
{
    run *r = call("%s " AUTO " nothing_satisfies_it --seed 1", redrawn);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "status"), "gave up");
    CHECK(json_number(r->out, "executions") < 1000000);
    free(r);
}

/* ---- What it reports ---- */

static void a_short_run_reports_as_a_random_one(void)
{
    run *one = call("%s " AUTO " shows_gates --seed 5", guided);
    run *two = call("%s --format json --no-store --explore random shows_gates --seed 5", guided);
    CHECK_NUMBER(json_number(one->out, "cases"), 1000);
    CHECK_TEXT(json_text(one->out, "labels"), json_text(two->out, "labels"));
    free(one);
    free(two);
}

static void a_long_run_says_what_it_tried(void)
{
    run *r = call("%s --no-store --explore auto shows_nothing --seed 1 --cases 4000", guided);
    CHECK_HAS(r->out, "\n  tried: ");
    CHECK_HAS(r->out, "\n  try next: ");
    free(r);
    r = call("%s --no-store --explore auto shows_nothing --seed 1 --cases 1000", guided);
    CHECK(strstr(r->out, "tried") == NULL);
    free(r);
    r = call("%s --no-store --explore auto shows_nothing --seed 1 --verbose", guided);
    CHECK_HAS(r->out, "executions: ");
    free(r);
}

static const test TESTS[] = {
    TEST(a_seed_is_a_run),
    TEST(labels_guide_a_long_run),
    TEST(its_first_cases_are_random),
    TEST(a_small_space_is_proved),
    TEST(what_nothing_satisfies_is_given_up),
    TEST(a_short_run_reports_as_a_random_one),
    TEST(a_long_run_says_what_it_tried),
};

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: auto_test PROPERTIES COMPARISONS WALKED REDRAWN [WORD...]\n");
        return 1;
    }
    guided = realpath(argv[1], NULL);
    comparisons = realpath(argv[2], NULL);
    walked = realpath(argv[3], NULL);
    redrawn = realpath(argv[4], NULL);
    begin_driving();
    run *list = call("%s --list", guided);
    sanitized = strstr(list->out, "leaks ") != NULL;
    free(list);
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 5, argc - 5);
}
