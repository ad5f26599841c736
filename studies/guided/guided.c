/* studies/guided/guided.c: how many executions until a bug is found, by which method.
 *
 * Runs every target of targets.c once for each seed and method, as a user would, up to a cap, and
 * prints the median, the 90th percentile and the worst; a seed that found nothing counts as the
 * cap. The methods that a bar is for stand beside random testing, the rules of rules.c and, where
 * they are installed, libFuzzer and AFL++. The targets of others.c follow, without bars.
 *
 *     guided [--quick]     the tables
 *     guided --assert N    exits 1 unless seeds 1..N find the bugs of a few targets, each within
 *                          four times what is allowed to the 90th percentile
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "child.h"
#include "json.h"
#include "results.h"
#include "seeds.h"

#define SEEDS_MOST 100
#define TAIL 4 /* the 90th percentile may be so many times the median's bar */

/* The most executions of a seed: above every bar, so that a miss is none that is met. */
#define CAP 300000
#define QUICK_CAP 50000
#define QUICK_SEEDS 10

/* ---- What must be reached ---- */

typedef struct target {
    const char *name;
    double      labels, signals; /* bars for the median; 0: none */
    bool        always;          /* found in every seed, whatever the median */
    bool        asserted_labels, asserted_signals;
} target;

static const target TARGETS[] = {
    { "abcd_lazy", .labels = 1000, .signals = 18, .asserted_labels = true },
    { "abcd", .labels = 3000, .signals = 18, .asserted_signals = true },
    { "abcdefgh", .labels = 9200, .signals = 70 },
    { "bad", .labels = 320, .signals = 20, .asserted_labels = true },
    { "okbad", .labels = 3500 },
    { "luu", .labels = 320, .signals = 720, .asserted_labels = true },
    { "magic", .signals = 3, .asserted_signals = true },
    { "checksum", .signals = 2250 },
    { "maze", .labels = 365, .signals = 560, .asserted_labels = true },
    { "protocol", .labels = 2000, .signals = 1000 },
    { "map", .signals = 880 },
    { "election", .always = true },
};
#define TARGET_COUNT (sizeof TARGETS / sizeof *TARGETS)

static const target OTHERS[] = {
    { .name = "keywords" },   { .name = "wide_numbers" }, { .name = "records" },
    { .name = "lock" },       { .name = "counters" },     { .name = "brackets" },
    { .name = "calculator" }, { .name = "echo" },         { .name = "wraparound" },
    { .name = "eviction" },
};
#define OTHER_COUNT (sizeof OTHERS / sizeof *OTHERS)

/* ---- One seed ---- */

typedef enum { MISSED, FOUND, REFUSED } outcome;

typedef struct run {
    outcome  how;
    uint32_t executions;
} run;

typedef struct question {
    const char *target;
    uint64_t    seed;
    uint32_t    cap;
} question;

static char output[1 << 20];

/* "found N", or any other output for nothing found. */
static run read_found(int status)
{
    run         result = { .how = status == 99 || status == 127 ? REFUSED : MISSED };
    const char *found = strstr(output, "found ");
    if (found != NULL)
        result = (run){ FOUND, (uint32_t)strtoul(found + 6, NULL, 10) };
    return result;
}

static run ask_warren(const char *program, const char *explorer, const question *asked)
{
    char  seed[32], cases[32];
    run   result = { .how = MISSED };
    char *arguments[] = { (char *)program, (char *)asked->target,
                          "--explore",     (char *)explorer,
                          "--seed",        seed,
                          "--cases",       cases,
                          "--format",      "json",
                          "--jobs",        "1",
                          "--shrink-time", "1ms",
                          "--no-store",    NULL };
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)asked->seed);
    snprintf(cases, sizeof cases, "%u", asked->cap);
    child       ran = run_child(arguments, output, sizeof output, false, NULL, NULL);
    const char *failure = json_member(output, "failure");
    if (ran.status == 99 || ran.status < 0)
        result.how = REFUSED;
    else if (ran.status == 1 && failure != NULL)
        result = (run){ FOUND, (uint32_t)json_number(json_member(failure, "executions_before")) };
    return result;
}

static run ask_random(const question *asked)
{
    return ask_warren(LABELS, "random", asked);
}

static run ask_labels(const question *asked)
{
    return ask_warren(LABELS, "guide", asked);
}

static run ask_others_random(const question *asked)
{
    return ask_warren(OTHERS_LABELS, "random", asked);
}

static run ask_others_labels(const question *asked)
{
    return ask_warren(OTHERS_LABELS, "guide", asked);
}

static run ask_signals(const question *asked)
{
    return ask_warren(SIGNALS, "guide", asked);
}

static run ask_others_signals(const question *asked)
{
    return ask_warren(OTHERS_SIGNALS, "guide", asked);
}

static run ask_rule(const char *rule, const question *asked)
{
    char  seed[32], cases[32];
    char *arguments[] = { RULES, (char *)rule, seed, cases, (char *)asked->target, NULL };
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)asked->seed);
    snprintf(cases, sizeof cases, "%u", asked->cap);
    return read_found(run_child(arguments, output, sizeof output, false, NULL, NULL).status);
}

static run ask_uniform(const question *asked)
{
    return ask_rule("uniform", asked);
}

static run ask_draft(const question *asked)
{
    return ask_rule("draft", asked);
}

static run ask_post(const question *asked)
{
    return ask_rule("post", asked);
}

#ifdef LIBFUZZER
static run ask_libfuzzer(const question *asked, const char *option)
{
    char  seed[32], runs[32];
    char *arguments[] = { LIBFUZZER, seed, runs, "-verbosity=0", (char *)option, NULL };
    setenv("GUIDED_TARGET", asked->target, 1);
    snprintf(seed, sizeof seed, "-seed=%llu", (unsigned long long)asked->seed);
    snprintf(runs, sizeof runs, "-runs=%u", asked->cap);
    return read_found(run_child(arguments, output, sizeof output, false, NULL, NULL).status);
}

static run ask_libfuzzer_edges(const question *asked)
{
    return ask_libfuzzer(asked, "-use_value_profile=0");
}

static run ask_libfuzzer_values(const question *asked)
{
    return ask_libfuzzer(asked, "-use_value_profile=1");
}
#endif

#ifdef AFL
/* The number after "name   : " in AFL++'s statistics; 0 where there is none. */
static uint32_t read_statistic(const char *path, const char *name)
{
    char     line[256];
    uint32_t number = 0;
    FILE    *in = fopen(path, "r");
    if (in == NULL)
        return 0;
    while (fgets(line, sizeof line, in) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, name, strlen(name)) == 0 && colon != NULL)
            number = (uint32_t)strtoul(colon + 1, NULL, 10);
    }
    fclose(in);
    return number;
}

static run fuzz_with_afl(const char *folder, const question *asked)
{
    char  in[160], out[160], path[200], seed[32];
    char *arguments[] = { "afl-fuzz", "-i", in,   "-o", out, "-V", "8", /* seconds */
                          "-s",       seed, "--", AFL,  NULL };
    run   result = { .how = MISSED };
    snprintf(in, sizeof in, "%s/in", folder);
    snprintf(out, sizeof out, "%s/out", folder);
    snprintf(path, sizeof path, "%s/in/zeros", folder);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)asked->seed);
    mkdir(in, 0700);
    FILE *first = fopen(path, "w");
    if (first == NULL || fputs("00000000000000000000", first) < 0 || fclose(first) != 0)
        return (run){ .how = REFUSED };
    child ran = run_child(arguments, output, sizeof output, false, NULL, NULL);
    snprintf(path, sizeof path, "%s/out/default/fuzzer_stats", folder);
    if (ran.status != 0)
        result.how = REFUSED;
    else if (read_statistic(path, "saved_crashes") > 0)
        result = (run){ FOUND, read_statistic(path, "execs_done") };
    return result;
}

/* By the clock, not by executions: AFL++ has no such limit. */
static run ask_afl(const question *asked)
{
    static const char *const QUIETLY[] = { "AFL_NO_UI", "AFL_SKIP_CPUFREQ", "AFL_NO_AFFINITY",
                                           "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES",
                                           "AFL_BENCH_UNTIL_CRASH" };
    char                     folder[] = "/tmp/warren-guided.XXXXXX";
    char                    *removal[] = { "rm", "-rf", folder, NULL };
    if (mkdtemp(folder) == NULL)
        return (run){ .how = REFUSED };
    for (size_t i = 0; i < sizeof QUIETLY / sizeof *QUIETLY; i++)
        setenv(QUIETLY[i], "1", 1);
    setenv("GUIDED_TARGET", asked->target, 1);
    run result = fuzz_with_afl(folder, asked);
    run_child(removal, output, sizeof output, false, NULL, NULL);
    return result;
}
#endif

/* ---- The methods ---- */

typedef enum { NO_BAR, LABELS_BAR, SIGNALS_BAR } bar_of;

typedef struct method {
    const char *name;
    run (*ask)(const question *asked);
    run (*ask_others)(const question *asked); /* NULL: not for the others */
    size_t seeds;                             /* at most */
    bool   fuzzer;                            /* not in the quick form */
    bar_of bar;
} method;

static const method METHODS[] = {
    { "random", ask_random, ask_others_random, SEEDS_MOST, false, NO_BAR },
    { "uniform random", ask_uniform, NULL, SEEDS_MOST, false, NO_BAR },
    { "the draft's rule", ask_draft, NULL, SEEDS_MOST, false, NO_BAR },
    { "the post's rule", ask_post, NULL, SEEDS_MOST, false, NO_BAR },
#ifdef LIBFUZZER
    { "libFuzzer", ask_libfuzzer_edges, NULL, 20, true, NO_BAR },
    { "libFuzzer, value profile", ask_libfuzzer_values, NULL, 20, true, NO_BAR },
#endif
#ifdef AFL
    { "AFL++, 8 s", ask_afl, NULL, 5, true, NO_BAR },
#endif
    { "labels", ask_labels, ask_others_labels, SEEDS_MOST, false, LABELS_BAR },
    { "labels + comparisons", ask_signals, ask_others_signals, SEEDS_MOST, false, SIGNALS_BAR },
};
#define METHOD_COUNT (sizeof METHODS / sizeof *METHODS)

static double bar_for(const target *one, bar_of column)
{
    return column == LABELS_BAR ? one->labels : column == SIGNALS_BAR ? one->signals : 0;
}

/* ---- Many seeds ---- */

typedef struct tally {
    size_t seeds, found;
    bool   refused;
    double median, tail, worst;
} tally;

static run *runs; /* shared; of seed 1 and those after it */

/* What is asked about every seed. */
typedef struct inquiry {
    run (*ask)(const question *);
    const char *target;
    uint32_t    cap;
} inquiry;

static void ask_one(size_t index, const void *context)
{
    const inquiry *about = context;
    runs[index] = about->ask(&(question){ about->target, index + 1, about->cap });
}

static int by_executions(const void *a, const void *b)
{
    const run *one = a, *other = b;
    return (one->executions > other->executions) - (one->executions < other->executions);
}

static tally count_runs(size_t count, uint32_t cap)
{
    tally all = { .seeds = count };
    for (size_t i = 0; i < count; i++) {
        all.found += runs[i].how == FOUND;
        all.refused |= runs[i].how == REFUSED;
        if (runs[i].how != FOUND)
            runs[i].executions = cap;
    }
    qsort(runs, count, sizeof *runs, by_executions);
    all.median = ((double)runs[(count - 1) / 2].executions + runs[count / 2].executions) / 2;
    all.tail = runs[(count * 9 + 9) / 10 - 1].executions;
    all.worst = runs[count - 1].executions;
    return all;
}

static tally try_method(run (*ask)(const question *), const char *name, size_t seeds,
                        uint32_t cap)
{
    for (size_t i = 0; i < seeds; i++) /* should a process die */
        runs[i] = (run){ .how = REFUSED };
    share_out(seeds, ask_one, &(inquiry){ ask, name, cap });
    return count_runs(seeds, cap);
}

/* ---- The tables ---- */

static const char *verdict(bool met)
{
    return met ? "met" : "MISSED";
}

static void print_tally(const char *name, const method *by, const tally *all, double bar,
                        bool always)
{
    char found[48];
    progress_over();
    printf("  %-13s %-25s", name, by->name);
    if (all->refused) {
        printf(" could not be run\n");
        return;
    }
    snprintf(found, sizeof found, "%zu/%zu", all->found, all->seeds);
    printf("%9.0f %9.0f %9.0f %8s", all->median, all->tail, all->worst, found);
    if (bar > 0)
        printf("  <= %.0f %s, <= %.0f %s", bar, verdict(all->median <= bar), TAIL * bar,
               verdict(all->tail <= TAIL * bar));
    if (bar > 0 || always)
        printf("%s every seed %s", bar > 0 ? "," : " ", verdict(all->found == all->seeds));
    printf("\n");
    fflush(stdout);
}

static void enter_rows(results *all, const target *one, const method *by, const tally *reached,
                       const char *beside)
{
    double bar = bar_for(one, by->bar);
    char   measure[96];
    if (bar > 0) {
        snprintf(measure, sizeof measure, "%s, %s: median executions", one->name, by->name);
        row *median = result(all, measure, reached->median, "executions", AT_MOST, bar);
        snprintf(median->note, sizeof median->note, "%s%s", reached->refused ? "not run; " : "",
                 beside);
        snprintf(measure, sizeof measure, "%s, %s: 90th percentile", one->name, by->name);
        result(all, measure, reached->tail, "executions", AT_MOST, TAIL * bar);
    }
    if (bar > 0 || (one->always && by->bar != NO_BAR)) {
        snprintf(measure, sizeof measure, "%s, %s: seeds that find it", one->name, by->name);
        result(all, measure, (double)reached->found, "seeds", EXACTLY, (double)reached->seeds);
    }
}

/* What stands beside the bars: "random 300000, the post's rule 919". */
static void add_beside(char *beside, size_t room, const method *by, const tally *all)
{
    size_t used = strlen(beside);
    if (!all->refused)
        snprintf(beside + used, room - used, "%s%s %.0f", used > 0 ? ", " : "", by->name,
                 all->median);
}

static void print_head(const char *title)
{
    progress_over();
    printf("\n%s\n  %-13s %-25s%9s %9s %9s %8s\n", title, "target", "method", "median", "90th",
           "worst", "found");
}

/* One target by all methods; the others have no rows in the results. */
static void try_target(results *all, const target *one, bool other, bool quick)
{
    uint32_t cap = quick ? QUICK_CAP : CAP;
    char     beside[200] = "";
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        const method *by = &METHODS[i];
        run (*ask)(const question *) = other ? by->ask_others : by->ask;
        size_t seeds = quick && by->seeds > QUICK_SEEDS ? QUICK_SEEDS : by->seeds;
        if (ask == NULL || (quick && by->fuzzer))
            continue;
        progress("guided: %s, %s", one->name, by->name);
        tally reached = try_method(ask, one->name, seeds, cap);
        print_tally(one->name, by, &reached, bar_for(one, by->bar),
                    one->always && by->bar != NO_BAR);
        if (by->bar == NO_BAR)
            add_beside(beside, sizeof beside, by, &reached);
        if (!other)
            enter_rows(all, one, by, &reached, beside);
    }
}

static int tables(bool quick)
{
    static results all = { .name = "guided" };
    printf(
        "guided: executions until the bug is found, seeds 1..%d, each a run of its own; a seed\n"
        "that finds nothing in %d counts as that many. Bars are for the median and, %d times as\n"
        "high, for the 90th percentile.\n",
        quick ? QUICK_SEEDS : SEEDS_MOST, quick ? QUICK_CAP : CAP, TAIL);
    print_head("Targets");
    for (size_t i = 0; i < TARGET_COUNT; i++)
        try_target(&all, &TARGETS[i], false, quick);
    print_head("Others of the same kinds");
    for (size_t i = 0; i < OTHER_COUNT; i++)
        try_target(&all, &OTHERS[i], true, quick);
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}

/* ---- For the tests ---- */

/* Few seeds, a wider bar, and only what is wrong is said. */
static int assert_seeds(size_t seeds)
{
    int    wrong = 0;
    size_t tried = 0;
    for (size_t i = 0; i < TARGET_COUNT * METHOD_COUNT; i++) {
        const target *one = &TARGETS[i / METHOD_COUNT];
        const method *by = &METHODS[i % METHOD_COUNT];
        double        bar = TAIL * TAIL * bar_for(one, by->bar);
        if (!(by->bar == LABELS_BAR && one->asserted_labels) &&
            !(by->bar == SIGNALS_BAR && one->asserted_signals))
            continue;
        tally reached = try_method(by->ask, one->name, seeds, (uint32_t)bar);
        tried++;
        if (reached.found == seeds)
            continue;
        printf("%s, %s: %zu of %zu seeds within %.0f executions%s\n", one->name, by->name,
               reached.found, seeds, bar, reached.refused ? "; could not be run" : "");
        wrong = 1;
    }
    if (!wrong)
        printf("seeds 1..%zu of %zu targets are within their bars\n", seeds, tried);
    return wrong;
}

int main(int argc, char **argv)
{
    runs = shared_memory(SEEDS_MOST * sizeof *runs);
    return main_over_seeds(argc, argv, "guided", SEEDS_MOST, tables, assert_seeds);
}
