/* studies/tcas/explored.h: the faults that the tests of an explorer expose.
 *
 * A program of property.c runs by one explorer, and notes its tests. The faults are tried on them
 * afterwards. Each fault counts from the test that exposed it first.
 */
#ifndef TCAS_EXPLORED_H
#define TCAS_EXPLORED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unit.h"

#define OPTIONS_MOST 12

typedef struct exploring {
    const char *words;
    const char *program, *property;
    char       *options[OPTIONS_MOST];
    uint64_t    tests;
} exploring;

typedef struct explored {
    bool     done;
    uint32_t tests;
    uint32_t first[FAULTS + 1]; /* the test, from 1, that exposed the fault; 0: none did */
    double   rows;              /* of the array; negative: it has none */
    double   seconds;           /* of processor time, with the start of the program */
} explored;

void explore_seed(const exploring *how, size_t seed, explored *into);

/* Distinct faults among the first so many tests. */
int faults_after(const explored *of, uint64_t tests);

#endif
