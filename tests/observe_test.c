/* tests/observe_test.c: what properties and the code under test show is counted, told, judged.
 *
 *     observe_test OBSERVED PROMISING [WORD...]
 */
#include "drive.h"
#include "sanitized.h"

static const char *observed, *promising;

#define PLAIN "--no-store --color never --seed 1"

/* From "labels" to the end of the property's line: everything observed, and nothing that takes
 * time. malloced. */
static char *shown(const char *options)
{
    run        *r = call("%s --format json " PLAIN " %s", observed, options);
    const char *from = strstr(r->out, "\"labels\"");
    char       *text = strdup(from == NULL ? r->out : from);
    free(r);
    return text;
}

static void everything_is_counted_once_a_case(void)
{
    run        *r = call("%s --format json " PLAIN " shows_much", observed);
    const char *out = r->out;
    CHECK_TEXT(json_text(out, "status"), "held");
    CHECK_NUMBER(json_number(out, "labels.a constant, 100%"), 1000);
    CHECK_NUMBER(json_number(out, "labels.0 mod 3") + json_number(out, "labels.1 mod 3") +
                     json_number(out, "labels.2 mod 3"),
                 1000);
    CHECK_NUMBER(json_number(out, "labels.first") + json_number(out, "labels.second"), 1000);
    CHECK_NUMBER(json_number(out, "labels.first"), json_number(out, "labels.an even number: %d"));
    CHECK_NUMBER(json_number(out, "labels.first"),
                 json_number(out, "labels.formatted without t"));
    CHECK_NUMBER(json_number(out, "labels.in the library"), 1000);
    CHECK_TEXT(json_text(out, "slots.0.goal"), "maximise");
    CHECK_NUMBER(json_number(out, "slots.0.best"), 99);
    CHECK_TEXT(json_text(out, "slots.1.goal"), "minimise");
    CHECK_NUMBER(json_number(out, "slots.1.best"), -5);
    CHECK_TEXT(json_text(out, "cover.0.label"), "small");
    CHECK_NUMBER(json_number(out, "cover.0.wanted"), 10);
    CHECK(json_number(out, "cover.0.cases") > 300 && json_number(out, "cover.0.cases") < 1000);
    CHECK_TEXT(json_text(out, "cover.0.missed"), "false");
    free(r);
}

/* The sum of a table's rows; each case has one. */
static long sum_of_rows(const char *out, int table, const char *name)
{
    char path[40];
    long sum = 0;
    snprintf(path, sizeof path, "tables.%d.name", table);
    CHECK_TEXT(json_text(out, path), name);
    snprintf(path, sizeof path, "tables.%d.rows", table);
    for (const char *at = json_find(out, path); at != NULL && *at != '}'; at = json_skip(at)) {
        at = json_space(at + 1);
        at = json_space(json_skip_string(at)) + 1;
        sum += strtol(at, NULL, 10);
    }
    return sum;
}

static void tables_have_rows_of_values_and_of_powers_of_two(void)
{
    static const char *const NAMES[] = { "even", "minus", "n", "parity", "real", "state" };
    run                     *r = call("%s --format json " PLAIN " shows_much", observed);
    for (int i = 0; i < 6; i++)
        CHECK_NUMBER(sum_of_rows(r->out, i, NAMES[i]), 1000);
    CHECK_NUMBER(json_number(r->out, "tables.0.rows.true"), json_number(r->out, "labels.first"));
    CHECK_HAS(r->out, "\"-31..-16\": ");
    CHECK(json_number(r->out, "tables.1.rows.0") > 0);
    CHECK_NUMBER(json_number(r->out, "tables.2.rows.15") > 0, 1);
    CHECK_HAS(r->out, "\"16..31\": ");
    CHECK_NUMBER(json_number(r->out, "tables.2.rows.16"), -1);
    CHECK_NUMBER(json_number(r->out, "tables.3.rows.even"), json_number(r->out, "labels.first"));
    CHECK_HAS(r->out, "\"[0.125, 0.25)\": ");
    CHECK_HAS(r->out, "\"0\": "); /* rows of numbers stand in their order */
    CHECK(strstr(r->out, "\"16..31\"") < strstr(r->out, "\"32..63\""));
    free(r);
}

static const char *assertion_of(const run *r, const char *label)
{
    static char head[200];
    snprintf(head, sizeof head, "{\"label\": \"%s\"", label);
    const char *at = strstr(r->out, head);
    return at == NULL ? "" : at;
}

static void assertions_are_counted_at_their_place(void)
{
    run        *r = call("%s --format json " PLAIN " shows_much", observed);
    const char *always = assertion_of(r, "not negative");
    const char *rounds = assertion_of(r, "one of three rounds");
    CHECK_TEXT(json_text(always, "sort"), "always");
    CHECK_HAS(json_text(always, "file"), "observed.c");
    CHECK(json_number(always, "line") > 0);
    CHECK_NUMBER(json_number(always, "reached"), 1000);
    CHECK_NUMBER(json_number(always, "true"), 1000);
    CHECK_NUMBER(json_number(always, "false"), 0);
    CHECK_NUMBER(json_number(rounds, "reached"), 1000); /* true and false in one case */
    CHECK_NUMBER(json_number(rounds, "false"), 1000);
    CHECK(json_number(rounds, "true") > 0 && json_number(rounds, "true") < 1000);
    CHECK_NUMBER(json_number(assertion_of(r, "more than nine"), "reached"), 0);
    CHECK(json_number(assertion_of(r, "the library sees more than three"), "true") > 500);
    const char *never = assertion_of(r, "the library sees more than a thousand");
    CHECK_NUMBER(json_number(never, "reached"), 0);
    free(r);
}

static void counts_do_not_depend_on_workers(void)
{
    static const char *const OPTIONS[] = { "--jobs 2", "--jobs 4", "--no-fork",
                                           "--fork-each --jobs 2" };
    static const char *const NAMES[] = { "shows_much", "shows_many", "counts_no_discards" };
    for (size_t i = 0; i < 3; i++) {
        char line[100];
        snprintf(line, sizeof line, "--jobs 1 %s", NAMES[i]);
        char *one = shown(line);
        CHECK(strlen(one) > 200);
        for (size_t k = 0; k < (i == 1 ? 2 : SANITIZED ? 3 : 4); k++) {
            snprintf(line, sizeof line, "%s %s", OPTIONS[k], NAMES[i]);
            char *other = shown(line);
            CHECK_TEXT(other, one);
            free(other);
        }
        free(one);
    }
}

static void discarded_cases_count_for_nothing(void)
{
    run *r = call("%s --format json " PLAIN " counts_no_discards", observed);
    CHECK(json_number(r->out, "discarded") > 100);
    CHECK_NUMBER(json_number(r->out, "cases"), 500);
    CHECK_NUMBER(json_number(r->out, "labels.tried"), 500);
    CHECK_NUMBER(json_number(r->out, "labels.other"), 500);
    CHECK_NUMBER(json_number(r->out, "labels.third"), -1);
    CHECK(json_number(r->out, "slots.0.best") < 200 && json_number(r->out, "slots.0.best") > 100);
    free(r);
}

static void too_many_labels_in_a_case_are_warned_of(void)
{
    run *r = call("%s --format json " PLAIN " shows_too_much", observed);
    CHECK_TEXT(json_text(r->out, "status"), "held");
    CHECK_HAS(json_text(r->out, "warnings.0"), "some labels were not counted");
    CHECK_NUMBER(json_number(r->out, "labels.label 0"), 3);
    free(r);
}

static void a_violation_without_t_fails_the_case(void)
{
    static const char *const NAMES[] = { "violates_and_goes_on", "violates_and_crashes",
                                         "violates_and_hangs", "violates_and_asserts",
                                         "violates_and_discards" };
    for (size_t i = 0; i < 5; i++) {
        run *r = call("%s --format json " PLAIN " --jobs 2 %s", observed, NAMES[i]);
        snprintf(now_testing, sizeof now_testing, "a violation: %s", NAMES[i]);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, "status"), "failed");
        CHECK_TEXT(json_text(r->out, "failure.message"), "not always: bounded\n  n < 100");
        CHECK_TEXT(json_text(r->out, "failure.kind"), "assertion");
        CHECK_HAS(json_text(r->out, "failure.file"), "observed.c");
        CHECK(json_number(r->out, "failure.line") > 0);
        if (i != 2) /* which has no time to shrink */
            CHECK_TEXT(json_text(r->out, "failure.values.n"), "100");
        run *again = call("%s --format json " PLAIN " %s --replay %s", observed, NAMES[i],
                          json_text(r->out, "failure.token"));
        CHECK_NUMBER(again->status, 1);
        CHECK_TEXT(json_text(again->out, "failure.message"), "not always: bounded\n  n < 100");
        free(r);
        free(again);
    }
}

static void a_violation_with_t_leaves_the_property(void)
{
    run *r = call("%s --format json " PLAIN " violates_with_t", observed);
    CHECK_TEXT(json_text(r->out, "failure.message"),
               "not always: bounded by the property\n  n < 100");
    CHECK_TEXT(json_text(r->out, "failure.values.n"), "100");
    free(r);
    r = call("%s --format json " PLAIN " compares_with_t", observed);
    CHECK_TEXT(json_text(r->out, "failure.message"), "not always: at most seven\n  n = 8");
    free(r);
    r = call("%s --format json " PLAIN " reaches_the_unreachable", observed);
    CHECK_TEXT(json_text(r->out, "failure.message"), "unreachable, but reached: zero");
    free(r);
}

static void two_violations_are_two_bugs(void)
{
    run *r = call("%s --format json " PLAIN " violates_in_two_places", observed);
    CHECK_NUMBER(json_number(r->out, "cases"), 1000);
    CHECK_TEXT(json_text(r->out, "failures.2.message"), "");
    CHECK(json_number(r->out, "failures.0.seen") > 50);
    CHECK(json_number(r->out, "failures.1.seen") > 50);
    CHECK_HAS(r->out, "not always: even ones are small");
    CHECK_HAS(r->out, "not always: odd ones are small");
    free(r);
}

static int occurrences(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

static void what_threads_show_is_not_another_row(void)
{
    run *r = call("%s --format json " PLAIN " shows_the_same_from_threads", observed);
    CHECK_NUMBER(json_number(r->out, "labels.a line of a log"), 20);
    CHECK_NUMBER(occurrences(r->out, "\"a line of a log"), 1);
    CHECK_NUMBER(sum_of_rows(r->out, 0, "cut"), 20);
    CHECK_NUMBER(json_number(assertion_of(r, "at the end of a long path"), "reached"), 20);
    CHECK_NUMBER(occurrences(r->out, "at the end of a long path"), 1);
    free(r);
}

static void threads_may_show_things(void)
{
    run *r = call("%s --format json " PLAIN " shows_from_threads", observed);
    CHECK_TEXT(json_text(r->out, "status"), "held");
    CHECK_NUMBER(json_number(r->out, "labels.from a thread"), 60);
    CHECK_NUMBER(sum_of_rows(r->out, 0, "in a thread"), 60);
    CHECK_NUMBER(json_number(assertion_of(r, "even in a thread"), "reached"), 60);
    CHECK(json_number(r->out, "slots.0.best") > 50);
    free(r);
    r = call("%s --format json " PLAIN " violates_in_a_thread", observed);
    CHECK_HAS(json_text(r->out, "failure.message"), "not always: bounded in a thread");
    CHECK_TEXT(json_text(r->out, "failure.values.n"), "50");
    free(r);
}

static void what_a_child_shows_does_not_count(void)
{
    run *r = call("%s --format json " PLAIN " shows_from_a_child", observed);
    CHECK_TEXT(json_text(r->out, "status"), "held");
    CHECK_NUMBER(json_number(r->out, "labels.in the parent"), 20);
    CHECK_NUMBER(json_number(r->out, "labels.in a child"), -1);
    CHECK_NUMBER(json_number(r->out, "labels.in a child, with t"), -1);
    free(r);
}

static void a_cover_that_is_missed_is_warned_of_or_fails(void)
{
    run *r = call("%s --format json " PLAIN " promises_too_much", observed);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(json_text(r->out, "warnings.0"), "too few cases show \"even\": ");
    CHECK_HAS(json_text(r->out, "warnings.0"), " of 1000, wanted 95% (");
    CHECK_TEXT(json_text(r->out, "warnings.1"), "");
    free(r);
    r = call("%s --format json " PLAIN " --check-coverage promises_too_much", observed);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "status"), "failed");
    CHECK_HAS(json_text(r->out, "why"), "too few cases show \"even\": ");
    CHECK_TEXT(json_text(r->out, "warnings.0"), "");
    free(r);
    r = call("%s --format json " PLAIN " checks_its_coverage", observed);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "status"), "failed");
    free(r);
    /* 49 % where 50 was wanted: never sure, whatever the number of cases. */
    r = call("%s --format json " PLAIN " --cases 200000 --check-coverage promises_a_little*",
             observed);
    CHECK_NUMBER(r->status, 0);
    CHECK_TEXT(json_text(r->out, "cover.0.missed"), "false");
    free(r);
}

/* Without --cases the run goes on until it is sure, and to the same case with any number of
 * workers. */
static void a_cover_has_as_many_cases_as_a_verdict_takes(void)
{
    run *r = call("%s --format json " PLAIN " --check-coverage promises_a_little*", observed);
    long cases = json_number(r->out, "cases");
    CHECK_NUMBER(r->status, 0);
    CHECK(cases > 1000 && cases < 100000);
    CHECK(json_number(r->out, "cover.0.low") < 49 && json_number(r->out, "cover.0.high") >= 49);
    free(r);
    r = call("%s --format json " PLAIN " --jobs 3 --check-coverage promises_a_little*", observed);
    CHECK_NUMBER(json_number(r->out, "cases"), cases);
    free(r);
    r = call("%s --format json " PLAIN " --confidence 2 --check-coverage promises_a_little*",
             observed);
    long few = json_number(r->out, "cases");
    free(r);
    r = call("%s --format json " PLAIN
             " --confidence 1000000000000000000 --check-coverage promises_a_little*",
             observed);
    CHECK(few <= cases && few < json_number(r->out, "cases")); /* half sure is soon reached */
    free(r);
    r = call("%s --format json " PLAIN " --cases 1000 --check-coverage promises_a_little*",
             observed);
    CHECK_NUMBER(json_number(r->out, "cases"), 1000);
    free(r);
}

static void what_is_never_true_is_told_at_the_end(void)
{
    run *r = call("%s " PLAIN " never_shows_it", observed);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(r->out, "warning: never true: more than nine (");
    CHECK(strstr(r->out, "never reached") == NULL); /* not all properties were run */
    free(r);
    r = call("%s " PLAIN " --check-coverage never_shows_it", observed);
    CHECK_NUMBER(r->status, 0); /* another property may be the one that shows it */
    CHECK_HAS(r->out, "warning: never true: more than nine (");
    CHECK_HAS(r->out, "1 held in ");
    free(r);
    r = call("%s " PLAIN " --verbose shows_much", observed);
    CHECK_HAS(r->out, "always: not negative (");
    CHECK_HAS(r->out, "), reached in 1000, true in 1000, false in 0 cases\n");
    free(r);
}

static void sites_that_were_never_reached_are_known(void)
{
    run *r = call("%s " PLAIN, promising);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(r->out, "warning: never reached: in a function that is not called (");
    CHECK_HAS(r->out, "warning: never reached: checked in a function that is not called (");
    CHECK_HAS(r->out, "warning: never reached: the library sees more than a thousand (");
    CHECK(strstr(r->out, "even in one of two") == NULL);
    free(r);
    r = call("%s --format tap " PLAIN " --check-coverage --junit %s", promising,
             scratch_path("j.xml"));
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "# failed: never reached: in a function that is not called (");
    free(r);
    FILE *file = fopen(scratch_path("j.xml"), "r");
    char  text[4096] = "";
    CHECK(file != NULL && fread(text, 1, sizeof text - 1, file) > 0);
    if (file != NULL)
        fclose(file);
    CHECK_HAS(text, "<failure type=\"coverage\" message=\"never reached: ");
    r = call("%s --format json " PLAIN " --check-coverage", promising);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->err, "failed: never reached: in a function that is not called (");
    free(r);
}

static const test TESTS[] = {
    TEST(everything_is_counted_once_a_case),
    TEST(a_cover_has_as_many_cases_as_a_verdict_takes),
    TEST(tables_have_rows_of_values_and_of_powers_of_two),
    TEST(assertions_are_counted_at_their_place),
    TEST(counts_do_not_depend_on_workers),
    TEST(discarded_cases_count_for_nothing),
    TEST(too_many_labels_in_a_case_are_warned_of),
    TEST(a_violation_without_t_fails_the_case),
    TEST(a_violation_with_t_leaves_the_property),
    TEST(two_violations_are_two_bugs),
    TEST(threads_may_show_things),
    TEST(what_threads_show_is_not_another_row),
    TEST(what_a_child_shows_does_not_count),
    TEST(a_cover_that_is_missed_is_warned_of_or_fails),
    TEST(what_is_never_true_is_told_at_the_end),
    TEST(sites_that_were_never_reached_are_known),
};

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: observe_test OBSERVED PROMISING [WORD...]\n");
        return 1;
    }
    observed = argv[1];
    promising = argv[2];
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 3, argc - 3);
}
