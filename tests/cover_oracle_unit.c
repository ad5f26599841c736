/* What constraints allow, against brute force: thousands of small random models with every
 * operator, answered by tuples, diagrams and each solver. Then shapes that are too large for
 * brute force, whose answers are known. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/prng.h"
#include "cover/model/expression.h"
#include "cover/oracle/oracle.h"
#include "cover/oracle/solver.h"
#include "unit.h"

/* ---- Models made by hand or at random ---- */

enum { PARAMETERS = 64, CONSTRAINTS = 256, EXPRESSIONS = 4096, VALUES = 1024, INTERVALS = 2048 };

typedef struct maker {
    wrc_model      model;
    wrc_parameter  parameters[PARAMETERS];
    wrc_constraint constraints[CONSTRAINTS];
    wrc_expression expressions[EXPRESSIONS];
    wrc_value      values[VALUES];
    wrc_interval   intervals[INTERVALS];
    uint32_t       expression_count, value_count, interval_count;
    uint64_t       random;
} maker;

static void begin(maker *m, uint64_t seed)
{
    memset(m, 0, sizeof *m);
    m->random = seed;
    m->model.parameters = m->parameters;
    m->model.constraints = m->constraints;
}

static uint64_t below(maker *m, uint64_t bound)
{
    return wri_prng_scale(wri_prng_next(&m->random), bound - 1);
}

static uint32_t add_range(maker *m, int64_t first, int64_t step, uint32_t levels)
{
    m->parameters[m->model.parameter_count] = (wrc_parameter){
        .name = "r", .domain = WRC_DOMAIN_RANGE, .levels = levels, .first = first, .step = step
    };
    return m->model.parameter_count++;
}

static uint32_t add_numbers(maker *m, const int64_t *numbers, uint32_t levels)
{
    wrc_value *values = &m->values[m->value_count];
    for (uint32_t i = 0; i < levels; i++)
        values[i] = (wrc_value){ .text = "v", .number = numbers[i], .weight = 1 };
    m->value_count += levels;
    m->parameters[m->model.parameter_count] = (wrc_parameter){
        .name = "n", .domain = WRC_DOMAIN_NUMBER, .levels = levels, .values = values
    };
    return m->model.parameter_count++;
}

static wrc_expression *make(maker *m, wrc_operator op)
{
    wrc_expression *e = &m->expressions[m->expression_count++];
    e->op = op;
    return e;
}

static const wrc_expression *number(maker *m, int64_t n)
{
    wrc_expression *e = make(m, WRC_OP_NUMBER);
    e->number = n;
    return e;
}

static const wrc_expression *value(maker *m, uint32_t parameter)
{
    wrc_expression *e = make(m, WRC_OP_VALUE);
    e->parameter = parameter;
    return e;
}

static const wrc_expression *join(maker *m, wrc_operator op, const wrc_expression *left,
                                  const wrc_expression *right)
{
    wrc_expression *e = make(m, op);
    e->left = left;
    e->right = right;
    return e;
}

static const wrc_expression *level_is(maker *m, uint32_t parameter, uint32_t level)
{
    wrc_expression *e = make(m, WRC_OP_IN);
    e->parameter = parameter;
    e->set = (wrc_set){ 1, &m->intervals[m->interval_count] };
    m->intervals[m->interval_count++] = (wrc_interval){ level, level };
    return e;
}

static void require(maker *m, const wrc_expression *holds, const char *text)
{
    uint32_t i = m->model.constraint_count++;
    m->constraints[i] = (wrc_constraint){ holds, text, i + 1 };
}

/* ---- Random ones ---- */

static const wrc_expression *random_truth(maker *m, int depth);

static const wrc_expression *random_number(maker *m, int depth)
{
    static const int64_t far[] = { 0, -1, INT64_MAX, INT64_MIN, INT64_MAX / 2, 1 };
    uint32_t             which = (uint32_t)below(m, 12);
    if (depth == 0 || which < 4)
        return value(m, (uint32_t)below(m, m->model.parameter_count));
    if (which < 6)
        return number(m, (int64_t)below(m, 9) - 3);
    if (which == 6)
        return below(m, 4) > 0 ? number(m, (int64_t)below(m, 9)) : number(m, far[below(m, 6)]);
    if (which == 7)
        return join(m, WRC_OP_NEGATE, random_number(m, depth - 1), NULL);
    if (which == 8 && below(m, 4) == 0)
        return random_truth(m, depth - 1);
    wrc_operator          op = WRC_OP_ADD + (wrc_operator)below(m, 5);
    const wrc_expression *left = random_number(m, depth - 1);
    return join(m, op, left, random_number(m, depth - 1));
}

static const wrc_expression *random_set(maker *m)
{
    wrc_expression *e = make(m, WRC_OP_IN);
    e->parameter = (uint32_t)below(m, m->model.parameter_count);
    e->set.intervals = &m->intervals[m->interval_count];
    for (uint32_t l = 0; l < m->parameters[e->parameter].levels; l++) {
        if (below(m, 2) == 0)
            continue;
        wrc_interval *last = &m->intervals[m->interval_count];
        if (e->set.count > 0 && last[-1].to + 1 == l)
            last[-1].to = l;
        else {
            *last = (wrc_interval){ l, l };
            m->interval_count++;
            e->set.count++;
        }
    }
    return e;
}

static const wrc_expression *random_truth(maker *m, int depth)
{
    uint32_t which = (uint32_t)below(m, 20);
    if (which == 0)
        return random_number(m, depth); /* a number as a truth */
    if (which < 6)
        return random_set(m);
    if (depth == 0 || which < 12) {
        wrc_operator          op = WRC_OP_EQUAL + (wrc_operator)below(m, 6);
        const wrc_expression *left = random_number(m, depth == 0 ? 1 : depth - 1);
        return join(m, op, left, random_number(m, depth == 0 ? 0 : depth - 1));
    }
    if (which < 14)
        return join(m, WRC_OP_NOT, random_truth(m, depth - 1), NULL);
    wrc_operator          op = WRC_OP_AND + (wrc_operator)below(m, 3);
    const wrc_expression *left = random_truth(m, depth - 1);
    return join(m, op, left, random_truth(m, depth - 1));
}

static void random_parameter(maker *m)
{
    static const int64_t far[] = { INT64_MIN, INT64_MAX, INT64_MAX - 1, 0, -1 };
    int64_t              numbers[8];
    uint32_t             levels = 1 + (uint32_t)below(m, 4);
    if (below(m, 3) == 0) {
        add_range(m, (int64_t)below(m, 9) - 4, 1 + (int64_t)below(m, 3), levels);
        return;
    }
    for (uint32_t i = 0; i < levels; i++)
        numbers[i] = below(m, 12) == 0 ? far[below(m, 5)] : (int64_t)below(m, 9) - 4;
    uint32_t p = add_numbers(m, numbers, levels);
    m->parameters[p].invalid = below(m, 3) == 0 && levels > 1;
}

static void random_model(maker *m, uint64_t seed)
{
    begin(m, seed);
    uint32_t parameters = 3 + (uint32_t)below(m, 4), constraints = (uint32_t)below(m, 5);
    for (uint32_t i = 0; i < parameters; i++)
        random_parameter(m);
    for (uint32_t i = 0; i < constraints; i++)
        require(m, random_truth(m, (int)below(m, 4)), "random");
}

/* ---- Brute force ---- */

/* The next row that agrees with the fixed cells; false: there was none. */
static bool next_row(const wrc_model *model, const uint32_t *fixed, uint32_t *row)
{
    for (uint32_t p = 0; p < model->parameter_count; p++) {
        if (fixed[p] != WRC_ANY)
            continue;
        if (++row[p] < model->parameters[p].levels)
            return true;
        row[p] = 0;
    }
    return false;
}

static bool can_be_completed(const wrc_model *model, const uint32_t *fixed)
{
    uint32_t row[PARAMETERS];
    for (uint32_t p = 0; p < model->parameter_count; p++)
        row[p] = fixed[p] == WRC_ANY ? 0 : fixed[p];
    do
        if (wrc_oracle_row_holds(model, row))
            return true;
    while (next_row(model, fixed, row));
    return false;
}

static void check_completion(maker *m, wrc_oracle *oracle, const uint32_t *partial)
{
    uint32_t row[PARAMETERS];
    for (int random = 0; random < 2; random++) {
        memcpy(row, partial, sizeof row);
        wrc_oracle_complete(oracle, row, random ? &m->random : NULL);
        for (uint32_t p = 0; p < m->model.parameter_count; p++) {
            CHECK(partial[p] == WRC_ANY || partial[p] == row[p]);
            CHECK((row[p] == WRC_ANY) ==
                  (partial[p] == WRC_ANY && wrc_oracle_component(oracle, p) == WRC_ANY));
            row[p] = row[p] == WRC_ANY ? 0 : row[p];
        }
        CHECK(wrc_oracle_row_holds(&m->model, row));
    }
}

static void check_levels(maker *m, wrc_oracle *oracle, const uint32_t *partial)
{
    uint32_t p = (uint32_t)below(m, m->model.parameter_count), count = 0;
    uint64_t bits[1];
    uint32_t row[PARAMETERS];
    memcpy(row, partial, sizeof row);
    row[p] = WRC_ANY;
    uint32_t said = wrc_oracle_levels(oracle, row, p, bits);
    for (uint32_t l = 0; l < m->parameters[p].levels; l++) {
        bool allowed = wrc_oracle_allows_level(oracle, row, p, l);
        CHECK(allowed == (bits[0] >> l & 1));
        row[p] = l;
        CHECK(allowed == can_be_completed(&m->model, row));
        row[p] = WRC_ANY;
        count += allowed;
    }
    CHECK(said == count);
}

static void check_rows(maker *m, wrc_oracle *oracle)
{
    for (int i = 0; i < 24; i++) {
        uint32_t row[PARAMETERS];
        uint64_t openness = below(m, 5);
        for (uint32_t p = 0; p < PARAMETERS; p++)
            row[p] = p >= m->model.parameter_count || below(m, 4) < openness
                         ? WRC_ANY
                         : (uint32_t)below(m, m->parameters[p].levels);
        bool possible = can_be_completed(&m->model, row);
        CHECK(wrc_oracle_allows(oracle, row) == possible);
        if (!possible)
            continue;
        check_completion(m, oracle, row);
        check_levels(m, oracle, row);
    }
}

/* The ways to an answer, each with the limits that force it. */
static wrc_oracle_limits limits_of(int way)
{
    wrc_oracle_limits limits = wrc_oracle_defaults();
    limits.tuples = way == 0 ? limits.tuples : 0;
    limits.edges = way == 2 ? 1 : limits.edges;
    return limits;
}

TEST(random_models_are_answered_as_brute_force_does)
{
    static maker m;
    uint32_t     ways[3] = { 0 }, contradictory = 0, several = 0;
    for (uint64_t seed = 0; seed < 3000; seed++)
        for (int way = 0; way < 3; way++) {
            uint32_t      open[PARAMETERS];
            wrc_complaint complaint = { "" };
            random_model(&m, wri_prng_stream(11, seed));
            memset(open, 0xff, sizeof open);
            wrc_oracle_limits limits = limits_of(way);
            wrc_oracle       *oracle = wrc_oracle_open_within(&m.model, &limits, &complaint);
            CHECK((oracle != NULL) == can_be_completed(&m.model, open));
            CHECK((oracle == NULL) == (strstr(complaint.text, "no row can satisfy") != NULL));
            contradictory += oracle == NULL;
            if (oracle == NULL)
                continue;
            several += wrc_oracle_components(oracle) >= 3;
            for (uint32_t k = 0; k < wrc_oracle_components(oracle); k++)
                ways[wrc_oracle_way_of(oracle, k)]++;
            check_rows(&m, oracle);
            wrc_oracle_close(oracle);
            if (failures > 20)
                return;
        }
    CHECK(ways[WRC_BY_TUPLES] > 1000 && ways[WRC_BY_DIAGRAM] > 1000 &&
          ways[WRC_BY_SOLVER] > 1000);
    CHECK(contradictory > 100 && several > 50);
}

/* ---- Shapes that are too large for brute force ---- */

/* Opens with the limits of a way; a failure to open is a failure of the test. */
static wrc_oracle *open_way(const maker *m, int way)
{
    wrc_complaint     complaint = { "" };
    wrc_oracle_limits limits = limits_of(way);
    wrc_oracle       *oracle = wrc_oracle_open_within(&m->model, &limits, &complaint);
    CHECK(oracle != NULL);
    if (oracle == NULL)
        puts(complaint.text);
    return oracle;
}

static void open_row(uint32_t *row)
{
    memset(row, 0xff, PARAMETERS * sizeof *row);
}

/* 36 options in a tree: each is not applicable (level 0) exactly when its parent is off (level 0
 * or 1). This is what PICT's users wait for in vain. */
TEST(options_that_are_not_applicable_are_answered_at_once)
{
    static maker m;
    uint32_t     row[PARAMETERS];
    begin(&m, 1);
    for (uint32_t i = 0; i < 36; i++)
        add_range(&m, 0, 1, 4);
    for (uint32_t i = 1; i < 36; i++) {
        const wrc_expression *off = join(&m, WRC_OP_LESS, value(&m, (i - 1) / 2), number(&m, 2));
        require(&m, join(&m, WRC_OP_IMPLIES, off, level_is(&m, i, 0)), "off");
        require(&m, join(&m, WRC_OP_OR, off, join(&m, WRC_OP_NOT, level_is(&m, i, 0), NULL)),
                "on");
    }
    for (int way = 0; way < 3; way++) {
        wrc_oracle *oracle = open_way(&m, way);
        open_row(row);
        row[35] = 3; /* its parents 17, 8, 3, 1, 0 must be on */
        uint64_t bits;
        CHECK(wrc_oracle_levels(oracle, row, 0, &bits) == 2 && bits == 0xc);
        CHECK(wrc_oracle_levels(oracle, row, 8, &bits) == 2 && bits == 0xc);
        CHECK(wrc_oracle_levels(oracle, row, 2, &bits) == 3 && bits == 0xe);
        CHECK(wrc_oracle_levels(oracle, row, 5, &bits) == 4);
        for (int i = 0; i < 200; i++) {
            open_row(row);
            row[35 - i % 18] = (uint32_t)i % 4;
            wrc_oracle_complete(oracle, row, &m.random);
            CHECK(wrc_oracle_row_holds(&m.model, row));
        }
        wrc_oracle_close(oracle);
    }
}

TEST(wide_ranges_are_cut_and_not_listed)
{
    static maker m;
    uint32_t     row[PARAMETERS];
    begin(&m, 2);
    uint32_t x = add_range(&m, 0, 1, 1000001), y = add_range(&m, -500000, 1, 1000001);
    uint32_t z = add_range(&m, INT64_MAX - 9, 1, 10);
    const wrc_expression *sum = join(&m, WRC_OP_ADD, value(&m, x), value(&m, y));
    require(&m, join(&m, WRC_OP_LESS, sum, number(&m, -499900)), "x + y < -499900");
    const wrc_expression *beyond = join(&m, WRC_OP_ADD, value(&m, z), value(&m, x));
    require(&m, join(&m, WRC_OP_GREATER, beyond, number(&m, 0)),
            "z + x > 0"); /* must not overflow */
    for (int way = 0; way < 3; way++) {
        wrc_oracle *oracle = open_way(&m, way);
        open_row(row);
        CHECK(wrc_oracle_allows_level(oracle, row, x, 9));
        CHECK(!wrc_oracle_allows_level(oracle, row, x, 10));
        row[x] = 5;
        uint64_t bits;
        CHECK(wrc_oracle_levels(oracle, row, z, &bits) == 5 && bits == 0x1f);
        CHECK(wrc_oracle_allows_level(oracle, row, y, 94));
        CHECK(!wrc_oracle_allows_level(oracle, row, y, 95));
        wrc_oracle_complete(oracle, row, &m.random);
        CHECK(wrc_oracle_row_holds(&m.model, row));
        wrc_oracle_close(oracle);
    }
}

/* Half of forty switches are on: as many rows as 40 choose 20, but only sums matter. */
TEST(sums_of_many_parameters_stay_small)
{
    static maker m;
    uint32_t     row[PARAMETERS];
    begin(&m, 3);
    const wrc_expression *sum = number(&m, 0);
    for (uint32_t i = 0; i < 40; i++)
        sum = join(&m, WRC_OP_ADD, sum, value(&m, add_range(&m, 0, 1, 2)));
    require(&m, join(&m, WRC_OP_EQUAL, sum, number(&m, 20)), "sum = 20");
    for (int way = 0; way < 3; way++) {
        wrc_oracle *oracle = open_way(&m, way);
        open_row(row);
        for (uint32_t i = 0; i < 19; i++)
            row[2 * i] = 1;
        row[1] = 1;
        CHECK(!wrc_oracle_allows_level(oracle, row, 3, 1));
        CHECK(wrc_oracle_allows_level(oracle, row, 3, 0));
        wrc_oracle_complete(oracle, row, NULL);
        CHECK(wrc_oracle_row_holds(&m.model, row));
        wrc_oracle_close(oracle);
    }
}

TEST(contradictions_are_named)
{
    static maker m;
    for (int way = 0; way < 3; way++) {
        wrc_complaint complaint = { "" };
        begin(&m, 4);
        for (uint32_t i = 0; i < 6; i++)
            add_range(&m, 0, 1, 5);
        require(&m, join(&m, WRC_OP_LESS, value(&m, 0), value(&m, 1)), "a < b");
        require(&m, join(&m, WRC_OP_LESS, value(&m, 3), value(&m, 4)), "d < e");
        require(&m, join(&m, WRC_OP_LESS, value(&m, 1), value(&m, 2)), "b < c");
        require(&m, join(&m, WRC_OP_UNEQUAL, value(&m, 2), value(&m, 3)), "c != d");
        require(&m, join(&m, WRC_OP_LESS, value(&m, 2), value(&m, 0)), "c < a");
        wrc_oracle_limits limits = limits_of(way);
        CHECK(wrc_oracle_open_within(&m.model, &limits, &complaint) == NULL);
        CHECK(strcmp(complaint.text, "no row can satisfy these constraints together: "
                                     "line 1: a < b; line 3: b < c; line 5: c < a") == 0);
    }
}

TEST(what_is_beyond_all_limits_is_named)
{
    static maker  m;
    wrc_complaint complaint = { "" };
    begin(&m, 5);
    const wrc_expression *product = number(&m, 1);
    for (uint32_t i = 0; i < 4; i++)
        product = join(&m, WRC_OP_MULTIPLY, product, value(&m, add_range(&m, 0, 1, 100000)));
    require(&m, join(&m, WRC_OP_EQUAL, product, number(&m, 123456789)),
            "w * x * y * z = 123456789");
    CHECK(wrc_oracle_open(&m.model, &complaint) == NULL);
    CHECK(strcmp(complaint.text, "this constraint ties too many values together to be decided: "
                                 "line 1: w * x * y * z = 123456789") == 0);
}

/* ---- The solvers ---- */

enum { LITERALS = 12, CLAUSES = 50 };

static bool clauses_hold(int clauses[][3], int count, uint32_t assignment)
{
    for (int i = 0; i < count; i++) {
        bool holds = false;
        for (int k = 0; k < 3; k++) {
            int v = abs(clauses[i][k]) - 1;
            holds |= (assignment >> v & 1) == (clauses[i][k] > 0);
        }
        if (!holds)
            return false;
    }
    return true;
}

static bool can_hold(int clauses[][3], int count, const int *assumed, size_t assumed_count)
{
    for (uint32_t assignment = 0; assignment < 1u << LITERALS; assignment++) {
        bool agrees = true;
        for (size_t i = 0; i < assumed_count; i++)
            agrees &= (assignment >> (abs(assumed[i]) - 1) & 1) == (assumed[i] > 0);
        if (agrees && clauses_hold(clauses, count, assignment))
            return true;
    }
    return false;
}

static int random_literal(uint64_t *random)
{
    uint64_t word = wri_prng_next(random);
    int      literal = (int)(word % LITERALS) + 1;
    return word >> 63 ? -literal : literal;
}

static void check_question(wrc_solver *solver, int clauses[][3], int count, uint64_t *random)
{
    int    assumed[4], core[4];
    size_t cores = 0, assumptions = wri_prng_next(random) % 5;
    for (size_t i = 0; i < assumptions; i++)
        assumed[i] = random_literal(random);
    bool possible = can_hold(clauses, count, assumed, assumptions);
    CHECK(wrc_solver_solve(solver, assumed, assumptions) == possible);
    uint32_t assignment = 0;
    for (int v = 1; v <= LITERALS && possible; v++)
        assignment |= (uint32_t)wrc_solver_is_true(solver, v) << (v - 1);
    CHECK(!possible || clauses_hold(clauses, count, assignment));
    for (size_t i = 0; i < assumptions && possible; i++)
        CHECK((assignment >> (abs(assumed[i]) - 1) & 1) == (assumed[i] > 0));
    for (size_t i = 0; i < assumptions && !possible; i++)
        if (wrc_solver_failed(solver, assumed[i]))
            core[cores++] = assumed[i];
    CHECK(possible || !can_hold(clauses, count, core, cores));
}

TEST(the_solver_agrees_with_brute_force)
{
    uint64_t random = 6;
    for (int round = 0; round < 200 && failures < 20; round++) {
        int         clauses[CLAUSES][3], count = 20 + round % 31;
        wrc_solver *solver = wrc_solver_open();
        for (int v = 1; v <= LITERALS; v++) /* known, and free */
            wrc_solver_add(solver, (int[]){ v, -v }, 2);
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < 3; k++)
                clauses[i][k] = random_literal(&random);
            wrc_solver_add(solver, clauses[i], 3);
        }
        for (int i = 0; i < 20; i++)
            check_question(solver, clauses, count, &random);
        wrc_solver_close(solver);
    }
}

/* One pigeon more than holes: no assumptions, many conflicts, clauses that are forgotten. */
TEST(the_solver_finds_no_room_for_pigeons)
{
    enum { HOLES = 7 };
    wrc_solver *solver = wrc_solver_open();
    for (int p = 0; p <= HOLES; p++) {
        int somewhere[HOLES];
        for (int h = 0; h < HOLES; h++)
            somewhere[h] = p * HOLES + h + 1;
        wrc_solver_add(solver, somewhere, HOLES);
    }
    for (int h = 0; h < HOLES; h++)
        for (int p = 0; p <= HOLES; p++)
            for (int q = 0; q < p; q++)
                wrc_solver_add(solver, (int[]){ -(p * HOLES + h + 1), -(q * HOLES + h + 1) }, 2);
    CHECK(!wrc_solver_solve(solver, NULL, 0));
    CHECK(!wrc_solver_solve(solver, (int[]){ 1 }, 1));
    wrc_solver_close(solver);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
