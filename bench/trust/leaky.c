/* bench/trust/leaky.c: a property that leaks in two places, for trust.c.
 *
 * It is built with AddressSanitizer. LEAKY in the environment makes it leak; without that the
 * same cases free their memory. The linker puts a function of this file in the place of the leak
 * checker: it adds a line to the file LEAKY_REPORTS, with the process, for each report.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <warren.h>

#define NOT_INLINED __attribute__((noinline))

int __real___lsan_do_recoverable_leak_check(void);
int __wrap___lsan_do_recoverable_leak_check(void);

int __wrap___lsan_do_recoverable_leak_check(void)
{
    const char *path = getenv("LEAKY_REPORTS");
    int         found = __real___lsan_do_recoverable_leak_check();
    int         file =
        found && path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (file >= 0) {
        dprintf(file, "%ld\n", (long)getpid());
        close(file);
    }
    return found;
}

static bool leaky(void)
{
    static int is = -1;
    if (is < 0)
        is = getenv("LEAKY") != NULL;
    return is;
}

/* A tree of text, as a parser would make it. */
typedef struct tree {
    struct tree *left, *right;
    char        *text;
} tree;

NOT_INLINED static tree *grow(unsigned depth)
{
    tree *one = calloc(1, sizeof *one);
    if (one == NULL || depth == 0)
        return one;
    one->text = strdup("some text");
    one->left = grow(depth - 1);
    one->right = grow(depth - 1);
    return one;
}

static void fell(tree *one)
{
    if (one == NULL)
        return;
    fell(one->left);
    fell(one->right);
    free(one->text);
    free(one);
}

WR_PROPERTY(leaks_in_two_places)
{
    int64_t n = wr_int(t, "n", 0, 99);
    tree   *all = grow(3);
    if (all != NULL && n < 10 && leaky())
        all->text = NULL; /* a text, and above: all of a tree */
    if (n < 90 || !leaky())
        fell(all);
}
