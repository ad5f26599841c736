/* run/processes.h: the processes that a case starts, counted and ended.
 *
 * The nurse and the zygote are subreapers: a process whose parent has died becomes their child.
 * So they reach every process below them, whatever group or session it made for itself. /proc
 * names those processes quickly. Without it they are looked for by number.
 */
#ifndef WRI_RUN_PROCESSES_H
#define WRI_RUN_PROCESSES_H

#include <stdbool.h>
#include <sys/types.h>

/* Counts the processes below `root`, which leads a session: its children, their children and so
 * on, up to `most` of them. Those that nobody has waited for yet count, threads do not. */
unsigned wri_processes_below(pid_t root, unsigned most);
/* Kills the processes below `root`, as /proc shows them, some times over: they may be forking. */
void wri_processes_kill_below(pid_t root);
/* Whether `root` has one child, who has none. False also if /proc does not tell. */
bool wri_processes_alone(pid_t root);
/* Whether this process has a child, also one that has ended and was not waited for. */
bool wri_processes_any(void);
/* Whether the process above has another child: one that this process made for it (CLONE_PARENT),
 * or that it got as a subreaper. False also if /proc does not tell. */
bool wri_processes_beside(void);
/* Whether a child of this thread, or one beside it, is ready to run, and has had little of a
 * processor so far. False also if /proc does not tell. */
bool wri_processes_waiting(void);

/* Ends the children of this process, and those that become its children thereby. It spares those
 * that `spared` says true for; NULL: none. Numbers are looked at from `from` on, where /proc does
 * not help. Gives up after some seconds: a process may be where no signal reaches it. A signal
 * handler may call it. */
void wri_processes_end(pid_t from, bool (*spared)(pid_t pid));

#endif
