/* tests/promising.c: a program whose properties all hold, and do not keep all promises. */
#include <warren.h>

int library_step(int n);

static void never_called(int n)
{
    WR_REACHABLE("in a function that is not called");
    WR_ALWAYS(n == 0, "checked in a function that is not called");
}

static void called_by_two(int n)
{
    WR_SOMETIMES(n % 2 == 0, "even in one of two");
}

WR_PROPERTY(gives_odd_numbers)
{
    int n = (int)wr_int(t, "n", 0, 99);
    called_by_two(2 * n + 1);
    if (library_step(n) == 0)
        never_called(n);
}

WR_PROPERTY(gives_even_numbers)
{
    called_by_two(2 * (int)wr_int(t, "n", 0, 99));
}
