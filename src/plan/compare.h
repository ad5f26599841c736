/* plan/compare.h: decides which of two cases is simpler. */
#ifndef WRI_PLAN_COMPARE_H
#define WRI_PLAN_COMPARE_H

#include "core/trace.h"

/* Negative: a is simpler than b. Fewer choices are simpler; with as many choices, the first
 * one that differs decides. */
int wri_compare_traces(const wri_trace *a, const wri_trace *b);

#endif
