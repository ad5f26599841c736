/* tests/state_test.c: nobody is blamed for what others left behind, and a case that hangs is told
 * of soon, with its values and its place.
 *
 * usage: state_test STATES STATES.C [TEST...]
 */
#include "drive.h"

#include <sched.h>
#include <sys/resource.h>

static const char *states, *source;
static bool        sanitized;

/* The line that is marked "AT name" in states.c; 0: none. */
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

static void check_holds(const char *json)
{
    CHECK_TEXT(json_text(json, "status"), "held");
    CHECK_NUMBER(json_number(json, "cases"), 1000);
    CHECK_TEXT(json_text(json, "warnings.0"), "");
}

/* ---- Blame ---- */

static void the_next_property_is_not_blamed(void)
{
    static const char *const names[] = { "leaves_a_thread", "leaves_a_timer", "forbids_to_wait",
                                         "forbids_nearly_all" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int jobs = 1; jobs <= 2; jobs++) {
            snprintf(now_testing, sizeof now_testing, "%s --jobs %d", names[i], jobs);
            run *r = call("%s --format json --no-store --seed 1 --jobs %d %s holds", states, jobs,
                          names[i]);
            CHECK(line_of(r, names[i])[0] != '\0');
            check_holds(line_of(r, "holds"));
            CHECK_NUMBER(left_behind(), 0);
            free(r);
        }
}

/* Not even by cases of the same property. */
static void what_a_case_leaves_in_its_process_harms_nobody(void)
{
    static const char *const names[] = { "leaves_an_interval_timer", "leaves_a_signal_pending",
                                         "leaves_registers_full", "leaves_an_exception_pending" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int jobs = 1; jobs <= 2; jobs++) {
            snprintf(now_testing, sizeof now_testing, "%s --jobs %d", names[i], jobs);
            run *r = call("%s --format json --no-store --seed %d --jobs %d %s holds", states,
                          jobs, jobs, names[i]);
            check_holds(line_of(r, names[i]));
            check_holds(line_of(r, "holds"));
            free(r);
        }
}

static void a_copy_beside_the_worker_is_found(void)
{
    for (int jobs = 1; jobs <= 2; jobs++) {
        snprintf(now_testing, sizeof now_testing, "a copy beside, --jobs %d", jobs);
        run *r = call("%s --format json --no-store --seed %d --jobs %d copies_itself_beside",
                      states, jobs, jobs);
        CHECK_TEXT(json_text(r->out, "status"), "failed");
        CHECK_TEXT(json_text(r->out, "failure.kind"), "forked child");
        CHECK_TEXT(json_text(r->out, "failure.values.n"), "7");
        CHECK_NUMBER(left_behind(), 0);
        free(r);
    }
}

/* The first process that a run forks hangs there, or the run itself does. */
static void a_handler_of_forks_that_hangs_can_be_stopped(void)
{
    for (int before = 0; before <= 1; before++) {
        setenv("STATES_HANGS_AT_FORK", before ? "before" : "after", 1);
        snprintf(now_testing, sizeof now_testing, "hangs at a fork, %d", before);
        expect_marks();
        run *r = start("%s --no-store --seed 1 holds", states);
        CHECK(marked(1));
        kill(r->pid, SIGTERM);
        finish(r);
        CHECK(before ? r->signal == SIGTERM : r->status == 99);
        CHECK(before || strstr(r->err, "cannot start the process that makes workers") != NULL);
        CHECK_NUMBER(left_behind(), 0);
        free(r);
    }
    unsetenv("STATES_HANGS_AT_FORK");
}

/* A worker that takes its time to start is not the one before it, which was killed. */
static void a_worker_that_starts_slowly_is_not_taken_for_a_killed_one(void)
{
    setenv("STATES_LINGERS_AT_FORK", "1", 1);
    run *r = call("%s --format json --no-store --seed 1 --jobs 1 --memory 200M "
                  "has_a_large_setup holds",
                  states);
    CHECK_HAS(json_text(line_of(r, "has_a_large_setup"), "failure.message"), "--memory");
    CHECK_TEXT(json_text(line_of(r, "holds"), "status"), "held");
    unsetenv("STATES_LINGERS_AT_FORK");
    free(r);
}

/* In strict mode a worker dies when it is looked after: the case that did it is found. */
static void a_worker_that_dies_after_a_case_names_the_case(void)
{
    run *r = call("%s --format json --no-store --seed 1 forbids_nearly_all", states);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.kind"), "killed");
    CHECK_TEXT(json_text(r->out, "failure.values.n"), "500");
    CHECK_TEXT(json_text(r->out, "warnings.0"), "");
    free(r);
}

/* Its orders go to other workers, no case is blamed, and yet the property did it. A worker that
 * always has its next order in time does not wait, and lives: then another run is made. */
static void a_worker_that_dies_idle_is_told_without_a_case(void)
{
    static const char COMMAND[] =
        "%s --format json --no-store --seed 1 --jobs 1 --cases 5000 forbids_to_wait";
    run *r = call(COMMAND, states);
    for (int i = 0; i < 30 && r->status == 0; i++) {
        free(r);
        r = call(COMMAND, states);
    }
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "status"), "flaky");
    CHECK_NUMBER(json_number(r->out, "cases"), 5000);
    CHECK_HAS(json_text(r->out, "failure.message"), "SIGSYS");
    CHECK_HAS(json_text(r->out, "failure.flaky_why"), "in a worker that ran no case");
    CHECK_TEXT(json_text(r->out, "failure.token"), "");
    CHECK(json_find(r->out, "failures.1") == NULL);
    free(r);
}

static void a_leak_does_not_spill_into_the_next_property(void)
{
    if (!sanitized)
        return;
    look_for_leaks(true);
    run *r = call("%s --format json --no-store --seed 1 --bugs many leaks_when_it_fails holds",
                  states);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(line_of(r, "leaks_when_it_fails"), "failure.kind"), "assertion");
    check_holds(line_of(r, "holds"));
    free(r);
    look_for_leaks(false);
}

/* Each bug once, however often it is met. Every worker that reports a leak starts a symboliser: a
 * bug has two, one to confirm and to shrink it and one for the report. */
static void leaks_of_many_cases_are_told_once_at_little_cost(void)
{
    long seen[2][2];
    if (!sanitized)
        return;
    look_for_leaks(true);
    for (int jobs = 1; jobs <= 2; jobs++) {
        struct stat workers = { 0 };
        setenv("STATES_WORKERS", scratch_path("workers"), 1);
        run *r = call("%s --format json --no-store --seed 1 --jobs %d --bugs many "
                      "leaks_in_two_places",
                      states, jobs);
        CHECK_NUMBER(json_number(r->out, "cases"), 1000);
        CHECK(json_find(r->out, "failures.2") == NULL);
        CHECK_TEXT(json_text(r->out, "warnings.0"), "");
        for (int i = 0; i < 2; i++) {
            char path[60];
            snprintf(path, sizeof path, "failures.%d.line", i);
            bool node = json_number(r->out, path) == marked_line("lose_node");
            snprintf(path, sizeof path, "failures.%d.values.n", i);
            CHECK_TEXT(json_text(r->out, path), node ? "80" : "0");
            snprintf(path, sizeof path, "failures.%d.seen", i);
            seen[jobs - 1][node] = json_number(r->out, path);
        }
        CHECK_NUMBER(seen[jobs - 1][0], 319);
        CHECK_NUMBER(seen[jobs - 1][1], 185);
        CHECK(stat(getenv("STATES_WORKERS"), &workers) == 0);
        CHECK(workers.st_size <= 2 * 2 + jobs);
        unlink(getenv("STATES_WORKERS"));
        free(r);
    }
    unsetenv("STATES_WORKERS");
    look_for_leaks(false);
}

static void a_leak_is_found_though_pointers_are_left(void)
{
    static const char *const options[] = { "", "--explore enumerate --size 100",
                                           "--explore guide" };
    if (!sanitized)
        return;
    look_for_leaks(true);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        snprintf(now_testing, sizeof now_testing, "pointers left, %s", options[i]);
        run *r = call("%s --format json --no-store --seed 1 %s leaks_and_leaves_pointers", states,
                      options[i]);
        CHECK_TEXT(json_text(r->out, "status"), "failed");
        CHECK_TEXT(json_text(r->out, "failure.kind"), "leak");
        CHECK_TEXT(json_text(r->out, "failure.values.n"), "30");
        CHECK_TEXT(json_text(r->out, "warnings.0"), "");
        free(r);
    }
    look_for_leaks(false);
}

/* A case that failed by an assertion had no chance to free its memory. */
static void a_failure_that_leaks_harms_no_later_case(void)
{
    if (!sanitized)
        return;
    look_for_leaks(true);
    run *r =
        call("%s --format json --no-store --seed 1 --bugs many leaks_when_it_is_500", states);
    CHECK_TEXT(json_text(r->out, "failure.kind"), "assertion");
    CHECK_NUMBER(json_number(r->out, "failure.seen"), 1);
    CHECK_NUMBER(json_number(r->out, "cases"), 1000);
    CHECK(json_find(r->out, "failures.1") == NULL);
    CHECK_TEXT(json_text(r->out, "warnings.0"), "");
    free(r);
    look_for_leaks(false);
}

/* Cases in one process share what they leave behind: no case is blamed in a run of many. The
 * checker itself reports when the program ends. A replay is one case. */
static void without_a_worker_only_a_replay_looks_for_leaks(void)
{
    if (!sanitized)
        return;
    look_for_leaks(true);
    run *r = call("%s --color never --no-store --seed 1 --no-fork leaks_when_it_is_7", states);
    CHECK_HAS(r->out, "ok  leaks_when_it_is_7 ");
    CHECK(strstr(r->out, "memory leaked") == NULL);
    free(r);
    r = call("%s --format json --no-store --seed 1 leaks_when_it_is_7", states);
    CHECK_TEXT(json_text(r->out, "failure.values.n"), "7");
    run *again = call("%s --format json --no-store --no-fork --replay %s", states,
                      json_text(r->out, "failure.token"));
    CHECK_TEXT(json_text(again->out, "failure.kind"), "leak");
    free(again);
    free(r);
    look_for_leaks(false);
}

/* ---- Limits ---- */

static void a_memory_limit_below_what_is_there_is_refused(void)
{
    run *r = call("%s --format json --no-store --seed 1 --memory 1 holds", states);
    CHECK_NUMBER(r->status, 99);
    CHECK_TEXT(json_text(r->out, "status"), "error");
    CHECK_HAS(json_text(r->out, "why"), "the memory limit of 0.0 MB is too low: a worker has ");
    /* With little more than that a worker would die before its first case. */
    const char *has = strstr(json_text(r->out, "why"), "a worker has ");
    double      most = has == NULL ? 0 : strtod(has + strlen("a worker has "), NULL) + 0.5;
    free(r);
    r = call("%s --format json --no-store --seed 1 --memory %ldK holds", states,
             (long)(most * 1024));
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(json_text(r->out, "why"), " MB before its first case, and wants 1 MB more");
    free(r);
    r = call("%s --format json --no-store --seed 1 --memory 200M has_a_large_setup", states);
    CHECK_NUMBER(r->status, 99);
    CHECK_HAS(json_text(r->out, "why"), "worker_setup uses more memory than the limit");
    free(r);
}

/* The first processor is taken away from everybody who would have it idly. */
static pid_t take_processor(int seconds)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    sched_setaffinity(0, sizeof first, &first);
    alarm((unsigned)seconds);
    for (;;)
        ;
}

static void a_case_that_gets_no_processor_does_not_hang(void)
{
    pid_t hog = take_processor(4);
    run  *r = call("%s --format json --no-store --seed 1 --deadline 500ms is_kept_from_running",
                   states);
    CHECK_NUMBER(r->status, 0);
    CHECK_TEXT(json_text(r->out, "status"), "held");
    kill(hog, SIGKILL);
    waitpid(hog, NULL, 0);
    free(r);
}

/* ---- Hangs ---- */

/* A busy machine shrinks, too. */
#define PATIENT "--format json --no-store --seed 1 --shrink-time 10m"

static void check_hang(const char *json, const char *words, const char *function, const char *at)
{
    CHECK_TEXT(json_text(json, "status"), "failed");
    CHECK_TEXT(json_text(json, "failure.kind"), "deadline");
    CHECK_HAS(json_text(json, "failure.message"), words);
    if (function != NULL) /* else it may be one of a sanitizer */
        CHECK_TEXT(json_text(json, "failure.function"), function);
    if (at != NULL)
        CHECK_NUMBER(json_number(json, "failure.line"), marked_line(at));
    CHECK_TEXT(json_text(json, "failure.flaky"), "false");
    CHECK_TEXT(json_text(json, "failure.unfinished"), "false");
}

static void a_hang_is_shrunk_and_says_where_it_is(void)
{
    static const struct {
        const char *property, *words, *function;
    } hangs[] = {
        { "spins", "took longer than the deadline: 1 s of CPU time, in spin", "spin" },
        { "sleeps",
          "took longer than the deadline: 1 s on the clock, most of it asleep, in "
          "wait_for_nobody",
          "wait_for_nobody" },
    };
    for (size_t i = 0; i < 2; i++) {
        snprintf(now_testing, sizeof now_testing, "%s", hangs[i].property);
        run *r = call("%s " PATIENT " --deadline 1s %s", states, hangs[i].property);
        CHECK_NUMBER(r->status, 1);
        check_hang(r->out, hangs[i].words, hangs[i].function, hangs[i].property);
        CHECK_TEXT(json_text(r->out, "failure.values.xs"), "[0, 0, 0]");
        CHECK_TEXT(json_text(r->out, "failure.values.x"), "78");
        free(r);
    }
}

/* Cases that hang are told from others in a hurry, but the one that is reported really takes the
 * whole deadline. */
static void a_hurried_hang_is_checked_with_the_whole_deadline(void)
{
    run *r = call("%s " PATIENT " --deadline 200ms gets_slower", states);
    check_hang(r->out, "200 ms of CPU time", NULL, NULL);
    CHECK(json_number(r->out, "failure.values.n") >= 0);
    CHECK(atol(json_text(r->out, "failure.values.n")) >= 100);
    free(r);
}

static void a_hurried_hang_leaves_worker_setup_its_time(void)
{
    run *r = call("%s " PATIENT " --deadline 2s spins_after_a_slow_setup", states);
    check_hang(r->out, "2 s of CPU time, in spin", "spin", "spins");
    CHECK_TEXT(json_text(r->out, "failure.values.n"), "2");
    free(r);
}

/* Waits until the process that has told its number sleeps; false: it never does. */
static bool sleeps_at_last(void)
{
    char  path[60] = "", state = '?';
    long  pid = 0;
    FILE *file = fopen(scratch_path("marks"), "r");
    if (file != NULL && fscanf(file, "%ld", &pid) == 1)
        snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    if (file != NULL)
        fclose(file);
    for (int i = 0; i < HANG_SECONDS * 100 && state != 'S'; i++) {
        file = fopen(path, "r");
        if (file == NULL || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
            state = '?';
        if (file != NULL)
            fclose(file);
        pause_ms(10);
    }
    return state == 'S';
}

static void an_interrupt_shows_the_case_that_hangs(void)
{
    static const char *const options[] = { "", "--explore guide", "--no-store --jobs 1" };
    for (size_t i = 0; i < 3; i++) {
        snprintf(now_testing, sizeof now_testing, "interrupt, %s", options[i]);
        expect_marks();
        run *r = start("%s --format json --no-store --seed 1 --deadline 1h %s sleeps", states,
                       options[i]);
        CHECK(marked(21) && sleeps_at_last());
        kill(r->pid, SIGINT);
        finish(r);
        CHECK_NUMBER(r->status, 130);
        CHECK_TEXT(json_text(r->out, "status"), "interrupted");
        CHECK_HAS(json_text(r->out, "running.message"), " s, in wait_for_nobody");
        CHECK_NUMBER(json_number(r->out, "running.line"), marked_line("sleeps"));
        CHECK(atol(json_text(r->out, "running.values.x")) >= 78);
        run *again = call("%s --format json --no-store --deadline 300ms --replay %s", states,
                          json_text(r->out, "running.token"));
        CHECK_TEXT(json_text(again->out, "failure.kind"), "deadline");
        CHECK_TEXT(json_text(again->out, "failure.values.x"),
                   json_text(r->out, "running.values.x"));
        CHECK_NUMBER(left_behind(), 0);
        free(again);
        free(r);
    }
}

static const test TESTS[] = {
    TEST(the_next_property_is_not_blamed),
    TEST(what_a_case_leaves_in_its_process_harms_nobody),
    TEST(a_copy_beside_the_worker_is_found),
    TEST(a_handler_of_forks_that_hangs_can_be_stopped),
    TEST(a_worker_that_starts_slowly_is_not_taken_for_a_killed_one),
    TEST(a_worker_that_dies_after_a_case_names_the_case),
    TEST(a_worker_that_dies_idle_is_told_without_a_case),
    TEST(a_leak_does_not_spill_into_the_next_property),
    TEST(leaks_of_many_cases_are_told_once_at_little_cost),
    TEST(a_leak_is_found_though_pointers_are_left),
    TEST(a_failure_that_leaks_harms_no_later_case),
    TEST(without_a_worker_only_a_replay_looks_for_leaks),
    TEST(a_memory_limit_below_what_is_there_is_refused),
    TEST(a_case_that_gets_no_processor_does_not_hang),
    TEST(a_hang_is_shrunk_and_says_where_it_is),
    TEST(a_hurried_hang_is_checked_with_the_whole_deadline),
    TEST(a_hurried_hang_leaves_worker_setup_its_time),
    TEST(an_interrupt_shows_the_case_that_hangs),
};

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s STATES STATES.C [TEST...]\n", argv[0]);
        return 2;
    }
    states = realpath(argv[1], NULL);
    source = realpath(argv[2], NULL);
    begin_driving();
    run *list = call("%s --list", states);
    sanitized = strstr(list->out, "leaks_") != NULL;
    free(list);
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 3, argc - 3);
}
