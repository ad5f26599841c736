/* explore/combine/goals.c: the table of combinations, and the greedy rows.
 *
 * Each combination of factors has a byte for each tuple of levels. The levels of a factor are
 * numbered by their place in its mask, so that there are no bytes for levels it does not have.
 */
#include "explore/combine/goals.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/prng.h"

#define COVERED 0x80
#define PENDING 0x40
#define TRIES 0x3f
/* A combination that was refuted so often is given up. A pair that was refuted half as often is
 * avoided in rows for other ones. */
#define PATIENCE 20
#define DOUBTFUL 8
#define SOFT_PATIENCE 3
/* So many cases with a level that never drew another factor: it does not exist beside it. */
#define NEVER_TOGETHER 4
/* A row is the best of so many, if there are not too many combinations to be looked at. */
#define CANDIDATES 6
#define FEW_COMBINATIONS 400
#define MOST_TUPLES ((size_t)1 << 23)
#define MOST_COMBINATIONS ((size_t)1 << 17)

/* ---- Levels ---- */

static unsigned level_count(const wri_goals *goals, unsigned factor)
{
    return (unsigned)__builtin_popcountll(goals->factors[factor].levels);
}

static unsigned place_of(const wri_goals *goals, unsigned factor, unsigned level)
{
    return (unsigned)__builtin_popcountll(goals->factors[factor].levels &
                                          ((UINT64_C(1) << level) - 1));
}

static unsigned level_at(const wri_goals *goals, unsigned factor, unsigned place)
{
    uint64_t levels = goals->factors[factor].levels;
    while (place-- > 0)
        levels &= levels - 1;
    return (unsigned)__builtin_ctzll(levels);
}

static bool has_level(const wri_goals *goals, unsigned factor, unsigned level)
{
    return level < WRI_LEVELS && (goals->factors[factor].levels >> level & 1) != 0;
}

/* ---- Combinations ---- */

void wri_goals_free(wri_goals *goals)
{
    for (unsigned i = 0; i < WRI_FACTORS; i++)
        free(goals->of[i]);
    free(goals->combinations);
    free(goals->tuples);
    free(goals->together);
    memset(goals, 0, sizeof *goals);
}

bool wri_goals_begin(wri_goals *goals, const wri_factor *factors, unsigned count)
{
    wri_goals_free(goals);
    memcpy(goals->factors, factors, count * sizeof *factors);
    goals->factor_count = count;
    goals->together = calloc((size_t)count * WRI_LEVELS * (count + 1), sizeof *goals->together);
    return count == 0 || goals->together != NULL;
}

static wri_together *together_of(const wri_goals *goals, unsigned factor, unsigned level,
                                 unsigned other)
{
    return &goals->together[((size_t)factor * WRI_LEVELS + level) * goals->factor_count + other];
}

static bool add_to_factor(wri_goals *goals, unsigned factor)
{
    uint32_t *grown = wri_grow(goals->of[factor], sizeof *grown, goals->of_count[factor],
                               &goals->of_room[factor]);
    if (grown == NULL)
        return false;
    goals->of[factor] = grown;
    grown[goals->of_count[factor]++] = (uint32_t)goals->count;
    return true;
}

static bool make_room(wri_goals *goals, size_t tuples)
{
    size_t room = goals->tuple_room;
    while (room < goals->tuple_count + tuples)
        room = room < 4096 ? 4096 : room * 2;
    uint8_t *grown = room == goals->tuple_room ? goals->tuples : realloc(goals->tuples, room);
    if (grown == NULL)
        return false;
    goals->tuples = grown;
    goals->tuple_room = room;
    memset(grown + goals->tuple_count, 0, tuples);
    return true;
}

static bool add_combination(wri_goals *goals, unsigned strength, const uint16_t *factors)
{
    wri_combination made = { .strength = (uint8_t)strength,
                             .first = goals->tuple_count,
                             .count = 1 };
    for (unsigned i = 0; i < strength; i++) {
        made.factors[i] = factors[i];
        made.count *= level_count(goals, factors[i]);
    }
    wri_combination *grown =
        wri_grow(goals->combinations, sizeof *grown, goals->count, &goals->room);
    if (grown == NULL)
        return false;
    goals->combinations = grown;
    if (!make_room(goals, made.count))
        return false;
    made.open = (uint32_t)made.count;
    for (unsigned i = 0; i < strength; i++)
        if (!add_to_factor(goals, factors[i]))
            return false;
    grown[goals->count++] = made;
    goals->tuple_count += made.count;
    if (strength == 2)
        goals->pair[factors[0]][factors[1]] = (uint32_t)goals->count;
    return true;
}

/* Is there room for all tuples of so many of these factors? */
static bool has_room(const wri_goals *goals, unsigned strength, const uint16_t *factors,
                     unsigned count)
{
    double tuples[WRI_STRENGTHS + 1] = { 1 }, combinations[WRI_STRENGTHS + 1] = { 1 };
    for (unsigned i = 0; i < count; i++)
        for (unsigned t = strength; t > 0; t--) {
            tuples[t] += tuples[t - 1] * level_count(goals, factors[i]);
            combinations[t] += combinations[t - 1];
        }
    return tuples[strength] + (double)goals->tuple_count <= MOST_TUPLES &&
           combinations[strength] + (double)goals->count <= MOST_COMBINATIONS;
}

static bool is_there(const wri_goals *goals, unsigned strength, const uint16_t *factors)
{
    for (size_t i = 0; i < goals->of_count[factors[0]]; i++) {
        const wri_combination *at = &goals->combinations[goals->of[factors[0]][i]];
        if (at->strength == strength &&
            memcmp(at->factors, factors, strength * sizeof *factors) == 0)
            return true;
    }
    return false;
}

/* Digits of one column are combined, too. */
bool wri_goals_add(wri_goals *goals, unsigned strength, const uint16_t *factors, unsigned count)
{
    unsigned at[WRI_STRENGTHS];
    uint16_t chosen[WRI_STRENGTHS];
    bool     first = goals->count == 0;
    if (strength == 0 || strength > count || strength > WRI_STRENGTHS)
        return true;
    if (!has_room(goals, strength, factors, count)) {
        goals->too_many = true;
        return true;
    }
    for (unsigned i = 0; i < strength; i++)
        at[i] = i;
    for (;;) {
        for (unsigned i = 0; i < strength; i++)
            chosen[i] = factors[at[i]];
        if ((first || !is_there(goals, strength, chosen)) &&
            !add_combination(goals, strength, chosen))
            return false;
        unsigned i = strength;
        while (i > 0 && at[i - 1] == count - strength + i - 1)
            i--;
        if (i == 0)
            return true;
        at[i - 1]++;
        for (; i < strength; i++)
            at[i] = at[i - 1] + 1;
    }
}

bool wri_goals_open(const wri_goals *goals, unsigned strength)
{
    for (size_t i = 0; i < goals->count; i++)
        if (goals->combinations[i].open > 0 &&
            (strength == 0 || goals->combinations[i].strength <= strength))
            return true;
    return false;
}

/* ---- Tuples ---- */

/* The byte of the levels that a row has in this combination; NULL: it has not all of them. */
static uint8_t *tuple_of(const wri_goals *goals, const wri_combination *of, const uint8_t *row)
{
    size_t at = 0;
    for (unsigned i = 0; i < of->strength; i++) {
        unsigned factor = of->factors[i];
        if (!has_level(goals, factor, row[factor]))
            return NULL;
        at = at * level_count(goals, factor) + place_of(goals, factor, row[factor]);
    }
    return &goals->tuples[of->first + at];
}

static void levels_of_tuple(const wri_goals *goals, const wri_combination *of, size_t tuple,
                            uint8_t *levels)
{
    for (unsigned i = of->strength; i-- > 0;) {
        unsigned count = level_count(goals, of->factors[i]);
        levels[i] = (uint8_t)level_at(goals, of->factors[i], (unsigned)(tuple % count));
        tuple /= count;
    }
}

static bool never_together(const wri_goals *goals, unsigned factor, unsigned level,
                           unsigned other)
{
    const wri_together *both = together_of(goals, factor, level, other);
    return both->shown == 0 && both->hidden >= NEVER_TOGETHER;
}

static bool is_soft(const wri_goals *goals, const wri_combination *of, const uint8_t *levels)
{
    for (unsigned i = 0; i < of->strength; i++)
        if ((goals->factors[of->factors[i]].soft >> levels[i] & 1) != 0)
            return true;
    return false;
}

/* Is the pair of these two given up? The factors are in order. */
static bool pair_is_lost(const wri_goals *goals, unsigned a, unsigned level_a, unsigned b,
                         unsigned level_b)
{
    uint32_t pair = goals->pair[a][b];
    if (pair == 0)
        return false;
    size_t at = place_of(goals, a, level_a) * level_count(goals, b) + place_of(goals, b, level_b);
    uint8_t tuple = goals->tuples[goals->combinations[pair - 1].first + at];
    return (tuple & COVERED) == 0 && (tuple & TRIES) >= PATIENCE;
}

/* Can these levels not come together, because one draw does not exist beside another's value?
 * More than two also cannot where two of them were given up, who tell it. */
static bool is_moot(const wri_goals *goals, const wri_combination *of, const uint8_t *levels)
{
    for (unsigned i = 0; i < of->strength; i++)
        for (unsigned k = 0; k < of->strength; k++)
            if (i != k &&
                (never_together(goals, of->factors[i], levels[i], of->factors[k]) ||
                 (of->strength > 2 && i < k &&
                  pair_is_lost(goals, of->factors[i], levels[i], of->factors[k], levels[k]))))
                return true;
    return false;
}

static bool is_open(uint8_t tuple)
{
    return (tuple & (COVERED | PENDING)) == 0 && (tuple & TRIES) < PATIENCE;
}

/* ---- Rows ---- */

/* The gain of a level for a row that has some others. A tuple that was refuted gains less. */
static int64_t gain(const wri_goals *goals, uint8_t *row, unsigned factor, unsigned level,
                    unsigned strength)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < goals->factor_count; i++)
        if (i != factor && row[i] != WRI_ABSENT && never_together(goals, factor, level, i))
            sum -= 1024;
    row[factor] = (uint8_t)level;
    for (size_t i = 0; i < goals->of_count[factor]; i++) {
        const wri_combination *of = &goals->combinations[goals->of[factor][i]];
        if (of->strength > strength || (of->open == 0 && of->strength != 2))
            continue;
        const uint8_t *tuple = tuple_of(goals, of, row);
        if (tuple == NULL)
            continue;
        if (is_open(*tuple))
            sum += 64 / (1 + (*tuple & TRIES));
        if ((*tuple & COVERED) == 0 && of->strength == 2 && (*tuple & TRIES) >= DOUBTFUL)
            sum -= 1024;
    }
    row[factor] = WRI_ABSENT;
    return sum;
}

/* The level that adds most; any of those alike. Nothing to add: the level is left open. */
static void choose_level(const wri_goals *goals, uint8_t *row, unsigned factor, unsigned strength,
                         uint64_t *random)
{
    int64_t  best = 0, worst = 0;
    uint64_t alike = 0;
    uint8_t  chosen = WRI_ABSENT;
    for (uint64_t left = goals->factors[factor].levels; left != 0; left &= left - 1) {
        unsigned level = (unsigned)__builtin_ctzll(left);
        int64_t  now = gain(goals, row, factor, level, strength);
        worst = now < worst ? now : worst;
        if (chosen != WRI_ABSENT && now < best)
            continue;
        alike = chosen == WRI_ABSENT || now > best ? 0 : alike;
        if (wri_prng_scale(wri_prng_next(random), alike++) == 0)
            chosen = (uint8_t)level;
        best = now;
    }
    row[factor] = best > 0 || worst < 0 ? chosen : WRI_ABSENT;
}

/* Any combination that may have an open tuple. False: there is none. */
static bool pick_combination(const wri_goals *goals, unsigned strength, uint64_t *random,
                             size_t *chosen)
{
    uint64_t found = 0;
    for (size_t i = 0; i < goals->count; i++)
        if (goals->combinations[i].open > 0 && goals->combinations[i].strength <= strength &&
            wri_prng_scale(wri_prng_next(random), found++) == 0)
            *chosen = i;
    return found > 0;
}

/* The open tuple that was refuted least, looking from a random one on; `count`: there is none.
 * Counts the open ones anew: some may have come to be no goal. */
static size_t pick_tuple(const wri_goals *goals, wri_combination *of, uint64_t *random)
{
    uint8_t levels[WRI_STRENGTHS], tries = PATIENCE;
    size_t  start = wri_prng_scale(wri_prng_next(random), of->count - 1), best = of->count;
    of->open = 0;
    for (size_t i = 0; i < of->count; i++) {
        size_t  at = (start + i) % of->count;
        uint8_t tuple = goals->tuples[of->first + at];
        if (!is_open(tuple))
            continue;
        levels_of_tuple(goals, of, at, levels);
        if (is_moot(goals, of, levels) ||
            ((tuple & TRIES) >= SOFT_PATIENCE && is_soft(goals, of, levels)))
            continue;
        of->open++;
        if ((tuple & TRIES) < tries) {
            tries = tuple & TRIES;
            best = at;
        }
    }
    return best;
}

static bool begin_row(wri_goals *goals, unsigned strength, uint64_t *random, uint8_t *row)
{
    uint8_t levels[WRI_STRENGTHS];
    size_t  chosen = 0;
    while (pick_combination(goals, strength, random, &chosen)) {
        wri_combination *of = &goals->combinations[chosen];
        size_t           tuple = pick_tuple(goals, of, random);
        if (tuple == of->count)
            continue;
        levels_of_tuple(goals, of, tuple, levels);
        for (unsigned i = 0; i < of->strength; i++)
            row[of->factors[i]] = levels[i];
        return true;
    }
    return false;
}

static bool make_row(wri_goals *goals, unsigned strength, uint64_t *random, uint8_t *row)
{
    uint16_t order[WRI_FACTORS];
    memset(row, WRI_ABSENT, WRI_FACTORS);
    if (!begin_row(goals, strength, random, row))
        return false;
    for (unsigned i = 0; i < goals->factor_count; i++) {
        unsigned at = (unsigned)wri_prng_scale(wri_prng_next(random), i);
        order[i] = order[at];
        order[at] = (uint16_t)i;
    }
    for (unsigned i = 0; i < goals->factor_count; i++)
        if (row[order[i]] == WRI_ABSENT)
            choose_level(goals, row, order[i], strength, random);
    return true;
}

/* The best of some rows: an array has a tenth fewer by it. With many combinations that would take
 * longer than the cases. */
bool wri_goals_row(wri_goals *goals, unsigned strength, uint64_t *random,
                   uint8_t row[WRI_FACTORS])
{
    uint8_t  candidate[WRI_FACTORS];
    size_t   best = 0;
    unsigned candidates = goals->count <= FEW_COMBINATIONS ? CANDIDATES : 1;
    if (!make_row(goals, strength, random, row))
        return false;
    for (unsigned i = 1; i < candidates && make_row(goals, strength, random, candidate); i++) {
        size_t worth = wri_goals_worth(goals, candidate);
        best = best > 0 ? best : wri_goals_worth(goals, row);
        if (worth > best) {
            best = worth;
            memcpy(row, candidate, WRI_FACTORS);
        }
    }
    return true;
}

/* ---- Counting ---- */

/* Each row counts as a try of its tuples. In one round a tuple is tried as often as in all rounds
 * before it: more is known after the round. */
static void begin_try(wri_combination *of, uint8_t *tuple)
{
    bool    open = is_open(*tuple);
    uint8_t tries = *tuple & TRIES;
    tries = (uint8_t)(tries + (tries < TRIES));
    *tuple = (uint8_t)((*tuple & PENDING) | tries | ((tries & (tries - 1)) == 0 ? PENDING : 0));
    of->open -= open && !is_open(*tuple) && of->open > 0;
}

void wri_goals_wait(wri_goals *goals, const uint8_t row[WRI_FACTORS], bool waits)
{
    for (size_t i = 0; i < goals->count; i++) {
        wri_combination *of = &goals->combinations[i];
        uint8_t         *tuple = tuple_of(goals, of, row);
        if (tuple == NULL || (*tuple & COVERED) != 0)
            continue;
        if (waits) {
            begin_try(of, tuple);
        } else if ((*tuple & PENDING) != 0) {
            *tuple &= (uint8_t)~PENDING;
            of->open += is_open(*tuple);
        }
    }
}

static void count_together(wri_goals *goals, const uint8_t *drawn)
{
    for (unsigned f = 0; f < goals->factor_count; f++) {
        if (drawn[f] >= WRI_LEVELS)
            continue;
        for (unsigned other = 0; other < goals->factor_count; other++) {
            wri_together *both = together_of(goals, f, drawn[f], other);
            bool          shown = drawn[other] != WRI_ABSENT;
            both->shown = (uint16_t)(both->shown + (shown && both->shown < UINT16_MAX));
            both->hidden = (uint16_t)(both->hidden + (!shown && both->hidden < UINT16_MAX));
        }
    }
}

void wri_goals_count(wri_goals *goals, const uint8_t drawn[WRI_FACTORS])
{
    count_together(goals, drawn);
    for (size_t i = 0; i < goals->count; i++) {
        wri_combination *of = &goals->combinations[i];
        uint8_t         *tuple = tuple_of(goals, of, drawn);
        if (tuple != NULL && (*tuple & COVERED) == 0) {
            of->open -= is_open(*tuple) && of->open > 0;
            *tuple = COVERED;
        }
    }
}

size_t wri_goals_worth(const wri_goals *goals, const uint8_t drawn[WRI_FACTORS])
{
    size_t sum = 0;
    for (size_t i = 0; i < goals->count; i++) {
        const uint8_t *tuple = tuple_of(goals, &goals->combinations[i], drawn);
        sum += tuple != NULL && is_open(*tuple);
    }
    return sum;
}

/* ---- The sum ---- */

wri_goals_sum wri_goals_sum_up(const wri_goals *goals, unsigned strength)
{
    wri_goals_sum sum = { 0 };
    uint8_t       levels[WRI_STRENGTHS];
    for (size_t i = 0; i < goals->count; i++) {
        const wri_combination *of = &goals->combinations[i];
        for (size_t k = 0; of->strength == strength && k < of->count; k++) {
            uint8_t tuple = goals->tuples[of->first + k];
            levels_of_tuple(goals, of, k, levels);
            if ((tuple & COVERED) != 0)
                sum.covered++;
            else if (is_moot(goals, of, levels) || is_soft(goals, of, levels))
                continue;
            else if ((tuple & TRIES) >= PATIENCE)
                sum.missed++;
            else
                sum.left++;
        }
    }
    return sum;
}

void wri_goals_missed(const wri_goals *goals, unsigned strength,
                      bool (*take)(void *context, const wri_combination *combination,
                                   const uint8_t *levels),
                      void *context)
{
    uint8_t levels[WRI_STRENGTHS];
    for (size_t i = 0; i < goals->count; i++) {
        const wri_combination *of = &goals->combinations[i];
        for (size_t k = 0; of->strength == strength && k < of->count; k++) {
            uint8_t tuple = goals->tuples[of->first + k];
            levels_of_tuple(goals, of, k, levels);
            if ((tuple & COVERED) == 0 && (tuple & TRIES) >= PATIENCE &&
                !is_moot(goals, of, levels) && !is_soft(goals, of, levels) &&
                !take(context, of, levels))
                return;
        }
    }
}
