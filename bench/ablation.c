/* bench/ablation.c: what each heuristic of the hunt for a machine's bugs is worth.
 *
 * Each subject is a machine whose bugs are known. It is hunted with all heuristics, and then with
 * one of them switched off (WARREN_WITHOUT: src/machine/table/heuristics.h), with the same seeds.
 * The figure of a run is the number of calls until all its bugs are reported: exploring,
 * shrinking and generalising. Two runs are compared over the bugs that both report. So a ratio
 * alone says too little: a heuristic without which a bug is missed may have a ratio below 1. The
 * bugs that are missed, or found in addition, stand beside each ratio.
 *
 * A ratio is the calls without the heuristic to those with it: above 1 the heuristic pays. The
 * geometric mean over the seeds is printed, with a 95 % interval by drawing the seeds again
 * (bootstrap). The intervals are not corrected for their number: of a hundred, five are wrong by
 * chance. With the few seeds of --quick they only show the spread.
 *
 *     ablation [--quick] [--seeds N]
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "contracts/faults.h"
#include "core/prng.h"
#include "json.h"
#include "registry/bugs.h"
#include "results.h"
#include "seeds.h"

#define SEEDS 20
#define QUICK_SEEDS 3
#define SEEDS_MOST 1000
#define BUGS_MOST 32
#define DRAWS 2000 /* of the bootstrap */

/* ---- Subjects: one row each ---- */

/* The bug that a failure shows, from 0; -1: none that is known. */
typedef int bug_reader(const char *failure);

static bool text_of(const char *failure, const char *member, char *text, size_t room)
{
    const char *values = json_member(failure, "values");
    const char *there = strcmp(member, "calls") != 0 ? json_member(failure, member)
                        : values == NULL             ? NULL
                                                     : json_member(values, member);
    text[0] = '\0';
    return there != NULL && json_text(there, text, room);
}

static int registry_bug(const char *failure)
{
    static char text[1 << 16];
    bool        rule = text_of(failure, "rule", text, sizeof text);
    if (!rule)
        text_of(failure, "calls", text, sizeof text);
    return (int)bug_of(text, rule) - 1;
}

static int contracts_bug(const char *failure)
{
    static char function[1 << 12], message[1 << 12];
    text_of(failure, "function", function, sizeof function);
    text_of(failure, "message", message, sizeof message);
    return fault_of(function, message);
}

static int canstack_bug(const char *failure)
{
    static const char START[] = "the fault that acted last: ";
    char              text[200];
    const char       *notes = json_member(failure, "notes");
    const char       *note = notes == NULL ? NULL : json_next_element(notes, NULL);
    if (note == NULL || !json_text(note, text, sizeof text) ||
        strncmp(text, START, sizeof START - 1) != 0)
        return -1;
    return (int)strtol(text + sizeof START - 1, NULL, 10) - 1;
}

#ifdef LMDB
/* put(k, a), a cursor on it, put(k, b), the cursor deletes: b is gone, too. */
static int lmdb_bug(const char *failure)
{
    static const char *const CALLS[] = { "put(", "cursor_get(", "put(", "cursor_del(" };
    static char              text[1 << 12];
    const char              *at = text;
    text_of(failure, "calls", text, sizeof text);
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++) {
        if (strncmp(at, CALLS[i], strlen(CALLS[i])) != 0)
            return -1;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return *at == '\0' ? 0 : -1;
}
#endif

typedef struct subject {
    const char *name, *program, *machine;
    unsigned    cases, most; /* to begin with; twice as many until all bugs are found, or these */
    int         bugs;
    bug_reader *bug;
} subject;

static const subject SUBJECTS[] = {
    { "registry", REGISTRY, "registry", 240, 3840, BUGS, registry_bug },
    { "contracts", CONTRACTS, "*", 500, 8000, FAULTS, contracts_bug },
    { "canstack", CANSTACK, "canstack", 2000, 8000, 9, canstack_bug },
#ifdef LMDB
    { "lmdb", LMDB, "*", 200, 3200, 1, lmdb_bug },
#endif
};
enum { SUBJECT_COUNT = sizeof SUBJECTS / sizeof *SUBJECTS };

/* ---- Heuristics: one row each ---- */

typedef struct heuristic {
    const char *name;
    const char *option, *value; /* that switches it off; NULL: WARREN_WITHOUT does, by its name */
} heuristic;

static const heuristic HEURISTICS[] = {
    { "same", NULL, NULL },
    { "cause", NULL, NULL },
    { "prove", NULL, NULL },
    { "survive", NULL, NULL },
    { "refine", NULL, NULL },
    { "minimise", NULL, NULL },
    { "distances", NULL, NULL },
    { "related", NULL, NULL },
    { "sample", NULL, NULL },
    { "merge", NULL, NULL },
    { "cut", NULL, NULL },
    { "apart", NULL, NULL },
    { "ways", NULL, NULL },
    { "gather", NULL, NULL },
    { "crowd", NULL, NULL },
    { "correct", NULL, NULL },
    { "shorten", NULL, NULL },
    { "suspects", NULL, NULL },
    { "unguarded", NULL, NULL },
    { "bold", NULL, NULL },
    { "hasty", NULL, NULL },
    { "grow", NULL, NULL },
    { "refusals", NULL, NULL },
    { "foreseen", NULL, NULL },
    { "denials", NULL, NULL },
    { "guards", "--guards", "off" },
    { "results", "--results", "off" },
    { "order", "--order", "as-is" },
    { "values", "--values", "together" },
};
enum { HEURISTIC_COUNT = sizeof HEURISTICS / sizeof *HEURISTICS };

/* ---- One run ---- */

typedef struct run {
    bool     ended;            /* as it should */
    double   calls[BUGS_MOST]; /* until each bug was reported; 0: it was missed */
    double   cpu;
    unsigned found, reports;
} run;

static char output[1 << 23];

static child ask(const subject *of, const heuristic *without, size_t seed, unsigned cases)
{
    char  seed_text[32], cases_text[32];
    char *arguments[] = { (char *)of->program,
                          (char *)of->machine,
                          "--bugs",
                          "many",
                          "--seed",
                          seed_text,
                          "--cases",
                          cases_text,
                          "--jobs",
                          "1",
                          "--format",
                          "json",
                          "--no-store",
                          without == NULL ? NULL : (char *)without->option,
                          without == NULL ? NULL : (char *)without->value,
                          NULL };
    snprintf(seed_text, sizeof seed_text, "%zu", seed);
    snprintf(cases_text, sizeof cases_text, "%u", cases);
    setenv("WARREN_WITHOUT", without == NULL || without->option != NULL ? "" : without->name, 1);
    return run_child(arguments, output, sizeof output, false, NULL, NULL);
}

static void read_failures(const subject *of, const char *failures, run *into)
{
    for (const char *at = NULL; (at = json_next_element(failures, at)) != NULL;) {
        int    bug = of->bug(at);
        double calls = json_number(json_member(at, "calls_before"));
        if (bug < 0 || bug >= of->bugs)
            continue;
        into->found += into->calls[bug] <= 0;
        if (into->calls[bug] <= 0 || calls < into->calls[bug])
            into->calls[bug] = calls;
    }
}

static run read_run(const subject *of, const child *ran)
{
    run one = { .ended = (ran->status == 0 || ran->status == 1) && output[0] == '{',
                .cpu = ran->cpu };
    if (!one.ended)
        return one;
    read_failures(of, json_member(output, "failures"), &one);
    read_failures(of, json_member(output, "subsumed"), &one);
    one.reports = (unsigned)json_list_length(json_member(output, "failures"));
    return one;
}

/* The calls until all bugs were reported that `other` reports, too. */
static double calls_until_all(const run *one, const run *other)
{
    double last = 0;
    for (size_t i = 0; i < BUGS_MOST; i++)
        if (other->calls[i] > 0 && one->calls[i] > last)
            last = one->calls[i];
    return last;
}

/* ---- All runs ---- */

static run   *runs; /* shared: of each heuristic, 0 being none, each subject and each seed */
static size_t seeds;
static bool   quick; /* no run is made longer */

static run *run_at(size_t number, size_t of, size_t seed)
{
    return &runs[(number * SUBJECT_COUNT + of) * seeds + seed];
}

/* A longer run begins as the shorter one did, so more cases change no figure. */
static void run_one(size_t index, const void *context)
{
    size_t           seed = index % seeds, of = index / seeds % SUBJECT_COUNT;
    size_t           number = index / seeds / SUBJECT_COUNT;
    const heuristic *without = number == 0 ? NULL : &HEURISTICS[number - 1];
    (void)context;
    for (unsigned cases = SUBJECTS[of].cases; cases <= SUBJECTS[of].most; cases *= 2) {
        child ran = ask(&SUBJECTS[of], without, seed + 1, cases);
        runs[index] = read_run(&SUBJECTS[of], &ran);
        if (quick || !runs[index].ended || (int)runs[index].found == SUBJECTS[of].bugs)
            break;
    }
    progress("ablation: %s without %s, seed %zu", SUBJECTS[of].name,
             without == NULL ? "nothing" : without->name, seed + 1);
}

/* ---- Ratios ---- */

typedef struct ratio {
    double mean, low, high;
} ratio;

static double log_ratio(size_t number, size_t of, size_t seed)
{
    const run *with = run_at(0, of, seed), *without = run_at(number, of, seed);
    double     before = calls_until_all(with, without), after = calls_until_all(without, with);
    return before > 0 && after > 0 ? log(after / before) : 0;
}

/* The mean over the subjects from..to-1 and all seeds; `random`: seeds that are drawn. */
static double mean_log(size_t number, size_t from, size_t to, uint64_t *random)
{
    double sum = 0;
    for (size_t s = from; s < to; s++)
        for (size_t i = 0; i < seeds; i++)
            sum += log_ratio(
                number, s, random == NULL ? i : wri_prng_scale(wri_prng_next(random), seeds - 1));
    return sum / (double)((to - from) * seeds);
}

static int by_size(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static ratio ratio_of(size_t number, size_t from, size_t to)
{
    static double draws[DRAWS];
    uint64_t      random = 1;
    for (size_t i = 0; i < DRAWS; i++)
        draws[i] = mean_log(number, from, to, &random);
    qsort(draws, DRAWS, sizeof *draws, by_size);
    return (ratio){ exp(mean_log(number, from, to, NULL)), exp(draws[DRAWS / 40]),
                    exp(draws[DRAWS - 1 - DRAWS / 40]) };
}

/* ---- Tables ---- */

static run sum_of(size_t number, size_t from, size_t to)
{
    run sum = { .ended = true };
    for (size_t s = from; s < to; s++)
        for (size_t i = 0; i < seeds; i++) {
            const run *one = run_at(number, s, i);
            sum.ended &= one->ended;
            sum.cpu += one->cpu;
            sum.reports += one->reports;
            sum.found += one->found;
        }
    return sum;
}

/* The ratio over some subjects, and how many bugs more or fewer were found. */
static ratio put_ratio(size_t number, size_t from, size_t to)
{
    char  text[64];
    ratio r = ratio_of(number, from, to);
    int   more = (int)sum_of(number, from, to).found - (int)sum_of(0, from, to).found;
    int   used = snprintf(text, sizeof text, "%.2f [%.2f, %.2f]", r.mean, r.low, r.high);
    if (more != 0)
        snprintf(text + used, sizeof text - (size_t)used, " %+d", more);
    printf(" %-22s", text);
    return r;
}

static void put_heuristic(results *all, size_t number)
{
    const heuristic *one = &HEURISTICS[number - 1];
    run              with = sum_of(0, 0, SUBJECT_COUNT);
    run              without = sum_of(number, 0, SUBJECT_COUNT);
    int              reports = (int)without.reports - (int)with.reports;
    char             measure[96];
    printf("  %-10s", one->name);
    for (size_t s = 0; s < SUBJECT_COUNT; s++)
        put_ratio(number, s, s + 1);
    ratio total = put_ratio(number, 0, SUBJECT_COUNT);
    printf(" %+8d %6.2f\n", reports, without.cpu / with.cpu);
    snprintf(measure, sizeof measure, "calls without %s", one->name);
    row *kept = result(all, measure, total.mean, "times", AT_LEAST, 0);
    snprintf(kept->note, sizeof kept->note, "%.3f to %.3f; %+d bugs, %+d reports", total.low,
             total.high, (int)without.found - (int)with.found, reports);
}

static void put_base(void)
{
    printf("\nWith all heuristics, means of seeds 1..%zu\n  %-10s %6s %9s %8s %9s\n", seeds,
           "subject", "bugs", "found", "reports", "calls");
    for (size_t s = 0; s < SUBJECT_COUNT; s++) {
        double found = 0, reports = 0, calls = 0;
        for (size_t i = 0; i < seeds; i++) {
            found += run_at(0, s, i)->found;
            reports += run_at(0, s, i)->reports;
            calls += calls_until_all(run_at(0, s, i), run_at(0, s, i));
        }
        printf("  %-10s %6d %9.2f %8.2f %9.0f\n", SUBJECTS[s].name, SUBJECTS[s].bugs,
               found / (double)seeds, reports / (double)seeds, calls / (double)seeds);
    }
}

static int tables(void)
{
    static results all = { .name = "ablation" };
    size_t         ended = 0, count = (HEURISTIC_COUNT + 1) * SUBJECT_COUNT * seeds;
    runs = shared_memory(count * sizeof *runs);
    share_out(count, run_one, NULL);
    progress_over();
    for (size_t i = 0; i < count; i++)
        ended += runs[i].ended;
    put_base();
    printf(
        "\nCalls until all bugs are reported, without a heuristic: times those with it, and "
        "[95 %% interval],\nover the bugs that both report; +n, -n: bugs found in addition, or "
        "missed. Reports: how many more.\nCPU: times that with it.\n  %-10s",
        "without");
    for (size_t s = 0; s < SUBJECT_COUNT; s++)
        printf(" %-22s", SUBJECTS[s].name);
    printf(" %-22s %8s %6s\n", "all", "reports", "CPU");
    for (size_t number = 1; number <= HEURISTIC_COUNT; number++)
        put_heuristic(&all, number);
    result(&all, "runs that ended as they should", (double)ended, "runs", EXACTLY, (double)count);
    print_rows(&all, HEURISTIC_COUNT, "Bars");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    seeds = quick ? QUICK_SEEDS : SEEDS;
    for (int i = 1 + quick; i < argc; i++)
        seeds =
            strcmp(argv[i], "--seeds") == 0 && i + 1 < argc ? strtoul(argv[++i], NULL, 10) : 0;
    if (seeds == 0 || seeds > SEEDS_MOST) {
        fprintf(stderr, "usage: ablation [--quick] [--seeds N]\n");
        return 99;
    }
    printf("ablation: what each heuristic is worth; --jobs 1, seeds 1..%zu, the same for all\n",
           seeds);
    return tables();
}
