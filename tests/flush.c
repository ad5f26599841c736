/* tests/flush.c: writes gcov's counters before a process ends without exit(). Part of the library
 * in a build that measures coverage (WARREN_COVERAGE), and of no other.
 *
 * Workers leave by _exit(), or by the signal of a crash; either would lose their counters. What
 * SIGKILL ends is lost.
 */
#include <dlfcn.h>
#include <gcov.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The failures of inject.c and starve.h, if one is there, are not meant for the counters' files.
 * These need a descriptor. Called before exit() writes them, too. */
__attribute__((destructor)) static void spare_counters(void)
{
    void (*rest)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "inject_rest");
    if (rest != NULL)
        rest();
    int spare = dup(2);
    if (spare >= 0)
        close(spare);
    else
        syscall(SYS_close_range, 3, ~0U, 0);
}

/* A crash in here, of counters that were overwritten, comes here again. */
static void write_counters(void)
{
    static bool begun;
    if (begun)
        return;
    begun = true;
    spare_counters();
    __gcov_dump();
}

void _exit(int status)
{
    write_counters();
    for (;;)
        syscall(SYS_exit_group, status);
}

/* How a crash handler goes on to the signal's default action. */
int raise(int signal)
{
    write_counters();
    return (int)syscall(SYS_tgkill, getpid(), gettid(), signal);
}
