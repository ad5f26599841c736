/* studies/lambda/lambda.c: how many closed lambda terms of each size have a simple type?
 *
 * The numbers are a published sequence, computed by others in other ways (A272794 in the On-Line
 * Encyclopedia of Integer Sequences): an enumerator that loses a term, or has one twice, shows.
 *
 *     lambda [--quick]    the table
 *     lambda --assert     exits 1 unless the counts up to size 12 are right
 */
#include <stdio.h>
#include <string.h>

#include "enumerated.h"
#include "results.h"

#define QUICK_SIZE 15
#define ASSERTED_SIZE 12

static const double COUNTS[] = { 0,     0,     1,      1,      2,       5,      13,
                                 27,    74,    198,    508,    1371,    3809,   10477,
                                 29116, 82419, 233748, 666201, 1914668, 5528622 };
#define SIZE (sizeof COUNTS / sizeof *COUNTS - 1)

static void enter(results *all, const enumerated *found, unsigned size)
{
    char measure[96];
    for (unsigned n = 1; n <= size; n++) {
        snprintf(measure, sizeof measure, "typable closed terms of size %u", n);
        result(all, measure, found->cases_of[n], "terms", EXACTLY, COUNTS[n]);
    }
}

static int table(unsigned size)
{
    static results all = { .name = "lambda" };
    printf("lambda: closed lambda terms that have a simple type, all of them up to size %u\n",
           size);
    enumerated found = enumerate(PROGRAM, "typable", size, DEEPENING, 1);
    enter(&all, &found, size);
    printf("\n  %4s %9s %9s\n", "size", "terms", "published");
    for (size_t i = 0; i < all.count; i++)
        printf("  %4zu %9.0f %9.0f%s\n", i + 1, all.rows[i].figure, all.rows[i].bar,
               row_met(&all.rows[i]) ? "" : "  MISSED");
    printf("\n  %.0f terms in %.0f runs, %.2f for each, %.2f CPU s\n", found.cases, found.runs,
           found.runs / found.cases, found.cpu);
    return write_results(&all, RESULTS) == 0 ? 0 : 1;
}

static int assert_counts(void)
{
    enumerated found = enumerate(PROGRAM, "typable", ASSERTED_SIZE, DEEPENING, 1);
    results    all = { .name = "lambda" };
    int        wrong = !found.ran;
    enter(&all, &found, ASSERTED_SIZE);
    for (size_t i = 0; i < all.count; i++)
        wrong |= !row_met(&all.rows[i]);
    if (wrong)
        print_rows(&all, 0, "Not all counts are right:");
    else
        printf("the counts up to size %d are right\n", ASSERTED_SIZE);
    return wrong;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--assert") == 0)
        return assert_counts();
    if (argc == 1 || (argc == 2 && strcmp(argv[1], "--quick") == 0))
        return table(argc == 1 ? SIZE : QUICK_SIZE);
    fprintf(stderr, "usage: lambda [--quick] | lambda --assert\n");
    return 99;
}
