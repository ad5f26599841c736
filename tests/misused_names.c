/* tests/misused_names.c: a property whose name another file has, too; and checks of properties
 * with names and without. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
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

/* Ends as a program does that has nothing to do with properties, and so does a child of it; or
 * the child runs them. */
static int run_none(int argc, char **argv, bool in_child)
{
    pid_t child = fork();
    if (child == 0)
        exit(in_child ? wr_main(argc, argv) : 0);
    return waitpid(child, NULL, 0) == child ? 0 : 1;
}

int main(int argc, char **argv)
{
    const char             *never = getenv("MISUSED_NEVER");
    static const wr_options named = { .name = "holds", .cases = 10 };
    wr_body *const          bodies[] = { other };
    if (never != NULL)
        return run_none(argc, argv, strcmp(never, "but in a child") == 0);
    if (getenv("MISUSED_CHECKS") == NULL)
        return wr_main(argc, argv);
    int first = wr_check(NULL, holds);
    int again = wr_check(&(wr_options){ .cases = 10, .may_draw_nothing = true }, holds);
    int given = wr_check(&(wr_options){ .name = "given", .cases = 10 }, bodies[0]);
    int nameless = wr_check(NULL, bodies[0]);
    int taken = wr_check(&named, other);
    int nothing = wr_check(NULL, NULL);
    int empty = wr_check(&(wr_options){ .name = "" }, other);
    printf("holds %d, again %d, given %d, nameless %d, other %d, nothing %d, empty %d\n", first,
           again, given, nameless, taken, nothing, empty);
    return 0;
}
