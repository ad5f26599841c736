/* run/death.h: makes a verdict of a worker's death. */
#ifndef WRI_RUN_DEATH_H
#define WRI_RUN_DEATH_H

#include "run/place/place.h"

/* Completes a verdict from the wait status, the parent's reason for killing the worker (or 0),
 * and its printed output. `output` is the file of that output, to search it for reports. */
void wri_death_describe(wri_verdict *verdict, int status, uint32_t killed_for,
                        const char *printed, int output);

/* The bug's identity: kind and place, or the kind alone (core/verdict.h says which). The place
 * is file and line if they are known; else the function; else the offset in its module. Fills
 * in the verdict's file and line from the place. */
uint64_t wri_death_origin(wri_verdict *verdict, const wri_place *place);

#endif
