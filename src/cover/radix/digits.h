/* cover/radix/digits.h: what building by digits asks of a wrc_radix. */
#ifndef WRC_COVER_RADIX_DIGITS_H
#define WRC_COVER_RADIX_DIGITS_H

#include "cover/radix/radix.h"

/* The rows that were found while the base was chosen, where the model is plain. UINT64_MAX: they
 * come from building the model of digits. */
uint64_t wrc_radix_rows(const wrc_radix *radix);
bool     wrc_radix_stream(const wrc_radix *radix, wrc_row_taker *take, void *state);

/* Whether the model has no constraints, invalid values or kept rows. */
bool wrc_radix_is_plain(const wrc_radix *radix);

/* The fewest rows in which all values can be that have to: as many as the widest has. */
uint64_t wrc_radix_values_alone(const wrc_radix *radix);

/* The parameter that a column of digits belongs to, and whether not all of its digits together
 * stand for a value. */
uint32_t wrc_radix_owner(const wrc_radix *radix, uint32_t column);
bool     wrc_radix_has_gaps(const wrc_radix *radix, uint32_t column);

#endif
