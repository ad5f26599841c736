/* studies/faults/cost.c: prints the nanoseconds of a malloc() and its free(). With -DHOOKED the
 * program has <warren/faults.h>, and no call can fail. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef HOOKED
#include <warren.h>
#include <warren/faults.h>
#endif

/* Short rounds, of which the least counts: on a busy machine, too, one of them is not disturbed.
 */
#define CALLS 50000
#define ROUNDS 200

static double now(void)
{
    struct timespec is;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &is);
    return (double)is.tv_sec * 1e9 + (double)is.tv_nsec;
}

int main(void)
{
    double least = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double began = now();
        for (int i = 0; i < CALLS; i++) {
            void *volatile block = malloc(24);
            free(block);
        }
        double each = (now() - began) / CALLS;
        least = each < least ? each : least;
    }
    printf("%.3f\n", least);
    return 0;
}
