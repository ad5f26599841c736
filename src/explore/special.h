/* explore/special.h: numbers that limits in code have.
 *
 * A limit is a round number, or a constant of the program; or the code computes something of
 * several draws, and that has the limit.
 */
#ifndef WRI_EXPLORE_SPECIAL_H
#define WRI_EXPLORE_SPECIAL_H

#include "explore/column.h"

/* A round number whose offset is in this part of the range. False: some were tried in vain. */
bool wri_special_round(const wri_request *request, uint64_t from, uint64_t to, uint64_t *random,
                       uint64_t *offset);
/* A constant of the program, or a number next to one, in this part of the range. */
bool wri_special_constant(const wr_case *t, const wri_request *request, uint64_t from,
                          uint64_t to, uint64_t *random, uint64_t *offset);
/* A special number anywhere in the range: a round one, or a constant. One in four makes the sum,
 * the difference or the product with draws before it special. False: the draw has none. */
bool wri_special_draw(const wr_case *t, const wri_request *request, const wri_drawn *drawn,
                      bool round, uint64_t *random, uint64_t *number);

#endif
