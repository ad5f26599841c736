/* cover/oracle/known_rows.h: rows that are known to hold.
 *
 * The answer to most questions is yes, and some row that the solver found before shows why. For
 * each value there is a set of the known rows that have it. The rows that have all chosen values
 * are the intersection of these sets. The oldest rows make way for new ones.
 */
#ifndef WRC_COVER_ORACLE_KNOWN_ROWS_H
#define WRC_COVER_ORACLE_KNOWN_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WRC_KNOWN_FOUND 8 /* rows that one question is shown */

typedef struct wrc_known {
    uint32_t  variables;
    uint64_t *having; /* of each value: a set of rows */
    uint32_t *rows;   /* of each row and variable: the value */
    uint32_t  count, next;
} wrc_known;

/* False when memory is short. */
bool wrc_known_open(wrc_known *known, uint32_t variables, uint32_t values);
void wrc_known_close(wrc_known *known);

/* Adds a row that holds: the value of each variable. */
void wrc_known_add(wrc_known *known, const uint32_t *row);

/* Writes which rows have the values that `chosen` variables have in `values`; a few of them where
 * there are many. Says how many these are. */
uint32_t wrc_known_find(const wrc_known *known, const uint32_t *values, const uint32_t *chosen,
                        uint32_t count, uint32_t *found);
const uint32_t *wrc_known_row(const wrc_known *known, uint32_t row);

#endif
