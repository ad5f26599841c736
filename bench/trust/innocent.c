/* bench/trust/innocent.c: the property that runs after each hostile one, and what all of them
 * share.
 *
 * It holds if the process is as it was at the start. `hostile --kinds` lists the hostile
 * properties and how each must end.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile.h"

volatile int sink, zero;

static kind *kinds;

void add_kind(kind *one)
{
    one->next = kinds;
    kinds = one;
}

bool bad(wr_case *t)
{
    return wr_int(t, "n", 0, 3) >= 2;
}

pid_t parent_of(pid_t pid)
{
    char  path[64];
    int   parent = 0;
    FILE *file;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    file = fopen(path, "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*d %*s %*c %d", &parent) != 1)
        parent = 0;
    fclose(file);
    return parent;
}

pid_t copy_this_process(void)
{
    return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

void sleep_for_ever(void)
{
    for (;;)
        pause();
}

void spin_for_ever(void)
{
    for (;;)
        sink++;
}

__attribute__((noinline)) void write_to_nowhere(void)
{
    int *volatile nowhere = (int *)(uintptr_t)16;
    *nowhere = 1;
}

/* ---- The innocent property ---- */

static char started_in[4096];

__attribute__((constructor)) static void remember(void)
{
    if (getcwd(started_in, sizeof started_in) == NULL)
        started_in[0] = '\0';
}

static void check_state(wr_case *t)
{
    sigset_t         mask;
    char             here[4096];
    mode_t           creation = umask(0);
    struct itimerval timer;
    umask(creation);
    wr_assert_eq(t, (int)creation, 022);
    wr_assert(t, getcwd(here, sizeof here) != NULL && strcmp(here, started_in) == 0);
    wr_assert_str_eq(t, getenv("TRUST_MARK"), "innocent");
    wr_assert_str_eq(t, setlocale(LC_ALL, NULL), "C");
    wr_assert_eq(t, fegetround(), FE_TONEAREST);
    volatile double small = 4e-310;
    wr_assert(t, small / 2 > 0);
    wr_assert(t, sigprocmask(SIG_SETMASK, NULL, &mask) == 0);
    for (int i = 1; i < 32; i++)
        wr_assert(t, !sigismember(&mask, i));
    wr_assert(t, getitimer(ITIMER_REAL, &timer) == 0 && timer.it_value.tv_sec == 0 &&
                     timer.it_value.tv_usec == 0);
    for (int i = 0; i <= 2; i++)
        wr_assert(t, fcntl(i, F_GETFD) != -1);
}

/* A process of its own, memory, a file: all of it still works. */
static void check_abilities(wr_case *t)
{
    char *path = wr_format(t, "%s/file", wr_tempdir(t));
    char *block = malloc(100000);
    int   status = 1, file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    pid_t child = fork();
    if (child == 0)
        _exit(7);
    wr_assert(t, child > 0 && waitpid(child, &status, 0) == child);
    wr_assert(t, WIFEXITED(status) && WEXITSTATUS(status) == 7);
    wr_assert(t, block != NULL && file >= 0 && write(file, "x", 1) == 1 && close(file) == 0);
    free(block);
}

WR_PROPERTY_WITH(innocent, .cases = 60)
{
    size_t   n = wr_size(t, "n", 0, 10);
    int32_t *xs = wr_i32s(t, "xs", n, -5, 5);
    int64_t  sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += xs[i];
    wr_assert(t, sum >= -50 && sum <= 50);
    printf("%zu numbers\n", n);
    check_state(t);
    if (n == 3)
        check_abilities(t);
}

int main(int argc, char **argv)
{
    if (argc != 2 || strcmp(argv[1], "--kinds") != 0)
        return wr_main(argc, argv);
    for (const kind *at = kinds; at != NULL; at = at->next)
        printf("%s %s\n", at->name, at->ends);
    return 0;
}
