/* cover/radix/radix.c: decides which parameters are split and how, and makes the model of digits.
 *
 * Relations, constraints and kept rows of the model are said again of the digits.
 */
#include "cover/radix/digits.h"

#include "cover/radix/digit_sets.h"
#include "cover/algebra/algebra.h"
#include "cover/algebra/count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list of more values is wide. */
#define MANY_VALUES 10

/* A split that takes more steps than this is not tried: a row takes one for each set of columns,
 * and some for each column, whose values are weighed. */
#define MOST_WORK (UINT64_C(1) << 32)
#define CANDIDATE_STEPS 200

/* ---- Which parameters are split ---- */

static bool computes_with(const wrc_expression *e, uint32_t parameter)
{
    return e != NULL && ((e->op == WRC_OP_VALUE && e->parameter == parameter) ||
                         computes_with(e->left, parameter) || computes_with(e->right, parameter));
}

/* Whether the number of a level is first + level * step, and that can be calculated. */
static bool is_evenly_spaced(const wrc_parameter *p)
{
    int64_t width, step, next;
    if (__builtin_sub_overflow(wrc_parameter_number(p, p->levels - 1), wrc_parameter_number(p, 0),
                               &width))
        return false;
    if (p->domain == WRC_DOMAIN_RANGE)
        return true;
    if (__builtin_sub_overflow(wrc_parameter_number(p, 1), wrc_parameter_number(p, 0), &step))
        return false;
    for (uint32_t i = 2; i < p->levels; i++)
        if (__builtin_sub_overflow(wrc_parameter_number(p, i), wrc_parameter_number(p, i - 1),
                                   &next) ||
            next != step)
            return false;
    return true;
}

static bool can_split(const wrc_model *model, uint32_t parameter)
{
    const wrc_parameter *p = &model->parameters[parameter];
    if (p->invalid > 0 || p->levels < 2)
        return false;
    for (uint32_t i = 0; i < model->constraint_count; i++)
        if (computes_with(model->constraints[i].holds, parameter) && !is_evenly_spaced(p))
            return false;
    return true;
}

static bool is_wide(const wrc_parameter *p, uint32_t base)
{
    bool narrow_range = p->domain == WRC_DOMAIN_RANGE && base > 0;
    return p->levels > base && (narrow_range || p->levels > MANY_VALUES);
}

static bool *choose_split(const wrc_model *model, uint32_t base)
{
    bool *split = calloc(model->parameter_count + 1, sizeof *split);
    for (uint32_t i = 0; split != NULL && i < model->parameter_count; i++)
        split[i] = is_wide(&model->parameters[i], base) && can_split(model, i);
    return split;
}

/* ---- How they are split ---- */

/* Nothing but relations: then rows can be made directly. */
static bool is_plain(const wrc_model *model)
{
    bool plain = model->constraint_count == 0 && model->kept_count == 0;
    for (uint32_t i = 0; i < model->parameter_count; i++)
        plain = plain && model->parameters[i].invalid == 0;
    return plain;
}

typedef struct candidate {
    uint32_t base;
    uint64_t rows; /* about how many the digits need; UINT64_MAX: too much work */
} candidate;

/* As was measured, rows grow with the tuples of the widest set, with the logarithm of all
 * tuples, and with the strength. */
static uint64_t estimate(const wrc_layout *layout, const wrc_model *model)
{
    wrc_digit_totals totals;
    if (!wrc_digit_totals_of(&totals, layout, model))
        return UINT64_MAX;
    uint32_t strength = wrc_model_strongest(model->relations, model->relation_count);
    uint64_t bits = 64 - (uint64_t)__builtin_clzll(totals.tuples | 1);
    uint64_t rows = totals.widest * bits / (strength < 6 ? 8 - strength : 2);
    uint64_t steps = totals.sets + CANDIDATE_STEPS * (uint64_t)layout->columns;
    return wrc_count_times(rows, steps) > MOST_WORK ? UINT64_MAX : rows;
}

/* The smallest base that needs no more digits for so many levels. */
static uint32_t base_for(uint32_t levels, uint32_t digits)
{
    uint32_t base = 2;
    while (wrc_count_power(base, digits) < levels)
        base++;
    return base;
}

/* For each number of digits of the widest parameter a candidate: the fewest digits first. */
static uint32_t list_candidates(const wrc_model *model, const bool *split, bool even,
                                candidate *candidates)
{
    uint32_t widest = 0, count = 0;
    for (uint32_t i = 0; i < model->parameter_count; i++)
        if (split[i] && model->parameters[i].levels > widest)
            widest = model->parameters[i].levels;
    for (uint32_t digits = 2; widest > 0 && digits <= 32; digits++) {
        uint32_t base = base_for(widest, digits);
        if (count > 0 && candidates[count - 1].base == base)
            continue;
        wrc_layout layout;
        candidates[count++] = (candidate){ base, UINT64_MAX };
        if (wrc_layout_open(&layout, model, split, base, even)) {
            candidates[count - 1].rows = estimate(&layout, model);
            wrc_layout_close(&layout);
        }
        if (base == 2)
            break;
    }
    return count;
}

/* As many rows as the values of one parameter alone need. */
static uint64_t values_alone(const wrc_model *model, const bool *split, bool local)
{
    uint64_t most = 0;
    for (uint32_t i = 0; local && i < model->parameter_count; i++)
        if (split[i] && model->parameters[i].levels > most)
            most = model->parameters[i].levels;
    return most;
}

/* The candidate that promises most among those that cost no row beyond the values alone, or else
 * the one with the fewest rows; WRC_ANY: none is left. */
static uint32_t most_promising(const candidate *candidates, uint32_t count, uint64_t alone)
{
    uint32_t best = WRC_ANY;
    for (uint32_t i = 0; i < count; i++) {
        if (candidates[i].rows == UINT64_MAX)
            continue;
        if (candidates[i].rows <= alone)
            return i;
        if (best == WRC_ANY || candidates[i].rows < candidates[best].rows)
            best = i;
    }
    return best;
}

typedef struct attempt {
    const wrc_model *model;
    const bool      *split;
    bool             even, local;
    uint64_t         seed;
} attempt;

/* Rows for a base, if that is not too much work and makes fewer than there are. */
static void try_base(wrc_radix *radix, const attempt *a, uint32_t base)
{
    wrc_layout     layout;
    wrc_digit_rows rows;
    uint64_t       limit = radix->direct ? radix->rows.rows : UINT64_MAX;
    if (!wrc_layout_open(&layout, a->model, a->split, base, a->even))
        return;
    if (estimate(&layout, a->model) == UINT64_MAX ||
        !wrc_digit_rows_open(&rows, &layout, a->model, a->local, a->seed, limit)) {
        wrc_layout_close(&layout);
        return;
    }
    wrc_digit_rows_close(&radix->rows);
    wrc_layout_close(&radix->layout);
    radix->rows = rows;
    radix->layout = layout;
    radix->direct = true;
}

/* Tries what may lead to fewer rows than there are, until the values alone need as many. */
static void try_candidates(wrc_radix *radix, const attempt *a)
{
    candidate candidates[32];
    uint32_t  count = list_candidates(a->model, a->split, a->even, candidates), next;
    uint64_t  alone = values_alone(a->model, a->split, a->local);
    while ((next = most_promising(candidates, count, alone)) != WRC_ANY) {
        if (radix->direct &&
            (radix->rows.rows <= alone || candidates[next].rows >= radix->rows.rows))
            break;
        try_base(radix, a, candidates[next].base);
        candidates[next].rows = UINT64_MAX;
    }
}

/* If rows come from a search over the model of digits, the estimate decides. */
static uint32_t estimated_base(const attempt *a)
{
    candidate candidates[32];
    uint32_t  count = list_candidates(a->model, a->split, false, candidates);
    uint32_t best = most_promising(candidates, count, values_alone(a->model, a->split, a->local));
    return best != WRC_ANY ? candidates[best].base : count > 0 ? candidates[count - 1].base : 2;
}

static bool choose_layout(wrc_radix *radix, const wrc_radix_options *options)
{
    bool *split = choose_split(radix->model, options->base);
    if (split == NULL)
        return false;
    attempt a = { radix->model, split, options->base == 0, !options->no_local, options->seed };
    if (radix->plain && options->base == 0)
        try_candidates(radix, &a);
    else if (radix->plain)
        try_base(radix, &a, options->base);
    bool chosen = radix->direct;
    if (!chosen)
        chosen = wrc_layout_open(&radix->layout, radix->model, split,
                                 options->base > 0 ? options->base : estimated_base(&a), false);
    free(split);
    return chosen;
}

/* ---- Expressions over digits ---- */

typedef struct scribe {
    const wrc_radix *radix;
    wrc_memory      *memory;
    bool             failed;
} scribe;

static void *take(scribe *s, size_t count, size_t size)
{
    void *memory = wrc_memory_take(s->memory, (count + 1) * size);
    s->failed = s->failed || memory == NULL;
    return memory;
}

static const wrc_expression *write(scribe *s, wrc_expression e)
{
    wrc_expression *to = take(s, 1, sizeof *to);
    if (to != NULL)
        *to = e;
    return to;
}

static const wrc_expression *number(scribe *s, int64_t value)
{
    return write(s, (wrc_expression){ .op = WRC_OP_NUMBER, .number = value });
}

static const wrc_expression *both(scribe *s, wrc_operator op, const wrc_expression *left,
                                  const wrc_expression *right)
{
    return write(s, (wrc_expression){ .op = op, .left = left, .right = right });
}

/* The sum of digit * weight. */
static const wrc_expression *write_number(scribe *s, uint32_t parameter)
{
    const wrc_layout     *layout = &s->radix->layout;
    const wrc_group      *group = &layout->groups[parameter];
    const wrc_expression *sum = NULL;
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t              column = group->first + i;
        const wrc_expression *digit =
            write(s, (wrc_expression){ .op = WRC_OP_VALUE, .parameter = column });
        if (layout->weights[column] > 1)
            digit = both(s, WRC_OP_MULTIPLY, digit, number(s, layout->weights[column]));
        sum = sum == NULL ? digit : both(s, WRC_OP_ADD, sum, digit);
    }
    return sum;
}

static const wrc_expression *write_level(scribe *s, uint32_t parameter)
{
    const wrc_group      *group = &s->radix->layout.groups[parameter];
    const wrc_expression *level = write_number(s, parameter);
    if (!s->radix->layout.even || !wrc_group_has_gaps(group))
        return level;
    level = both(s, WRC_OP_MULTIPLY, level, number(s, group->levels));
    level = both(s, WRC_OP_ADD, level, number(s, (int64_t)group->numbers - 1));
    return both(s, WRC_OP_DIVIDE, level, number(s, (int64_t)group->numbers));
}

/* That the digits stand for a level. */
static const wrc_expression *write_exists(scribe *s, uint32_t parameter)
{
    const wrc_group      *group = &s->radix->layout.groups[parameter];
    const wrc_expression *level = write_level(s, parameter);
    if (!s->radix->layout.even)
        return both(s, WRC_OP_AT_MOST, level, number(s, (int64_t)group->levels - 1));
    level = both(s, WRC_OP_MULTIPLY, level, number(s, (int64_t)group->numbers));
    level = both(s, WRC_OP_DIVIDE, level, number(s, group->levels));
    return both(s, WRC_OP_EQUAL, level, write_number(s, parameter));
}

static const wrc_expression *write_value(scribe *s, uint32_t parameter)
{
    const wrc_parameter *p = &s->radix->model->parameters[parameter];
    int64_t first = wrc_parameter_number(p, 0), step = wrc_parameter_number(p, 1) - first;
    const wrc_expression *value = write_level(s, parameter);
    if (step != 1)
        value = both(s, WRC_OP_MULTIPLY, value, number(s, step));
    return first == 0 ? value : both(s, WRC_OP_ADD, value, number(s, first));
}

/* That the level is in one of the intervals; in none: false. */
static const wrc_expression *write_in(scribe *s, uint32_t parameter, const wrc_set *set)
{
    const wrc_expression *any = NULL;
    for (uint32_t i = 0; i < set->count; i++) {
        const wrc_interval   *in = &set->intervals[i];
        const wrc_expression *inside =
            both(s, WRC_OP_AND,
                 both(s, WRC_OP_AT_LEAST, write_level(s, parameter), number(s, in->from)),
                 both(s, WRC_OP_AT_MOST, write_level(s, parameter), number(s, in->to)));
        any = any == NULL ? inside : both(s, WRC_OP_OR, any, inside);
    }
    return any != NULL ? any : both(s, WRC_OP_LESS, number(s, 1), number(s, 0));
}

static const wrc_expression *rewrite(scribe *s, const wrc_expression *e)
{
    if (e == NULL)
        return NULL;
    bool             names = e->op == WRC_OP_VALUE || e->op == WRC_OP_IN;
    const wrc_group *group = names ? &s->radix->layout.groups[e->parameter] : NULL;
    if (names && group->count > 1)
        return e->op == WRC_OP_VALUE ? write_value(s, e->parameter)
                                     : write_in(s, e->parameter, &e->set);
    wrc_expression copy = *e;
    if (names)
        copy.parameter = group->first;
    copy.left = rewrite(s, e->left);
    copy.right = rewrite(s, e->right);
    return write(s, copy);
}

/* ---- The model of digits ---- */

static void write_parameters(scribe *s, wrc_model *to)
{
    const wrc_radix *radix = s->radix;
    wrc_parameter   *parameters = take(s, radix->layout.columns, sizeof *parameters);
    for (uint32_t i = 0; !s->failed && i < radix->layout.columns; i++) {
        uint32_t owner = radix->layout.owners[i];
        parameters[i] = radix->model->parameters[owner];
        if (radix->layout.groups[owner].count > 1)
            parameters[i] = (wrc_parameter){ .name = radix->model->parameters[owner].name,
                                             .domain = WRC_DOMAIN_RANGE,
                                             .levels = radix->layout.radices[i],
                                             .step = 1 };
    }
    to->parameter_count = radix->layout.columns;
    to->parameters = parameters;
}

/* The columns of some parameters, in order. */
static void write_relation(scribe *s, wrc_relation *to, uint32_t strength, uint32_t count,
                           const uint32_t *parameters)
{
    const wrc_layout *layout = &s->radix->layout;
    uint32_t         *columns = take(s, layout->columns, sizeof *columns), total = 0;
    for (uint32_t i = 0; columns != NULL && i < count; i++)
        for (uint32_t j = 0; j < layout->groups[parameters[i]].count; j++)
            columns[total++] = layout->groups[parameters[i]].first + j;
    *to = (wrc_relation){ NULL, strength, total, columns };
}

static void write_relations(scribe *s, wrc_model *to)
{
    const wrc_model *from = s->radix->model;
    size_t           most = (size_t)from->relation_count + from->parameter_count;
    wrc_relation    *relations = take(s, most, sizeof *relations);
    for (uint32_t i = 0; relations != NULL && i < from->relation_count; i++) {
        const wrc_relation *r = &from->relations[i];
        write_relation(s, &relations[i], r->strength, r->count, r->parameters);
        relations[i].name = r->name;
    }
    to->relation_count = from->relation_count;
    for (uint32_t p = 0; relations != NULL && s->radix->local && p < from->parameter_count; p++)
        if (s->radix->layout.groups[p].count > 1)
            write_relation(s, &relations[to->relation_count++], s->radix->layout.groups[p].count,
                           1, &p);
    to->relations = relations;
}

/* The text of that constraint for messages. */
static const char *write_text(scribe *s, const char *name)
{
    char        text[200];
    int         length = snprintf(text, sizeof text, "%.150s has one of its values", name);
    const char *copy = wrc_memory_text(s->memory, text, (size_t)length);
    s->failed = s->failed || copy == NULL;
    return copy;
}

static void write_constraints(scribe *s, wrc_model *to)
{
    const wrc_model *from = s->radix->model;
    size_t           most = (size_t)from->constraint_count + from->parameter_count;
    wrc_constraint  *constraints = take(s, most, sizeof *constraints);
    for (uint32_t i = 0; constraints != NULL && i < from->constraint_count; i++) {
        constraints[i] = from->constraints[i];
        constraints[i].holds = rewrite(s, from->constraints[i].holds);
    }
    to->constraint_count = from->constraint_count;
    for (uint32_t p = 0; constraints != NULL && p < from->parameter_count; p++)
        if (wrc_group_has_gaps(&s->radix->layout.groups[p]))
            constraints[to->constraint_count++] =
                (wrc_constraint){ write_exists(s, p), write_text(s, from->parameters[p].name),
                                  0 };
    to->constraints = constraints;
}

static void write_kept(scribe *s, wrc_model *to)
{
    const wrc_model *from = s->radix->model;
    uint32_t         columns = s->radix->layout.columns;
    uint32_t        *kept = take(s, from->kept_count * columns, sizeof *kept);
    for (uint64_t i = 0; kept != NULL && i < from->kept_count; i++)
        wrc_radix_divide(s->radix, from->kept + i * from->parameter_count, kept + i * columns);
    to->kept_count = from->kept_count;
    to->kept = kept;
}

static bool write_model(wrc_radix *radix)
{
    scribe     s = { radix, radix->memory, false };
    wrc_model *to = &radix->digits;
    *to = (wrc_model){ .name = radix->model->name, .memory = radix->memory };
    write_parameters(&s, to);
    write_relations(&s, to);
    write_constraints(&s, to);
    write_kept(&s, to);
    return !s.failed;
}

/* Whether algebra has fewer rows for the digits: without gaps it may. */
static bool has_smaller(const wrc_radix *radix)
{
    const wrc_model *digits = &radix->digits;
    wrc_goal         goal = { .columns = radix->layout.columns,
                              .levels = radix->layout.radices,
                              .relation_count = digits->relation_count,
                              .relations = digits->relations };
    if (digits->constraint_count > 0)
        return false;
    wrc_algebra *algebra = wrc_algebra_open(&goal);
    bool         smaller = wrc_algebra_rows(algebra) < radix->rows.rows;
    wrc_algebra_close(algebra);
    return smaller;
}

/* ---- From outside ---- */

wrc_radix *wrc_radix_open(const wrc_model *model, const wrc_radix_options *options,
                          wrc_complaint *complaint)
{
    if (options->base == 1) {
        wrc_model_complain(complaint, "a base is 2 or more");
        return NULL;
    }
    wrc_radix *radix = calloc(1, sizeof *radix);
    if (radix != NULL) {
        radix->model = model;
        radix->plain = is_plain(model);
        radix->local = !options->no_local;
        radix->memory = wrc_memory_open();
        if (radix->memory != NULL && choose_layout(radix, options) && write_model(radix)) {
            radix->direct = radix->direct && !has_smaller(radix);
            return radix;
        }
    }
    wrc_radix_close(radix);
    wrc_model_complain(complaint, "out of memory");
    return NULL;
}

void wrc_radix_close(wrc_radix *radix)
{
    if (radix == NULL)
        return;
    wrc_digit_rows_close(&radix->rows);
    wrc_layout_close(&radix->layout);
    wrc_memory_close(radix->memory);
    free(radix);
}

const wrc_model *wrc_radix_digits(const wrc_radix *radix)
{
    return &radix->digits;
}

uint32_t wrc_radix_split(const wrc_radix *radix, uint32_t *base)
{
    uint32_t count = 0;
    *base = 0;
    for (uint32_t i = 0; i < radix->layout.columns; i++) {
        const wrc_group *group = &radix->layout.groups[radix->layout.owners[i]];
        count += group->count > 1 && group->first == i;
        if (group->count > 1 && radix->layout.radices[i] > *base)
            *base = radix->layout.radices[i];
    }
    return count;
}

void wrc_radix_divide(const wrc_radix *radix, const uint32_t *row, uint32_t *digits)
{
    for (uint32_t p = 0; p < radix->layout.parameters; p++)
        wrc_layout_divide(&radix->layout, p, row[p], digits + radix->layout.groups[p].first);
}

void wrc_radix_join(const wrc_radix *radix, const uint32_t *digits, uint32_t *row)
{
    for (uint32_t p = 0; p < radix->layout.parameters; p++)
        row[p] = wrc_layout_join(&radix->layout, p, digits + radix->layout.groups[p].first);
}
