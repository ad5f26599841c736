/* cover/oracle/value_classes.c: turns levels into values and back. */
#include "cover/oracle/value_classes.h"

#include <stdlib.h>

bool wrc_value_classes_open(wrc_values *values, uint32_t variables, const wrc_ends *ends)
{
    uint64_t count = 0;
    *values = (wrc_values){ variables, ends, malloc((variables + 1) * sizeof *values->first) };
    if (values->first == NULL)
        return false;
    for (uint32_t v = 0; v < variables; v++) {
        values->first[v] = (uint32_t)count;
        count += ends[v].count;
    }
    values->first[variables] = (uint32_t)count;
    return count < UINT32_MAX;
}

void wrc_value_classes_close(wrc_values *values)
{
    free(values->first);
    *values = (wrc_values){ 0 };
}

uint32_t wrc_value_classes_count(const wrc_values *values)
{
    return values->first[values->variables];
}

uint32_t wrc_value_classes_among(const wrc_values *values, uint32_t variable, uint32_t level)
{
    const wrc_ends *ends = &values->ends[variable];
    uint32_t        low = 0, high = ends->count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ends->last[middle] < level)
            low = middle + 1;
        else
            high = middle;
    }
    return values->first[variable] + low;
}

uint32_t wrc_value_classes_level(const wrc_values *values, uint32_t variable, uint32_t value)
{
    uint32_t interval = value - values->first[variable];
    return interval == 0 ? 0 : values->ends[variable].last[interval - 1] + 1;
}
