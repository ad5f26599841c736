/* bench/observe.c: what it costs to observe.
 *
 * A label beside the same property without it, a guided run beside a random one, and
 * instrumented code beside plain. Whatever is compared runs in turn, so that whatever else the
 * machine does hits both; the best of several runs of each counts. CPU time is that of all
 * processes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "json.h"
#include "results.h"

#define SEED "1"
#define CONSTANT_LABELS 8 /* of shows_constant_labels */

static struct {
    unsigned rounds;
    uint64_t labels, guided, scans;
} effort;

static char output[1 << 16];

/* CPU seconds of a run; a negative number when it does not end with 0. */
static double run_cases(const char *program, const char *property, const char *explore,
                        uint64_t cases)
{
    char  number[32];
    char *arguments[] = { (char *)program, (char *)property,
                          "--explore",     (char *)explore,
                          "--cases",       number,
                          "--seed",        SEED,
                          "--jobs",        "1",
                          "--no-store",    "--format",
                          "json",          NULL };
    snprintf(number, sizeof number, "%llu", (unsigned long long)cases);
    child ran = run_child(arguments, output, sizeof output, false, NULL, NULL);
    return ran.status == 0 ? ran.cpu : -ran.status - 1.0;
}

static double run_random(const char *property, uint64_t cases)
{
    double cpu = run_cases(SUBJECT, property, "random", cases);
    if (cpu >= 0)
        return cpu;
    progress_over();
    fprintf(stderr, "observe: %s did not run (status %.0f)\n", property, -cpu - 1);
    exit(99);
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* ---- Labels ---- */

static void measure_labels(results *all)
{
    double nothing = 1e9, constant = 1e9, formatted = 1e9, cases = (double)effort.labels;
    for (unsigned i = 0; i < effort.rounds; i++) {
        progress("observe: labels, round %u of %u", i + 1, effort.rounds);
        nothing = least(nothing, run_random("shows_nothing", effort.labels));
        constant = least(constant, run_random("shows_constant_labels", effort.labels));
        formatted = least(formatted, run_random("shows_a_formatted_label", effort.labels));
    }
    double ns = (constant - nothing) / cases / CONSTANT_LABELS * 1e9;
    row   *one = result(all, "a constant label", ns, "ns", AT_MOST, 6);
    snprintf(one->note, sizeof one->note,
             "%d labels a case over none: %.1f and %.1f ns a case of two draws; best of %u",
             CONSTANT_LABELS, constant / cases * 1e9, nothing / cases * 1e9, effort.rounds);
    ns = (formatted - nothing) / cases * 1e9;
    one = result(all, "a formatted label", ns, "ns a case", AT_MOST, 150);
    snprintf(one->note, sizeof one->note,
             "ten different texts: %.1f and %.1f ns a case; best of %u", formatted / cases * 1e9,
             nothing / cases * 1e9, effort.rounds);
}

/* ---- Guided beside random ---- */

static const char GUIDED[] = "shows_five_labels_and_a_cell";

static size_t labels_told(void)
{
    char        name[128];
    size_t      count = 0;
    const char *labels = json_member(output, "labels");
    for (const char *at = NULL;
         labels != NULL && (at = json_next_member(labels, at, name, sizeof name)) != NULL;)
        count++;
    return count;
}

static void measure_guided(results *all)
{
    double random = 1e9, guided = 1e9, cases = (double)effort.guided;
    size_t labels = 0;
    for (unsigned i = 0; i < effort.rounds && guided >= 0; i++) {
        progress("observe: guided, round %u of %u", i + 1, effort.rounds);
        random = least(random, run_random(GUIDED, effort.guided));
        labels = labels_told();
        guided = least(guided, run_cases(SUBJECT, GUIDED, "guide", effort.guided));
    }
    row *one = result(all, "cases a second, guided beside random",
                      guided > 0 ? random / guided : 0, "x random", AT_LEAST, 0.25);
    if (guided > 0)
        snprintf(
            one->note, sizeof one->note,
            "five draws, six labels of %zu: %.0f ns a case guided, %.0f ns random; best of %u",
            labels, guided / cases * 1e9, random / cases * 1e9, effort.rounds);
    else
        snprintf(one->note, sizeof one->note,
                 "not available: --explore guide ended with status %.0f", -guided - 1);
}

/* ---- Instrumented code ---- */

typedef struct build {
    const char *compiler, *flags[2];
    const char *name;
} build;

static const build BUILDS[] = {
    { "gcc", { NULL }, "plain" },
    { "gcc", { "-fsanitize-coverage=trace-pc" }, "trace-pc" },
    { "gcc", { "-fsanitize-coverage=trace-cmp" }, "trace-cmp" },
    { "gcc", { "-fsanitize-coverage=trace-pc,trace-cmp" }, "trace-pc, trace-cmp" },
    { "clang", { NULL }, "plain" },
    { "clang", { "-fsanitize-coverage=inline-8bit-counters,pc-table" }, "counters, pc-table" },
    { "clang", { "-fsanitize-coverage=trace-pc-guard,pc-table" }, "trace-pc-guard, pc-table" },
    { "clang",
      { "-fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp" },
      "counters, pc-table, trace-cmp" },
};
#define BUILD_COUNT (sizeof BUILDS / sizeof *BUILDS)

static bool compile(const build *one, char *program)
{
    char *arguments[16] = {
        (char *)one->compiler, "-O2", "-DWR_SIGNALS", "-I" INCLUDE, "-o", program, KERNEL
    };
    size_t count = 7;
    if (one->flags[0] != NULL)
        arguments[count++] = (char *)one->flags[0];
    arguments[count++] = "-L" LIBRARY;
    arguments[count++] = "-Wl,-rpath," LIBRARY;
    arguments[count++] = "-lwarren";
    return have_program(one->compiler) &&
           run_child(arguments, output, sizeof output, false, NULL, NULL).status == 0;
}

/* Nanoseconds a case, by build; less than nothing: it cannot be built, or not be run so. */
typedef struct cost {
    char   program[256];
    bool   built;
    double random, guided;
} cost;

static void print_costs(const cost *costs)
{
    const cost *plain = costs;
    printf("\nInstrumented code: a scanner of 4096 characters, us a case and multiples of plain\n"
           "  %-8s%-32s%18s%20s\n",
           "", "", "random", "guided");
    for (size_t i = 0; i < BUILD_COUNT; i++) {
        const cost *one = &costs[i];
        if (BUILDS[i].flags[0] == NULL)
            plain = one;
        printf("  %-8s%-32s", BUILDS[i].compiler, BUILDS[i].name);
        if (!one->built) {
            printf("%18s\n", "not installed");
            continue;
        }
        printf("%10.1f %5.2f x", one->random * 1e6, one->random / plain->random);
        if (one->guided > 0 && plain->guided > 0)
            printf("  %10.1f %5.2f x", one->guided * 1e6, one->guided / plain->guided);
        printf("\n");
    }
    fflush(stdout);
}

static void measure_instrumentation(void)
{
    cost costs[BUILD_COUNT];
    for (size_t i = 0; i < BUILD_COUNT; i++) {
        progress("observe: building the kernel, %zu of %zu", i + 1, BUILD_COUNT);
        costs[i] = (cost){ .random = 1e9, .guided = 1e9 };
        snprintf(costs[i].program, sizeof costs[i].program, "%s/kernel%zu", BUILT, i);
        costs[i].built = compile(&BUILDS[i], costs[i].program);
    }
    for (unsigned round = 0; round < effort.rounds; round++)
        for (size_t i = 0; i < BUILD_COUNT; i++) {
            cost  *one = &costs[i];
            double cases = (double)effort.scans;
            progress("observe: the kernel, round %u of %u", round + 1, effort.rounds);
            if (!one->built)
                continue;
            one->random = least(one->random,
                                run_cases(one->program, "scans", "random", effort.scans) / cases);
            one->guided = least(one->guided,
                                run_cases(one->program, "scans", "guide", effort.scans) / cases);
        }
    progress_over();
    print_costs(costs);
}

int main(int argc, char **argv)
{
    results all = { .name = "observe" };
    bool    quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: observe [--quick]\n");
        return 99;
    }
    effort.rounds = quick ? 3 : 7;
    effort.labels = quick ? 1000000 : 5000000;
    effort.guided = quick ? 500000 : 2000000;
    effort.scans = quick ? 5000 : 20000;
    printf("observe: what it costs to observe. CPU time of all processes, --jobs 1, seed " SEED
           ", what is\ncompared in turn, the best of %u runs of each.\n",
           effort.rounds);
    measure_labels(&all);
    measure_guided(&all);
    progress_over();
    print_rows(&all, 0, "Warren");
    measure_instrumentation();
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
