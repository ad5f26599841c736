/* cover/radix/digit_rows.c: chooses values greedily, row by row.
 *
 * The worth of a combination of a parameter's digits is the number of open tuples that it would
 * cover with the digits chosen so far. It is the sum of their bytes over all sets that end in it.
 * A value is worth the sum over its combinations.
 */
#include "cover/radix/digit_rows.h"

#include "core/prng.h"
#include "cover/radix/digit_sets.h"

#include <stdlib.h>
#include <string.h>

#define CANDIDATES 64 /* values that are weighed for a cell */
#define DRAWS 256     /* values that are drawn to find so many with the digits that are forced */

typedef struct maker {
    wrc_digit_sets    sets;
    wrc_blocks        blocks;
    const wrc_layout *layout;
    uint64_t          random;
    uint32_t         *digits; /* of the row in the making, by column */
    uint32_t         *forced; /* digits that the row shall have, or WRC_ANY */
    uint32_t         *active; /* sets with something open, by last parameter */
    uint32_t         *active_count;
    uint64_t         *all_count; /* by last parameter: how much was open at first */
    uint8_t  **runs;     /* where the row leads, for the active sets of the parameter at hand */
    uint32_t  *worth;    /* of the combinations, by part */
    uint32_t  *counting; /* parts that are worth something */
    uint32_t   counting_count;
    bool      *counts;
    uint32_t **places;  /* for each parameter that is split: where a value is in what is left */
    uint64_t   seed_at; /* the tuple that was to be covered last */
    bool       refused; /* and could not be */
} maker;

/* ---- What a value is worth ---- */

/* Finds the tuples that the digits of the row lead to; sets with nothing open are left out from
 * now on. */
static void follow_row(maker *m, uint32_t parameter)
{
    uint32_t       *active = m->active + m->sets.set_from[parameter], kept = 0;
    const uint32_t *radices = m->layout->radices;
    for (uint32_t i = 0; i < m->active_count[parameter]; i++) {
        const wrc_digit_set *set = &m->sets.sets[active[i]];
        if (set->open == 0)
            continue;
        const uint32_t *before = m->sets.before + set->before;
        uint64_t        rank = 0;
        for (uint32_t j = 0; j < set->before_count; j++)
            rank = rank * radices[before[j]] + m->digits[before[j]];
        m->runs[kept] = m->sets.open + set->tuples + rank * m->sets.parts[set->part].size;
        active[kept++] = active[i];
    }
    m->active_count[parameter] = kept;
}

static void clear_worth(maker *m)
{
    for (uint32_t i = 0; i < m->counting_count; i++) {
        const wrc_digit_part *part = &m->sets.parts[m->counting[i]];
        memset(m->worth + part->at, 0, part->size * sizeof *m->worth);
        m->counts[m->counting[i]] = false;
    }
    m->counting_count = 0;
}

static void find_worth(maker *m, uint32_t parameter)
{
    const uint32_t *active = m->active + m->sets.set_from[parameter];
    clear_worth(m);
    for (uint32_t i = 0; i < m->active_count[parameter]; i++) {
        uint32_t              number = m->sets.sets[active[i]].part;
        const wrc_digit_part *part = &m->sets.parts[number];
        if (!m->counts[number]) {
            m->counts[number] = true;
            m->counting[m->counting_count++] = number;
        }
        uint32_t *worth = m->worth + part->at;
        for (uint32_t j = 0; j < part->size; j++)
            worth[j] += m->runs[i][j];
    }
}

static uint64_t worth_of(const maker *m, uint32_t parameter, const uint32_t *digits)
{
    uint64_t worth = 0;
    for (uint32_t i = 0; i < m->counting_count; i++) {
        const wrc_digit_part *part = &m->sets.parts[m->counting[i]];
        worth += m->worth[part->at + wrc_digit_part_combination(
                                         m->layout, &m->layout->groups[parameter], part, digits)];
    }
    return worth;
}

/* ---- One row ---- */

static bool has_forced(const maker *m, uint32_t parameter, const uint32_t *digits)
{
    const wrc_group *group = &m->layout->groups[parameter];
    for (uint32_t i = 0; i < group->count; i++)
        if (m->forced[group->first + i] != WRC_ANY && m->forced[group->first + i] != digits[i])
            return false;
    return true;
}

static bool is_forced(const maker *m, uint32_t parameter)
{
    const wrc_group *group = &m->layout->groups[parameter];
    for (uint32_t i = 0; i < group->count; i++)
        if (m->forced[group->first + i] != WRC_ANY)
            return true;
    return false;
}

/* The values to choose from: what is left of them, or all. */
typedef struct pool {
    uint32_t        parameter;
    const uint32_t *values; /* NULL: all numbers below count */
    uint32_t        count;
    const uint32_t *places; /* where a value is in them; WRC_ANY: used */
} pool;

static uint32_t value_in(const pool *from, uint32_t at)
{
    return from->values != NULL ? from->values[at] : at;
}

/* The best that was found so far. */
typedef struct finding {
    bool     weigh;
    uint32_t best, count; /* a place in the pool, or WRC_ANY; how many were looked at */
    uint64_t worth;
} finding;

static void consider(const maker *m, const pool *from, uint32_t at, const uint32_t *digits,
                     finding *found)
{
    uint64_t worth = found->weigh ? worth_of(m, from->parameter, digits) : 0;
    if (found->best == WRC_ANY || worth > found->worth) {
        found->best = at;
        found->worth = worth;
    }
    found->count++;
}

static bool is_enough(const finding *found)
{
    return found->count == (found->weigh ? CANDIDATES : 1U);
}

/* Looks through all of the pool, from a place that is drawn. */
static void search_pool(maker *m, const pool *from, bool forced, finding *found)
{
    uint64_t start = wri_prng_scale(wri_prng_next(&m->random), from->count - 1);
    for (uint32_t i = 0; i < from->count && !is_enough(found); i++) {
        uint32_t at = (uint32_t)((start + i) % from->count), digits[WRC_MOST_DIGITS];
        wrc_layout_divide(m->layout, from->parameter, value_in(from, at), digits);
        if (!forced || has_forced(m, from->parameter, digits))
            consider(m, from, at, digits, found);
    }
}

/* Draws from a large pool. The forced digits replace what was drawn; the value that comes out is
 * in the pool or not. */
static void draw_pool(maker *m, const pool *from, bool forced, finding *found)
{
    const wrc_group *group = &m->layout->groups[from->parameter];
    for (uint32_t i = 0; i < DRAWS && !is_enough(found); i++) {
        uint32_t at = (uint32_t)wri_prng_scale(wri_prng_next(&m->random), from->count - 1);
        uint32_t digits[WRC_MOST_DIGITS];
        wrc_layout_divide(m->layout, from->parameter, value_in(from, at), digits);
        for (uint32_t j = 0; forced && j < group->count; j++)
            if (m->forced[group->first + j] != WRC_ANY)
                digits[j] = m->forced[group->first + j];
        if (forced)
            at = wrc_layout_join(m->layout, from->parameter, digits);
        if (forced && at != WRC_ANY && from->values != NULL)
            at = from->places[at];
        if (at != WRC_ANY)
            consider(m, from, at, digits, found);
    }
}

/* The best of what is looked at, as its place in the pool; WRC_ANY: nothing has the digits that
 * are forced. */
static uint32_t best_in(maker *m, const pool *from, bool forced, bool weigh)
{
    finding found = { .weigh = weigh, .best = WRC_ANY };
    if (from->count > CANDIDATES)
        draw_pool(m, from, forced, &found);
    if (found.best == WRC_ANY)
        search_pool(m, from, forced, &found);
    return found.best;
}

/* Takes a value for the parameter, out of what is left while there is something. While nearly
 * everything is open any will do. */
static uint32_t choose_value(maker *m, uint32_t parameter, uint32_t *left, uint32_t *left_count)
{
    uint32_t *places = m->places[parameter];
    pool      from = { parameter, *left_count > 0 ? left : NULL,
                  *left_count > 0 ? *left_count : m->layout->groups[parameter].levels, places };
    uint64_t  open = m->sets.open_count[parameter], all = m->all_count[parameter];
    bool      weigh = open > 0 && open < all - all / 8;
    if (weigh)
        find_worth(m, parameter);
    uint32_t at = WRC_ANY;
    if (is_forced(m, parameter)) {
        at = best_in(m, &from, true, weigh);
        m->refused = m->refused || at == WRC_ANY;
    }
    if (at == WRC_ANY)
        at = best_in(m, &from, false, weigh);
    uint32_t value = value_in(&from, at);
    if (*left_count > 0) {
        left[at] = left[--*left_count];
        places[left[at]] = at;
        places[value] = WRC_ANY;
    }
    return value;
}

static void cover_row(maker *m, uint32_t parameter)
{
    const wrc_group *group = &m->layout->groups[parameter];
    const uint32_t  *active = m->active + m->sets.set_from[parameter];
    for (uint32_t i = 0; i < m->active_count[parameter]; i++) {
        wrc_digit_set *set = &m->sets.sets[active[i]];
        uint8_t       *tuple =
            m->runs[i] + wrc_digit_part_combination(m->layout, group, &m->sets.parts[set->part],
                                                    m->digits + group->first);
        set->open -= *tuple;
        m->sets.open_count[parameter] -= *tuple;
        m->sets.open_total -= *tuple;
        *tuple = 0;
    }
}

/* The digits of a tuple are what the row shall have. */
static void force_tuple(maker *m, uint32_t parameter, const wrc_digit_set *set, uint64_t tuple)
{
    const wrc_digit_part *part = &m->sets.parts[set->part];
    for (uint32_t i = part->count; i-- > 0;) {
        uint32_t column = m->layout->groups[parameter].first + part->digits[i];
        m->forced[column] = (uint32_t)(tuple % m->layout->radices[column]);
        tuple /= m->layout->radices[column];
    }
    for (uint32_t i = set->before_count; i-- > 0;) {
        uint32_t column = m->sets.before[set->before + i];
        m->forced[column] = (uint32_t)(tuple % m->layout->radices[column]);
        tuple /= m->layout->radices[column];
    }
}

static void force_open_at(maker *m, uint64_t at)
{
    uint32_t set = 0, parameter = 0, end = m->sets.set_from[m->layout->parameters];
    while (end - set > 1) { /* the last set that begins no later */
        uint32_t middle = set + (end - set) / 2;
        if (m->sets.sets[middle].tuples <= at)
            set = middle;
        else
            end = middle;
    }
    while (m->sets.set_from[parameter + 1] <= set)
        parameter++;
    force_tuple(m, parameter, &m->sets.sets[set], at - m->sets.sets[set].tuples);
}

/* Every row is to cover the first tuple that is open, so that there is an end. If the values
 * for it have been used, the next one is tried, until all values may be used again. */
static void force_open(maker *m)
{
    uint64_t end = m->sets.sets[m->sets.set_from[m->layout->parameters]].tuples;
    for (uint32_t i = 0; i < m->layout->columns; i++)
        m->forced[i] = WRC_ANY;
    m->seed_at += m->refused;
    m->refused = false;
    while (m->seed_at < end && m->sets.open[m->seed_at] == 0)
        m->seed_at++;
    if (m->seed_at < end)
        force_open_at(m, m->seed_at);
    else
        m->seed_at = 0;
}

static void make_row(maker *m, wrc_digit_rows *rows, uint32_t *row)
{
    force_open(m);
    for (uint32_t p = 0; p < m->layout->parameters; p++) {
        follow_row(m, p);
        row[p] = choose_value(m, p, rows->left[p], &rows->left_count[p]);
        wrc_layout_divide(m->layout, p, row[p], m->digits + m->layout->groups[p].first);
        cover_row(m, p);
    }
}

/* ---- All rows ---- */

static bool maker_open(maker *m, const wrc_layout *layout, const wrc_model *model, uint64_t seed)
{
    *m = (maker){ .layout = layout, .random = wri_prng_stream(seed, 0) };
    if (!wrc_digit_sets_open(&m->sets, layout, model))
        return false;
    uint32_t sets = m->sets.set_from[layout->parameters];
    uint32_t parts = m->sets.part_from[layout->parameters];
    m->digits = wrc_blocks_take(&m->blocks, layout->columns + 1, sizeof *m->digits);
    m->forced = wrc_blocks_take(&m->blocks, layout->columns + 1, sizeof *m->forced);
    m->active = wrc_blocks_take(&m->blocks, sets + 1, sizeof *m->active);
    m->active_count =
        wrc_blocks_take(&m->blocks, layout->parameters + 1, sizeof *m->active_count);
    m->all_count = wrc_blocks_take(&m->blocks, layout->parameters + 1, sizeof *m->all_count);
    m->runs = wrc_blocks_take(&m->blocks, sets + 1, sizeof *m->runs);
    m->worth = wrc_blocks_take(&m->blocks, m->sets.combinations + 1, sizeof *m->worth);
    m->counting = wrc_blocks_take(&m->blocks, parts + 1, sizeof *m->counting);
    m->counts = wrc_blocks_take(&m->blocks, parts + 1, sizeof *m->counts);
    m->places = wrc_blocks_take(&m->blocks, layout->parameters + 1, sizeof *m->places);
    if (m->blocks.failed)
        return false;
    for (uint32_t i = 0; i < sets; i++)
        m->active[i] = i;
    for (uint32_t p = 0; p < layout->parameters; p++) {
        m->active_count[p] = m->sets.set_from[p + 1] - m->sets.set_from[p];
        m->all_count[p] = m->sets.open_count[p];
    }
    return true;
}

static void maker_close(maker *m)
{
    wrc_digit_sets_close(&m->sets);
    wrc_blocks_free(&m->blocks);
}

/* All values of the parameters that are split are left. */
static bool open_left(maker *m, wrc_digit_rows *rows, bool local)
{
    const wrc_layout *layout = m->layout;
    rows->left = wrc_blocks_take(&rows->blocks, layout->parameters + 1, sizeof *rows->left);
    rows->left_count =
        wrc_blocks_take(&rows->blocks, layout->parameters + 1, sizeof *rows->left_count);
    for (uint32_t p = 0; local && !rows->blocks.failed && p < layout->parameters; p++) {
        uint32_t levels = layout->groups[p].levels;
        if (layout->groups[p].count == 1)
            continue;
        rows->left[p] = wrc_blocks_take(&rows->blocks, levels, sizeof **rows->left);
        m->places[p] = wrc_blocks_take(&m->blocks, levels, sizeof **m->places);
        if (rows->left[p] == NULL || m->places[p] == NULL)
            return false;
        for (uint32_t i = 0; i < levels; i++)
            rows->left[p][i] = m->places[p][i] = i;
        rows->left_count[p] = levels;
    }
    return !rows->blocks.failed;
}

static uint64_t most_left(const wrc_digit_rows *rows, uint32_t parameters)
{
    uint64_t most = 0;
    for (uint32_t p = 0; p < parameters; p++)
        most = rows->left_count[p] > most ? rows->left_count[p] : most;
    return most;
}

static void shuffle_left(wrc_digit_rows *rows, uint32_t parameters)
{
    for (uint32_t p = 0; p < parameters; p++)
        for (uint32_t i = rows->left_count[p]; i > 1; i--) {
            uint32_t j = (uint32_t)wri_prng_scale(wri_prng_next(&rows->random), i - 1);
            uint32_t swap = rows->left[p][j];
            rows->left[p][j] = rows->left[p][i - 1];
            rows->left[p][i - 1] = swap;
        }
}

static bool make_rows(maker *m, wrc_digit_rows *rows, uint64_t limit)
{
    uint32_t  parameters = m->layout->parameters;
    uint32_t *row = malloc((parameters + 1) * sizeof *row);
    bool      fits = row != NULL;
    while (fits && m->sets.open_total > 0) {
        make_row(m, rows, row);
        fits = wrc_array_add(&rows->chosen, row) &&
               rows->chosen.rows + most_left(rows, parameters) < limit;
    }
    free(row);
    rows->rows = rows->chosen.rows + most_left(rows, parameters);
    rows->random = m->random;
    shuffle_left(rows, parameters);
    return fits && rows->rows < limit;
}

bool wrc_digit_rows_open(wrc_digit_rows *rows, const wrc_layout *layout, const wrc_model *model,
                         bool local, uint64_t seed, uint64_t limit)
{
    maker m;
    *rows = (wrc_digit_rows){ .chosen.columns = layout->parameters };
    bool made = maker_open(&m, layout, model, seed) && open_left(&m, rows, local) &&
                make_rows(&m, rows, limit);
    maker_close(&m);
    if (!made)
        wrc_digit_rows_close(rows);
    return made;
}

void wrc_digit_rows_close(wrc_digit_rows *rows)
{
    wrc_blocks_free(&rows->blocks);
    free(rows->chosen.cells);
    memset(rows, 0, sizeof *rows);
}

/* After the chosen rows what is left; a parameter whose values are used up draws among all. */
bool wrc_digit_rows_stream(const wrc_digit_rows *rows, const wrc_layout *layout,
                           wrc_row_taker *take, void *state)
{
    uint32_t parameters = layout->parameters;
    for (uint64_t i = 0; i < rows->chosen.rows; i++)
        if (!take(state, rows->chosen.cells + i * parameters))
            return true;
    uint64_t  random = rows->random;
    uint32_t *row = malloc((parameters + 1) * sizeof *row);
    for (uint64_t i = 0; row != NULL && i < rows->rows - rows->chosen.rows; i++) {
        for (uint32_t p = 0; p < parameters; p++)
            row[p] = i < rows->left_count[p]
                         ? rows->left[p][i]
                         : (uint32_t)wri_prng_scale(wri_prng_next(&random),
                                                    layout->groups[p].levels - 1);
        if (!take(state, row))
            break;
    }
    free(row);
    return row != NULL;
}
