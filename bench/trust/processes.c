/* bench/trust/processes.c: hostile properties that make processes, and leave them behind. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hostile.h"

extern char **environ;

static void wait_for(pid_t child)
{
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* ---- A child that comes back ---- */

FAILS(forked_child_returns)
{
    if (bad(t))
        wait_for(fork());
}

FAILS(forked_child_returns_unawaited)
{
    if (bad(t))
        fork();
}

FAILS(forked_child_draws)
{
    if (!bad(t))
        return;
    pid_t child = fork();
    if (child == 0)
        wr_int(t, "more", 0, 9);
    wait_for(child);
}

FAILS(forked_child_asserts)
{
    if (!bad(t))
        return;
    pid_t child = fork();
    wr_assert(t, child != 0);
    wait_for(child);
}

FAILS(cloned_child_returns)
{
    if (bad(t))
        wait_for(copy_this_process());
}

FAILS(cloned_child_returns_unawaited)
{
    if (bad(t))
        copy_this_process();
}

FAILS(cloned_child_draws)
{
    if (!bad(t))
        return;
    pid_t child = copy_this_process();
    if (child == 0)
        wr_int(t, "more", 0, 9);
    wait_for(child);
}

FAILS(cloned_child_asserts)
{
    if (!bad(t))
        return;
    pid_t child = copy_this_process();
    wr_assert(t, child != 0);
    wait_for(child);
}

FAILS(cloned_child_assumes)
{
    if (!bad(t))
        return;
    pid_t child = copy_this_process();
    wr_assume(t, child != 0);
    wait_for(child);
}

/* Its death sends no signal. */
FAILS(silently_cloned_child_returns)
{
    if (bad(t) && syscall(SYS_clone, 0, NULL, NULL, NULL, NULL) > 0)
        waitpid(-1, NULL, __WALL);
}

#ifdef SYS_vfork
FAILS(vforked_child_returns)
{
    if (bad(t))
        syscall(SYS_vfork);
}
#endif

FAILS(children_of_children_return)
{
    if (!bad(t))
        return;
    pid_t child = copy_this_process();
    if (child == 0 && copy_this_process() == 0)
        return;
    if (child == 0)
        _exit(0);
    wait_for(child);
}

/* ---- Children that keep to themselves ---- */

HOLDS(forked_child_exits)
{
    wr_bool(t, "b");
    pid_t child = fork();
    if (child == 0)
        _exit(3);
    wait_for(child);
}

HOLDS(forked_child_calls_exit)
{
    wr_bool(t, "b");
    pid_t child = fork();
    if (child == 0)
        exit(3);
    wait_for(child);
}

HOLDS(cloned_child_calls_exit)
{
    wr_bool(t, "b");
    pid_t child = copy_this_process();
    if (child == 0)
        exit(3);
    wait_for(child);
}

HOLDS(vforked_child_exits)
{
    wr_bool(t, "b");
    pid_t child = vfork();
    if (child == 0)
        _exit(3);
    wait_for(child);
}

HOLDS(forked_child_crashes)
{
    wr_bool(t, "b");
    pid_t child = fork();
    if (child == 0)
        write_to_nowhere();
    wait_for(child);
}

HOLDS(cloned_child_crashes)
{
    wr_bool(t, "b");
    pid_t child = copy_this_process();
    if (child == 0)
        write_to_nowhere();
    wait_for(child);
}

HOLDS(cloned_child_aborts)
{
    wr_bool(t, "b");
    pid_t child = copy_this_process();
    if (child == 0)
        abort();
    wait_for(child);
}

HOLDS(forked_child_scribbles_over_the_case)
{
    wr_bool(t, "b");
    pid_t child = fork();
    if (child == 0) {
        memset((void *)t, 0xa5, 4096);
        _exit(0);
    }
    wait_for(child);
}

EITHER(cloned_child_scribbles_over_the_case)
{
    if (!bad(t))
        return;
    pid_t child = copy_this_process();
    if (child == 0) {
        memset((void *)t, 0xa5, 4096);
        _exit(0);
    }
    wait_for(child);
}

static void *fork_and_return(void *unused)
{
    wait_for(fork());
    return unused;
}

HOLDS(thread_forks_and_its_child_ends_with_it)
{
    pthread_t thread;
    if (bad(t) && pthread_create(&thread, NULL, fork_and_return, NULL) == 0)
        pthread_join(thread, NULL);
}

static void fork_in_handler(int unused)
{
    (void)unused;
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
}

HOLDS(handler_forks)
{
    if (!bad(t))
        return;
    signal(SIGUSR1, fork_in_handler);
    raise(SIGUSR1);
}

/* ---- Other programs ---- */

HOLDS(spawned_program)
{
    char *const words[] = { "true", NULL };
    pid_t       child = 0;
    wr_bool(t, "b");
    if (posix_spawnp(&child, "true", NULL, NULL, words, environ) == 0)
        wait_for(child);
}

HOLDS(spawned_program_not_waited_for)
{
    char *const words[] = { "true", NULL };
    pid_t       child;
    wr_bool(t, "b");
    wr_assert(t, posix_spawnp(&child, "true", NULL, NULL, words, environ) == 0);
}

HOLDS(spawned_program_left_running)
{
    char *const words[] = { "sleep", "1000", NULL };
    pid_t       child;
    if (bad(t))
        wr_assert(t, posix_spawnp(&child, "sleep", NULL, NULL, words, environ) == 0);
}

HOLDS(shell_commands)
{
    wr_bool(t, "b");
    wr_assert_eq(t, system("exit 0"), 0);
}

HOLDS(shell_commands_in_the_background)
{
    if (bad(t))
        wr_assert_eq(t, system("sleep 1000 & sleep 1000 &"), 0);
}

HOLDS(pipe_to_a_program)
{
    wr_bool(t, "b");
    FILE *to = popen("cat >/dev/null", "w");
    wr_assert(t, to != NULL);
    fputs("text\n", to);
    wr_assert_eq(t, pclose(to), 0);
}

HOLDS(pipe_to_a_program_left_open)
{
    if (bad(t))
        wr_assert(t, popen("cat >/dev/null", "w") != NULL);
}

HOLDS(vforked_child_becomes_a_program)
{
    wr_bool(t, "b");
    pid_t child = vfork();
    if (child == 0) {
        execlp("true", "true", (char *)NULL);
        _exit(127);
    }
    wait_for(child);
}

FAILS(becomes_another_program)
{
    if (bad(t))
        execlp("true", "true", (char *)NULL);
}

FAILS(becomes_a_program_that_hangs)
{
    if (bad(t))
        execlp("sleep", "sleep", "1000", (char *)NULL);
}

FAILS(becomes_itself)
{
    char *const words[] = { "hostile", "--no-store", "becomes_itself", NULL };
    if (bad(t))
        execv("/proc/self/exe", words);
}

HOLDS(fails_to_become_a_program)
{
    if (bad(t))
        execlp("/no/such/program", "program", (char *)NULL);
}

EITHER(runs_a_property_in_the_property)
{
    extern void innocent_inside(wr_case *);
    wr_bool(t, "b");
    wr_options own = { .name = "inside", .cases = 3 };
    if (bad(t))
        wr_check(&own, innocent_inside);
}

void innocent_inside(wr_case *t)
{
    wr_bool(t, "b");
}

/* ---- Left behind ---- */

static void leave_child(bool session, bool deaf)
{
    if (fork() != 0)
        return;
    sigset_t all;
    sigfillset(&all);
    if (session)
        setsid();
    if (deaf)
        sigprocmask(SIG_BLOCK, &all, NULL);
    prctl(PR_SET_PDEATHSIG, 0);
    sleep_for_ever();
}

HOLDS(leaves_a_child)
{
    if (bad(t))
        leave_child(false, false);
}

HOLDS(leaves_a_child_in_a_session)
{
    if (bad(t))
        leave_child(true, false);
}

HOLDS(leaves_a_child_that_hears_nothing)
{
    if (bad(t))
        leave_child(true, true);
}

HOLDS(leaves_a_child_that_is_stopped)
{
    if (bad(t) && fork() == 0) {
        setsid();
        raise(SIGSTOP);
        sleep_for_ever();
    }
}

HOLDS(leaves_a_child_that_spins)
{
    if (bad(t) && fork() == 0) {
        setsid();
        spin_for_ever();
    }
}

HOLDS(leaves_a_daemon)
{
    if (!bad(t))
        return;
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() != 0)
            _exit(0);
        sleep_for_ever();
    }
    wait_for(child);
}

HOLDS(leaves_a_cloned_daemon)
{
    if (!bad(t))
        return;
    pid_t child = copy_this_process();
    if (child == 0) {
        setsid();
        if (copy_this_process() != 0)
            _exit(0);
        sleep_for_ever();
    }
    wait_for(child);
}

/* Each has one child, and ends: at no time are there many. */
HOLDS(leaves_a_process_that_always_has_another_number)
{
    if (!bad(t) || fork() != 0)
        return;
    setsid();
    for (int i = 0; i < 2000; i++) {
        if (fork() > 0)
            _exit(0);
        setsid();
        nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
    }
    _exit(0);
}

HOLDS(leaves_many_that_nobody_waits_for)
{
    if (bad(t))
        for (int i = 0; i < 40; i++)
            if (copy_this_process() == 0)
                _exit(0);
}

HOLDS(leaves_forty_children)
{
    if (bad(t))
        for (int i = 0; i < 40; i++)
            if (copy_this_process() == 0) {
                setsid();
                sleep_for_ever();
            }
}

HOLDS(leaves_a_child_as_a_subreaper)
{
    if (!bad(t))
        return;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0)
            sleep_for_ever();
        _exit(0);
    }
    wait_for(child);
}

HOLDS(leaves_children_with_death_ignored)
{
    if (!bad(t))
        return;
    signal(SIGCHLD, SIG_IGN);
    leave_child(true, false);
}

HOLDS(waits_for_every_child_there_is)
{
    wr_bool(t, "b");
    for (int i = 0; i < 3; i++)
        if (fork() == 0)
            _exit(i);
    while (wait(NULL) > 0)
        continue;
    wr_assert_eq(t, errno, ECHILD);
}

/* ---- Too many ---- */

/* Only a mistake of Warren's reaches the bound. */
static void multiply(bool sessions, pid_t (*make)(void))
{
    _Atomic unsigned *count =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    while (count != MAP_FAILED && atomic_fetch_add(count, 1) < 350) {
        if (make() == 0 && sessions)
            setsid();
        nanosleep(&(struct timespec){ .tv_nsec = 500000 }, NULL);
    }
    sleep_for_ever();
}

FAILS(bomb_of_forks)
{
    if (bad(t))
        multiply(false, fork);
}

FAILS(bomb_of_forks_in_sessions)
{
    if (bad(t))
        multiply(true, fork);
}

FAILS(bomb_of_clones_in_sessions)
{
    if (bad(t))
        multiply(true, copy_this_process);
}

FAILS(hundred_children_at_once)
{
    if (!bad(t))
        return;
    for (int i = 0; i < 100; i++)
        if (fork() == 0)
            sleep_for_ever();
    sleep_for_ever();
}

HOLDS_WITH(hundred_children_that_are_allowed, .processes = 150, .fork_each = true)
{
    if (!bad(t))
        return;
    for (int i = 0; i < 100; i++)
        if (copy_this_process() == 0)
            sleep_for_ever();
    nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
}

/* ---- Groups and sessions ---- */

HOLDS(makes_a_session)
{
    if (bad(t))
        setsid();
}

HOLDS(joins_another_group)
{
    if (bad(t))
        setpgid(0, getpgid(getppid()));
}

HOLDS(kills_its_group_of_children)
{
    if (!bad(t))
        return;
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        sleep_for_ever();
    }
    setpgid(child, child);
    kill(-child, SIGKILL);
    wait_for(child);
}

FAILS(kills_its_own_group)
{
    if (bad(t))
        kill(0, SIGKILL);
}

/* ---- worker_setup ---- */

static void start_server(void)
{
    if (fork() == 0)
        sleep_for_ever();
}

HOLDS_WITH(server_of_the_worker, .worker_setup = start_server)
{
    siginfo_t info = { 0 };
    wr_bool(t, "b");
    wr_assert(t, waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0);
}

static void return_twice(void)
{
    copy_this_process();
}

EITHER_WITH(worker_setup_returns_twice, .worker_setup = return_twice)
{
    wr_bool(t, "b");
}

static void hang(void)
{
    sleep_for_ever();
}

FAILS_WITH(worker_setup_hangs, .worker_setup = hang)
{
    wr_bool(t, "b");
}

FLAKY_WITH(worker_teardown_hangs, .worker_teardown = hang)
{
    wr_bool(t, "b");
}

FLAKY_WITH(worker_teardown_crashes, .worker_teardown = write_to_nowhere)
{
    wr_bool(t, "b");
}

static void leave(void)
{
    _exit(5);
}

FAILS_WITH(worker_setup_exits, .worker_setup = leave)
{
    wr_bool(t, "b");
}

/* The copy is a child of the process above, and goes on with the property. */
FAILS(copies_itself_beside)
{
    if (bad(t))
        syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
}
