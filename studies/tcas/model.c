/* studies/tcas/model.c: see model.h. */
#include "model.h"

#include <stdio.h>

/* Quantities are ranges of levels, which can be split whatever their values are; choices are
 * lists, which at this length never are. */
static void add_input(wr_covering *model, const char *name, const domain *d)
{
    static const char *const LEVELS[] = { "0", "1", "2", "3" };
    if (d->number)
        wr_covering_range(model, name, 0, (int64_t)d->count - 1, 1);
    else
        wr_covering_values(model, name, d->count, LEVELS);
}

wr_covering *model_of(const setting *where, unsigned strength)
{
    wr_covering *model = wr_covering_new();
    if (model == NULL)
        return NULL;
    for (int i = 0; i < INPUTS; i++)
        add_input(model, NAMES[i], &where->inputs[i]);
    if (!wr_covering_strength(model, strength)) {
        fprintf(stderr, "%s: %s\n", where->name, wr_covering_error(model));
        wr_covering_free(model);
        return NULL;
    }
    return model;
}
