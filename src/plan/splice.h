/* plan/splice.h: replaces a part of an array. */
#ifndef WRI_PLAN_SPLICE_H
#define WRI_PLAN_SPLICE_H

#include "core/trace.h"

/* Replaces `removed` numbers of an array, from the number `at` on, by `count` others. If the
 * array gets another length, the length that it is tied to says so. False, and nothing is
 * changed: the array has no such numbers, or its length cannot say so, or belongs to something
 * else, too. */
bool wri_splice(wri_trace *plan, uint32_t array, size_t at, size_t removed,
                const uint64_t *numbers, size_t count);

#endif
