/* tests/cover_build_unit.c: building against brute force.
 *
 * Small random models (mixed levels, overlapping relations, constraints, invalid levels, kept
 * rows): trying every row of the model says which tuples can be had; each of them must be in the
 * rows that are built, and no row may be one that brute force does not know.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/prng.h"
#include "cover/search/build.h"
#include "cover/oracle/oracle.h"
#include "sanitized.h"
#include "unit.h"

enum { MOST_COLUMNS = 6, MOST_RELATIONS = 3, MOST_CONSTRAINTS = 4, MOST_KEPT = 4, NODES = 64 };

/* A model with room for what random ones have. */
typedef struct sample {
    wrc_model      model;
    wrc_parameter  parameters[MOST_COLUMNS];
    wrc_relation   relations[MOST_RELATIONS];
    uint32_t       members[MOST_RELATIONS][MOST_COLUMNS];
    wrc_constraint constraints[MOST_CONSTRAINTS];
    wrc_expression nodes[NODES];
    wrc_interval   intervals[NODES];
    uint32_t       node_count;
    uint32_t       kept[MOST_KEPT * MOST_COLUMNS];
} sample;

static uint32_t below(uint64_t *random, uint32_t count)
{
    return (uint32_t)wri_prng_scale(wri_prng_next(random), count - 1);
}

/* ---- Random models ---- */

static wrc_expression *node(sample *s, wrc_operator op, const wrc_expression *left,
                            const wrc_expression *right)
{
    wrc_expression *e = &s->nodes[s->node_count++];
    *e = (wrc_expression){ .op = op, .left = left, .right = right };
    return e;
}

static wrc_expression *random_atom(sample *s, uint64_t *random)
{
    uint32_t p = below(random, s->model.parameter_count);
    uint32_t levels = s->parameters[p].levels;
    if (below(random, 3) == 0) {
        wrc_expression *a = node(s, WRC_OP_VALUE, NULL, NULL);
        wrc_expression *b = node(s, WRC_OP_VALUE, NULL, NULL);
        a->parameter = p;
        b->parameter = below(random, s->model.parameter_count);
        return node(s, below(random, 2) ? WRC_OP_LESS : WRC_OP_UNEQUAL, a, b);
    }
    wrc_interval *interval = &s->intervals[s->node_count];
    interval->from = below(random, levels);
    interval->to = interval->from + below(random, levels - interval->from);
    wrc_expression *e = node(s, WRC_OP_IN, NULL, NULL);
    e->parameter = p;
    e->set = (wrc_set){ 1, interval };
    return e;
}

/* a implies b or c: seldom contradictory, often binding. */
static void random_constraint(sample *s, uint64_t *random)
{
    wrc_expression *condition = random_atom(s, random), *first = random_atom(s, random);
    wrc_expression *either = node(s, WRC_OP_OR, first, random_atom(s, random));
    s->constraints[s->model.constraint_count++] =
        (wrc_constraint){ node(s, WRC_OP_IMPLIES, condition, either), "a => b || c", 0 };
}

static void random_relation(sample *s, uint64_t *random, bool all)
{
    uint32_t      r = s->model.relation_count++, count = 0;
    wrc_relation *relation = &s->relations[r];
    for (uint32_t p = 0; p < s->model.parameter_count; p++)
        if (all || below(random, 2) == 0)
            s->members[r][count++] = p;
    if (count == 0)
        s->members[r][count++] = below(random, s->model.parameter_count);
    *relation =
        (wrc_relation){ NULL, 1 + below(random, count < 3 ? count : 3), count, s->members[r] };
}

static void random_kept(sample *s, uint64_t *random)
{
    uint32_t columns = s->model.parameter_count;
    s->model.kept_count = below(random, MOST_KEPT + 1);
    for (uint32_t i = 0; i < s->model.kept_count * columns; i++)
        s->kept[i] =
            below(random, 3) == 0 ? WRC_ANY : below(random, s->parameters[i % columns].levels);
}

static void random_model(sample *s, uint64_t *random)
{
    memset(s, 0, sizeof *s);
    s->model.parameter_count = 3 + below(random, MOST_COLUMNS - 2);
    for (uint32_t p = 0; p < s->model.parameter_count; p++) {
        uint32_t invalid = below(random, 4) == 0 ? 1 + below(random, 2) : 0;
        s->parameters[p] = (wrc_parameter){
            "p", WRC_DOMAIN_RANGE, 1 + below(random, 4) + invalid, invalid, NULL, 0, 1
        };
    }
    for (uint32_t r = 0, count = 1 + below(random, MOST_RELATIONS); r < count; r++)
        random_relation(s, random, r == 0);
    for (uint32_t c = below(random, MOST_CONSTRAINTS + 1); c > 0; c--)
        random_constraint(s, random);
    random_kept(s, random);
    s->model.parameters = s->parameters;
    s->model.relations = s->relations;
    s->model.constraints = s->constraints;
    s->model.kept = s->kept;
}

/* ---- Brute force ---- */

typedef struct rows {
    uint32_t  columns;
    uint64_t  count, room;
    uint32_t *cells;
} rows;

static bool collect(void *state, const uint32_t *row)
{
    rows *all = state;
    if (all->count == all->room) {
        all->room = all->room * 2 + 64;
        all->cells = realloc(all->cells, all->room * all->columns * sizeof *all->cells);
    }
    memcpy(all->cells + all->count++ * all->columns, row, all->columns * sizeof *row);
    return true;
}

static uint32_t invalid_cells(const wrc_model *model, const uint32_t *row, uint32_t *where)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < model->parameter_count; p++) {
        if (row[p] == WRC_ANY || row[p] < wrc_parameter_valid_levels(&model->parameters[p]))
            continue;
        *where = p;
        count++;
    }
    return count;
}

static bool next_row(const wrc_model *model, uint32_t *row)
{
    for (uint32_t p = model->parameter_count; p-- > 0; row[p] = 0)
        if (++row[p] < model->parameters[p].levels)
            return true;
    return false;
}

/* Every row that an array may have. */
static rows possible_rows(const wrc_model *model)
{
    rows     all = { .columns = model->parameter_count };
    uint32_t row[MOST_COLUMNS] = { 0 }, where;
    do {
        if (invalid_cells(model, row, &where) <= 1 && wrc_oracle_row_holds(model, row))
            collect(&all, row);
    } while (next_row(model, row));
    return all;
}

static bool agrees(const uint32_t *row, const uint32_t *partial, uint32_t columns)
{
    for (uint32_t c = 0; c < columns; c++)
        if (partial[c] != WRC_ANY && partial[c] != row[c])
            return false;
    return true;
}

/* Whether some row of `all` has these cells, and no other invalid ones. */
static bool is_among(const wrc_model *model, const rows *all, const uint32_t *partial)
{
    uint32_t where, invalid = invalid_cells(model, partial, &where);
    for (uint64_t r = 0; r < all->count; r++) {
        const uint32_t *row = all->cells + r * all->columns;
        if (agrees(row, partial, all->columns) && invalid_cells(model, row, &where) == invalid)
            return true;
    }
    return false;
}

/* A row is a witness of the tuples of its columns, but where it has an invalid level only of
 * those with it. `tuple` gets the row's cells in these columns. */
static bool witnesses(const wrc_model *model, const uint32_t *row, uint32_t columns,
                      uint32_t *tuple)
{
    uint32_t where = 0;
    bool     has_invalid = invalid_cells(model, row, &where) > 0;
    for (uint32_t c = 0; c < model->parameter_count; c++)
        tuple[c] = columns >> c & 1 ? row[c] : WRC_ANY;
    return !has_invalid || (columns >> where & 1);
}

static bool has_witness(const wrc_model *model, const rows *array, uint32_t columns,
                        const uint32_t *tuple)
{
    uint32_t own[MOST_COLUMNS];
    for (uint64_t r = 0; r < array->count; r++)
        if (witnesses(model, array->cells + r * array->columns, columns, own) &&
            memcmp(own, tuple, array->columns * sizeof *own) == 0)
            return true;
    return false;
}

/* Tuples of these columns that some possible row has and no row of the array. */
static uint32_t missing_of(const wrc_model *model, const rows *possible, const rows *array,
                           uint32_t columns)
{
    uint32_t missing = 0, tuple[MOST_COLUMNS];
    for (uint64_t r = 0; r < possible->count; r++)
        if (witnesses(model, possible->cells + r * possible->columns, columns, tuple))
            missing += !has_witness(model, array, columns, tuple);
    return missing;
}

static uint32_t missing(const wrc_model *model, const rows *possible, const rows *array)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < model->relation_count; r++) {
        const wrc_relation *relation = &model->relations[r];
        uint32_t            among = 0;
        for (uint32_t i = 0; i < relation->count; i++)
            among |= 1U << relation->parameters[i];
        for (uint32_t columns = 1; columns <= among; columns++)
            if ((columns & ~among) == 0 &&
                (uint32_t)__builtin_popcount(columns) == relation->strength)
                count += missing_of(model, possible, array, columns);
    }
    return count;
}

/* ---- Random models are covered ---- */

/* The kept rows come first, as they were, without those that no array may have. */
static void check_kept(const wrc_model *model, const rows *possible, const rows *array,
                       const wrc_built *built)
{
    uint64_t at = 0, skipped = 0;
    for (uint64_t r = 0; r < model->kept_count; r++) {
        const uint32_t *kept = model->kept + r * model->parameter_count;
        if (!is_among(model, possible, kept)) {
            skipped++;
            continue;
        }
        CHECK(at < array->count &&
              agrees(array->cells + at * array->columns, kept, array->columns));
        at++;
    }
    CHECK(built->skipped == skipped);
    CHECK(built->kept == at);
}

static void check_rows(const wrc_model *model, const rows *array, const wrc_built *built)
{
    rows possible = possible_rows(model);
    for (uint64_t r = 0; r < array->count; r++)
        CHECK(is_among(model, &possible, array->cells + r * array->columns));
    CHECK(missing(model, &possible, array) == 0);
    CHECK(built->rows == array->count);
    CHECK(built->lower_bound <= array->count);
    check_kept(model, &possible, array, built);
    free(possible.cells);
}

/* Whether a row without an invalid level exists: without one, building says so. */
static bool is_possible(const wrc_model *model)
{
    rows     all = possible_rows(model);
    bool     found = false;
    uint32_t where;
    for (uint64_t r = 0; r < all.count; r++)
        found |= invalid_cells(model, all.cells + r * all.columns, &where) == 0;
    free(all.cells);
    return found;
}

static rows build(const wrc_model *model, wrc_effort effort, wrc_built *built)
{
    rows          array = { .columns = model->parameter_count };
    wrc_complaint complaint = { "" };
    CHECK(wrc_build(model, &effort, collect, &array, built, &complaint));
    return array;
}

static bool same(const rows *a, const rows *b)
{
    return a->count == b->count &&
           (a->count == 0 ||
            memcmp(a->cells, b->cells, a->count * a->columns * sizeof *a->cells) == 0);
}

#define MODELS (SANITIZED ? 100 : 400)

TEST(random_models_are_covered)
{
    uint64_t random = 41;
    int      built_count = 0;
    for (int i = 0; i < MODELS; i++) {
        sample    s;
        wrc_built built;
        random_model(&s, &random);
        if (!is_possible(&s.model)) {
            wrc_complaint complaint = { "" };
            CHECK(!wrc_build(&s.model, &(wrc_effort){ .seed = 1 }, collect, NULL, &built,
                             &complaint));
            CHECK(complaint.text[0] != '\0');
            continue;
        }
        wrc_effort effort = { .seed = (uint64_t)i, .moves = 1 + (uint64_t)(i % 3) * 200 };
        rows       array = build(&s.model, effort, &built);
        check_rows(&s.model, &array, &built);
        rows again = build(&s.model, effort, &built);
        CHECK(same(&array, &again));
        free(array.cells);
        free(again.cells);
        built_count++;
    }
    CHECK(built_count > MODELS * 3 / 4);
}

/* ---- Larger models without constraints: a count of tuples is enough ---- */

typedef struct plain {
    wrc_model     model;
    wrc_relation  relation;
    wrc_parameter parameters[64];
    uint32_t      members[64];
} plain;

static void add_columns(plain *p, uint32_t count, uint32_t levels)
{
    for (uint32_t i = 0; i < count; i++) {
        p->members[p->relation.count] = p->relation.count;
        p->parameters[p->relation.count++] =
            (wrc_parameter){ "p", WRC_DOMAIN_RANGE, levels, 0, NULL, 0, 1 };
    }
    p->model.parameter_count = p->relation.count;
    p->model.parameters = p->parameters;
    p->relation.parameters = p->members;
    p->model.relations = &p->relation;
    p->model.relation_count = 1;
}

static uint64_t ranks_of(const plain *p, const uint32_t *set)
{
    uint64_t ranks = 1;
    for (uint32_t i = 0; i < p->relation.strength; i++)
        ranks *= p->parameters[set[i]].levels;
    return ranks;
}

/* How many tuples of these columns are new, row by row. */
static uint64_t count_set(const plain *p, const rows *array, const uint32_t *set, uint64_t *fresh)
{
    uint8_t *seen = calloc(ranks_of(p, set), 1);
    uint64_t count = 0;
    for (uint64_t r = 0; r < array->count; r++) {
        uint64_t rank = 0;
        for (uint32_t i = 0; i < p->relation.strength; i++)
            rank =
                rank * p->parameters[set[i]].levels + array->cells[r * array->columns + set[i]];
        fresh[r] += !seen[rank];
        count += !seen[rank];
        seen[rank] = 1;
    }
    free(seen);
    return count;
}

static bool next_set(uint32_t *set, uint32_t size, uint32_t among)
{
    uint32_t i = size;
    while (i > 0 && set[i - 1] == among - size + i - 1)
        i--;
    if (i == 0)
        return false;
    set[i - 1]++;
    for (; i < size; i++)
        set[i] = set[i - 1] + 1;
    return true;
}

/* All tuples are there, and no row adds more than the one before it. */
static void check_plain(const plain *p, const rows *array)
{
    uint32_t  set[8];
    uint64_t *fresh = calloc(array->count + 1, sizeof *fresh), missing_tuples = 0;
    for (uint32_t i = 0; i < p->relation.strength; i++)
        set[i] = i;
    do
        missing_tuples += ranks_of(p, set) - count_set(p, array, set, fresh);
    while (next_set(set, p->relation.strength, p->relation.count));
    CHECK(missing_tuples == 0);
    for (uint64_t r = 0; r + 1 < array->count; r++)
        CHECK(fresh[r] >= fresh[r + 1]);
    free(fresh);
}

static void check_size(const plain *p, uint64_t seed, uint64_t moves, uint64_t most)
{
    wrc_built built;
    rows      array = build(&p->model, (wrc_effort){ .seed = seed, .moves = moves }, &built);
    check_plain(p, &array);
    if (array.count > most)
        printf("%u columns, strength %u: %llu rows\n", p->relation.count, p->relation.strength,
               (unsigned long long)array.count);
    CHECK(array.count <= most);
    free(array.cells);
}

TEST(arrays_are_small)
{
    plain tcas = { .relation = { .strength = 4 } };
    add_columns(&tcas, 2, 10);
    add_columns(&tcas, 1, 4);
    add_columns(&tcas, 2, 3);
    add_columns(&tcas, 7, 2);
    check_size(&tcas, 7, 20000, 1300);
    plain mixed = { .relation = { .strength = 2 } };
    add_columns(&mixed, 15, 4);
    add_columns(&mixed, 17, 3);
    add_columns(&mixed, 29, 2);
    check_size(&mixed, 7, 100000, 32);
    plain three = { .relation = { .strength = 3 } };
    add_columns(&three, 4, 3);
    add_columns(&three, 14, 2);
    check_size(&three, 7, 10000, 50);
}

/* Levels past a word, past what is counted by bytes, and next to few. */
TEST(wide_levels_are_covered)
{
    static const uint32_t wide[] = { 8, 9, 16, 17, 64, 65, 130 };
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        plain p = { .relation = { .strength = 2 } };
        add_columns(&p, 1, wide[i]);
        add_columns(&p, 1, wide[i] - 1);
        add_columns(&p, 2, 5);
        add_columns(&p, 3, 2);
        check_size(&p, 7, 2, 3 * (uint64_t)wide[i] * wide[i] / 2);
    }
}

TEST(a_timed_search_says_what_repeats_it)
{
    plain p = { .relation = { .strength = 2 } };
    add_columns(&p, 12, 6);
    wrc_built built;
    rows      timed = build(&p.model, (wrc_effort){ .seed = 3, .seconds = 0.05 }, &built);
    rows      again = build(&p.model, (wrc_effort){ .seed = 3, .moves = built.moves }, &built);
    CHECK(same(&timed, &again));
    free(timed.cells);
    free(again.cells);
}

TEST(a_search_that_is_stopped_still_covers)
{
    plain p = { .relation = { .strength = 3 } };
    add_columns(&p, 8, 4);
    wrc_built     built;
    volatile bool stop = true;
    rows array = build(&p.model, (wrc_effort){ .seed = 3, .seconds = 60, .stop = &stop }, &built);
    check_plain(&p, &array);
    free(array.cells);
}

/* An array that stays as it is costs few moves; one that loses a row is searched to the end. */
TEST(a_search_in_vain_is_short)
{
    plain four = { .relation = { .strength = 2 } }, mixed = { .relation = { .strength = 3 } };
    add_columns(&four, 10, 4);
    add_columns(&mixed, 4, 3);
    add_columns(&mixed, 1, 4);
    wrc_built first, built;
    rows      soon = build(&four.model, (wrc_effort){ .seed = 1, .moves = 1 }, &first);
    rows      whole = build(&four.model, (wrc_effort){ .seed = 1 }, &built);
    CHECK(built.rows == first.rows && built.moves < 20000);
    free(soon.cells);
    free(whole.cells);
    soon = build(&mixed.model, (wrc_effort){ .seed = 1, .moves = 1 }, &first);
    whole = build(&mixed.model, (wrc_effort){ .seed = 1 }, &built);
    CHECK(built.rows < first.rows && built.moves > 100000);
    free(soon.cells);
    free(whole.cells);
}

/* A search that leaves fewer and fewer tuples open goes on, and gains a row in the end. */
TEST(a_search_that_comes_near_goes_on)
{
    plain eight = { .relation = { .strength = 2 } }, five = { .relation = { .strength = 3 } };
    add_columns(&eight, 25, 8);
    check_size(&eight, 1, 0, 119);
    add_columns(&five, 7, 5);
    if (!SANITIZED)
        check_size(&five, 1, 0, 184);
}

static uint64_t count_level(const rows *array, uint32_t column, uint32_t level)
{
    uint64_t count = 0;
    for (uint64_t r = 0; r < array->count; r++)
        count += array->cells[r * array->columns + column] == level;
    return count;
}

/* Ten by ten from algebra, with three columns of two levels, one of which weighs nine. */
TEST(weights_decide_in_arrays_of_algebra_too)
{
    static const wrc_value values[] = { { "x", 0, 9, NULL }, { "y", 1, 1, NULL } };
    plain                  p = { .relation = { .strength = 2 } };
    wrc_built              built;
    add_columns(&p, 2, 10);
    add_columns(&p, 5, 2);
    p.parameters[4] = (wrc_parameter){ "w", WRC_DOMAIN_TEXT, 2, 0, values, 0, 0 };
    rows array = build(&p.model, (wrc_effort){ .seed = 1 }, &built);
    check_plain(&p, &array);
    CHECK(array.count == 100 && strcmp(built.method, "orthogonal array") == 0);
    CHECK(count_level(&array, 4, 0) >= 70 && count_level(&array, 3, 0) < 70);
    free(array.cells);
}

/* Enough is enough: no row comes after the taker has said so. */
static bool take_three(void *state, const uint32_t *row)
{
    uint64_t *count = state;
    (void)row;
    return ++*count < 3;
}

static void note_rows(void *state, uint64_t count)
{
    *(uint64_t *)state = count;
}

TEST(many_rows_are_announced)
{
    plain p = { .relation = { .strength = 3 } };
    add_columns(&p, 4, 1001);
    uint64_t      count = 0, announced = 0;
    wrc_built     built;
    wrc_complaint complaint = { "" };
    wrc_effort    effort = { .seed = 1, .announce = note_rows, .announce_state = &announced };
    CHECK(wrc_build(&p.model, &effort, take_three, &count, &built, &complaint));
    CHECK(announced == UINT64_C(1001) * 1001 * 1001 && count == 3);
}

TEST(a_taker_can_stop)
{
    plain p = { .relation = { .strength = 2 } };
    add_columns(&p, 6, 3);
    uint64_t      count = 0;
    wrc_built     built;
    wrc_complaint complaint = { "" };
    CHECK(wrc_build(&p.model, &(wrc_effort){ .seed = 1, .moves = 1 }, take_three, &count, &built,
                    &complaint));
    CHECK(count == 3 && built.rows == 3);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}
