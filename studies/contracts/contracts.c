/* studies/contracts/contracts.c: do bugs that are easy to find hide those that are not?
 *
 * Runs the machine of machine.c once for each seed and method, as a user would, and tells of each
 * report which of the 25 faults it is. A method without patterns counts every failing test, as
 * the paper's tables do; one with patterns counts what it reports.
 *
 *     contracts [--quick]     the tables
 *     contracts --assert N    exits 1 unless seeds 1..N report nearly all faults, each once, the
 *                             smallest sequences fail, and the repaired library passes
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "faults.h"
#include "json.h"
#include "results.h"
#include "seeds.h"

#define SEEDS_MOST 20
#define QUICK_SEEDS 3
#define REPORTS 256
#define FIRST 10 /* reports, of which the share of rare ones is printed */

/* ---- Methods ---- */

typedef struct method {
    const char *name;
    const char *options[20];
    bool        counting; /* every failing test */
    unsigned    cases;
    double      maths, collections; /* the paper's share of the rare kind, in percent; 0: none */
} method;

#define PUBLISHED "--mean-calls", "10", "--results", "off"

static const method METHODS[] = {
    { "QuickCheck",
      { "--patterns", "off", "--shrink", "top-down", PUBLISHED },
      .counting = true,
      .cases = 1000,
      .maths = 2,
      .collections = 1 },
    { "RANDOOP",
      { "--explore", "feedback", "--patterns", "off", "--shrink", "off" },
      .counting = true,
      .cases = 2000,
      .maths = 2,
      .collections = 8 },
    { "MoreBugs, as in the paper",
      { "--shrink", "top-down", "--order", "beside", "--values", "together", "--guards", "off",
        PUBLISHED },
      .cases = 3000,
      .maths = 32,
      .collections = 29 },
    { "Warren", { NULL }, .cases = 1000 },
};
#define METHOD_COUNT (sizeof METHODS / sizeof *METHODS)
#define DEFAULT (&METHODS[METHOD_COUNT - 1])

/* ---- One run ---- */

typedef struct report {
    int    fault; /* -1: of none of them */
    double calls, weight;
} report;

/* What is kept of a seed. */
typedef struct outcome {
    bool     refused;
    double   calls, failures, rare; /* failing tests or reports, and those of the rare kind */
    double   first, first_rare;     /* among the first few */
    double   again, unknown;        /* reports of a fault that was reported before, or of none */
    double   last;                  /* calls until the last fault was reported that was */
    uint32_t faults;                /* 1 << i */
} outcome;

static char     output[1 << 22];
static outcome *outcomes; /* shared; of seed 1 and those after it */

static child ask(const char *program, const method *by, uint64_t seed, unsigned cases)
{
    char   seed_text[32], cases_text[32];
    char  *arguments[48] = { (char *)program, "--seed",    seed_text, "--cases", cases_text,
                             "--bugs",        "many",      "--jobs",  "1",       "--format",
                             "json",          "--no-store" };
    size_t count = 12;
    for (const char *const *option = by->options; *option != NULL; option++)
        arguments[count++] = (char *)*option;
    snprintf(seed_text, sizeof seed_text, "%llu", (unsigned long long)seed);
    snprintf(cases_text, sizeof cases_text, "%u", cases);
    return run_child(arguments, output, sizeof output, false, NULL, NULL);
}

/* The function of the last call, in place. */
static const char *last_function(char *calls)
{
    char *bracket = strrchr(calls, '(');
    if (bracket == NULL)
        return "";
    *bracket = '\0';
    char *before = bracket;
    while (before > calls && before[-1] != ' ' && before[-1] != '\n')
        before--;
    return before;
}

/* A crash has a function, but where a sanitizer tells of it; then it is that which was called. */
static report read_report(const char *failure, const method *by)
{
    static char function[1 << 16], message[1 << 12];
    report      one = { .weight = 1 };
    const char *values = json_member(failure, "values");
    const char *crashed = function;
    json_text(json_member(failure, "message"), message, sizeof message);
    if (!json_text(json_member(failure, "function"), function, sizeof function) &&
        json_text(json_member(values, "calls"), function, sizeof function))
        crashed = last_function(function);
    one.fault = fault_of(crashed, message);
    one.calls = json_number(json_member(failure, "calls_before"));
    if (by->counting)
        one.weight = json_number(json_member(failure, "seen"));
    return one;
}

static int by_calls(const void *a, const void *b)
{
    const report *one = a, *other = b;
    return (one->calls > other->calls) - (one->calls < other->calls);
}

static size_t read_reports(report *reports, const method *by)
{
    const char *failures = json_member(output, "failures");
    size_t      count = 0;
    for (const char *at = NULL; (at = json_next_element(failures, at)) != NULL;)
        if (count < REPORTS)
            reports[count++] = read_report(at, by);
    qsort(reports, count, sizeof *reports, by_calls);
    return count;
}

static void add_report(outcome *all, const report *one)
{
    bool rare = one->fault >= EASY;
    all->failures += one->weight;
    all->rare += rare ? one->weight : 0;
    if (all->first < FIRST) {
        all->first++;
        all->first_rare += rare;
    }
    if (one->fault < 0) {
        all->unknown++;
        return;
    }
    bool known = (all->faults >> one->fault & 1) != 0;
    all->again += known;
    all->faults |= UINT32_C(1) << one->fault;
    if (!known)
        all->last = one->calls;
}

static void try_seed(size_t index, const void *context)
{
    const method *by = context;
    report        reports[REPORTS];
    child         ran = ask(FAULTY, by, index + 1, by->cases);
    outcome       all = { .refused = (ran.status != 0 && ran.status != 1) || output[0] != '{',
                          .calls = json_number(json_member(output, "calls")) };
    size_t        count = read_reports(reports, by);
    for (size_t i = 0; i < count; i++)
        add_report(&all, &reports[i]);
    outcomes[index] = all;
}

/* ---- Many seeds ---- */

/* Sums over all seeds, and the fewest faults of a seed. */
typedef struct tally {
    double   seeds, refused, calls, failures, rare, first, first_rare, again, unknown, last;
    double   easy_faults, rare_faults, fewest;
    uint32_t missed; /* by some seed */
} tally;

static void add_outcome(tally *all, const outcome *one)
{
    uint32_t easy = one->faults & ((UINT32_C(1) << EASY) - 1);
    double   found = __builtin_popcount(one->faults);
    all->refused += one->refused;
    all->calls += one->calls;
    all->failures += one->failures;
    all->rare += one->rare;
    all->first += one->first;
    all->first_rare += one->first_rare;
    all->again += one->again;
    all->unknown += one->unknown;
    all->last += one->last;
    all->easy_faults += __builtin_popcount(easy);
    all->rare_faults += __builtin_popcount(one->faults) - __builtin_popcount(easy);
    all->fewest = found < all->fewest ? found : all->fewest;
    all->missed |= ~one->faults & ((UINT32_C(1) << FAULTS) - 1);
}

static tally over_seeds(size_t seeds, const method *by)
{
    tally all = { .seeds = (double)seeds, .fewest = FAULTS };
    for (size_t i = 0; i < seeds; i++) /* should a process die */
        outcomes[i] = (outcome){ .refused = true };
    share_out(seeds, try_seed, by);
    for (size_t i = 0; i < seeds; i++)
        add_outcome(&all, &outcomes[i]);
    return all;
}

/* ---- The tables ---- */

static double percent(double part, double all)
{
    return all > 0 ? 100 * part / all : 0;
}

static void print_share(const method *by, const tally *all)
{
    char first[16] = "", maths[16] = "", collections[16] = "";
    if (!by->counting)
        snprintf(first, sizeof first, "%.0f%%", percent(all->first_rare, all->first));
    if (by->maths > 0) {
        snprintf(maths, sizeof maths, "%.0f%%", by->maths);
        snprintf(collections, sizeof collections, "%.0f%%", by->collections);
    }
    progress_over();
    printf("  %-26s %9.0f %9.1f %7.1f%% %9s %9s %12s %8.1f %6.1f %9.0f%s\n", by->name,
           all->calls / all->seeds, all->failures / all->seeds, percent(all->rare, all->failures),
           first, maths, collections, all->easy_faults / all->seeds,
           all->rare_faults / all->seeds, all->last / all->seeds,
           all->refused > 0 ? "  could not be run" : "");
    fflush(stdout);
}

static void print_missed(const tally *all)
{
    for (unsigned i = 0; i < FAULTS; i++)
        if ((all->missed >> i & 1) != 0)
            printf("  not in every seed: %s\n", FAULT_LIST[i].calls);
}

static void enter_bars(results *all, const tally *reached)
{
    result(all, "faults reported, the fewest of all seeds", reached->fewest, "faults", EXACTLY,
           FAULTS);
    result(all, "faults reported twice, in all seeds", reached->again, "reports", EXACTLY, 0);
    result(all, "reports of nothing that is known, in all seeds", reached->unknown, "reports",
           EXACTLY, 0);
}

static int tables(bool quick)
{
    static results all = { .name = "contracts" };
    size_t         seeds = quick ? QUICK_SEEDS : SEEDS_MOST;
    printf("contracts: %d easy and %d rare faults, without a model. Seeds 1..%zu, each a run of "
           "its own; means.\nThe first two count failing tests, the others reports. In brackets: "
           "the first %d.\n\n  %-26s %9s %9s %8s %9s %22s %15s %9s\n"
           "  %-26s %9s %9s %8s %9s %9s %12s %8s %6s %9s\n",
           EASY, RARE, seeds, FIRST, "", "", "", "of them", "", "the paper's share of",
           "faults found", "calls to", "method", "calls", "failures", "rare", "(first)", "maths",
           "collections", "easy", "rare", "the last");
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        progress("contracts: %s", METHODS[i].name);
        tally reached = over_seeds(seeds, &METHODS[i]);
        print_share(&METHODS[i], &reached);
        if (&METHODS[i] != DEFAULT)
            continue;
        print_missed(&reached);
        enter_bars(&all, &reached);
    }
    print_rows(&all, 0, "Warren");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}

/* ---- For the tests ---- */

static int wrong(const char *what)
{
    printf("%s\n", what);
    return 1;
}

/* The smallest sequence of a fault, made directly. */
static int make_smallest(const char *program, int which)
{
    char  number[16];
    char *arguments[] = { (char *)program, number, NULL };
    snprintf(number, sizeof number, "%d", which);
    return run_child(arguments, output, sizeof output, false, NULL, NULL).status;
}

static int assert_seeds(size_t seeds)
{
    static const method NOTHING = { .options = { NULL } };
    int                 bad = 0;
    for (int i = 0; i < FAULTS; i++) {
        int faulty = make_smallest(SMALLEST, i), repaired = make_smallest(SMALLEST_REPAIRED, i);
        bad |= faulty != 0 && faulty != 99 && repaired == 0 ? 0 : wrong(FAULT_LIST[i].calls);
    }
    bad |= ask(REPAIRED, &NOTHING, 1, 1000).status == 0
               ? 0
               : wrong("something is found in the repaired library");
    tally reached = over_seeds(seeds, DEFAULT);
    bad |= reached.fewest >= FAULTS - 1 ? 0 : wrong("not nearly all faults are reported");
    bad |= reached.again <= 0 && reached.unknown <= 0 ? 0 : wrong("a fault is reported twice");
    if (bad == 0)
        printf("seeds 1..%zu: at least %.0f of %d faults, each once\n", seeds, reached.fewest,
               FAULTS);
    return bad;
}

int main(int argc, char **argv)
{
    outcomes = shared_memory(SEEDS_MOST * sizeof *outcomes);
    return main_over_seeds(argc, argv, "contracts", SEEDS_MOST, tables, assert_seeds);
}
