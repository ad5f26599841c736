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

/* A mutant, a property that shows it, and the size of the smallest case. */
typedef struct task {
    const char *program, *mutant, *property;
    unsigned    size;
} task;

static const task TASKS[] = {
    { BST, "ForgetsTheRest", "insert_post", 2 },
    { BST, "ForgetsTheRest", "insert_model", 2 },
    { BST, "KeepsTwoOfAKey", "insert_is_valid", 1 },
    { BST, "KeepsTwoOfAKey", "insert_post", 2 },
    { BST, "KeepsTwoOfAKey", "insert_model", 1 },
    { BST, "KeepsTheOldValue", "insert_post", 2 },
    { BST, "KeepsTheOldValue", "insert_model", 2 },
    { BST, "ForgetsTheRoot", "delete_post", 2 },
    { BST, "ForgetsTheRoot", "delete_model", 2 },
    { BST, "TurnsTheWrongWay", "delete_post", 3 },
    { BST, "TurnsTheWrongWay", "delete_model", 3 },
    { BST, "JoinsSideBySide", "union_is_valid", 2 },
    { BST, "JoinsSideBySide", "union_post", 3 },
    { BST, "JoinsSideBySide", "union_model", 2 },
    { BST, "TrustsTheRoots", "union_is_valid", 4 },
    { BST, "TrustsTheRoots", "union_post", 5 },
    { BST, "TrustsTheRoots", "union_model", 4 },
    { BST, "PrefersTheSmallerRoot", "union_post", 5 },
    { BST, "PrefersTheSmallerRoot", "union_model", 5 },

    { RBT, "ForgetsTheRest", "insert_post", 2 },
    { RBT, "ForgetsTheRest", "insert_model", 2 },
    { RBT, "KeepsTwoOfAKey", "insert_is_valid", 1 },
    { RBT, "KeepsTwoOfAKey", "insert_post", 2 },
    { RBT, "KeepsTwoOfAKey", "insert_model", 1 },
    { RBT, "KeepsTheOldValue", "insert_post", 2 },
    { RBT, "KeepsTheOldValue", "insert_model", 2 },
    { RBT, "LeavesTheRootRed", "insert_is_valid", 0 },
    { RBT, "AddsBlackNodes", "insert_is_valid", 2 },
    { RBT, "NeverBalancesLeft", "insert_is_valid", 5 },
    { RBT, "NeverBalancesRight", "insert_is_valid", 5 },
    { RBT, "ForgetsTheRoot", "delete_post", 2 },
    { RBT, "ForgetsTheRoot", "delete_model", 2 },
    { RBT, "TurnsTheWrongWay", "delete_post", 3 },
    { RBT, "TurnsTheWrongWay", "delete_model", 3 },
    { RBT, "PaintsLeftBlack", "delete_is_valid", 20 },
    { RBT, "PaintsRightBlack", "delete_is_valid", 20 },
    { RBT, "JoinsRedAsBlack", "delete_is_valid", 7 },
    { RBT, "JoinsBlackAsRed", "delete_is_valid", 11 },
    { RBT, "SwapsInnerParts", "insert_is_valid", 27 },
    { RBT, "SwapsInnerParts", "insert_post", 29 },
    { RBT, "SwapsInnerParts", "insert_model", 27 },
    { RBT, "SwapsInnerParts", "delete_is_valid", 15 },
    { RBT, "SwapsInnerParts", "delete_post", 17 },
    { RBT, "SwapsInnerParts", "delete_model", 15 },
    { RBT, "SwapsOuterParts", "insert_is_valid", 27 },
    { RBT, "SwapsOuterParts", "insert_post", 31 },
    { RBT, "SwapsOuterParts", "insert_model", 27 },
    { RBT, "SwapsOuterParts", "delete_is_valid", 19 },
    { RBT, "SwapsOuterParts", "delete_post", 21 },
    { RBT, "SwapsOuterParts", "delete_model", 19 },

    { STLC, "ShiftsNothing", "types_stay_in_a_step", 8 },
    { STLC, "ShiftsNothing", "types_stay_in_many_steps", 8 },
    { STLC, "ShiftsEverything", "types_stay_in_a_step", 7 },
    { STLC, "ShiftsEverything", "types_stay_in_many_steps", 7 },
    { STLC, "ShiftsAboveTheCutoff", "types_stay_in_a_step", 12 },
    { STLC, "ShiftsAboveTheCutoff", "types_stay_in_many_steps", 12 },
    { STLC, "ShiftsBelowBindersToo", "types_stay_in_a_step", 7 },
    { STLC, "ShiftsBelowBindersToo", "types_stay_in_many_steps", 7 },
    { STLC, "ReplacesEverything", "types_stay_in_a_step", 9 },
    { STLC, "ReplacesEverything", "types_stay_in_many_steps", 9 },
    { STLC, "ReplacesNothing", "types_stay_in_a_step", 5 },
    { STLC, "ReplacesNothing", "types_stay_in_many_steps", 5 },
    { STLC, "ForgetsToShift", "types_stay_in_a_step", 12 },
    { STLC, "ForgetsToShift", "types_stay_in_many_steps", 12 },
    { STLC, "ForgetsToCount", "types_stay_in_a_step", 9 },
    { STLC, "ForgetsToCount", "types_stay_in_many_steps", 9 },
    { STLC, "BetaForgetsToShift", "types_stay_in_a_step", 7 },
    { STLC, "BetaForgetsToShift", "types_stay_in_many_steps", 7 },
    { STLC, "BetaForgetsToShiftBack", "types_stay_in_a_step", 7 },
    { STLC, "BetaForgetsToShiftBack", "types_stay_in_many_steps", 7 },
};
#define TASK_COUNT (sizeof TASKS / sizeof *TASKS)

/* The code as it should be, and how far that is tried. */
static const task UNMUTATED[] = {
    { BST, "NO_MUTANT", "insert_is_valid", 10 },  { BST, "NO_MUTANT", "insert_post", 10 },
    { BST, "NO_MUTANT", "insert_model", 10 },     { BST, "NO_MUTANT", "delete_is_valid", 10 },
    { BST, "NO_MUTANT", "delete_post", 10 },      { BST, "NO_MUTANT", "delete_model", 10 },
    { BST, "NO_MUTANT", "union_is_valid", 10 },   { BST, "NO_MUTANT", "union_post", 10 },
    { BST, "NO_MUTANT", "union_model", 10 },      { RBT, "NO_MUTANT", "insert_is_valid", 31 },
    { RBT, "NO_MUTANT", "insert_post", 31 },      { RBT, "NO_MUTANT", "insert_model", 31 },
    { RBT, "NO_MUTANT", "delete_is_valid", 31 },  { RBT, "NO_MUTANT", "delete_post", 31 },
    { RBT, "NO_MUTANT", "delete_model", 31 },
    { STLC, "NO_MUTANT", "types_stay_in_a_step", 14 },
    { STLC, "NO_MUTANT", "types_stay_in_many_steps", 14 },
};
#define UNMUTATED_COUNT (sizeof UNMUTATED / sizeof *UNMUTATED)

static const char *const PROGRAMS[][2] = { { BST, "binary search trees" },
                                           { RBT, "red-black trees" },
                                           { STLC, "simply typed lambda calculus" } };

static enumerated try_task(const task *one, unsigned size)
{
    char property[96];
    snprintf(property, sizeof property, "%s_with_%s", one->property, one->mutant);
    return enumerate(one->program, property, size, DEEPENING, 1);
}

/* ---- The table ---- */

static void print_heading(const char *program)
{
    for (size_t i = 0; i < sizeof PROGRAMS / sizeof *PROGRAMS; i++)
        if (PROGRAMS[i][0] == program)
            printf("\n%s\n", PROGRAMS[i][1]);
    printf("  %-24s %-26s %4s %9s %7s  %s\n", "mutant", "property", "size", "runs", "CPU s",
           "smallest case");
}

static void show_mutant(results *all, const task *one)
{
    char       measure[96];
    enumerated found = try_task(one, one->size);
    snprintf(measure, sizeof measure, "%s: %s", one->mutant, one->property);
    row *entered = result(all, measure, found.failed ? found.size : -1, "size", EXACTLY, one->size);
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
    const char    *program = NULL;
    printf("etna: the smallest case that shows a mutant; every case up to it was tried\n");
    for (size_t i = 0; i < TASK_COUNT; i++) {
        if (TASKS[i].program != program)
            print_heading(program = TASKS[i].program);
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
