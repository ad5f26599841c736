/* bench/subject.c: the program that `core` measures.
 *
 * A test program as a user would build it, linked with the shared library; and, in the same
 * binary, the bare loops: `subject bare sums N`. `core` runs either as a child.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <warren.h>

#include "bare.h"

/* Shared with the workers: elements drawn in all cases of reversal_counted. */
static uint64_t *elements;

WR_PROPERTY(addition_commutes)
{
    volatile int32_t a = wr_i32(t, "a");
    volatile int32_t b = wr_i32(t, "b");
    wr_assert(t, sum_commutes(&a, &b));
}

static size_t reverse_twice(wr_case *t)
{
    volatile size_t drawn = wr_size(t, "n", 0, LONGEST);
    size_t          n = drawn;
    int32_t        *xs = wr_i32s(t, "xs", n, INT32_MIN, INT32_MAX);
    int32_t        *ys = wr_copy(t, xs, n * sizeof *xs);
    wr_assert(t, reversal_reverts(xs, ys, n));
    return n;
}

WR_PROPERTY(reversing_twice_changes_nothing)
{
    reverse_twice(t);
}

/* The same, to learn how long the lists were; never timed. */
WR_PROPERTY(reversal_counted)
{
    *elements += reverse_twice(t);
}

/* The same cases, with and without their crashes. */
WR_PROPERTY(one_in_a_thousand_crashes)
{
    volatile int32_t a = wr_i32(t, "a");
    if (wr_chance(t, "crash", 1, 1000))
        crash();
    (void)a;
}

WR_PROPERTY(none_crashes)
{
    volatile int32_t a = wr_i32(t, "a");
    volatile bool    would = wr_chance(t, "crash", 1, 1000);
    (void)a;
    (void)would;
}

static int bare(const char *what, uint64_t times)
{
    struct rlimit none = { 0, 0 };
    setrlimit(RLIMIT_CORE, &none);
    if (strcmp(what, "sums") == 0)
        bare_sums(times);
    else if (strcmp(what, "reversals") == 0)
        printf("%llu\n", (unsigned long long)bare_reversals(times));
    else if (strcmp(what, "crashes") == 0)
        bare_crashes(times);
    else
        return 99;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "bare") == 0)
        return bare(argv[2], strtoull(argv[3], NULL, 10));
    if (getenv("BENCH_COUNT") == NULL)
        return wr_main(argc, argv);
    elements =
        mmap(NULL, sizeof *elements, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (elements == MAP_FAILED)
        return 99;
    int status = wr_main(argc, argv);
    printf("%llu\n", (unsigned long long)*elements);
    return status;
}
