/* cover/radix_build.c: rows of the model by way of its digits. */
#include "cover/radix.h"

#include <stdlib.h>
#include <string.h>

typedef struct joining {
    const wri_radix *radix;
    wri_row_taker *take;
    void *state;
    uint32_t *row;
    uint64_t rows;
} joining;

static bool take_digits(void *state, const uint32_t *digits)
{
    joining *j = state;
    wri_radix_join(j->radix, digits, j->row);
    return j->take(j->state, j->row);
}

static bool count_row(void *state, const uint32_t *row)
{
    joining *j = state;
    j->rows++;
    return j->take(j->state, row);
}

/* What is sure whatever else there is: of a parameter whose digits can stand for no level, only
 * the widest digit is looked at, for all of its values exist. */
static uint64_t bound_relation(const wri_radix *radix, const wri_relation *relation,
                               const char **why)
{
    const wri_model *digits = wri_radix_digits(radix);
    uint32_t *columns = malloc(2 * ((size_t)digits->parameter_count + 1) * sizeof *columns);
    uint32_t *levels = columns + digits->parameter_count + 1, count = 0, widest = 0;
    uint64_t bound = 0;
    for (uint32_t i = 0; columns != NULL && i < relation->count; i++) {
        uint32_t column = relation->parameters[i];
        bool first = i == 0 || !wri_radix_has_gaps(radix, column) ||
                     wri_radix_owner(radix, column) !=
                         wri_radix_owner(radix, relation->parameters[i - 1]);
        if (first)
            columns[count++] = widest = column;
        else if (digits->parameters[column].levels > digits->parameters[widest].levels)
            columns[count - 1] = widest = column;
    }
    for (uint32_t i = 0; columns != NULL && i < digits->parameter_count; i++)
        levels[i] = digits->parameters[i].levels;
    wri_relation some = {NULL, relation->strength, count, columns};
    wri_goal goal = {.columns = digits->parameter_count, .levels = levels, .relation_count = 1,
                     .relations = &some};
    if (columns != NULL)
        bound = wri_lower_bound(&goal, why);
    free(columns);
    return bound;
}

static void raise_bound(wri_built *built, uint64_t bound, const char *why)
{
    if (bound > built->lower_bound) {
        built->lower_bound = bound;
        built->bound_reason = why;
    }
}

/* Where whole values are not constrained, what they and their digits need. */
static void tell_bound(const wri_radix *radix, wri_built *built)
{
    const wri_model *digits = wri_radix_digits(radix);
    raise_bound(built, wri_radix_values_alone(radix),
                "every value of the widest parameter is in a row of its own");
    for (uint32_t i = 0; i < digits->relation_count; i++) {
        const char *why = NULL;
        uint64_t bound = bound_relation(radix, &digits->relations[i], &why);
        raise_bound(built, bound, why);
    }
}

bool wri_radix_build(const wri_radix *radix, const wri_effort *effort, wri_row_taker *take,
                     void *state, wri_built *built, wri_complaint *complaint)
{
    uint32_t columns = wri_radix_digits(radix)->parameter_count;
    joining j = {radix, take, state, malloc((columns + 1) * sizeof *j.row), 0};
    bool well = j.row != NULL || wri_complain(complaint, "out of memory");
    if (well && wri_radix_rows(radix) == UINT64_MAX) {
        well = wri_build(wri_radix_digits(radix), effort, take_digits, &j, built, complaint);
    } else if (well) {
        well = wri_radix_stream(radix, count_row, &j) || wri_complain(complaint, "out of memory");
        *built = (wri_built){.rows = j.rows, .method = "digits"};
    }
    if (well && wri_radix_is_plain(radix))
        tell_bound(radix, built);
    free(j.row);
    return well;
}
