/* studies/etna/etna.c: the smallest case that shows each mutant, by each property that does.
 *
 * Three programs in the manner of the Etna benchmark: binary search trees, red-black trees, and
 * the simply typed lambda calculus, with 8, 15 and 10 mutants. Every case up to a size is tried,
 * size after size, so the first that fails is smallest. The unmutated code must hold up to the
 * largest of these sizes.
 *
 *     etna [--quick]    the table; --quick leaves out what is only found at large sizes
 *     etna --assert     exits 1 unless every mutant that is found at a small size is found there
 */
#include <stdio.h>
#include <string.h>

#include "enumerated.h"
#include "results.h"

#define QUICK_SIZE 20
#define ASSERTED_SIZE 12

typedef enum subject { TREES, RED_BLACK, TYPED } subject;

static const struct {
    const char *program, *title;
} SUBJECTS[] = {
    [TREES] = { BST, "binary search trees" },
    [RED_BLACK] = { RBT, "red-black trees" },
    [TYPED] = { STLC, "simply typed lambda calculus" },
};

/* A mutant, a property that shows it, and the size of the smallest case. */
typedef struct task {
    subject     of;
    const char *mutant, *property;
    unsigned    size;
} task;

static const task TASKS[] = {
    { TREES, "ForgetsTheRest", "insert_post", 2 },
    { TREES, "ForgetsTheRest", "insert_model", 2 },
    { TREES, "KeepsTwoOfAKey", "insert_is_valid", 1 },
    { TREES, "KeepsTwoOfAKey", "insert_post", 2 },
    { TREES, "KeepsTwoOfAKey", "insert_model", 1 },
    { TREES, "KeepsTheOldValue", "insert_post", 2 },
    { TREES, "KeepsTheOldValue", "insert_model", 2 },
    { TREES, "ForgetsTheRoot", "delete_post", 2 },
    { TREES, "ForgetsTheRoot", "delete_model", 2 },
    { TREES, "TurnsTheWrongWay", "delete_post", 3 },
    { TREES, "TurnsTheWrongWay", "delete_model", 3 },
    { TREES, "JoinsSideBySide", "union_is_valid", 2 },
    { TREES, "JoinsSideBySide", "union_post", 3 },
    { TREES, "JoinsSideBySide", "union_model", 2 },
    { TREES, "TrustsTheRoots", "union_is_valid", 4 },
    { TREES, "TrustsTheRoots", "union_post", 5 },
    { TREES, "TrustsTheRoots", "union_model", 4 },
    { TREES, "PrefersTheSmallerRoot", "union_post", 5 },
    { TREES, "PrefersTheSmallerRoot", "union_model", 5 },

    { RED_BLACK, "ForgetsTheRest", "insert_post", 2 },
    { RED_BLACK, "ForgetsTheRest", "insert_model", 2 },
    { RED_BLACK, "KeepsTwoOfAKey", "insert_is_valid", 1 },
    { RED_BLACK, "KeepsTwoOfAKey", "insert_post", 2 },
    { RED_BLACK, "KeepsTwoOfAKey", "insert_model", 1 },
    { RED_BLACK, "KeepsTheOldValue", "insert_post", 2 },
    { RED_BLACK, "KeepsTheOldValue", "insert_model", 2 },
    { RED_BLACK, "LeavesTheRootRed", "insert_is_valid", 0 },
    { RED_BLACK, "AddsBlackNodes", "insert_is_valid", 2 },
    { RED_BLACK, "NeverBalancesLeft", "insert_is_valid", 5 },
    { RED_BLACK, "NeverBalancesRight", "insert_is_valid", 5 },
    { RED_BLACK, "ForgetsTheRoot", "delete_post", 2 },
    { RED_BLACK, "ForgetsTheRoot", "delete_model", 2 },
    { RED_BLACK, "TurnsTheWrongWay", "delete_post", 3 },
    { RED_BLACK, "TurnsTheWrongWay", "delete_model", 3 },
    { RED_BLACK, "PaintsLeftBlack", "delete_is_valid", 20 },
    { RED_BLACK, "PaintsRightBlack", "delete_is_valid", 20 },
    { RED_BLACK, "JoinsRedAsBlack", "delete_is_valid", 7 },
    { RED_BLACK, "JoinsBlackAsRed", "delete_is_valid", 11 },
    { RED_BLACK, "SwapsInnerParts", "insert_is_valid", 27 },
    { RED_BLACK, "SwapsInnerParts", "insert_post", 29 },
    { RED_BLACK, "SwapsInnerParts", "insert_model", 27 },
    { RED_BLACK, "SwapsInnerParts", "delete_is_valid", 15 },
    { RED_BLACK, "SwapsInnerParts", "delete_post", 17 },
    { RED_BLACK, "SwapsInnerParts", "delete_model", 15 },
    { RED_BLACK, "SwapsOuterParts", "insert_is_valid", 27 },
    { RED_BLACK, "SwapsOuterParts", "insert_post", 31 },
    { RED_BLACK, "SwapsOuterParts", "insert_model", 27 },
    { RED_BLACK, "SwapsOuterParts", "delete_is_valid", 19 },
    { RED_BLACK, "SwapsOuterParts", "delete_post", 21 },
    { RED_BLACK, "SwapsOuterParts", "delete_model", 19 },

    { TYPED, "ShiftsNothing", "types_stay_in_a_step", 8 },
    { TYPED, "ShiftsNothing", "types_stay_in_many_steps", 8 },
    { TYPED, "ShiftsEverything", "types_stay_in_a_step", 7 },
    { TYPED, "ShiftsEverything", "types_stay_in_many_steps", 7 },
    { TYPED, "ShiftsAboveTheCutoff", "types_stay_in_a_step", 12 },
    { TYPED, "ShiftsAboveTheCutoff", "types_stay_in_many_steps", 12 },
    { TYPED, "ShiftsBelowBindersToo", "types_stay_in_a_step", 7 },
    { TYPED, "ShiftsBelowBindersToo", "types_stay_in_many_steps", 7 },
    { TYPED, "ReplacesEverything", "types_stay_in_a_step", 9 },
    { TYPED, "ReplacesEverything", "types_stay_in_many_steps", 9 },
    { TYPED, "ReplacesNothing", "types_stay_in_a_step", 5 },
    { TYPED, "ReplacesNothing", "types_stay_in_many_steps", 5 },
    { TYPED, "ForgetsToShift", "types_stay_in_a_step", 12 },
    { TYPED, "ForgetsToShift", "types_stay_in_many_steps", 12 },
    { TYPED, "ForgetsToCount", "types_stay_in_a_step", 9 },
    { TYPED, "ForgetsToCount", "types_stay_in_many_steps", 9 },
    { TYPED, "BetaForgetsToShift", "types_stay_in_a_step", 7 },
    { TYPED, "BetaForgetsToShift", "types_stay_in_many_steps", 7 },
    { TYPED, "BetaForgetsToShiftBack", "types_stay_in_a_step", 7 },
    { TYPED, "BetaForgetsToShiftBack", "types_stay_in_many_steps", 7 },
};
#define TASK_COUNT (sizeof TASKS / sizeof *TASKS)

/* The code as it should be, and how far that is tried. */
static const task UNMUTATED[] = {
    { TREES, "NO_MUTANT", "insert_is_valid", 10 },
    { TREES, "NO_MUTANT", "insert_post", 10 },
    { TREES, "NO_MUTANT", "insert_model", 10 },
    { TREES, "NO_MUTANT", "delete_is_valid", 10 },
    { TREES, "NO_MUTANT", "delete_post", 10 },
    { TREES, "NO_MUTANT", "delete_model", 10 },
    { TREES, "NO_MUTANT", "union_is_valid", 10 },
    { TREES, "NO_MUTANT", "union_post", 10 },
    { TREES, "NO_MUTANT", "union_model", 10 },
    { RED_BLACK, "NO_MUTANT", "insert_is_valid", 31 },
    { RED_BLACK, "NO_MUTANT", "insert_post", 31 },
    { RED_BLACK, "NO_MUTANT", "insert_model", 31 },
    { RED_BLACK, "NO_MUTANT", "delete_is_valid", 31 },
    { RED_BLACK, "NO_MUTANT", "delete_post", 31 },
    { RED_BLACK, "NO_MUTANT", "delete_model", 31 },
    { TYPED, "NO_MUTANT", "types_stay_in_a_step", 14 },
    { TYPED, "NO_MUTANT", "types_stay_in_many_steps", 14 },
};
#define UNMUTATED_COUNT (sizeof UNMUTATED / sizeof *UNMUTATED)

static enumerated try_task(const task *one, unsigned size)
{
    char property[96];
    snprintf(property, sizeof property, "%s_with_%s", one->property, one->mutant);
    return enumerate(SUBJECTS[one->of].program, property, size, DEEPENING, 1);
}

/* ---- The table ---- */

static void print_heading(subject of)
{
    printf("\n%s\n  %-24s %-26s %4s %9s %7s  %s\n", SUBJECTS[of].title, "mutant", "property",
           "size", "runs", "CPU s", "smallest case");
}

static void show_mutant(results *all, const task *one)
{
    char       measure[96];
    enumerated found = try_task(one, one->size);
    snprintf(measure, sizeof measure, "%s: %s", one->mutant, one->property);
    row *entered =
        result(all, measure, found.failed ? found.size : -1, "size", EXACTLY, one->size);
    snprintf(entered->note, sizeof entered->note, "%s", found.values);
    printf("  %-24s %-26s %4.0f %9.0f %7.3f  %s%s\n", one->mutant, one->property, entered->figure,
           found.runs, found.cpu, found.values, row_met(entered) ? "" : "  MISSED");
    fflush(stdout);
}

static void show_unmutated(results *all, const task *one, unsigned size)
{
    char       measure[96];
    enumerated found = try_task(one, size);
    snprintf(measure, sizeof measure, "unmutated: %s", one->property);
    row *entered = result(all, measure, found.ran && !found.failed, "held", EXACTLY, 1);
    printf("  %-24s %-26s %4u %9.0f %7.3f  %.0f cases up to this size: %s\n", "(none)",
           one->property, size, found.runs, found.cpu, found.cases,
           row_met(entered) ? "held" : "MISSED");
    fflush(stdout);
}

static int table(unsigned size)
{
    static results all = { .name = "etna" };
    printf("etna: the smallest case that shows a mutant; every case up to it was tried\n");
    for (size_t i = 0; i < TASK_COUNT; i++) {
        if (i == 0 || TASKS[i].of != TASKS[i - 1].of)
            print_heading(TASKS[i].of);
        if (TASKS[i].size <= size)
            show_mutant(&all, &TASKS[i]);
    }
    printf("\nthe code without a mutant\n");
    for (size_t i = 0; i < UNMUTATED_COUNT; i++) {
        const task *one = &UNMUTATED[i];
        show_unmutated(&all, one, one->size < size ? one->size : size);
    }
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}

/* ---- For the tests ---- */

static int assert_sizes(void)
{
    int wrong = 0;
    for (size_t i = 0; i < TASK_COUNT; i++) {
        const task *one = &TASKS[i];
        if (one->size > ASSERTED_SIZE)
            continue;
        enumerated found = try_task(one, one->size);
        if (found.failed && (unsigned)found.size == one->size)
            continue;
        printf("%s with %s: expected size %u, got %.0f\n", one->property, one->mutant, one->size,
               found.size);
        wrong = 1;
    }
    for (size_t i = 0; i < UNMUTATED_COUNT; i++) {
        enumerated found = try_task(&UNMUTATED[i], 8);
        if (found.ran && !found.failed)
            continue;
        printf("%s does not hold without a mutant\n", UNMUTATED[i].property);
        wrong = 1;
    }
    if (!wrong)
        printf("all mutants that show up to size %d were found\n", ASSERTED_SIZE);
    return wrong;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--assert") == 0)
        return assert_sizes();
    if (argc == 1 || (argc == 2 && strcmp(argv[1], "--quick") == 0))
        return table(argc == 1 ? 999 : QUICK_SIZE);
    fprintf(stderr, "usage: etna [--quick] | etna --assert\n");
    return 99;
}
