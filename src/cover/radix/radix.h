/* cover/radix/radix.h: Radix Coverage: wide parameters as digits.
 *
 * A parameter of a thousand values is written as a few digits, and the digits take part in the
 * covering. The strength counts digits, and parameters that stayed whole. All digits of a
 * parameter are covered together, so that no value is lost, unless that is not wanted. Any list
 * of values is split by its index. A row of digits gives back a row of the model.
 *
 * The base is given, or the one that leads to the fewest rows is taken; among equals the largest,
 * for fewer digits cover more. Then the digits may have different bases, too.
 */
#ifndef WRC_COVER_RADIX_RADIX_H
#define WRC_COVER_RADIX_RADIX_H

#include "cover/search/build.h"

typedef struct wrc_radix_options {
    uint32_t base;     /* 0: what leads to the fewest rows; else at least 2 */
    bool     no_local; /* not every value has to be in some row */
    uint64_t seed;
} wrc_radix_options;

typedef struct wrc_radix wrc_radix;

/* Splits the parameters that are wide: lists of more than ten values, and ranges; with a base,
 * those of more values than that. Not those with invalid values, and not a list that a constraint
 * computes with, unless its values are evenly spaced. The model must outlive it. NULL with a
 * complaint: a wrong base, or no memory. */
wrc_radix *wrc_radix_open(const wrc_model *model, const wrc_radix_options *options,
                          wrc_complaint *complaint);
void       wrc_radix_close(wrc_radix *radix); /* NULL is fine */

/* The model of digits: its relations, the constraints over them, the rows that are kept. Digits
 * stand where their parameter stood, the lowest first. */
const wrc_model *wrc_radix_digits(const wrc_radix *radix);

/* How many parameters were split, and the widest digit of them. */
uint32_t wrc_radix_split(const wrc_radix *radix, uint32_t *base);

/* From a row of the model to digits and back. An open cell has open digits; a value with some
 * open digits has zeros there. */
void wrc_radix_divide(const wrc_radix *radix, const uint32_t *row, uint32_t *digits);
void wrc_radix_join(const wrc_radix *radix, const uint32_t *digits, uint32_t *row);

/* All of it: rows of the model, made directly or by building the model of digits. */
bool wrc_radix_build(const wrc_radix *radix, const wrc_effort *effort, wrc_row_taker *take,
                     void *state, wrc_built *built, wrc_complaint *complaint);

#endif
