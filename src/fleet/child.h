/* fleet/child.h: a program that runs beside this one: its start, its lines, its end.
 *
 * A child has a process group of its own, no input or that of a file, and two pipes for what it
 * prints. This process is a subreaper: what a child leaves behind becomes its child, and is
 * ended. A child is asked to end when this process dies.
 */
#ifndef WRI_FLEET_CHILD_H
#define WRI_FLEET_CHILD_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/note.h"

/* A line that is longer is cut: no program has to be believed. */
#define WRI_CHILD_LONGEST ((size_t)64 << 20)

/* What was read of a pipe and is no whole line yet. */
typedef struct wri_child_pipe {
    int    file; /* -1: it is closed */
    char  *text;
    size_t count, room, searched; /* searched: so many of it have no end of a line */
} wri_child_pipe;

/* Zeroed: nothing runs. */
typedef struct wri_child {
    pid_t          pid; /* 0: none */
    wri_child_pipe out, err;
    double         heard; /* when it printed something, or started */
    double         asked; /* when it was asked to end; 0: it was not */
    bool           ended; /* it was waited for: */
    int            how;   /* as waitpid() says */
} wri_child;

/* To be called once, before the first start. */
void wri_child_adopt(void);
/* input: a file that is its standard input; -1: none. False, and a line: it could not
 * start. */
bool wri_child_start(wri_child *child, const char *const *words, int input, wri_note *note);
/* The two entries of its pipes, for poll(). */
void wri_child_poll(const wri_child *child, struct pollfd files[2]);

/* Is told each line, without its end; false: no more of them. `error`: from standard error. */
typedef bool wri_child_line(void *context, char *line, size_t length, bool error);
/* Takes what it printed, and looks whether it has ended. True: it has, and all is told. */
bool wri_child_take(wri_child *child, wri_child_line *take, void *context);

/* Asks it to end; or ends it and all that it started. */
void wri_child_ask(wri_child *child);
void wri_child_kill(wri_child *child);
/* After its end: frees, and leaves a zeroed child. */
void wri_child_free(wri_child *child);
/* Ends the processes that ended children left behind. `spared` knows those that run. */
void wri_child_end_orphans(bool (*spared)(pid_t pid));

#endif
