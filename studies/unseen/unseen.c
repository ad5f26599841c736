/* studies/unseen/unseen.c: the hunt for all bugs of machines that nobody tuned it to.
 *
 * Each subject is a machine with faults that can be switched on one by one. Nine of the subjects
 * were open while the hunt was written or changed (tuned). The others were written by people who
 * knew the public header and the documentation only, and are first run when the hunt is done
 * (sealed). The halves stand side by side.
 *
 * Which fault a report shows is found out by running its calls again with each fault alone. The
 * plain way, to compare with, is to find one bug, mend it, and run again.
 *
 *     unseen [--quick] [--seeds N] [--half tuned|sealed] [SUBJECT...]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"
#include "seeds.h"
#include "subjects.h"

#define SEEDS 10
#define SEEDS_MOST 31
#define SUBJECTS_MOST 40

static const manner ALL_ON = { "many", "random", 10000 };
static const manner ALONE = { "many", "random", 2000 };
static const manner ONE = { "one", "random", 10000 };
static const manner GUIDED = { "one", "guide", 10000 };
static const manner CORRECT = { "many", "random", 20000 };

/* ---- All runs ---- */

typedef struct plain_way {
    faults found;
    double calls;
} plain_way;

typedef struct measured {
    run       all[SEEDS_MOST];
    run       alone[FAULTS_MOST][SEEDS_MOST];
    run       one[FAULTS_MOST][SEEDS_MOST], guided[FAULTS_MOST][SEEDS_MOST];
    run       correct;
    plain_way plain[SEEDS_MOST];
} measured;

typedef enum { DO_ALL, DO_ALONE, DO_ONE, DO_GUIDED, DO_PLAIN, DO_CORRECT } work;

typedef struct task {
    work   what;
    size_t subject, fault, seed;
} task;

static measured *figures; /* shared: one for each subject */
static size_t    seeds = SEEDS;
static bool      chosen[SUBJECTS_MOST];

/* Find one bug, mend it, run again. */
static plain_way mend_one_by_one(const subject *of, size_t seed)
{
    static run now;
    plain_way  way = { 0 };
    faults     on = all_faults(of);
    while (on != 0) {
        run_subject(of, on, &ONE, seed, &now);
        way.calls += now.calls;
        faults shows = now.count == 0 ? 0 : now.reports[0].shows;
        if (shows == 0)
            break;
        shows &= ~shows + 1;
        way.found |= shows;
        on &= ~shows;
    }
    return way;
}

static void do_task(size_t index, const void *context)
{
    const task    *now = (const task *)context + index;
    const subject *of = &SUBJECTS[now->subject];
    measured      *into = &figures[now->subject];
    size_t         f = now->fault, s = now->seed;
    faults         alone = (faults)1 << f;
    switch (now->what) {
    case DO_ALL: run_subject(of, all_faults(of), &ALL_ON, s + 1, &into->all[s]); break;
    case DO_ALONE: run_subject(of, alone, &ALONE, s + 1, &into->alone[f][s]); break;
    case DO_ONE: run_subject(of, alone, &ONE, s + 1, &into->one[f][s]); break;
    case DO_GUIDED: run_subject(of, alone, &GUIDED, s + 1, &into->guided[f][s]); break;
    case DO_PLAIN: into->plain[s] = mend_one_by_one(of, s + 1); break;
    case DO_CORRECT: run_subject(of, 0, &CORRECT, 1, &into->correct); break;
    }
    progress("unseen: %s, task %zu", of->name, index);
}

static void run_all(void)
{
    static task tasks[SUBJECTS_MOST * (2 * SEEDS_MOST + 3 * FAULTS_MOST * SEEDS_MOST + 1)];
    size_t      count = 0;
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        if (!chosen[i])
            continue;
        tasks[count++] = (task){ DO_CORRECT, i, 0, 0 };
        for (size_t s = 0; s < seeds; s++) {
            tasks[count++] = (task){ DO_ALL, i, 0, s };
            tasks[count++] = (task){ DO_PLAIN, i, 0, s };
            for (size_t f = 0; f < SUBJECTS[i].fault_count; f++)
                for (work what = DO_ALONE; what <= DO_GUIDED; what++)
                    tasks[count++] = (task){ what, i, f, s };
        }
    }
    share_out(count, do_task, tasks);
    progress_over();
}

/* ---- What they add up to ---- */

static unsigned count_of(faults set)
{
    return (unsigned)__builtin_popcount(set);
}

/* The calls up to the report of the last fault. All calls count if one was missed. */
static double calls_to_last(const subject *of, const run *one)
{
    double last = 0;
    if (found_in(one) != all_faults(of))
        return one->calls;
    for (unsigned f = 0; f < of->fault_count; f++) {
        double first = INFINITY;
        for (unsigned i = 0; i < one->count; i++)
            if ((one->reports[i].shows >> f & 1) != 0 && one->reports[i].calls < first)
                first = one->reports[i].calls;
        last = fmax(last, first);
    }
    return last;
}

/* The reports of one fault, and how many places and last commands they have. */
static unsigned places_of(const run *one)
{
    unsigned count = 0;
    for (unsigned i = 0; i < one->count; i++) {
        bool again = false;
        for (unsigned k = 0; k < i && !again; k++)
            again = one->reports[k].where == one->reports[i].where;
        count += !again;
    }
    return count;
}

/* The fewest calls with which a run showed this fault there. */
static void fewest_in(const run *one, faults shows, uint64_t where, unsigned *fewest)
{
    for (unsigned i = 0; i < one->count; i++)
        if (one->reports[i].shows == shows && one->reports[i].where == where &&
            one->reports[i].length < *fewest)
            *fewest = one->reports[i].length;
}

static unsigned fewest_calls(const measured *of, unsigned fault_count, const report *like)
{
    unsigned fewest = like->length;
    for (size_t s = 0; s < seeds; s++) {
        fewest_in(&of->all[s], like->shows, like->where, &fewest);
        for (unsigned f = 0; f < fault_count; f++) {
            fewest_in(&of->alone[f][s], like->shows, like->where, &fewest);
            fewest_in(&of->one[f][s], like->shows, like->where, &fewest);
            fewest_in(&of->guided[f][s], like->shows, like->where, &fewest);
        }
    }
    return fewest;
}

typedef struct share {
    double part, whole;
} share;

static double percent(share of)
{
    return of.whole > 0 ? 100 * of.part / of.whole : 0;
}

static void add_minimal(size_t at, const run *one, share *to)
{
    for (unsigned i = 0; i < one->count; i++) {
        const report *shown = &one->reports[i];
        if (count_of(shown->shows) != 1)
            continue;
        to->whole++;
        to->part += shown->length == fewest_calls(&figures[at], SUBJECTS[at].fault_count, shown);
    }
}

static int by_size(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static double median(double *list, size_t count)
{
    qsort(list, count, sizeof *list, by_size);
    return count == 0 ? 0 : (list[(count - 1) / 2] + list[count / 2]) / 2;
}

/* ---- Tables ---- */

typedef struct summary {
    size_t subjects, complete; /* those on which each seed finds every fault */
    double slowest;            /* CPU seconds of a run */
    double ratios[SUBJECTS_MOST];
    share  found, plain, reports, places, single, minimal_one, minimal_many, random, guided;
    size_t alarms, failed; /* reports without a fault; runs that did not end as they should */
} summary;

static void add_alone(size_t at, summary *sum)
{
    for (size_t s = 0; s < seeds; s++)
        for (unsigned f = 0; f < SUBJECTS[at].fault_count; f++) {
            const run *alone = &figures[at].alone[f][s];
            sum->failed += (size_t)(!alone->ended + !figures[at].one[f][s].ended +
                                    !figures[at].guided[f][s].ended);
            if (alone->count > 0) {
                sum->reports.part += alone->count;
                sum->reports.whole++;
                sum->single.part += alone->count == 1;
                sum->places.part += (double)alone->count / places_of(alone);
            }
            sum->random.part += figures[at].one[f][s].count > 0;
            sum->guided.part += figures[at].guided[f][s].count > 0;
            add_minimal(at, &figures[at].one[f][s], &sum->minimal_one);
            add_minimal(at, alone, &sum->minimal_many);
        }
}

static void put_subject(size_t at, summary *sum)
{
    const subject  *of = &SUBJECTS[at];
    const measured *had = &figures[at];
    double          ratios[SEEDS_MOST], found = 0, reports = 0, calls = 0, cpu = 0;
    double          plain = 0, plain_calls = 0;
    size_t          complete = 0;
    for (size_t s = 0; s < seeds; s++) {
        const run *one = &had->all[s];
        unsigned   count = count_of(found_in(one));
        double     last = calls_to_last(of, one);
        found += count;
        complete += count == of->fault_count;
        reports += one->count;
        calls += last;
        cpu += one->cpu;
        plain += count_of(had->plain[s].found);
        plain_calls += had->plain[s].calls;
        ratios[s] = had->plain[s].calls > 0 ? last / had->plain[s].calls : 0;
        sum->slowest = fmax(sum->slowest, one->cpu);
        sum->failed += !one->ended;
        add_minimal(at, one, &sum->minimal_many);
    }
    double n = (double)seeds, ratio = median(ratios, seeds);
    sum->ratios[sum->subjects++] = ratio;
    sum->complete += complete == seeds;
    sum->found.part += found;
    sum->found.whole += n * of->fault_count;
    sum->plain.part += plain;
    sum->alarms += had->correct.count;
    sum->failed += !had->correct.ended || had->correct.calls < 1e6;
    add_alone(at, sum);
    printf("  %-16s %6u %6.1f %5zu/%-3zu %7.1f %7.1f %9.0f %6.1f %6.1f %9.0f %6.2f\n", of->name,
           of->fault_count, found / n, complete, seeds, reports / n,
           found > 0 ? reports / found : 0, calls / n, cpu / n, plain / n, plain_calls / n,
           ratio);
}

static void put_bars(results *all, const char *half, summary *sum)
{
    char   title[120];
    size_t from = all->count;
    double runs = sum->reports.whole;
    snprintf(title, sizeof title, "Bars, %s half (%zu subjects, %.0f faults)", half,
             sum->subjects, sum->found.whole / (double)seeds);
#define ROW(text, figure, unit, wanted, bar)                                                     \
    snprintf(measure, sizeof measure, "%s: " text, half);                                        \
    result(all, measure, figure, unit, wanted, bar)
    char measure[96];
    ROW("subjects with every fault found in every seed", (double)sum->complete, "subjects",
        EXACTLY, (double)sum->subjects);
    ROW("faults found", percent(sum->found), "%", AT_LEAST, 100);
    ROW("reports for a fault that is alone", sum->reports.part / runs, "reports", AT_MOST, 1.2);
    ROW("runs with exactly one", 100 * sum->single.part / runs, "%", AT_LEAST, 0);
    ROW("reports for one place and last command", sum->places.part / runs, "reports", AT_MOST, 1);
    ROW("calls to the last fault, to the plain way's, median subject",
        median(sum->ratios, sum->subjects), "times", AT_MOST, 1);
    ROW("minimal sequences, --bugs one", percent(sum->minimal_one), "%", AT_LEAST, 98);
    ROW("minimal sequences, --bugs many", percent(sum->minimal_many), "%", AT_LEAST, 95);
    ROW("faults found alone by guide", sum->guided.part, "runs", AT_LEAST, sum->random.part);
    ROW("CPU time of a run, the longest", sum->slowest, "s", AT_MOST, 10);
    ROW("false reports in 10^6 calls of each correct version", (double)sum->alarms, "reports",
        EXACTLY, 0);
    ROW("runs that did not end as they should", (double)sum->failed, "runs", EXACTLY, 0);
#undef ROW
    print_rows(all, from, title);
}

static void put_half(results *all, const char *half)
{
    static summary sum;
    bool           any = false;
    sum = (summary){ 0 };
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        if (!chosen[i] || strcmp(SUBJECTS[i].half, half) != 0)
            continue;
        if (!any)
            printf(
                "\nAll faults on, --bugs many, --cases %u, means of seeds 1..%zu: the %s half\n"
                "  %-16s %6s %6s %9s %7s %7s %9s %6s %6s %9s %6s\n",
                ALL_ON.cases, seeds, half, "subject", "faults", "found", "all found", "reports",
                "a fault", "calls", "CPU s", "plain", "calls", "ratio");
        any = true;
        put_subject(i, &sum);
    }
    if (any)
        put_bars(all, half, &sum);
}

/* ---- Arguments ---- */

static bool choose(const char *name, bool half)
{
    bool any = false;
    for (size_t i = 0; i < SUBJECT_COUNT; i++)
        if (strcmp(half ? SUBJECTS[i].half : SUBJECTS[i].name, name) == 0)
            chosen[i] = any = true;
    return any;
}

static bool read_arguments(int argc, char **argv)
{
    bool fine = SUBJECT_COUNT <= SUBJECTS_MOST, some = false;
    for (int i = 1; i < argc && fine; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--quick") == 0) {
            seeds = 2;
        } else if (strcmp(argv[i], "--seeds") == 0 && more) {
            seeds = strtoul(argv[++i], NULL, 10);
        } else {
            bool half = strcmp(argv[i], "--half") == 0 && more;
            fine = some = choose(argv[half ? ++i : i], half);
        }
    }
    for (size_t i = 0; i < SUBJECT_COUNT && !some; i++)
        chosen[i] = true;
    return fine && seeds > 0 && seeds <= SEEDS_MOST;
}

int main(int argc, char **argv)
{
    static results all = { .name = "unseen" };
    read_subjects();
    if (!read_arguments(argc, argv)) {
        fprintf(stderr,
                "usage: unseen [--quick] [--seeds N] [--half tuned|sealed] [SUBJECT...]\n");
        return 99;
    }
    figures = shared_memory(SUBJECT_COUNT * sizeof *figures);
    run_all();
    put_half(&all, "tuned");
    put_half(&all, "sealed");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
