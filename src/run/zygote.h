/* run/zygote.h: the small process that workers are forked from.
 *
 * The zygote is forked before the parent allocates anything large. It forks a nurse for each
 * slot, who forks the workers of the slot. Both do nothing else and stay small, because a fork
 * costs as much as the forking process has memory. A process that a worker leaves behind becomes
 * the nurse's child, and is ended before the worker counts as dead.
 */
#ifndef WRI_RUN_ZYGOTE_H
#define WRI_RUN_ZYGOTE_H

#include <sys/types.h>

#include "run/worker.h"

/* Returns the zygote's pid, or -1. `workers` has one entry a slot, and stays where it is. The
 * zygote calls restore_signals first: the parent's handlers are not for cases. */
pid_t wri_zygote_start(const wri_worker_setup *workers, unsigned slots,
                       void (*restore_signals)(void));
/* Waits until the zygote can fork workers. False: it has died, and start->why says why, or it
 * does not answer, or the run is interrupted. */
bool wri_zygote_ready(const wri_start *start, pid_t zygote);
/* False: it has died. One that was stopped goes on. */
bool wri_zygote_lives(pid_t zygote);
/* Tells the nurse, or the zygote if there is none yet, that a slot's `wanted` has changed. */
void wri_zygote_wake(pid_t zygote, wri_cradle *cradle);
/* Ends the zygote and all its descendants, and waits for that. */
void wri_zygote_end(pid_t zygote);

#endif
