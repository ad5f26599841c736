/* tests/combined_test.c: --explore combine through the command line.
 *
 *     combined_test COMBINED [WORD...]
 */
#include "drive.h"
#include "sanitized.h"

static const char *combined;

#define PLAIN "--no-store --color never --format json --explore combine"
#define SEEDS (SANITIZED ? 1 : 3)

/* The rows of the array for so many draws, with the cases that only meet the draws. */
static double rows_for(const char *property, int seed, unsigned strength)
{
    run *r = call("%s " PLAIN " --cases 4000 --strength %u --seed %d %s", combined, strength,
                  seed, property);
    CHECK_NUMBER(r->status, 0);
    const char *strengths = strstr(r->out, "\"strengths\"");
    const char *last = strengths;
    for (const char *at = strengths; at != NULL; at = strstr(at + 1, "{\"strength\""))
        last = at;
    const char *rows = last == NULL ? NULL : strstr(last, "\"rows\": ");
    double      count = rows == NULL ? 1e9 : strtod(rows + 8, NULL);
    free(r);
    return count;
}

static void any_bug_of_two_or_three_draws_is_found_within_the_array(void)
{
    for (int seed = 1; seed <= SEEDS; seed++)
        for (unsigned strength = 2; strength <= 3; strength++) {
            double rows = rows_for("has_a_bug_of_some_draws", seed, strength);
            CHECK(rows < (strength == 2 ? 200 : 2500));
            for (unsigned bug = 1; bug < 128; bug++) {
                if ((unsigned)__builtin_popcount(bug) != strength || (bug + (unsigned)seed) % 4)
                    continue;
                char number[12];
                snprintf(number, sizeof number, "%u", bug);
                setenv("BUG", number, 1);
                /* In the array of three draws every second case or so is no row. */
                run *r = call("%s " PLAIN " --cases %.0f --strength %u --seed %d --shrink off "
                              "has_a_bug_of_some_draws",
                              combined, 16 + rows * (strength == 2 ? 1.3 : 4), strength, seed);
                unsetenv("BUG");
                CHECK_NUMBER(r->status, 1);
                free(r);
            }
        }
}

static void jobs_change_nothing(void)
{
    static const char *const HOW[] = { "", "--thin combinations", "--thin distance",
                                       "--radix auto", "--strength 0" };
    for (size_t i = 0; i < sizeof HOW / sizeof *HOW; i++) {
        run *one = call("%s " PLAIN " --seed 7 --cases 600 --jobs 1 %s has_draws_of_every_sort",
                        combined, HOW[i]);
        run *three = call("%s " PLAIN " --seed 7 --cases 600 --jobs 3 %s has_draws_of_every_sort",
                          combined, HOW[i]);
        run *here = call("%s " PLAIN " --seed 7 --cases 600 --no-fork %s has_draws_of_every_sort",
                         combined, HOW[i]);
        CHECK_NUMBER(one->status, 0);
        CHECK_NUMBER(json_number(one->out, "labels.safe"),
                     json_number(three->out, "labels.safe"));
        CHECK_NUMBER(json_number(one->out, "labels.safe"), json_number(here->out, "labels.safe"));
        CHECK_TEXT(strstr(one->out, "\"combinations\""), strstr(three->out, "\"combinations\""));
        CHECK_TEXT(strstr(one->out, "\"combinations\""), strstr(here->out, "\"combinations\""));
        free(one);
        free(three);
        free(here);
    }
}

static void write_rows(const char *text)
{
    FILE *out = fopen(scratch_path("rows.csv"), "w");
    fputs(text, out);
    fclose(out);
}

static void rows_of_a_file_run_as_cases(void)
{
    write_rows("flag,size,share,mode,n,xs.first,size[1],extra\n"
               "false,3,0.25,FAST,2,1,0,\n"
               "true,-7,0.5,SAFE,3,42,9,5\n");
    run *r = call("%s " PLAIN " --seed 1 --rows %s has_draws_of_every_sort", combined,
                  scratch_path("rows.csv"));
    CHECK_NUMBER(r->status, 1);
    CHECK(json_number(r->out, "failure.executions_before") <= 2);
    CHECK_TEXT(json_text(r->out, "failure.values.size"), "-7");
    CHECK_TEXT(json_text(r->out, "failure.values.mode"), "SAFE");
    char *token = strdup(json_text(r->out, "failure.token"));
    run  *again = call("%s " PLAIN " --replay %s has_draws_of_every_sort", combined, token);
    CHECK_NUMBER(again->status, 1);
    free(again);
    free(token);
    free(r);
}

static void rows_that_were_written_can_be_read(void)
{
    char *path = strdup(scratch_path("out.csv"));
    run  *r = call("%s " PLAIN " --seed 2 --cases 400 --rows-out %s has_draws_of_every_sort",
                   combined, path);
    CHECK_NUMBER(r->status, 0);
    run *again = call("%s " PLAIN " --seed 3 --cases 400 --rows %s has_draws_of_every_sort",
                      combined, path);
    CHECK_NUMBER(again->status, 0);
    CHECK(json_number(again->out, "combinations.rows") <
          json_number(r->out, "combinations.rows"));
    free(again);
    free(r);
    free(path);
}

static void refuses(const char *text, const char *why)
{
    write_rows(text);
    run *r = call("%s --no-store --explore combine --seed 1 --rows %s has_draws_of_every_sort",
                  combined, scratch_path("rows.csv"));
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->out, why);
    free(r);
}

static void rows_that_do_not_fit_are_refused_with_their_line(void)
{
    refuses("flag,sise\ntrue,1\n", "rows.csv:1: expected the name of a draw, found \"sise\"");
    refuses("flag,size\ntrue,1\n\nfalse,1001\n",
            "rows.csv:4: the draw \"size\" cannot have the value of this row");
    refuses("mode\nSAVE\n", "rows.csv:2: the draw \"mode\" cannot have the value of this row");
    refuses("flag\ntrue,1\n", "rows.csv:2: expected as many cells as names, found \"1\"");
    run *r = call("%s --no-store --explore combine --rows /nowhere/rows.csv "
                  "has_draws_of_every_sort",
                  combined);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->out, "/nowhere/rows.csv: cannot be read: No such file or directory");
    free(r);
    r = call("%s --no-store --explore combine --rows-out /nowhere/rows.csv "
             "has_draws_of_every_sort",
             combined);
    CHECK_NUMBER(r->status, 99);
    free(r);
}

/* A pipe that nobody writes to, or reads from, holds up no run; nor does a report that cannot be
 * written cost the one before it. */
static void files_of_rows_that_cannot_be_used_are_refused(void)
{
    const char *pipe = scratch_path("pipe"), *rows = scratch_path("kept.csv");
    FILE       *kept = fopen(rows, "w");
    CHECK(kept != NULL && fputs("kept\n", kept) > 0 && fclose(kept) == 0);
    CHECK(mkfifo(pipe, 0600) == 0);
    run *r = call("%s " PLAIN " --rows %s has_draws_of_every_sort", combined, pipe);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->out, "pipe:1: expected a line of names");
    free(r);
    r = call("%s " PLAIN " --rows-out %s has_draws_of_every_sort", combined, pipe);
    CHECK_HAS(r->out, "pipe: rows were not written: No such device or address");
    free(r);
    FILE *script = fopen(scratch_path("no_room.sh"), "w");
    CHECK(script != NULL &&
          fprintf(script,
                  "(ulimit -f 0; %s " PLAIN " --rows-out %s has_draws_of_every_sort) | cat\n",
                  combined, rows) > 0);
    CHECK(script != NULL && fclose(script) == 0);
    r = call("sh %s", scratch_path("no_room.sh"));
    CHECK_HAS(r->out, "kept.csv: rows were not written: File too large");
    free(r);
    r = call("cat %s", rows);
    CHECK_TEXT(r->out, "kept\n");
    free(r);
}

static void refuted_pairs_are_told(void)
{
    run *r = call("%s --no-store --explore combine --seed 1 -v refutes_a_pair", combined);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(r->out, "not reached: 1 pair\n    not reached: a = true, b = true\n");
    free(r);
    r = call("%s --no-store --explore combine --seed 1 refutes_a_pair_of_few", combined);
    CHECK_HAS(r->out, "impossible: 1 pair, 1 triple\n");
    free(r);
}

static void related_draws_are_combined(void)
{
    setenv("BUG", "1", 1);
    run *r = call("%s " PLAIN " --cases 60 --seed 1 --strength 2 relates_draws", combined);
    unsetenv("BUG");
    CHECK_NUMBER(r->status, 1);
    free(r);
    r = call("%s --no-store --explore combine --seed 1 relates_a_draw_that_is_not_there",
             combined);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->out, "wr_relate: expected the name of a draw, found \"c\"");
    free(r);
    r = call("%s --no-store relates_one_draw", combined);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->out, "wr_relate: expected 2 to 16 names and a strength from 1 to their number");
    free(r);
}

static void a_strength_above_the_draws_is_capped(void)
{
    run *r = call("%s --no-store --explore combine --strength 6 --seed 1 refutes_a_pair_of_few",
                  combined);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(r->out, "--strength 6: there are only 3 draws");
    free(r);
    r = call("%s --no-store --explore combine --strength 7 --seed 1 --cases 100 "
             "has_draws_of_every_sort",
             combined);
    CHECK_HAS(r->out, "--strength 7: combine stops at 6");
    free(r);
    r = call("env BUG=0 %s --no-store --explore combine --strength 9 --seed 1 "
             "has_a_bug_of_some_draws",
             combined); /* the first case fails: no draw is known */
    CHECK_NUMBER(r->status, 1);
    CHECK(strstr(r->out, "--strength") == NULL);
    free(r);
}

static void walks_find_what_changes_in_the_middle_of_a_range(void)
{
    for (int seed = 1; seed <= SEEDS; seed++) {
        run *r =
            call("%s " PLAIN " --cases 2000 --seed %d has_an_edge_in_the_middle", combined, seed);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, "failure.values.x"), "271829");
        CHECK_TEXT(json_text(r->out, "failure.values.y"), "4");
        free(r);
    }
}

static void crashes_and_machines_are_found_too(void)
{
    run *r = call("%s " PLAIN " --cases 300 --seed 1 crashes_at_both_ends", combined);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.values.y"), "100000");
    free(r);
    r = call("%s " PLAIN " --cases 300 --seed 1 --bugs many sums", combined);
    CHECK_NUMBER(r->status, 1);
    CHECK(strstr(r->out, "m->sum != 7") != NULL && strstr(r->out, "m->sum > -4") != NULL);
    free(r);
}

static void draws_without_the_lean_are_uniform(void)
{
    run *r = call("%s --no-store --format json --lean off --cases 3000 --seed 1 "
                  "has_an_edge_in_the_middle",
                  combined);
    long far = json_number(r->out, "labels.far");
    CHECK(far > 1092 - 120 && far < 1092 + 120); /* 4.4 standard deviations */
    free(r);
}

static void constants_of_the_program_come_up_unless_they_are_off(void)
{
#if defined __x86_64__ || defined __aarch64__
    static const struct {
        const char *options;
        int         status;
    } HOW[] = { { "--explore combine", 1 },
                { "--explore combine --constants on --jobs 3", 1 },
                { "--explore combine --constants off", 0 },
                { "--explore guide", 1 },
                { "--explore random --constants on", 1 },
                { "--explore random --constants on --lean off", 1 },
                { "--explore random", 0 } };
    for (size_t i = 0; i < sizeof HOW / sizeof *HOW; i++) {
        run *r = call("%s --no-store --cases 200000 --seed 1 %s has_a_bug_behind_constants",
                      combined, HOW[i].options);
        CHECK_NUMBER(r->status, HOW[i].status);
        free(r);
    }
#endif
}

static const test TESTS[] = {
    TEST(any_bug_of_two_or_three_draws_is_found_within_the_array),
    TEST(jobs_change_nothing),
    TEST(rows_of_a_file_run_as_cases),
    TEST(rows_that_were_written_can_be_read),
    TEST(rows_that_do_not_fit_are_refused_with_their_line),
    TEST(files_of_rows_that_cannot_be_used_are_refused),
    TEST(refuted_pairs_are_told),
    TEST(related_draws_are_combined),
    TEST(a_strength_above_the_draws_is_capped),
    TEST(walks_find_what_changes_in_the_middle_of_a_range),
    TEST(crashes_and_machines_are_found_too),
    TEST(draws_without_the_lean_are_uniform),
    TEST(constants_of_the_program_come_up_unless_they_are_off),
};

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: combined_test COMBINED [WORD...]\n");
        return 1;
    }
    combined = argv[1];
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 2, argc - 2);
}
