/* run/place/addr2line.c: asks addr2line, in a process of its own that may be slow or hang.
 *
 * What is called addr2line may be a script that starts others. So the limit is on this side, and
 * the child leads a process group, which is killed as a whole.
 */
#include "run/place/addr2line.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"

double wri_addr2line_seconds = 30;

static bool (*hurry)(void);
static bool too_slow; /* it took too long: it is not asked again */

void wri_addr2line_hurry(bool (*hurries)(void))
{
    hurry = hurries;
}

/* The questions, in a file in memory: it may answer while it reads. */
static int write_questions(const uintptr_t *offsets, size_t count)
{
    int   file = memfd_create("warren-addresses", MFD_CLOEXEC);
    FILE *out = file < 0 ? NULL : fdopen(dup(file), "w");
    for (size_t i = 0; i < count && out != NULL; i++)
        fprintf(out, "0x%lx\n", (unsigned long)offsets[i]);
    if (out == NULL || fclose(out) != 0 || lseek(file, 0, SEEK_SET) != 0) {
        if (file >= 0)
            close(file);
        return -1;
    }
    return file;
}

/* Signals are as a program expects them. */
_Noreturn static void be_child(const char *path, int questions, int answers)
{
    sigset_t none;
    int      null = open("/dev/null", O_RDWR);
    sigemptyset(&none);
    setpgid(0, 0);
    dup2(questions, 0);
    dup2(null, 2);
    dup2(answers, 1);
    unsetenv("LD_PRELOAD");
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execlp("addr2line", "addr2line", "-a", "-f", "-i", "-e", path, (char *)NULL);
    execlp("llvm-addr2line", "llvm-addr2line", "-a", "-f", "-i", "-e", path, (char *)NULL);
    _exit(127);
}

/* Starts it; returns the child, and where its answers are read. -1: it cannot be started. */
static pid_t start(const char *path, const uintptr_t *offsets, size_t count, int *answers)
{
    int pipes[2], questions = write_questions(offsets, count);
    if (questions < 0 || pipe2(pipes, O_CLOEXEC) != 0) {
        if (questions >= 0)
            close(questions);
        return -1;
    }
    pid_t child = fork();
    if (child == 0)
        be_child(path, questions, pipes[1]);
    close(pipes[1]);
    close(questions);
    *answers = pipes[0];
    if (child < 0)
        close(pipes[0]);
    else
        setpgid(child, child);
    return child;
}

static bool time_is_over(double since)
{
    too_slow |= wri_clock_seconds() - since > wri_addr2line_seconds;
    return too_slow || (hurry != NULL && hurry());
}

/* Reads all answers. False: there is no memory, or no time. */
static bool read_all(int answers, char **text, double since)
{
    size_t used = 0, room = 0;
    for (;;) {
        struct pollfd ready = { .fd = answers, .events = POLLIN };
        if (room - used < 2) {
            char *grown = realloc(*text, room = 2 * room + 4096);
            if (grown == NULL)
                return false;
            *text = grown;
        }
        int     polled = poll(&ready, 1, 50);
        ssize_t got = polled > 0 ? read(answers, *text + used, room - used - 1) : 1;
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        used += polled > 0 && got > 0 ? (size_t)got : 0;
        if (time_is_over(since))
            return false;
    }
    (*text)[used] = '\0';
    return true;
}

/* Waits for its end. False: it has failed, or there is no time. */
static bool has_ended_well(pid_t child, double since)
{
    struct timespec moment = { .tv_nsec = 200000 };
    int             status = 0;
    pid_t           got;
    while ((got = waitpid(child, &status, WNOHANG)) == 0 || (got < 0 && errno == EINTR)) {
        if (time_is_over(since)) {
            kill(-child, SIGKILL);
            waitpid(child, NULL, 0);
            return false;
        }
        nanosleep(&moment, NULL);
    }
    return got == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

char *wri_addr2line_ask(const char *path, const uintptr_t *offsets, size_t count)
{
    int    answers = -1;
    char  *text = NULL;
    double since = wri_clock_seconds();
    pid_t  child = time_is_over(since) ? -1 : start(path, offsets, count, &answers);
    if (child < 0)
        return NULL;
    bool read = read_all(answers, &text, since);
    close(answers);
    if (!read)
        kill(-child, SIGKILL);
    if (has_ended_well(child, since) && read)
        return text;
    free(text);
    return NULL;
}
