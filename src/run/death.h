/* run/death.h: what a worker's end says about its case. */
#ifndef WRI_RUN_DEATH_H
#define WRI_RUN_DEATH_H

#include "run/place.h"

/* Completes a verdict from the wait status, why the parent killed it (or 0), and what was
 * printed. `output` is that file again, for reports in it. */
void wri_death_describe(wri_verdict *verdict, int status, uint32_t killed_for,
                        const char *printed, int output);

/* The bug's identity: kind and place, or the kind alone (core/verdict.h says which). Where the
 * place has a line, that is it; else the function; else the offset in its module. Fills the
 * verdict's file and line in from the place. */
uint64_t wri_death_origin(wri_verdict *verdict, const wri_place *place);

#endif
