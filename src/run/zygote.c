/* run/zygote.c: forks nurses and workers, reaps them, and ends the processes they leave behind.
 *
 * The zygote forks a nurse for each slot that is in use. The nurse forks the slot's workers, one
 * after the other. Whatever a worker leaves behind becomes the nurse's child, and the nurse ends
 * it before she says that the worker is dead. Whatever a nurse leaves behind, because code under
 * test killed her, becomes the zygote's child.
 */
#include "run/zygote.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/folder.h"
#include "run/processes.h"
#include "run/runner.h"

/* The slots. Static: signal handlers need them. */
static const wri_worker_setup *setups;
static unsigned                slot_count;
static sigset_t                workers_mask;
static int                     dumpable, priority; /* as the program had them */

static void tell_parent(const wri_worker_setup *setup)
{
    atomic_fetch_add(&setup->shared->event, 1);
    wri_futex_wake(&setup->shared->event);
}

static void pause_for(long milliseconds)
{
    struct timespec moment = { .tv_sec = milliseconds / 1000,
                               .tv_nsec = milliseconds % 1000 * 1000000 };
    nanosleep(&moment, NULL);
}

/* When the machine has no process to spare, it may have one in a moment. */
static pid_t fork_patiently(void)
{
    for (int i = 0;; i++) {
        pid_t pid = fork();
        if (pid >= 0 || i == 100)
            return pid;
        pause_for(20);
    }
}

/* The worker is dead, and nothing is left of it. */
static void report_death(const wri_worker_setup *setup, int status)
{
    wri_cradle *cradle = setup->layout.cradle;
    atomic_store(&cradle->status, status);
    atomic_store(&cradle->pid, 0);
    atomic_store(&cradle->dead, 1);
    tell_parent(setup);
}

/* A worker or nurse cannot be started. The parent decides. */
static void report_no_process(const wri_worker_setup *setup)
{
    snprintf(setup->layout.slot->verdict.message, sizeof setup->layout.slot->verdict.message,
             "cannot fork: %s", strerror(errno));
    atomic_store(&setup->layout.cradle->wanted, 0);
    report_death(setup, 99 << 8);
}

/* ---- The nurse ---- */

/* Her worker; 0: none. When the zygote has died, the cradle may have the next nurse's worker. */
static volatile pid_t nursed;

/* Told to end, or the zygote has died: nothing stays behind. */
static void on_end(int unused)
{
    (void)unused;
    pid_t pid = nursed;
    if (pid > 0)
        kill(-pid, SIGKILL);
    wri_processes_end(pid > 0 ? pid : getpid(), NULL);
    _exit(0);
}

static void block_end(int how)
{
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    sigprocmask(how, &end, NULL);
}

static pid_t fork_worker(const wri_worker_setup *setup)
{
    pid_t nurse = getpid();
    block_end(SIG_BLOCK);
    pid_t pid = fork_patiently();
    if (pid == 0) {
        signal(SIGTERM, SIG_DFL);
        sigprocmask(SIG_SETMASK, &workers_mask, NULL);
        prctl(PR_SET_DUMPABLE, dumpable);
        setpriority(PRIO_PROCESS, 0, priority);
        wri_worker_main(setup, nurse);
    }
    if (pid > 0) {
        setpgid(pid, pid);
        nursed = pid;
    }
    block_end(SIG_UNBLOCK); /* if she has been replaced meanwhile, she ends here */
    if (pid < 0) {
        report_no_process(setup);
    } else {
        atomic_store(&setup->layout.cradle->pid, pid);
        atomic_store(&setup->layout.cradle->wanted, 0);
    }
    return pid;
}

/* Waits until the worker is dead, and does not reap it yet: its number is still its own. A child
 * that asked to be traced (PTRACE_TRACEME) stops at each signal and waits for us; it goes on
 * untraced. */
static void wait_for(pid_t worker)
{
    for (;;) {
        siginfo_t info = { 0 };
        if (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT | __WALL) != 0) {
            if (errno == EINTR)
                continue;
            return;
        }
        if (info.si_code == CLD_TRAPPED || info.si_code == CLD_STOPPED)
            ptrace(PTRACE_DETACH, info.si_pid, NULL, (void *)(intptr_t)info.si_status);
        else if (info.si_pid == worker)
            return;
        else
            waitpid(info.si_pid, NULL, WNOHANG | __WALL);
    }
}

_Noreturn static void be_nurse(const wri_worker_setup *setup, pid_t zygote)
{
    struct sigaction end = { .sa_handler = on_end };
    wri_cradle      *cradle = setup->layout.cradle;
    sigaction(SIGTERM, &end, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (getppid() != zygote)
        _exit(0);
    setsid(); /* code under test has no terminal */
    priority = getpriority(PRIO_PROCESS, 0);
    setpriority(PRIO_PROCESS, 0, -20); /* if allowed: faster than those that she has to end */
    block_end(SIG_UNBLOCK);
    for (;;) {
        wri_futex_wait(&cradle->wanted, 0, 60000);
        if (!atomic_load(&cradle->wanted))
            continue;
        pid_t worker = fork_worker(setup);
        int   status = 0;
        if (worker < 0)
            continue;
        wait_for(worker);
        kill(-worker, SIGKILL);
        waitpid(worker, &status, __WALL);
        wri_processes_end(worker, NULL);
        nursed = 0;
        report_death(setup, status);
    }
}

/* ---- The zygote ---- */

static bool is_nurse(pid_t pid)
{
    for (unsigned i = 0; i < slot_count; i++)
        if (atomic_load(&setups[i].layout.cradle->nurse) == pid)
            return true;
    return false;
}

static void fork_nurse(const wri_worker_setup *setup)
{
    pid_t zygote = getpid();
    pid_t pid = fork_patiently();
    if (pid == 0)
        be_nurse(setup, zygote);
    if (pid < 0)
        report_no_process(setup);
    else
        atomic_store(&setup->layout.cradle->nurse, pid);
}

/* Code under test killed the nurse. Her worker has died with her, or dies now. A worker that is
 * still wanted has done nothing: the next nurse forks it. */
static void lose_nurse(const wri_worker_setup *setup)
{
    wri_cradle *cradle = setup->layout.cradle;
    pid_t       worker = atomic_load(&cradle->pid);
    if (worker > 0)
        kill(-worker, SIGKILL);
    atomic_store(&cradle->nurse, 0);
    wri_processes_end(worker > 0 ? worker : getpid(), is_nurse);
    if (worker > 0 && !atomic_load(&cradle->wanted))
        report_death(setup, SIGKILL);
    else
        atomic_store(&cradle->pid, 0);
}

/* A nurse that was stopped goes on. */
static void reap(void)
{
    int   status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED | __WALL)) > 0)
        for (unsigned i = 0; i < slot_count; i++) {
            if (atomic_load(&setups[i].layout.cradle->nurse) != pid)
                continue;
            if (WIFSTOPPED(status))
                kill(pid, SIGCONT);
            else
                lose_nurse(&setups[i]);
            break;
        }
}

/* Nurses are asked to end, and those that do not are killed. */
static void end_nurses(void)
{
    for (unsigned i = 0; i < slot_count; i++) {
        pid_t nurse = atomic_load(&setups[i].layout.cradle->nurse);
        if (nurse > 0)
            kill(nurse, SIGTERM);
    }
    for (int i = 0; i < 500 && wri_processes_any(); i++) {
        while (waitpid(-1, NULL, WNOHANG | __WALL) > 0)
            ;
        pause_for(i < 10 ? 0 : 1);
    }
    for (unsigned i = 0; i < slot_count; i++) {
        pid_t worker = atomic_load(&setups[i].layout.cradle->pid);
        if (worker > 0)
            kill(-worker, SIGKILL);
    }
    wri_processes_end(getpid(), NULL);
}

/* Told to end, or the parent has died: nothing stays behind. */
_Noreturn static void end_all(void)
{
    end_nurses();
    dup2(STDOUT_FILENO, STDERR_FILENO); /* nowhere: nobody waits for our end who reads both */
    for (unsigned i = 0; i < slot_count; i++)
        wri_folder_remove(setups[i].tempdir_base);
    _exit(0);
}

/* The zygote and the nurses block all other signals, Ctrl-C's among them. The worker's mask is
 * that of the parent, without the signals that others send. */
static void listen_to(sigset_t *heard)
{
    sigset_t all;
    sigemptyset(heard);
    sigaddset(heard, SIGCHLD);
    sigaddset(heard, SIGUSR1);
    sigaddset(heard, SIGTERM);
    sigfillset(&all);
    signal(SIGTERM, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &all, &workers_mask);
    sigdelset(&workers_mask, SIGUSR1);
    sigdelset(&workers_mask, SIGCHLD);
    sigdelset(&workers_mask, SIGTERM);
}

static void prepare(void)
{
    wri_start *start = setups[0].start;
    wri_arithmetic_set(&setups[0].arithmetic);
    const char *failed = wri_worker_prepare(&workers_mask);
    if (failed != NULL) {
        snprintf(start->why, sizeof start->why, "%s: %s", failed, strerror(errno));
        _exit(99);
    }
    dumpable = prctl(PR_GET_DUMPABLE);
    prctl(PR_SET_DUMPABLE, 0); /* nobody may trace it, except root */
    atomic_store(&start->ready, 1);
    wri_futex_wake(&start->ready);
}

_Noreturn static void be_zygote(pid_t parent)
{
    sigset_t heard;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (getppid() != parent)
        _exit(0);
    setpgid(0, 0); /* Ctrl-C is for the parent */
    listen_to(&heard);
    prepare();
    for (;;) {
        struct timespec second = { .tv_sec = 1 };
        reap();
        for (unsigned i = 0; i < slot_count; i++)
            if (atomic_load(&setups[i].layout.cradle->wanted) &&
                atomic_load(&setups[i].layout.cradle->nurse) == 0)
                fork_nurse(&setups[i]);
        if (sigtimedwait(&heard, NULL, &second) == SIGTERM)
            end_all();
    }
}

/* ---- In the parent ---- */

pid_t wri_zygote_start(const wri_worker_setup *workers, unsigned slots,
                       void (*restore_signals)(void))
{
    sigset_t block, old;
    pid_t    parent = getpid();
    fflush(NULL); /* or every worker would print what we have not yet */
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1); /* one that comes early must not kill it */
    sigprocmask(SIG_BLOCK, &block, &old);
    setups = workers;
    slot_count = slots;
    atomic_store(&workers[0].start->ready, 0);
    workers[0].start->why[0] = '\0';
    pid_t pid = fork();
    if (pid == 0) {
        restore_signals();
        be_zygote(parent);
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    return pid;
}

bool wri_zygote_ready(const wri_start *start, pid_t pid)
{
    for (int i = 0; i < 1000; i++) {
        if (atomic_load(&start->ready))
            return true;
        if (!wri_zygote_lives(pid) || (i > 50 && wri_interrupt_came()))
            return false;
        wri_futex_wait((_Atomic uint32_t *)&start->ready, 0, 10);
    }
    return false;
}

bool wri_zygote_lives(pid_t pid)
{
    int   status = 0;
    pid_t got = pid <= 0 ? pid : waitpid(pid, &status, WNOHANG | WUNTRACED);
    if (got > 0 && WIFSTOPPED(status))
        return kill(pid, SIGCONT) == 0;
    return pid > 0 && (got == 0 || (got < 0 && errno == EINTR));
}

void wri_zygote_wake(pid_t pid, wri_cradle *cradle)
{
    wri_futex_wake(&cradle->wanted); /* the nurse, if there is one */
    if (pid > 0 && atomic_load(&cradle->nurse) == 0)
        kill(pid, SIGUSR1);
}

void wri_zygote_end(pid_t pid)
{
    kill(pid, SIGTERM);
    for (int i = 0; i < 2000; i++) {
        pid_t got = waitpid(pid, NULL, WNOHANG);
        if (got == pid || (got < 0 && errno != EINTR))
            return;
        if (i == 10)
            kill(pid, SIGCONT); /* code under test may have stopped it */
        pause_for(i < 10 ? 0 : 1);
    }
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}
