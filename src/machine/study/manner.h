/* machine/study/manner.h: the ways to study a failure that options choose between. */
#ifndef WRI_MACHINE_STUDY_MANNER_H
#define WRI_MACHINE_STUDY_MANNER_H

#include "machine/pattern/level.h"

/* How a failing sequence is made smaller. */
typedef enum { WRI_REDUCE_BOTTOM_UP, WRI_REDUCE_TOP_DOWN, WRI_REDUCE_OFF } wri_reduction;

/* Which orders of its calls are tried. BESIDE: as published, a single call beside a sequence. */
typedef enum { WRI_ORDER_PARTIAL, WRI_ORDER_BESIDE, WRI_ORDER_AS_IS } wri_ordering;

#endif
