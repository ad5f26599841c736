/* studies/tcas/hunt.h: the faults that the rows of an array expose, and that as many random tests
 * expose.
 *
 * Each seed is a process of its own, so that the memory it took can be told.
 */
#ifndef TCAS_HUNT_H
#define TCAS_HUNT_H

#include <stddef.h>

#include "settings.h"

typedef enum split {
    WHOLE,         /* all values of `strength` inputs together */
    SMALLEST_BASE, /* Radix Coverage with the base of settings.h */
    FEWEST_ROWS,   /* Radix Coverage with the base that the library finds best */
} split;

typedef struct design {
    const setting *where;
    split          how;
    unsigned       strength;
    uint64_t       go_on; /* with random rows up to so many tests; 0: no */
} design;

typedef struct haul {
    bool     done;
    uint64_t tests;
    int      found;     /* of the distinct faults, by the rows */
    int      by_chance; /* by as many random tests */
    double   seconds; /* of processor time: making the rows, and running on each the unit and the
                       * faults that were not found yet */
    double mebibytes; /* at most, of the whole process */
} haul;

/* How many faults there are that repeat no other. */
int distinct_faults(void);

/* Seeds 1..count, on every core. A seed that could not be run is not done. */
void hunt_seeds(const design *what, size_t count, haul *caught);

#endif
