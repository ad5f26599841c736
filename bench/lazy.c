/* bench/lazy.c: what it costs to try every well-typed System F term up to a size.
 *
 * Warren's enumerator, which knows types only as tables, beside one that was written for this
 * language alone (systemf_by_hand.c), with the very same predicates: the type checker in the
 * order in which it was published, and the one that states what it needs. They run in turn, so
 * that whatever else the machine does hits both; the best of several runs of each counts. CPU
 * time is that of all processes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "enumerated.h"
#include "json.h"
#include "language.h"
#include "results.h"

/* Closed well-typed terms up to this size. */
static const double TERMS[] = { 0,    3,     6,     17,     68,     217,     811,
                                3108, 12036, 46746, 188467, 753275, 3076938, 12601451 };

/* One predicate: up to which size, and in how many rounds. */
typedef struct stretch {
    const char *predicate;
    unsigned    size, rounds;
} stretch;

static struct {
    stretch  plain, strong;
    unsigned mutants;  /* those up to this size are looked for, */
    unsigned searches; /* each so many times */
} effort;

static double least(double a, double b)
{
    return a < b ? a : b;
}

static void check(const char *who, bool ran)
{
    if (ran)
        return;
    progress_over();
    fprintf(stderr, "lazy: %s did not run\n", who);
    exit(99);
}

/* ---- Beside the one written by hand ---- */

typedef struct contest {
    double warren, by_hand; /* CPU seconds, the best */
    double terms, terms_by_hand, runs, runs_by_hand;
} contest;

static void run_by_hand(const stretch *over, contest *both)
{
    char  output[256], size[16];
    char *arguments[] = { BY_HAND, (char *)over->predicate, size, NULL };
    snprintf(size, sizeof size, "%u", over->size);
    child ran = run_child(arguments, output, sizeof output, false, NULL, NULL);
    check("the enumerator written by hand", ran.status == 0);
    both->by_hand = least(both->by_hand, ran.cpu);
    both->terms_by_hand = json_number(json_member(output, "cases"));
    both->runs_by_hand = json_number(json_member(output, "runs"));
}

static void run_warren(const stretch *over, contest *both)
{
    enumerated found = enumerate(SYSTEMF, over->predicate, over->size, AT_ONCE, 1);
    check("Warren's enumerator", found.ran);
    both->warren = least(both->warren, found.cpu);
    both->terms = found.cases;
    both->runs = found.runs;
}

static void enter_contest(results *all, const stretch *over, const contest *both)
{
    char measure[96];
    snprintf(measure, sizeof measure, "%s: terms up to size %u", over->predicate, over->size);
    row *one = result(all, measure, both->terms, "terms", EXACTLY, TERMS[over->size]);
    snprintf(one->note, sizeof one->note, "%.0f; by hand %.0f; runs %.0f, by hand %.0f",
             both->terms, both->terms_by_hand, both->runs, both->runs_by_hand);
    snprintf(measure, sizeof measure, "%s: beside an enumerator written by hand",
             over->predicate);
    one = result(all, measure, both->warren / both->by_hand, "times", AT_MOST, 1.5);
    snprintf(one->note, sizeof one->note, "%.3f and %.3f CPU s, %.0f and %.0f ns a run",
             both->warren, both->by_hand, both->warren / both->runs * 1e9,
             both->by_hand / both->runs_by_hand * 1e9);
}

static contest compete(results *all, const stretch *over)
{
    contest both = { .warren = 1e9, .by_hand = 1e9 };
    for (unsigned i = 0; i < over->rounds; i++) {
        progress("lazy: %s, round %u of %u", over->predicate, i + 1, over->rounds);
        run_by_hand(over, &both);
        run_warren(over, &both);
    }
    enter_contest(all, over, &both);
    return both;
}

static void measure_exhausting(results *all)
{
    compete(all, &effort.plain);
    contest strong = compete(all, &effort.strong);
    row    *one = result(all, "strong: CPU time", strong.warren, "CPU s", AT_MOST, 3);
    snprintf(one->note, sizeof one->note,
             "at size 13 LazySearch took about 430 s as published, 52 s with its best predicate");
    one = result(all, "strong: runs for each term", strong.runs / strong.terms, "runs", AT_MOST,
                 1.4);
    snprintf(one->note, sizeof one->note, "LazySearch at size 13: 33 as published, 3.4 at best");
}

/* ---- Two workers ---- */

/* The share of the busier one, in percent. */
static double busier(const enumerated *found)
{
    double a = found->by_worker[0], b = found->by_worker[1];
    return (a > b ? a : b) / (a + b) * 100;
}

/* Work goes to whoever runs dry, so a worker does as much as the machine lets it: the evenest of
 * some runs counts, where other work may have had one core more than the other. */
static void measure_sharing(results *all)
{
    enumerated evenest = { 0 };
    for (unsigned i = 0; i < effort.searches; i++) {
        progress("lazy: two workers, round %u of %u", i + 1, effort.searches);
        enumerated found = enumerate(SYSTEMF, "strong", effort.strong.size, AT_ONCE, 2);
        check("Warren's enumerator with two workers", found.ran && found.workers == 2);
        if (i == 0 || busier(&found) < busier(&evenest))
            evenest = found;
    }
    row *one = result(all, "two workers: runs of the busier", busier(&evenest), "%", AT_MOST, 55);
    snprintf(one->note, sizeof one->note, "%.0f and %.0f runs", evenest.by_worker[0],
             evenest.by_worker[1]);
    result(all, "two workers: terms", evenest.cases, "terms", EXACTLY, TERMS[effort.strong.size]);
}

/* ---- Mutants ---- */

#define PUBLISHED 20 /* the first so many are those of the published experiments */

#define MUTANT_ROW_(name, where, size) { "strong_" #name, size },
static const struct {
    const char *property;
    unsigned    size;
} WRONG[] = { MUTANTS(MUTANT_ROW_) };

/* CPU seconds, the best of some runs; how many of them found a smallest term. */
static double look_for(size_t which, unsigned *minimal)
{
    double cpu = 1e9;
    *minimal = 0;
    for (unsigned i = 0; i < effort.searches; i++) {
        progress("lazy: %s, round %u of %u", WRONG[which].property, i + 1, effort.searches);
        enumerated found =
            enumerate(SYSTEMF, WRONG[which].property, WRONG[which].size, DEEPENING, 1);
        *minimal += found.failed && (unsigned)found.size == WRONG[which].size;
        cpu = least(cpu, found.cpu);
    }
    return cpu;
}

static void measure_mutants(results *all)
{
    double   sum = 0, slowest = 0;
    unsigned tried = 0, found = 0, minimal;
    char     measure[96];
    for (size_t i = 0; i < PUBLISHED; i++) {
        if (WRONG[i].size > effort.mutants)
            continue;
        double cpu = look_for(i, &minimal);
        tried++;
        found += minimal == effort.searches;
        sum += cpu;
        slowest = cpu > slowest ? cpu : slowest;
    }
    snprintf(measure, sizeof measure, "%u mutants, strong, size after size", tried);
    row *one = result(all, measure, sum, "CPU s", AT_MOST, 6);
    snprintf(one->note, sizeof one->note,
             "the slowest %.2f s; LazySearch took 29 to 220 s for each of the six slow ones",
             slowest);
    result(all, "mutants whose smallest term was found", found, "mutants", EXACTLY, tried);
}

int main(int argc, char **argv)
{
    static results all = { .name = "lazy" };
    bool           quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: lazy [--quick]\n");
        return 99;
    }
    effort.plain = (stretch){ "plain", quick ? 11 : 13, quick ? 3 : 2 };
    effort.strong = (stretch){ "strong", quick ? 12 : 13, 5 };
    effort.mutants = quick ? 11 : 13;
    effort.searches = 3;
    printf("lazy: every well-typed System F term up to a size; `plain` only looks, `strong`\n"
           "states what it needs\n");
    measure_exhausting(&all);
    measure_sharing(&all);
    measure_mutants(&all);
    progress_over();
    print_rows(&all, 0, "Exhaustive search");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
