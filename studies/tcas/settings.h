/* studies/tcas/settings.h: which values the inputs take.
 *
 * Three settings: every whole number from 0 to 1000, every tenth of them, and values picked by
 * someone who knows the code.
 */
#ifndef TCAS_SETTINGS_H
#define TCAS_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "unit.h"

/* An input's values: a list, or the multiples of a step from 0 on. */
typedef struct domain {
    uint32_t   count;
    int        step;
    const int *list;   /* NULL: by step */
    bool       number; /* a quantity, which may be split into digits; else a choice among few */
} domain;

typedef struct setting {
    const char *name;
    domain      inputs[INPUTS];
} setting;

#define COUNTED(n)                                                                               \
    {                                                                                            \
        .count = (n), .step = 1                                                                  \
    }

extern const setting     EVERY, TENTH; /* settings.c */
extern const setting     PICKED;       /* picked.c */
extern const char *const NAMES[INPUTS];

void values_at(const setting *where, const uint32_t *levels, int in[INPUTS]);

/* The smallest base in which no value needs more than six digits: Radix Coverage's own choice. */
unsigned smallest_base(const setting *where);

#endif
