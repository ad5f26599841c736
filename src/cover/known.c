/* cover/known.c: sets of rows by level. */
#include "cover/known.h"

#include <stdlib.h>

#include "cover/model.h"

enum { ROWS = 256, WORDS = ROWS / 64 };

bool wri_known_open(wri_known *known, uint32_t variables, const wri_ends *ends)
{
    size_t sets = 0;
    *known = (wri_known){ .variables = variables, .ends = ends };
    known->first = malloc(variables * sizeof *known->first);
    known->rows = malloc((size_t)ROWS * variables * sizeof *known->rows);
    for (uint32_t v = 0; known->first != NULL && v < variables; v++) {
        known->first[v] = sets * WORDS;
        sets += ends[v].count;
    }
    known->having = calloc(sets * WORDS, sizeof *known->having);
    return known->first != NULL && known->rows != NULL && known->having != NULL;
}

void wri_known_close(wri_known *known)
{
    free(known->first);
    free(known->rows);
    free(known->having);
    *known = (wri_known){ 0 };
}

/* The interval that a level is in. */
static uint32_t interval_of(const wri_ends *ends, uint32_t level)
{
    uint32_t low = 0, high = ends->count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ends->last[middle] < level)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t *set_of(const wri_known *known, uint32_t v, uint32_t interval)
{
    return &known->having[known->first[v] + (size_t)interval * WORDS];
}

void wri_known_add(wri_known *known, const uint32_t *row)
{
    uint32_t  slot = known->next;
    uint64_t  bit = UINT64_C(1) << slot % 64;
    uint32_t *intervals = &known->rows[(size_t)slot * known->variables];
    for (uint32_t v = 0; v < known->variables; v++) {
        if (slot < known->count)
            set_of(known, v, intervals[v])[slot / 64] &= ~bit;
        intervals[v] = interval_of(&known->ends[v], row[v]);
        set_of(known, v, intervals[v])[slot / 64] |= bit;
    }
    known->next = (slot + 1) % ROWS;
    known->count += known->count < ROWS;
}

bool wri_known_has(const wri_known *known, const uint32_t *cells)
{
    uint64_t among[WORDS], any = known->count > 0;
    for (uint32_t w = 0; w < WORDS; w++) {
        uint32_t rows = known->count > w * 64 ? known->count - w * 64 : 0;
        among[w] = rows >= 64 ? UINT64_MAX : (UINT64_C(1) << rows) - 1;
    }
    for (uint32_t v = 0; v < known->variables && any; v++) {
        if (cells[v] == WRI_ANY)
            continue;
        const uint64_t *set = set_of(known, v, interval_of(&known->ends[v], cells[v]));
        any = 0;
        for (uint32_t w = 0; w < WORDS; w++)
            any |= among[w] &= set[w];
    }
    return any != 0;
}
