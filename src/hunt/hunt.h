/* hunt/hunt.h: the conductor.
 *
 * For each property: stored failures first, then cases, in batches; a failure is confirmed in
 * a fresh worker, shrunk, stored and told. How any of these is done is other rooms' business.
 */
#ifndef WRI_HUNT_HUNT_H
#define WRI_HUNT_HUNT_H

#include "quest/settings.h"
#include "report/report.h"
#include "warren.h"

/* Runs these properties and returns the exit status. Where nothing could be run, `error` says why
 * in a line; else it is empty. */
int wri_hunt(const wri_settings *settings, wr_property_ *const *properties, size_t count,
             wri_reporter *reporter, char *error, size_t error_size);

/* Runs the one case of settings->replay. When that cannot be (99), `error` has the line that
 * says why. */
int wri_hunt_replay(const wri_settings *settings, wr_property_ *const *properties, size_t count,
                    wri_reporter *reporter, char *error, size_t error_size);

/* Every registered property, in the order of registration. */
wr_property_ *wri_registry_first(void);

#endif
