/* tests/misuse_test.c: who misuses the library is told so, with the place.
 *
 *     misuse_test MISUSED MISUSED_NAMES MISUSED_SOURCE [WORD...]
 */
#include "drive.h"

static const char *misused, *names, *source;

#define PLAIN "--no-store --color never --seed 1 --explore random"

/* The line of the source that has this comment. */
static int place_of(const char *comment)
{
    char  line[400], mark[100];
    FILE *file = fopen(source, "r");
    int   number = 0, found = 0;
    snprintf(mark, sizeof mark, "/* here: %s */", comment);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        number++;
        if (strstr(line, mark) != NULL)
            found = number;
    }
    if (file != NULL)
        fclose(file);
    return found;
}

/* One row: a property, where it goes wrong, the message, and the value drawn before. */
typedef struct row {
    const char *property, *here, *message, *name, *value;
} row;

static const row ROWS[] = {
    { "lo_above_hi", "lo above hi", "wr_int \"b\": lo 66 is above hi 50", "a", "66" },
    { "lo_above_hi_late", "in a function", "wr_int \"x\": lo 94 is above hi 90", "a", "94" },
    { "more_than_every_case", "more than every case",
      "wr_cover \"three\": wanted in 150 % of the cases; expected 0 to 100", "n", "3" },
    { "less_than_no_case", "less than no case",
      "wr_cover \"three\": wanted in -5 % of the cases; expected 0 to 100", "n", "3" },
    { "no_number_of_cases", "no number of cases",
      "wr_cover \"three\": wanted in nan % of the cases; expected 0 to 100", "n", "3" },
    { "skip_in_a_deferred_function", "skips late",
      "wr_skip: in a teardown or a deferred function, when the case has run: skip in the "
      "property "
      "or its setup",
      "n", "3" },
    { "skip_in_a_teardown", "skips in its teardown",
      "wr_skip: in a teardown or a deferred function, when the case has run: skip in the "
      "property "
      "or its setup",
      "n", "3" },
    { "span_left_open", "left open", "wr_begin \"outer\": the property returned without a wr_end",
      "x", "1" },
    { "span_ended_twice", "ended twice", "wr_end: no span is open", "x", "1" },
    { "span_ended_in_a_loop", "ended in a loop",
      "wr_end: the span \"around\" was opened outside of this loop or call", "n", "1" },
    { "assertion_in_a_thread", "asserts",
      "in another thread than the property's, where only WR_ALWAYS() can fail: assertion failed: "
      "1 + 1 == 3\n  1 + 1 = 2",
      "before", "7" },
    { "draw_in_a_thread", "draws",
      "\"drawn\" is drawn in another thread than the property's: draw before the thread starts",
      "before", "7" },
    { "array_in_a_thread", "draws many",
      "\"many\" is drawn in another thread than the property's: draw before the thread starts",
      "before", "" },
    { "assumption_in_a_thread", "assumes",
      "a case is discarded in another thread than the property's", "before", "false" },
};

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

/* The same error as in the first run, and the same value. */
static void check_replayed(const char *again, const char *first, const char *value)
{
    const char *const PATHS[] = { "status",          "why",           "failure.kind",
                                  "failure.message", "failure.token", value };
    for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
        char *wanted = strdup(json_text(first, PATHS[i]));
        CHECK_TEXT(json_text(again, PATHS[i]), wanted);
        free(wanted);
    }
}

static void an_error_has_its_place_the_draws_before_it_and_a_token(void)
{
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const row *at = &ROWS[i];
        run       *r = call("%s --format json " PLAIN " %s", misused, at->property);
        char       path[100];
        CHECK_NUMBER(r->status, 99);
        CHECK_TEXT(json_text(r->out, "status"), "error");
        CHECK_TEXT(json_text(r->out, "why"), at->message);
        CHECK_TEXT(json_text(r->out, "failure.kind"), "misuse");
        CHECK_TEXT(json_text(r->out, "failure.message"), at->message);
        CHECK(ends_with(json_text(r->out, "failure.file"), "misused.c"));
        CHECK_NUMBER(json_number(r->out, "failure.line"), place_of(at->here));
        snprintf(path, sizeof path, "failure.values.%s", at->name);
        CHECK_TEXT(json_text(r->out, path), at->value);
        char *token = strdup(json_text(r->out, "failure.token"));
        run  *again =
            call("%s --format json " PLAIN " --replay %s %s", misused, token, at->property);
        CHECK_NUMBER(again->status, 99);
        CHECK_TEXT(again->err, "");
        check_replayed(again->out, r->out, path);
        free(token);
        free(again);
        free(r);
    }
}

static void an_error_reads_as_a_failure_does(void)
{
    run *r = call("%s " PLAIN " lo_above_hi", misused);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->out, "ERROR  lo_above_hi  ");
    CHECK_HAS(r->out, "\n  wr_int \"b\": lo 66 is above hi 50\n    a = 66\n    s = \"r!\"\n");
    CHECK_HAS(r->out, "\n  found in the first case\n  replay: ");
    CHECK(strstr(r->out, "FAIL") == NULL);
    free(r);
}

static void an_error_is_not_counted_as_a_bug(void)
{
    run *r = call("%s " PLAIN " --bugs many lo_above_hi", misused);
    CHECK_HAS(r->out, "ERROR  lo_above_hi  ");
    CHECK(strstr(r->out, "1 bug in") == NULL);
    free(r);
}

/* It has enough cases of a bug to go on for long, and hardly any other. */
static void bugs_do_not_hide_that_cases_were_discarded(void)
{
    run *r = call("%s --format json " PLAIN " --bugs many discards_nearly_all", misused);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(json_text(r->out, "warnings.0"), "it ended after ");
    CHECK_HAS(json_text(r->out, "warnings.0"), " of 1000 cases, because ");
    CHECK_HAS(json_text(r->out, "warnings.0"), " of 22000 cases were discarded: draw values");
    CHECK_TEXT(json_text(r->out, "warnings.1"), "");
    free(r);
}

static void open_spans_are_noticed_in_few_cases(void)
{
    run *r = call("%s " PLAIN " --cases 5 span_left_open", misused);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->out, "wr_begin \"outer\": the property returned without a wr_end");
    free(r);
}

static void a_skip_hides_no_failure(void)
{
    const char *const NAMES[] = { "fails_and_skips_late", "violates_and_skips" };
    for (int i = 0; i < 2; i++) {
        run *r = call("%s " PLAIN " %s", misused, NAMES[i]);
        CHECK_NUMBER(r->status, 1);
        CHECK_HAS(r->out, "n = 60\n");
        free(r);
    }
}

static void an_error_that_is_replayed_reads_as_it_did(void)
{
    run *first = call("%s --format json " PLAIN " lo_above_hi", misused);
    run *r = call("%s " PLAIN " lo_above_hi --replay %s", misused,
                  json_text(first->out, "failure.token"));
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->out, "ERROR  lo_above_hi  ");
    CHECK_HAS(r->out, "\n  wr_int \"b\": lo 66 is above hi 50\n    a = 66\n    s = \"r!\"\n");
    CHECK_HAS(r->out, "\n  replayed\n  replay: ");
    CHECK_HAS(r->out, "\n1 in error in ");
    CHECK_TEXT(r->err, "");
    free(first);
    free(r);
}

/* In one process the thread cannot be left behind: the process ends, with the place. */
static void another_thread_is_told_without_a_worker(void)
{
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const row *at = &ROWS[i];
        char       place[40];
        if (strstr(at->property, "thread") == NULL)
            continue;
        run *r = call("%s --no-fork " PLAIN " %s", misused, at->property);
        snprintf(place, sizeof place, "misused.c:%d: ", place_of(at->here));
        CHECK_NUMBER(r->status, 99);
        CHECK_NUMBER(r->signal, 0);
        CHECK_HAS(r->out, place);
        CHECK_HAS(r->out, "another thread than the property's");
        CHECK_HAS(r->out, "--no-fork --replay w1");
        free(r);
    }
}

static void what_is_no_misuse_holds(void)
{
    run *r = call("%s " PLAIN " span_in_a_loop_that_is_left assertion_that_holds_in_a_thread",
                  misused);
    CHECK_NUMBER(r->status, 0);
    free(r);
    r = call("%s --no-fork " PLAIN
             " span_in_a_loop_that_is_left assertion_that_holds_in_a_thread",
             misused);
    CHECK_NUMBER(r->status, 0);
    free(r);
}

/* Guided cases and enumerated ones are not on the fast path. */
static void every_explorer_sees_another_thread(void)
{
    static const char *const EXPLORERS[] = { "guide", "enumerate", "random" };
    for (size_t i = 0; i < sizeof EXPLORERS / sizeof *EXPLORERS; i++) {
        run *r = call("%s --format json " PLAIN " --explore %s draw_in_a_thread", misused,
                      EXPLORERS[i]);
        CHECK_NUMBER(r->status, 99);
        CHECK_NUMBER(json_number(r->out, "failure.line"), place_of("draws"));
        free(r);
    }
}

static void two_properties_of_one_name_are_an_error(void)
{
    run *r = call("%s " PLAIN, names);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->err, "two properties are called twice: ");
    CHECK_HAS(r->err, "misused_names.c:");
    CHECK_HAS(r->err, " and ");
    CHECK_TEXT(r->out, "");
    free(r);
}

static void checks_go_by_the_name_of_their_function(void)
{
    setenv("WARREN_SEED", "1", 1);
    setenv("WARREN_NO_STORE", "1", 1);
    setenv("MISUSED_CHECKS", "1", 1);
    run *r = call("%s", names);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(r->out, "ok  holds ");
    CHECK_HAS(r->out, "ok  given ");
    CHECK_HAS(r->out, "holds 0, again 0, given 0, nameless 99, other 99, nothing 99, empty 99\n");
    CHECK_HAS(r->err, ": wr_check: the property has no name: give it .name\n");
    CHECK_HAS(r->err, "two properties are called holds: ");
    CHECK_HAS(r->err, ": wr_check: no property was given\n");
    unsetenv("WARREN_SEED");
    unsetenv("WARREN_NO_STORE");
    unsetenv("MISUSED_CHECKS");
    free(r);
}

/* Once, by the program itself: not by a child of it, and not if a child runs them. */
static void properties_that_nobody_runs_are_told(void)
{
    setenv("MISUSED_NEVER", "", 1);
    run        *r = call("%s", names);
    const char *told = strstr(r->err, ": 2 properties were never run: call wr_main()\n");
    const char *next = told == NULL ? "" : strchr(told, '\n') + 1;
    CHECK_NUMBER(r->status, 0);
    CHECK_TEXT(r->out, "");
    CHECK(told != NULL);
    CHECK_TEXT(next, "");
    free(r);
    setenv("MISUSED_NEVER", "but in a child", 1);
    r = call("%s", names);
    CHECK(strstr(r->err, "never run") == NULL);
    unsetenv("MISUSED_NEVER");
    free(r);
}

static const test TESTS[] = {
    TEST(an_error_has_its_place_the_draws_before_it_and_a_token),
    TEST(an_error_reads_as_a_failure_does),
    TEST(an_error_is_not_counted_as_a_bug),
    TEST(bugs_do_not_hide_that_cases_were_discarded),
    TEST(a_skip_hides_no_failure),
    TEST(open_spans_are_noticed_in_few_cases),
    TEST(an_error_that_is_replayed_reads_as_it_did),
    TEST(another_thread_is_told_without_a_worker),
    TEST(what_is_no_misuse_holds),
    TEST(every_explorer_sees_another_thread),
    TEST(two_properties_of_one_name_are_an_error),
    TEST(checks_go_by_the_name_of_their_function),
    TEST(properties_that_nobody_runs_are_told),
};

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: misuse_test MISUSED MISUSED_NAMES MISUSED_SOURCE [WORD...]\n");
        return 99;
    }
    misused = argv[1];
    names = argv[2];
    source = argv[3];
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 4, argc - 4);
}
