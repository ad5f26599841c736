/* studies/tcas/model.h: a setting as a model of a covering array. */
#ifndef TCAS_MODEL_H
#define TCAS_MODEL_H

#include <warren/cover.h>

#include "settings.h"

/* A model in which every `strength` inputs are to be covered together; NULL: no memory, or an
 * error that was printed. Levels of its rows are levels of the setting. */
wr_covering *model_of(const setting *where, unsigned strength);

#endif
