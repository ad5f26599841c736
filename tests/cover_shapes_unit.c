/* tests/cover_shapes_unit.c: models of shapes that benchmarks do not have.
 *
 * Clauses at random, trees of features, parameters that do not apply in some modes, sums over
 * ranges: small ones, made from a seed, built over a solver whose questions are counted. What is
 * built is judged by the checker alone, without a second opinion; that it is built soon is a
 * bound on the questions, far above what it takes and far below one for each tuple and row.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/prng.h"
#include "cover/search/stages.h"
#include "cover/check/check.h"
#include "cover/language/read.h"
#include "cover/oracle/solver.h"
#include "sanitized.h"
#include "unit.h"

/* ---- A solver that counts ---- */

static uint64_t questions;

/* The linker puts this in the place of wrc_solver_solve(). */
bool __real_wrc_solver_solve(wrc_solver *solver, const int *assumed, size_t count);
bool __wrap_wrc_solver_solve(wrc_solver *solver, const int *assumed, size_t count);
bool __wrap_wrc_solver_solve(wrc_solver *solver, const int *assumed, size_t count)
{
    questions++;
    return __real_wrc_solver_solve(solver, assumed, count);
}

/* Limits at which every component is left to the solver. */
static const wrc_oracle_limits SOLVER_ONLY = { .tuples = 0, .edges = 1 };

/* ---- Shapes ---- */

static uint32_t below(uint64_t *random, uint32_t count)
{
    return (uint32_t)wri_prng_scale(wri_prng_next(random), count - 1);
}

static void write_booleans(FILE *out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "parameter b%u: false, true\n", i);
}

/* Three of the parameters, or their opposites; all true satisfies it. */
static void write_clause(FILE *out, uint64_t *random, uint32_t count)
{
    fprintf(out, "require %sb%u", below(random, 2) ? "!" : "", below(random, count));
    fprintf(out, " or %sb%u or b%u\n", below(random, 2) ? "!" : "", below(random, count),
            below(random, count));
}

static void write_clauses(FILE *out, uint64_t *random)
{
    write_booleans(out, 40);
    for (int i = 0; i < 120; i++)
        write_clause(out, random, 40);
}

/* Each feature needs its parent; of some groups one is needed, of others exactly one. */
static void write_features(FILE *out, uint64_t *random)
{
    enum { FEATURES = 100 };
    write_booleans(out, FEATURES);
    fputs("require b0\n", out);
    for (uint32_t i = 1; i + 3 <= FEATURES; i += 3) {
        uint32_t parent = below(random, i), kind = below(random, 3);
        for (uint32_t k = i; k < i + 3; k++)
            fprintf(out, "require b%u => b%u\n", k, parent);
        if (kind > 0)
            fprintf(out, "require b%u => b%u or b%u or b%u\n", parent, i, i + 1, i + 2);
        for (uint32_t k = i; kind == 2 && k < i + 3; k++)
            fprintf(out, "require !b%u or !b%u\n", k, k == i ? i + 2 : k - 1);
    }
    for (int i = 0; i < 20; i++)
        fprintf(out, "require b%u => b%u or b%u\n", 1 + below(random, FEATURES - 1),
                1 + below(random, FEATURES - 1), below(random, FEATURES));
}

/* Which parameters apply depends on a mode, and for some on what another one is. */
static void write_modes(FILE *out, uint64_t *random)
{
    fputs("parameter mode: 0..5\n", out);
    for (int i = 0; i < 24; i++)
        fprintf(out, "parameter p%d: none, low, high\n", i);
    for (uint32_t i = 0; i < 24; i++) {
        fputs("require if ", out);
        if (i % 4 == 3)
            fprintf(out, "p%u = none or p%u = low", i - 1, i - 2);
        else
            fprintf(out, "mode in {%u, %u}", below(random, 6), below(random, 6));
        fprintf(out, " then p%u = none else p%u != none\n", i, i);
    }
}

static void write_sum(FILE *out, uint64_t *random)
{
    (void)random;
    fputs("parameter a: 0..20\nparameter b: 0..40/2\nparameter c: 0..20\nparameter d: 0..3\n"
          "require a + b + c = 30\nrequire a < c or d > 1\nrequire a * b % 7 != 3\n",
          out);
}

/* ---- Building and checking ---- */

typedef struct shape {
    const char *name;
    void (*write)(FILE *out, uint64_t *random);
    uint32_t strength;
    uint64_t most_questions;
} shape;

static wrc_model *read_shape(const shape *s, uint64_t seed, const char *more)
{
    char         *text;
    size_t        size;
    FILE         *out = open_memstream(&text, &size);
    uint64_t      random = seed;
    wrc_complaint complaint = { "" };
    s->write(out, &random);
    fputs(more, out);
    fclose(out);
    wrc_model *model = wrc_read_text("m", text, size, NULL, NULL, 0,
                                     (wrc_asked){ .strength = s->strength }, &complaint);
    CHECK(model != NULL);
    free(text);
    return model;
}

/* Grows and searches; every cell is chosen then. */
static void build_array(const wrc_model *model, wrc_oracle *oracle, wrc_array *array)
{
    wrc_complaint complaint = { "" };
    uint32_t     *levels = malloc(model->parameter_count * sizeof *levels);
    uint64_t      moves, random = 5;
    for (uint32_t p = 0; p < model->parameter_count; p++)
        levels[p] = model->parameters[p].levels;
    wrc_goal   goal = { .columns = model->parameter_count,
                        .levels = levels,
                        .oracle = oracle,
                        .relation_count = model->relation_count,
                        .relations = model->relations };
    wrc_effort effort = { .seed = 1, .moves = 300 };
    wrc_filler filler = { .goal = &goal };
    CHECK(wrc_grow(&goal, 1, array, &effort.spent, &complaint));
    CHECK(wrc_reduce(&goal, &effort, array, &moves));
    for (uint64_t r = 0; r < array->rows; r++)
        wrc_fill_row(&filler, array->cells + r * array->columns, &random);
    free(levels);
}

static void check_array(const wrc_model *model, const wrc_array *array)
{
    wrc_complaint complaint = { "" };
    wrc_faults    faults;
    wrc_coverage  coverage;
    wrc_checker  *checker = wrc_checker_open(model, &complaint);
    for (uint64_t r = 0; r < array->rows; r++)
        CHECK(wrc_checker_row(checker, array->cells + r * array->columns, &complaint));
    wrc_checker_faults(checker, 0, &faults);
    CHECK(faults.broken == 0 && faults.open == 0);
    CHECK(wrc_check(checker, (wrc_opinion){ 0 }, &coverage, &complaint));
    CHECK(coverage.missing == 0 && coverage.undecided == 0 && coverage.covered > 0);
    CHECK(coverage.infeasible > 0); /* or the shape says nothing */
    wrc_coverage_free(&coverage);
    wrc_checker_close(checker);
}

static void build_shape(const shape *s, uint64_t seed)
{
    wrc_complaint complaint = { "" };
    wrc_array     array = { 0 };
    wrc_model    *model = read_shape(s, seed, "");
    questions = 0;
    wrc_oracle *oracle = wrc_oracle_open_within(model, &SOLVER_ONLY, &complaint);
    CHECK(oracle != NULL && wrc_oracle_way_of(oracle, 0) == WRC_BY_SOLVER);
    build_array(model, oracle, &array);
    check_array(model, &array);
    if (questions > s->most_questions)
        printf("%s: %llu questions\n", s->name, (unsigned long long)questions);
    CHECK(questions <= s->most_questions);
    wrc_array_free(&array);
    wrc_oracle_close(oracle);
    wrc_model_free(model);
}

static const shape SHAPES[] = {
    { "clauses", write_clauses, 2, 12000 },  { "clauses in threes", write_clauses, 3, 15000 },
    { "features", write_features, 2, 6000 }, { "modes", write_modes, 2, 2000 },
    { "sum", write_sum, 2, 6000 },
};

TEST(other_shapes_are_covered_with_few_questions)
{
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++)
        for (uint64_t seed = 1; seed <= (SANITIZED ? 1 : 2); seed++)
            build_shape(&SHAPES[i], seed);
}

/* ---- Very wide ranges ---- */

static void write_million(FILE *out, uint64_t *random)
{
    (void)random;
    fputs("parameter a: 0..999999\nparameter b: 0..999999\nrequire a < b\n", out);
}

static void write_thousands(FILE *out, uint64_t *random)
{
    (void)random;
    fputs("parameter a: 0..4999\nparameter b: 0..4999\nrequire a < b\n", out);
}

static const shape MILLION = { "million", write_million, 1, 0 };
static const shape THOUSANDS = { "thousands", write_thousands, 1, 0 };

static bool allows(wrc_oracle *oracle, uint32_t a, uint32_t b)
{
    return wrc_oracle_allows(oracle, (uint32_t[]){ a, b });
}

TEST(a_range_of_a_million_is_decided_by_halving)
{
    wrc_complaint complaint = { "" };
    wrc_model    *model = read_shape(&MILLION, 1, "");
    wrc_oracle   *oracle = wrc_oracle_open(model, &complaint);
    uint32_t      row[] = { 999998, WRC_ANY };
    CHECK(oracle != NULL && wrc_oracle_way_of(oracle, 0) == WRC_BY_HALVING);
    CHECK(allows(oracle, 999998, WRC_ANY) && !allows(oracle, 999999, WRC_ANY));
    CHECK(allows(oracle, WRC_ANY, 1) && !allows(oracle, WRC_ANY, 0));
    CHECK(allows(oracle, 7, 8) && !allows(oracle, 8, 8));
    wrc_oracle_complete(oracle, row, NULL);
    CHECK(row[1] == 999999 && !wrc_oracle_gave_up(oracle));
    wrc_oracle_close(oracle);
    wrc_model_free(model);
    model = read_shape(&MILLION, 1, "require a > 500000\nrequire b < 400000\nrequire a != 3\n");
    CHECK(wrc_oracle_open(model, &complaint) == NULL);
    CHECK(strstr(complaint.text, "b < 400000") != NULL &&
          strstr(complaint.text, "a < b") != NULL);
    CHECK(strstr(complaint.text, "a != 3") == NULL);
    wrc_model_free(model);
}

/* As many rows as one column has feasible levels: each level finds its place beside one of the
 * other column, also where there is but one such, and far from where the last row's was. */
TEST(wide_columns_are_covered_one_by_one)
{
    static const struct {
        const char *more;
        uint64_t    rows;
    } CASES[] = { { "", 4999 },
                  { "require a + b = 4999\n", 2500 },
                  { "require 2 * a = b\n", 2499 },
                  { "require b = 4999 - a / 2\n", 3333 } };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        wrc_complaint complaint = { "" };
        wrc_array     array = { 0 };
        wrc_model    *model = read_shape(&THOUSANDS, 1, CASES[i].more);
        wrc_oracle   *oracle = wrc_oracle_open(model, &complaint);
        wrc_goal      goal = { .columns = 2,
                               .levels = (uint32_t[]){ 5000, 5000 },
                               .oracle = oracle,
                               .relation_count = model->relation_count,
                               .relations = model->relations };
        CHECK(wrc_singles_collect(&goal, &array, &complaint));
        CHECK(array.rows == CASES[i].rows);
        for (uint64_t r = 0; r < array.rows; r++)
            wrc_oracle_complete(oracle, array.cells + 2 * r, NULL);
        check_array(model, &array);
        wrc_array_free(&array);
        wrc_oracle_close(oracle);
        wrc_model_free(model);
    }
}

/* ---- Contradictions ---- */

/* Of the hundred constraints the two that matter are named, and hardly more questions are asked
 * than there are constraints in a contradiction that was seen. */
TEST(a_contradiction_is_narrowed_down_soon)
{
    wrc_complaint complaint = { "" };
    wrc_model    *model =
        read_shape(&SHAPES[0], 1, "require b7 and b8\nrequire b9 => b8 != b7\nrequire b9\n");
    questions = 0;
    CHECK(wrc_oracle_open_within(model, &SOLVER_ONLY, &complaint) == NULL);
    CHECK(strstr(complaint.text, "b7 and b8") != NULL);
    CHECK(strstr(complaint.text, "b9 => b8 != b7") != NULL);
    CHECK(strstr(complaint.text, " or ") == NULL);
    CHECK(questions < 40);
    wrc_model_free(model);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures != 0;
}
