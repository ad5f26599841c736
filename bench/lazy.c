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

static struct {
    unsigned size;          /* what is exhausted */
    unsigned plain, strong; /* rounds */
    unsigned mutants;       /* those up to this size are looked for */
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

static void run_by_hand(const char *predicate, contest *both)
{
    char  output[256], size[16];
    char *arguments[] = { BY_HAND, (char *)predicate, size, NULL };
    snprintf(size, sizeof size, "%u", effort.size);
    child ran = run_child(arguments, output, sizeof output, false, NULL, NULL);
    check("the enumerator written by hand", ran.status == 0);
    both->by_hand = least(both->by_hand, ran.cpu);
    both->terms_by_hand = json_number(json_member(output, "cases"));
    both->runs_by_hand = json_number(json_member(output, "runs"));
}

static void run_warren(const char *predicate, contest *both)
{
    enumerated found = enumerate(SYSTEMF, predicate, effort.size, AT_ONCE, 1);
    check("Warren's enumerator", found.ran);
    both->warren = least(both->warren, found.cpu);
    both->terms = found.cases;
    both->runs = found.runs;
}

static contest compete(const char *predicate, unsigned rounds)
{
    contest both = { .warren = 1e9, .by_hand = 1e9 };
    for (unsigned i = 0; i < rounds; i++) {
        progress("lazy: %s, round %u of %u", predicate, i + 1, rounds);
        run_by_hand(predicate, &both);
        run_warren(predicate, &both);
    }
    return both;
}

static void enter_contest(results *all, const char *predicate, const contest *both)
{
    char measure[96];
    snprintf(measure, sizeof measure, "%s: well-typed terms up to size %u", predicate,
             effort.size);
    row *one = result(all, measure, both->terms, "terms", EXACTLY, TERMS[effort.size]);
    snprintf(one->note, sizeof one->note, "%.0f; by hand %.0f; runs %.0f, by hand %.0f",
             both->terms, both->terms_by_hand, both->runs, both->runs_by_hand);
    snprintf(measure, sizeof measure, "%s: beside an enumerator written by hand", predicate);
    one = result(all, measure, both->warren / both->by_hand, "times", AT_MOST, 1.5);
    snprintf(one->note, sizeof one->note, "%.3f and %.3f CPU s, %.0f and %.0f ns a run",
             both->warren, both->by_hand, both->warren / both->runs * 1e9,
             both->by_hand / both->runs_by_hand * 1e9);
}

static void measure_exhausting(results *all)
{
    contest plain = compete("plain", effort.plain);
    enter_contest(all, "plain", &plain);
    contest strong = compete("strong", effort.strong);
    enter_contest(all, "strong", &strong);
    row *one = result(all, "strong: CPU time", strong.warren, "CPU s", AT_MOST, 3);
    snprintf(one->note, sizeof one->note,
             "at size 13 LazySearch took about 430 s as published, 52 s with its best predicate");
    one = result(all, "strong: runs for each term", strong.runs / strong.terms, "runs", AT_MOST,
                 1.4);
    snprintf(one->note, sizeof one->note, "LazySearch at size 13: 33 as published, 3.4 at best");
}

/* ---- Two workers ---- */

static void measure_sharing(results *all)
{
    double most = 0, sum = 0;
    progress("lazy: two workers");
    enumerated found = enumerate(SYSTEMF, "strong", effort.size, AT_ONCE, 2);
    check("Warren's enumerator with two workers", found.ran && found.workers == 2);
    for (size_t i = 0; i < found.workers; i++) {
        sum += found.by_worker[i];
        most = found.by_worker[i] > most ? found.by_worker[i] : most;
    }
    row *one = result(all, "two workers: runs of the busier", most / sum * 100, "%", AT_MOST, 55);
    snprintf(one->note, sizeof one->note, "%.0f and %.0f runs", found.by_worker[0],
             found.by_worker[1]);
    result(all, "two workers: well-typed terms", found.cases, "terms", EXACTLY,
           TERMS[effort.size]);
}

/* ---- Mutants ---- */

#define PUBLISHED 20 /* the first so many are those of the published experiments */

#define MUTANT_ROW_(name, where, size) { "strong_" #name, size },
static const struct {
    const char *property;
    unsigned    size;
} WRONG[] = { MUTANTS(MUTANT_ROW_) };

static void measure_mutants(results *all)
{
    double   cpu = 0, slowest = 0;
    unsigned tried = 0, minimal = 0;
    char     measure[96];
    for (size_t i = 0; i < PUBLISHED; i++) {
        if (WRONG[i].size > effort.mutants)
            continue;
        progress("lazy: %s", WRONG[i].property);
        enumerated found = enumerate(SYSTEMF, WRONG[i].property, WRONG[i].size, DEEPENING, 1);
        tried++;
        minimal += found.failed && (unsigned)found.size == WRONG[i].size;
        cpu += found.cpu;
        slowest = found.cpu > slowest ? found.cpu : slowest;
    }
    snprintf(measure, sizeof measure, "%u mutants, strong, size after size", tried);
    row *one = result(all, measure, cpu, "CPU s", AT_MOST, 6);
    snprintf(one->note, sizeof one->note,
             "the slowest %.2f s; LazySearch took 29 to 220 s for each of the six slow ones",
             slowest);
    result(all, "mutants with a smallest term", minimal, "mutants", EXACTLY, tried);
}

int main(int argc, char **argv)
{
    static results all = { .name = "lazy" };
    bool           quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: lazy [--quick]\n");
        return 99;
    }
    effort.size = quick ? 11 : 13;
    effort.plain = quick ? 3 : 2;
    effort.strong = 3;
    effort.mutants = quick ? 11 : 13;
    printf("lazy: every well-typed System F term up to size %u; `plain` only looks, `strong`\n"
           "states what it needs\n", effort.size);
    measure_exhausting(&all);
    measure_sharing(&all);
    measure_mutants(&all);
    progress_over();
    print_rows(&all, 0, "Exhaustive search");
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}
