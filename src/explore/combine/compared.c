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

/* Is a side of a comparison what the case has drawn? */
static bool is_drawn(const wri_column *columns, unsigned count, const wri_sample *sample,
                     int64_t side)
{
    int64_t value;
    for (unsigned i = 0; i < count; i++)
        if (sample->levels[i] != WRI_ABSENT &&
            value_of(&columns[i], sample->numbers[i], &value) && value == side)
            return true;
    return false;
}

/* The number of a site, which may be new; WRI_SITES: there is no room. */
static unsigned site_of(wri_compared *compared, wri_site wanted)
{
    unsigned at = 0, limits = 0;
    for (; at < compared->site_count; at++) {
        const wri_site *one = &compared->sites[at];
        if (one->place == wanted.place && one->limited == wanted.limited &&
            one->limit == wanted.limit)
            return at;
        limits += one->place == wanted.place && one->limited;
    }
    if (wanted.limited && limits == WRI_LIMITS) /* what it computes is no limit */
        return site_of(compared, (wri_site){ .place = wanted.place });
    if (at < WRI_SITES)
        compared->sites[compared->site_count++] = wanted;
    return at;
}

static unsigned find_site(wri_compared *compared, const wri_column *columns, unsigned count,
                          const wri_sample *sample, const wri_comparison *made)
{
    int64_t  a = widened(made->a, made->width), b = widened(made->b, made->width);
    bool     by_a = is_drawn(columns, count, sample, a);
    bool     by_b = is_drawn(columns, count, sample, b);
    wri_site site = { .place = made->place, .limited = by_a != by_b };
    site.limit = !site.limited ? 0 : by_a ? b : a;
    return site_of(compared, site);
}

static bool cover(wri_compared *compared, unsigned one, unsigned other)
{
    uint8_t *at = &compared->pairs[one][other / 8], bit = (uint8_t)(1u << other % 8);
    bool new = (*at & bit) == 0;
    *at |= bit;
    compared->covered += new;
    return new;
}

void wri_compared_note(wri_compared *compared, const wri_column *columns, unsigned column_count,
                       const wri_sample *sample, const wri_comparison *made, uint32_t count,
                       uint64_t *random)
{
    wri_compared_case now = { .sample = *sample, .count = count < WRI_TOLD ? count : WRI_TOLD };
    unsigned          outcomes[WRI_TOLD], known = 0;
    bool new = false;
    memcpy(now.made, made, now.count * sizeof *made);
    for (uint32_t i = 0; i < now.count; i++) {
        now.sites[i] = (uint16_t)find_site(compared, columns, column_count, sample, &made[i]);
        if (now.sites[i] < WRI_SITES)
            outcomes[known++] = now.sites[i] * WRI_OUTCOMES + outcome_of(&made[i]);
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
    compared->kept[at] = now;
}

/* ---- Changes ---- */

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
static unsigned rarest(const wri_compared *compared, const wri_compared_case *of, uint32_t which,
                       uint64_t *random)
{
    unsigned now = outcome_of(&of->made[which]), site = of->sites[which], best = now;
    uint64_t most = 0, alike = 0;
    for (unsigned outcome = 0; outcome < WRI_OUTCOMES; outcome++) {
        unsigned wanted = site * WRI_OUTCOMES + outcome;
        uint64_t worth = 1;
        for (uint32_t i = 0; i < of->count; i++) {
            unsigned other = of->sites[i] * WRI_OUTCOMES + outcome_of(&of->made[i]);
            bool     swap = other > wanted;
            if (of->sites[i] < WRI_SITES &&
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
static const wri_compared_case *any_at(const wri_compared *compared, unsigned site,
                                       uint64_t *random, uint32_t *which)
{
    const wri_compared_case *chosen = NULL;
    uint64_t                 found = 0;
    for (unsigned i = 0; i < compared->kept_count; i++) {
        const wri_compared_case *at = &compared->kept[i];
        for (uint32_t k = 0; k < at->count; k++)
            if (at->sites[k] == site && wri_prng_scale(wri_prng_next(random), found++) == 0) {
                chosen = at;
                *which = k;
            }
    }
    return chosen;
}

/* One case in five has one of its choices among few drawn anew, and one in ten any draw: else two
 * outcomes that need another of those would never come together. */
static void redraw(const wri_column *columns, unsigned count, uint64_t *random, wri_sample *next)
{
    uint64_t word = wri_prng_next(random), found = 0;
    bool     any = word % 10 == 0;
    unsigned column = count;
    for (unsigned i = 0; i < count && (any || word % 5 == 1); i++)
        if (next->levels[i] != WRI_ABSENT && (any || columns[i].shape == WRI_SHAPE_OWN) &&
            wri_prng_scale(wri_prng_next(random), found++) == 0)
            column = i;
    if (column < count)
        next->levels[column] = WRI_ABSENT;
}

/* Sites are alike, however few cases come to them. */
bool wri_compared_next(wri_compared *compared, const wri_column *columns, unsigned count,
                       uint64_t *random, wri_sample *next)
{
    for (unsigned tries = 0; tries < 8 && compared->site_count > 0; tries++) {
        unsigned site = (unsigned)wri_prng_scale(wri_prng_next(random), compared->site_count - 1);
        uint32_t which = 0;
        const wri_compared_case *of = any_at(compared, site, random, &which);
        if (of == NULL)
            continue;
        *next = of->sample;
        if (change(columns, count, &of->made[which], rarest(compared, of, which, random), random,
                   next)) {
            compared->tries++;
            redraw(columns, count, random, next);
            return true;
        }
    }
    return false;
}
