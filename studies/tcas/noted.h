/* studies/tcas/noted.h: the tests that a property made, for the study. */
#ifndef TCAS_NOTED_H
#define TCAS_NOTED_H

#include <stdint.h>

#include "unit.h"

#define NOTED_MOST 40000

typedef struct noted_tests {
    uint32_t count;
    int16_t  in[NOTED_MOST][INPUTS];
} noted_tests;

#endif
