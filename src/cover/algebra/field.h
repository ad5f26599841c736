/* cover/algebra/field.h: finite fields.
 *
 * GF(q) for a prime power q. An element is a number below q. Its digits in base p are the
 * coefficients of a polynomial; for a prime q the element is the number itself. Small fields
 * answer from tables, larger ones from logarithms.
 */
#ifndef WRC_COVER_ALGEBRA_FIELD_H
#define WRC_COVER_ALGEBRA_FIELD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct wrc_field {
    uint32_t  size, prime, degree;
    uint32_t *power; /* the powers of a generator, twice over; NULL for a large prime */
    uint32_t *log;
    uint8_t  *sums, *products; /* size * size; NULL above 256 */
} wrc_field;

/* The smallest prime power that is no smaller. */
uint32_t wrc_field_next_order(uint32_t number);

/* False: not a prime power, too large (2^16 for what is no prime), or no memory. */
bool wrc_field_open(wrc_field *field, uint32_t size);
void wrc_field_close(wrc_field *field);

uint32_t wrc_field_sum(const wrc_field *field, uint32_t a, uint32_t b);
uint32_t wrc_field_product(const wrc_field *field, uint32_t a, uint32_t b);
uint32_t wrc_field_negative(const wrc_field *field, uint32_t a);
uint32_t wrc_field_inverse(const wrc_field *field, uint32_t a); /* of what is not 0 */

#endif
