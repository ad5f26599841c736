/* cover/oracle/pairs.c: decides all pairs of values of a component. */
#include "cover/oracle/pairs.h"

#include <stdlib.h>

#include "core/prng.h"
#include "cover/model/blocks.h"

enum {
    VALUES = 1 << 13, /* more would take long, and 16 MB */
    NARROW = 64,      /* values of one variable, for pairs to be worth it */
};

typedef struct decider {
    wrc_pairs        *pairs;
    wrc_clauses      *clauses;
    const wrc_values *values;
    wrc_known        *known;
    wrc_blocks        blocks;
    uint64_t         *seen; /* of each value: those that it was met with */
    uint64_t         *has;  /* a set of values: the row in hand */
    uint32_t         *row;
    int              *implied;
    int8_t           *truth; /* of each literal: 1 implied, -1 its opposite is */
    uint64_t          random;
} decider;

static uint64_t *never_with(const decider *d, uint32_t value)
{
    return d->pairs->never + (size_t)value * d->pairs->words;
}

static uint64_t *seen_with(const decider *d, uint32_t value)
{
    return d->seen + (size_t)value * d->pairs->words;
}

static void put(uint64_t *set, uint32_t value)
{
    set[value / 64] |= UINT64_C(1) << value % 64;
}

static void exclude(const decider *d, uint32_t a, uint32_t b)
{
    put(never_with(d, a), b);
    put(never_with(d, b), a);
}

static size_t literals_of(const decider *d, uint32_t value, int *literals)
{
    uint32_t v = d->pairs->variable_of[value];
    return wrc_clauses_cell(d->clauses, v, wrc_value_classes_level(d->values, v, value),
                            literals);
}

/* ---- A row that was found ---- */

static void note_row(decider *d)
{
    uint32_t words = d->pairs->words;
    for (uint32_t w = 0; w < words; w++)
        d->has[w] = 0;
    for (uint32_t v = 0; v < d->values->variables; v++) {
        d->row[v] = wrc_values_at(d->values, v, wrc_clauses_solution(d->clauses, v).from);
        put(d->has, d->row[v]);
    }
    for (uint32_t v = 0; v < d->values->variables; v++)
        for (uint32_t w = 0; w < words; w++)
            seen_with(d, d->row[v])[w] |= d->has[w];
    wrc_known_add(d->known, d->row);
}

/* ---- What is seen at once ---- */

static bool is_ruled_out(const decider *d, uint32_t value)
{
    int    literals[2];
    size_t count = literals_of(d, value, literals);
    for (size_t i = 0; i < count; i++) {
        int truth = d->truth[literals[i] < 0 ? -literals[i] : literals[i]];
        if (truth == (literals[i] < 0 ? 1 : -1))
            return true;
    }
    return false;
}

/* Rules out what is seen not to go with the value; a value that goes with nothing is ruled out
 * with everything. */
static void rule_out(decider *d, uint32_t value)
{
    int    literals[2];
    size_t count = literals_of(d, value, literals);
    size_t found = wrc_solver_implied(d->clauses->solver, literals, count, d->implied);
    for (size_t i = 0; i < found; i++)
        d->truth[abs(d->implied[i])] = d->implied[i] < 0 ? -1 : 1;
    for (uint32_t other = 0; other < wrc_value_classes_count(d->values); other++)
        if (found == 0 || is_ruled_out(d, other))
            exclude(d, value, other);
    for (size_t i = 0; i < found; i++)
        d->truth[abs(d->implied[i])] = 0;
}

/* ---- What is asked ---- */

/* A value of the variable that was not met with this one, if there is one, from some place on. */
static uint32_t wanted(decider *d, uint32_t value, uint32_t variable)
{
    uint32_t first = d->values->first[variable], count = d->values->first[variable + 1] - first;
    uint32_t start = (uint32_t)wri_prng_scale(wri_prng_next(&d->random), count - 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = first + (start + i) % count;
        if (!wrc_pairs_is_in(seen_with(d, value), other) &&
            !wrc_pairs_is_in(never_with(d, value), other))
            return other;
    }
    return first + start;
}

/* Asks for a row with as many as can be that the value was not met with. */
static void prefer_new(decider *d, uint32_t value)
{
    for (uint32_t v = 0; v < d->values->variables; v++) {
        int    literals[2];
        size_t count = literals_of(d, wanted(d, value, v), literals);
        for (size_t i = 0; i < count; i++)
            wrc_solver_prefer(d->clauses->solver, literals[i]);
    }
}

static void forbid(decider *d, const int *assumed, size_t count)
{
    int clause[4];
    for (size_t i = 0; i < count; i++)
        clause[i] = -assumed[i];
    wrc_solver_add(d->clauses->solver, clause, count); /* a help, not a need */
}

static void decide(decider *d, uint32_t a, uint32_t b)
{
    int    assumed[4];
    size_t count = literals_of(d, a, assumed);
    count += literals_of(d, b, assumed + count);
    prefer_new(d, a);
    if (wrc_solver_solve(d->clauses->solver, assumed, count)) {
        note_row(d);
        return;
    }
    exclude(d, a, b);
    forbid(d, assumed, count);
}

static void decide_all(decider *d)
{
    uint32_t count = wrc_value_classes_count(d->values);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a; b < count; b++)
            if (!wrc_pairs_is_in(seen_with(d, a), b) && !wrc_pairs_is_in(never_with(d, a), b) &&
                (b == a || d->pairs->variable_of[a] != d->pairs->variable_of[b]))
                decide(d, a, b);
}

/* ---- Opening ---- */

static void number_variables(decider *d)
{
    for (uint32_t v = 0; v < d->values->variables; v++)
        for (uint32_t value = d->values->first[v]; value < d->values->first[v + 1]; value++)
            d->pairs->variable_of[value] = v;
}

static bool reserve(decider *d)
{
    size_t count = wrc_value_classes_count(d->values), words = count / 64 + 1;
    size_t literals = (size_t)d->clauses->literals + 1;
    d->pairs->words = (uint32_t)words;
    d->pairs->never = calloc(count * words, sizeof *d->pairs->never);
    d->pairs->variable_of = malloc(count * sizeof *d->pairs->variable_of);
    d->seen = wrc_blocks_take(&d->blocks, count * words, sizeof *d->seen);
    d->has = wrc_blocks_take(&d->blocks, words, sizeof *d->has);
    d->row = wrc_blocks_take(&d->blocks, d->values->variables, sizeof *d->row);
    d->implied = wrc_blocks_take(&d->blocks, literals, sizeof *d->implied);
    d->truth = wrc_blocks_take(&d->blocks, literals, sizeof *d->truth);
    return d->pairs->never != NULL && d->pairs->variable_of != NULL && !d->blocks.failed;
}

static bool are_few(const wrc_values *values)
{
    bool narrow = true;
    for (uint32_t v = 0; v < values->variables; v++)
        narrow &= values->ends[v].count <= NARROW;
    return narrow && wrc_value_classes_count(values) <= VALUES;
}

void wrc_pairs_open(wrc_pairs *pairs, wrc_clauses *clauses, const wrc_values *values,
                    wrc_known *known)
{
    decider d = { .pairs = pairs, .clauses = clauses, .values = values, .known = known };
    *pairs = (wrc_pairs){ 0 };
    if (!are_few(values))
        return;
    if (reserve(&d)) {
        number_variables(&d);
        for (uint32_t value = 0; value < wrc_value_classes_count(values); value++)
            rule_out(&d, value);
        decide_all(&d);
    } else {
        wrc_pairs_close(pairs);
    }
    wrc_blocks_free(&d.blocks);
}

void wrc_pairs_close(wrc_pairs *pairs)
{
    free(pairs->never);
    free(pairs->variable_of);
    *pairs = (wrc_pairs){ 0 };
}
