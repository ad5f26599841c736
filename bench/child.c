/* bench/child.c: see child.h. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Of all descendants that have been waited for. */
static double children_cpu(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

_Noreturn static void become(char *const *arguments, int out, bool loud)
{
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    if (!loud)
        dup2(nothing, STDERR_FILENO);
    dup2(out, STDOUT_FILENO);
    execvp(arguments[0], arguments);
    _exit(127);
}

/* Reads until the child's end of the pipe is closed. */
static size_t listen_to(int in, pid_t pid, char *output, size_t room, child_watch *watch,
                        void *context)
{
    double start = clock_seconds();
    size_t used = 0;
    for (;;) {
        char          spare[4096];
        struct pollfd at = { .fd = in, .events = POLLIN };
        if (poll(&at, 1, watch != NULL ? 2 : -1) == 0) {
            watch(pid, clock_seconds() - start, context);
            continue;
        }
        bool    full = used + 1 >= room;
        ssize_t got =
            read(in, full ? spare : output + used, full ? sizeof spare : room - 1 - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        used += full ? 0 : (size_t)got;
    }
    if (room > 0)
        output[used] = '\0';
    return used;
}

child run_child(char *const *arguments, char *output, size_t room, bool loud, child_watch *watch,
                void *context)
{
    child  ran = { .status = -1 };
    int    ends[2];
    double cpu = children_cpu(), start = clock_seconds();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return ran;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become(arguments, ends[1], loud);
    close(ends[1]);
    if (pid > 0)
        ran.used = listen_to(ends[0], pid, output, room, watch, context);
    close(ends[0]);
    int   status;
    pid_t ended;
    while ((ended = wait(&status)) > 0 || (ended < 0 && errno == EINTR))
        if (ended == pid)
            ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ran.cpu = children_cpu() - cpu;
    ran.seconds = clock_seconds() - start;
    return ran;
}

bool have_program(const char *name)
{
    const char *path = getenv("PATH");
    char        file[4096];
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
        if (access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

double count_lines(const char *path)
{
    FILE  *in = fopen(path, "r");
    double lines = 0;
    for (int c; in != NULL && (c = getc(in)) != EOF;)
        lines += c == '\n';
    if (in != NULL)
        fclose(in);
    return lines;
}
