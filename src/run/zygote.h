/* run/zygote.h: the small process that workers are forked from.
 *
 * The zygote is forked before the parent allocates anything large. It does nothing but fork
 * workers and reap them. It stays small, because a fork costs as much as the forking process has
 * memory. Children that workers leave behind become its own, and end with it at the latest.
 */
#ifndef WRI_RUN_ZYGOTE_H
#define WRI_RUN_ZYGOTE_H

#include <signal.h>
#include <sys/types.h>

#include "run/worker.h"

/* Returns the zygote's pid, or -1. `setups` has one entry a slot. */
pid_t wri_zygote_start(const wri_worker_setup *setups, unsigned slots);
/* Tells the zygote that a slot's `wanted` has changed. */
void wri_zygote_wake(pid_t zygote);
/* Ends the zygote and all its descendants, and waits for that. */
void wri_zygote_end(pid_t zygote);

#endif
