/* tests/flush.c: writes gcov's counters before a process ends without exit(). Part of the library
 * in a build that measures coverage (WARREN_COVERAGE), and of no other.
 *
 * Workers leave by _exit(), or by the signal of a crash; either would lose their counters. What
 * SIGKILL ends is lost.
 */
#include <gcov.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

void _exit(int status)
{
    __gcov_dump();
    for (;;)
        syscall(SYS_exit_group, status);
}

/* How a crash handler goes on to the signal's default action. */
int raise(int signal)
{
    __gcov_dump();
    return (int)syscall(SYS_tgkill, getpid(), gettid(), signal);
}
