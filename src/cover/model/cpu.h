/* cover/model/cpu.h: the CPU time that this process has taken, for efforts in seconds. */
#ifndef WRC_COVER_MODEL_CPU_H
#define WRC_COVER_MODEL_CPU_H

#include <time.h>

static inline double wrc_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
