/* studies/many/many.c: how many of the bugs behind one assertion are found, and told how often.
 *
 * Runs every property of tuned.c with --bugs many, once for each seed, and reads the JSON report.
 * The notes of a reported case say which bugs it shows. A bug is found if a report shows it; a
 * report is one too many if another one shows the same bug.
 *
 *     many [--quick]     the tables; --quick has 2 seeds
 *     many --assert N    exits 1 unless the bars hold in N seeds
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "json.h"
#include "results.h"
#include "seeds.h"

#define SEEDS 5
#define SEEDS_MOST 32
#define CASES "200000"
#define FEW_CASES "10000" /* for the tests */

static const struct subject {
    const char *name;
    unsigned    bugs;
} SUBJECTS[] = {
    { "fee", 3 },       { "saturating", 4 }, { "versions", 4 }, { "pages", 3 },
    { "flags", 4 },     { "states", 6 },     { "sorting", 3 },  { "ring", 4 },
    { "searching", 3 }, { "ledger", 4 },     { "escaping", 3 }, { "reading", 4 },
    { "area", 3 },      { "hashing", 3 },    { "records", 3 },  { "reals", 3 },
    { "crashing", 3 },  { "merging", 4 },    { "dates", 4 },    { "parity", 3 },
};
#define SUBJECT_COUNT (sizeof SUBJECTS / sizeof *SUBJECTS)

typedef struct outcome {
    unsigned shown; /* a bit for each bug */
    unsigned reports;
    double   executions;
} outcome;

static outcome *runs; /* shared: seed i + 1 of subject k at k * SEEDS_MOST + i */
static size_t   seeds;
static char    *cases = CASES;

/* The bugs that the notes of a failure name. */
static unsigned bugs_of(const char *failure)
{
    unsigned    shown = 0;
    const char *notes = json_member(failure, "notes");
    for (const char *at = NULL; notes != NULL && (at = json_next_element(notes, at)) != NULL;) {
        char     text[64];
        unsigned number = 0;
        json_text(at, text, sizeof text);
        if (sscanf(text, "bug %u", &number) == 1 && number < 32)
            shown |= 1U << number;
    }
    return shown;
}

static void run_one_of(size_t index, const void *context)
{
    static char           output[1 << 20];
    const struct subject *one = &SUBJECTS[index / seeds];
    outcome              *to = &runs[index / seeds * SEEDS_MOST + index % seeds];
    char                  seed[32];
    char *arguments[] = { SUBJECT,      (char *)one->name, "--seed", seed,     "--bugs",
                          "many",       "--cases",         cases,    "--jobs", "1",
                          "--no-store", "--format",        "json",   NULL };
    (void)context;
    snprintf(seed, sizeof seed, "%zu", index % seeds + 1);
    run_child(arguments, output, sizeof output, true, NULL, NULL);
    const char *failures = json_member(output, "failures");
    to->executions = json_number(json_member(output, "executions"));
    for (const char *at = NULL; failures != NULL && (at = json_next_element(failures, at));) {
        to->shown |= bugs_of(at);
        to->reports++;
    }
}

typedef struct total {
    unsigned bugs, found, reports, complete;
} total;

static total count(void)
{
    total all = { 0 };
    printf("  %-12s %5s %18s %18s %12s\n", "property", "bugs", "found, each seed",
           "reports, each seed", "executions");
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        char     found[64] = "", reports[64] = "";
        double   executions = 0;
        unsigned whole = 0;
        for (size_t k = 0; k < seeds; k++) {
            const outcome *at = &runs[i * SEEDS_MOST + k];
            unsigned       shown = (unsigned)__builtin_popcount(at->shown);
            all.bugs += SUBJECTS[i].bugs;
            all.found += shown;
            all.reports += at->reports;
            whole += shown == SUBJECTS[i].bugs;
            executions += at->executions / (double)seeds;
            if (k < 9) {
                snprintf(found + strlen(found), 4, " %u", shown);
                snprintf(reports + strlen(reports), 4, " %u", at->reports);
            }
        }
        all.complete += whole == seeds;
        printf("  %-12s %5u %18s %18s %12.0f\n", SUBJECTS[i].name, SUBJECTS[i].bugs, found,
               reports, executions);
    }
    return all;
}

static void note(results *to, const total *all)
{
    row *one =
        result(to, "tuned: bugs found", 100.0 * all->found / all->bugs, "%", AT_LEAST, 100);
    snprintf(one->note, sizeof one->note,
             "%u of %u, %zu seeds; all bugs in every seed: %u of %zu", all->found, all->bugs,
             seeds, all->complete, SUBJECT_COUNT);
    result(to, "tuned: reports a bug found", (double)all->reports / all->found, "reports",
           AT_MOST, 1.2);
}

static int tables(bool quick)
{
    results all = { .name = "many" };
    seeds = quick ? 2 : SEEDS;
    share_out(SUBJECT_COUNT * seeds, run_one_of, NULL);
    printf("many: %zu properties with several bugs behind one assertion, seeds 1..%zu\n"
           "(--bugs many --cases %s --jobs 1)\n",
           SUBJECT_COUNT, seeds, CASES);
    total tallied = count();
    note(&all, &tallied);
    print_rows(&all, 0, "Bars");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}

static int assert_seeds(size_t wanted)
{
    seeds = wanted;
    cases = FEW_CASES;
    share_out(SUBJECT_COUNT * seeds, run_one_of, NULL);
    total all = count();
    return all.found * 100 >= all.bugs * 90 && all.reports * 10 <= all.found * 12 ? 0 : 1;
}

int main(int argc, char **argv)
{
    runs = shared_memory(SUBJECT_COUNT * SEEDS_MOST * sizeof *runs);
    return main_over_seeds(argc, argv, "many", SEEDS_MOST, tables, assert_seeds);
}
