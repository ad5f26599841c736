/* run/zygote.h: the small process that workers are forked from.
 *
 * Forked before the parent allocates anything large, it does nothing but fork workers and
 * reap them: what a fork costs is the memory of the one who forks. Children that workers leave
 * behind become its own, and end with it at the latest.
 */
#ifndef WRI_RUN_ZYGOTE_H
#define WRI_RUN_ZYGOTE_H

#include <signal.h>
#include <sys/types.h>

#include "run/worker.h"

/* Returns the zygote's pid, or -1. `setups` has one entry a slot. */
pid_t wri_zygote_start(const wri_worker_setup *setups, unsigned slots);
/* Tells it that a slot's `wanted` has changed. */
void wri_zygote_wake(pid_t zygote);
/* Ends it and everything below it, and waits for that. */
void wri_zygote_end(pid_t zygote);

#endif
