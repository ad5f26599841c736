/* cover/values.c: from levels to values and back. */
#include "cover/values.h"

#include <stdlib.h>

bool wri_values_open(wri_values *values, uint32_t variables, const wri_ends *ends)
{
    uint64_t count = 0;
    *values = (wri_values){ variables, ends, malloc((variables + 1) * sizeof *values->first) };
    if (values->first == NULL)
        return false;
    for (uint32_t v = 0; v < variables; v++) {
        values->first[v] = (uint32_t)count;
        count += ends[v].count;
    }
    values->first[variables] = (uint32_t)count;
    return count < UINT32_MAX;
}

void wri_values_close(wri_values *values)
{
    free(values->first);
    *values = (wri_values){ 0 };
}

uint32_t wri_values_count(const wri_values *values)
{
    return values->first[values->variables];
}

uint32_t wri_value_among(const wri_values *values, uint32_t variable, uint32_t level)
{
    const wri_ends *ends = &values->ends[variable];
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

uint32_t wri_value_level(const wri_values *values, uint32_t variable, uint32_t value)
{
    uint32_t interval = value - values->first[variable];
    return interval == 0 ? 0 : values->ends[variable].last[interval - 1] + 1;
}
