/* tests/cover_tally_unit.c: what the tally of tuples says, against the definition.
 *
 * Arrays of random shapes are read, and then changed at random, once with a word for each tuple
 * and once with half a word: both must say the same of every cell, and what they list as open
 * must be what no row has.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/prng.h"
#include "cover/search/stages.h"
#include "cover/search/tally.h"
#include "unit.h"

enum { COLUMNS = 8, STEPS = 300 };

typedef struct shape {
    uint32_t     levels[COLUMNS], all[COLUMNS], some[COLUMNS];
    wrc_relation relations[2];
    wrc_goal     goal;
} shape;

static uint32_t below(uint64_t *random, uint32_t count)
{
    return (uint32_t)wri_prng_scale(wri_prng_next(random), count - 1);
}

static void random_shape(shape *s, uint64_t *random)
{
    uint32_t some = 0;
    for (uint32_t c = 0; c < COLUMNS; c++) {
        s->levels[c] = 1 + below(random, 4);
        s->all[c] = c;
        if (some < 4 && below(random, 2) == 0)
            s->some[some++] = c;
    }
    s->relations[0] = (wrc_relation){ NULL, 1 + below(random, 3), COLUMNS, s->all };
    s->relations[1] = (wrc_relation){ NULL, some, some, s->some };
    s->goal = (wrc_goal){ .columns = COLUMNS,
                          .levels = s->levels,
                          .relation_count = some > 0 ? 2 : 1,
                          .relations = s->relations };
}

/* ---- The definition ---- */

/* How many of the rows that are left have a tuple. */
static uint32_t rows_with(const wrc_tally *t, const uint8_t *is_left, const uint32_t *columns,
                          const uint32_t *levels, uint32_t count)
{
    uint32_t rows = 0;
    for (uint32_t r = 0; r < t->rows; r++) {
        uint32_t same = 0;
        while (same < count && t->cells[r * COLUMNS + columns[same]] == levels[same])
            same++;
        rows += is_left[r] && same == count;
    }
    return rows;
}

/* Counts the tuples of a relation that no row has, and what each cell alone has of them. */
typedef struct brute {
    const wrc_tally    *t;
    const uint8_t      *is_left;
    const wrc_relation *relation;
    uint32_t            open;
    uint32_t           *loss;
    uint32_t            columns[COLUMNS], levels[COLUMNS];
} brute;

static void note_loss(brute *b)
{
    uint32_t count = b->relation->strength;
    for (uint32_t r = 0; r < b->t->rows; r++) {
        uint32_t same = 0;
        while (same < count && b->t->cells[r * COLUMNS + b->columns[same]] == b->levels[same])
            same++;
        for (uint32_t i = 0; b->is_left[r] && same == count && i < count; i++)
            b->loss[r * COLUMNS + b->columns[i]]++;
    }
}

static void try_tuples(brute *b, uint32_t depth, uint32_t next)
{
    if (depth == b->relation->strength) {
        uint32_t rows = rows_with(b->t, b->is_left, b->columns, b->levels, depth);
        b->open += rows == 0;
        if (rows == 1)
            note_loss(b);
        return;
    }
    for (uint32_t i = next; i < b->relation->count; i++) {
        uint32_t c = b->columns[depth] = b->relation->parameters[i];
        for (b->levels[depth] = 0; b->levels[depth] < b->t->goal->levels[c]; b->levels[depth]++)
            try_tuples(b, depth + 1, i + 1);
    }
}

static void holds(const wrc_tally *t, const uint8_t *is_left)
{
    uint32_t *loss = calloc((size_t)t->rows * COLUMNS, sizeof *loss);
    brute     b = { .t = t, .is_left = is_left, .loss = loss };
    for (uint32_t r = 0; r < t->goal->relation_count; r++) {
        b.relation = &t->goal->relations[r];
        try_tuples(&b, 0, 0);
    }
    CHECK(b.open == t->open.count);
    for (uint32_t r = 0; r < t->rows; r++)
        if (is_left[r])
            CHECK(memcmp(loss + r * COLUMNS, t->loss + r * COLUMNS, COLUMNS * sizeof *loss) == 0);
    for (uint32_t i = 0; i < t->open.count; i++) {
        const uint32_t *columns = t->open.columns + i * t->strength;
        uint32_t        levels[COLUMNS];
        for (uint32_t k = 0; k < t->open.size[i]; k++)
            levels[k] = t->open.values[i * t->strength + k] - t->value[columns[k]];
        CHECK(rows_with(t, is_left, columns, levels, t->open.size[i]) == 0);
    }
    free(loss);
}

/* ---- Changing ---- */

static void change_at_random(wrc_tally *both[2], uint8_t *is_left, uint64_t *random)
{
    uint32_t row = below(random, both[0]->rows), column = below(random, COLUMNS);
    uint32_t level = below(random, both[0]->goal->levels[column]);
    if (!is_left[row])
        return;
    for (int i = 0; i < 2; i++)
        if (both[i]->cells[row * COLUMNS + column] != level)
            wrc_tally_change(both[i], row, column, level);
    if (below(random, 40) > 0)
        return;
    for (int i = 0; i < 2; i++)
        wrc_tally_remove(both[i], row);
    is_left[row] = 0;
}

static void gains_are_the_same(wrc_tally *both[2], const uint8_t *is_left, uint64_t *random)
{
    uint32_t row = below(random, both[0]->rows), column = below(random, COLUMNS);
    uint32_t value = both[0]->value[column] + below(random, both[0]->goal->levels[column]);
    if (is_left[row])
        CHECK(wrc_tally_gain(both[0], row, column, value) ==
              wrc_tally_gain(both[1], row, column, value));
}

static void run_shape(uint64_t seed)
{
    shape         s;
    wrc_tally     words, counts, *both[2] = { &words, &counts };
    wrc_array     array;
    wrc_complaint complaint = { 0 };
    uint64_t      random = wri_prng_stream(seed, 0), work = 0;
    random_shape(&s, &random);
    CHECK(wrc_grow(&s.goal, seed, &array, &work, &complaint));
    wrc_filler filler = { .goal = &s.goal };
    for (uint64_t r = 0; r < array.rows; r++)
        wrc_fill_row(&filler, array.cells + r * COLUMNS, &random);
    CHECK(wrc_tally_open(&words, &s.goal, (uint32_t)array.rows, UINT64_MAX));
    CHECK(wrc_tally_open(&counts, &s.goal, (uint32_t)array.rows, 0));
    CHECK(words.counts == NULL && counts.counts != NULL);
    CHECK(wrc_tally_read(&words, array.cells) && wrc_tally_read(&counts, array.cells));
    uint8_t *is_left = malloc(array.rows);
    memset(is_left, 1, array.rows);
    for (int step = 0; step < STEPS; step++) {
        change_at_random(both, is_left, &random);
        gains_are_the_same(both, is_left, &random);
        if (step % 50 == 0) {
            holds(&words, is_left);
            holds(&counts, is_left);
        }
    }
    free(is_left);
    wrc_tally_close(&words);
    wrc_tally_close(&counts);
    wrc_array_free(&array);
}

TEST(rows_that_do_not_cover_are_refused)
{
    shape    s;
    uint64_t random = wri_prng_stream(1, 1);
    uint32_t rows[2 * COLUMNS] = { 0 };
    random_shape(&s, &random);
    for (uint64_t words = 0; words < 2; words++) {
        wrc_tally t;
        CHECK(wrc_tally_open(&t, &s.goal, 2, words * UINT64_MAX));
        CHECK(!wrc_tally_read(&t, rows));
        wrc_tally_close(&t);
    }
}

TEST(a_tally_counts_as_its_rows_are)
{
    for (uint64_t seed = 1; seed <= 60; seed++)
        run_shape(seed);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
