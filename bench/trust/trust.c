/* bench/trust/trust.c: whether hostile properties can hang Warren, fool it, or leave anything
 * behind.
 *
 * `hostile` has the properties. Each is run twice, with --jobs 1 and 2, and followed by one that
 * holds if nothing was harmed. A run is safe for the machine: it has a user of its own, if this
 * program may choose one, limits of processes, memory and processor time, and an end.
 *
 * Besides, Warren's own calls fail, one after the other, in runs of every mode; one program,
 * compiled in many ways, must have one report; and a run with leaks is measured beside one
 * without.
 *
 * usage: trust [--quick | --assert] [--verbose] [KIND...]
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "json.h"
#include "results.h"

#define HANG_SECONDS 90
#define MOST_KINDS 400

typedef struct kind {
    char name[80], ends[12];
} kind;

static kind   kinds[MOST_KINDS];
static size_t kind_count;
static char   scratch[] = "/tmp/warren-trust-XXXXXX";
static uid_t  user;      /* 0: this program's own */
static rlim_t processes; /* that this user may have */
static bool   verbose;

static char output[1 << 20], errors[1 << 16];

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void pause_ms(long milliseconds)
{
    nanosleep(&(struct timespec){ .tv_nsec = milliseconds * 1000000 }, NULL);
}

_Noreturn static void give_up(const char *what)
{
    fprintf(stderr, "trust: %s: %s\n", what, strerror(errno));
    exit(99);
}

/* ---- What is left behind ---- */

/* This process adopts whatever a run leaves behind. Returns how many children there are; kills
 * them, if asked to. */
static unsigned children(bool kill_them)
{
    char     path[64], text[1 << 16];
    unsigned count = 0;
    while (waitpid(-1, NULL, WNOHANG | __WALL) > 0)
        continue;
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    int     file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    for (char *at = strtok(text, " \n"); at != NULL; at = strtok(NULL, " \n"), count++)
        if (kill_them)
            kill((pid_t)atol(at), SIGKILL);
    return count;
}

/* Processes that were told to end have a moment. Then this function ends all that are left. */
static unsigned processes_left(void)
{
    unsigned left = children(false);
    for (int i = 0; i < 1000 && left > 0; i++) {
        pause_ms(5);
        left = children(false);
    }
    for (int i = 0; i < 5000 && children(true) > 0; i++)
        pause_ms(1);
    return left;
}

static bool folders_left(void)
{
    char path[200], command[260];
    bool any = false;
    snprintf(path, sizeof path, "%s/tmp", scratch);
    DIR *folder = opendir(path);
    for (struct dirent *at; folder != NULL && (at = readdir(folder)) != NULL;)
        any |= at->d_name[0] != '.';
    if (folder != NULL)
        closedir(folder);
    snprintf(command, sizeof command, "rm -rf %s/*", path);
    return any && system(command) == 0;
}

/* ---- One run ---- */

/* The user's processes and threads, all of which count against its limit. */
static rlim_t threads_of_user(void)
{
    rlim_t count = 0;
    DIR   *all = opendir("/proc");
    for (struct dirent *at; all != NULL && (at = readdir(all)) != NULL;) {
        char        path[300];
        struct stat status;
        snprintf(path, sizeof path, "/proc/%s/task", at->d_name);
        if (stat(path, &status) == 0 && status.st_uid == getuid())
            count += status.st_nlink - 2;
    }
    if (all != NULL)
        closedir(all);
    return count;
}

static void limit(int which, rlim_t most)
{
    setrlimit((__rlimit_resource_t)which, &(struct rlimit){ most, most });
}

_Noreturn static void become(char *const *arguments, int out, int err)
{
    char temporary[200];
    int  null = open("/dev/null", O_RDONLY);
    snprintf(temporary, sizeof temporary, "%s/tmp", scratch);
    setenv("TMPDIR", temporary, 1);
    setenv("TRUST_MARK", "innocent", 1);
    setenv("LC_ALL", "C", 1);
    umask(022);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, 120);
    limit(RLIMIT_AS, (rlim_t)4 << 30);
    limit(RLIMIT_FSIZE, (rlim_t)512 << 20);
    limit(RLIMIT_NPROC, processes);
    dup2(null, 0);
    dup2(out, 1);
    dup2(err, 2);
    if (chdir(scratch) != 0 ||
        (user != 0 && (setgroups(0, NULL) != 0 || setgid(user) != 0 || setuid(user) != 0)))
        _exit(126);
    signal(SIGINT, SIG_DFL); /* in the background of a script they may be ignored */
    signal(SIGHUP, SIG_DFL);
    execv(arguments[0], arguments);
    _exit(127);
}

static void read_back(int file, char *to, size_t room)
{
    ssize_t got = pread(file, to, room - 1, 0);
    to[got > 0 ? got : 0] = '\0';
    close(file);
}

/* Runs the program; false: it did not end. `output` has what it printed. */
static bool run(char *const *arguments, int *status)
{
    int    out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC);
    double until = clock_seconds() + HANG_SECONDS;
    pid_t  pid = fork();
    if (pid < 0)
        give_up("fork");
    if (pid == 0)
        become(arguments, out, err);
    bool ended = false;
    while (!ended && clock_seconds() < until) {
        ended = waitpid(pid, status, WNOHANG) == pid;
        if (!ended)
            pause_ms(3);
    }
    if (!ended) {
        kill(pid, SIGKILL);
        waitpid(pid, status, 0);
    }
    read_back(out, output, sizeof output);
    read_back(err, errors, sizeof errors);
    return ended;
}

/* ---- What came of it ---- */

typedef enum { RESULT, HANG, PROCESSES, FOLDERS, HARM, OTHER, MEASURES } measure;

static const char *const NAMES[MEASURES] = {
    [RESULT] = "runs without a result",
    [HANG] = "runs that hang",
    [PROCESSES] = "runs that leave processes behind",
    [FOLDERS] = "runs that leave folders behind",
    [HARM] = "runs in which the property after it is harmed",
    [OTHER] = "runs with another result than expected",
};

static struct tally {
    unsigned runs, count[MEASURES];
    char     names[MEASURES][200]; /* of the first of them */
    double   slowest;
    char     slowest_name[100];
} tally;

static void note(measure which, const char *name, unsigned jobs)
{
    char  *all = tally.names[which];
    size_t used = strlen(all);
    tally.count[which]++;
    snprintf(all + used, sizeof tally.names[which] - used, "%s%s --jobs %u", used > 0 ? ", " : "",
             name, jobs);
}

/* The status of a property in the report; "": it has none. */
static const char *status_of(const char *property, char *text, size_t room)
{
    char        head[300];
    const char *line;
    snprintf(head, sizeof head, "{\"property\": \"%.79s\"", property);
    line = strstr(output, head);
    if (line == NULL || !json_text(json_member(line, "status"), text, room))
        text[0] = '\0';
    return text;
}

static void judge(const kind *one, unsigned jobs, bool ended, int status, double seconds)
{
    char hostile[40], innocent[40];
    status_of(one->name, hostile, sizeof hostile);
    status_of("innocent", innocent, sizeof innocent);
    bool whole = strcmp(one->ends, "run") == 0;
    if (!ended)
        note(HANG, one->name, jobs);
    else if (!whole && (hostile[0] == '\0' || !WIFEXITED(status)))
        note(RESULT, one->name, jobs);
    else if (!whole && strcmp(innocent, "held") != 0)
        note(HARM, one->name, jobs);
    if (ended && !whole && strcmp(one->ends, "either") != 0 && hostile[0] != '\0' &&
        strcmp(hostile, one->ends) != 0)
        note(OTHER, one->name, jobs);
    if (verbose)
        printf("%-50s %u  %-8s %-8s %-8s status %d, %.1f s\n", one->name, jobs, one->ends,
               hostile, innocent, WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
               seconds);
}

static void try_kind(const kind *one, unsigned jobs)
{
    char   program[200], count[8];
    char  *arguments[] = { program,           "--format",      "json",
                           "--no-store",      "--seed",        "1",
                           "--jobs",          count,           "--deadline",
                           "300ms",           "--shrink-time", "1s",
                           (char *)one->name, "innocent",      NULL };
    int    status = 0;
    double begun = clock_seconds();
    snprintf(program, sizeof program, "%s/hostile", scratch);
    snprintf(count, sizeof count, "%u", jobs);
    bool   ended = run(arguments, &status);
    double took = clock_seconds() - begun;
    if (processes_left() > 0)
        note(PROCESSES, one->name, jobs);
    if (folders_left())
        note(FOLDERS, one->name, jobs);
    judge(one, jobs, ended, status, took);
    if (verbose && errors[0] != '\0')
        printf("  %s", errors);
    tally.runs++;
    if (took > tally.slowest) {
        tally.slowest = took;
        snprintf(tally.slowest_name, sizeof tally.slowest_name, "%.79s --jobs %u", one->name,
                 jobs);
    }
}

/* ---- All of them ---- */

/* A few of each sort: for a test that must be short. */
static const char *const SHORT[] = {
    "forked_child_returns",
    "cloned_child_returns_unawaited",
    "vforked_child_returns",
    "cloned_child_calls_exit",
    "shell_commands_in_the_background",
    "leaves_a_cloned_daemon",
    "leaves_a_child_that_hears_nothing",
    "bomb_of_forks_in_sessions",
    "kills_both_above",
    "stops_its_parent_and_fails",
    "sends_signals_to_its_parent",
    "kills_the_program",
    "terminates_the_program",
    "asks_to_be_traced_and_crashes",
    "traces_its_parent",
    "thread_left_sleeping",
    "standard_error_is_left_locked",
    "handler_of_faults_returns",
    "all_signals_are_left_blocked",
    "other_stack_is_gone_and_it_crashes",
    "frees_twice",
    "scribbles_over_the_case",
    "unmaps_the_c_library",
    "closes_all_descriptors_and_fails",
    "standard_error_is_a_full_pipe",
    "removes_the_folder_it_is_in",
    "makes_a_deep_folder",
    "no_more_processes",
    "every_system_call_fails",
    "clears_the_environment",
};

static bool chosen(const char *name, char **names, int count, bool few)
{
    bool any = count == 0 && !few;
    for (int i = 0; i < count; i++)
        any |= strcmp(names[i], name) == 0;
    for (size_t i = 0; few && i < sizeof SHORT / sizeof *SHORT; i++)
        any |= strcmp(SHORT[i], name) == 0;
    return any;
}

static void list_kinds(void)
{
    char  program[200];
    char *arguments[] = { program, "--kinds", NULL };
    int   status;
    snprintf(program, sizeof program, "%s/hostile", scratch);
    if (!run(arguments, &status) || status != 0)
        give_up(errors[0] == '\0' ? program : errors);
    for (char *line = strtok(output, "\n"); line != NULL && kind_count < MOST_KINDS;
         line = strtok(NULL, "\n"))
        kind_count +=
            sscanf(line, "%79s %11s", kinds[kind_count].name, kinds[kind_count].ends) == 2;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const kind *)a)->name, ((const kind *)b)->name);
}

static void remove_scratch(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    if (system(command) != 0)
        fprintf(stderr, "trust: %s is left\n", scratch);
}

/* A folder with the program in it, that its user may go into. */
static void prepare(void)
{
    char path[200], command[4400];
    user = getuid() == 0 ? 61000 + (uid_t)getpid() % 4000 : 0;
    processes = user != 0 ? 450 : threads_of_user() + 450;
    if (mkdtemp(scratch) == NULL)
        give_up(scratch);
    atexit(remove_scratch);
    snprintf(path, sizeof path, "%s/tmp", scratch);
    snprintf(command, sizeof command, "cp '%s' %s/hostile", SUBJECT, scratch);
    if (mkdir(path, 0777) != 0 || chmod(path, 0777) != 0 || chmod(scratch, 0755) != 0 ||
        system(command) != 0)
        give_up(path);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static void report(results *all, size_t kinds_tried, bool few)
{
    result(all, "kinds of hostile properties", (double)kinds_tried, "kinds", AT_LEAST,
           few ? (double)(sizeof SHORT / sizeof *SHORT) : 150);
    for (int i = 0; i < MEASURES; i++) {
        row *one = result(all, NAMES[i], tally.count[i], "runs", AT_MOST, 0);
        snprintf(one->note, sizeof one->note, "%s", tally.names[i]);
    }
    row *slowest =
        result(all, "the longest run", tally.slowest, "s", AT_MOST, (double)HANG_SECONDS);
    snprintf(slowest->note, sizeof slowest->note, "%s", tally.slowest_name);
}

#ifdef INJECT
/* Runs a test. Its last line is "NAME: 300 RUNS; SOMETHING BAD (bar: 0): 0". */
static void run_test(results *all, const char *command, const char *name, const char *unit,
                     const char *about)
{
    char  line[1000];
    long  runs = 0, bad = 1;
    FILE *test = popen(command, "r");
    while (test != NULL && fgets(line, sizeof line, test) != NULL) {
        const char *bar = strstr(line, " (bar: 0): ");
        if (verbose)
            fputs(line, stdout);
        progress("trust: %.40s", line);
        if (bar != NULL && sscanf(line, "%*[^0-9]%ld", &runs) == 1)
            bad = atol(bar + 11);
    }
    progress_over();
    if (test != NULL)
        pclose(test);
    row *one = result(all, name, (double)bad, unit, AT_MOST, 0);
    snprintf(one->note, sizeof one->note, "%ld %s; %s", runs, unit, about);
}

static void run_tests(results *all, bool quick)
{
    if (quick)
        unsetenv("TEST_FULL");
    else
        setenv("TEST_FULL", "1", 1);
    run_test(all, INJECT, "injected failures: hangs, crashes, lost bugs", "runs",
             "in each one another call failed");
    run_test(all, FLAGS, "reports that differ by compiler, flags or --jobs", "reports",
             "one program with reals, compiled and run in many ways");
}
#endif

#ifdef LEAKY
/* How many different processes are listed in the file. */
static unsigned count_processes(const char *path)
{
    long     pids[1000], pid;
    unsigned count = 0;
    FILE    *file = fopen(path, "r");
    while (file != NULL && count < 1000 && fscanf(file, "%ld", &pid) == 1) {
        unsigned i = 0;
        while (i < count && pids[i] != pid)
            i++;
        pids[i] = pid;
        count += i == count;
    }
    if (file != NULL)
        fclose(file);
    return count;
}

/* One case in five leaks, in one of two places. */
static void leak(results *all)
{
    char *arguments[] = { LEAKY,     "--no-store", "--seed", "1",    "--jobs", "1",
                          "--cases", "200000",     "--bugs", "many", NULL };
    char  path[200];
    snprintf(path, sizeof path, "%s/reports", scratch);
    setenv("LEAKY_REPORTS", path, 1);
    progress("trust: leaks");
    child without = run_child(arguments, output, sizeof output, false, NULL, NULL);
    setenv("LEAKY", "1", 1);
    child with = run_child(arguments, output, sizeof output, false, NULL, NULL);
    progress_over();
    unsetenv("LEAKY");
    bool good = without.status == 0 && with.status == 1 && without.cpu > 0;
    row *cost = result(all, "leaks and --bugs many: CPU time of the run without leaks",
                       good ? with.cpu / without.cpu : 999, "times", AT_MOST, 2);
    snprintf(cost->note, sizeof cost->note, "%.1f s and %.1f s, %s cases", with.cpu, without.cpu,
             arguments[7]);
    result(all, "processes that symbolise leaks, of two bugs", count_processes(path), "processes",
           AT_MOST, 5);
}
#endif

int main(int argc, char **argv)
{
    results all = { .name = "trust" };
    bool    quick = false, asserting = false;
    int     first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        quick |= strcmp(argv[first], "--quick") == 0;
        asserting |= strcmp(argv[first], "--assert") == 0;
        verbose |= strcmp(argv[first], "--verbose") == 0;
    }
    bool   few = (quick || (asserting && getenv("TEST_FULL") == NULL)) && first == argc;
    size_t tried = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    prepare();
    list_kinds();
    qsort(kinds, kind_count, sizeof *kinds, by_name);
    printf("trust: hostile properties, each with --jobs 1 and 2, each followed by an innocent "
           "one;\na user of its own: %s.\n",
           user != 0 ? "yes" : "no");
    for (size_t i = 0; i < kind_count; i++) {
        if (!chosen(kinds[i].name, argv + first, argc - first, few))
            continue;
        progress("trust: %s, %zu of %zu", kinds[i].name, ++tried,
                 few ? sizeof SHORT / sizeof *SHORT : kind_count);
        for (unsigned jobs = 1; jobs <= 2; jobs++)
            try_kind(&kinds[i], jobs);
    }
    progress_over();
    report(&all, tried, few);
#ifdef INJECT
    if (first == argc && !asserting)
        run_tests(&all, quick);
#endif
#ifdef LEAKY
    if (first == argc && !asserting)
        leak(&all);
#endif
    print_rows(&all, 0, "Warren");
    bool missed = false;
    for (size_t i = 0; i < all.count; i++)
        missed |= !row_met(&all.rows[i]);
    if (asserting || first < argc)
        return missed && first == argc;
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
