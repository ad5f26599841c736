/* tests/misused_names.c: a property whose name another file has, too; and checks of properties
 * with names and without. */
#include <stdio.h>
#include <stdlib.h>
#include <warren.h>

WR_PROPERTY(twice)
{
    wr_assert(t, wr_int(t, "x", 0, 9) < 10);
}

static void holds(wr_case *t)
{
    wr_assert(t, wr_int(t, "x", 0, 9) < 10);
}

static void other(wr_case *t)
{
    wr_assert(t, wr_int(t, "y", 0, 9) < 10);
}

int main(int argc, char **argv)
{
    static const wr_options named = { .name = "holds", .cases = 10 };
    wr_body *const          bodies[] = { other };
    if (getenv("MISUSED_CHECKS") == NULL)
        return wr_main(argc, argv);
    int first = wr_check(NULL, holds);
    int again = wr_check(&(wr_options){ .cases = 10, .may_draw_nothing = true }, holds);
    int given = wr_check(&(wr_options){ .name = "given", .cases = 10 }, bodies[0]);
    int nameless = wr_check(NULL, bodies[0]);
    int taken = wr_check(&named, other);
    int nothing = wr_check(NULL, NULL);
    printf("holds %d, again %d, given %d, nameless %d, other %d, nothing %d\n", first, again,
           given, nameless, taken, nothing);
    return 0;
}
