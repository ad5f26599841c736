/* studies/shrinking/shrinking.c: is the smallest case the same one for every seed?
 *
 * Runs every property of subjects.h once for each seed, as a user would, and reads the JSON
 * report: the smallest case, and the executions after the first failure.
 *
 *     shrinking [--quick]     the tables; --quick has 3 seeds
 *     shrinking --assert N    exits 1 unless the bars hold for the tuned half in N seeds
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"
#include "seeds.h"
#include "shrunk.h"
#include "subjects.h"

#define SEEDS 9
#define SEEDS_MOST 64
#define CASES "1000000"

/* What all seeds of a subject came to. */
typedef struct tally {
    size_t   found, minimal, answers, unfinished;
    double   median;
    uint32_t most;
} tally;

/* What a half came to. */
typedef struct half {
    size_t   subjects, same, minimal;
    double   medians[SUBJECT_COUNT];
    uint32_t most;
} half;

static shrunk *runs; /* shared: seed i + 1 of subject k at k * SEEDS_MOST + i */
static size_t  seeds;

static void run_one_of(size_t index, const void *context)
{
    const subject *one = &SUBJECTS[index / seeds];
    size_t         seed = index % seeds;
    (void)context;
    runs[index / seeds * SEEDS_MOST + seed] = shrunk_run(SUBJECT, one->name, seed + 1, CASES);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
    return count == 0 ? 0 : (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static tally count_runs(size_t which)
{
    const shrunk *of = &runs[which * SEEDS_MOST];
    double        after[SEEDS_MOST];
    tally         all = { 0 };
    for (size_t i = 0; i < seeds; i++) {
        size_t same = 0;
        if (!of[i].failed)
            continue;
        while (same < i && (!of[same].failed || strcmp(of[same].answer, of[i].answer) != 0))
            same++;
        all.answers += same == i;
        all.minimal += strcmp(of[i].answer, SUBJECTS[which].minimum) == 0;
        all.unfinished += !of[i].sure;
        all.most = of[i].after > all.most ? of[i].after : all.most;
        after[all.found++] = of[i].after;
    }
    all.median = median_of(after, all.found);
    return all;
}

static void print_tally(size_t which, const tally *all)
{
    const subject *one = &SUBJECTS[which];
    printf("  %-8s %-18s %3zu/%-3zu %7zu %8.0f %6u%s\n", one->kind, one->name, all->minimal,
           all->found, all->answers, all->median, all->most,
           all->unfinished > 0 ? "  UNFINISHED" : "");
    for (size_t i = 0; i < seeds; i++) {
        const shrunk *at = &runs[which * SEEDS_MOST + i];
        if (!at->failed || strcmp(at->answer, one->minimum) == 0)
            continue;
        printf("      wanted %s\n      got    %s\n", one->minimum, at->answer);
        return;
    }
}

static half count_half(const char *name)
{
    half all = { 0 };
    printf("\n%s\n  %-8s %-18s %7s %7s %8s %6s\n", name, "kind", "subject", "minimal", "answers",
           "median", "most");
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        if (strcmp(SUBJECTS[i].half, name) != 0)
            continue;
        tally one = count_runs(i);
        print_tally(i, &one);
        all.medians[all.subjects++] = one.median;
        all.same += one.answers == 1 && one.found == seeds;
        all.minimal += one.minimal == seeds;
        all.most = one.most > all.most ? one.most : all.most;
    }
    return all;
}

static void note_half(results *to, const char *name, half *all)
{
    char measure[96];
    if (all->subjects == 0)
        return;
    snprintf(measure, sizeof measure, "%s: subjects with one smallest case for every seed", name);
    row *one =
        result(to, measure, 100.0 * (double)all->same / (double)all->subjects, "%", AT_LEAST, 90);
    snprintf(one->note, sizeof one->note, "%zu of %zu, %zu seeds; it is the known minimum in %zu",
             all->same, all->subjects, seeds, all->minimal);
    snprintf(measure, sizeof measure, "%s: executions to shrink, median of medians", name);
    result(to, measure, median_of(all->medians, all->subjects), "executions", AT_MOST, 150);
    snprintf(measure, sizeof measure, "%s: executions to shrink, most", name);
    result(to, measure, all->most, "executions", AT_MOST, 5000);
}

static int tables(bool quick)
{
    static const char *const HALVES[] = { "tuned", "held out" };
    results                  all = { .name = "shrinking" };
    seeds = quick ? 3 : SEEDS;
    share_out(SUBJECT_COUNT * seeds, run_one_of, NULL);
    printf(
        "shrinking: %zu properties, seeds 1..%zu, each a run of its own (--cases %s --jobs 1).\n"
        "Executions are those after the first failure.\n",
        SUBJECT_COUNT, seeds, CASES);
    for (size_t i = 0; i < 2; i++) {
        half one = count_half(HALVES[i]);
        note_half(&all, HALVES[i], &one);
    }
    print_rows(&all, 0, "Bars");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}

static int assert_seeds(size_t wanted)
{
    seeds = wanted;
    share_out(SUBJECT_COUNT * seeds, run_one_of, NULL);
    half one = count_half("tuned");
    return one.same * 10 >= one.subjects * 9 && one.most <= 5000 ? 0 : 1;
}

int main(int argc, char **argv)
{
    runs = shared_memory(SUBJECT_COUNT * SEEDS_MOST * sizeof *runs);
    return main_over_seeds(argc, argv, "shrinking", SEEDS_MOST, tables, assert_seeds);
}
