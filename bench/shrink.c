/* bench/shrink.c: how small failures become, and after how many executions.
 *
 * Runs every property of challenges.c once for each seed, as a user would, and reads the JSON
 * report: the answer, which must be the known minimum in every seed, and the executions after
 * the first failure, which have a bar. Then the same from large first failures only, and the
 * further challenges.
 *
 *     shrink [--quick]     the tables
 *     shrink --assert N    exits 1 unless those that have a bar are minimal in N seeds and
 *                          within 1.5 times their bars
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "challenges.h"
#include "results.h"
#include "seeds.h"
#include "shrunk.h"

#define LARGE 50 /* choices of a large first failure */
#define BATCH 128
#define SEEDS_MOST 4096

/* What all seeds of a challenge came to. */
typedef struct tally {
    size_t        seeds, tried, minimal, distinct, lost;
    double        mean;
    uint32_t      most;
    const shrunk *other; /* an answer that is not the minimum */
} tally;

static shrunk *runs; /* shared; those of the challenge that is looked at */

/* ---- Many seeds ---- */

typedef struct stretch {
    const challenge *one;
    size_t           from; /* in runs: the first seed is from + 1 */
} stretch;

static void run_one_of(size_t index, const void *context)
{
    const stretch *of = context;
    size_t         at = of->from + index;
    runs[at] = shrunk_run(SUBJECT, of->one->name, at + 1, "100000");
}

/* So many runs from runs[from] on; runs[i] is that of seed i + 1. */
static void run_seeds(const challenge *one, size_t from, size_t count)
{
    share_out(count, run_one_of, &(stretch){ one, from });
}

static bool is_minimal(const challenge *one, const shrunk *result)
{
    return result->failed && strcmp(result->answer, one->minimum) == 0;
}

/* Of the runs whose first failure had at least so many choices; the first `wanted` of them. */
static tally count_runs(const challenge *one, size_t count, uint32_t choices, size_t wanted)
{
    tally         all = { .tried = count };
    const shrunk *kept[SEEDS_MOST];
    double        sum = 0;
    for (size_t i = 0; i < count && all.seeds < wanted; i++) {
        const shrunk *at = &runs[i];
        size_t        same = 0;
        if (at->failed && at->choices_before < choices)
            continue;
        all.lost += !at->failed || !at->sure;
        all.minimal += is_minimal(one, at);
        all.other = at->failed && !is_minimal(one, at) ? at : all.other;
        all.most = at->after > all.most ? at->after : all.most;
        sum += at->after;
        while (same < all.distinct && strcmp(kept[same]->answer, at->answer) != 0)
            same++;
        if (same == all.distinct)
            kept[all.distinct++] = at;
        all.seeds++;
    }
    all.mean = all.seeds > 0 ? sum / (double)all.seeds : 0;
    return all;
}

static bool all_minimal(const tally *all)
{
    return all->seeds > 0 && all->minimal == all->seeds && all->distinct == 1 && all->lost == 0;
}

static void print_head(const char *title)
{
    progress_over();
    printf("\n%s\n  %-20s %9s %8s %8s %6s %8s\n", title, "challenge", "minimal", "answers",
           "mean", "most", "bar");
}

static void print_tally(const challenge *one, const tally *all, double bar)
{
    progress_over();
    char wanted[32] = "";
    if (bar > 0)
        snprintf(wanted, sizeof wanted, "<= %.0f", bar);
    printf("  %-20s %4zu/%-4zu %8zu %8.1f %6u %8s%s%s\n", one->name, all->minimal, all->seeds,
           all->distinct, all->mean, all->most, wanted,
           bar > 0 && all->mean > bar ? "  MISSED" : "", all_minimal(all) ? "" : "  NOT MINIMAL");
    if (all->lost > 0)
        printf("      %zu found no failure, were flaky or not finished\n", all->lost);
    if (all->other != NULL)
        printf("      wanted %s\n      got    %s\n", one->minimum, all->other->answer);
    fflush(stdout);
}

/* ---- The tables ---- */

/* The first `seeds` seeds of the fifteen, or of the others; returns how many were minimal. */
static size_t first_table(results *all, size_t seeds, bool others)
{
    size_t minimal = 0;
    for (size_t i = 0; i < CHALLENGE_COUNT; i++) {
        const challenge *one = &CHALLENGES[i];
        char             measure[96];
        if ((i >= FIFTEEN) != others)
            continue;
        progress("shrink: %s", one->name);
        run_seeds(one, 0, seeds);
        tally tallied = count_runs(one, seeds, 0, seeds);
        minimal += all_minimal(&tallied);
        print_tally(one, &tallied, one->bar);
        if (one->bar <= 0)
            continue;
        snprintf(measure, sizeof measure, "%s: mean executions after the first failure",
                 one->name);
        result(all, measure, tallied.mean, "executions", AT_MOST, one->bar);
    }
    return minimal;
}

static void large_table(results *all, size_t wanted, size_t most)
{
    for (size_t i = 0; i < CHALLENGE_COUNT; i++) {
        const challenge *one = &CHALLENGES[i];
        tally            tallied = { 0 };
        char             measure[96];
        for (size_t tried = 0; one->large && tried < most && tallied.seeds < wanted;) {
            progress("shrink: %s, large: %zu of %zu seeds", one->name, tallied.seeds, tried);
            run_seeds(one, tried, BATCH);
            tried += BATCH;
            tallied = count_runs(one, tried, LARGE, wanted);
        }
        if (tallied.seeds == 0) {
            if (one->large)
                printf("  %-20s none in %zu seeds\n", one->name, tallied.tried);
            continue;
        }
        print_tally(one, &tallied, 2 * one->bar);
        snprintf(measure, sizeof measure, "%s, from large first failures: mean executions",
                 one->name);
        row *added = result(all, measure, tallied.mean, "executions", AT_MOST, 2 * one->bar);
        snprintf(added->note, sizeof added->note,
                 "%zu first failures of %d choices or more in %zu seeds, %zu minimal",
                 tallied.seeds, LARGE, tallied.tried, tallied.minimal);
    }
}

static int tables(bool quick)
{
    results all = { .name = "shrink" };
    size_t  seeds = quick ? 10 : 100;
    char    title[160];
    printf("shrink: fifteen challenges and %zu others, seeds 1..%zu, each a run of its own\n"
           "(--cases 100000 --jobs 1). Executions are those after the first failure.\n",
           CHALLENGE_COUNT - FIFTEEN, seeds);
    print_head("The fifteen");
    size_t minimal = first_table(&all, seeds, false);
    row   *one = result(&all, "challenges that end in the one minimal answer in all seeds",
                        (double)minimal, "challenges", EXACTLY, FIFTEEN);
    snprintf(one->note, sizeof one->note, "%zu seeds each", seeds);
    printf("  minimal in all seeds: %zu of %d\n", minimal, FIFTEEN);
    snprintf(title, sizeof title, "From large first failures (%d choices or more; %zu of them)",
             LARGE, seeds);
    print_head(title);
    large_table(&all, seeds, quick ? 2 * BATCH : 16 * BATCH);
    print_head("Others of the same kinds");
    minimal = first_table(&all, seeds, true);
    printf("  minimal in all seeds: %zu of %zu\n", minimal, CHALLENGE_COUNT - FIFTEEN);
    result(&all, "other challenges that end in the one minimal answer in all seeds",
           (double)minimal, "challenges", EXACTLY, (double)(CHALLENGE_COUNT - FIFTEEN));
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}

/* For the tests: few seeds, a wider bar, and only what is wrong is said. */
static int assert_seeds(size_t seeds)
{
    int wrong = 0;
    for (size_t i = 0; i < CHALLENGE_COUNT; i++) {
        const challenge *one = &CHALLENGES[i];
        if (one->bar == 0)
            continue;
        run_seeds(one, 0, seeds);
        tally tallied = count_runs(one, seeds, 0, seeds);
        if (all_minimal(&tallied) && tallied.mean <= 1.5 * one->bar)
            continue;
        print_tally(one, &tallied, 1.5 * one->bar);
        wrong = 1;
    }
    if (!wrong)
        printf("the challenges that have bars are minimal in seeds 1..%zu\n", seeds);
    return wrong;
}

int main(int argc, char **argv)
{
    runs = shared_memory(SEEDS_MOST * sizeof *runs);
    return main_over_seeds(argc, argv, "shrink", SEEDS_MOST, tables, assert_seeds);
}
