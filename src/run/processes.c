/* run/processes.c: the processes that a case starts, counted and ended. */
#include "run/processes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/grow.h"

#define HIGHEST_PID ((pid_t)1 << 22)

/* ---- Children by /proc ---- */

/* Calls `take` for each process that a thread started. The file is read in one piece, for it may
 * change between two reads; a list that does not fit is cut. False: there is no such file. */
static bool list_children(const char *path, void (*take)(pid_t pid, void *context), void *context)
{
    char text[1 << 16];
    int  file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    text[got > 0 ? got : 0] = '\0';
    for (char *at = text, *end;; at = end) {
        pid_t pid = (pid_t)strtol(at, &end, 10);
        if (end == at || *end != ' ') /* the last number may be cut */
            return true;
        take(pid, context);
    }
}

/* ---- Counting ---- */

typedef struct queue {
    pid_t *pids;
    size_t count, room;
} queue;

static void enqueue(pid_t pid, void *context)
{
    queue *all = context;
    pid_t *pids = wri_grow(all->pids, sizeof *pids, all->count, &all->room);
    if (pids == NULL)
        return;
    all->pids = pids;
    all->pids[all->count++] = pid;
}

/* The children of all threads of a process. False: /proc does not tell. */
static bool enqueue_children(queue *all, pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *threads = opendir(path);
    bool told = false;
    for (struct dirent *at; threads != NULL && (at = readdir(threads)) != NULL;) {
        if (at->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%ld/task/%.20s/children", (long)pid, at->d_name);
        told |= list_children(path, enqueue, all);
    }
    if (threads != NULL)
        closedir(threads);
    return told;
}

/* Is this /proc that of our numbers? In a namespace it may be another one's. */
static bool proc_is_ours(void)
{
    char    name[32];
    ssize_t length = readlink("/proc/self", name, sizeof name - 1);
    name[length > 0 ? length : 0] = '\0';
    return strtol(name, NULL, 10) == (long)getpid();
}

static unsigned count_session_between(pid_t leader, pid_t from, pid_t to, unsigned most)
{
    unsigned count = 0;
    for (pid_t pid = from; pid < to && count < most; pid++)
        count += pid != leader && getsid(pid) == leader;
    return count;
}

#define LOOKED_AT ((pid_t)1 << 16)

/* Numbers are given in turn: those of a session are near its leader's, or begin anew. Without
 * /proc, a process that made a session of its own is not seen. */
static unsigned count_session(pid_t leader, unsigned most)
{
    pid_t    low = leader < LOOKED_AT ? leader : LOOKED_AT;
    unsigned count = count_session_between(leader, leader, leader + LOOKED_AT, most);
    return count + count_session_between(leader, 2, low, most - count);
}

/* The processes below `root`, by /proc: at least `most`, or all. False: /proc does not tell. */
static bool enqueue_below(queue *all, pid_t root, size_t most)
{
    all->count = 0;
    if (root <= 1 || !proc_is_ours() || !enqueue_children(all, root))
        return false;
    for (size_t i = 0; i < all->count && all->count < most; i++)
        enqueue_children(all, all->pids[i]);
    return true;
}

static bool count_below(pid_t root, unsigned most, unsigned *count)
{
    queue all = { 0 };
    bool  told = enqueue_below(&all, root, most);
    free(all.pids);
    *count = all.count < most ? (unsigned)all.count : most;
    return told;
}

void wri_processes_kill_below(pid_t root)
{
    queue all = { 0 };
    for (int round = 0; round < 5 && enqueue_below(&all, root, 1 << 16); round++)
        for (size_t i = 0; i < all.count; i++)
            kill(all.pids[i], SIGKILL);
    free(all.pids);
}

unsigned wri_processes_below(pid_t root, unsigned most)
{
    unsigned count;
    return count_below(root, most, &count) ? count : count_session(root, most);
}

bool wri_processes_alone(pid_t root)
{
    unsigned count;
    return count_below(root, 2, &count) && count == 1;
}

bool wri_processes_any(void)
{
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

/* Has the process had so much of a processor, 50 ms, that it would have come back? */
static bool has_run(pid_t pid)
{
    clockid_t       clock;
    struct timespec used;
    return clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &used) == 0 &&
           (used.tv_sec > 0 || used.tv_nsec > 50000000);
}

/* "1234 (name) R 1 ..." */
static void look_at_state(pid_t pid, void *context)
{
    char  text[256], path[64];
    bool *waiting = context;
    if (pid == getpid()) /* beside itself */
        return;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    int     file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    text[got > 0 ? got : 0] = '\0';
    const char *end = strrchr(text, ')');
    *waiting |= end != NULL && strncmp(end, ") R", 3) == 0 && !has_run(pid);
}

/* Calls `take` for each child of the process above, this one among them. */
static void list_siblings(void (*take)(pid_t pid, void *context), void *context)
{
    char path[64];
    long above = (long)getppid();
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", above, above);
    if (proc_is_ours())
        list_children(path, take, context);
}

static void find_other(pid_t pid, void *context)
{
    bool *other = context;
    *other |= pid != getpid();
}

bool wri_processes_beside(void)
{
    bool other = false;
    list_siblings(find_other, &other);
    return other;
}

bool wri_processes_waiting(void)
{
    bool waiting = false;
    list_children("/proc/thread-self/children", look_at_state, &waiting);
    list_siblings(look_at_state, &waiting);
    return waiting;
}

/* ---- Ending ---- */

typedef struct sweep {
    bool (*spared)(pid_t pid);
    unsigned ended;
} sweep;

static void pause_for(long microseconds)
{
    struct timespec moment = { .tv_nsec = microseconds * 1000 };
    nanosleep(&moment, NULL);
}

/* Nobody else can have the number of a child that was not waited for. A child that cannot be
 * killed has become another user's. */
static void end_child(pid_t pid, void *context)
{
    sweep    *now = context;
    siginfo_t info;
    if (pid <= 1 || (now->spared != NULL && now->spared(pid)) ||
        waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0 ||
        kill(pid, SIGKILL) != 0)
        return;
    now->ended++;
    waitpid(pid, NULL, WNOHANG | __WALL);
}

/* By number: the children of a worker mostly have the numbers after its own. To look at all
 * numbers takes most of a second: it pays to wait for each, for it may have been the last. */
static void end_numbered(pid_t from, sweep *now)
{
    for (pid_t i = 0; i < HIGHEST_PID; i++) {
        unsigned before = now->ended;
        pid_t    pid = (from + i) % HIGHEST_PID;
        end_child(pid, now);
        if (now->ended == before)
            continue;
        for (int k = 0; k < 200 && waitpid(pid, NULL, WNOHANG | __WALL) == 0; k++)
            pause_for(k < 20 ? 50 : 1000);
        if (now->spared == NULL && !wri_processes_any())
            return;
    }
}

void wri_processes_end(pid_t from, bool (*spared)(pid_t pid))
{
    sweep now = { .spared = spared, .ended = 1 };
    for (int i = 0; i < 3000 && now.ended > 0 && wri_processes_any(); i++) {
        now.ended = 0;
        bool listed = list_children("/proc/thread-self/children", end_child, &now);
        if (!listed || (now.ended == 0 && spared == NULL && wri_processes_any()))
            end_numbered(from, &now);
        if (now.ended > 0)
            pause_for(i < 20 ? 50 : 1000);
    }
}
