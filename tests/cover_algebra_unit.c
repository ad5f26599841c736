/* cover_algebra_unit.c: the direct constructions, each array checked by going through all
 * combinations; what they are asked for and how many rows there may be; lower bounds. */
#include "check.h"
#include "core/prng.h"
#include "cover/algebra/algebra.h"
#include "cover/algebra/field.h"
#include "cover/search/stages.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

/* ---- A checker of its own: the tuples of every set of columns are ticked off ---- */

typedef struct checker {
    const wrc_array *array;
    const uint32_t  *levels;
    uint32_t         strength;
    uint32_t         set[16];
    uint64_t         missing;
} checker;

static void check_set(checker *c)
{
    uint64_t tuples = 1;
    for (uint32_t i = 0; i < c->strength; i++)
        tuples *= c->levels[c->set[i]];
    uint8_t *seen = calloc(tuples, 1);
    for (uint64_t row = 0; row < c->array->rows; row++) {
        const uint32_t *cells = c->array->cells + row * c->array->columns;
        uint64_t        tuple = 0;
        bool            open = false;
        for (uint32_t i = 0; i < c->strength; i++) {
            uint32_t level = cells[c->set[i]];
            open = open || level == WRC_ANY;
            tuple = tuple * c->levels[c->set[i]] + level;
        }
        if (!open)
            seen[tuple] = 1;
    }
    for (uint64_t i = 0; i < tuples; i++)
        c->missing += !seen[i];
    free(seen);
}

static void check_sets(checker *c, const wrc_relation *relation, uint32_t depth, uint32_t from)
{
    if (depth == relation->strength) {
        check_set(c);
        return;
    }
    for (uint32_t i = from; i < relation->count; i++) {
        c->set[depth] = relation->parameters[i];
        check_sets(c, relation, depth + 1, i + 1);
    }
}

static uint64_t missing(const wrc_goal *goal, const wrc_array *array)
{
    checker c = { .array = array, .levels = goal->levels };
    for (uint64_t i = 0; i < array->rows * array->columns; i++)
        if (array->cells[i] != WRC_ANY && array->cells[i] >= goal->levels[i % array->columns])
            return UINT64_MAX;
    for (uint32_t i = 0; i < goal->relation_count; i++) {
        c.strength = goal->relations[i].strength;
        check_sets(&c, &goal->relations[i], 0, 0);
    }
    return c.missing;
}

/* ---- Goals written as levels and how often: {10, 2, 4, 1} is 10^2 4 ---- */

#define MOST_COLUMNS 400

typedef struct sample {
    uint32_t     strength;
    uint32_t     levels[MOST_COLUMNS], columns[MOST_COLUMNS];
    wrc_relation relation;
    wrc_goal     goal;
} sample;

static void sample_open(sample *s, uint32_t strength, const uint32_t *pairs)
{
    memset(s, 0, sizeof *s);
    uint32_t count = 0;
    for (; pairs[0] != 0; pairs += 2)
        for (uint32_t i = 0; i < pairs[1]; i++) {
            s->columns[count] = count;
            s->levels[count++] = pairs[0];
        }
    s->relation = (wrc_relation){ NULL, strength, count, s->columns };
    s->goal = (wrc_goal){
        .columns = count, .levels = s->levels, .relation_count = 1, .relations = &s->relation
    };
}

static uint64_t planned_rows(const wrc_goal *goal)
{
    wrc_algebra *algebra = wrc_algebra_open(goal);
    uint64_t     rows = wrc_algebra_rows(algebra);
    wrc_algebra_close(algebra);
    return rows;
}

static bool streams(const wrc_goal *goal, wrc_row_taker *take, void *state)
{
    wrc_algebra *algebra = wrc_algebra_open(goal);
    bool         all = wrc_algebra_stream(algebra, take, state);
    wrc_algebra_close(algebra);
    return all;
}

static bool builds(const wrc_goal *goal, uint64_t best, wrc_array *array)
{
    wrc_algebra *algebra = wrc_algebra_open(goal);
    bool         built = wrc_algebra_build(algebra, best, array);
    wrc_algebra_close(algebra);
    return built;
}

static uint64_t built_rows(uint32_t strength, const uint32_t *pairs)
{
    sample s;
    sample_open(&s, strength, pairs);
    wrc_array   array = { 0 };
    const char *why = NULL;
    uint64_t    bound = wrc_bound_rows(&s.goal, &why);
    CHECK(why != NULL);
    wrc_algebra *algebra = wrc_algebra_open(&s.goal);
    if (!wrc_algebra_build(algebra, UINT64_MAX, &array)) {
        wrc_algebra_close(algebra);
        return 0;
    }
    uint64_t rows = array.rows;
    CHECK(missing(&s.goal, &array) == 0);
    CHECK(rows <= wrc_algebra_rows(algebra));
    CHECK(bound <= rows);
    CHECK(wrc_algebra_name(algebra) != NULL);
    wrc_algebra_close(algebra);
    wrc_array_free(&array);
    return rows;
}

#define ROWS(strength, ...) built_rows(strength, (const uint32_t[]){ __VA_ARGS__, 0 })

/* ---- The tests ---- */

TEST(field_axioms_hold)
{
    static const uint32_t sizes[] = { 2,   3,   4,   5,    7,    8,    9,    16,   25,
                                      27,  32,  49,  64,   81,   128,  243,  256,  257,
                                      343, 512, 625, 1009, 1024, 2187, 4096, 65537 };
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        wrc_field f;
        CHECK(wrc_field_open(&f, sizes[n]));
        uint64_t random = sizes[n];
        for (int i = 0; i < 300; i++) {
            uint32_t a = (uint32_t)wri_prng_scale(wri_prng_next(&random), f.size - 1);
            uint32_t b = (uint32_t)wri_prng_scale(wri_prng_next(&random), f.size - 1);
            uint32_t c = (uint32_t)wri_prng_scale(wri_prng_next(&random), f.size - 1);
            uint32_t left = wrc_field_product(&f, a, wrc_field_sum(&f, b, c));
            uint32_t right =
                wrc_field_sum(&f, wrc_field_product(&f, a, b), wrc_field_product(&f, a, c));
            CHECK(left == right);
            CHECK(wrc_field_sum(&f, a, wrc_field_negative(&f, a)) == 0);
            CHECK(a == 0 || wrc_field_product(&f, a, wrc_field_inverse(&f, a)) == 1);
        }
        wrc_field_close(&f);
    }
    wrc_field none;
    CHECK(!wrc_field_open(&none, 6));
    CHECK(!wrc_field_open(&none, 1001));
    CHECK(wrc_field_next_order(10) == 11 && wrc_field_next_order(26) == 27);
}

/* Every strength, number of columns and number of levels that can be gone through in a moment. */
TEST(every_small_array_covers)
{
    for (uint32_t t = 1; t <= 6; t++)
        for (uint32_t v = 2; v <= (t <= 2 ? 13U : t == 3 ? 9U : t == 4 ? 5U : 4U); v++)
            for (uint32_t k = t; k <= (t <= 2 ? 40U : t == 3 ? 24U : t == 4 ? 13U : 11U); k++)
                CHECK(ROWS(t, v, k) > 0);
}

TEST(rows_are_as_few_as_known)
{
    CHECK(ROWS(2, 3, 4) == 9);
    CHECK(ROWS(2, 3, 13) == 15);
    CHECK(ROWS(2, 2, 100) == 10);
    CHECK(ROWS(2, 2, 126) == 10);
    CHECK(ROWS(2, 2, 127) == 11);
    CHECK(ROWS(2, 10, 20) <= 181);
    CHECK(ROWS(2, 4, 100) <= 43);
    CHECK(ROWS(3, 5, 10) <= 225);
    CHECK(ROWS(3, 10, 10) <= 1331);
    CHECK(ROWS(3, 4, 6) == 64);
    CHECK(ROWS(3, 2, 11) == 12);
    CHECK(ROWS(3, 3, 14) == 45);
    CHECK(ROWS(3, 4, 100) <= 316);
    CHECK(ROWS(4, 4, 10) == 496);
    CHECK(ROWS(4, 2, 20) == 46);
    CHECK(ROWS(4, 2, 60) == 67);
    CHECK(ROWS(5, 4, 10) == 1792);
    CHECK(ROWS(5, 2, 14) == 64);
    CHECK(ROWS(5, 2, 30) == 178);
    CHECK(ROWS(6, 3, 10) == 1431);
    CHECK(ROWS(6, 2, 15) == 128);
    CHECK(ROWS(7, 2, 16) == 256);
}

TEST(columns_of_different_width_share_an_array)
{
    CHECK(ROWS(2, 101, 6, 2, 3, 3, 1, 4, 2) == 10201);
    CHECK(ROWS(2, 10, 2, 3, 2) == 100); /* a sum: the last slot carries both */
    CHECK(ROWS(3, 7, 1, 6, 1, 5, 1, 4, 1) == 210);
    CHECK(ROWS(4, 3, 2, 2, 2) == 36);   /* the full product */
    CHECK(ROWS(2, 50, 1, 5, 5) == 250); /* the wide ones are given */
    CHECK(ROWS(2, 10, 2, 4, 1, 3, 2, 2, 7) == 100);
    CHECK(ROWS(3, 60, 2, 5, 3) == 18000);
    CHECK(ROWS(3, 12, 2, 4, 1, 3, 3) == 576); /* GF(4) has six slots */
    CHECK(ROWS(4, 9, 3, 7, 1, 5, 2) == 5103);
    CHECK(ROWS(5, 6, 2, 4, 3, 2, 2) == 2304); /* a sum of five */
    CHECK(ROWS(2, 10, 5, 7, 5) <= 121);
    CHECK(ROWS(2, 12, 5) <= 169);
    CHECK(ROWS(2, 20, 5, 3, 7) <= 529);  /* 20 = 4 * 5 has 5 slots, 23 has 24 */
    CHECK(ROWS(2, 45, 5, 2, 5) == 2025); /* 9 * 5: polynomials by parts */
    CHECK(ROWS(3, 30, 3, 4, 3) > 0);
    CHECK(ROWS(1, 12, 1, 9, 3, 2, 2) == 12);
    CHECK(ROWS(2, 5, 3, 1, 2) == 25); /* one level: always that */
}

/* Any mixture: what is built covers, and has at least as many rows as there have to be. */
TEST(columns_drawn_at_random_are_covered)
{
    uint64_t random = 11;
    for (int i = 0; i < 400; i++) {
        uint32_t pairs[2 * 9 + 1] = { 0 },
                               strength = 1 + (uint32_t)wri_prng_scale(wri_prng_next(&random), 3);
        uint32_t groups =
            strength + (uint32_t)wri_prng_scale(wri_prng_next(&random), 9 - strength);
        for (uint32_t j = 0; j < groups; j++) {
            uint32_t most = j < 2 ? 40 / strength : 9;
            pairs[2 * j] = 1 + (uint32_t)wri_prng_scale(wri_prng_next(&random), most);
            pairs[2 * j + 1] =
                1 + (uint32_t)wri_prng_scale(wri_prng_next(&random), strength == 2 ? 3 : 0);
        }
        sample s;
        sample_open(&s, strength, pairs);
        if (planned_rows(&s.goal) < 60000)
            CHECK(built_rows(strength, pairs) > 0);
    }
}

typedef struct counted {
    uint64_t rows, sum;
    uint32_t columns;
} counted;

static bool count_row(void *state, const uint32_t *row)
{
    counted *c = state;
    c->rows++;
    for (uint32_t i = 0; i < c->columns; i++)
        c->sum += row[i] == WRC_ANY ? 0 : row[i];
    return true;
}

static bool take_two(void *state, const uint32_t *row)
{
    (void)row;
    return ++*(int *)state < 2;
}

TEST(wide_ranges_are_streamed)
{
    static const uint32_t wide[] = { 1001, 6, 2, 3, 3, 2, 4, 1, 0 }, hundred[] = { 101, 6, 0 };
    sample                s;
    sample_open(&s, 2, wide);
    counted c = { .columns = s.goal.columns };
    CHECK(planned_rows(&s.goal) == 1002001);
    CHECK(streams(&s.goal, count_row, &c) && c.rows == 1002001);
    sample_open(&s, 3, hundred);
    c = (counted){ .columns = s.goal.columns };
    CHECK(streams(&s.goal, count_row, &c) && c.rows == 1030301);
    CHECK(c.sum == UINT64_C(1030301) * 50 * 6); /* every value as often as every other */
    int taken = 0;
    CHECK(streams(&s.goal, take_two, &taken) && taken == 2);
}

TEST(goals_that_are_not_for_algebra_are_refused)
{
    static const uint32_t pairs[] = { 3, 4, 0 };
    sample                s;
    sample_open(&s, 2, pairs);
    wrc_array array = { 0 };
    uint32_t  fixed[4] = { WRC_ANY, 1, WRC_ANY, WRC_ANY }, kept[4] = { 0 };
    CHECK(!builds(&s.goal, 9, &array) && array.cells == NULL);
    s.goal.fixed = fixed;
    CHECK(planned_rows(&s.goal) == UINT64_MAX);
    s.goal.fixed = NULL;
    s.goal.kept = kept;
    s.goal.kept_count = 1;
    CHECK(planned_rows(&s.goal) == UINT64_MAX);
    CHECK(!builds(&s.goal, UINT64_MAX, &array));
}

TEST(columns_in_no_relation_stay_open)
{
    uint32_t     levels[5] = { 3, 7, 3, 3, 1 }, named[4] = { 0, 2, 3, 4 };
    wrc_relation relation = { NULL, 2, 4, named };
    wrc_goal     goal = {
            .columns = 5, .levels = levels, .relation_count = 1, .relations = &relation
    };
    wrc_array array = { 0 };
    CHECK(builds(&goal, UINT64_MAX, &array) && array.rows == 9);
    CHECK(missing(&goal, &array) == 0);
    CHECK(array.cells[1] == WRC_ANY && array.cells[4] == 0);
    free(array.cells);
}

static uint64_t bound_of(uint32_t strength, const uint32_t *pairs)
{
    sample      s;
    const char *why = NULL;
    sample_open(&s, strength, pairs);
    uint64_t bound = wrc_bound_rows(&s.goal, &why);
    CHECK(why != NULL && why[0] != '\0');
    return bound;
}

#define BOUND(strength, ...) bound_of(strength, (const uint32_t[]){ __VA_ARGS__, 0 })

TEST(lower_bounds_are_those_that_are_proved)
{
    CHECK(BOUND(2, 10, 2, 4, 1, 3, 2, 2, 7) == 100);
    CHECK(BOUND(6, 10, 2, 4, 1, 3, 2, 2, 7) == 7200);
    CHECK(BOUND(2, 2, 100) == 10);
    CHECK(BOUND(2, 3, 4) == 9);
    CHECK(BOUND(2, 3, 13) == 15);
    CHECK(BOUND(2, 5, 6) == 25);
    CHECK(BOUND(2, 5, 7) == 26);
    CHECK(BOUND(3, 2, 101) == 20);
    CHECK(BOUND(1, 12, 1, 3, 5) == 12);
    CHECK(BOUND(2, 1, 5) == 1);
}

/* What algebra has for some columns, grown to all: it covers, and needs fewer rows. */
TEST(growing_goes_on_where_algebra_ends)
{
    static const uint32_t bits[] = { 2, 15, 0 }, mixed[] = { 10, 2, 4, 1, 3, 2, 2, 7, 0 };
    static const struct {
        const uint32_t *levels;
        uint32_t        strength;
        uint64_t        bar;
    } cases[] = { { bits, 5, 122 }, { mixed, 4, 1356 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sample        s;
        wrc_complaint complaint;
        wrc_array     array = { 0 };
        uint64_t      work = 0;
        sample_open(&s, cases[i].strength, cases[i].levels);
        CHECK(wrc_extend(&s.goal, cases[i].bar + 1, 1, &array, &work, &complaint));
        CHECK(array.rows <= cases[i].bar && missing(&s.goal, &array) == 0);
        wrc_array_free(&array);
        CHECK(!wrc_extend(&s.goal, 1, 1, &array, &work, &complaint) && array.cells == NULL);
    }
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
