/* cover/radix/build.c: builds rows of the model by way of its digits. */
#include "cover/radix/digits.h"

#include "cover/algebra/count.h"
#include "cover/search/stages.h"

#include <stdlib.h>
#include <string.h>

typedef struct joining {
    const wrc_radix *radix;
    wrc_row_taker   *take;
    void            *state;
    uint32_t        *row;
    uint64_t         rows;
} joining;

static bool take_digits(void *state, const uint32_t *digits)
{
    joining *j = state;
    wrc_radix_join(j->radix, digits, j->row);
    return j->take(j->state, j->row);
}

static bool count_row(void *state, const uint32_t *row)
{
    joining *j = state;
    j->rows++;
    return j->take(j->state, row);
}

/* A bound that always holds: of a parameter whose digits can stand for no level, only
 * the widest digit is looked at, for all of its values exist. */
static uint64_t bound_relation(const wrc_radix *radix, const wrc_relation *relation,
                               const char **why)
{
    const wrc_model  *digits = &radix->digits;
    const wrc_layout *layout = &radix->layout;
    uint32_t         *columns = malloc((digits->parameter_count + 1) * sizeof *columns);
    uint32_t          count = 0, widest = 0;
    uint64_t          bound = 0;
    for (uint32_t i = 0; columns != NULL && i < relation->count; i++) {
        uint32_t column = relation->parameters[i];
        bool     first = i == 0 || !wrc_group_has_gaps(&layout->groups[layout->owners[column]]) ||
                     layout->owners[column] != layout->owners[relation->parameters[i - 1]];
        if (first)
            columns[count++] = widest = column;
        else if (layout->radices[column] > layout->radices[widest])
            columns[count - 1] = widest = column;
    }
    wrc_relation some = { NULL, relation->strength, count, columns };
    wrc_goal     goal = { .columns = digits->parameter_count,
                          .levels = radix->layout.radices,
                          .relation_count = 1,
                          .relations = &some };
    if (columns != NULL)
        bound = wrc_bound_rows(&goal, why);
    free(columns);
    return bound;
}

/* The fewest rows in which all values can be that have to: as many as the widest has. */
static uint64_t values_alone(const wrc_radix *radix)
{
    uint64_t most = 0;
    for (uint32_t p = 0; radix->local && p < radix->layout.parameters; p++)
        if (radix->layout.groups[p].count > 1 && radix->layout.groups[p].levels > most)
            most = radix->layout.groups[p].levels;
    return most;
}

static void raise_bound(wrc_built *built, uint64_t bound, const char *why)
{
    if (bound > built->lower_bound) {
        built->lower_bound = bound;
        built->bound_reason = why;
    }
}

/* The bound if whole values are not constrained: the rows that they and their digits need. */
static void tell_bound(const wrc_radix *radix, wrc_built *built)
{
    const wrc_model *digits = &radix->digits;
    raise_bound(built, values_alone(radix),
                "every value of the widest parameter is in a row of its own");
    for (uint32_t i = 0; i < digits->relation_count; i++) {
        const char *why = NULL;
        uint64_t    bound = bound_relation(radix, &digits->relations[i], &why);
        raise_bound(built, bound, why);
    }
}

/* ---- Fewer rows, where there are more than the values need ---- */

/* Without being asked, only where it takes a moment: rows times sets of columns. */
#define UNASKED_STEPS 4000000
#define CANDIDATES 64 /* values that were weighed for each digit of a row */

static uint64_t sets_of(const wrc_model *digits)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < digits->relation_count; i++) {
        uint64_t sets =
            wrc_count_choose(digits->relations[i].count, digits->relations[i].strength);
        total += sets <= UNASKED_STEPS ? sets : UNASKED_STEPS + 1;
    }
    return total;
}

static bool is_worth_reducing(const wrc_radix *radix, const wrc_effort *effort)
{
    uint64_t rows = radix->rows.rows;
    return rows > values_alone(radix) && (effort->seconds > 0 || effort->moves > 0 ||
                                          sets_of(&radix->digits) * rows <= UNASKED_STEPS);
}

typedef struct gathering {
    const wrc_radix *radix;
    wrc_array        array; /* of digits */
    uint32_t        *digits;
    bool             failed;
} gathering;

static bool gather_row(void *state, const uint32_t *row)
{
    gathering *g = state;
    wrc_radix_divide(g->radix, row, g->digits);
    g->failed = !wrc_array_add(&g->array, g->digits);
    return !g->failed;
}

/* The rows as digits, and rows taken away from them. */
static bool reduce(const wrc_radix *radix, const wrc_effort *effort, gathering *g,
                   wrc_built *built, wrc_complaint *complaint)
{
    const wrc_model *digits = &radix->digits;
    uint32_t         columns = digits->parameter_count;
    wrc_relation    *relations = malloc(digits->relation_count * sizeof *relations);
    wrc_oracle *oracle = digits->constraint_count > 0 ? wrc_oracle_open(digits, complaint) : NULL;
    bool        well = relations != NULL && g->digits != NULL &&
                (oracle != NULL || digits->constraint_count == 0);
    well =
        well && wrc_digit_rows_stream(&radix->rows, &radix->layout, gather_row, g) && !g->failed;
    if (well) {
        memcpy(relations, digits->relations, digits->relation_count * sizeof *relations);
        wrc_goal   goal = { .columns = columns,
                            .levels = radix->layout.radices,
                            .relations = relations,
                            .relation_count =
                                wrc_build_drop_contained(relations, digits->relation_count),
                            .oracle = oracle };
        wrc_effort within = *effort;
        within.spent = g->array.rows * (sets_of(digits) + CANDIDATES * (uint64_t)columns);
        well = wrc_reduce(&goal, &within, &g->array, &built->moves);
    }
    wrc_oracle_close(oracle);
    free(relations);
    return well || wrc_model_complain(complaint, "out of memory");
}

static bool build_reduced(const wrc_radix *radix, const wrc_effort *effort, joining *j,
                          wrc_built *built, wrc_complaint *complaint)
{
    uint32_t  columns = radix->digits.parameter_count;
    gathering g = { .radix = radix,
                    .array.columns = columns,
                    .digits = malloc((columns + 1) * sizeof *g.digits) };
    bool      well = reduce(radix, effort, &g, built, complaint);
    for (bool more = well; more && j->rows < g.array.rows; j->rows += more)
        more = take_digits(j, g.array.cells + j->rows * columns);
    wrc_array_free(&g.array);
    free(g.digits);
    return well;
}

/* ---- All of it ---- */

static bool build_directly(const wrc_radix *radix, const wrc_effort *effort, joining *j,
                           wrc_built *built, wrc_complaint *complaint)
{
    *built = (wrc_built){ .method = "digits" };
    wrc_effort_announce(effort, radix->rows.rows);
    bool well = is_worth_reducing(radix, effort)
                    ? build_reduced(radix, effort, j, built, complaint)
                    : wrc_digit_rows_stream(&radix->rows, &radix->layout, count_row, j) ||
                          wrc_model_complain(complaint, "out of memory");
    built->rows = j->rows;
    return well;
}

bool wrc_radix_build(const wrc_radix *radix, const wrc_effort *effort, wrc_row_taker *take,
                     void *state, wrc_built *built, wrc_complaint *complaint)
{
    uint32_t columns = radix->digits.parameter_count;
    joining  j = { radix, take, state, malloc((columns + 1) * sizeof *j.row), 0 };
    bool     well = j.row != NULL || wrc_model_complain(complaint, "out of memory");
    if (well && !radix->direct)
        well = wrc_build(&radix->digits, effort, take_digits, &j, built, complaint);
    else if (well)
        well = build_directly(radix, effort, &j, built, complaint);
    if (well && radix->plain)
        tell_bound(radix, built);
    free(j.row);
    return well;
}
