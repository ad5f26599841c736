/* bench/child.h: running a program and measuring it with all its descendants.
 *
 * The CPU time is what the kernel adds up as processes are waited for. A descendant whose
 * parent went first comes to us (we are a subreaper) and is waited for here, so nothing is
 * lost.
 */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct child {
    int    status;  /* the exit status; 128 + n for signal n; -1: could not be run */
    double cpu;     /* seconds, user and system, of all processes */
    double seconds; /* on the clock */
    size_t used;    /* of what it printed */
} child;

/* Called every few milliseconds while the child runs. */
typedef void child_watch(pid_t pid, double seconds, void *context);

/* What the child prints on stdout goes to `output`, cut to fit and ended by a NUL; its stderr
 * is dropped unless `loud`. NULL for `watch`: nobody watches. */
child run_child(char *const *arguments, char *output, size_t room, bool loud, child_watch *watch,
                void *context);

/* The number of lines of a file; 0: it cannot be read. */
double count_lines(const char *path);

/* Is there such a program in PATH? */
bool have_program(const char *name);

#endif
