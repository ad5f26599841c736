/* cover/radix.h: Radix Coverage: wide parameters as digits.
 *
 * A parameter of a thousand values is written as a few digits, and the digits are what takes part
 * in the covering: the strength is that of digits and of parameters that stayed whole. So that no
 * value is lost, all digits of a parameter are covered together, unless that is not wanted. Any
 * list of values is split by its index. A row of digits gives back a row of the model.
 *
 * The base is given, or the one is taken that leads to the fewest rows; of several that do, the
 * largest, for fewer digits promise more. Then the digits may have different bases, too.
 */
#ifndef WRI_COVER_RADIX_H
#define WRI_COVER_RADIX_H

#include "cover/build.h"

typedef struct wri_radix_options {
    uint32_t base;  /* 0: what leads to the fewest rows; else at least 2 */
    bool no_local;  /* not every value has to be in some row */
    uint64_t seed;
} wri_radix_options;

typedef struct wri_radix wri_radix;

/* Splits the parameters that are wide: lists of more than ten values, and ranges; with a base,
 * those of more values than that. Not those with invalid values, and not a list that a constraint
 * computes with, unless its values are evenly spaced. The model must outlive it. NULL with a
 * complaint: a wrong base, or no memory. */
wri_radix *wri_radix_open(const wri_model *model, const wri_radix_options *options,
                          wri_complaint *complaint);
void wri_radix_close(wri_radix *radix); /* NULL is fine */

/* The model of digits: its relations, the constraints over them, the rows that are kept. Digits
 * stand where their parameter stood, the lowest first. */
const wri_model *wri_radix_digits(const wri_radix *radix);

/* How many parameters were split, and the widest digit of them. */
uint32_t wri_radix_split(const wri_radix *radix, uint32_t *base);

/* From a row of the model to digits and back. An open cell has open digits; a value with some
 * open digits has zeros there. */
void wri_radix_divide(const wri_radix *radix, const uint32_t *row, uint32_t *digits);
void wri_radix_join(const wri_radix *radix, const uint32_t *digits, uint32_t *row);

/* All of it: rows of the model, made directly or by building the model of digits. */
bool wri_radix_build(const wri_radix *radix, const wri_effort *effort, wri_row_taker *take,
                     void *state, wri_built *built, wri_complaint *complaint);

/* ---- What that consists of ---- */

/* The rows that were found while the base was chosen, where the model is plain. UINT64_MAX: they
 * come from building the model of digits. */
uint64_t wri_radix_rows(const wri_radix *radix);
bool wri_radix_stream(const wri_radix *radix, wri_row_taker *take, void *state);

/* Whether the model has no constraints, invalid values or kept rows. */
bool wri_radix_is_plain(const wri_radix *radix);

/* The fewest rows in which all values can be that have to: as many as the widest has. */
uint64_t wri_radix_values_alone(const wri_radix *radix);

/* The parameter that a column of digits belongs to, and whether not all of its digits together
 * stand for a value. */
uint32_t wri_radix_owner(const wri_radix *radix, uint32_t column);
bool wri_radix_has_gaps(const wri_radix *radix, uint32_t column);

#endif
