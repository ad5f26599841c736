/* studies/radix/radix.c: how many runs find faults of functions over trees with a precondition:
 * by enumeration, at random, by restarted random search, and by functional radix coverage.
 *
 * Half of the subjects were open while the explorers were written (tuned). Other people wrote the
 * others (sealed), which are first run with --first-sealed. That keeps their first figures in a
 * file for good. A subject that can notes all its faults in one search.
 *
 *     radix [--quick] [--deep] [--seeds N] [--explorers NAME,NAME...] [SUBJECT...]
 *     radix --sweep            strength, fineness, budget and size of radix, one at a time
 *     radix --first-sealed     runs the sealed half once, and writes first_sealed.txt
 *     radix --check            exits 1 unless the examples show the deep faults
 *
 * --deep adds searches of 400 million runs on System F.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quantile.h"
#include "results.h"
#include "search.h"
#include "seeds.h"
#include "systemf/language.h"

#define SEEDS 9
#define SEEDS_MOST 31
#define FIRST LISTS "/first_sealed.txt"
#define FIXED_BOUND 13
#define FIXED_RUNS 20e6
#define LONG_BOUND 24
#define LONG_RUNS 400e6

static size_t  seeds = SEEDS;
static double  effort = 1; /* --quick: a tenth of the runs */
static bool    deep;
static search *searches; /* shared: of each stretch, subject, explorer and seed */

/* A stretch is a table: all subjects at their own bounds; System F at the published bound; and
 * for long. */
typedef enum { OWN, FIXED, LONG, STRETCH_COUNT } stretch;

static search *search_of(stretch what, size_t at, size_t by, size_t seed)
{
    return &searches[(((size_t)what * SUBJECT_COUNT + at) * EXPLORER_COUNT + by) * SEEDS_MOST +
                     seed];
}

static size_t seeds_of(size_t by)
{
    return EXPLORERS[by].fixed ? 1 : seeds;
}

static bool known(size_t by)
{
    return EXPLORERS[by].wanted && !EXPLORERS[by].refused;
}

static double runs_of(stretch what, const subject *of)
{
    return effort * (what == OWN ? of->runs : what == FIXED ? FIXED_RUNS : LONG_RUNS);
}

/* 0: the subject's own. */
static unsigned bound_of(stretch what)
{
    return what == FIXED ? FIXED_BOUND : what == LONG ? LONG_BOUND : 0;
}

/* ---- All searches ---- */

typedef struct task {
    stretch what;
    size_t  at, by, seed;
} task;

static void do_task(size_t index, const void *context)
{
    const task    *now = (const task *)context + index;
    const subject *of = &SUBJECTS[now->at];
    bool           open = now->by == DEEPENING && now->what == LONG;
    search_all(of, &EXPLORERS[now->by], open ? 0 : bound_of(now->what), runs_of(now->what, of),
               now->seed + 1, search_of(now->what, now->at, now->by, now->seed));
    progress("radix: %s by %s, seed %zu", of->name, EXPLORERS[now->by].name, now->seed + 1);
}

static bool is_system_f(size_t at)
{
    return strcmp(SUBJECTS[at].name, "systemf") == 0 && strcmp(SUBJECTS[at].half, "tuned") == 0;
}

static bool takes_part(stretch what, size_t at, size_t by)
{
    if (!SUBJECTS[at].chosen || !known(by))
        return false;
    if (what == OWN)
        return true;
    if (!is_system_f(at))
        return false;
    return what == FIXED ? by != RANDOM && by != SKEWED && by != DEEPENING && by != ROOMY
                         : deep && (by == DEEPENING || by == RESTART || by == BARE ||
                                    by == ROOMY || by == AUTO);
}

static void search_everything(void)
{
    size_t count = 0;
    task  *tasks =
        calloc(STRETCH_COUNT * SUBJECT_COUNT * EXPLORER_COUNT * SEEDS_MOST, sizeof *tasks);
    if (tasks == NULL)
        exit(99);
    for (stretch what = OWN; what < STRETCH_COUNT; what++)
        for (size_t at = 0; at < SUBJECT_COUNT; at++)
            for (size_t s = 0; s < seeds; s++)
                for (size_t by = 0; by < EXPLORER_COUNT; by++)
                    if (s < seeds_of(by) && takes_part(what, at, by))
                        tasks[count++] = (task){ what, at, by, s };
    share_out(count, do_task, tasks);
    progress_over();
    free(tasks);
}

/* ---- What they add up to ---- */

static double found_in(stretch what, size_t at, size_t by, size_t seed, bool only_deep)
{
    double count = 0;
    for (size_t f = 0; f < SUBJECTS[at].fault_count; f++)
        count += (!only_deep || is_deep(&SUBJECTS[at], f)) &&
                 search_of(what, at, by, seed)->first[f] >= 0;
    return count;
}

typedef struct share {
    double median, mean, least, most;
} share;

static share found_by(stretch what, size_t at, size_t by, bool only_deep)
{
    double list[SEEDS_MOST];
    size_t count = seeds_of(by);
    share  all = { 0 };
    for (size_t s = 0; s < count; s++) {
        list[s] = found_in(what, at, by, s, only_deep);
        all.mean += list[s] / (double)count;
    }
    all.median = median_of(list, count);
    all.least = list[0];
    all.most = list[count - 1];
    return all;
}

/* The runs to a fault: the median over the seeds, of which those that missed count as endless. */
static double runs_to(stretch what, size_t at, size_t by, size_t fault_at)
{
    double list[SEEDS_MOST];
    for (size_t s = 0; s < seeds_of(by); s++) {
        double first = search_of(what, at, by, s)->first[fault_at];
        list[s] = first >= 0 ? first : INFINITY;
    }
    return median_of(list, seeds_of(by));
}

static double runs_a_second(stretch what, size_t at, size_t by)
{
    double runs = 0, cpu = 0;
    for (size_t s = 0; s < seeds_of(by); s++) {
        runs += search_of(what, at, by, s)->runs;
        cpu += search_of(what, at, by, s)->cpu;
    }
    return cpu > 0 ? runs / cpu : 0;
}

/* ---- Tables ---- */

static void print_explorers(stretch what, size_t at)
{
    printf("  %4s %4s", "", "size");
    for (size_t by = 0; by < EXPLORER_COUNT; by++)
        if ((by != AUTO || EXPLORERS[by].wanted) && (what == OWN || takes_part(what, at, by)))
            printf(" %10s", EXPLORERS[by].name);
    printf("\n");
}

static void print_count(double count)
{
    if (count < 1e5)
        printf(" %10.0f", count);
    else if (count < INFINITY)
        printf(" %9.3gM", count / 1e6);
    else
        printf(" %10s", "none");
}

static void print_fault(stretch what, size_t at, size_t f)
{
    const fault *one = &SUBJECTS[at].faults[f];
    printf("  %4zu %4d", f + 1, one->size);
    for (size_t by = 0; by < EXPLORER_COUNT; by++) {
        if (takes_part(what, at, by))
            print_count(runs_to(what, at, by, f));
        else if (by != AUTO && what == OWN)
            printf(" %10s", "-");
    }
    printf("  %s\n", one->words);
}

static void print_found(stretch what, size_t at, bool only_deep)
{
    printf("  %-9s", only_deep ? "deep" : "found");
    for (size_t by = 0; by < EXPLORER_COUNT; by++) {
        share all = { 0 };
        if (takes_part(what, at, by)) {
            all = found_by(what, at, by, only_deep);
            printf(" %4.1f %2.0f-%-2.0f", all.mean, all.least, all.most);
        } else if (by != AUTO && what == OWN) {
            printf(" %10s", "-");
        }
    }
    printf("  %s\n", only_deep ? "of the deep ones: mean, least-most" : "mean, least-most");
}

static void print_speed(stretch what, size_t at)
{
    printf("  %-9s", "us a run");
    for (size_t by = 0; by < EXPLORER_COUNT; by++) {
        double speed = takes_part(what, at, by) ? runs_a_second(what, at, by) : 0;
        if (speed > 0)
            printf(" %10.2f", 1e6 / speed);
        else if (by != AUTO && what == OWN)
            printf(" %10s", "-");
    }
    printf("\n");
}

static void print_table(stretch what, size_t at)
{
    const subject           *of = &SUBJECTS[at];
    static const char *const WHAT[] = { "its own bound", "the published bound", "for long" };
    printf("\n%s (%s half), %s: size %u, %.3g runs, seeds 1..%zu: runs to each fault, median\n",
           of->name, of->half, WHAT[what], bound_of(what) > 0 ? bound_of(what) : of->bound,
           runs_of(what, of), seeds);
    print_explorers(what, at);
    for (size_t f = 0; f < of->fault_count; f++)
        print_fault(what, at, f);
    print_found(what, at, false);
    print_found(what, at, true);
    print_speed(what, at);
    fflush(stdout);
}

/* The paper's slow six: a fault's number is one more than the mutant's. */
static const size_t SLOW[] = { LiftVar, LiftLam, LiftTLamA, LiftTLamB, LiftTApp, LiftTNoIncr };
#define SLOW_COUNT (sizeof SLOW / sizeof *SLOW)

static double faster(size_t at, size_t by, size_t slow)
{
    return runs_to(FIXED, at, AT_ONCE, SLOW[slow]) / runs_to(FIXED, at, by, SLOW[slow]);
}

/* How many times fewer runs than the search at once each of the slow six takes by each
 * configuration, and by the best one: below 1 it is a loss. */
static void print_slow(size_t at)
{
    printf("\nsystemf, the slow six at size %u: how many times fewer runs than at once\n  %-12s",
           FIXED_BOUND, "");
    for (size_t by = RADIX_1; by <= COMPETING; by++)
        printf(" %10s", EXPLORERS[by].name);
    printf(" %10s\n", "the best");
    for (size_t i = 0; i < SLOW_COUNT; i++) {
        double best = 0;
        printf("  %-12.*s", (int)strcspn(SUBJECTS[at].faults[SLOW[i]].words, ":"),
               SUBJECTS[at].faults[SLOW[i]].words);
        for (size_t by = RADIX_1; by <= COMPETING; by++) {
            double times = takes_part(FIXED, at, by) ? faster(at, by, i) : NAN;
            best = times > best ? times : best;
            printf(" %10.2g", times);
        }
        printf(" %10.2g\n", best);
    }
}

/* ---- Sweeps ---- */

#define SWEPT_RUNS 5e6
#define SWEPT_SEEDS 3

/* One parameter is varied at a time, and the bound. 0: the next one. */
static const struct {
    const char *strength, *fineness, *budget;
    unsigned    bound;
} SWEPT[] = {
    { "1", "1", "10000", 13 },  { "1", "1", "100000", 13 }, { "1", "1", "1000000", 13 },
    { "1", "3", "100000", 13 }, { "2", "3", "100000", 13 }, { "3", "3", "100000", 13 },
    { "5", "3", "100000", 13 }, { "2", "2", "100000", 13 }, { "2", "5", "100000", 13 },
    { "2", "7", "100000", 13 }, { "2", "3", "10000", 13 },  { "2", "3", "1000000", 13 },
    { "1", "1", "100000", 15 }, { "2", "3", "100000", 15 }, { "7", "3", "10000", 15 },
    { "1", "1", "100000", 18 }, { "2", "3", "100000", 18 }, { "7", "3", "10000", 18 },
    { "1", "1", "100000", 20 }, { "2", "3", "100000", 20 }, { "7", "3", "10000", 20 },
};
#define SWEPT_COUNT (sizeof SWEPT / sizeof *SWEPT)

static search *swept; /* shared */

static void sweep_task(size_t index, const void *context)
{
    size_t   at = *(const size_t *)context, which = index / SWEPT_SEEDS;
    explorer by = { .name = "swept",
                    .options = { "--explore", "radix", "--strength",
                                 (char *)SWEPT[which].strength, "--fineness",
                                 (char *)SWEPT[which].fineness, "--budget",
                                 (char *)SWEPT[which].budget } };
    search_all(&SUBJECTS[at], &by, SWEPT[which].bound, effort * SWEPT_RUNS,
               index % SWEPT_SEEDS + 1, &swept[index]);
    progress("radix: sweep %zu of %zu", which + 1, SWEPT_COUNT);
}

static void print_swept(size_t at, size_t which)
{
    double found = 0;
    for (size_t s = 0; s < SWEPT_SEEDS; s++)
        for (size_t f = 0; f < SUBJECTS[at].fault_count; f++)
            found += swept[which * SWEPT_SEEDS + s].first[f] >= 0;
    printf("  %4u %3s %3s %8s %6.1f", SWEPT[which].bound, SWEPT[which].strength,
           SWEPT[which].fineness, SWEPT[which].budget, found / SWEPT_SEEDS);
    for (size_t i = 0; i < SLOW_COUNT; i++) {
        double list[SWEPT_SEEDS];
        for (size_t s = 0; s < SWEPT_SEEDS; s++) {
            double first = swept[which * SWEPT_SEEDS + s].first[SLOW[i]];
            list[s] = first >= 0 ? first : INFINITY;
        }
        print_count(median_of(list, SWEPT_SEEDS));
    }
    printf("\n");
}

static int sweep(void)
{
    size_t at = 0;
    while (at < SUBJECT_COUNT && !is_system_f(at))
        at++;
    if (at == SUBJECT_COUNT)
        return 99;
    SUBJECTS[at].chosen = true;
    swept = shared_memory(SWEPT_COUNT * SWEPT_SEEDS * sizeof *swept);
    probe_explorers();
    share_out(SWEPT_COUNT * SWEPT_SEEDS, sweep_task, &at);
    progress_over();
    printf(
        "systemf by radix, %.3g runs, seeds 1..%d: faults found, the mean; runs to the slow six, "
        "the median\n  %4s %3s %3s %8s %6s %10s %10s %10s %10s %10s %10s\n",
        effort * SWEPT_RUNS, SWEPT_SEEDS, "size", "t", "f", "budget", "found", "LiftVar",
        "LiftLam", "LiftTLamA", "LiftTLamB", "LiftTApp", "LiftTNoIncr");
    for (size_t which = 0; which < SWEPT_COUNT; which++)
        print_swept(at, which);
    return 0;
}

/* ---- Bars ---- */

/* Without an explorer that it is about, a bar is missed. */
static void enter(results *all, const char *measure, bool any, double figure, const char *unit,
                  relation wanted, double bar, const char *note)
{
    row *one = result(all, measure, any ? figure : -1, unit, wanted, bar);
    snprintf(one->note, sizeof one->note, "%s",
             any ? note : "not measured: an explorer is missing");
}

/* The explorer of the walk that found most, by its mean. */
static size_t best_walk(stretch what, size_t at, bool only_deep)
{
    static const size_t WALKS[] = { RESTART, BARE, ROOMY, AUTO };
    size_t              best = EXPLORER_COUNT;
    for (size_t i = 0; i < sizeof WALKS / sizeof *WALKS; i++)
        if (takes_part(what, at, WALKS[i]) &&
            (best == EXPLORER_COUNT || found_by(what, at, WALKS[i], only_deep).mean >
                                           found_by(what, at, best, only_deep).mean))
            best = WALKS[i];
    return best;
}

/* Faults that the best one found, to those of deepening. */
static void enter_against_deepening(results *all, size_t at, const char *measure, double bar)
{
    size_t best = best_walk(OWN, at, false);
    bool   any = best < EXPLORER_COUNT && known(DEEPENING);
    double deepening = any ? found_by(OWN, at, DEEPENING, false).median : 0;
    enter(all, measure, any, any ? found_by(OWN, at, best, false).median / fmax(deepening, 1) : 0,
          "times", AT_LEAST, bar, any ? EXPLORERS[best].name : "");
}

static void enter_speed(results *all, size_t at)
{
    bool any = takes_part(OWN, at, RESTART) && takes_part(OWN, at, DEEPENING);
    enter(all, "System F: restart's runs a second, to enumerate's", any,
          any ? runs_a_second(OWN, at, RESTART) / runs_a_second(OWN, at, DEEPENING) : 0, "times",
          AT_LEAST, 0.4, "");
}

static void enter_fixed(results *all, size_t at)
{
    double most = -1;
    char   note[300] = "";
    size_t used = 0;
    for (size_t by = RADIX_1; by <= COMPETING; by++) {
        double five = 0;
        if (!takes_part(FIXED, at, by) || !takes_part(FIXED, at, AT_ONCE))
            continue;
        used += (size_t)snprintf(note + used, used < sizeof note ? sizeof note - used : 0,
                                 "%s%s:", used > 0 ? "; " : "", EXPLORERS[by].name);
        for (size_t i = 0; i < SLOW_COUNT; i++) {
            five += faster(at, by, i) >= 5;
            if (used < sizeof note)
                used += (size_t)snprintf(note + used, sizeof note - used, " %.2gx",
                                         faster(at, by, i));
        }
        most = fmax(most, five);
    }
    enter(all, "radix at size 13: of the slow six, 5x fewer runs than at once", most >= 0, most,
          "faults", AT_LEAST, 3, note);
}

static void enter_long(results *all, size_t at)
{
    size_t best = best_walk(LONG, at, true);
    bool   any = best < EXPLORER_COUNT;
    if (!deep)
        return;
    enter(all, "System F, 400 M runs: deep faults, in most seeds", any,
          any ? found_by(LONG, at, best, true).median : 0, "faults", AT_LEAST, 4,
          any ? EXPLORERS[best].name : "");
    enter(all, "System F, 400 M runs: deep faults by deepening", known(DEEPENING),
          known(DEEPENING) ? found_by(LONG, at, DEEPENING, true).median : 0, "faults", EXACTLY, 0,
          "");
}

/* All deep faults in every seed, by one explorer. */
static void enter_every_deep(results *all, size_t at, const char *measure)
{
    double      best = -1, wanted = 0;
    const char *by_whom = "";
    for (size_t f = 0; f < SUBJECTS[at].fault_count; f++)
        wanted += is_deep(&SUBJECTS[at], f);
    for (size_t by = 0; by < EXPLORER_COUNT; by++)
        if (takes_part(OWN, at, by) && found_by(OWN, at, by, true).least > best) {
            best = found_by(OWN, at, by, true).least;
            by_whom = EXPLORERS[by].name;
        }
    enter(all, measure, best >= 0, best, "faults", AT_LEAST, wanted, by_whom);
}

static void put_subject(results *all, size_t at)
{
    const subject *of = &SUBJECTS[at];
    char           measure[96];
    print_table(OWN, at);
    if (is_system_f(at)) {
        print_table(FIXED, at);
        print_slow(at);
        if (deep)
            print_table(LONG, at);
        enter_fixed(all, at);
        enter_speed(all, at);
        enter_against_deepening(all, at, "System F: faults found, to deepening's", 1.2);
        enter_long(all, at);
    } else if (strcmp(of->half, "tuned") == 0 && strcmp(of->name, "redblack") == 0) {
        enter_every_deep(all, at, "red-black trees: deep faults in every seed");
    } else {
        snprintf(measure, sizeof measure, "%s: faults found, to deepening's", of->name);
        enter_against_deepening(all, at, measure, strcmp(of->half, "tuned") == 0 ? 2 : 1);
    }
}

/* ---- The first figures of the sealed half ---- */

static bool has_first(void)
{
    FILE *in = fopen(FIRST, "r");
    return in != NULL && fclose(in) == 0;
}

/* A line for each fault and explorer: "SUBJECT FAULT EXPLORER RUNS FOUND/SEEDS". Never again. */
static void keep_fault(FILE *out, size_t at, size_t by, size_t f)
{
    size_t found = 0;
    for (size_t s = 0; s < seeds_of(by); s++)
        found += search_of(OWN, at, by, s)->first[f] >= 0;
    fprintf(out, "%s %zu %s | %.0f | %zu/%zu\n", SUBJECTS[at].name, f + 1, EXPLORERS[by].name,
            runs_to(OWN, at, by, f), found, seeds_of(by));
}

static int keep_first(void)
{
    if (has_first()) {
        fprintf(stderr, "radix: " FIRST ": the first figures are there, and stay\n");
        return 99;
    }
    search_everything();
    FILE *out = fopen(FIRST, "wx");
    if (out == NULL) {
        perror(FIRST);
        return 99;
    }
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        for (size_t by = 0; by < EXPLORER_COUNT; by++)
            for (size_t f = 0; f < SUBJECTS[at].fault_count && takes_part(OWN, at, by); f++)
                keep_fault(out, at, by, f);
    return fclose(out) == 0 ? 0 : 1;
}

static void print_first(void)
{
    char  line[200];
    FILE *in = fopen(FIRST, "r");
    if (in == NULL)
        return;
    printf("\nThe sealed half when it was first run: runs to each fault, median; found\n");
    while (fgets(line, sizeof line, in) != NULL)
        printf("  %s", line);
    fclose(in);
}

/* ---- The check ---- */

static size_t wrong_in(const subject *of)
{
    notes  had;
    char   witness[sizeof BUILT + 96];
    size_t wrong = 0;
    snprintf(witness, sizeof witness, "%s_witness", of->program);
    if (run_with_fault(of->program, "500", 0) != 0 && ++wrong > 0)
        printf("%s: fails without a fault\n", of->name);
    run_noted(witness, "1", &had);
    for (size_t f = 0; f < of->fault_count; f++) {
        if (!is_deep(of, f))
            continue;
        bool shown = had.runs > 0 ? had.first[f] > 0 : run_with_fault(witness, "1", f + 1) == 1;
        if (!shown)
            printf("%s: no example shows fault %zu\n", of->name, f + 1);
        /* Others may have put the examples of their faults elsewhere. */
        wrong += !shown && strcmp(of->half, "tuned") == 0;
    }
    return wrong;
}

static int check(void)
{
    size_t wrong = 0;
    for (size_t i = 0; i < SUBJECT_COUNT; i++)
        wrong += wrong_in(&SUBJECTS[i]);
    if (wrong == 0)
        printf("%zu subjects hold without faults, and show those that are deep\n", SUBJECT_COUNT);
    return wrong > 0;
}

/* ---- Arguments ---- */

static bool choose_explorers(char *names)
{
    for (size_t i = 0; i < EXPLORER_COUNT; i++)
        EXPLORERS[i].wanted = false;
    while (names != NULL) {
        char  *name = names, *end = names;
        size_t i = EXPLORER_COUNT;
        /* Some names have a comma in them: the longest that fits. */
        for (size_t k = 0; k < EXPLORER_COUNT; k++) {
            size_t length = strlen(EXPLORERS[k].name);
            if (strncmp(name, EXPLORERS[k].name, length) == 0 &&
                (name[length] == ',' || name[length] == '\0')) {
                i = k;
                end = name + length;
            }
        }
        if (i == EXPLORER_COUNT)
            return false;
        EXPLORERS[i].wanted = true;
        names = *end == ',' ? end + 1 : NULL;
    }
    return true;
}

static size_t choose(const char *half, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < SUBJECT_COUNT; i++)
        if ((half == NULL || strcmp(SUBJECTS[i].half, half) == 0) &&
            (name == NULL || strcmp(SUBJECTS[i].name, name) == 0)) {
            SUBJECTS[i].chosen = true;
            count++;
        }
    return count;
}

static bool read_arguments(int argc, char **argv, bool *first)
{
    bool fine = true, some = false;
    for (int i = 1; i < argc && fine; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--quick") == 0) {
            seeds = 2;
            effort = 0.1;
        } else if (strcmp(argv[i], "--deep") == 0) {
            deep = true;
        } else if (strcmp(argv[i], "--seeds") == 0 && more) {
            seeds = strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--explorers") == 0 && more) {
            fine = choose_explorers(argv[++i]);
        } else if (strcmp(argv[i], "--first-sealed") == 0) {
            *first = some = true;
            fine = choose("sealed", NULL) > 0;
        } else {
            fine = some = choose(NULL, argv[i]) > 0;
        }
    }
    /* The sealed half is run once before it is run again. */
    if (!some)
        choose(has_first() ? NULL : "tuned", NULL);
    return fine && seeds > 0 && seeds <= SEEDS_MOST;
}

int main(int argc, char **argv)
{
    static results all = { .name = "radix" };
    bool           first = false;
    read_subjects();
    if (argc == 2 && strcmp(argv[1], "--check") == 0)
        return check();
    if (argc == 2 && strcmp(argv[1], "--sweep") == 0)
        return sweep();
    if (!read_arguments(argc, argv, &first)) {
        fprintf(stderr, "usage: radix [--quick] [--deep] [--seeds N] [--explorers NAME,NAME...] "
                        "[SUBJECT...]\n       radix --sweep | --first-sealed | --check\n");
        return 99;
    }
    searches = shared_memory(STRETCH_COUNT * SUBJECT_COUNT * EXPLORER_COUNT * SEEDS_MOST *
                             sizeof *searches);
    probe_explorers();
    if (first)
        return keep_first();
    search_everything();
    for (size_t at = 0; at < SUBJECT_COUNT; at++)
        if (SUBJECTS[at].chosen)
            put_subject(&all, at);
    print_first();
    print_rows(&all, 0, "Bars");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
