/* bench/core.c: what running a case costs.
 *
 * Warren's test program (`subject`, linked with the shared library) and the bare loops run in
 * turn as children of this one, so that whatever else the machine does hits both; the best of
 * several runs of each counts. CPU time is that of all processes: parent, zygote, workers.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "json.h"
#include "results.h"

#define SEED "1"

static struct {
    bool     quick;
    unsigned rounds;
    uint64_t bare_sums, sums, lists, flat, crash_cases, crashes;
} effort;

static char output[1 << 16];

_Noreturn static void give_up(const char *why, char *const *arguments, int status)
{
    progress_over();
    fprintf(stderr, "core: %s:", why);
    for (; *arguments != NULL; arguments++)
        fprintf(stderr, " %s", *arguments);
    fprintf(stderr, " (status %d)\n", status);
    exit(99);
}

/* ---- Runs ---- */

static double bare(const char *what, uint64_t times)
{
    char  number[32];
    char *arguments[] = { SUBJECT, "bare", (char *)what, number, NULL };
    snprintf(number, sizeof number, "%llu", (unsigned long long)times);
    child ran = run_child(arguments, output, sizeof output, true, NULL, NULL);
    if (ran.status != 0)
        give_up("the bare loop failed", arguments, ran.status);
    return ran.cpu;
}

static child warren(const char *property, uint64_t cases, int wanted, child_watch *watch,
                    void *context)
{
    char  number[32];
    char *arguments[] = { SUBJECT,      (char *)property, "--cases", number,   "--seed",
                          SEED,         "--jobs",         "1",       "--bugs", "many",
                          "--no-store", "--format",       "json",    NULL };
    snprintf(number, sizeof number, "%llu", (unsigned long long)cases);
    child ran = run_child(arguments, output, sizeof output, true, watch, context);
    if (ran.status != wanted)
        give_up("a run did not end as it should", arguments, ran.status);
    return ran;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* ---- Throughput ---- */

typedef struct pace {
    double bare, warren; /* CPU seconds a case, the best */
} pace;

static pace race(const char *what, const char *bare_name, uint64_t bare_cases,
                 const char *property, uint64_t cases)
{
    pace best = { 1e9, 1e9 };
    for (unsigned i = 0; i < effort.rounds; i++) {
        progress("core: %s, round %u of %u", what, i + 1, effort.rounds);
        best.bare = least(best.bare, bare(bare_name, bare_cases) / (double)bare_cases);
        best.warren =
            least(best.warren, warren(property, cases, 0, NULL, NULL).cpu / (double)cases);
    }
    return best;
}

/* How long the lists of either side are, on average. */
static void mean_lengths(double *bare_mean, double *warren_mean)
{
    uint64_t cases = 200000;
    bare("reversals", cases);
    *bare_mean = strtod(output, NULL) / (double)cases;
    setenv("BENCH_COUNT", "1", 1);
    warren("reversal_counted", cases, 0, NULL, NULL);
    unsetenv("BENCH_COUNT");
    const char *line = strchr(output, '\n'); /* after the JSON line */
    *warren_mean = (line == NULL ? 0 : strtod(line + 1, NULL)) / (double)cases;
}

static pace measure_throughput(results *all, double *list_bare_element)
{
    pace sums = race("two integers", "sums", effort.bare_sums, "addition_commutes", effort.sums);
    row *one =
        result(all, "two int32, a+b == b+a", sums.warren / sums.bare, "x bare", AT_MOST, 15);
    one->better = 9;
    snprintf(one->note, sizeof one->note, "%.2f ns a case, the bare loop %.2f ns; best of %u",
             sums.warren * 1e9, sums.bare * 1e9, effort.rounds);

    double bare_mean, warren_mean;
    mean_lengths(&bare_mean, &warren_mean);
    pace   lists = race("a list", "reversals", effort.lists, "reversing_twice_changes_nothing",
                        effort.lists);
    double bare_element = lists.bare / bare_mean, element = lists.warren / warren_mean;
    one = result(all, "list of 0..100 int32, reverse twice", element / bare_element, "x bare",
                 AT_MOST, 2.5);
    one->better = 1.8;
    snprintf(one->note, sizeof one->note,
             "CPU time for each element, all that a case costs included: %.2f ns, bare %.2f ns "
             "(%.0f and %.0f ns a case; mean lengths %.1f and %.1f); best of %u",
             element * 1e9, bare_element * 1e9, lists.warren * 1e9, lists.bare * 1e9, warren_mean,
             bare_mean, effort.rounds);
    *list_bare_element = bare_element;
    return sums;
}

/* ---- Memory ---- */

/* The high-water mark of resident memory, of each process of the tree, early and late. */
typedef struct mark {
    pid_t  pid;
    size_t early, late; /* kB; early 0: it was not there yet */
} mark;

typedef struct marks {
    mark   of[64];
    size_t count;
    double early_until; /* seconds */
    size_t looks;
} marks;

static size_t high_water(pid_t pid)
{
    char   path[64], line[256];
    size_t kilobytes = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmHWM: %zu", &kilobytes) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kilobytes;
}

static void look_at(marks *all, pid_t pid, double seconds)
{
    size_t at = 0, now = high_water(pid);
    while (at < all->count && all->of[at].pid != pid)
        at++;
    if (now == 0 || at == sizeof all->of / sizeof *all->of)
        return;
    if (at == all->count)
        all->of[all->count++] = (mark){ .pid = pid };
    all->of[at].late = now;
    if (seconds <= all->early_until)
        all->of[at].early = now;
}

/* The process and all below it. */
static void look_at_tree(pid_t pid, double seconds, void *context)
{
    char path[96];
    long below;
    look_at(context, pid, seconds);
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)pid, (long)pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fscanf(file, "%ld", &below) == 1)
        look_at_tree((pid_t)below, seconds, context);
    if (file != NULL)
        fclose(file);
}

static void watch_memory(pid_t pid, double seconds, void *context)
{
    ((marks *)context)->looks++;
    look_at_tree(pid, seconds, context);
}

/* The most that any one process grew. One that came later is held against the largest of
 * the early ones: its own first moments say nothing. */
static size_t most_growth(const marks *seen)
{
    size_t largest = 0, growth = 0;
    for (size_t i = 0; i < seen->count; i++)
        largest = seen->of[i].early > largest ? seen->of[i].early : largest;
    for (size_t i = 0; i < seen->count; i++) {
        size_t early = seen->of[i].early > 0 ? seen->of[i].early : largest;
        if (seen->of[i].late > early + growth)
            growth = seen->of[i].late - early;
    }
    return growth;
}

static void measure_memory(results *all)
{
    static const char *const PROPERTIES[] = { "addition_commutes",
                                              "reversing_twice_changes_nothing" };
    size_t                   largest = 0, growth = 0, looks = 0, processes = 0;
    for (size_t i = 0; i < 2; i++) {
        progress("core: memory over %llu cases", (unsigned long long)effort.flat);
        child trial = warren(PROPERTIES[i], effort.flat / 10, 0, NULL, NULL);
        marks seen = { .early_until = trial.seconds };
        warren(PROPERTIES[i], effort.flat, 0, watch_memory, &seen);
        for (size_t k = 0; k < seen.count; k++)
            largest = seen.of[k].late > largest ? seen.of[k].late : largest;
        growth = most_growth(&seen) > growth ? most_growth(&seen) : growth;
        looks += seen.looks;
        processes = seen.count;
    }
    row *one =
        result(all, "VmHWM of the largest process", (double)largest / 1024, "MB", AT_MOST, 4);
    snprintf(one->note, sizeof one->note,
             "%llu cases of each property above; %zu processes, looked at %zu times",
             (unsigned long long)effort.flat, processes, looks);
    one = result(all, "growth of VmHWM after the first tenth of the cases", (double)growth, "kB",
                 AT_MOST, 64);
    snprintf(one->note, sizeof one->note,
             "the most that any one process grew; VmHWM never falls");
}

/* ---- Crashes ---- */

static void measure_crashes(results *all)
{
    double with = 1e9, without = 1e9, bare_crash = 1e9, seen = 0;
    size_t reports = 0;
    for (unsigned i = 0; i < effort.rounds; i++) {
        progress("core: crashes, round %u of %u", i + 1, effort.rounds);
        bare_crash = least(bare_crash, bare("crashes", effort.crashes) / (double)effort.crashes);
        without = least(without, warren("none_crashes", effort.crash_cases, 0, NULL, NULL).cpu);
        with = least(with,
                     warren("one_in_a_thousand_crashes", effort.crash_cases, 1, NULL, NULL).cpu);
        reports = json_list_length(json_member(output, "failures"));
        seen = json_number(json_member(json_member(output, "failure"), "seen"));
    }
    row *one = result(all, "reports when 1 case in 1000 crashes, --bugs many", (double)reports,
                      "reports", EXACTLY, 1);
    snprintf(one->note, sizeof one->note, "%llu cases, %.0f crashes, the same seed each time",
             (unsigned long long)effort.crash_cases, seen);
    double crash = seen > 0 ? (with - without) / seen : 0;
    one = result(all, "a crash beside fork + crash + wait", crash / bare_crash, "x bare", AT_MOST,
                 2.5);
    snprintf(one->note, sizeof one->note,
             "%.0f us of CPU time, the bare fork %.0f us, in the same binary; best of %u",
             crash * 1e6, bare_crash * 1e6, effort.rounds);
}

/* ---- Peers ---- */

typedef struct peer {
    const char  *name, *needs; /* needs: the program that builds or runs it */
    char *const *build;        /* NULL: nothing to build */
    char *const *check;        /* exits 0 when it is installed */
    char        *run[6];       /* what and N are appended */
    uint64_t     sums, lists;
} peer;

static char *const BUILD_RAPIDCHECK[] = {
    "g++", "-O2", "-o", PEERS_BUILT "/rapidcheck", PEERS "/rapidcheck.cpp", "-lrapidcheck", NULL
};
static char *const BUILD_QUICKCHECK[] = { "ghc",
                                          "-O2",
                                          "-outputdir",
                                          PEERS_BUILT,
                                          "-o",
                                          PEERS_BUILT "/quickcheck",
                                          PEERS "/QuickCheckPeer.hs",
                                          NULL };
static char *const FIND_HYPOTHESIS[] = { "/usr/bin/python3", "-c", "import hypothesis", NULL };

static const peer ALL_PEERS[] = {
    { "RapidCheck",
      "g++",
      BUILD_RAPIDCHECK,
      NULL,
      { PEERS_BUILT "/rapidcheck" },
      400000,
      100000 },
    { "QuickCheck",
      "ghc",
      BUILD_QUICKCHECK,
      NULL,
      { PEERS_BUILT "/quickcheck" },
      400000,
      100000 },
    { "Hypothesis",
      "python3",
      NULL,
      FIND_HYPOTHESIS,
      { "/usr/bin/python3", PEERS "/hypothesis_peer.py" },
      1000,
      400 },
};

static bool peer_ready(const peer *one)
{
    if (!have_program(one->needs))
        return false;
    char *const *first = one->build != NULL ? one->build : one->check;
    return run_child(first, output, sizeof output, false, NULL, NULL).status == 0;
}

static double peer_run(const peer *one, const char *what, uint64_t cases)
{
    char   number[32], parameters[64];
    char  *arguments[9] = { 0 };
    size_t count = 0;
    while (one->run[count] != NULL) {
        arguments[count] = one->run[count];
        count++;
    }
    snprintf(number, sizeof number, "%llu", (unsigned long long)cases);
    snprintf(parameters, sizeof parameters, "max_success=%s", number);
    setenv("RC_PARAMS", parameters, 1);
    arguments[count++] = (char *)what;
    arguments[count++] = number;
    child ran = run_child(arguments, output, sizeof output, false, NULL, NULL);
    return ran.status == 0 ? ran.cpu : -1;
}

/* CPU seconds a case: what more cases cost, so that starting up costs nothing. */
static double peer_pace(const peer *one, const char *what, uint64_t cases)
{
    double many = 1e9, few = 1e9;
    for (unsigned i = 0; i < (effort.quick ? 1u : 3u); i++) {
        double a = peer_run(one, what, cases), b = peer_run(one, what, cases / 10);
        if (a < 0 || b < 0)
            return -1;
        many = least(many, a);
        few = least(few, b);
    }
    return (many - few) / ((double)cases * 0.9);
}

static void measure_peers(pace sums, double bare_element)
{
    printf(
        "\nPeers, as multiples of the same bare loops (starting up subtracted; lists by element,"
        " mean length 50)\n");
    for (size_t i = 0; i < sizeof ALL_PEERS / sizeof *ALL_PEERS; i++) {
        const peer *one = &ALL_PEERS[i];
        progress("core: %s", one->name);
        if (!peer_ready(one)) {
            progress_over();
            printf("  %-12s not installed\n", one->name);
            continue;
        }
        uint64_t part = effort.quick ? 4 : 1;
        double   sum = peer_pace(one, "sums", one->sums / part);
        double   list = peer_pace(one, "reversals", one->lists / part);
        progress_over();
        printf("  %-12s two int32 %8.0f x (%.0f ns a case)   list %8.1f x (%.0f ns a case)\n",
               one->name, sum / sums.bare, sum * 1e9, list / 50 / bare_element, list * 1e9);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    results all = { .name = "core" };
    bool    quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: core [--quick]\n");
        return 99;
    }
    effort.quick = quick;
    effort.rounds = quick ? 3 : 5;
    effort.bare_sums = quick ? 50000000 : 150000000;
    effort.sums = quick ? 5000000 : 20000000;
    effort.lists = quick ? 1000000 : 3000000;
    effort.flat = quick ? 3000000 : 10000000;
    effort.crash_cases = quick ? 200000 : 1000000;
    effort.crashes = quick ? 200 : 1000;
    printf("core: what a case costs. CPU time of all processes, --jobs 1, seed " SEED
           ", Warren and the\nbare loop in turn, the best of %u runs of each.\n",
           effort.rounds);
    double bare_element;
    pace   sums = measure_throughput(&all, &bare_element);
    measure_memory(&all);
    measure_crashes(&all);
    progress_over();
    print_rows(&all, 0, "Warren");
    measure_peers(sums, bare_element);
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
