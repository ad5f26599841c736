/* machine/table/heuristics.c: the names of heuristics, from the table in heuristics.h. */
#include "machine/table/heuristics.h"

#include <string.h>

#define NAME(name) #name,
static const char *const NAMES[] = { WRI_HEURISTICS(NAME) };

bool wri_heuristics_read(const char *list, uint64_t *without)
{
    *without = 0;
    for (const char *end; *list != '\0'; list = end + (*end == ',')) {
        unsigned i = 0;
        end = list + strcspn(list, ",");
        size_t length = (size_t)(end - list);
        while (i < WRI_HEURISTIC_COUNT &&
               (strlen(NAMES[i]) != length || memcmp(NAMES[i], list, length) != 0))
            i++;
        if (i == WRI_HEURISTIC_COUNT)
            return false;
        *without |= UINT64_C(1) << i;
    }
    return true;
}
