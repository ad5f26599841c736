/* core/clock.h: seconds on the monotonic clock. Deadlines and status lines use it; nothing
 * that a seed decides does. */
#ifndef WRI_CORE_CLOCK_H
#define WRI_CORE_CLOCK_H

#include <time.h>

static inline double wri_clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
