/* cover/oracle/known_rows.c: stores rows as sets of values, and finds those that have given
 * cells. */
#include "cover/oracle/known_rows.h"

#include <stdlib.h>

enum {
    ROWS = 1024,
    WORDS = ROWS / 64,
    STAGE = 16, /* sets looked at before it is counted what is left */
};

bool wrc_known_open(wrc_known *known, uint32_t variables, uint32_t values)
{
    *known = (wrc_known){ .variables = variables };
    known->rows = malloc((size_t)ROWS * variables * sizeof *known->rows);
    known->having = calloc((size_t)values * WORDS, sizeof *known->having);
    return known->rows != NULL && known->having != NULL;
}

void wrc_known_close(wrc_known *known)
{
    free(known->rows);
    free(known->having);
    *known = (wrc_known){ 0 };
}

const uint32_t *wrc_known_row(const wrc_known *known, uint32_t row)
{
    return &known->rows[(size_t)row * known->variables];
}

void wrc_known_add(wrc_known *known, const uint32_t *row)
{
    uint32_t  slot = known->next;
    uint64_t  bit = UINT64_C(1) << slot % 64;
    uint32_t *old = &known->rows[(size_t)slot * known->variables];
    for (uint32_t v = 0; v < known->variables; v++) {
        if (slot < known->count)
            known->having[(size_t)old[v] * WORDS + slot / 64] &= ~bit;
        old[v] = row[v];
        known->having[(size_t)old[v] * WORDS + slot / 64] |= bit;
    }
    known->next = (slot + 1) % ROWS;
    known->count += known->count < ROWS;
}

/* How many rows there are, as far as it matters: few, or more. */
static uint32_t count_few(const uint64_t *among)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < WORDS; w++)
        for (uint64_t rest = among[w]; rest != 0 && count <= WRC_KNOWN_FOUND; rest &= rest - 1)
            count++;
    return count;
}

/* Keeps of the rows those that have the next few values. */
static uint32_t narrow(const wrc_known *known, const uint32_t *values, const uint32_t *chosen,
                       uint32_t count, uint64_t *among)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *set = &known->having[(size_t)values[chosen[i]] * WORDS];
        for (uint32_t w = 0; w < WORDS; w++)
            among[w] &= set[w];
    }
    return count_few(among);
}

static bool has_all(const wrc_known *known, uint32_t row, const uint32_t *values,
                    const uint32_t *chosen, uint32_t count)
{
    const uint32_t *own = wrc_known_row(known, row);
    for (uint32_t i = 0; i < count; i++)
        if (own[chosen[i]] != values[chosen[i]])
            return false;
    return true;
}

/* Sets narrow the rows down; when few are left, these are looked at themselves. */
uint32_t wrc_known_find(const wrc_known *known, const uint32_t *values, const uint32_t *chosen,
                        uint32_t count, uint32_t *found)
{
    uint64_t among[WORDS];
    uint32_t at = 0, left = known->count, result = 0;
    for (uint32_t w = 0; w < WORDS; w++) {
        uint32_t rows = known->count > w * 64 ? known->count - w * 64 : 0;
        among[w] = rows >= 64 ? UINT64_MAX : (UINT64_C(1) << rows) - 1;
    }
    for (; at < count && left > WRC_KNOWN_FOUND; at += STAGE)
        left = narrow(known, values, chosen + at, count - at < STAGE ? count - at : STAGE, among);
    at = at < count ? at : count;
    for (uint32_t w = 0; w < WORDS && left > 0; w++)
        for (; among[w] != 0 && result < WRC_KNOWN_FOUND; among[w] &= among[w] - 1) {
            uint32_t row = w * 64 + (uint32_t)__builtin_ctzll(among[w]);
            if (has_all(known, row, values, chosen + at, count - at))
                found[result++] = row;
        }
    return result;
}
