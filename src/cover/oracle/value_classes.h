/* cover/oracle/value_classes.h: the levels of a component as its constraints see them.
 *
 * Levels of a variable that no constraint tells apart are one value. The values of all variables
 * are numbered through, so a set of values is a set of bits. A range of a million levels has only
 * as many values as the constraints tell apart.
 */
#ifndef WRC_COVER_ORACLE_VALUE_CLASSES_H
#define WRC_COVER_ORACLE_VALUE_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The last levels of intervals whose levels are all alike, ascending. */
typedef struct wrc_ends {
    uint32_t  count;
    uint32_t *last;
} wrc_ends;

typedef struct wrc_values {
    uint32_t        variables;
    const wrc_ends *ends;  /* of each variable */
    uint32_t       *first; /* of each variable: its first value; one more: how many there are */
} wrc_values;

/* False when memory is short, or there are more than numbers. */
bool wrc_value_classes_open(wrc_values *values, uint32_t variables, const wrc_ends *ends);
void wrc_value_classes_close(wrc_values *values);

uint32_t wrc_value_classes_count(const wrc_values *values);
uint32_t wrc_value_classes_among(const wrc_values *values, uint32_t variable, uint32_t level);
/* In most models every level is a value of its own: then there is nothing to look for. */
static inline uint32_t wrc_values_at(const wrc_values *values, uint32_t variable, uint32_t level)
{
    const wrc_ends *ends = &values->ends[variable];
    return level < ends->count && ends->last[level] == level
               ? values->first[variable] + level
               : wrc_value_classes_among(values, variable, level);
}

/* The first of the levels that a value of the variable stands for. */
uint32_t wrc_value_classes_level(const wrc_values *values, uint32_t variable, uint32_t value);

#endif
