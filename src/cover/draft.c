/* cover/draft.c: from what a reader finds, one thing after the other, to a model.
 *
 * Parameters are kept as they were written until they are settled; then the types are known, so
 * levels can be ordered (valid ones first) and numbered: whole numbers by themselves, texts by
 * their rank among all texts of the model, so that two parameters' values can be compared.
 */
#include "cover/draft.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WRITTEN_OUT 1000000 /* values of one parameter that is not a range */
#define MOST_LEVELS ((uint64_t)UINT32_MAX - 1)
#define MOST_PARAMETERS 1000000

typedef struct drafted_value {
    const char *text;
    uint32_t    weight;
    bool        invalid;
    wri_list    aliases; /* of const char * */
} drafted_value;

typedef struct drafted {
    const char *name;
    wri_place   at;
    wri_typing  typing;
    wri_list    values; /* of drafted_value */
    int64_t     first, last, step;
    bool        range;
    bool        decimal; /* every value is a number */
} drafted;

bool wri_list_add(wri_list *list, const void *item, size_t size)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 8;
        void  *more = room <= SIZE_MAX / size ? realloc(list->items, room * size) : NULL;
        if (!more)
            return false;
        list->items = more;
        list->room = room;
    }
    memcpy((char *)list->items + size * list->count++, item, size);
    return true;
}

bool wri_out_of_memory(wri_draft *draft)
{
    return wri_complain(draft->complaint, "out of memory");
}

static bool add(wri_draft *draft, wri_list *list, const void *item, size_t size)
{
    return wri_list_add(list, item, size) || wri_out_of_memory(draft);
}

static drafted *latest(const wri_draft *draft)
{
    return (drafted *)draft->parameters.items + draft->parameters.count - 1;
}

bool wri_draft_open(wri_draft *draft, wri_complaint *complaint)
{
    memset(draft, 0, sizeof *draft);
    draft->complaint = complaint;
    draft->memory = wri_memory_open();
    return draft->memory != NULL || wri_out_of_memory(draft);
}

static void free_values(drafted *parameter)
{
    drafted_value *values = parameter->values.items;
    for (size_t i = 0; i < parameter->values.count; i++)
        free(values[i].aliases.items);
    free(values);
    memset(&parameter->values, 0, sizeof parameter->values);
}

void wri_draft_close(wri_draft *draft)
{
    drafted *parameters = draft->parameters.items;
    for (size_t i = 0; i < draft->parameters.count; i++)
        free_values(&parameters[i]);
    free(parameters);
    free(draft->relations.items);
    free(draft->compounds.items);
    free(draft->constraints.items);
    free(draft->remarks.items);
    free(draft->rows.items);
    wri_memory_close(draft->memory);
    memset(draft, 0, sizeof *draft);
}

/* ---- Parameters ------------------------------------------------------------------------- */

uint32_t wri_draft_find(const wri_draft *draft, const char *name, size_t length)
{
    const drafted *parameters = draft->parameters.items;
    for (size_t i = 0; i < draft->parameters.count; i++)
        if (wri_same_text(name, length, parameters[i].name, strlen(parameters[i].name),
                          draft->model.fold_case))
            return (uint32_t)i;
    return WRI_ANY;
}

bool wri_draft_parameter(wri_draft *draft, wri_place at, const char *name, size_t length,
                         wri_typing typing)
{
    drafted parameter = { .typing = typing, .at = at };
    if (length == 0)
        return wri_complain_at(draft->complaint, at, "expected a parameter's name, found none");
    if (draft->parameters.count == MOST_PARAMETERS)
        return wri_complain_at(draft->complaint, at, "expected at most %d parameters, found more",
                               MOST_PARAMETERS);
    parameter.name = wri_memory_text(draft->memory, name, length);
    if (!parameter.name)
        return wri_out_of_memory(draft);
    wri_source alone = { "", parameter.name, parameter.name + length };
    wri_token  token = wri_token_at(&alone, alone.text, false);
    draft->odd_names = draft->odd_names || token.span.length != length;
    return add(draft, &draft->parameters, &parameter, sizeof parameter);
}

static bool add_value(wri_draft *draft, wri_place at, const drafted_value *value)
{
    drafted *to = latest(draft);
    if (to->values.count == MOST_WRITTEN_OUT)
        return wri_complain_at(draft->complaint, at,
                               "expected at most %d values of %.60s, found more",
                               MOST_WRITTEN_OUT, to->name);
    return add(draft, &to->values, value, sizeof *value);
}

/* A range that is no longer alone becomes a list. */
static bool write_out(wri_draft *draft, wri_place at, int64_t first, int64_t last, int64_t step,
                      bool invalid)
{
    uint64_t steps = ((uint64_t)last - (uint64_t)first) / (uint64_t)step;
    for (uint64_t i = 0; i <= steps; i++) {
        char          text[24];
        int           length = snprintf(text, sizeof text, "%lld",
                                        (long long)((uint64_t)first + i * (uint64_t)step));
        drafted_value value = {
            wri_memory_text(draft->memory, text, (size_t)length), 1, invalid, { 0 }
        };
        if (!value.text)
            return wri_out_of_memory(draft);
        if (!add_value(draft, at, &value))
            return false;
    }
    return true;
}

static bool not_alone(wri_draft *draft, wri_place at)
{
    drafted *to = latest(draft);
    if (!to->range)
        return true;
    to->range = false;
    return write_out(draft, at, to->first, to->last, to->step, false);
}

bool wri_draft_value(wri_draft *draft, wri_place at, const char *text, size_t length,
                     bool invalid, uint32_t weight)
{
    drafted_value value = {
        wri_memory_text(draft->memory, text, length), weight, invalid, { 0 }
    };
    if (!value.text)
        return wri_out_of_memory(draft);
    return not_alone(draft, at) && add_value(draft, at, &value);
}

bool wri_draft_alias(wri_draft *draft, const char *text, size_t length)
{
    drafted       *to = latest(draft);
    drafted_value *value = (drafted_value *)to->values.items + to->values.count - 1;
    const char    *copy = wri_memory_text(draft->memory, text, length);
    return copy ? add(draft, &value->aliases, &copy, sizeof copy) : wri_out_of_memory(draft);
}

bool wri_draft_range(wri_draft *draft, wri_place at, int64_t first, int64_t last, int64_t step,
                     bool invalid)
{
    drafted *to = latest(draft);
    if (step < 1)
        return wri_complain_at(draft->complaint, at, "expected a step of 1 or more, found %lld",
                               (long long)step);
    if (last < first)
        return wri_complain_at(draft->complaint, at,
                               "expected a range that ascends, found %lld..%lld",
                               (long long)first, (long long)last);
    if (((uint64_t)last - (uint64_t)first) / (uint64_t)step >= MOST_LEVELS)
        return wri_complain_at(draft->complaint, at,
                               "expected at most %llu values of %.60s, found a wider range",
                               (unsigned long long)MOST_LEVELS, to->name);
    if (!to->range && to->values.count == 0 && !invalid) {
        to->range = true;
        to->first = first;
        to->last = last;
        to->step = step;
        return true;
    }
    return not_alone(draft, at) && write_out(draft, at, first, last, step, invalid);
}

static bool copy_value(wri_draft *draft, const drafted_value *from)
{
    const char *const *aliases = from->aliases.items;
    drafted_value      value = *from;
    memset(&value.aliases, 0, sizeof value.aliases);
    if (!add_value(draft, latest(draft)->at, &value))
        return false;
    for (size_t i = 0; i < from->aliases.count; i++)
        if (!wri_draft_alias(draft, aliases[i], strlen(aliases[i])))
            return false;
    return true;
}

bool wri_draft_same_values(wri_draft *draft, uint32_t other)
{
    drafted  *from = (drafted *)draft->parameters.items + other;
    wri_place at = latest(draft)->at;
    if (from->range)
        return wri_draft_range(draft, at, from->first, from->last, from->step, false);
    for (size_t i = 0, count = from->values.count; i < count; i++) {
        drafted_value value = ((drafted_value *)from->values.items)[i];
        if (!copy_value(draft, &value))
            return false;
    }
    return true;
}

/* ---- Settling --------------------------------------------------------------------------- */

static bool is_whole(const char *text, size_t length)
{
    int64_t number;
    return wri_whole_number(text, length, &number);
}

static bool is_boolean(const char *text, size_t length)
{
    return wri_same_text(text, length, "true", 4, true) ||
           wri_same_text(text, length, "false", 5, true);
}

static bool is_decimal(const char *text, size_t length)
{
    double number;
    return wri_decimal_number(text, length, &number);
}

/* PICT's mark of an invalid value is printed but does not belong to the value. */
static const char *bare(const drafted *parameter, const drafted_value *value)
{
    bool marked = parameter->typing == WRI_TYPE_NUMERIC && value->invalid;
    return marked ? value->text + 1 + strspn(value->text + 1, " \t") : value->text;
}

static bool all_are(const drafted *parameter, bool (*is)(const char *, size_t))
{
    const drafted_value *values = parameter->values.items;
    for (size_t i = 0; i < parameter->values.count; i++) {
        const char *text = bare(parameter, &values[i]);
        if (!is(text, strlen(text)))
            return false;
    }
    return true;
}

static bool must_be(wri_draft *draft, const drafted *parameter, bool (*is)(const char *, size_t),
                    const char *what)
{
    const drafted_value *values = parameter->values.items;
    for (size_t i = 0; i < parameter->values.count; i++)
        if (!is(values[i].text, strlen(values[i].text)))
            return wri_complain_at(draft->complaint, parameter->at,
                                   "expected %s as value of %.60s, found %.60s", what,
                                   parameter->name, values[i].text);
    return true;
}

/* What numbers a model's numeric parameters have: themselves, unless one is a decimal; then
 * their ranks, as for texts. */
static bool any_decimal(const wri_draft *draft)
{
    drafted *parameters = draft->parameters.items;
    bool     any = false;
    for (size_t i = 0; i < draft->parameters.count; i++) {
        parameters[i].decimal = all_are(&parameters[i], is_decimal);
        any = any || (parameters[i].typing == WRI_TYPE_NUMERIC && parameters[i].decimal &&
                      !all_are(&parameters[i], is_whole));
    }
    return any;
}

static bool choose_domain(wri_draft *draft, const drafted *from, bool decimals,
                          wri_domain *domain)
{
    switch (from->typing) {
    case WRI_TYPE_NUMBER:
        *domain = WRI_DOMAIN_NUMBER;
        return must_be(draft, from, is_whole, "a whole number");
    case WRI_TYPE_BOOLEAN:
        *domain = WRI_DOMAIN_BOOLEAN;
        return must_be(draft, from, is_boolean, "true or false");
    case WRI_TYPE_TEXT: *domain = WRI_DOMAIN_TEXT; return true;
    case WRI_TYPE_NUMERIC:
        *domain = !decimals && all_are(from, is_whole) ? WRI_DOMAIN_NUMBER : WRI_DOMAIN_TEXT;
        return true;
    case WRI_TYPE_GUESSED:
        *domain = all_are(from, is_whole)     ? WRI_DOMAIN_NUMBER
                  : all_are(from, is_boolean) ? WRI_DOMAIN_BOOLEAN
                                              : WRI_DOMAIN_TEXT;
        return true;
    }
    return true;
}

/* A value whose number is its rank. Decimals are ordered by size, texts by spelling. */
typedef struct ranked {
    const char *text;
    double      size;
    bool        decimal, fold_case;
    wri_value  *value;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->decimal != y->decimal)
        return x->decimal ? -1 : 1;
    if (x->decimal)
        return (x->size > y->size) - (x->size < y->size);
    return wri_compare_text(x->text, y->text, x->fold_case);
}

static void give_ranks(wri_list *all)
{
    ranked *items = all->items;
    int64_t rank = 0;
    if (all->count > 0)
        qsort(items, all->count, sizeof *items, compare_ranked);
    for (size_t i = 0; i < all->count; i++) {
        rank += i > 0 && compare_ranked(&items[i - 1], &items[i]) != 0;
        items[i].value->number = rank;
    }
}

static const char *const *settle_aliases(wri_draft *draft, const wri_list *aliases)
{
    size_t       bytes = aliases->count * sizeof(char *);
    const char **settled = wri_memory_take(draft->memory, bytes + sizeof(char *));
    if (!settled)
        return NULL;
    memcpy(settled, aliases->items, bytes);
    settled[aliases->count] = NULL;
    return settled;
}

static bool settle_value(wri_draft *draft, const drafted *parameter, const drafted_value *from,
                         wri_domain domain, wri_value *to, wri_list *texts)
{
    const char *text = bare(parameter, from);
    *to = (wri_value){ .text = from->text, .weight = from->weight };
    if (from->aliases.count > 0) {
        to->aliases = settle_aliases(draft, &from->aliases);
        if (!to->aliases)
            return wri_out_of_memory(draft);
    }
    if (domain == WRI_DOMAIN_NUMBER)
        wri_whole_number(text, strlen(text), &to->number);
    else if (domain == WRI_DOMAIN_BOOLEAN)
        to->number = wri_compare_text(text, "true", true) == 0;
    else {
        ranked item = { text, 0, parameter->typing == WRI_TYPE_NUMERIC && parameter->decimal,
                        draft->model.fold_case, to };
        if (item.decimal)
            wri_decimal_number(text, strlen(text), &item.size);
        return add(draft, texts, &item, sizeof item);
    }
    return true;
}

/* Values that are the same twice are a mistake, except in PICT's language. */
static int compare_values(const void *a, const void *b)
{
    const wri_value *const *x = a, *const *y = b;
    return strcmp((*x)->text, (*y)->text);
}

static bool refuse_doubles(wri_draft *draft, const drafted *from, const wri_parameter *parameter)
{
    bool              fine = true;
    const wri_value **sorted = calloc(parameter->levels, sizeof *sorted);
    if (!sorted)
        return wri_out_of_memory(draft);
    for (uint32_t i = 0; i < parameter->levels; i++)
        sorted[i] = &parameter->values[i];
    qsort(sorted, parameter->levels, sizeof *sorted, compare_values);
    for (uint32_t i = 1; i < parameter->levels && fine; i++)
        if (strcmp(sorted[i - 1]->text, sorted[i]->text) == 0)
            fine = wri_complain_at(draft->complaint, from->at,
                                   "expected each value of %.60s once, found %.60s twice",
                                   from->name, sorted[i]->text);
    free(sorted);
    return fine;
}

static bool settle_values(wri_draft *draft, const drafted *from, wri_parameter *to,
                          wri_list *texts)
{
    const drafted_value *values = from->values.items;
    size_t               count = from->values.count, at = 0;
    wri_value           *settled = wri_memory_take(draft->memory, count * sizeof *settled);
    if (!settled)
        return wri_out_of_memory(draft);
    to->levels = (uint32_t)count;
    to->values = settled;
    for (int invalid = 0; invalid <= 1; invalid++)
        for (size_t i = 0; i < count; i++)
            if (values[i].invalid == (bool)invalid) {
                to->invalid += (uint32_t)invalid;
                if (!settle_value(draft, from, &values[i], to->domain, &settled[at++], texts))
                    return false;
            }
    if (to->invalid == to->levels)
        return wri_complain_at(draft->complaint, from->at,
                               "expected a valid value of %.60s, found none", from->name);
    return from->typing == WRI_TYPE_NUMERIC || refuse_doubles(draft, from, to);
}

static bool settle_parameter(wri_draft *draft, const drafted *from, bool decimals,
                             wri_parameter *to, wri_list *texts)
{
    *to = (wri_parameter){ .name = from->name };
    if (from->range) {
        if (from->typing == WRI_TYPE_TEXT || from->typing == WRI_TYPE_BOOLEAN)
            return wri_complain_at(draft->complaint, from->at,
                                   "expected numbers for the range of %.60s", from->name);
        to->domain = WRI_DOMAIN_RANGE;
        to->first = from->first;
        to->step = from->step;
        to->levels =
            (uint32_t)(((uint64_t)from->last - (uint64_t)from->first) / (uint64_t)from->step) + 1;
        return true;
    }
    if (from->values.count == 0)
        return wri_complain_at(draft->complaint, from->at,
                               "expected a value of %.60s, found none", from->name);
    return choose_domain(draft, from, decimals, &to->domain) &&
           settle_values(draft, from, to, texts);
}

/* Of two parameters with one name the second is not found by it. */
static bool refuse_twins(wri_draft *draft)
{
    const drafted *parameters = draft->parameters.items;
    for (size_t i = 0; i < draft->parameters.count; i++) {
        const char *name = parameters[i].name;
        uint32_t    found = wri_model_find(&draft->model, name, strlen(name));
        if (found == i)
            continue;
        const drafted *second = &parameters[found > i ? found : i];
        return wri_complain_at(draft->complaint, second->at,
                               "expected a new name, found %.60s, which is a parameter already",
                               second->name);
    }
    return true;
}

bool wri_draft_settle(wri_draft *draft)
{
    const drafted *from = draft->parameters.items;
    size_t         count = draft->parameters.count;
    bool           decimals = any_decimal(draft), fine = true;
    wri_list       texts = { 0 };
    wri_parameter *to = wri_memory_take(draft->memory, count * sizeof *to);
    if (!to)
        return wri_out_of_memory(draft);
    if (count == 0)
        return wri_complain(draft->complaint, "expected at least one parameter, found none");
    for (size_t i = 0; i < count && fine; i++)
        fine = settle_parameter(draft, &from[i], decimals, &to[i], &texts);
    if (fine) {
        give_ranks(&texts);
        draft->model.parameters = to;
        draft->model.parameter_count = (uint32_t)count;
        draft->settled = wri_model_index(&draft->model, draft->memory);
        fine = (draft->settled || wri_out_of_memory(draft)) && refuse_twins(draft);
    }
    free(texts.items);
    return fine;
}

/* ---- Relations, constraints, rows -------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The parameters of a relation, ascending, each once. */
static bool sort_group(wri_draft *draft, const uint32_t *parameters, uint32_t count,
                       wri_relation *to)
{
    uint32_t *sorted = wri_memory_take(draft->memory, count * sizeof *sorted);
    if (!sorted)
        return wri_out_of_memory(draft);
    memcpy(sorted, parameters, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    to->parameters = sorted;
    for (uint32_t i = 0; i < count; i++)
        if (to->count == 0 || sorted[to->count - 1] != sorted[i])
            sorted[to->count++] = sorted[i];
    return true;
}

static bool add_group(wri_draft *draft, wri_list *to, wri_place at, const char *name,
                      uint32_t strength, const uint32_t *parameters, uint32_t count)
{
    wri_relation group = { 0 };
    if (count == 0)
        return wri_complain_at(draft->complaint, at, "expected a parameter, found none");
    if (name && !(group.name = wri_memory_text(draft->memory, name, strlen(name))))
        return wri_out_of_memory(draft);
    if (!sort_group(draft, parameters, count, &group))
        return false;
    group.strength = strength ? strength : group.count;
    if (group.strength > group.count && group.strength != WRI_ANY)
        return wri_complain_at(
            draft->complaint, at,
            "expected a strength of at most %u, the number of parameters, found %u", group.count,
            group.strength);
    return add(draft, to, &group, sizeof group);
}

bool wri_draft_relation(wri_draft *draft, wri_place at, const char *name, uint32_t strength,
                        const uint32_t *parameters, uint32_t count)
{
    return add_group(draft, &draft->relations, at, name, strength, parameters, count);
}

bool wri_draft_compound(wri_draft *draft, wri_place at, uint32_t strength,
                        const uint32_t *parameters, uint32_t count)
{
    return add_group(draft, &draft->compounds, at, NULL, strength, parameters, count);
}

bool wri_draft_constraint(wri_draft *draft, const wri_expression *holds, const char *text,
                          size_t length, uint32_t line)
{
    if (holds->op == WRI_OP_NUMBER && holds->number)
        return true; /* says nothing */
    char          *copy = wri_memory_text(draft->memory, text, length);
    wri_constraint constraint = { holds, copy, line };
    if (!copy)
        return wri_out_of_memory(draft);
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    return add(draft, &draft->constraints, &constraint, sizeof constraint);
}

bool wri_draft_row(wri_draft *draft, const uint32_t *row)
{
    return add(draft, &draft->rows, row, draft->model.parameter_count * sizeof *row);
}

bool wri_draft_remark(wri_draft *draft, const char *format, ...)
{
    char        text[512];
    const char *copy;
    va_list     values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    copy = wri_memory_text(draft->memory, text, strlen(text));
    return copy ? add(draft, &draft->remarks, &copy, sizeof copy) : wri_out_of_memory(draft);
}

/* ---- The model -------------------------------------------------------------------------- */

/* A copy in the model's memory, or NULL, which for nothing is fine as well. */
static const void *keep(wri_draft *draft, const wri_list *list, size_t size, bool *fine)
{
    void *copy = wri_memory_take(draft->memory, list->count * size);
    if (!copy)
        *fine = wri_out_of_memory(draft);
    else if (list->count > 0)
        memcpy(copy, list->items, list->count * size);
    return copy;
}

static bool add_parameters_at(wri_draft *draft, uint32_t strength, const bool *left_out)
{
    uint32_t  count = 0;
    uint32_t *all = calloc(draft->model.parameter_count, sizeof *all);
    if (!all)
        return wri_out_of_memory(draft);
    for (uint32_t p = 0; p < draft->model.parameter_count; p++)
        if (!left_out || !left_out[p])
            all[count++] = p;
    bool added =
        count == 0 || wri_draft_relation(draft, (wri_place){ 0 }, NULL, strength, all, count);
    free(all);
    return added;
}

/* A parameter that no relation names still has its values. */
static bool add_single_values(wri_draft *draft)
{
    const wri_relation *relations = draft->relations.items;
    bool               *named = calloc(draft->model.parameter_count, sizeof *named), added;
    if (!named)
        return wri_out_of_memory(draft);
    for (size_t r = 0; r < draft->relations.count; r++)
        for (uint32_t i = 0; i < relations[r].count; i++)
            named[relations[r].parameters[i]] = true;
    added = add_parameters_at(draft, 1, named);
    free(named);
    return added;
}

/* Groups whose own strength was left open are as strong as the rest, as far as they can be. */
static void settle_compounds(wri_draft *draft, uint32_t strength)
{
    wri_relation *compounds = draft->compounds.items;
    for (size_t i = 0; i < draft->compounds.count; i++)
        if (compounds[i].strength == WRI_ANY)
            compounds[i].strength = strength < compounds[i].count ? strength : compounds[i].count;
}

static bool add_relations(wri_draft *draft, uint32_t asked)
{
    uint32_t count = draft->model.parameter_count;
    uint32_t strength = asked ? asked : draft->strength;
    if (strength == 0 && draft->relations.count > 0)
        return add_single_values(draft);
    if (strength > count &&
        !wri_draft_remark(draft, "strength %u is more than there are parameters: %u it is",
                          strength, count))
        return false;
    if (strength == 0)
        strength = 2;
    settle_compounds(draft, strength);
    return add_parameters_at(draft, strength < count ? strength : count, NULL);
}

wri_model *wri_draft_finish(wri_draft *draft, uint32_t strength)
{
    wri_model *model = wri_memory_take(draft->memory, sizeof *model);
    bool       fine = model != NULL;
    if (!fine)
        wri_out_of_memory(draft);
    if (!fine || !add_relations(draft, strength))
        return NULL;
    *model = draft->model;
    model->relation_count = (uint32_t)draft->relations.count;
    model->relations = keep(draft, &draft->relations, sizeof(wri_relation), &fine);
    model->constraint_count = (uint32_t)draft->constraints.count;
    model->constraints = keep(draft, &draft->constraints, sizeof(wri_constraint), &fine);
    model->compound_count = (uint32_t)draft->compounds.count;
    model->compounds = keep(draft, &draft->compounds, sizeof(wri_relation), &fine);
    model->remark_count = (uint32_t)draft->remarks.count;
    model->remarks = keep(draft, &draft->remarks, sizeof(char *), &fine);
    model->kept_count = draft->rows.count;
    model->kept = keep(draft, &draft->rows, model->parameter_count * sizeof(uint32_t), &fine);
    if (!fine)
        return NULL;
    model->memory = draft->memory;
    draft->memory = NULL; /* the model's from here on */
    return model;
}
