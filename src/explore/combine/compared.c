/* explore/combine/compared.c: which comparison, which outcome, which draw. */
#include "explore/combine/compared.h"

#include <string.h>

#include "core/prng.h"

/* ---- Outcomes ---- */

static int64_t widened(uint64_t side, uint8_t width)
{
    switch (width) {
    case 1: return (int8_t)side;
    case 2: return (int16_t)side;
    case 4: return (int32_t)side;
    default: return (int64_t)side;
    }
}

static unsigned outcome_of(const wri_comparison *made)
{
    int64_t a = widened(made->a, made->width), b = widened(made->b, made->width);
    return a < b ? 0 : a == b ? 1 : 2;
}

/* The site of a place; WRI_SITES: there is no room. */
static unsigned site_of(wri_compared *compared, uint32_t place)
{
    unsigned at = 0;
    while (at < compared->site_count && compared->sites[at] != place)
        at++;
    if (at == compared->site_count && at < WRI_SITES)
        compared->sites[compared->site_count++] = place;
    return at;
}

static bool cover(wri_compared *compared, unsigned one, unsigned other)
{
    uint8_t *at = &compared->pairs[one][other / 8], bit = (uint8_t)(1u << other % 8);
    bool new = (*at & bit) == 0;
    *at |= bit;
    compared->covered += new;
    return new;
}

void wri_compared_note(wri_compared *compared, const wri_sample *sample,
                       const wri_comparison *made, uint32_t count, uint64_t *random)
{
    unsigned outcomes[WRI_TOLD], known = 0;
    bool new = false;
    count = count < WRI_TOLD ? count : WRI_TOLD;
    for (uint32_t i = 0; i < count; i++) {
        unsigned site = site_of(compared, made[i].place);
        if (site < WRI_SITES)
            outcomes[known++] = site * WRI_OUTCOMES + outcome_of(&made[i]);
    }
    for (unsigned i = 0; i < known; i++) {
        compared->seen[outcomes[i]]++;
        for (unsigned k = 0; k <= i; k++)
            new |= cover(compared, outcomes[i], outcomes[k]);
    }
    if (!new || sample->refuted || known == 0)
        return;
    uint64_t at = compared->kept_count < WRI_KEPT
                      ? compared->kept_count++
                      : wri_prng_scale(wri_prng_next(random), WRI_KEPT - 1);
    compared->worthy++;
    compared->kept[at] = (wri_compared_case){ .sample = *sample, .count = count };
    memcpy(compared->kept[at].made, made, count * sizeof *made);
}

/* ---- Changes ---- */

/* The value of a column as a number that code may compare. */
static bool value_of(const wri_column *column, uint64_t number, int64_t *value)
{
    wri_request request = wri_column_request(column);
    bool        based = column->kind == WRI_INTEGER || column->kind == WRI_LENGTH;
    if (column->kind == WRI_REAL || column->kind == WRI_COMMAND)
        return false;
    *value = (int64_t)((based ? (uint64_t)column->lo : 0) + wri_column_offset(&request, number));
    return true;
}

static bool number_of(const wri_column *column, int64_t value, uint64_t *number)
{
    wri_request request = wri_column_request(column);
    bool        based = column->kind == WRI_INTEGER || column->kind == WRI_LENGTH;
    uint64_t    offset = (uint64_t)value - (based ? (uint64_t)column->lo : 0);
    *number = wri_column_number(&request, offset);
    return value >= (based ? column->lo : 0) && offset <= column->max &&
           wri_request_legal(&request, *number);
}

/* The outcome, another than it has, that was seen least beside the others of the case. */
static unsigned rarest(wri_compared *compared, const wri_compared_case *of,
                       const wri_comparison *made, uint64_t *random)
{
    unsigned now = outcome_of(made), site = site_of(compared, made->place), best = now;
    uint64_t most = 0, alike = 0;
    for (unsigned outcome = 0; outcome < WRI_OUTCOMES && site < WRI_SITES; outcome++) {
        unsigned wanted = site * WRI_OUTCOMES + outcome;
        uint64_t worth = 1;
        for (uint32_t i = 0; i < of->count; i++) {
            unsigned other =
                site_of(compared, of->made[i].place) * WRI_OUTCOMES + outcome_of(&of->made[i]);
            bool swap = other > wanted;
            if (other / WRI_OUTCOMES < WRI_SITES &&
                (compared->pairs[swap ? other : wanted][(swap ? wanted : other) / 8] >>
                     (swap ? wanted : other) % 8 &
                 1) == 0)
                worth++;
        }
        if (outcome == now || worth < most)
            continue;
        alike = worth > most ? 0 : alike;
        if (wri_prng_scale(wri_prng_next(random), alike++) == 0)
            best = outcome;
        most = worth;
    }
    return best;
}

/* Changes a draw so that side a comes out so, beside b: by the value of a draw that is one of the
 * sides, or by the difference, for a draw with something added. */
static bool change(const wri_column *columns, unsigned count, const wri_comparison *made,
                   unsigned wanted, uint64_t *random, wri_sample *next)
{
    int64_t  a = widened(made->a, made->width), b = widened(made->b, made->width);
    int64_t  step = (int64_t)wanted - 1, value;
    uint64_t found = 0, number, chosen = 0;
    unsigned column = 0;
    for (unsigned i = 0; i < count; i++) {
        if (next->levels[i] == WRI_ABSENT || !value_of(&columns[i], next->numbers[i], &value))
            continue;
        uint64_t beside_b = (uint64_t)b + (uint64_t)step, beside_a = (uint64_t)a - (uint64_t)step;
        bool     is_a = value == a, is_b = value == b && !is_a;
        uint64_t wish = is_a   ? beside_b
                        : is_b ? beside_a
                               : (uint64_t)value + ((uint64_t)b - (uint64_t)a) + (uint64_t)step;
        uint64_t weight = is_a || is_b ? 16 : 1;
        if (!number_of(&columns[i], (int64_t)wish, &number) || number == next->numbers[i])
            continue;
        found += weight;
        if (wri_prng_scale(wri_prng_next(random), found - 1) < weight) {
            column = i;
            chosen = number;
        }
    }
    if (found > 0)
        next->numbers[column] = chosen;
    return found > 0;
}

/* A kept case that came to the site, and its comparison there: each with the same chance. */
static const wri_compared_case *any_at(const wri_compared *compared, uint32_t place,
                                       uint64_t *random, const wri_comparison **made)
{
    const wri_compared_case *chosen = NULL;
    uint64_t                 found = 0;
    for (unsigned i = 0; i < compared->kept_count; i++) {
        const wri_compared_case *at = &compared->kept[i];
        for (uint32_t k = 0; k < at->count; k++)
            if (at->made[k].place == place &&
                wri_prng_scale(wri_prng_next(random), found++) == 0) {
                chosen = at;
                *made = &at->made[k];
            }
    }
    return chosen;
}

/* Sites are alike, however few cases come to them. */
bool wri_compared_next(wri_compared *compared, const wri_column *columns, unsigned count,
                       uint64_t *random, wri_sample *next)
{
    for (unsigned tries = 0; tries < 8 && compared->site_count > 0; tries++) {
        uint64_t site = wri_prng_scale(wri_prng_next(random), compared->site_count - 1);
        const wri_comparison    *made = NULL;
        const wri_compared_case *of = any_at(compared, compared->sites[site], random, &made);
        if (of == NULL)
            continue;
        *next = of->sample;
        if (change(columns, count, made, rarest(compared, of, made, random), random, next)) {
            compared->tries++;
            return true;
        }
    }
    return false;
}
