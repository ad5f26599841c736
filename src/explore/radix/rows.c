/* explore/radix/rows.c: digits, and rows made of them. The rows of an array come from the goals
 * of `combine`. If the strength is not below the number of digits, all combinations are rows. */
#include "explore/radix/rows.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/prng.h"

#define BASE 3
/* Beyond so many rows an array is of no use: each row gets a budget of its own. */
#define ROWS_MOST 20000
/* So many rows in vain, and the digits of the last one count as tried. */
#define PATIENCE 16

typedef struct making {
    wri_radix_rows        *rows;
    const wri_radix_shape *shape;
    unsigned               fineness;
    unsigned columns; /* draws that rows give levels to; 0: they are walked through */
    unsigned digits[WRI_PATH_TREES]; /* of each place */
    uint64_t random;
} making;

static unsigned factors_of(const making *m)
{
    unsigned count = 0;
    for (unsigned k = 0; k < m->shape->trees; k++)
        count += m->digits[k] * m->fineness;
    return count + m->columns;
}

/* ---- Rows ---- */

/* The rest of a path behind its end means nothing. */
static wri_path path_of(const making *m, unsigned tree, const uint8_t *tags)
{
    wri_path path = { 0 };
    while (path.length < m->fineness) {
        uint8_t tag = tags[path.length];
        path.tags[path.length++] = tag;
        if (m->shape->ends[tree] >> tag & 1)
            break;
    }
    return path;
}

static bool is_there(const wri_radix_rows *rows, const wri_radix_row *row)
{
    for (size_t i = 0; i < rows->count; i++)
        if (memcmp(&rows->rows[i], row, sizeof *row) == 0)
            return true;
    return false;
}

/* `levels` is of the draws. */
static bool add(making *m, uint8_t tags[WRI_PATH_TREES][WRI_PATH_MOST], const uint8_t *levels)
{
    wri_radix_rows *rows = m->rows;
    wri_radix_row   row = { 0 };
    memset(row.levels, WRI_ABSENT, sizeof row.levels);
    if (m->columns > 0)
        memcpy(row.levels, levels, m->columns);
    for (unsigned k = 0; k < m->shape->trees; k++)
        row.paths.of[k] = path_of(m, k, tags[k]);
    if (is_there(rows, &row))
        return true;
    wri_radix_row *grown = wri_grow(rows->rows, sizeof *grown, rows->count, &rows->room);
    if (grown == NULL)
        return false;
    rows->rows = grown;
    grown[rows->count++] = row;
    return true;
}

static void shuffle(making *m)
{
    for (size_t i = m->rows->count; i > 1; i--) {
        size_t        at = wri_prng_scale(wri_prng_next(&m->random), i - 1);
        wri_radix_row kept = m->rows->rows[i - 1];
        m->rows->rows[i - 1] = m->rows->rows[at];
        m->rows->rows[at] = kept;
    }
}

/* ---- All combinations ---- */

static bool are_few(const making *m)
{
    double count = 1;
    for (unsigned k = 0; k < m->shape->trees; k++)
        for (unsigned i = 0; i < m->fineness; i++)
            count *= m->shape->forms[k];
    return count <= ROWS_MOST;
}

static bool add_all(making *m)
{
    uint8_t tags[WRI_PATH_TREES][WRI_PATH_MOST] = { 0 };
    for (bool more = true; more;) {
        if (!add(m, tags, NULL))
            return false;
        more = false;
        for (unsigned k = 0; k < m->shape->trees && !more; k++)
            for (unsigned i = 0; i < m->fineness && !more; i++) {
                more = ++tags[k][i] < m->shape->forms[k];
                tags[k][i] = more ? tags[k][i] : 0;
            }
    }
    return true;
}

/* ---- Covering arrays ---- */

/* The tags that the digits stand for; a number beyond the last constructor goes round. `levels`
 * is then what these tags are in digits. */
static void read_digits(const making *m, uint8_t levels[WRI_FACTORS],
                        uint8_t tags[WRI_PATH_TREES][WRI_PATH_MOST])
{
    unsigned at = 0;
    for (unsigned k = 0; k < m->shape->trees; k++)
        for (unsigned i = 0; i < m->fineness; i++) {
            unsigned number = 0;
            for (unsigned d = 0; d < m->digits[k]; d++)
                number = number * BASE + levels[at + d] % BASE;
            tags[k][i] = (uint8_t)(number %= m->shape->forms[k]);
            for (unsigned d = m->digits[k]; d-- > 0; number /= BASE)
                levels[at + d] = (uint8_t)(number % BASE);
            at += m->digits[k];
        }
}

/* The values of a place's first digit. */
static unsigned highest_digit(unsigned forms)
{
    while (forms > BASE)
        forms = (forms + BASE - 1) / BASE;
    return forms;
}

/* Each place beside each draw, all digits of it; and all pairs of draws, which come last. */
static bool set_draws(const making *m, wri_goals *goals, unsigned strength, const uint16_t *all)
{
    unsigned digits = factors_of(m) - m->columns, at = 0;
    bool     fine = wri_goals_add(goals, strength < 2 ? 1 : 2, all + digits, m->columns);
    for (unsigned k = 0; k < m->shape->trees && strength > 1; k++)
        for (unsigned i = 0; i < m->fineness; i++, at += m->digits[k])
            for (unsigned column = 0; column < m->columns; column++) {
                uint16_t together[WRI_STRENGTHS];
                memcpy(together, all + at, m->digits[k] * sizeof *together);
                together[m->digits[k]] = all[digits + column];
                fine = fine && wri_goals_add(goals, m->digits[k] + 1, together, m->digits[k] + 1);
            }
    return fine;
}

/* Any so many digits together, and all digits of each place. */
static bool set_goals(const making *m, wri_goals *goals, unsigned strength)
{
    wri_factor factors[WRI_FACTORS];
    uint16_t   all[WRI_FACTORS];
    unsigned   count = factors_of(m), digits = count - m->columns, at = 0, first = 0;
    for (unsigned i = 0; i < count; i++) {
        factors[i] = (wri_factor){ .base = BASE, .weight = 1, .levels = (1u << BASE) - 1 };
        if (i >= digits)
            factors[i] = (wri_factor){ .levels = m->shape->column[i - digits].levels };
        all[i] = (uint16_t)i;
    }
    for (unsigned k = 0; k < m->shape->trees; k++)
        for (unsigned i = 0; i < m->fineness; i++, first += m->digits[k])
            factors[first].levels = (1u << highest_digit(m->shape->forms[k])) - 1;
    bool fine =
        wri_goals_begin(goals, factors, count) && wri_goals_add(goals, strength, all, digits);
    for (unsigned k = 0; k < m->shape->trees; k++)
        for (unsigned i = 0; i < m->fineness; i++, at += m->digits[k])
            fine = fine && (m->digits[k] <= strength ||
                            wri_goals_add(goals, m->digits[k], all + at, m->digits[k]));
    return fine && (m->columns == 0 || set_draws(m, goals, strength, all));
}

static bool add_array(making *m, unsigned strength)
{
    wri_goals *goals = calloc(1, sizeof *goals);
    uint8_t    row[WRI_FACTORS], drawn[WRI_FACTORS];
    uint8_t    tags[WRI_PATH_TREES][WRI_PATH_MOST] = { 0 };
    unsigned   vain = 0, digits = factors_of(m) - m->columns;
    bool       fine = goals != NULL && set_goals(m, goals, strength);
    while (fine && m->rows->count < ROWS_MOST &&
           wri_goals_row(goals, WRI_STRENGTHS, &m->random, row)) {
        memcpy(drawn, row, sizeof drawn);
        read_digits(m, drawn, tags);
        bool adds = wri_goals_worth(goals, drawn) > 0;
        if (adds)
            fine = add(m, tags, drawn + digits);
        wri_goals_count(goals, drawn);
        vain = adds ? 0 : vain + 1;
        if (vain == PATIENCE) { /* digits of no constructor */
            wri_goals_count(goals, row);
            vain = 0;
        }
    }
    if (goals != NULL)
        wri_goals_free(goals);
    free(goals);
    return fine;
}

/* ---- A configuration ---- */

static unsigned digits_of(unsigned forms)
{
    unsigned digits = 1;
    for (unsigned power = BASE; power < forms; power *= BASE)
        digits++;
    return digits;
}

/* The greedy rows look at all combinations again and again. So many are made in a second. */
#define COMBINATIONS_MOST 250000

/* The greatest strength, up to the given one, with not too many combinations of digits. */
static unsigned affordable(unsigned strength, unsigned factors)
{
    double   combinations = 1;
    unsigned at = 0;
    strength = strength < WRI_STRENGTHS ? strength : WRI_STRENGTHS;
    for (; at < strength && combinations <= COMBINATIONS_MOST; at++)
        combinations = combinations * BASE * (factors - at) / (at + 1);
    return combinations <= COMBINATIONS_MOST || at == 1 ? at : at - 1;
}

bool wri_radix_rows_make(wri_radix_rows *rows, const wri_radix_shape *shape, unsigned strength,
                         unsigned fineness, uint64_t seed)
{
    making m = { .rows = rows, .shape = shape, .fineness = fineness, .random = seed };
    m.fineness = fineness < 1 ? 1 : fineness < WRI_PATH_MOST ? fineness : WRI_PATH_MOST;
    for (unsigned k = 0; k < shape->trees; k++)
        m.digits[k] = digits_of(shape->forms[k]);
    while (m.fineness > 1 && factors_of(&m) > WRI_FACTORS)
        m.fineness--;
    unsigned factors = factors_of(&m);
    strength = strength < 1 ? 1 : strength < factors ? strength : factors;
    if (strength < factors || !are_few(&m))
        strength = affordable(strength, factors);
    *rows = (wri_radix_rows){ .strength = strength, .fineness = m.fineness };
    bool fine = strength == factors && are_few(&m) ? add_all(&m) : add_array(&m, strength);
    m.columns = shape->columns < WRI_FACTORS - factors ? shape->columns : WRI_FACTORS - factors;
    if (fine && m.columns > 0)
        fine = add_array(&m, strength < 2 ? 1 : 2); /* more of the trees has the first array */
    shuffle(&m);
    return fine;
}

void wri_radix_rows_free(wri_radix_rows *rows)
{
    free(rows->rows);
    *rows = (wri_radix_rows){ 0 };
}
