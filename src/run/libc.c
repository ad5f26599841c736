/* run/libc.c: glibc's way and musl's; run/libc.h has the contract. */
#include "run/libc.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__

#include <execinfo.h>

int wri_libc_backtrace(void **frames, int room)
{
    return backtrace(frames, room);
}

const char *wri_libc_signal_name(int number)
{
    return sigabbrev_np(number);
}

void wri_libc_on_exit(void (*called)(int status, void *unused))
{
    on_exit(called, NULL);
}

#else

int wri_libc_backtrace(void **frames, int room)
{
    (void)frames, (void)room;
    return 0;
}

static const char *const NAMES[NSIG] = {
    [SIGHUP] = "HUP",   [SIGINT] = "INT",       [SIGQUIT] = "QUIT", [SIGILL] = "ILL",
    [SIGTRAP] = "TRAP", [SIGABRT] = "ABRT",     [SIGBUS] = "BUS",   [SIGFPE] = "FPE",
    [SIGKILL] = "KILL", [SIGUSR1] = "USR1",     [SIGSEGV] = "SEGV", [SIGUSR2] = "USR2",
    [SIGPIPE] = "PIPE", [SIGALRM] = "ALRM",     [SIGTERM] = "TERM", [SIGSTKFLT] = "STKFLT",
    [SIGCHLD] = "CHLD", [SIGCONT] = "CONT",     [SIGSTOP] = "STOP", [SIGTSTP] = "TSTP",
    [SIGTTIN] = "TTIN", [SIGTTOU] = "TTOU",     [SIGURG] = "URG",   [SIGXCPU] = "XCPU",
    [SIGXFSZ] = "XFSZ", [SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF", [SIGWINCH] = "WINCH",
    [SIGPOLL] = "POLL", [SIGPWR] = "PWR",       [SIGSYS] = "SYS",
};

const char *wri_libc_signal_name(int number)
{
    return number > 0 && number < NSIG ? NAMES[number] : NULL;
}

static void (*exit_called)(int status, void *unused);

static void call_it(void)
{
    exit_called(-1, NULL);
}

void wri_libc_on_exit(void (*called)(int status, void *unused))
{
    exit_called = called;
    atexit(call_it);
}

#endif
