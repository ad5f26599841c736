/* cover/radix.c: see radix.h. Which parameters are split and how; the model of digits, with
 * everything that the model said of whole values said of their digits. */
#include "cover/radix.h"

#include "cover/digit_rows.h"
#include "cover/digit_sets.h"
#include "cover/layout.h"
#include "cover/orthogonal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list of more values is wide. */
#define MANY_VALUES 10

/* A split that takes more steps than this is not tried: a row takes one for each set of columns,
 * and some for each column, whose values are weighed. */
#define MOST_WORK (UINT64_C(1) << 32)
#define CANDIDATE_STEPS 200

struct wri_radix {
    const wri_model *model;
    wri_layout layout;
    wri_model digits;
    wri_memory *memory;
    bool local;  /* all values of split parameters are in some row */
    bool direct; /* the rows are there */
    wri_digit_rows rows;
};

/* ---- Which parameters are split ---- */

static bool computes_with(const wri_expression *e, uint32_t parameter)
{
    return e != NULL && ((e->op == WRI_OP_VALUE && e->parameter == parameter) ||
                         computes_with(e->left, parameter) || computes_with(e->right, parameter));
}

/* Whether the number of a level is first + level * step, and that can be calculated. */
static bool is_evenly_spaced(const wri_parameter *p)
{
    int64_t width, step, next;
    if (__builtin_sub_overflow(wri_number_at(p, p->levels - 1), wri_number_at(p, 0), &width))
        return false;
    if (p->domain == WRI_DOMAIN_RANGE)
        return true;
    if (__builtin_sub_overflow(wri_number_at(p, 1), wri_number_at(p, 0), &step))
        return false;
    for (uint32_t i = 2; i < p->levels; i++)
        if (__builtin_sub_overflow(wri_number_at(p, i), wri_number_at(p, i - 1), &next) ||
            next != step)
            return false;
    return true;
}

static bool can_split(const wri_model *model, uint32_t parameter)
{
    const wri_parameter *p = &model->parameters[parameter];
    if (p->invalid > 0 || p->levels < 2)
        return false;
    for (uint32_t i = 0; i < model->constraint_count; i++)
        if (computes_with(model->constraints[i].holds, parameter) && !is_evenly_spaced(p))
            return false;
    return true;
}

static bool is_wide(const wri_parameter *p, uint32_t base)
{
    bool narrow_range = p->domain == WRI_DOMAIN_RANGE && base > 0;
    return p->levels > base && (narrow_range || p->levels > MANY_VALUES);
}

static bool *choose_split(const wri_model *model, uint32_t base)
{
    bool *split = calloc(model->parameter_count + 1, sizeof *split);
    for (uint32_t i = 0; split != NULL && i < model->parameter_count; i++)
        split[i] = is_wide(&model->parameters[i], base) && can_split(model, i);
    return split;
}

/* ---- How they are split ---- */

/* Nothing but relations: then rows can be made directly. */
static bool is_plain(const wri_model *model)
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

/* What was measured: rows grow with the tuples of the widest set, with the logarithm of all
 * tuples, and with the strength. */
static uint64_t estimate(const wri_layout *layout, const wri_model *model)
{
    wri_digit_totals totals;
    if (!wri_digit_totals_of(&totals, layout, model))
        return UINT64_MAX;
    uint32_t strength = 0;
    for (uint32_t i = 0; i < model->relation_count; i++)
        if (model->relations[i].strength > strength)
            strength = model->relations[i].strength;
    uint64_t bits = 64 - (uint64_t)__builtin_clzll(totals.tuples | 1);
    uint64_t rows = totals.widest * bits / (strength < 6 ? 8 - strength : 2);
    uint64_t steps = totals.sets + CANDIDATE_STEPS * (uint64_t)layout->columns;
    return wri_times(rows, steps) > MOST_WORK ? UINT64_MAX : rows;
}

/* The smallest base that needs no more digits for so many levels. */
static uint32_t base_for(uint32_t levels, uint32_t digits)
{
    uint32_t base = 2;
    while (wri_power(base, digits) < levels)
        base++;
    return base;
}

/* For each number of digits of the widest parameter a candidate: the fewest digits first. */
static uint32_t list_candidates(const wri_model *model, const bool *split, bool even,
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
        wri_layout layout;
        candidates[count++] = (candidate){base, UINT64_MAX};
        if (wri_layout_open(&layout, model, split, base, even)) {
            candidates[count - 1].rows = estimate(&layout, model);
            wri_layout_close(&layout);
        }
        if (base == 2)
            break;
    }
    return count;
}

/* As many rows as the values of one parameter alone need. */
static uint64_t values_alone(const wri_model *model, const bool *split, bool local)
{
    uint64_t most = 0;
    for (uint32_t i = 0; local && i < model->parameter_count; i++)
        if (split[i] && model->parameters[i].levels > most)
            most = model->parameters[i].levels;
    return most;
}

/* The candidate that promises most among those that cost no row beyond the values alone, or else
 * the one with the fewest rows; WRI_ANY: none is left. */
static uint32_t most_promising(const candidate *candidates, uint32_t count, uint64_t alone)
{
    uint32_t best = WRI_ANY;
    for (uint32_t i = 0; i < count; i++) {
        if (candidates[i].rows == UINT64_MAX)
            continue;
        if (candidates[i].rows <= alone)
            return i;
        if (best == WRI_ANY || candidates[i].rows < candidates[best].rows)
            best = i;
    }
    return best;
}

typedef struct attempt {
    const wri_model *model;
    const bool *split;
    bool even, local;
    uint64_t seed;
} attempt;

/* Rows for a base, if that is not too much work and makes fewer than there are. */
static void try_base(wri_radix *radix, const attempt *a, uint32_t base)
{
    wri_layout layout;
    wri_digit_rows rows;
    uint64_t limit = radix->direct ? radix->rows.rows : UINT64_MAX;
    if (!wri_layout_open(&layout, a->model, a->split, base, a->even))
        return;
    if (estimate(&layout, a->model) == UINT64_MAX ||
        !wri_digit_rows_open(&rows, &layout, a->model, a->local, a->seed, limit)) {
        wri_layout_close(&layout);
        return;
    }
    wri_digit_rows_close(&radix->rows, a->model->parameter_count);
    wri_layout_close(&radix->layout);
    radix->rows = rows;
    radix->layout = layout;
    radix->direct = true;
}

/* Tries what may lead to fewer rows than there are, until the values alone need as many. */
static void try_candidates(wri_radix *radix, const attempt *a)
{
    candidate candidates[32];
    uint32_t count = list_candidates(a->model, a->split, a->even, candidates), next;
    uint64_t alone = values_alone(a->model, a->split, a->local);
    while ((next = most_promising(candidates, count, alone)) != WRI_ANY) {
        if (radix->direct && (radix->rows.rows <= alone ||
                              candidates[next].rows >= radix->rows.rows))
            break;
        try_base(radix, a, candidates[next].base);
        candidates[next].rows = UINT64_MAX;
    }
}

/* Where rows come from a search over the model of digits the estimate decides. */
static uint32_t estimated_base(const attempt *a)
{
    candidate candidates[32];
    uint32_t count = list_candidates(a->model, a->split, false, candidates);
    uint32_t best = most_promising(candidates, count, values_alone(a->model, a->split, a->local));
    return best != WRI_ANY ? candidates[best].base : count > 0 ? candidates[count - 1].base : 2;
}

static bool choose_layout(wri_radix *radix, const wri_radix_options *options)
{
    bool *split = choose_split(radix->model, options->base);
    if (split == NULL)
        return false;
    attempt a = {radix->model, split, options->base == 0, !options->no_local, options->seed};
    if (is_plain(radix->model) && options->base == 0)
        try_candidates(radix, &a);
    else if (is_plain(radix->model))
        try_base(radix, &a, options->base);
    bool chosen = radix->direct;
    if (!chosen)
        chosen = wri_layout_open(&radix->layout, radix->model, split,
                                 options->base > 0 ? options->base : estimated_base(&a), false);
    free(split);
    return chosen;
}

/* ---- Expressions over digits ---- */

typedef struct scribe {
    const wri_radix *radix;
    wri_memory *memory;
    bool failed;
} scribe;

static void *take(scribe *s, size_t count, size_t size)
{
    void *memory = wri_memory_take(s->memory, (count + 1) * size);
    s->failed = s->failed || memory == NULL;
    return memory;
}

static const wri_expression *write(scribe *s, wri_expression e)
{
    wri_expression *to = take(s, 1, sizeof *to);
    if (to != NULL)
        *to = e;
    return to;
}

static const wri_expression *number(scribe *s, int64_t value)
{
    return write(s, (wri_expression){.op = WRI_OP_NUMBER, .number = value});
}

static const wri_expression *both(scribe *s, wri_operator op, const wri_expression *left,
                                  const wri_expression *right)
{
    return write(s, (wri_expression){.op = op, .left = left, .right = right});
}

/* The sum of digit * weight. */
static const wri_expression *write_number(scribe *s, uint32_t parameter)
{
    const wri_layout *layout = &s->radix->layout;
    const wri_group *group = &layout->groups[parameter];
    const wri_expression *sum = NULL;
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t column = group->first + i;
        const wri_expression *digit =
            write(s, (wri_expression){.op = WRI_OP_VALUE, .parameter = column});
        if (layout->weights[column] > 1)
            digit = both(s, WRI_OP_MULTIPLY, digit, number(s, layout->weights[column]));
        sum = sum == NULL ? digit : both(s, WRI_OP_ADD, sum, digit);
    }
    return sum;
}

static const wri_expression *write_level(scribe *s, uint32_t parameter)
{
    const wri_group *group = &s->radix->layout.groups[parameter];
    const wri_expression *level = write_number(s, parameter);
    if (!s->radix->layout.even || !wri_group_has_gaps(group))
        return level;
    level = both(s, WRI_OP_MULTIPLY, level, number(s, group->levels));
    level = both(s, WRI_OP_ADD, level, number(s, (int64_t)group->numbers - 1));
    return both(s, WRI_OP_DIVIDE, level, number(s, (int64_t)group->numbers));
}

/* That the digits stand for a level. */
static const wri_expression *write_exists(scribe *s, uint32_t parameter)
{
    const wri_group *group = &s->radix->layout.groups[parameter];
    const wri_expression *level = write_level(s, parameter);
    if (!s->radix->layout.even)
        return both(s, WRI_OP_AT_MOST, level, number(s, (int64_t)group->levels - 1));
    level = both(s, WRI_OP_MULTIPLY, level, number(s, (int64_t)group->numbers));
    level = both(s, WRI_OP_DIVIDE, level, number(s, group->levels));
    return both(s, WRI_OP_EQUAL, level, write_number(s, parameter));
}

static const wri_expression *write_value(scribe *s, uint32_t parameter)
{
    const wri_parameter *p = &s->radix->model->parameters[parameter];
    int64_t first = wri_number_at(p, 0), step = wri_number_at(p, 1) - first;
    const wri_expression *value = write_level(s, parameter);
    if (step != 1)
        value = both(s, WRI_OP_MULTIPLY, value, number(s, step));
    return first == 0 ? value : both(s, WRI_OP_ADD, value, number(s, first));
}

/* That the level is in one of the intervals; in none: false. */
static const wri_expression *write_in(scribe *s, uint32_t parameter, const wri_set *set)
{
    const wri_expression *any = NULL;
    for (uint32_t i = 0; i < set->count; i++) {
        const wri_interval *in = &set->intervals[i];
        const wri_expression *inside =
            both(s, WRI_OP_AND,
                 both(s, WRI_OP_AT_LEAST, write_level(s, parameter), number(s, in->from)),
                 both(s, WRI_OP_AT_MOST, write_level(s, parameter), number(s, in->to)));
        any = any == NULL ? inside : both(s, WRI_OP_OR, any, inside);
    }
    return any != NULL ? any : both(s, WRI_OP_LESS, number(s, 1), number(s, 0));
}

static const wri_expression *rewrite(scribe *s, const wri_expression *e)
{
    if (e == NULL)
        return NULL;
    bool names = e->op == WRI_OP_VALUE || e->op == WRI_OP_IN;
    const wri_group *group = names ? &s->radix->layout.groups[e->parameter] : NULL;
    if (names && group->count > 1)
        return e->op == WRI_OP_VALUE ? write_value(s, e->parameter)
                                     : write_in(s, e->parameter, &e->set);
    wri_expression copy = *e;
    if (names)
        copy.parameter = group->first;
    copy.left = rewrite(s, e->left);
    copy.right = rewrite(s, e->right);
    return write(s, copy);
}

/* ---- The model of digits ---- */

static void write_parameters(scribe *s, wri_model *to)
{
    const wri_radix *radix = s->radix;
    wri_parameter *parameters = take(s, radix->layout.columns, sizeof *parameters);
    for (uint32_t i = 0; !s->failed && i < radix->layout.columns; i++) {
        uint32_t owner = radix->layout.owners[i];
        parameters[i] = radix->model->parameters[owner];
        if (radix->layout.groups[owner].count > 1)
            parameters[i] = (wri_parameter){.name = radix->model->parameters[owner].name,
                                            .domain = WRI_DOMAIN_RANGE,
                                            .levels = radix->layout.radices[i], .step = 1};
    }
    to->parameter_count = radix->layout.columns;
    to->parameters = parameters;
}

/* The columns of some parameters, in order. */
static void write_relation(scribe *s, wri_relation *to, uint32_t strength, uint32_t count,
                           const uint32_t *parameters)
{
    const wri_layout *layout = &s->radix->layout;
    uint32_t *columns = take(s, layout->columns, sizeof *columns), total = 0;
    for (uint32_t i = 0; columns != NULL && i < count; i++)
        for (uint32_t j = 0; j < layout->groups[parameters[i]].count; j++)
            columns[total++] = layout->groups[parameters[i]].first + j;
    *to = (wri_relation){NULL, strength, total, columns};
}

static void write_relations(scribe *s, wri_model *to)
{
    const wri_model *from = s->radix->model;
    size_t most = (size_t)from->relation_count + from->parameter_count;
    wri_relation *relations = take(s, most, sizeof *relations);
    for (uint32_t i = 0; relations != NULL && i < from->relation_count; i++) {
        const wri_relation *r = &from->relations[i];
        write_relation(s, &relations[i], r->strength, r->count, r->parameters);
        relations[i].name = r->name;
    }
    to->relation_count = from->relation_count;
    for (uint32_t p = 0; relations != NULL && s->radix->local && p < from->parameter_count; p++)
        if (s->radix->layout.groups[p].count > 1)
            write_relation(s, &relations[to->relation_count++], s->radix->layout.groups[p].count, 1,
                           &p);
    to->relations = relations;
}

/* What a message says of that constraint. */
static const char *write_text(scribe *s, const char *name)
{
    char text[200];
    int length = snprintf(text, sizeof text, "%.150s has one of its values", name);
    const char *copy = wri_memory_text(s->memory, text, (size_t)length);
    s->failed = s->failed || copy == NULL;
    return copy;
}

static void write_constraints(scribe *s, wri_model *to)
{
    const wri_model *from = s->radix->model;
    size_t most = (size_t)from->constraint_count + from->parameter_count;
    wri_constraint *constraints = take(s, most, sizeof *constraints);
    for (uint32_t i = 0; constraints != NULL && i < from->constraint_count; i++) {
        constraints[i] = from->constraints[i];
        constraints[i].holds = rewrite(s, from->constraints[i].holds);
    }
    to->constraint_count = from->constraint_count;
    for (uint32_t p = 0; constraints != NULL && p < from->parameter_count; p++)
        if (wri_group_has_gaps(&s->radix->layout.groups[p]))
            constraints[to->constraint_count++] =
                (wri_constraint){write_exists(s, p), write_text(s, from->parameters[p].name), 0};
    to->constraints = constraints;
}

static void write_kept(scribe *s, wri_model *to)
{
    const wri_model *from = s->radix->model;
    uint32_t columns = s->radix->layout.columns;
    uint32_t *kept = take(s, from->kept_count * columns, sizeof *kept);
    for (uint64_t i = 0; kept != NULL && i < from->kept_count; i++)
        wri_radix_divide(s->radix, from->kept + i * from->parameter_count, kept + i * columns);
    to->kept_count = from->kept_count;
    to->kept = kept;
}

static bool write_model(wri_radix *radix)
{
    scribe s = {radix, radix->memory, false};
    wri_model *to = &radix->digits;
    *to = (wri_model){.name = radix->model->name, .memory = radix->memory};
    write_parameters(&s, to);
    write_relations(&s, to);
    write_constraints(&s, to);
    write_kept(&s, to);
    return !s.failed;
}

/* Whether algebra has fewer rows for the digits: without gaps it may. */
static bool has_smaller(const wri_radix *radix)
{
    const wri_model *digits = &radix->digits;
    wri_goal goal = {.columns = radix->layout.columns, .levels = radix->layout.radices,
                     .relation_count = digits->relation_count, .relations = digits->relations};
    return digits->constraint_count == 0 && wri_algebra_rows(&goal) < radix->rows.rows;
}

/* ---- From outside ---- */

wri_radix *wri_radix_open(const wri_model *model, const wri_radix_options *options,
                          wri_complaint *complaint)
{
    if (options->base == 1) {
        wri_complain(complaint, "a base is 2 or more");
        return NULL;
    }
    wri_radix *radix = calloc(1, sizeof *radix);
    if (radix != NULL) {
        radix->model = model;
        radix->local = !options->no_local;
        radix->memory = wri_memory_open();
        if (radix->memory != NULL && choose_layout(radix, options) && write_model(radix)) {
            radix->direct = radix->direct && !has_smaller(radix);
            return radix;
        }
    }
    wri_radix_close(radix);
    wri_complain(complaint, "out of memory");
    return NULL;
}

void wri_radix_close(wri_radix *radix)
{
    if (radix == NULL)
        return;
    wri_digit_rows_close(&radix->rows, radix->model->parameter_count);
    wri_layout_close(&radix->layout);
    wri_memory_close(radix->memory);
    free(radix);
}

const wri_model *wri_radix_digits(const wri_radix *radix)
{
    return &radix->digits;
}

uint32_t wri_radix_split(const wri_radix *radix, uint32_t *base)
{
    uint32_t count = 0;
    *base = 0;
    for (uint32_t i = 0; i < radix->layout.columns; i++) {
        const wri_group *group = &radix->layout.groups[radix->layout.owners[i]];
        count += group->count > 1 && group->first == i;
        if (group->count > 1 && radix->layout.radices[i] > *base)
            *base = radix->layout.radices[i];
    }
    return count;
}

void wri_radix_divide(const wri_radix *radix, const uint32_t *row, uint32_t *digits)
{
    for (uint32_t p = 0; p < radix->layout.parameters; p++)
        wri_layout_divide(&radix->layout, p, row[p], digits + radix->layout.groups[p].first);
}

void wri_radix_join(const wri_radix *radix, const uint32_t *digits, uint32_t *row)
{
    for (uint32_t p = 0; p < radix->layout.parameters; p++)
        row[p] = wri_layout_join(&radix->layout, p, digits + radix->layout.groups[p].first);
}

uint32_t wri_radix_owner(const wri_radix *radix, uint32_t column)
{
    return radix->layout.owners[column];
}

bool wri_radix_has_gaps(const wri_radix *radix, uint32_t column)
{
    return wri_group_has_gaps(&radix->layout.groups[radix->layout.owners[column]]);
}

bool wri_radix_is_plain(const wri_radix *radix)
{
    return is_plain(radix->model);
}

uint64_t wri_radix_values_alone(const wri_radix *radix)
{
    uint64_t most = 0;
    for (uint32_t p = 0; radix->local && p < radix->layout.parameters; p++)
        if (radix->layout.groups[p].count > 1 && radix->layout.groups[p].levels > most)
            most = radix->layout.groups[p].levels;
    return most;
}

uint64_t wri_radix_rows(const wri_radix *radix)
{
    return radix->direct ? radix->rows.rows : UINT64_MAX;
}

bool wri_radix_stream(const wri_radix *radix, wri_row_taker *to, void *state)
{
    return wri_digit_rows_stream(&radix->rows, &radix->layout, to, state);
}
