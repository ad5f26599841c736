/* bench/trust/family.c: hostile properties that turn against the processes above them: signals,
 * stops, ptrace. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile.h"

/* The process that forked this one, the one above that, and the program itself. */
static pid_t above(int steps)
{
    pid_t pid = getpid();
    for (int i = 0; i < steps && pid > 1; i++)
        pid = parent_of(pid);
    return pid > 1 ? pid : getpid();
}

FAILS(kills_its_parent)
{
    if (!bad(t))
        return;
    kill(getppid(), SIGKILL);
    sleep_for_ever();
}

FAILS(kills_the_second_above)
{
    if (!bad(t))
        return;
    kill(above(2), SIGKILL);
    sleep_for_ever();
}

FAILS(kills_both_above)
{
    if (!bad(t))
        return;
    pid_t second = above(2);
    kill(getppid(), SIGKILL);
    kill(second, SIGKILL);
    sleep_for_ever();
}

FAILS(terminates_its_parent)
{
    if (!bad(t))
        return;
    kill(getppid(), SIGTERM);
    sleep_for_ever();
}

FAILS(terminates_the_second_above)
{
    if (!bad(t))
        return;
    kill(above(2), SIGTERM);
    sleep_for_ever();
}

HOLDS(stops_its_parent)
{
    if (bad(t))
        kill(getppid(), SIGSTOP);
}

FAILS(stops_its_parent_and_fails)
{
    kill(getppid(), SIGSTOP);
    wr_assert(t, !bad(t));
}

FAILS(stops_its_parent_and_crashes)
{
    kill(getppid(), SIGSTOP);
    if (bad(t))
        write_to_nowhere();
}

HOLDS(stops_the_second_above)
{
    if (bad(t))
        kill(above(2), SIGSTOP);
}

FAILS(stops_both_above_and_crashes)
{
    kill(above(2), SIGSTOP);
    kill(getppid(), SIGSTOP);
    if (bad(t))
        write_to_nowhere();
}

FAILS(stops_its_parent_again_and_again)
{
    if (bad(t))
        for (;;)
            kill(getppid(), SIGSTOP);
}

static const int HARMLESS[] = { SIGUSR1, SIGUSR2, SIGHUP,  SIGINT,  SIGALRM, SIGPIPE,
                                SIGCHLD, SIGCONT, SIGPROF, SIGTSTP, SIGTTIN, SIGQUIT };

static void send_all(pid_t pid)
{
    for (size_t i = 0; i < sizeof HARMLESS / sizeof *HARMLESS; i++)
        kill(pid, HARMLESS[i]);
}

HOLDS(sends_signals_to_its_parent)
{
    if (bad(t))
        send_all(getppid());
}

HOLDS(sends_signals_to_the_second_above)
{
    if (bad(t))
        send_all(above(2));
}

HOLDS(queues_signals_to_its_parent)
{
    if (bad(t))
        for (int i = 0; i < 200; i++)
            sigqueue(getppid(), SIGRTMIN + i % 20, (union sigval){ .sival_int = i });
}

HOLDS(sends_harmless_signals_to_the_program)
{
    static const int own[] = { SIGPIPE, SIGCHLD, SIGCONT, SIGURG, SIGWINCH };
    if (bad(t))
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            kill(above(3), own[i]);
}

/* A left child sends the signal when the case is over. */
static void send_later(pid_t to, int signal)
{
    if (fork() != 0)
        return;
    setsid();
    usleep(20000);
    kill(to, signal);
    _exit(0);
}

EITHER(kills_its_parent_later)
{
    if (bad(t))
        send_later(getppid(), SIGKILL);
}

EITHER(kills_the_worker_later)
{
    if (bad(t))
        send_later(getpid(), SIGKILL);
}

EITHER(stops_the_worker_later)
{
    if (bad(t))
        send_later(getpid(), SIGSTOP);
}

/* ---- Ends of the whole run: nothing can prevent them ---- */

ENDS_RUN(kills_the_program)
{
    if (bad(t))
        kill(above(3), SIGKILL);
}

ENDS_RUN(kills_the_program_and_leaves_children)
{
    if (!bad(t))
        return;
    if (fork() == 0) {
        setsid();
        sleep_for_ever();
    }
    kill(above(3), SIGKILL);
}

ENDS_RUN(terminates_the_program)
{
    if (bad(t))
        kill(above(3), SIGTERM);
}

ENDS_RUN(interrupts_the_program)
{
    if (bad(t))
        kill(above(3), SIGINT);
}

ENDS_RUN(hangs_up_the_program)
{
    if (bad(t))
        kill(above(3), SIGHUP);
}

ENDS_RUN(interrupts_the_program_and_hangs)
{
    if (!bad(t))
        return;
    kill(above(3), SIGINT);
    sleep_for_ever();
}

ENDS_RUN(kills_the_program_and_all_between)
{
    if (!bad(t))
        return;
    pid_t program = above(3), second = above(2);
    kill(program, SIGKILL);
    kill(second, SIGKILL);
    kill(getppid(), SIGKILL);
}

/* ---- ptrace ---- */

HOLDS(asks_to_be_traced)
{
    if (bad(t))
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

FAILS(asks_to_be_traced_and_crashes)
{
    if (!bad(t))
        return;
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    write_to_nowhere();
}

HOLDS(asks_to_be_traced_and_gets_signals)
{
    if (!bad(t))
        return;
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    raise(SIGCHLD);
}

FAILS(asks_to_be_traced_and_becomes_a_program)
{
    if (!bad(t))
        return;
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    execlp("true", "true", (char *)NULL);
}

FAILS(asks_to_be_traced_and_stops)
{
    if (!bad(t))
        return;
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    sleep_for_ever();
}

HOLDS(traces_its_parent)
{
    if (bad(t))
        ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
}

HOLDS(seizes_the_second_above)
{
    if (bad(t))
        ptrace(PTRACE_SEIZE, above(2), NULL, NULL);
}

HOLDS(child_traces_the_worker)
{
    if (!bad(t))
        return;
    pid_t worker = getpid(), child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_ATTACH, worker, NULL, NULL) == 0) {
            waitpid(worker, NULL, __WALL);
            ptrace(PTRACE_DETACH, worker, NULL, NULL);
        }
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

/* A tracer that stays, and does not let go. */
EITHER(left_child_traces_the_worker)
{
    if (!bad(t))
        return;
    pid_t worker = getpid();
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    if (fork() == 0) {
        setsid();
        ptrace(PTRACE_ATTACH, worker, NULL, NULL);
        sleep_for_ever();
    }
    usleep(20000);
}

HOLDS(left_child_traces_the_parent)
{
    if (!bad(t))
        return;
    pid_t parent = getppid();
    if (fork() == 0) {
        setsid();
        ptrace(PTRACE_ATTACH, parent, NULL, NULL);
        sleep_for_ever();
    }
}

HOLDS(traces_a_child)
{
    if (!bad(t))
        return;
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    ptrace(PTRACE_CONT, child, NULL, NULL);
    waitpid(child, NULL, 0);
}
