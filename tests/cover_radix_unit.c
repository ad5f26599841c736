/* cover_radix_unit.c: wide parameters as digits: there and back, whole values' constraints over
 * digits, and the rows: every tuple of digits that there is and every value, in few rows. */
#include "check.h"
#include "core/hash.h"
#include "core/prng.h"
#include "cover/radix/digits.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

/* ---- Models ---- */

#define MOST 16

typedef struct sample {
    wrc_parameter parameters[MOST];
    uint32_t      all[MOST];
    wrc_relation  relations[2];
    wrc_model     model;
} sample;

static const char *const names[MOST] = { "a", "b", "c", "d", "e", "f", "g", "h",
                                         "i", "j", "k", "l", "m", "n", "o", "p" };

/* Levels are given with how often; more than ten are a range, 0, step, ... */
static void sample_open(sample *s, uint32_t strength, int64_t first, int64_t step,
                        const uint32_t *pairs)
{
    static const wrc_value few[10];
    memset(s, 0, sizeof *s);
    uint32_t count = 0;
    for (; pairs[0] != 0; pairs += 2)
        for (uint32_t i = 0; i < pairs[1]; i++) {
            s->all[count] = count;
            bool wide = pairs[0] > 10;
            s->parameters[count] =
                (wrc_parameter){ .name = names[count],
                                 .domain = wide ? WRC_DOMAIN_RANGE : WRC_DOMAIN_TEXT,
                                 .levels = pairs[0],
                                 .values = wide ? NULL : few,
                                 .first = first,
                                 .step = step };
            count++;
        }
    s->relations[0] = (wrc_relation){ NULL, strength, count, s->all };
    s->model = (wrc_model){ .parameter_count = count,
                            .relation_count = 1,
                            .parameters = s->parameters,
                            .relations = s->relations };
}

/* ---- Expressions, evaluated here once more ---- */

static bool is_in(const wrc_set *set, uint32_t level)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (level >= set->intervals[i].from && level <= set->intervals[i].to)
            return true;
    return false;
}

static int64_t evaluate(const wrc_model *model, const wrc_expression *e, const uint32_t *row)
{
    if (e->op == WRC_OP_NUMBER)
        return e->number;
    if (e->op == WRC_OP_VALUE)
        return wrc_parameter_number(&model->parameters[e->parameter], row[e->parameter]);
    if (e->op == WRC_OP_IN)
        return is_in(&e->set, row[e->parameter]);
    int64_t a = evaluate(model, e->left, row), b = e->right ? evaluate(model, e->right, row) : 0;
    switch (e->op) {
    case WRC_OP_NEGATE: return -a;
    case WRC_OP_ADD: return a + b;
    case WRC_OP_SUBTRACT: return a - b;
    case WRC_OP_MULTIPLY: return a * b;
    case WRC_OP_DIVIDE: return a / b;
    case WRC_OP_REMAINDER: return a % b;
    case WRC_OP_EQUAL: return a == b;
    case WRC_OP_UNEQUAL: return a != b;
    case WRC_OP_LESS: return a < b;
    case WRC_OP_AT_MOST: return a <= b;
    case WRC_OP_GREATER: return a > b;
    case WRC_OP_AT_LEAST: return a >= b;
    case WRC_OP_NOT: return !a;
    case WRC_OP_AND: return a && b;
    case WRC_OP_OR: return a || b;
    default: return !a || b;
    }
}

static bool holds(const wrc_model *model, const uint32_t *row)
{
    for (uint32_t i = 0; i < model->constraint_count; i++)
        if (!evaluate(model, model->constraints[i].holds, row))
            return false;
    return true;
}

/* ---- Coverage of digits, and of values ---- */

typedef struct taken {
    wrc_radix       *radix;
    const wrc_model *model;
    uint32_t        *rows, *digits; /* whole, and digits */
    uint64_t         count;
    bool             valid;
} taken;

static bool take_row(void *state, const uint32_t *row)
{
    taken           *t = state;
    const wrc_model *digits = wrc_radix_digits(t->radix);
    uint32_t         columns = digits->parameter_count, whole = t->model->parameter_count;
    t->rows = realloc(t->rows, (t->count + 1) * whole * sizeof *t->rows);
    t->digits = realloc(t->digits, (t->count + 1) * columns * sizeof *t->digits);
    memcpy(t->rows + t->count * whole, row, whole * sizeof *row);
    wrc_radix_divide(t->radix, row, t->digits + t->count * columns);
    for (uint32_t i = 0; i < whole; i++)
        t->valid = t->valid && row[i] < t->model->parameters[i].levels;
    t->valid = t->valid && holds(digits, t->digits + t->count * columns);
    t->count++;
    return true;
}

/* How many tuples of some columns the rows show, and how many all levels could: each parameter's
 * digits are those of a level, so those that exist are counted level by level. */
static uint64_t shown(const taken *t, const uint32_t *set, uint32_t strength)
{
    const wrc_model *digits = wrc_radix_digits(t->radix);
    uint64_t         tuples = 1, count = 0;
    for (uint32_t i = 0; i < strength; i++)
        tuples *= digits->parameters[set[i]].levels;
    uint8_t *seen = calloc(tuples, 1);
    for (uint64_t row = 0; row < t->count; row++) {
        uint64_t tuple = 0;
        for (uint32_t i = 0; i < strength; i++)
            tuple = tuple * digits->parameters[set[i]].levels +
                    t->digits[row * digits->parameter_count + set[i]];
        count += !seen[tuple];
        seen[tuple] = 1;
    }
    free(seen);
    return count;
}

static uint64_t existing(const taken *t, const uint32_t *set, uint32_t strength)
{
    const wrc_model *digits = wrc_radix_digits(t->radix);
    uint64_t         product = 1;
    for (uint32_t from = 0, end; from < strength; from = end) {
        const char *name = digits->parameters[set[from]].name;
        uint32_t    parameter = 0;
        uint64_t    tuples = 1, count = 0;
        for (end = from; end < strength && digits->parameters[set[end]].name == name; end++)
            tuples *= digits->parameters[set[end]].levels;
        while (t->model->parameters[parameter].name != name)
            parameter++;
        uint8_t *seen = calloc(tuples, 1);
        uint32_t row[MOST] = { 0 }, *cells = malloc(digits->parameter_count * sizeof *cells);
        for (uint32_t level = 0; level < t->model->parameters[parameter].levels; level++) {
            row[parameter] = level;
            wrc_radix_divide(t->radix, row, cells);
            uint64_t tuple = 0;
            for (uint32_t i = from; i < end; i++)
                tuple = tuple * digits->parameters[set[i]].levels + cells[set[i]];
            count += !seen[tuple];
            seen[tuple] = 1;
        }
        free(seen);
        free(cells);
        product *= count;
    }
    return product;
}

/* Sets of columns in a long stride, so that a check takes a moment also at strength 4. */
static bool covers(const taken *t, uint32_t strength, uint32_t stride)
{
    const wrc_model *digits = wrc_radix_digits(t->radix);
    uint32_t         columns = digits->parameter_count, set[8], skip = 0;
    for (uint32_t i = 0; i < strength; i++)
        set[i] = i;
    for (;;) {
        if (skip++ % stride == 0 && shown(t, set, strength) != existing(t, set, strength))
            return false;
        uint32_t i = strength;
        while (i > 0 && set[i - 1] == columns - (strength - i) - 1)
            i--;
        if (i == 0)
            return true;
        for (set[i - 1]++; i < strength; i++)
            set[i] = set[i - 1] + 1;
    }
}

static bool has_all_values(const taken *t)
{
    bool all = true;
    for (uint32_t p = 0; p < t->model->parameter_count; p++) {
        uint32_t levels = t->model->parameters[p].levels, seen = 0;
        bool    *has = calloc(levels, sizeof *has);
        for (uint64_t row = 0; row < t->count; row++) {
            uint32_t level = t->rows[row * t->model->parameter_count + p];
            seen += !has[level];
            has[level] = true;
        }
        all = all && seen == levels;
        free(has);
    }
    return all;
}

/* The rows, 0 if something is wrong with them. */
static uint64_t rows_of(const wrc_model *model, wrc_radix_options options, uint32_t stride)
{
    wrc_complaint complaint;
    taken         t = { wrc_radix_open(model, &options, &complaint), model, NULL, NULL, 0, true };
    CHECK(t.radix != NULL);
    CHECK(t.radix->direct &&
          wrc_digit_rows_stream(&t.radix->rows, &t.radix->layout, take_row, &t));
    CHECK(t.count == t.radix->rows.rows);
    bool good = t.valid && covers(&t, model->relations[0].strength, stride) &&
                (options.no_local || has_all_values(&t));
    wrc_radix_close(t.radix);
    free(t.rows);
    free(t.digits);
    return good ? t.count : 0;
}

/* ---- The tests ---- */

TEST(digits_lead_back_to_the_value)
{
    static const uint32_t wide[] = { 1001, 2, 12, 1, 7, 1, 65536, 1, 99991, 1, 0 };
    static const uint32_t bases[] = { 0, 2, 3, 4, 7, 10, 32 };
    for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
        sample s;
        sample_open(&s, 2, -5, 3, wide);
        wrc_complaint complaint;
        wrc_radix    *radix = wrc_radix_open(
               &s.model, &(wrc_radix_options){ .base = bases[b], .no_local = true }, &complaint);
        CHECK(radix != NULL);
        uint64_t random = bases[b];
        for (int i = 0; i < 2000; i++) {
            uint32_t row[MOST], back[MOST], digits[256];
            for (uint32_t p = 0; p < s.model.parameter_count; p++)
                row[p] =
                    (uint32_t)wri_prng_scale(wri_prng_next(&random), s.parameters[p].levels - 1);
            row[i % 5] = i % 3 == 0 ? WRC_ANY : row[i % 5];
            wrc_radix_divide(radix, row, digits);
            wrc_radix_join(radix, digits, back);
            CHECK(memcmp(row, back, s.model.parameter_count * sizeof *row) == 0);
        }
        wrc_radix_close(radix);
    }
}

TEST(rows_are_few_and_cover_everything)
{
    static const uint32_t thousand[] = { 1001, 6, 2, 3, 3, 2, 4, 1, 0 };
    static const uint32_t hundred[] = { 101, 6, 2, 3, 3, 2, 4, 1, 0 };
    static const struct {
        const uint32_t *levels;
        uint32_t        strength;
        uint64_t        bar;
        uint32_t        stride;
    } cases[] = { { thousand, 2, 1001, 1 }, { thousand, 3, 1001, 7 }, { thousand, 4, 1720, 997 },
                  { hundred, 2, 101, 1 },   { hundred, 3, 182, 1 },   { hundred, 4, 845, 499 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sample s;
        sample_open(&s, cases[i].strength, 0, 1, cases[i].levels);
        uint64_t rows = rows_of(&s.model, (wrc_radix_options){ .seed = 1 }, cases[i].stride);
        CHECK(rows > 0 && rows <= cases[i].bar);
    }
}

TEST(other_shapes_cover_too)
{
    static const uint32_t mixed[] = { 700, 1, 64, 2, 30, 1, 12, 1, 5, 2, 2, 3, 0 };
    static const uint32_t one[] = { 5000, 1, 2, 1, 0 };
    sample                s;
    for (uint32_t base = 0; base < 12; base = base == 0 ? 2 : base + 3)
        for (uint32_t strength = 1; strength <= 3; strength++)
            for (int local = 0; local < 2; local++) {
                sample_open(&s, strength, 0, 1, mixed);
                wrc_radix_options options = { .base = base, .no_local = !local, .seed = base };
                uint64_t          rows = rows_of(&s.model, options, 13);
                CHECK(rows > 0 && (local ? rows >= 700 : rows < 5000));
            }
    sample_open(&s, 2, 0, 1, one);
    CHECK(rows_of(&s.model, (wrc_radix_options){ .seed = 3 }, 1) == 5000);
}

TEST(the_seed_decides)
{
    static const uint32_t levels[] = { 101, 3, 3, 2, 0 };
    sample                s;
    sample_open(&s, 2, 0, 1, levels);
    uint64_t hash[3];
    for (uint64_t i = 0; i < 3; i++) {
        wrc_complaint     complaint;
        wrc_radix_options options = { .seed = i / 2 };
        taken             t = {
                        wrc_radix_open(&s.model, &options, &complaint), &s.model, NULL, NULL, 0, true
        };
        CHECK(wrc_digit_rows_stream(&t.radix->rows, &t.radix->layout, take_row, &t));
        hash[i] = wri_hash_bytes(t.rows, t.count * s.model.parameter_count * sizeof *t.rows);
        wrc_radix_close(t.radix);
        free(t.rows);
        free(t.digits);
    }
    CHECK(hash[0] == hash[1] && hash[1] != hash[2]);
}

/* a + 2 * b <= 900 && a != 120, a not in 0..3, 50..60; evaluated on values and on digits. */
TEST(constraints_on_whole_values_hold_of_digits)
{
    static const uint32_t levels[] = { 1001, 2, 3, 1, 0 };
    wrc_expression        a = { .op = WRC_OP_VALUE, .parameter = 0 },
                   b = { .op = WRC_OP_VALUE, .parameter = 1 },
                   two = { .op = WRC_OP_NUMBER, .number = 2 },
                   limit = { .op = WRC_OP_NUMBER, .number = 900 },
                   twice = { .op = WRC_OP_MULTIPLY, .left = &two, .right = &b },
                   sum = { .op = WRC_OP_ADD, .left = &a, .right = &twice },
                   below = { .op = WRC_OP_AT_MOST, .left = &sum, .right = &limit };
    wrc_interval   intervals[2] = { { 0, 3 }, { 50, 60 } };
    wrc_expression in = { .op = WRC_OP_IN, .parameter = 0, .set = { 2, intervals } },
                   out = { .op = WRC_OP_NOT, .left = &in };
    wrc_constraint        constraints[2] = { { &below, "a + 2b <= 900", 1 },
                                             { &out, "a is not in it", 2 } };
    static const uint32_t bases[] = { 0, 2, 4, 10 };
    for (size_t n = 0; n < sizeof bases / sizeof *bases; n++) {
        sample        s;
        wrc_complaint complaint;
        sample_open(&s, 2, -20, 2, levels);
        s.model.constraints = constraints;
        s.model.constraint_count = 2;
        wrc_radix *radix =
            wrc_radix_open(&s.model, &(wrc_radix_options){ .base = bases[n] }, &complaint);
        const wrc_model *digits = wrc_radix_digits(radix);
        CHECK(radix != NULL && !radix->direct);
        CHECK(digits->relation_count == 3); /* all, and the digits of each */
        uint64_t random = 7;
        int      agreed[2] = { 0 };
        for (int i = 0; i < 3000; i++) {
            uint32_t row[3], cells[64];
            for (uint32_t p = 0; p < 3; p++)
                row[p] =
                    (uint32_t)wri_prng_scale(wri_prng_next(&random), s.parameters[p].levels - 1);
            if (i % 3 == 0)
                row[0] = row[0] % 64;
            wrc_radix_divide(radix, row, cells);
            bool whole = holds(&s.model, row);
            CHECK(whole == holds(digits, cells));
            agreed[whole]++;
        }
        CHECK(agreed[0] > 100 && agreed[1] > 100);
        uint32_t above[64], row[3]; /* digits that stand for no value break a constraint */
        for (uint32_t i = 0; i < digits->parameter_count; i++)
            above[i] = digits->parameters[i].levels - 1;
        wrc_radix_join(radix, above, row);
        CHECK((row[0] == WRC_ANY) == !holds(digits, above) || row[0] == 1000);
        wrc_radix_close(radix);
    }
}

TEST(what_cannot_be_split_stays_whole)
{
    static const uint32_t levels[] = { 40, 3, 3, 1, 0 };
    wrc_value             squares[40];
    memset(squares, 0, sizeof squares);
    for (int64_t i = 0; i < 40; i++)
        squares[i].number = i * i;
    wrc_expression value = { .op = WRC_OP_VALUE, .parameter = 1 },
                   one = { .op = WRC_OP_NUMBER, .number = 1 },
                   holds_of = { .op = WRC_OP_GREATER, .left = &value, .right = &one };
    wrc_constraint constraint = { &holds_of, "b > 1", 1 };
    sample         s;
    wrc_complaint  complaint;
    uint32_t       base;
    sample_open(&s, 2, 0, 1, levels);
    s.parameters[0].invalid = 1;                /* an invalid value */
    s.parameters[1].domain = WRC_DOMAIN_NUMBER; /* a list that is computed with */
    s.parameters[1].values = squares;
    s.model.constraints = &constraint;
    s.model.constraint_count = 1;
    wrc_radix *radix = wrc_radix_open(&s.model, &(wrc_radix_options){ 0 }, &complaint);
    CHECK(radix != NULL && wrc_radix_split(radix, &base) == 1 && base > 1);
    CHECK(wrc_radix_digits(radix)->parameters[0].levels == 40);
    CHECK(wrc_radix_digits(radix)->parameters[1].levels == 40);
    wrc_radix_close(radix);
    CHECK(wrc_radix_open(&s.model, &(wrc_radix_options){ .base = 1 }, &complaint) == NULL);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
