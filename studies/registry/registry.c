/* studies/registry/registry.c: calls until all bugs of a registry are found, by method.
 *
 * Runs the machines of machines.c once for each seed and method, as a user would, and reads what
 * was reported. Every call that is executed counts: of sequences that are explored, reduced and
 * generalised. A method that reports smallest sequences has found a bug when it reports it, the
 * others when they meet it. Which bug a report is the study finds out by itself (bugs.h).
 *
 *     registry [--quick]     the tables
 *     registry --assert N    exits 1 unless seeds 1..N find all six bugs, each once, within twice
 *                            the bars, and a right model is not contradicted
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bugs.h"
#include "child.h"
#include "json.h"
#include "results.h"
#include "seeds.h"

#define SEEDS_MOST 1000
#define QUICK_SEEDS 100
#define FAILURES 10000 /* of which frequencies are counted */
#define QUICK_FAILURES 1000
#define FURTHER 2000 /* calls after the sixth bug, in which nothing may be found again */
#define REPORTS 64   /* the most that is read of a run */

/* ---- Methods ---- */

typedef struct method {
    const char *name, *machine;
    const char *options[20];
    bool        minimised;       /* bugs are reported with their smallest sequences */
    double      paper, research; /* mean calls until all five; 0: not known */
    double      least, most;     /* bars; 0: none */
    unsigned    cases;           /* of a run, at first */
    size_t      seeds;           /* at most; 0: all */
} method;

#define PUBLISHED "--mean-calls", "10", "--results", "off"

static const method QC_S = {
    "QC-S (not minimised)",
    "registry_counted",
    { "--patterns", "off", "--shrink", "off", PUBLISHED },
    .paper = 944,
    .research = 936,
    .least = 800,
    .most = 1150,
    .cases = 800,
};
static const method QC_PLUS_S = {
    "QC+S",
    "registry_counted",
    { "--patterns", "off", "--shrink", "top-down", PUBLISHED },
    .minimised = true,
    .paper = 4893,
    .research = 3860,
    .cases = 400,
    .seeds = 250, /* slow */
};
static const method RDS = {
    "RDS (not minimised)",
    "registry_counted",
    { "--explore", "feedback", "--patterns", "off", "--shrink", "off" },
    .paper = 781,
    .research = 791,
    .least = 700,
    .most = 950,
    .cases = 1000,
};
static const method MORE_BUGS = {
    "MoreBugs, as in the paper",
    "registry",
    { "--shrink", "top-down", "--order", "beside", "--values", "together", "--guards", "off",
      PUBLISHED },
    .minimised = true,
    .paper = 713,
    .research = 705,
    .least = 650,
    .most = 780,
    .cases = 200,
};
static const method DEFAULT = {
    "Warren", "registry", { NULL }, .minimised = true, .research = 172, .most = 200, .cases = 50,
};
static const method WITHOUT_GUARDS = {
    "Warren, --guards off", "registry",      { "--guards", "off" },
    .minimised = true,      .research = 165, .cases = 50,
};
static const method NAMES_ALIKE = {
    "Warren, names interchangeable",
    "registry_names_alike",
    { NULL },
    .minimised = true,
    .research = 146,
    .cases = 50,
};

static const method *const METHODS[] = { &QC_S,    &QC_PLUS_S,      &RDS,        &MORE_BUGS,
                                         &DEFAULT, &WITHOUT_GUARDS, &NAMES_ALIKE };
#define METHOD_COUNT (sizeof METHODS / sizeof *METHODS)

/* ---- One run ---- */

typedef struct report {
    unsigned bug; /* 0: of none of the six */
    double   calls, seen;
    bool     subsumed;
} report;

typedef struct run {
    bool   refused;
    double calls, patterns;
    size_t count;
    report reports[REPORTS];
} run;

static char output[1 << 22];

/* What the program printed is in `output` then. */
static child ask(const char *program, const char *machine, const char *const *options,
                 uint64_t seed, unsigned cases)
{
    char   seed_text[32], cases_text[32];
    char  *arguments[48] = { (char *)program, (char *)machine, "--seed",    seed_text, "--cases",
                             cases_text,      "--bugs",        "many",      "--jobs",  "1",
                             "--format",      "json",          "--no-store" };
    size_t count = 13;
    for (; *options != NULL; options++)
        arguments[count++] = (char *)*options;
    snprintf(seed_text, sizeof seed_text, "%llu", (unsigned long long)seed);
    snprintf(cases_text, sizeof cases_text, "%u", cases);
    return run_child(arguments, output, sizeof output, false, NULL, NULL);
}

/* Where there is a rule it says more than the calls, which are one case of it. Where there is
 * none five bugs are counted, and the sixth as the first. */
static unsigned reported_bug(const char *failure)
{
    static char text[1 << 16];
    if (json_text(json_member(failure, "rule"), text, sizeof text))
        return bug_of(text, true);
    json_text(json_member(json_member(failure, "values"), "calls"), text, sizeof text);
    unsigned bug = bug_of(text, false);
    return bug == BUGS ? 1 : bug;
}

static report read_report(const char *failure, const method *by, bool subsumed)
{
    report one = { .bug = reported_bug(failure),
                   .seen = json_number(json_member(failure, "seen")),
                   .subsumed = subsumed };
    one.calls = json_number(json_member(failure, by->minimised ? "calls_before" : "calls_found"));
    return one;
}

/* With the ways of each: places where the same cause shows. */
static void read_reports(run *one, const method *by, const char *failures, bool subsumed)
{
    for (const char *at = NULL; (at = json_next_element(failures, at)) != NULL;) {
        const char *ways = json_member(at, "ways");
        if (one->count < REPORTS)
            one->reports[one->count++] = read_report(at, by, subsumed);
        if (ways != NULL)
            read_reports(one, by, ways, subsumed);
    }
}

static void read_run(run *one, const method *by, child ran)
{
    *one = (run){ .refused = (ran.status != 0 && ran.status != 1) || output[0] != '{',
                  .calls = json_number(json_member(output, "calls")),
                  .patterns = json_number(json_member(output, "patterns")) };
    read_reports(one, by, json_member(output, "failures"), false);
    read_reports(one, by, json_member(output, "subsumed"), true);
}

/* The calls until the bug was found; 0: it was not. */
static double calls_until(const run *one, unsigned bug)
{
    double least = 0;
    for (size_t i = 0; i < one->count; i++)
        if (one->reports[i].bug == bug && (least <= 0 || one->reports[i].calls < least))
            least = one->reports[i].calls;
    return least;
}

/* Until all from 1 to `bugs` were. */
static double calls_until_all(const run *one, unsigned bugs)
{
    double most = 0;
    for (unsigned bug = 1; bug <= bugs; bug++) {
        double calls = calls_until(one, bug);
        if (calls <= 0)
            return 0;
        most = calls > most ? calls : most;
    }
    return most;
}

/* Runs with more and more cases until all bugs are found. A longer run begins as the shorter one
 * did, so this changes no figure. */
static void run_until_all(run *one, const method *by, uint64_t seed, unsigned bugs)
{
    unsigned cases = by->cases;
    for (unsigned round = 0; round < 9; round++, cases *= 2) {
        read_run(one, by, ask(MACHINES, by->machine, by->options, seed, cases));
        if (one->refused || calls_until_all(one, bugs) > 0)
            return;
    }
}

/* ---- Many seeds ---- */

/* What is kept of a seed. */
typedef struct outcome {
    bool   refused, further; /* it went on for long enough after the last bug */
    double calls;            /* until all; 0: never */
    double patterns, again;  /* kept, and reports of a bug that was reported before */
} outcome;

typedef struct tally {
    size_t seeds, found, refused;
    double mean, error, median, tail;
} tally;

static outcome *outcomes; /* shared; of seed 1 and those after it */

/* Reports that are none of the six, or one that was there already. */
static double reported_again(const run *one)
{
    bool   there[BUGS + 1] = { true };
    double again = 0;
    for (size_t i = 0; i < one->count; i++) {
        bool *known = &there[one->reports[i].bug];
        again += *known && !one->reports[i].subsumed;
        *known |= !one->reports[i].subsumed;
    }
    return again;
}

static void find_five(size_t index, const void *context)
{
    const method *by = context;
    static run    one;
    run_until_all(&one, by, index + 1, 5);
    outcomes[index] = (outcome){ .refused = one.refused, .calls = calls_until_all(&one, 5) };
}

static void find_six(size_t index, const void *context)
{
    const method *by = context;
    static run    one;
    unsigned      cases = by->cases * 4;
    do {
        read_run(&one, by, ask(MACHINES, by->machine, by->options, index + 1, cases));
        cases *= 2;
    } while (!one.refused && cases < 100000 && one.calls < calls_until_all(&one, BUGS) + FURTHER);
    double calls = calls_until_all(&one, BUGS);
    outcomes[index] = (outcome){ .refused = one.refused,
                                 .calls = calls,
                                 .further = one.calls >= calls + FURTHER,
                                 .patterns = one.patterns,
                                 .again = reported_again(&one) };
}

static int by_calls(const void *a, const void *b)
{
    const outcome *one = a, *other = b;
    return (one->calls > other->calls) - (one->calls < other->calls);
}

/* Sorts the outcomes. What was never found is left out of the figures, and shows in `found`. */
static tally count_outcomes(size_t seeds)
{
    tally  all = { .seeds = seeds };
    double sum = 0, squares = 0;
    qsort(outcomes, seeds, sizeof *outcomes, by_calls);
    for (size_t i = 0; i < seeds; i++) {
        all.refused += outcomes[i].refused;
        all.found += outcomes[i].calls > 0;
        sum += outcomes[i].calls;
        squares += outcomes[i].calls * outcomes[i].calls;
    }
    if (all.found == 0)
        return all;
    const outcome *found = outcomes + seeds - all.found;
    double         count = (double)all.found;
    all.mean = sum / count;
    all.error = sqrt((squares / count - all.mean * all.mean) / count);
    all.median = (found[(all.found - 1) / 2].calls + found[all.found / 2].calls) / 2;
    all.tail = found[(all.found * 9 + 9) / 10 - 1].calls;
    return all;
}

static tally over_seeds(size_t seeds, void (*find)(size_t, const void *), const method *by)
{
    for (size_t i = 0; i < seeds; i++) /* should a process die */
        outcomes[i] = (outcome){ .refused = true };
    share_out(seeds, find, by);
    return count_outcomes(seeds);
}

/* ---- Until all five are found ---- */

static void put_known(double figure)
{
    char text[32] = "";
    if (figure > 0)
        snprintf(text, sizeof text, "%.0f", figure);
    printf(" %8s", text);
}

static void print_tally(const method *by, const tally *reached)
{
    char found[48];
    snprintf(found, sizeof found, "%zu/%zu", reached->found, reached->seeds);
    progress_over();
    printf("  %-30s", by->name);
    put_known(by->paper);
    put_known(by->research);
    printf(" %8.0f %8.0f %8.0f %8.0f %10s", reached->mean, reached->error, reached->median,
           reached->tail, found);
    if (by->least > 0)
        printf("  %.0f..%.0f %s", by->least, by->most,
               reached->mean >= by->least && reached->mean <= by->most ? "met" : "MISSED");
    else if (by->most > 0)
        printf("  <= %.0f %s", by->most, reached->mean <= by->most ? "met" : "MISSED");
    printf("%s\n", reached->refused > 0 ? "  could not be run" : "");
    fflush(stdout);
}

static void enter_bars(results *all, const method *by, const tally *reached)
{
    char measure[96];
    snprintf(measure, sizeof measure, "calls until all five, mean: %s", by->name);
    if (by->least > 0)
        result(all, measure, reached->mean, "calls", AT_LEAST, by->least);
    if (by->most > 0)
        result(all, measure, reached->mean, "calls", AT_MOST, by->most);
    if (by->most > 0) {
        snprintf(measure, sizeof measure, "seeds that find all five: %s", by->name);
        result(all, measure, (double)reached->found, "seeds", EXACTLY, (double)reached->seeds);
    }
}

static void print_five(results *all, size_t seeds)
{
    printf("\nCalls until all five bugs are found\n  %-30s %8s %8s %8s %8s %8s %8s %10s\n",
           "method", "paper", "research", "mean", "error", "median", "90th", "found");
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        const method *by = METHODS[i];
        progress("registry: %s", by->name);
        tally reached =
            over_seeds(by->seeds > 0 && by->seeds < seeds ? by->seeds : seeds, find_five, by);
        print_tally(by, &reached);
        enter_bars(all, by, &reached);
    }
}

/* ---- All six ---- */

static void print_six(results *all, size_t seeds)
{
    progress("registry: six bugs");
    tally  reached = over_seeds(seeds, find_six, &DEFAULT);
    double patterns = 0, again = 0, further = 0;
    size_t from = all->count;
    for (size_t i = 0; i < seeds; i++) {
        patterns += outcomes[i].patterns;
        again += outcomes[i].again;
        further += outcomes[i].further;
    }
    progress_over();
    row *calls = result(all, "calls until all six, mean", reached.mean, "calls", AT_MOST, 500);
    snprintf(calls->note, sizeof calls->note,
             "error %.0f, median %.0f, 90th %.0f; research 454; the paper never finds the sixth",
             reached.error, reached.median, reached.tail);
    result(all, "seeds that find all six", (double)reached.found, "seeds", EXACTLY,
           (double)seeds);
    result(all, "patterns kept, mean", patterns / (double)seeds, "patterns", EXACTLY, BUGS);
    row *more = result(all, "reports of a bug a second time", again, "reports", EXACTLY, 0);
    snprintf(more->note, sizeof more->note, "in %.0f seeds, each with %d calls after the sixth",
             further, FURTHER);
    print_rows(all, from, "All six bugs, with guards");
}

/* ---- How often each is met ---- */

static const struct {
    const method *by;
    double        paper[BUGS], research[BUGS]; /* [0]: of all */
} FREQUENCIES[] = {
    { &QC_S, { 297.7, 258.1, 13.9, 18.9, 1.1, 5.7 }, { 302.5, 267.7, 11.8, 17.2, 0.85, 5.0 } },
    { &QC_PLUS_S, { 62.7, 53.2, 3.1, 3.8, 0.24, 2.0 }, { 112.3, 99.5, 4.9, 7.1, 0.31, 0.47 } },
    { &RDS, { 25.9, 12.8, 3.1, 3.1, 1.8, 5.1 }, { 29.3, 14.8, 3.9, 3.0, 1.8, 5.8 } },
};
#define FREQUENCY_COUNT (sizeof FREQUENCIES / sizeof *FREQUENCIES)

/* Failing tests of each bug, [0]: of all. */
static void count_seen(const run *one, double *seen)
{
    memset(seen, 0, BUGS * sizeof *seen);
    for (size_t i = 0; i < one->count; i++) {
        const report *of = &one->reports[i];
        seen[of->bug] += of->bug > 0 ? of->seen : 0;
        seen[0] += of->seen;
    }
}

/* Runs until there were so many failing tests. */
static double count_failures(const method *by, double failures, double *seen)
{
    static run one;
    unsigned   cases = (unsigned)failures;
    do {
        read_run(&one, by, ask(MACHINES, by->machine, by->options, 1, cases));
        count_seen(&one, seen);
        cases *= 2;
    } while (!one.refused && seen[0] < failures && cases < 100 * failures);
    return one.calls;
}

static void print_frequencies(bool quick)
{
    double seen[FREQUENCY_COUNT][BUGS], calls[FREQUENCY_COUNT];
    double failures = quick ? QUICK_FAILURES : FAILURES;
    progress("registry: frequencies");
    for (size_t i = 0; i < FREQUENCY_COUNT; i++)
        calls[i] = count_failures(FREQUENCIES[i].by, failures, seen[i]);
    progress_over();
    printf("\nHow often each bug is met in 1000 calls; %.0f failing tests or more, seed 1\n"
           "  %-5s",
           failures, "bug");
    for (size_t i = 0; i < FREQUENCY_COUNT; i++)
        printf(" |%11.4s %9s %9s", FREQUENCIES[i].by->name, "paper", "research");
    for (unsigned bug = 1; bug <= BUGS; bug++) { /* all of them come last */
        unsigned of = bug % BUGS;
        char     name[8];
        snprintf(name, sizeof name, of == 0 ? "all" : "%u", of);
        printf("\n  %-5s", name);
        for (size_t i = 0; i < FREQUENCY_COUNT; i++)
            printf(" |%11.2f %9.2f %9.2f", seen[i][of] * 1000 / calls[i],
                   FREQUENCIES[i].paper[of], FREQUENCIES[i].research[of]);
    }
    printf("\n");
    fflush(stdout);
}

/* ---- Figure 1 ---- */

static const char *const PUBLISHED_RULES[] = {
    "unregister(a)",
    "V1 = spawn(),\nregister(a, V1)\n| register(b, V1)",
    "V1 = spawn(),\nkill(V1),\nregister(a, V1)",
    "V1 = spawn(),\nregister(d, V1)\n| kill(V1),\nwhereis(d)",
    "V1 = spawn(),\nregister(a, V1)\n| V3 = spawn(),\nregister(a, V3)",
    "(not found)",
};

/* Lines of two texts beside each other. */
static void print_beside(unsigned number, const char *left, const char *right)
{
    for (bool first = true; *left != '\0' || *right != '\0'; first = false) {
        int  one = (int)strcspn(left, "\n"), other = (int)strcspn(right, "\n");
        char label[16] = "";
        if (first)
            snprintf(label, sizeof label, "%u", number);
        printf("  %-3s %-26.*s %.*s\n", label, one, left, other, right);
        left += one + (left[one] == '\n');
        right += other + (right[other] == '\n');
    }
}

static void print_figure(void)
{
    static char rule[1 << 14];
    ask(MACHINES, DEFAULT.machine, DEFAULT.options, 1, 4 * DEFAULT.cases);
    const char *failures = json_member(output, "failures");
    printf("\nThe bugs as rules: the paper's Figure 1, and seed 1\n");
    for (unsigned bug = 1; bug <= BUGS; bug++)
        for (const char *at = NULL; (at = json_next_element(failures, at)) != NULL;) {
            if (reported_bug(at) != bug)
                continue;
            json_text(json_member(at, "rule"), rule, sizeof rule);
            print_beside(bug, PUBLISHED_RULES[bug - 1], rule);
        }
    fflush(stdout);
}

/* ---- Chains ---- */

typedef struct form {
    const char *name;
    const char *options[12];
    double      reports[3], tests[3]; /* for one, two, three chains: what research measured */
} form;

static const form FORMS[] = {
    { "the paper's p | q",
      { "--calls", "40", "--order", "beside", "--values", "together", "--guards", "off" },
      { 1, 2, 13 },
      { 2, 10, 155 } },
    { "partial order",
      { "--calls", "40", "--order", "partial", "--guards", "off" },
      { 1, 1, 1 },
      { 2, 8, 18 } },
};
static const char *const CHAINS[] = { "one_chain", "two_chains", "three_chains" };

/* Is it the smallest sequence of some report? */
static bool was_reported(const char *failures, const char *order)
{
    static char calls[1 << 12];
    for (const char *at = NULL; (at = json_next_element(failures, at)) != NULL;) {
        json_text(json_member(json_member(at, "values"), "calls"), calls, sizeof calls);
        if (strcmp(calls, order) == 0)
            return true;
    }
    return false;
}

/* Tests of an order other than the one that it was reported with. */
static double count_tests(const char *failures)
{
    char        order[1 << 12];
    double      tests = 0;
    const char *printed = strstr(output, "{\"orders\"");
    const char *orders = printed == NULL ? NULL : json_member(printed, "orders");
    for (const char *at = NULL; (at = json_next_element(orders, at)) != NULL;)
        tests += json_text(at, order, sizeof order) && !was_reported(failures, order);
    return tests;
}

static void try_chains(results *all, const form *by, unsigned chains)
{
    setenv("WARREN_WITHOUT", "minimise", 1); /* its tests are none of an order */
    child ran = ask(CHAINED, CHAINS[chains - 1], by->options, 1, 3000);
    unsetenv("WARREN_WITHOUT");
    const char *failures = json_member(output, "failures");
    double      reports = (double)json_list_length(failures), tests = count_tests(failures);
    bool        last = by == &FORMS[1] && chains == 3;
    printf("  %-20s %6u %9.0f %9.0f %9.0f %9.0f%s\n", by->name, chains, reports, tests,
           by->reports[chains - 1], by->tests[chains - 1],
           ran.status == 1 ? "" : "  could not be run");
    if (!last)
        return;
    result(all, "three chains: reports", reports, "reports", EXACTLY, 1);
    result(all, "three chains: tests of an order", tests, "tests", AT_MOST, 20);
}

static void print_chains(results *all)
{
    size_t from = all->count;
    printf("\nIndependent set-ups of two calls, in any order: reports of the one bug, and tests "
           "of orders; seed 1\n  %-20s %6s %9s %9s %19s\n",
           "order", "chains", "reports", "tests", "research measured");
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++)
        for (unsigned chains = 1; chains <= 3; chains++)
            try_chains(all, &FORMS[i], chains);
    print_rows(all, from, "Chains");
}

/* ---- All of it ---- */

static int tables(bool quick)
{
    static results all = { .name = "registry" };
    size_t         seeds = quick ? QUICK_SEEDS : SEEDS_MOST;
    printf("registry: six bugs of a process registry. Five names, five commands of equal weight; "
           "a sequence\nends with its first failure; every call that is executed counts. Seeds "
           "1..%zu, each a run of its own.\n",
           seeds);
    print_figure();
    print_frequencies(quick);
    print_five(&all, seeds);
    print_six(&all, seeds);
    print_chains(&all);
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}

/* ---- For the tests ---- */

static const char *const SMALLEST[BUGS] = {
    "unregister(\"a\");",
    "process *v1 = spawn();\nregister(\"a\", v1);\nregister(\"b\", v1);",
    "process *v1 = spawn();\nkill(v1);\nregister(\"a\", v1);",
    "process *v1 = spawn();\nregister(\"a\", v1);\nkill(v1);\nwhereis(\"a\");",
    "process *v1 = spawn();\nprocess *v2 = spawn();\nregister(\"a\", v1);\nregister(\"a\", v2);",
    "process *v1 = spawn();\nregister(\"a\", v1);\nkill(v1);\nunregister(\"a\");",
};
static const char *const RULES[BUGS] = {
    "unregister(?A)\n  unless register(?A, _) came before",
    "?P = spawn()\nregister(?A, ?P) | register(?B, ?P)",
    "?P = spawn()\nkill(?P)\nregister(_, ?P)",
    "?P = spawn()\nregister(?A, ?P) | kill(?P)\nwhereis(?A)\n"
    "  unless register(?A, _) came before",
    "(?P = spawn(); register(?A, ?P)) | (?Q = spawn(); register(?A, ?Q))",
    "?P = spawn()\nregister(?A, ?P)\nkill(?P)\nunregister(?A)\n"
    "  unless register(?A, _) came before",
};

static int wrong(const char *what)
{
    printf("%s\n", what);
    return 1;
}

static int assert_seeds(size_t seeds)
{
    static const char *const NONE[] = { NULL };
    int                      bad = 0;
    double                   again = 0, patterns = 0;
    for (unsigned bug = 1; bug <= BUGS; bug++)
        bad |= bug_of(SMALLEST[bug - 1], true) == bug && bug_of(RULES[bug - 1], true) == bug
                   ? 0
                   : wrong(RULES[bug - 1]);
    bad |= bug_of("register(a, p)\nregister(a, p)", true) == 0 ? 0
                                                               : wrong("the same twice is a bug");
    child right = ask(MACHINES, "registry_right", NONE, 1, 1000);
    bad |= right.status == 0 ? 0 : wrong("a right model is contradicted");
    tally five = over_seeds(seeds, find_five, &MORE_BUGS);
    bad |= five.found == seeds ? 0 : wrong("the paper's mode misses one of five bugs");
    tally six = over_seeds(seeds, find_six, &DEFAULT);
    for (size_t i = 0; i < seeds; i++) {
        again += outcomes[i].again;
        patterns += outcomes[i].patterns;
    }
    bad |= six.found == seeds && six.mean <= 1000 ? 0 : wrong("not all six bugs in 1000 calls");
    bad |= again <= 0 && patterns <= BUGS * (double)seeds ? 0 : wrong("a bug is reported twice");
    if (bad == 0)
        printf("seeds 1..%zu: all six in %.0f calls, each once; five the published way in %.0f\n",
               seeds, six.mean, five.mean);
    return bad;
}

int main(int argc, char **argv)
{
    outcomes = shared_memory(SEEDS_MOST * sizeof *outcomes);
    return main_over_seeds(argc, argv, "registry", SEEDS_MOST, tables, assert_seeds);
}
