/* hunt/hunt.h: the conductor.
 *
 * For each property it tries the stored failures first, and then new cases in batches. A failure
 * is confirmed in a fresh worker, shrunk, stored and reported. Other rooms do each of these.
 */
#ifndef WRI_HUNT_HUNT_H
#define WRI_HUNT_HUNT_H

#include "explore/settings.h"
#include "report/report.h"
#include "warren.h"

/* Runs these properties and returns the exit status. If nothing could be run, `error` has a
 * line that says why; else it is empty. */
int wri_hunt(const wri_settings *settings, wr_property_ *const *properties, size_t count,
             wri_reporter *reporter, char *error, size_t error_size);

/* Runs the one case of settings->replay. If that is impossible (status 99), `error` has a line
 * that says why. */
int wri_hunt_replay(const wri_settings *settings, wr_property_ *const *properties, size_t count,
                    wri_reporter *reporter, char *error, size_t error_size);

/* The program asks for its properties, or checks one: it need not be told that none ran. */
void wri_registry_ask(void);
/* Every registered property, in the order of registration. */
wr_property_ *wri_registry_first(void);
/* Every explicit case, likewise. */
const wr_example_ *wri_registry_examples(void);

#endif
