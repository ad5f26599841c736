/* tests/isolation_test.c: whatever the code under test does, it is reported, confirmed, shrunk
 * to the smallest case, and the run goes on; and nothing is left behind.
 *
 * usage: isolation_test MISBEHAVE BEHAVE MISBEHAVE.C
 */
#include "drive.h"

static const char *misbehave, *behave, *source;
static bool        sanitized;

/* ---- Each way to go wrong ---- */

/* The line that is marked "AT name" in misbehave.c; 0: none. */
static long marked_line(const char *name)
{
    char  line[400], mark[100];
    long  number = 0, found = 0;
    FILE *file = fopen(source, "r");
    snprintf(mark, sizeof mark, "/* AT %s */", name);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        number++;
        if (strstr(line, mark) != NULL)
            found = number;
    }
    if (file != NULL)
        fclose(file);
    return found;
}

typedef struct expectation {
    const char *property;
    const char *kind;
    const char *message; /* a part of it */
    const char *at;      /* the mark of its line; NULL: its place is not told */
    const char *minimum; /* of n; NULL: "500"; "": no values */
    const char *sanitized_kind, *sanitized_message; /* where they differ */
    const char *options;
} expectation;

#define SANITIZER "sanitizer", "AddressSanitizer: "
#define SLOW "--deadline 300ms --shrink-time 10m"

/* Places that are found through a function of the C library, and mistakes that its heap sees:
 * src/run/libc.h says why musl has neither. */
#ifdef __GLIBC__
#define THROUGH_LIBC(mark) mark
#else
#define THROUGH_LIBC(mark) NULL
#endif

static const expectation EXPECTED[] = {
    { "segv", "signal", "SIGSEGV", "segv", 0, SANITIZER, 0 },
    { "bus", "signal", "SIGBUS", "bus", 0, SANITIZER, 0 },
    { "fpe", "signal", "SIGFPE", "fpe", 0, 0, 0, 0 },
    { "ill", "signal", "SIGILL", "ill", 0, 0, 0, 0 },
    { "aborts", "signal", "SIGABRT", THROUGH_LIBC("aborts"), 0, 0, 0, 0 },
    { "plain_assert", "signal", "assertion failed: !bad", "plain_assert", 0, 0, 0, 0 },
    { "named_like_libc", "signal", "SIGSEGV", "named_like_libc", 0, SANITIZER, 0 },
    { "terminated", "signal", "SIGTERM", 0, 0, 0, 0, 0 },
    { "interrupted", "signal", "SIGINT", 0, 0, 0, 0, 0 },
    { "hung_up", "signal", "SIGHUP", 0, 0, 0, 0, 0 },
    { "alarmed", "signal", "SIGALRM", 0, 0, 0, 0, 0 },
    { "kills_itself", "killed", "SIGKILL", 0, 0, 0, 0, 0 },
    { "kills_its_parent", "killed", "SIGKILL", 0, 0, 0, 0, "--jobs 1" }, /* all workers die */
    { "crashes_with_own_handler", "signal", "SIGSEGV", 0, 0, 0, 0, 0 },
    { "thread_crashes", "signal", "SIGSEGV", "segv", 0, SANITIZER, 0 },
    { "stack_overflow", "stack overflow", "stack overflow", THROUGH_LIBC("stack_overflow"), 0, 0,
      0, 0 },
    { "wide_stack_overflow", "stack overflow", "stack overflow",
      THROUGH_LIBC("wide_stack_overflow"), 0, 0, 0, 0 },
    { "stack_overrun", "signal", "SIGSEGV", "stack_overrun", 0, SANITIZER, 0 },
    { "exits", "exit", "exit(3)", THROUGH_LIBC("exits"), 0, 0, 0, 0 },
    { "exits_quietly", "exit", "status 0", 0, 0, 0, 0, 0 },
    { "endless_loop", "deadline", "300 ms of CPU time", "endless_loop", "2", 0, 0, SLOW },
    { "endless_sleep", "deadline", "longer than the deadline", 0, "2", 0, 0, SLOW },
    { "stops_itself", "deadline", "longer than the deadline", THROUGH_LIBC("stops_itself"), "2",
      0, 0, SLOW },
    { "eats_memory", "memory", "used more than 150 MB of memory (--memory)", 0, "2", 0, 0,
      "--memory 150M" },
    { "closes_descriptors", "closed descriptors", "left closed", 0, 0, 0, 0, 0 },
    { "closes_descriptors_and_fails", "assertion", "closed", "closes_descriptors_and_fails", 0, 0,
      0, 0 },
    { "sets_flags_and_fails", "signal", "assertion failed: !bad", "sets_flags_and_fails", 0, 0, 0,
      0 },
    { "closes_descriptors_and_crashes", "signal", "SIGSEGV", "segv", 0, SANITIZER, 0 },
#ifdef __GLIBC__
    { "frees_twice", "signal", "double free", "frees_twice", 0, 0, 0, 0 },
    { "corrupts_the_heap", "signal", "SIGABRT", "corrupts_the_heap", 0, 0, 0, 0 },
#endif
    { "asan_heap_overflow", SANITIZER "heap-buffer-overflow", "asan_heap_overflow", 0, 0, 0, 0 },
    { "asan_use_after_free", SANITIZER "heap-use-after-free", "asan_use_after_free", 0, 0, 0, 0 },
    { "asan_frees_twice", SANITIZER "double-free", "asan_frees_twice", 0, 0, 0, 0 },
    { "asan_fails_and_frees_twice", SANITIZER "double-free", "asan_fails_and_frees_twice", 0, 0,
      0, 0 },
    { "asan_arena_overflow", SANITIZER "use-after-poison", "asan_arena_overflow", 0, 0, 0, 0 },
    { "ubsan_overflow", "sanitizer", "signed integer overflow", "ubsan_overflow", 0, 0, 0, 0 },
    { "ubsan_overflow_and_closes_others", "sanitizer", "signed integer overflow",
      "ubsan_overflow_and_closes_others", 0, 0, 0, 0 },
    { "ubsan_overflow_and_prints", "sanitizer", "signed integer overflow",
      "ubsan_overflow_and_prints", 0, 0, 0, "--jobs 1" },
    { "divides_by_zero", "sanitizer", "division by zero", "divides_by_zero", 0, 0, 0, 0 },
    { "leaks", "leak", "300 byte", "leaks", 0, 0, 0, 0 },
    { "guarded_overread", "signal", "SIGSEGV", "guarded_overread", 0, SANITIZER, 0 },
    { "guarded_overwrite", "signal", "SIGSEGV", "guarded_overwrite", 0, SANITIZER, 0 },
    { "scribbles_around_the_case", "signal", "SIGABRT", THROUGH_LIBC("scribbles_around_the_case"),
      0, 0, 0, 0 },
    { "forked_child_returns", "forked child", "_exit()", 0, 0, 0, 0, 0 },
    { "forked_child_draws", "forked child", "_exit()", 0, 0, 0, 0, 0 },
    { "copied_child_returns", "forked child", "_exit()", 0, 0, 0, 0, 0 },
    { "copied_child_draws", "forked child", "_exit()", 0, 0, 0, 0, 0 },
    { "copied_child_fails", "forked child", "_exit()", 0, 0, 0, 0, 0 },
    { "copied_child_is_not_waited_for", "forked child", "_exit()", 0, 0, 0, 0, 0 },
    { "vforked_child_returns", "forked child", "_exit()", 0, 0, 0, 0, 0 },
    { "starts_processes", "processes", "more than 64 processes", 0, "2", 0, 0, 0 },
    { "starts_processes_in_sessions", "processes", "more than 10 processes", 0, "2", 0, 0,
      "--processes 10" },
    { "stops_its_parent", "assertion", "!wrong(t)", "stops_its_parent", 0, 0, 0, 0 },
    { "stops_the_parent_of_its_parent", "signal", "SIGSEGV", "segv", 0, SANITIZER, 0 },
    { "kills_the_parent_of_its_parent", "killed", "SIGKILL", 0, 0, 0, 0, "--jobs 1" },
    { "asks_to_be_traced", "signal", "SIGSEGV", "segv", 0, SANITIZER, 0 },
    { "traces_its_parent", "assertion", "!wrong(t)", "traces_its_parent", 0, 0, 0, 0 },
    { "runs_itself", "processes", "more than 20 processes", 0, "2", 0, 0, "--processes 20" },
    { "deferred_fails", "assertion", "deferred", "deferred_fails", 0, 0, 0, 0 },
    { "deferred_crashes", "signal", "SIGSEGV", "segv", 0, SANITIZER, 0 },
    { "teardown_fails", "assertion", "!is_wrong", "teardown_fails", 0, 0, 0, 0 },
    { "setup_fails", "assertion", "!wrong(t)", "setup_fails", 0, 0, 0, 0 },
    { "fails_twice", "assertion", "!bad", "fails_twice", 0, 0, 0, 0 },
    { "worker_setup_exits", "exit", "status 7", 0, "", 0, 0, 0 },
    { "fails", "assertion", "n is 500", "fails", 0, 0, 0, 0 },
    { "assert_eq", "assertion", "= 500", "assert_eq", 0, 0, 0, 0 },
    { "assert_ne", "assertion", "= 500", "assert_ne", 0, 0, 0, 0 },
    { "assert_lt", "assertion", "n < 500", "assert_lt", 0, 0, 0, 0 },
    { "assert_le", "assertion", "n <= 499u", "assert_le", 0, 0, 0, 0 },
    { "assert_gt", "assertion", "500.0 > n", "assert_gt", 0, 0, 0, 0 },
    { "assert_ge", "assertion", "499ull >= n", "assert_ge", 0, 0, 0, 0 },
    { "assert_near", "assertion", "within 499.5", "assert_near", 0, 0, 0, 0 },
    { "assert_str_eq", "assertion", "first difference at byte 4", "assert_str_eq", 0, 0, 0, 0 },
    { "assert_strings", "assertion", "first difference at byte 0", "assert_strings", 0, 0, 0, 0 },
    { "assert_mem_eq", "assertion", "1 differs, the first at offset 20 (0x14)", "assert_mem_eq",
      0, 0, 0, 0 },
    { "prints_words_of_a_sanitizer", "exit", "status 3", 0, 0, "sanitizer", "whatever", 0 },
    { "noisy", "assertion", "n < 500", "noisy", 0, 0, 0, 0 },
    { "very_noisy", "signal", "assertion failed: n < 500", "very_noisy", 0, 0, 0, 0 },
    { "crashes_in_its_folder", "signal", "SIGABRT", THROUGH_LIBC("crashes_in_its_folder"), 0, 0,
      0, 0 },
};
#define EXPECTED_COUNT (sizeof EXPECTED / sizeof *EXPECTED)

static void check_failure(const expectation *e, const char *json)
{
    bool        differs = sanitized && e->sanitized_kind != NULL;
    const char *minimum = e->minimum == NULL ? "500" : e->minimum;
    CHECK_TEXT(json_text(json, "status"), "failed");
    CHECK_TEXT(json_text(json, "failure.kind"), differs ? e->sanitized_kind : e->kind);
    CHECK_HAS(json_text(json, "failure.message"), differs ? e->sanitized_message : e->message);
    CHECK_NUMBER(json_number(json, "failure.line"), e->at == NULL ? 0 : marked_line(e->at));
    if (e->at != NULL)
        CHECK_HAS(json_text(json, "failure.file"), "misbehave.c");
    CHECK_TEXT(json_text(json, "failure.values.n"), minimum);
    CHECK_TEXT(json_text(json, "failure.flaky"), "false");
    CHECK_TEXT(json_text(json, "failure.flaky_why"), "");
    CHECK_TEXT(json_text(json, "failure.unfinished"), "false");
    CHECK(json_number(json, "failure.executions_before") >= 1);
    CHECK(json_number(json, "failure.executions_after") >= 1);
}

/* Most of these programs wait most of the time: so many run at once. */
#define AT_ONCE 4

static void check_run(const expectation *e, run *r)
{
    snprintf(now_testing, sizeof now_testing, "%s", e->property);
    finish(r);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(r->err, "");
    CHECK_NUMBER(count_lines(r->out), 2);
    check_failure(e, line_of(r, e->property));
    CHECK_TEXT(json_text(line_of(r, "holds"), "status"), "held");
    CHECK_NUMBER(json_number(line_of(r, "holds"), "cases"), 1000);
    free(r);
}

/* Checks those that run, and that nothing is left of them. */
static void check_runs(const expectation *const *expected, run **runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_run(expected[i], runs[i]);
    CHECK_NUMBER(left_behind(), 0);
    CHECK_NUMBER(folders_left(), 0);
}

static void everything_that_goes_wrong_is_reported_and_shrunk(void)
{
    run               *list = call("%s --list", misbehave), *runs[AT_ONCE];
    const expectation *expected[AT_ONCE];
    size_t             count = 0;
    for (size_t i = 0; i < EXPECTED_COUNT; i++) {
        const expectation *e = &EXPECTED[i];
        char               named[100];
        snprintf(named, sizeof named, "\n%s ", e->property);
        if (strncmp(list->out, named + 1, strlen(named) - 1) != 0 &&
            strstr(list->out, named) == NULL)
            continue; /* not with this compiler's options */
        /* `holds` comes after it, with the same workers. */
        expected[count] = e;
        runs[count++] = start("%s --format json --no-store --seed 1 %s %s holds", misbehave,
                              e->options == NULL ? "" : e->options, e->property);
        if (count < AT_ONCE)
            continue;
        check_runs(expected, runs, count);
        count = 0;
    }
    check_runs(expected, runs, count);
    free(list);
}

/* The case's own memory is gone: only that something is said, and by whom, can be asked. */
static void a_case_that_destroys_its_own_records_is_survived(void)
{
    run *r =
        call("%s --format json --no-store --seed 1 scribbles_over_the_case holds", misbehave);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(line_of(r, "scribbles_over_the_case"), "status"), "failed");
    CHECK_TEXT(json_text(line_of(r, "holds"), "status"), "held");
    CHECK_NUMBER(left_behind(), 0);
    free(r);
}

static void those_who_look_after_a_case_get_by(void)
{
    static const char *const names[] = { "locks_standard_error",
                                         "turns_standard_error_to_a_full_pipe",
                                         "moves_its_folder_away" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(now_testing, sizeof now_testing, "%s", names[i]);
        run *r = call("%s --format json --no-store --seed 1 %s holds", misbehave, names[i]);
        CHECK_NUMBER(r->status, 0);
        CHECK_NUMBER(count_lines(r->out), 2);
        CHECK_NUMBER(left_behind(), 0);
        CHECK_NUMBER(folders_left(), 0);
        free(r);
    }
}

static void a_file_of_the_code_under_test_is_left_alone(void)
{
    expect_marks();
    run *r =
        call("%s --format json --no-store --seed 1 opens_a_file_under_every_number", misbehave);
    CHECK_NUMBER(r->status, 0);
    CHECK(marked(100));
    free(r);
}

/* Folders such as another run may have that has the same process number. */
static bool make_folders_of_another(void)
{
    bool good = true;
    for (int i = 0; i < 4; i++) {
        char name[60];
        snprintf(name, sizeof name, "warren-%ld-%d", (long)getpid(), i);
        good &= mkdir(scratch_path(name), 0700) == 0;
    }
    return good;
}

static void folders_of_other_runs_are_left_alone(void)
{
    before_program = make_folders_of_another;
    run *r =
        call("%s --format json --no-store --seed 1 --jobs 1 crashes_in_its_folder", misbehave);
    before_program = NULL;
    CHECK_NUMBER(r->status, 1);
    for (int i = 0; i < 4; i++) {
        char name[60];
        snprintf(name, sizeof name, "warren-%ld-%d", (long)r->pid, i);
        CHECK(rmdir(scratch_path(name)) == 0);
    }
    CHECK_NUMBER(folders_left(), 0);
    free(r);
}

static void all_in_one_run_go_on_to_the_end(void)
{
    run *r = call(
        "%s --format json --no-store --seed 1 [a-b]* [d-e]xits* f* k* three_bugs skips holds",
        misbehave);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(r->err, "");
    CHECK_TEXT(json_text(line_of(r, "holds"), "status"), "held");
    CHECK_NUMBER(left_behind(), 0);
    free(r);
}

/* Also where the process that workers are forked from was made anew. */
static void cases_see_the_signals_of_the_program(void)
{
    run *r = call("%s --format json --no-store --seed 1 --jobs 1 kills_the_parent_of_its_parent "
                  "interrupted hung_up",
                  misbehave);
    CHECK_HAS(json_text(line_of(r, "interrupted"), "failure.message"), "SIGINT");
    CHECK_HAS(json_text(line_of(r, "hung_up"), "failure.message"), "SIGHUP");
    free(r);
}

/* A program whose name is that of a foreign library. */
static void a_program_may_have_any_name(void)
{
    run *r = call("cp %s %s", misbehave, scratch_path("libasan-test"));
    free(r);
    r = call("%s --format json --no-store --seed 1 segv", scratch_path("libasan-test"));
    CHECK_NUMBER(json_number(r->out, "failure.line"), marked_line("segv"));
    unlink(scratch_path("libasan-test"));
    free(r);
}

static void a_process_for_each_case_finds_the_same(void)
{
    static const char *const names[] = { "segv", "exits", "assert_eq", "closes_descriptors" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        run *r = call("%s --format json --no-store --seed 1 --fork-each --cases 20 %s holds",
                      misbehave, names[i]);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(line_of(r, names[i]), "status"), "failed");
        CHECK_TEXT(json_text(line_of(r, names[i]), "failure.values.n"), "500");
        CHECK_NUMBER(json_number(line_of(r, "holds"), "cases"), 20);
        free(r);
    }
    /* Global state is not carried from case to case. */
    run *r = call("%s --format json --no-store --seed 1 --fork-each --cases 120 counts_cases "
                  "depends_on_earlier_cases",
                  misbehave);
    CHECK_NUMBER(r->status, 0);
    free(r);
}

/* ---- Neither held nor failed ---- */

static void other_endings_are_told_apart(void)
{
    static const struct {
        const char *property, *status, *why, *warning, *flaky_why;
        int         exit;
    } ends[] = {
        { "skips", "skipped", "not here", "", "", 77 },
        { "skipped_by_option", "skipped", "not today", "", "", 77 },
        { "discards_all", "gave up", "all 22000 cases were discarded: draw", "", "", 1 },
        { "draws_too_much", "gave up", "too large: draw", "20000 choices", "", 1 },
        { "lo_above_hi", "error", "lo 2 is above hi 1", "", "", 99 },
        { "draws_nothing", "held", "", "draws nothing", "", 0 },
        { "slow", "held", "", "slow", "", 0 },
        { "counts_cases", "flaky", "", "", "depends on earlier cases", 1 },
        { "asks_by_count", "flaky", "", "", "not deterministic", 1 },
        { "depends_on_earlier_cases", "flaky", "", "", "depends on earlier cases", 1 },
        { "holds", "held", "", "", "", 0 },
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(now_testing, sizeof now_testing, "%s", ends[i].property);
        run *r =
            call("%s --format json --no-store --seed 1 --jobs 1 %s", misbehave, ends[i].property);
        CHECK_NUMBER(r->status, ends[i].exit);
        CHECK_TEXT(json_text(r->out, "status"), ends[i].status);
        CHECK_HAS(json_text(r->out, "why"), ends[i].why);
        CHECK_HAS(json_text(r->out, "warnings.0"), ends[i].warning);
        CHECK((ends[i].warning[0] == '\0') == (json_text(r->out, "warnings.0")[0] == '\0'));
        CHECK_HAS(json_text(r->out, "failure.flaky_why"), ends[i].flaky_why);
        CHECK_NUMBER(left_behind(), 0);
        free(r);
    }
}

static void a_worker_teardown_that_goes_wrong_is_told(void)
{
    static const struct {
        const char *property, *message, *sanitized_message, *at;
    } ends[] = {
        { "worker_teardown_crashes", "worker_teardown: killed by SIGSEGV",
          "worker_teardown: AddressSanitizer: ", "segv" },
        { "worker_teardown_hangs", "worker_teardown took longer than the deadline: 300 ms", 0,
          0 },
        { "worker_teardown_exits", "worker_teardown: the process exited with status 7", 0, 0 },
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(now_testing, sizeof now_testing, "%s", ends[i].property);
        run *r = call("%s --format json --no-store --seed 1 --deadline 300ms %s holds", misbehave,
                      ends[i].property);
        const char *json = line_of(r, ends[i].property);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(json, "status"), "flaky");
        CHECK_HAS(json_text(json, "failure.message"), sanitized && ends[i].sanitized_message
                                                          ? ends[i].sanitized_message
                                                          : ends[i].message);
        CHECK_NUMBER(json_number(json, "failure.line"),
                     ends[i].at == NULL ? 0 : marked_line(ends[i].at));
        CHECK_HAS(json_text(json, "failure.flaky_why"), "after the last case");
        CHECK_NUMBER(json_number(json, "cases"), 1000);
        CHECK_TEXT(json_text(line_of(r, "holds"), "status"), "held");
        free(r);
    }
}

/* The second time, the stored failure is all that is tried. */
static void a_worker_teardown_is_not_blamed_on_the_next_property(void)
{
    for (int i = 0; i < 2; i++) {
        run *r = call("%s --format json --store %s --seed 1 fails_and_worker_teardown_crashes "
                      "holds",
                      misbehave, scratch_path("torn"));
        const char *json = line_of(r, "fails_and_worker_teardown_crashes");
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(json, "failures.0.kind"), "assertion");
        CHECK_HAS(json_text(json, "failures.1.message"), "worker_teardown: ");
        CHECK_TEXT(json_text(line_of(r, "holds"), "status"), "held");
        free(r);
    }
}

/* The judge's worker crashes while the next property runs, which does not use it. */
static void a_thread_is_not_blamed_on_the_next_property(void)
{
    run        *r = call("%s --format json --no-store --seed 1 --jobs 1 "
                                "fails_and_leaves_a_thread_that_crashes takes_its_time",
                         misbehave);
    const char *json = line_of(r, "takes_its_time");
    CHECK_TEXT(json_text(json, "status"), "held");
    CHECK_HAS(json_text(json, "warnings.0"),
              "a worker of fails_and_leaves_a_thread_that_crashes died after that property");
    free(r);
}

/* A worker that cannot start is the fault of no later property. */
static void limits_of_those_above_end_with_the_property(void)
{
    run *r = call("%s --format json --no-store --seed 1 limits_those_above_it holds", misbehave);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(json_text(line_of(r, "limits_those_above_it"), "failure.message"),
              "a worker process could not be started: ");
    CHECK_TEXT(json_text(line_of(r, "holds"), "status"), "held");
    CHECK_NUMBER(left_behind(), 0);
    free(r);
}

/* ---- Sanitizers ---- */

static void memory_of_a_case_ends_with_it(void)
{
    if (!sanitized)
        return;
    run *r = call("%s --format json --no-store --seed 1 asan_keeps_what_a_case_owns", misbehave);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "status"), "flaky");
    CHECK_TEXT(json_text(r->out, "failure.kind"), "sanitizer");
    CHECK_HAS(json_text(r->out, "failure.message"), "use-after-poison");
    free(r);
}

static void leaks_of_discarded_cases_are_no_failures(void)
{
    if (!sanitized)
        return;
    run *r = call("%s --format json --no-store --seed 1 leaks_and_discards leaks", misbehave);
    CHECK_TEXT(json_text(line_of(r, "leaks_and_discards"), "status"), "held");
    CHECK_HAS(json_text(line_of(r, "leaks_and_discards"), "warnings.0"), "wr_defer");
    CHECK_TEXT(json_text(line_of(r, "leaks"), "failure.kind"), "leak"); /* looked for again */
    free(r);
}

/* What is shown comes from the confirming run, the report of a sanitizer included. */
static void a_sanitizer_report_is_shown(void)
{
    if (!sanitized)
        return;
    run *r = call("%s --format json --no-store --seed 1 asan_use_after_free", misbehave);
    CHECK_HAS(json_text(r->out, "failure.output"),
              "ERROR: AddressSanitizer: heap-use-after-free");
    CHECK_HAS(json_text(r->out, "failure.output"), "misbehave.c"); /* symbolised */
    free(r);
}

/* ---- Output ---- */

static void output_is_shown_from_the_confirming_run_only(void)
{
    run *r = call("%s --no-store --seed 1 --color never noisy", misbehave);
    CHECK_HAS(r->out, "on standard output: 500\n");
    CHECK_HAS(r->out, "on standard error: 500\n");
    CHECK_HAS(r->out, "a note: 500\n");
    CHECK(strstr(strstr(r->out, "on standard output: ") + 1, "on standard output: ") == NULL);
    CHECK_TEXT(r->err, "");
    free(r);
    r = call("%s --no-store --seed 1 --color never may_print", behave);
    CHECK_NUMBER(r->status, 0);
    CHECK(strstr(r->out, "SPOKEN") == NULL);
    CHECK(strstr(r->err, "SHOUTED") == NULL && strstr(r->out, "SHOUTED") == NULL);
    CHECK(strstr(r->out, "NOTED") == NULL);
    free(r);
}

/* ---- Around a case ---- */

static void what_a_batch_changes_is_undone(void)
{
    run *r = call("%s --format json --no-store --seed 1 --jobs 1 "
                  "finds_the_process_unchanged_after_a_batch",
                  behave);
    CHECK_NUMBER(r->status, 0);
    CHECK_TEXT(json_text(r->out, "failure.message"), "");
    CHECK(json_number(r->out, "labels.undone") > 1000);
    free(r);
}

static void what_should_hold_holds(void)
{
    static const char *const fork[] = { "--jobs 1", "--jobs 4", "--fork-each --cases 30",
                                        "--no-fork" };
    for (size_t i = sanitized; i < sizeof fork / sizeof *fork; i++) {
        snprintf(now_testing, sizeof now_testing, "behave %s", fork[i]);
        /* not in this process: what is printed, what is read; not with a new one each */
        run *r =
            call("%s --format json --no-store --seed 1 %s is_* d* a_* m[ae][lm]* large* "
                 "g* c*_labels%s",
                 behave, fork[i], strcmp(fork[i], "--no-fork") == 0 ? "" : " may_* standard*");
        CHECK_NUMBER(r->status, 0);
        for (const char *at = r->out; (at = strstr(at, "\"failure\": ")) != NULL; at++)
            printf("%.200s\n", at);
        CHECK_NUMBER(left_behind(), 0);
        CHECK_NUMBER(folders_left(), 0);
        free(r);
    }
}

static void a_worker_is_set_up_and_torn_down_once(void)
{
    const char *path = scratch_path("log");
    char        text[8192] = "";
    int         ups = 0, downs = 0;
    setenv("BEHAVE_LOG", path, 1);
    run *r = call("%s --format json --no-store --seed 1 --jobs 3 is_set_up*", behave);
    CHECK_NUMBER(r->status, 0);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(text, sizeof text, file) != NULL) {
        ups += strncmp(text, "worker setup", 12) == 0;
        downs += strncmp(text, "worker teardown", 15) == 0;
    }
    if (file != NULL)
        fclose(file);
    CHECK(ups >= 1 && ups <= 4); /* three that explore, and the judge */
    CHECK_NUMBER(downs, ups);
    unlink(path);
    unsetenv("BEHAVE_LOG");
    free(r);
}

static void children_do_not_outlive_the_run(void)
{
    static const char *const names[] = { "leaves_children", "leaves_a_child_a_case",
                                         "copied_children_end_as_they_like" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(now_testing, sizeof now_testing, "%s", names[i]);
        run *r = call("%s --format json --no-store --seed 1 %s", misbehave, names[i]);
        CHECK_NUMBER(r->status, 0);
        CHECK_TEXT(json_text(r->out, "warnings.1"), "");
        CHECK_NUMBER(left_behind(), 0);
        free(r);
    }
}

static bool hide_proc(void)
{
    return hide_folder("/proc");
}

static void children_do_not_outlive_the_run_without_proc(void)
{
    static const char *const names[] = { "leaves_children", "leaves_a_child_a_case" };
    if (sanitized || !before_program_works(hide_proc)) /* a sanitizer needs /proc */
        return;
    before_program = hide_proc;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(now_testing, sizeof now_testing, "%s without /proc", names[i]);
        run *r = call("%s --format json --no-store --seed 1 %s", misbehave, names[i]);
        CHECK_NUMBER(r->status, 0);
        CHECK_NUMBER(left_behind(), 0);
        free(r);
    }
    run *r = call("%s --format json --no-store --seed 1 starts_processes", misbehave);
    CHECK_TEXT(json_text(r->out, "failure.kind"), "processes");
    CHECK_NUMBER(left_behind(), 0);
    free(r);
    before_program = NULL;
}

static void nobody_outlives_a_parent_that_is_killed(void)
{
    static const char *const names[] = { "long_run", "long_case", "leaves_children" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(now_testing, sizeof now_testing, "killed in %s", names[i]);
        run *r = start("%s --no-store --seed 1 --jobs 3 %s long_case", misbehave, names[i]);
        pause_ms(400);
        kill(r->pid, SIGKILL);
        finish(r);
        CHECK_NUMBER(r->signal, SIGKILL);
        CHECK_NUMBER(left_behind(), 0);
        free(r);
    }
}

/* ---- The same seed, the same result ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The different lines of a file in alphabetical order: workers append as they go, and a case
 * may be run again. */
static char *sorted_lines(const char *path)
{
    static char *lines[5000];
    size_t       count = 0, room = 0;
    char        *all = calloc(1, 1 << 20), *to = all;
    FILE        *file = fopen(path, "r");
    while (file != NULL && count < 5000) {
        lines[count] = NULL;
        room = 0;
        if (getline(&lines[count], &room, file) < 0)
            break;
        count++;
    }
    if (file != NULL) {
        free(lines[count]);
        fclose(file);
    }
    qsort(lines, count, sizeof *lines, by_text);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(lines[i], lines[i - 1]) != 0)
            to = stpcpy(to, lines[i]);
    for (size_t i = 0; i < count; i++)
        free(lines[i]);
    return all;
}

/* Takes the values of a member out. */
static void drop(char *json, const char *member)
{
    for (char *at = json; (at = strstr(at, member)) != NULL;) {
        char       *value = at + strlen(member);
        const char *end = json_skip(value);
        if (end == NULL)
            return;
        memmove(value, end, strlen(end) + 1);
        at = value;
    }
}

/* Everything told, but how long it took and, for it names addresses, what a sanitizer said. */
static void finish_result(run *r)
{
    finish(r);
    drop(r->out, "\"seconds\": ");
    if (sanitized)
        drop(r->out, "\"output\": ");
}

/* Says where two texts part, not all of both. */
static void check_same(const char *a, const char *b)
{
    size_t same = 0;
    while (a[same] != '\0' && a[same] == b[same])
        same++;
    if (a[same] == b[same])
        return;
    size_t from = same > 60 ? same - 60 : 0;
    printf("%s: '%.100s' or '%.100s'\n", now_testing, a + from, b + from);
    failures++;
}

static void the_result_depends_on_the_seed_alone(void)
{
    static const char *const lines[] = {
        "segv noisy assert_eq exits closes_descriptors_and_fails discards_all skips lo_above_hi",
        "--bugs many three_bugs --cases 2000",
        "holds draws_nothing teardown_fails forked_child_returns",
        "draws_too_much",
    };
    size_t count = sizeof lines / sizeof *lines - sanitized; /* the last one takes too long */
    for (size_t i = 0; i < count; i++)
        for (int seed = 1; seed <= (i == 3 || sanitized ? 1 : 3); seed++) {
            static const int jobs[] = { 1, 1, 2, 4 };
            run             *runs[4];
            for (int again = 0; again < 4; again++)
                runs[again] = start("%s --format json --no-store --seed %d --jobs %d %s",
                                    misbehave, seed, jobs[again], lines[i]);
            for (int again = 0; again < 4; again++) {
                snprintf(now_testing, sizeof now_testing, "--seed %d --jobs %d %s", seed,
                         jobs[again], lines[i]);
                finish_result(runs[again]);
                check_same(runs[0]->out, runs[again]->out);
                CHECK_NUMBER(runs[again]->status, runs[0]->status);
            }
            for (int again = 0; again < 4; again++)
                free(runs[again]);
        }
}

static void the_same_cases_are_drawn_whoever_runs_them(void)
{
    char                    *first = NULL;
    static const char *const how[] = { "--jobs 1", "--jobs 4", "--fork-each", "--no-fork" };
    setenv("BEHAVE_LOG", scratch_path("draws"), 1);
    for (size_t i = 0; i < 4; i++) {
        snprintf(now_testing, sizeof now_testing, "draws with %s", how[i]);
        unlink(getenv("BEHAVE_LOG"));
        run *r = call("%s --format json --no-store --seed 7 %s draws_everything", behave, how[i]);
        char *drawn = sorted_lines(getenv("BEHAVE_LOG"));
        CHECK_NUMBER(r->status, 0);
        CHECK_NUMBER(count_lines(drawn), 300);
        if (first == NULL)
            first = drawn;
        else
            CHECK(strcmp(first, drawn) == 0);
        if (first != drawn)
            free(drawn);
        free(r);
    }
    free(first);
    unlink(getenv("BEHAVE_LOG"));
    unsetenv("BEHAVE_LOG");
}

static void fast_and_traced_draws_are_the_same(void)
{
    for (int seed = 1; seed <= 40; seed++) {
        snprintf(now_testing, sizeof now_testing, "fast and traced, seed %d", seed);
        run *r = call("%s --format json --no-store --seed %d --shrink-time 1ms fast_draws*",
                      behave, seed);
        CHECK_TEXT(json_text(r->out, "status"), "failed");
        CHECK_TEXT(json_text(r->out, "failure.flaky_why"), "");
        free(r);
    }
}

/* ---- Many bugs ---- */

static void each_bug_is_reported_once(void)
{
    run *r =
        call("%s --format json --no-store --seed 1 --bugs many --cases 3000 three_bugs holds",
             misbehave);
    const char *json = line_of(r, "three_bugs");
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(json, "status"), "failed");
    CHECK(json_find(json, "failures.2") != NULL);
    CHECK(json_find(json, "failures.3") == NULL);
    int  crashes = 0;
    long lines[3];
    for (int i = 0; i < 3; i++) {
        char path[40];
        snprintf(path, sizeof path, "failures.%d.kind", i);
        crashes += strcmp(json_text(json, path), sanitized ? "sanitizer" : "signal") == 0;
        snprintf(path, sizeof path, "failures.%d.line", i);
        lines[i] = json_number(json, path);
        snprintf(path, sizeof path, "failures.%d.seen", i);
        CHECK(json_number(json, path) > 1);
    }
    CHECK_NUMBER(crashes, 1);
    CHECK(lines[0] != lines[1] && lines[1] != lines[2] && lines[0] != lines[2]);
    CHECK_NUMBER(json_number(json, "cases"), 3000);
    free(r);
}

static void assertions_in_one_line_are_told_apart(void)
{
    run *r =
        call("%s --format json --no-store --seed 1 --bugs many --cases 3000 two_bugs_in_a_line",
             misbehave);
    CHECK(json_find(r->out, "failures.1") != NULL);
    CHECK(json_find(r->out, "failures.2") == NULL);
    CHECK_NUMBER(json_number(r->out, "failures.0.line"), json_number(r->out, "failures.1.line"));
    CHECK(strcmp(json_text(r->out, "failures.0.message"),
                 json_text(r->out, "failures.1.message")) != 0);
    free(r);
}

static const test TESTS[] = {
    TEST(everything_that_goes_wrong_is_reported_and_shrunk),
    TEST(a_case_that_destroys_its_own_records_is_survived),
    TEST(those_who_look_after_a_case_get_by),
    TEST(a_file_of_the_code_under_test_is_left_alone),
    TEST(folders_of_other_runs_are_left_alone),
    TEST(all_in_one_run_go_on_to_the_end),
    TEST(cases_see_the_signals_of_the_program),
    TEST(a_program_may_have_any_name),
    TEST(a_process_for_each_case_finds_the_same),
    TEST(other_endings_are_told_apart),
    TEST(a_worker_teardown_that_goes_wrong_is_told),
    TEST(a_worker_teardown_is_not_blamed_on_the_next_property),
    TEST(a_thread_is_not_blamed_on_the_next_property),
    TEST(limits_of_those_above_end_with_the_property),
    TEST(memory_of_a_case_ends_with_it),
    TEST(leaks_of_discarded_cases_are_no_failures),
    TEST(a_sanitizer_report_is_shown),
    TEST(output_is_shown_from_the_confirming_run_only),
    TEST(what_a_batch_changes_is_undone),
    TEST(what_should_hold_holds),
    TEST(a_worker_is_set_up_and_torn_down_once),
    TEST(children_do_not_outlive_the_run),
    TEST(children_do_not_outlive_the_run_without_proc),
    TEST(nobody_outlives_a_parent_that_is_killed),
    TEST(the_result_depends_on_the_seed_alone),
    TEST(the_same_cases_are_drawn_whoever_runs_them),
    TEST(fast_and_traced_draws_are_the_same),
    TEST(each_bug_is_reported_once),
    TEST(assertions_in_one_line_are_told_apart),
};

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: %s MISBEHAVE BEHAVE MISBEHAVE.C [TEST...]\n", argv[0]);
        return 2;
    }
    misbehave = realpath(argv[1], NULL);
    behave = realpath(argv[2], NULL);
    source = realpath(argv[3], NULL);
    begin_driving();
    run *list = call("%s --list", misbehave);
    sanitized = strstr(list->out, "asan_") != NULL;
    free(list);
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 4, argc - 4);
}
