/* studies/systemf/systemf.c: all well-typed System F terms up to a size, and what they find.
 *
 * First the terms are counted, beside the known counts: with the type checker in the order in
 * which it was published, which only looks (plain), and with one that states what it needs
 * (strong). Then each mutant of the evaluators is looked for: size after size, which finds the
 * smallest term, and in one search of everything up to size 13, as was published. LazySearch's
 * times stand beside.
 *
 *     systemf [--quick]    the tables; --quick stays below size 11
 *     systemf --assert     exits 1 unless small counts and small mutants are right
 */
#include <stdio.h>
#include <string.h>

#include "enumerated.h"
#include "language.h"
#include "results.h"

/* How far each goes. */
typedef struct effort {
    unsigned plain_counts, strong_counts;   /* sizes that are counted */
    unsigned plain_mutants, strong_mutants; /* mutants up to this size are looked for */
    unsigned bound;                         /* of the searches at once; 0: none */
} effort;

static const effort FULL = { 12, 13, 13, 13, 13 };
static const effort QUICK = { 9, 10, 9, 10, 10 };
static const effort ASSERTED = { 7, 9, 7, 9, 0 };

/* Closed well-typed terms of exactly this size. */
static const double COUNTS[] = { 0,    3,    3,     11,     51,     149,     594,
                                 2297, 8928, 34710, 141721, 564808, 2323663, 9524513 };

/* ---- The mutants ---- */

typedef struct wrong {
    const char *name, *where;
    unsigned    size;
} wrong;

#define MUTANT_ROW_(name, where, size) { #name, where, size },
static const wrong WRONG[] = { MUTANTS(MUTANT_ROW_) };
#define WRONG_COUNT (sizeof WRONG / sizeof *WRONG)
#define PUBLISHED 20 /* the first so many are those of the published experiments */

/* LazySearch, one search up to size 13 with the published checker: CPU seconds on the machine
 * where the bars were set (ghc 9.0.2 -O2), and what the paper printed for its own machine, as far
 * as it can be told apart. */
typedef struct lazysearch {
    double      seconds;
    const char *paper;
} lazysearch;

static const lazysearch LAZYSEARCH[NO_MUTANT] = {
    [LiftVar] = { 90.3, "130-876" },     [LiftLam] = { 84.8, "130-876" },
    [LiftTLamA] = { 29.1, "130" },       [LiftTLamB] = { 28.7, "130" },
    [LiftTApp] = { 219.9, "876" },       [SubstVar] = { 0.045, "< 3" },
    [SubstLT] = { 0.023, "< 3" },        [SubstInTypeNoDecr] = { 0.032, "< 3" },
    [SubstInTypeLT] = { 0.031, "< 3" },  [LiftTypeTVar] = { 0.67, "< 3" },
    [LiftTypeForAll] = { 0.77, "< 3" },  [TSubstNoIncr] = { 0.029, "< 3" },
    [AppForgetSubst] = { 0.002, "< 3" }, [TAppForgetSubst] = { 0.006, "< 3" },
    [SubstSwapped] = { 0.003, "< 3" },   [SubstNoIncr] = { 0.024, "< 3" },
    [SubstNoLift] = { 1.07, "4.49" },    [SubstInTypeNoIncr] = { 0.033, "< 3" },
    [SubstNoLiftT] = { 3.2, "?" },       [LiftTNoIncr] = { 81.9, "130-876" },
};

/* ---- Counting ---- */

/* Size after size; a row for each. */
static enumerated count(results *all, const char *property, unsigned size)
{
    char       measure[96];
    enumerated found = enumerate(PROGRAM, property, size, DEEPENING, 1);
    for (unsigned n = 1; n <= size; n++) {
        snprintf(measure, sizeof measure, "%s: well-typed terms of size %u", property, n);
        result(all, measure, found.cases_of[n], "terms", EXACTLY, COUNTS[n]);
    }
    return found;
}

static void print_count(double counted, unsigned n)
{
    if (counted < 0)
        printf(" %9s ", "-");
    else
        printf(" %9.0f%s", counted, counted < COUNTS[n] || counted > COUNTS[n] ? "!" : " ");
}

static void print_cost(const char *property, const enumerated *found)
{
    printf("  %s: %.0f terms in %.0f runs, %.2f for each, %.2f CPU s\n", property, found->cases,
           found->runs, found->runs / found->cases, found->cpu);
}

static void show_counts(results *all, const effort *how)
{
    enumerated plain = count(all, "plain", how->plain_counts);
    enumerated strong = count(all, "strong", how->strong_counts);
    printf("\nWell-typed terms; ! where the number is not the known one\n  %4s %9s  %9s  %9s\n",
           "size", "plain", "strong", "known");
    for (unsigned n = 1; n <= how->strong_counts; n++) {
        printf("  %4u", n);
        print_count(plain.cases_of[n], n);
        print_count(strong.cases_of[n], n);
        printf(" %9.0f\n", COUNTS[n]);
    }
    print_cost("plain", &plain);
    print_cost("strong", &strong);
    fflush(stdout);
}

/* ---- One mutant ---- */

static enumerated look_for(const char *checker, const wrong *one, unsigned size, manner how)
{
    char property[64];
    snprintf(property, sizeof property, "%s_%s", checker, one->name);
    return enumerate(PROGRAM, property, size, how, 1);
}

static row *enter_size(results *all, const char *checker, const wrong *one,
                       const enumerated *found)
{
    char measure[96];
    snprintf(measure, sizeof measure, "%s, %s: smallest term", one->name, checker);
    row *entered =
        result(all, measure, found->failed ? found->size : -1, "size", EXACTLY, one->size);
    snprintf(entered->note, sizeof entered->note, "%s", found->values);
    return entered;
}

static void print_search(const enumerated *found)
{
    if (found->failed)
        printf(" %8.3f %11.0f", found->cpu, found->runs);
    else
        printf(" %8s %11s", "-", found->ran ? "not found" : "not run");
}

/* Its line of the table: both checkers, by both manners. Returns the CPU seconds of strong
 * demands size after size. */
static double show_mutant(results *all, size_t which, const effort *how)
{
    const wrong *one = &WRONG[which];
    enumerated   deep = look_for("strong", one, one->size, DEEPENING);
    row         *size = enter_size(all, "strong", one, &deep);
    printf("  %-18s %4.0f%s", one->name, size->figure, row_met(size) ? " " : "!");
    print_search(&deep);
    enumerated other = look_for("strong", one, how->bound, AT_ONCE);
    print_search(&other);
    if (one->size <= how->plain_mutants) {
        other = look_for("plain", one, one->size, DEEPENING);
        enter_size(all, "plain", one, &other);
        print_search(&other);
        other = look_for("plain", one, how->bound, AT_ONCE);
        print_search(&other);
    }
    if (LAZYSEARCH[which].paper != NULL)
        printf(" %8.3f %8s", LAZYSEARCH[which].seconds, LAZYSEARCH[which].paper);
    printf("\n    %-21s %s\n", one->where, deep.values);
    fflush(stdout);
    return deep.cpu;
}

static void print_head(unsigned bound)
{
    printf(
        "\nMutants: size of the smallest term (! where it is not the known one), CPU seconds and "
        "runs to the first\nterm that shows it; at once is a search of everything up to size %u\n"
        "  %-18s %4s  %20s %20s %20s %20s %17s\n",
        bound, "", "", "strong, size by size", "strong, at once", "plain, size by size",
        "plain, at once", "LazySearch, paper");
}

static void show_mutants(results *all, const effort *how)
{
    double   total = 0;
    unsigned published = 0;
    print_head(how->bound);
    for (size_t i = 0; i < WRONG_COUNT; i++) {
        if (WRONG[i].size > how->strong_mutants)
            continue;
        double cpu = show_mutant(all, i, how);
        total += i < PUBLISHED ? cpu : 0;
        published += i < PUBLISHED;
    }
    printf("  %u of the %d published ones, strong, size by size: %.2f CPU s\n", published,
           PUBLISHED, total);
}

/* ---- The tables ---- */

static int tables(const effort *how)
{
    static results all = { .name = "systemf" };
    printf(
        "systemf: every term up to a size; `plain` only looks, `strong` states what it needs\n");
    show_counts(&all, how);
    show_mutants(&all, how);
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}

/* ---- For the tests ---- */

static int assert_small(void)
{
    static results all = { .name = "systemf" };
    static results missed = { .name = "systemf" };
    count(&all, "plain", ASSERTED.plain_counts);
    count(&all, "strong", ASSERTED.strong_counts);
    for (size_t i = 0; i < WRONG_COUNT; i++) {
        enumerated found;
        if (WRONG[i].size <= ASSERTED.strong_mutants) {
            found = look_for("strong", &WRONG[i], WRONG[i].size, DEEPENING);
            enter_size(&all, "strong", &WRONG[i], &found);
        }
        if (WRONG[i].size <= ASSERTED.plain_mutants) {
            found = look_for("plain", &WRONG[i], WRONG[i].size, DEEPENING);
            enter_size(&all, "plain", &WRONG[i], &found);
        }
    }
    for (size_t i = 0; i < all.count; i++)
        if (!row_met(&all.rows[i]))
            missed.rows[missed.count++] = all.rows[i];
    if (missed.count > 0)
        print_rows(&missed, 0, "Not as expected:");
    else
        printf("%zu counts and smallest terms are as expected\n", all.count);
    return missed.count > 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--assert") == 0)
        return assert_small();
    if (argc == 1 || (argc == 2 && strcmp(argv[1], "--quick") == 0))
        return tables(argc == 1 ? &FULL : &QUICK);
    fprintf(stderr, "usage: systemf [--quick] | systemf --assert\n");
    return 99;
}
