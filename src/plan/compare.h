/* plan/compare.h: which of two cases is simpler. */
#ifndef WRI_PLAN_COMPARE_H
#define WRI_PLAN_COMPARE_H

#include "core/trace.h"

/* Negative when a is simpler than b: fewer choices first; among equals the earlier choice
 * decides. */
int wri_compare_traces(const wri_trace *a, const wri_trace *b);

#endif
