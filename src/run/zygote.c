/* run/zygote.c: forks workers on demand, reaps them, and ends the children they leave behind. */
#include "run/zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/folder.h"

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

static bool is_worker(const wri_worker_setup *setups, unsigned slots, pid_t pid)
{
    for (unsigned i = 0; i < slots; i++)
        if (atomic_load(&setups[i].layout.cradle->pid) == pid)
            return true;
    return false;
}

/* Kills every child of this process that is no worker; with slots 0, every child. Returns how
 * many there were. */
static unsigned end_children(const wri_worker_setup *setups, unsigned slots)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    int      file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t  got = file < 0 ? 0 : read(file, text, sizeof text - 1);
    unsigned ended = 0;
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    for (char *at = text, *end; *at != '\0'; at = end) {
        pid_t pid = (pid_t)strtol(at, &end, 10);
        if (end == at || (*end != ' ' && *end != '\n')) /* the last may be cut: next time */
            break;
        while (*end == ' ' || *end == '\n')
            end++;
        if (pid <= 1 || is_worker(setups, slots, pid))
            continue;
        kill(pid, SIGKILL);
        ended++;
    }
    return ended;
}

/* Children of a worker end with it: it leads their process group, and those that left the
 * group are ours now. */
static void reap(const wri_worker_setup *setups, unsigned slots)
{
    int   status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        for (unsigned i = 0; i < slots; i++) {
            wri_cradle *cradle = setups[i].layout.cradle;
            wri_slot   *slot = setups[i].layout.slot;
            if (atomic_load(&cradle->pid) != pid)
                continue;
            kill(-pid, SIGKILL);
            atomic_store(&cradle->status, status);
            atomic_store(&cradle->pid, 0);
            if (atomic_exchange(&slot->forks, 0))
                end_children(setups, slots);
            atomic_store(&cradle->dead, 1);
            tell_parent(&setups[i]);
        }
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

static void fork_worker(const wri_worker_setup *setup, const sigset_t *mask)
{
    wri_cradle *cradle = setup->layout.cradle;
    pid_t       zygote = getpid();
    atomic_store(&cradle->wanted, 0);
    pid_t pid = fork_patiently();
    if (pid == 0) {
        sigprocmask(SIG_SETMASK, mask, NULL);
        wri_worker_main(setup, zygote);
    }
    if (pid < 0) { /* as if it had died at once; the parent decides */
        atomic_store(&cradle->status, 99 << 8);
        atomic_store(&cradle->dead, 1);
        tell_parent(setup);
    } else {
        setpgid(pid, pid);
        atomic_store(&cradle->pid, pid);
    }
}

/* Told to end, or the parent has died: nothing stays behind. */
_Noreturn static void end_all(const wri_worker_setup *setups, unsigned slots)
{
    for (unsigned i = 0; i < slots; i++) {
        pid_t pid = atomic_load(&setups[i].layout.cradle->pid);
        if (pid > 0)
            kill(-pid, SIGKILL);
    }
    for (int i = 0; i < 100; i++) {
        unsigned left = end_children(NULL, 0);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        if (left == 0)
            break;
        pause_for(1);
    }
    for (unsigned i = 0; i < slots; i++)
        wri_folder_remove(setups[i].tempdir_base);
    _exit(0);
}

_Noreturn static void zygote(const wri_worker_setup *setups, unsigned slots, pid_t parent)
{
    sigset_t listen, mask;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (getppid() != parent)
        _exit(0);
    setpgid(0, 0); /* Ctrl-C is for the parent */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    sigemptyset(&listen);
    sigaddset(&listen, SIGCHLD);
    sigaddset(&listen, SIGUSR1);
    sigaddset(&listen, SIGTERM);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &listen, &mask);
    sigdelset(&mask, SIGUSR1);
    sigdelset(&mask, SIGCHLD);
    sigdelset(&mask, SIGTERM);
    wri_arithmetic_set(&setups[0].arithmetic);
    if (!wri_worker_prepare(&mask))
        _exit(99);
    for (;;) {
        struct timespec second = { .tv_sec = 1 };
        reap(setups, slots);
        for (unsigned i = 0; i < slots; i++)
            if (atomic_load(&setups[i].layout.cradle->wanted))
                fork_worker(&setups[i], &mask);
        if (sigtimedwait(&listen, NULL, &second) == SIGTERM)
            end_all(setups, slots);
    }
}

pid_t wri_zygote_start(const wri_worker_setup *setups, unsigned slots)
{
    sigset_t block, old;
    pid_t    parent = getpid();
    fflush(NULL); /* or every worker would print what we have not yet */
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1); /* one that comes early must not kill it */
    sigaddset(&block, SIGTERM);
    sigprocmask(SIG_BLOCK, &block, &old);
    pid_t pid = fork();
    if (pid == 0)
        zygote(setups, slots, parent);
    sigprocmask(SIG_SETMASK, &old, NULL);
    return pid;
}

void wri_zygote_wake(pid_t pid)
{
    if (pid > 0)
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
