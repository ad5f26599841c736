/* run/zygote.c: see zygote.h. */
#include "run/zygote.h"

#include <errno.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void tell_parent(const wri_worker_setup *setup)
{
    atomic_fetch_add(&setup->shared->event, 1);
    wri_futex_wake(&setup->shared->event);
}

/* Children of a worker end with it: it leads their process group. */
static void reap(const wri_worker_setup *setups, unsigned slots)
{
    int   status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (unsigned i = 0; i < slots; i++) {
            wri_slot *slot = setups[i].layout.slot;
            if (atomic_load(&slot->pid) != pid)
                continue;
            kill(-pid, SIGKILL);
            atomic_store(&slot->status, status);
            atomic_store(&slot->pid, 0);
            atomic_store(&slot->dead, 1);
            tell_parent(&setups[i]);
        }
}

static void fork_worker(const wri_worker_setup *setup, const sigset_t *mask)
{
    wri_slot *slot = setup->layout.slot;
    pid_t     pid = fork();
    if (pid == 0) {
        sigprocmask(SIG_SETMASK, mask, NULL);
        wri_worker_main(setup);
    }
    if (pid < 0) { /* as if it had died at once; the parent decides */
        atomic_store(&slot->status, 99 << 8);
        atomic_store(&slot->dead, 1);
        tell_parent(setup);
    } else {
        setpgid(pid, pid);
        atomic_store(&slot->pid, pid);
    }
    atomic_store(&slot->wanted, 0);
}

_Noreturn static void zygote(const wri_worker_setup *setups, unsigned slots, pid_t parent)
{
    sigset_t listen, mask;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (getppid() != parent)
        _exit(0);
    setpgid(0, 0); /* Ctrl-C is for the parent */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    sigemptyset(&listen);
    sigaddset(&listen, SIGCHLD);
    sigaddset(&listen, SIGUSR1);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &listen, &mask);
    sigdelset(&mask, SIGUSR1);
    sigdelset(&mask, SIGCHLD);
    wri_frames_prepare();
    for (;;) {
        struct timespec second = { .tv_sec = 1 };
        reap(setups, slots);
        for (unsigned i = 0; i < slots; i++)
            if (atomic_load(&setups[i].layout.slot->wanted))
                fork_worker(&setups[i], &mask);
        sigtimedwait(&listen, NULL, &second);
    }
}

pid_t wri_zygote_start(const wri_worker_setup *setups, unsigned slots)
{
    sigset_t block, old;
    pid_t    parent = getpid();
    fflush(NULL); /* or every worker would print what we have not yet */
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1); /* one that comes early must not kill it */
    sigprocmask(SIG_BLOCK, &block, &old);
    pid_t pid = fork();
    if (pid == 0)
        zygote(setups, slots, parent);
    sigprocmask(SIG_SETMASK, &old, NULL);
    return pid;
}

void wri_zygote_wake(pid_t pid)
{
    kill(pid, SIGUSR1);
}
