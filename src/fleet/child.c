/* fleet/child.c: a program that runs beside this one: its start, its lines, its end. */
#include "fleet/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "run/processes.h"

void wri_child_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* ---- Starting ---- */

/* In the new process. */
static void become(const char *const *words, pid_t parent, int input, int out, int err, int why)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (input < 0)
        input = open("/dev/null", O_RDONLY);
    if (getppid() == parent && dup2(input, 0) == 0 && dup2(out, 1) == 1 && dup2(err, 2) == 2)
        execvp(words[0], (char *const *)(uintptr_t)words);
    int     reason = errno;
    ssize_t wrote = write(why, &reason, sizeof reason);
    (void)wrote;
    _exit(127);
}

static void close_both(int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

/* The reason why the new process did not become the program; 0: it did. */
static int why_not(int file)
{
    int     reason = 0;
    ssize_t got;
    do
        got = read(file, &reason, sizeof reason);
    while (got < 0 && errno == EINTR);
    return got == sizeof reason ? reason : 0;
}

bool wri_child_start(wri_child *child, const char *const *words, int input, wri_note *note)
{
    int   out[2] = { -1, -1 }, err[2] = { -1, -1 }, why[2] = { -1, -1 };
    pid_t self = getpid(), pid = -1;
    *child = (wri_child){ .pid = 0 };
    if (pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0 && pipe2(why, O_CLOEXEC) == 0)
        pid = fork();
    if (pid == 0)
        become(words, self, input, out[1], err[1], why[1]);
    int reason = pid < 0 ? errno : 0;
    for (int i = 0; i < 3; i++) {
        int *end = i == 0 ? &out[1] : i == 1 ? &err[1] : &why[1];
        if (*end >= 0)
            close(*end);
        *end = -1;
    }
    if (pid > 0 && (reason = why_not(why[0])) != 0)
        waitpid(pid, NULL, 0);
    close(why[0]);
    if (reason != 0) {
        close_both(out);
        close_both(err);
        return wri_note_refuse(note, "it cannot be run: %s", strerror(reason));
    }
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    fcntl(err[0], F_SETFL, O_NONBLOCK);
    *child = (wri_child){
        .pid = pid, .out.file = out[0], .err.file = err[0], .heard = wri_clock_seconds()
    };
    return true;
}

void wri_child_poll(const wri_child *child, struct pollfd files[2])
{
    bool runs = child->pid > 0;
    files[0] = (struct pollfd){ .fd = runs ? child->out.file : -1, .events = POLLIN };
    files[1] = (struct pollfd){ .fd = runs ? child->err.file : -1, .events = POLLIN };
}

/* ---- Lines ---- */

typedef struct reader {
    wri_child_line *take;
    void           *context;
    bool            error, enough;
} reader;

static void tell(reader *to, char *line, size_t length)
{
    line[length] = '\0';
    to->enough = to->enough || !to->take(to->context, line, length, to->error);
}

static bool make_room(wri_child_pipe *pipe, size_t more)
{
    if (pipe->count + more + 1 <= pipe->room)
        return true;
    size_t room = 2 * pipe->room + more + 1;
    char  *text = realloc(pipe->text, room);
    if (text == NULL)
        return false;
    pipe->text = text;
    pipe->room = room;
    return true;
}

/* Tells the whole lines of what is there, and keeps the rest. */
static void split(wri_child_pipe *pipe, reader *to)
{
    char *from = pipe->text, *end = from + pipe->count, *at = from + pipe->searched, *newline;
    while ((newline = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        tell(to, from, (size_t)(newline - from));
        from = at = newline + 1;
    }
    pipe->count = (size_t)(end - from);
    memmove(pipe->text, from, pipe->count);
    if (pipe->count >= WRI_CHILD_LONGEST) {
        tell(to, pipe->text, pipe->count);
        pipe->count = 0;
    }
    pipe->searched = pipe->count;
}

static void close_pipe(wri_child_pipe *pipe, reader *to)
{
    if (pipe->count > 0)
        tell(to, pipe->text, pipe->count); /* make_room() left room for a NUL */
    pipe->count = 0;
    close(pipe->file);
    pipe->file = -1;
}

/* So much at a time: a program that prints without end must not keep others waiting. */
#define AT_ONCE 64

/* True: something was there. */
static bool take_pipe(wri_child_pipe *pipe, reader *to)
{
    bool any = false;
    for (int i = 0; i < AT_ONCE && pipe->file >= 0; i++) {
        size_t  most = 1 << 16;
        ssize_t got =
            make_room(pipe, most) ? read(pipe->file, pipe->text + pipe->count, most) : 0;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            break;
        any |= got > 0;
        if (got <= 0) {
            close_pipe(pipe, to);
            break;
        }
        pipe->count += (size_t)got;
        split(pipe, to);
    }
    return any;
}

bool wri_child_take(wri_child *child, wri_child_line *take, void *context)
{
    if (!child->ended && waitpid(child->pid, &child->how, WNOHANG) == child->pid)
        child->ended = true;
    reader out = { take, context, false, false }, err = { take, context, true, false };
    bool   any = take_pipe(&child->err, &err);
    any |= take_pipe(&child->out, &out);
    if (any)
        child->heard = wri_clock_seconds();
    if (out.enough || err.enough)
        wri_child_kill(child);
    if (!child->ended)
        return false;
    /* What it printed is read: more than a pipe holds. Whoever else has the pipes open has no
     * more to say. */
    if (child->out.file >= 0)
        close_pipe(&child->out, &out);
    if (child->err.file >= 0)
        close_pipe(&child->err, &err);
    return true;
}

/* ---- Ending ---- */

void wri_child_ask(wri_child *child)
{
    if (child->pid <= 0 || child->ended || child->asked > 0)
        return;
    child->asked = wri_clock_seconds();
    kill(child->pid, SIGTERM);
    kill(child->pid, SIGCONT);
}

void wri_child_kill(wri_child *child)
{
    if (child->pid <= 0 || child->ended)
        return;
    wri_processes_kill_below(child->pid);
    kill(-child->pid, SIGKILL);
    kill(child->pid, SIGKILL);
}

void wri_child_free(wri_child *child)
{
    wri_child_pipe *pipes[] = { &child->out, &child->err };
    for (int i = 0; i < 2 && child->pid > 0; i++) {
        if (pipes[i]->file >= 0)
            close(pipes[i]->file);
        free(pipes[i]->text);
    }
    *child = (wri_child){ .pid = 0 };
}

void wri_child_end_orphans(bool (*spared)(pid_t pid))
{
    wri_processes_end(getpid(), spared);
}
