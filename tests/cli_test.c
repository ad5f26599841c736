/* tests/cli_test.c: a test program as its user meets it: options, exit statuses, replay, the
 * store, Ctrl-C, formats.
 *
 * usage: cli_test MISBEHAVE BEHAVE [LIBWARREN.SO]
 */
#include "drive.h"

#include <sys/resource.h>

static const char *misbehave, *behave, *library;
static bool        sanitized;

/* One line on standard error, nothing on standard output, status 99. */
static void check_refused(const run *r)
{
    CHECK_NUMBER(r->status, 99);
    CHECK_NUMBER(count_lines(r->err), 1);
    CHECK_TEXT(r->out, "");
}

/* ---- Options ---- */

static void malformed_options_get_one_line_and_99(void)
{
    static const char *const bad[] = {
        "--cases",
        "--cases 0",
        "--cases x",
        "--cases 1x",
        "--cases -1",
        "--cases 1.5",
        "--cases 99999999999999999999999",
        "--cases=",
        "--time 5x",
        "--time -1s",
        "--time",
        "--time 99999999999h",
        "--seed x",
        "--seed 18446744073709551616",
        "--seed 0x",
        "--jobs 0",
        "--jobs 257",
        "--jobs many",
        "--shard 0/2",
        "--shard 3/2",
        "--shard 1",
        "--shard 1/2/3",
        "--shard 1/0",
        "--shard /2",
        "--deadline 0",
        "--memory 1Q",
        "--memory -5",
        "--memory 0",
        "--shrink-time soon",
        "--bugs some",
        "--explore feedback",
        "--explore up",
        "--patterns all",
        "--shrink up",
        "--calls 0",
        "--calls 1 --mean-calls 1",
        "--size -1",
        "--format xml",
        "--color maybe",
        "--no-fork --fork-each",
        "--store d --no-store",
        "--quiet --verbose",
        "--quiet=1",
        "--list=yes",
        "--bogus",
        "-x",
        "--case 5",
        "--until-stable=1",
        "--html /nowhere/at/all.html",
        "--observations x",
        "--store redis://h",
        "--replay",
        "--replay nonsense",
        "--replay @",
        "--replay @/nowhere/at/all",
        "--junit",
        "--junit /nowhere/at/all.xml",
        "no_such_property",
        "no_such_property holds",
        "h[",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(now_testing, sizeof now_testing, "%s", bad[i]);
        run *r = call("%s holds %s", misbehave, bad[i]);
        check_refused(r);
        free(r);
    }
}

static void malformed_variables_get_one_line_and_99(void)
{
    static const char *const bad[][2] = {
        { "WARREN_CASES", "x" },    { "WARREN_CASES", "0" }, { "WARREN_SEED", "-1" },
        { "WARREN_NO_FORK", "ja" }, { "WARREN_BOGUS", "1" }, { "WARREN_FORMAT", "xml" },
        { "WARREN_JOBS", "0" },     { "WARREN_TIME", "1x" }, { "WARREN_REPLAY", "zz" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(now_testing, sizeof now_testing, "%s=%s", bad[i][0], bad[i][1]);
        setenv(bad[i][0], bad[i][1], 1);
        run *r = call("%s holds", misbehave);
        check_refused(r);
        CHECK_HAS(r->err, strcmp(bad[i][0], "WARREN_REPLAY") == 0 ? "" : bad[i][0]);
        unsetenv(bad[i][0]);
        free(r);
    }
    setenv("WARREN_CASES", "17", 1);
    run *r = call("%s holds --format json --no-store", misbehave);
    CHECK_NUMBER(json_number(r->out, "cases"), 17);
    free(r);
    r = call("%s holds --format json --no-store --cases 18", misbehave);
    CHECK_NUMBER(json_number(r->out, "cases"), 18);
    free(r);
    unsetenv("WARREN_CASES");
}

static void exit_statuses_say_what_happened(void)
{
    static const struct {
        const char *patterns;
        int         status;
    } runs[] = {
        { "holds", 0 },
        { "holds fails", 1 },
        { "skips", 77 },
        { "skips holds", 0 },
        { "skips fails", 1 },
        { "skip*", 77 },
        { "lo_above_hi", 99 },
        { "lo_above_hi fails", 99 },
        { "discards_all holds", 1 },
        { "counts_cases", 1 },
        { "--list", 0 },
        { "--help", 0 },
        { "--version", 0 },
        { "-- holds", 0 },
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        snprintf(now_testing, sizeof now_testing, "status of %s", runs[i].patterns);
        run *r = call("%s --no-store --seed 1 %s", misbehave, runs[i].patterns);
        CHECK_NUMBER(r->status, runs[i].status);
        CHECK_TEXT(r->err, "");
        free(r);
    }
}

static void properties_are_listed_and_chosen_by_glob(void)
{
    run *r = call("%s --list assert_?? fail[s]", misbehave);
    CHECK_NUMBER(r->status, 0);
    CHECK_NUMBER(count_lines(r->out), 7);
    CHECK(strncmp(r->out, "fails ", 6) == 0);
    CHECK_HAS(r->out, "misbehave.c:");
    CHECK_HAS(r->out, "\nassert_eq ");
    CHECK(strstr(r->out, "assert_near") == NULL);
    free(r);
    r = call("%s --list --format json fails", misbehave);
    CHECK_NUMBER(r->status, 0);
    CHECK_TEXT(json_text(r->out, "property"), "fails");
    CHECK_HAS(json_text(r->out, "file"), "misbehave.c");
    CHECK(json_number(r->out, "line") > 0 && count_lines(r->out) == 1);
    free(r);
}

static void help_fits_a_screen(void)
{
    run *r = call("%s --help", misbehave);
    CHECK(count_lines(r->out) <= 90);
    for (const char *at = r->out; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        CHECK(length <= 80);
        at += length + (at[length] == '\n');
    }
    free(r);
}

/* ---- Replay ---- */

static char *token_of(const char *program, const char *property)
{
    run  *r = call("%s --format json --no-store --seed 1 %s", program, property);
    char *token = strdup(json_text(r->out, "failure.token"));
    CHECK(token[0] == 'w');
    free(r);
    return token;
}

static void a_token_runs_its_case_again(void)
{
    static const char *const names[] = { "assert_eq", "segv", "exits", "closes_descriptors" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(now_testing, sizeof now_testing, "replay of %s", names[i]);
        char *token = token_of(misbehave, names[i]);
        run  *r = call("%s --format json --no-store --replay %s", misbehave, token);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, "property"), names[i]);
        CHECK_TEXT(json_text(r->out, "status"), "failed");
        CHECK_TEXT(json_text(r->out, "failure.values.n"), "500");
        CHECK_NUMBER(json_number(r->out, "executions"), 1);
        CHECK_NUMBER(left_behind(), 0);
        free(r);
        r = call("%s --no-store --replay %s %s", misbehave, token, names[i]);
        CHECK_NUMBER(r->status, 1);
        free(r);
        r = call("%s --no-store --replay %s holds", misbehave, token);
        check_refused(r);
        free(r);
        free(token);
    }
}

static void the_line_to_replay_works_in_a_shell(void)
{
    run  *r = call("%s --format json --no-store --seed 1 assert_lt", misbehave);
    FILE *script = fopen(scratch_path("again.sh"), "w");
    fprintf(script, "%s\n", json_text(r->out, "failure.replay"));
    fclose(script);
    free(r);
    r = call("sh %s", scratch_path("again.sh"));
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "assert_lt");
    CHECK_HAS(r->out, "n = 500");
    free(r);
}

static void the_line_to_replay_has_the_limits_of_the_run(void)
{
    run        *r = call("%s --format json --no-store --seed 1 --processes 10 --deadline 90500ms "
                                "--memory 3072M starts_processes",
                         misbehave);
    const char *line = json_text(r->out, "failure.replay");
    CHECK_HAS(line, " --deadline 90500ms --memory 3G --processes 10");
    FILE *script = fopen(scratch_path("limited.sh"), "w");
    fprintf(script, "%s\n", line);
    fclose(script);
    free(r);
    r = call("sh %s", scratch_path("limited.sh"));
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "more than 10 processes");
    free(r);
    /* The usual ones are left out. */
    r = call("%s --format json --no-store --seed 1 --processes 64 --deadline 10s fails",
             misbehave);
    line = json_text(r->out, "failure.replay");
    CHECK(strstr(line, "--deadline") == NULL && strstr(line, "--processes") == NULL);
    free(r);
}

/* The worker of the second property dies before it can say how many choices it made. */
static void warnings_belong_to_their_property(void)
{
    run        *r = call("%s --no-store --seed 1 --jobs 1 makes_many_choices "
                                "crashes_before_a_choice",
                         misbehave);
    const char *first = strstr(r->out, "made more than 20000 choices");
    CHECK_NUMBER(r->status, 1);
    CHECK(first != NULL && strstr(first + 1, "made more than") == NULL);
    free(r);
}

static void a_relative_folder_for_temporary_files_will_do(void)
{
    CHECK(mkdir("relative", 0700) == 0);
    setenv("TMPDIR", "relative", 1);
    run *r = call("%s --no-store --seed 1 a_folder_has_its_name_from_everywhere", behave);
    setenv("TMPDIR", scratch, 1);
    CHECK_NUMBER(r->status, 0);
    CHECK_NUMBER(rmdir("relative"), 0); /* nothing is left in it */
    free(r);
}

static void a_damaged_token_is_refused(void)
{
    char  *token = token_of(misbehave, "assert_eq");
    size_t length = strlen(token);
    for (size_t i = 0; i < length; i++) {
        char *other = strdup(token);
        other[i] = other[i] == 'A' ? 'B' : 'A';
        snprintf(now_testing, sizeof now_testing, "damaged token %s", other);
        run *r = call("%s --no-store --replay %s", misbehave, other);
        check_refused(r);
        free(r);
        free(other);
    }
    for (size_t cut = 1; cut < length; cut += 3) {
        run *r = call("%s --no-store --replay %.*s", misbehave, (int)cut, token);
        check_refused(r);
        free(r);
    }
    free(token);
}

static void a_stale_token_is_refused_and_a_repaired_one_holds(void)
{
    static const char *const minds[] = { "draws another", "draws more" };
    char                    *token = token_of(behave, "changes_its_mind");
    for (size_t i = 0; i < 2; i++) {
        setenv("BEHAVE_MIND", minds[i], 1);
        run *r = call("%s --format json --no-store --replay %s", behave, token);
        if (i == 0) { /* the other still fails before it draws more */
            CHECK_NUMBER(r->status, 99);
            CHECK_NUMBER(count_lines(r->err), 1);
            CHECK_HAS(r->err, "stale");
        }
        free(r);
    }
    setenv("BEHAVE_MIND", "repaired", 1);
    run *r = call("%s --format json --no-store --replay %s", behave, token);
    CHECK_NUMBER(r->status, 0);
    CHECK_TEXT(json_text(r->out, "status"), "held");
    CHECK_TEXT(json_text(r->out, "case.values.n"), "500");
    free(r);
    unsetenv("BEHAVE_MIND");
    free(token);
}

/* ---- The store ---- */

/* Failure files; one that is being written has another name. */
static int files_in(const char *folder, char *first, size_t room)
{
    DIR *listing = opendir(folder);
    int  count = 0;
    for (struct dirent *at; listing != NULL && (at = readdir(listing)) != NULL;)
        if (strlen(at->d_name) > 4 && strcmp(at->d_name + strlen(at->d_name) - 4, ".txt") == 0) {
            count++;
            snprintf(first, room, "%s/%s", folder, at->d_name);
        }
    if (listing != NULL)
        closedir(listing);
    return count;
}

static void a_failure_is_stored_and_tried_first(void)
{
    const char *store = scratch_path("store");
    char        folder[500], file[900] = "", again[900] = "";
    snprintf(folder, sizeof folder, "%s/failures", store);
    run *r = call("%s --format json --seed 1 --store %s changes_its_mind", behave, store);
    CHECK_NUMBER(r->status, 1);
    CHECK_NUMBER(files_in(folder, file, sizeof file), 1);
    CHECK_HAS(file, "behave");
    CHECK_HAS(file, "changes_its_mind");
    CHECK_TEXT(json_text(r->out, "failure.from_store"), "false");
    free(r);

    r = call("%s --format json --seed 2 --store %s changes_its_mind", behave, store);
    CHECK_NUMBER(r->status, 1);
    CHECK_NUMBER(json_number(r->out, "failure.executions_before"), 1);
    CHECK_NUMBER(json_number(r->out, "executions"), 1); /* it is minimal already */
    CHECK_TEXT(json_text(r->out, "failure.values.n"), "500");
    CHECK_TEXT(json_text(r->out, "failure.from_store"), "true");
    free(r);

    r = call("%s --format json --replay @%s", behave, file);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.values.n"), "500");
    free(r);

    setenv("BEHAVE_MIND", "repaired", 1); /* it passes, and stays */
    r = call("%s --format json --seed 2 --explore random --store %s changes_its_mind", behave,
             store);
    CHECK_NUMBER(r->status, 0);
    CHECK_NUMBER(json_number(r->out, "executions"), 1003); /* stored, cases, one twice again */
    CHECK_TEXT(json_text(r->out, "warnings.0"), "");
    CHECK_NUMBER(json_number(r->out, "mended"), 1);
    CHECK_NUMBER(files_in(folder, again, sizeof again), 1);
    free(r);

    setenv("BEHAVE_MIND", "draws another", 1); /* it is stale, and stays */
    r = call("%s --format json --seed 2 --store %s changes_its_mind", behave, store);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(json_text(r->out, "warnings.0"), "stale");
    CHECK_HAS(json_text(r->out, "warnings.0"), strrchr(file, '/'));
    CHECK_HAS(json_text(r->out, "warnings.0"), "--forget-stale");
    CHECK_NUMBER(files_in(folder, again, sizeof again), 1);
    CHECK_TEXT(again, file);
    free(r);
    r = call("%s --format json --replay @%s", behave, file);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->err, "stale");
    free(r);
    r = call("%s --format json --seed 2 --store %s --forget-stale changes_its_mind", behave,
             store); /* it is stale, and goes */
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(json_text(r->out, "warnings.0"), "removed");
    CHECK_NUMBER(files_in(folder, again, sizeof again), 0);
    free(r);
    unsetenv("BEHAVE_MIND");
}

static void a_case_that_passes_keeps_its_file(void)
{
    const char *store = scratch_path("kept");
    char        folder[500], file[900] = "";
    snprintf(folder, sizeof folder, "%s/failures", store);
    free(call("%s --format json --seed 1 --store %s changes_its_mind", behave, store));
    CHECK_NUMBER(files_in(folder, file, sizeof file), 1);
    setenv("BEHAVE_MIND", "half", 1);
    run *r = call("%s --format json --seed 2 --store %s changes_its_mind", behave, store);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.values.n"), "700");
    CHECK_TEXT(json_text(r->out, "failure.from_store"), "false");
    CHECK_NUMBER(files_in(folder, file, sizeof file), 2);
    free(r);
    unsetenv("BEHAVE_MIND");
}

static void a_damaged_file_is_told_of_and_kept(void)
{
    const char *store = scratch_path("damaged");
    char        folder[500], file[900] = "", again[900];
    snprintf(folder, sizeof folder, "%s/failures", store);
    free(call("%s --format json --seed 1 --store %s changes_its_mind", behave, store));
    CHECK_NUMBER(files_in(folder, file, sizeof file), 1);
    FILE *text = fopen(file, "w");
    fputs("<<<<<<< HEAD\n", text);
    fclose(text);
    setenv("BEHAVE_MIND", "repaired", 1);
    run *r = call("%s --format json --seed 2 --store %s changes_its_mind", behave, store);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(json_text(r->out, "status"), "held");
    CHECK(strncmp(json_text(r->out, "warnings.0"), "damaged/failures/behave.", 24) == 0);
    CHECK_NUMBER(files_in(folder, again, sizeof again), 1);
    free(r);
    r = call("%s --replay @%s", behave, file);
    check_refused(r);
    free(r);
    unsetenv("BEHAVE_MIND");
}

static void an_unreadable_store_is_an_error(void)
{
    const char *store = scratch_path("no-folder");
    char        folder[500];
    mkdir(store, 0700);
    snprintf(folder, sizeof folder, "%s/failures", store);
    FILE *file = fopen(folder, "w"); /* a file where the folder should be */
    fclose(file);
    run *r = call("%s --format json --seed 1 --store %s holds", misbehave, store);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(json_text(r->out, "why"), "no-folder/failures: cannot read this folder");
    free(r);
}

static void the_store_lies_beside_the_nearest_git(void)
{
    char here[500], file[900];
    snprintf(here, sizeof here, "%s/checkout/inner", scratch);
    mkdir(scratch_path("checkout"), 0700);
    mkdir(scratch_path("checkout/.git"), 0700);
    mkdir(here, 0700);
    CHECK(chdir(here) == 0);
    free(call("%s --format json --seed 1 changes_its_mind", behave));
    CHECK_NUMBER(files_in(scratch_path("checkout/.warren/failures"), file, sizeof file), 1);
    CHECK_NUMBER(files_in(here, file, sizeof file), 0);
    CHECK(chdir(scratch) == 0);
}

/* ---- Ctrl-C ---- */

/* Waits until a file of that folder is there. */
static bool appears(const char *folder)
{
    char file[900];
    for (int i = 0; i < 12000; i++) {
        if (files_in(folder, file, sizeof file) > 0)
            return true;
        pause_ms(5);
    }
    return false;
}

static void an_interrupt_ends_a_run_with_its_report(void)
{
    static const struct {
        const char *patterns;
        int         signal, status;
    } runs[] = {
        { "draws_nothing long_run", SIGINT, 130 },
        { "draws_nothing long_case", SIGINT, 130 },
        { "fails long_run", SIGINT, 1 },
        { "fails long_case", SIGINT, 1 },
        { "draws_nothing long_run", SIGTERM, 130 },
        { "skips long_run", SIGINT, 130 },
        { "fails long_run", SIGHUP, 1 },
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        snprintf(now_testing, sizeof now_testing, "signal %d in %s", runs[i].signal,
                 runs[i].patterns);
        expect_marks();
        run *r =
            start("%s --no-store --seed 1 --format json %s holds", misbehave, runs[i].patterns);
        CHECK(marked(1)); /* in the long one */
        kill(r->pid, runs[i].signal);
        finish(r);
        CHECK_NUMBER(r->status, runs[i].status);
        CHECK_NUMBER(count_lines(r->out), 2); /* the third was not begun */
        CHECK_HAS(r->out, "\"status\": \"interrupted\"");
        CHECK_NUMBER(left_behind(), 0);
        CHECK_NUMBER(folders_left(), 0);
        free(r);
    }
    expect_marks();
    run *r = start("%s --no-store --seed 1 long_run holds", misbehave);
    CHECK(marked(1));
    kill(r->pid, SIGINT);
    finish(r);
    CHECK_HAS(r->out, "1 interrupted, 1 not run in ");
    free(r);
    r = call("%s hold", misbehave);
    CHECK_HAS(r->err, ": no property matches 'hold' (did you mean holds?)\n");
    free(r);
    r = call("%s nothing_like_it", misbehave);
    CHECK_HAS(r->err, ": no property matches 'nothing_like_it' (--list shows them)\n");
    free(r);
}

static bool ignore_interrupts(void)
{
    return signal(SIGINT, SIG_IGN) != SIG_ERR && signal(SIGTERM, SIG_IGN) != SIG_ERR;
}

/* As scripts start their jobs in the background. SIGTERM ends a run all the same. */
static void an_interrupt_that_is_ignored_ends_no_run(void)
{
    expect_marks();
    before_program = ignore_interrupts;
    run *r = start("%s --no-store --seed 1 --format json long_run", misbehave);
    before_program = NULL;
    CHECK(marked(1));
    kill(r->pid, SIGINT);
    setenv("TEST_MARKS", scratch_path("marks"), 1);
    struct stat status = { 0 };
    CHECK(stat(getenv("TEST_MARKS"), &status) == 0);
    CHECK(marked(status.st_size + 1000)); /* it goes on */
    kill(r->pid, SIGTERM);
    finish(r);
    CHECK_NUMBER(r->status, 130);
    CHECK_HAS(r->out, "\"status\": \"interrupted\"");
    free(r);
}

static void a_failure_is_stored_at_once_and_survives_an_interrupt(void)
{
    const char *store = scratch_path("interrupted");
    char        folder[500];
    snprintf(folder, sizeof folder, "%s/failures", store);
    run *r = start("%s --format json --seed 1 --store %s long_shrink", misbehave, store);
    CHECK(appears(folder));
    CHECK_TEXT(so_far(r), ""); /* it is still being shrunk */
    kill(r->pid, SIGINT);
    finish(r);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "status"), "failed");
    CHECK_TEXT(json_text(r->out, "failure.message"), "too much");
    CHECK_TEXT(json_text(r->out, "failure.unfinished"), "true");
    CHECK_NUMBER(left_behind(), 0);
    free(r);
    /* and killed outright, too */
    r = call("rm -r %s", store);
    free(r);
    r = start("%s --format json --seed 1 --store %s long_shrink", misbehave, store);
    CHECK(appears(folder));
    kill(r->pid, SIGKILL);
    finish(r);
    free(r);
    expect_marks();
    r = start("%s --format json --seed 2 --store %s long_shrink", misbehave, store);
    CHECK(marked(4)); /* it goes on with shrinking; no need to see its end */
    kill(r->pid, SIGINT);
    finish(r);
    CHECK_NUMBER(r->status, 1);
    CHECK_NUMBER(json_number(r->out, "failure.executions_before"), 1);
    CHECK_NUMBER(left_behind(), 0);
    free(r);
}

/* ---- A run that cannot start, or is held up ---- */

static bool few_descriptors(void)
{
    for (int i = 3; i < 1000; i++) /* some come from whoever runs the tests */
        close(i);
    return setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 5, 5 }) == 0;
}

static bool some_descriptors(void)
{
    return setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 64, 64 }) == 0;
}

/* Nothing is in /dev; the standard descriptors are open already. */
static bool no_devices(void)
{
    return hide_folder("/dev");
}

#ifdef __GLIBC__
#define TOO_MANY "Too many open files"
#else
#define TOO_MANY "No file descriptors available" /* musl */
#endif

static void a_run_that_cannot_start_says_why(void)
{
    static const struct {
        bool (*where)(void);
        const char *options, *why;
    } runs[] = {
        { few_descriptors, "--jobs 1", "cannot open /dev/null: " TOO_MANY },
        { few_descriptors, "--jobs 4", TOO_MANY },
        { some_descriptors, "--jobs 256", "256: " TOO_MANY },
        { no_devices, "", "cannot open /dev/null: No such file or directory" },
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        snprintf(now_testing, sizeof now_testing, "%s: %s", runs[i].options, runs[i].why);
        if (!before_program_works(runs[i].where))
            continue;
        before_program = runs[i].where;
        run *r = call("%s --no-store --seed 1 %s holds", misbehave, runs[i].options);
        before_program = NULL;
        CHECK_NUMBER(r->status, 99);
        CHECK_TEXT(r->out, "");
        CHECK_NUMBER(count_lines(r->err), 1);
        CHECK_HAS(r->err, runs[i].why);
        CHECK_NUMBER(left_behind(), 0);
        free(r);
    }
}

/* Standard output is a pipe that is full, and this process does not read from it. */
static bool nobody_reads(void)
{
    static char bytes[4096];
    int         pipes[2];
    if (pipe(pipes) != 0 || fcntl(pipes[1], F_SETFL, O_NONBLOCK) != 0)
        return false;
    while (write(pipes[1], bytes, sizeof bytes) > 0)
        continue;
    return fcntl(pipes[1], F_SETFL, 0) == 0 && dup2(pipes[1], 1) == 1;
}

/* And the user may have no timer. */
static bool nobody_reads_and_no_timers(void)
{
    struct rlimit none = { 0, 0 };
    return nobody_reads() && setrlimit(RLIMIT_SIGPENDING, &none) == 0;
}

static bool block_signals(void)
{
    sigset_t all;
    return sigfillset(&all) == 0 && sigprocmask(SIG_BLOCK, &all, NULL) == 0;
}

/* Looking places up takes for ever. */
static bool no_answers(void)
{
    char        path[5000];
    const char *program = scratch_path("addr2line");
    FILE       *file = fopen(program, "w");
    snprintf(path, sizeof path, "%s:%s", scratch, getenv("PATH"));
    fputs("#!/bin/sh\nprintf . >>$TEST_MARKS\nexec sleep 1000\n", file);
    return fclose(file) == 0 && chmod(program, 0700) == 0 && setenv("PATH", path, 1) == 0;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void a_run_that_is_held_up_ends_when_it_is_told_to(void)
{
    static const struct {
        bool (*where)(void);
        const char *property;
    } runs[] = { { nobody_reads, "holds" },
                 { nobody_reads_and_no_timers, "holds" },
                 { no_answers, "segv" },
                 { NULL, "long_case" },
                 { block_signals, "long_case" } };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        bool unread = strcmp(runs[i].property, "holds") == 0;
        snprintf(now_testing, sizeof now_testing, "%s is held up", runs[i].property);
        before_program = runs[i].where;
        expect_marks();
        run *r = start("%s --no-store --seed 1 %s", misbehave, runs[i].property);
        before_program = NULL;
        if (unread)
            pause_ms(500); /* whenever it comes, there is a report that nobody reads */
        else
            CHECK(marked(1));
        CHECK(kill(r->pid, SIGTERM) == 0);
        double begun = seconds_now();
        finish(r);
        CHECK(seconds_now() - begun < 60); /* 2, on a machine that is not busy */
        /* What has failed is told, without its place. */
        int status = runs[i].where == no_answers ? 1 : 130;
        CHECK(unread ? r->signal == SIGTERM : r->status == status);
        CHECK_NUMBER(left_behind(), 0);
        CHECK_NUMBER(folders_left(), 0);
        free(r);
    }
}

static void a_signal_of_a_pipe_is_no_reason_to_end(void)
{
    expect_marks();
    run *r = start("%s --no-store --seed 1 long_run", misbehave);
    CHECK(marked(1));
    kill(r->pid, SIGPIPE);
    pause_ms(100);
    kill(r->pid, SIGINT);
    finish(r);
    CHECK_NUMBER(r->status, 130);
    CHECK_HAS(r->out, "long_run");
    CHECK_NUMBER(left_behind(), 0);
    free(r);
}

static void pipes_and_devices_are_not_read_as_files(void)
{
    static const char *const devices[] = { "/dev/zero", "/dev/tty", NULL };
    const char              *pipe_path = scratch_path("pipe");
    CHECK(mkfifo(pipe_path, 0600) == 0);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        const char *path = devices[i] == NULL ? pipe_path : devices[i];
        snprintf(now_testing, sizeof now_testing, "%s", path);
        run *r = call("%s --no-store --replay @%s holds", misbehave, path);
        CHECK_NUMBER(r->status, 99);
        CHECK_HAS(r->err, "cannot read this file: ");
        free(r);
    }
    const char *store = scratch_path("store-with-a-pipe");
    char        path[600];
    snprintf(path, sizeof path, "%s/failures", store);
    CHECK(mkdir(store, 0700) == 0 && mkdir(path, 0700) == 0);
    snprintf(path, sizeof path, "%s/failures/misbehave.holds.0123456789abcdef.txt", store);
    CHECK(mkfifo(path, 0600) == 0);
    run *r = call("%s --store %s --seed 1 holds", misbehave, store);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->out, "it is a pipe or a device");
    free(r);
    r = call("%s --store %s --seed 1 fails", misbehave, pipe_path);
    CHECK_NUMBER(r->status, 99);
    free(r);
    r = call("%s --no-store --junit %s --seed 1 holds", misbehave, pipe_path);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->err, ": --junit: cannot write ");
    free(r);
    r = call("%s --no-store --junit /dev/full --seed 1 holds", misbehave);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(r->err, "misbehave: --junit: cannot write /dev/full: ");
    free(r);
    unlink(path);
    unlink(pipe_path);
}

static void a_closed_pipe_ends_it_quietly(void)
{
    static const char *const formats[] = { "human", "tap", "json" };
    for (size_t i = 0; i < 3; i++) {
        snprintf(now_testing, sizeof now_testing, "head -1 of %s", formats[i]);
        FILE *script = fopen(scratch_path("pipe.sh"), "w");
        fprintf(script, "%s --format %s --no-store --seed 1 assert_* noisy holds | head -1\n",
                misbehave, formats[i]);
        fclose(script);
        run *r = call("sh %s", scratch_path("pipe.sh"));
        CHECK_NUMBER(r->status, 0);
        CHECK_NUMBER(count_lines(r->out), 1);
        CHECK_TEXT(r->err, "");
        CHECK_NUMBER(left_behind(), 0);
        CHECK_NUMBER(folders_left(), 0);
        free(r);
    }
}

/* A stream of musl whose buffer could not be written does not say why, later on. */
#ifdef __GLIBC__
#define KEEPS_REASON true
#else
#define KEEPS_REASON false
#endif

static void output_that_cannot_be_written_is_an_error(void)
{
    static const struct {
        const char *arguments, *why;
    } outputs[] = {
        { "--no-store --seed 1 holds >/dev/full", "No space left on device" },
        { "--no-store --seed 1 holds >&-", "Bad file descriptor" },
        { "--no-store --seed 1 --format json holds >&-", "Bad file descriptor" },
        { "--no-store --seed 1 --format tap holds >/dev/full", "No space left on device" },
        { "--no-store --seed 1 --format github holds >/dev/full", "No space left on device" },
        { "--list >/dev/full", "No space left on device" },
        { "--help >/dev/full", "No space left on device" },
        { "--version >&-", "Bad file descriptor" },
    };
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        char line[200];
        snprintf(now_testing, sizeof now_testing, "%s", outputs[i].arguments);
        FILE *script = fopen(scratch_path("full.sh"), "w");
        fprintf(script, "%s %s\n", misbehave, outputs[i].arguments);
        fclose(script);
        run *r = call("sh %s", scratch_path("full.sh"));
        CHECK_NUMBER(r->status, 99);
        CHECK_NUMBER(count_lines(r->err), 1);
        snprintf(line, sizeof line, ": cannot write to standard output: %s",
                 KEEPS_REASON ? outputs[i].why : "");
        CHECK_HAS(r->err, line);
        CHECK_NUMBER(left_behind(), 0);
        free(r);
    }
}

/* ---- Formats ---- */

static void tap_is_well_formed(void)
{
    run *r = call("%s --format tap --no-store --seed 1 holds fails skips segv", misbehave);
    int  number = 0, plan = 0, tests = 0;
    bool in_yaml = false;
    CHECK(strncmp(r->out, "TAP version 13\n", 15) == 0);
    for (const char *at = r->out; *at != '\0'; at += strcspn(at, "\n") + 1) {
        if (sscanf(at, "1..%d", &plan) == 1 && strncmp(at, "1..", 3) == 0)
            continue;
        if (strncmp(at, "ok ", 3) == 0 || strncmp(at, "not ok ", 7) == 0) {
            CHECK(sscanf(strchr(at, 'k') + 1, "%d", &number) == 1);
            CHECK_NUMBER(number, ++tests);
        }
        if (strncmp(at, "  ---\n", 6) == 0)
            in_yaml = true;
        if (strncmp(at, "  ...\n", 6) == 0)
            in_yaml = false;
    }
    CHECK(!in_yaml);
    CHECK_NUMBER(plan, 4);
    CHECK_NUMBER(tests, 4);
    CHECK_HAS(r->out, "# SKIP not here");
    CHECK_HAS(r->out, "not ok 2 - fails");
    free(r);
}

/* Every element that is opened is closed, in order; no stray '<' or '&'. */
static bool well_formed(const char *xml)
{
    char   open[64][100];
    size_t depth = 0;
    for (const char *at = xml; *at != '\0'; at++) {
        if (*at == '&' && strncmp(at, "&lt;", 4) != 0 && strncmp(at, "&gt;", 4) != 0 &&
            strncmp(at, "&amp;", 5) != 0 && strncmp(at, "&quot;", 6) != 0 &&
            strncmp(at, "&apos;", 6) != 0 && strncmp(at, "&#", 2) != 0)
            return false;
        if (*at != '<')
            continue;
        const char *end = strchr(at, '>');
        if (end == NULL)
            return false;
        if (at[1] == '?') {
            at = end;
            continue;
        }
        size_t length = strcspn(at + 1 + (at[1] == '/'), " />\n");
        if (at[1] == '/') {
            if (depth == 0 || strncmp(open[--depth], at + 2, length) != 0 ||
                open[depth][length] != '\0')
                return false;
        } else if (end[-1] != '/') {
            if (depth == 64 || length >= 100)
                return false;
            snprintf(open[depth++], 100, "%.*s", (int)length, at + 1);
        }
        at = end;
    }
    return depth == 0;
}

static void junit_is_well_formed(void)
{
    static char text[1 << 16];
    run  *r = call("%s --format json --junit %s --no-store --seed 1 holds fails skips noisy "
                    "lo_above_hi assert_mem_eq",
                   misbehave, scratch_path("junit.xml"));
    FILE *file = fopen(scratch_path("junit.xml"), "r");
    CHECK_NUMBER(r->status, 99);
    CHECK_NUMBER(count_lines(r->out), 6);
    CHECK(file != NULL);
    if (file != NULL) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
    }
    CHECK(well_formed(text));
    CHECK_HAS(text, "<testsuite");
    CHECK_HAS(text, "tests=\"6\"");
    CHECK_HAS(text, "<failure");
    CHECK_HAS(text, "<skipped");
    CHECK_HAS(text, "<error");
    free(r);
}

static void every_line_of_json_is_json(void)
{
    run *r = call("%s --format json --no-store --seed 1 assert_* segv noisy skips discards_all "
                  "counts_cases holds",
                  misbehave);
    for (const char *at = r->out; *at != '\0'; at += strcspn(at, "\n") + 1) {
        const char *end = json_skip(at);
        CHECK(end != NULL && *end == '\n');
        CHECK(json_number(at, "seed") == 1);
        CHECK(json_find(at, "seconds") != NULL);
    }
    free(r);
}

static void colours_are_for_terminals(void)
{
    run *r = call("%s --no-store --seed 1 fails holds", misbehave);
    CHECK(strchr(r->out, '\033') == NULL);
    free(r);
    r = call("%s --no-store --seed 1 --color always fails holds", misbehave);
    CHECK(strchr(r->out, '\033') != NULL);
    free(r);
}

/* ---- In this process ---- */

static void a_crash_without_forking_prints_its_token_and_goes_its_way(void)
{
    static const struct {
        const char *property;
        int         signal;
    } crashes[] = { { "segv", SIGSEGV },
                    { "aborts", SIGABRT },
                    { "plain_assert", SIGABRT },
                    { "guarded_overread", SIGSEGV } };
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
        snprintf(now_testing, sizeof now_testing, "--no-fork %s", crashes[i].property);
        run *r = call("%s --format json --no-store --seed 1 --no-fork %s", misbehave,
                      crashes[i].property);
        char token[400] = "";
        bool ends_by_asan = sanitized && crashes[i].signal == SIGSEGV;
        CHECK(ends_by_asan ? r->status > 0 : r->signal == crashes[i].signal);
        const char *told = strstr(r->err, "--replay ");
        CHECK(told != NULL);
        if (told != NULL)
            sscanf(told, "--replay %399s", token);
        free(r);
        r = call("%s --format json --no-store --replay %s", misbehave, token);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, "property"), crashes[i].property);
        free(r);
        r = call("%s --format json --no-store --no-fork --replay %s", misbehave, token);
        CHECK(ends_by_asan ? r->status > 0 : r->signal == crashes[i].signal);
        free(r);
    }
    run *r = call("%s --format json --no-store --seed 1 --no-fork assert_eq holds", misbehave);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(line_of(r, "assert_eq"), "failure.values.n"), "500");
    CHECK_TEXT(json_text(line_of(r, "holds"), "status"), "held");
    free(r);
}

static void a_debugger_has_a_place_to_stop(void)
{
    if (library == NULL)
        return;
    run *r = call("nm -D --defined-only %s", library);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(r->out, " T wr_case_failed@@WARREN_");
    CHECK(strstr(r->out, " wri_") == NULL); /* what is internal is not exported */
    free(r);
}

/* ---- From another framework ---- */

static void a_property_can_be_checked_from_a_plain_main(void)
{
    setenv("BEHAVE_CHECK", "1", 1);
    setenv("WARREN_SEED", "1", 1);
    setenv("WARREN_NO_STORE", "1", 1);
    setenv("WARREN_DEADLINE", "20000ms", 1);
    run *r = call("%s", behave);
    unsetenv("WARREN_DEADLINE");
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(r->out, "adds_up 0\n");
    CHECK_HAS(r->out, "is_small 1\n");
    CHECK_HAS(r->out, "n = 500\n");
    CHECK_HAS(r->out, "replay: WARREN_DEADLINE=20s WARREN_REPLAY=w");
    CHECK_HAS(r->out, "adds_up again 0\n");
    CHECK_HAS(r->out, "SIGINT as before\n");
    CHECK_TEXT(r->err, "");
    CHECK_NUMBER(left_behind(), 0);
    free(r);
    setenv("WARREN_CASES", "x", 1);
    r = call("%s", behave);
    CHECK_HAS(r->out, "adds_up 99\n");
    CHECK_NUMBER(count_lines(r->err), 3); /* one a call */
    free(r);
    unsetenv("WARREN_CASES");
    unsetenv("WARREN_SEED");
    unsetenv("WARREN_NO_STORE");
    unsetenv("BEHAVE_CHECK");
}

/* ---- Budgets ---- */

static void a_run_ends_after_its_time(void)
{
    run *r = call("%s --format json --no-store --seed 1 --time 300ms long_run", misbehave);
    CHECK_NUMBER(r->status, 0);
    CHECK_TEXT(json_text(r->out, "status"), "held");
    CHECK(json_number(r->out, "cases") > 0);
    free(r);
    r = call("%s --format json --no-store --seed 1 --time 60s --cases 50 holds", misbehave);
    CHECK_NUMBER(json_number(r->out, "cases"), 50);
    free(r);
}

/* A failing case leads to 16 further bugs at most, and a run looks into 64. */
static void a_run_ends_although_each_failure_is_another_bug(void)
{
    const char *const JOBS[] = { "1", "3" };
    for (int i = 0; i < 2; i++) {
        run *r = call("%s --no-store --color never --seed 1 --cases 2 --jobs %s "
                      "fails_as_another_bug_each_time",
                      behave, JOBS[i]);
        CHECK_NUMBER(r->status, 1);
        CHECK_NUMBER(count_of(r->out, "FAIL  fails_as_another"), 34);
        CHECK_HAS(r->out, "\n  34 bugs in 2 cases, ");
        free(r);
    }
    run *r = call("%s --no-store --color never --seed 1 fails_as_another_bug_each_time", behave);
    CHECK_NUMBER(count_of(r->out, "FAIL  fails_as_another"), 64);
    CHECK_HAS(r->out, "\n  warning: 64 bugs were looked into, as many as a run does, and there");
    free(r);
    r = call("%s --no-store --color never --seed 1 --time 1ms fails_as_another_bug_each_time",
             behave);
    CHECK(count_of(r->out, "unfinished: ") >= count_of(r->out, "FAIL  fails_as_another") - 1);
    free(r);
}

static void a_run_without_a_case_is_no_success(void)
{
    run *r = call("%s --no-store --color never --time 300ms hangs_at_once", misbehave);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "GAVE UP  hangs_at_once  ");
    CHECK_HAS(r->out, "\n  the time (--time) was over before a case was\n");
    CHECK_HAS(r->out, "case 1 was running for ");
    CHECK_HAS(r->out, "1 gave up in ");
    free(r);
    r = call("%s --no-store --color never --time 200ms has_no_case_that_counts", misbehave);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "GAVE UP  has_no_case_that_counts  ");
    CHECK_HAS(r->out, " cases were discarded: draw values that fit");
    free(r);
}

static void discarded_cases_are_made_up_for(void)
{
    run *r =
        call("%s --format json --no-store --seed 1 --explore random discards_a_third", behave);
    CHECK_NUMBER(json_number(r->out, "cases"), 1000);
    CHECK(json_number(r->out, "discarded") > 0);
    CHECK_NUMBER(json_number(r->out, "executions"), 1002 + json_number(r->out, "discarded"));
    free(r);
}

static void labels_are_counted_once_a_case(void)
{
    run *r = call("%s --format json --no-store --seed 1 counts_labels", behave);
    long even = json_number(r->out, "labels.even"), odd = json_number(r->out, "labels.odd");
    CHECK_NUMBER(even + odd, 1000);
    CHECK(json_number(r->out, "labels.small") > 0);
    free(r);
}

static void many_labels_are_counted_alike_by_any_number_of_workers(void)
{
    run *one = call("%s --format json --no-store --seed 3 --jobs 1 counts_many_labels", behave);
    run *three = call("%s --format json --no-store --seed 3 --jobs 3 counts_many_labels", behave);
    char *first = strstr(one->out, "\"labels\""), *second = strstr(three->out, "\"labels\"");
    CHECK(first != NULL && second != NULL && strcmp(first, second) == 0);
    CHECK(json_number(one->out, "labels.1") > 0 && strlen(first) > 10000);
    free(one);
    free(three);
}

static long times_shown(const char *report, int label)
{
    char path[20];
    snprintf(path, sizeof path, "labels.%d", label);
    long times = json_number(report, path);
    return times < 0 ? 0 : times;
}

/* Of the run's cases each shard has its own, and together they have all: so their labels add up.
 */
static void shards_are_the_run_taken_apart(void)
{
    static const char *const SIZES[] = { "--cases 5000", "--cases 3" };
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        run *whole =
            call("%s --format json --no-store --explore random --seed 3 %s counts_many_labels",
                 behave, SIZES[i]);
        long cases = 0, labels[100] = { 0 };
        for (int shard = 1; shard <= 4; shard++) {
            run *r = call("%s --format json --no-store --seed 3 --shard %d/4 --jobs %d %s "
                          "counts_many_labels",
                          behave, shard, shard, SIZES[i]);
            char expected[20];
            snprintf(expected, sizeof expected, "%d/4", shard);
            CHECK_NUMBER(r->status, 0);
            CHECK_TEXT(json_text(r->out, "shard"), expected);
            cases += json_number(r->out, "cases");
            for (int k = 0; k < 100; k++)
                labels[k] += times_shown(r->out, k);
            free(r);
        }
        CHECK_NUMBER(cases, json_number(whole->out, "cases"));
        for (int k = 0; k < 100; k++)
            CHECK_NUMBER(labels[k], times_shown(whole->out, k));
        free(whole);
    }
    run *r = call("%s --no-store --seed 3 --cases 100 --shard 2/4 counts_labels", behave);
    CHECK_HAS(r->out, "; seed 3; shard 2 of 4\n");
    CHECK_HAS(r->out, " 25 cases");
    free(r);
}

/* A shard makes up for its own discarded cases. */
static void shards_share_the_wanted_cases(void)
{
    long cases = 0;
    for (int shard = 1; shard <= 3; shard++) {
        run *r = call("%s --format json --no-store --seed 3 --cases 400 --shard %d/3 "
                      "discards_a_third",
                      behave, shard);
        cases += json_number(r->out, "cases");
        free(r);
    }
    CHECK_NUMBER(cases, 400);
}

/* counts_labels has three, all frequent; counts_many_labels has two thousand. */
static void a_run_ends_when_it_is_stable(void)
{
    run *one = call("%s --until-stable --format json --no-store --seed 3 --jobs 1 counts_labels "
                    "counts_many_labels",
                    behave);
    run *three =
        call("%s --until-stable --format json --no-store --seed 3 --jobs 3 counts_labels "
             "counts_many_labels",
             behave);
    CHECK_NUMBER(one->status, 0);
    long cases = json_number(one->out, "stable.cases"),
         last = json_number(one->out, "stable.last");
    CHECK_HAS(one->out, "\"stable\": {\"reached\": true");
    CHECK(json_number(one->out, "stable.features") == 3 && last > 0);
    CHECK(cases >= 2 * last && cases >= last + 1000 && cases == json_number(one->out, "cases"));
    const char *many = line_of(one, "counts_many_labels");
    const char *again = line_of(three, "counts_many_labels");
    CHECK_NUMBER(json_number(many, "stable.features"), 2001);
    CHECK(json_number(many, "stable.cases") > 20000); /* its own .cases are no limit here */
    many = strstr(many, "\"labels\"");
    again = strstr(again, "\"labels\"");
    CHECK(many != NULL && again != NULL && strcmp(many, again) == 0);
    free(one);
    free(three);
}

static void limits_come_before_stability(void)
{
    run *r = call("%s --until-stable --cases 500 --no-store --seed 3 counts_many_labels", behave);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(r->out, "500 cases");
    CHECK_HAS(r->out, "\n  not stable: ");
    free(r);
    r = call("%s --until-stable --no-store --seed 3 discards_all", misbehave);
    CHECK_NUMBER(r->status, 1);
    CHECK_HAS(r->out, "GAVE UP");
    free(r);
}

static void what_others_print_is_no_report(void)
{
    run *r = call("%s --format json --no-store --seed 1 may_speak_of_runtime_errors", behave);
    CHECK_TEXT(json_text(r->out, "status"), "held");
    free(r);
}

static void arithmetic_stays_as_a_worker_was_set_up(void)
{
    run *r = call("%s --format json --no-store --seed 1 keeps_the_rounding*", behave);
    CHECK_TEXT(json_text(r->out, "status"), "held");
    free(r);
}

static void the_largest_cases_are_confirmed(void)
{
    run *r =
        call("%s --format json --no-store --seed 1 --jobs 1 fails_with_many_choices", behave);
    CHECK_TEXT(json_text(r->out, "status"), "failed");
    free(r);
    r = call("%s --format json --no-store --seed 1 --jobs 1 fails_with_long_arrays", behave);
    CHECK_TEXT(json_text(r->out, "status"), "failed");
    free(r);
}

static void the_seed_is_always_told(void)
{
    run *r = call("%s --format json --no-store holds", misbehave);
    CHECK(json_find(r->out, "seed") != NULL);
    free(r);
    r = call("%s --no-store holds", misbehave);
    CHECK_HAS(r->out, "seed ");
    free(r);
}

static const test TESTS[] = {
    TEST(malformed_options_get_one_line_and_99),
    TEST(malformed_variables_get_one_line_and_99),
    TEST(exit_statuses_say_what_happened),
    TEST(properties_are_listed_and_chosen_by_glob),
    TEST(help_fits_a_screen),
    TEST(a_token_runs_its_case_again),
    TEST(the_line_to_replay_works_in_a_shell),
    TEST(the_line_to_replay_has_the_limits_of_the_run),
    TEST(warnings_belong_to_their_property),
    TEST(a_relative_folder_for_temporary_files_will_do),
    TEST(a_damaged_token_is_refused),
    TEST(a_stale_token_is_refused_and_a_repaired_one_holds),
    TEST(a_failure_is_stored_and_tried_first),
    TEST(a_case_that_passes_keeps_its_file),
    TEST(a_damaged_file_is_told_of_and_kept),
    TEST(an_unreadable_store_is_an_error),
    TEST(the_store_lies_beside_the_nearest_git),
    TEST(an_interrupt_ends_a_run_with_its_report),
    TEST(an_interrupt_that_is_ignored_ends_no_run),
    TEST(a_failure_is_stored_at_once_and_survives_an_interrupt),
    TEST(a_run_that_cannot_start_says_why),
    TEST(a_run_that_is_held_up_ends_when_it_is_told_to),
    TEST(a_signal_of_a_pipe_is_no_reason_to_end),
    TEST(pipes_and_devices_are_not_read_as_files),
    TEST(a_closed_pipe_ends_it_quietly),
    TEST(output_that_cannot_be_written_is_an_error),
    TEST(tap_is_well_formed),
    TEST(junit_is_well_formed),
    TEST(every_line_of_json_is_json),
    TEST(colours_are_for_terminals),
    TEST(a_crash_without_forking_prints_its_token_and_goes_its_way),
    TEST(a_debugger_has_a_place_to_stop),
    TEST(a_property_can_be_checked_from_a_plain_main),
    TEST(a_run_ends_after_its_time),
    TEST(a_run_ends_although_each_failure_is_another_bug),
    TEST(a_run_without_a_case_is_no_success),
    TEST(discarded_cases_are_made_up_for),
    TEST(labels_are_counted_once_a_case),
    TEST(many_labels_are_counted_alike_by_any_number_of_workers),
    TEST(shards_are_the_run_taken_apart),
    TEST(shards_share_the_wanted_cases),
    TEST(a_run_ends_when_it_is_stable),
    TEST(limits_come_before_stability),
    TEST(what_others_print_is_no_report),
    TEST(arithmetic_stays_as_a_worker_was_set_up),
    TEST(the_largest_cases_are_confirmed),
    TEST(the_seed_is_always_told),
};

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s MISBEHAVE BEHAVE [LIBWARREN.SO [TEST]]\n", argv[0]);
        return 2;
    }
    misbehave = realpath(argv[1], NULL);
    behave = realpath(argv[2], NULL);
    library = argc > 3 ? realpath(argv[3], NULL) : NULL;
    begin_driving();
    run *list = call("%s --list", misbehave);
    sanitized = strstr(list->out, "asan_") != NULL;
    free(list);
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 4, argc - 4);
}
