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
    { "total_that_is_exact", 400 },
    { "number_that_is_the_total", 400 },
    { "number_that_is_twice_the_size", 100 },
    { "number_below_the_size", 30 },
    { "number_large_for_the_size", 100 },
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
        run *r =
            call("%s --color never --format json --bugs many --seed %d --cases 400 --store %s "
                 "sum_of_digits",
                 coupled, seed, store);
        CHECK_NUMBER(json_number(r->out, "patterns"), 2);
        CHECK(seed == 1 || strcmp(json_text(r->out, "failures.0.from_store"), "true") == 0);
        CHECK_NUMBER(count_of(first_rule(r->out), "\nor\n"), 7);
        free(r);
    }
    run *r = call("%s " MANY " --seed 3 --cases 400 --known %s sum_of_digits", coupled,
                  rules_file(store, "machines_coupled.sum_of_digits"));
    CHECK_NUMBER(r->status, 0);
    free(r);
}

/* ---- The smallest case of a bug that is met again ---- */

#define STORED "--color never --format json --bugs many"

/* The calls that the bug which is not the one behind is told with. */
static const char *first_calls(const char *line)
{
    bool behind = strstr(json_text(line, "failures.0.message"), "noted") != NULL;
    return json_text(line, behind ? "failures.1.values.calls" : "failures.0.values.calls");
}

/* In a few cases the bug is met with four calls only, and here nothing makes them fewer at the
 * end. */
static run *find_long_total(const char *store)
{
    run *r = call("env WARREN_WITHOUT=minimise %s " STORED
                  " --seed 7 --cases 3 --store %s total_that_is_exact",
                  coupled, store);
    CHECK_NUMBER(json_number(r->out, "patterns"), 2);
    CHECK(count_lines(first_calls(r->out)) >= 3);
    return r;
}

static int files_in(const char *store, const char *folder)
{
    run *r = call("ls %s/%s", store, folder);
    int  files = count_lines(r->out);
    free(r);
    return files;
}

/* A bug that is met with fewer calls than it was found with is told with these, here and in the
 * store. */
static void a_bug_is_told_with_its_fewest_calls(void)
{
    for (int seed = 1; seed <= (SANITIZED ? 1 : 6); seed++) {
        run *r = call("%s " MANY " --seed %d --cases 600 total_that_is_exact", coupled, seed);
        CHECK_NUMBER(json_number(r->out, "patterns"), 2);
        CHECK_TEXT(first_calls(r->out), "add(8);\nhas(0);");
        CHECK(strncmp(first_rule(r->out), "add(8)\nhas(?A)\nor\n", 18) == 0);
        CHECK(strstr(r->out, "\"unfinished\": true") == NULL);
        free(r);
    }
}

static void the_store_has_the_fewest_calls(void)
{
    const char *store = scratch_path("fewest");
    free(find_long_total(store));
    run *r =
        call("%s " STORED " --seed 1 --cases 600 --store %s total_that_is_exact", coupled, store);
    CHECK_TEXT(first_calls(r->out), "add(8);\nhas(0);");
    free(r);
    CHECK_NUMBER(files_in(store, "failures"), 2);
    r = call("%s " STORED " --seed 1 --cases 1 --store %s total_that_is_exact", coupled, store);
    CHECK_NUMBER(json_number(r->out, "patterns"), 2);
    CHECK_TEXT(json_text(r->out, "failures.0.from_store"), "true");
    CHECK_TEXT(json_text(r->out, "failures.1.from_store"), "true");
    CHECK_TEXT(first_calls(r->out), "add(8);\nhas(0);");
    free(r);
}

/* The last rule of a store's file becomes this. */
static void edit_last_rule(const char *store, const char *rule)
{
    char  text[4000];
    FILE *file = fopen(rules_file(store, "machines_coupled.total_that_is_exact"), "r+");
    CHECK(file != NULL);
    if (file == NULL)
        return;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    char *last = text, *entry = text;
    while ((entry = strstr(entry, " of total_that_is_exact\n")) != NULL)
        last = entry += strlen(" of total_that_is_exact\n");
    CHECK(ftruncate(fileno(file), last - text) == 0);
    fseek(file, 0, SEEK_END);
    fputs(rule, file);
    fclose(file);
}

/* The same where it is a wrong guard that let it be met. */
static void so_is_one_whose_rule_was_wrong(void)
{
    int refuted = 0;
    for (int seed = 1; seed <= (SANITIZED ? 3 : 6); seed++) {
        char name[20];
        sprintf(name, "wrong_%d", seed);
        const char *store = scratch_path(name);
        free(find_long_total(store));
        edit_last_rule(store, "  add(8)\n  has(_)\n    unless close() came between\n");
        run *r = call("env WARREN_WITHOUT=minimise %s " STORED
                      " --seed %d --cases 200 --store %s total_that_is_exact",
                      coupled, seed, store);
        CHECK_NUMBER(json_number(r->out, "patterns"), 2);
        CHECK(count_lines(first_calls(r->out)) < 3);
        CHECK(strncmp(first_rule(r->out), "add(8)\nhas(_)\nor\n", 17) == 0);
        refuted += strstr(first_calls(r->out), "add(8);\nclose();\nhas(") != NULL;
        free(r);
    }
    CHECK(refuted > 0);
}

/* ---- Bugs of one place ---- */

/* A rule of a file names two numbers: with others it is the same bug, and hides nothing else. */
static void one_rule_of_a_file_is_enough(void)
{
    const char *path = scratch_path("seven.rules");
    FILE       *file = fopen(path, "w");
    fputs("rule \"seven\" of sum_of_digits\n  use(3, 4)\n", file);
    fclose(file);
    for (int seed = 1; seed <= 3; seed++) {
        run *r = call("%s " MANY " --seed %d --cases 400 --known %s sum_of_digits", coupled, seed,
                      path);
        CHECK_NUMBER(r->status, 1);
        CHECK_NUMBER(json_number(r->out, "patterns"), 1);
        CHECK_NUMBER(times_told(r->out, "noted != 3"), 1);
        CHECK(json_find(r->out, "failures.1") == NULL);
        free(r);
    }
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

/* Two values are special, one of them only once there are several calls. A case of one bug may
 * become one of the other while it is reduced, so not each seed tells them apart; but none tells
 * one twice. */
static void what_needs_more_calls_and_another_value_is_another_bug(void)
{
    static const char *const TWO[] = { "two_digits", "two_that_are_held", "one_digit_and_three" };
    for (size_t i = 0; i < sizeof TWO / sizeof *TWO; i++) {
        int apart = 0, most = SANITIZED ? 4 : 10;
        for (int seed = 1; seed <= most; seed++) {
            run *r = call("%s " MANY " --seed %d --cases 400 %s", coupled, seed, TWO[i]);
            int  told = times_told(r->out, "size");
            CHECK(told == 1 || told == 2);
            CHECK_NUMBER(times_told(r->out, "noted != 3"), 1);
            CHECK_NUMBER(json_number(r->out, "patterns"), told + 1);
            apart += told == 2;
            free(r);
        }
        CHECK(apart >= most / 2);
    }
}

/* By chance alone other keys would collide, too. */
static void keys_that_collide_are_named(void)
{
    for (int seed = 1; seed <= (SANITIZED ? 4 : 20); seed++) {
        run *r = call("%s " MANY " --seed %d --cases 100 keys_that_collide", coupled, seed);
        CHECK_NUMBER(r->status, 1);
        CHECK(strstr(r->out, "pair(?A, ?B, ?C)") == NULL);
        free(r);
    }
}

/* Most cases meet such a bug whatever is known of it. They are counted, and then nothing depends
 * on which of them were run at the same time. */
static void a_bug_in_countless_ways_is_counted(void)
{
    static const char *const JOBS[] = { "1", "2", "4" };
    int                      cases = SANITIZED ? 20 : 1000;
    long                     calls = 0;
    for (size_t i = 0; i < (SANITIZED ? 1 : sizeof JOBS / sizeof *JOBS); i++) {
        run *r = call("%s " MANY " --seed 1 --cases %d --jobs %s many_pieces", coupled, cases,
                      JOBS[i]);
        CHECK_NUMBER(r->status, 1);
        CHECK(times_told(r->out, "pieces") >= 1 && times_told(r->out, "pieces") <= 3);
        CHECK(json_number(r->out, "failures.0.seen") > cases / 4);
        CHECK(json_number(r->out, "calls") > 1000);
        CHECK(i == 0 || json_number(r->out, "calls") == calls);
        calls = json_number(r->out, "calls");
        free(r);
    }
}

/* ---- What is drawn ---- */

static void write_rule(const char *path, const char *machine, const char *call)
{
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    if (file == NULL)
        return;
    fprintf(file, "rule \"known\" of %s\n  %s\n", machine, call);
    fclose(file);
}

/* However it was drawn; and a rule that somebody writes means the same. */
static void numbers_are_what_functions_give(void)
{
    static const char *const MADE[][2] = {
        { "number_of_two_choices", "take(47)" },
        { "number_that_is_moved", "weigh(5300..)" },
    };
    char path[300];
    snprintf(path, sizeof path, "%s", scratch_path("drawn.rules"));
    for (size_t i = 0; i < sizeof MADE / sizeof *MADE; i++) {
        run *r = call("%s " MANY " --seed 1 --cases 200 %s", coupled, MADE[i][0]);
        CHECK(strcmp(json_text(r->out, "failure.rule"), MADE[i][1]) == 0);
        CHECK_NUMBER(json_number(r->out, "patterns"), 1);
        free(r);
        write_rule(path, MADE[i][0], MADE[i][1]);
        r = call("%s " MANY " --seed 1 --cases 200 --known %s %s", coupled, path, MADE[i][0]);
        CHECK_NUMBER(r->status, 0);
        free(r);
    }
}

static run *call_with_rule(const char *machine, const char *rule)
{
    char path[300];
    snprintf(path, sizeof path, "%s", scratch_path("known.rules"));
    write_rule(path, machine, rule);
    return call("%s " MANY " --seed 1 --cases 300 --known %s %s", coupled, path, machine);
}

static void what_is_known_hides_nothing_else(void)
{
    run *r = call_with_rule("length_that_start_knows", "put_in(5)");
    CHECK_NUMBER(r->status, 1);
    CHECK_NUMBER(json_number(r->out, "patterns"), 1);
    CHECK_HAS(json_text(r->out, "failure.rule"), "take_out()");
    free(r);
}

static void nothing_left_but_what_is_known_is_said(void)
{
    run *r = call_with_rule("step_that_is_known", "step(3)");
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(json_text(r->out, "why"), "the rules leave no call to make (the shortest rule of ");
    free(r);
}

/* Also where it is looked whether the property is deterministic. */
static void known_calls_are_never_made(void)
{
    char path[300];
    snprintf(path, sizeof path, "%s", scratch_path("made"));
    setenv("BEHAVE_LOG", path, 1);
    run *r = call_with_rule("call_that_is_never_made", "known(_)");
    CHECK_NUMBER(r->status, 0);
    CHECK(access(path, F_OK) != 0);
    free(r);
    r = call("%s " MANY " --seed 1 --cases 300 call_that_is_never_made", coupled);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.rule"), "known(?A)");
    CHECK(access(path, F_OK) == 0);
    unsetenv("BEHAVE_LOG");
    free(r);
}

/* A rule has what it shows, and is read back; a number means nothing, which is said. */
static void pointers_are_what_they_show(void)
{
    char path[300], rule[200];
    snprintf(path, sizeof path, "%s", scratch_path("shown.rules"));
    run *r = call("%s " MANY " --seed 1 --cases 200 word_that_is_shown", coupled);
    snprintf(rule, sizeof rule, "%s", json_text(r->out, "failure.rule"));
    CHECK_HAS(rule, "say(\"ba\" #");
    free(r);
    write_rule(path, "word_that_is_shown", rule);
    r = call("%s " MANY " --seed 2 --cases 200 --known %s word_that_is_shown", coupled, path);
    CHECK_NUMBER(r->status, 0);
    free(r);
    write_rule(path, "word_that_is_shown", "say(7)");
    r = call("%s " MANY " --seed 2 --cases 200 --known %s word_that_is_shown", coupled, path);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->out, ":2:7: a word is not the number 7");
    free(r);
}

static const test TESTS[] = {
    TEST(each_is_told_once_and_hides_nothing),
    TEST(a_rule_says_how_far_a_number_goes),
    TEST(rules_of_one_bug_are_kept_together),
    TEST(a_bug_is_told_with_its_fewest_calls),
    TEST(the_store_has_the_fewest_calls),
    TEST(so_is_one_whose_rule_was_wrong),
    TEST(one_rule_of_a_file_is_enough),
    TEST(what_fails_elsewhere_is_another_bug),
    TEST(what_needs_more_calls_and_another_value_is_another_bug),
    TEST(keys_that_collide_are_named),
    TEST(numbers_are_what_functions_give),
    TEST(pointers_are_what_they_show),
    TEST(what_is_known_hides_nothing_else),
    TEST(nothing_left_but_what_is_known_is_said),
    TEST(known_calls_are_never_made),
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
