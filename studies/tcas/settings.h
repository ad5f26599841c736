/* studies/tcas/settings.h: which values the inputs take, as the unit sees them and as a model.
 *
 * Three settings: every whole number from 0 to 1000, every tenth of them, and values picked by
 * someone who knows the code.
 */
#ifndef TCAS_SETTINGS_H
#define TCAS_SETTINGS_H

#include <stdint.h>
#include <warren/cover.h>

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

extern const setting EVERY, TENTH, PICKED;

void values_at(const setting *where, const uint32_t *levels, int in[INPUTS]);

/* A model in which every `strength` inputs are to be covered together; NULL: no memory, or an
 * error that was printed. Levels of its rows are levels of the setting. */
wr_covering *model_of(const setting *where, unsigned strength);

/* The smallest base in which no value needs more than six digits: Radix Coverage's own choice. */
unsigned smallest_base(const setting *where);

#endif
